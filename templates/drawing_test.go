package templates

import (
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPlanetsAreOneBody: the hexes of a planet are drawn as one globe, once in each
// panel; asteroids are drawn one by one.
func TestPlanetsAreOneBody(t *testing.T) {
	m := Map{}
	for i, at := range [][2]int{{10, 10}, {10, 9}, {10, 11}, {9, 10}, {9, 11}, {11, 10}, {11, 11}} {
		m.Terrain = append(m.Terrain, Mark{Kind: Planet, Col: at[0], Row: at[1], Joined: i > 0}, Mark{Kind: Asteroid, Col: at[0] + 5, Row: at[1]})
	}
	if n := strings.Count(string(render(t, SVG, m)), `<use href="#planet" transform="translate(`); n != 7 {
		t.Errorf("%d planets are drawn where others stand between their parts, want 7", n)
	}
	var planets, others []Mark
	for _, k := range m.Terrain {
		if k.Kind == Planet {
			planets = append(planets, k)
		} else {
			others = append(others, k)
		}
	}
	m.Terrain = append(planets, others...)
	svg := string(render(t, SVG, m))
	if n := strings.Count(svg, `<use href="#planet" transform="translate(`); n != 1 {
		t.Errorf("%d planets are drawn, want 1", n)
	}
	if n := strings.Count(svg, `<use href="#rocks" transform="translate(`); n != 7 {
		t.Errorf("%d asteroids are drawn, want 7", n)
	}
	m.Terrain[1].Col = 300 // parts that do not touch
	if n := strings.Count(string(render(t, SVG, m)), `<use href="#planet" transform="translate(`); n == 1 {
		t.Error("a globe covers half of the map")
	}
}

// TestShipsDoNotCoverEachOther covers four ships in two hexes of an overview, and all others.
func TestShipsDoNotCoverEachOther(t *testing.T) {
	m := scattered()
	for i, at := range [][2]int{{20, 20}, {20, 20}, {20, 21}, {20, 21}} {
		m.Counters[i+2].Col, m.Counters[i+2].Row = at[0], at[1]
	}
	p := m.layout(svgCols, defaultRows)
	if !p.small {
		t.Fatal("there is no overview")
	}
	a := artist{m: &m, order: m.stacks(), signs: m.signs(), panel: fit(p.far, panelWidth-2*overviewPad, overviewHeight, overviewPad)}
	places := a.places()
	if len(places) != len(m.Counters) {
		t.Fatalf("%d ships are drawn", len(places))
	}
	for i := range places {
		for k := range places[:i] {
			p, q := &places[i], &places[k]
			if reach := 14 * (p.size + q.size) / 100; max(abs(p.x-q.x), abs(p.y-q.y)) < reach {
				t.Errorf("%s at %d, %d covers %s at %d, %d", p.c.Name, p.x, p.y, q.c.Name, q.x, q.y)
			}
		}
	}
}

// TestKeyExplainsEveryMark: the key explains the marks that a drawing shows, and no others.
func TestKeyExplainsEveryMark(t *testing.T) {
	svg := string(render(t, SVG, duel().Map))
	for _, want := range []string{"own ship", "way in phase 1", "hit", "miss", "shield down", "arc and reach of weapons", "planet", "moon", "asteroids", "mine", "minefield"} {
		if !strings.Contains(svg, `<text x="18" y="4">`+want+"</text>") {
			t.Errorf("the key does not explain %q", want)
		}
	}
	for _, not := range []string{"outpost", ">explosion<", "two more in this hex", "part drawn enlarged"} {
		if strings.Contains(svg, not) {
			t.Errorf("the key explains %q, which is not there", not)
		}
	}
	m := scattered()
	for range 7 {
		m.Counters = append(m.Counters, m.Counters[2:4]...)
	}
	svg = string(render(t, SVG, m))
	for _, want := range []string{"two more in this hex", "part drawn enlarged"} {
		if !strings.Contains(svg, `<text x="18" y="4">`+want+"</text>") {
			t.Errorf("the key does not explain %q", want)
		}
	}
}

// TestNarrowScreens: on a phone the drawing has larger signs and can be enlarged
// without a script, ships are listed below it, and the captain's name has room.
func TestNarrowScreens(t *testing.T) {
	r := duel()
	page := string(render(t, HTML, r))
	for _, want := range []string{"@media(max-width:600px)", `<details class="z"><summary>Enlarge the map</summary></details><div class="m"><svg`, `<g class="g"`, `<g class="k"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	_, list, _ := strings.Cut(page, `<div class="w" style="display:none`)
	list, _, _ = strings.Cut(list, "</div>")
	for i := range r.Map.Counters {
		if c := &r.Map.Counters[i]; !strings.Contains(list, "</b> "+c.Name+" "+c.Hex) {
			t.Errorf("%s is not listed in %s", c.Name, list)
		}
	}
	left, right, _ := strings.Cut(page, `</td><td align="right"`)
	right, _, _ = strings.Cut(right, "</td>")
	if !strings.Contains(left, r.Captain) || strings.Contains(right, r.Captain) {
		t.Error("the captain's name shares a narrow column with the turn")
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "<input") {
		t.Error("the page needs what mail programs take out")
	}
}

// TestNamesLeaveLinesOfFire has two ships above each other, and a planet between two
// others. No name lies on the line of fire below it.
func TestNamesLeaveLinesOfFire(t *testing.T) {
	m := Map{
		Counters: []Counter{
			{Name: "Asp", Col: 11, Row: 10},
			{Name: "Boa", Col: 11, Row: 13},
			{Name: "Cobra", Col: 15, Row: 12},
			{Name: "Dhole", Col: 15, Row: 8},
		},
		Terrain: []Mark{{Kind: Planet, Col: 15, Row: 10, Name: "Eden"}},
		Shots:   []Shot{{FromCol: 11, FromRow: 10, ToCol: 11, ToRow: 13, Hit: true}, {FromCol: 15, FromRow: 8, ToCol: 15, ToRow: 12}},
	}
	svg := string(render(t, SVG, m))
	a := artist{m: &m, panel: fit(m.layout(svgCols, defaultRows).near, panelWidth, panelHeight, 0)}
	for _, c := range []struct {
		name     string
		col, row int
		below    bool // there is no line below it
	}{{"Asp", 11, 10, false}, {"Boa", 11, 13, true}, {"Cobra", 15, 12, true}, {"Dhole", 15, 8, false}, {"Eden", 15, 10, false}} {
		before, _, _ := strings.Cut(svg, ">"+c.name+"</text>")
		var x, y int
		if _, err := fmt.Sscanf(before[strings.LastIndex(before, "<text"):], `<text x="%d" y="%d"`, &x, &y); err != nil {
			t.Fatal(c.name, err)
		}
		hexX, hexY := a.centre(c.col, c.row)
		if below := x == hexX && y > hexY; below != c.below {
			t.Errorf("%s at %d, %d has its name at %d, %d", c.name, hexX, hexY, x, y)
		}
	}
}

// TestNamesAreClear: on maps of many ships and shots a name covers a ship or a line of fire
// only if each of its spots covers something. Lines are checked point by point here.
func TestNamesAreClear(t *testing.T) {
	elsewhere := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 7))
		m := Map{Bounds: &Bounds{14, 14}}
		for k, hex := range rng.Perm(14 * 14)[:8] {
			c := Counter{Name: "Ship " + strings.Repeat("x", k), Col: 1 + hex%14, Row: 1 + hex/14, Own: k == 0}
			if k < 3 {
				c.Shields = []Shield{{1, 0, 5, 9, false}}
			}
			m.Counters = append(m.Counters, c)
		}
		for range rng.IntN(40) {
			from, to := m.Counters[rng.IntN(8)], m.Counters[rng.IntN(8)]
			m.Shots = append(m.Shots, Shot{from.Col, from.Row, to.Col, to.Row, rng.IntN(4), rng.IntN(2) == 0, "", 0})
		}
		a := artist{m: &m, order: m.stacks(), signs: m.signs()}
		a.draw(fit(m.layout(svgCols, defaultRows).near, panelWidth, panelHeight, 0), nil, 0, 0)
		places, others := a.places(), len(a.board.taken)-8

		overLine := func(b box, margin int) bool {
			for _, l := range a.board.lines {
				steps := 4 * math.Hypot(float64(l.dx), float64(l.dy))
				for k := 0.0; k <= steps; k++ {
					x, y := float64(l.x)+float64(l.dx)*k/steps, float64(l.y)+float64(l.dy)*k/steps
					if math.Abs(x-float64(b.x)) < float64(b.w+margin) && math.Abs(y-float64(b.y)) < float64(b.h+margin) {
						return true
					}
				}
			}
			return false
		}
		overBox := func(b box, boxes []box) bool {
			for _, o := range boxes {
				if min(b.x+b.w, o.x+o.w) > max(b.x-b.w, o.x-o.w) && min(b.y+b.h, o.y+o.h) > max(b.y-b.h, o.y-o.h) {
					return true
				}
			}
			return false
		}
		hulls := make([]box, len(places))
		for i, p := range places {
			hulls[i] = box{p.x, p.y, 19 * p.size / 100, 19 * p.size / 100}
		}
		for i, p := range places {
			at := a.board.taken[others+i]
			text := fmt.Sprintf(`<text x="%d" y="%d">%s</text>`, at.x, at.y+textMiddle, p.c.Name)
			if !strings.Contains(string(a.b), text) {
				t.Fatalf("seed %d: no %s", seed, text)
			}
			l := label{p.c.Name, "", p.x, p.y, 43 * p.size / 100}
			if at != l.spots()[0] {
				elsewhere++
			}
			if !overBox(at, hulls) && !overLine(at, 0) {
				continue
			}
			for _, spot := range l.spots() {
				inside := spot.x >= spot.w && spot.x+spot.w <= a.width && spot.y >= spot.h && spot.y+spot.h <= a.height
				if inside && !overBox(spot, a.board.taken[:others+i]) && !overLine(spot, 4) {
					t.Errorf("seed %d: %s is at %+v and could be at %+v", seed, p.c.Name, at, spot)
				}
			}
		}
	}
	if elsewhere < 200 {
		t.Errorf("only %d names had to give way", elsewhere)
	}
}

// TestMapsCanBePointedAt: each drawn hex and each ship can be pointed at by its name, whatever it is called, and
// there are no style attributes, which some pages do not allow.
func TestMapsCanBePointedAt(t *testing.T) {
	m := Map{Bounds: &Bounds{Cols: 4, Rows: 3}, Counters: []Counter{
		{ID: "hood", Name: "Hood", Col: 2, Row: 1, Own: true}, {ID: `"><script>`, Name: "</svg>", Col: 4, Row: 3, Heading: 2},
	}}
	svg := TouchSVG(m)
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`data-hex="0101"`, `data-hex="0403"`, `data-ship="hood" data-hex="0201"`, `data-ship="&#34;&gt;&lt;script&gt;" data-hex="0403"`} {
		if !strings.Contains(svg, part) {
			t.Errorf("got no %s", part)
		}
	}
	if n := strings.Count(svg, `class="hex"`); n != 12 {
		t.Errorf("got %d hexes, want 12", n)
	}
	for _, part := range []string{"style=", "<script", "0501"} {
		if strings.Contains(svg, part) {
			t.Errorf("got %s", part)
		}
	}
	if got := TouchSVG(Map{}); !strings.HasPrefix(got, "<svg") || strings.Contains(got, "data-") {
		t.Errorf("of nothing got %s", got)
	}
}

// TestEmptyRowsAreLeftOutOfThePicture: as in the ASCII map, but no gap cuts a path or a line of fire.
func TestEmptyRowsAreLeftOutOfThePicture(t *testing.T) {
	apart := func() Map {
		return Map{Counters: []Counter{{ID: "hood", Name: "Hood", Col: 11, Row: 33, Own: true}, {ID: "riskadh", Name: "Riskadh", Col: 11, Row: 1, Side: 1, Heading: 3}}}
	}
	m := apart()
	svg := string(render(t, SVG, m))
	for text, times := range map[string]int{`>29 empty rows are left out<`: 1, `>02</text>`: 1, `>03</text>`: 0, `>31</text>`: 0, `>32</text>`: 1, `>11</text>`: 2} {
		if n := strings.Count(svg, text); n != times {
			t.Errorf("%s stands there %d times, want %d", text, n, times)
		}
	}
	way, fire := apart(), apart()
	way.Counters[1].Trail = []Step{{1, 11, 30, 3}, {1, 11, 1, 3}}
	fire.Shots = []Shot{{FromCol: 11, FromRow: 1, ToCol: 11, ToRow: 33}}
	for _, m := range []Map{way, fire} {
		if svg := string(render(t, SVG, m)); strings.Contains(svg, "left out") {
			t.Error("a gap is cut into a way, or a line of fire")
		}
	}
	if svg := TouchSVG(m); strings.Contains(svg, "left out") {
		t.Error("hexes cannot be pointed at")
	}
}
