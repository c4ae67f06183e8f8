package tables

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/hex"
	"starpost/engine/tactical"
)

// MostShots is the most shots that a weapon of any family may have in a turn (stcs 14.2).
const MostShots = 3

// Limits of sane figures; the largest printed ship is well within them.
const (
	maxSuperstructure = 200
	maxEngines        = 8
	maxPower          = 100 // of an engine, a cloak or a beam
	maxShieldPoints   = 50
	maxCrew           = 10_000
	maxWarp           = 20
	maxBanks          = 40
	maxMounts         = 12
	maxArm            = 30
	maxDamage         = 100
	maxMovement       = 100 // points a turn; the printed table ends at 30
)

// merge reads a set of files into a library.
type merge struct {
	*Library
	builtin bool
	seen    map[string]string // "weapon FH-3" to the file that gave it
	errs    []error
}

// merge adds the files' tables to the library, in an order in which references work: charts,
// arcs and families, then weapons, then designs. Built-in files must be complete and name
// sources; a game's files may replace what is there.
func (l *Library) merge(files []*tableFile, builtin bool) error {
	m := &merge{Library: l, builtin: builtin, seen: map[string]string{}}
	for _, t := range files {
		m.tables(t)
	}
	for _, t := range files {
		for _, name := range slices.Sorted(maps.Keys(t.Weapons)) {
			m.weapon(t, name, t.Weapons[name])
		}
	}
	for _, t := range files {
		for _, name := range slices.Sorted(maps.Keys(t.Designs)) {
			m.design(t, name, t.Designs[name])
		}
	}
	return joined(m.errs)
}

func (m *merge) fail(t *tableFile, key []string, format string, args ...any) {
	m.errs = append(m.errs, t.at(fmt.Sprintf(format, args...), key...))
}

// once refuses a second definition of a thing in the files.
func (m *merge) once(t *tableFile, what, name string, key []string) {
	id := what + " " + name
	if first, ok := m.seen[id]; ok {
		m.fail(t, key, "%s stands in %s already", id, first)
	}
	m.seen[id] = t.name
}

// origin records where a table comes from; a game's own table needs no source.
func (m *merge) origin(t *tableFile, table, source, confidence string) {
	source, confidence = m.credit(t, source, confidence, []string{table})
	m.Origins = append(m.Origins, Origin{Table: table, Source: source, Confidence: confidence})
}

// credit checks a source and a confidence, and fills them in from the file if they are missing.
func (m *merge) credit(t *tableFile, source, confidence string, key []string) (string, string) {
	if source == "" {
		source = t.Source
	}
	if confidence == "" {
		confidence = t.Confidence
	}
	if !m.builtin {
		if source == "" {
			source = "this game, " + t.name
		}
		if confidence == "" {
			confidence = "assumed"
		}
	}
	if source == "" {
		m.fail(t, key, "no source")
	}
	if !slices.Contains(confidences, confidence) {
		m.fail(t, slices.Concat(key, []string{"confidence"}), "confidence %s: expected one of %s", quoted(confidence), strings.Join(confidences, ", "))
	}
	m.words(t, key, "source", source, 400)
	return source, confidence
}

var (
	confidences = []string{"high", "medium-high", "medium", "low", "assumed"}
	locations   = []string{AtShield, AtBeam, AtMissile, AtEngine, AtSuperstructure, AtSensors}
)

// words checks a text that goes into reports and mail headers.
func (m *merge) words(t *tableFile, key []string, name, text string, most int) {
	if n := utf8.RuneCountInString(text); n > most {
		m.fail(t, slices.Concat(key, []string{name}), "%s has %d characters, more than %d", name, n, most)
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		m.fail(t, slices.Concat(key, []string{name}), "%s has a character that cannot be printed", name)
	} else if !engine.NameLine(text) {
		m.fail(t, slices.Concat(key, []string{name}), "%s has < or > in it", name)
	}
}

// span checks that a figure is within bounds.
func (m *merge) span(t *tableFile, key []string, name string, n, low, high int) {
	if n < low || n > high {
		m.fail(t, slices.Concat(key, []string{name}), "%s is %d, expected %d to %d", name, n, low, high)
	}
}

// name checks a name for use in orders and files: letters and digits joined by hyphens, 1 to
// 24 characters.
func (m *merge) name(t *tableFile, key []string, what, name string, capitals bool) {
	ok := len(name) <= 24
	for part := range strings.SplitSeq(name, "-") {
		ok = ok && part != ""
		for _, r := range part {
			ok = ok && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || capitals && r >= 'A' && r <= 'Z')
		}
	}
	if !ok {
		letters := "small letters"
		if capitals {
			letters = "letters"
		}
		m.fail(t, key, "%s %s: expected %s and digits joined by hyphens, at most 24", what, quoted(name), letters)
	}
}

// tables adds all tables except weapons and designs.
func (m *merge) tables(t *tableFile) {
	if c := t.Charts; c != nil {
		m.origin(t, "charts", c.Source, c.Confidence)
		m.charts(t, c)
	}
	if a := t.Arcs; a != nil {
		m.origin(t, "arcs", a.Source, a.Confidence)
		m.arcs(t, a)
	}
	if (t.Locations != nil || t.Simple != nil || t.Shields != nil) && !m.builtin {
		m.errs = append(m.errs, &family.TableError{File: t.name, Message: "damage locations and shield numbers belong to the rule set; a game cannot change them"})
		return
	}
	m.faces(t, "locations", t.Locations, &m.Locations)
	m.faces(t, "simple_locations", t.Simple, &m.Simple)
	if s := t.Shields; s != nil {
		m.origin(t, "shields", s.Source, s.Confidence)
		if sorted := slices.Sorted(slices.Values(s.Clockwise)); !slices.Equal(sorted, []int{1, 2, 3, 4, 5, 6}) {
			m.fail(t, []string{"shields", "clockwise"}, "expected each of 1 to 6 once")
		} else {
			m.Shields = [6]int(s.Clockwise)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Families)) {
		f, key := t.Families[name], []string{"families", name}
		m.once(t, "family", name, key)
		m.name(t, key, "family", name, false)
		if kindFigures(f.Kind) == nil {
			m.fail(t, append(key, "kind"), "kind %s: expected one of %s", quoted(f.Kind), strings.Join(kindNames(), ", "))
		}
		if f.Title == "" {
			m.fail(t, key, "family %s has no title", name)
		}
		m.words(t, key, "title", f.Title, 30)
		m.span(t, key, "shots", f.Shots, 0, MostShots)
		if !slices.Contains(kindFigures(f.Kind), "max_power") {
			m.none(t, key, f.Kind, "shots", f.Shots)
		}
		m.Families[name] = weaponFamily(f)
	}
	m.courseTables(t)
}

// charts checks each chart and its check digit: its numbers are 1 to 10 and never rise with
// the range.
func (m *merge) charts(t *tableFile, c *chartTable) {
	for _, name := range slices.Sorted(maps.Keys(c.ToHit)) {
		chart, key := c.ToHit[name], []string{"charts", "to_hit", name}
		m.once(t, "chart", name, key)
		m.name(t, key, "chart", name, true)
		if len(chart) < 1 || len(chart) > maxRange {
			m.fail(t, key, "chart %s has %d ranges, expected 1 to %d", name, len(chart), maxRange)
		}
		sum, last := 0, 10
		for i, n := range chart {
			if n < 1 || n > last {
				m.fail(t, key, "chart %s: %d at range %d, expected 1 to %d", name, n, i+1, last)
				break
			}
			sum, last = sum+n, n
		}
		if want, ok := c.Sum[name]; ok && want != sum {
			m.fail(t, key, "chart %s adds up to %d, its check digit says %d", name, sum, want)
		} else if !ok && m.builtin {
			m.fail(t, key, "chart %s has no check digit", name)
		}
		m.Charts[name] = slices.Clone(chart)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Sum)) {
		if _, ok := c.ToHit[name]; !ok {
			m.fail(t, []string{"charts", "sum", name}, "a check digit for chart %s, which is not here", quoted(name))
		}
	}
}

// arcs converts degrees to arcs (ruling D7).
func (m *merge) arcs(t *tableFile, a *arcTable) {
	for _, name := range slices.Sorted(maps.Keys(a.Degrees)) {
		key := []string{"arcs", "degrees", name}
		m.once(t, "arc", name, key)
		m.name(t, key, "arc", name, false)
		parts := a.Degrees[name]
		if len(parts) < 1 || len(parts) > 6 {
			m.fail(t, key, "arc %s has %d parts, expected 1 to 6", name, len(parts))
		}
		arcs := make([]hex.Arc, 0, len(parts))
		for _, p := range parts {
			if len(p) != 2 {
				m.fail(t, key, "arc %s: expected pairs of degrees, such as [-60, 60]", name)
				continue
			}
			arc, err := hex.ArcDegrees(p[0], p[1])
			if err != nil {
				m.fail(t, key, "arc %s: %v", name, err)
			}
			arcs = append(arcs, arc)
		}
		m.Arcs[name] = arcs
	}
}

func (m *merge) weapon(t *tableFile, name string, r *weaponRow) {
	key := []string{"weapons", name}
	m.once(t, "weapon", name, key)
	m.name(t, key, "weapon", name, true)
	w := WeaponType{
		Name: name, Family: r.Family, Chart: r.Chart, MaxPower: r.MaxPower, Arm: r.Arm, Damage: r.Damage,
		Bands: r.Bands, Plasma: r.Plasma, WDF: r.WDF, Note: r.Note,
	}
	w.Source, w.Confidence = m.credit(t, r.Source, r.Confidence, key)
	m.words(t, key, "note", r.Note, 400)
	family, ok := m.Families[r.Family]
	if !ok {
		m.fail(t, append(key, "family"), "%s: %v", name, unknown("weapon family", r.Family, slices.Sorted(maps.Keys(m.Families))))
	}
	w.Kind, w.Title, w.Shots = family.Kind, family.Title, family.Shots
	if _, ok := m.Charts[r.Chart]; !ok {
		m.fail(t, append(key, "chart"), "%s: no firing chart %s; there are %s", name, quoted(r.Chart), strings.Join(slices.Sorted(maps.Keys(m.Charts)), " "))
	}
	figures := kindFigures(w.Kind)
	for _, f := range []struct {
		name            string
		is, least, most int
	}{
		{"max_power", w.MaxPower, 1, maxPower},
		{"arm", w.Arm, 1, maxArm},
		{"damage", w.Damage, 1, maxDamage},
		{"bands", len(w.Bands), 0, len(w.Bands)},
		{"plasma", len(w.Plasma), 0, len(w.Plasma)},
	} {
		switch {
		case figures == nil: // the family has been refused already
		case !slices.Contains(figures, f.name):
			m.none(t, key, w.Kind, f.name, f.is)
		case f.name == "plasma" && f.is == 0:
			m.fail(t, key, "%s: a plasma launcher needs plasma, its damage by range", name)
		case f.least > 0:
			m.span(t, key, f.name, f.is, f.least, f.most)
		}
	}
	m.Weapons[name] = w
}

// none refuses a figure that only other kinds of weapon have.
func (m *merge) none(t *tableFile, key []string, kind, name string, n int) {
	if n != 0 {
		m.fail(t, slices.Concat(key, []string{name}), "a %s weapon has no %s", kind, name)
	}
}

func (m *merge) design(t *tableFile, name string, r *designRow) {
	key := []string{"designs", name}
	m.once(t, "design", name, key)
	m.name(t, key, "design", name, false)
	d := Design{
		Name: name, Title: r.Title, Navy: r.Navy, Class: r.Class, Superstructure: r.Superstructure,
		Warp: r.Warp, Impulse: r.Impulse, Move: r.Move, Shield: r.Shield, MaxShield: r.MaxShield,
		Cloak: r.Cloak, Outpost: r.Outpost, Crew: r.Crew, Stress: r.Stress, DamageChart: r.DamageChart, Cruise: r.Cruise,
		Emergency: r.Emergency, ArcsFrom: r.Arcs, ArcsNote: r.ArcsNote, D: r.D, WDF: r.WDF, CE: r.CE, Note: r.Note,
	}
	d.Source, d.Confidence = m.credit(t, r.Source, r.Confidence, key)
	if r.Title == "" {
		m.fail(t, key, "design %s has no title", name)
	}
	m.words(t, key, "title", r.Title, 60)
	m.name(t, append(key, "navy"), "navy", r.Navy, false)
	m.words(t, key, "note", r.Note, 400)
	m.words(t, key, "arcs_note", r.ArcsNote, 400)
	switch r.Engines {
	case "":
	case "assumed":
		d.Assumed = append(d.Assumed, "engines")
	default:
		m.fail(t, append(key, "engines"), "engines %s: expected assumed, or nothing where the split of the power is known", quoted(r.Engines))
	}
	m.hull(t, key, &d)
	m.defence(t, key, &d, r)
	m.banks(t, key, &d, r.Banks)
	m.Assumed.complete(&d)
	m.Designs[name] = d
}

// hull checks all of a design except its weapons.
func (m *merge) hull(t *tableFile, key []string, d *Design) {
	m.span(t, key, "superstructure", d.Superstructure, 1, maxSuperstructure)
	if len(d.Warp) > maxEngines {
		m.fail(t, append(key, "warp"), "%d warp engines, more than %d", len(d.Warp), maxEngines)
	}
	for _, p := range d.Warp {
		m.span(t, key, "warp", p, 1, maxPower)
	}
	m.span(t, key, "impulse", d.Impulse, 0, maxPower)
	if d.Power() == 0 {
		m.fail(t, key, "the ship has no power")
	}
	for _, r := range [2]struct {
		name  string
		ratio tactical.Ratio
	}{{"move", d.Move}, {"shield", d.Shield}} {
		if r.ratio == (tactical.Ratio{}) && (r.name != "move" || !d.Outpost) {
			m.fail(t, key, "no %s ratio", r.name)
		}
	}
	if d.Outpost {
		m.outpost(t, key, d)
	}
	if n := d.Move.Points(d.Power()); n > maxMovement {
		m.fail(t, append(key, "move"), "all %d power make %d movement points a turn, more than %d", d.Power(), n, maxMovement)
	}
	m.span(t, key, "max_shield", d.MaxShield, 0, maxShieldPoints)
	m.span(t, key, "cloak", d.Cloak, 0, maxPower)
	m.span(t, key, "crew", d.Crew, 0, maxCrew)
	m.span(t, key, "emergency", d.Emergency, 0, maxWarp)
	m.span(t, key, "cruise", d.Cruise, 0, d.Emergency)
	if len(d.Class) > 6 || strings.Trim(d.Class, "IVX") != "" {
		m.fail(t, append(key, "class"), "class %s: expected a roman numeral, I to XX", quoted(d.Class))
	}
	if d.DamageChart != "" && !slices.Contains(shipCharts, d.DamageChart) && !d.Outpost {
		m.fail(t, append(key, "damage_chart"), "damage chart %s: expected A, B or C", quoted(d.DamageChart))
	}
	if len(d.Stress) > 3 || strings.Trim(d.Stress, "/ABCDEFGHIJKLMNOPQR") != "" {
		m.fail(t, append(key, "stress"), "stress charts %s: expected one or two letters A to R, such as \"G/L\"", quoted(d.Stress))
	}
	// CE is D times WDF over 100; prints differ from that by rounding.
	if ce := int(d.D) * int(d.WDF) / 1000; d.D > 0 && d.WDF > 0 && d.CE > 0 && (ce-int(d.CE) > 6 || int(d.CE)-ce > 6) {
		m.fail(t, append(key, "ce"), "ce %s does not follow from d %s and wdf %s, which give %s", d.CE, d.D, d.WDF, tenths(ce))
	}
}

// defence computes D from the ratings of engines and shields, for a design with no published D:
// their sum times the shield points of a unit of power, and 1.43 for each point of
// superstructure (the construction manual's formula, as players quote it).
func (m *merge) defence(t *tableFile, key []string, d *Design, r *designRow) {
	if r.WER == 0 && r.IER == 0 && r.DPC == 0 {
		return
	}
	if d.D != 0 {
		m.fail(t, append(key, "d"), "d is %s, and wer, ier and dpc are there to compute it: give one or the other", d.D)
		return
	}
	if r.WER == 0 && len(r.Warp) > 0 || r.IER == 0 && r.Impulse > 0 || r.DPC == 0 && r.MaxShield > 0 {
		m.fail(t, key, "D follows from all three of wer, ier and dpc; one that the ship needs is missing")
		return
	}
	if d.Shield.A > 0 {
		d.D = (100*(r.WER+r.IER+r.DPC)*tenths(d.Shield.B)/tenths(d.Shield.A) + 1430*tenths(d.Superstructure) + 50) / 100
	}
}

// outpost refuses what a defence outpost cannot have, since it does not move.
func (m *merge) outpost(t *tableFile, key []string, d *Design) {
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"move", d.Move != (tactical.Ratio{})},
		{"stress", d.Stress != ""},
		{"cruise", d.Cruise != 0},
		{"emergency", d.Emergency != 0},
		{"damage_chart", d.DamageChart != ""},
	} {
		if f.given {
			m.fail(t, append(key, f.name), "an outpost has no %s of its own", f.name)
		}
	}
	if len(d.Warp) > 1 {
		m.fail(t, append(key, "warp"), "an outpost has one generator, not %d", len(d.Warp))
	}
}

// banks checks and adds the weapons of a design.
func (m *merge) banks(t *tableFile, key []string, d *Design, rows []bankText) {
	where := append(key, "banks")
	if len(rows) > maxBanks {
		m.fail(t, where, "%d banks, more than %d", len(rows), maxBanks)
		return
	}
	if known := d.ArcsFrom == "known" || d.ArcsFrom == "assumed"; len(rows) > 0 && !known {
		m.fail(t, append(key, "arcs"), "arcs %s: expected known or assumed", quoted(d.ArcsFrom))
	} else if len(rows) == 0 && d.ArcsFrom != "" {
		m.fail(t, append(key, "arcs"), "arcs without banks")
	}
	d.Banks = make([]BankDesign, 0, len(rows))
	ids := map[string]bool{}
	for _, row := range rows {
		b := BankDesign(row)
		m.name(t, where, "bank", b.ID, false)
		if ids[b.ID] {
			m.fail(t, where, "two banks called %s", b.ID)
		}
		ids[b.ID] = true
		if b.ID == "all" {
			m.fail(t, where, "a bank cannot be called all: orders use the word for every bank")
		}
		w, err := m.Library.weapon(b.Weapon)
		if err != nil {
			m.fail(t, where, "%s: %v", b.ID, err)
		}
		b.Weapon = w.Name
		if b.Bands != nil && err == nil && !slices.Contains(kindFigures(w.Kind), "bands") {
			m.fail(t, where, "%s: only beams have bands, %s is a %s weapon", b.ID, w.Name, w.Kind)
		}
		for i, arc := range b.Arcs {
			if _, ok := m.Arcs[arc]; !ok {
				m.fail(t, where, "%s: no arc %s; there are %s", b.ID, quoted(arc), strings.Join(slices.Sorted(maps.Keys(m.Arcs)), " "))
			}
			if slices.Contains(b.Arcs[:i], arc) {
				m.fail(t, where, "%s: arc %s twice", b.ID, quoted(arc))
			}
		}
		d.Banks = append(d.Banks, b)
	}
}

// faces reads a table of damage locations by die.
func (m *merge) faces(t *tableFile, key string, p *locationTable, into *[11]string) {
	if p == nil {
		return
	}
	m.origin(t, key, p.Source, p.Confidence)
	if len(p.Faces) != 10 {
		m.fail(t, []string{key, "faces"}, "%d faces, expected 10", len(p.Faces))
	}
	for i, face := range p.Faces[:min(10, len(p.Faces))] {
		if !slices.Contains(locations, face) {
			m.fail(t, []string{key, "faces"}, "face %d is %s, expected one of %s", i+1, quoted(face), strings.Join(locations, ", "))
		}
		into[i+1] = face
	}
}
