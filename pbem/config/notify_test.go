package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNotify: a secret address is in a file, and no output of the configuration shows it.
func TestNotify(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "discord")
	if err := os.WriteFile(file, []byte("https://discord.example/api/webhooks/1/sEcReT\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := small + "[site]\ndir = \"www\"\n[[notify]]\nname = \"club\"\nkind = \"discord\"\nurl_file = \"discord\"\ngames = [\"league-*\"]\n"
	conf := filepath.Join(dir, "x.toml")
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := loadWith(conf, envOf(map[string]string{"IMAP": "x"}))
	if err != nil {
		t.Fatal(err)
	}
	n := c.Notify[0]
	if !strings.HasSuffix(n.Address.Reveal(), "sEcReT") || len(n.Events) != 4 || !n.Takes("league-1") || n.Takes("wolf") {
		t.Errorf("got %+v", n)
	}
	if strings.Contains(c.Effective(), "sEcReT") {
		t.Error("the address is printed")
	}
	if again, err := Parse("x", []byte(c.Effective()), dir); err != nil || again.Effective() != c.Effective() {
		t.Errorf("printed and read again: %v", err)
	}
	if err := os.WriteFile(file, []byte("ftp://x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := loadWith(conf, envOf(map[string]string{"IMAP": "x"})); err == nil || !strings.Contains(err.Error(), "the content of the file: it is not a web address") {
		t.Errorf("got %v", err)
	}
	for keys, want := range map[string]string{
		"":                                      "give the address exactly once",
		"url = \"https://x\"\nurl_file = \"y\"": "give the address exactly once",
		"url = \"gopher://x\"":                  "it is not a web address",
		"kind = \"discord\"\nurl = \"https://x\"":                 "anyone who knows a Discord address can post to it",
		"url = \"https://x\"\nevents = [\"tun\"]":                 `there is no event "tun"`,
		"url = \"https://x\"\ngames = [\"[\"]":                    `"[" is not a pattern`,
		"url = \"https://x\"\nroom = \"!a:b\"":                    "goes with Matrix, which needs it",
		"kind = \"matrix\"\nurl = \"https://x\"\nroom = \"!a:b\"": "token_file is missing",
		"kind = \"irc\"\nurl = \"https://x\"":                     `kind is "irc"`,
		"url = \"https://x\"\nbefore = \"1s\"":                    "before",
		"url = \"https://x\"\nevnts = []":                         "evnts",
	} {
		_, err := Parse("x.toml", []byte(small+"[site]\ndir = \"www\"\n[[notify]]\n"+keys+"\n"), dir)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", keys, err, want)
		}
	}
	if _, err := Parse("x.toml", []byte(small+"[[notify]]\nurl = \"https://x\"\n"), dir); err == nil || !strings.Contains(err.Error(), "notices need pages") {
		t.Errorf("without [site]: got %v", err)
	}
	if _, err := Parse("x.toml", []byte(small+"[site]\ndir = \"www\"\n"+strings.Repeat("[[notify]]\nname = \"a\"\nurl = \"https://x\"\n", 2)), dir); err == nil || !strings.Contains(err.Error(), "two [[notify]] sections are named") {
		t.Errorf("two of one name: got %v", err)
	}
}
