package play

import (
	"cmp"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// inflict adds damage to a volley of the impulse.
func inflict(l *rulebook.Rules, t *engine.Turn, target *engine.Ship, side, points int, by source, cause engine.Ref) {
	n := memo(t)
	i := slices.IndexFunc(n.volleys, func(v volley) bool { return v.ship == target.ID && v.side == side })
	if i < 0 {
		i = len(n.volleys)
		n.volleys = append(n.volleys, volley{ship: target.ID, side: side})
	}
	v := &n.volleys[i]
	if by.beam.Shield == 0 {
		v.points += points
	}
	v.from, v.causes = append(v.from, by.from), append(v.causes, cause)
	if l.Block != nil {
		v.parts = append(v.parts, blockPart{source: by, points: points})
	}
}

// resolve applies the volleys of an impulse: ships by id, shields by number.
func resolve(l *rulebook.Rules, t *engine.Turn) {
	n := memo(t)
	slices.SortStableFunc(n.volleys, func(a, b volley) int { return cmp.Or(cmp.Compare(a.ship, b.ship), cmp.Compare(a.side, b.side)) })
	for i := range n.volleys {
		v := &n.volleys[i]
		s, ok := t.Game.Ship(v.ship)
		if ok && fair(s) {
			strikeShield(l, t, s, v)
		}
		if last := i+1 == len(n.volleys) || n.volleys[i+1].ship != v.ship; ok && last && len(n.inside) > 0 {
			allocateBlock(l, t, s, n.inside)
			n.inside = n.inside[:0]
		}
	}
	for _, s := range state.Fighting(t.Game) {
		if left := &state.Of(s).Sheet; left.In(sheet.EngineBoxes).Left == 0 && left.In(sheet.WeaponBoxes).Left == 0 {
			var by []engine.Ref
			for _, v := range n.volleys {
				if v.ship == s.ID {
					by = append(by, v.last)
				}
			}
			out(l, t.Because(by...), s, engine.Crippled, "no engine and no weapon is left", nil, l.Cite(rulebook.OnCrippled)...)
		}
	}
}

// strikeShield reduces a volley by reinforcement and shield, and allocates the rest.
func strikeShield(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, v *volley) {
	sys := state.Of(s)
	down := sys.Down || sys.Lowered[v.side]
	left := max(0, rulebook.BoolInt(!down)*(sys.AllRound+sys.Reinforce[v.side]+sys.Sheet.Shields[v.side].Left)-v.points)
	for i := range v.parts { // beams hit what everything else leaves
		if p := &v.parts[i]; p.beam.Shield > 0 {
			p.points = p.beam.Against(left)
			left = max(0, left-p.points)
			v.points += p.points
		}
	}
	e := &state.Struck{Ship: s.ID, Shield: v.side + 1, Points: v.points, Before: sys.Sheet.Shields[v.side].Left}
	e.AllRound = min(sys.AllRound, v.points)
	e.Reinforce = min(sys.Reinforce[v.side], v.points-e.AllRound)
	rest := v.points - e.AllRound - e.Reinforce
	if e.Down = down; e.Down {
		e.AllRound, e.Reinforce, rest = 0, 0, 0
	}
	e.After = max(0, e.Before-rest)
	e.Inside = e.Points - e.AllRound - e.Reinforce - (e.Before - e.After)
	cites := l.Cite(rulebook.OnVolley)
	if e.AllRound+e.Reinforce > 0 {
		cites = l.Cite(rulebook.OnVolley, rulebook.OnReinforcement)
	}
	struck := t.Because(v.causes...).Emit(e, seenBy(&l.Book, t.Game, s), cites...)
	if e.Inside == 0 {
		return
	}
	if l.Block != nil {
		n := memo(t)
		slices.SortStableFunc(v.parts, func(a, b blockPart) int { return cmp.Compare(a.rank, b.rank) })
		stopped := e.Points - e.Inside
		for _, p := range v.parts { // shields stop lower ranks first
			took := min(stopped, p.points)
			if stopped -= took; p.points > took {
				n.inside = append(n.inside, blockPart{p.source, p.points - took, struck})
			}
		}
		return
	}
	name := engine.NameRoll("damage", s.ID).And(strconv.Itoa(v.side + 1))
	var thrown []engine.Ref
	die := func(point int) int {
		roll := t.Roll(name.And(strconv.Itoa(point)), dice.D6, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnAllocation)...)
		thrown = append(thrown, t.Last())
		return roll
	}
	a := sheet.Allocate(sys.Sheet, sheet.Volley{Shield: v.side + 1, Points: e.Inside}, die, choice(t, s, v))
	t.Unclaimed()
	for i, h := range a.Hits {
		d := &state.Damage{Ship: s.ID, Roll: h.Die, Passed: h.Passed, Category: h.Category}
		if h.Bank >= 0 {
			b := sys.Sheet.Banks[h.Bank]
			d.Bank, d.Before, d.After = b.Name, b.Left, b.Left-1
		}
		v.last = t.Because(struck, thrown[i]).Emit(d, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnAllocation)...)
	}
	if a.Destroyed {
		out(l, t.Because(t.Last()), s, engine.Destroyed, "", nil, l.Cite(rulebook.OnDestruction)...)
	}
}

// heldFast is why a ship cannot leave.
const heldFast = "a tractor beam holds her"

// leave carries out the orders to surrender (ruling C15) and to leave the battle, at the end of an impulse.
func leave(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		for _, o := range p.Surrenders {
			if s.Status == engine.Active && judge(l, t, s, nil, o.When) {
				out(l, t.Because(t.Ordered(s.ID, o.Line, o.Text)), s, engine.Surrendered, "her captain struck", nil, l.Cite(rulebook.OnSurrender)...)
			}
		}
		for _, o := range p.Phases[l.PhaseOf(t.Phase.No)-1].Leaves {
			switch {
			case t.Game.Blind != nil: // at the end of the turn
			case o.On > 0 && o.On != t.Phase.No || s.Status != engine.Active || !judge(l, t, s, nil, o.When):
			case state.Of(s).Held != "":
				t.Emit(&engine.Skip{Ship: s.ID, Line: o.Line, Order: o.Text, Reason: heldFast}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnTractor, rulebook.OnSkipped)...)
			default:
				out(l, t.Because(t.Ordered(s.ID, o.Line, o.Text)), s, engine.Left, "disengaged", nil, l.Cite(rulebook.OnLeaving)...)
			}
		}
	}
}

// slipAway takes ships out of a battle in the dark that are ordered to leave and that no enemy has found for long
// enough (house 6.62).
func slipAway(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		for i := range p.Phases {
			for _, o := range p.Phases[i].Leaves {
				if s.Status != engine.Active || !judge(l, t, s, nil, o.When) {
					continue
				}
				why := ""
				switch {
				case state.Of(s).Held != "":
					why = heldFast
				case !dark.In(t).Slipped(s):
					why = dark.StillFound
				}
				if why != "" {
					t.Emit(&engine.Skip{Ship: s.ID, Line: o.Line, Order: o.Text, Reason: why}, engine.SeeOnly(s.ID), append(l.Cite(rulebook.OnSkipped), dark.LeavesUnseen)...)
					break
				}
				out(l, t.Because(t.Ordered(s.ID, o.Line, o.Text)), s, engine.Left, "disengaged", nil, dark.LeavesUnseen)
			}
		}
	}
}
