package play

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/verbs"
)

// Fire carries out a fire phase, step by step as the course has it: in the Basic
// Course declarations, the one with the advantage last; all shots; then all
// damage, which takes effect at once (stcs 2.4, 4.1, 6.5).
func Fire(l *rulebook.Rules, t *engine.Turn) {
	for _, begin := range l.Begins {
		begin(t)
	}
	s := &rulebook.Salvo{T: t}
	for _, step := range l.Battery {
		step(l, s)
	}
}

// Shoot resolves all shots, ship by ship, kind of weapon by kind.
func Shoot(l *rulebook.Rules, s *rulebook.Salvo) {
	for _, volleys := range s.Volleys {
		for _, kind := range l.Order {
			for i := range volleys {
				if v := &volleys[i]; ship.Of(v.Ship).Banks[v.Bank].Kind == kind {
					s.Through = append(s.Through, discharge(l, s.T, v)...)
				}
			}
		}
	}
	dark.In(s.T).TellWaiting()
}

// FallOut takes ships out of the fight that can fight no more, and power away
// from systems where there is less of it (ruling D24).
func FallOut(l *rulebook.Rules, s *rulebook.Salvo) {
	t := s.T
	for _, s := range ship.Fighting(t.Game) {
		sys := ship.Of(s)
		switch {
		case sys.Superstructure <= 0:
			Shift(t, s.ID, t.Because(RuinOf(t, s.ID)...).Out(s, engine.Crippled, "her superstructure gave way", nil, l.Cite(cites.SuperstructureHits, cites.Crippling)...))
		case sys.Power <= 0:
			Shift(t, s.ID, t.Because(RuinOf(t, s.ID)...).Out(s, engine.Crippled, "no power is left", nil, l.Cite(cites.EngineHits, cites.Crippling)...))
		}
		shed(l, t, s)
	}
}

// Declare gathers the fire of all ships (stcs 4.1): the one with the advantage
// declares last and may make it depend on what was declared on him. Where the game's option has
// it so, who fires at all is decided after that (ruling D64).
func Declare(l *rulebook.Rules, sv *rulebook.Salvo) {
	t := sv.T
	n := Memo(t)
	n.declared = map[engine.ShipID]bool{}
	open := !verbs.Sealed(t.Game.Options)
	for _, id := range n.Advantage {
		s, ok := t.Game.Ship(id)
		if !ok || s.Status != engine.Active {
			continue
		}
		p := n.plans[id]
		orders := p.In(t.Phase.No - 1).Fires
		if len(orders) == 0 {
			continue
		}
		if why, rule := barred(l, t, s); why != "" {
			for _, f := range orders {
				SkipFire(l, t, s, f, why, rule...)
			}
			continue
		}
		volleys := pick(l, t, s, l.Gatekeeper(l, t, s, orders))
		target(l, t, volleys)
		if !open {
			announceFire(l, t, s, volleys)
		}
		sv.Volleys = append(sv.Volleys, volleys)
	}
	if open {
		decideFire(l, sv)
	}
}

// barred is the first gate that is closed to a ship.
func barred(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) (why string, rule []cites.Topic) {
	for _, closed := range l.Gates {
		if why, rule = closed(l, t, s); why != "" {
			return why, rule
		}
	}
	return "", nil
}

// SensorsOut keeps a ship from firing in the phase after a hit on its sensors
// (stcs 4.12, ruling D22).
func SensorsOut(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) (string, []cites.Topic) {
	if ship.Of(s).NoFire == l.FirePhase(t.Number(), t.Phase.No) {
		return "the sensors are out: no fire in this phase", []cites.Topic{cites.SensorHits}
	}
	return "", nil
}

func SkipFire(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, f rulebook.FireOrder, reason string, rule ...cites.Topic) {
	Skip(l, t, s, ship.PostWeapons, f.Line, f.Text, reason, rule...)
}

// target notes at whom volleys are aimed, for the conditions of those who declare after them.
func target(l *rulebook.Rules, t *engine.Turn, volleys []rulebook.Volley) {
	declared := Memo(t).declared
	for k := range volleys {
		if v := &volleys[k]; l.Feels(t, v) {
			declared[v.Target.ID] = declared[v.Target.ID] || ship.Of(v.Ship).Banks[v.Bank].Kind != tables.Beam
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

// skipping tells a captain why fire that he ordered is not declared.
type skipping func(t *engine.Turn, s *engine.Ship, f rulebook.FireOrder, reason string, rule ...cites.Topic)

// choose gives the shots that a ship's orders ask for as things stand; why others do
// not come is told by skip, or not at all if it is nil.
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
				dealt = true // the captain's own condition says no
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
					dealt = true // told already
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
		if why := silent(l, ship.Of(s), f); !dealt && len(volleys) == before && why != "" {
			skip(t, s, f, why, cites.FiringArcs)
		}
	}
	return volleys
}

// targetable tells whether a ship can be fired at: not once she is destroyed, nor when her
// superstructure is gone and the book lets it take no more.
func targetable(l *rulebook.Rules, s *engine.Ship) bool {
	return s.Status == engine.Active || s.Status == engine.Crippled && (l.Hulks || !Spent(s))
}

// silent says why none of an order's weapons fires; nothing when all that were
// armed have fired already, as they were meant to.
func silent(l *rulebook.Rules, sys *ship.State, f rulebook.FireOrder) string {
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

// ready tells whether a mount can fire at a target now, through which arc, or why not.
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

// discharge rolls to hit and lets the shields take what they can (stcs 4.3 to 4.6).
func discharge(l *rulebook.Rules, t *engine.Turn, v *rulebook.Volley) []rulebook.Penetration {
	var out []rulebook.Penetration
	each := t.Game.Options[rulebook.OptionBanks] == rulebook.BanksEach
	bank := ship.Of(v.Ship).Banks[v.Bank]
	kind := l.Kinds[bank.Kind]
	name := engine.NameRoll("fire", v.Ship.ID).And(bank.ID)
	number := l.ToHit(bank.Chart, v.Rng)
	need, modifiers, why := aim(l, t, v, number)
	rules := append([]cites.Topic{cites.ToHit}, l.ExtraCitations(&bank)...)
	if rules = append(rules, kind.Cite...); len(v.Mounts) > 1 {
		rules = append(rules, cites.BankFire)
	}
	why = append(why, rulebook.SlimTopics(need)...)
	if !l.HideShotDetails {
		rules, why = append(rules[:1:1], append(why, rules[1:]...)...), nil
	}
	var s rulebook.ShotRoll
	var shots []engine.Ref // that are one hit
	shield, total := 0, 0
	for i, m := range v.Mounts {
		group := name
		if each {
			group = name.And(strconv.Itoa(m + 1))
		}
		if each || i == 0 {
			s = strike(l, t, v, group.And("hit"), need)
			s.Number = number
			if shield = 0; !v.Target.Small() {
				shield = struck(l, t, v, 0) // one roll strikes one shield, but for what is evaded
			}
		}
		f := ship.Fire{
			Ship: v.Ship.ID, Target: v.Target.ID, Weapon: bank.ID, Model: bank.Type, Family: bank.Family, Mount: m + 1,
			Range: v.Rng, Arc: v.Arc, Chart: bank.Chart, Number: number, Modifiers: modifiers, Need: need,
			Named: s.Named, Roll: s.Roll, Slim: s.Slim.Slim, Second: s.Slim.Second, Hit: s.Hit, Rules: l.Cite(why...),
		}
		if s.Hit {
			f.Base, f.Bonus = kind.Deal(&bank, v, m, s)
			f.Damage = f.Base + f.Bonus
			f.Shield = shield
			if f.Evaded = evades(t, v.Target, v.Ship.ID, bank.ID, m+1); f.Evaded {
				f.Shield, f.Damage = struck(l, t, v, m+1), (f.Damage+1)/2
			}
			f.Graze = kind.Graze(s)
		}
		if f.Evaded {
			dodge, _ := noted[dodged](t, v.Target.ID)
			t.Because(dodge.event)
		}
		shot := t.Because(v.Declared).Because(s.Thrown...).Emit(&f, seen(l, t, v), l.Cite(rules...)...)
		kind.After(l, t, v, m)
		if v.Target.Small() && s.Hit {
			strikeProbe(l, t, v.Target, shot)
		}
		if !s.Hit || dark.IsEcho(v.Target) || v.Target.Small() { // what sensors show of a hit on an echo is as false as she is
			continue
		}
		if total += f.Damage; l.AsOne {
			shots = append(shots, shot)
			continue
		}
		hit := rulebook.Hit{
			Target: v.Target, From: v.Ship.ID, At: v.Ship.Hex, Stood: stance(t, v.Target, v.Ship.ID, bank.ID, m+1),
			Weapon: bank.ID, Mount: m + 1, Spread: kind.Spread, Cause: shot,
		}
		if through, pierced := absorb(l, t, hit, f.Shield, f.Damage); through > 0 {
			again := len(out) > 0 && out[len(out)-1].Group == group
			out = append(out, rulebook.Penetration{Hit: hit, Shield: f.Shield, Through: through, Group: group, Again: again, Pierced: pierced})
		}
	}
	if l.AsOne && total > 0 { // of the bank, and of no mount
		hit := rulebook.Hit{Target: v.Target, From: v.Ship.ID, At: v.Ship.Hex, Stood: stance(t, v.Target, v.Ship.ID, bank.ID, 0), Weapon: bank.ID, Cause: shots[0]}
		t.Because(shots[1:]...)
		if through, pierced := absorb(l, t, hit, shield, total); through > 0 {
			out = append(out, rulebook.Penetration{Hit: hit, Shield: shield, Through: through, Group: name, Pierced: pierced})
		}
	}
	return out
}

// aim works a to-hit number out (stcs 4.3), with the rules of what changes it.
func aim(l *rulebook.Rules, t *engine.Turn, v *rulebook.Volley, number int) (need int, mods []ship.Modifier, rules []cites.Topic) {
	need, mods = number, []ship.Modifier{}
	for _, m := range l.Modifiers {
		if name, value, rule := m(l, t, v); value != 0 {
			need += value
			mods = append(mods, ship.Modifier{Name: name, Value: value})
			rules = append(rules, rule...)
		}
	}
	return need, mods, rules
}

// struck is the shield that the shot of a mount hits (stcs 4.5, rulings D5, D6); of
// mount 0 that which all shots hit that are not evaded.
func struck(l *rulebook.Rules, t *engine.Turn, v *rulebook.Volley, mount int) int {
	return exposedAt(l.Book, v.Target, stance(t, v.Target, v.Ship.ID, ship.Of(v.Ship).Banks[v.Bank].ID, mount), v.Ship.Hex)
}

// exposed is the shield that a ship turns to a hex; on a line its captain's
// standing choice decides. It is 0 in the same hex.
func exposed(book rulebook.Book, target *engine.Ship, from hex.Hex) int {
	return exposedAt(book, target, engine.Place{Hex: target.Hex, Heading: target.Heading}, from)
}

// exposedAt is exposed for a ship as if it stood at a place.
func exposedAt(book rulebook.Book, target *engine.Ship, at engine.Place, from hex.Hex) int {
	a, b := book.Facing(at, from)
	if a == b {
		return a
	}
	sys := ship.Of(target)
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

// absorb lets a shield take a hit and returns what gets through (stcs 4.6), and the event.
func absorb(l *rulebook.Rules, t *engine.Turn, h rulebook.Hit, shield, damage int) (through int, event engine.Ref) {
	before := ship.Of(h.Target).Shields[shield-1].Now
	took := min(before, damage)
	event = t.Because(h.Cause).Emit(&ship.ShieldHit{
		Ship: h.Target.ID, From: h.From, Weapon: h.Weapon, Mount: h.Mount, Shield: shield,
		Before: before, Absorbed: took, After: before - took, Through: damage - took,
	}, l.Felt(t.Game, h), l.Cite(cites.ShieldDamage)...) // what is left of a shield takes a question
	return damage - took, event
}

func BoolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
