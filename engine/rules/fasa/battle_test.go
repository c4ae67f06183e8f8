package fasa

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// coursePhases is the number of phases in a turn of the courses.
const coursePhases = 3

// A random battle: ships of any design in any state, anywhere, on two or three sides, with
// captains who send a robot's orders, repeat, write random orders or send nothing.

// drawGame draws a scenario and sets it up.
func drawGame(t *rapid.T, r *engine.Rules, lib *tables.Library) *engine.Game {
	designs := slices.DeleteFunc(lib.DesignNames(), func(name string) bool { return lib.Designs[name].Outpost })
	var b strings.Builder
	fmt.Fprintf(&b, "format = 1\nname = \"made-up\"\ntitle = \"Made up\"\nrules = %q\n", r.Name)
	if rapid.Bool().Draw(t, "last") {
		fmt.Fprintf(&b, "last_turn = %d\n", rapid.IntRange(1, 6).Draw(t, "last turn"))
	}
	bounded := rapid.Bool().Draw(t, "bounded")
	if bounded {
		b.WriteString("[bounds]\ncolumns = 14\nrows = 12\n")
	}
	b.WriteString("[options]\n")
	if banks := r.Options[rulebook.OptionBanks]; len(banks) > 0 {
		fmt.Fprintf(&b, "banks = %q\n", rapid.SampledFrom(banks).Draw(t, "banks"))
	}
	sides := []string{"red", "green", "blue"}[:rapid.IntRange(2, 3).Draw(t, "sides")]
	for _, s := range sides {
		fmt.Fprintf(&b, "[[side]]\nid = %q\n", s)
	}
	n := rapid.IntRange(len(sides), 6).Draw(t, "ships")
	used := map[string]bool{}
	for i := range n {
		var at string
		for at == "" || used[at] {
			at = fmt.Sprintf("%02d%02d", rapid.IntRange(1, 14).Draw(t, "col"), rapid.IntRange(1, 12).Draw(t, "row"))
		}
		used[at] = true
		class := rapid.SampledFrom(designs).Draw(t, "class")
		fmt.Fprintf(&b, "[[ship]]\nname = \"S%d\"\nside = %q\nclass = %q\nhex = %q\nheading = %q\ncaptain = \"c%d\"\n",
			i, sides[i%len(sides)], class, at, rapid.SampledFrom([]string{"A", "B", "C", "D", "E", "F"}).Draw(t, "heading"),
			rapid.IntRange(0, n-1).Draw(t, "captain"))
		if i >= len(sides) && rapid.IntRange(0, 3).Draw(t, "late") == 0 {
			fmt.Fprintf(&b, "arrives = %d\n", rapid.IntRange(1, 4).Draw(t, "arrives"))
		}
		if rapid.IntRange(0, 3).Draw(t, "worn") == 0 {
			d := lib.Designs[class]
			fmt.Fprintf(&b, "[ship.repair]\npower = %d\nsuperstructure = %d\nshields_down = [%d]\n",
				rapid.IntRange(1, d.Power()).Draw(t, "power"), rapid.IntRange(1, d.Superstructure).Draw(t, "superstructure"),
				rapid.IntRange(1, 6).Draw(t, "down"))
			if len(d.Banks) > 0 {
				fmt.Fprintf(&b, "weapons_lost = [%q]\n", rapid.SampledFrom(d.Banks).Draw(t, "lost").ID)
			}
		}
	}
	if rapid.Bool().Draw(t, "goal") {
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
	return gameOf(t, r, b.String())
}

// drawSheet draws what comes from a ship's captain. The block may have errors: the engine must
// carry out what it can of it.
func drawSheet(t *rapid.T, r *engine.Rules, v *engine.View, id engine.ShipID) engine.Sheet {
	var text string
	switch rapid.IntRange(0, 9).Draw(t, "captain of "+string(id)) {
	case 0:
		policy := rapid.SampledFrom([]string{engine.PolicyStanding, engine.PolicyStanding, engine.PolicyStanding, engine.PolicyForfeit}).Draw(t, "policy")
		return engine.Sheet{Ship: id, Policy: policy}
	case 1, 2, 3:
		text = r.Robot(v, id).String()
	case 4:
		text = r.Template(v, id).String()
	default:
		text = drawOrders(t, v, id)
	}
	s, _ := v.Ship(id)
	blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders %s turn %d ship %s\n%s\n#end\n", v.Game, v.Due, s.Name, text)), r.Language)
	if len(blocks) != 1 {
		t.Fatalf("%d blocks in:\n%s", len(blocks), text)
	}
	return engine.Sheet{Ship: id, Block: &blocks[0]}
}

// rambler writes random orders that are readable but may be silly.
type rambler struct {
	t   *rapid.T
	sys *ship.State
	v   *engine.View
	b   strings.Builder
}

func drawOrders(t *rapid.T, v *engine.View, id engine.ShipID) string {
	_, sys, _ := ship.Own(v, id)
	r := &rambler{t: t, sys: sys, v: v}
	if r.one(3) {
		r.line(0, "luck %s", rapid.StringMatching(`[a-z]{1,8} [a-z]{1,8}`).Draw(t, "luck"))
	}
	if r.one(12) {
		r.line(0, "warp %s", rapid.SampledFrom([]string{"+1", "-1"}).Draw(t, "warp"))
	}
	if r.one(4) {
		r.line(0, "message %s\n#text\n%s\n#endtext", rapid.SampledFrom([]string{"all", "side", "red", "S0", "nobody"}).Draw(t, "to"), "hello")
	}
	r.power()
	for n := 1; n <= coursePhases; n++ {
		if r.one(8) {
			continue
		}
		r.line(0, "phase %d", n)
		for range rapid.IntRange(0, 4).Draw(t, "moves") {
			r.move()
		}
		for range rapid.IntRange(0, 3).Draw(t, "fires") {
			r.fire()
		}
	}
	if r.one(2) {
		r.standing()
	}
	return r.b.String()
}

func (r *rambler) one(in int) bool { return rapid.IntRange(1, in).Draw(r.t, "whether") == 1 }

func (r *rambler) num(top int) int { return rapid.IntRange(0, top).Draw(r.t, "number") }

func (r *rambler) line(indent int, format string, args ...any) {
	r.b.WriteString(strings.Repeat("  ", indent) + fmt.Sprintf(format, args...) + "\n")
}

func (r *rambler) ship() string {
	return rapid.SampledFrom([]string{"S0", "S1", "S2", "S3", "S4", "S5", "s1", "Nobody"}).Draw(r.t, "ship")
}

func (r *rambler) weapon() string {
	names := []string{"all", "beams", "missiles", "bank-z"}
	for i := range r.sys.Banks {
		names = append(names, r.sys.Banks[i].ID, r.sys.Banks[i].ID)
		for m := range r.sys.Banks[i].Mounts {
			names = append(names, ship.MountName(&r.sys.Banks[i], m))
		}
	}
	return rapid.SampledFrom(names).Draw(r.t, "weapon")
}

func (r *rambler) power() {
	r.line(0, "power")
	switch r.num(3) {
	case 0:
		r.line(1, "move %d", r.num(r.sys.Power+5))
	case 1:
		r.line(1, "move %d points", r.num(12))
	case 2:
		r.line(1, "move %d points", r.num(4))
	}
	if r.one(6) {
		r.line(1, "move 5") // a second time
	}
	for range r.num(2) {
		var parts []string
		for range 1 + r.num(3) {
			parts = append(parts, fmt.Sprintf("%d:%d", r.num(7), r.num(r.sys.Design.MaxShield+1)))
		}
		r.line(1, "shields %s", strings.Join(parts, " "))
	}
	for range r.num(4) {
		w := r.weapon()
		for range r.num(3) {
			w += fmt.Sprintf(" %d", r.num(6))
		}
		r.line(1, "arm %s", w)
	}
}

func (r *rambler) when() string {
	if r.one(2) {
		return ""
	}
	return " when " + r.cond(0)
}

func (r *rambler) cond(depth int) string {
	if depth < 2 && r.one(3) {
		joint := rapid.SampledFrom([]string{"and", "or"}).Draw(r.t, "joint")
		return fmt.Sprintf("(%s %s %s)", r.cond(depth+1), joint, r.cond(depth+1))
	}
	if depth < 3 && r.one(4) {
		return "not " + r.cond(depth+1)
	}
	cmp := rapid.SampledFrom([]string{"<", "<=", "=", ">=", ">"}).Draw(r.t, "compare")
	switch r.num(8) {
	case 0:
		return fmt.Sprintf("range %s %d", cmp, r.num(20))
	case 1:
		return fmt.Sprintf("chance %s %d%%", cmp, r.num(100))
	case 2:
		return "arc = " + rapid.SampledFrom([]string{"forward", "port", "starboard", "aft"}).Draw(r.t, "arc")
	case 3:
		return fmt.Sprintf("shield %d %s %d", r.num(7), cmp, r.num(10))
	case 4:
		return fmt.Sprintf("shield %d of %s %s %d", 1+r.num(5), r.ship(), cmp, r.num(10))
	case 5:
		return "damaged"
	case 6:
		return "targeted"
	case 7:
		return "missile"
	}
	return "moved"
}

func (r *rambler) move() {
	switch r.num(9) {
	case 0:
		r.line(1, "pursue %s to %d showing %d%s", r.ship(), r.num(8), r.num(7), r.when())
	case 1:
		r.line(1, "flee %s%s", r.ship(), r.when())
	case 2:
		r.line(1, "face %s with %d%s", r.ship(), 1+r.num(5), r.when())
	case 3:
		r.line(1, "circle %s at %d%s", r.ship(), r.num(6), r.when())
	case 4:
		r.line(1, "course %02d%02d%s", 1+r.num(15), 1+r.num(15), r.when())
	default:
		var words []string
		for range 1 + r.num(4) {
			words = append(words, rapid.SampledFrom(verbs.MovementWords()).Draw(r.t, "word"))
		}
		r.line(1, "move %s%s", strings.Join(words, " "), r.when())
	}
}

func (r *rambler) fire() {
	ws := []string{r.weapon()}
	for range r.num(2) {
		ws = append(ws, r.weapon())
	}
	r.line(1, "fire %s at %s%s", strings.Join(ws, " "), r.ship(), r.when())
}

func (r *rambler) standing() {
	r.line(0, "standing")
	if r.one(2) {
		r.line(1, "choose shield %s", rapid.SampledFrom([]string{"strongest", "weakest", "1", "2", "3", "4", "5", "6"}).Draw(r.t, "choose"))
	}
	if r.one(2) {
		r.line(1, "lose %s %s %s", rapid.SampledFrom([]string{"beams", "missiles"}).Draw(r.t, "kind"), r.weapon(), r.weapon())
	}
	if r.one(2) {
		r.line(1, "shed %s", strings.Join(rapid.SliceOfN(rapid.SampledFrom(ship.Shedable()), 1, 3).Draw(r.t, "shed"), " "))
	}
	if r.one(2) {
		r.line(1, "missing %s", rapid.SampledFrom([]string{"course", "hold", "repeat"}).Draw(r.t, "missing"))
	}
}

// blur changes everything about a ship that captains of other ships may not know.
func blur(s *engine.Ship) {
	sys := ship.Of(s)
	s.Captain += "?"
	s.Value += 7
	if s.Status == engine.Waiting {
		s.Hex, s.Heading, s.Arrives = s.Hex.Step(hex.B), s.Heading.Turn(1), s.Arrives+1
		return
	}
	sys.Power = max(1, sys.Power-3)
	sys.Superstructure = 1 + sys.Superstructure/2
	sys.NoFire, sys.Hurt = 99, !sys.Hurt
	for i := range sys.Shields {
		sys.Shields[i] = ship.Shield{Set: i, Now: i, Down: i%2 == 0}
	}
	for i := range sys.Banks {
		for m := range sys.Banks[i].Mounts {
			sys.Banks[i].Mounts[m] = ship.Mount{Armed: i + m, Fired: m%2 == 0, Destroyed: m%2 == 1}
		}
	}
	points, split := sys.Alloc.Points, slices.Clone(sys.Alloc.Split)
	sys.Alloc = ship.Alloc{Available: 3, Movement: 1, Shields: 1, Weapons: 1, Points: points, Split: split}
	sys.Standing = ship.Standing{Choose: "6", Shed: []string{"shields"}, Missing: "repeat", Last: "power\n  move 1"}
}
