package config

import (
	"testing"
)

func TestExampleLoads(t *testing.T) {
	env := map[string]string{"STARPOST_IMAP_PASSWORD": "one", "STARPOST_SMTP_PASSWORD": "two"}
	c, err := LoadWith("../../examples/starpost.toml", func(name string) (string, bool) {
		v, ok := env[name]
		return v, ok
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.IMAP.Password.Reveal() != "one" || c.SMTP.Password.Reveal() != "two" {
		t.Error("the passwords are not those of the environment")
	}
	if c.IMAP.Port != 993 || c.SMTP.Port != 587 || c.Poll.String() != "1m" {
		t.Errorf("defaults: %+v", c)
	}
}
