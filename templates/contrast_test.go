package templates

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	cssRule     = regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)
	cssVariable = regexp.MustCompile(`(--[a-z]+):\s*(#[0-9a-f]{3,6})\b`)
	cssText     = regexp.MustCompile(`(?:^|;)color:(var\((--[a-z]+)\)|#[0-9a-f]{3,6})`)
	cssGround   = regexp.MustCompile(`(?:^|;)background(?:-color)?:(var\((--[a-z]+)\)|#[0-9a-f]{3,6})`)
)

// sheetPairs returns the pairs of text and background colours that can meet under a style sheet, light and dark: those
// of one rule, and each text colour set alone with each background set alone.
func sheetPairs(sheet string) map[string][2]string {
	light := map[string]string{}
	dark := map[string]string{}
	for _, rule := range cssRule.FindAllStringSubmatch(strings.ReplaceAll(sheet, "@media (prefers-color-scheme:dark){:root", "DARK"), -1) {
		for _, v := range cssVariable.FindAllStringSubmatch(rule[2], -1) {
			switch {
			case strings.Contains(rule[1], "DARK"):
				dark[v[1]] = v[2]
			case strings.TrimSpace(rule[1]) == ":root" && light[v[1]] == "":
				light[v[1]] = v[2]
			}
		}
	}
	texts, grounds := map[string]bool{}, map[string]bool{}
	both := map[[2]string]bool{}
	for _, rule := range cssRule.FindAllStringSubmatch(sheet, -1) {
		text, ground := cssText.FindStringSubmatch(rule[2]), cssGround.FindStringSubmatch(rule[2])
		switch {
		case strings.Contains(rule[1], "body"):
			if text != nil {
				texts[text[1]] = true
			}
			if ground != nil {
				grounds[ground[1]] = true
			}
		case text != nil && ground != nil:
			both[[2]string{text[1], ground[1]}] = true
		case text != nil:
			texts[text[1]] = true
		case ground != nil:
			grounds[ground[1]] = true
		}
	}
	for text := range texts {
		for ground := range grounds {
			both[[2]string{text, ground}] = true
		}
	}
	out := map[string][2]string{}
	for pair := range both {
		for name, values := range map[string]map[string]string{"light": light, "dark": dark} {
			if name == "dark" && len(dark) == 0 {
				continue
			}
			one := pair
			for i, colour := range pair {
				if name, ok := strings.CutPrefix(colour, "var("); ok {
					one[i] = values[strings.TrimSuffix(name, ")")]
				}
			}
			out[name+": "+pair[0]+" on "+pair[1]] = one
		}
	}
	return out
}

// TestAllStyleSheetsCanBeRead: on all pages text contrasts with its background, on light paper and on dark.
func TestAllStyleSheetsCanBeRead(t *testing.T) {
	sheets := map[string]string{}
	for _, file := range []string{"pages/site.css", "replay/replay.css", "composer/page/compose.css", "files/parts.html"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sheets[file] = string(text)
	}
	_, dark, ok := strings.Cut(sheets["files/parts.html"], "@media(prefers-color-scheme:dark){\nbody")
	dark, _, closed := strings.Cut(dark, "</style>")
	if !ok || !closed {
		t.Fatal("the style sheet of mails for the dark is not found")
	}
	sheets["files/parts.html"] = "body" + strings.ReplaceAll(dark, "!important", "")
	for file, sheet := range sheets {
		pairs := sheetPairs(sheet)
		if len(pairs) < 6 {
			t.Errorf("%s has only the pairs %v", file, pairs)
		}
		for name, pair := range pairs {
			if pair[0] == "" || pair[1] == "" {
				t.Errorf("%s, %s: a colour has no value", file, name)
				continue
			}
			if got := contrast(pair[0], pair[1]); got < leastContrast {
				t.Errorf("%s, %s: the contrast of %s and %s is %.2f", file, name, pair[0], pair[1], got)
			}
		}
	}
}

// TestSidesLookAlikeEverywhere: a ship has one hull and one paint in reports, replays, lists of games and tables.
func TestSidesLookAlikeEverywhere(t *testing.T) {
	for name, m := range map[string]Map{"a duel": duel().Map, "a fleet": fleet().Map} {
		r := Replay{Turns: []ReplayTurn{{Moments: []Moment{{Map: m}}}}}
		data, drawn, touched, thumb := r.data(), string(render(t, SVG, m)), TouchSVG(m), ThumbSVG(m)
		for i := range m.Counters {
			c := &m.Counters[i]
			if c.Ghost || c.Dead || c.station() {
				continue // painted alike for all sides
			}
			tone := toneOf(c.Side)
			paint := `fill="` + tone.fill + `" stroke="` + tone.line + `"`
			var k ink
			for where, holds := range map[string]bool{
				"the map of a report": strings.Contains(drawn, `href="#`+tone.shape+`"`) && strings.Contains(drawn, paint),
				"the map to click on": strings.Contains(touched, `href="#`+tone.shape+`"`) && strings.Contains(touched, paint),
				"a list of games":     strings.Contains(thumb, string(k.hullOf(tone, false).b)),
				"a table":             strings.Contains(HullSVG(c.Side), `d="M`) && strings.Contains(HullSVG(c.Side), paint),
			} {
				if !holds {
					t.Errorf("%s, %s: %s looks otherwise", name, where, c.Name)
				}
			}
			ship := data.Ships[i]
			if side := data.Sides[ship.Side]; ship.Name != c.Name || side.Name != c.SideName || side.Fill != tone.fill || side.Line != tone.line || side.Shape != tone.shape || side.Dash != tone.dash {
				t.Errorf("%s, a replay: %s looks otherwise: %+v", name, c.Name, side)
			}
		}
	}
}

// TestThumbsShowWhoIsWhere: each ship is drawn once, with the hull of her side, and without any text of the map.
func TestThumbsShowWhoIsWhere(t *testing.T) {
	m := duel().Map
	thumb := ThumbSVG(m)
	for i := range m.Counters {
		var k ink
		c := &m.Counters[i]
		if hull := string(k.hullOf(toneOf(c.Side), c.station()).b); !c.Dead && !c.Ghost && !strings.Contains(thumb, hull) {
			t.Errorf("%s is not drawn", m.Counters[i].Name)
		}
		if strings.Contains(thumb, m.Counters[i].Name) {
			t.Errorf("%s is named", m.Counters[i].Name)
		}
	}
	if got := strings.Count(thumb, `d="M0-1`); got != len(m.Counters) {
		t.Errorf("%d hulls are drawn for %d ships", got, len(m.Counters))
	}
	if strings.Contains(thumb, "style=") || strings.Contains(thumb, " id=") {
		t.Error("what stands many times on a page has ids or styles")
	}
	if got := ThumbSVG(Map{Bounds: &Bounds{Cols: 9, Rows: 9}}); got != "" {
		t.Errorf("an empty field is drawn as %s", got)
	}
}
