package sfb

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
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// blockRows reads rows of words; a star stands before what loses one box.
func blockRows(rows ...string) blockChart {
	out := make(blockChart, len(rows))
	for i, row := range rows {
		for word := range strings.FieldsSeq(row) {
			what, once := strings.CutPrefix(word, "*")
			out[i] = append(out[i], cell{what, once})
		}
	}
	return out
}

// How blocks of damage are allocated: the option and its values.
const (
	optionDamage = "damage"
	damageBank   = "bank"   // one roll for all of an impulse (house 7.56)
	damageKinds  = "kinds"  // one for each torpedo, bank of phasers and drone (house 7.58)
	damageSingle = "single" // one for each point
)

// cellKinds are the kinds that the words of cells mean, beside the weapons that say so themselves; the parts of hull and warp engines
// are told apart by the names of their banks. A star drive is hit as they are (house 21.33).
var cellKinds = map[string][]sheet.Kind{
	"bridge": {sheet.Bridge}, "flag": {sheet.FlagBridge}, "emergency": {sheet.Emergency}, "auxiliary": {sheet.Auxiliary}, "sensor": {sheet.Sensor}, "scanner": {sheet.Scanner}, "control": {sheet.DamageControl},
	"trans": {sheet.Transporter}, "tractor": {sheet.Tractor}, "shuttle": {sheet.Shuttle}, "lab": {sheet.Lab}, "apr": {sheet.Reactor}, "battery": {sheet.Battery}, "probe": {sheet.Probe}, "cargo": {sheet.Cargo},
	"impulse": {sheet.Impulse}, "left": {sheet.Warp, sheet.StarDrive}, "right": {sheet.Warp, sheet.StarDrive}, "center": {sheet.Warp, sheet.StarDrive}, "anywarp": {sheet.Warp, sheet.StarDrive}, "fore": {sheet.Hull}, "aft": {sheet.Hull}, "excess": {sheet.Excess}, "armour": {sheet.Armour},
	sheet.HitAsTorpedo: {sheet.SpecialSensor},
}

// meant are the banks with boxes left that a cell means. Where a ship has no fore or aft
// hull left, it is her other hull.
func (c cell) meant(s *sheet.Sheet) (out []int) {
	parts := map[string][]string{"left": {"left"}, "right": {"right"}, "center": {"center", "centre"}, "fore": {"fore"}, "aft": {"aft"}}[c.what]
	named := func(b *sheet.Bank, of []string) bool {
		return of == nil || slices.ContainsFunc(of, func(p string) bool { return b.Name == p || strings.HasSuffix(b.Name, "-"+p) })
	}
	for i := range s.Banks {
		b := &s.Banks[i]
		weapon := b.Kind.Category() == sheet.WeaponBoxes && (c.what == "any" || b.Kind.Weapon().Hit == c.what)
		is := weapon || slices.Contains(cellKinds[c.what], b.Kind)
		if b.Left > 0 && is && named(b, parts) {
			out = append(out, i)
		}
	}
	if len(out) == 0 && (c.what == "fore" || c.what == "aft") {
		for i := range s.Banks {
			if b := &s.Banks[i]; b.Left > 0 && b.Kind == sheet.Hull && !named(b, []string{"fore", "aft"}) {
				out = append(out, i)
			}
		}
	}
	return out
}

// blockHit is what a block of damage does to a bank: boxes of it, and the cells that were
// passed since the hit before. A Bank of -1 is the point that destroys the ship.
type blockHit struct {
	Roll   int
	Passed []sheet.Category
	Cell   string
	Bank   int
	Boxes  int
}

// blockDamage is a block that is being allocated.
type blockDamage struct {
	sheet  *sheet.Sheet // which loses the boxes
	choice sheet.Choice
	left   int // points
	passed []sheet.Category
	hits   []blockHit
}

// take takes boxes of a bank.
func (d *blockDamage) take(roll int, c cell, bank, boxes int) {
	boxes = min(boxes, d.left, d.sheet.Banks[bank].Left)
	if boxes == 0 {
		return
	}
	d.sheet.Banks[bank].Left -= boxes
	d.left -= boxes
	d.hits = append(d.hits, blockHit{roll, d.passed, c.what, bank, boxes})
	d.passed = nil
}

// next is the bank that the owner loses of those that a cell means, or -1.
func (d *blockDamage) next(c cell) int {
	among := c.meant(d.sheet)
	if len(among) == 0 {
		d.passed = append(d.passed, sheet.Category(c.what))
		return -1
	}
	return d.choice.Next(d.sheet, among, d.sheet.Banks[among[0]].Kind.Category())
}

// excess takes the points that no column took from the boxes of excess damage; one too many
// destroys the ship. False if it did.
func (d *blockDamage) excess(roll, points int) bool {
	for ; points > 0 && d.left > 0; points-- {
		bank := d.next(cell{what: "excess"})
		if bank < 0 {
			d.hits = append(d.hits, blockHit{Roll: roll, Passed: d.passed, Cell: "excess", Bank: -1})
			d.left = 0
			return false
		}
		d.take(roll, cell{what: "excess"}, bank, 1)
	}
	return true
}

// armour is lost before any die is thrown (ruling H19).
func (d *blockDamage) armour() {
	for d.left > 0 {
		banks := cell{what: "armour"}.meant(d.sheet)
		if len(banks) == 0 {
			return
		}
		d.take(0, cell{what: "armour"}, banks[0], d.left)
	}
}

// bank allocates all points by one roll, along its row: a box of what is printed so, all
// boxes of a bank of the rest (house 7.56).
func (d *blockDamage) bank(chart blockChart, roll int) {
	for _, c := range chart[roll-2] {
		if d.left == 0 {
			return
		}
		bank := d.next(c)
		switch {
		case bank < 0:
		case c.once:
			d.take(roll, c, bank, 1)
		default:
			for _, i := range d.sheet.Entry(bank) {
				d.take(roll, c, i, d.left)
			}
		}
	}
	d.excess(roll, d.left)
}

// single allocates each point by a roll of its own; what is printed so loses a box once in
// a block.
func (d *blockDamage) single(chart blockChart, die func() int) {
	used := map[[2]int]bool{}
	for d.left > 0 {
		roll := die()
		before := d.left
		for k, c := range chart[roll-2] {
			if used[[2]int{roll, k}] {
				continue
			}
			if bank := d.next(c); bank >= 0 {
				used[[2]int{roll, k}] = c.once
				d.take(roll, c, bank, 1)
				break
			}
		}
		if d.left == before && !d.excess(roll, 1) {
			return
		}
	}
}

// source is a weapon, or a bank of phasers, and where its shots come from. Lower ranks are
// stopped by shields first.
type source struct {
	ship engine.ShipID
	name string
	rank int
	from hex.Hex
	beam beamHits // of a laser or particle beam
	aimed
}

// with tells whether two parts go into one block: all that is not aimed, unless each source has
// its own, and what a ship aims at one row.
func (p *blockPart) with(o *blockPart, how string) bool {
	return p.aimed == o.aimed && (how != damageKinds || p.name == o.name) && (p.row == 0 || p.ship == o.ship)
}

// weaponSource is that of a shot: phasers of a kind and arcs are one bank.
func (l *rulebook) weaponSource(s *engine.Ship, w int, at aimed) source {
	b := state.Of(s).Bank(w)
	if l.Block == nil { // no matter then
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

// aimedRank is more than any rank of other weapons: aimed fire is stopped last (ruling H19), but for
// beams, whose hits meet what all else leaves of a shield.
const (
	aimedRank = 10
	beamRank  = 20
)

// flightSource is that of a drone or a plasma torpedo.
func flightSource(d *engine.Ship, from hex.Hex) source {
	rank := map[engine.Kind]int{engine.KindPlasma: 3, engine.KindDrone: 4}[d.Kind]
	return source{name: string(d.ID), from: from, rank: cmp.Or(rank, 5)}
}

// allocateBlock lets all that has got inside a ship in an impulse do its damage in one block (house 7.55), by a roll
// for all of it (house 7.56) or for each kind of weapon (house 7.58).
func (l *rulebook) allocateBlock(t *engine.Turn, s *engine.Ship, parts []blockPart) {
	v := volley{ship: s.ID}
	slices.SortStableFunc(parts, func(a, b blockPart) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.rank, b.rank), cmp.Compare(a.name, b.name))
	})
	var struck []engine.Ref
	var blocks [][]blockPart
	how := t.Game.Options[optionDamage]
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
		d := &blockDamage{sheet: &sheet, choice: l.choice(t, s, &v)}
		for _, p := range block {
			d.left += p.points
			struck = append(struck, p.struck)
		}
		at := block[0].aimed
		if at.half {
			d.left /= 2
		}
		die := func() int {
			if at.row > 0 {
				return at.row
			}
			rolls++
			return t.Roll(engine.NameRoll("block", s.ID).And(strconv.Itoa(rolls)), dice.TwoD6, l.see(t.Game, s), l.cite(onAllocation)...)
		}
		if d.armour(); d.left > 0 && how == damageSingle {
			d.single(l.Block, die)
		} else if d.left > 0 {
			d.bank(l.Block, die())
		}
		if l.lose(t, s, d.hits, at, struck) {
			return
		}
		struck = nil
	}
}

// lose carries out what a block does; true if the ship is destroyed.
func (l *rulebook) lose(t *engine.Turn, s *engine.Ship, hits []blockHit, at aimed, struck []engine.Ref) bool {
	for _, h := range hits {
		e := &state.Damage{Ship: s.ID, Roll: h.Roll, Passed: h.Passed, Category: sheet.Category(h.Cell), Aimed: at.row > 0, Half: at.half}
		if h.Bank >= 0 {
			b := state.Of(s).Sheet.Banks[h.Bank]
			e.Bank, e.Before, e.After = b.Name, b.Left, b.Left-h.Boxes
		}
		t.Because(struck...).Emit(e, l.see(t.Game, s), l.cite(onAllocation)...)
		if h.Bank < 0 {
			l.out(t.Because(t.Last()), s, engine.Destroyed, "", nil, l.cite(onDestruction)...)
			return true
		}
	}
	return false
}

// aimed is fire at a row of the chart.
type aimed struct {
	row  int // 0: what is thrown decides
	half bool
}

// aimedAt tells how a ship's fire at a row strikes a target now, or why it cannot be aimed.
func (l *rulebook) aimedAt(t *engine.Turn, s, target *engine.Ship, row int) (a aimed, why string) {
	rng := hex.Distance(s.Hex, target.Hex)
	switch {
	case target.Small():
		return a, "fire can be aimed at parts of ships only"
	case rng == 0 && l.atRest(t, s) && l.atRest(t, target):
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

// atRest tells whether a ship has moved neither in this impulse nor in the last (ruling R5).
func (l *rulebook) atRest(t *engine.Turn, s *engine.Ship) bool {
	n, impulse := memo(t), t.Phase.No
	last, moved := n.moved[s.ID]
	if impulse == 1 && l.moves(n.speeds[s.ID], l.Impulses) > 0 {
		return false
	}
	return !moved || last < impulse-1
}
