package templates

import (
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// contrast returns the contrast ratio of two colours by WCAG 2, from 1 to 21.
func contrast(a, b string) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(colour string) float64 {
	hex := strings.TrimPrefix(colour, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || len(hex) != 6 {
		panic("no colour: " + colour)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(n>>(16-8*i)&255) / 255
		if c <= 0.03928 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// leastContrast is the least contrast of text that WCAG 2 allows.
const leastContrast = 4.5

// TestTones: sides can be told apart on light and dark paper, and by hulls and paths alone, and the letters on them
// can be read. So can all other text on a map.
func TestTones(t *testing.T) {
	shapes, dashes := map[string]bool{}, map[string]bool{}
	for i, s := range append(tones[:], strange) {
		for what, pair := range map[string][2]string{"its outline on paper": {s.line, mapPaper}, "its outline on dark paper": {s.night, nightPaper}, "its letter": {s.letter, s.fill}} {
			if got := contrast(pair[0], pair[1]); got < leastContrast {
				t.Errorf("side %d: the contrast of %s is %.2f", i, what, got)
			}
		}
		if shapes[s.shape] || dashes[s.dash] {
			t.Errorf("side %d has the hull %s or the dashes %q of another", i, s.shape, s.dash)
		}
		shapes[s.shape], dashes[s.dash] = true, true
		if !strings.Contains(svgDefs, `id="`+s.shape+`"`) {
			t.Errorf("the hull %s is not drawn", s.shape)
		}
	}
	for _, p := range nightPaint {
		paint := p.paint[strings.Index(p.paint, ":")+1:]
		if strings.Contains(p.what, "rect") || strings.Contains(p.what, mapPaper) || strings.Contains(p.what, "#cfcabc") {
			continue // backgrounds, and the grid
		}
		if got := contrast(paint, nightPaper); got < leastContrast {
			t.Errorf("the contrast of %s in the dark is %.2f", p.what, got)
		}
	}
}

// element is an element of a page, as far as it matters to readability.
type element struct {
	name  string
	style map[string]string // its own and inherited
	hull  bool              // its text is on hulls: see TestTones
}

var declaration = regexp.MustCompile(`(color|background|background-color):\s*(#[0-9a-f]{3,6})\b`)

// checkAccess checks an HTML page: headings in order with one h1 first, table heads with a scope, and text that
// contrasts with its background, as far as style attributes and the classes of the light style sheet say.
func checkAccess(t *testing.T, name string, page []byte) {
	t.Helper()
	classes := map[string]map[string]string{ // from the light style sheet of mails
		"n": {"color": mapSoft}, "c": {"color": mapSoft}, "o": {"background": "#fff4d6"},
	}
	d := xml.NewDecoder(strings.NewReader(string(page)))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	stack := []element{{style: map[string]string{"color": "#000", "background": "#fff"}}}
	level, heads := 0, 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, style: map[string]string{}}
			maps.Copy(e.style, stack[len(stack)-1].style)
			attributes := map[string]string{}
			for _, a := range token.Attr {
				attributes[a.Name.Local] = a.Value
			}
			for class := range strings.FieldsSeq(attributes["class"]) {
				maps.Copy(e.style, classes[class])
			}
			for _, m := range declaration.FindAllStringSubmatch(attributes["style"], -1) {
				e.style[strings.TrimSuffix(m[1], "-color")] = m[2]
			}
			if inDrawing(stack) || e.name == "svg" {
				e.style["background"] = mapPaper
				if fill := attributes["fill"]; strings.HasPrefix(fill, "#") {
					e.style["color"] = fill
				} else if e.name == "svg" {
					e.style["color"] = "#000"
				}
				e.hull = attributes["class"] == "g"
			}
			if e.name == "th" && !slices.Contains([]string{"col", "row", "colgroup"}, attributes["scope"]) {
				t.Errorf("%s: a <th> does not say what it heads", name)
			}
			if e.name == "svg" && attributes["role"] == "img" && !strings.Contains(string(page), "<title>Map</title><desc>") {
				t.Errorf("%s: a map has no words for those who do not see it", name)
			}
			if len(e.name) == 2 && e.name[0] == 'h' && '1' <= e.name[1] && e.name[1] <= '6' {
				n := int(e.name[1] - '0')
				if n > level+1 || n == 1 && heads > 0 || n > 1 && heads == 0 {
					t.Errorf("%s: a heading of level %d comes after one of level %d", name, n, level)
				}
				level, heads = n, heads+1
			}
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			e := stack[len(stack)-1]
			if strings.TrimSpace(string(token)) == "" || slices.Contains([]string{"style", "script", "title", "desc"}, e.name) || onHull(stack) {
				continue
			}
			if got := contrast(e.style["color"], e.style["background"]); got < leastContrast {
				t.Errorf("%s: %.40q stands out by %.2f: %s on %s", name, strings.TrimSpace(string(token)), got, e.style["color"], e.style["background"])
			}
		}
	}
	if heads == 0 {
		t.Errorf("%s has no heading", name)
	}
}

func inDrawing(stack []element) bool {
	return slices.ContainsFunc(stack, func(e element) bool { return e.name == "svg" })
}

func onHull(stack []element) bool {
	return slices.ContainsFunc(stack, func(e element) bool { return e.hull })
}

// TestPagesCanBeReadByAll checks all pages drawn with sample views.
func TestPagesCanBeReadByAll(t *testing.T) {
	for name, r := range reports() {
		checkAccess(t, "report "+name, render(t, HTML, r))
	}
	for name, a := range acks() {
		checkAccess(t, "answer "+name, []byte(said(t, (*Set).AckHTML, a)))
	}
}

// TestMapSaysWhoIsWhere: a map in words names each counter that it draws with its hex, and nothing else.
func TestMapSaysWhoIsWhere(t *testing.T) {
	m := duel().Map
	svg := string(render(t, SVG, m))
	_, rest, _ := strings.Cut(svg, "<desc>")
	told, _, ok := strings.Cut(rest, "</desc>")
	if !ok || !strings.Contains(told, "Hood, Federation, 1815 heading B, own ship") || !strings.Contains(told, "Riskadh, Klingon, 2111 heading D, range 6") || !strings.Contains(told, "Ardana, planet at 1312") {
		t.Errorf("the map says %q", told)
	}
	m.Public = true
	for i := range m.Counters {
		m.Counters[i].Own = false
	}
	for what, s := range map[string]string{"drawing": string(render(t, SVG, m)), "text": ASCIIMap(m)} {
		if strings.Contains(s, "own ship") || strings.Contains(s, "your") {
			t.Errorf("the %s for everybody speaks of one's own", what)
		}
	}
}
