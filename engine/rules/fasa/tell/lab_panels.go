package tell

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
)

// labsShare returns the power of laboratories as an item in a list; "" for 0.
func labsShare(power int) string {
	if power == 0 {
		return ""
	}
	return fmt.Sprintf("%d to laboratories, ", power)
}

// LabPanels returns the panel of an own ship's laboratories, and what they have gathered.
func LabPanels(_ *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	if !sys.Has(ship.NameLabs) {
		return nil
	}
	notes := []string{fmt.Sprintf("%s, range 10 hexes: study, decode, receive, steal; or lit under power", verbs.Laboratories(sys.Labs().Boxes))}
	if n := sys.Labs().Probes; n > 0 {
		notes = append(notes, fmt.Sprintf("%d loaded: launch one in a phase with probe to HEX; it detects what is within 10 hexes of it", n))
	}
	return []engine.Panel{{Key: "labs-" + string(s.ID), Posts: []string{ship.PostScience}, Title: s.Name + ": laboratories", Notes: append(notes, dark.LabWords(s, v)...)}}
}

// Sheet returns a ship as laboratories draw her from afar (house 12.22): her systems and their
// state, without her orders and the use of her power.
func Sheet(l *rulebook.Rules, s *engine.Ship) engine.Panel {
	sys := ship.Of(s)
	p := engine.Panel{
		Columns: []engine.Column{{Name: "system"}, {Name: "what"}, {Name: "state"}},
		Notes: []string{
			fmt.Sprintf("%s: power %d of %d, superstructure %s of %d", sys.Design.Title, sys.Power, sys.Design.Power, verbs.StructureWords(sys), sys.Design.Superstructure),
			fmt.Sprintf("movement %s, shields %s with at most %d points each", sys.Design.Move, sys.Design.Shield, sys.Design.MaxShield),
		},
	}
	banks := sys.Banks
	if sys.Has(ship.NameDecoy) {
		p.Notes, banks = append(p.Notes, "a decoy: she has no weapons"), nil
	}
	for i, sh := range sys.Shields {
		p.Rows = append(p.Rows, []string{"shield " + strconv.Itoa(i+1), sideWord(l.Ring.Side(i + 1)), workState(sh.Down)})
	}
	for i := range banks {
		b := &banks[i]
		var states []string
		for _, m := range b.Mounts {
			states = append(states, workState(m.Destroyed))
		}
		p.Rows = append(p.Rows, []string{b.ID, armament(b), strings.Join(states, ", ")})
	}
	if sys.Has("repair") {
		for f := range sys.Faults {
			if tr := sys.Track(f.Name); (tr.Boxes > 0 || sys.Down(f)) && !strings.HasPrefix(f.Name, "shield") {
				p.Rows = append(p.Rows, []string{f.Name, "", workState(sys.Down(f))})
			}
		}
	}
	return p
}

func workState(down bool) string {
	if down {
		return "DAMAGED"
	}
	return "works"
}

func armament(b *ship.Bank) string {
	return fmt.Sprintf("%d x %s %s, %s", len(b.Mounts), b.Type, b.Family, strings.Join(rulebook.ArcWords(b), "/"))
}

// Nature returns what can be learnt from afar of the n-th bank of a ship's weapons; "" if there is none.
func Nature(l *rulebook.Rules, s *engine.Ship, n int) string {
	sys := ship.Of(s)
	if n > len(sys.Banks) || sys.Has(ship.NameDecoy) {
		return ""
	}
	b := &sys.Banks[n-1]
	return fmt.Sprintf("%s: %s; %s; power %s, damage %s", b.ID, armament(b), weaponNote(l, b), powerWord(l, b), damageWord(b))
}
