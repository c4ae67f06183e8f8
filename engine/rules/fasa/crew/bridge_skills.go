package crew

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Figures of skills (stcs 20).
const (
	doubled       = 5  // the highest roll that doubles the result
	lessDamage    = 3  // points that reduce takes off
	lessCasualty  = 50 // tenths of a per cent
	scanPenalty   = 20
	belowPenalty  = 10 // for each point of superstructure below 0
	mendPenalty   = 5  // for each failed attempt at a system
	noDamageTeam  = "damage control is without power"
	OfficerShaken = " is shaken"
)

// rating returns the rating of a ship's officer for a skill.
func rating(s *engine.Ship, skill string) int { return ship.Of(s).Bridge().Ratings[skill] }

// try rolls for an officer's skill: two dice at or below the rating, less a penalty, succeed
// (stcs 19.2). name tells the rolls of a phase apart.
func try(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, post, what string, name engine.RollName, penalty int, topic cites.Topic) ship.Skilled {
	e := ship.Skilled{Ship: s.ID, Post: post, Skill: verbs.SkillFor(what), What: what}
	e.Need = rating(s, e.Skill) - penalty
	e.Roll = t.Roll(name, dice.D100, engine.SeeOnly(s.ID), l.Cite(cites.SkillRatings, topic)...)
	e.Done = e.Roll <= e.Need
	return e
}

// unfit returns why an officer cannot use a skill; "" if they can.
func unfit(s *engine.Ship, post, skill string) string {
	b := ship.Of(s).Bridge()
	switch {
	case b.Shaky(post):
		return rulebook.PostTitle(post) + OfficerShaken
	case skill == ship.SkillDamageControl && b.Idle(ship.ShakenCommunications):
		return noDamageTeam
	case skill == ship.SkillSensors && b.Idle(ship.ShakenSensors):
		return "the sensors are without power"
	}
	return ""
}

// TrySkills carries out what engineer and science officer try before power is allotted, and
// tells officers what the totals leave short (stcs 20.2, 20.4, 22.2).
func TrySkills(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, p *rulebook.Plan) {
	sys := ship.Of(s)
	given := ship.Read[rulebook.Totals](p.Parts)
	if s.Status == engine.Active {
		w := ship.Read[rulebook.Wants](p.Parts)
		if given.Given {
			giveOut(l, t, s, p, w, given)
		}
	}
	tried := map[string]bool{}
	for _, o := range ship.Read[[]verbs.SkillOrder](p.Parts) {
		if tried[o.Post] {
			continue // the lines of reduce share a roll
		}
		tried[o.Post] = true
		why, rule := unfit(s, o.Post, verbs.SkillFor(o.What)), []cites.Topic{topic(o)}
		if why == "" {
			why = vain(o, sys, s.Status)
		}
		if s.Status != engine.Active { // she stays out of the fight, whatever is repaired
			rule = append(rule, cites.OutForGood)
		}
		if why != "" {
			play.Skip(l, t, s, o.Post, o.Line, o.Text, why, rule...)
			continue
		}
		e := try(l, t, s, o.Post, o.What, crewName(s, o.What), 0, topic(o))
		if e.Done {
			reap(l, sys, p, o, &e)
		}
		play.PhaseNotes[play.Rewarded](t)[s.ID] = play.Rewarded(t.Because(t.Ordered(s.ID, o.Line, o.Text)).Emit(&e, engine.SeeOnly(s.ID), l.Cite(append([]cites.Topic{cites.SkillRatings}, rule...)...)...))
	}
	if b := sys.Bridge(); b.Dead && s.Status == engine.Active { // the first phase is without power
		lost := p.Power.Split[0]
		p.Power.Split = slices.Clone(p.Power.Split)
		p.Power.Split[0], p.Power.Points = 0, p.Power.Points-lost
	}
}

// topic returns where the rules treat an attempt.
func topic(o verbs.SkillOrder) cites.Topic {
	if o.Post == ship.PostEngineer {
		return cites.EngineerSkills
	}
	return cites.ScienceSkills
}

// vain returns why an attempt would be useless; "" if it would not.
func vain(o verbs.SkillOrder, sys *ship.State, status engine.Status) string {
	switch o.What {
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
		if e, ok := sys.Engine(o.Engine); ok && e.Now >= e.Max {
			return "the " + e.Name + " engine is whole"
		}
	}
	return ""
}

// reap applies a successful skill.
func reap(l *rulebook.Rules, sys *ship.State, p *rulebook.Plan, o verbs.SkillOrder, e *ship.Skilled) {
	times := 1
	if e.Roll <= doubled {
		times = 2
	}
	switch o.What {
	case ship.TryPower:
		e.Points, e.To = times, o.Where
		morePower(l, sys, p, o.Where, times)
	case ship.TryEngine:
		if at, ok := sys.Engine(o.Engine); ok {
			e.Points = min(times, at.Max-at.Now)
			e.Engines = []ship.EngineChange{{Engine: at.Name, Change: ship.Change{Before: at.Now, After: at.Now + e.Points}}}
		}
	case ship.TryBoost:
		e.Points = 2
	case ship.TryShields:
		w := &p.Power
		ratio := sys.Design.Shield
		more := ratio.Points(w.Shields+times) - ratio.Points(w.Shields)
		before := w.ShieldPoints[o.Number-1]
		w.ShieldPoints[o.Number-1] = min(sys.Design.MaxShield, before+more)
		e.Points, e.To = w.ShieldPoints[o.Number-1]-before, fmt.Sprintf("shield %d", o.Number)
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

// morePower adds extra power to a plan (stcs 20.2): the unmet wants of helm and science get it
// first, then the first beam and shield of theirs that can take more.
func morePower(l *rulebook.Rules, sys *ship.State, p *rulebook.Plan, where string, power int) {
	w, pw := ship.Read[rulebook.Wants](p.Parts), &p.Power
	pw.Available += power
	pw.Extra = power
	o := ship.Read[rulebook.Totals](p.Parts)
	if !o.Given {
		o = rulebook.Totals{Move: pw.Movement, Weapons: pw.Weapons, Shields: pw.Shields}
	}
	switch where {
	case "movement":
		pw.Movement = o.Move + power
		pw.Points = l.MovementPoints(sys, pw.Movement)
		pw.Split = l.Split.Points(pw.Points)
	case "weapons":
		o.Weapons += power
		w.Fit(sys, pw, o)
		for _, a := range w.Arms {
			b := &sys.Banks[a.Bank]
			armed := pw.Armed[b.ID]
			if b.Max == 0 || a.Mount >= len(armed) || armed[a.Mount] == 0 {
				continue
			}
			add := max(0, min(o.Weapons-pw.Weapons, b.Most(a.Mount)*pw.ShotsOf(b.ID, a.Mount)-armed[a.Mount]))
			armed[a.Mount] += add
			pw.Weapons += add
		}
	default:
		o.Shields += power
		w.Fit(sys, pw, o)
		for _, want := range w.Shields {
			for pw.ShieldPoints[want.Number-1] < sys.Design.MaxShield && sys.Design.Shield.Cost(tactical.Sum(pw.ShieldPoints)+1) <= o.Shields {
				pw.ShieldPoints[want.Number-1]++
			}
		}
		pw.Shields = max(pw.Shields, sys.Design.Shield.Cost(tactical.Sum(pw.ShieldPoints)))
	}
	pw.Unused = pw.Available - pw.Movement - pw.Weapons - pw.Shields - pw.Cloak - pw.Labs
}

// giveOut tells helm and science which of their wants the totals leave short (stcs 22.2).
func giveOut(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, p *rulebook.Plan, w rulebook.Wants, o rulebook.Totals) {
	trial := p.Power
	arms, shields := w.Fit(ship.Of(s), &trial, o)
	for _, left := range []ship.LeftOver{{Ship: s.ID, Post: ship.PostWeapons, What: arms}, {Ship: s.ID, Post: ship.PostScience, What: shields}} {
		if len(left.What) > 0 {
			t.Because(t.Ordered(s.ID, o.Line, o.Text)).Emit(&left, engine.SeeOnly(s.ID), l.Cite(cites.PostTotals)...)
		}
	}
}

// TakeAim rolls for ships whose helm aims with care in this fire phase (stcs 20.3).
func TakeAim(l *rulebook.Rules, sv *rulebook.Salvo) {
	t := sv.Turn
	for _, s := range ship.Fighting(t.Game) {
		for _, o := range play.OrderedNow[verbs.AimOrder](t, s) {
			met, missing := play.Judge(l, t, s, "", nil, o.When)
			if !met {
				if len(missing) > 0 {
					play.Unknown(l, t, s, ship.PostWeapons, o.Line, o.Text, missing)
				}
				continue
			}
			why := unfit(s, gunner(s), ship.SkillWeaponry)
			if ship.Of(s).Bridge().Aims >= verbs.MostAims {
				why = fmt.Sprintf("the helm has aimed in %s phases of this turn", words.Number(verbs.MostAims))
			}
			if why != "" {
				play.Skip(l, t, s, ship.PostWeapons, o.Line, o.Text, why, cites.HelmSkills)
				break
			}
			e := try(l, t, s, gunner(s), ship.TryAim, crewName(s, ship.TryAim), 0, cites.HelmSkills)
			t.Because(t.Ordered(s.ID, o.Line, o.Text)).Emit(&e, engine.SeeOnly(s.ID), l.Cite(cites.SkillRatings, cites.HelmSkills)...)
			if e.Done {
				play.PhaseNotes[careful](t)[s.ID] = careful{}
			}
			break
		}
	}
}

// careful records that a ship aims with care in the current fire phase.
type careful struct{}

// gunner returns the post that fires: weapons if it is filled, otherwise the helm.
func gunner(s *engine.Ship) string {
	if s.Crew[ship.PostWeapons] != "" {
		return ship.PostWeapons
	}
	return ship.PostHelm
}

// WithCare raises to-hit numbers by 1 where the helm aims with care.
func WithCare(_ *rulebook.Rules, t *engine.Turn, v *rulebook.Volley) (string, int, []cites.Topic) {
	if _, ok := play.PhaseNotes[careful](t)[v.Ship.ID]; ok {
		return "aimed with care", 1, []cites.Topic{cites.HelmSkills}
	}
	return "", 0, nil
}

// Ease lets the helm lessen the stress of the first emergency heading change of a turn: one point
// of engine power less in all, and the charts as at one warp factor lower (stcs 20.3).
func Ease(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, c rulebook.Toll) rulebook.Toll {
	if ship.Of(s).Bridge().Eased || unfit(s, ship.PostHelm, ship.SkillHelm) != "" {
		return c
	}
	e := try(l, t, s, ship.PostHelm, ship.TryEase, crewName(s, ship.TryEase), 0, cites.HelmSkills)
	t.Because(play.LastShift(t, s.ID)).Emit(&e, engine.SeeOnly(s.ID), l.Cite(cites.SkillRatings, cites.HelmSkills)...)
	if !e.Done {
		return c
	}
	slower, ok := ship.Of(s).Clone().(*ship.State)
	if !ok {
		return c // a system's clone is one
	}
	slower.Helm().Warp = max(0, slower.Helm().Warp-1)
	c = l.Strain(l, slower)
	for i := range c.Engines {
		if c.Engines[i].After < c.Engines[i].Before {
			c.Engines[i].After++
			break
		}
	}
	c.Rule = append(c.Rule, cites.HelmSkills)
	return c
}

// spare is damage that the science officer will take off in a fire phase.
type spare struct {
	order verbs.SkillOrder
	most  int
}

// NameReduction fixes how much damage science officers take off in a fire phase, after targets
// are declared and before any die is thrown (stcs 20.4).
func NameReduction(l *rulebook.Rules, sv *rulebook.Salvo) {
	t := sv.Turn
	for _, s := range ship.Fighting(t.Game) {
		left := ship.Of(s).Bridge().Reduce
		if left == 0 || unfit(s, ship.PostScience, ship.SkillDamageControl) != "" {
			continue
		}
		for _, o := range play.Ordered[[]verbs.SkillOrder](t, s) {
			if o.What != ship.TryReduce {
				continue
			}
			met, missing := play.Judge(l, t, s, "", nil, o.When)
			if len(missing) > 0 && !met {
				play.Unknown(l, t, s, ship.PostScience, o.Line, o.Text, missing)
			}
			if take := min(left, o.Number); met && take > 0 {
				left -= take
				named := play.PhaseNotes[[]spare](t)
				named[s.ID] = append(named[s.ID], spare{o, take})
			}
		}
	}
}

// ReduceDamage takes the points that science officers named off what gets through shields, shot
// by shot before the locations are known (stcs 20.4).
func ReduceDamage(l *rulebook.Rules, sv *rulebook.Salvo) {
	t := sv.Turn
	for i := range sv.Through {
		p := &sv.Through[i]
		spares := play.PhaseNotes[[]spare](t)[p.Target.ID]
		for k := range spares {
			take := min(p.Through, spares[k].most)
			if take == 0 {
				continue
			}
			spares[k].most -= take
			p.Through -= take
			p.Spared += take
			p.Pierced = t.Because(t.Ordered(p.Target.ID, spares[k].order.Line, spares[k].order.Text), p.Pierced).Emit(
				&ship.Spared{Ship: p.Target.ID, From: p.From, Weapon: p.Weapon, Mount: p.Mount, Points: take, Left: ship.Of(p.Target).Bridge().Reduce - take},
				engine.SeeOnly(p.Target.ID), l.Cite(cites.ScienceSkills)...)
		}
	}
}

// Hold lets the science officer try to keep a ship from exploding when her superstructure gives
// way (stcs 20.6), with a penalty of ten for each point below 0.
func Hold(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, b *ship.Explode) {
	if why := unfit(s, ship.PostScience, ship.SkillDamageControl); why != "" {
		b.Exploded = true
		return
	}
	e := try(l, t, s, ship.PostScience, ship.TryPrevent, crewRoll(t, s, ship.TryPrevent), belowPenalty*b.Need, cites.HeldExplosions)
	t.Because(play.RuinOf(t, s.ID)...).Emit(&e, engine.SeeOnly(s.ID), l.Cite(cites.SkillRatings, cites.HeldExplosions)...)
	b.Exploded = !e.Done
}

// Hail returns whom a message in orders reaches (stcs 20.7): ships of the same side while
// communications have power, other ships by a roll of the science officer for each message.
func Hail(l *rulebook.Rules, t *engine.Turn, from engine.Seat, st orders.Statement, to []engine.ShipID) []engine.ShipID {
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
		why = rulebook.PostTitle(ship.PostScience) + OfficerShaken
	default:
		rollRatings(l, t, s, b, ship.PostScience)
		e := try(l, t, s, ship.PostScience, ship.TryHail, crewRoll(t, s, ship.TryHail), 0, cites.Hails)
		t.Because(t.Ordered(s.ID, st.Pos.Line, orders.FormatStatement(st))).Emit(&e, engine.SeeOnly(s.ID), l.Cite(cites.SkillRatings, cites.Hails)...)
		if e.Done {
			return to
		}
	}
	said, _, _ := strings.Cut(orders.FormatStatement(st), "\n")
	skip := &engine.Skip{Ship: s.ID, Post: from.Post, Line: st.Pos.Line, Order: said, Reason: why}
	from.Post = cmp.Or(from.Post, engine.AllPosts) // without a post, only the captain sees it
	t.Emit(skip, engine.SeeSeats(from), l.Cite(cites.SkippedOrders, cites.Hails)...)
	return friends
}

// crewName returns the name of a roll of one of a ship's officers.
func crewName(s *engine.Ship, what string) engine.RollName {
	return engine.NameRoll("crew", s.ID).And(what)
}

// crewRoll is crewName for rolls that may come more than once in a phase.
func crewRoll(t *engine.Turn, s *engine.Ship, what string) engine.RollName {
	return play.Hazard(t, crewName(s, what))
}

// LockBySkill tries for a lock by the science officer's skill (stcs 20.5).
func LockBySkill(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, target engine.ShipID) (need, roll int) {
	e := try(l, t, s, ship.PostScience, ship.TryLock, crewName(s, ship.TryLock).Of(target), 0, cites.SensorSkill)
	return e.Need, e.Roll
}

// AskBySkill rolls for a question (stcs 20.5).
func AskBySkill(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, question string) bool {
	if _, scanned := play.PhaseNotes[scannedRound](t)[s.ID]; scanned {
		if len(play.OrderedNow[rulebook.Asking](t, s)) > 0 {
			play.Skip(l, t, s, ship.PostScience, 0, "question "+question, "the scan took the question of the phase", cites.SensorSkill)
		}
		return false // a scan takes the question of the phase
	}
	e := try(l, t, s, ship.PostScience, ship.TryQuestion, crewName(s, ship.TryQuestion), 0, cites.SensorSkill)
	t.Emit(&e, engine.SeeOnly(s.ID), l.Cite(cites.SkillRatings, cites.SensorSkill)...)
	return e.Done
}

// splitOf returns the movement points of a turn's phases without those of the phases after the
// given one.
func splitOf(split tactical.Split, now []int, phase int) []int {
	out := slices.Clone(now)
	for n := phase; n < split.Phases() && n < len(out); n++ {
		out[n] = 0
	}
	return out
}

// scannedRound records that a ship has scanned for cloaked ships in the current phase.
type scannedRound struct{}
