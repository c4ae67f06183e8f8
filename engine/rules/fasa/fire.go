package fasa

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// fire carries out a fire phase, step by step as the course has it: in the Basic
// Course declarations, the one with the advantage last; all shots; then all
// damage, which takes effect at once (stcs 2.4, 4.1, 6.5).
func (l *rulebook) fire(t *engine.Turn) {
	for _, begin := range l.begins {
		begin(t)
	}
	s := &salvo{t: t}
	for _, step := range l.battery {
		step(l, s)
	}
}

// shoot resolves all shots, ship by ship, kind of weapon by kind.
func (l *rulebook) shoot(s *salvo) {
	for _, volleys := range s.volleys {
		for _, kind := range l.order {
			for i := range volleys {
				if v := &volleys[i]; ship.Of(v.ship).Banks[v.bank].Kind == kind {
					s.through = append(s.through, l.discharge(s.t, v)...)
				}
			}
		}
	}
	dark.In(s.t).TellWaiting()
}

// fallOut takes ships out of the fight that can fight no more, and power away
// from systems where there is less of it (ruling D24).
func (l *rulebook) fallOut(s *salvo) {
	t := s.t
	for _, s := range ship.Fighting(t.Game) {
		sys := ship.Of(s)
		switch {
		case sys.Superstructure <= 0:
			shift(t, s.ID, t.Because(ruinOf(t, s.ID)...).Out(s, engine.Crippled, "her superstructure gave way", nil, l.cite(cites.SuperstructureHits, cites.Crippling)...))
		case sys.Power <= 0:
			shift(t, s.ID, t.Because(ruinOf(t, s.ID)...).Out(s, engine.Crippled, "no power is left", nil, l.cite(cites.EngineHits, cites.Crippling)...))
		}
		l.shed(t, s)
	}
}

// declare gathers the fire of all ships (stcs 4.1): the one with the advantage
// declares last and may make it depend on what was declared on him. Where the game's option has
// it so, who fires at all is decided after that (ruling D64).
func (l *rulebook) declare(sv *salvo) {
	t := sv.t
	n := memo(t)
	n.declared = map[engine.ShipID]bool{}
	open := !sealed(t.Game.Options)
	for _, id := range n.advantage {
		s, ok := t.Game.Ship(id)
		if !ok || s.Status != engine.Active {
			continue
		}
		p := n.plans[id]
		orders := p.in(t.Phase.No - 1).fires
		if len(orders) == 0 {
			continue
		}
		if why, rule := l.barred(t, s); why != "" {
			for _, f := range orders {
				l.skipFire(t, s, f, why, rule...)
			}
			continue
		}
		volleys := l.pick(t, s, l.gatekeeper(l, t, s, orders))
		l.target(t, volleys)
		if !open {
			l.announceFire(t, s, volleys)
		}
		sv.volleys = append(sv.volleys, volleys)
	}
	if open {
		l.decideFire(sv)
	}
}

// barred is the first gate that is closed to a ship.
func (l *rulebook) barred(t *engine.Turn, s *engine.Ship) (why string, rule []cites.Topic) {
	for _, closed := range l.gates {
		if why, rule = closed(l, t, s); why != "" {
			return why, rule
		}
	}
	return "", nil
}

// sensorsOut keeps a ship from firing in the phase after a hit on its sensors
// (stcs 4.12, ruling D22).
func sensorsOut(l *rulebook, t *engine.Turn, s *engine.Ship) (string, []cites.Topic) {
	if ship.Of(s).NoFire == l.firePhase(t.Number(), t.Phase.No) {
		return "the sensors are out: no fire in this phase", []cites.Topic{cites.SensorHits}
	}
	return "", nil
}

func (l *rulebook) skipFire(t *engine.Turn, s *engine.Ship, f fireOrder, reason string, rule ...cites.Topic) {
	l.skip(t, s, ship.PostWeapons, f.line, f.text, reason, rule...)
}

// target notes at whom volleys are aimed, for the conditions of those who declare after them.
func (l *rulebook) target(t *engine.Turn, volleys []volley) {
	declared := memo(t).declared
	for k := range volleys {
		if v := &volleys[k]; l.feels(t, v) {
			declared[v.target.ID] = declared[v.target.ID] || ship.Of(v.ship).Banks[v.bank].Kind != tables.Beam
		}
	}
}

// announceFire declares the volleys of a ship.
func (l *rulebook) announceFire(t *engine.Turn, s *engine.Ship, volleys []volley) {
	for k := range volleys {
		v := &volleys[k]
		bank := &ship.Of(s).Banks[v.bank]
		mounts := make([]int, len(v.mounts))
		for i, m := range v.mounts {
			mounts[i] = m + 1
		}
		rule := []cites.Topic{cites.FireDeclaration}
		for _, f := range v.orders {
			t.Because(t.Ordered(s.ID, f.line, f.text))
			if !sealed(t.Game.Options) && ofDeclared(f.when) && len(rule) == 1 {
				rule = append(rule, cites.OpenFire)
			}
		}
		v.declared = t.Emit(&ship.Declare{Ship: s.ID, Target: v.target.ID, Weapon: bank.ID, Mounts: mounts},
			l.show(t.Game, []*engine.Ship{s, v.target}, s.ID, v.target.ID), l.cite(rule...)...)
	}
}

// skipping tells a captain why fire that he ordered is not declared.
type skipping func(t *engine.Turn, s *engine.Ship, f fireOrder, reason string, rule ...cites.Topic)

// choose gives the shots that a ship's orders ask for as things stand; why others do
// not come is told by skip, or not at all if it is nil.
func (l *rulebook) choose(t *engine.Turn, s *engine.Ship, orders []fireOrder, skip skipping) []volley {
	quiet := skip == nil
	if quiet {
		skip = func(*engine.Turn, *engine.Ship, fireOrder, string, ...cites.Topic) {}
	}
	var volleys []volley
	byBank := map[int]int{} // bank to volley
	for _, f := range orders {
		aim := f.target
		f.target = l.aimed(t.Game, s, aim)
		target, ok := l.shown(t.Game, s, f.target)
		if !ok || !l.targetable(target) || !l.aware(t.Game, s, target) {
			skip(t, s, f, l.noTargetShip(t.Game, s, target, string(aim)), cites.FireDeclaration)
			continue
		}
		if why := dark.HoldsFire(l.self, t.Game, s, target, heldBelow(ship.Of(s).Standing)); why != "" {
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
		for _, sh := range f.shots {
			bank := &ship.Of(s).Banks[sh.bank]
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
			arc, why := l.ready(t.Game, s, target, bank, sh.mount)
			if why == "" {
				if i, fired := byBank[sh.bank]; fired && volleys[i].target.ID != target.ID {
					why = "the bank fires at " + l.called(t.Game, s, volleys[i].target) + " in this phase"
				}
			}
			if why != "" {
				if !f.all && bank.Mounts[sh.mount].Armed+boolInt(bank.Mounts[sh.mount].Destroyed) > 0 || !f.all && len(f.shots) == 1 {
					skip(t, s, f, ship.MountName(bank, sh.mount)+": "+why, cites.FireDeclaration)
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
			if !slices.Contains(volleys[i].mounts, sh.mount) {
				volleys[i].mounts = append(volleys[i].mounts, sh.mount)
				volleys[i].power = append(volleys[i].power, bank.Mounts[sh.mount].Charge())
				volleys[i].orders = append(volleys[i].orders, f)
			}
		}
		if len(missing) > 0 && !quiet {
			slices.Sort(missing)
			l.unknown(t, s, ship.PostWeapons, f.line, f.text, slices.Compact(missing))
		}
		if why := l.silent(ship.Of(s), f); !dealt && len(volleys) == before && why != "" {
			skip(t, s, f, why, cites.FiringArcs)
		}
	}
	return volleys
}

// targetable tells whether a ship can be fired at: not once she is destroyed, nor when her
// superstructure is gone and the book lets it take no more.
func (l *rulebook) targetable(s *engine.Ship) bool {
	return s.Status == engine.Active || s.Status == engine.Crippled && (l.hulks || !spent(s))
}

// silent says why none of an order's weapons fires; nothing when all that were
// armed have fired already, as they were meant to.
func (l *rulebook) silent(sys *ship.State, f fireOrder) string {
	armed, fresh := false, false
	for _, sh := range f.shots {
		m := sys.Banks[sh.bank].Mounts[sh.mount]
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
func (l *rulebook) ready(g *engine.Game, s, target *engine.Ship, b *ship.Bank, m int) (arc, why string) {
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
	if why = l.screened(g, s, target); why != "" {
		return "", why
	}
	arc, ok := b.Bears(l.Library, engine.Place{Hex: s.Hex, Heading: s.Heading}, target.Hex)
	if !ok {
		return "", l.called(g, s, target) + " is outside its arc"
	}
	if rng := hex.Distance(s.Hex, target.Hex); l.ToHit(b.Chart, rng) == 0 {
		return "", fmt.Sprintf("%s is at range %d, chart %s reaches %d", l.called(g, s, target), rng, b.Chart, l.Reach(b.Chart))
	}
	return arc, ""
}

// discharge rolls to hit and lets the shields take what they can (stcs 4.3 to 4.6).
func (l *rulebook) discharge(t *engine.Turn, v *volley) []penetration {
	var out []penetration
	each := t.Game.Options[OptionBanks] == BanksEach
	bank := ship.Of(v.ship).Banks[v.bank]
	kind := l.kinds[bank.Kind]
	name := engine.NameRoll("fire", v.ship.ID).And(bank.ID)
	number := l.ToHit(bank.Chart, v.rng)
	need, modifiers, why := l.aim(t, v, number)
	rules := append([]cites.Topic{cites.ToHit}, l.extraCitations(&bank)...)
	if rules = append(rules, kind.cite...); len(v.mounts) > 1 {
		rules = append(rules, cites.BankFire)
	}
	why = append(why, slimTopics(need)...)
	if !l.hideShotDetails {
		rules, why = append(rules[:1:1], append(why, rules[1:]...)...), nil
	}
	var s shotRoll
	var shots []engine.Ref // that are one hit
	shield, total := 0, 0
	for i, m := range v.mounts {
		group := name
		if each {
			group = name.And(strconv.Itoa(m + 1))
		}
		if each || i == 0 {
			s = l.strike(t, v, group.And("hit"), need)
			s.number = number
			if shield = 0; !v.target.Small() {
				shield = l.struck(t, v, 0) // one roll strikes one shield, but for what is evaded
			}
		}
		f := ship.Fire{
			Ship: v.ship.ID, Target: v.target.ID, Weapon: bank.ID, Model: bank.Type, Family: bank.Family, Mount: m + 1,
			Range: v.rng, Arc: v.arc, Chart: bank.Chart, Number: number, Modifiers: modifiers, Need: need,
			Named: s.named, Roll: s.roll, Slim: s.slim.Slim, Second: s.slim.Second, Hit: s.hit, Rules: l.cite(why...),
		}
		if s.hit {
			f.Base, f.Bonus = kind.deal(&bank, v, m, s)
			f.Damage = f.Base + f.Bonus
			f.Shield = shield
			if f.Evaded = evades(t, v.target, v.ship.ID, bank.ID, m+1); f.Evaded {
				f.Shield, f.Damage = l.struck(t, v, m+1), (f.Damage+1)/2
			}
			f.Graze = kind.graze(s)
		}
		if f.Evaded {
			dodge, _ := noted[dodged](t, v.target.ID)
			t.Because(dodge.event)
		}
		shot := t.Because(v.declared).Because(s.thrown...).Emit(&f, l.seen(t, v), l.cite(rules...)...)
		kind.after(l, t, v, m)
		if v.target.Small() && s.hit {
			l.strikeProbe(t, v.target, shot)
		}
		if !s.hit || dark.IsEcho(v.target) || v.target.Small() { // what sensors show of a hit on an echo is as false as she is
			continue
		}
		if total += f.Damage; l.asOne {
			shots = append(shots, shot)
			continue
		}
		hit := hit{
			target: v.target, from: v.ship.ID, at: v.ship.Hex, stood: stance(t, v.target, v.ship.ID, bank.ID, m+1),
			weapon: bank.ID, mount: m + 1, spread: kind.spread, cause: shot,
		}
		if through, pierced := l.absorb(t, hit, f.Shield, f.Damage); through > 0 {
			again := len(out) > 0 && out[len(out)-1].group == group
			out = append(out, penetration{hit: hit, shield: f.Shield, through: through, group: group, again: again, pierced: pierced})
		}
	}
	if l.asOne && total > 0 { // of the bank, and of no mount
		hit := hit{target: v.target, from: v.ship.ID, at: v.ship.Hex, stood: stance(t, v.target, v.ship.ID, bank.ID, 0), weapon: bank.ID, cause: shots[0]}
		t.Because(shots[1:]...)
		if through, pierced := l.absorb(t, hit, shield, total); through > 0 {
			out = append(out, penetration{hit: hit, shield: shield, through: through, group: name, pierced: pierced})
		}
	}
	return out
}

// aim works a to-hit number out (stcs 4.3), with the rules of what changes it.
func (l *rulebook) aim(t *engine.Turn, v *volley, number int) (need int, mods []ship.Modifier, rules []cites.Topic) {
	need, mods = number, []ship.Modifier{}
	for _, m := range l.modifiers {
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
func (l *rulebook) struck(t *engine.Turn, v *volley, mount int) int {
	return l.exposedAt(v.target, stance(t, v.target, v.ship.ID, ship.Of(v.ship).Banks[v.bank].ID, mount), v.ship.Hex)
}

// exposed is the shield that a ship turns to a hex; on a line its captain's
// standing choice decides. It is 0 in the same hex.
func (book Book) exposed(target *engine.Ship, from hex.Hex) int {
	return book.exposedAt(target, engine.Place{Hex: target.Hex, Heading: target.Heading}, from)
}

// exposedAt is exposed for a ship as if it stood at a place.
func (book Book) exposedAt(target *engine.Ship, at engine.Place, from hex.Hex) int {
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
func (l *rulebook) absorb(t *engine.Turn, h hit, shield, damage int) (through int, event engine.Ref) {
	before := ship.Of(h.target).Shields[shield-1].Now
	took := min(before, damage)
	event = t.Because(h.cause).Emit(&ship.ShieldHit{
		Ship: h.target.ID, From: h.from, Weapon: h.weapon, Mount: h.mount, Shield: shield,
		Before: before, Absorbed: took, After: before - took, Through: damage - took,
	}, l.felt(t.Game, h), l.cite(cites.ShieldDamage)...) // what is left of a shield takes a question
	return damage - took, event
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
