package tell

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// What the holders of a ship's posts may know of her: her captain everything, an officer what the post's
// panel shows (stcs 19.3, 23). An officer is not told what is not marked for the post, except as strangers
// are. Of an event shown only to a ship's own people, the fields that its type opens to the post are seen:
// see [CommonEvents].

// Aboard returns which of the held posts see an event shown to their ship, as keys of the fields open to
// them (stcs 19.3).
func (l *Teller) Aboard(g *engine.Game, e *engine.Event, id engine.ShipID, held []string) (open []string, ok bool) {
	s, known := g.Ship(id)
	if !known {
		return nil, false
	}
	if slices.Contains(held, ship.PostHelm) && s.Crew[ship.PostWeapons] == "" {
		held = append(slices.Clone(held), ship.PostWeapons)
	}
	for _, post := range held {
		if l.Events.SeenAt(e.Body, id, post) {
			open = append(open, post)
			if post == ship.PostHelm {
				open = append(open, engine.OpenToConn)
			}
		}
	}
	return open, len(open) > 0
}

// ScienceTells reports whether a firer learns what hits did: by a lock that the science officer
// reads. While that officer is shaken no one aboard learns it (stcs 21.2).
func ScienceTells(g *engine.Game, from engine.ShipID, target *engine.Ship) bool {
	s, known := g.Ship(from)
	return known && !ship.Of(s).Bridge().Shaky(ship.PostScience) && rulebook.LockTells(g, from, target)
}

// stationOf returns the officer in charge of a system that can be shaken.
func stationOf(system string) string {
	return map[string]string{ship.ShakenHelm: ship.PostHelm, ship.ShakenWeapons: ship.PostWeapons}[system]
}

// seesRoll reports whether an officer sees a roll, by its name.
func seesRoll(b *engine.Roll, _ engine.ShipID, post string) bool {
	return slices.Contains(rollers(b.Name.String()), post)
}

// rollers returns the officers who see a roll, by its name.
func rollers(name string) []string {
	parts := strings.Split(name, ".")
	for len(parts) > 1 && len(parts[0]) > 1 && strings.Trim(parts[0][1:], "0123456789") == "" {
		parts = parts[1:] // turn and phase
	}
	part := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	switch parts[0] {
	case "rating":
		for post, skills := range ship.SkillsOf() {
			if slices.Contains(skills, part(2)) {
				return []string{post}
			}
		}
	case "crew":
		what, officer, _ := strings.Cut(part(2), "-")
		switch what {
		case ship.TrySteady:
			return []string{officer}
		case "mend":
			return []string{ship.PostScience}
		case ship.TryPower, ship.TryEngine, ship.TryBoost:
			return []string{ship.PostEngineer}
		case ship.TryAim:
			return []string{ship.PostWeapons}
		case ship.TryEase:
			return []string{ship.PostHelm}
		}
		return []string{ship.PostScience}
	case "fire", "blast", "mine", "debris":
		if slices.Contains(parts, "hit") {
			return []string{ship.PostWeapons}
		}
		return []string{ship.PostScience}
	case "evade":
		return []string{ship.PostHelm}
	case "lock", "scan", "survey", "repair", "shaken", "lab":
		return []string{ship.PostScience}
	case "cuts":
		return []string{ship.PostEngineer}
	}
	return nil
}

// Station returns a ship's system as the holders of posts on her see it. What their panels do not
// show is marked unseen, so that files leave it out.
func Station(l *rulebook.Rules, s *engine.Ship, held []string) any {
	c, ok := ship.Of(s).Clone().(*ship.State)
	if !ok {
		return nil // a system's clone is one
	}
	has := func(post string) bool { return slices.Contains(held, post) }
	armed := has(ship.PostWeapons) || has(ship.PostHelm) && s.Crew[ship.PostWeapons] == ""
	b := c.Bridge()
	kept := ship.Bridge{Ratings: map[string]int{}, Shaken: map[string]int{}}
	for _, post := range held {
		for _, skill := range ship.SkillsOf()[post] {
			kept.Ratings[skill] = b.Ratings[skill]
			if slices.Contains(b.Due, skill) {
				kept.Due = append(kept.Due, skill)
			}
		}
		if b.Shaky(post) {
			kept.Out = append(kept.Out, post)
		}
	}
	if armed {
		for _, skill := range ship.SkillsOf()[ship.PostHelm][1:2] {
			kept.Ratings[skill] = b.Ratings[skill]
		}
	}
	for system, n := range b.Shaken {
		if has(ship.PostScience) || has(stationOf(system)) || armed && system == ship.ShakenWeapons {
			kept.Shaken[system] = n
		}
	}
	if len(kept.Shaken) == 0 {
		kept.Shaken = nil
	}
	if has(ship.PostScience) {
		kept.Reduce, kept.Tries = b.Reduce, b.Tries
	}
	kept.Dead = b.Dead
	if has(ship.PostHelm) || armed {
		kept.Aims, kept.Eased, kept.Boost = b.Aims, b.Eased, b.Boost
	}
	alloc := c.Alloc
	c.Alloc = ship.Alloc{Points: alloc.Points, Split: alloc.Split, Labs: alloc.Labs} // all aboard see the range of the sensors
	if has(ship.PostEngineer) {
		c.Alloc = alloc
		c.Alloc.Weapons, c.Alloc.Shields = 0, 0 // only the others know how much of their shares was used
	} else {
		c.Unseen = append(c.Unseen, ship.UnseenPower, ship.UnseenEngines, ship.UnseenAvailable, ship.UnseenMovement)
		c.Power = c.Design.Power
		engines := slices.Clone(c.Engines())
		for i := range engines {
			engines[i].Now = engines[i].Max
		}
		list := ship.EngineList(engines)
		c.Put(&list)
		c.Standing.SetList("engines")
		c.Standing.Shed = ship.DefaultStanding().Shed
		c.Standing.SetList(rulebook.StandingCuts)
	}
	if armed {
		c.Alloc.Weapons = alloc.Weapons
	} else {
		c.Unseen = append(c.Unseen, ship.UnseenWeapons, ship.UnseenMounts)
		for i := range c.Banks {
			c.Banks[i].Mounts = make([]ship.Mount, len(c.Banks[i].Mounts))
		}
		c.Standing.Beams, c.Standing.Missile = nil, nil
		c.Standing.SetList(rulebook.StandingDisarm)
		c.Standing.SetList(rulebook.StandingFire)
	}
	if !has(ship.PostHelm) {
		c.Standing.Missing = ship.DefaultStanding().Missing
		c.Standing.SetList("follow")
		c.Standing.SetList(rulebook.StandingSlow)
		c.Standing.SetList("evade")
		if c.Has(ship.NameHelm) {
			h := c.Helm()
			*h = ship.Helm{Warp: h.Warp, Cruise: h.Cruise, Top: h.Top, Stress: h.Stress, Astern: h.Astern}
		}
	}
	if has(ship.PostScience) {
		c.Alloc.Shields = alloc.Shields
	} else {
		c.Unseen = append(c.Unseen, ship.UnseenSupply, ship.UnseenShields, ship.UnseenStructure)
		c.Superstructure, c.Hurt, c.NoFire = c.Design.Superstructure, false, 0
		c.Shields = make([]ship.Shield, len(c.Shields))
		c.Crew().Lost = 0
		c.RepairState().Tracks = nil
		k := c.Sensors()
		*k = ship.Sensors{Navy: k.Navy, Crew: k.Crew}
		c.Standing.Choose = ship.DefaultStanding().Choose
		for _, key := range []string{"repair", "questions", rulebook.StandingLower} {
			c.Standing.SetList(key)
		}
		c.Standing.SetWord("sensors", "")
		c.Standing.SetWord("scan", "")
	}
	c.Standing.SetList(rulebook.StandingLearn, slices.DeleteFunc(slices.Clone(c.Standing.List(rulebook.StandingLearn)), func(skill string) bool {
		return !slices.Contains(held, rulebook.Station(s.Crew, rulebook.Learner(skill)))
	})...)
	if !has(ship.PostHelm) && !armed {
		c.Standing.SetWord(rulebook.StandingGate, "")
	}
	c.Standing.Last = lastOf(l, s, held, c.Standing.Last)
	*b = kept
	return c
}

// lastOf returns the orders of a ship's last order set that belong to the held posts.
func lastOf(l *rulebook.Rules, s *engine.Ship, held []string, last string) string {
	if last == "" {
		return ""
	}
	b := verbs.Read(l, last)
	for i := range b.Groups {
		b.Groups[i].Statements = slices.DeleteFunc(b.Groups[i].Statements, func(st orders.Statement) bool {
			owner, all := l.PostOf(b.Groups[i].Name, st)
			return all || !slices.Contains(held, rulebook.Station(s.Crew, owner))
		})
	}
	b.Groups = slices.DeleteFunc(b.Groups, func(g orders.Group) bool { return len(g.Statements) == 0 })
	return b.Body()
}
