package daemon_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/rules/fasa"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// darkText returns The Big Bad Wolf as a blind game, with Riskadh where Kirk cannot find her. With second there is
// another ship as far away.
func darkText(t *testing.T, second bool) (text []byte, captains []vault.Captain) {
	t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	scenario := regexp.MustCompile(`(?s)(name = "Riskadh".*?hex = )"\d+"`).ReplaceAllString(string(all["big-bad-wolf"]), `$1"9090"`) + "\n[blind]\n"
	scenario = regexp.MustCompile(`(?m)^bounds = .*$`).ReplaceAllString(scenario, "")
	captains = []vault.Captain{{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, {Name: "Kor", Address: kor, Ships: []string{"Riskadh"}}}
	if second {
		scenario += "[[ship]]\nname = \"Dagger\"\nside = \"klingon\"\nclass = \"d-10-wolf\"\nhex = \"0190\"\nheading = \"B\"\n"
		captains = append(captains, vault.Captain{Name: "Chang", Address: anybody, Ships: []string{"Dagger"}})
	}
	return []byte(scenario), captains
}

// TestNoMailOfADarkGameTellsOfOthers: the mails to Kirk have the same bytes whether or not there is a third captain,
// and whatever that captain and Kor do. It covers reminders, passed deadlines, reports, and notices of captains who
// are away, give up or vote, also in anonymous games. Of a report's mail only the text is compared, without the hash
// of the record.
func TestNoMailOfADarkGameTellsOfOthers(t *testing.T) {
	hash := regexp.MustCompile(`(?s)Hash of the record so far:.*?(==|\r?\n\r?\n|\z)`)
	for _, anonymous := range []bool{false, true} {
		var got [2][]string
		for k := range got {
			w, mail := newWorld(t), schedule()
			mail.Anonymous = anonymous
			text, captains := darkText(t, k == 1)
			g := w.madeOf("wolf", text, mail, captains...)
			says := func(captain engine.CaptainName, address, what string) {
				if slices.ContainsFunc(captains, func(c vault.Captain) bool { return c.Name == captain }) {
					settings := g.Settings()
					c, _ := settings.CaptainOf(map[engine.CaptainName]string{"Kor": "Riskadh", "Chang": "Dagger", "Kirk": "Hood"}[captain])
					w.box.put(w.mail(address, strings.ReplaceAll(what, "KEY", turn.Key(g, w.turnOf(g)+1, c.Name))))
				}
			}
			keep := func() {
				for _, m := range w.run().to(kirk, "") {
					if strings.Contains(m.Text, "Hash of the record") {
						got[k] = append(got[k], m.Subject+"\n"+hash.ReplaceAllString(m.Text, ""))
					} else {
						got[k] = append(got[k], m.raw)
					}
				}
			}
			keep()
			for n, hours := range []int{1, 48, 72, 84, 84 + 1, 84 + 48} {
				w.clock.Set(began.Add(time.Duration(hours) * time.Hour))
				if k == 1 {
					switch n {
					case 0:
						says("Chang", anybody, "#vote draw\n")
						says("Kor", kor, "#away 2026-03-02 2026-03-03\n")
					case 1:
						says("Chang", anybody, "#away 2026-03-05 2026-03-06\n")
					case 2:
						says("Kor", kor, "#orders wolf turn 1 ship Riskadh key KEY\npower\n  shields 2:4\nfinal\n#end\n")
					case 4:
						says("Chang", anybody, "#back\n")
						says("Chang", anybody, "#resign\n")
						says("Kor", kor, "#vote draw\n")
					}
				}
				keep()
			}
			if w.turnOf(g) != 1 {
				t.Fatalf("turn %d is played, want 1", w.turnOf(g))
			}
		}
		if len(got[0]) != len(got[1]) || len(got[0]) < 5 {
			t.Fatalf("anonymous %t: Kirk gets %d mails and %d:\n%s\n\n%s", anonymous, len(got[0]), len(got[1]), subjects(got[0]), subjects(got[1]))
		}
		for i := range got[0] {
			if got[0][i] != got[1][i] {
				t.Errorf("anonymous %t: what Kirk gets differs:\n%s\n%s", anonymous, got[0][i], got[1][i])
			}
		}
	}
}

func subjects(mails []string) string {
	var out []string
	for _, m := range mails {
		out = append(out, fmt.Sprintf("%.300q", m))
	}
	return strings.Join(out, "\n")
}
