package tell

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/crew"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/tactical"
)

// ratingList returns an officer's ratings in words, in order, as far as they are known.
func ratingList(ratings map[string]int, due, skills []string) []string {
	var out []string
	for _, skill := range skills {
		rating, known := ratings[skill]
		if !known {
			continue
		}
		name := strings.ReplaceAll(skill, "_", " ")
		if strings.HasPrefix(skill, ship.Dexterity) {
			name = "dexterity"
		}
		if slices.Contains(due, skill) {
			out = append(out, name+" rolled as the first turn begins")
			continue
		}
		out = append(out, fmt.Sprintf("%s %d%%", name, rating))
	}
	return out
}

// BridgePanels returns the panel of an own ship's officers, as far as the viewer may know them.
func BridgePanels(_ *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	b := sys.Bridge()
	p := engine.Panel{Key: "bridge-" + string(s.ID), Posts: rulebook.Posts(), Title: s.Name + ": the bridge"}
	for _, post := range append([]string{ship.PostCaptain}, rulebook.Posts()...) {
		name := s.Crew[post]
		if post == ship.PostCaptain {
			name = s.Captain
		}
		if slices.Contains(s.Relieved, post) {
			name += " (relieved: the captain gives the orders)"
		}
		told := ratingList(b.Ratings, b.Due, ship.SkillsOf()[post])
		if name != "" {
			told = slices.Insert(told, 0, string(name))
		}
		if len(told) > 0 {
			p.Notes = append(p.Notes, rulebook.PostTitle(post)+": "+strings.Join(told, ", "))
		}
	}
	if _, captain := heldBy(v, s); captain && !v.Viewer.All {
		p.Notes = append(p.Notes, silentOfficers(v, s)...)
	}
	for _, post := range b.Out {
		who := rulebook.PostTitle(post)
		if post == "captain" {
			who = rulebook.PostTitle(ship.PostCaptain)
		}
		p.Notes = append(p.Notes, who+crew.OfficerShaken)
	}
	for _, system := range []string{ship.ShakenCommunications, ship.ShakenSensors, ship.ShakenShields, ship.ShakenHelm, ship.ShakenWeapons} {
		if n := b.Shaken[system]; n > 0 {
			p.Notes = append(p.Notes, fmt.Sprintf("without power: %s (%d to repair)", system, n))
		}
	}
	if b.Dead {
		p.Notes = append(p.Notes, "engine room hit: no power reaches any system in the next phase")
	}
	if b.Reduce > 0 && v.Round > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%d more points of damage can be prevented this turn", b.Reduce))
	}
	switch gate := sys.Standing.Word(rulebook.StandingGate); {
	case gate == verbs.GateHold:
		p.Notes = append(p.Notes, "captain's order: hold fire")
	case gate != "":
		p.Notes = append(p.Notes, "captain's order: fire when "+gate)
	}
	for _, skill := range sys.Standing.List(rulebook.StandingLearn) {
		p.Notes = append(p.Notes, rulebook.PostTitle(rulebook.Learner(skill))+"'s victory points go to "+strings.ReplaceAll(skill, "_", " "))
	}
	return []engine.Panel{p}
}

// silentOfficers tells a captain which officers sent no orders, and what to do about it.
func silentOfficers(v *engine.View, s *engine.ShipView) (notes []string) {
	for _, e := range v.Events {
		if b, ok := e.Body.(*engine.Absent); ok && b.Ship == s.ID && s.Crew[b.Post] != "" && !slices.Contains(s.Relieved, b.Post) {
			notes = append(notes, fmt.Sprintf("no orders came from %s; if none come next turn either, `relieve %s` in your orders gives you the post from the turn after that", rulebook.PostTitle(b.Post), b.Post))
		}
	}
	return notes
}

// panelsFor returns the panels of an own ship that the viewer may see, for officers below a panel of
// what else they know if head is set (stcs 23).
func panelsFor(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, all []engine.Panel, head bool) []engine.Panel {
	held, captain := heldBy(v, s)
	if captain {
		return all
	}
	out := []engine.Panel{}
	if head {
		out = append(out, engine.Panel{Key: "station-" + string(s.ID), Title: fmt.Sprintf("%s (%s), %s", s.Title, s.Short, s.Class), Notes: stationNotes(l, v, s, sys, held)})
	}
	for _, p := range all {
		if slices.ContainsFunc(p.Posts, func(post string) bool { return slices.Contains(held, post) }) || !strings.HasSuffix(p.Key, "-"+string(s.ID)) {
			out = append(out, p)
		}
	}
	return out
}

// heldBy returns the posts that a viewer holds on a ship, including weapons where the helm has
// it; captain reports whether the viewer commands the ship.
func heldBy(v *engine.View, s *engine.ShipView) (held []string, captain bool) {
	if v.Viewer.All || len(v.Viewer.Seats) == 0 || v.Result != nil {
		return nil, true
	}
	for _, seat := range v.Viewer.SeatsOn(s.ID) {
		if seat.Post == ship.PostCaptain {
			return nil, true
		}
		held = append(held, seat.Post)
	}
	if slices.Contains(held, ship.PostHelm) && s.Crew[ship.PostWeapons] == "" {
		held = append(held, ship.PostWeapons)
	}
	return held, false
}

// stationNotes returns the state of a ship as her officers' panels show it.
func stationNotes(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, held []string) []string {
	where := "not on the map"
	if s.Hex != nil {
		where = fmt.Sprintf("at %s heading %s", s.Hex.Label(), *s.Heading)
	}
	notes := []string{fmt.Sprintf("%s, %s; you are %s", where, s.Status, titles(held))}
	if slices.Contains(held, ship.PostEngineer) {
		notes = append(notes,
			fmt.Sprintf("power %d of %d; power/points: movement %s, shields %s with at most %d points each", sys.Power, sys.Design.Power, sys.Design.Move, sys.Design.Shield, sys.Design.MaxShield),
			"last shares: "+verbs.SharesOf(sys.Standing.Last),
			"lost power comes off: "+strings.Join(rulebook.ShedWords(sys.Standing), ", then "))
	}
	if slices.Contains(held, ship.PostHelm) {
		notes = append(notes, fmt.Sprintf("movement %s; last turn %s: %s", sys.Design.Move, words.MovementPoints(sys.Alloc.Points), tactical.JoinInts(sys.Alloc.Split)))
	}
	if slices.Contains(held, ship.PostWeapons) {
		notes = append(notes, fmt.Sprintf("power to weapons in the last turn: %d", sys.Alloc.Weapons))
	}
	if slices.Contains(held, ship.PostScience) {
		notes = append(notes, fmt.Sprintf("superstructure %s of %d; shields %s with at most %d points each; power to shields in the last turn: %d",
			verbs.StructureWords(sys), sys.Design.Superstructure, sys.Design.Shield, sys.Design.MaxShield, sys.Alloc.Shields))
	}
	if s.Status == engine.Crippled {
		notes = append(notes, verbs.HulkNote(l, v))
	}
	return notes
}

// titles returns posts in words.
func titles(held []string) string {
	var out []string
	for _, post := range held {
		out = append(out, rulebook.PostTitle(post))
	}
	return strings.Join(out, " and ")
}
