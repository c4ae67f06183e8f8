package turn_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// TestWordsThatReachNoOneAreTold: a message that no one hears in a blind game gets a diagnostic with
// its line when orders are sent, and the rest of the set counts. The diagnostic does not depend on
// which ships there are.
func TestWordsThatReachNoOneAreTold(t *testing.T) {
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat(strings.Repeat("x", 79)+"\n", 60)
	for _, tc := range []struct{ talk, order, want, why string }{
		{"side", "message side\n#text\nhello\n#endtext\n", "", ""},
		{"side", "message side\n#text\n" + long + "#endtext\n", "4:1 W504", "it is longer than 4000 characters"},
		{"side", "say\n#text\n" + long + "#endtext\n", "4:1 W504", "it is longer than 4000 characters"},
		{"side", "message all\n#text\nhello\n#endtext\n", "4:1 W504", "only your own side hears you"},
		{"none", "message side\n#text\nhello\n#endtext\n", "4:1 W504", "no one hears another ship"},
		{"none", "say\n#text\nhello\n#endtext\n", "4:1 W504", "no one hears another ship"},
	} {
		dir := filepath.Join(t.TempDir(), "wolf")
		scenario := slices.Concat(all["big-bad-wolf"], []byte("\n[blind]\ntalk = \""+tc.talk+"\"\n"))
		if _, err := turn.Create(dir, catalogue(), turn.Setup{
			Scenario: scenario, ID: "wolf", Mail: vault.DefaultMail(), Secret: dice.FromSeed(1), Options: turn.Options{Now: noon(0)},
			Captains: []vault.Captain{{Address: "kirk@example.org", Ships: []string{"Hood"}}, {Address: "kor@example.org", Ships: []string{"Riskadh"}}},
		}); err != nil {
			t.Fatal(err)
		}
		g, err := vault.Open(directory.At(dir), catalogue())
		if err != nil {
			t.Fatal(err)
		}
		read := load(t, g).CheckAs([]byte("#orders wolf turn 1 ship Hood\npower\n move 16\n"+tc.order+"final\n#end\n"), "")
		got, why := "", ""
		for _, d := range read.Diagnostics {
			if d.Code == "W504" {
				got, why = d.Pos.String()+" "+d.Code, d.Message+" "+d.Hint
			}
		}
		if got != tc.want || !strings.Contains(why, tc.why) || len(read.Sets) != 1 || !strings.Contains(read.Sets[0].Text, "move 16") {
			t.Errorf("talk %s, %.14q: got %q, %q, want %q, %q; the set is %.60q", tc.talk, tc.order, got, why, tc.want, tc.why, read.Sets[0].Text)
		}
	}
}
