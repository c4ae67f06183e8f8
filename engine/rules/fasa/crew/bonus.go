package crew

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// bonusGreat is the highest roll that doubles a bonus (ruling D38).
const bonusGreat = 5

// BonusOrder is the bonus that a crew is ordered to try, and, for power, where it goes.
type BonusOrder struct {
	line   int
	text   string
	what   string
	engine string
	shield int            // number of the shield that gets power; 0 for none
	shot   *rulebook.Shot // mount that gets power; nil for none
}

// crewless records a mistake, and returns true, if the ship has no crew that could earn a bonus.
func crewless(c *rulebook.Compiler, st orders.Statement) bool {
	if c.Sys.Has("people") {
		return false
	}
	c.Fail(st.Pos, "E194", "leave it out", "this game has no captains and crews (crews = %q), so there is no bonus", rulebook.CrewsOff)
	return true
}

// CompileBonus reads the bonus to try in this turn.
func CompileBonus(c *rulebook.Compiler, _ int, st orders.Statement) {
	if crewless(c, st) {
		return
	}
	o := &BonusOrder{line: st.Pos.Line, text: orders.FormatStatement(st), what: rulebook.BonusPower}
	switch st.Form {
	case 0:
		o.what = rulebook.BonusSuperstructure
	case 1:
		o.what = rulebook.BonusEngine
		var known []string
		for _, e := range c.Sys.Engines() {
			known = append(known, e.Name)
		}
		names := c.Named(st.All("ENGINE"), known, "engine")
		if len(names) == 0 {
			return
		}
		o.engine = names[0]
	case 3:
		a, _ := st.Arg("SHIELD")
		if a.Num < 1 || a.Num > 6 {
			c.Fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
			return
		}
		o.shield = a.Num
	case 4:
		a, _ := st.Arg("MOUNT")
		shots, ok := c.Weapon(a, "armed")
		switch {
		case !ok:
			return
		case len(shots) > 1 || !c.Sys.Banks[shots[0].Bank].AnyPower():
			c.Fail(a.Pos, "E192", "name one beam mount", "the extra power goes into one beam weapon")
			return
		}
		o.shot = &shots[0]
	case 5:
		o.what = rulebook.BonusNone
	}
	*ship.Edit[*BonusOrder](&c.Plan.Parts) = o
	if o.what == rulebook.BonusNone {
		return
	}
	if why := o.vain(c.Sys); why != "" {
		c.Warn(st.Pos, "W193", "try something else", "%s: nothing is tried", why)
		return
	}
	if p := c.Sys.People(); p.EfficiencyDue {
		c.Effect(st.Pos.Line, "succeeds by the crew's efficiency, %s", RatingWords(0, true, EfficiencyBase))
		return
	}
	c.Effect(st.Pos.Line, "works with %d%%", ship.Efficiency(c.Sys))
}

// CompileBonuses reads the bonuses to try in turns without a bonus order.
func CompileBonuses(c *rulebook.Compiler, _ int, st orders.Statement) {
	if crewless(c, st) {
		return
	}
	var list []string
	for _, a := range st.All("TASK") {
		if slices.Contains(list, a.Text) || a.Text == rulebook.BonusNone && len(st.All("TASK")) > 1 {
			c.Fail(a.Pos, "E126", "", "%s cannot be added there", a.Text)
			continue
		}
		list = append(list, a.Text)
	}
	c.Plan.Standing.SetList("bonus", list...)
}

// vain returns why a bonus would be useless; "" if it would not.
func (o *BonusOrder) vain(sys *ship.State) string {
	switch o.what {
	case rulebook.BonusSuperstructure:
		if sys.Superstructure >= sys.Design.Superstructure {
			return "the superstructure is whole"
		}
	case rulebook.BonusEngine:
		if e, ok := sys.Engine(o.engine); ok && e.Now >= e.Max {
			return "the " + e.Name + " engine is whole"
		}
	}
	return ""
}

// StandingBonus returns the bonus that a crew tries by the standing orders; nil for none.
func StandingBonus(sys *ship.State, list []string) *BonusOrder {
	for _, what := range list {
		o := &BonusOrder{what: what}
		if what == rulebook.BonusEngines {
			o.what = rulebook.BonusEngine
			worst := 0
			for _, e := range sys.Engines() {
				if e.Max-e.Now > worst {
					worst, o.engine = e.Max-e.Now, e.Name
				}
			}
			if worst == 0 {
				continue
			}
		}
		if what != rulebook.BonusNone && o.vain(sys) == "" {
			return o
		}
	}
	return nil
}

// Reward rolls for a crew's bonus in the power phase, before power is allotted by the plan
// (stcs 12.3). Extra power is added to the plan.
func Reward(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, p *rulebook.Plan) {
	sys, o := ship.Of(s), ship.Read[*BonusOrder](p.Parts)
	by := t.OrderedIn(s.ID, "standing", "bonus")
	if o != nil {
		by = t.Ordered(s.ID, o.line, o.text)
	} else {
		o = StandingBonus(sys, p.Standing.List("bonus"))
	}
	if o == nil || o.what == rulebook.BonusNone || !sys.Has("people") {
		return
	}
	why := o.vain(sys)
	rule := []cites.Topic{cites.CrewBonus}
	if s.Status != engine.Active { // she stays out of the fight, whatever is repaired
		rule = append(rule, cites.OutForGood)
		if o.what == rulebook.BonusPower {
			why = "a crippled ship has no use for power"
		}
	}
	if why != "" {
		play.Skip(l, t, s, ship.PostCaptain, o.line, o.text, why, rule...)
		return
	}
	b := &ship.Bonus{Ship: s.ID, What: o.what, Need: ship.Efficiency(sys)}
	b.Roll = t.Roll(engine.NameRoll("bonus", s.ID), dice.D100, engine.SeeOnly(s.ID), l.Cite(cites.CrewBonus, cites.CrewBonusRoll)...)
	if b.Roll <= b.Need {
		b.Points = 1
		if b.Roll <= bonusGreat {
			b.Points = 2
		}
	}
	switch {
	case b.Points == 0:
	case o.what == rulebook.BonusSuperstructure:
		b.Points = min(b.Points, sys.Design.Superstructure-sys.Superstructure)
		b.Superstructure = &ship.Change{Before: sys.Superstructure, After: sys.Superstructure + b.Points}
	case o.what == rulebook.BonusEngine:
		if e, ok := sys.Engine(o.engine); ok {
			b.Points = min(b.Points, e.Max-e.Now)
			b.Engines = []ship.EngineChange{{Engine: e.Name, Change: ship.Change{Before: e.Now, After: e.Now + b.Points}}}
		}
	default:
		b.To = extra(p, sys, o, b.Points, l.Split)
	}
	play.PhaseNotes[play.Rewarded](t)[s.ID] = play.Rewarded(t.Because(by).Emit(b, engine.SeeOnly(s.ID), l.Cite(append(append([]cites.Topic{cites.CrewEfficiency}, rule...), cites.CrewBonusRoll)...)...))
}

// extra adds extra power to a plan and returns in words where it went.
func extra(p *rulebook.Plan, sys *ship.State, o *BonusOrder, power int, split tactical.Split) string {
	w := &p.Power
	w.Available += power
	w.Extra = power
	switch {
	case o.shot != nil:
		b := &sys.Banks[o.shot.Bank]
		armed := w.Armed[b.ID]
		if armed == nil {
			armed = make([]int, len(b.Mounts))
			w.Armed[b.ID] = armed
		}
		add := max(0, min(power, b.Most(o.shot.Mount)*w.ShotsOf(b.ID, o.shot.Mount)-armed[o.shot.Mount]))
		armed[o.shot.Mount] += add
		w.Weapons += add
		w.Unused += power - add
		if add < power {
			return fmt.Sprintf("%s, which takes %d", ship.MountName(b, o.shot.Mount), add)
		}
		return ship.MountName(b, o.shot.Mount)
	case o.shield > 0:
		w.Shields += power
		more := sys.Design.Shield.Points(w.Shields) - tactical.Sum(w.ShieldPoints)
		before := w.ShieldPoints[o.shield-1]
		w.ShieldPoints[o.shield-1] = min(sys.Design.MaxShield, before+more)
		if before == w.ShieldPoints[o.shield-1] {
			return fmt.Sprintf("shield %d, which gains nothing by it", o.shield)
		}
		return fmt.Sprintf("shield %d", o.shield)
	default:
		w.Movement += power
		w.Points = sys.Design.Move.Points(w.Movement)
		w.Split = split.Points(w.Points)
		return "movement"
	}
}
