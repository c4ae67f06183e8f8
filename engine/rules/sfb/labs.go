package sfb

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// labVerbs are the orders for laboratories, where a book has them.
func (b *Book) labVerbs() []orders.Verb {
	if b.Research.Range == 0 {
		return nil
	}
	return dark.LabVerbs()
}

// labRules are what a book says of laboratories; nil for one that has none.
func (l *rulebook) labRules() *dark.LabRules {
	if l.Research.Range == 0 {
		return nil
	}
	return &dark.LabRules{
		Dark:  l.Research.Dark,
		Boxes: func(s *engine.Ship) int { return state.Of(s).FreeLabs() },
		Last: func(s *engine.Ship) string {
			if sys := state.Of(s); sys.Standing.Missing == missingRepeat {
				return sys.Last
			}
			return ""
		},
		Sheet: func(s *engine.Ship) engine.Panel {
			return l.sheetOf(&state.Of(s).Sheet)
		},
		Nature: func(s *engine.Ship, n int) string { return l.nature(&state.Of(s).Sheet, n) },
		Load: func(s *engine.Ship, probes *int) {
			if probes != nil {
				state.Of(s).Sheet.Fit(sheet.Probe, *probes)
			}
		},
	}
}

// nature tells of the n-th kind of weapon on a sheet what can be learnt of it from afar; blank
// for none.
func (l *rulebook) nature(s *sheet.Sheet, n int) string {
	var kinds []sheet.Kind
	for i := range s.Banks {
		if k := s.Banks[i].Kind; k.Category() == sheet.WeaponBoxes && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	if n > len(kinds) {
		return ""
	}
	k := kinds[n-1]
	chart, reach, most := l.Charts[k], 0, 0
	for i := range s.Banks {
		if b := &s.Banks[i]; b.Kind == k {
			reach = max(reach, chart.reach(b))
		}
	}
	for _, r := range chart.Rows {
		for die := 1; die <= 6; die++ {
			most = max(most, r.points(die, 0))
		}
	}
	parts := []string{k.Title()}
	if k.Rack() {
		most = l.Drone.Damage
		parts = append(parts, fmt.Sprintf("flies %d impulses", l.Drone.Life))
	} else if reach > 0 {
		parts = append(parts, fmt.Sprintf("reaches %s", phrase.Hexes(reach)))
	}
	if most > 0 {
		parts = append(parts, fmt.Sprintf("does up to %s", phrase.Points(most)))
	}
	if chart.Turns > 1 {
		parts = append(parts, fmt.Sprintf("takes %d turns to arm", chart.Turns))
	}
	return strings.Join(parts, ", ")
}

// labs reads an order for laboratories or files. It is carried out as the turn ends.
func (c *compiler) labs(st orders.Statement) {
	if !c.inTheDark(st) {
		return
	}
	file, _ := st.Arg("FILE")
	of, coded := st.Arg("SIDE")
	switch {
	case (coded || st.Verb == dark.VerbNew) && !c.dark:
		c.fail(st.Pos, "E260", "leave it out", "codes are for games in the dark: in this one no other side hears what is said to one's own")
		return
	case st.Verb == dark.VerbNew:
		if c.code != nil && c.code.Book == c.code.Books {
			c.fail(st.Pos, "E261", "leave it out", "your side has no code book left: it speaks by the last of %d", c.code.Books)
			return
		}
		c.effect(st.Pos.Line, "your side talks by its next code book from the next turn on")
		return
	case coded && c.codeOf(of):
		return
	}
	ship, named := st.Arg("SHIP")
	var k known
	if named {
		found := false
		if k, found = c.ship(ship, c.dark && st.Verb == wordStudy); !found { // a probe tells whose it is
			return
		}
		if mine := k.side == c.side; mine != (st.Verb == wordSend) || k.id == nearestEnemy {
			hint, wrong := "name a ship of your side", "a file is sent to ships of one's own side"
			if st.Verb != wordSend {
				hint, wrong = "name an enemy, or a contact", "laboratories study what is not of one's own side"
			}
			c.fail(ship.Pos, "E256", hint, "%s", wrong)
			return
		}
	}
	if st.Verb == wordSend {
		if !slices.ContainsFunc(c.files, func(f string) bool { return strings.EqualFold(f, file.Text) }) {
			hint := "leave it out: there is no file aboard"
			if len(c.files) > 0 {
				hint = orders.DidYouMean("%s", file.Text, c.files, "aboard: "+strings.Join(c.files, ", "))
			}
			c.fail(file.Pos, "E257", hint, "no file %q is aboard", file.Text)
			return
		}
		c.effect(st.Pos.Line, "as the turn ends; %s must receive it, and enemies may steal it", k.name)
		return
	}
	n, _ := st.Arg("COUNT")
	word := file.Text + ship.Text + of.Text
	what := strings.ToLower(word)
	if coded {
		what = st.Verb + " " + what
	}
	switch {
	case slices.Contains(c.work, what):
		c.fail(st.Pos, "E126", "name it once, with all boxes", "laboratories work on %s by another line", word)
		return
	case n.Num < 1 || n.Num > c.free:
		c.fail(n.Pos, "E258", "light fewer under power, or take fewer: a box does one job a turn", "%s asked for, and %s free", phrase.Counted(n.Num, "laboratory is", "laboratories are"), phrase.Counted(c.free, "is", "are"))
		return
	}
	c.free -= n.Num
	c.work = append(c.work, what)
	c.effect(st.Pos.Line, "%s: as the turn ends, %d less a die and the closest range for each", phrase.Counted(n.Num, "box", "boxes"), c.book.Research.Lab)
}

// codeOf looks at whose code an order wants broken, and tells whether that cannot be. A name that the
// captain does not know may be heard in the turn, and is no mistake.
func (c *compiler) codeOf(of orders.Arg) (bad bool) {
	own := strings.EqualFold(of.Text, c.side)
	known := strings.EqualFold(of.Text, dark.AnyCode) || slices.ContainsFunc(c.files, func(f string) bool { return strings.HasPrefix(f, strings.ToLower(of.Text)+"-code-") })
	for _, k := range c.names {
		if strings.EqualFold(of.Text, k.name) || strings.EqualFold(of.Text, k.short) {
			own, known = own || k.side == c.side, true
		}
	}
	for _, sd := range c.sides {
		if strings.EqualFold(of.Text, sd.ID) || strings.EqualFold(of.Text, sd.Name) {
			own, known = own || sd.ID == c.side, true
		}
	}
	switch {
	case own:
		c.fail(of.Pos, "E256", "name another side, a contact that speaks in code, or any", "laboratories break the codes of others")
	case !known:
		c.warn(of.Pos, "W239", "decode any works on the nearest code that is heard", "you know neither a side nor a contact %q; if none by that name speaks near by, the boxes do nothing", of.Text)
	}
	return own
}

// lightUp lights laboratories of a robot that has found nothing to fight in the dark, with energy that a set's power leaves, but for some to spare;
// those that work stay dark.
func (l *rulebook) lightUp(v *engine.View, foe *engine.ShipView, sys *state.System, work int, power string, spare int) string {
	if !v.Dark || foe != nil || l.Research.Range == 0 {
		return ""
	}
	n := min(sys.Sheet.Count(sheet.Lab).Left-work, l.spare(sys, power)-spare)
	if n < 1 {
		return ""
	}
	return fmt.Sprintf("  %s %d\n", verbLabs, n)
}

// far tells whether a ship that must be kept near is out of the reach of laboratories.
func far(s, follow *engine.ShipView) bool {
	return follow != nil && hex.Distance(*s.Hex, *follow.Hex) > houseTorpedo
}
