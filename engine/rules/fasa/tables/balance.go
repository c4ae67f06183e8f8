package tables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/family"
)

// weight is the fighting strength of a ship, or of a side's ships together: D, its defence;
// WDF, its weapons; and CE, the combat efficiency of the two, D times WDF over 100 (stcs 18.1).
type weight struct {
	D   tenths `json:"d"`
	WDF tenths `json:"wdf"`
	CE  tenths `json:"ce"`
}

// weighedShip is a ship with its strength.
type weighedShip struct {
	Name  string `json:"name"`
	Class string `json:"class"`
	weight
}

// weighedSide is a side with its ships. Its D and WDF are the sums of theirs; its CE is the
// product of these sums, not the sum of the ships' CE (stcs 18.2).
type weighedSide struct {
	Side  string        `json:"side"`
	Ships []weighedShip `json:"ships"`
	weight
}

// comparison compares two sides. D, WDF and CE are the smaller figure in per cent of the larger
// one, rounded down; 100 if both are 0.
type comparison struct {
	Sides [2]string `json:"sides"`
	D     int       `json:"d_percent"`
	WDF   int       `json:"wdf_percent"`
	CE    int       `json:"ce_percent"`
	// Totals reports whether the sums of D and of WDF both balance (stcs 18.2).
	Totals bool `json:"balanced_by_totals"`
	// Efficiency reports whether the combat efficiencies balance (stcs 18.2), which works best
	// with equal numbers of ships.
	Efficiency bool   `json:"balanced_by_efficiency"`
	Favours    string `json:"favours,omitempty"` // the side with the higher CE; "" if equal
}

// Balance compares every two sides of a scenario.
type Balance struct {
	Within      int           `json:"within_percent"`
	Sides       []weighedSide `json:"sides"`
	Comparisons []comparison  `json:"comparisons"`
}

// Balance compares sides in two ways (stcs 5.3, 18.1, 18.2). Sides come in the order of their
// first ships. Ships count as undamaged and present from the start. within is the largest
// allowed difference in per cent, 0 to 100. An unknown class is an *unknownError; a class
// without a known D, which can only be one of a game's own, is an *unweighedError.
func (l *Library) Balance(ships []family.Entrant, within int) (Balance, error) {
	b := Balance{Within: within}
	for _, e := range ships {
		d, err := l.Design(e.Class)
		if err != nil {
			return Balance{}, fmt.Errorf("%s: %w", e.Name, err)
		}
		w, err := l.weigh(d)
		if err != nil {
			return Balance{}, fmt.Errorf("%s: %w", e.Name, err)
		}
		i := slices.IndexFunc(b.Sides, func(s weighedSide) bool { return s.Side == e.Side })
		if i < 0 {
			i = len(b.Sides)
			b.Sides = append(b.Sides, weighedSide{Side: e.Side})
		}
		s := &b.Sides[i]
		s.Ships = append(s.Ships, weighedShip{Name: e.Name, Class: d.Name, weight: w})
		s.D, s.WDF = s.D+w.D, s.WDF+w.WDF
		s.CE = efficiencyOf(s.D, s.WDF)
	}
	for i, one := range b.Sides {
		for _, other := range b.Sides[i+1:] {
			b.Comparisons = append(b.Comparisons, compared(one, other, within))
		}
	}
	return b, nil
}

// Even reports whether every two sides balance in at least one way.
func (b Balance) Even() bool {
	return !slices.ContainsFunc(b.Comparisons, func(c comparison) bool { return !c.Totals && !c.Efficiency })
}

// unweighedError is a class without a defence factor, or with a weapon for whose damage factor
// there is no formula.
type unweighedError struct{ Class, Weapon string }

// Error implements error.
func (e *unweighedError) Error() string {
	if e.Weapon != "" {
		return "class " + strconv.Quote(e.Class) + " has plasma launchers " + e.Weapon + " without a wdf, and no source has a formula for theirs"
	}
	return "class " + strconv.Quote(e.Class) + " has no D, its defence factor"
}

// Hint returns what to do.
func (e *unweighedError) Hint() string {
	if e.Weapon != "" {
		return `give the weapon a wdf, such as wdf = "11.1" of RPL-2, or the class`
	}
	return `give d in its table, such as d = "85.3", or wer, ier and dpc, from which it follows; no source has the tables by which engines and shields are rated`
}

// weigh returns the figures of a design. A WDF that is not given is that of its weapons, half as
// much again for a ship with a cloak. What is neither given nor computable is an
// *unweighedError, returned together with the WDF if only D is missing.
func (l *Library) weigh(d Design) (weight, error) {
	w := weight{D: d.D, WDF: d.WDF}
	for _, b := range d.Banks {
		if d.WDF > 0 {
			break
		}
		t, err := l.Mounted(b)
		if err != nil {
			return weight{}, err
		}
		if len(t.Plasma) > 0 && t.WDF == 0 {
			return weight{}, &unweighedError{Class: d.Name, Weapon: t.Name}
		}
		w.WDF += tenths(b.Mounts) * l.damageFactor(t)
	}
	if d.WDF == 0 && d.Cloak > 0 {
		w.WDF = (3*w.WDF + 1) / 2
	}
	if w.D == 0 {
		return w, &unweighedError{Class: d.Name}
	}
	w.CE = efficiencyOf(w.D, w.WDF)
	return w, nil
}

// damageFactor returns a weapon's published WDF, or for a game's own beams and missiles that
// of the formula which the published ones follow: all numbers of its chart times its damage
// over 168, and 0.03, 0.07 or 0.14 for each hex of +1, +2 or +3; more than +3 counts as +3.
func (l *Library) damageFactor(w WeaponType) tenths {
	if w.WDF > 0 {
		return w.WDF
	}
	sum := 0
	for _, n := range l.Charts[w.Chart] {
		sum += n
	}
	hundredths := 100 * sum * (w.MaxPower + w.Damage) / 168
	for _, b := range w.Bands {
		hundredths += (b.To - b.From + 1) * [4]int{0, 3, 7, 14}[min(b.Bonus, 3)]
	}
	return tenths((hundredths + 5) / 10)
}

// efficiencyOf returns D times WDF over 100, to the nearest tenth.
func efficiencyOf(d, wdf tenths) tenths { return (d*wdf + 500) / 1000 }

func compared(one, other weighedSide, within int) comparison {
	c := comparison{
		Sides: [2]string{one.Side, other.Side},
		D:     share(one.D, other.D), WDF: share(one.WDF, other.WDF), CE: share(one.CE, other.CE),
	}
	c.Totals = near(one.D, other.D, within) && near(one.WDF, other.WDF, within)
	c.Efficiency = near(one.CE, other.CE, within)
	switch {
	case one.CE > other.CE:
		c.Favours = one.Side
	case other.CE > one.CE:
		c.Favours = other.Side
	}
	return c
}

// share returns the smaller of two figures in per cent of the larger.
func share(a, b tenths) int {
	if most := max(a, b); most > 0 {
		return int(100 * min(a, b) / most)
	}
	return 100
}

// near reports whether two figures differ by no more than within per cent of the larger.
func near(a, b tenths, within int) bool {
	most, least := max(a, b), min(a, b)
	return 100*(most-least) <= tenths(within)*most
}

// Verdict returns a comparison in one line.
func (c comparison) Verdict() string {
	var ways []string
	if c.Totals {
		ways = append(ways, "the totals")
	}
	if c.Efficiency {
		ways = append(ways, "the combat efficiency")
	}
	if len(ways) > 0 {
		return "balanced by " + strings.Join(ways, " and ")
	}
	return "not balanced; the stronger side is " + c.Favours
}
