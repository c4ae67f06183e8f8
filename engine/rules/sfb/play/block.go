package play

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// BlockRows parses rows of words; a star marks cells that lose only one box.
func BlockRows(rows ...string) rulebook.BlockChart {
	out := make(rulebook.BlockChart, len(rows))
	for i, row := range rows {
		for word := range strings.FieldsSeq(row) {
			what, once := strings.CutPrefix(word, "*")
			out[i] = append(out[i], rulebook.Cell{What: what, Once: once})
		}
	}
	return out
}

// The option for allocating blocks of damage, and its values.
const (
	OptionDamage = "damage"
	DamageBank   = "bank"   // one roll for everything in an impulse (house 7.56)
	DamageKinds  = "kinds"  // one for each torpedo, bank of phasers and drone (house 7.58)
	DamageSingle = "single" // one for each point
)

// cellKinds maps the words of cells to kinds, except weapons, which have their own word. Parts of hull and warp engines
// are identified by their banks' names. A star drive is hit like them (house 21.33).
var cellKinds = map[string][]sheet.Kind{
	"bridge": {sheet.Bridge}, "flag": {sheet.FlagBridge}, "emergency": {sheet.Emergency}, "auxiliary": {sheet.Auxiliary}, "sensor": {sheet.Sensor}, "scanner": {sheet.Scanner}, "control": {sheet.DamageControl},
	"trans": {sheet.Transporter}, "tractor": {sheet.Tractor}, "shuttle": {sheet.Shuttle}, "lab": {sheet.Lab}, "apr": {sheet.Reactor}, "battery": {sheet.Battery}, "probe": {sheet.Probe}, "cargo": {sheet.Cargo},
	"impulse": {sheet.Impulse}, "left": {sheet.Warp, sheet.StarDrive}, "right": {sheet.Warp, sheet.StarDrive}, "center": {sheet.Warp, sheet.StarDrive}, "anywarp": {sheet.Warp, sheet.StarDrive}, "fore": {sheet.Hull}, "aft": {sheet.Hull}, "excess": {sheet.Excess}, "armour": {sheet.Armour},
	sheet.HitAsTorpedo: {sheet.SpecialSensor},
}

// Meant returns the banks with boxes left that a cell means. If a ship has no fore or aft hull left, it means her
// other hull.
func Meant(c rulebook.Cell, s *sheet.Sheet) (out []int) {
	parts := map[string][]string{"left": {"left"}, "right": {"right"}, "center": {"center", "centre"}, "fore": {"fore"}, "aft": {"aft"}}[c.What]
	named := func(b *sheet.Bank, of []string) bool {
		return of == nil || slices.ContainsFunc(of, func(p string) bool { return b.Name == p || strings.HasSuffix(b.Name, "-"+p) })
	}
	for i := range s.Banks {
		b := &s.Banks[i]
		weapon := b.Kind.Category() == sheet.WeaponBoxes && (c.What == "any" || b.Kind.Weapon().Hit == c.What)
		is := weapon || slices.Contains(cellKinds[c.What], b.Kind)
		if b.Left > 0 && is && named(b, parts) {
			out = append(out, i)
		}
	}
	if len(out) == 0 && (c.What == "fore" || c.What == "aft") {
		for i := range s.Banks {
			if b := &s.Banks[i]; b.Left > 0 && b.Kind == sheet.Hull && !named(b, []string{"fore", "aft"}) {
				out = append(out, i)
			}
		}
	}
	return out
}

// blockHit is the damage of a block to a bank: its boxes, and the cells skipped since the previous hit. A Bank of -1
// means that the point destroys the ship.
type blockHit struct {
	Roll   int
	Passed []sheet.Category
	Cell   string
	Bank   int
	Boxes  int
}

// BlockDamage is a block that is being allocated.
type BlockDamage struct {
	Sheet  *sheet.Sheet // loses the boxes
	choice sheet.Choice
	Left   int // points
	passed []sheet.Category
	Hits   []blockHit
}

// take takes boxes from a bank.
func (d *BlockDamage) take(roll int, c rulebook.Cell, bank, boxes int) {
	boxes = min(boxes, d.Left, d.Sheet.Banks[bank].Left)
	if boxes == 0 {
		return
	}
	d.Sheet.Banks[bank].Left -= boxes
	d.Left -= boxes
	d.Hits = append(d.Hits, blockHit{roll, d.passed, c.What, bank, boxes})
	d.passed = nil
}

// next returns the bank that the owner loses among those that a cell means, or -1.
func (d *BlockDamage) next(c rulebook.Cell) int {
	among := Meant(c, d.Sheet)
	if len(among) == 0 {
		d.passed = append(d.passed, sheet.Category(c.What))
		return -1
	}
	return d.choice.Next(d.Sheet, among, d.Sheet.Banks[among[0]].Kind.Category())
}

// excess takes the points left over by the columns from the boxes of excess damage. A point too many destroys the
// ship, and excess returns false.
func (d *BlockDamage) excess(roll, points int) bool {
	for ; points > 0 && d.Left > 0; points-- {
		bank := d.next(rulebook.Cell{What: "excess"})
		if bank < 0 {
			d.Hits = append(d.Hits, blockHit{Roll: roll, Passed: d.passed, Cell: "excess", Bank: -1})
			d.Left = 0
			return false
		}
		d.take(roll, rulebook.Cell{What: "excess"}, bank, 1)
	}
	return true
}

// Armour is lost before any die is rolled (ruling H19).
func (d *BlockDamage) Armour() {
	for d.Left > 0 {
		banks := Meant(rulebook.Cell{What: "armour"}, d.Sheet)
		if len(banks) == 0 {
			return
		}
		d.take(0, rulebook.Cell{What: "armour"}, banks[0], d.Left)
	}
}

// Bank allocates all points by one roll, along its row: one box in cells printed so, all boxes of a bank in the
// others (house 7.56).
func (d *BlockDamage) Bank(chart rulebook.BlockChart, roll int) {
	for _, c := range chart[roll-2] {
		if d.Left == 0 {
			return
		}
		bank := d.next(c)
		switch {
		case bank < 0:
		case c.Once:
			d.take(roll, c, bank, 1)
		default:
			for _, i := range d.Sheet.Entry(bank) {
				d.take(roll, c, i, d.Left)
			}
		}
	}
	d.excess(roll, d.Left)
}

// Single allocates each point by its own roll. Cells that lose one box do so once in a block.
func (d *BlockDamage) Single(chart rulebook.BlockChart, die func() int) {
	used := map[[2]int]bool{}
	for d.Left > 0 {
		roll := die()
		before := d.Left
		for k, c := range chart[roll-2] {
			if used[[2]int{roll, k}] {
				continue
			}
			if bank := d.next(c); bank >= 0 {
				used[[2]int{roll, k}] = c.Once
				d.take(roll, c, bank, 1)
				break
			}
		}
		if d.Left == before && !d.excess(roll, 1) {
			return
		}
	}
}

// with reports whether two parts go into one block. Unaimed fire forms one block, or with DamageKinds one for each
// source; fire that a ship aims at a row forms another.
func (p *blockPart) with(o *blockPart, how string) bool {
	return p.aimed == o.aimed && (how != DamageKinds || p.name == o.name) && (p.row == 0 || p.ship == o.ship)
}

// weaponSource returns the source of a shot: phasers of the same kind and arcs form one bank.
func weaponSource(l *rulebook.Rules, s *engine.Ship, w int, at aimed) source {
	b := state.Of(s).Bank(w)
	if l.Block == nil { // it makes no difference then
		return source{from: s.Hex}
	}
	out := source{ship: s.ID, name: string(s.ID) + "." + b.Name, from: s.Hex, rank: 2, aimed: at}
	switch {
	case b.Kind.Phaser():
		out.name, out.rank = fmt.Sprintf("%s.%s.%s", s.ID, b.Kind, b.Arcs), 0
	case b.Kind == sheet.Disruptor:
		out.rank = 1
	}
	if at.row > 0 {
		out.rank += aimedRank
	}
	if out.beam = l.Charts[b.Kind].Beam; out.beam.Shield > 0 {
		out.rank = beamRank
	}
	return out
}

// aimedRank is higher than the rank of any other weapon: aimed fire is stopped last (ruling H19), except for beams,
// which hit what everything else leaves of a shield.
const (
	aimedRank = 10
	beamRank  = 20
)

// flightSource returns the source of a drone or a plasma torpedo.
func flightSource(d *engine.Ship, from hex.Hex) source {
	rank := map[engine.Kind]int{engine.KindPlasma: 3, engine.KindDrone: 4}[d.Kind]
	return source{name: string(d.ID), from: from, rank: cmp.Or(rank, 5)}
}

// allocateBlock allocates all damage that got inside a ship in an impulse as one block (house 7.55), by one roll for
// all (house 7.56) or for each kind of weapon (house 7.58).
func allocateBlock(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, parts []blockPart) {
	v := volley{ship: s.ID}
	slices.SortStableFunc(parts, func(a, b blockPart) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.rank, b.rank), cmp.Compare(a.name, b.name))
	})
	var struck []engine.Ref
	var blocks [][]blockPart
	how := t.Game.Options[OptionDamage]
	for i, p := range parts {
		if i == 0 || !p.with(&parts[i-1], how) {
			blocks = append(blocks, nil)
		}
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], p)
	}
	for _, p := range parts {
		v.from = append(v.from, p.from)
	}
	rolls := 0
	for _, block := range blocks {
		sheet := state.Of(s).Sheet.Clone()
		d := &BlockDamage{Sheet: &sheet, choice: choice(t, s, &v)}
		for _, p := range block {
			d.Left += p.points
			struck = append(struck, p.struck)
		}
		at := block[0].aimed
		if at.half {
			d.Left /= 2
		}
		die := func() int {
			if at.row > 0 {
				return at.row
			}
			rolls++
			return t.Roll(engine.NameRoll("block", s.ID).And(strconv.Itoa(rolls)), dice.TwoD6, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnAllocation)...)
		}
		if d.Armour(); d.Left > 0 && how == DamageSingle {
			d.Single(l.Block, die)
		} else if d.Left > 0 {
			d.Bank(l.Block, die())
		}
		if lose(l, t, s, d.Hits, at, struck) {
			return
		}
		struck = nil
	}
}

// lose carries out a block's hits. It returns true if the ship is destroyed.
func lose(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, hits []blockHit, at aimed, struck []engine.Ref) bool {
	for _, h := range hits {
		e := &state.Damage{Ship: s.ID, Roll: h.Roll, Passed: h.Passed, Category: sheet.Category(h.Cell), Aimed: at.row > 0, Half: at.half}
		if h.Bank >= 0 {
			b := state.Of(s).Sheet.Banks[h.Bank]
			e.Bank, e.Before, e.After = b.Name, b.Left, b.Left-h.Boxes
		}
		t.Because(struck...).Emit(e, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnAllocation)...)
		if h.Bank < 0 {
			out(l, t.Because(t.Last()), s, engine.Destroyed, "", nil, l.Cite(rulebook.OnDestruction)...)
			return true
		}
	}
	return false
}

// aimedAt returns how a ship's fire at a row hits a target now, or why it cannot be aimed.
func aimedAt(l *rulebook.Rules, t *engine.Turn, s, target *engine.Ship, row int) (a aimed, why string) {
	rng := hex.Distance(s.Hex, target.Hex)
	switch {
	case target.Small():
		return a, "fire can be aimed at parts of ships only"
	case rng == 0 && atRest(l, t, s) && atRest(l, t, target):
		return aimed{row: row}, ""
	case state.Of(s).Aims && t.Game.Blind != nil && !dark.HasSheet(t.Game, s.Captain, target.ID):
		return a, "her people have no sheet of that ship: laboratories draw one"
	case state.Of(s).Aims && rng <= l.Aiming.Range:
		return aimed{row: row, half: true}, ""
	case state.Of(s).Aims:
		return a, fmt.Sprintf("at range %d: she can aim at %d or less", rng, l.Aiming.Range)
	case rng > 0:
		return a, fmt.Sprintf("at range %d: she can aim at 0 only, if both ships are at rest", rng)
	}
	return a, "both ships must be at rest, in this impulse and the last"
}

// atRest reports whether a ship has moved neither in this impulse nor in the last (ruling R5).
func atRest(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) bool {
	n, impulse := memo(t), t.Phase.No
	last, moved := n.moved[s.ID]
	if impulse == 1 && l.Moves(n.speeds[s.ID], l.Impulses) > 0 {
		return false
	}
	return !moved || last < impulse-1
}

// choice returns what the owner of a ship prefers to lose in a volley (ruling C11).
func choice(t *engine.Turn, s *engine.Ship, v *volley) sheet.Choice {
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

// out takes a ship out of the battle, with the drones that she guides.
func out(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, why engine.Status, how string, edge []string, cite ...string) {
	ref := t.Out(s, why, how, edge, cite...)
	if why != engine.Crippled {
		loseGuidance(l, t, s, ref)
	}
}
