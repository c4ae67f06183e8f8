package manual

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/orders"
)

// step is one step of a filed turn.
type step func(t *engine.Turn)

// planner plays a filing on a copy of the game, and keeps the steps of it.
type planner struct {
	g     *engine.Game
	steps []step
	last  step // that ends the game
	rolls map[string]bool
	hexes map[engine.ShipID]int // that a ship has moved
	lang  *orders.Language      // of rulings, once there are some
	diags []orders.Diagnostic
}

func (p *planner) fail(pos orders.Pos, code, hint, format string, args ...any) {
	p.diags = append(p.diags, orders.Diagnostic{Pos: pos, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (p *planner) warn(pos orders.Pos, code, hint, format string, args ...any) {
	p.diags = append(p.diags, orders.Diagnostic{Pos: pos, Severity: orders.Warning, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// emit takes a step now and keeps it.
func (p *planner) emit(pos orders.Pos, body engine.Body, see engine.See) {
	if err := engine.Change(p.g, body); err != nil {
		p.fail(pos, "E310", "", "this cannot be: %v", err)
		return
	}
	p.steps = append(p.steps, func(t *engine.Turn) {
		switch b := body.(type) {
		case *engine.Move:
			t.Because(t.OrderedIn(b.Ship, "", "do"))
		case *Shot:
			t.Because(t.OrderedIn(b.Ship, "", "do"))
		case *engine.Score:
			if t.Game.Blind != nil {
				t.Score(b.Side, b.Points, b.Why, see, cite)
				return
			}
		}
		t.Emit(body, see, cite)
		lookAfter(t, body)
	})
}

func (p *planner) finish() {
	if p.g.Blind != nil {
		p.lookRound()
	}
	if p.last != nil {
		p.steps = append(p.steps, p.last)
	}
}

// part begins another part of the report.
func (p *planner) part(s section) {
	if utf8.RuneCountInString(s.name) > maxTitle {
		p.fail(s.named, "E303", "", "the title has more than %d characters", maxTitle)
		return
	}
	if len(s.lines) > 0 && len(paragraphs(s.lines)) > 0 {
		p.fail(orders.Pos{Line: s.lines[0].N, Col: 1}, "E304", "put "+markAll+" above what everybody is to read", "nothing says for whom this is")
	}
	if s.name != "" {
		p.emit(s.pos, &Part{Title: s.name}, engine.SeeAll())
	}
}

// told keeps a text.
func (p *planner) told(s section, to string, see engine.See) {
	text := paragraphs(s.lines)
	if len(text) == 0 {
		p.warn(s.pos, "W302", "", "there is no text below %s", strings.TrimSpace(s.mark+" "+s.name))
		return
	}
	p.emit(s.pos, &Told{To: to, Text: text}, see)
}

// crew is the captains of a side.
func (p *planner) crew(side string) engine.See { return engine.SeeOnly(p.shipsOf(side)...) }

// shipsOf are the ships of a side.
func (p *planner) shipsOf(side string) (ids []engine.ShipID) {
	for _, s := range p.g.Ships {
		if s.Side == side {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// ship finds a ship by name, id or short name.
func (p *planner) ship(name string, pos orders.Pos) (*engine.Ship, bool) {
	s, near, ok := engine.FindShip(p.g.Ships, name)
	if ok {
		return s, true
	}
	if name == "" {
		return nil, false // told already
	}
	p.fail(pos, "E305", hint(near, "the ships", p.shipNames()), "there is no ship %q", name)
	return nil, false
}

func (p *planner) shipNames() []string {
	var out []string
	for _, s := range p.g.Ships {
		out = append(out, s.Name)
	}
	return out
}

// side finds a side by id or name.
func (p *planner) side(name string, pos orders.Pos) (*engine.Side, bool) {
	var ids []string
	for i := range p.g.Sides {
		sd := &p.g.Sides[i]
		if strings.EqualFold(sd.ID, name) || strings.EqualFold(sd.Name, name) {
			return sd, true
		}
		ids = append(ids, sd.ID)
	}
	if name != "" {
		p.fail(pos, "E305", hint(orders.Suggest(name, ids), "the sides", ids), "there is no side %q", name)
	}
	return nil, false
}

// who finds ships by the name of one, of a side, "all" or "nobody".
func (p *planner) who(a orders.Arg) (ids []engine.ShipID, all, ok bool) {
	switch lower(a.Text) {
	case "all":
		for _, s := range p.g.Ships {
			ids = append(ids, s.ID)
		}
		return ids, true, true
	case "nobody":
		return nil, false, true
	}
	for _, sd := range p.g.Sides {
		if strings.EqualFold(sd.ID, a.Text) || strings.EqualFold(sd.Name, a.Text) {
			return p.shipsOf(sd.ID), false, true
		}
	}
	s, near, found := engine.FindShip(p.g.Ships, a.Text)
	if !found {
		known := p.shipNames()
		for _, sd := range p.g.Sides {
			known = append(known, sd.ID)
		}
		if near == "" {
			near = orders.Suggest(a.Text, append(known, "all", "nobody"))
		}
		p.fail(a.Pos, "E305", hint(near, "ships and sides", append(known, "all", "nobody")), "there is no ship or side %q", a.Text)
		return nil, false, false
	}
	return []engine.ShipID{s.ID}, false, true
}

func hint(near, what string, known []string) string {
	switch {
	case near != "":
		return fmt.Sprintf("did you mean %q?", near)
	case len(known) > 12:
		return ""
	}
	return what + ": " + strings.Join(known, ", ")
}

// rulings reads and takes the rulings of a section.
func (p *planner) rulings(s section) {
	raw := orders.Raw{Lines: s.lines, Start: s.pos, End: s.pos}
	if p.lang == nil {
		p.lang = rulingsLanguage()
	}
	block, ds := raw.Parse(p.lang)
	for _, d := range ds {
		if d.Code == orders.CodeEmptyBlock {
			d.Code, d.Message, d.Hint = "W302", "there is no ruling below "+markRulings, ""
		}
		p.diags = append(p.diags, d)
	}
	g, _ := block.Group("", 0)
	for _, st := range g.Statements {
		p.ruling(st)
	}
}

// ruling takes one ruling.
func (p *planner) ruling(st orders.Statement) {
	arg := func(name string) orders.Arg {
		a, _ := st.Arg(name)
		return a
	}
	var s *engine.Ship
	if name, ok := st.Arg("SHIP"); ok {
		if s, ok = p.ship(name.Text, name.Pos); !ok {
			return
		}
	}
	switch st.Verb {
	case "move":
		to := engine.Place{Hex: s.Hex, Heading: s.Heading}
		to.Hex, _ = hex.ParseLabel(arg("HEX").Text)
		if a, ok := st.Arg("HEADING"); ok {
			to.Heading, _ = hex.ParseHeading(a.Text)
		}
		p.move(st, s, to, arg("HEX").Pos)
	case "turn":
		to := engine.Place{Hex: s.Hex}
		to.Heading, _ = hex.ParseHeading(arg("HEADING").Text)
		p.move(st, s, to, arg("HEADING").Pos)
	case "enter":
		p.enter(st, s)
	case "set", "change", "track":
		p.mark(st, s)
	case "out":
		p.out(st, s)
	case "see":
		p.see(st, s)
	case "roll":
		p.roll(st)
	case "shot":
		if target, ok := p.ship(arg("TARGET").Text, arg("TARGET").Pos); ok {
			if target == s {
				p.fail(arg("TARGET").Pos, "E306", "", "%s cannot fire at itself", s.Name)
				return
			}
			p.emit(st.Pos, &Shot{Ship: s.ID, Target: target.ID, Hit: arg("RESULT").Text == "hit", With: arg("WORDS").Text}, onlookers(p.g, s, target))
			if arg("RESULT").Text == "hit" && target.Small() {
				p.steps = append(p.steps, func(t *engine.Turn) {
					if hit, there := t.Game.Ship(target.ID); there && hit.Status == engine.Active {
						t.Out(hit, engine.Destroyed, "any hit destroys a probe", nil, dark.LaunchesProbes)
					}
				})
			}
		}
	case "score":
		if sd, ok := p.side(arg("SIDE").Text, arg("SIDE").Pos); ok {
			points := arg("POINTS").Num + arg("CHANGE").Num
			why := arg("WORDS").Text
			if why == "" {
				why = "the referee's ruling"
			}
			see := engine.SeeAll()
			if p.g.Blind != nil {
				see = p.crew(sd.ID)
			}
			p.emit(st.Pos, &engine.Score{Side: sd.ID, Points: points, Why: why}, see)
		}
	case "mark", "unmark":
		p.chart(st)
	case "end":
		p.end(st)
	}
}

// onMap reports whether a place can be taken.
func (p *planner) onMap(h hex.Hex, pos orders.Pos) bool {
	if p.g.Bounds == nil || p.g.Bounds.Contains(h) {
		return true
	}
	p.fail(pos, "E307", "a ship that has left: out SHIP left", "%s is outside the map of %d columns and %d rows", h.Label(), p.g.Bounds.Cols, p.g.Bounds.Rows)
	return false
}

func (p *planner) move(st orders.Statement, s *engine.Ship, to engine.Place, pos orders.Pos) {
	from := engine.Place{Hex: s.Hex, Heading: s.Heading}
	switch {
	case !s.Status.OnMap():
		p.fail(st.Pos, "E306", "to bring it in: enter "+s.Name+" HEX HEADING", "%s is not on the map (%s)", s.Name, s.Status)
		return
	case !p.onMap(to.Hex, pos):
		return
	case from == to:
		p.warn(st.Pos, "W303", "", "%s is at %s heading %s already", s.Name, to.Hex.Label(), to.Heading)
	}
	p.hexes[s.ID] += hex.Distance(from.Hex, to.Hex)
	p.emit(st.Pos, &engine.Move{Ship: s.ID, Word: st.Verb, From: from, To: to}, onlookers(p.g, s))
}

func (p *planner) enter(st orders.Statement, s *engine.Ship) {
	place, _ := st.Arg("HEX")
	heading, _ := st.Arg("HEADING")
	var to engine.Place
	to.Hex, _ = hex.ParseLabel(place.Text)
	to.Heading, _ = hex.ParseHeading(heading.Text)
	switch {
	case s.Status == engine.Active:
		p.fail(st.Pos, "E306", "to put it elsewhere: move "+s.Name+" "+place.Text, "%s is in the fight already", s.Name)
	case p.onMap(to.Hex, place.Pos):
		p.emit(st.Pos, &Enter{Ship: s.ID, To: to}, onlookers(p.g, s))
	}
}

func (p *planner) mark(st orders.Statement, s *engine.Ship) {
	name, _ := st.Arg("TRACK")
	value, _ := st.Arg("VALUE")
	m := &Mark{Ship: s.ID, Track: lower(name.Text), After: value.Num, Of: value.Num}
	t, known := of(s).track(m.Track)
	if known {
		m.Before, m.Of = t.Now, t.Of
	}
	switch {
	case st.Verb == "track" && known:
		p.fail(name.Pos, "E308", fmt.Sprintf("set %s %s %d", s.Name, t.Name, value.Num), "%s has a track %s already", s.Name, t.Name)
		return
	case st.Verb == "track":
		m.New = true
		if a, ok := st.Arg("MOST"); ok {
			m.Of = a.Num
		}
		if !trackName(name.Text) || m.Track == "hidden" {
			p.fail(name.Pos, "E308", "such as fire, or shields.7", "a track cannot be called %q", name.Text)
			return
		}
		if len(of(s).Tracks) >= maxTracks {
			p.fail(name.Pos, "E308", "", "%s has %d tracks, and can have no more", s.Name, maxTracks)
			return
		}
	case !known:
		names := of(s).names()
		way := hint(orders.Suggest(m.Track, names), "its tracks", names)
		if len(names) == 0 {
			way = "it has none; for a new one: track " + s.Name + " " + m.Track + " VALUE"
		}
		p.fail(name.Pos, "E308", way, "%s has no track %q", s.Name, name.Text)
		return
	case st.Verb == "change":
		change, _ := st.Arg("CHANGE")
		m.After = t.Now + change.Num
		value.Pos = change.Pos
	}
	switch {
	case m.After > maxTrack || m.After < -maxTrack:
		p.fail(value.Pos, "E309", "", "%s of %s would be %d; at most %d is kept", m.Track, s.Name, m.After, maxTrack)
		return
	case m.After > m.Of:
		p.warn(value.Pos, "W304", "", "%s of %s is %d now, more than the %d it can hold", m.Track, s.Name, m.After, m.Of)
	case m.After < 0 && m.Before >= 0:
		p.warn(value.Pos, "W304", "", "%s of %s is %d now, less than nothing", m.Track, s.Name, m.After)
	case m.After == m.Before && !m.New:
		p.warn(st.Pos, "W303", "", "%s of %s is %d already", m.Track, s.Name, m.After)
	}
	p.emit(st.Pos, m, sheetSee(p.g, s))
}

func (p *planner) out(st orders.Statement, s *engine.Ship) {
	status, _ := st.Arg("STATUS")
	why, _ := st.Arg("WORDS")
	edge, hasEdge := st.Arg("EDGE")
	id, to := s.ID, engine.Status(status.Text)
	var edges []string
	if s.Status == to {
		p.warn(st.Pos, "W303", "", "%s is %s already", s.Name, to)
	} else if slices.Contains([]engine.Status{engine.Left, engine.Surrendered, engine.Destroyed}, s.Status) {
		p.warn(st.Pos, "W305", "", "%s was %s and becomes %s", s.Name, s.Status, to)
	}
	if hasEdge {
		if to != engine.Left {
			p.fail(edge.Pos, "E306", "leave it out", "only a ship that has left did so by an edge")
			return
		}
		edges = []string{edge.Text}
	}
	if err := (&engine.Out{Ship: id, Why: to, How: why.Text, Edge: edges}).Apply(p.g); err != nil {
		p.fail(st.Pos, "E310", "", "this cannot be: %v", err)
		return
	}
	p.steps = append(p.steps, func(t *engine.Turn) {
		if ship, ok := t.Game.Ship(id); ok {
			t.Out(ship, to, why.Text, edges, cite)
		}
	})
}

func (p *planner) see(st orders.Statement, s *engine.Ship) {
	who, _ := st.Arg("WHO")
	seen, _ := st.Arg("SEEN")
	ids, _, ok := p.who(who)
	switch dark := p.g.Blind != nil; {
	case !ok:
		return
	case !dark && seen.Text != "yes" && seen.Text != "no":
		p.fail(seen.Pos, "E306", "write yes or no", "in this game all see the map: a ship is seen or not, and no sensors show a part of it")
		return
	case dark:
		p.show(st, s, ids, seen.Text)
		return
	}
	changed := false
	for _, id := range ids {
		w, _ := p.g.Ship(id)
		if w == s || sees(w, s) == (seen.Text == "yes") {
			continue
		}
		changed = true
		p.emit(st.Pos, &sighted{Ship: s.ID, By: id, Name: s.Name, Seen: seen.Text == "yes"}, engine.SeeOnly(id))
	}
	if !changed {
		p.warn(st.Pos, "W303", "", "that is how it is already")
	}
}

func (p *planner) roll(st orders.Statement) {
	name, _ := st.Arg("NAME")
	die, _ := st.Arg("DIE")
	see := engine.SeeAll()
	if p.g.Blind != nil {
		see = engine.See{}
	}
	if a, ok := st.Arg("WHO"); ok {
		ids, all, ok := p.who(a)
		if !ok {
			return
		}
		if !all {
			see = engine.SeeOnly(ids...)
		}
	}
	key := lower(name.Text)
	if strings.HasPrefix(key, "lab.") || strings.HasPrefix(key, "name.") {
		p.fail(name.Pos, "E309", "another name, such as "+strings.Replace(key, ".", "-", 1), "the program throws dice of such names itself")
		return
	}
	if p.rolls[key] {
		p.fail(name.Pos, "E309", "give each roll a name of its own: "+key+".2", "there is a roll %s already; it would have the same value", key)
		return
	}
	p.rolls[key] = true
	d := dieOf(die.Text)
	p.steps = append(p.steps, func(t *engine.Turn) {
		t.Roll(engine.NameRoll(key), d, see, cite)
		t.Unclaimed() // what the referee made of it only he knows
	})
}

func (p *planner) chart(st orders.Statement) {
	name, _ := st.Arg("NAME")
	key := lower(name.Text)
	old, known := p.g.Feature(key)
	known = known && !old.Gone
	if st.Verb == "unmark" {
		if !known {
			var ids []string
			for _, f := range p.g.Terrain {
				if !f.Gone {
					ids = append(ids, f.ID)
				}
			}
			p.fail(name.Pos, "E305", hint(orders.Suggest(key, ids), "what is there", ids), "there is nothing called %q on the map", name.Text)
			return
		}
		gone := *old
		gone.Gone = true
		p.emit(st.Pos, &engine.Charted{Feature: gone}, engine.SeeAll())
		return
	}
	kind, _ := st.Arg("KIND")
	f := engine.Feature{ID: key, Kind: kind.Text, Name: name.Text}
	for _, a := range st.All("HEX") {
		h, _ := hex.ParseLabel(a.Text)
		if !p.onMap(h, a.Pos) {
			return
		}
		if !slices.Contains(f.Hexes, h) {
			f.Hexes = append(f.Hexes, h)
		}
	}
	p.emit(st.Pos, &engine.Charted{Feature: f}, engine.SeeAll())
}

func (p *planner) end(st orders.Statement) {
	why, _ := st.Arg("WORDS")
	won := &engine.Won{Why: why.Text}
	if won.Why == "" {
		won.Why = "the referee's ruling"
	}
	if a, ok := st.Arg("SIDE"); ok {
		sd, ok := p.side(a.Text, a.Pos)
		if !ok {
			return
		}
		won.Side = sd.ID
	} else {
		won.Draw = true
	}
	if p.last != nil {
		p.fail(st.Pos, "E309", "keep one of the two", "the game is ended twice")
		return
	}
	p.last = func(t *engine.Turn) { t.Emit(won, engine.SeeAll(), cite) }
}
