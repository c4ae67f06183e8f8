package tell

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// whatWords returns in words what an officer tries.
func whatWords(what string) string {
	return map[string]string{
		ship.TryPower: "for more power", ship.TryEngine: "to repair an engine", ship.TryBoost: "for a change of warp speed by two",
		ship.TryShields: "for stronger shields", ship.TryReduce: "to reduce damage", ship.TrySuperstructure: "to repair the superstructure", ship.TryCasualties: "to return crew to duty",
		ship.TryAim: "to aim with care", ship.TryEase: "to ease the turn", ship.TryQuestion: "for an answer", ship.TryPrevent: "to keep her from exploding", ship.TryScan: "to detect a moving cloaked ship", ship.TryKeep: "to keep a cloaked ship in sight", ship.TryHail: "to be heard by the other side",
	}[what]
}

// BridgeEvents returns the events of officers.
func BridgeEvents() []Event {
	return []Event{
		family.Own("manned", Told[ship.Manned]{
			Tell: func(n *Narrator, b *ship.Manned, cite string) {
				n.Line(0, cite, fmt.Sprintf("%s: %s: %s", n.View.Name(b.Ship), rulebook.PostTitle(b.Post), strings.Join(ratingList(b.Ratings, nil, ship.SkillsOf()[b.Post]), ", ")))
			},
			Sees: func(b *ship.Manned, _ engine.ShipID, post string) bool { return b.Post == post },
		}),
		family.Own("skill", Told[ship.Skilled]{
			Tell: func(n *Narrator, b *ship.Skilled, cite string) {
				n.Line(0, cite, fmt.Sprintf("%s: %s tries %s: needs %d, rolled %d: %s", n.View.Name(b.Ship), rulebook.PostTitle(b.Post), whatWords(b.What), b.Need, b.Roll, skilledWords(b)))
			},
			Hers: true,
			Sees: func(b *ship.Skilled, _ engine.ShipID, post string) bool { return b.Post == post },
		}),
		family.Own("spared", Told[ship.Spared]{Posts: []string{ship.PostScience}, Tell: func(n *Narrator, b *ship.Spared, cite string) {
			n.Line(0, cite, fmt.Sprintf("%s: damage control reduces the hit of %s of %s by %d", n.View.Name(b.Ship), b.Weapon, n.View.Name(b.From), b.Points))
		}}),
		family.Own("shaken", Told[ship.Shaken]{
			Tell: func(n *Narrator, b *ship.Shaken, cite string) {
				n.Line(0, cite, n.View.Name(b.Ship), ": ", shakenWords(b))
			},
			Sees: func(b *ship.Shaken, _ engine.ShipID, post string) bool {
				return b.Post == post || b.System != "" && (post == ship.PostScience || post == stationOf(b.System))
			},
		}),
		family.Own("blackout", Told[ship.Blackout]{Posts: rulebook.Posts(), Tell: func(n *Narrator, b *ship.Blackout, cite string) {
			text := ": power reaches all systems again"
			if b.Down {
				text = ": no power reaches any system in the next phase"
			}
			n.Line(0, cite, n.View.Name(b.Ship), text)
		}}),
		family.Own("leftover", Told[ship.LeftOver]{
			Tell: func(n *Narrator, b *ship.LeftOver, cite string) {
				n.Line(0, cite, n.View.Name(b.Ship), ": the totals fall short: ", strings.Join(b.What, ", "))
			},
			Sees: func(b *ship.LeftOver, _ engine.ShipID, post string) bool {
				return b.Post == post || post == ship.PostEngineer
			},
		}),
		family.Own("cut", Told[ship.Cut]{
			Tell: tellCut,
			Sees: func(b *ship.Cut, _ engine.ShipID, post string) bool { return b.Post == post },
		}),
		family.Own("brief", Told[ship.Briefed]{Posts: rulebook.Posts(), Tell: func(n *Narrator, b *ship.Briefed, cite string) {
			n.Line(0, cite, n.View.Name(b.Ship), ": the captain: ", strings.ReplaceAll(b.Text, "\n", " / "))
		}}),
		family.Own("watch", Told[ship.Turned]{}),
	}
}

func tellCut(n *Narrator, b *ship.Cut, cite string) {
	for _, s := range n.View.Ships {
		if _, captain := heldBy(n.View, s); s.ID == b.Ship && captain {
			return // the captain has already seen all that was cut
		}
	}
	n.Line(0, cite, n.View.Name(b.Ship), ": power cut: ", strings.Join(b.What, ", "))
}

// skilledWords returns the result of an attempt in words.
func skilledWords(b *ship.Skilled) string {
	switch {
	case !b.Done:
		return "no effect"
	case b.Superstructure != nil:
		return fmt.Sprintf("superstructure %d to %d", b.Superstructure.Before, b.Superstructure.After)
	case b.Casualties != nil:
		return "casualties " + perCent(b.Casualties.Before) + " to " + perCent(b.Casualties.After)
	case len(b.Engines) > 0:
		return strings.Join(engineWords(b.Engines), ", ") + ", from next turn on"
	case b.What == ship.TryPower:
		return fmt.Sprintf("%d extra power this turn, to %s", b.Points, b.To)
	case b.What == ship.TryShields:
		return fmt.Sprintf("%d extra points on %s", b.Points, b.To)
	case b.What == ship.TryReduce:
		return fmt.Sprintf("up to %d points of damage can be prevented", b.Points)
	}
	return "done"
}

func shakenWords(b *ship.Shaken) string {
	rolled := ""
	if b.Roll > 0 {
		rolled = fmt.Sprintf(", needs %d, rolled %d", b.Need, b.Roll)
	}
	who := rulebook.PostTitle(b.Post)
	if b.Post == "captain" {
		who = rulebook.PostTitle(ship.PostCaptain)
	}
	switch {
	case b.Post != "" && b.Again:
		return who + " has recovered" + rolled
	case b.Post != "":
		return who + " is shaken and misses the next phase" + rolled
	case b.Again:
		return "power reaches the " + b.System + " again" + rolled
	case b.Tried:
		return "no power reaches the " + b.System + " yet" + rolled
	}
	return "no power reaches the " + b.System + rolled
}

// powerAt returns what the officers at some posts are told of the use of power.
func powerAt(b *ship.PowerSet, held []string) string {
	var parts []string
	for _, post := range held {
		switch post {
		case ship.PostEngineer:
			parts = append(parts, fmt.Sprintf("%d power: %s%d to movement", b.Available, labsShare(b.Labs), b.Movement))
		case ship.PostHelm:
			parts = append(parts, fmt.Sprintf("%d power to movement", b.Movement))
		case ship.PostWeapons:
			parts = append(parts, fmt.Sprintf("%d power to weapons", b.Weapons))
		case ship.PostScience:
			parts = append(parts, fmt.Sprintf("%s%d power to shields, points %s", labsShare(b.Labs), b.Shields, tactical.JoinInts(b.ShieldPoints)))
		}
	}
	return strings.Join(parts, ", ")
}
