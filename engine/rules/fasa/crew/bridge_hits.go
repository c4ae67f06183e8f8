package crew

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// bridgePoints is the points of damage to the bridge for each pair of dice.
const bridgePoints = 5

// struckBridge records hits on a ship's bridge in a phase: the pairs of dice, and the causes.
type struckBridge struct {
	pairs int
	by    []engine.Ref
}

// struckEngineRoom records hits on a ship's engine room in a phase.
type struckEngineRoom struct{ by []engine.Ref }

// HitBridge damages the superstructure and records the dice for officers and systems to shake (stcs 21.1).
func HitBridge(in *rulebook.DamageResolver) {
	play.Structure(in, in.Points)
	in.Cite(cites.ChartBridge, cites.BridgeHits)
	n := play.PhaseNotes[struckBridge](in.Turn)
	hit := n[in.Target.ID]
	hit.pairs += (in.Points + bridgePoints - 1) / bridgePoints
	hit.by = append(hit.by, in.Pierced)
	n[in.Target.ID] = hit
}

// HitEngineRoom does an engineering hit and records it for the engine room (stcs 21.4).
func HitEngineRoom(in *rulebook.DamageResolver) {
	play.HitEngineering(in)
	in.Cite(cites.EngineRoomHits)
	n := play.PhaseNotes[struckEngineRoom](in.Turn)
	n[in.Target.ID] = struckEngineRoom{append(n[in.Target.ID].by, in.Pierced)}
}

// ShakeBridges ends a fire phase aboard: officers shaken earlier try to recover, power may return
// to systems, and then the hits of the phase take effect (stcs 21).
func ShakeBridges(l *rulebook.Rules, sv *rulebook.Salvo) {
	t := sv.Turn
	for _, s := range ship.Fighting(t.Game) {
		steady(l, t, s)
		restore(l, t, s)
		quake(l, t, s)
		darken(l, t, s)
	}
}

// steady lets officers who were shaken earlier try to recover (stcs 21.2).
func steady(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	for _, post := range slices.Clone(ship.Of(s).Bridge().Out) {
		if roll, need, ok := keepsFeet(l, t, s, post); ok {
			t.Emit(&ship.Shaken{Ship: s.ID, Post: post, Need: need, Roll: roll, Again: true}, engine.SeeOnly(s.ID), l.Cite(cites.ShakenOfficers)...)
		}
	}
}

// keepsFeet rolls against an officer's dexterity.
func keepsFeet(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, post string) (roll, need int, ok bool) {
	need = rating(s, ship.Dexterity+post)
	name := crewRoll(t, s, ship.TrySteady+"-"+post)
	roll = t.Roll(name, dice.D100, engine.SeeOnly(s.ID), l.Cite(cites.ShakenOfficers)...)
	return roll, need, roll <= need
}

// restore lets the science officer restore power to systems that were shaken in an earlier phase:
// one roll for each hit, with a penalty of 5 for each failure (stcs 21.3).
func restore(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	b := ship.Of(s).Bridge()
	if b.Shaky(ship.PostScience) {
		return
	}
	for _, system := range slices.Sorted(maps.Keys(b.Shaken)) {
		for range b.Shaken[system] {
			e := try(l, t, s, ship.PostScience, ship.TrySystem, crewRoll(t, s, "mend-"+system), mendPenalty*b.Tries[system], cites.ShakenSystems)
			t.Emit(&ship.Shaken{Ship: s.ID, System: system, Need: e.Need, Roll: e.Roll, Again: e.Done, Tried: !e.Done}, engine.SeeOnly(s.ID), l.Cite(cites.ShakenSystems)...)
		}
	}
}

// quake rolls for the officers and systems that hits on the bridge shake (stcs 21.1).
func quake(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	hit := play.PhaseNotes[struckBridge](t)[s.ID]
	for n := range hit.pairs {
		roll := func(what string) int {
			name := engine.NameRoll("shaken", s.ID).And(what)
			if n > 0 {
				name = name.And(strconv.Itoa(n + 1))
			}
			return t.Roll(name, dice.D10, engine.SeeOnly(s.ID), l.Cite(cites.BridgeHits)...)
		}
		for _, post := range shakenOfficers(roll("officer")) {
			if !ship.Of(s).Bridge().Shaky(post) {
				stagger(l, t, s, post, hit.by)
			}
		}
		darkenSystems(l, t, s, roll("system"), n, hit.by)
	}
}

// stagger rolls whether an officer is shaken.
func stagger(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, post string, by []engine.Ref) {
	if roll, need, ok := keepsFeet(l, t, s, post); !ok {
		t.Because(by...).Emit(&ship.Shaken{Ship: s.ID, Post: post, Need: need, Roll: roll}, engine.SeeOnly(s.ID), l.Cite(cites.ShakenOfficers)...)
	}
}

// shakenOfficers returns the officers that a die selects.
func shakenOfficers(roll int) []string {
	switch {
	case roll <= 2:
		return []string{"captain"}
	case roll <= 5:
		return []string{ship.PostHelm}
	case roll <= 8:
		return []string{ship.PostScience}
	case roll == 9:
		return []string{ship.PostHelm, ship.PostScience}
	}
	return nil
}

// shakenSystem returns the system that a die selects; "" for none or several.
func shakenSystem(roll int) string {
	switch roll {
	case 1:
		return ship.ShakenCommunications
	case 2:
		return ship.ShakenSensors
	case 3:
		return ship.ShakenShields
	case 4:
		return ship.ShakenHelm
	case 5, 6:
		return ship.ShakenWeapons
	}
	return ""
}

// darkenSystems takes the power from the systems that a die selects: a 7, 8 or 9 means two,
// three or four more dice, halved.
func darkenSystems(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, roll, pair int, by []engine.Ref) {
	rolls := []int{roll}
	if roll >= 7 && roll <= 9 {
		rolls = nil
		for k := range roll - 5 {
			name := engine.NameRoll("shaken", s.ID).And("system", strconv.Itoa(pair+1), strconv.Itoa(k+1))
			rolls = append(rolls, (t.Roll(name, dice.D10, engine.SeeOnly(s.ID), l.Cite(cites.BridgeHits)...)+1)/2)
		}
	}
	for _, r := range rolls {
		system := shakenSystem(r)
		if system == "" {
			continue
		}
		t.Because(by...).Emit(&ship.Shaken{Ship: s.ID, System: system}, engine.SeeOnly(s.ID), l.Cite(cites.ShakenSystems)...)
		if system == ship.ShakenSensors {
			loseLocks(l, t, s, "the sensors are without power")
		}
	}
}

// loseLocks gives up all locks of a ship.
func loseLocks(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, why string) {
	for _, lock := range slices.Clone(ship.Of(s).Sensors().Locks) {
		play.Release(l, t, s, lock.Target, why, cites.LostLocks)
	}
	play.NoteVisibility(l, t)
}

// darken cuts off a ship's power after a hit on her engine room, and restores it a phase later
// (stcs 21.4).
func darken(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	hit := play.PhaseNotes[struckEngineRoom](t)[s.ID].by
	if len(hit) == 0 {
		if ship.Of(s).Bridge().Dead {
			t.Emit(&ship.Blackout{Ship: s.ID}, engine.SeeOnly(s.ID), l.Cite(cites.EngineRoomHits)...)
		}
		return
	}
	if !ship.Of(s).Bridge().Shaky(ship.PostEngineer) {
		stagger(l, t, s, ship.PostEngineer, hit)
	}
	t.Because(hit...).Emit(&ship.Blackout{Ship: s.ID, Down: true, Split: splitOf(l.Split, ship.Of(s).Alloc.Split, t.Phase.No)}, engine.SeeOnly(s.ID), l.Cite(cites.EngineRoomHits)...)
	loseLocks(l, t, s, "no power reaches the sensors")
}

// UnmannedGuns keeps a ship from firing while her gunner is shaken, or her weapons are without
// power.
func UnmannedGuns(_ *rulebook.Rules, _ *engine.Turn, s *engine.Ship) (string, []cites.Topic) {
	switch b := ship.Of(s).Bridge(); {
	case b.Dead:
		return "no power reaches the weapons: no fire", []cites.Topic{cites.EngineRoomHits}
	case b.Shaken[ship.ShakenWeapons] > 0:
		return "the weapons are without power: no fire", []cites.Topic{cites.ShakenSystems}
	case b.Shaky(ship.PostHelm), b.Shaky(gunner(s)):
		return rulebook.PostTitle(gunner(s)) + OfficerShaken + ": no fire", []cites.Topic{cites.ShakenOfficers}
	}
	return "", nil
}

// StraightOnWithoutHelm replaces a movement word while the helm's officer is shaken, or the helm
// is without power.
func StraightOnWithoutHelm(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w string) string {
	b := ship.Of(s).Bridge()
	if !b.Shaky(ship.PostHelm) && b.Shaken[ship.ShakenHelm] == 0 {
		return play.StraightOn(l, t, s, w)
	}
	on := rulebook.Onward(ship.Of(s))
	if w == on || w == "FF" && on == "F" {
		return w
	}
	why, topic := "the helm is without power: the ship runs straight on", cites.ShakenSystems
	if b.Shaky(ship.PostHelm) {
		why, topic = "the helm is shaken: the ship runs straight on", cites.ShakenOfficers
	}
	if w != "H" {
		play.Skip(l, t, s, ship.PostHelm, 0, w, why, topic)
	}
	return on
}

// Helpless forbids turns to a ship without a helm, including those that are not movement words.
func Helpless(_ *rulebook.Rules, _ *engine.Turn, s *engine.Ship, w string) (string, []cites.Topic) {
	b := ship.Of(s).Bridge()
	if slices.Contains([]string{"F", "FF", "H", board.WordAstern}, w) || !b.Shaky(ship.PostHelm) && !b.Idle(ship.ShakenHelm) {
		return "", nil
	}
	return "no one is at the helm", []cites.Topic{cites.ShakenOfficers}
}

// UnmannedSensors returns why a ship's sensors cannot be used; "" if they can.
func UnmannedSensors(s *engine.Ship) string { return unfit(s, ship.PostScience, ship.SkillSensors) }

// CaptainsGate skips fire that a ship's captain does not allow, and tells the captain and the
// helm (stcs 22.3).
func CaptainsGate(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, all []rulebook.FireOrder) []rulebook.FireOrder {
	gate := ship.Of(s).Standing.Word(rulebook.StandingGate)
	if gate == "" {
		return all
	}
	var when *orders.Cond
	if gate != verbs.GateHold {
		st, diags := orders.Say("fire when", gate).Statement(l.Language, "standing")
		if len(diags) > 0 {
			return all // the condition was checked when it was given
		}
		when = st.When
	}
	return slices.DeleteFunc(slices.Clone(all), func(f rulebook.FireOrder) bool {
		target := l.Aimed(t.Game, s, f.Target)
		holds := func(c *orders.Cond) bool {
			return slices.ContainsFunc(f.Shots, func(sh rulebook.Shot) bool {
				met, _ := play.Judge(l, t, s, target, &ship.Of(s).Banks[sh.Bank], c)
				return met
			})
		}
		met := when != nil && holds(when) || !holds(f.When) // the helm need not be told of fire that its own condition stops
		if !met {
			play.SkipFire(l, t, s, f, "the captain's word is fire "+cmp.Or(map[bool]string{true: verbs.GateHold}[when == nil], "when "+gate), cites.CaptainGates)
		}
		return !met
	})
}

// ScanBySkill scans for cloaked ships through the arc of a shield (stcs 20.5): a roll with a
// penalty finds those that have moved. It uses up the question of the phase. If there are locks
// of an earlier turn to keep, it rolls for these instead.
func ScanBySkill(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, shield int) {
	play.BusySensors(t, s)
	if keepTracked(l, t, s) {
		return
	}
	play.PhaseNotes[scannedRound](t)[s.ID] = scannedRound{}
	for _, lock := range slices.Clone(ship.Of(s).Sensors().Locks) {
		if o, ok := t.Game.Ship(lock.Target); ok && !ship.Cloaked(o) {
			play.Release(l, t, s, o.ID, "the sensors look for cloaked ships", cites.LostLocks, cites.CloakDetection)
		}
	}
	e := try(l, t, s, ship.PostScience, ship.TryScan, crewName(s, ship.TryScan), scanPenalty, cites.SensorSkill)
	defer t.Following(t.Emit(&e, engine.SeeOnly(s.ID), l.Cite(cites.SkillRatings, cites.SensorSkill)...))()
	b := &ship.Scan{Ship: s.ID, Shield: shield, Roll: e.Roll}
	var found []*engine.Ship
	for _, o := range t.Game.Ships {
		if e.Done && ship.Cloaked(o) && o.Side != s.Side && !rulebook.Locked(s, o.ID) && play.UnderWay(t, o) && play.Detection(l, t, s, o, shield, false) > 0 {
			b.Found, found = append(b.Found, o.ID), append(found, o)
		}
	}
	defer t.Following(t.Emit(b, engine.SeeOnly(s.ID), l.Cite(cites.SensorPhase, cites.SensorSkill)...))()
	for _, o := range found {
		play.Find(l, t, s, o, ship.Locking{Need: e.Need, Roll: e.Roll, Held: true, Cloaked: true})
	}
	play.NoteVisibility(l, t)
}

// tracked holds the ships that have rolled in this turn to keep their locks on cloaked ships.
type tracked map[engine.ShipID]bool

// KeepBySkill keeps locks on cloaked ships (stcs 20.5).
func KeepBySkill(l *rulebook.Rules, t *engine.Turn, s, _ *engine.Ship) { keepTracked(l, t, s) }

// keepTracked rolls once a turn, without a penalty, for a ship's locks on cloaked ships that date
// from an earlier turn (stcs 20.5). It reports whether there was anything to roll for.
func keepTracked(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) bool {
	var held []*engine.Ship
	for _, lock := range ship.Of(s).Sensors().Locks {
		if o, ok := t.Game.Ship(lock.Target); ok && ship.Cloaked(o) && lock.Since.Turn < t.Number() {
			held = append(held, o)
		}
	}
	done := play.TurnNotes[tracked](t)
	if len(held) == 0 || (*done)[s.ID] {
		return false
	}
	if *done == nil {
		*done = tracked{}
	}
	(*done)[s.ID] = true
	play.BusySensors(t, s)
	e := try(l, t, s, ship.PostScience, ship.TryKeep, crewName(s, ship.TryKeep), 0, cites.SensorSkill)
	defer t.Following(t.Emit(&e, engine.SeeOnly(s.ID), l.Cite(cites.SkillRatings, cites.SensorSkill)...))()
	for _, o := range held {
		if e.Done {
			play.Find(l, t, s, o, ship.Locking{Need: e.Need, Roll: e.Roll, Held: true, Cloaked: true, Kept: true})
			continue
		}
		play.Release(l, t, s, o.ID, "the science officer does not keep her in sight", cites.CloakTracking)
		t.Emit(&ship.Exposed{Ship: o.ID, By: play.Named(l, t.Game, o, s)}, engine.SeeOnly(o.ID), l.Cite(cites.CloakTracking)...)
	}
	play.NoteVisibility(l, t)
	return true
}

// CrewDice returns the rolls of officers.
func CrewDice() []engine.NamedDie {
	return []engine.NamedDie{
		{Name: "rating.SHIP.SKILL.N", Example: "t1.rating.hood.tactics.1", Die: dice.D10, What: "three dice for an officer's rating; N: 1 to 3"},
		{Name: "crew.SHIP.WHAT[.N]", Example: "t3.p2.crew.hood.aim", Die: dice.D100, What: "an officer's attempt: power, engine, boost, shields, reduce, superstructure, casualties, aim, ease, question, scan, keep, prevent, hail, steady-OFFICER, mend-SYSTEM; N: again in the phase"},
		{Name: "crew.SHIP.lock.TARGET", Example: "t3.p2.crew.hood.lock.wolf", Die: dice.D100, What: "a lock on TARGET by the science officer"},
		{Name: "shaken.SHIP.officer[.N]", Example: "t3.p2.shaken.hood.officer", Die: dice.D10, What: "which officer a bridge hit shakes; N: the second pair of dice, and so on"},
		{Name: "shaken.SHIP.system[.N][.K]", Example: "t3.p2.shaken.hood.system", Die: dice.D10, What: "which system; K: one of the several dice that a 7, 8 or 9 gives"},
		{Name: "cuts.SHIP.SYSTEM[.N]", Example: "t3.p2.cuts.hood.weapons", Die: dice.D10, What: "the order in which power is cut while the engineer is shaken, highest first"},
	}
}
