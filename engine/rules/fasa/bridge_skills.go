package fasa

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/tactical"
	"starpost/orders"
)

// The figures of skills (stcs 20).
const (
	doubled       = 5  // the highest roll that doubles what is tried
	lessDamage    = 3  // points that reduce takes off
	lessCasualty  = 50 // tenths of a per cent
	scanPenalty   = 20
	belowPenalty  = 10 // for each point of superstructure below 0
	mendPenalty   = 5  // for each failure on a system
	noDamageTeam  = "damage control is without power"
	officerShaken = " is shaken"
)

// rating is what an officer of a ship has to roll, or less.
func rating(s *engine.Ship, skill string) int { return ship.Of(s).Bridge().Ratings[skill] }

// try rolls for an officer's skill: the rating, less a penalty, or less on two dice does it
// (stcs 19.2). Name tells rolls of a phase apart.
func (l *rulebook) try(t *engine.Turn, s *engine.Ship, post, what string, name engine.RollName, penalty int, topic cites.Topic) ship.Skilled {
	e := ship.Skilled{Ship: s.ID, Post: post, Skill: skillFor(what), What: what}
	e.Need = rating(s, e.Skill) - penalty
	e.Roll = t.Roll(name, dice.D100, engine.SeeOnly(s.ID), l.cite(cites.SkillRatings, topic)...)
	e.Done = e.Roll <= e.Need
	return e
}

// unfit says why an officer can try nothing by a skill; blank if he can.
func unfit(s *engine.Ship, post, skill string) string {
	b := ship.Of(s).Bridge()
	switch {
	case b.Shaky(post):
		return postTitle(post) + officerShaken
	case skill == ship.SkillDamageControl && b.Idle(ship.ShakenCommunications):
		return noDamageTeam
	case skill == ship.SkillSensors && b.Idle(ship.ShakenSensors):
		return "the sensors are without power"
	}
	return ""
}

// trySkills carries out what engineer and science officer try before power is given out,
// and lets the totals go round (stcs 20.2, 20.4, 22.2).
func (l *rulebook) trySkills(t *engine.Turn, s *engine.Ship, p *plan) {
	sys := ship.Of(s)
	given := ship.Read[totals](p.parts)
	if s.Status == engine.Active {
		w := ship.Read[wants](p.parts)
		if given.given {
			l.giveOut(t, s, p, w, given)
		}
	}
	tried := map[string]bool{}
	for _, o := range ship.Read[[]skillOrder](p.parts) {
		if tried[o.post] {
			continue // the lines of reduce share a roll
		}
		tried[o.post] = true
		why, rule := unfit(s, o.post, skillFor(o.what)), []cites.Topic{o.topic()}
		if why == "" {
			why = o.vain(sys, s.Status)
		}
		if s.Status != engine.Active { // whatever is mended on her
			rule = append(rule, cites.OutForGood)
		}
		if why != "" {
			l.skip(t, s, o.post, o.line, o.text, why, rule...)
			continue
		}
		e := l.try(t, s, o.post, o.what, crewName(s, o.what), 0, o.topic())
		if e.Done {
			l.reap(sys, p, o, &e)
		}
		phaseNotes[rewarded](t)[s.ID] = rewarded(t.Because(t.Ordered(s.ID, o.line, o.text)).Emit(&e, engine.SeeOnly(s.ID), l.cite(append([]cites.Topic{cites.SkillRatings}, rule...)...)...))
	}
	if b := sys.Bridge(); b.Dead && s.Status == engine.Active { // the first phase is without power
		lost := p.power.Split[0]
		p.power.Split = slices.Clone(p.power.Split)
		p.power.Split[0], p.power.Points = 0, p.power.Points-lost
	}
}

// topic is where the rules treat what is tried.
func (o skillOrder) topic() cites.Topic {
	if o.post == ship.PostEngineer {
		return cites.EngineerSkills
	}
	return cites.ScienceSkills
}

// vain says why it is of no use to try; blank if it is.
func (o skillOrder) vain(sys *ship.State, status engine.Status) string {
	switch o.what {
	case ship.TryPower, ship.TryShields, ship.TryReduce, ship.TryBoost:
		if status != engine.Active {
			return "a crippled ship has no use for it"
		}
	case ship.TrySuperstructure:
		if sys.Superstructure >= sys.Design.Superstructure {
			return "the superstructure is whole"
		}
	case ship.TryCasualties:
		if sys.Crew().Lost == 0 {
			return "there are no casualties"
		}
	case ship.TryEngine:
		if e, ok := sys.Engine(o.engine); ok && e.Now >= e.Max {
			return "the " + e.Name + " engine is whole"
		}
	}
	return ""
}

// reap is what a skill that worked does.
func (l *rulebook) reap(sys *ship.State, p *plan, o skillOrder, e *ship.Skilled) {
	times := 1
	if e.Roll <= doubled {
		times = 2
	}
	switch o.what {
	case ship.TryPower:
		e.Points, e.To = times, o.where
		l.morePower(sys, p, o.where, times)
	case ship.TryEngine:
		if at, ok := sys.Engine(o.engine); ok {
			e.Points = min(times, at.Max-at.Now)
			e.Engines = []ship.EngineChange{{Engine: at.Name, Change: ship.Change{Before: at.Now, After: at.Now + e.Points}}}
		}
	case ship.TryBoost:
		e.Points = 2
	case ship.TryShields:
		w := &p.power
		ratio := sys.Design.Shield
		more := ratio.Points(w.Shields+times) - ratio.Points(w.Shields)
		before := w.ShieldPoints[o.number-1]
		w.ShieldPoints[o.number-1] = min(sys.Design.MaxShield, before+more)
		e.Points, e.To = w.ShieldPoints[o.number-1]-before, fmt.Sprintf("shield %d", o.number)
	case ship.TryReduce:
		e.Points = lessDamage * times
	case ship.TrySuperstructure:
		e.Points = min(times, sys.Design.Superstructure-sys.Superstructure)
		e.Superstructure = &ship.Change{Before: sys.Superstructure, After: sys.Superstructure + e.Points}
	case ship.TryCasualties:
		before := sys.Crew().Lost
		e.Points = min(before, lessCasualty)
		e.Casualties = &ship.Change{Before: before, After: before - e.Points}
	}
}

// morePower puts power that the engines do not give into a plan (stcs 20.2): what helm and
// science have written gets it first, then the first beam and shield that can take more.
func (l *rulebook) morePower(sys *ship.State, p *plan, where string, power int) {
	w, pw := ship.Read[wants](p.parts), &p.power
	pw.Available += power
	pw.Extra = power
	o := ship.Read[totals](p.parts)
	if !o.given {
		o = totals{move: pw.Movement, weapons: pw.Weapons, shields: pw.Shields}
	}
	switch where {
	case "movement":
		pw.Movement = o.move + power
		pw.Points = l.MovementPoints(sys, pw.Movement)
		pw.Split = l.Split.Points(pw.Points)
	case "weapons":
		o.weapons += power
		w.fit(sys, pw, o)
		for _, a := range w.arms {
			b := &sys.Banks[a.bank]
			armed := pw.Armed[b.ID]
			if b.Max == 0 || a.mount >= len(armed) || armed[a.mount] == 0 {
				continue
			}
			add := max(0, min(o.weapons-pw.Weapons, b.Most(a.mount)*pw.ShotsOf(b.ID, a.mount)-armed[a.mount]))
			armed[a.mount] += add
			pw.Weapons += add
		}
	default:
		o.shields += power
		w.fit(sys, pw, o)
		for _, want := range w.shields {
			for pw.ShieldPoints[want.number-1] < sys.Design.MaxShield && sys.Design.Shield.Cost(tactical.Sum(pw.ShieldPoints)+1) <= o.shields {
				pw.ShieldPoints[want.number-1]++
			}
		}
		pw.Shields = max(pw.Shields, sys.Design.Shield.Cost(tactical.Sum(pw.ShieldPoints)))
	}
	pw.Unused = pw.Available - pw.Movement - pw.Weapons - pw.Shields - pw.Cloak - pw.Labs
}

// giveOut tells helm and science what of theirs the totals do not give (stcs 22.2).
func (l *rulebook) giveOut(t *engine.Turn, s *engine.Ship, p *plan, w wants, o totals) {
	trial := p.power
	arms, shields := w.fit(ship.Of(s), &trial, o)
	for _, left := range []ship.LeftOver{{Ship: s.ID, Post: ship.PostWeapons, What: arms}, {Ship: s.ID, Post: ship.PostScience, What: shields}} {
		if len(left.What) > 0 {
			t.Because(t.Ordered(s.ID, o.line, o.text)).Emit(&left, engine.SeeOnly(s.ID), l.cite(cites.PostTotals)...)
		}
	}
}

// takeAim rolls for ships whose helm aims with care in this fire phase (stcs 20.3).
func (l *rulebook) takeAim(sv *salvo) {
	t := sv.t
	for _, s := range ship.Fighting(t.Game) {
		for _, o := range orderedNow[aimOrder](t, s) {
			met, missing := l.judge(t, s, "", nil, o.when)
			if !met {
				if len(missing) > 0 {
					l.unknown(t, s, ship.PostWeapons, o.line, o.text, missing)
				}
				continue
			}
			why := unfit(s, gunner(s), ship.SkillWeaponry)
			if ship.Of(s).Bridge().Aims >= mostAims {
				why = fmt.Sprintf("the helm has aimed in %s phases of this turn", words.Number(mostAims))
			}
			if why != "" {
				l.skip(t, s, ship.PostWeapons, o.line, o.text, why, cites.HelmSkills)
				break
			}
			e := l.try(t, s, gunner(s), ship.TryAim, crewName(s, ship.TryAim), 0, cites.HelmSkills)
			t.Because(t.Ordered(s.ID, o.line, o.text)).Emit(&e, engine.SeeOnly(s.ID), l.cite(cites.SkillRatings, cites.HelmSkills)...)
			if e.Done {
				phaseNotes[careful](t)[s.ID] = careful{}
			}
			break
		}
	}
}

// careful tells that a ship aims with care in the fire phase that is played.
type careful struct{}

// gunner is the officer who fires.
func gunner(s *engine.Ship) string {
	if s.Crew[ship.PostWeapons] != "" {
		return ship.PostWeapons
	}
	return ship.PostHelm
}

// withCare lets dice count 1 less where the helm aims with care.
func withCare(_ *rulebook, t *engine.Turn, v *volley) (string, int, []cites.Topic) {
	if _, ok := phaseNotes[careful](t)[v.ship.ID]; ok {
		return "aimed with care", 1, []cites.Topic{cites.HelmSkills}
	}
	return "", 0, nil
}

// ease lets the helm take stress off the first emergency heading change of a turn: one point
// of engine power less in all, and the charts as one warp factor lower (stcs 20.3).
func (l *rulebook) ease(t *engine.Turn, s *engine.Ship, c toll) toll {
	if ship.Of(s).Bridge().Eased || unfit(s, ship.PostHelm, ship.SkillHelm) != "" {
		return c
	}
	e := l.try(t, s, ship.PostHelm, ship.TryEase, crewName(s, ship.TryEase), 0, cites.HelmSkills)
	t.Because(lastShift(t, s.ID)).Emit(&e, engine.SeeOnly(s.ID), l.cite(cites.SkillRatings, cites.HelmSkills)...)
	if !e.Done {
		return c
	}
	slower, ok := ship.Of(s).Clone().(*ship.State)
	if !ok {
		return c // a system's clone is one
	}
	slower.Helm().Warp = max(0, slower.Helm().Warp-1)
	c = l.stress(l, slower)
	for i := range c.engines {
		if c.engines[i].After < c.engines[i].Before {
			c.engines[i].After++
			break
		}
	}
	c.rule = append(c.rule, cites.HelmSkills)
	return c
}

// spare is damage that the science officer means to take off in a fire phase.
type spare struct {
	order skillOrder
	most  int
}

// nameReduction settles how much damage science officers take off in a fire phase, when targets
// are declared and before any die is thrown (stcs 20.4).
func (l *rulebook) nameReduction(sv *salvo) {
	t := sv.t
	for _, s := range ship.Fighting(t.Game) {
		left := ship.Of(s).Bridge().Reduce
		if left == 0 || unfit(s, ship.PostScience, ship.SkillDamageControl) != "" {
			continue
		}
		for _, o := range ordered[[]skillOrder](t, s) {
			if o.what != ship.TryReduce {
				continue
			}
			met, missing := l.judge(t, s, "", nil, o.when)
			if len(missing) > 0 && !met {
				l.unknown(t, s, ship.PostScience, o.line, o.text, missing)
			}
			if take := min(left, o.number); met && take > 0 {
				left -= take
				named := phaseNotes[[]spare](t)
				named[s.ID] = append(named[s.ID], spare{o, take})
			}
		}
	}
}

// reduceDamage takes points off what goes through a ship's shields, as her science officer
// has named them, shot by shot before their locations are known (stcs 20.4).
func (l *rulebook) reduceDamage(sv *salvo) {
	t := sv.t
	for i := range sv.through {
		p := &sv.through[i]
		spares := phaseNotes[[]spare](t)[p.target.ID]
		for k := range spares {
			take := min(p.through, spares[k].most)
			if take == 0 {
				continue
			}
			spares[k].most -= take
			p.through -= take
			p.spared += take
			p.pierced = t.Because(t.Ordered(p.target.ID, spares[k].order.line, spares[k].order.text), p.pierced).Emit(
				&ship.Spared{Ship: p.target.ID, From: p.from, Weapon: p.weapon, Mount: p.mount, Points: take, Left: ship.Of(p.target).Bridge().Reduce - take},
				engine.SeeOnly(p.target.ID), l.cite(cites.ScienceSkills)...)
		}
	}
}

// hold lets the science officer keep a ship from exploding whose superstructure gives way
// (stcs 20.6): ten more on the dice for each point below 0.
func hold(l *rulebook, t *engine.Turn, s *engine.Ship, b *ship.Explode) {
	if why := unfit(s, ship.PostScience, ship.SkillDamageControl); why != "" {
		b.Exploded = true
		return
	}
	e := l.try(t, s, ship.PostScience, ship.TryPrevent, l.crewRoll(t, s, ship.TryPrevent), belowPenalty*b.Need, cites.HeldExplosions)
	t.Because(ruinOf(t, s.ID)...).Emit(&e, engine.SeeOnly(s.ID), l.cite(cites.SkillRatings, cites.HeldExplosions)...)
	b.Exploded = !e.Done
}

// hail is whom a message of orders reaches (stcs 20.7): ships of the own side while communications
// have power, those of another if the science officer's roll says so, one for each message.
func (l *rulebook) hail(t *engine.Turn, from engine.Seat, st orders.Statement, to []engine.ShipID) []engine.ShipID {
	s, ok := t.Game.Ship(from.Ship)
	if !ok || len(to) == 0 {
		return to
	}
	var friends []engine.ShipID
	for _, id := range to {
		if o, ok := t.Game.Ship(id); ok && o.Side == s.Side {
			friends = append(friends, id)
		}
	}
	b, why := ship.Of(s).Bridge(), "it does not get through: say it again in a later turn"
	switch {
	case b.Idle(ship.ShakenCommunications):
		friends, why = nil, "communications are without power"
	case len(friends) == len(to):
		return to
	case b.Shaky(ship.PostScience):
		why = postTitle(ship.PostScience) + officerShaken
	default:
		l.rollRatings(t, s, b, ship.PostScience)
		e := l.try(t, s, ship.PostScience, ship.TryHail, l.crewRoll(t, s, ship.TryHail), 0, cites.Hails)
		t.Because(t.Ordered(s.ID, st.Pos.Line, orders.FormatStatement(st))).Emit(&e, engine.SeeOnly(s.ID), l.cite(cites.SkillRatings, cites.Hails)...)
		if e.Done {
			return to
		}
	}
	said, _, _ := strings.Cut(orders.FormatStatement(st), "\n")
	skip := &engine.Skip{Ship: s.ID, Post: from.Post, Line: st.Pos.Line, Order: said, Reason: why}
	from.Post = cmp.Or(from.Post, engine.AllPosts) // as those are named who see what is said to them alone
	t.Emit(skip, engine.SeeSeats(from), l.cite(cites.SkippedOrders, cites.Hails)...)
	return friends
}

// crewName is the name of a roll of one of a ship's officers.
func crewName(s *engine.Ship, what string) engine.RollName {
	return engine.NameRoll("crew", s.ID).And(what)
}

// crewRoll is crewName for one that may come more than once in a phase.
func (l *rulebook) crewRoll(t *engine.Turn, s *engine.Ship, what string) engine.RollName {
	return l.hazard(t, crewName(s, what))
}

// lockBySkill is a lock by the science officer's sensors (stcs 20.5).
func lockBySkill(l *rulebook, t *engine.Turn, s *engine.Ship, target engine.ShipID) (need, roll int) {
	e := l.try(t, s, ship.PostScience, ship.TryLock, crewName(s, ship.TryLock).Of(target), 0, cites.SensorSkill)
	return e.Need, e.Roll
}

// askBySkill rolls for a question (stcs 20.5).
func askBySkill(l *rulebook, t *engine.Turn, s *engine.Ship, question string) bool {
	if _, scanned := phaseNotes[scannedRound](t)[s.ID]; scanned {
		if len(orderedNow[asking](t, s)) > 0 {
			l.skip(t, s, ship.PostScience, 0, "question "+question, "the scan took the question of the phase", cites.SensorSkill)
		}
		return false // a scan takes the question of the phase
	}
	e := l.try(t, s, ship.PostScience, ship.TryQuestion, crewName(s, ship.TryQuestion), 0, cites.SensorSkill)
	t.Emit(&e, engine.SeeOnly(s.ID), l.cite(cites.SkillRatings, cites.SensorSkill)...)
	return e.Done
}

// splitOf is the movement points of the phases of a turn that are left once those from a
// phase on are gone.
func splitOf(split tactical.Split, now []int, phase int) []int {
	out := slices.Clone(now)
	for n := phase; n < split.Phases() && n < len(out); n++ {
		out[n] = 0
	}
	return out
}

// scannedRound tells that a ship has looked for cloaked ships in the phase that is played.
type scannedRound struct{}
