package referee

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Trace is the causes and effects of an event, for referees only.
type Trace struct {
	Game string `json:"game"`
	Turn int    `json:"turn"`
	// Revision is the resolution of the turn: 1 for the first.
	Revision int `json:"revision"`
	// Version is that of the rule set used, if the program has another.
	Version string `json:"version,omitempty"`
	Event   int    `json:"event"` // its number in the full record
	// Seen is the number in each captain's report, for captains who see it.
	Seen   map[engine.CaptainName]int `json:"seen,omitempty"`
	Orders []OrderLine                `json:"orders,omitempty"` // orders that led to it, in order of the steps
	Before []Link                     `json:"before,omitempty"` // its causes, oldest first
	Link   Link                       `json:"step"`
	After  []Link                     `json:"after,omitempty"` // its effects, in order
	// Unexplained says why the causes of the event are unknown.
	Unexplained string `json:"unexplained,omitempty"`
	// Later are ships in the chain that left the fight in a later turn: the event may have
	// contributed to their loss.
	Later []string `json:"later,omitempty"`
}

// Link is a step of a chain.
type Link struct {
	Told
	Why    []string    `json:"why,omitempty"`    // explanation by the rules
	Dice   []Die       `json:"dice,omitempty"`   // rolled for it
	Orders []OrderLine `json:"orders,omitempty"` // that asked for it
}

// OrderLine is a line of an order set, with the mail that brought it.
type OrderLine struct {
	Set   string `json:"set"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Text  string `json:"text"`
	Mail  *Mail  `json:"mail,omitempty"`
	Proof string `json:"proof,omitempty"`
	// Policy means that the set is not the captain's own.
	Policy string `json:"policy,omitempty"`
}

// errNoEvent means that a turn has no such event.
var errNoEvent = errors.New("the turn has no such event")

// EventOf returns the number in the full record of an event that has the given number in a
// captain's report of a turn; ship is any of the captain's. The error is errNoEvent, or a
// *turn.UnknownShipError.
func EventOf(g *vault.Game, n int, ship string, number int) (int, error) {
	v, err := turn.ViewAt(g, vault.At(n), ship)
	if err != nil {
		return 0, err
	}
	if number < 1 || number > len(v.Events) {
		return 0, noEvent(fmt.Sprintf("the report of turn %d for %s has no event %d", n, ship, number), len(v.Events))
	}
	events, err := g.Stages.Events(vault.At(n))
	if err != nil {
		return 0, err
	}
	after, err := g.Stages.State(vault.At(n))
	if err != nil {
		return 0, err
	}
	for i, k := range engine.NewViewBuilder(g.Rules(), after, events).Numbers(v.Viewer) {
		if k == number {
			return events[i].Seq, nil
		}
	}
	return 0, noEvent(fmt.Sprintf("the report of turn %d for %s has no event %d", n, ship, number), len(v.Events))
}

func noEvent(problem string, most int) error {
	way := "it has none"
	if most > 0 {
		way = fmt.Sprintf("its events are 1 to %d", most)
	}
	return &Error{Problem: problem, Way: way, Err: errNoEvent}
}

// Follow traces an event of a resolution of a turn, by its number in the full record; revision 0 is
// the current one. The error is errNoEvent or vault.ErrNoTurn.
func Follow(ctx context.Context, g *vault.Game, n, revision, seq int, bag Postbag) (*Trace, error) {
	if n == 0 {
		return nil, noEvent("turn 0 is the set-up, in which nothing happens", 0)
	}
	m, err := g.Stages.Manifest(vault.Stage{Turn: n, Revision: revision})
	if err != nil {
		return nil, err
	}
	s, err := story(g, m, false)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(s.Events, func(e engine.Event) bool { return e.Seq == seq })
	if i < 0 {
		return nil, noEvent(fmt.Sprintf("turn %d has no event %d", n, seq), len(s.Events))
	}
	before, err := g.Stages.Manifest(vault.At(n - 1))
	if err != nil {
		return nil, err
	}
	truth := &Truth{Turn: n, Sets: s.sets}
	if truth.Mails, err = bag.Mails(ctx, g, before.Resolved, m.Resolved.Add(1e9)); err != nil {
		return nil, err
	}
	if err := truth.deliver(ctx, g, bag, before.Resolved); err != nil {
		return nil, err
	}
	t := &Trace{Game: g.ID(), Turn: n, Revision: max(m.Revision, 1), Event: seq, Seen: map[engine.CaptainName]int{}, Unexplained: s.unexplained}
	if s.After.Version != g.Rules().Version {
		t.Version = s.After.Version
	}
	builder := engine.NewViewBuilder(g.Rules(), s.After, s.Events)
	for _, c := range s.After.Captains() {
		who, err := g.Rules().SeatViewer(s.After, c.Seats[0])
		if err != nil {
			return nil, err
		}
		if k := builder.Numbers(who)[i]; k > 0 {
			t.Seen[c.Name] = k
		}
	}
	causes, effects := s.Causes(i), s.Effects(i)
	for _, k := range causes {
		if _, roll := s.Events[k].Body.(*engine.Roll); !roll { // dice are listed with the step that they were rolled for
			t.Before = append(t.Before, truth.link(s.Story, k))
		}
	}
	t.Link = truth.link(s.Story, i)
	for _, k := range effects {
		t.After = append(t.After, truth.link(s.Story, k))
	}
	for _, l := range append(slices.Clone(t.Before), t.Link) {
		for _, o := range l.Orders {
			if !slices.ContainsFunc(t.Orders, func(x OrderLine) bool { return x.Set == o.Set && x.Line == o.Line }) {
				t.Orders = append(t.Orders, o)
			}
		}
	}
	return t, t.later(g, s.Story, append(effects, i))
}

// link returns a step of the chain.
func (t *Truth) link(s *engine.Story, i int) Link {
	a := s.Account(i)
	l := Link{Told: told(s, i), Why: a.Why}
	for _, f := range a.From {
		if r, ok := s.Events[f].Body.(*engine.Roll); ok {
			l.Dice = append(l.Dice, die(s, f, r))
		}
	}
	for _, o := range a.Orders {
		line := OrderLine{Set: o.Set, File: vault.OrdersDir + "/" + o.Set + ".txt", Line: o.Line, Text: o.Text}
		for _, u := range t.Sets {
			if u.File == line.File {
				line.Mail, line.Proof, line.Policy = u.Mail, u.Proof, u.Policy
			}
		}
		l.Orders = append(l.Orders, line)
	}
	return l
}

// later finds ships that the chain affects and that left the fight in a later turn.
func (t *Trace) later(g *vault.Game, s *engine.Story, chain []int) error {
	if g.Turn() <= t.Turn {
		return nil
	}
	now, err := g.Stages.State(vault.At(g.Turn()))
	if err != nil {
		return err
	}
	var ids []engine.ShipID
	for _, i := range chain {
		if id, ok := engine.TextField(s.Events[i].Body, "ship"); ok && !slices.Contains(ids, engine.ShipID(id)) {
			ids = append(ids, engine.ShipID(id))
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		if sh, ok := now.Ship(id); ok && sh.OutTurn > t.Turn {
			t.Later = append(t.Later, fmt.Sprintf("%s is %s since turn %d", sh.Name, sh.Status, sh.OutTurn))
		}
	}
	out := len(t.Later) > 0 || slices.ContainsFunc(chain, func(i int) bool { _, ok := s.Events[i].Body.(*engine.Out); return ok })
	if now.Result != nil && out {
		t.Later = append(t.Later, fmt.Sprintf("the game ended in turn %d: %s", now.Result.Turn, now.Result.Why))
	}
	return nil
}
