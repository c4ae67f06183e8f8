package referee

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/engine/ruling"
	"starpost/orders"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Truth is everything known about a resolved turn, for referees only.
type Truth struct {
	Game     string               `json:"game"`
	Title    string               `json:"title"`
	Turn     int                  `json:"turn"`
	Revision int                  `json:"revision"` // 1 for the first resolution
	Current  bool                 `json:"current"`  // it counts
	Dir      string               `json:"dir"`
	Resolved time.Time            `json:"resolved"`
	Version  string               `json:"version,omitempty"` // of the rule set used, if the program has another
	Draw     []engine.CaptainName `json:"draw,omitempty"`    // the captains who agreed to the draw
	Result   string               `json:"result,omitempty"`
	Sets     []SetUsed            `json:"sets"`
	Mails    []Mail               `json:"mails,omitempty"`
	Events   []Told               `json:"events"`
	Dice     []Die                `json:"dice"`
	// Unexplained says why the causes of events are unknown.
	Unexplained string          `json:"unexplained,omitempty"`
	Rulings     []ruling.Ruling `json:"rulings,omitempty"`
	// Others are all resolutions of the turn, if there are several.
	Others  []Resolved `json:"revisions,omitempty"`
	Journal []Noted    `json:"journal,omitempty"`
	Sent    []Sent     `json:"sent,omitempty"`
}

// SetUsed is an order set that the turn was resolved with, or its substitute.
type SetUsed struct {
	Name        string              `json:"name"` // "Hood", "@Kirk"
	Captain     engine.CaptainName  `json:"captain,omitempty"`
	Round       int                 `json:"round,omitempty"`  // of a turn with rounds, from the second on
	Policy      string              `json:"policy,omitempty"` // why there is no set of the captain's own
	File        string              `json:"file,omitempty"`   // below the turn's directory
	Text        string              `json:"text,omitempty"`
	Diagnostics []orders.Diagnostic `json:"diagnostics,omitempty"`
	Mail        *Mail               `json:"mail,omitempty"` // that brought it
	Proof       string              `json:"proof,omitempty"`
	// Changed means that the set differs from that in the mail: a command or a person has changed
	// it since.
	Changed bool `json:"changed,omitempty"`
}

// Told is an event in words.
type Told struct {
	Seq   int      `json:"seq"`
	Phase int      `json:"phase"`
	Step  string   `json:"step"`
	Type  string   `json:"type"`
	Rule  []string `json:"rule"`
	Text  []string `json:"text"`
	From  []int    `json:"from,omitempty"` // its direct causes
	Seen  string   `json:"seen"`           // who may see it
}

// Die is a roll.
type Die struct {
	Seq   int      `json:"seq"`
	Name  string   `json:"name"`
	Dice  string   `json:"dice"`
	Value int      `json:"value"`
	Need  int      `json:"need,omitempty"` // highest value that succeeds
	For   int      `json:"for,omitempty"`  // the event that used it
	Rule  []string `json:"rule,omitempty"`
	Ruled string   `json:"ruled,omitempty"` // by whom and why, if a referee set the value
}

// Noted is a journal entry about the turn.
type Noted struct {
	Seq     int                `json:"seq"`
	Time    time.Time          `json:"time"`
	Kind    string             `json:"kind"`
	By      string             `json:"by"`
	Captain engine.CaptainName `json:"captain,omitempty"`
	Why     string             `json:"why,omitempty"`
	Data    json.RawMessage    `json:"data,omitempty"`
}

// Resolved is one resolution of a turn.
type Resolved struct {
	Revision int       `json:"revision"`
	Current  bool      `json:"current,omitempty"`
	By       string    `json:"by,omitempty"`
	At       time.Time `json:"at,omitzero"`
	Why      string    `json:"why,omitempty"`
	Changes  []string  `json:"changes,omitempty"`
}

// Show collects everything known about a resolution of a turn; revision 0 is the current one. The
// error is vault.ErrNoTurn for an unresolved turn.
func Show(ctx context.Context, g *vault.Game, n, revision int, bag Postbag) (*Truth, error) {
	m, err := g.Stages.Manifest(vault.Stage{Turn: n, Revision: revision})
	if err != nil {
		return nil, err
	}
	rev := max(m.Revision, 1)
	state, err := g.Stages.State(vault.Stage{Turn: n, Revision: rev})
	if err != nil {
		return nil, err
	}
	t := &Truth{
		Game: state.ID, Title: state.Title, Turn: n, Revision: rev, Dir: g.Stages.Dir(vault.Stage{Turn: n, Revision: rev}), Resolved: m.Resolved, Draw: m.Draw,
		Events: []Told{}, Dice: []Die{}, Sets: []SetUsed{},
		Result: ended(state),
	}
	if state.Version != g.Rules().Version {
		t.Version = state.Version
	}
	t.resolutions(g)
	if n > 0 {
		if err := t.played(ctx, g, n, m, bag); err != nil {
			return nil, err
		}
	}
	if t.Rulings, err = turn.RulingsIn(g, n, rev); err != nil {
		return nil, err
	}
	if t.Journal, err = noted(g, n); err != nil {
		return nil, err
	}
	since := m.Resolved
	if n > 0 {
		before, err := g.Stages.Manifest(vault.At(n - 1))
		if err != nil {
			return nil, err
		}
		since = before.Resolved
	}
	t.Sent, err = bag.Sent(ctx, g, slices.SortedFunc(maps.Values(m.Mails), func(a, b vault.Envelope) int { return cmp.Compare(a.Captain, b.Captain) }), since, m.Resolved.Add(time.Second))
	return t, err
}

// resolutions lists all resolutions of the turn.
func (t *Truth) resolutions(g *vault.Game) {
	for _, r := range g.Stages.Revisions() {
		if r.Turn != t.Turn {
			continue
		}
		t.Others = append(t.Others, Resolved{Revision: r.Revision, Current: r.Current, By: r.By, At: r.At, Why: r.Why, Changes: r.Changes})
		t.Current = t.Current || r.Current && r.Revision == t.Revision
	}
	if len(t.Others) < 2 {
		t.Others = nil
	}
}

// played fills in the input and the outcome of a turn.
func (t *Truth) played(ctx context.Context, g *vault.Game, n int, m vault.Manifest, bag Postbag) error {
	s, err := story(g, m, true)
	if err != nil {
		return err
	}
	before, err := g.Stages.Manifest(vault.At(n - 1))
	if err != nil {
		return err
	}
	if t.Mails, err = bag.Mails(ctx, g, before.Resolved, m.Resolved.Add(time.Second)); err != nil {
		return err
	}
	t.Sets, t.Unexplained = s.sets, s.unexplained
	if err := t.deliver(ctx, g, bag, before.Resolved); err != nil {
		return err
	}
	for i, e := range s.Events {
		t.Events = append(t.Events, told(s.Story, i))
		if r, ok := e.Body.(*engine.Roll); ok {
			t.Dice = append(t.Dice, die(s.Story, i, r))
		}
	}
	return nil
}

// deliver finds the mails that the sets came by: the last with exactly that set, or else the last
// with any for the same ship. Sets may have been sent ahead.
func (t *Truth) deliver(ctx context.Context, g *vault.Game, bag Postbag, began time.Time) error {
	find := func(mails []Mail) (all bool) {
		all = true
		for i := range t.Sets {
			s := &t.Sets[i]
			if s.Mail != nil || s.Policy != "" {
				continue
			}
			for k := len(mails) - 1; k >= 0 && s.Mail == nil; k-- {
				s.take(&mails[k], t.Turn, true)
			}
			for k := len(mails) - 1; k >= 0 && s.Mail == nil; k-- {
				s.take(&mails[k], t.Turn, false)
			}
			all = all && s.Mail != nil
		}
		return all
	}
	if find(t.Mails) || t.Turn < 2 || bag.Host == nil {
		return nil
	}
	first, err := g.Stages.Manifest(vault.At(max(0, t.Turn-1-orderset.MaxAhead)))
	if err != nil {
		return err
	}
	ahead, err := bag.Mails(ctx, g, first.Resolved, began)
	if err != nil {
		return err
	}
	find(ahead)
	return nil
}

// take assigns a mail to a set if it contains the set.
func (s *SetUsed) take(m *Mail, turn int, exact bool) {
	for _, in := range m.Sets {
		if in.Turn == turn && strings.EqualFold(in.Name, s.Name) && (in.text == s.Text || !exact && m.Outcome == "done" && in.round == s.Round) {
			s.Mail, s.Proof, s.Changed = m, in.Proof, in.text != s.Text
			return
		}
	}
}

// laidOpen is a resolution of a turn with the causes of its events.
type laidOpen struct {
	*engine.Story
	sets        []SetUsed
	unexplained string // why the causes are unknown; "" if they are known
}

// story returns a resolution of a turn with the causes, and its sets, with diagnostics if diagnose
// is set.
func story(g *vault.Game, m vault.Manifest, diagnose bool) (laidOpen, error) {
	var out laidOpen
	rev := max(m.Revision, 1)
	before, err := stateBefore(g, m)
	if err != nil {
		return out, err
	}
	after, err := g.Stages.State(vault.Stage{Turn: m.Turn, Revision: rev})
	if err != nil {
		return out, err
	}
	events, err := g.Stages.Events(vault.Stage{Turn: m.Turn, Revision: rev})
	if err != nil {
		return out, err
	}
	here := after.Version == g.Rules().Version
	used, sets, err := setsOf(g, m, before, diagnose && here)
	if err != nil {
		return out, err
	}
	out.sets = used
	var causes engine.Causes
	if here {
		if causes, err = turn.Explain(g, vault.Stage{Turn: m.Turn, Revision: rev}, before); err != nil {
			out.unexplained, causes = err.Error(), nil
		}
	} else {
		out.unexplained = "another version of the rules played the turn"
		for i := range used { // the present version's diagnostics do not matter
			used[i].Diagnostics = nil
		}
	}
	out.Story, err = engine.NewStory(g.Rules(), before, after, events, causes, sets)
	return out, err
}

// stateBefore returns the game at the beginning of a resolution: after the resolution of the
// previous turn named in its manifest.
func stateBefore(g *vault.Game, m vault.Manifest) (*engine.Game, error) {
	for _, r := range g.Stages.Revisions() {
		if r.Turn != m.Turn-1 {
			continue
		}
		data, err := g.Reader().ReadFile(g.Stages.Name(vault.Stage{Turn: r.Turn, Revision: r.Revision}, vault.ManifestFile))
		if err != nil {
			return nil, fmt.Errorf("look for the turn before turn %d: %w", m.Turn, err)
		}
		if vault.Hash(data) == m.Previous {
			return g.Stages.State(vault.Stage{Turn: r.Turn, Revision: r.Revision})
		}
	}
	return g.Stages.State(vault.At(m.Turn - 1)) // the chain is broken, which verify reports
}

// setsOf reads the stored order sets of a turn.
func setsOf(g *vault.Game, m vault.Manifest, before *engine.Game, diagnose bool) (used []SetUsed, sets []engine.OrderSet, err error) {
	given := map[engine.Seat]bool{}
	for _, file := range slices.Sorted(maps.Keys(m.Files)) {
		round := turn.RoundIn(path.Dir(file))
		if round == 0 {
			continue
		}
		if round == 1 {
			round = 0
		}
		data, err := g.Stages.File(vault.Stage{Turn: m.Turn, Revision: max(m.Revision, 1)}, file)
		if err != nil {
			return nil, nil, err
		}
		name := strings.TrimSuffix(path.Base(file), ".txt")
		u := SetUsed{Name: name, Round: round, File: file, Text: string(data)}
		blocks, diags := orders.Parse(data, g.Rules().Language)
		u.Diagnostics = diags
		for _, b := range blocks {
			o := engine.OrderSet{Name: setName(file), Round: round, Block: b}
			if s, _, ok := engine.FindShip(before.Ships, b.Head.Name); ok && b.Head.Kind != "captain" {
				seat := engine.Seat{Ship: s.ID}
				if b.Head.Kind != "ship" {
					seat.Post = b.Head.Kind
				}
				o.Ship, o.Post, o.Captain, u.Policy = s.ID, seat.Post, s.Holder(seat.Post), m.Missing[seat]
				if round > 0 {
					u.Policy = m.Silent[round][seat]
				}
				given[seat] = given[seat] || round == 0
				if diagnose && round == 0 { // the state in later rounds is not kept

					more, err := checked(g, before, s, seat, b)
					if err != nil {
						return nil, nil, err
					}
					u.Diagnostics = append(u.Diagnostics, more...)
				}
			} else if c, ok := g.Settings().CaptainOf("@" + b.Head.Name); ok {
				o.Captain = c.Name
			}
			u.Captain = o.Captain
			sets = append(sets, o)
		}
		used = append(used, u)
	}
	for _, s := range before.Ships {
		for _, seat := range g.Rules().Seats(s) {
			if policy := m.Missing[seat]; policy != "" && !given[seat] {
				used = append(used, SetUsed{Name: engine.OrderSetName(s.Name, seat.Post), Captain: s.Holder(seat.Post), Policy: policy})
			}
		}
	}
	slices.SortStableFunc(used, func(a, b SetUsed) int { return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Round, b.Round)) })
	return used, sets, nil
}

// setName returns a story's name for the set of a file: its path below orders.
func setName(file string) string {
	return strings.TrimSuffix(strings.TrimPrefix(file, vault.OrdersDir+"/"), ".txt")
}

// checked returns the rule set's diagnostics for the set of a seat, from what its author could
// know.
func checked(g *vault.Game, before *engine.Game, s *engine.Ship, seat engine.Seat, b orders.Block) ([]orders.Diagnostic, error) {
	if s.Status != engine.Active {
		return nil, nil
	}
	as := seat
	if s.Holder(seat.Post) == s.Captain {
		as.Post = ""
	}
	who, err := g.Rules().SeatViewer(before, as)
	if err != nil {
		return nil, err
	}
	who.Post = seat.Post
	v, err := engine.BuildView(g.Rules(), before, nil, who)
	if err != nil {
		return nil, err
	}
	return g.Rules().Check(v, s.ID, b).Diagnostics, nil
}

// told describes an event.
func told(s *engine.Story, i int) Told {
	e := s.Events[i]
	t := Told{Seq: e.Seq, Phase: e.Phase, Step: e.Step, Type: e.Type.Name, Rule: e.Rule, Seen: seen(s, &e)}
	for _, l := range s.Words(i) {
		t.Text = append(t.Text, strings.Repeat("  ", l.Depth)+l.Text)
	}
	for _, f := range s.Account(i).From {
		t.From = append(t.From, s.Events[f].Seq)
	}
	return t
}

// seen says who may see an event.
func seen(s *engine.Story, e *engine.Event) string {
	see := &e.See
	names := func(seats []engine.Seat) string {
		var out []string
		for _, seat := range seats {
			out = append(out, engine.OrderSetName(s.Name(seat.Ship), seat.Post))
		}
		return strings.Join(out, ", ")
	}
	whole, hidden := names(see.Whole), engine.Hidden(e)
	switch {
	case see.Open() && len(hidden) == 0:
		return "all"
	case !see.Rest && whole == "":
		return "nobody"
	case !see.Rest:
		return whole
	}
	rest := "the others"
	if len(see.Among) > 0 {
		rest = names(engine.CaptainSeats(see.Among...))
	}
	if len(hidden) > 0 {
		rest += " without " + strings.Join(hidden, ", ")
	}
	if whole == "" {
		return rest
	}
	return whole + "; " + rest
}

func die(s *engine.Story, i int, r *engine.Roll) Die {
	d := Die{Seq: s.Events[i].Seq, Name: r.Name.String(), Dice: r.Dice.String(), Value: r.Value, Rule: s.Events[i].Rule}
	for _, f := range s.Account(i).From {
		if b, ok := s.Events[f].Body.(*ruling.Ruled); ok {
			d.Ruled = b.By + ": " + b.Why
		}
	}
	if need, user, ok := s.Needs(i); user >= 0 {
		d.For = s.Events[user].Seq
		if ok {
			d.Need = need
		}
	}
	return d
}

// noted returns the journal entries about a turn: made while it was due, or naming it.
func noted(g *vault.Game, n int) ([]Noted, error) {
	entries, err := g.Journal.Entries()
	if err != nil {
		return nil, err
	}
	var out []Noted
	for _, e := range entries {
		var about struct {
			Turn int `json:"turn"`
		}
		if len(e.Data) > 0 {
			if err := json.Unmarshal(e.Data, &about); err != nil {
				return nil, fmt.Errorf("journal entry %d: %w", e.Seq, err)
			}
		}
		if e.Kind == journal.Proof || e.Kind == journal.Told || n == 0 || e.Turn != n && about.Turn != n {
			continue
		}
		out = append(out, Noted{Seq: e.Seq, Time: e.Time, Kind: e.Kind, By: e.By, Captain: e.Captain, Why: e.Why, Data: e.Data})
	}
	return out, nil
}
