package referee

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/ruling"
	"starpost/orders"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Difference compares a new outcome of a turn with the old one.
type Difference struct {
	Turn    int                  `json:"turn"`
	Lines   []Line               `json:"lines"` // the differences, in the order of the turn
	Same    int                  `json:"same"`  // number of unchanged events
	Ships   []Change             `json:"ships"`
	Result  *Change              `json:"result,omitempty"` // the end of the game, if it differs
	Doubts  []doubt              `json:"doubts,omitempty"`
	Idle    []string             `json:"idle,omitempty"` // ships without orders for the turn: their standing orders applied
	Views   []engine.CaptainName `json:"views"`          // captains with different reports
	Forced  []string             `json:"forced,omitempty"`
	Because []string             `json:"because,omitempty"` // changes made in this turn
}

// Line is a changed event; "" for a missing one.
type Line struct {
	Phase int    `json:"phase"`
	Step  string `json:"step"`
	Was   string `json:"was,omitempty"`
	Is    string `json:"is,omitempty"`
}

// Change is an old and a new value.
type Change struct {
	What string `json:"what"`
	Was  string `json:"was"`
	Is   string `json:"is"`
}

// doubt is a stored order set that no longer fits the state.
type doubt struct {
	Name        string              `json:"name"`
	Diagnostics []orders.Diagnostic `json:"diagnostics"`
}

// Differ compares each turn of a rerun with its old outcome.
func Differ(r *engine.Rules, run *turn.Rerun) ([]Difference, error) {
	var out []Difference
	for i := range run.Turns {
		d, err := differ(r, &run.Turns[i])
		if err != nil {
			return nil, err
		}
		if i == 0 {
			d.Because = run.Change.Words()
		}
		out = append(out, d)
	}
	return out, nil
}

func differ(r *engine.Rules, t *turn.Redone) (Difference, error) {
	d := Difference{Turn: t.Turn, Lines: []Line{}, Ships: []Change{}, Idle: t.Idle}
	was, err := spell(r, t.Was)
	if err != nil {
		return d, err
	}
	is, err := spell(r, t.Is)
	if err != nil {
		return d, err
	}
	var gone, come []Line
	settle := func() {
		d.Lines = append(d.Lines, pair(gone, come)...)
		gone, come = nil, nil
	}
	for _, e := range turn.CompareLines(was, is) {
		if e.Same {
			settle()
			d.Same++
			continue
		}
		if e.A >= 0 {
			_, words, _ := strings.Cut(e.Was, keySep)
			gone = append(gone, Line{Phase: t.Was.Events[e.A].Phase, Step: t.Was.Events[e.A].Step, Was: words})
		}
		if e.B >= 0 {
			_, words, _ := strings.Cut(e.Is, keySep)
			come = append(come, Line{Phase: t.Is.Events[e.B].Phase, Step: t.Is.Events[e.B].Step, Is: words})
		}
	}
	settle()
	d.Ships = ships(t.Was.State, t.Is.State)
	if a, b := ended(t.Was.State), ended(t.Is.State); a != b {
		d.Result = &Change{What: "the battle", Was: cmp.Or(a, "goes on"), Is: cmp.Or(b, "goes on")}
	}
	for _, b := range t.Doubts {
		d.Doubts = append(d.Doubts, doubt{Name: b.Name, Diagnostics: b.Diagnostics})
	}
	for _, e := range t.Is.Events {
		if b, ok := e.Body.(*ruling.Ruled); ok && b.Force {
			d.Forced = append(d.Forced, b.What)
		}
	}
	d.Views, err = t.Affected(r)
	return d, err
}

// ended describes how a game ended; "" for one that runs.
func ended(g *engine.Game) string { return g.Result.Describe(g.SideName) }

// keySep separates the place of an event in the turn from its words, so that the same words in
// another phase are a different event.
const keySep = "\x00"

// spell describes the events of a turn, one line each.
func spell(r *engine.Rules, p turn.Played) ([]string, error) {
	s, err := engine.NewStory(r, p.Before, p.State, p.Events, nil, nil)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(p.Events))
	for i, e := range p.Events {
		var words []string
		for _, l := range s.Words(i) {
			words = append(words, l.Text)
		}
		out[i] = fmt.Sprintf("%d %s%s%s", e.Phase, e.Step, keySep, strings.Join(words, "; "))
	}
	return out, nil
}

// pair pairs removed lines with added ones of the same phase about the same thing, in the order of
// the turn.
func pair(gone, come []Line) []Line {
	var out []Line
	for _, w := range gone {
		i := slices.IndexFunc(come, func(l Line) bool { return l.Phase == w.Phase && l.Step == w.Step && about(l.Is) == about(w.Was) })
		for i >= 0 && len(come) > 0 && i > 0 {
			out = append(out, come[0])
			come, i = come[1:], i-1
		}
		if i == 0 {
			w.Is, come = come[0].Is, come[1:]
		}
		out = append(out, w)
	}
	out = append(out, come...)
	slices.SortStableFunc(out, func(a, b Line) int { return rank(a) - rank(b) })
	return out
}

// rank returns the place of a line's phase in the turn.
func rank(l Line) int {
	const last = 1 << 20
	if l.Phase == 0 && l.Step == "end" {
		return last
	}
	return l.Phase
}

// about returns the subject of a line of a turn: its words before the variable part.
func about(line string) string {
	words := strings.Fields(line)
	n := min(len(words), 3)
	if n == 3 && strings.ContainsAny(words[2], "0123456789") && !strings.Contains(words[2], "-") {
		n = 2
	}
	return strings.Join(words[:n], " ")
}

// ships returns the changes of ships, and of the sides' points.
func ships(was, is *engine.Game) []Change {
	out := []Change{}
	note := func(what, a, b string) {
		if a != b {
			out = append(out, Change{What: what, Was: a, Is: b})
		}
	}
	for _, a := range was.Ships {
		b, ok := is.Ship(a.ID)
		if !ok { // a small craft that was not launched
			note(a.Name+": status", string(a.Status), "not there")
			continue
		}
		note(a.Name+": status", string(a.Status), string(b.Status))
		note(a.Name+": place", a.Hex.Label()+" "+a.Heading.String(), b.Hex.Label()+" "+b.Heading.String())
		old, ok := a.System.(ruling.Editable)
		now, ok2 := b.System.(ruling.Editable)
		if !ok || !ok2 {
			continue
		}
		has := map[string]string{}
		for _, d := range old.Fields() {
			has[d.Name] = d.Now
		}
		for _, d := range now.Fields() {
			note(a.Name+": "+d.Name, has[d.Name], d.Now)
		}
	}
	for _, b := range is.Ships {
		if _, ok := was.Ship(b.ID); !ok {
			note(b.Name+": status", "not there", string(b.Status))
		}
	}
	for i, a := range was.Sides {
		note(a.Name+": points", fmt.Sprint(a.Total()), fmt.Sprint(is.Sides[i].Total()))
	}
	return out
}

// Print describes a difference, one item on each line.
func (d Difference) Print() []string {
	out := []string{fmt.Sprintf("turn %d: %s", d.Turn, d.summary())}
	add := func(format string, args ...any) { out = append(out, "  "+fmt.Sprintf(format, args...)) }
	for _, b := range d.Because {
		add("because of: %s", b)
	}
	for _, f := range d.Forced {
		add("by force: %s", f)
	}
	for _, b := range d.Doubts {
		for _, diag := range b.Diagnostics {
			add("the stored orders of %s no longer fit: %s", b.Name, diag)
		}
	}
	for _, name := range d.Idle {
		add("%s has no orders for this turn: its standing orders serve", name)
	}
	phase := -1
	for _, l := range d.Lines {
		if l.Phase != phase {
			phase = l.Phase
			title := "the whole turn"
			if phase > 0 {
				title = fmt.Sprintf("phase %d", phase)
			}
			add("%s", title)
		}
		if l.Was != "" {
			add("- %s", l.Was)
		}
		if l.Is != "" {
			add("+ %s", l.Is)
		}
	}
	for _, c := range d.Ships {
		add("%s was %s, is %s", c.What, c.Was, c.Is)
	}
	if d.Result != nil {
		add("%s: was: %s; is: %s", d.Result.What, d.Result.Was, d.Result.Is)
	}
	if len(d.Views) > 0 {
		add("it changes the reports of %s", blind.JoinNames(d.Views, ", "))
	} else if len(d.Lines)+len(d.Ships) > 0 {
		add("it changes no report")
	}
	return out
}

func (d Difference) summary() string {
	if len(d.Lines) == 0 && len(d.Ships) == 0 {
		return fmt.Sprintf("nothing differs, %d events are the same", d.Same)
	}
	n := len(d.Lines)
	events := fmt.Sprintf("%d events differ", n)
	if n == 1 {
		events = "1 event differs"
	}
	return fmt.Sprintf("%s, %d are the same", events, d.Same)
}

// Aside says what happens to the turns after those of a rerun; "" for nothing.
func Aside(g *vault.Game, run *turn.Rerun) string {
	switch {
	case run.Aside == 0 && run.Begun.Round == 0:
		return ""
	case run.Aside == 0:
		return fmt.Sprintf("what was played of turn %d of %s is set aside", run.Begun.Turn, g.ID())
	}
	last := run.Turns[len(run.Turns)-1]
	if run.Aside == last.Turn+1 {
		return fmt.Sprintf("turn %d of %s is set aside", run.Aside, g.ID())
	}
	return fmt.Sprintf("turns %d to %d of %s are set aside", last.Turn+1, run.Aside, g.ID())
}
