package sheet

import "slices"

// Chart is the damage allocation chart (cadet D4.21): for each face of the die, the categories in columns A to D.
// Column E is always excess damage.
var Chart = [6][5]Category{
	{HullBoxes, EngineBoxes, OtherBoxes, WeaponBoxes, ExcessBoxes},
	{HullBoxes, OtherBoxes, WeaponBoxes, EngineBoxes, ExcessBoxes},
	{EngineBoxes, HullBoxes, OtherBoxes, WeaponBoxes, ExcessBoxes},
	{OtherBoxes, EngineBoxes, WeaponBoxes, HullBoxes, ExcessBoxes},
	{WeaponBoxes, HullBoxes, OtherBoxes, EngineBoxes, ExcessBoxes},
	{OtherBoxes, WeaponBoxes, EngineBoxes, HullBoxes, ExcessBoxes},
}

// Volley is all damage that hits one shield in one impulse (cadet D4.22), after reinforcement.
type Volley struct {
	Shield int `json:"shield"` // 1 to 6
	Points int `json:"points"` // 0 or more
}

// Hit is the result of one point of damage inside a ship.
type Hit struct {
	Die int `json:"die"`
	// Passed are the categories of the skipped columns, with no boxes left.
	Passed []Category `json:"passed,omitempty"`
	// Category and Bank are those of the destroyed box. Bank is the index of the bank in the sheet, -1 for the point
	// that destroys the ship.
	Category Category `json:"category"`
	Bank     int      `json:"bank"`
}

// column returns the letter of the deciding column, A to E.
func (h Hit) column() string { return "ABCDE"[len(h.Passed) : len(h.Passed)+1] }

// Allocation is the result of a volley.
type Allocation struct {
	Volley
	Stopped   int   `json:"stopped"` // points that the shield stopped
	Hits      []Hit `json:"hits,omitempty"`
	Void      int   `json:"void,omitempty"` // points left over when the ship was destroyed
	Destroyed bool  `json:"destroyed,omitempty"`
	Sheet     Sheet `json:"-"` // after the volley
}

// Allocate is the damage allocation procedure (cadet D4.2). The shield stops what it can. For each point that gets
// through, a die is rolled (cadet D4.221); it destroys one box of the first category of its row with a box left
// (cadet D4.222), chosen by the owner within the category. Die returns the face, 1 to 6, for a point inside, counted
// from 1; it is called only for points that are allocated. Allocate does not change the sheet.
func Allocate(sheet Sheet, v Volley, die func(point int) int, choice Choice) Allocation {
	a := Allocation{Volley: v, Sheet: sheet.Clone()}
	shield := &a.Sheet.Shields[v.Shield-1]
	a.Stopped = min(v.Points, shield.Left)
	shield.Left -= a.Stopped
	inside := v.Points - a.Stopped
	left, banks, boxes := map[Category]int{}, map[Category][]int{}, 0
	for i, b := range a.Sheet.Banks {
		if c := b.Kind.Category(); b.Left > 0 {
			left[c], banks[c], boxes = left[c]+b.Left, append(banks[c], i), boxes+b.Left
		}
	}
	if inside > 0 {
		a.Hits = make([]Hit, 0, min(inside, boxes+1))
	}
	for point := 1; point <= inside; point++ {
		face := die(point)
		row := &Chart[face-1]
		column := 0
		for column < 4 && left[row[column]] == 0 {
			column++
		}
		h := Hit{Die: face, Passed: row[:column:column], Category: row[column], Bank: -1}
		if left[h.Category] == 0 { // cadet D4.4
			a.Hits, a.Destroyed, a.Void = append(a.Hits, h), true, inside-point
			return a
		}
		h.Bank = choice.Next(&a.Sheet, banks[h.Category], h.Category)
		bank := &a.Sheet.Banks[h.Bank]
		if bank.Left--; bank.Left == 0 { // remove it from the choice
			banks[h.Category] = slices.DeleteFunc(banks[h.Category], func(i int) bool { return i == h.Bank })
		}
		left[h.Category]--
		a.Hits = append(a.Hits, h)
	}
	return a
}

// Choice is which boxes the owner of a ship prefers to lose (cadet D4.223). The zero Choice is ruling C11: fore hull
// first; impulse, then the fuller warp engine; shuttle, laboratory, transporter, battery, reactor; weapons that do
// not bear, then those that have fired, then the rest.
type Choice struct {
	Wishes []Wish
	// Bears reports whether the weapon of a bank bears on the firer, Fired whether it has fired. If nil, all bear and
	// none has fired.
	Bears, Fired func(bank int) bool
}

// Wish is one word of an owner's standing order: banks of a category, given by name, by the part of the name before a
// hyphen ("ph" for ph-1 and ph-2), or by kind. With Count it applies until that many of their boxes are lost.
type Wish struct {
	Category Category `json:"category"`
	Bank     string   `json:"bank"`
	Count    int      `json:"count,omitempty"`
}

// Means reports whether a wish applies to a bank.
func (w Wish) Means(b *Bank) bool {
	return b.Kind.Category() == w.Category && b.Called(w.Bank)
}

// Next returns the bank of a category that loses the next box (cadet D4.223).
func (c Choice) Next(s *Sheet, among []int, of Category) int {
	for _, w := range c.Wishes {
		if w.Category != of || w.Count > 0 && w.gone(s) >= w.Count {
			continue
		}
		if best := c.first(s, among, of, func(i int) bool { return w.Means(&s.Banks[i]) }); best >= 0 {
			return best
		}
	}
	return c.first(s, among, of, func(int) bool { return true })
}

// gone counts the lost boxes of the banks a wish applies to.
func (w Wish) gone(s *Sheet) (n int) {
	for i := range s.Banks {
		if b := &s.Banks[i]; w.Means(b) {
			n += b.All - b.Left
		}
	}
	return n
}

// first returns the bank that ruling C11 takes first among those for which meant is true, or -1. All banks in among
// have a box left.
func (c Choice) first(s *Sheet, among []int, of Category, meant func(int) bool) int {
	best := -1
	for _, i := range among {
		if meant(i) && (best < 0 || c.before(s, of, i, best)) {
			best = i
		}
	}
	return best
}

// lostFirst is the default order in which other systems are lost.
var lostFirst = []Kind{Shuttle, Lab, Transporter, Battery, Reactor}

// before reports whether, by ruling C11, bank i loses a box before bank j of the same category, where j comes before
// i in the sheet.
func (c Choice) before(s *Sheet, of Category, i, j int) bool {
	a, b := &s.Banks[i], &s.Banks[j]
	switch of {
	case EngineBoxes:
		if a.Kind != b.Kind {
			return a.Kind == Impulse
		}
		return a.Kind == Warp && a.Left > b.Left
	case OtherBoxes:
		return slices.Index(lostFirst, a.Kind) < slices.Index(lostFirst, b.Kind)
	case WeaponBoxes:
		return c.use(i) < c.use(j)
	default:
		return false
	}
}

// use ranks a weapon: 0 not bearing, 1 fired, 2 ready.
func (c Choice) use(bank int) int {
	switch {
	case c.Bears != nil && !c.Bears(bank):
		return 0
	case c.Fired != nil && c.Fired(bank):
		return 1
	default:
		return 2
	}
}
