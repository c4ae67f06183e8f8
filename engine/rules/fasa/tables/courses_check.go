package tables

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/family"
)

// courseTables adds the tables of the Advanced and Graduate Courses. They belong to the rule
// set: a game cannot change them.
func (m *merge) courseTables(t *tableFile) {
	c := t.courseTables
	if c == (courseTables{}) {
		return
	}
	if !m.builtin {
		m.errs = append(m.errs, &family.TableError{File: t.name, Message: "the tables of the courses (stress, detection, slim, casualties, damage, engineering, repair, assumed) belong to the rule set; a game cannot change them"})
		return
	}
	if s := c.Stress; s != nil {
		m.origin(t, "stress", s.Source, s.Confidence)
		m.stress(t, s)
	}
	if d := c.Detection; d != nil {
		m.origin(t, "detection", d.Source, d.Confidence)
		m.detection(t, d)
	}
	if s := c.Slim; s != nil {
		m.origin(t, "slim", s.Source, s.Confidence)
		m.falling(t, []string{"slim", "needs"}, s.Needs, 10)
		m.Slim = s.Needs
	}
	if s := c.Casualties; s != nil {
		m.origin(t, "casualties", s.Source, s.Confidence)
		m.casualties(t, s)
	}
	if d := c.Damage; d != nil {
		m.origin(t, "damage", d.Source, d.Confidence)
		m.damage(t, d)
	}
	if e := c.Engineering; e != nil {
		m.origin(t, "engineering", e.Source, e.Confidence)
		if len(e.Faces) != 10 {
			m.fail(t, []string{"engineering", "faces"}, "%d faces, expected 10", len(e.Faces))
		}
		for i, face := range e.Faces[:min(10, len(e.Faces))] {
			if len(face) == 0 {
				m.fail(t, []string{"engineering", "faces"}, "face %d is blank", i+1)
			}
			m.Engineering[i+1] = face
		}
	}
	if r := c.Repair; r != nil {
		m.origin(t, "repair", r.Source, r.Confidence)
		m.Repair = map[string][]int{
			TrackGenerator: r.Generator, TrackSensors: r.Sensors, TrackEngineering: r.Engineering,
			TrackBeam: r.Beam, TrackMissile: r.Missile,
		}
		for _, track := range slices.Sorted(maps.Keys(m.Repair)) {
			m.falling(t, []string{"repair", track}, m.Repair[track], 10)
		}
	}
	if a := c.Assumed; a != nil {
		m.origin(t, "assumed", a.Source, a.Confidence)
		m.Assumed = defaults{Stress: a.Stress, DamageChart: a.DamageChart, Cruise: a.Cruise, Emergency: a.Emergency, Crew: a.Crew}
	}
}

// falling requires figures from 1 to a limit that never rise.
func (m *merge) falling(t *tableFile, key []string, list []int, high int) {
	if len(list) == 0 {
		m.fail(t, key, "no figures")
	}
	for i, n := range list {
		if n < 1 || n > high {
			m.fail(t, key, "figure %d is %d, expected 1 to %d", i+1, n, high)
			return
		}
		high = n
	}
}

// rising requires figures that begin with 1 and always rise.
func (m *merge) rising(t *tableFile, key []string, list []int) {
	last := 0
	for i, n := range list {
		if n <= last || i == 0 && n != 1 {
			m.fail(t, key, "figure %d is %d: they begin with 1 and rise", i+1, n)
			return
		}
		last = n
	}
}

// alike requires non-empty lists of equal length.
func (m *merge) alike(t *tableFile, key []string, lists ...[]int) bool {
	n := len(lists[0])
	for _, list := range lists {
		if len(list) != n || n == 0 {
			m.fail(t, key, "%d figures beside %d", len(list), n)
			return false
		}
	}
	return true
}

// stress checks the letters, the check digits, and that no column falls with the warp factor.
func (m *merge) stress(t *tableFile, s *stressTable) {
	const letters = "ABCDEFGHIJKLMNOPQR"
	m.Stress = map[string][]int{}
	for _, letter := range letters {
		name := string(letter)
		key, column, sum := []string{"stress", "by_warp", name}, s.ByWarp[name], 0
		if len(column) != 10 {
			m.fail(t, key, "stress chart %s has %d rows, expected 10", name, len(column))
		}
		for i, n := range column {
			if n < 0 || n > 10 || i > 0 && n < column[i-1] {
				m.fail(t, key, "stress chart %s: %d at warp %d", name, n, i+1)
			}
			sum += n
		}
		if sum != s.Sum[name] {
			m.fail(t, key, "stress chart %s adds up to %d, its check digit says %d", name, sum, s.Sum[name])
		}
		m.Stress[name] = column
	}
	if len(s.ByWarp) != len(letters) || len(s.Sum) != len(letters) {
		m.fail(t, []string{"stress"}, "%d columns and %d check digits, expected %d", len(s.ByWarp), len(s.Sum), len(letters))
	}
}

func (m *merge) detection(t *tableFile, d *detectionTable) {
	key := []string{"detection"}
	if !m.alike(t, key, make([]int, len(d.Ranges)), d.Still, d.StillLock, d.Moving, d.MovingLock) {
		return
	}
	for _, list := range [][]int{d.Still, d.StillLock, d.Moving, d.MovingLock} {
		m.falling(t, key, list, 10)
	}
	if err := ascending(len(d.Ranges), func(i int) (int, int) { return d.Ranges[i].from, d.Ranges[i].to }); err != nil {
		m.fail(t, append(key, "ranges"), "%v", err)
	}
	for i, r := range d.Ranges {
		m.Detection = append(m.Detection, Detection{r.from, r.to, d.Still[i], d.StillLock[i], d.Moving[i], d.MovingLock[i]})
	}
}

func (m *merge) casualties(t *tableFile, s *casualtyTable) {
	if !m.alike(t, []string{"casualties"}, s.From, s.PerCent) {
		return
	}
	m.rising(t, []string{"casualties", "from"}, s.From)
	m.falling(t, []string{"casualties", "per_cent"}, s.PerCent, 100)
	for i := range s.From {
		m.Casualties = append(m.Casualties, rate{s.From[i], s.PerCent[i]})
	}
}

// damage checks that every chart has ten cells for every shield.
func (m *merge) damage(t *tableFile, d *damageTable) {
	m.Detailed = map[string]DamageChart{}
	charts := append(slices.Clone(shipCharts), OutpostChart)
	for _, name := range slices.Sorted(maps.Keys(d.Charts)) {
		if !slices.Contains(charts, name) {
			m.fail(t, []string{"damage", "charts", name}, "no damage chart %s; there are %s", quoted(name), strings.Join(charts, " "))
		}
	}
	for _, name := range charts {
		key, rows := []string{"damage", "charts", name}, d.Charts[name]
		var chart DamageChart
		for shield := 1; shield <= 6; shield++ {
			column := strconv.Itoa(shield)
			if name == OutpostChart {
				column = "all"
			}
			cells := rows[column]
			if len(cells) != 10 {
				m.fail(t, append(key, column), "damage chart %s, shield %s: %d cells, expected 10", name, column, len(cells))
			}
			for i, c := range cells[:min(10, len(cells))] {
				chart[shield][i+1] = c
			}
		}
		if n := len(rows); n != 6 && n != 1 || n == 1 && name != OutpostChart {
			m.fail(t, key, "damage chart %s has %d columns", name, n)
		}
		m.Detailed[name] = chart
	}
}

// shipCharts are the damage charts of ships, by the position of the warp engines.
var shipCharts = []string{"A", "B", "C"}
