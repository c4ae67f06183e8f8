// Code generated from the files of templates by "go generate"; DO NOT EDIT.

//go:build !js && !uncompiled

package templates

import (
	"cmp"

	"starpost/templates/clean"
)

// compiled finds the function that draws the template of a name, nil if there is none.
func compiled(name string) func(p *page, view any) bool {
	switch name {
	case "ack.html":
		return drawnBy(drawAckHTML)
	case "ack.txt":
		return drawnBy(drawAckText)
	case "message.txt":
		return drawnBy(drawMessageText)
	case "notice-confirm.txt":
		return drawnBy(drawNoticeConfirmText)
	case "notice-deadline.txt":
		return drawnBy(drawNoticeDeadlineText)
	case "notice-help.txt":
		return drawnBy(drawNoticeHelpText)
	case "notice-over.txt":
		return drawnBy(drawNoticeOverText)
	case "notice-plain.txt":
		return drawnBy(drawNoticePlainText)
	case "notice-reminder.txt":
		return drawnBy(drawNoticeReminderText)
	case "notice-status.txt":
		return drawnBy(drawNoticeStatusText)
	case "notice-stranger.txt":
		return drawnBy(drawNoticeStrangerText)
	case "notice-trouble.txt":
		return drawnBy(drawNoticeTroubleText)
	case "reply.txt":
		return drawnBy(drawReplyText)
	case "report.html":
		return drawnBy(drawReportHTML)
	case "report.txt":
		return drawnBy(drawReportText)
	}
	return nil
}

func drawAboutHTML(p *page, v *Ack) {
	p.b = append(p.b, "Orders"...)
	if v.Turn != 0 {
		p.b = append(p.b, " for "...)
		p.b = clean.AppendHTML(p.b, turnWords(v.Turn, v.Phase))
	}
}

func drawLightHTML(p *page, v *Ack) {
	p.b = append(p.b, `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>`...)
	p.b = clean.AppendHTML(p.b, cmp.Or(v.Title, v.Game))
	p.b = append(p.b, ", "...)
	drawAboutHTML(p, v)
	p.b = append(p.b, `</title><style>
h2{font-size:17px;margin:16px 0 4px}
pre,code{font:12px/1.2 Menlo,Consolas,'DejaVu Sans Mono',monospace}
pre{overflow-x:auto}code{white-space:pre-wrap}ol{padding-left:30px}.t{font-size:14px}
</style><style>@media(prefers-color-scheme:dark){
body{background:#0e1216!important}
.page{background:#161b21!important;color:#e8e4d8!important}
h2,h3{color:#c9dcee!important;border-color:#4a6a86!important}
.box,.head{background:#242c35!important}.box{border-color:#5f7f9c!important}
.warm,.o td{background:#3a3016!important}.warm{border-color:#e0a83a!important}
.alarm{background:#40211d!important;border-color:#ff8a75!important}
.good{background:#1d3320!important;border-color:#7cc272!important}
.soft,.e td{color:#b9b3a3!important}.t tr,.foot{border-color:#3a424c!important}
.e .told,.w b{color:#e8e4d8!important}.left,a,.z summary{color:#8fc1ee!important}.lost{color:#ff9c8c!important}
}</style></head><body class="page" style="margin:8px;max-width:800px;color:#24221d;font:15px/1.35 Georgia,serif;overflow-wrap:anywhere">
<h1 style="display:inline;margin:0;font-size:15px">`...)
	p.b = clean.AppendHTML(p.b, cmp.Or(v.Title, v.Game))
	p.b = append(p.b, `</h1><p style="display:inline;margin:0">`...)
	if v.Title != "" && v.Game != "" {
		p.b = append(p.b, " "...)
		p.b = clean.AppendHTML(p.b, v.Game)
	}
	p.b = append(p.b, ", "...)
	drawAboutHTML(p, v)
	if some := named(v.Ship, v.ShipTitle); some != "" {
		p.b = append(p.b, "<br>"...)
		p.b = clean.AppendHTML(p.b, some)
	}
	if v.Captain != "" {
		p.b = append(p.b, "<br>"...)
		p.b = clean.AppendHTML(p.b, v.Captain)
	}
	p.b = append(p.b, "</p>\n"...)
}

func drawNoticesHTML(p *page, v []string) {
	for _, e := range v {
		if e != "" {
			p.b = append(p.b, `<div class="box warm" style="margin:8px 0;padding:8px 12px;background:#fff4d6;border-left:4px solid #c98a00">`...)
			p.b = clean.AppendHTML(p.b, e)
			p.b = append(p.b, "</div>\n"...)
		}
	}
}

func drawPanelHTML(p *page, v *Panel) {
	if v.Title != "" {
		p.b = append(p.b, "<h2"...)
		if some := cssID(v.Key); some != "" {
			p.b = append(p.b, ` id="`...)
			p.b = clean.AppendHTML(p.b, some)
			p.b = append(p.b, `"`...)
		}
		p.b = append(p.b, ">"...)
		p.b = clean.AppendHTML(p.b, v.Title)
		p.b = append(p.b, "</h2>\n"...)
	}
	for _, e := range v.Notes {
		p.b = append(p.b, "<p>"...)
		p.b = clean.AppendHTML(p.b, e)
		p.b = append(p.b, "</p>\n"...)
	}
	if some2 := cellsOf(*v); some2 != nil {
		p.b = append(p.b, `<div style="overflow-x:auto"><table class="t" cellpadding="5" cellspacing="0" border="0"><tbody valign="top">`...)
		p.cells(some2)
		p.b = append(p.b, "</tbody></table></div>\n"...)
	}
	if len(v.Boxes) > 0 {
		p.b = append(p.b, `<table class="t x" cellpadding="3" cellspacing="0" border="0"><tbody valign="top">
`...)
		list := boxGroups(v.Boxes)
		for i2 := range list {
			e2 := &list[i2]
			if e2.Group != "" {
				p.b = append(p.b, `<tr class="head" style="background:#e6e1d2"><th colspan="3" scope="colgroup" align="left">`...)
				p.b = clean.AppendHTML(p.b, e2.Group)
				p.b = append(p.b, "</th></tr>\n"...)
			}
			for i3 := range e2.Rows {
				e3 := &e2.Rows[i3]
				p.b = append(p.b, `<tr><th scope="row" align="left" style="font-weight:normal;white-space:nowrap">`...)
				p.b = clean.AppendHTML(p.b, e3.Name)
				p.b = append(p.b, `</th><td style="font:16px/1.15 'DejaVu Sans Mono',Menlo,Consolas,monospace;letter-spacing:1px">`...)
				list2 := e3.Drawn()
				for i4 := range list2 {
					e4 := &list2[i4]
					if i4 != 0 {
						p.b = append(p.b, "<br>\n"...)
					}
					if e4.Left != "" {
						p.b = append(p.b, `<span class="left" style="color:#1d4f7c">`...)
						p.b = clean.AppendHTML(p.b, e4.Left)
						p.b = append(p.b, "</span>"...)
					}
					if e4.Lost != "" {
						p.b = append(p.b, `<span class="lost" style="color:#a3200f">`...)
						p.b = clean.AppendHTML(p.b, e4.Lost)
						p.b = append(p.b, "</span>"...)
					}
				}
				p.b = append(p.b, "</td><td>"...)
				if e3.Left == e3.All {
					p.b = clean.AppendHTML(p.b, e3.Count())
				} else {
					p.b = append(p.b, "<b"...)
					if !(e3.Left != 0) {
						p.b = append(p.b, ` class="lost"`...)
					}
					p.b = append(p.b, ` style="white-space:nowrap`...)
					if !(e3.Left != 0) {
						p.b = append(p.b, ";color:#a3200f"...)
					}
					p.b = append(p.b, `">`...)
					p.b = clean.AppendHTML(p.b, e3.Count())
					p.b = append(p.b, "</b>"...)
				}
				if e3.Note != "" {
					p.b = append(p.b, ", "...)
					p.b = clean.AppendHTML(p.b, e3.Note)
				}
				p.b = append(p.b, "</td></tr>\n"...)
			}
		}
		p.b = append(p.b, "</tbody></table>\n"...)
	}
}

func drawListHTML(p *page, v []string) {
	if len(v) > 0 {
		p.b = append(p.b, `<ul style="margin:4px 0;padding-left:20px">
`...)
		for _, e := range v {
			p.b = append(p.b, "<li>"...)
			p.b = clean.AppendHTML(p.b, e)
			p.b = append(p.b, "</li>\n"...)
		}
		p.b = append(p.b, "</ul>"...)
	}
}

func drawByHTML(p *page, v *Ack) {
	if v.Deadline != "" || v.Left != "" {
		p.b = append(p.b, "<div>"...)
		if v.Deadline != "" {
			p.b = append(p.b, "By <b>"...)
			p.b = clean.AppendHTML(p.b, v.Deadline)
			p.b = append(p.b, "</b>"...)
		}
		if v.Left != "" {
			p.b = append(p.b, ` <span class="soft" style="color:#6b6557">(left: `...)
			p.b = clean.AppendHTML(p.b, v.Left)
			p.b = append(p.b, ")</span>"...)
		}
		p.b = append(p.b, "</div>"...)
	}
}

func drawAbsentHTML(p *page, v []string) {
	if len(v) > 0 {
		p.b = append(p.b, `<div style="margin-top:4px">Orders missing from: `...)
		for i, e := range v {
			if i != 0 {
				p.b = append(p.b, ",\n"...)
			}
			p.b = clean.AppendHTML(p.b, e)
		}
		p.b = append(p.b, "</div>"...)
	}
}

func drawAckHTML(p *page, v *Ack) {
	drawLightHTML(p, v)
	if v.Verdict == "accepted" {
		p.b = append(p.b, `<div class="box good" style="margin:8px 0;padding:8px 12px;background:#e8f2e6;border-left:4px solid #3d7a35">`...)
	} else if v.Verdict == "refused" || v.Verdict == "untrusted" {
		p.b = append(p.b, `<div class="box alarm" style="margin:8px 0;padding:8px 12px;background:#fbe9e5;border-left:4px solid #a3200f">`...)
	} else if v.Verdict == "kept" || v.Verdict == "canceled" {
		p.b = append(p.b, `<div class="box warm" style="margin:8px 0;padding:8px 12px;background:#fff4d6;border-left:4px solid #c98a00">`...)
	} else {
		p.b = append(p.b, `<div class="box plain" style="margin:8px 0;padding:8px 12px;background:#f4f1e8;border-left:4px solid #1d4f7c">`...)
	}
	p.b = append(p.b, `<span style="font-size:17px">`...)
	p.b = clean.AppendHTML(p.b, v.Headline)
	p.b = append(p.b, "</span></div>\n"...)
	drawNoticesHTML(p, v.Notices)
	if len(v.Diagnostics) > 0 {
		p.b = append(p.b, "<h2>"...)
		p.b = clean.AppendHTML(p.b, countsOf(v.Diagnostics))
		p.b = append(p.b, "</h2>\n"...)
		for i := range v.Diagnostics {
			e := &v.Diagnostics[i]
			if e.Severity == "warning" {
				p.b = append(p.b, `<div class="box warm" style="margin:8px 0;padding:8px 12px;background:#fff4d6;border-left:4px solid #c98a00">`...)
			} else {
				p.b = append(p.b, `<div class="box alarm" style="margin:8px 0;padding:8px 12px;background:#fbe9e5;border-left:4px solid #a3200f">`...)
			}
			p.b = clean.AppendHTML(p.b, e.Where())
			p.b = append(p.b, "<b>"...)
			p.b = clean.AppendHTML(p.b, e.Text)
			p.b = append(p.b, "</b>"...)
			if some := underlined(*e); some != "" {
				p.b = append(p.b, "<pre>"...)
				p.b = clean.AppendHTML(p.b, some)
				p.b = append(p.b, "</pre>"...)
			}
			if e.Hint != "" {
				p.b = append(p.b, "<div>Hint: "...)
				p.b = clean.AppendHTML(p.b, e.Hint)
				p.b = append(p.b, "</div>"...)
			}
			p.b = append(p.b, "</div>\n"...)
		}
	}
	if len(v.Lines) > 0 {
		p.b = append(p.b, `<h2>Your orders, line by line</h2>
<ol>
`...)
		for i2 := range v.Lines {
			e2 := &v.Lines[i2]
			p.b = append(p.b, "<li"...)
			if e2.No != 0 {
				p.b = append(p.b, ` value="`...)
				p.b = appendInt(p.b, e2.No)
				p.b = append(p.b, `"`...)
			} else {
				p.b = append(p.b, ` style="list-style:none"`...)
			}
			p.b = append(p.b, "><code>"...)
			p.b = clean.AppendHTML(p.b, e2.Text)
			p.b = append(p.b, "</code>"...)
			if e2.Effect != "" {
				p.b = append(p.b, "<br>"...)
				p.b = clean.AppendHTML(p.b, e2.Effect)
			}
			p.b = append(p.b, "</li>\n"...)
		}
		p.b = append(p.b, "</ol>\n"...)
	}
	for i3 := range v.Panels {
		e3 := &v.Panels[i3]
		drawPanelHTML(p, e3)
	}
	if v.InForce != "" || v.Set != "" || len(v.Sums) > 0 {
		p.b = append(p.b, "<h2>"...)
		if v.Verdict == "checked" {
			p.b = append(p.b, "Checked, not in force"...)
		} else {
			p.b = append(p.b, "In force"...)
		}
		p.b = append(p.b, "</h2>\n"...)
		if v.InForce != "" {
			p.b = append(p.b, "<p>"...)
			p.b = clean.AppendHTML(p.b, v.InForce)
			p.b = append(p.b, "</p>"...)
		}
		drawListHTML(p, v.Sums)
		if v.Set != "" {
			p.b = append(p.b, "<pre>"...)
			p.b = clean.AppendHTML(p.b, quoted(v.Set))
			p.b = append(p.b, "</pre>"...)
		}
		p.b = append(p.b, "\n"...)
	}
	if !v.Forecast.Empty() {
		p.b = append(p.b, `<h2>Forecast</h2>
<pre style="font-size:11px">`...)
		p.b = clean.AppendHTML(p.b, ASCIIMap(v.Forecast))
		p.b = append(p.b, "</pre>\n"...)
	}
	if v.Deadline != "" || v.Left != "" || len(v.Missing) > 0 {
		p.b = append(p.b, "<h2>Time</h2>\n"...)
		drawByHTML(p, v)
		drawAbsentHTML(p, v.Missing)
		p.b = append(p.b, "\n"...)
	}
	if len(v.Answer) > 0 {
		p.b = append(p.b, "<h2>What you can send</h2>\n"...)
		drawListHTML(p, v.Answer)
		p.b = append(p.b, "\n"...)
	}
	p.b = append(p.b, "</body></html>\n"...)
}

func drawNoticesText(p *page, v []string) {
	if len(v) > 0 {
		p.b = append(p.b, `

`...)
		for _, e := range v {
			p.b = append(p.b, laidFrom)
			p.clippedPara("  ! ", 4, e)
			p.b = append(p.b, laidTo)
		}
	}
}

func drawDiagnosticsText(p *page, v []Diagnostic) {
	for i := range v {
		e := &v[i]
		if i != 0 {
			p.b = append(p.b, `

`...)
		}
		p.b = append(p.b, laidFrom)
		p.clippedPara("  ", 4, e.Where()+e.Text)
		p.b = append(p.b, laidTo)
		p.b = append(p.b, laidFrom)
		p.excerpt(e)
		p.b = append(p.b, laidTo)
		p.b = append(p.b, laidFrom)
		p.clippedPara("    Hint: ", 6, e.Hint)
		p.b = append(p.b, laidTo)
	}
}

func drawListText(p *page, v []string) {
	for _, e := range v {
		p.b = append(p.b, laidFrom)
		p.clippedPara("  - ", 4, e)
		p.b = append(p.b, laidTo)
	}
}

func drawByText(p *page, v *Ack) {
	if v.Deadline != "" && v.Left != "" {
		p.b = append(p.b, laidFrom)
		p.clippedPara("  By ", 5, v.Deadline+" (left: "+v.Left+")")
		p.b = append(p.b, laidTo)
	} else {
		p.b = append(p.b, laidFrom)
		p.clippedPara("  By ", 5, v.Deadline)
		p.b = append(p.b, laidTo)
		p.b = append(p.b, laidFrom)
		p.clippedPara("  Time left: ", 5, v.Left)
		p.b = append(p.b, laidTo)
	}
}

func drawAbsentText(p *page, v []string) {
	p.b = append(p.b, laidFrom)
	p.clippedPara("  Orders missing from: ", 4, join(v))
	p.b = append(p.b, laidTo)
}

func drawAckText(p *page, v *Ack) {
	p.b = append(p.b, laidFrom)
	p.clippedPara("", 2, v.Headline)
	p.b = append(p.b, laidTo)
	p.b = append(p.b, "\n"...)
	p.b = append(p.b, laidFrom)
	p.ends(titled(v.Title, v.Game), v.Captain)
	p.b = append(p.b, laidTo)
	p.b = append(p.b, "\n"...)
	drawNoticesText(p, v.Notices)
	p.b = append(p.b, "\n"...)
	if len(v.Diagnostics) > 0 {
		p.b = append(p.b, "\n== "...)
		p.b = clean.Append(p.b, countsOf(v.Diagnostics), 0)
		p.b = append(p.b, "\n"...)
		drawDiagnosticsText(p, v.Diagnostics)
	}
	p.b = append(p.b, "\n"...)
	if len(v.Lines) > 0 {
		p.b = append(p.b, `
== Your orders, line by line
`...)
		p.b = append(p.b, laidFrom)
		p.ackLines(v.Lines)
		p.b = append(p.b, laidTo)
	}
	p.b = append(p.b, "\n"...)
	for i := range v.Panels {
		e := &v.Panels[i]
		p.b = append(p.b, laidFrom)
		p.panel(e)
		p.b = append(p.b, laidTo)
	}
	p.b = append(p.b, "\n"...)
	if v.InForce != "" || v.Set != "" || len(v.Sums) > 0 {
		p.b = append(p.b, "\n== "...)
		if v.Verdict == "checked" {
			p.b = append(p.b, "Checked, not in force"...)
		} else {
			p.b = append(p.b, "In force"...)
		}
		p.b = append(p.b, "\n"...)
		p.b = append(p.b, laidFrom)
		p.clippedPara("  ", 2, v.InForce)
		p.b = append(p.b, laidTo)
		drawListText(p, v.Sums)
		if v.Set != "" {
			p.b = append(p.b, `

`...)
			p.b = append(p.b, laidFrom)
			p.quoted(v.Set)
			p.b = append(p.b, laidTo)
		}
	}
	p.b = append(p.b, "\n"...)
	if !v.Forecast.Empty() {
		p.b = append(p.b, `
== Forecast

`...)
		p.b = append(p.b, laidFrom)
		p.asciiMap(&v.Forecast)
		p.b = append(p.b, laidTo)
	}
	p.b = append(p.b, "\n"...)
	if v.Deadline != "" || v.Left != "" || len(v.Missing) > 0 {
		p.b = append(p.b, `
== Time
`...)
		drawByText(p, v)
		drawAbsentText(p, v.Missing)
	}
	p.b = append(p.b, "\n"...)
	if len(v.Answer) > 0 {
		p.b = append(p.b, `
== What you can send
`...)
		drawListText(p, v.Answer)
	}
	p.b = append(p.b, "\n"...)
}

func drawMessageText(p *page, v *RelayedMessage) {
	p.b = append(p.b, laidFrom)
	p.ends(titled(v.Title, v.Game), "Message")
	p.b = append(p.b, laidTo)
	p.b = append(p.b, "\n"...)
	p.b = append(p.b, laidFrom)
	p.ends("From "+v.From, "to "+v.To)
	p.b = append(p.b, laidTo)
	p.b = append(p.b, `

`...)
	p.b = append(p.b, laidFrom)
	p.foreign(v.Text)
	p.b = append(p.b, laidTo)
	p.b = append(p.b, "\n"...)
	if len(v.Foot) > 0 {
		p.b = append(p.b, `
== How to answer
`...)
		for _, e := range v.Foot {
			p.b = append(p.b, laidFrom)
			p.clippedPara("  ", 2, e)
			p.b = append(p.b, laidTo)
		}
	}
	p.b = append(p.b, "\n"...)
}

func drawTextText(p *page, v *Notice) {
	for _, e := range v.Text {
		p.b = append(p.b, "\n"...)
		p.b = clean.Append(p.b, e, 0)
		p.b = append(p.b, "\n"...)
	}
	if v.Words != "" {
		p.b = append(p.b, `
In their own words:

`...)
		p.b = append(p.b, laidFrom)
		p.foreign(v.Words)
		p.b = append(p.b, laidTo)
	}
}

func drawNoticeConfirmText(p *page, v *Notice) {
	drawTextText(p, v)
	p.b = append(p.b, `
If you did not ask for this, please ignore it, and nothing will happen. This address belongs to a program that runs starship battles.
`...)
}

func drawGreetingText(p *page, v *Notice) {
	if v.Captain != "" {
		p.b = clean.Append(p.b, v.Captain, 0)
		p.b = append(p.b, ","...)
	} else {
		p.b = append(p.b, "Captain,"...)
	}
	p.b = append(p.b, "\n"...)
}

func drawGameText(p *page, v *Notice) {
	if v.Title != "" {
		p.b = clean.Append(p.b, v.Title, 0)
		if v.Game != "" {
			p.b = append(p.b, " ("...)
			p.b = clean.Append(p.b, v.Game, 0)
			p.b = append(p.b, ")"...)
		}
	} else {
		p.b = clean.Append(p.b, v.Game, 0)
	}
}

func drawDueText(p *page, v *Notice) {
	if v.Deadline != "" {
		p.b = append(p.b, "The deadline is "...)
		p.b = clean.Append(p.b, v.Deadline, 0)
		if v.Left != "" {
			p.b = append(p.b, ", "...)
			p.b = clean.Append(p.b, v.Left, 0)
			p.b = append(p.b, " from now"...)
		}
		p.b = append(p.b, "."...)
	}
}

func drawMissingText(p *page, v *Notice) {
	if len(v.Missing) > 0 {
		p.b = append(p.b, "Orders are missing from: "...)
		p.b = clean.Append(p.b, join(v.Missing), 0)
		p.b = append(p.b, ".\n"...)
	}
}

func drawFootText(p *page, v *Notice) {
	if !(v.Referee || v.Gone) {
		p.b = append(p.b, `
Send help, as the first line of a mail to this address, for a list of commands.
`...)
	}
}

func drawNoticeDeadlineText(p *page, v *Notice) {
	drawGreetingText(p, v)
	p.b = append(p.b, "\nThe deadline of turn "...)
	p.b = appendInt(p.b, v.Turn)
	p.b = append(p.b, " of "...)
	drawGameText(p, v)
	p.b = append(p.b, " has changed"...)
	if v.Was != "" {
		p.b = append(p.b, " from "...)
		p.b = clean.Append(p.b, v.Was, 0)
	}
	p.b = append(p.b, ".\n"...)
	drawDueText(p, v)
	if v.Reason != "" {
		p.b = append(p.b, "\nReason: "...)
		p.b = clean.Append(p.b, v.Reason, 0)
	}
	p.b = append(p.b, "\n"...)
	drawMissingText(p, v)
	drawTextText(p, v)
	p.b = append(p.b, "\n"...)
	drawFootText(p, v)
	p.b = append(p.b, "\n"...)
}

func drawExampleText(p *page, v *Notice) {
	if v.Example != "" {
		p.b = append(p.b, "\n"...)
		p.b = append(p.b, laidFrom)
		p.verbatim(v.Example)
		p.b = append(p.b, laidTo)
	}
}

func drawNoticeHelpText(p *page, v *Notice) {
	if v.Reason != "" {
		p.b = clean.Append(p.b, v.Reason, 0)
		p.b = append(p.b, "\n"...)
	}
	if v.Example != "" {
		p.b = append(p.b, `
The orders look like this:
`...)
		drawExampleText(p, v)
		p.b = append(p.b, `

`...)
	}
	if len(v.Commands) > 0 {
		p.b = append(p.b, `

You can also send these commands, each on a line of its own:
`...)
		for _, e := range v.Commands {
			p.b = append(p.b, "\n  - "...)
			p.b = clean.Append(p.b, e, 0)
		}
		p.b = append(p.b, "\n"...)
	}
	drawTextText(p, v)
	p.b = append(p.b, `
Orders are plain-text lines between a line that starts with "#orders" and a line that says "#end". Everything else in a mail is ignored, so you can simply reply to a report: edit the block at its end and send it back. This address`...)
	if v.Robot != "" {
		p.b = append(p.b, ", "...)
		p.b = clean.Append(p.b, v.Robot, 0)
		p.b = append(p.b, ","...)
	}
	p.b = append(p.b, ` belongs to a program that runs starship battles.

`...)
	drawFootText(p, v)
	p.b = append(p.b, "\n"...)
}

func drawNoticeOverText(p *page, v *Notice) {
	drawGreetingText(p, v)
	p.b = append(p.b, "\n"...)
	drawGameText(p, v)
	p.b = append(p.b, " is over"...)
	if v.Turn != 0 {
		p.b = append(p.b, " after turn "...)
		p.b = appendInt(p.b, v.Turn)
	}
	p.b = append(p.b, ".\n"...)
	if v.Result != "" {
		p.b = append(p.b, "\n"...)
		p.b = clean.Append(p.b, v.Result, 0)
		p.b = append(p.b, "\n"...)
	}
	drawTextText(p, v)
	if v.Secret != "" {
		p.b = append(p.b, `
Anyone can now check the dice. The first report gave this hash of the game's secret:

  `...)
		p.b = clean.Append(p.b, v.Commit, 0)
		p.b = append(p.b, `

This is the secret that determines every roll:

  `...)
		p.b = clean.Append(p.b, v.Secret, 0)
		p.b = append(p.b, "\n"...)
	}
	p.b = append(p.b, "\n"...)
	drawFootText(p, v)
	p.b = append(p.b, "\n"...)
}

func drawNoticePlainText(p *page, v *Notice) {
	drawGreetingText(p, v)
	if v.Game != "" || v.Title != "" {
		p.b = append(p.b, "\n"...)
		drawGameText(p, v)
		if v.Turn != 0 {
			p.b = append(p.b, ", turn "...)
			p.b = appendInt(p.b, v.Turn)
		}
		p.b = append(p.b, "\n"...)
	}
	drawTextText(p, v)
	drawExampleText(p, v)
	p.b = append(p.b, "\n"...)
	drawFootText(p, v)
	p.b = append(p.b, "\n"...)
}

func drawNoticeReminderText(p *page, v *Notice) {
	drawGreetingText(p, v)
	p.b = append(p.b, "\n"...)
	drawGameText(p, v)
	p.b = append(p.b, " is waiting for your orders for turn "...)
	p.b = appendInt(p.b, v.Turn)
	if v.Ship != "" {
		p.b = append(p.b, ": "...)
		p.b = clean.Append(p.b, v.Ship, 0)
	}
	p.b = append(p.b, ".\n"...)
	drawDueText(p, v)
	p.b = append(p.b, "\n"...)
	drawMissingText(p, v)
	if v.Reason != "" {
		p.b = append(p.b, "\n"...)
		p.b = clean.Append(p.b, v.Reason, 0)
		p.b = append(p.b, "\n"...)
	}
	drawTextText(p, v)
	drawExampleText(p, v)
	p.b = append(p.b, "\n"...)
	drawFootText(p, v)
	p.b = append(p.b, "\n"...)
}

func drawNoticeStatusText(p *page, v *Notice) {
	drawGreetingText(p, v)
	p.b = append(p.b, "\n"...)
	drawGameText(p, v)
	p.b = append(p.b, " is waiting for orders for turn "...)
	p.b = appendInt(p.b, v.Turn)
	p.b = append(p.b, ".\n"...)
	drawDueText(p, v)
	p.b = append(p.b, "\n"...)
	if len(v.In) > 0 {
		p.b = append(p.b, "Orders are in from: "...)
		p.b = clean.Append(p.b, join(v.In), 0)
		p.b = append(p.b, ".\n"...)
	}
	drawMissingText(p, v)
	if v.Reason != "" {
		p.b = append(p.b, "\n"...)
		p.b = clean.Append(p.b, v.Reason, 0)
		p.b = append(p.b, "\n"...)
	}
	drawTextText(p, v)
	p.b = append(p.b, "\n"...)
	drawFootText(p, v)
	p.b = append(p.b, "\n"...)
}

func drawNoticeStrangerText(p *page, v *Notice) {
	if v.Reason != "" {
		p.b = clean.Append(p.b, v.Reason, 0)
		p.b = append(p.b, "\n"...)
	}
	drawTextText(p, v)
	p.b = append(p.b, `
No game here knows the address that your mail came from, so the rest of the mail was ignored. If you are a captain, write from the address that your reports go to. If you did not write to us, please ignore this; you will get no more mail.

This address belongs to a program that runs starship battles.
`...)
}

func drawNoticeTroubleText(p *page, v *Notice) {
	drawGreetingText(p, v)
	p.b = append(p.b, "\nThere is a problem"...)
	if v.Game != "" || v.Title != "" {
		p.b = append(p.b, " in "...)
		drawGameText(p, v)
	}
	if v.Turn != 0 {
		p.b = append(p.b, ", turn "...)
		p.b = appendInt(p.b, v.Turn)
	}
	if v.Ship != "" {
		p.b = append(p.b, ", with the "...)
		p.b = clean.Append(p.b, v.Ship, 0)
	}
	p.b = append(p.b, ".\n"...)
	if v.Reason != "" {
		p.b = append(p.b, "\n"...)
		p.b = clean.Append(p.b, v.Reason, 0)
		p.b = append(p.b, "\n"...)
	}
	drawTextText(p, v)
	drawExampleText(p, v)
	p.b = append(p.b, "\n"...)
}

func drawBroughtText(p *page, v *CommandResult) {
	for i, e := range v.Text {
		if i != 0 {
			p.b = append(p.b, `

`...)
		}
		p.b = append(p.b, laidFrom)
		p.clippedPara("  ", 2, e)
		p.b = append(p.b, laidTo)
	}
	if len(v.Text) > 0 && len(v.List) > 0 {
		p.b = append(p.b, `

`...)
	}
	drawListText(p, v.List)
	if v.Example != "" {
		p.b = append(p.b, `

`...)
		p.b = append(p.b, laidFrom)
		p.quoted(v.Example)
		p.b = append(p.b, laidTo)
	}
	if v.Shown != "" {
		p.b = append(p.b, `

`...)
		p.b = append(p.b, laidFrom)
		p.shown(v.Shown)
		p.b = append(p.b, laidTo)
	}
	drawDiagnosticsText(p, v.Diagnostics)
	if v.After != "" {
		p.b = append(p.b, `

`...)
		p.b = append(p.b, laidFrom)
		p.clippedPara("  ", 2, v.After)
		p.b = append(p.b, laidTo)
	}
}

func drawReplyText(p *page, v *Reply) {
	one := len(v.Commands) == 1 && !(len(v.Text) > 0 || len(v.Notices) > 0 || len(v.Diagnostics) > 0)
	for _, e := range v.Text {
		p.b = append(p.b, `

`...)
		p.b = append(p.b, laidFrom)
		p.clippedPara("", 0, e)
		p.b = append(p.b, laidTo)
	}
	p.b = append(p.b, "\n"...)
	drawNoticesText(p, v.Notices)
	p.b = append(p.b, "\n"...)
	if len(v.Diagnostics) > 0 {
		p.b = append(p.b, `
== In your mail
`...)
		drawDiagnosticsText(p, v.Diagnostics)
	}
	p.b = append(p.b, "\n"...)
	for i2 := range v.Commands {
		e2 := &v.Commands[i2]
		if one {
			p.b = append(p.b, "\n"...)
			drawBroughtText(p, e2)
		} else {
			p.b = append(p.b, "\n== "...)
			p.b = clean.Append(p.b, e2.Command, 0)
			p.b = append(p.b, "\n"...)
			drawBroughtText(p, e2)
		}
	}
	p.b = append(p.b, "\n"...)
	if len(v.Foot) > 0 {
		p.b = append(p.b, `
== What you can send
`...)
		drawListText(p, v.Foot)
	}
	p.b = append(p.b, `


`...)
}

func drawAboutHTML2(p *page, v *Report) {
	p.b = append(p.b, "Turn "...)
	p.b = appendInt(p.b, v.Turn)
	if v.Phase != 0 {
		p.b = append(p.b, ", phase "...)
		p.b = appendInt(p.b, v.Phase)
	}
}

func drawTopHTML(p *page, v *Report) {
	p.b = append(p.b, `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>`...)
	p.b = clean.AppendHTML(p.b, cmp.Or(v.Title, v.Game))
	p.b = append(p.b, ", "...)
	drawAboutHTML2(p, v)
	p.b = append(p.b, `</title><style>
h2{font-size:18px;color:#14283a;margin:24px 0 6px;padding-bottom:3px;border-bottom:2px solid #14283a}
h3{font-size:15px;margin:12px 0 2px;color:#14283a}
p{margin:6px 0}
.e{font-size:15px}.e td{padding-left:8px}
.e .n{width:28px;color:#6b6557;font-size:12px;text-align:right;white-space:nowrap}.o td{background:#fff4d6}
.e .c{color:#6b6557;font-size:12px;text-align:right;white-space:nowrap}
.z,.w{display:none}
@media(max-width:600px){.z{display:block;margin:4px 0}.z summary{color:#1d4f7c;text-decoration:underline;padding:6px 0}.m{overflow:auto}
.z[open]+.m svg{max-width:none!important;width:900px}.z:not([open])+.m{overflow:hidden}.z:not([open])+.m svg{margin-bottom:var(--k)}.z:not([open])~.w{display:block!important}
.z:not([open])+.m .k,.z:not([open])+.m .p{display:none}.z:not([open])+.m .l{font-size:19px}
.z:not([open])+.m .g{font-size:23px;stroke:#0d2940;stroke-width:4px;paint-order:stroke}.z:not([open])+.m .g .d{stroke:#fff}
.e,.e tbody,.e tr{display:block}.e tr{padding:3px 0}.e td{display:inline;padding:0 0 0 4px!important}.e .c{white-space:normal}
.x,.x tbody{display:block}.x tr{display:flex;flex-wrap:wrap;gap:0 6px}.x tr>*{padding:2px!important}.x th[scope=row]{min-width:84px}}
.t{border-collapse:collapse;margin:6px 0;font-size:14px;overflow-wrap:normal}.t tr{border-bottom:1px solid #e1dccd}
</style><style>@media(prefers-color-scheme:dark){
body{background:#0e1216!important}
.page{background:#161b21!important;color:#e8e4d8!important}
h2,h3{color:#c9dcee!important;border-color:#4a6a86!important}
.box,.head{background:#242c35!important}.box{border-color:#5f7f9c!important}
.warm,.o td{background:#3a3016!important}.warm{border-color:#e0a83a!important}
.alarm{background:#40211d!important;border-color:#ff8a75!important}
.good{background:#1d3320!important;border-color:#7cc272!important}
.soft,.e td{color:#b9b3a3!important}.t tr,.foot{border-color:#3a424c!important}
.e .told,.w b{color:#e8e4d8!important}.left,a,.z summary{color:#8fc1ee!important}.lost{color:#ff9c8c!important}
}</style><style>@media(prefers-color-scheme:dark){
`...)
	p.b = clean.AppendMarkup(p.b, string(nightOf()))
	p.b = append(p.b, `}</style>
</head><body style="margin:0;padding:0;background:#ece8dc"><div class="page" style="max-width:900px;margin:0 auto;background:#fcfbf7;color:#24221d;font:15px/1.45 Georgia,'Times New Roman',serif;overflow-wrap:anywhere">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#14283a;color:#fff"><tr><td style="padding:16px 20px"><h1 style="display:inline;margin:0;font-size:22px;font-weight:normal">`...)
	p.b = clean.AppendHTML(p.b, cmp.Or(v.Title, v.Game))
	p.b = append(p.b, "</h1>"...)
	if v.Title != "" && v.Game != "" {
		p.b = append(p.b, ` <span style="color:#a9bccd;font-size:14px">`...)
		p.b = clean.AppendHTML(p.b, v.Game)
		p.b = append(p.b, "</span>"...)
	}
	if some := named(v.Ship, v.ShipTitle); some != "" {
		p.b = append(p.b, `<br><span style="font-size:15px;color:#dbe5ee">`...)
		p.b = clean.AppendHTML(p.b, some)
		p.b = append(p.b, "</span>"...)
	}
	if v.Captain != "" {
		p.b = append(p.b, `<br><span style="font-size:15px;color:#dbe5ee">`...)
		p.b = clean.AppendHTML(p.b, v.Captain)
		p.b = append(p.b, "</span>"...)
	}
	p.b = append(p.b, `</td>
<td align="right" valign="top" style="padding:16px 20px"><span style="font-size:22px;white-space:nowrap">`...)
	drawAboutHTML2(p, v)
	p.b = append(p.b, `</span></td></tr></table><div style="padding:8px 20px 24px">
`...)
}

func drawByHTML2(p *page, v *OrdersDue) {
	if v.Deadline != "" || v.Left != "" {
		p.b = append(p.b, "<div>"...)
		if v.Deadline != "" {
			p.b = append(p.b, "By <b>"...)
			p.b = clean.AppendHTML(p.b, v.Deadline)
			p.b = append(p.b, "</b>"...)
		}
		if v.Left != "" {
			p.b = append(p.b, ` <span class="soft" style="color:#6b6557">(left: `...)
			p.b = clean.AppendHTML(p.b, v.Left)
			p.b = append(p.b, ")</span>"...)
		}
		p.b = append(p.b, "</div>"...)
	}
}

func drawMapHTML(p *page, v *Map) {
	if v.Caption != "" {
		p.b = append(p.b, "<p>"...)
		p.b = clean.AppendHTML(p.b, v.Caption)
		p.b = append(p.b, "</p>\n"...)
	}
	p.b = append(p.b, `<details class="z"><summary>Enlarge the map</summary></details><div class="m">`...)
	p.svg(v)
	p.b = append(p.b, "</div>\n"...)
	if some := shipList(*v); len(some) > 0 {
		p.b = append(p.b, `<div class="w" style="display:none;font-size:13px">`...)
		for i := range some {
			e := &some[i]
			if i != 0 {
				p.b = append(p.b, ",\n"...)
			}
			p.b = append(p.b, `<span style="white-space:nowrap"><b style="color:`...)
			p.b = clean.AppendHTML(p.b, string(e.Colour))
			p.b = append(p.b, `">`...)
			p.b = clean.AppendHTML(p.b, e.Sign)
			p.b = append(p.b, "</b> "...)
			p.b = clean.AppendHTML(p.b, e.Text)
			p.b = append(p.b, "</span>"...)
		}
		p.b = append(p.b, "</div>\n"...)
	}
	p.b = append(p.b, `<details><summary class="soft" style="color:#6b6557;font-size:13px">The map as text</summary>
<pre style="margin:6px 0;font:11px/1.15 Menlo,Consolas,'DejaVu Sans Mono',monospace;overflow-x:auto">`...)
	p.b = clean.AppendHTML(p.b, ASCIIMap(*v))
	p.b = append(p.b, "</pre></details>\n"...)
}

func drawPhasesHTML(p *page, v *toldPhases) {
	for i := range v.Phases {
		e := &v.Phases[i]
		if e.Title != "" {
			p.b = append(p.b, "<h3>"...)
			p.b = clean.AppendHTML(p.b, e.Title)
			p.b = append(p.b, "</h3>\n"...)
		}
		if len(e.Lines) > 0 {
			p.b = append(p.b, `<table role="presentation" class="e" width="100%" cellpadding="2" cellspacing="0" border="0"><tbody valign="top">
`...)
			for i2 := range e.Lines {
				e2 := &e.Lines[i2]
				p.b = append(p.b, "<tr"...)
				if e2.Own {
					p.b = append(p.b, ` class="o"`...)
				}
				p.b = append(p.b, ">"...)
				if v.Width != 0 {
					p.b = append(p.b, "<td"...)
					if e2.N != 0 {
						p.b = append(p.b, ` class="n">`...)
						if e2.Own {
							p.b = append(p.b, "* "...)
						}
						p.b = appendInt(p.b, e2.N)
					} else {
						p.b = append(p.b, ">"...)
					}
					p.b = append(p.b, "</td>"...)
				}
				p.b = append(p.b, `<td class="told"`...)
				if e2.Depth != 0 {
					p.b = append(p.b, ` style="padding-left:`...)
					p.b = appendInt(p.b, indentOf(e2.Depth))
					p.b = append(p.b, `px;color:#4a463c"`...)
				}
				p.b = append(p.b, ">"...)
				p.b = clean.AppendHTML(p.b, prose(e2.Text))
				p.b = append(p.b, "</td>"...)
				if e2.Cite != "" {
					p.b = append(p.b, `<td class="c">`...)
					p.b = clean.AppendHTML(p.b, e2.Cite)
					p.b = append(p.b, "</td>"...)
				}
				p.b = append(p.b, "</tr>\n"...)
			}
			p.b = append(p.b, "</tbody></table>\n"...)
		}
	}
}

func drawNotesHTML(p *page, v []Note) {
	for i := range v {
		e := &v[i]
		if e.From != "" || e.Title != "" || len(e.Text) > 0 {
			p.b = append(p.b, `<div class="box plain" style="margin:8px 0;padding:8px 12px;background:#f4f1e8;border-left:4px solid #1d4f7c"><b>`...)
			p.b = clean.AppendHTML(p.b, prose(e.Title))
			p.b = append(p.b, "</b>"...)
			if e.From != "" {
				p.b = append(p.b, ` <span class="soft" style="color:#6b6557">from `...)
				p.b = clean.AppendHTML(p.b, e.From)
				p.b = append(p.b, "</span>"...)
			}
			p.b = append(p.b, "\n"...)
			for _, e2 := range e.Text {
				p.b = append(p.b, "<p>"...)
				list := barred(e2)
				for i3, e3 := range list {
					if i3 != 0 {
						p.b = append(p.b, "<br>\n"...)
					}
					p.b = clean.AppendHTML(p.b, e3)
				}
				p.b = append(p.b, "</p>\n"...)
			}
			p.b = append(p.b, "</div>\n"...)
		}
	}
}

func drawReportHTML(p *page, v *Report) {
	drawTopHTML(p, v)
	if v.Headline != "" {
		p.b = append(p.b, `<p style="font-size:18px;margin:14px 0">`...)
		p.b = clean.AppendHTML(p.b, v.Headline)
		p.b = append(p.b, "</p>\n"...)
	}
	drawNoticesHTML(p, v.Notices)
	if v.Over != "" {
		p.b = append(p.b, `<h2 id="over">The game is over</h2>
<div class="box plain" style="margin:8px 0;padding:8px 12px;background:#f4f1e8;border-left:4px solid #1d4f7c">`...)
		p.b = clean.AppendHTML(p.b, v.Over)
		p.b = append(p.b, "</div>\n"...)
	}
	if v.Owed.Turn != 0 || len(v.Owed.What) > 0 || v.Owed.Deadline != "" {
		p.b = append(p.b, `<h2 id="owed">Orders due`...)
		if v.Owed.Turn != 0 {
			p.b = append(p.b, " for "...)
			p.b = clean.AppendHTML(p.b, turnWords(v.Owed.Turn, v.Owed.Phase))
		}
		p.b = append(p.b, `</h2>
<div class="box plain" style="margin:8px 0;padding:8px 12px;background:#f4f1e8;border-left:4px solid #1d4f7c">`...)
		drawByHTML2(p, &v.Owed)
		drawListHTML(p, v.Owed.What)
		drawAbsentHTML(p, v.Owed.Missing)
		p.b = append(p.b, "\n"...)
		for _, e := range v.Owed.HowTo {
			p.b = append(p.b, `<div style="margin-top:4px">`...)
			p.b = clean.AppendHTML(p.b, e)
			p.b = append(p.b, "</div>\n"...)
		}
		if v.Compose != "" {
			p.b = append(p.b, `<div style="margin-top:8px"><b><a href="`...)
			p.link(v.Compose)
			p.b = append(p.b, `">Compose your orders on the map</a></b>`...)
			if v.ComposeFile != "" {
				p.b = append(p.b, ": open the attachment "...)
				p.b = clean.AppendHTML(p.b, v.ComposeFile)
				p.b = append(p.b, " there"...)
			}
			p.b = append(p.b, "</div>\n"...)
		}
		p.b = append(p.b, "</div>\n"...)
	}
	if !v.Map.Empty() {
		p.b = append(p.b, `<h2 id="map">Map</h2>
`...)
		drawMapHTML(p, &v.Map)
	}
	for i2 := range v.Contacts {
		e2 := &v.Contacts[i2]
		drawPanelHTML(p, e2)
	}
	if len(v.Since) > 0 {
		p.b = append(p.b, `<h2 id="since">What happened since you were last asked</h2>
`...)
		some := toldOf(v.Since, v.NumberWidth())
		drawPhasesHTML(p, &some)
	}
	if len(v.Phases) > 0 {
		p.b = append(p.b, `<h2 id="events">`...)
		if len(v.Elsewhere) > 0 {
			p.b = append(p.b, "What concerned you"...)
		} else {
			p.b = append(p.b, "What happened"...)
		}
		p.b = append(p.b, "</h2>\n"...)
		if v.Reading != "" {
			p.b = append(p.b, `<p class="soft" style="color:#6b6557;font-size:13px">`...)
			p.b = clean.AppendHTML(p.b, v.Reading)
			p.b = append(p.b, "</p>\n"...)
		}
		some2 := toldOf(v.Phases, v.NumberWidth())
		drawPhasesHTML(p, &some2)
	}
	if len(v.Elsewhere) > 0 {
		p.b = append(p.b, `<h2 id="elsewhere">What happened elsewhere</h2>
`...)
		some3 := toldOf(v.Elsewhere, v.NumberWidth())
		drawPhasesHTML(p, &some3)
	}
	for i3 := range v.Panels {
		e3 := &v.Panels[i3]
		drawPanelHTML(p, e3)
	}
	if len(v.Rulings) > 0 {
		p.b = append(p.b, `<h2 id="rulings">Rulings</h2>
`...)
		drawNotesHTML(p, v.Rulings)
	}
	if len(v.Messages) > 0 {
		p.b = append(p.b, `<h2 id="messages">Messages</h2>
`...)
		drawNotesHTML(p, v.Messages)
	}
	if v.Orders != "" {
		p.b = append(p.b, `<h2 id="orders">Orders, ready to edit and send back</h2>
<pre class="box" style="margin:8px 0;padding:10px 12px;background:#f4f1e8;border:1px solid #d8d3c4;font:13px/1.35 Menlo,Consolas,'DejaVu Sans Mono',monospace;overflow-x:auto">`...)
		p.b = clean.AppendHTML(p.b, v.Orders)
		p.b = append(p.b, "</pre>\n"...)
	}
	p.b = append(p.b, `<p class="soft foot" style="margin:24px 0 0;padding-top:8px;border-top:1px solid #d8d3c4;color:#6b6557;font-size:12px">`...)
	p.b = clean.AppendHTML(p.b, v.Rules)
	if v.Dice != "" {
		p.b = append(p.b, "<br>Dice: "...)
		p.b = clean.AppendHTML(p.b, v.Dice)
	}
	if v.Commit != "" {
		p.b = append(p.b, `<br>Hash of the game's secret: <code style="word-break:break-all">`...)
		p.b = clean.AppendHTML(p.b, v.Commit)
		p.b = append(p.b, "</code>"...)
	}
	if v.Secret != "" {
		p.b = append(p.b, `<br>The secret itself: <code style="word-break:break-all">`...)
		p.b = clean.AppendHTML(p.b, v.Secret)
		p.b = append(p.b, "</code>"...)
	}
	if v.Record != "" {
		p.b = append(p.b, `<br>Hash of the record so far: <code style="word-break:break-all">`...)
		p.b = clean.AppendHTML(p.b, v.Record)
		p.b = append(p.b, "</code>"...)
	}
	p.b = append(p.b, `</p></div></div></body></html>

`...)
}

func drawByText2(p *page, v *OrdersDue) {
	if v.Deadline != "" && v.Left != "" {
		p.b = append(p.b, laidFrom)
		p.clippedPara("  By ", 5, v.Deadline+" (left: "+v.Left+")")
		p.b = append(p.b, laidTo)
	} else {
		p.b = append(p.b, laidFrom)
		p.clippedPara("  By ", 5, v.Deadline)
		p.b = append(p.b, laidTo)
		p.b = append(p.b, laidFrom)
		p.clippedPara("  Time left: ", 5, v.Left)
		p.b = append(p.b, laidTo)
	}
}

func drawNotesText(p *page, v []Note) {
	for i := range v {
		e := &v[i]
		if e.From != "" || e.Title != "" || len(e.Text) > 0 {
			if i != 0 {
				p.b = append(p.b, `

`...)
			}
			if !(e.From != "") {
				p.b = append(p.b, laidFrom)
				p.clippedPara("  ", 4, e.Title)
				p.b = append(p.b, laidTo)
			} else if !(e.Title != "") {
				p.b = append(p.b, laidFrom)
				p.clippedPara("  From ", 4, e.From)
				p.b = append(p.b, laidTo)
			} else {
				p.b = append(p.b, laidFrom)
				p.clippedPara("  ", 4, e.Title+" (from "+e.From+")")
				p.b = append(p.b, laidTo)
			}
			p.b = append(p.b, "\n"...)
			for i2, e2 := range e.Text {
				if i2 != 0 {
					p.b = append(p.b, "  |\n"...)
				}
				p.b = append(p.b, laidFrom)
				p.foreign(e2)
				p.b = append(p.b, laidTo)
			}
		}
	}
}

func drawReportText(p *page, v *Report) {
	p.b = append(p.b, laidFrom)
	p.ends(titled(v.Title, v.Game), "Report of "+turnWords(v.Turn, v.Phase))
	p.b = append(p.b, laidTo)
	p.b = append(p.b, "\n"...)
	p.b = append(p.b, laidFrom)
	p.ends(named(v.Ship, v.ShipTitle), v.Captain)
	p.b = append(p.b, laidTo)
	p.b = append(p.b, "\n"...)
	if v.Headline != "" {
		p.b = append(p.b, `

`...)
		p.b = append(p.b, laidFrom)
		p.clippedPara("", 0, v.Headline)
		p.b = append(p.b, laidTo)
	}
	p.b = append(p.b, "\n"...)
	drawNoticesText(p, v.Notices)
	p.b = append(p.b, "\n"...)
	if v.Over != "" {
		p.b = append(p.b, `
== The game is over
`...)
		p.b = append(p.b, laidFrom)
		p.clippedPara("  ", 2, v.Over)
		p.b = append(p.b, laidTo)
	}
	p.b = append(p.b, "\n"...)
	if v.Owed.Turn != 0 || len(v.Owed.What) > 0 || v.Owed.Deadline != "" {
		p.b = append(p.b, "\n== Orders due"...)
		if v.Owed.Turn != 0 {
			p.b = append(p.b, " for "...)
			p.b = clean.Append(p.b, turnWords(v.Owed.Turn, v.Owed.Phase), 0)
		}
		p.b = append(p.b, "\n"...)
		drawByText2(p, &v.Owed)
		drawListText(p, v.Owed.What)
		if len(v.Owed.Missing) > 0 {
			drawAbsentText(p, v.Owed.Missing)
		}
		for _, e := range v.Owed.HowTo {
			p.b = append(p.b, laidFrom)
			p.clippedPara("  ", 2, e)
			p.b = append(p.b, laidTo)
		}
	}
	p.b = append(p.b, "\n"...)
	if !v.Map.Empty() {
		p.b = append(p.b, `
== Map

`...)
		p.b = append(p.b, laidFrom)
		p.asciiMap(&v.Map)
		p.b = append(p.b, laidTo)
	}
	p.b = append(p.b, "\n"...)
	for i2 := range v.Contacts {
		e2 := &v.Contacts[i2]
		p.b = append(p.b, laidFrom)
		p.panel(e2)
		p.b = append(p.b, laidTo)
	}
	p.b = append(p.b, "\n"...)
	width := v.NumberWidth()
	if len(v.Since) > 0 {
		p.b = append(p.b, `
== What happened since you were last asked
`...)
		for i3 := range v.Since {
			e3 := &v.Since[i3]
			if i3 != 0 {
				p.b = append(p.b, `

`...)
			}
			p.b = append(p.b, laidFrom)
			p.clippedPhase(width, e3)
			p.b = append(p.b, laidTo)
		}
	}
	p.b = append(p.b, "\n"...)
	if len(v.Phases) > 0 {
		p.b = append(p.b, "\n== "...)
		if len(v.Elsewhere) > 0 {
			p.b = append(p.b, "What concerned you"...)
		} else {
			p.b = append(p.b, "What happened"...)
		}
		p.b = append(p.b, "\n"...)
		if v.Reading != "" {
			p.b = append(p.b, laidFrom)
			p.clippedPara("  ", 2, v.Reading)
			p.b = append(p.b, laidTo)
			p.b = append(p.b, `

`...)
		}
		for i4 := range v.Phases {
			e4 := &v.Phases[i4]
			if i4 != 0 {
				p.b = append(p.b, `

`...)
			}
			p.b = append(p.b, laidFrom)
			p.clippedPhase(width, e4)
			p.b = append(p.b, laidTo)
		}
	}
	p.b = append(p.b, "\n"...)
	if len(v.Elsewhere) > 0 {
		p.b = append(p.b, `
== What happened elsewhere
`...)
		for i5 := range v.Elsewhere {
			e5 := &v.Elsewhere[i5]
			if i5 != 0 {
				p.b = append(p.b, `

`...)
			}
			p.b = append(p.b, laidFrom)
			p.clippedPhase(width, e5)
			p.b = append(p.b, laidTo)
		}
	}
	p.b = append(p.b, "\n"...)
	for i6 := range v.Panels {
		e6 := &v.Panels[i6]
		p.b = append(p.b, laidFrom)
		p.panel(e6)
		p.b = append(p.b, laidTo)
	}
	p.b = append(p.b, "\n"...)
	if len(v.Rulings) > 0 {
		p.b = append(p.b, `
== Rulings
`...)
		drawNotesText(p, v.Rulings)
	}
	p.b = append(p.b, "\n"...)
	if len(v.Messages) > 0 {
		p.b = append(p.b, `
== Messages
`...)
		drawNotesText(p, v.Messages)
	}
	p.b = append(p.b, "\n"...)
	if v.Orders != "" {
		p.b = append(p.b, `
== Orders, ready to edit and send back

`...)
		p.b = append(p.b, laidFrom)
		p.verbatim(v.Orders)
		p.b = append(p.b, laidTo)
	}
	p.b = append(p.b, "\n"...)
	if v.Rules != "" || v.Commit != "" || v.Secret != "" || v.Record != "" || v.Dice != "" {
		p.b = append(p.b, `
== Rules and dice
`...)
		if v.Rules != "" {
			p.b = append(p.b, laidFrom)
			p.clippedPara("  Rules: ", 4, v.Rules)
			p.b = append(p.b, laidTo)
		}
		if v.Dice != "" {
			p.b = append(p.b, laidFrom)
			p.clippedPara("  Dice: ", 4, v.Dice)
			p.b = append(p.b, laidTo)
		}
		if v.Commit != "" {
			p.b = append(p.b, laidFrom)
			p.clippedPara("  Hash of the game's secret: ", 4, v.Commit)
			p.b = append(p.b, laidTo)
		}
		if v.Secret != "" {
			p.b = append(p.b, laidFrom)
			p.clippedPara("  The secret itself: ", 4, v.Secret)
			p.b = append(p.b, laidTo)
		}
		if v.Record != "" {
			p.b = append(p.b, laidFrom)
			p.clippedPara("  Hash of the record so far: ", 4, v.Record)
			p.b = append(p.b, laidTo)
		}
	}
	p.b = append(p.b, `


`...)
}
