package manual

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/orders"
)

// rulings reads and applies the rulings of a section.
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

// ruling applies one ruling.
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

// onMap reports whether a place is on the map.
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
		t.Unclaimed() // only the referee knows what the roll was for
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
