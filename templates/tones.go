package templates

import "strings"

// tone is how a side is painted on all maps of its game: on light paper, with night as its outline on dark paper.
// Hulls and the dashes of paths also tell sides apart, and the fills differ in grey.
type tone struct{ fill, line, night, letter, shape, dash string }

// tones holds the tones of the sides, in the order of the game.
var tones = [...]tone{
	{"#1d4f7c", "#0d2940", "#8fc1ee", "#fff", "s0", ""},
	{"#e39a86", "#7a1f12", "#f4b9a8", "#000", "s1", "9 3"},
	{"#55753a", "#2d4218", "#b3d394", "#fff", "s2", "2 3"},
	{"#f0d27a", "#6b5310", "#f7e3a6", "#000", "s3", "9 3 2 3"},
	{"#7b5c95", "#37224a", "#d0b6e8", "#fff", "s4", "5 3"},
	{"#bfe0dc", "#1c5a54", "#d8f0ed", "#000", "s5", "9 3 2 3 2 3"},
}

// strange is the tone of a counter of unknown side.
var strange = tone{"#d9d6cc", "#4a463c", "#d9d6cc", "#000", "su", "1 4"}

// NoSide is the Side of a counter of unknown side.
const NoSide = -1

func toneOf(side int) *tone {
	if side < 0 {
		return &strange
	}
	return &tones[side%len(tones)]
}

// nightPaint maps the paint of light paper to that of dark paper. What is not listed keeps its colour: fills of
// hulls with the letters on them, planets, flashes, and signs with a background of their own.
var nightPaint = []struct{ what, paint string }{
	{`[fill="` + mapPaper + `"]`, "fill:" + nightPaper},
	{`[stroke="` + mapPaper + `"]`, "stroke:" + nightPaper},
	{`rect[fill="#fff"]`, "fill:#1d242c"},
	{`[fill="` + mapSoft + `"],text[fill="#555"]`, "fill:#b3ad9c"},
	{`[stroke="#555"],[stroke="#777"],[stroke="#6d6757"],[stroke="#6b6b6b"]`, "stroke:#a8a292"},
	{`[stroke="#cfcabc"]`, "stroke:#38424d"},
	{`.p[fill="#333"],.p[fill="#123"],.k text:not([fill]),.b text`, "fill:#e8e4d8"},
	{`[stroke="#18695f"]`, "stroke:#58c8b8"},
	{`[stroke="#a33a12"]`, "stroke:#ff9a6b"},
	{`[stroke="#a3200f"]`, "stroke:#ff7a66"},
	{`[fill="#8f1d14"]`, "fill:#ff9c8c"},
	{`text[fill="#1d4f7c"]`, "fill:#8fc1ee"},
	{`[stroke="#1d4f7c"]`, "stroke:#8fc1ee"},
	{`.b rect`, "fill:#2b343e"},
	{`.b path[fill="#1d4f7c"]`, "fill:#8fc1ee"},
	{`circle[fill="#444"]`, "fill:#c9c3b2"},
}

// The colours of paper, and of text beside the map.
const mapPaper, nightPaper, mapSoft = "#fcfbf7", "#161b21", "#6b6557"

// NightCSS returns the style that shows maps on dark paper. It overrides the colours that a map sets by attributes.
func NightCSS() string {
	var b strings.Builder
	for _, p := range nightPaint {
		b.WriteString(p.what + "{" + p.paint + "}\n")
	}
	for _, t := range append(tones[:], strange) {
		b.WriteString(`[stroke="` + t.line + `"]{stroke:` + t.night + "}\n")
	}
	return b.String()
}
