package tell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// volley tells all shots of one roll, beginning with the current entry.
func (n *Narrator) volley(f *ship.Fire, cite string) {
	var fewShots [4]*ship.Fire
	var fewHits [4]*ship.ShieldHit
	shots, hits := fewShots[:0], fewHits[:0]
	i := n.at - 1
	for ; i < len(n.View.Events); i++ {
		switch b := n.View.Events[i].Body.(type) {
		case *ship.Fire:
			if b.Named != f.Named {
				goto done
			}
			shots = append(shots, b)
		case *ship.ShieldHit:
			if b.From != f.Ship || b.Weapon != f.Weapon {
				goto done
			}
			hits = append(hits, b)
		default:
			goto done
		}
	}
done:
	n.told = i
	verdict := "miss"
	switch {
	case f.Hit && f.Shield == 0: // in the dark the firer may not know the shield
		verdict = "hit"
	case f.Hit:
		shield := strconv.Itoa(f.Shield)
		for _, s := range shots[1:] { // one shot of a bank may be evaded
			if other := strconv.Itoa(s.Shield); !strings.Contains(shield, other) {
				shield += " and " + other
			}
		}
		verdict = "hit on shield " + shield
		if f.Graze {
			verdict = "grazes shield " + shield
		}
	}
	weapon := f.Weapon
	if len(shots) == 1 && n.mounts(f) > 1 {
		weapon += "-" + strconv.Itoa(f.Mount)
	}
	n.Line(0, cite, n.View.Name(f.Ship), " fires ", weapon, " (", count(len(shots)), f.Family, ") at ", n.seenAs(f.Target),
		": range ", strconv.Itoa(f.Range), ", chart ", f.Chart, n.took(f), ": ", verdict)
	n.shots = append(n.shots, engine.Shot{Phase: n.View.Events[n.told-1].Phase, From: f.Ship, To: f.Target, Hit: f.Hit, Label: weapon, Roll: f.Roll, Points: struckPoints(shots, hits)})
	if mods := rulebook.ModifierWords(f.Modifiers); mods != "" && len(f.Rules) > 0 {
		n.Line(1, n.citation(f.Rules), fmt.Sprintf("chart number %d%s", f.Number, mods))
	}
	if f.Hit && len(hits) == 0 && f.Damage > 0 {
		n.Line(1, "", "hits for ", damageWords(shots), "; damage unknown")
	}
	for k, h := range hits {
		text := ""
		switch {
		case h.Mount == 0 && len(shots) > 1: // by the bank as a whole
			text = struckWords(shots, h) + ": "
		case k < len(shots):
			text = struckWords(shots[k:k+1], h) + ": "
		}
		n.Line(1, n.citation(n.l.Cite(cites.ShieldDamage)), text+shieldWords(h))
	}
}

// struckPoints returns the points with which shots of one roll struck: as they were fired, or, to a viewer who does not
// know that, as they arrived.
func struckPoints(shots []*ship.Fire, hits []*ship.ShieldHit) int {
	fired, struck := 0, 0
	for _, s := range shots {
		if s.Hit {
			fired += s.Damage
		}
	}
	for _, h := range hits {
		struck += h.Absorbed + h.Through
	}
	return max(fired, struck)
}

// took returns the number that a shot needed and the dice, if the viewer knows them.
func (n *Narrator) took(f *ship.Fire) string {
	if f.Roll == 0 {
		return ""
	}
	return ", " + rulebook.TriedWords(f.Need, nil, f.Roll, rulebook.SlimRoll{Slim: f.Slim, Second: f.Second})
}

// struckWords returns the damage of shots to a viewer who knows how the weapon was armed, or only
// what arrived.
func struckWords(shots []*ship.Fire, h *ship.ShieldHit) string {
	f := shots[0]
	if f.Base > 0 {
		return damageWords(shots)
	}
	text := fmt.Sprintf("%d points", h.Absorbed+h.Through)
	if f.Evaded {
		text += ", halved by evasion"
	}
	return text
}

// shieldWords returns in words what a shield absorbed.
func shieldWords(h *ship.ShieldHit) string {
	switch {
	case h.Absorbed == 0:
		return fmt.Sprintf("shield %d is down, %s", h.Shield, goThrough("all ", h.Through))
	case h.Through > 0:
		return fmt.Sprintf("shield %d takes %d and is gone, %s", h.Shield, h.Absorbed, goThrough("", h.Through))
	case h.Before > 0:
		return fmt.Sprintf("shield %d takes all, %d of %d left", h.Shield, h.After, h.Before)
	}
	return fmt.Sprintf("shield %d takes all", h.Shield)
}

// mounts returns the number of mounts in the bank of a shot, as far as the viewer knows.
func (n *Narrator) mounts(f *ship.Fire) int {
	if s, ok := n.View.Ship(f.Ship); ok {
		if sys, isOwn := s.System.(*ship.State); isOwn {
			if b, found := sys.Bank(f.Weapon); found {
				return len(b.Mounts)
			}
		}
	}
	return f.Mount
}

func goThrough(all string, n int) string {
	if n == 1 {
		return "1 goes through"
	}
	return fmt.Sprintf("%s%d go through", all, n)
}

func count(n int) string {
	switch n {
	case 1:
		return ""
	case 2:
		return "two x "
	case 3:
		return "three x "
	}
	return fmt.Sprintf("%d x ", n)
}

func damageWords(shots []*ship.Fire) string {
	var parts []string
	for _, s := range shots {
		switch {
		case s.Evaded:
			parts = append(parts, fmt.Sprintf("%d points, halved to %d by evading", s.Base+s.Bonus, s.Damage))
		case s.Bonus > 0:
			parts = append(parts, fmt.Sprintf("%d+%d points", s.Base, s.Bonus))
		default:
			parts = append(parts, fmt.Sprintf("%d points", s.Base))
		}
	}
	return strings.Join(parts, " and ")
}

func (n *Narrator) damage(b *ship.Damage, cite string) {
	var did []string
	if b.Shield != nil {
		did = append(did, b.Shield.Name+" damaged")
	}
	if b.Lost != nil {
		did = append(did, b.Lost.Name+" "+b.Lost.After)
	}
	if b.Power != nil {
		did = append(did, fmt.Sprintf("power %d to %d", b.Power.Before, b.Power.After))
	}
	did = append(did, engineWords(b.Engines)...)
	if b.Superstructure != nil {
		did = append(did, fmt.Sprintf("superstructure %d to %d", b.Superstructure.Before, b.Superstructure.After))
	}
	if b.Sensors != nil {
		did = append(did, "no fire in the next fire phase")
	}
	if slices.ContainsFunc(b.Tracks, func(m ship.Marked) bool { return m.System == ship.NameSensors }) {
		did = append(did, "sensors damaged: no fire, no lock and no warping out until repaired")
	}
	for _, name := range b.Down {
		did = append(did, ship.GridTitle(name)+" damaged")
	}
	if b.Casualties != nil {
		did = append(did, "casualties "+perCent(b.Casualties.Before)+" to "+perCent(b.Casualties.After))
	}
	text := strings.Join(did, ", ")
	if b.Note != "" {
		text += " (" + b.Note + ")"
	}
	if text != "" {
		text = ": " + text
	}
	by := b.Weapon
	if b.From != "" { // otherwise it was no ship
		by += " of " + n.View.Name(b.From)
	}
	n.Line(0, cite, fmt.Sprintf("%s takes %d from %s: die %d, %s%s", n.View.Name(b.Ship), b.Points, by, b.Roll, rulebook.LocationWords(b), text))
}

func (n *Narrator) repower(b *ship.Repower, cite string) {
	var parts []string
	for i, c := range b.Shields {
		if c.Before != c.After {
			parts = append(parts, fmt.Sprintf("%d from %d to %d", i+1, c.Before, c.After))
		}
	}
	n.Line(0, cite, n.View.Name(b.Ship), " powers shields again: ", strings.Join(parts, ", "))
}

// perCent returns tenths of a per cent as a percentage.
func perCent(tenths int) string {
	if tenths%10 == 0 {
		return strconv.Itoa(tenths/10) + "%"
	}
	return fmt.Sprintf("%d.%d%%", tenths/10, tenths%10)
}
