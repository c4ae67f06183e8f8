package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/ruling"
	"starpost/orders"
	"starpost/templates"
)

// build builds the report of a view.
func build(r *engine.Rules, v *engine.View, f Meta, p engine.Presentation) templates.Report {
	out := templates.Report{
		Game: v.Game, Title: v.Title, Rules: v.Rules + " " + v.Version, Turn: v.Turn, Phase: v.Round,
		Captain: string(v.Viewer.Captain), Headline: headline(v, p), Notices: notices(v, f),
		Owed: owed(v, f, r.First != nil), Map: BuildMap(r, v, p), Rulings: append(slices.Clone(f.Rulings), rulings(v)...), Messages: messages(v),
		Orders: Template(r, v, f.Key, f.Teach), Commit: f.Commit, Secret: f.Secret, Record: f.Record, Dice: aboutDice(v, f), Over: over(v),
		Panels: append(battle(v, f), panels(p.Panels)...), Compose: f.Compose.Address, ComposeFile: f.Compose.File,
	}
	if s, ok := v.Ship(v.Viewer.Focus); ok {
		out.Ship, out.ShipTitle = s.Name, shipTitle(s)
	}
	out.Contacts, out.Panels = listed(v, &out.Map, out.Panels)
	out.Phases, out.Elsewhere = told(v, p.Phases)
	out.Since = f.Since
	out.Reading = reading(v, f, out.Phases)
	return out
}

// listed takes the list of contacts out of the panels, because it is drawn beside the map, and marks the counters
// that are on it, so that the map's legend can omit them.
func listed(v *engine.View, m *templates.Map, in []templates.Panel) (list, rest []templates.Panel) {
	at := slices.IndexFunc(in, func(p templates.Panel) bool { return p.Key == dark.KeyContacts })
	if at < 0 {
		return nil, in
	}
	for i := range m.Counters {
		c := &m.Counters[i]
		s, ok := v.Ship(engine.ShipID(c.ID))
		c.Listed = ok && dark.IsListed(s)
	}
	return in[at : at+1], slices.Concat(in[:at], in[at+1:])
}

func shipTitle(s *engine.ShipView) string {
	if s.Title == s.Name || s.Title == "" {
		return s.Class
	}
	return s.Title + ", " + s.Class
}

// battle returns the briefing panels of the first report. The victory
// conditions come from the rule set.
func battle(v *engine.View, f Meta) []templates.Panel {
	var out []templates.Panel
	if v.Turn > 0 || len(f.Briefing) == 0 && !v.Dark {
		return nil
	}
	if len(f.Briefing) > 0 {
		out = append(out, templates.Panel{Key: "battle", Title: "The battle", Notes: f.Briefing})
	}
	if len(f.Station) > 0 {
		out = append(out, templates.Panel{Key: "station", Title: "What you do", Notes: f.Station})
	}
	return out
}

// PanelsText renders panels as plain text.
func PanelsText(in []engine.Panel) string { return templates.PanelsText(panels(in)) }

func panels(in []engine.Panel) []templates.Panel {
	out := make([]templates.Panel, 0, len(in))
	for _, p := range in {
		t := templates.Panel{Key: p.Key, Title: p.Title, Notes: p.Notes, Rows: p.Rows}
		for _, c := range p.Columns {
			t.Columns = append(t.Columns, templates.Column{Name: c.Name, Right: c.Right})
		}
		for _, b := range p.Boxes {
			t.Boxes = append(t.Boxes, templates.BoxRow(b))
		}
		out = append(out, t)
	}
	return out
}

// Template returns the order template: one block, ready to be sent back, for each seat of the
// viewer that must or may still give orders; "" if there are none. Key may be "". With teach,
// the blocks hold the rule set's teaching orders for a first turn.
func Template(r *engine.Rules, v *engine.View, key string, teach bool) string {
	var b strings.Builder
	for _, s := range v.Ships {
		if !s.Own || v.Due == 0 || !r.Commands(&engine.Ship{Status: s.Status}) {
			continue
		}
		for _, seat := range v.Viewer.SeatsOn(s.ID) {
			if v.IsFree(seat) {
				continue
			}
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(OrderBlock(v, s, seat.Post, key, Offered(r, v.From(seat), s.ID, teach)))
		}
	}
	return b.String()
}

// Offered returns the order set to suggest for a ship. With teach it is the rule set's teaching
// set for a first turn, if there is one.
func Offered(r *engine.Rules, v *engine.View, ship engine.ShipID, teach bool) orders.Set {
	if teach && r.First != nil {
		if set := r.First(v, ship); len(set) > 0 {
			return set
		}
	}
	return r.Template(v, ship)
}

// noOrders says why the viewer owes no orders for one of their ships.
func noOrders(v *engine.View, s *engine.ShipView) string {
	for _, seat := range v.Viewer.SeatsOn(s.ID) {
		if slices.Contains(s.Relieved, seat.Post) {
			return fmt.Sprintf("You are relieved as %s of %s: her captain gives the orders of the post until you are reinstated.", seat.Post, s.Name)
		}
	}
	return s.Name + " needs no orders this time."
}

// OrderBlock returns the text of an order set for a post, with its first and last lines. The captain's post is "".
func OrderBlock(v *engine.View, s *engine.ShipView, post, key string, set orders.Set) string {
	return set.With(orders.Head{Game: v.Game, Turn: v.Due, Phase: v.DueRound(), Kind: cmp.Or(post, "ship"), Name: s.Name, Key: key})
}

// headline sums up the turn in one line.
func headline(v *engine.View, p engine.Presentation) string {
	if v.Result != nil {
		return ended(v)
	}
	if v.Turn == 0 {
		if v.Rounds > 0 {
			return "The ships are in place. The battle begins with the orders for turn 1, phase 1."
		}
		return "The ships are in place. The battle begins with the orders for turn 1."
	}
	var parts []string
	if p.Headline != "" {
		parts = append(parts, p.Headline)
	} else {
		parts = fire(v, p.Shots)
	}
	for _, e := range v.Events {
		if o, ok := e.Body.(*engine.Out); ok {
			parts = append(parts, v.Name(o.Ship)+" "+wayOut(o.Why))
		}
	}
	const most = 5
	if len(parts) > most {
		parts = append(parts[:most-1], fmt.Sprintf("%d ships more out of the fight", len(parts)-most+1))
	}
	return UpperFirst(strings.Join(parts, "; ")) + "."
}

func wayOut(s engine.Status) string {
	switch s {
	case engine.Left:
		return "left"
	case engine.Surrendered:
		return "surrendered"
	case engine.Crippled, engine.Destroyed, engine.Active, engine.Waiting:
		return "was " + string(s)
	}
	return "is out"
}

func plural(n int, word string) string {
	if n == 0 {
		return "no " + word
	}
	return Count(n, word)
}

// Count returns a number of things in words: "1 turn", "2 turns".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// fire counts shots and hits: by the reader, at the reader, and elsewhere. For a
// reader without a ship it counts them by side.
func fire(v *engine.View, shots []engine.Shot) []string {
	if len(shots) == 0 {
		if v.Dark {
			return []string{"you saw no fire"}
		}
		return []string{"no shots were fired"}
	}
	type count struct {
		what                string
		shots, hits, points int
	}
	counts := []count{{what: "your fire"}, {what: "fire at you"}, {what: "elsewhere"}}
	captain := slices.ContainsFunc(v.Ships, func(s *engine.ShipView) bool { return s.Own })
	if !captain {
		counts = counts[:0]
		for _, s := range v.Sides {
			counts = append(counts, count{what: s.Name})
		}
	}
	own := func(id engine.ShipID) bool {
		s, ok := v.Ship(id)
		return ok && s.Own
	}
	of := func(s engine.Shot) int {
		switch from, ok := v.Ship(s.From); {
		case !captain:
			return slices.IndexFunc(v.Sides, func(sd engine.Side) bool { return ok && sd.ID == from.Side })
		case own(s.From):
			return 0
		case own(s.To):
			return 1
		}
		return 2
	}
	for _, s := range shots {
		if i := of(s); i >= 0 {
			counts[i].shots++
			if s.Hit {
				counts[i].hits++
				counts[i].points += s.Points
			}
		}
	}
	var parts []string
	for _, c := range counts {
		if c.shots > 0 {
			part := c.what + ": " + hits(c.hits, c.shots)
			if c.points > 0 {
				part += ", " + Count(c.points, "point")
			}
			parts = append(parts, part)
		}
	}
	switch {
	case !captain || counts[0].shots > 0:
	case counts[1].shots == 0:
		parts = append([]string{"you did not fire and were not fired at"}, parts...)
	default:
		parts = append([]string{"you did not fire"}, parts...)
	}
	return parts
}

// hits says how many of some shots hit.
func hits(n, of int) string {
	shots := Count(of, "shot")
	if of > 1 {
		shots = "all " + shots
	}
	switch n {
	case 0:
		return shots + " missed"
	case of:
		return shots + " hit"
	}
	return fmt.Sprintf("%d of %d shots hit", n, of)
}

// UpperFirst returns s with its first letter in upper case.
func UpperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// ended sums up the end of the battle in one line: whether the captain won, or who won for other viewers.
func ended(v *engine.View) string {
	after := fmt.Sprintf("The battle is over after turn %d.", v.Result.Turn)
	side := ""
	for _, s := range v.Ships {
		if s.Own && side != "" && s.Side != side { // the captain has ships on both sides
			return after + " " + over(v)
		} else if s.Own {
			side = s.Side
		}
	}
	switch {
	case side == "" || v.Result.Draw:
		return after + " " + over(v)
	case side == v.Result.Side:
		return "You have won. " + after
	}
	return "You have lost. " + after
}

// over returns the result in one line, or "" while the game goes on.
func over(v *engine.View) string {
	if v.Result == nil {
		return ""
	}
	return v.Result.Describe(v.SideName) + "."
}

func notices(v *engine.View, f Meta) []string {
	out := append(slices.Concat(f.Corrected, f.Stopped), f.Referees...)
	if f.Seeded {
		out = append(out, "The dice of this game come from a seed number and can be predicted: it is a test or a demonstration.")
	}
	if f.Replay {
		out = append(out, "The whole battle is attached as a page that replays it phase by phase. Save it and open it in a browser; it needs no network. A page larger than 1 MB is not attached: reply with replay as the first line to get it.")
	}
	if v.Result == nil {
		for _, s := range v.Ships {
			if !s.Own {
				continue
			}
			switch s.Status {
			case engine.Active:
				if !v.Owes(s) {
					out = append(out, noOrders(v, s))
				}
			case engine.Waiting:
				out = append(out, fmt.Sprintf("%s enters the map in turn %d.", s.Name, s.Arrives))
			case engine.Crippled, engine.Destroyed, engine.Left, engine.Surrendered:
				out = append(out, fmt.Sprintf("%s %s and needs no more orders.", s.Name, wayOut(s.Status)))
			}
		}
	}
	return out
}

// aboutDice says where the dice come from and, before the first turn, how a captain can add to them.
func aboutDice(v *engine.View, f Meta) string {
	if f.Seeded || !f.Luck || v.Turn > 0 || v.Due == 0 {
		return f.Dice
	}
	return strings.TrimSpace(f.Dice + " If you like, add a line of your own to your first orders, such as `luck the owl flies at noon`. It is mixed into every die of this game. The host's secret was fixed before (its hash is here), so nobody can have picked it to match.")
}

// owed says which orders to send. With sound, the rule set has teaching orders, which a beginner can send unchanged.
func owed(v *engine.View, f Meta, sound bool) templates.OrdersDue {
	var o templates.OrdersDue
	if v.Due == 0 {
		return o
	}
	for _, s := range v.Ships {
		for _, seat := range v.Owed(s) {
			o.What = append(o.What, "orders for "+engine.OrderSetName(s.Name, seat.Post))
		}
	}
	if len(o.What) == 0 {
		return o
	}
	o.Turn, o.Phase, o.Missing = v.Due, v.DueRound(), f.Missing
	if !f.Deadline.IsZero() {
		o.Deadline, o.Left = TimeFor(f.Deadline, f.Zone, f.Own), TimeLeft(f.Now, f.Deadline)
	}
	if f.Room {
		o.HowTo = append(o.HowTo, "The deadline makes room for a captain who is away.")
	}
	if f.Opening {
		o.HowTo = append(o.HowTo, "The game has not begun, so there is no deadline yet. When it begins you will be told the deadline; you may already send orders.")
	}
	if f.Council != "" {
		o.HowTo = append(o.HowTo, f.Council)
	}
	if f.Teach && sound {
		o.HowTo = append(o.HowTo, "Your first battle? Send the order set as it is: it is a sensible one, and the next report shows what it did.")
	}
	if f.Robot != "" {
		o.HowTo = append(o.HowTo, fmt.Sprintf("Reply with the order set below, edited as you like, or send it to %s. Keep its first and last lines.", f.Robot),
			"Send help, as the first line of a mail, for a list of commands.")
	} else {
		o.HowTo = append(o.HowTo, "Write the order set below, edited as you like, into the game's orders folder.")
	}
	return o
}

// rulings returns the turn's rulings that the viewer may know of.
func rulings(v *engine.View) []templates.Note {
	var out []templates.Note
	for _, e := range v.Events {
		b, ok := e.Body.(*ruling.Ruled)
		if !ok {
			continue
		}
		note := templates.Note{From: b.By, Title: UpperFirst(b.Change(v.Name)), Text: []string{b.Why}}
		// One ruling may change several things.
		if n := len(out); n > 0 && out[n-1].From == note.From && slices.Equal(out[n-1].Text, note.Text) {
			out[n-1].Title += "; " + b.Change(v.Name)
			continue
		}
		out = append(out, note)
	}
	return out
}

// messages returns the captains' messages among the events.
func messages(v *engine.View) []templates.Note {
	var out []templates.Note
	for _, e := range v.Events {
		if h, ok := e.Body.(*dark.Overheard); ok {
			out = append(out, templates.Note{From: h.Who(v), Title: h.How(), Text: []string{strings.Join(h.Text, "\n")}})
		}
		t, ok := e.Body.(*engine.Talk)
		if !ok {
			continue
		}
		to := t.To
		if s, ok := v.Ship(engine.ShipID(strings.ToLower(to))); ok {
			to = s.Name
		}
		out = append(out, templates.Note{From: engine.OrderSetName(v.Name(t.Ship), t.Post), Title: t.How(v, to), Text: []string{strings.Join(t.Lines(), "\n")}})
	}
	return out
}
