package compose

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
	"starpost/templates"
)

// checked is the result of checking a text of orders.
type checked struct {
	OK          bool         `json:"ok"`
	Accepted    bool         `json:"accepted"`
	Diagnostics []diagnostic `json:"diagnostics"`
	Effects     []effect     `json:"effects"`
	Sums        []sum        `json:"sums"`
	Power       []power      `json:"power"`
	Map         string       `json:"map"`
	MapText     string       `json:"mapText"`
	Who         string       `json:"who"`
}

type diagnostic struct {
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Length   int    `json:"length"`
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Hint     string `json:"hint"`
}

type effect struct {
	Ship engine.ShipID `json:"ship"`
	Line int           `json:"line"`
	Text string        `json:"text"`
}

// sum is a summary line of a ship's orders.
type sum struct {
	Ship engine.ShipID `json:"ship"`
	Text string        `json:"text"`
}

// power is the power use of a ship's orders. Left is negative if they take too much.
type power struct {
	Ship engine.ShipID `json:"ship"`
	Have int           `json:"have"`
	Used int           `json:"used"`
	Left int           `json:"left"`
	Rows []row         `json:"rows"`
}

// row is the power that a line takes.
type row struct {
	Name   string `json:"name"`
	Amount int    `json:"amount"`
}

// powerOf returns the power use of a set, if the set accounts for all of it.
func powerOf(s orderset.Set) (out power, ok bool) {
	p := s.Checked.Power
	if p.Have == 0 {
		return out, false
	}
	out = power{Ship: s.Ship, Have: p.Have, Rows: []row{}}
	last := 0
	for _, u := range p.Uses {
		if out.Used += u.Power; u.Power == 0 {
			continue
		}
		if n := len(out.Rows) - 1; n >= 0 && u.Line == last {
			out.Rows[n].Amount += u.Power
			continue
		}
		last = u.Line
		out.Rows = append(out.Rows, row{lineOf(s, u.Line), u.Power})
	}
	out.Left = out.Have - out.Used
	return out, true
}

// lineOf returns a line of a set without its comments.
func lineOf(s orderset.Set, n int) string {
	for _, line := range s.Raw.Lines {
		if line.N == n {
			text, _, _ := strings.Cut(line.Text, ";")
			return strings.TrimSpace(text)
		}
	}
	return "her own needs"
}

// read checks a text as the host would if it came by mail.
func (d *Desk) read(text string) orderset.Reading {
	return d.game.Check([]byte(text), d.view.Viewer.Captain)
}

// check checks the orders, and draws the courses of the ships.
func (d *Desk) check(r request) (any, error) {
	read := d.read(r.Text)
	out := checked{
		OK: true, Accepted: len(read.Sets) > 0 && !orders.HasErrors(read.Diagnostics),
		Diagnostics: []diagnostic{}, Effects: []effect{}, Sums: []sum{}, Power: []power{},
	}
	for _, g := range report.Diagnostics(r.Text, read.Diagnostics, 1) {
		out.Diagnostics = append(out.Diagnostics, diagnostic{g.Line, g.Col, g.Width, g.Code, string(g.Severity), g.Text, g.Hint})
	}
	acks := make([]templates.Ack, len(read.Sets))
	for i, s := range read.Sets {
		if p, ok := powerOf(s); ok {
			out.Power = append(out.Power, p)
		}
		for _, e := range s.Checked.Effects {
			out.Effects = append(out.Effects, effect{s.Ship, e.Line, e.Text})
		}
		acks[i] = report.Ack(d.game.Rules, report.SetReading{
			View: s.View, Ship: s.Ship, Post: s.Post, Raw: s.Raw, Source: r.Text, Diagnostics: s.Diagnostics, Checked: s.Checked,
		}, report.AckDetails{Verdict: templates.Checked})
	}
	report.JoinForecasts(acks)
	m := report.BuildMap(d.game.Rules, d.view, engine.Presentation{Marks: d.game.Rules.Overlays(d.view)})
	for i, a := range acks {
		for _, text := range a.Sums {
			out.Sums = append(out.Sums, sum{read.Sets[i].Ship, text})
		}
		if !a.Forecast.Empty() {
			m = a.Forecast
		}
	}
	out.Map, out.MapText, out.Who = templates.TouchSVG(m), templates.ASCIIMap(m), who(&m)
	return out, nil
}

// who describes the positions of the ships in lines, for people who do not see the map.
func who(m *templates.Map) string {
	var out strings.Builder
	for i := range m.Counters {
		c := &m.Counters[i]
		fmt.Fprintf(&out, "%s, %s, at %s", c.Name, c.SideName, c.Hex)
		if c.Heading >= 0 {
			fmt.Fprintf(&out, " heading %c", 'A'+c.Heading)
		}
		if c.Range > 0 {
			fmt.Fprintf(&out, ", range %d", c.Range)
			if c.Bearing != "" {
				fmt.Fprintf(&out, ", bearing %s", c.Bearing)
			}
		}
		switch {
		case c.Own:
			out.WriteString(", yours")
		case c.Ghost:
			out.WriteString(", last known there")
		case c.Dead:
			out.WriteString(", out of the fight")
		}
		out.WriteByte('\n')
	}
	return out.String()
}
