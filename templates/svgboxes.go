package templates

import "starpost/templates/clean"

// Sizes of a sheet of boxes in the SVG file.
const (
	sheetWidth = 420 // of one sheet; as many as fit are drawn side by side
	boxStep    = 14
	boxesLeft  = 92 // where boxes begin
	rowStep    = 18
	groupStep  = 22
	sheetHead  = 34
)

// sheetsOf returns the panels of a report that have boxes.
func sheetsOf(r *Report) (sheets []*Panel) {
	for i := range r.Panels {
		if len(r.Panels[i].Boxes) > 0 {
			sheets = append(sheets, &r.Panels[i])
		}
	}
	return sheets
}

// sheetLines returns the number of lines that a row of boxes takes.
func (r BoxRow) sheetLines() int {
	if !r.drawn() {
		return 1
	}
	return (r.All + boxesAcross - 1) / boxesAcross
}

func sheetHeight(sheet *Panel) int {
	height := sheetHead
	for i := range sheet.Boxes {
		if i == 0 || sheet.Boxes[i-1].Group != sheet.Boxes[i].Group {
			height += groupStep
		}
		height += rowStep * sheet.Boxes[i].sheetLines()
	}
	return height + gutter
}

// sheets draws sheets of boxes below each other and, if there is room, side by side. It
// returns their height; if to is nil it only measures.
func sheets(to *ink, all []*Panel, width, top int) (height int) {
	per := max(width/sheetWidth, 1)
	for i := 0; i < len(all); i += per {
		most := 0
		for n, sheet := range all[i:min(i+per, len(all))] {
			most = max(most, sheetHeight(sheet))
			if to != nil {
				to.sheet(sheet, gutter+n*sheetWidth, top+height)
			}
		}
		height += most
	}
	return height
}

// sheet draws one sheet: a full square for a box that is left, a crossed one for a lost
// one.
func (k *ink) sheet(sheet *Panel, x, y int) {
	k.line().s(`<g class="b" text-anchor="start"><text x="`).n(x).s(`" y="`).n(y + 20).s(`" font-size="14" font-weight="bold" fill="#14283a">`)
	k.t(clean.Clip(sheet.Title, 52)).s(`</text>`)
	y += sheetHead
	for i := range sheet.Boxes {
		r := &sheet.Boxes[i]
		if i == 0 || sheet.Boxes[i-1].Group != r.Group {
			k.line().s(`<rect x="`).n(x).s(`" y="`).n(y - 2).s(`" width="`).n(sheetWidth - 2*gutter).s(`" height="17" fill="#e6e1d2"/>`)
			k.s(`<text x="`).n(x + 4).s(`" y="`).n(y + 11).s(`" font-weight="bold">`).t(clean.Clip(r.Group, 50)).s(`</text>`)
			y += groupStep
		}
		k.line().s(`<text x="`).n(x + 4).s(`" y="`).n(y + 9).s(`">`).t(clean.Clip(r.Name, 14)).s(`</text>`)
		across := 0
		if r.drawn() {
			across = min(r.All, boxesAcross)
			k.squares(x+boxesLeft, y, 0, r.Left, `fill="#1d4f7c"`, "")
			// The cross ends where the next box begins.
			k.squares(x+boxesLeft, y, r.Left, r.All, `fill="none" stroke="#a3200f"`, "l11 11m0-11l-11 11")
		}
		k.s(`<text x="`).n(x + boxesLeft + across*boxStep + 6).s(`" y="`).n(y + 9).s(`">`).t(r.Count())
		if r.Note != "" {
			k.s(", ").t(clean.Clip(r.Note, 40))
		}
		k.s(`</text>`)
		y += rowStep * r.sheetLines()
	}
	k.s(`</g>`)
}

// squares draws the boxes of a row from one index up to another, as one path.
func (k *ink) squares(x, y, from, to int, paint, inside string) {
	if from >= to {
		return
	}
	k.s(`<path d="`)
	for n := from; n < to; n++ {
		k.s("M").n(x + n%boxesAcross*boxStep).s(" ").n(y + n/boxesAcross*rowStep).s("h11v11h-11z").s(inside)
	}
	k.s(`" `).s(paint).s(`/>`)
}
