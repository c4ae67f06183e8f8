package desk_test

import (
	"fmt"
	"strings"
	"testing"

	"starpost/pbem/auth"
	"starpost/pbem/desk/effect"
	"starpost/pbem/vault"
)

// A key in words for others is hidden even in spellings that no robot accepts: people can read it.
func TestNoSpelledKeyIsPassedOn(t *testing.T) {
	l := newLeak(t)
	tried := 0
	for _, between := range []string{
		"-", "_", ".", "/", "=", "=2D", "~", ":", "&#45;", "&#x2d;", "&ndash;", "\uff0d", " \u00b7 ", "-\n", "-\n> ", "-\n> > ", "-\n| ",
	} {
		for _, place := range []string{
			"#message to Riskadh\n> Yours was:\n> my key KEY\nKEY it is\n#end\n", "#message to all\nHello\n> #orders wolf turn 2 ship Hood key KEY\n#end\n",
			"#protest 1.1 the key is KEY\n", "#orders wolf turn 2 ship Hood key TRUE\nmessage Riskadh\n#text\nYield. KEY\n#endtext\n#end\n",
			"#orders wolf turn 2 ship Hood key TRUE\nmessage Riskadh \"Yield, KEY\"\n#text\nSo be it\n#endtext\n#end\n",
		} {
			if strings.Contains(between, "\n") && (strings.HasPrefix(place, "#protest") || strings.Contains(place, `"`)) {
				continue // these end with their line
			}
			if strings.ContainsAny(between, ">|") && strings.Contains(place, "#text") {
				continue // a quoted line in a set does not belong to it
			}
			key := l.key("Kirk")
			for _, typed := range []string{key[:4] + between + key[5:], strings.ToLower(key[:4]) + between + wide(key[5:])} {
				text := strings.NewReplacer("KEY", typed, "TRUE", key).Replace(place)
				l.mail += 61
				h := l.receive(kirk, auth.WithKey(robot, key), text)
				out := map[string]string{}
				for _, step := range h.Steps {
					if s, ok := step.(effect.OrderStep); ok {
						out["set"] = s.Text
						if err := l.game.Orders.Drop(vault.At(s.Turn), s.Name); err != nil {
							t.Fatal(err)
						}
					}
				}
				for i, m := range h.Mails {
					if m.Message.To.Addr != kirk {
						out[fmt.Sprintf("mail %d", i)] = m.Message.Text + m.Message.HTML
					}
				}
				for _, e := range l.entries(l.noted) {
					l.noted++
					out[fmt.Sprintf("entry %d", l.noted)] = string(e.Data) + " " + e.Why
				}
				for where, words := range out {
					for _, half := range []string{key[:4], key[5:], wide(key[5:])} {
						if strings.Contains(strings.ToUpper(words), strings.ToUpper(half)) {
							t.Errorf("the %s shows %q of\n%s\nas\n%s", where, half, text, words)
						}
					}
					if strings.Contains(words, auth.Redacted) {
						tried++
					}
				}
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d texts with a hidden key came of the mails", tried)
	}
}

// wide converts ASCII text to the full-width letters of East Asian keyboards.
func wide(text string) string {
	return strings.Map(func(r rune) rune { return r - '!' + '\uff01' }, text)
}
