package desk_test

import (
	"path/filepath"
	"strings"
	"testing"

	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/sfb"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/orderset"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// newBoxes returns an office with a game whose ships have sheets of boxes.
func newBoxes(t *testing.T) *office {
	t.Helper()
	of := sfb.Family()
	scenarios, err := of.ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	sets := vault.Catalogue{}
	for _, s := range of.Sets {
		sets[s.Name] = s.Rules
	}
	mail, dir := vault.DefaultMail(), filepath.Join(t.TempDir(), "meet")
	mail.Robot = robot
	if _, err := turn.Create(dir, sets, turn.Setup{
		Scenario: scenarios["encounter"], ID: "meet", Mail: mail, Secret: dice.FromSeed(1),
		Captains: []vault.Captain{
			{Name: "Kirk", Address: "kirk@example.org", Ships: []string{"Constellation"}},
			{Name: "Kor", Address: "kor@example.org", Ships: []string{"Destruction"}},
		},
		Options: turn.Options{Now: began},
	}); err != nil {
		t.Fatal(err)
	}
	o := &office{t: t}
	if o.game, err = vault.Open(directory.At(dir), sets); err != nil {
		t.Fatal(err)
	}
	o.desk = &desk.Desk{Robot: effect.Robot{Address: robot, Name: "Starpost"}, Registry: identity.Registry{Games: o}, Services: command.Services{Listings: o, Allocate: []family.Allocator{of.Allocate}}, Strangers: true}
	return o
}

// TestAllocateByMail allocates to a class, and to a ship of a game in its present state, own or
// not; each answer lists all points, and nothing is stored.
func TestAllocateByMail(t *testing.T) {
	o := newBoxes(t)
	for _, test := range []struct{ text, want string }{
		{"#allocate cadet-klingon\n2:2\n1:8 1:21 ; as in the example\ndice 2 6 5 3 4 2 5\n1 3 1 3 1 3\nlose engines impulse:2 warp-left:1 warp-right\n#end", "|      12    1  A hull          B engine: warp-right\n"},
		{"#allocate Destruction\n1:18\ndice 1,6\nlose other lab\n#end", "|       2    6                  A other: lab\n"},
		{"#allocate meet constellation\n1:17\ndice 5\n#end", "|       1    5                  A weapon: ph-1\n"},
		{"#allocate cadet-federation\n1:30\n#end", "The dice come from seed "},
	} {
		h := o.receive(kirk, robot, test.text)
		h.nothing(t)
		if !strings.Contains(h.text(), test.want) && !strings.Contains(h.answer.Message.Text, test.want) || hasErrors(h) {
			t.Errorf("%s: want %q in\n%s", test.text, test.want, h.answer.Message.Text)
		}
	}
}

// TestAllocateByMailBadly checks that each mistake has a code, its line, and a hint.
func TestAllocateByMailBadly(t *testing.T) {
	o := newBoxes(t)
	for _, test := range []struct{ from, text, code, want string }{
		{kirk, "#allocate cadet-klingon\n1:21\ndice 1 2\n#end", "E383", "line 3"},
		{kirk, "#allocate cadet-klingon\n1:18\n\ndice 1 7\n#end", "E383", "line 4"},
		{kirk, "#allocate cadet-klingon\n1:21\nlose weapons photon\n#end", "E384", "ph-1"},
		{kirk, "#allocate cadet-klingon\n9:21\nboo\n#end", "E382", "E381"},
		{kirk, "#allocate cadet-klingon\n#end", "E382", "such as 1:21"},
		{kirk, "#allocate cadet-klingon\n1:21\n", codes.OpenMessage, "nothing was allocated"},
		{kirk, "#allocate\n1:21\n#end", codes.BadCommand, "whose sheet?"},
		{kirk, "#allocate Destructoin\n1:21\n#end", orderset.CodeUnknownShip, "did you mean Destruction?"},
		{kirk, "#allocate cadet-klingon\n" + strings.Repeat("1:21\n", 101) + "#end", codes.TooMuch, "at most 100 lines"},
		{khan, "#allocate cadet-klingon\n1:21\n#end", "", ""},
	} {
		h := o.receive(test.from, robot, test.text)
		h.nothing(t)
		if test.code != "" && !hasCode2(h, test.code) || !strings.Contains(h.text(), test.want) || strings.Contains(h.text(), "The sheet afterwards") {
			t.Errorf("%.60s: want %s and %q in\n%s", test.text, test.code, test.want, h.text())
		}
	}
	wolf := newOffice(t)
	wolf.desk.Allocate = o.desk.Allocate
	if h := wolf.receive(kirk, robot, "#allocate Hood\n1:21\n#end"); !strings.Contains(h.text(), "Hood has no sheet of boxes") {
		t.Error(h.text())
	}
}

// FuzzAllocateByMail checks that no text of a mail panics or changes anything.
func FuzzAllocateByMail(f *testing.F) {
	f.Add("cadet-klingon\n1:21\ndice 1 2 3 4 5\nlose hull aft\n#end")
	f.Add("meet Destruction key AAAA-BBBB\n1:21\n#end\n#allocate x")
	f.Fuzz(func(t *testing.T, text string) {
		o := newBoxes(t)
		if h := o.receive(kirk, robot, "#allocate "+text); strings.HasPrefix(text, "cadet-klingon\n") && strings.Count(text, "#") == 1 {
			h.nothing(t)
		}
	})
}
