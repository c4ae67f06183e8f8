package tell

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
)

// CloakEvents returns the events of cloaks.
func CloakEvents() []Event {
	return []Event{
		family.Own("cloak", Told[ship.Cloaking]{Tell: (*Narrator).cloaking, Posts: rulebook.Posts()}),
		family.Own("announced", Told[ship.Announced]{Tell: (*Narrator).announced, Why: whyAnnounced, Posts: rulebook.Posts()}),
		family.Own("scan", Told[ship.Scan]{Tell: (*Narrator).scan, Hers: true, Posts: []string{ship.PostScience}}),
		family.Own("detected", Told[ship.Exposed]{Tell: (*Narrator).exposed, Hers: true, Posts: rulebook.Posts()}),
		family.Own("tip", Told[ship.Tipped]{Tell: (*Narrator).tip, Posts: rulebook.Posts()}),
	}
}

func whyAnnounced(_ *rulebook.Rules, _ *engine.Story, _ int, b *ship.Announced) []string {
	if b.Name != "" {
		return []string{"the scenario requires the announcement"}
	}
	return nil
}

func (n *Narrator) scan(b *ship.Scan, cite string) {
	n.Line(0, cite, fmt.Sprintf("%s scans for cloaked ships through the arc of shield %d: rolled %d", n.View.Name(b.Ship), b.Shield, b.Roll))
	if len(b.Found) == 0 {
		n.Line(1, "", "the scan finds nothing")
	}
}

func (n *Narrator) cloaking(b *ship.Cloaking, cite string) {
	name, at := n.View.Name(b.Ship), verbs.PlaceWords(b.At)
	switch {
	case b.On && b.Why != "":
		n.Line(0, cite, name, " cloaks at ", at, " (", b.Why, "): hidden from now on; no fire, no shields")
	case b.On:
		n.Line(0, cite, name, " cloaks and vanishes at ", at)
	case b.Why != "":
		n.Line(0, cite, name, "'s cloak goes off at ", at, " (", b.Why, "): her powered shields come up")
	default:
		n.Line(0, cite, name, "'s cloak goes off: she appears at ", at)
	}
}

func (n *Narrator) announced(b *ship.Announced, cite string) {
	switch {
	case b.Name != "":
		n.Line(0, cite, "It is announced that ", b.Name, " (", n.View.SideName(b.Side), ") is present, cloaked")
	case b.On:
		n.Line(0, cite, "It is announced that ", n.View.Name(b.Ship), " has cloaked")
	default:
		n.Line(0, cite, "It is announced that ", n.View.Name(b.Ship), "'s cloak is off")
	}
}

// foundCloaked tells of a lock by a scan.
func (n *Narrator) foundCloaked(b *ship.Locking, cite string) {
	if b.Kept {
		n.Line(1, cite, fmt.Sprintf("%s is found again at %d or less: the lock is kept", n.View.Name(b.Target), b.Need))
		return
	}
	n.Line(1, cite, fmt.Sprintf("it finds the cloaked %s at %d or less: a lock", n.View.Name(b.Target), b.Need))
	if b.Auto != nil {
		n.Line(2, n.citation(n.l.Cite(cites.AutomaticInformation)), autoWords(b.Auto))
	}
}

func (n *Narrator) exposed(b *ship.Exposed, cite string) {
	by := "someone"
	if b.By != "" {
		by = n.View.Name(b.By)
	}
	name := n.View.Name(b.Ship)
	switch {
	case b.Kept:
		n.Line(0, cite, name, " is still detected by a scan of ", by, ", which keeps its lock on her")
	case b.Found:
		n.Line(0, cite, name, " is detected by a scan of ", by, ", which now has a lock on her and can fire at her")
	default:
		n.Line(0, cite, by, " has lost ", name, " again: her cloak hides her")
	}
}

func (n *Narrator) tip(b *ship.Tipped, cite string) {
	if b.At == nil {
		n.Line(0, cite, fmt.Sprintf("%s has found a cloaked ship, in the arc of %s's shield %d", n.View.Name(b.By), n.View.Name(b.Ship), b.Shield))
		return
	}
	n.Line(0, cite, n.View.Name(b.By), " has a lock on a cloaked ship: ", n.View.Name(b.Target), " at ", verbs.PlaceWords(*b.At))
}

// CloakPanels returns the panel of an own ship's cloak.
func CloakPanels(_ *rulebook.Rules, _ *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	if !sys.Has(ship.NameCloak) {
		return nil
	}
	k := sys.Cloak()
	p := engine.Panel{Key: "cloak-" + string(s.ID), Posts: []string{ship.PostHelm}, Title: s.Name + ": cloaking device", Notes: []string{
		fmt.Sprintf("takes %d power a turn", k.Need),
	}}
	switch {
	case s.Status != engine.Active:
	case k.On:
		p.Notes = append(p.Notes, "ON: enemies do not see the ship unless a scan finds her; she does not fire and has no shields up",
			"goes off when the next turn begins, unless cloak on or cloak ready is ordered under power")
	default:
		p.Notes = append(p.Notes, "off: the ship is in plain sight")
	}
	if k.Late && s.Status == engine.Active {
		p.Notes = append(p.Notes, "switched after the last movement; it can next be switched after phase 1")
	}
	return []engine.Panel{p}
}

// cloakShare returns the power of a cloak as an item in a list; "" for 0.
func cloakShare(power int) string {
	if power == 0 {
		return ""
	}
	return fmt.Sprintf("%d to the cloak, ", power)
}
