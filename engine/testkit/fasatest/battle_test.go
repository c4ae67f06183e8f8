package fasatest_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
	"starpost/engine/testkit/fasatest"
	"starpost/orders"
)

// drawGame makes up and sets up a scenario of a course: ships of any design in any state, anywhere among the course's
// terrain, on two or three sides, with captains of one or several ships.
func drawGame(t *rapid.T, r *engine.Rules, lib *tables.Library) *engine.Game {
	one := func(in int) bool { return rapid.IntRange(1, in).Draw(t, "whether") == 1 }
	num := func(low, high int) int { return rapid.IntRange(low, high).Draw(t, "number") }
	designs := slices.DeleteFunc(lib.DesignNames(), func(name string) bool {
		_, problems := r.Commission(engine.ShipEntry{Class: name}) // some courses have no outposts
		return len(problems) > 0
	})
	if n := slices.IndexFunc(designs, func(name string) bool { return lib.Designs[name].Outpost }); n >= 0 {
		designs = append(designs, "outpost", "aviary-6", "constitution-i", "constitution-i") // few designs have their features
	}
	later := len(r.Terrain) > 0 // the course has terrain, and crews
	_, rated := r.Options[rulebook.OptionCrews]
	crews := rated && !one(4)
	var b strings.Builder
	fmt.Fprintf(&b, "format = 1\nname = \"made-up\"\ntitle = \"Made up\"\nrules = %q\n", r.Name)
	if one(2) {
		fmt.Fprintf(&b, "last_turn = %d\n", num(1, 6))
	}
	bounded := one(2)
	if bounded {
		b.WriteString("[bounds]\ncolumns = 14\nrows = 12\n")
	}
	b.WriteString("[options]\n")
	if banks := r.Options[rulebook.OptionBanks]; len(banks) > 0 {
		fmt.Fprintf(&b, "banks = %q\n", rapid.SampledFrom(banks).Draw(t, "banks"))
	}
	fmt.Fprintf(&b, "declared = %q\n", rapid.SampledFrom(r.Options[rulebook.OptionDeclared]).Draw(t, "declared"))
	if later {
		fmt.Fprintf(&b, "ratings = %q\n", rapid.SampledFrom(r.Options[rulebook.OptionRatings]).Draw(t, "ratings"))
	}
	if rated {
		fmt.Fprintf(&b, "crews = %q\n", map[bool]string{true: rulebook.CrewsOn, false: rulebook.CrewsOff}[crews])
	}
	sides := []string{"red", "green", "blue"}[:num(2, 3)]
	for _, s := range sides {
		fmt.Fprintf(&b, "[[side]]\nid = %q\n", s)
	}
	used := map[string]bool{}
	somewhere := func() string {
		at := ""
		for at == "" || used[at] {
			at = fmt.Sprintf("%02d%02d", num(1, 14), num(1, 12))
		}
		used[at] = true
		return at
	}
	n := num(len(sides), 6)
	var ships strings.Builder
	for i := range n {
		class := rapid.SampledFrom(designs).Draw(t, "class")
		if cloaks := cloakers(lib); later && one(4) {
			class = rapid.SampledFrom(cloaks).Draw(t, "cloaker")
		}
		d := lib.Designs[class]
		fmt.Fprintf(&ships, "[[ship]]\nname = \"S%d\"\nside = %q\nclass = %q\nhex = %q\nheading = %q\ncaptain = \"c%d\"\n",
			i, sides[i%len(sides)], class, somewhere(), rapid.SampledFrom([]string{"A", "B", "C", "D", "E", "F"}).Draw(t, "heading"), num(0, n-1))
		if i >= len(sides) && one(5) {
			fmt.Fprintf(&ships, "arrives = %d\n", num(1, 4))
		}
		switch {
		case !later || one(2):
		case !crews:
			fmt.Fprintf(&ships, "state = { warp = %d }\n", num(0, d.Cruise))
		default:
			fmt.Fprintf(&ships, "state = { skill = %d, efficiency = %d, warp = %d }\n", num(1, 99), num(1, 99), num(0, d.Cruise))
		}
		if one(3) {
			fmt.Fprintf(&ships, "[ship.repair]\npower = %d\nsuperstructure = %d\nshields_down = [%d]\n", num(1, d.Power()), num(1, d.Superstructure), num(1, 6))
			if len(d.Banks) > 0 {
				fmt.Fprintf(&ships, "weapons_lost = [%q]\n", rapid.SampledFrom(d.Banks).Draw(t, "lost").ID)
			}
		}
	}
	if later {
		for _, kind := range []string{"planet", "moon", "asteroid", "asteroid"} {
			if one(2) {
				fmt.Fprintf(&b, "[[terrain]]\nkind = %q\nhexes = [%q]\n", kind, somewhere())
			}
		}
		if one(2) {
			fmt.Fprintf(&b, "[[terrain]]\nkind = \"minefield\"\nside = \"red\"\nat = \"0706\"\nto = 4\nfigure = { mines = %d, dummies = %d, damage = %d }\n", num(0, 20), num(0, 10), num(1, 20))
		}
	}
	b.WriteString(ships.String())
	if one(2) {
		goal := rapid.SampledFrom(slices.DeleteFunc(engine.Goals(), func(g string) bool { return g == engine.GoalFile })).Draw(t, "when") // these ships have no laboratories
		if goal != engine.GoalExit || bounded {
			fmt.Fprintf(&b, "[[victory]]\nside = \"red\"\nwhen = %q\n", goal)
			switch goal {
			case engine.GoalExit:
				b.WriteString("edge = \"north\"\ncount = 1\n")
			case engine.GoalSurvive:
				b.WriteString("turn = 3\n")
			case engine.GoalPoints:
				b.WriteString("points = 3\n")
			}
		}
	}
	sc, diags := scenario.Parse([]byte(b.String()))
	if sc == nil {
		t.Fatalf("%v\n%s", diags, b.String())
	}
	g, diags := sc.NewGame(r, "game", nil)
	if g == nil {
		t.Fatalf("%v\n%s", diags, b.String())
	}
	return g
}

// cloakers returns the designs with a cloaking device.
func cloakers(lib *tables.Library) []string {
	return slices.DeleteFunc(lib.DesignNames(), func(name string) bool { return lib.Designs[name].Cloak == 0 || lib.Designs[name].Outpost })
}

// drawSheet makes up a captain's orders, mostly valid ones.
func drawSheet(t *rapid.T, r *engine.Rules, g *engine.Game, events []engine.Event, id engine.ShipID) engine.Sheet {
	v := viewOf(t, r, g, events, id)
	switch rapid.IntRange(0, 9).Draw(t, "captain of "+string(id)) {
	case 0:
		return engine.Sheet{Ship: id, Policy: rapid.SampledFrom([]string{engine.PolicyStanding, engine.PolicyStanding, engine.PolicyForfeit}).Draw(t, "policy")}
	case 1, 2:
		text := r.Robot(v, id).String()
		blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders %s turn %d ship %s\n%s\n#end\n", v.Game, v.Due, v.Name(id), text)), r.Language)
		if len(blocks) != 1 {
			t.Fatalf("%d blocks in:\n%s", len(blocks), text)
		}
		return engine.Sheet{Ship: id, Block: &blocks[0]}
	}
	s, _ := v.Ship(id)
	sys, ok := s.System.(*ship.State)
	if !ok {
		t.Fatalf("%s has no system of its own", id)
	}
	pen := &scribe{t: t, lang: r.Language, v: v, sys: sys, ships: []string{"S0", "S1", "S2", "S3", "S4", "S5"}}
	if pen.one(5) { // the engine carries out what it can of a set with mistakes
		blocks, _ := orders.Parse([]byte(pen.source(id, pen.drawText())), r.Language)
		if len(blocks) != 1 {
			t.Fatalf("%d blocks", len(blocks))
		}
		return engine.Sheet{Ship: id, Block: &blocks[0]}
	}
	b := pen.drawValid(r, id)
	return engine.Sheet{Ship: id, Block: &b}
}

func viewOf(t *rapid.T, r *engine.Rules, g *engine.Game, events []engine.Event, id engine.ShipID) *engine.View {
	who := engine.Viewer{Ships: []engine.ShipID{id}, Focus: id}
	for _, c := range g.Captains() {
		if slices.Contains(c.Ships, id) {
			who.Captain, who.Ships = c.Name, c.Ships
		}
	}
	v, err := engine.BuildView(r, g, events, who)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func sheetTexts(sheets []engine.Sheet) string {
	var b strings.Builder
	for _, s := range sheets {
		if s.Block == nil {
			fmt.Fprintf(&b, "%s: %s\n", s.Ship, s.Policy)
			continue
		}
		b.WriteString(orders.Format(*s.Block))
	}
	return b.String()
}

// unknownGone returns a game without the terrain that a captain does not know, to check that mines stay secret.
func unknownGone(g *engine.Game, c engine.Captain) *engine.Game {
	var sides []string
	for _, id := range c.Ships {
		s, _ := g.Ship(id)
		sides = append(sides, s.Side)
	}
	other := g.Clone()
	other.Terrain = slices.DeleteFunc(other.Terrain, func(f engine.Feature) bool {
		return !f.KnownTo(engine.Viewer{Captain: c.Name, Ships: c.Ships}, sides)
	})
	for _, s := range other.Ships {
		if !slices.Contains(c.Ships, s.ID) {
			fasatest.Blur(s)
		}
	}
	return other
}
