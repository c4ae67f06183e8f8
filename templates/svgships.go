package templates

// svgDefs are the silhouettes, bow up, and the signs of the field. They take
// fill and stroke from where they are used.
const svgDefs = `<defs>` +
	`<path id="s0" d="M0-16C5-12 6-5 6-1L13 7V13L5 10 3 15H-3L-5 10-13 13V7L-6-1C-6-5-5-12 0-16Z"/>` +
	`<path id="s1" d="M0-15L3-6 15 3 16 12 7 7 4 12H-4L-7 7-16 12-15 3-3-6Z"/>` +
	`<path id="s2" d="M0-16L11 13 0 8-11 13Z"/>` +
	`<path id="s3" d="M0-16L7-4 8 12 0 15-8 12-7-4Z"/>` +
	`<path id="st" d="M0-13L11-6V6L0 13-11 6V-6Z"/>` +
	`<g id="planet"><circle r="22" fill="#d6cfb8" stroke="#6d6757"/><path d="M-21 -6Q0 2 21-6M-20 9Q0 17 20 9" fill="none" stroke="#a39c87"/></g>` +
	`<path id="rocks" d="M-17-4L-11-12-3-9-4-1-12 3ZM3-14L12-16 18-9 13-3 5-5ZM-8 8L1 3 9 8 6 17-4 18ZM12 6L18 4 21 10 16 14Z" fill="#c9c3b2" stroke="#7d7767"/>` +
	`<path id="mine" d="M0-13V13M-13 0H13M-9-9L9 9M9-9L-9 9M6 0A6 6 0 1 1-6 0 6 6 0 0 1 6 0Z" fill="#fff" stroke="#333" stroke-width="1.6"/>` +
	`<path id="blast" d="M0-20L5-8 17-13 9-1 20 7 6 7 5 20-2 9-13 17-8 5-20 1-9-4-14-15-4-9Z" fill="#ffd98a" stroke="#a33a12" stroke-width="1.4"/>` +
	`<path id="hit" d="M0-9L2-3 8-5 4 0 9 5 2 4 0 10-3 4-9 5-5 0-9-6-3-3Z" fill="#ffcf5c" stroke="#8f1d14"/>` +
	`</defs>`

// tone is how a side is painted; the fills differ in grey as well.
type tone struct{ fill, line, letter, shape string }

var tones = [...]tone{
	{"#1d4f7c", "#0d2940", "#fff", "s0"},
	{"#e39a86", "#7a1f12", "#000", "s1"},
	{"#6e8f4f", "#2d4218", "#fff", "s2"},
	{"#f0d27a", "#6b5310", "#000", "s3"},
	{"#7b5c95", "#37224a", "#fff", "s2"},
	{"#bfe0dc", "#1c5a54", "#000", "s1"},
}

func toneOf(side int) *tone {
	n := side % len(tones)
	if n < 0 {
		n += len(tones)
	}
	return &tones[n]
}

// shieldArcs are the six facings around a ship whose bow is up, from the bow
// clockwise, at radius 28.
var shieldArcs = [6]string{
	"M-11.8-25.4A28 28 0 0 1 11.8-25.4",
	"M16.1-22.9A28 28 0 0 1 27.9-2.4",
	"M27.9 2.4A28 28 0 0 1 16.1 22.9",
	"M11.8 25.4A28 28 0 0 1-11.8 25.4",
	"M-16.1 22.9A28 28 0 0 1-27.9 2.4",
	"M-27.9-2.4A28 28 0 0 1-16.1-22.9",
}

// shieldSpots are the middles of shieldArcs, for headings and sides together.
var shieldSpots = [6][2]int{{0, -28}, {24, -14}, {24, 14}, {0, 28}, {-24, 14}, {-24, -14}}

// stackSpots are where up to six counters of one hex stand.
var stackSpots = [6][2]int{{-17, 0}, {17, 0}, {0, -22}, {0, 22}, {-18, -24}, {18, 24}}

// ships draws the counters, the viewer's own last.
func (a *artist) ships() {
	a.s(`<g font-weight="bold" font-size="10">`)
	for _, own := range [2]bool{false, true} {
		for order := a.order; len(order) > 0; {
			var stack []int32
			stack, order = a.m.nextStack(order)
			top := &a.m.Counters[stack[0]]
			if !a.has(near(top.Col), near(top.Row)) || (standing(top) == 0) != own {
				continue
			}
			x, y := a.centre(top.Col, top.Row)
			if len(stack) == 1 {
				a.ship(stack[0], x, y, a.body, true)
				continue
			}
			for i, c := range stack[:min(len(stack), len(stackSpots))] {
				spot := stackSpots[i]
				a.ship(c, x+spot[0]*a.body/100, y+spot[1]*a.body/100, a.body*3/4, false)
			}
			if n := len(stack); n > len(stackSpots) {
				a.s(`<text x="`).n(x).s(`" y="`).n(y + 4).s(`" stroke="#fff" stroke-width="3" paint-order="stroke">+`)
				a.n(n - len(stackSpots)).s(`</text>`)
			}
		}
	}
	a.s(`</g>`)
}

// ship draws a counter at x, y; size is in hundredths. One that has its hex to
// itself gets its shields and its name.
func (a *artist) ship(i int32, x, y, size int, alone bool) {
	c := &a.m.Counters[i]
	t := toneOf(c.Side)
	a.s(`<g transform="translate(`).xy(x, y).s(`)"><title>`)
	a.describe(c)
	a.s(`</title>`)
	if c.Own && !c.Dead {
		a.s(`<circle r="`).n(20 * size / 100).s(`" fill="#ffeeb5" stroke="#000" stroke-width=".7"/>`)
	}
	a.s(`<g transform="`)
	turn := c.Heading
	shape := t.shape
	switch {
	case turn < 0 || turn > 5:
		turn, shape = 0, "st"
	case turn > 0:
		a.s(`rotate(`).n(60 * turn).s(`)`)
	}
	a.s(`scale(`).fixed2(size).s(`)"><use href="#`).s(shape)
	letter := t.letter
	switch {
	case c.Ghost:
		a.s(`" fill="#fff" fill-opacity=".6" stroke="`).s(t.line).s(`" stroke-dasharray="3 2"/>`)
		letter = "#000"
	case c.Dead:
		a.s(`" fill="#ccc" stroke="#777"/><path d="M-13-13L13 13M13-13L-13 13" stroke="#777" stroke-width="2"/>`)
		letter = "#000"
	default:
		a.s(`" fill="`).s(t.fill).s(`" stroke="`).s(t.line).s(`" stroke-width="1.4"/>`)
	}
	ring := alone || c.Own
	if ring {
		a.shieldRing(c)
	}
	a.s(`</g><text y="4" fill="`).s(letter).s(`">`).sign(a.signs[i], c.Ghost).s(`</text>`)
	if ring && len(c.Shields) > 0 {
		a.shieldNumbers(c, turn, size)
	}
	if alone && len(a.m.Counters) <= 8 && a.num*2 >= a.den || c.Ghost {
		a.s(`<text y="`).n(43 * size / 100).s(`" fill="#333" font-size="9" font-weight="normal" stroke="#fcfbf7" stroke-width="3" paint-order="stroke">`)
		switch {
		case !c.Ghost:
			a.t(clip(c.Name, 14))
		case c.Age > 0:
			a.s("age ").n(c.Age)
		default:
			a.s("last known")
		}
		a.s(`</text>`)
	}
	a.s(`</g>`)
}

// sign writes a counter's sign.
func (k *ink) sign(s sign, ghost bool) *ink {
	if ghost {
		s = sign{lower(s.a), lower(s.b)}
	}
	k.b = append(k.b, s.a)
	if s.b != 0 {
		k.b = append(k.b, s.b)
	}
	return k
}

// shieldRing draws the facings: the stronger, the wider; dashed when down.
func (a *artist) shieldRing(c *Counter) {
	if len(c.Shields) == 0 {
		return
	}
	a.s(`<g fill="none" stroke="#18695f">`)
	for i, s := range c.Shields {
		if i >= 6 || s.Side < 0 || s.Side > 5 {
			continue
		}
		a.s(`<path d="`).s(shieldArcs[s.Side])
		if s.Down || s.Now <= 0 {
			a.s(`" stroke="#a33a12" stroke-dasharray="2 3"/>`)
			continue
		}
		a.s(`" stroke-width="`).n(1 + strength(s)).s(`"/>`)
	}
	a.s(`</g>`)
}

// strength is 1..4 for a weakened shield and 5 for a full one.
func strength(s Shield) int {
	if s.Max <= 0 || s.Now >= s.Max {
		return 5
	}
	return 1 + min(s.Now/(s.Max/4+1), 3)
}

// shieldNumbers writes the points of each shield on its facing, upright.
func (a *artist) shieldNumbers(c *Counter, turn, size int) {
	a.s(`<g font-size="9" fill="#143" stroke="#fcfbf7" stroke-width="2.5" paint-order="stroke">`)
	for i, s := range c.Shields {
		if i >= 6 || s.Side < 0 || s.Side > 5 {
			continue
		}
		spot := shieldSpots[(s.Side+turn)%6]
		a.s(`<text`)
		if spot[0] != 0 {
			a.s(` x="`).n(spot[0] * size / 100).s(`"`)
		}
		a.s(` y="`).n(spot[1]*size/100 + 3).s(`">`).n(max(s.Now, 0)).s(`</text>`)
	}
	a.s(`</g>`)
}

// describe writes a counter in words, for tooltips.
func (a *artist) describe(c *Counter) {
	a.t(c.Name).s(", ")
	a.hex(c)
	if h := headingName(c.Heading); h != "" {
		a.s(" heading ").s(h)
	}
	if c.Range > 0 {
		a.s(", range ").n(c.Range)
	}
	if c.Bearing != "" {
		a.s(", ").t(c.Bearing)
	}
	if r := remark(c); r != "" {
		a.s(", ").s(r)
	}
	for i, s := range c.Shields {
		if i == 0 {
			a.s("; shields")
		}
		if i >= 6 {
			break
		}
		a.s(" ").n(s.Number).s(":")
		if s.Down {
			a.s("down")
			continue
		}
		a.n(s.Now).s("/").n(s.Max)
	}
}

func (a *artist) hex(c *Counter) {
	if c.Hex != "" {
		a.t(c.Hex)
		return
	}
	a.b = appendHexName(a.b, c.Col, c.Row)
}
