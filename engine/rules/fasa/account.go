package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
)

// words puts the i-th event of a view into sentences by itself, where a report
// would tell several in one.
func (l *rulebook) words(v *engine.View, i int) []engine.Line {
	e := v.Events[i]
	cite := engine.Cite(e.Rule)
	switch b := e.Body.(type) {
	case *engine.Roll, *engine.Move:
		return nil // the core has words for them
	case *ShieldHit:
		return []engine.Line{{Text: v.Name(b.Ship) + ", " + shieldWords(b), Cite: cite}}
	case *Declare:
		return []engine.Line{{Text: fmt.Sprintf("%s declares fire of %s (mounts %s) at %s", v.Name(b.Ship), b.Weapon, joinInts(b.Mounts), v.Name(b.Target)), Cite: cite}}
	case *Fire:
		// What it did is told by the events behind it.
		lines := l.told(v, i)[:1]
		if b.Hit && b.Damage > 0 {
			lines = append(lines, engine.Line{Depth: 1, Text: "strikes with " + damageWords([]*Fire{b})})
		}
		return lines
	case *Withdraw:
		return []engine.Line{{Text: fmt.Sprintf("%s does not fire %s (mounts %s) at %s after all", v.Name(b.Ship), b.Weapon, joinInts(b.Mounts), v.Name(b.Target)), Cite: cite}}
	case *HelmSet:
		return []engine.Line{{Text: v.Name(b.Ship) + helmWords(b), Cite: cite}}
	case *StandingSet:
		return []engine.Line{{Text: fmt.Sprintf("%s has these standing orders from now on: shield %s, power is cut in the order %s, without orders %s",
			v.Name(b.Ship), b.Choose, strings.Join(b.Shed, ", "), b.Missing), Cite: cite}}
	}
	return l.told(v, i)
}

// helmWords is what a movement phase leaves a ship with.
func helmWords(b *HelmSet) string {
	var parts []string
	add := func(is bool, words string) {
		if is {
			parts = append(parts, words)
		}
	}
	add(b.Still, "has held through the whole phase")
	add(b.Astern, "has its engines set to go astern")
	add(b.Shift, "had them set the other way before")
	add(b.Way != "", fmt.Sprintf("moved %s last, in turn %d", b.Way, b.WayTurn))
	add(b.Swung > 0, "fires worse after an emergency turn")
	if len(parts) == 0 {
		return " has its helm as at the start"
	}
	return " " + strings.Join(parts, ", ")
}

// told is what a report says of an event if no other comes behind it.
func (l *rulebook) told(v *engine.View, i int) []engine.Line {
	alone := *v
	alone.Events = v.Events[:i+1]
	n := &narrator{l: l, v: &alone}
	n.entry(i)
	n.flushMove()
	var out []engine.Line
	for _, c := range n.finish() {
		out = append(out, c.Lines...)
	}
	return out
}

// account tells how an event came about (see engine.Rules).
func (l *rulebook) account(s *engine.Story, i int) (engine.Account, bool) {
	e := s.Events[i]
	phase := func(o engine.Event) bool { return o.Phase == e.Phase }
	switch b := e.Body.(type) {
	case *PowerSet:
		a := s.Asked(i, b.Ship, inGroup("power", 0))
		a.From = append(a.From, s.All(i, func(o engine.Event) bool { x, ok := o.Body.(*Bonus); return ok && x.Ship == b.Ship })...)
		a.Why = append(a.Why, fmt.Sprintf("the engines give %d; %d to movement, %d to shields, %d to weapons, %s%d unused", b.Available, b.Movement, b.Shields, b.Weapons, cloakShare(b.Cloak), b.Unused))
		return a, true
	case *StandingSet:
		return s.Asked(i, b.Ship, inGroup("standing", 0)), true
	case *Announced:
		a := engine.Account{From: s.Latest(i, func(o engine.Event) bool {
			x, ok := o.Body.(*Cloaking)
			return ok && phase(o) && x.Ship == b.Ship
		})}
		if b.Name != "" {
			a.Why = append(a.Why, "the scenario wants it announced")
		}
		return a, true
	case *Rated:
		return engine.Account{
			From: s.All(i, func(o engine.Event) bool {
				r, ok := o.Body.(*engine.Roll)
				return ok && (strings.Contains(r.Name, ".skill."+b.Ship+".") || strings.Contains(r.Name, ".efficiency."+b.Ship+"."))
			}),
			Why: []string{fmt.Sprintf("three dice and %d for a captain, three dice and %d for a crew; what the scenario gives is not rolled", SkillBase, EfficiencyBase)},
		}, true
	case *Advantage:
		return engine.Account{
			From: s.All(i, func(o engine.Event) bool {
				r, ok := o.Body.(*engine.Roll)
				return ok && phase(o) && strings.Contains(r.Name, ".advantage.")
			}),
			Why: []string{"best last: " + strings.Join(names(s, b.Order), ", ") + "; by " + b.How},
		}, true
	case *Declare:
		return s.Asked(i, b.Ship, func(g orders.Group, st orders.Statement) bool {
			return g.Name == "phase" && g.N == e.Phase && st.Verb == "fire" && l.firesAt(s, st, b)
		}), true
	case *Withdraw:
		return engine.Account{
			From: append(s.Latest(i, declared(phase, b.Ship, b.Weapon)), s.Latest(i, func(o engine.Event) bool {
				x, ok := o.Body.(*Evade) // who evades does not fire
				return ok && phase(o) && x.Ship == b.Ship
			})...),
		}, true
	case *Fire:
		return l.fireAccount(s, i, b), true
	case *ShieldHit:
		return l.shieldAccount(s, i, b), true
	case *Damage:
		return l.damageAccount(s, i, b), true
	case *Explode:
		a := s.Asked(i, b.Ship, func(_ orders.Group, st orders.Statement) bool { return b.Ordered && st.Verb == "self-destruct" })
		a.Why = nil
		if !b.Ordered {
			a.From = append(a.From, s.All(i, harmed(b.Ship, phase))...)
			a.Why = []string{fmt.Sprintf("the superstructure is %d below 0: it explodes with a die of %d or less", b.Need, b.Need)}
			if b.Need >= surely {
				a.Why[0] = fmt.Sprintf("the superstructure is %d below 0: from %d on it explodes without a die", b.Need, surely)
			}
		}
		return a, true
	case *Blasted:
		return engine.Account{
			From: s.Latest(i, func(o engine.Event) bool { x, ok := o.Body.(*Explode); return ok && x.Ship == b.From && x.Exploded }),
			Why:  []string{fmt.Sprintf("an explosion at range %d does %d: twice the power in its hex, the power beside it, half of it for each hex more, one point from 7 to %d", b.Range, b.Damage, blastTo)},
		}, true
	case *engine.Out:
		return l.outAccount(s, i, b), true
	case *Shed:
		return engine.Account{From: s.All(i, harmed(b.Ship, phase)), Why: []string{fmt.Sprintf("%d power was allotted, the engines give less: cut to %d", b.Power.Before, b.Power.After)}}, true
	case *engine.Charted:
		a := engine.Account{}
		if i > 0 {
			switch s.Events[i-1].Body.(type) {
			case *engine.Roll, *MineMet:
				a.From = []int{i - 1}
			}
		}
		for _, ship := range s.After.Ships {
			if e.Phase == 0 && ship.Side == b.Feature.Side && len(a.From) == 0 && len(b.Feature.Hexes) == 1 {
				at := b.Feature.Hexes[0].Label()
				a.Orders = append(a.Orders, s.Asked(i, ship.ID, func(_ orders.Group, st orders.Statement) bool {
					return st.Verb == "lay" && slices.ContainsFunc(st.All("HEX"), func(h orders.Arg) bool { return h.Text == at })
				}).Orders...)
			}
		}
		return a, true
	case *Repower:
		return engine.Account{Why: []string{"shields that power was allotted to come up again between the phases"}}, true
	}
	return l.lesserAccount(s, i)
}

// lesserAccount is for what a ship does or suffers besides fighting.
func (l *rulebook) lesserAccount(s *engine.Story, i int) (engine.Account, bool) {
	e := s.Events[i]
	ship, ok := engine.Text(e.Body, "ship")
	if !ok {
		return engine.Account{}, false
	}
	if verbs := askedBy(e.Body.Type()); len(verbs) > 0 {
		a := s.Asked(i, ship, func(g orders.Group, st orders.Statement) bool {
			return slices.Contains(verbs, st.Verb) && (g.N == 0 || g.N == e.Phase)
		})
		if b, ok := e.Body.(*Locking); ok && b.Cloaked && len(a.From) == 0 { // one die for all that a scan may find
			a.From = s.Latest(i, func(o engine.Event) bool {
				scan, ok := o.Body.(*Scan)
				return ok && o.Phase == e.Phase && scan.Ship == b.Ship
			})
		}
		if need, ok := engine.Number(e.Body, "need"); ok && need > 0 {
			roll, _ := engine.Number(e.Body, "roll")
			a.Why = append(a.Why, fmt.Sprintf("needs %d or less, rolled %d", need, roll))
		}
		return a, true
	}
	switch e.Body.(type) {
	case *MineMet, *Debris, *HelmSet, *Strain, *LostSight, *Sighted, *Departed, *Unlock, *Exposed, *Tipped:
		target, _ := engine.Text(e.Body, "target")
		a := engine.Account{From: s.Dice(i)}
		a.From = append(a.From, s.Latest(i, func(o engine.Event) bool {
			m, ok := o.Body.(*engine.Move)
			return ok && o.Phase == e.Phase && (m.Ship == ship || target != "" && m.Ship == target)
		})...)
		if b, ok := e.Body.(*Debris); ok {
			a.Why = append(a.Why, fmt.Sprintf("struck by a die of %d or less", b.Need))
		}
		return a, true
	}
	return engine.Account{}, false
}

// askedBy are the verbs that ask for events of a type.
func askedBy(kind string) []string {
	return map[string][]string{
		"lock": {"lock", "sensors"}, "survey": {"lock"}, "answer": {"question", "questions"}, "evade": {"evade"}, "warp": {"warp", "follow"},
		"place": {"place"}, "repair": {"repair"}, "bonus": {"bonus"}, "cloak": {"cloak"}, "scan": {"scan", "lock"},
	}[kind]
}

func inGroup(name string, n int) func(orders.Group, orders.Statement) bool {
	return func(g orders.Group, _ orders.Statement) bool { return g.Name == name && g.N == n }
}

func names(s *engine.Story, ids []string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = s.Name(id)
	}
	return out
}

// firesAt tells whether a fire order can have brought a declaration about: it
// names the target, or a word that stands for a ship, and one of the mounts.
func (l *rulebook) firesAt(s *engine.Story, st orders.Statement, b *Declare) bool {
	a, ok := st.Arg("SHIP")
	if !ok {
		return false
	}
	if _, stands := l.isAim(a.Text); !stands {
		if t, _, ok := engine.FindShip(s.After.Ships, a.Text); !ok || t.ID != b.Target {
			return false
		}
	}
	ship, ok := s.After.Ship(b.Ship)
	if !ok {
		return false
	}
	bank, ok := of(ship).bank(b.Weapon)
	if !ok {
		return false
	}
	return slices.ContainsFunc(st.All("WEAPON"), func(w orders.Arg) bool {
		if kind, group := groupWord(w.Text); group {
			return kind == "" || l.counts(bank.Kind, kind)
		}
		return strings.EqualFold(w.Text, b.Weapon) || slices.ContainsFunc(b.Mounts, func(m int) bool {
			return m <= len(bank.Mounts) && strings.EqualFold(w.Text, mountName(bank, m-1))
		})
	})
}

func declared(phase func(engine.Event) bool, ship, weapon string) func(engine.Event) bool {
	return func(o engine.Event) bool {
		d, ok := o.Body.(*Declare)
		return ok && phase(o) && d.Ship == ship && d.Weapon == weapon
	}
}

func evaded(phase func(engine.Event) bool, f *Fire) func(engine.Event) bool {
	return func(o engine.Event) bool {
		x, ok := o.Body.(*Evade)
		return ok && phase(o) && x.Ship == f.Target && x.Against == f.Ship && x.Weapon == f.Weapon && x.Mount == f.Mount
	}
}

// harmed is what took superstructure or engines from a ship.
func harmed(ship string, when func(engine.Event) bool) func(engine.Event) bool {
	return func(o engine.Event) bool {
		if !when(o) {
			return false
		}
		switch x := o.Body.(type) {
		case *Damage:
			return x.Ship == ship && (x.Superstructure != nil || x.Power != nil || len(x.Engines) > 0 || x.Lost != nil)
		case *Strain:
			return x.Ship == ship
		}
		return false
	}
}

// fireAccount explains a shot: chart, column, modifiers, and what it is worth.
func (l *rulebook) fireAccount(s *engine.Story, i int, b *Fire) engine.Account {
	e := s.Events[i]
	phase := func(o engine.Event) bool { return o.Phase == e.Phase }
	a := engine.Account{From: append(s.Dice(i), s.Latest(i, declared(phase, b.Ship, b.Weapon))...)}
	if b.Evaded {
		a.From = append(a.From, s.Latest(i, evaded(phase, b))...)
	}
	chart := fmt.Sprintf("firing chart %s, range %d: %d", b.Chart, b.Range, b.Number)
	if row := l.Charts[b.Chart]; len(row) > 0 {
		chart += fmt.Sprintf(" (from range 1 on the chart has %s)", joinInts(row))
	}
	a.Why = append(a.Why, chart)
	for _, m := range b.Modifiers {
		a.Why = append(a.Why, fmt.Sprintf("%s: %+d", m.Name, m.Value))
	}
	verdict := "more than that: a miss"
	if b.Hit {
		verdict = "a hit"
	}
	if b.Need > 0 {
		a.Why = append(a.Why, fmt.Sprintf("needs %d or less, rolled %d: %s", b.Need, b.Roll, verdict))
	} else {
		a.Why = append(a.Why, triedWords(b.Need, nil, b.Roll, SlimRoll{b.Slim, b.Second})+": "+strings.TrimPrefix(verdict, "more than that: "))
	}
	if !b.Hit {
		return a
	}
	worth := fmt.Sprintf("damage %d", b.Base)
	if b.Bonus != 0 {
		worth += fmt.Sprintf(" and %+d at range %d", b.Bonus, b.Range)
	}
	if b.Evaded {
		worth += fmt.Sprintf(", halved to %d by the evasion", b.Damage)
	}
	if b.Graze {
		worth += ", grazing"
	}
	a.Why = append(a.Why, worth+fmt.Sprintf(", on shield %d, which the target turns to the firer", b.Shield))
	return a
}

func (l *rulebook) shieldAccount(s *engine.Story, i int, b *ShieldHit) engine.Account {
	e := s.Events[i]
	a := engine.Account{From: s.Latest(i, func(o engine.Event) bool {
		if o.Phase != e.Phase {
			return false
		}
		switch x := o.Body.(type) {
		case *Fire:
			return x.Hit && x.Ship == b.From && x.Target == b.Ship && x.Weapon == b.Weapon && x.Mount == b.Mount
		case *Blasted:
			return b.Weapon == blastWeapon && x.From == b.From && x.Ship == b.Ship
		case *MineMet:
			return b.From == "" && x.Ship == b.Ship && x.Damage > 0
		case *Debris:
			return b.From == "" && x.Ship == b.Ship && x.Struck
		}
		return false
	})}
	a.Why = []string{fmt.Sprintf("shield %d stands at %d: it takes %d of %d points, %d go through", b.Shield, b.Before, b.Absorbed, b.Absorbed+b.Through, b.Through)}
	return a
}

func (l *rulebook) damageAccount(s *engine.Story, i int, b *Damage) engine.Account {
	e := s.Events[i]
	shield := s.Latest(i, func(o engine.Event) bool {
		x, ok := o.Body.(*ShieldHit)
		return ok && o.Phase == e.Phase && x.Ship == b.Ship && x.From == b.From && x.Weapon == b.Weapon && x.Mount == b.Mount && x.Through > 0
	})
	a := engine.Account{From: append(s.Dice(i), shield...)}
	cell := fmt.Sprintf("damage table %s, die %d: %s", b.Table, b.Roll, b.Location)
	if len(shield) > 0 {
		if x, ok := s.Events[shield[0]].Body.(*ShieldHit); ok && b.Table != "basic" {
			cell = fmt.Sprintf("damage table %s, shield %d, die %d: %s", b.Table, x.Shield, b.Roll, b.Location)
		}
	}
	a.Why = append(a.Why, cell, fmt.Sprintf("%d points got through", b.Points))
	if b.Second > 0 {
		a.Why = append(a.Why, fmt.Sprintf("second die of an engineering hit: %d", b.Second))
	}
	if b.Note != "" {
		a.Why = append(a.Why, b.Note)
	}
	return a
}

// outAccount explains why a ship is out of the fight: what it lost, what it blew
// up by, or where it went.
func (l *rulebook) outAccount(s *engine.Story, i int, b *engine.Out) engine.Account {
	e := s.Events[i]
	phase := func(o engine.Event) bool { return o.Phase == e.Phase }
	var a engine.Account
	switch b.Why {
	case engine.Destroyed, engine.Crippled:
		a.From = s.Latest(i, func(o engine.Event) bool {
			x, ok := o.Body.(*Explode)
			return ok && x.Ship == b.Ship && x.Exploded && phase(o)
		})
		a.From = append(a.From, s.All(i, harmed(b.Ship, phase))...)
	case engine.Surrendered:
		a = s.Asked(i, b.Ship, func(_ orders.Group, st orders.Statement) bool { return e.Phase > 0 && st.Verb == surrenderVerb().Name })
		a.Why = nil
		a.From = append(a.From, s.Latest(i, func(o engine.Event) bool { x, ok := o.Body.(*engine.Absent); return ok && x.Ship == b.Ship })...)
	case engine.Left:
		a = s.Asked(i, b.Ship, func(_ orders.Group, st orders.Statement) bool { return st.Verb == "warp" && len(b.Edge) == 0 })
		a.Why = nil
		a.From = append(a.From, s.Latest(i, func(o engine.Event) bool {
			switch x := o.Body.(type) {
			case *engine.Move:
				return len(b.Edge) > 0 && x.Ship == b.Ship
			case *WarpSet:
				return len(b.Edge) == 0 && x.Ship == b.Ship
			}
			return false
		})...)
	case engine.Active, engine.Waiting:
	}
	if b.How != "" {
		a.Why = append(a.Why, b.How)
	}
	return a
}
