package play

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
)

// skipping tells a captain why ordered fire is not declared.
type skipping func(t *engine.Turn, s *engine.Ship, f rulebook.FireOrder, reason string, rule ...cites.Topic)

// SkipFire tells a captain why a fire order is not carried out.
func SkipFire(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, f rulebook.FireOrder, reason string, rule ...cites.Topic) {
	Skip(l, t, s, ship.PostWeapons, f.Line, f.Text, reason, rule...)
}

// target records the targets of volleys, for the conditions of ships that declare later.
func target(l *rulebook.Rules, t *engine.Turn, volleys []rulebook.Volley) {
	declared := Memo(t).declared
	for k := range volleys {
		if v := &volleys[k]; l.Feels(t, v) {
			declared[v.Target.ID] = declared[v.Target.ID] || l.Kind(&ship.Of(v.Ship).Banks[v.Bank]).Dodged
		}
	}
}

// announceFire declares the volleys of a ship.
func announceFire(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, volleys []rulebook.Volley) {
	for k := range volleys {
		v := &volleys[k]
		bank := &ship.Of(s).Banks[v.Bank]
		mounts := make([]int, len(v.Mounts))
		for i, m := range v.Mounts {
			mounts[i] = m + 1
		}
		rule := []cites.Topic{cites.FireDeclaration}
		for _, f := range v.Orders {
			t.Because(t.Ordered(s.ID, f.Line, f.Text))
			if !verbs.Sealed(t.Game.Options) && verbs.OfDeclared(f.When) && len(rule) == 1 {
				rule = append(rule, cites.OpenFire)
			}
		}
		v.Declared = t.Emit(&ship.Declare{Ship: s.ID, Target: v.Target.ID, Weapon: bank.ID, Mounts: mounts},
			l.Show(t.Game, []*engine.Ship{s, v.Target}, s.ID, v.Target.ID), l.Cite(rule...)...)
	}
}

// choose returns the shots that a ship's orders ask for as things are now. skip, if not nil, is
// told why the others are not fired.
func choose(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, orders []rulebook.FireOrder, skip skipping) []rulebook.Volley {
	quiet := skip == nil
	if quiet {
		skip = func(*engine.Turn, *engine.Ship, rulebook.FireOrder, string, ...cites.Topic) {}
	}
	var volleys []rulebook.Volley
	byBank := map[int]int{} // bank to volley
	for _, f := range orders {
		aim := f.Target
		f.Target = l.Aimed(t.Game, s, aim)
		target, ok := l.Shown(t.Game, s, f.Target)
		if !ok || !targetable(l, target) || !l.Aware(t.Game, s, target) {
			skip(t, s, f, l.NoTargetShip(t.Game, s, target, string(aim)), cites.FireDeclaration)
			continue
		}
		if why := dark.HoldsFire(l.Self, t.Game, s, target, verbs.HeldBelow(ship.Of(s).Standing)); why != "" {
			skip(t, s, f, why, cites.FireDeclaration)
			continue
		}
		if s.Hex == target.Hex {
			skip(t, s, f, "ships in the same hex cannot fire at each other", cites.FiringArcs)
			continue
		}
		dealt := false
		before := len(volleys)
		judged := map[int]bool{} // by bank: the chance depends on it
		var missing []string
		for _, sh := range f.Shots {
			bank := &ship.Of(s).Banks[sh.Bank]
			met, done := judged[sh.Bank]
			if !done {
				var miss []string
				met, miss = Judge(l, t, s, f.Target, bank, f.When)
				judged[sh.Bank] = met
				missing = append(missing, miss...)
			}
			if !met {
				dealt = true // the order's own condition is not met
				continue
			}
			arc, why := ready(l, t.Game, s, target, bank, sh.Mount)
			if why == "" {
				if i, fired := byBank[sh.Bank]; fired && volleys[i].Target.ID != target.ID {
					why = "the bank fires at " + l.Called(t.Game, s, volleys[i].Target) + " in this phase"
				}
			}
			if why != "" {
				if !f.All && bank.Mounts[sh.Mount].Armed+BoolInt(bank.Mounts[sh.Mount].Destroyed) > 0 || !f.All && len(f.Shots) == 1 {
					skip(t, s, f, ship.MountName(bank, sh.Mount)+": "+why, cites.FireDeclaration)
					dealt = true // already told
				}
				continue
			}
			dealt = true
			i, fired := byBank[sh.Bank]
			if !fired {
				i = len(volleys)
				byBank[sh.Bank] = i
				volleys = append(volleys, rulebook.Volley{Ship: s, Target: target, Bank: sh.Bank, Rng: hex.Distance(s.Hex, target.Hex), Arc: arc})
			}
			if !slices.Contains(volleys[i].Mounts, sh.Mount) {
				volleys[i].Mounts = append(volleys[i].Mounts, sh.Mount)
				volleys[i].Power = append(volleys[i].Power, bank.Mounts[sh.Mount].Charge())
				volleys[i].Orders = append(volleys[i].Orders, f)
			}
		}
		if len(missing) > 0 && !quiet {
			slices.Sort(missing)
			Unknown(l, t, s, ship.PostWeapons, f.Line, f.Text, slices.Compact(missing))
		}
		if why := silent(ship.Of(s), f); !dealt && len(volleys) == before && why != "" {
			skip(t, s, f, why, cites.FiringArcs)
		}
	}
	return volleys
}

// targetable reports whether a ship can be fired at: not once she is destroyed, nor without
// superstructure in a book in which wrecks take no more damage.
func targetable(l *rulebook.Rules, s *engine.Ship) bool {
	return s.Status == engine.Active || s.Status == engine.Crippled && (l.Hulks || !Spent(s))
}

// silent returns why none of an order's weapons fires; "" if all that were armed have
// already fired, as intended.
func silent(sys *ship.State, f rulebook.FireOrder) string {
	armed, fresh := false, false
	for _, sh := range f.Shots {
		m := sys.Banks[sh.Bank].Mounts[sh.Mount]
		if m.Destroyed {
			continue
		}
		armed = armed || m.Armed > 0
		fresh = fresh || m.Left() > 0
	}
	switch {
	case !armed:
		return "none of these weapons is armed"
	case fresh:
		return "no armed weapon bears within its range"
	}
	return ""
}

// ready returns the arc through which a mount can fire at a target now, or why it cannot.
func ready(l *rulebook.Rules, g *engine.Game, s, target *engine.Ship, b *ship.Bank, m int) (arc, why string) {
	mount := b.Mounts[m]
	switch {
	case mount.Destroyed:
		return "", "it is " + ship.Of(s).Ruin(mount)
	case mount.Armed == 0:
		return "", "it is not armed"
	case mount.Fired:
		return "", "it has fired this turn"
	case mount.Left() == 0:
		return "", "it has no power for another shot"
	}
	if why = l.Screened(g, s, target); why != "" {
		return "", why
	}
	arc, ok := b.Bears(l.Library, engine.Place{Hex: s.Hex, Heading: s.Heading}, target.Hex)
	if !ok {
		return "", l.Called(g, s, target) + " is outside its arc"
	}
	if rng := hex.Distance(s.Hex, target.Hex); l.ToHit(b.Chart, rng) == 0 {
		return "", fmt.Sprintf("%s is at range %d, chart %s reaches %d", l.Called(g, s, target), rng, b.Chart, l.Reach(b.Chart))
	}
	return arc, ""
}

// barred returns why a ship may not fire at all, by the first gate that says so; "" if none does.
func barred(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) (why string, rule []cites.Topic) {
	for _, closed := range l.Gates {
		if why, rule = closed(l, t, s); why != "" {
			return why, rule
		}
	}
	return "", nil
}

// BoolInt returns 1 for true, 0 for false.
func BoolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
