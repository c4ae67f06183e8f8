package fasa

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// whatWords is what an officer tries, in words.
func whatWords(what string) string {
	return map[string]string{
		ship.TryPower: "for more power", ship.TryEngine: "to mend an engine", ship.TryBoost: "for a change of warp speed by two",
		ship.TryShields: "for more on the shields", ship.TryReduce: "to have less damage", ship.TrySuperstructure: "to mend the superstructure", ship.TryCasualties: "to bring crew back to duty",
		ship.TryAim: "to aim with care", ship.TryEase: "to ease the turn", ship.TryQuestion: "for an answer", ship.TryPrevent: "to keep her from exploding", ship.TryScan: "to make out a cloaked ship that moves", ship.TryKeep: "to keep a cloaked ship in sight", ship.TryHail: "to be heard by the other side",
	}[what]
}

// bridgeEvents are the events of officers.
func bridgeEvents() []event {
	return []event{
		family.Own("manned", told[ship.Manned]{
			Tell: func(n *narrator, b *ship.Manned, cite string) {
				n.line(0, cite, fmt.Sprintf("%s: %s: %s", n.v.Name(b.Ship), postTitle(b.Post), strings.Join(ratingList(b.Ratings, nil, ship.SkillsOf()[b.Post]), ", ")))
			},
			Sees: func(b *ship.Manned, _ engine.ShipID, post string) bool { return b.Post == post },
		}),
		family.Own("skill", told[ship.Skilled]{
			Tell: func(n *narrator, b *ship.Skilled, cite string) {
				n.line(0, cite, fmt.Sprintf("%s: %s tries %s: needs %d, rolled %d: %s", n.v.Name(b.Ship), postTitle(b.Post), whatWords(b.What), b.Need, b.Roll, skilledWords(b)))
			},
			Hers: true,
			Sees: func(b *ship.Skilled, _ engine.ShipID, post string) bool { return b.Post == post },
		}),
		family.Own("spared", told[ship.Spared]{Posts: []string{ship.PostScience}, Tell: func(n *narrator, b *ship.Spared, cite string) {
			n.line(0, cite, fmt.Sprintf("%s: damage control takes %d off %s of %s", n.v.Name(b.Ship), b.Points, b.Weapon, n.v.Name(b.From)))
		}}),
		family.Own("shaken", told[ship.Shaken]{
			Tell: func(n *narrator, b *ship.Shaken, cite string) {
				n.line(0, cite, n.v.Name(b.Ship), ": ", shakenWords(b))
			},
			Sees: func(b *ship.Shaken, _ engine.ShipID, post string) bool {
				return b.Post == post || b.System != "" && (post == ship.PostScience || post == stationOf(b.System))
			},
		}),
		family.Own("blackout", told[ship.Blackout]{Posts: posts(), Tell: func(n *narrator, b *ship.Blackout, cite string) {
			text := ": power reaches all systems again"
			if b.Down {
				text = ": no power reaches any system in the next phase"
			}
			n.line(0, cite, n.v.Name(b.Ship), text)
		}}),
		family.Own("leftover", told[ship.LeftOver]{
			Tell: func(n *narrator, b *ship.LeftOver, cite string) {
				n.line(0, cite, n.v.Name(b.Ship), ": the totals do not reach: ", strings.Join(b.What, ", "))
			},
			Sees: func(b *ship.LeftOver, _ engine.ShipID, post string) bool {
				return b.Post == post || post == ship.PostEngineer
			},
		}),
		family.Own("cut", told[ship.Cut]{
			Tell: tellCut,
			Sees: func(b *ship.Cut, _ engine.ShipID, post string) bool { return b.Post == post },
		}),
		family.Own("brief", told[ship.Briefed]{Posts: posts(), Tell: func(n *narrator, b *ship.Briefed, cite string) {
			n.line(0, cite, n.v.Name(b.Ship), ": the captain: ", strings.ReplaceAll(b.Text, "\n", " / "))
		}}),
		family.Own("watch", told[ship.Turned]{}),
	}
}

func tellCut(n *narrator, b *ship.Cut, cite string) {
	for _, s := range n.v.Ships {
		if _, captain := heldBy(n.v, s); s.ID == b.Ship && captain {
			return // he sees all that was cut at once
		}
	}
	n.line(0, cite, n.v.Name(b.Ship), ": power is cut: ", strings.Join(b.What, ", "))
}

// skilledWords is what came of a try.
func skilledWords(b *ship.Skilled) string {
	switch {
	case !b.Done:
		return "nothing comes of it"
	case b.Superstructure != nil:
		return fmt.Sprintf("superstructure %d to %d", b.Superstructure.Before, b.Superstructure.After)
	case b.Casualties != nil:
		return "casualties " + perCent(b.Casualties.Before) + " to " + perCent(b.Casualties.After)
	case len(b.Engines) > 0:
		return strings.Join(engineWords(b.Engines), ", ") + ", from next turn on"
	case b.What == ship.TryPower:
		return fmt.Sprintf("%d power more this turn, to %s", b.Points, b.To)
	case b.What == ship.TryShields:
		return fmt.Sprintf("%d points more on %s", b.Points, b.To)
	case b.What == ship.TryReduce:
		return fmt.Sprintf("%d points can be taken off", b.Points)
	}
	return "done"
}

func shakenWords(b *ship.Shaken) string {
	rolled := ""
	if b.Roll > 0 {
		rolled = fmt.Sprintf(", needs %d, rolled %d", b.Need, b.Roll)
	}
	who := postTitle(b.Post)
	if b.Post == "captain" {
		who = postTitle(ship.PostCaptain)
	}
	switch {
	case b.Post != "" && b.Again:
		return who + " is fit again" + rolled
	case b.Post != "":
		return who + " is shaken, and out of the next phase" + rolled
	case b.Again:
		return "power reaches the " + b.System + " again" + rolled
	case b.Tried:
		return "no power reaches the " + b.System + " yet" + rolled
	}
	return "no power reaches the " + b.System + rolled
}

// powerAt is what the officers at some posts are told of the use of power.
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
