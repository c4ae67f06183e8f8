//go:build !js

package report

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/templates"
)

// Played is a turn that was played, completely or in part.
type Played struct {
	Before, After *engine.Game // Before is nil for turn 0
	Events        []engine.Event
}

// BuildReplay builds the replay of a battle from its turns, in order. It calls viewer for
// each state that it shows, because ships come and go.
func BuildReplay(r *engine.Rules, turns []Played, whose string, viewer func(*engine.Game) (engine.Viewer, error)) (templates.Replay, error) {
	var out templates.Replay
	for _, p := range turns {
		t, err := replayTurn(r, p, viewer)
		if err != nil {
			return templates.Replay{}, fmt.Errorf("turn %d: %w", p.After.Turn, err)
		}
		out.Turns = append(out.Turns, t)
	}
	if len(turns) > 0 {
		g := turns[len(turns)-1].After
		out.Game, out.Title, out.Rules, out.Whose, out.Bounds = g.ID, g.Title, r.Title, whose, bounds(g.Bounds)
	}
	return out, nil
}

// stretch is a run of events of one phase that a viewer sees.
type stretch struct {
	phase int
	last  int // number of its last event in the view
	end   int // number of events of the turn, seen or not, up to its end
}

func replayTurn(r *engine.Rules, p Played, viewer func(*engine.Game) (engine.Viewer, error)) (templates.ReplayTurn, error) {
	who, err := viewer(p.After)
	if err != nil {
		return templates.ReplayTurn{}, err
	}
	builder := engine.NewViewBuilder(r, p.After, p.Events)
	v, err := builder.View(who)
	if err != nil {
		return templates.ReplayTurn{}, err
	}
	told := r.Present(v)
	end := BuildMap(r, v, told)
	head, shots := v, told
	if who.All { // the map shows every ship in full, but the headline is that of a viewer without a ship
		if head, err = builder.View(engine.Viewer{All: true}); err != nil {
			return templates.ReplayTurn{}, err
		}
		shots = r.Present(head)
	}
	out := templates.ReplayTurn{Turn: v.Turn, Headline: headline(head, shots), Map: end, Messages: messages(v)}
	chapters := make([]templates.Phase, 0, len(told.Phases))
	for _, c := range told.Phases {
		ph := templates.Phase{Title: c.Title}
		for _, l := range c.Lines {
			ph.Lines = append(ph.Lines, templates.Line{Text: l.Text, Cite: l.Cite, Depth: l.Depth, N: l.N})
		}
		chapters = append(chapters, ph)
	}
	runs := stretches(v, builder.Numbers(who))
	state, done := p.Before, 0
	names := map[string]int{}
	for i, run := range runs {
		m := templates.Moment{ID: momentID(v.Turn, run.phase, i == 0), Title: momentTitle(v.Turn, run.phase, i == 0, r.Counted), Map: end}
		if names[m.ID]++; names[m.ID] > 1 {
			m.ID += fmt.Sprintf(".%d", names[m.ID])
		}
		m.Told, chapters = toldUntil(chapters, run.last, i == len(runs)-1)
		if i < len(runs)-1 && state != nil {
			if state, err = engine.Replay(state, p.Events[done:run.end]); err != nil {
				return templates.ReplayTurn{}, err
			}
			done = run.end
			if m.Map, err = mapAt(r, state, viewer); err != nil {
				return templates.ReplayTurn{}, err
			}
		}
		m.Map.Shots = slices.DeleteFunc(slices.Clone(end.Shots), func(s templates.Shot) bool { return s.Phase != run.phase || run.phase == 0 && i > 0 })
		for k := range m.Map.Counters {
			c := &m.Map.Counters[k]
			c.Trail = way(&end, c, run.phase)
		}
		out.Moments = append(out.Moments, m)
	}
	return out, nil
}

// mapAt returns the map of a state in the middle of a turn.
func mapAt(r *engine.Rules, state *engine.Game, viewer func(*engine.Game) (engine.Viewer, error)) (templates.Map, error) {
	who, err := viewer(state)
	if err != nil {
		return templates.Map{}, err
	}
	v, err := engine.BuildView(r, state, nil, who)
	if err != nil {
		return templates.Map{}, err
	}
	return BuildMap(r, v, engine.Presentation{Marks: r.Overlays(v)}), nil
}

// stretches cuts the events of a view into phases. The cuts depend only on what the viewer
// sees: numbers holds each event's number in the view, 0 for unseen ones.
func stretches(v *engine.View, numbers []int) []stretch {
	var out []stretch
	for i, n := range numbers {
		if n == 0 {
			continue
		}
		phase := v.Events[n-1].Phase
		if len(out) == 0 || out[len(out)-1].phase != phase {
			if len(out) > 0 {
				out[len(out)-1].end = i
			}
			out = append(out, stretch{phase: phase})
		}
		out[len(out)-1].last = n
	}
	if len(out) == 0 {
		return []stretch{{end: len(numbers)}}
	}
	out[len(out)-1].end = len(numbers)
	return out
}

// toldUntil splits the chapters after the event number last, or takes all of them. Lines
// without a number belong to the line before them.
func toldUntil(in []templates.Phase, last int, all bool) (now, rest []templates.Phase) {
	for i, ph := range in {
		cut := slices.IndexFunc(ph.Lines, func(l templates.Line) bool { return l.N > last })
		if all || cut < 0 {
			now = append(now, ph)
			continue
		}
		if cut > 0 {
			now = append(now, templates.Phase{Title: ph.Title, Lines: ph.Lines[:cut]})
		}
		ph.Lines = ph.Lines[cut:]
		return now, append([]templates.Phase{ph}, in[i+1:]...)
	}
	return now, nil
}

// way returns a ship's trail in one phase, from the map at the end of the turn, which has
// the trails of the whole turn.
func way(end *templates.Map, c *templates.Counter, phase int) []templates.Step {
	i := slices.IndexFunc(end.Counters, func(o templates.Counter) bool { return o.ID == c.ID })
	if i < 0 || phase == 0 {
		return nil
	}
	trail := end.Counters[i].Trail
	from := slices.IndexFunc(trail, func(s templates.Step) bool { return s.Phase == phase })
	if from < 1 {
		return nil
	}
	to := from
	for to+1 < len(trail) && trail[to+1].Phase == phase {
		to++
	}
	return trail[from-1 : to]
}

func momentID(turn, phase int, first bool) string {
	switch {
	case phase > 0:
		return fmt.Sprintf("t%d.p%d", turn, phase)
	case first:
		return fmt.Sprintf("t%d", turn)
	}
	return fmt.Sprintf("t%d.end", turn)
}

func momentTitle(turn, phase int, first bool, counted string) string {
	if counted == "" {
		counted = "phase"
	}
	switch {
	case phase > 0:
		return fmt.Sprintf("Turn %d, %s %d", turn, counted, phase)
	case first && turn == 0:
		return "Before the battle"
	case first:
		return fmt.Sprintf("Turn %d begins", turn)
	}
	return fmt.Sprintf("Turn %d ends", turn)
}
