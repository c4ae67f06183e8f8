package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"starpost/engine/bounded"
	"starpost/pbem/clock"
	"starpost/templates"
)

// small is a complete configuration with only the required keys.
const small = `address = "battles@example.org"
state = "state"
games = ["games/*"]
[imap]
host = "mail.example.org"
user = "battles"
password_env = "IMAP"
[smtp]
host = "mail.example.org"
`

// noEnv is an empty environment.
func noEnv(string) (string, bool) { return "", false }

func envOf(values map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := values[name]
		return v, ok
	}
}

// write writes files into a new directory and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestExampleLoads(t *testing.T) {
	c, err := loadWith("../../examples/starpost.toml", envOf(map[string]string{"STARPOST_IMAP_PASSWORD": "one", "STARPOST_SMTP_PASSWORD": "two"}))
	if err != nil {
		t.Fatal(err)
	}
	if c.IMAP.Password.Reveal() != "one" || c.SMTP.Password.Reveal() != "two" {
		t.Error("the passwords are not those of the environment")
	}
	if len(c.Warnings) > 0 {
		t.Errorf("warnings %q", c.Warnings)
	}
}

// The example states every default; the two must not diverge. Uncommenting every line "# key =
// value" gives a file with the same meaning.
func TestExampleStatesTheDefaults(t *testing.T) {
	text, err := os.ReadFile("../../examples/starpost.toml")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	stated := 0
	for i, line := range lines {
		if key, _, ok := strings.Cut(strings.TrimPrefix(line, "# "), " = "); ok && strings.HasPrefix(line, "# ") && !strings.ContainsAny(key, " :") {
			lines[i] = line[2:]
			stated++
		}
	}
	if stated < 10 {
		t.Fatalf("only %d defaults are stated", stated)
	}
	plain, err := Parse("x.toml", text, "/etc")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Parse("x.toml", []byte(strings.Join(lines, "\n")), "/etc")
	if err != nil {
		t.Fatal(err)
	}
	if plain.Effective() != all.Effective() {
		t.Errorf("the example says\n%s\nbut in force is\n%s", all.Effective(), plain.Effective())
	}
	for line := range strings.SplitSeq(plain.Effective(), "\n") {
		if key, _, ok := strings.Cut(line, " = "); ok && !strings.Contains(string(text), key+" = ") {
			t.Errorf("the example does not name %s", key)
		}
	}
}

func TestSmallest(t *testing.T) {
	c, err := Parse("x.toml", []byte(small), "/srv/star")
	if err != nil {
		t.Fatal(err)
	}
	want := `address = "battles@example.org"
name = "Starpost"
state = "/srv/star/state"
games = ["/srv/star/games/*"]
poll = "1m"
change_window = "30m"
strangers = "answer"
answers_per_hour = 20
set_answers_per_hour = 200
strangers_per_day = 240
plus = true

[imap]
host = "mail.example.org"
port = 993
tls = "tls"
timeout = "30s"
user = "battles"
auth = "password"
password_env = "IMAP"
inbox = "INBOX"
folders = "Starpost"

[smtp]
host = "mail.example.org"
port = 587
tls = "starttls"
timeout = "30s"

[mail]
templates = ""
footer = ""

[trust]
authserv_ids = []
hops = 0

[guard]
outage = "6h"
skew = "2m"
resume_after = "12h"

[metrics]
listen = ""
public = false
games = false

[log]
level = "info"
format = "text"
`
	if got := c.Effective(); got != want {
		t.Errorf("effective:\n%s\nwant:\n%s", got, want)
	}
}

// TestTemplates: a host's folder of templates is read with the configuration, and an error in it is
// a problem of the configuration, with its place in the template.
func TestTemplates(t *testing.T) {
	dir := write(t, map[string]string{
		"x.toml": small + "[mail]\ntemplates = \"mails\"\n", "mails/message.txt": "From {{.From}}\n", "mails/reply.txt": "\n{{.Secret}}\n",
		"none.toml": small + "[mail]\ntemplates = \"letters\"\n", "text.toml": small + "[mail]\ntemplates = 1\n",
		"long.toml": small + "[mail]\nfooter = \"" + strings.Repeat("x", 77) + "\"\n", "ctrl.toml": small + "[mail]\nfooter = \"a\\nb\"\n",
	})
	env := envOf(map[string]string{"IMAP": "one"})
	for file, want := range map[string]string{
		"x.toml":    filepath.Join(dir, "mails/reply.txt") + ":2:3: at <.Secret>: can't evaluate field Secret in type templates.Reply; ",
		"none.toml": filepath.Join(dir, "letters") + ":1:1: cannot be read: no such file or directory; ",
		"text.toml": filepath.Join(dir, "text.toml") + ":11:1: mail.templates must be a text in quotes, not a whole number",
		"long.toml": filepath.Join(dir, "long.toml") + ":11:1: mail.footer has more than 76 characters",
		"ctrl.toml": filepath.Join(dir, "ctrl.toml") + ":11:1: mail.footer contains a control character",
	} {
		_, err := loadWith(filepath.Join(dir, file), env)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", file, err, want)
		}
	}
	if err := os.Remove(filepath.Join(dir, "mails/reply.txt")); err != nil {
		t.Fatal(err)
	}
	c, err := loadWith(filepath.Join(dir, "x.toml"), env)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := c.Templates.MessageText(templates.RelayedMessage{From: "Kor"}); err != nil || text != "From Kor\n" {
		t.Errorf("a message is %q, %v", text, err)
	}
}

// with sets lines in sections of the small configuration: "imap.tls" sets tls in [imap]; the value
// "" removes the key.
func with(changes map[string]string) string {
	section := ""
	var out []string
	done := map[string]bool{}
	add := func() {
		for _, path := range slices.Sorted(func(yield func(string) bool) {
			for p := range changes {
				if !yield(p) {
					return
				}
			}
		}) {
			where, key := "", path
			if i := strings.LastIndexByte(path, '.'); i >= 0 {
				where, key = path[:i], path[i+1:]
			}
			if where == section && !done[path] && changes[path] != "" {
				out = append(out, key+" = "+changes[path])
			}
		}
	}
	for line := range strings.Lines(small) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "[") {
			add()
			section = strings.Trim(line, "[]")
			out = append(out, line)
			continue
		}
		key, _, _ := strings.Cut(line, " ")
		path := strings.TrimPrefix(section+"."+key, ".")
		value, changed := changes[path]
		done[path] = changed
		switch {
		case !changed:
			out = append(out, line)
		case value != "":
			out = append(out, key+" = "+value)
		}
	}
	add()
	return strings.Join(out, "\n") + "\n"
}

func TestProblems(t *testing.T) {
	for _, c := range []struct {
		name string
		text string
		want []string // one per problem, in order: "line:col: a part of the rest"
	}{
		{"nothing", "", []string{"1:1: address is missing", "1:1: state is missing", "1:1: games is missing", "1:1: the section [imap] is missing", "1:1: the section [smtp] is missing"}},
		{"no TOML", "address = battles\n", []string{"1:11: expected value"}},
		{"an open text", "address = \"battles\nstate = 1\n", []string{"1:19: "}},
		{"a key twice", small + "host = \"x\"\n", []string{"10:1: Key 'smtp.host' has already been defined"}},
		{"unknown keys", "  adress = 1\n" + small + "\n  prot = 25\n[imap.tls_options]\nx = 1\n[[logs]]\n", []string{
			`1:3: unknown key "adress"; did you mean "address"?`, `12:3: unknown key "smtp.prot"; did you mean "port"?`,
			`13:1: unknown section "imap.tls_options"; use one of: host`, `15:1: unknown key "logs"; did you mean "log"?`,
		}},
		{"a password in the text", with(map[string]string{"imap.password": `"x"`, "imap.password_env": ""}), []string{"7:1: a password must not be in the configuration; put it into a separate file"}},
		{"a password in other words", small + "PassWord = \"x\"\n", []string{"10:1: a password must not"}},
		{"wrong types", with(map[string]string{"address": "1", "state": "true", "games": "1.5", "imap.port": `"993"`, "poll": "30", "smtp.user": "[]", "name": "2026-03-01", "strangers": "{}"}), []string{
			"1:1: address must be a text in quotes, not a whole number", "2:1: state must be a text in quotes, not true or false", "3:1: games must be a list of texts, not a decimal number",
			"4:1: name must be a text in quotes, not a date", "5:1: poll must be a time in quotes such as \"30m\", not a whole number", "6:1: strangers must be a text in quotes, not a section",
			"11:1: imap.port must be a whole number, not a text", "14:1: smtp.user must be a text in quotes, not a list",
		}},
		{"plus as a text", with(map[string]string{"plus": `"no"`}), []string{"4:1: plus must be true or false, without quotes, not a text"}},
		{"sections of the wrong kind", "imap = 1\nsmtp = []\nlog = \"x\"\naddress = \"a@b.example\"\nstate = \"x\"\ngames = [\"x\"]\n", []string{"1:1: imap must be one section, not a whole number", "2:1: smtp must be", "3:1: log must be one section, not a text; write [log]"}},
		{"bad addresses", with(map[string]string{"address": `"battles"`}), []string{`1:1: "battles" is not a bare mail address`}},
		{"an address with a name", with(map[string]string{"address": `"Robot <a@b.example>"`}), []string{"1:1: \"Robot <a@b.example>\" is not a bare"}},
		{"an address with a tag", with(map[string]string{"address": `"a+b@b.example"`}), []string{"1:1: the address \"a+b@b.example\" has a plus tag"}},
		{"empty texts", with(map[string]string{"address": `""`, "state": `""`, "games": "[]", "imap.host": `""`, "imap.inbox": `""`, "imap.folders": `""`}), []string{
			"1:1: address is empty", "2:1: state is empty", "3:1: games is empty", "5:1: imap.host is empty", "8:1: imap.folders is empty", "9:1: imap.inbox is empty; leave it out",
		}},
		{"games as a text", with(map[string]string{"games": `"games/*"`}), []string{`3:1: games must be a list; write games = ["games/*"]`}},
		{"games of the wrong kind", with(map[string]string{"games": `["a", 1, "", "[a"]`}), []string{"3:1: games: element 2", "3:1: games: element 3", `3:1: games: "[a" is not a pattern`}},
		{"a host with a port", with(map[string]string{"imap.host": `"mail.example.org:993"`}), []string{"5:1: imap.host: \"mail.example.org:993\" is not a host name; write the bare name, for example \"mail.example.org\", and set port separately"}},
		{"a host that is none", with(map[string]string{"smtp.host": `"-x"`}), []string{"9:1: smtp.host"}},
		{"ports", with(map[string]string{"imap.port": "0", "smtp.port": "65536"}), []string{"8:1: imap.port is 0; it must be between 1 and 65535", "11:1: smtp.port is 65536"}},
		{"times", with(map[string]string{"poll": `"1s"`, "change_window": `"soon"`, "imap.timeout": `"1h"`}), []string{`4:1: change_window: "soon" is not a length of time`, "5:1: poll is 1s; it must be between 5s and 24h", "10:1: imap.timeout is 1h"}},
		{"words", with(map[string]string{"strangers": `"ignor"`, "imap.tls": `"ssl"`, "answers_per_hour": "0"}), []string{"4:1: answers_per_hour is 0", `5:1: strangers is "ignor"; did you mean "ignore"?`, `10:1: imap.tls is "ssl"; use one of: tls, starttls, none`}},
		{"trust", small + "[trust]\nauthserv_ids = [\"mx.example.org\", \"mx; dkim=pass\", 1]\nhops = -1\nhop = 1\n", []string{
			"11:1: trust.authserv_ids: element 3 must be a non-empty text", "11:1: trust.authserv_ids: element 2 is not the name of a mail server", "12:1: trust.hops is -1; it must be between 0 and 20", `13:1: unknown key "trust.hop"; did you mean "hops"?`,
		}},
		{"trust as a text", small + "trust = \"mx.example.org\"\n", []string{`10:1: unknown key "smtp.trust"`}},
		{"log words", small + "[log]\nlevel = \"loud\"\nformat = \"xml\"\n", []string{`11:1: log.level is "loud"; use one of: debug, info, warn, error`, `12:1: log.format is "xml"; use one of: text, json`}},
		{"in the clear to elsewhere", with(map[string]string{"imap.tls": `"none"`, "smtp.tls": `"none"`}), []string{`8:1: imap.tls is "none", and mail.example.org is not this machine; passwords`, `11:1: smtp.tls is "none"`}},
		{"what looks like this machine", with(map[string]string{"imap.tls": `"none"`, "imap.host": `"localhost.example.org"`}), []string{"8:1: imap.tls"}},
		{"two passwords", with(map[string]string{"imap.password_file": `"x"`}), []string{"7:1: imap.password_file and imap.password_env are both given"}},
		{"no password", with(map[string]string{"imap.password_env": "", "smtp.user": `"a"`}), []string{"6:1: no password is given for imap.user", "9:1: no password is given for smtp.user"}},
		{"no user", with(map[string]string{"imap.user": "", "smtp.password_env": `"X"`}), []string{"4:1: imap.user is missing", "7:1: a password is given, but no smtp.user"[:4]}},
		{"the password where the variable's name belongs", with(map[string]string{"imap.password_env": `"s3cret! word"`}), []string{"7:1: imap.password_env is not the name of an environment variable"}},
		{"control characters", with(map[string]string{"name": `"a\nb"`}), []string{"4:1: name contains a control character"}},
		{"an inline section", "imap = { host = \"a\", user = \"b\", password_env = \"C\",\tprot = 1 }\n" + strings.Join(strings.Split(small, "\n")[:3], "\n") + "\n[smtp]\nhost = 'a'\n", []string{`1:54: unknown key "imap.prot"; did you mean "port"?`}},
		{"dotted and quoted keys among texts of many lines", "name = \"Star\"\nlog.\"level\" = \"loud\"\nstate = '''\nhost = 1'''\nzzz = 1\n" + strings.Replace(small, "state = \"state\"\n", "", 1), []string{
			"2:1: log.level is \"loud\"", `5:1: unknown key "zzz"; use one of: address`,
		}},
		{"too long", small + strings.Repeat("#", maxFile), []string{"1:1: the file is longer than 65536 bytes"}},
		{"too many parts of a key", small + "#" + strings.Repeat(".", 200) + "\n" + strings.Repeat("a.", 30000) + "a = 1\n", []string{"11:1: the line has more than 100 dots"}},
		{"too many inline tables", strings.Repeat("a = {", 10000), []string{"1:1: the file has more than 200 braces; use tables with headings instead"}},
		{"too deep", "x = " + strings.Repeat("[", 30000), []string{"1:"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Parse("star.toml", []byte(c.text), "/srv")
			var problems Problems
			if got != nil || !errors.As(err, &problems) {
				t.Fatalf("got %v, %v", got, err)
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(c.want) {
				t.Fatalf("%d problems:\n%s\nwant %d", len(lines), err, len(c.want))
			}
			for i, want := range c.want {
				if !strings.HasPrefix(lines[i], "star.toml:"+want) {
					t.Errorf("problem %d:\n%s\nwant star.toml:%s", i+1, lines[i], want)
				}
			}
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("a password is shown: %v", err)
			}
		})
	}
}

func TestOnlyLoopbackMayBeUnencrypted(t *testing.T) {
	for _, host := range []string{"localhost", "LOCALHOST.", "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"} {
		text := with(map[string]string{"imap.tls": `"none"`, "imap.host": fmt.Sprintf("%q", host)})
		c, err := Parse("x.toml", []byte(text), "/srv")
		if err != nil {
			t.Errorf("%s: %v", host, err)
			continue
		}
		if c.IMAP.Port != 143 {
			t.Errorf("port %d", c.IMAP.Port)
		}
	}
}

func TestPasswordFile(t *testing.T) {
	dir := write(t, map[string]string{"star.toml": with(map[string]string{"imap.password_env": "", "imap.password_file": `"secrets/imap"`}), "secrets/imap": "open sesame \r\n"})
	path := filepath.Join(dir, "star.toml")
	c, err := loadWith(path, noEnv)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.IMAP.Password.Reveal(); got != "open sesame " {
		t.Errorf("password %q", got)
	}
	if len(c.Warnings) != 0 {
		t.Errorf("warnings %q", c.Warnings)
	}
	if err := os.Chmod(filepath.Join(dir, "secrets/imap"), 0o644); err != nil {
		t.Fatal(err)
	}
	if c, err = loadWith(path, noEnv); err != nil {
		t.Fatal(err)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "chmod 600") || strings.Contains(c.Warnings[0], "sesame") {
		t.Errorf("warnings %q", c.Warnings)
	}
	for text, say := range map[string]string{
		"":                         "exactly one line",
		"two\nlines\n":             "exactly one line",
		strings.Repeat("x", 20000): "too long",
	} {
		if err := os.WriteFile(filepath.Join(dir, "secrets/imap"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := loadWith(path, noEnv); err == nil || !strings.Contains(err.Error(), say) || !strings.HasPrefix(err.Error(), path+":7:1: ") {
			t.Errorf("a password file of %d bytes: %v", len(text), err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "secrets/imap")); err != nil {
		t.Fatal(err)
	}
	if _, err := loadWith(path, noEnv); err == nil || !strings.Contains(err.Error(), "password file cannot be read") {
		t.Errorf("without the file: %v", err)
	}
}

func TestPasswordEnv(t *testing.T) {
	path := filepath.Join(write(t, map[string]string{"star.toml": small}), "star.toml")
	for _, env := range []map[string]string{{}, {"IMAP": ""}} {
		_, err := loadWith(path, envOf(env))
		if err == nil || !strings.Contains(err.Error(), ":7:1: the environment variable IMAP is not set") {
			t.Errorf("error %v", err)
		}
	}
	c, err := loadWith(path, envOf(map[string]string{"IMAP": "open sesame"}))
	if err != nil || c.IMAP.Password.Reveal() != "open sesame" || !c.SMTP.Password.Empty() {
		t.Errorf("%v, %v", c, err)
	}
}

func TestSecretsAreHidden(t *testing.T) {
	s := Server{Host: "h", Password: NewSecret("open sesame"), OAuth: &OAuth{ClientSecret: NewSecret("open sesame")}}
	c := &Config{IMAP: &IMAP{Server: s}, SMTP: s}
	var out strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+verb+verb+verb, s.Password, s, s.OAuth, c)
	}
	log := slog.New(slog.NewJSONHandler(&out, nil))
	log.Info("x", "password", s.Password, "server", s, "config", c)
	log = slog.New(slog.NewTextHandler(&out, nil))
	log.Info("x", "password", s.Password, "server", s, "config", c)
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(text)
	out.WriteString(s.Password.String() + s.Password.GoString() + c.Effective())
	for _, shown := range []string{"sesame", "736573616d65"} {
		if strings.Contains(strings.ToLower(out.String()), shown) {
			t.Errorf("%q is shown in %s", shown, out.String())
		}
	}
}

func TestUnreadableFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(filepath.Join(dir, "none.toml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	path := filepath.Join(write(t, map[string]string{"long.toml": strings.Repeat("#", maxFile+1)}), "long.toml")
	if _, err := Load(path); !errors.Is(err, errTooLong) {
		t.Errorf("error %v", err)
	}
	if _, err := Load(dir); err == nil {
		t.Error("a directory is a configuration")
	}
}

func TestGameDirs(t *testing.T) {
	dir := write(t, map[string]string{
		"games/wolf/game.toml": "", "games/bear/game.toml": "", "games/notes/x": "", "games/readme": "", "lone/game.toml": "",
		"odd [1]/game.toml": "", "bad/game.toml/x": "",
	})
	c, err := Parse("x", []byte(with(map[string]string{"games": `["games/*", "lone", "games/wolf", "none/*"]`})), dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.GameDirs()
	want := []string{filepath.Join(dir, "games/bear"), filepath.Join(dir, "games/wolf"), filepath.Join(dir, "lone")}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	// What cannot be read is not skipped.
	for _, name := range []string{"closed", "lost+found"} {
		if err := os.Symlink(name, filepath.Join(dir, "games", name)); err != nil {
			t.Fatal(err)
		}
	}
	want = slices.Insert(want, 1, filepath.Join(dir, "games/closed"))
	if got, err = c.GameDirs(); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	c.Games = append(c.Games, filepath.Join(dir, "nowhere"), filepath.Join(dir, "bad"))
	got, err = c.GameDirs()
	if err == nil || !strings.Contains(err.Error(), "nowhere") || !strings.Contains(err.Error(), "bad") || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}

	// A directory whose name looks like a pattern is still matched literally.
	c, err = Parse("x", []byte(with(map[string]string{"games": `["*"]`})), filepath.Join(dir, "odd [1]", ".."))
	if err != nil {
		t.Fatal(err)
	}
	c2, err := Parse("x", []byte(with(map[string]string{"games": `["g*"]`})), filepath.Join(dir, "odd [1]"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.GameDirs(); err != nil || !slices.Equal(got, []string{filepath.Join(dir, "lone"), filepath.Join(dir, "odd [1]")}) {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := c2.GameDirs(); err != nil || len(got) != 0 {
		t.Errorf("got %q, %v", got, err)
	}
}

// The output of Effective has the same meaning and is stable.
func TestEffectiveIsAFixpoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			return rapid.StringOfN(rapid.RuneFrom([]rune(`ab "'\#=é漢[]*?.~`)), 1, 12, -1).Draw(t, name)
		}
		changes := map[string]string{
			"name":                 quote(text("name")),
			"state":                quote(text("state")),
			"games":                "[" + quote(rapid.SampledFrom([]string{"a", "games/*", "/x/[ab]", `a\*`, "é?"}).Draw(t, "game")) + "]",
			"poll":                 quote(clock.Span(rapid.Int64Range(5, 86400).Draw(t, "poll") * int64(time.Second)).String()),
			"answers_per_hour":     fmt.Sprint(rapid.IntRange(1, 1000).Draw(t, "answers")),
			"set_answers_per_hour": fmt.Sprint(rapid.IntRange(1, 10000).Draw(t, "set answers")),
			"keep_raw":             quote(clock.Span(rapid.Int64Range(1, 900).Draw(t, "keep") * int64(clock.Day)).String()),
			"strangers":            quote(rapid.SampledFrom([]string{StrangersAnswer, StrangersIgnore}).Draw(t, "strangers")),
			"plus":                 fmt.Sprint(rapid.Bool().Draw(t, "plus")),
			"imap.user":            quote(text("user")),
			"imap.inbox":           quote(text("inbox")),
			"imap.tls":             quote(rapid.SampledFrom([]string{TLSImplicit, TLSStart}).Draw(t, "tls")),
			"smtp.ca_file":         quote(text("ca")),
		}
		dir := "/" + rapid.SampledFrom([]string{"srv", "odd [1]", `back\slash`}).Draw(t, "dir")
		c, err := Parse("a.toml", []byte(with(changes)), dir)
		if err != nil {
			t.Fatalf("%v\n%s", err, with(changes))
		}
		once := c.Effective()
		again, err := Parse("b.toml", []byte(once), "/elsewhere")
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if twice := again.Effective(); twice != once {
			t.Fatalf("once:\n%s\ntwice:\n%s", once, twice)
		}
	})
}

// quote returns a TOML string.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("imap = {host = 'a', x = [{b = 1}, [\"\"\"\n\"\"\"]]}\n[[a]]\nb.c = 1\n[a.'x.y']\n"))
	f.Add([]byte("\"\\u0041\" = 1\n'' = '''x'''\n"))
	if example, err := os.ReadFile("../../examples/starpost.toml"); err == nil {
		f.Add(example)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Parse("f.toml", text, "/srv")
		bounded.FindPlaces(string(text))
		if err != nil {
			var problems Problems
			if c != nil || !errors.As(err, &problems) || len(problems) == 0 {
				t.Fatalf("got %v, %v", c, err)
			}
			for _, p := range problems {
				if p.Line < 1 || p.Col < 1 || p.Message == "" {
					t.Errorf("problem %+v", p)
				}
			}
			return
		}
		once := c.Effective()
		again, err := Parse("f.toml", []byte(once), "/elsewhere")
		if err != nil || again.Effective() != once {
			t.Errorf("not a fixpoint: %v\n%s", err, once)
		}
	})
}
