package templates

import (
	"strings"
	"testing"
)

// TestPlanetsAreOneBody: the hexes of a planet are drawn as one globe, in each panel
// once; asteroids stay one by one.
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
	m.Terrain[1].Col = 300 // parts that are no body
	if n := strings.Count(string(render(t, SVG, m)), `<use href="#planet" transform="translate(`); n == 1 {
		t.Error("a globe covers half of the map")
	}
}

// TestShipsDoNotCoverEachOther: four ships in two hexes of an overview, and all others.
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

// TestKeyExplainsEveryMark: what a drawing shows its key explains.
func TestKeyExplainsEveryMark(t *testing.T) {
	svg := string(render(t, SVG, duel().Map))
	for _, want := range []string{"own ship", "way in phase 1", "hit", "miss", "shield down", "arc and reach of weapons", "planet", "moon", "asteroids", "mine", "minefield"} {
		if !strings.Contains(svg, `<text x="18" y="4">`+want+"</text>") {
			t.Errorf("the key does not explain %q", want)
		}
	}
	if strings.Contains(svg, "outpost") || strings.Contains(svg, ">explosion<") {
		t.Error("the key explains what is not there")
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
