package stcs

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
)

// volley is the mounts of one bank that one ship fires at one target in one
// phase, and so (unless every mount rolls) one to-hit roll (stcs 4.4).
type volley struct {
	ship   *engine.Ship
	target *engine.Ship
	bank   int
	mounts []int
	rng    int
	arc    string
}

// penetration is a hit that got through a shield.
type penetration struct {
	v       volley
	mount   int
	shield  int // number
	through int
	group   string // hits of one group share their location
	again   bool   // another hit of its group got through before
}

// fire carries out a fire phase: declarations, the one with the advantage
// last; all shots; then all damage, which takes effect at once (stcs 2.4, 4.1).
func (l *course) fire(t *engine.Turn) {
	var through []penetration
	for _, volleys := range l.declare(t) { // ship by ship, its beams before its missiles
		for _, kind := range []string{Beam, Missile} {
			for _, v := range volleys {
				if of(v.ship).Banks[v.bank].Kind == kind {
					through = append(through, l.shoot(t, v)...)
				}
			}
		}
	}
	l.takeDamage(t, through)
	for _, s := range fighting(t.Game) {
		sys := of(s)
		switch {
		case sys.Superstructure <= 0:
			t.Out(s, engine.Destroyed, "the superstructure gave way", nil, "stcs 4.11", "D24")
		case sys.Power <= 0:
			t.Out(s, engine.Crippled, "no power is left", nil, "stcs 4.10", "D24")
		default:
			l.shed(t, s)
		}
	}
	for _, s := range t.Game.Ships {
		if s.Status == engine.Crippled && of(s).Superstructure <= 0 {
			t.Out(s, engine.Destroyed, "the superstructure gave way", nil, "stcs 4.11", "D24")
		}
	}
}

// declare gathers the fire of all ships (stcs 4.1): the one with the advantage
// declares last and may make it depend on what was declared on him.
func (l *course) declare(t *engine.Turn) [][]volley {
	n := memo(t)
	n.declared, n.missiles = map[string][]shot{}, map[string]bool{}
	var all [][]volley
	for _, id := range n.advantage {
		s, ok := t.Game.Ship(id)
		if !ok || s.Status != engine.Active {
			continue
		}
		orders := n.plans[id].fires[t.Phase.No-1]
		if len(orders) == 0 {
			continue
		}
		if of(s).NoFire == firePhase(t.Number(), t.Phase.No) {
			for _, f := range orders {
				l.skipFire(t, s, f, "the sensors are out: no fire in this phase", "stcs 4.12", "D22")
			}
			continue
		}
		all = append(all, l.declareShip(t, s, orders))
	}
	return all
}

// firePhase counts the fire phases of a game from 1.
func firePhase(turn, phase int) int { return (turn-1)*Phases + phase }

func (l *course) skipFire(t *engine.Turn, s *engine.Ship, f fireOrder, reason string, rule ...string) {
	t.Emit(&engine.Skip{Ship: s.ID, Line: f.line, Order: f.text, Reason: reason}, engine.SeeOnly(s.ID), append([]string{"D13"}, rule...)...)
}

func (l *course) declareShip(t *engine.Turn, s *engine.Ship, orders []fireOrder) []volley {
	n := memo(t)
	var volleys []volley
	byBank := map[int]int{} // bank to volley
	for _, f := range orders {
		target, ok := t.Game.Ship(f.target)
		if !ok || (target.Status != engine.Active && target.Status != engine.Crippled) {
			l.skipFire(t, s, f, "that ship is no target any more", "stcs 4.1")
			continue
		}
		if s.Hex == target.Hex {
			l.skipFire(t, s, f, "ships in the same hex cannot fire at each other", "stcs 4.2")
			continue
		}
		dealt := false
		before := len(volleys)
		judged := map[int]bool{} // by bank: the chance depends on it
		var missing []string
		for _, sh := range f.shots {
			bank := &of(s).Banks[sh.bank]
			met, done := judged[sh.bank]
			if !done {
				var miss []string
				met, miss = l.judge(t, s, f.target, bank, f.when)
				judged[sh.bank] = met
				missing = append(missing, miss...)
			}
			if !met {
				dealt = true // the captain's own condition says no
				continue
			}
			arc, why := l.ready(s, target, bank, sh.mount)
			if why == "" {
				if i, fired := byBank[sh.bank]; fired && volleys[i].target != target {
					why = "the bank fires at " + volleys[i].target.Name + " in this phase"
				}
			}
			if why != "" {
				if !f.all && bank.Mounts[sh.mount].Armed+boolInt(bank.Mounts[sh.mount].Destroyed) > 0 || !f.all && len(f.shots) == 1 {
					l.skipFire(t, s, f, mountName(bank, sh.mount)+": "+why, "stcs 4.1")
					dealt = true // told already
				}
				continue
			}
			dealt = true
			i, fired := byBank[sh.bank]
			if !fired {
				i = len(volleys)
				byBank[sh.bank] = i
				volleys = append(volleys, volley{ship: s, target: target, bank: sh.bank, rng: hex.Distance(s.Hex, target.Hex), arc: arc})
			}
			if !containsInt(volleys[i].mounts, sh.mount) {
				volleys[i].mounts = append(volleys[i].mounts, sh.mount)
			}
		}
		if len(missing) > 0 {
			slices.Sort(missing)
			l.unknown(t, s, f.line, f.text, slices.Compact(missing))
		}
		if why := l.silent(of(s), f); !dealt && len(volleys) == before && why != "" {
			l.skipFire(t, s, f, why, "stcs 4.2")
		}
	}
	for _, v := range volleys {
		bank := &of(s).Banks[v.bank]
		mounts := make([]int, len(v.mounts))
		for i, m := range v.mounts {
			mounts[i] = m + 1
			n.declared[v.target.ID] = append(n.declared[v.target.ID], shot{v.bank, m})
		}
		n.missiles[v.target.ID] = n.missiles[v.target.ID] || bank.Kind == Missile
		t.Emit(&Declare{Ship: s.ID, Target: v.target.ID, Weapon: bank.ID, Mounts: mounts}, engine.SeeAll(), "stcs 4.1")
	}
	return volleys
}

// silent says why none of an order's weapons fires; nothing when all that were
// armed have fired already, as they were meant to.
func (l *course) silent(sys *System, f fireOrder) string {
	armed, fresh := false, false
	for _, sh := range f.shots {
		m := sys.Banks[sh.bank].Mounts[sh.mount]
		if m.Destroyed {
			continue
		}
		armed = armed || m.Armed > 0
		fresh = fresh || m.Armed > 0 && !m.Fired
	}
	switch {
	case !armed:
		return "none of these weapons is armed"
	case fresh:
		return "no armed weapon bears within its range"
	}
	return ""
}

// ready tells whether a mount can fire at a target now, through which arc, or why not.
func (l *course) ready(s, target *engine.Ship, b *Bank, m int) (arc, why string) {
	mount := b.Mounts[m]
	switch {
	case mount.Destroyed:
		return "", "it is destroyed"
	case mount.Armed == 0:
		return "", "it is not armed"
	case mount.Fired:
		return "", "it has fired this turn"
	}
	arc, ok := l.bears(b, engine.Place{Hex: s.Hex, Heading: s.Heading}, target.Hex)
	if !ok {
		return "", target.Name + " is outside its arc"
	}
	if rng := hex.Distance(s.Hex, target.Hex); l.ToHit(b.Chart, rng) == 0 {
		return "", fmt.Sprintf("%s is at range %d, chart %s reaches %d", target.Name, rng, b.Chart, l.reach(b.Chart))
	}
	return arc, ""
}

// shoot rolls to hit and lets the shields take what they can (stcs 4.3 to 4.6).
func (l *course) shoot(t *engine.Turn, v volley) []penetration {
	var out []penetration
	each := t.Game.Options[OptionBanks] == BanksEach
	bank := of(v.ship).Banks[v.bank]
	name := "fire." + v.ship.ID + "." + bank.ID
	number := l.ToHit(bank.Chart, v.rng)
	roll, named, shield := 0, "", 0
	for i, m := range v.mounts {
		group := name
		if each {
			group = fmt.Sprintf("%s.%d", name, m+1)
		}
		if each || i == 0 {
			named = group + ".hit"
			roll = t.Roll(named, dice.D10, engine.SeeAll(), "stcs 4.3")
			shield = l.struck(v) // one roll strikes one shield
		}
		hit := roll <= number
		f := Fire{
			Ship: v.ship.ID, Target: v.target.ID, Weapon: bank.ID, Model: bank.Type, Family: bank.Family, Mount: m + 1,
			Range: v.rng, Arc: v.arc, Chart: bank.Chart, Number: number, Modifiers: []Modifier{}, Need: number,
			Named: t.RollName(named), Roll: roll, Hit: hit,
		}
		if hit {
			f.Base, f.Bonus = bank.base(bank.Mounts[m]), 0
			if bank.Kind == Beam {
				f.Bonus = bank.bonus(v.rng)
			}
			f.Damage = f.Base + f.Bonus
			f.Shield = shield
		}
		rules := []string{"stcs 4.3"}
		if len(v.mounts) > 1 {
			rules = append(rules, "stcs 4.4")
		}
		t.Emit(&f, engine.SeeCut([]string{"base", "bonus", "damage"}, v.ship.ID, v.target.ID), rules...)
		if !hit {
			continue
		}
		if through := l.absorb(t, v, m, f.Shield, f.Damage); through > 0 {
			again := len(out) > 0 && out[len(out)-1].group == group
			out = append(out, penetration{v: v, mount: m, shield: f.Shield, through: through, group: group, again: again})
		}
	}
	return out
}

// struck is the shield that a shot hits (stcs 4.5, rulings D5, D6).
func (l *course) struck(v volley) int {
	at := engine.Place{Hex: v.target.Hex, Heading: v.target.Heading}
	a, b := facing(at, v.ship.Hex)
	if a == b {
		return a
	}
	sys := of(v.target)
	low, high := a, b
	if sys.Shields[a-1].Now > sys.Shields[b-1].Now || sys.Shields[a-1].Now == sys.Shields[b-1].Now && a > b {
		low, high = b, a
	}
	switch sys.Standing.Choose {
	case "weakest":
		return low
	case fmt.Sprint(a):
		return a
	case fmt.Sprint(b):
		return b
	}
	return high
}

// absorb lets a shield take a hit and returns what gets through (stcs 4.6). A
// hulk has no shields.
func (l *course) absorb(t *engine.Turn, v volley, m, shield, damage int) int {
	now := of(v.target).Shields[shield-1].Now
	before := now
	if v.target.Status != engine.Active {
		now = 0
	}
	took := min(now, damage)
	t.Emit(&ShieldHit{
		Ship: v.target.ID, From: v.ship.ID, Weapon: of(v.ship).Banks[v.bank].ID, Mount: m + 1, Shield: shield,
		Before: before, Absorbed: took, After: now - took, Through: damage - took,
	}, engine.SeeOnly(v.target.ID), "stcs 4.6")
	return damage - took
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func containsInt(ns []int, n int) bool {
	return slices.Contains(ns, n)
}
