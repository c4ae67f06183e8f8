package manual

import (
	"cmp"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/orders"
)

// phases returns the phases of a turn with a filing; nil for an empty one.
func phases(filed []byte) []engine.Phase {
	return []engine.Phase{
		{Name: "orders", Step: "orders", Run: ordered},
		{Name: "the referee's filing", Step: "filing", Run: func(t *engine.Turn) {
			steps, ds := plan(before(t), filed)
			for _, s := range steps {
				s(t)
			}
			// Errors arise only if a later ruling changed the beginning of the turn.
			for _, d := range ds {
				if d.Severity == orders.Error {
					t.Emit(&engine.Skip{Line: d.Pos.Line, Order: "the referee's filing", Reason: d.Message}, engine.SeeOnly(), cite)
				}
			}
		}},
		{Name: "end", Step: "end", Run: end},
	}
}

// before returns the game as a filing is planned on: before the turn is counted.
func before(t *engine.Turn) *engine.Game {
	g := t.Game.Clone()
	g.Turn = t.Number() - 1
	return g
}

// ordered shows each captain the captain's own orders.
func ordered(t *engine.Turn) {
	for _, s := range t.Game.Ships {
		sheet, ok := t.Sheets[engine.Seat{Ship: s.ID}]
		if !ok || s.Status != engine.Active {
			continue
		}
		if lines := linesOf(t.Game, sheet.Block); len(lines) > 0 {
			t.Because(t.OrderedIn(s.ID, "", "do")).Emit(&Ordered{Ship: s.ID, Lines: lines}, engine.SeeOnly(s.ID), citeTable)
		}
	}
}

// linesOf returns the orders in a block that are in the captain's own words.
func linesOf(g *engine.Game, b *orders.Block) (out []string) {
	if b == nil {
		return nil
	}
	set, _ := b.Group("", 0)
	for _, st := range set.Statements {
		switch a, free := st.Arg("LINE"); {
		case free:
			out = append(out, a.Text)
		case g.Blind == nil && instrumental(st):
			out = append(out, orders.FormatStatement(st))
		}
	}
	return out
}

// end ends a turn by the scenario, unless the referee has ended the game or only the referee may.
func end(t *engine.Turn) {
	if t.Game.Result != nil {
		return
	}
	if t.Game.Blind != nil {
		dark.In(t).WorkLabs(func(engine.ShipID, int) bool { return false }) // it reports by itself what is impossible
	}
	if t.Game.Options[optionVictory] == victoryReferee {
		for _, s := range t.Game.Ships {
			if s.Status == engine.Waiting && s.Arrives == t.Number()+1 {
				t.Emit(&engine.Arrive{Ship: s.ID, To: engine.Place{Hex: s.Hex, Heading: s.Heading}}, witness(t.Game, s), "scenario")
			}
		}
		return
	}
	engine.EndPhase(citeTable).Run(t)
}

func dieOf(name string) dice.Die {
	d, err := dice.ParseDie(name)
	if err != nil {
		panic("manual: a die that the language lists: " + err.Error())
	}
	return d
}

// blank returns a filing to be filled in, with the orders as remarks.
func blank(g *engine.Game, sheets []engine.Sheet) string {
	var b strings.Builder
	b.WriteString("; Turn " + itoa(g.Turn+1) + " of " + g.Title + ". What the captains ordered:\n;\n")
	for _, sh := range sheets {
		s, ok := g.Ship(sh.Ship)
		if !ok {
			continue
		}
		b.WriteString("; " + s.Name + " (" + s.Class + "), at " + s.Hex.Label() + " heading " + s.Heading.String() + tracksText(of(s).Tracks) + "\n")
		lines := linesOf(g, sh.Block)
		if len(lines) == 0 {
			b.WriteString(";     no orders\n")
		}
		for _, l := range lines {
			b.WriteString(";     " + l + "\n")
		}
		for _, st := range engine.TalkStatements(sh.Block) {
			b.WriteString(";     (a message to " + cmp.Or(argText(st, "TO"), "all") + " goes out with the reports)\n")
		}
		if g.Blind != nil && sh.Block != nil {
			set, _ := sh.Block.Group("", 0)
			for _, st := range set.Statements {
				if instrumental(st) {
					b.WriteString(";     (" + orders.FormatStatement(st) + ": the program plays it)\n")
				}
			}
		}
		b.WriteString(contactRemarks(g, s))
	}
	b.WriteString(`;
; Write the outcome below. A text goes to those named in the line above it.
; Rulings move the ships and change their sheets; a dry run shows the dice.

` + markAll + `

` + markRulings + `
`)
	for _, s := range g.Ships {
		if s.Status == engine.Active && !s.Small() {
			b.WriteString("; move " + s.Name + " " + s.Hex.Label() + " " + s.Heading.String() + "\n")
		}
	}
	for _, s := range g.Ships {
		if s.Status != engine.Waiting && !s.Small() {
			b.WriteString("\n" + markShip + " " + s.Name + "\n")
		}
	}
	b.WriteString(markEnd + "\n")
	return b.String()
}

// tracksText returns a ship's sheet in a line.
func tracksText(ts []Track) string {
	var b strings.Builder
	for i, t := range ts {
		name, n := numbered(t.Name)
		switch {
		case n > 1 && i > 0 && ts[i-1].Name == name+"."+itoa(n-1):
			b.WriteString(" " + itoa(t.Now))
		case n > 0:
			b.WriteString("; " + name + " " + itoa(t.Now))
		default:
			b.WriteString("; " + name + " " + itoa(t.Now))
		}
		if t.Now != t.Of {
			b.WriteString("/" + itoa(t.Of))
		}
	}
	return b.String()
}
