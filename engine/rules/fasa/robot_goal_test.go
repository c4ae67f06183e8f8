package fasa

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
)

// TestUnarmedShipsStayForTheirGoals: a ship that cannot fight leaves by warp, but not if a goal of its side needs it to
// leave by an edge, or to survive, even when it has no power left to get there.
func TestUnarmedShipsStayForTheirGoals(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	const game = "format = 1\nname = \"g\"\ntitle = \"G\"\nrules = %q\nbounds = {columns = 40, rows = 40}\nside = [{id = \"a\"}, {id = \"b\"}]\n" +
		"ship = [{name = \"Tramp\", side = \"a\", class = \"merchantman\", hex = \"2020\", heading = \"A\", repair = {%s}},\n" +
		"{name = \"Fang\", side = \"b\", class = \"larson-vi\", hex = \"2010\", heading = \"D\"}]\nvictory = [%s]\n"
	const leave, stay = `{side = "a", when = "exit", edge = "south", ships = ["Tramp"]}`, `{side = "a", when = "survive", turn = 9}`
	for name, course := range Courses() {
		r, err := course(lib)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			goals, repair string
			leaves        bool
		}{
			{`{side = "a", when = "points", points = 9}`, "", true},
			{leave, "", false},
			{stay, "", false},
			{leave, "power = 1", false},
		} {
			sc, diags := scenario.Parse(fmt.Appendf(nil, game, name, c.repair, c.goals))
			if sc == nil {
				t.Fatal(diags)
			}
			g, diags := sc.NewGame(r, "g", nil)
			if g == nil {
				t.Fatal(name, diags)
			}
			if text := r.Robot(viewOf(t, r, g, nil, "tramp"), "tramp").String(); strings.Contains(text, "warp ") != c.leaves {
				t.Errorf("%s, %s: leaves by warp: %v\n%s", name, c.goals, !c.leaves, text)
			}
		}
	}
}
