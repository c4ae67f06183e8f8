package config

import (
	"reflect"
	"strings"
	"testing"
)

// two is a configuration of two mailboxes without the plain form.
const two = `state = "state"
games = ["games/*"]
[[mailbox]]
address = "battles@example.org"
[mailbox.imap]
host = "mail.example.org"
user = "battles"
password_env = "ONE"
[mailbox.smtp]
host = "mail.example.org"
[[mailbox]]
address = "club@example.net"
name = "Club"
plus = false
[mailbox.imap]
host = "mail.example.net"
user = "club"
password_env = "TWO"
inbox = "Battles"
[mailbox.smtp]
host = "mail.example.net"
`

func TestSeveralMailboxes(t *testing.T) {
	dir := write(t, map[string]string{
		"lists.toml": two,
		"mixed.toml": small + two[strings.LastIndex(two, "[[mailbox]]"):],
	})
	env := envOf(map[string]string{"ONE": "one", "TWO": "two", "IMAP": "one"})
	var all []*Config
	for _, name := range []string{"lists.toml", "mixed.toml"} {
		c, err := loadWith(dir+"/"+name, env)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
		boxes := c.Mailboxes()
		if len(boxes) != 2 {
			t.Fatalf("%s: %d mailboxes", name, len(boxes))
		}
		one, other := boxes[0], boxes[1]
		if one.Address != "battles@example.org" || one.Name != "Starpost" || !one.Plus || one.IMAP.Password.Reveal() != "one" || one.IMAP.StoreKey() != "battles@mail.example.org/INBOX" {
			t.Errorf("%s: the first is %+v", name, one)
		}
		if other.Address != "club@example.net" || other.Name != "Club" || other.Plus || other.IMAP.Password.Reveal() != "two" || other.IMAP.Inbox != "Battles" || other.SMTP.Port != 587 {
			t.Errorf("%s: the second is %+v", name, other)
		}
		again, err := Parse("x.toml", []byte(c.Effective()), "/")
		if err != nil || again.Effective() != c.Effective() {
			t.Errorf("%s: what is in force reads as %v\n%s", name, err, c.Effective())
		}
	}
	if strings.Replace(all[0].Effective(), `"ONE"`, `"IMAP"`, 1) != all[1].Effective() || !reflect.DeepEqual(all[0].More, all[1].More) {
		t.Errorf("the two forms differ:\n%s\n%s", all[0].Effective(), all[1].Effective())
	}
}

func TestMailboxProblems(t *testing.T) {
	second := two[strings.LastIndex(two, "[[mailbox]]"):]
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"one address twice": {strings.Replace(two, "club@example.net", "Battles@example.org", 1), []string{
			`12:1: two mailboxes have the address Battles@example.org; give each`,
		}},
		"one address twice, mixed": {small + strings.Replace(second, "club@example.net", "battles@example.org", 1), []string{
			`11:1: two mailboxes have the address battles@example.org`,
		}},
		"one place twice": {strings.NewReplacer("mail.example.net", "mail.example.org", `user = "club"`, `user = "battles"`, `inbox = "Battles"`, "").Replace(two), []string{
			`15:1: two mailboxes read INBOX of battles at mail.example.org; give each its own user`,
		}},
		"sections missing": {"state = \"s\"\ngames = [\"g\"]\n[[mailbox]]\naddress = \"a@b.example\"\n[[mailbox]]\n[mailbox.smtp]\nhost = \"h\"\n", []string{
			`3:1: the section [mailbox.imap] is missing`, `3:1: the section [mailbox.smtp] is missing`,
			`5:1: mailbox[2].address is missing`, `5:1: the section [mailbox.imap] is missing`,
		}},
		"unknown keys":         {two + "prot = 3\n[mailbox.imaps]\nx = 1\n", []string{`22:1: unknown key "mailbox[2].smtp.prot"; did you mean "port"?`, `23:1: unknown section "mailbox[2].imaps"; did you mean "imap"?`}},
		"plus outside":         {"plus = false\n" + two, []string{`1:1: plus is set outside the mailboxes; move it into each [[mailbox]]`}},
		"no list":              {small + "[mailbox]\naddress = \"x\"\n", []string{`10:1: mailbox must be a list of sections, not a section; write [[mailbox]]`}},
		"a list that is none":  {strings.Replace(small, "[imap]", "mailbox = [1]\n[imap]", 1), []string{`4:1: mailbox must be a list of sections, not a list`}},
		"password in the text": {strings.Replace(two, `password_env = "TWO"`, `password = "x"`, 1), []string{`18:1: a password must not be in the configuration`}},
		"half a plain form":    {"address = \"a@b.example\"\n" + two, []string{`1:1: the section [imap] is missing`, `1:1: the section [smtp] is missing`}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("x.toml", []byte(c.text), "/")
			if err == nil {
				t.Fatal("it is taken")
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(c.want) {
				t.Fatalf("problems\n%v", err)
			}
			for i, want := range c.want {
				if !strings.HasPrefix(lines[i], "x.toml:"+want) {
					t.Errorf("problem %d\n%s\nwant\n%s", i, lines[i], want)
				}
			}
		})
	}
	// A missing secret is reported at its own mailbox.
	dir := write(t, map[string]string{"x.toml": two})
	_, err := loadWith(dir+"/x.toml", envOf(map[string]string{"ONE": "one"}))
	if err == nil || !strings.Contains(err.Error(), "x.toml:18:1: the environment variable TWO is not set") {
		t.Errorf("error %v", err)
	}
}

func TestMetrics(t *testing.T) {
	for lines, want := range map[string]string{
		"":                               "",
		`listen = ""`:                    "",
		`listen = "127.0.0.1:9095"`:      "127.0.0.1:9095",
		`listen = "localhost:1"`:         "localhost:1",
		`listen = "[::1]:9095"`:          "[::1]:9095",
		"public = true\nlisten = \":1\"": ":1",
		`listen = ":9095"`:               `11:1: metrics.listen: ":9095" is reachable from other machines; anyone who reaches it can read the state of the games; use "127.0.0.1:9095"`,
		`listen = "192.0.2.1:9095"`:      `11:1: metrics.listen: "192.0.2.1:9095" is reachable from other machines`,
		`listen = "127.0.0.1"`:           `11:1: metrics.listen: "127.0.0.1" is not an address and a port; write it as`,
		`listen = "127.0.0.1:0"`:         `11:1: metrics.listen: "127.0.0.1:0" is not`,
		`listen = "127.0.0.1:http"`:      `11:1: metrics.listen: "127.0.0.1:http" is not`,
		`port = 1`:                       `11:1: unknown key "metrics.port"; use one of: public, listen, games`,
	} {
		c, err := Parse("x.toml", []byte(small+"[metrics]\n"+lines+"\n"), "/")
		if strings.Contains(want, ": ") {
			if err == nil || !strings.HasPrefix(err.Error(), "x.toml:"+want) {
				t.Errorf("%s: %v", lines, err)
			}
		} else if err != nil || c.Metrics.Listen != want {
			t.Errorf("%s: %v", lines, err)
		}
	}
}
