package fasa

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

// cloakEvents are the events of cloaks.
func cloakEvents() []event {
	return []event{
		family.Own("cloak", told[ship.Cloaking]{Tell: (*narrator).cloaking, Posts: posts()}),
		family.Own("announced", told[ship.Announced]{Tell: (*narrator).announced, Why: whyAnnounced, Posts: posts()}),
		family.Own("scan", told[ship.Scan]{Tell: (*narrator).scan, Hers: true, Posts: []string{ship.PostScience}}),
		family.Own("detected", told[ship.Exposed]{Tell: (*narrator).exposed, Hers: true, Posts: posts()}),
		family.Own("tip", told[ship.Tipped]{Tell: (*narrator).tip, Posts: posts()}),
	}
}

func whyAnnounced(_ *rulebook, _ *engine.Story, _ int, b *ship.Announced) []string {
	if b.Name != "" {
		return []string{"the scenario wants it announced"}
	}
	return nil
}

func (n *narrator) scan(b *ship.Scan, cite string) {
	n.line(0, cite, fmt.Sprintf("%s scans for cloaked ships through the arc of shield %d: rolled %d", n.v.Name(b.Ship), b.Shield, b.Roll))
	if len(b.Found) == 0 {
		n.line(1, "", "the scan reveals nothing")
	}
}

func (n *narrator) cloaking(b *ship.Cloaking, cite string) {
	name, at := n.v.Name(b.Ship), placeWords(b.At)
	switch {
	case b.On && b.Why != "":
		n.line(0, cite, name, " cloaks at ", at, " (", b.Why, "): hidden from now on, no fire, no shields")
	case b.On:
		n.line(0, cite, name, " cloaks and vanishes at ", at)
	case b.Why != "":
		n.line(0, cite, name, "'s cloak goes off at ", at, " (", b.Why, "): those of her shields come up that have power")
	default:
		n.line(0, cite, name, "'s cloak goes off: she appears at ", at)
	}
}

func (n *narrator) announced(b *ship.Announced, cite string) {
	switch {
	case b.Name != "":
		n.line(0, cite, "It is announced that ", b.Name, " (", n.v.SideName(b.Side), ") is there, under her cloak")
	case b.On:
		n.line(0, cite, "It is announced that ", n.v.Name(b.Ship), " has cloaked")
	default:
		n.line(0, cite, "It is announced that ", n.v.Name(b.Ship), "'s cloak is off")
	}
}

// foundCloaked tells of a lock that a scan got.
func (n *narrator) foundCloaked(b *ship.Locking, cite string) {
	if b.Kept {
		n.line(1, cite, fmt.Sprintf("%s is found again at %d or less: the lock is kept", n.v.Name(b.Target), b.Need))
		return
	}
	n.line(1, cite, fmt.Sprintf("it finds %s, cloaked, at %d or less: a lock", n.v.Name(b.Target), b.Need))
	if b.Auto != nil {
		n.line(2, n.citation(n.l.cite(cites.AutomaticInformation)), autoWords(b.Auto))
	}
}

func (n *narrator) exposed(b *ship.Exposed, cite string) {
	by := "someone"
	if b.By != "" {
		by = n.v.Name(b.By)
	}
	name := n.v.Name(b.Ship)
	switch {
	case b.Kept:
		n.line(0, cite, name, " is still found by a scan of ", by, ", which keeps its lock on her")
	case b.Found:
		n.line(0, cite, name, " is found by a scan of ", by, ", which has a lock on her now and can fire at her")
	default:
		n.line(0, cite, by, " has lost ", name, " again: her cloak hides her")
	}
}

func (n *narrator) tip(b *ship.Tipped, cite string) {
	if b.At == nil {
		n.line(0, cite, fmt.Sprintf("%s has found a cloaked ship: from %s it lies in the arc of shield %d", n.v.Name(b.By), n.v.Name(b.Ship), b.Shield))
		return
	}
	n.line(0, cite, n.v.Name(b.By), " holds a cloaked ship: ", n.v.Name(b.Target), " at ", placeWords(*b.At))
}

// cloakPanels tell how the cloak of an own ship stands.
func cloakPanels(_ *rulebook, _ *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	if !sys.Has(ship.NameCloak) {
		return nil
	}
	k := sys.Cloak()
	p := engine.Panel{Key: "cloak-" + string(s.ID), Title: s.Name + ": cloaking device", Notes: []string{
		fmt.Sprintf("it takes %d power a turn", k.Need),
	}}
	switch {
	case s.Status != engine.Active:
	case k.On:
		p.Notes = append(p.Notes, "ON: enemies do not see the ship unless a scan finds her; she does not fire and has no shields up",
			"without cloak on or cloak ready under power it goes off when the next turn begins")
	default:
		p.Notes = append(p.Notes, "off: the ship is in plain sight")
	}
	if k.Late && s.Status == engine.Active {
		p.Notes = append(p.Notes, "it was switched after the last movement: the next switch is after phase 1 at the earliest")
	}
	return []engine.Panel{p}
}

// cloakShare tells of the power of a cloak, in a list of what power goes to.
func cloakShare(power int) string {
	if power == 0 {
		return ""
	}
	return fmt.Sprintf("%d to the cloak, ", power)
}
