package scenario_test

import (
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
)

// decoys is the duel in the dark, with a decoy and without mistakes.
var decoys = duel + `
[[ship]]
name = "Straw"
side = "red"
class = "decoy"
as = "larson-vi"
hex = "1012"
heading = "A"

[blind]
`

// TestDecoysInScenarios: a decoy is made from the class that it imitates, and mistakes about decoys in a scenario
// are reported at their line, with a hint.
func TestDecoysInScenarios(t *testing.T) {
	r := basic(t)
	g, diags := read(t, r, decoys)
	if g == nil || len(diags) > 0 {
		t.Fatal(diags)
	}
	if s, _ := g.Ship("straw"); !s.Decoy() || s.Small() || s.Class != engine.ClassDecoy || s.Value != 0 || s.Captain != "Straw" {
		t.Errorf("the decoy is %+v", s)
	}
	dim := *r
	lights := *dark.Of(r).Dark
	lights.Decoy = nil
	dim.Extension = &dark.Extension{Dark: &lights, Labs: dark.Of(r).Labs}
	for name, test := range map[string]struct {
		from, to string // the change; to may hold several lines
		rules    *engine.Rules
		at       string // how the line of the diagnostic begins
		code     string
		says     string // part of the message
		hint     string // part of the hint
	}{
		"in the open":          {from: "[blind]", rules: r, at: `class = "decoy"`, code: "E404", says: "for games in the dark", hint: "[blind]"},
		"plays none":           {from: `as = "larson-vi"`, rules: r, at: `class = "decoy"`, code: "E404", says: "needs as", hint: "merchantman"},
		"plays a decoy":        {from: `as = "larson-vi"`, to: `as = "decoy"`, rules: r, at: `class = "decoy"`, code: "E404", says: "needs as", hint: "merchantman"},
		"plays what is none":   {from: `as = "larson-vi"`, to: `as = "larsen-vi"`, rules: r, at: `as`, code: "E407", says: "Straw", hint: "starpost ships"},
		"as of another":        {from: `class = "decoy"`, to: `class = "larson-vi"`, rules: r, at: `as`, code: "E404", says: "as is only for decoys", hint: "leave as out"},
		"points":               {from: `as = "larson-vi"`, to: "as = \"larson-vi\"\nvalue = 2", rules: r, at: `value = 2`, code: "E404", says: "a decoy is worth no points", hint: "leave it out"},
		"weapons":              {from: `as = "larson-vi"`, to: "as = \"larson-vi\"\nrepair = { weapons_lost = [\"bank-a\"] }", rules: r, at: `repair`, code: "E404", says: "no weapons", hint: "leave it out"},
		"probes":               {from: `as = "larson-vi"`, to: "as = \"larson-vi\"\nblind = { probes = 1 }", rules: r, at: `blind = {`, code: "E404", says: "no probes", hint: "leave it out"},
		"officers":             {from: `as = "larson-vi"`, to: "as = \"larson-vi\"\ncrew = { helm = \"Chen\" }", rules: r, at: `crew`, code: "E404", says: "no officers", hint: "leave it out"},
		"a goal":               {from: "when = \"drive-off\"\nships = [\"Kang\"]", to: "when = \"survive\"\nturn = 3\nships = [\"Straw\", \"Hood\"]", rules: r, at: `ships`, code: "E406", says: "Straw, a decoy", hint: "leave her out"},
		"a file":               {from: "[blind]", to: "[blind]\n[[file]]\nname = \"charts\"\nship = \"Straw\"", rules: r, at: `ship = "Straw"`, code: "E402", says: "aboard Straw, a decoy", hint: "name a ship"},
		"a side of decoys":     {from: "id = \"blue\"\n", to: "id = \"blue\"\n[[side]]\nid = \"grey\"\n[[ship]]\nname = \"Husk\"\nside = \"grey\"\nclass = \"decoy\"\nas = \"larson-vi\"\nhex = \"0101\"\nheading = \"A\"\n", rules: r, at: `id = "grey"`, code: "E403", says: "no ships but decoys", hint: "[[ship]]"},
		"rules without decoys": {rules: &dim, at: `class = "decoy"`, code: "E410", says: "has no decoys", hint: "leave her out"},
	} {
		t.Run(name, func(t *testing.T) {
			text := decoys
			if test.from != "" {
				if text = strings.Replace(decoys, test.from, test.to, 1); text == decoys {
					t.Fatalf("%q does not stand there", test.from)
				}
			}
			_, diags := read(t, test.rules, text)
			if len(diags) != 1 {
				t.Fatalf("told of as %v", diags)
			}
			d, line := diags[0], strings.Split(text, "\n")[diags[0].Pos.Line-1]
			if d.Code != test.code || !strings.Contains(d.Message, test.says) || !strings.Contains(d.Hint, test.hint) || !strings.HasPrefix(line, test.at) {
				t.Errorf("told of as %v, at %q", d, line)
			}
		})
	}
}
