package tables

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"starpost/engine/tactical"
)

func TestLibraryStress(t *testing.T) {
	l := builtinLibrary(t)
	// The sum of all letters at each warp factor, in addition to the check digits of
	// the letters in the file.
	rows := [11]int{1: 2, 2: 3, 3: 4, 4: 7, 5: 12, 6: 20, 7: 28, 8: 39, 9: 51, 10: 63}
	for warp, want := range rows {
		sum := 0
		for letter := 'A'; letter <= 'R'; letter++ {
			sum += l.StressAt(string(letter), warp)
		}
		if sum != want {
			t.Errorf("warp %d: all letters add up to %d, expected %d", warp, sum, want)
		}
	}
	for _, c := range []struct {
		letter     string
		warp, want int
	}{
		{"G", 8, 2},  // engines in the rules' own example
		{"L", 8, 3},  // its superstructure
		{"G", 7, 1},  // one warp factor less
		{"L", 7, 2},  // as in the chart, not the text
		{"G", 0, 0},  // below light speed
		{"G", -1, 0}, //
		{"A", 8, 0},
		{"A", 9, 1},
		{"J", 7, 1},
		{"J", 6, 1},
		{"N", 10, 6},
		{"R", 1, 1},
		{"R", 10, 5},
		{"R", 14, 5}, // rows above warp 10 are not in the table
		{"S", 10, 0},
		{"", 10, 0},
	} {
		if got := l.StressAt(c.letter, c.warp); got != c.want {
			t.Errorf("stress %q at warp %d: %d, expected %d", c.letter, c.warp, got, c.want)
		}
	}
}

func TestLibraryDetection(t *testing.T) {
	l := builtinLibrary(t)
	for _, c := range []struct {
		from, to, still, stillLock, moving, movingLock int
	}{{0, 0, 0, 0, 0, 0}, {1, 10, 3, 6, 5, 8}, {11, 20, 2, 5, 4, 7}, {21, 30, 1, 4, 3, 6}, {31, 40, 0, 0, 0, 0}} {
		for rng := c.from; rng <= c.to; rng++ {
			got := []int{l.Detect(rng, false, false), l.Detect(rng, false, true), l.Detect(rng, true, false), l.Detect(rng, true, true)}
			if want := []int{c.still, c.stillLock, c.moving, c.movingLock}; !slices.Equal(got, want) {
				t.Errorf("detection at %d: %v, expected %v", rng, got, want)
			}
		}
	}
}

func TestLibrarySlimChance(t *testing.T) {
	l := builtinLibrary(t)
	for number, want := range map[int]int{10: 0, 1: 0, 0: 8, -1: 6, -2: 4, -3: 2, -4: 0, -20: 0} {
		if got := l.SlimChance(number); got != want {
			t.Errorf("slim chance for %d: %d, expected %d", number, got, want)
		}
	}
}

func TestLibraryCasualties(t *testing.T) {
	l := builtinLibrary(t)
	for full, want := range map[int]int{
		-1: 0, 0: 0, 1: 100, 2: 50, 3: 30, 4: 25, 5: 20, 6: 18, 7: 14, 8: 14, 9: 10, 11: 10, 12: 8, 14: 8, 15: 6, 19: 6,
		20: 4, 34: 4, 35: 2, 36: 2, 50: 2, 51: 1, 200: 1,
	} {
		if got := l.CasualtyRate(full); got != want {
			t.Errorf("casualties with superstructure %d: %d, expected %d", full, got, want)
		}
	}
}

// cell returns a cell of a damage chart as the data file writes it.
func cell(h Hit) string {
	s := strings.TrimSpace(h.Side + " " + strings.Replace(h.Location, " and ", " + ", 1))
	s += [3]string{"", " C", " 2C"}[h.Casualties]
	if h.Half {
		s += " /2"
	}
	return s
}

func TestLibraryDamageCharts(t *testing.T) {
	l := builtinLibrary(t)
	if got := strings.Join(slices.Sorted(maps.Keys(l.Detailed)), " "); got != "A B C outpost" {
		t.Fatalf("charts %s", got)
	}
	for _, c := range []struct {
		chart       string
		shield, die int
		want        string
	}{
		{"A", 1, 6, "port warp engine + superstructure C"},
		{"A", 2, 6, "starboard warp engine /2"},
		{"A", 2, 8, "starboard warp engine"},
		{"A", 4, 4, "starboard warp engine /2"},
		{"A", 5, 9, "warp engine"},
		{"A", 5, 10, "engineering C"},
		{"A", 6, 4, "port warp engine"},
		{"B", 2, 8, "warp engine"},
		{"B", 3, 10, "bridge 2C"},
		{"B", 4, 10, "starboard warp engine + superstructure C"},
		{"B", 5, 5, "starboard warp engine"},
		{"C", 1, 4, "port warp engine"},
		{"C", 2, 4, "superstructure C /2"},
		{"C", 3, 8, "starboard warp engine + superstructure C"},
		{"C", 5, 4, "port warp engine /2"},
		{"C", 5, 8, "superstructure C /2"}, // as in the text; the sheet has an engine
		{"C", 6, 6, "impulse engine /2"},
		{"outpost", 1, 2, "beam or missile weapon"},
		{"outpost", 2, 5, "engineering"},
		{"outpost", 6, 8, "warp engine + superstructure C"},
	} {
		if h, ok := l.HitOn(c.chart, c.shield, c.die); !ok || cell(h) != c.want {
			t.Errorf("chart %s, shield %d, die %d: %s, expected %s", c.chart, c.shield, c.die, cell(h), c.want)
		}
	}
	for _, bad := range []struct {
		chart       string
		shield, die int
	}{{"D", 1, 1}, {"A", 0, 1}, {"A", 7, 1}, {"A", 1, 0}, {"A", 1, 11}} {
		if h, ok := l.HitOn(bad.chart, bad.shield, bad.die); ok {
			t.Errorf("chart %s, shield %d, die %d: %s", bad.chart, bad.shield, bad.die, cell(h))
		}
	}
	// How many cells of each sort a chart has, as counted on the sheet, except for the
	// one cell in which the text differs.
	for chart, want := range map[string]string{
		"A": "beam weapon 6, bridge 3, engineering 1, impulse engine 3, missile weapon 2, sensors 3, shield generator 6, superstructure 17, warp engine 15, warp engine and superstructure 4",
		"B": "beam weapon 6, bridge 3, engineering 1, impulse engine 3, missile weapon 2, sensors 3, shield generator 6, superstructure 17, warp engine 15, warp engine and superstructure 4",
		"C": "beam weapon 6, bridge 3, engineering 1, impulse engine 3, missile weapon 2, sensors 3, shield generator 6, superstructure 18, warp engine 14, warp engine and superstructure 4",
	} {
		count := map[string]int{}
		for shield := 1; shield <= 6; shield++ {
			for die := 1; die <= 10; die++ {
				count[l.Detailed[chart][shield][die].Location]++
			}
		}
		var got []string
		for _, k := range slices.Sorted(maps.Keys(count)) {
			got = append(got, fmt.Sprintf("%s %d", k, count[k]))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("chart %s\n got %s\nwant %s", chart, s, want)
		}
	}
}

// TestLibraryDamageMirrored: port columns say of port engines what starboard columns
// say of starboard engines, except for one cell of chart A.
func TestLibraryDamageMirrored(t *testing.T) {
	l := builtinLibrary(t)
	for _, chart := range []string{"A", "B", "C"} {
		for starboard, port := range map[int]int{3: 1, 4: 6} {
			for die := 1; die <= 10; die++ {
				s, p := l.Detailed[chart][starboard][die], l.Detailed[chart][port][die]
				s.Side = strings.Replace(s.Side, "starboard", "port", 1)
				if known := chart == "A" && port == 6 && die == 4; (s == p) == known {
					t.Errorf("chart %s, die %d: shield %d %s, shield %d %s", chart, die, starboard, cell(s), port, cell(p))
				}
			}
		}
	}
}

func TestLibraryEngineering(t *testing.T) {
	l := builtinLibrary(t)
	var got []string
	for _, face := range l.Engineering {
		got = append(got, strings.Join(face, "+"))
	}
	const want = ",shields,shields,weapons,weapons,movement,movement,shields+weapons,shields+movement,weapons+movement,shields+weapons+movement"
	if s := strings.Join(got, ","); s != want {
		t.Errorf("engineering %s", s)
	}
}

func TestLibraryRepair(t *testing.T) {
	l := builtinLibrary(t)
	for track, want := range map[string][]int{
		"generator": {0, 8, 6, 4, 2, 0, 0}, "sensors": {0, 8, 6, 4, 0}, "engineering": {0, 7, 5, 3, 0}, "beam": {0, 8, 0},
		"missile": {0, 6, 0}, "door": {0, 0},
	} {
		for boxes, need := range want {
			if got := l.RepairNumber(track, boxes); got != need {
				t.Errorf("%s with %d boxes: %d, expected %d", track, boxes, got, need)
			}
		}
	}
}

// TestLibraryCoursesStrict checks that wrong tables are refused.
func TestLibraryCoursesStrict(t *testing.T) {
	for text, want := range map[string]string{
		"[slim]\nneeds = [8, 9]":                        "figure 2 is 9",
		"[slim]\nneeds = []":                            "no figures",
		"[slim]\nnedes = [8]":                           "did you mean needs?",
		"[stress]\nby_warp.A = \"0\"":                   "stress chart A has 1 rows",
		"[stress.by_warp]\nA = \"0 0 0 0 0 0 0 2 1 2\"": "stress chart A: 1 at warp 9",
		"[stress.by_warp]\nA = \"0 0 0 0 0 0 0 1 1 2\"": "its check digit says 0",
		"[detection]\nranges = [\"1-10\", \"5-20\"]":    "0 figures beside 2",
		"[detection]\nranges = [\"ten\"]":               "ranges \\\"ten\\\"",
		"[casualties]\nfrom = [2]\nper_cent = [1]":      "they begin with 1",
		"[engineering]\nfaces = [\"weapons shields\"]":  "in that order",
		"[engineering]\nfaces = [\"weapons\"]":          "1 faces, expected 10",
		"[repair]\nbeam = [0]":                          "figure 1 is 0",
		"[damage.charts.A]\n1 = \"port bridge\"":        "damage location",
		"[damage.charts.A]\n1 = \"sensors /2\"":         "damage location",
		"[damage.charts.A]\n1 = \"sensors\"":            "1 cells, expected 10",
		"[damage.charts.Q]\n1 = \"sensors\"":            `no damage chart \"Q\"`,
	} {
		file, err := readTables("t.toml", []byte("source = \"x\"\nconfidence = \"low\"\n"+text))
		if err == nil {
			l := &Library{}
			err = l.merge([]*tableFile{file}, true)
		}
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), `"`, `\"`), want) {
			t.Errorf("%s\n%v\nexpected %s", text, err, want)
		}
	}
	_, err := builtinLibrary(t).With(map[string][]byte{"mine.toml": []byte("[slim]\nneeds = [10]")})
	if err == nil || !strings.Contains(err.Error(), "a game cannot change them") {
		t.Error(err)
	}
}

// TestLibraryDesignsComplete: no figure of a ship that a course needs is missing,
// and those that no print gives are marked as assumed.
func TestLibraryDesignsComplete(t *testing.T) {
	l := builtinLibrary(t)
	outposts, plasma, lasers, accelerators := 0, 0, 0, 0
	for _, name := range l.DesignNames() {
		d := l.Designs[name]
		if d.Crew < 1 || d.D < 1 || d.WDF < 1 && len(d.Banks) > 0 {
			t.Errorf("%s: crew %d, D %s, WDF %s", name, d.Crew, d.D, d.WDF)
		}
		if d.Outpost {
			outposts++
			if d.DamageChart != OutpostChart || d.Stress != "" || d.Cruise != 0 || d.Emergency != 0 || d.Move != (tactical.Ratio{}) || d.Move.Points(d.Power()) != 0 {
				t.Errorf("%s: %+v", name, d)
			}
		} else {
			unknown := func(chart string) bool { return l.Stress[chart] == nil }
			if slices.ContainsFunc(strings.Split(d.Stress, "/"), unknown) || d.Cruise < 1 || d.Emergency < d.Cruise || !slices.Contains(shipCharts, d.DamageChart) {
				t.Errorf("%s: stress %q, cruise %d, emergency %d, damage chart %q", name, d.Stress, d.Cruise, d.Emergency, d.DamageChart)
			}
		}
		for _, b := range d.Banks {
			w := l.Weapons[b.Weapon]
			switch w.Family {
			case "plasma":
				plasma++
			case "laser":
				lasers++
			case "accelerator":
				accelerators++
			}
			for _, arc := range b.Arcs {
				if strings.HasPrefix(arc, "o") != d.Outpost {
					t.Errorf("%s, %s: arc %s", name, b.ID, arc)
				}
			}
		}
	}
	if outposts != 4 || plasma == 0 || lasers == 0 || accelerators == 0 {
		t.Errorf("%d outposts, %d plasma launchers, %d lasers, %d accelerator cannons", outposts, plasma, lasers, accelerators)
	}
	for name, want := range map[string]string{
		"constitution-hood": "crew damage_chart", "d-10-wolf": "stress emergency cruise", "chandley-i": "stress damage_chart emergency cruise",
		"outpost": "crew", "v-8": "crew stress damage_chart emergency cruise",
	} {
		if got := strings.Join(l.Designs[name].Assumed, " "); got != want {
			t.Errorf("%s: assumed %s, expected %s", name, got, want)
		}
	}
	if hood := l.Designs["constitution-hood"]; hood.Crew != 400 || hood.DamageChart != "C" {
		t.Errorf("%+v", hood)
	}
}

func TestLibraryOutpostStrict(t *testing.T) {
	for text, want := range map[string]string{
		`move = "4/1"`:              "an outpost has no move",
		`stress = "G/L"`:            "an outpost has no stress",
		"cruise = 1\nemergency = 1": "an outpost has no cruise",
		`damage_chart = "A"`:        "an outpost has no damage_chart",
		"warp = [1, 1]":             "one generator, not 2",
		`shield = "none"`:           "no shield ratio",
	} {
		base := "[designs.fort]\ntitle = \"Fort\"\nnavy = \"x\"\noutpost = true\nsuperstructure = 1\nimpulse = 1\n"
		if !strings.HasPrefix(text, "shield") {
			base += "shield = \"1/1\"\n"
		}
		_, err := builtinLibrary(t).With(map[string][]byte{"mine.toml": []byte(base + text)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
