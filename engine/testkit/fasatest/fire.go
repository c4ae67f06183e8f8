package fasatest

import (
	"cmp"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// declare checks declared fire: each mount must be able to fire at the target from the ship's place.
func (w *walk) declare(e engine.Event, b *ship.Declare) error {
	s, sys, err := w.acts(b.Ship, "fires")
	if err != nil {
		return err
	}
	target, hull, err := w.of(b.Target)
	if err := cmp.Or(err, fit(sys, ship.ShakenWeapons)); err != nil {
		return fmt.Errorf("%s fires: %w", b.Ship, err)
	}
	bank := bankOf(sys, b.Weapon)
	switch {
	case target.Status == engine.Crippled && !w.rules.CrippledMayAct && hull.Superstructure <= 0:
		return fmt.Errorf("%s fires at %s, which can take no more", b.Ship, b.Target)
	case bank == nil:
		return fmt.Errorf("%s has no %s", b.Ship, b.Weapon)
	case s.Hex == target.Hex || b.Ship == b.Target:
		return fmt.Errorf("%s fires into its own hex", b.Ship)
	case target.Status != engine.Active && target.Status != engine.Crippled:
		return fmt.Errorf("%s fires at %s, which is %s", b.Ship, b.Target, target.Status)
	case sys.NoFire != 0 && sys.NoFire == (e.Turn-1)*w.rules.Rounds()+e.Phase, sys.Sensors().Down:
		return fmt.Errorf("%s fires without sensors", b.Ship)
	case gridDown(sys, "weapon-grid"):
		return fmt.Errorf("%s fires without its weaponry grid", b.Ship)
	case !w.clear(s.Hex, target.Hex):
		return fmt.Errorf("%s fires through an obstacle", b.Ship)
	case hidden(s, sys):
		return fmt.Errorf("%s fires under its cloak", b.Ship)
	case w.findable(target, sys) != nil:
		return fmt.Errorf("%s fires: %w", b.Ship, w.findable(target, sys))
	case w.lib.ToHit(bank.Chart, hex.Distance(s.Hex, target.Hex)) == 0:
		return fmt.Errorf("%s fires %s beyond its range", b.Ship, b.Weapon)
	case !w.bears(bank, engine.Place{Hex: s.Hex, Heading: s.Heading}, target.Hex):
		return fmt.Errorf("%s of %s does not bear on %s", b.Weapon, b.Ship, b.Target)
	}
	for m, mount := range bank.Mounts {
		if w.book.bankHits && mount.Armed > 0 && !mount.Fired && !mount.Destroyed && !slices.Contains(b.Mounts, m+1) {
			return fmt.Errorf("%s of %s fires without its mount %d", b.Weapon, b.Ship, m+1)
		}
	}
	for _, m := range b.Mounts {
		mount := bank.Mounts[m-1]
		key := fmt.Sprintf("%s %s %d", b.Ship, b.Weapon, m)
		switch {
		case mount.Fired || mount.Shots > 1 && mount.Shot >= mount.Shots || w.fired[key] == e.Phase:
			return fmt.Errorf("mount %d of %s fires twice", m, b.Weapon)
		case mount.Armed == 0 || mount.Destroyed:
			return fmt.Errorf("mount %d of %s fires, but is %+v", m, b.Weapon, mount)
		}
		w.fired[key] = e.Phase
	}
	return nil
}

// fire checks a shot: it was declared, and its number is the chart's with the named modifiers.
func (w *walk) fire(e engine.Event, b *ship.Fire) error {
	s, sys, err := w.acts(b.Ship, "fires")
	if err != nil {
		return err
	}
	target, hull, err := w.of(b.Target)
	if err := cmp.Or(err, fit(sys, ship.ShakenWeapons)); err != nil {
		return fmt.Errorf("%s fires: %w", b.Ship, err)
	}
	bank := bankOf(sys, b.Weapon)
	if bank == nil || b.Mount < 1 || b.Mount > len(bank.Mounts) || !bank.Mounts[b.Mount-1].Fired && bank.Mounts[b.Mount-1].Shot == 0 {
		return fmt.Errorf("%s fires mount %d of %s, which was not declared", b.Ship, b.Mount, b.Weapon)
	}
	need, named := w.lib.ToHit(bank.Chart, b.Range), map[string]int{}
	if b.Number != need {
		return fmt.Errorf("chart %s says %d at range %d, not %d", bank.Chart, need, b.Range, b.Number)
	}
	for _, m := range b.Modifiers {
		need += m.Value
		named[m.Name] += m.Value
	}
	repaired := 0
	for _, m := range bank.Mounts {
		repaired += one(m.Repaired && !m.Destroyed)
	}
	swung := sys.Helm().Swung == (e.Turn-1)*w.rules.Rounds()+e.Phase
	evades := w.dodges[b.Ship].phase == e.Phase
	for name, want := range map[string]int{
		"casualties": -shortHanded(sys), "repaired weapons": -repaired, "emergency heading change": -2 * one(swung), "evasive action": -4 * one(evades),
	} {
		if named[name] != want {
			return fmt.Errorf("%s fires with %d for %s, not %d", b.Ship, named[name], name, want)
		}
	}
	if err := shrouded(target, hull, named); err != nil {
		return err
	}
	switch {
	case evades && !sys.Has("hull"):
		return fmt.Errorf("%s fires and evades", b.Ship)
	case b.Range != hex.Distance(s.Hex, target.Hex):
		return fmt.Errorf("range %d", b.Range)
	case b.Need != need || b.Hit && need > 0 && b.Roll > need || !b.Hit && need > 0 && b.Roll <= need:
		return fmt.Errorf("needs %d, the sum is %d, rolled %d, hit %v", b.Need, need, b.Roll, b.Hit)
	case need <= 0 && !w.slim(need, b.Roll, b.Hit, b.Slim, b.Second):
		return fmt.Errorf("needs %d and hits with %d", need, b.Roll)
	case !b.Hit && (b.Damage != 0 || b.Shield != 0):
		return fmt.Errorf("a miss with damage")
	case !b.Hit:
		return nil
	}
	if err := w.deals(b, bank); err != nil {
		return err
	}
	if err := w.side(e, b, s, target); err != nil {
		return err
	}
	before := w.blow
	if err := w.deliver(b.Target, b.Shield, b.Damage); err != nil || w.blow == nil {
		return err
	}
	if w.blow.named = b.Named; before != nil { // from the same bank
		w.blow.damage += before.damage
	}
	return nil
}

// slim reports whether the dice for a number of 0 or less are right: a second one only after a 1 that leaves a
// chance, with success by that die alone; none in courses without such chances (stcs 14.1).
func (w *walk) slim(need, roll int, done bool, slim, second int) bool {
	chance := w.lib.SlimChance(need)
	if slim == 0 && second == 0 {
		return !done // no chance, or a course without such chances
	}
	return slim == chance && (second > 0) == (roll == 1) && done == (second > 0 && second <= chance)
}

// deals checks the damage of a hit.
func (w *walk) deals(b *ship.Fire, bank *ship.Bank) error {
	mount, bonus := bank.Mounts[b.Mount-1], 0
	armed := mount.Armed
	if mount.Shots > 1 {
		armed = mount.Spent // including this shot and those before it (stcs 14.2)
	}
	for _, band := range bank.Bands {
		if b.Range >= band.From && b.Range <= band.To {
			bonus = band.Bonus
		}
	}
	damage := b.Base + b.Bonus
	if b.Evaded {
		damage = (damage + 1) / 2
	}
	switch {
	case damage != b.Damage:
		return fmt.Errorf("%d and %d do %d", b.Base, b.Bonus, b.Damage)
	case bank.Kind == tables.Beam && (b.Base > armed || b.Base > bank.Max || b.Bonus != bonus || b.Evaded):
		return fmt.Errorf("a beam of %d gives %d and %d", armed, b.Base, b.Bonus)
	case bank.Kind == tables.Missile && (b.Base != bank.Damage || b.Bonus != 0):
		return fmt.Errorf("a missile of %d gives %d and %d", bank.Damage, b.Base, b.Bonus)
	case bank.Kind == tables.Plasma:
		full, graze := tables.WeaponType{Plasma: bank.Plasma}.Bolt(b.Range)
		if b.Graze {
			full = graze
		}
		if armed < bank.Arm {
			full /= 2
		}
		if b.Base != full || b.Graze != (b.Roll >= min(b.Need, 10)) {
			return fmt.Errorf("a bolt of %d gives %d at range %d, a graze: %v", armed, b.Base, b.Range, b.Graze)
		}
	}
	return nil
}

// deliver records damage on its way to a shield, if any.
func (w *walk) deliver(ship engine.ShipID, shield, damage int) error {
	if damage < 0 || damage > 0 && (shield < 1 || shield > 6) {
		return fmt.Errorf("%d points of damage to shield %d", damage, shield)
	}
	if damage > 0 || shield > 0 {
		w.blow = &blow{ship: ship, shield: shield, damage: damage}
	}
	return nil
}

// struck checks what a shield absorbs (stcs 4.6).
func (w *walk) struck(b *ship.ShieldHit) error {
	if _, _, err := w.of(b.Ship); err != nil {
		return err
	}
	from := w.blow
	w.blow = nil
	switch {
	case from == nil || from.ship != b.Ship || from.shield != b.Shield || from.damage != b.Absorbed+b.Through:
		return fmt.Errorf("%d absorbed and %d through of %+v", b.Absorbed, b.Through, from)
	case b.Before-b.Absorbed != b.After || b.After < 0 || b.Absorbed < 0 || b.Through < 0:
		return fmt.Errorf("shield %d less %d is %d", b.Before, b.Absorbed, b.After)
	case b.Through > 0 && b.After > 0:
		return fmt.Errorf("%d go through a shield that holds %d", b.Through, b.After)
	}
	hit := hitKey(b.Ship, b.From, b.Weapon, b.Mount)
	w.owed[hit] += b.Through
	delete(w.spared, hit) // of an earlier hit with nothing left that could cause casualties
	w.through[hit] = b.Shield
	return nil
}

func hitKey(ship, from engine.ShipID, weapon string, mount int) string {
	return fmt.Sprintf("%s of %s (%d) on %s", weapon, from, mount, ship)
}

// bears reports whether a bank can fire from a place into a hex.
func (w *walk) bears(b *ship.Bank, from engine.Place, at hex.Hex) bool {
	p, ok := hex.Bearing(from.Hex, at)
	return ok && slices.ContainsFunc(b.Arcs, func(name string) bool {
		return slices.ContainsFunc(w.lib.Arcs[name], func(a hex.Arc) bool { return a.Contains(p.Relative(from.Heading)) })
	})
}

// clear reports whether nothing blocks the line between two hexes.
func (w *walk) clear(a, b hex.Hex) bool {
	return engine.LineOfSight(a, b, func(h hex.Hex) bool {
		return slices.ContainsFunc(w.g.TerrainAt(h), func(f *engine.Feature) bool { return w.rules.Terrain[f.Kind].Opaque })
	})
}

func bankOf(sys *ship.State, id string) *ship.Bank {
	i := slices.IndexFunc(sys.Banks, func(b ship.Bank) bool { return b.ID == id })
	if i < 0 {
		return nil
	}
	return &sys.Banks[i]
}

// gridDown reports whether an engineering function is out of order (stcs 15.10).
func gridDown(sys *ship.State, name string) bool {
	return sys.RepairState().Tracks[name].Down
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
