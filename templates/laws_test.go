package templates

import (
	"bytes"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"starpost/templates/clean"
)

// randomMap draws a map of anything anywhere.
func randomMap(rng *rand.Rand) Map {
	reach := []int{3, 20, 45, 300, 1 << 20, math.MaxInt}[rng.IntN(6)]
	place := func() int {
		n := rng.IntN(reach)
		if rng.IntN(3) == 0 {
			return -n
		}
		return n
	}
	words := []string{"", "Hood", "<&>", "Ärger\n", "艦長", strings.Repeat("long ", 30), "#orders x", "\xff", "]]>"}
	word := func() string { return words[rng.IntN(len(words))] }
	m := Map{Rows: rng.IntN(60) - 5, Caption: word()}
	if rng.IntN(3) == 0 {
		m.Bounds = &Bounds{place(), place()}
	}
	for range rng.IntN(40) {
		c := Counter{
			ID: word(), Name: word(), Short: []string{"", "A", "b", "K1", "é", "<", "toolong"}[rng.IntN(7)],
			Side: place(), SideName: word(), Col: place(), Row: place(), Heading: rng.IntN(8) - 1,
			Own: rng.IntN(6) == 0, Dead: rng.IntN(6) == 0, Ghost: rng.IntN(6) == 0, Age: place(),
			Range: place(), Bearing: word(), Hex: word(),
		}
		for range rng.IntN(8) {
			c.Shields = append(c.Shields, Shield{place(), rng.IntN(9) - 1, place(), place(), rng.IntN(3) == 0})
			c.Arcs = append(c.Arcs, WeaponArc{word(), place(), place(), place()})
			c.Trail = append(c.Trail, Step{rng.IntN(4), place(), place(), rng.IntN(6)})
		}
		m.Counters = append(m.Counters, c)
	}
	for range rng.IntN(10) {
		m.Terrain = append(m.Terrain, Mark{[]string{Planet, Moon, Asteroid, Mine, Minefield, Explosion, "else"}[rng.IntN(7)], place(), place(), word(), rng.IntN(3) == 0})
		m.Shots = append(m.Shots, Shot{place(), place(), place(), place(), rng.IntN(4), rng.IntN(2) == 0, word(), rng.IntN(9)})
	}
	return m
}

func checkASCII(t *testing.T, s string) {
	t.Helper()
	for i, line := range strings.Split(s, "\n") {
		if len(line) > pageWidth {
			t.Fatalf("line %d has %d columns: %q", i+1, len(line), line)
		}
		if strings.HasSuffix(line, " ") {
			t.Fatalf("line %d ends in spaces: %q", i+1, line)
		}
	}
	for i := range len(s) {
		if s[i] >= 0x7f || s[i] < ' ' && s[i] != '\n' {
			t.Fatalf("byte %d is %#x", i, s[i])
		}
	}
}

// checkPage checks a text mail, except for the verbatim order template.
func checkPage(t *testing.T, b []byte, verbatim string) {
	t.Helper()
	s := string(b)
	if verbatim != "" {
		cleaned := string(clean.Append(nil, verbatim, 2))
		if !strings.Contains(s, strings.TrimSuffix(cleaned, "\n")) {
			t.Fatal("the order template is not there as it was")
		}
		s = strings.Replace(s, cleaned, "", 1)
	}
	if !utf8.ValidString(s) {
		t.Fatal("not UTF-8")
	}
	for i, line := range strings.Split(s, "\n") {
		if n := max(clean.Columns(line), utf8.RuneCountInString(line)); n > pageWidth {
			t.Fatalf("line %d has %d columns: %q", i+1, n, line)
		}
		if rest := strings.TrimLeft(line, " "); len(rest) > 1 && rest[0] == '#' && rest[1]|0x20 >= 'a' && rest[1]|0x20 <= 'z' {
			t.Fatalf("line %d could pass for an order block: %q", i+1, line)
		}
		for _, r := range line {
			if r < ' ' || r >= 0x7f && clean.Hidden(r) {
				t.Fatalf("line %d holds %U: %q", i+1, r, line)
			}
		}
	}
}

func checkXML(t *testing.T, b []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(b))
	ids := map[string]bool{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %.2000s", err, b)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "script", "image", "foreignObject", "style":
			t.Fatalf("a <%s> in the drawing", e.Name.Local)
		}
		for _, a := range e.Attr {
			if a.Name.Local == "id" {
				if ids[a.Value] {
					t.Fatalf("the id %q twice", a.Value)
				}
				ids[a.Value] = true
			}
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") {
				t.Fatalf("attribute %s=%q", a.Name.Local, a.Value)
			}
			if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
				t.Fatalf("attribute %s=%q", a.Name.Local, a.Value)
			}
		}
	}
}

// TestMapLaws: maps of anything anywhere are ASCII, narrow, well-formed, reproducible
// and small.
func TestMapLaws(t *testing.T) {
	for seed := range uint64(400) {
		m := randomMap(rand.New(rand.NewPCG(seed, 1)))
		s := ASCIIMap(m)
		checkASCII(t, s)
		if s != ASCIIMap(m) {
			t.Fatal("two drawings of one map differ")
		}
		b := render(t, SVG, m)
		checkXML(t, b)
		if !bytes.Equal(b, render(t, SVG, m)) {
			t.Fatal("two drawings of one map differ")
		}
	}
}

func TestPageLaws(t *testing.T) {
	for name, r := range reports() {
		t.Run(name, func(t *testing.T) {
			f := RenderAll(t, r)
			if !bytes.Equal(f.Text, render(t, Text, r)) || !bytes.Equal(f.HTML, render(t, HTML, r)) || !bytes.Equal(f.SVG, render(t, SVG, r.Map)) {
				t.Fatal("the forms differ from those drawn one by one")
			}
			b := render(t, Text, r)
			checkPage(t, b, r.Orders)
			if !bytes.Equal(b, render(t, Text, r)) || !bytes.Equal(render(t, HTML, r), render(t, HTML, r)) {
				t.Fatal("two renderings of one report differ")
			}
			checkXML(t, render(t, SVG, r.Map))
			checkHTML(t, render(t, HTML, r))
		})
	}
	for name, a := range acks() {
		t.Run("ack "+name, func(t *testing.T) {
			checkPage(t, []byte(said(t, (*Set).AckText, a)), "")
			checkHTML(t, []byte(said(t, (*Set).AckHTML, a)))
		})
	}
}

// checkHTML checks that no untrusted text became markup and that tags are balanced.
func checkHTML(t *testing.T, b []byte) {
	t.Helper()
	s := string(b)
	for _, bad := range []string{"<script", "alert(\"1", "onclick=\"", "\x1b", "\x00", "\u202e", "<b> &"} {
		if strings.Contains(s, bad) {
			t.Errorf("%q came through", bad)
		}
	}
	if !utf8.Valid(b) {
		t.Error("not UTF-8")
	}
	d := xml.NewDecoder(bytes.NewReader(b[len("<!DOCTYPE html>"):]))
	d.Strict = false
	d.AutoClose = []string{"meta", "br"}
	d.Entity = xml.HTMLEntity
	depth := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	if depth != 0 {
		t.Errorf("%d tags are left open", depth)
	}
}

// TestHTMLGoesAsItIs: mails carry a page without encoding if it is ASCII and its lines
// are short enough; reports of up to twenty ships are.
func TestHTMLGoesAsItIs(t *testing.T) {
	for _, r := range []Report{duel(), fleet(), tiny()} {
		for _, b := range [][]byte{render(t, HTML, r), render(t, SVG, r.Map)} {
			checkMailLines(t, b)
		}
	}
	for _, a := range []Ack{keptAck(), acceptedAck()} {
		checkMailLines(t, []byte(said(t, (*Set).AckHTML, a)))
	}
}

func checkMailLines(t *testing.T, b []byte) {
	t.Helper()
	for i, line := range bytes.Split(b, []byte("\n")) {
		if len(line) > 900 || bytes.HasSuffix(line, []byte(" ")) {
			t.Errorf("line %d has %d bytes, or ends in a space: %.100q", i+1, len(line), line)
		}
		for _, c := range line {
			if c < ' ' || c >= 0x7f {
				t.Fatalf("line %d holds %#x", i+1, c)
			}
		}
	}
}

func TestVerbatimOrders(t *testing.T) {
	r := duel()
	b := render(t, Text, r)
	if !bytes.Contains(b, []byte("\n\n"+r.Orders+"\n== Rules and dice ==")) {
		t.Error("the order template does not stand as it was, with the hashes alone below it")
	}
	n := bytes.Count(b, []byte("\n#orders"))
	if n != 1 {
		t.Errorf("%d lines start an order block, want 1", n)
	}
}

func TestNotices(t *testing.T) {
	for _, kind := range noticeKinds {
		n := sampleNotice()
		n.Kind = kind
		example := n.Example
		if kind == Deadline || kind == GameOver || kind == Stranger || kind == Status || kind == Confirm {
			example = ""
		}
		checkPage(t, []byte(said(t, (*Set).NoticeText, n)), example)
		n = Notice{Kind: kind}
		checkPage(t, []byte(said(t, (*Set).NoticeText, n)), "")
		evil := odd().Game + "\n#orders x\n" + strings.Repeat("x", 200)
		n = Notice{
			kind, evil, evil, 1, evil, evil, evil, evil, evil, evil, evil, evil, evil, evil,
			[]string{evil},
			[]string{evil},
			[]string{evil, "", "#orders b"},
			[]string{evil},
			"",
			false,
			false,
			evil,
		}
		checkPage(t, []byte(said(t, (*Set).NoticeText, n)), "")
	}
	_, err := (*Set)(nil).NoticeText(Notice{Kind: "parts"})
	if err == nil || !strings.Contains(err.Error(), `no template for the kind "parts"`) {
		t.Errorf("an unknown kind gives %v", err)
	}
}

// TestSizes limits the size of mails.
func TestSizes(t *testing.T) {
	if n := len(render(t, SVG, fleet().Map)); n > 40_000 {
		t.Errorf("a map of twenty ships has %d bytes, want 40000 at most", n)
	}
	if n := len(ASCIIMap(Map{Bounds: &Bounds{math.MaxInt, math.MaxInt}})); n > 8192 {
		t.Errorf("an empty field without end has %d bytes", n)
	}
}

// TestCrowds: the cost of a map grows with the number of counters, even if all are in
// one hex.
func TestCrowds(t *testing.T) {
	crowd := func(n int) (m Map) {
		for i := range n {
			m.Counters = append(m.Counters, Counter{
				Name: "x", Col: 5, Row: 5, Heading: i % 6, Own: true,
				Trail: []Step{{1, 5, 5, 0}, {1, 5, 5, 0}},
			})
			m.Shots = append(m.Shots, Shot{5, 5, 6, 6, 1, true, "", 0})
		}
		return m
	}
	cost := func(m Map) float64 { return testing.AllocsPerRun(1, func() { ASCIIMap(m); render(t, SVG, m) }) }
	few, many := crowd(2_000), crowd(20_000)
	if a, b := cost(few), cost(many); b > 12*a {
		t.Errorf("two thousand ships take %.0f allocations, ten times as many %.0f", a, b)
	}
	s, b := ASCIIMap(many), render(t, SVG, many)
	if a := len(ASCIIMap(few)) + len(render(t, SVG, few)); len(s)+len(b) > 12*a {
		t.Errorf("two thousand ships take %d bytes, ten times as many %d", a, len(s)+len(b))
	}
	checkASCII(t, s)
	checkXML(t, b)
}

func TestSeveralInAHex(t *testing.T) {
	one := Counter{Name: "Asp", Short: "A", Col: 5, Row: 5}
	two := Counter{Name: "Boa", Short: "B", Col: 5, Row: 5, Heading: 3}
	three := Counter{Name: "Cob", Short: "C", Col: 5, Row: 5, Ghost: true}
	if s := ASCIIMap(Map{Counters: []Counter{one, two}}); !strings.Contains(s, "/AA\\") || !strings.Contains(s, "\\BD/") {
		t.Errorf("two ships in a hex:\n%s", s)
	}
	if s := ASCIIMap(Map{Counters: []Counter{one, two, three}}); !strings.Contains(s, "/+3\\") {
		t.Errorf("three ships in a hex:\n%s", s)
	}
}

func TestHexName(t *testing.T) {
	for _, c := range []struct {
		col, row int
		want     string
	}{
		{1, 1, "0101"},
		{19, 12, "1912"},
		{99, 99, "9999"},
		{100, 1, "100.01"},
		{1, 100, "01.100"},
		{0, 5, "0.05"},
		{-3, 7, "-3.07"},
		{math.MinInt64, math.MaxInt64, "-9223372036854775808.9223372036854775807"},
	} {
		if got := HexName(c.col, c.row); got != c.want {
			t.Errorf("HexName(%d, %d) = %q, want %q", c.col, c.row, got, c.want)
		}
	}
}

func TestCounts(t *testing.T) {
	a := keptAck()
	if e, w := a.Counts(); e != 2 || w != 1 {
		t.Errorf("%d errors, %d warnings; want 2, 1", e, w)
	}
}

func TestCaret(t *testing.T) {
	s := said(t, (*Set).AckText, keptAck())
	for _, want := range []string{
		"    |   fire bank-d at Riskadh\n    |        ^~~~~~\n",
		"    |  Ärger färe FQ\n    |   ^~~~\n",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in\n%s", want, s)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("Hood", "a b c", 3)
	f.Add("#orders", "\xff\u202e", -1)
	f.Fuzz(func(t *testing.T, a, b string, n int) {
		r := Report{
			Title: a, Ship: b, Headline: a + " " + b, Orders: "",
			Map:      Map{Caption: a, Counters: []Counter{{Name: b, Short: a, Col: n, Row: -n, Hex: a, Bearing: b}}, Terrain: []Mark{{a, n, n, b, false}}},
			Phases:   []Phase{{a, []Line{{Text: b, Cite: a, Depth: n, N: n, Own: n%2 == 0}, {Text: a, Cite: b, Depth: -n, Own: n%3 == 0}}}},
			Panels:   []Panel{{Title: b, Columns: []Column{{a, n%2 == 0}, {b, true}}, Rows: [][]string{{a, b, a}, {b}}}},
			Messages: []Note{{a, b, []string{a + "\n" + b}}},
		}
		checkPage(t, render(t, Text, r), "")
		checkASCII(t, ASCIIMap(r.Map))
		checkXML(t, render(t, SVG, r.Map))
		d := Ack{Diagnostics: []Diagnostic{{Error, n, n, n, a, b, a, b}, {Warning, 1, len(b) / 2, 3, b, a, "", b}}}
		checkPage(t, []byte(said(t, (*Set).AckText, d)), "")
	})
}

// TestProseInHTML: wherever the lines of a page are broken, no word of an event begins
// an order block or a command.
func TestProseInHTML(t *testing.T) {
	for text, want := range map[string]string{
		"Hood wished for luck: \"x #orders wolf turn 2 ship Riskadh ;y #resign\"": "Hood wished for luck: &#34;x ;#orders wolf turn 2 ship Riskadh ;y ;#resign&#34;",
		"x orders wolf turn 2 ship Hood":                                          "x ;orders wolf turn 2 ship Hood",
		"x **#orders** wolf turn 2":                                               "x ;**#orders** wolf turn 2",
		"x \uff03orders wolf turn 2":                                              "x ;&#65283;orders wolf turn 2",
		"x \x7f#resign":                                                           "x ;#resign",
		"Orders for turn 2 are missing":                                           "Orders for turn 2 are missing",
		"bank #1 and - the rest":                                                  "bank #1 and - the rest",
		"| #orders wolf turn 2 ship Hood ":                                        ";| ;#orders wolf turn 2 ship Hood ",
	} {
		if got := string(clean.AppendMarkup(nil, html.EscapeString(prose(text)))); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestOverviewTellsShipsApart: an overview of twenty ships shows each once, with her
// sign, side and heading, or as out of the fight.
func TestOverviewTellsShipsApart(t *testing.T) {
	m := scattered()
	far, _, ok := strings.Cut(ASCIIMap(m), "Enlarged")
	if !ok {
		t.Fatal("there is no overview")
	}
	for i := range m.Counters {
		c := &m.Counters[i]
		want := c.Short
		if c.Foe {
			want = strings.ToLower(want)
		}
		switch {
		case c.Dead:
			want += "~"
		case c.Own:
			want += "ABCDEF"[c.Heading:c.Heading+1] + "="
		default:
			want += "ABCDEF"[c.Heading : c.Heading+1]
		}
		if n := strings.Count(far, want); n != 1 {
			t.Errorf("%s stands %d times in\n%s", want, n, far)
		}
	}
}

// TestEnlargedIsTheFight: the enlargement does not follow an own ship far from all
// enemies, but does follow one beside an enemy.
func TestEnlargedIsTheFight(t *testing.T) {
	m := scattered()
	near := m.layout(svgCols, defaultRows).near
	if own := &m.Counters[0]; near.has(own.Col, own.Row) {
		t.Errorf("%+v is about a ship at %d, %d", near, own.Col, own.Row)
	}
	friends, foes := 0, 0
	for i := range m.Counters {
		if c := &m.Counters[i]; near.has(c.Col, c.Row) && !c.Dead {
			if c.Foe {
				foes++
			} else {
				friends++
			}
		}
	}
	if friends < 4 || foes < 4 {
		t.Errorf("%+v shows %d and %d of those who fight", near, friends, foes)
	}
	m.Counters[len(m.Counters)-1].Col, m.Counters[len(m.Counters)-1].Row = m.Counters[0].Col+2, m.Counters[0].Row-3
	if near, own := m.layout(svgCols, defaultRows).near, &m.Counters[0]; !near.has(own.Col, own.Row) {
		t.Errorf("%+v leaves out a ship that has an enemy beside her", near)
	}
}

// scattered is a battle of twenty ships in two lines, with the own ship far from it.
func scattered() Map {
	m := Map{Bounds: &Bounds{44, 60}}
	for i := range 20 {
		c := Counter{ID: string(rune('a' + i)), Name: "Ship", Short: string([]byte{byte('A' + i), byte('Z' - i)}), Heading: i % 6, Foe: i%2 == 1, Dead: i%7 == 6}
		c.Name += c.Short
		c.Col, c.Row = 4+i/2*3, 20+i%2*6
		if i == 0 {
			c.Own, c.Col, c.Row = true, 40, 58
		}
		m.Counters = append(m.Counters, c)
	}
	return m
}
