package tell

import (
	"fmt"
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
)

// seenAs returns a ship's name for a viewer who may not detect it.
func seenAs(v *engine.View, id engine.ShipID) engine.ShipID {
	if id == play.Unnumbered {
		return id
	}
	return engine.ShipID(v.Name(id))
}

func (n *narrator) fireSeen(b *play.FireSeen, cite string) {
	if b.Weapon != "" {
		f := state.Fire(*b)
		n.fire(&f, cite)
		return
	}
	did, at := "misses", seenAs(n.v, b.Target)
	if b.Hit {
		did = "hits"
	}
	if b.Shield > 0 {
		at = engine.ShipID(fmt.Sprintf("shield %d of %s with %s", b.Shield, at, phrase.Points(b.Points)))
	}
	n.line(0, cite, "%s%s fires, and %s %s", n.on(), seenAs(n.v, b.Ship), did, at)
	n.shots = append(n.shots, engine.Shot{Phase: n.phase, From: b.Ship, To: b.Target, Hit: b.Hit})
}

func launchSeenWords(_ *rulebook.Rules, v *engine.View, b *play.LaunchSeen) string {
	return fmt.Sprintf("%s launches %s from %s at %s, heading %s", seenAs(v, b.Ship), b.Craft, b.Weapon, seenAs(v, b.Target), b.Heading)
}

func (n *narrator) strikeSeen(b *play.StrikeSeen, cite string) {
	at := seenAs(n.v, b.Target)
	if b.Shield > 0 {
		at = engine.ShipID(fmt.Sprintf("shield %d of %s", b.Shield, at))
	}
	n.line(0, cite, "%s%s strikes %s with %s", n.on(), seenAs(n.v, b.Ship), at, phrase.Points(b.Points))
	n.shots = append(n.shots, engine.Shot{Phase: n.phase, From: b.Ship, To: b.Target, Hit: b.Points > 0, Points: b.Points})
}

func boardSeenWords(_ *rulebook.Rules, v *engine.View, b *play.BoardSeen) string {
	switch {
	case b.Bank != "" && b.After < b.Before:
		return "a raid from something unseen destroys a box of " + b.Bank
	case b.Bank != "":
		return fmt.Sprintf("a raid from something unseen leaves %s as it was", b.Bank)
	case b.Raid:
		return fmt.Sprintf("something unseen raids %s", seenAs(v, b.Ship))
	}
	return fmt.Sprintf("something unseen sends %s to %s", phrase.Counted(b.Parties, "boarding party", "boarding parties"), seenAs(v, b.Ship))
}

func fightSeenWords(_ *rulebook.Rules, v *engine.View, b *play.FightSeen) string {
	return play.FightWords(seenAs(v, b.Ship), b.Killed, b.Fallen, b.Defenders, b.Boarders)
}

// darkPanels returns the list of contacts and the sensors of the viewer's ships.
func darkPanels(l *rulebook.Rules, v *engine.View) []engine.Panel {
	if !v.Dark {
		return nil
	}
	focus, _ := v.Ship(v.Viewer.Focus)
	return append(dark.InstrumentPanels(v), dark.ContactsPanel(v, func(s *engine.ShipView) (known dark.OfContact) {
		if open, ok := state.OpenOf(s); ok && open.Flight == nil {
			known.Speed = play.SpeedWord(&l.Book, open.Speed)
			if open.CloakSeen(s) {
				known.State = "cloaked"
			}
		}
		if s.Hex != nil && focus != nil && focus.Hex != nil {
			if side, apart := steering.Facing(engine.Place{Hex: *focus.Hex, Heading: *focus.Heading}, *s.Hex); apart {
				known.Yours = strconv.Itoa(side + 1)
			}
		}
		return known
	}))
}

// advice tells a captain what to do before the first turn, also in the dark.
func advice(b *rulebook.Book, v *engine.View) []string {
	if !v.Dark {
		return b.Advice
	}
	return append([]string{
		"You see only what your sensors find, and so do the others. You are not told who else is there.",
		"A ship that uses its warp drive shows its field from afar; one that stands still is found only from nearer.",
		"Each contact has a number, such as c01; use it in orders until you know the name.",
		dark.Search(v),
		"Firing does not reveal who you are; a ship that is hit learns the shield and the damage. Drones need a target that you detect.",
	}, b.Advice...)
}

// WhereTo returns where a robot with nothing to fight goes: to the nearest present or last place of something that is
// not a friend; without any, to the middle of the map, and then from one side to another.
func WhereTo(v *engine.View, s *engine.ShipView) hex.Hex {
	var best *engine.ShipView
	for _, o := range v.Ships {
		if o.Own || o.Side == s.Side || o.Kind != engine.KindShip || o.Hex == nil || o.Status != engine.Active || *o.Hex == *s.Hex {
			continue
		}
		if best == nil || hex.Distance(*s.Hex, *o.Hex) < hex.Distance(*s.Hex, *best.Hex) {
			best = o
		}
	}
	if best != nil {
		return *best.Hex
	}
	return dark.Sweep(v, s, hex.At(20, 16))
}
