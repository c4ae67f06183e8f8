package templates

// AckHTML writes an acknowledgement as an HTML page for mail clients.
func AckHTML(a Ack) string {
	p := &sheet{ink{make([]byte, 0, 24576)}}
	p.open(a.Title, a.Game, a.about(), a.Ship, a.ShipTitle, a.Captain)
	style := boxPlain
	switch a.Verdict {
	case Accepted:
		style = boxGood
	case Refused, Untrusted:
		style = boxAlarm
	case Kept, Canceled:
		style = boxWarm
	case Checked: // as plain as can be
	}
	p.box(style).s(`<span style="font-size:17px">`).t(a.Headline).s(`</span></div>`).line()
	p.notices(a.Notices)
	if len(a.Diagnostics) > 0 {
		p.heading("diagnostics", countWords(a.Counts()))
		for i := range a.Diagnostics {
			p.diagnostic(&a.Diagnostics[i])
		}
	}
	if len(a.Lines) > 0 {
		p.heading("lines", "Your orders, line by line")
		p.s(tableOpen).line()
		for i := range a.Lines {
			l := &a.Lines[i]
			p.s(`<tr><td align="right" style="color:#857f6f">`)
			if l.No > 0 {
				p.n(l.No)
			}
			p.s(`</td><td style="font-family:Menlo,Consolas,monospace;font-size:13px;white-space:pre-wrap">`).t(l.Text)
			p.s(`</td><td>`).t(l.Effect).s("</td></tr>\n")
		}
		p.s(tableClose)
	}
	for i := range a.Panels {
		p.panel(&a.Panels[i])
	}
	if a.InForce != "" || a.Set != "" || len(a.Sums) > 0 {
		p.heading("in-force", a.inForceTitle())
		if a.InForce != "" {
			p.s(`<p>`).t(a.InForce).s(`</p>`)
		}
		if len(a.Sums) > 0 {
			p.list(a.Sums)
		}
		if a.Set != "" {
			// Bars keep an answer that quotes this from handing it in again.
			p.s(preOpen)
			lines(a.Set, func(line string) { p.s("| ").t(line).s("\n") })
			p.s(`</pre>`)
		}
	}
	p.drawMap("Forecast", &a.Forecast, drawings{})
	if a.Deadline != "" || a.Left != "" || len(a.Missing) > 0 {
		p.heading("time", "Time")
		p.due(a.Deadline, a.Left)
		p.missing(a.Missing)
	}
	if len(a.Answer) > 0 {
		p.heading("answer", "What you may send")
		p.list(a.Answer)
	}
	p.close()
	return string(p.b)
}

func (p *sheet) diagnostic(d *Diagnostic) {
	if d.Severity == Warning {
		p.box(boxWarm)
	} else {
		p.box(boxAlarm)
	}
	p.t(d.Where()).s(`<b>`).t(d.Text).s(`</b>`)
	if d.Source != "" {
		line, at, n := d.excerpt()
		p.s(`<pre style="margin:4px 0;font:13px/1.2 Menlo,Consolas,'DejaVu Sans Mono',monospace">| `).t(line)
		if n > 0 {
			p.s("\n| ")
			p.b = appendCaret(p.b, at, n)
		}
		p.s(`</pre>`)
	}
	if d.Hint != "" {
		p.s(`<div>Hint: `).t(d.Hint).s(`</div>`)
	}
	p.s(`</div>`).line()
}

// inForceTitle is the title of the part about what is in force.
func (a *Ack) inForceTitle() string {
	if a.Verdict == Checked {
		return "Checked, not in force"
	}
	return "In force"
}

// about is what the answer is about: no turn, if the first line named none.
func (a *Ack) about() string {
	if a.Turn == 0 {
		return "Orders"
	}
	return "Orders for " + turnWords(a.Turn, a.Phase)
}
