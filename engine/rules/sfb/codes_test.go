package sfb

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"starpost/engine"
)

// TestACodeThatIsNotBrokenTellsNothing plays pairs of battles that differ only in what is said in a code that Hood
// cannot read, or in whether its side changed the code book before Hood first heard it. Hood's captain gets the same
// bytes until the code is broken.
func TestACodeThatIsNotBrokenTellsNothing(t *testing.T) {
	text := "[blind]\n" + labSides + darkShip("Hood", "federation", "federation-ca", "1010", "A", "captain = \"Hood\"") +
		darkShip("Riskadh", "klingon", "klingon-d7", "1014", "A", "") + darkShip("Gurkan", "klingon", "klingon-d7", "1060", "A", "")
	say := func(words, more string) map[string]string {
		return map[string]string{"hood": "decode any with 2\n", "riskadh": "message side\n#text\n" + words + "\n#endtext\n", "gurkan": more}
	}
	first := map[string]string{}
	for _, c := range []struct {
		title string
		a, b  []map[string]string
		same  int // turns until which the bytes are the same
	}{
		{"other words", []map[string]string{first, say("I turn north", ""), say("Fire", "")}, []map[string]string{first, say("I turn south now", ""), say("Hold your fire", "")}, 3},
		{"another book", []map[string]string{{"gurkan": "new code\n"}, say("Fire", "")}, []map[string]string{first, say("Fire", "")}, 2},
		{
			"another book, and broken",
			[]map[string]string{{"gurkan": "new code\n"}, say("Fire", ""), say("Fire", ""), say("Fire", ""), say("Fire", "")},
			[]map[string]string{first, say("Fire", ""), say("Fire", ""), say("Fire", ""), say("Fire", "")},
			5,
		},
		{
			"other words, and broken",
			[]map[string]string{first, say("Fire", ""), say("Fire", ""), say("Fire", ""), say("Fire", "")},
			[]map[string]string{first, say("Fire", ""), say("Fire", ""), say("Fire", ""), say("Hold", "")},
			4,
		},
	} {
		r := houseRules(t)
		ga, ea := labBattle(t, text, labDice{}, c.a...)
		gb, eb := labBattle(t, text, labDice{}, c.b...)
		for n := range ga {
			one, two := toldInTheDark(t, r, ga[n], ea[n], "hood", "decode klingon with 2\n"), toldInTheDark(t, r, gb[n], eb[n], "hood", "decode klingon with 2\n")
			if same := bytes.Equal(one, two); same != (n < c.same) {
				t.Errorf("%s, turn %d: the same %t, want %t\n%s", c.title, n+1, same, n < c.same, cmp.Diff(strings.Split(string(one), "\n"), strings.Split(string(two), "\n")))
			}
			if n > 0 && !bytes.Contains(one, []byte("in code")) {
				t.Errorf("%s, turn %d: Hood hears nothing", c.title, n+1)
			}
		}
	}
}

// TestRobotsBreakCodesThatTheyHear: a robot with idle laboratories works on a code that it heard and cannot read, and
// stops once it can.
func TestRobotsBreakCodesThatTheyHear(t *testing.T) {
	text := "[blind]\n" + labSides + darkShip("Hood", "federation", "federation-ca", "1010", "A", "") +
		darkShip("Riskadh", "klingon", "klingon-d7", "1014", "A", "") + darkShip("Gurkan", "klingon", "klingon-d7", "1060", "A", "")
	talk := "message side\n#text\nhello\n#endtext\n"
	r := houseRules(t)
	for _, c := range []struct{ hood, riskadh, want string }{{"", "", ""}, {"", talk, "decode any with 8\n"}, {"decode any with 8\n", talk, ""}} {
		games, events := labBattle(t, text, labDice{}, map[string]string{"hood": c.hood, "riskadh": c.riskadh})
		s, _ := games[0].Ship("hood")
		v, err := engine.BuildView(r, games[0], events[0], games[0].Viewer(s))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for line := range strings.Lines(r.Robot(v, "hood").String()) {
			if strings.HasPrefix(line, "decode") {
				got += line
			}
		}
		if got != c.want {
			t.Errorf("%s: the robot orders %q, want %q", fmt.Sprintf("%q after %q", c.hood, c.riskadh), got, c.want)
		}
	}
}
