package templates

// appendHTML appends a report as one HTML page for mail clients: ASCII, its styles its
// own, no script, nothing fetched. The map is an SVG drawing, followed by the ASCII
// map for clients that cut the drawing out; the order template stands in a
// <pre> at the end.
func appendHTML(b []byte, r *Report, m drawings) []byte {
	p := &sheet{ink{b}}
	p.open(r.Title, r.Game, turnTitle(r.Turn, r.Phase), r.Ship, r.ShipTitle, r.Captain)
	p.headline(r.Headline)
	p.notices(r.Notices)
	if r.Over != "" {
		p.heading("over", "The game is over")
		p.box(boxPlain).t(r.Over).s("</div>")
	}
	p.owed(&r.Owed)
	p.drawMap("Map", &r.Map, m)
	numbered := numberWidth(r) > 0
	p.phases("events", r.toldTitle(), r.Reading, r.Phases, numbered)
	p.phases("elsewhere", "What happened elsewhere", "", r.Elsewhere, numbered)
	for i := range r.Panels {
		p.panel(&r.Panels[i])
	}
	p.notes("rulings", "Rulings", r.Rulings)
	p.notes("messages", "Messages", r.Messages)
	if r.Orders != "" {
		p.heading("orders", "Orders, ready to be changed and sent back")
		p.s(preOpen)
		p.b = appendText(p.b, r.Orders, escaped|verbatim)
		p.s("</pre>")
	}
	p.line().s(`<p style="margin:24px 0 0;padding-top:8px;border-top:1px solid #d8d3c4;color:#6b665a;font-size:12px">`).t(r.Rules)
	if r.Commit != "" {
		p.s(`<br>Hash of the game's secret: <code style="word-break:break-all">`).t(r.Commit).s(`</code>`)
	}
	if r.Secret != "" {
		p.s(`<br>The secret itself: <code style="word-break:break-all">`).t(r.Secret).s(`</code>`)
	}
	if r.Record != "" {
		p.s(`<br>Hash of the record so far: <code style="word-break:break-all">`).t(r.Record).s(`</code>`)
	}
	p.s("</p>")
	p.close()
	return p.b
}

// sheet is an HTML page in the making. Mail clients drop much of what is
// modern, and some drop the style sheet: what matters is said by attributes and
// inline styles too, and the sheet holds what is only nicer and often repeated.
// It is ASCII and broken into lines that a mail may have.
type sheet struct{ ink }

const (
	styleSheet = "<style>\n" +
		"h2{font-size:18px;color:#14283a;margin:24px 0 6px;padding-bottom:3px;border-bottom:2px solid #14283a}\n" +
		"h3{font-size:15px;margin:12px 0 2px;color:#14283a}\n" +
		"p{margin:6px 0}\n" +
		".e{font-size:15px}.e td{padding-left:8px}\n" +
		".e .n{width:28px;color:#857f6f;font-size:12px;text-align:right;white-space:nowrap}.o td{background:#fff4d6}\n" +
		".e .c{color:#857f6f;font-size:12px;text-align:right;white-space:nowrap}\n" +
		".z,.w{display:none}\n" +
		"@media(max-width:600px){.z{display:block;margin:4px 0}.z summary{color:#1d4f7c;text-decoration:underline;padding:6px 0}.m{overflow:auto}\n" +
		".z[open]+.m svg{max-width:none!important;width:900px}.z:not([open])+.m{overflow:hidden}.z:not([open])+.m svg{margin-bottom:var(--k)}.z:not([open])~.w{display:block!important}\n" +
		".z:not([open])+.m .k,.z:not([open])+.m .p{display:none}.z:not([open])+.m .l{font-size:19px}\n" +
		".z:not([open])+.m .g{font-size:23px;stroke:#0d2940;stroke-width:4px;paint-order:stroke}.z:not([open])+.m .g .d{stroke:#fff}\n" +
		".e,.e tbody,.e tr{display:block}.e tr{padding:3px 0}.e td{display:inline;padding:0 0 0 4px!important}.e .c{white-space:normal}}\n" +
		".t{border-collapse:collapse;margin:6px 0;font-size:14px;overflow-wrap:normal}.t tr{border-bottom:1px solid #e1dccd}\n" +
		"</style>\n"
	preOpen = `<pre style="margin:8px 0;padding:10px 12px;background:#f4f1e8;border:1px solid #d8d3c4;` +
		`font:13px/1.35 Menlo,Consolas,'DejaVu Sans Mono',monospace;overflow-x:auto">`
	boxPlain   = `background:#f4f1e8;border-left:4px solid #1d4f7c`
	boxWarm    = `background:#fff4d6;border-left:4px solid #c98a00`
	boxAlarm   = `background:#fbe9e5;border-left:4px solid #a3200f`
	boxGood    = `background:#e8f2e6;border-left:4px solid #3d7a35`
	tableOpen  = `<div style="overflow-x:auto"><table class="t" cellpadding="5" cellspacing="0" border="0"><tbody valign="top">`
	tableClose = `</tbody></table></div>`
)

// open starts a page with its band.
func (p *sheet) open(title, game, turn, ship, shipTitle, captain string) {
	if title == "" {
		title, game = game, ""
	}
	p.s(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`)
	p.s(`<meta name="color-scheme" content="light"><title>`).t(title).s(", ").t(turn).s(`</title>`).s(styleSheet)
	p.s(`</head><body style="margin:0;padding:0;background:#ece8dc"><div style="max-width:900px;margin:0 auto;background:#fcfbf7;color:#24221d;font:15px/1.45 Georgia,'Times New Roman',serif;overflow-wrap:anywhere">`).line()
	p.s(`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#14283a;color:#fff"><tr><td style="padding:16px 20px"><span style="font-size:22px">`)
	p.t(title).s(`</span>`)
	if game != "" {
		p.s(` <span style="color:#a9bccd;font-size:14px">`).t(game).s(`</span>`)
	}
	if ship != "" || shipTitle != "" {
		p.s(`<br><span style="font-size:15px;color:#dbe5ee">`).t(ship)
		if ship != "" && shipTitle != "" {
			p.s(", ")
		}
		p.t(shipTitle).s(`</span>`)
	}
	if captain != "" {
		p.s(`<br><span style="font-size:15px;color:#dbe5ee">`).t(captain).s(`</span>`)
	}
	p.s(`</td><td align="right" valign="top" style="padding:16px 20px"><span style="font-size:22px;white-space:nowrap">`).t(turn).s(`</span>`)
	p.s(`</td></tr></table><div style="padding:8px 20px 24px">`).line()
}

func (p *sheet) close() { p.s("</div></div></body></html>\n") }

func (p *sheet) headline(s string) {
	if s != "" {
		p.s(`<p style="font-size:18px;margin:14px 0">`).t(s).s(`</p>`).line()
	}
}

// heading starts a part. id is our own, or cleaned.
func (p *sheet) heading(id, title string) {
	p.line().s(`<h2`)
	if id != "" {
		p.s(` id="`).s(id).s(`"`)
	}
	p.s(`>`).t(title).s(`</h2>`).line()
}

// box opens a coloured box.
func (p *sheet) box(style string) *ink {
	return p.s(`<div style="margin:8px 0;padding:8px 12px;`).s(style).s(`">`)
}

func (p *sheet) notices(list []string) {
	for _, s := range list {
		if s != "" {
			p.box(boxWarm).t(s).s(`</div>`).line()
		}
	}
}

func (p *sheet) owed(o *OrdersDue) {
	if o.Turn == 0 && len(o.What) == 0 && o.Deadline == "" {
		return
	}
	if o.Turn > 0 {
		p.heading("owed", "Orders due for "+turnWords(o.Turn, o.Phase))
	} else {
		p.heading("owed", "Orders due")
	}
	p.box(boxPlain)
	p.due(o.Deadline, o.Left)
	p.list(o.What)
	p.missing(o.Missing)
	for _, s := range o.HowTo {
		p.line().s(`<div style="margin-top:4px">`).t(s).s(`</div>`)
	}
	p.s(`</div>`)
}

func (p *sheet) due(deadline, left string) {
	if deadline == "" && left == "" {
		return
	}
	p.s(`<div>`)
	if deadline != "" {
		p.s(`By <b>`).t(deadline).s(`</b>`)
	}
	if left != "" {
		p.s(` <span style="color:#6b665a">(left: `).t(left).s(`)</span>`)
	}
	p.s(`</div>`)
}

func (p *sheet) missing(names []string) {
	for i, s := range names {
		if i == 0 {
			p.s(`<div style="margin-top:4px">Orders missing from: `)
		} else {
			p.s(",\n")
		}
		p.t(s)
	}
	if len(names) > 0 {
		p.s(`</div>`)
	}
}

func (p *sheet) list(items []string) {
	if len(items) == 0 {
		return
	}
	p.s(`<ul style="margin:4px 0;padding-left:20px">`)
	for _, s := range items {
		p.line().s(`<li>`).t(s).s(`</li>`)
	}
	p.s(`</ul>`)
}

// drawMap puts the drawing first. Clients without SVG show what is in the
// fallback; those with it keep it folded.
func (p *sheet) drawMap(title string, m *Map, d drawings) {
	if m.Empty() {
		return
	}
	p.heading("map", title)
	if m.Caption != "" {
		p.s(`<p>`).t(m.Caption).s(`</p>`).line()
	}
	p.s(`<details class="z"><summary>Enlarge the map</summary></details><div class="m">`)
	if d.svg == nil {
		p.b = appendSVG(p.b, m, nil)
	} else {
		p.b = append(p.b, d.svg...)
	}
	p.s(`</div>`)
	p.shipList(m)
	p.line().s(`<details><summary style="color:#6b665a;font-size:13px">The map as text</summary>`)
	p.line().s(`<pre style="margin:6px 0;font:11px/1.15 Menlo,Consolas,'DejaVu Sans Mono',monospace;overflow-x:auto">`)
	start := len(p.b)
	if d.ascii == nil {
		p.b = appendASCII(p.b, m)
	} else {
		p.b = append(p.b, d.ascii...)
	}
	p.escapeFrom(start)
	p.s(`</pre></details>`)
}

// shipList names the ships of a map for narrow screens, which the list in the drawing
// is too small for.
func (p *sheet) shipList(m *Map) {
	if len(m.Counters) == 0 {
		return
	}
	signs := m.signs()
	p.line().s(`<div class="w" style="display:none;font-size:13px">`)
	for i := range m.Counters[:min(len(m.Counters), mostListed)] {
		c := &m.Counters[i]
		if i > 0 {
			p.s(",\n")
		}
		p.s(`<span style="white-space:nowrap"><b style="color:`).s(toneOf(c.Side).line).s(`">`).sign(signs[i]).s(`</b> `).t(clip(c.Name, 24)).s(" ").hex(c, 13)
		p.s(headingName(c.Heading))
		if r := remark(c); r != "" {
			p.s(" (").t(r).s(")")
		}
		p.s(`</span>`)
	}
	p.s(`</div>`)
}

// escapeFrom escapes what was written since start. The maps hold few signs
// that need it, mostly none.
func (p *sheet) escapeFrom(start int) {
	raw := p.b[start:]
	clean := true
	for _, c := range raw {
		if byteClasses[c] == markupByte {
			clean = false
			break
		}
	}
	if !clean {
		text := string(raw)
		p.b = appendText(p.b[:start], text, escaped|verbatim)
	}
}

func (p *sheet) phases(id, title, reading string, phases []Phase, numbered bool) {
	if len(phases) == 0 {
		return
	}
	p.heading(id, title)
	if reading != "" {
		p.s(`<p style="color:#6b665a;font-size:13px">`).t(reading).s(`</p>`).line()
	}
	for i := range phases {
		ph := &phases[i]
		if ph.Title != "" {
			p.s(`<h3>`).t(ph.Title).s(`</h3>`).line()
		}
		if len(ph.Lines) == 0 {
			continue
		}
		p.s(`<table class="e" width="100%" cellpadding="2" cellspacing="0" border="0"><tbody valign="top">`).line()
		for j := range ph.Lines {
			p.event(&ph.Lines[j], numbered)
		}
		p.s(`</tbody></table>`).line()
	}
}

func (p *sheet) event(l *Line, numbered bool) {
	if l.Own {
		p.s(`<tr class="o">`)
	} else {
		p.s(`<tr>`)
	}
	switch {
	case !numbered:
	case l.N > 0 && l.Own:
		p.s(`<td class="n">* `).n(l.N).s(`</td>`)
	case l.N > 0:
		p.s(`<td class="n">`).n(l.N).s(`</td>`)
	default:
		p.s(`<td></td>`)
	}
	if l.Depth > 0 {
		p.s(`<td style="padding-left:`).n(8 + 9*(indent(l.Depth)-2)).s(`px;color:#4a463c">`)
		p.prose(l.Text)
	} else {
		p.s(`<td>`)
		p.prose(l.Text)
	}
	if l.Cite != "" {
		p.s(`</td><td class="c">`).t(l.Cite)
	}
	p.s("</td></tr>\n")
}

func (p *sheet) panel(panel *Panel) {
	if panel.Title != "" {
		p.heading(cssID(panel.Key), panel.Title)
	}
	for _, s := range panel.Notes {
		p.s(`<p>`).t(s).s(`</p>`).line()
	}
	if g := newPanelGrid(*panel); g.rows() > 0 && len(g.cols) > 0 {
		p.grid(g)
	}
	if len(panel.Boxes) > 0 {
		p.boxes(panel.Boxes)
	}
}

// grid draws a table.
func (p *sheet) grid(g panelGrid) {
	p.s(tableOpen).s(`<tr valign="bottom" style="background:#e6e1d2">`)
	for _, c := range g.cols {
		p.s(`<th align="`).s(side(c.Right)).s(`">`).t(c.Name).s(`</th>`)
	}
	p.s("</tr>\n")
	for r := range g.rows() {
		p.s(`<tr>`)
		for c := range g.cols {
			if g.cols[c].Right {
				p.s(`<td align="right">`)
			} else {
				p.s(`<td>`)
			}
			p.t(g.cell(r, c)).s(`</td>`)
		}
		p.s("</tr>\n")
	}
	p.s(tableClose)
}

func side(right bool) string {
	if right {
		return "right"
	}
	return "left"
}

// cssID keeps what may stand in an id.
func cssID(key string) string {
	ok := true
	for i := range len(key) {
		ok = ok && (graphic(key[i]) || key[i] == '-')
	}
	if ok {
		return key
	}
	b := make([]byte, 0, len(key))
	for i := range len(key) {
		if graphic(key[i]) || key[i] == '-' {
			b = append(b, key[i])
		}
	}
	return string(b)
}

func (p *sheet) notes(id, title string, notes []Note) {
	if len(notes) == 0 {
		return
	}
	p.heading(id, title)
	for i := range notes {
		n := &notes[i]
		if n.From == "" && n.Title == "" && len(n.Text) == 0 {
			continue
		}
		p.box(boxPlain).s(`<b>`)
		p.prose(n.Title).s(`</b>`)
		if n.From != "" {
			p.s(` <span style="color:#6b665a">from `).t(n.From).s(`</span>`)
		}
		for _, s := range n.Text {
			p.line().s(`<p>`)
			p.foreign(s)
			p.s(`</p>`)
		}
		p.s(`</div>`).line()
	}
}
