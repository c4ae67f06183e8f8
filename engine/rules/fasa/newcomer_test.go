package fasa

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/words"
	"starpost/orders"
)

// remarks parses and checks an order set as the program does when it comes in:
// warnings are left out if a line was not understood.
func remarks(t *testing.T, r *engine.Rules, v *engine.View, ship, text string) ([]orders.Diagnostic, engine.Checked) {
	t.Helper()
	blocks, diags := orders.Parse([]byte(fmt.Sprintf("#orders game turn 1 ship %s\n%s\n#end\n", ship, text)), r.Language)
	if len(blocks) != 1 {
		t.Fatalf("%v\n%s", diags, text)
	}
	looked := r.Check(v, engine.ShipID(strings.ToLower(ship)), blocks[0])
	broken := orders.HasErrors(diags)
	for _, d := range looked.Diagnostics {
		if !broken || d.Severity == orders.Error {
			diags = append(diags, d)
		}
	}
	return diags, looked
}

// Each mistake of a newcomer gets one remark, at its place, that says how to correct it.
func TestMistakesOfNewcomers(t *testing.T) {
	basic, advanced := basicRules(t), rulesOf(t, advanced)
	scenario := "format = 1\nname = \"two\"\ntitle = \"Two\"\nrules = %q\nside = [{id = \"a\"}, {id = \"b\"}]\nship = [\n" +
		"  {name = \"Hood\", side = \"a\", class = \"constitution-hood\", hex = \"1133\", heading = \"A\"},\n" +
		"  {name = \"Riskadh\", side = \"b\", class = \"d-10-wolf\", hex = \"1101\", heading = \"D\"},\n]\n"
	for name, test := range map[string]struct {
		rules *engine.Rules
		text  string
		want  []string // LINE:COL CODE, and words of the message or the hint
	}{
		"other words for orders": {basic, "power\n move 44\nphase 1\n chase Riskadh\n attack Riskadh\nphase 2\n pursue Riskadh\nphase 3\n retreat", []string{
			"5:2 E020 did you mean pursue?", "6:2 E020 did you mean fire?", "10:2 E020 did you mean flee?",
		}},
		"slips in other words for orders": {basic, "power\n move 44\n movment 10\n torpedo 1\nphase 1\n atack Riskadh\nphase 2\n bank a at Riskadh\nphase 3\n retraet", []string{
			"4:2 E020 did you mean move or phase 1?", "5:2 E020 did you mean arm torpedo-1?", "7:2 E020 did you mean fire?", "9:2 E020 did you mean fire bank-a at Riskadh?", "11:2 E020 did you mean flee?",
		}},
		"other words for headings": {basic, "energy\n move 8\nmovement\n move F", []string{
			"2:1 E020 did you mean power?", "4:1 E020 did you mean move or phase 1?", "5:2 E021 put it under phase 1 to 3",
		}},
		"other words for movement": {basic, "power\n move 4\nphase 2\n move forward", []string{"5:7 E031 did you mean F?"}},
		"other words for conditions": {basic, "power\n move 32\n arm bank-a 5\nphase 1\n pursue Riskadh if distance < 5\n fire all at Riskadh when distance < 5\n fire all at Riskadh when hit > 50%", []string{
			"6:17 E036 did you mean when?", "7:27 E041 did you mean range?", "8:27 E041 did you mean chance or damaged?",
		}},
		"a condition first": {basic, "power\n move 44\nphase 1\n pursue Riskadh\n if range < 5 fire all at Riskadh", []string{
			"6:2 E020 write: fire bank-b at Zephyr when range <= 10",
		}},
		"no colon":         {basic, "power\n move 44\n shields 2 14", []string{"4:12 E036 with a colon: 2:14"}},
		"all at once":      {basic, "power\n arm all\n arm beams 4\n arm phasers", []string{"3:6 E101 arm bank-a 5, arm bank-b 5, arm bank-c 5, arm torpedo-1", "4:6 E101 arm bank-a 5", "5:6 E101 arm bank-a 5"}},
		"a name in two":    {basic, "power\n move 44\n arm bank a 5\n arm torpedo 1\nphase 1\n pursue Riskadh\n fire bank a at Riskadh", []string{"4:11 E032 did you mean bank-a?", "5:6 E101 write torpedo-1", "8:7 E101 write bank-a"}},
		"no power named":   {basic, "power\n arm bank-a", []string{"3:6 E107 how much power for bank-a?"}},
		"weapons by class": {basic, "power\n shields 2:16 3:16 4:16\n arm bank-a 5\nphase 1\n fire phasers at Riskadh\n fire torpedoes at Riskadh", []string{"6:7 E101 did you mean beams?", "7:7 E101 did you mean missiles?"}},
		"words of the Advanced Course": {basic, "power\n move 44\nphase 1\n fire all at nearest\n fire all at enemy\n move B\n move H when locked\n dodge\n repair sensors", []string{
			"5:14 E102 it is nearest, a word of the rules stcs-advanced", "6:14 E102 that would be nearest, a word of the rules stcs-advanced; this game uses stcs-basic; ships: Riskadh",
			"7:7 E031 it is B, a word of the rules stcs-advanced", "8:14 E041 it is locked, a word of", "9:2 E020 that would be evade, a word of", "10:2 E022 stcs-advanced",
		}},
		"known there": {advanced, "power\n move 44\nphase 1\n pursue enemy\n move back", []string{"5:9 E102 did you mean nearest?", "6:7 E031 did you mean B?"}},

		"nothing to be seen": {advanced, "power\n move 44\nphase 1\n pursue Wolf\n tactical port\n evade left\n ask 3\n move FX", []string{
			"5:9 E102 ships: Riskadh; an enemy you", "6:11 E031 expected left or right (did you mean left?)", "7:8 E031 did you mean port?", "8:2 E020 did you mean question?",
			"9:7 E031 expected a movement word (F, FF, FL, FR, L, R, SL, SR, H, B, EL, ER)",
		}},

		"too much power": {basic, "power\n move 12\n shields 2:16 3:16\n arm bank-a 5\n arm bank-b 5\n arm torpedo-1\nphase 1\n move H\nphase 2\n move H\nphase 3\n move H", []string{
			"6:13 E103 49 power wanted, 48 of it up to this line, the engines give 44",
		}},
		"too much power at once": {basic, "power\n move 50\n arm torpedo-1\nphase 1\n flee Riskadh\nphase 2\n flee Riskadh\nphase 3\n flee Riskadh", []string{
			"3:2 E103 51 power wanted, 50 of it up to this line", "3:2 W121",
		}},
		"phases without orders": {basic, "power\n move 44", []string{"1:1 W111 phase 1 has 4 movement points, orders use 0; phase 2 has 3 movement points, orders use 0; phase 3"}},
		"a wrong power line":    {basic, "power\n move lots\n arm bank-a 5 5\nphase 1\n move F\n fire all at Riskadh\nphase 2\n move F", []string{"3:7 E032 is not a number"}},
		"a wrong weapon line":   {basic, "power\n move 12\n shields 2:16 3:16\n arm bank-a 5 5 5\nphase 1\n move F\n fire bank-a at Riskadh\nphase 2\n move F\nphase 3\n move F", []string{"5:13 E116"}},
		"power under a phase":   {basic, "phase 1\n move 16\n move F", []string{"3:2 E021 put it under power"}},
		"no power to movement": {basic, "power\n shields 2:16 3:16 1:16 4:16 5:16\nphase 1\n move F F\nphase 2\n move F\nphase 3\n move F", []string{
			"5:7 E110 phase 3 has 0 movement points, orders use 1 (leave some out, or write move 20 under power)",
		}},
		"nothing armed": {basic, "power\n move 44\nphase 1\n pursue Riskadh\n fire all at Riskadh\nphase 2\n pursue Riskadh\n fire all at Riskadh\n fire beams at Riskadh\nphase 3\n pursue Riskadh\n fire missiles at Riskadh when range < 5", []string{
			"6:7 W113 fire all does nothing: no weapon is armed", "10:7 W113 no beam weapon is armed", "13:7 W113 no missile weapon is armed",
		}},
		"power unused":       {basic, "power\n move 4\n arm bank-a 5\nphase 2\n move F", []string{"2:1 W122 30 of 44 power unused"}},
		"a little unused":    {basic, "power\n move 12\n shields 2:16 3:16\nphase 1\n move F\nphase 2\n move F\nphase 3\n move F", []string{"2:1 W122 16 of 44"}},
		"a fifth unused":     {basic, "power\n move 12\n shields 2:16 3:16 4:14\nphase 1\n move F\nphase 2\n move F\nphase 3\n move F", nil},
		"nothing understood": {basic, "power\n mvoe 4\nphase 1\n mvoe F\n fire all at Riskadh", []string{"3:2 E020 did you mean move?", "5:2 E020 did you mean move?"}},
	} {
		t.Run(name, func(t *testing.T) {
			g := gameOf(t, test.rules, fmt.Sprintf(scenario, test.rules.Name))
			diags, looked := remarks(t, test.rules, viewOf(t, test.rules, g, nil, "hood"), "Hood", test.text)
			orders.Sort(diags)
			for i, d := range diags {
				said := fmt.Sprintf("%s (%s)", d, d.Hint)
				if i >= len(test.want) {
					t.Errorf("one remark too many: %s", said)
					continue
				}
				parts := strings.SplitN(test.want[i], " ", 3)
				if d.Pos.String() != parts[0] || d.Code != parts[1] || len(parts) == 3 && !strings.Contains(said, parts[2]) {
					t.Errorf("%s, want %s", said, test.want[i])
				}
				for _, w := range []string{"WORD", "SHIP", "POINTS", "NUMBER", "POWER", "WEAPON", "MOUNT", "`"} {
					if strings.Contains(d.Message, w) {
						t.Errorf("%q of the grammar in %q", w, d.Message)
					}
				}
			}
			if len(diags) < len(test.want) {
				t.Errorf("%d remarks, want %d", len(diags), len(test.want))
			}
			if slices.ContainsFunc(diags, func(d orders.Diagnostic) bool { return d.Code == "E103" }) && !strings.Contains(strings.Join(looked.Summary, "\n"), "too many") {
				t.Errorf("the sum does not say that it is too much: %v", looked.Summary)
			}
		})
	}
}

// Whatever word newcomers use for a thing, the answer names words that the
// course has.
func TestWordsOfNewcomersMeanSomething(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"when": true, "all": true, "beams": true, "missiles": true, board.AimNearest: true}
	for _, course := range Courses() {
		r, err := course(lib)
		if err != nil {
			t.Fatal(err)
		}
		take := func(f orders.Form) {
			for w := range strings.FieldsSeq(string(f)) {
				known[strings.Trim(w, "[].")] = true
			}
		}
		for _, s := range r.Language.Sections {
			known[s.Name] = true
			for _, v := range s.Verbs {
				for _, f := range v.Forms {
					take(f)
				}
			}
		}
		for _, s := range r.Language.Subjects {
			take(s.Form)
			for _, c := range s.Choices {
				known[c] = true
			}
		}
		for _, p := range r.Language.Params {
			for _, c := range p.Choices {
				known[c] = true
			}
		}
	}
	for word, meant := range words.Meant() {
		for _, m := range meant {
			if first, _, _ := strings.Cut(m, " "); !known[first] {
				t.Errorf("%q is said to mean %q, which is no word of any course", word, m)
			}
		}
	}
}

// A line that begins with a weapon's name in two words, without a verb, is taken as that weapon's,
// whatever other things newcomers use the words for.
func TestWeaponsInTwoWords(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	weapons := map[string]bool{}
	for _, d := range lib.Designs {
		for _, b := range d.Banks {
			weapons[b.ID] = true
		}
	}
	for _, course := range Courses() {
		r, err := course(lib)
		if err != nil {
			t.Fatal(err)
		}
		for weapon := range weapons {
			line := strings.Replace(weapon, "-", " ", 1) + " at Zephyr"
			if order, _, ok := r.Language.Rescue("phase", line); !ok || order != "fire "+weapon+" at Zephyr" {
				t.Errorf("%s: %q is %q", r.Name, line, order)
			}
		}
		if order, _, ok := r.Language.Rescue("power", "movement 10"); ok {
			t.Errorf("%s: a newcomer's word for another order is %q", r.Name, order)
		}
	}
}

// A template never arms less than it fires, nor leaves much power unused, however
// little the ship used the turn before.
func TestTemplatesOfferNoMistake(t *testing.T) {
	r := basicRules(t)
	g := scenarioGame(t, r, "big-bad-wolf")
	for i := range g.Ships {
		s := ship.Of(g.Ships[i])
		s.Alloc.Available, s.Alloc.Split = s.Power, []int{0, 0, 0} // used nothing
	}
	for _, rounds := range []int{0, coursePhases} {
		v, err := engine.NewViewBuilder(r, g, nil).InRounds(rounds).View(engine.Viewer{Ships: []engine.ShipID{"hood"}, Focus: "hood"})
		if err != nil {
			t.Fatal(err)
		}
		for v.Round = 0; v.Round < max(1, rounds); v.Round++ {
			text := r.Template(v, "hood").String()
			diags, _ := remarks(t, r, v, "Hood", text)
			if slices.ContainsFunc(diags, func(d orders.Diagnostic) bool { return d.Code != "W111" && d.Code != "W131" }) {
				t.Errorf("round %d: %v\n%s", v.DueRound(), diags, text)
			}
			if v.Round > 0 && strings.Contains(text, "fire") {
				t.Errorf("round %d: nothing is armed:\n%s", v.DueRound(), text)
			}
		}
	}
}

// A captain who sends the template back is armed once the enemy is in reach, even if nothing was armed before.
func TestOfferedOrdersArmInReach(t *testing.T) {
	r := basicRules(t)
	g := scenarioGame(t, r, "big-bad-wolf")
	offer := func(events []engine.Event) map[engine.ShipID]string {
		out := map[engine.ShipID]string{}
		for _, s := range g.Ships {
			v, err := engine.BuildView(r, g, events, g.Viewer(s))
			if err != nil {
				t.Fatal(err)
			}
			if out[s.ID] = r.First(v, s.ID).String(); out[s.ID] == "" {
				out[s.ID] = r.Template(v, s.ID).String()
			}
		}
		return out
	}
	first := offer(nil)
	var sheets []engine.Sheet
	for _, s := range g.Ships {
		if strings.Contains(first[s.ID], "\n  arm ") {
			t.Fatalf("%s is armed out of reach:\n%s", s.Name, first[s.ID])
		}
		sheets = append(sheets, engine.Sheet{Ship: s.ID, Block: postSet(t, r, "ship", first[s.ID])})
	}
	g, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	for id, text := range offer(events) {
		if !strings.Contains(text, "\n  arm ") || !strings.Contains(text, "\n  fire all at ") {
			t.Errorf("%s is offered in reach:\n%s", id, text)
		}
	}
}
