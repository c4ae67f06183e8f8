package sfb

import (
	"cmp"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// inflict adds damage to a volley of the impulse.
func (l *rulebook) inflict(t *engine.Turn, target *engine.Ship, side, points int, by source, cause engine.Ref) {
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

// resolve lets the volleys of an impulse do their damage: ships by id, shields by number.
func (l *rulebook) resolve(t *engine.Turn) {
	n := memo(t)
	slices.SortStableFunc(n.volleys, func(a, b volley) int { return cmp.Or(cmp.Compare(a.ship, b.ship), cmp.Compare(a.side, b.side)) })
	for i := range n.volleys {
		v := &n.volleys[i]
		s, ok := t.Game.Ship(v.ship)
		if ok && l.fair(s) {
			l.strikeShield(t, s, v)
		}
		if last := i+1 == len(n.volleys) || n.volleys[i+1].ship != v.ship; ok && last && len(n.inside) > 0 {
			l.allocateBlock(t, s, n.inside)
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
			l.out(t.Because(by...), s, engine.Crippled, "no engine and no weapon is left", nil, l.cite(onCrippled)...)
		}
	}
}

// strikeShield lets a volley through reinforcement and shield, and allocates the rest.
func (l *rulebook) strikeShield(t *engine.Turn, s *engine.Ship, v *volley) {
	sys := state.Of(s)
	down := sys.Down || sys.Lowered[v.side]
	left := max(0, b2i(!down)*(sys.AllRound+sys.Reinforce[v.side]+sys.Sheet.Shields[v.side].Left)-v.points)
	for i := range v.parts { // hits of beams meet what the rest leaves
		if p := &v.parts[i]; p.beam.Shield > 0 {
			p.points = p.beam.against(left)
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
	cites := l.cite(onVolley)
	if e.AllRound+e.Reinforce > 0 {
		cites = l.cite(onVolley, onReinforcement)
	}
	struck := t.Because(v.causes...).Emit(e, l.see(t.Game, s), cites...)
	if e.Inside == 0 {
		return
	}
	if l.Block != nil {
		n := memo(t)
		slices.SortStableFunc(v.parts, func(a, b blockPart) int { return cmp.Compare(a.rank, b.rank) })
		stopped := e.Points - e.Inside
		for _, p := range v.parts { // shields stop the lower ranks first
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
		roll := t.Roll(name.And(strconv.Itoa(point)), dice.D6, l.see(t.Game, s), l.cite(onAllocation)...)
		thrown = append(thrown, t.Last())
		return roll
	}
	a := sheet.Allocate(sys.Sheet, sheet.Volley{Shield: v.side + 1, Points: e.Inside}, die, l.choice(t, s, v))
	t.Unclaimed()
	for i, h := range a.Hits {
		d := &state.Damage{Ship: s.ID, Roll: h.Die, Passed: h.Passed, Category: h.Category}
		if h.Bank >= 0 {
			b := sys.Sheet.Banks[h.Bank]
			d.Bank, d.Before, d.After = b.Name, b.Left, b.Left-1
		}
		v.last = t.Because(struck, thrown[i]).Emit(d, l.see(t.Game, s), l.cite(onAllocation)...)
	}
	if a.Destroyed {
		l.out(t.Because(t.Last()), s, engine.Destroyed, "", nil, l.cite(onDestruction)...)
	}
}

// choice is what the owner of a ship would lose first in a volley (ruling C11).
func (l *rulebook) choice(t *engine.Turn, s *engine.Ship, v *volley) sheet.Choice {
	sys := state.Of(s)
	return sheet.Choice{
		Wishes: sys.Standing.Lose,
		Bears: func(bank int) bool {
			return slices.ContainsFunc(v.from, func(from hex.Hex) bool {
				p, apart := hex.Bearing(s.Hex, from)
				return !apart || sys.Sheet.Banks[bank].Arcs.Bear(p.Relative(s.Heading))
			})
		},
		Fired: func(bank int) bool {
			return slices.ContainsFunc(sys.Weapons, func(w state.Weapon) bool { return w.Bank == bank && w.Fired.Turn == t.Number() })
		},
	}
}

// out takes a ship out of the fight, and the drones with her that she guides.
func (l *rulebook) out(t *engine.Turn, s *engine.Ship, why engine.Status, how string, edge []string, cite ...string) {
	ref := t.Out(s, why, how, edge, cite...)
	if why != engine.Crippled {
		l.loseGuidance(t, s, ref)
	}
}

// heldFast is why a ship cannot leave.
const heldFast = "a tractor beam holds her"

// leave carries out the orders to surrender (ruling C15) and to leave the battle, at the end of an impulse.
func (l *rulebook) leave(t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		for _, o := range p.surrenders {
			if s.Status == engine.Active && l.judge(t, s, nil, o.when) {
				l.out(t.Because(t.Ordered(s.ID, o.line, o.text)), s, engine.Surrendered, "her captain struck", nil, l.cite(onSurrender)...)
			}
		}
		for _, o := range p.phases[l.phaseOf(t.Phase.No)-1].leaves {
			switch {
			case t.Game.Blind != nil: // as the turn ends
			case o.on > 0 && o.on != t.Phase.No || s.Status != engine.Active || !l.judge(t, s, nil, o.when):
			case state.Of(s).Held != "":
				t.Emit(&engine.Skip{Ship: s.ID, Line: o.line, Order: o.text, Reason: heldFast}, engine.SeeOnly(s.ID), l.cite(onTractor, onSkipped)...)
			default:
				l.out(t.Because(t.Ordered(s.ID, o.line, o.text)), s, engine.Left, "disengaged", nil, l.cite(onLeaving)...)
			}
		}
	}
}

// slipAway takes ships out of a battle in the dark whose captains want to leave unseen, and which no
// enemy has found for long enough (house 6.62).
func (l *rulebook) slipAway(t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		for i := range p.phases {
			for _, o := range p.phases[i].leaves {
				if s.Status != engine.Active || !l.judge(t, s, nil, o.when) {
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
					t.Emit(&engine.Skip{Ship: s.ID, Line: o.line, Order: o.text, Reason: why}, engine.SeeOnly(s.ID), append(l.cite(onSkipped), dark.LeavesUnseen)...)
					break
				}
				l.out(t.Because(t.Ordered(s.ID, o.line, o.text)), s, engine.Left, "disengaged", nil, dark.LeavesUnseen)
			}
		}
	}
}
