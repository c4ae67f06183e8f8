package turn

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/engine/ruling"
	"starpost/orders"
	"starpost/pbem/fault"
	"starpost/pbem/orderset"
	"starpost/pbem/vault"
)

// Change is what changes when a turn is resolved again.
type Change struct {
	Rulings []ruling.Ruling
	Orders  []orderset.Set // amended sets, as Position.Check returned them
	Filed   []byte         // a replacement for the referee's filing; nil: unchanged
	By, Why string
	Cause   string // "", or a key that identifies repetitions of the same change
	Now     time.Time
}

// Words describes the change, one line each.
func (c Change) Words() []string {
	var out []string
	for _, ru := range c.Rulings {
		out = append(out, ru.What)
	}
	for _, s := range c.Orders {
		out = append(out, "orders "+s.Name)
	}
	if c.Filed != nil {
		out = append(out, "filing")
	}
	return out
}

// Played is the result of a turn.
type Played struct {
	Before *engine.Game // the game that it was played from
	State  *engine.Game
	Events []engine.Event
}

// Redone is a turn that was resolved again.
type Redone struct {
	Turn    int
	Was, Is Played
	// Doubts are stored sets that no longer fit the state. Whatever can be carried out of them was.
	Doubts []BadFile
	// Idle are ships, by name, that now fight and had no orders: their standing orders were used.
	Idle []string

	in       inputs
	manifest vault.Manifest
}

// Rerun is the result of resolving turns again, starting with a changed one.
type Rerun struct {
	Change Change
	Turns  []Redone
	Aside  int // the last turn that is set aside; 0 for none
	// Begun is how far the due turn was played, in a game whose turns have rounds: those rounds
	// depend on the change and are taken back.
	Begun vault.Stage

	exposed bool
}

// Redo resolves a turn again from its stored orders, with a change. Dice keep their values. With
// later, the turns after it are resolved again too, each from its own orders, until the game is
// over; otherwise they are set aside. Nothing is written. The error is an *ruling.Error for an
// impossible ruling.
func Redo(g *vault.Game, turn int, c Change, later bool) (*Rerun, error) {
	if _, err := g.Stages.Manifest(vault.At(turn)); err != nil {
		return nil, err
	}
	run := &Rerun{Change: c}
	var before *engine.Game
	for n := turn; n <= g.Turn(); n++ {
		done, err := redo(g, n, c, before)
		if err != nil {
			return nil, err
		}
		run.Turns = append(run.Turns, done)
		if before = done.Is.State; !later || before.Result != nil {
			break
		}
		c = Change{}
	}
	last := turn + len(run.Turns) - 1
	if last < g.Turn() {
		run.Aside = g.Turn()
	}
	if at := g.Newest(); at.Round > 0 {
		run.Begun = at
	}
	end, err := g.Stages.State(vault.At(g.Turn()))
	run.exposed = err == nil && end.Result != nil && run.Turns[len(run.Turns)-1].Is.State.Result == nil
	return run, err
}

// redo resolves one turn again, from the given game unless before is nil.
func redo(g *vault.Game, n int, c Change, before *engine.Game) (Redone, error) {
	out := Redone{Turn: n}
	var err error
	if out.manifest, err = g.Stages.Manifest(vault.At(n)); err != nil {
		return out, err
	}
	if out.in, err = storedInputs(g, vault.At(n)); err != nil {
		return out, err
	}
	if out.Was.State, err = g.Stages.State(vault.At(n)); err != nil {
		return out, err
	}
	if out.Was.Events, err = g.Stages.Events(vault.At(n)); err != nil {
		return out, err
	}
	if err := playedHere(g, out.Was.State); err != nil {
		return out, err
	}
	switch {
	case n > 0:
		out.Was.Before, err = g.Stages.State(vault.At(n - 1))
	case len(c.Orders) > 0:
		err = &vault.Error{Path: g.Dir(), Problem: "turn 0 is the set-up; it has no orders", Way: "name a turn from 1", Err: vault.ErrNoTurn}
	default:
		out.Was.Before, err = setUp(g)
	}
	if err != nil {
		return out, err
	}
	out.Is.Before = out.Was.Before
	if before != nil {
		out.Is.Before = before
		out.Doubts = doubts(g, before, out.in.texts)
	}
	for _, s := range c.Orders {
		out.in.replace(out.Is.Before, s.Round, s.Name, s.Text)
		out.in.rulings = append(out.in.rulings, ruling.Ruling{By: c.By, At: stamp(c.Now), Why: c.Why, What: "orders " + s.Name})
	}
	out.in.rulings = append(slices.Clip(out.in.rulings), c.Rulings...)
	out.refile(c)
	if n > 0 {
		out.Idle = out.in.stand(g.Rules(), out.Is.Before)
	}
	out.Is.State, out.Is.Events, err = out.in.play(g, vault.At(n), out.Is.Before, nil)
	return out, unfit(g, n, c, err)
}

// playedHere returns an error unless the turn that led to a state was played by the program's
// version of the rules.
func playedHere(g *vault.Game, after *engine.Game) error {
	is := g.Rules().Version
	if after.Version == is {
		return nil
	}
	way := fmt.Sprintf("a starpost that has version %s can", after.Version)
	if after.Turn > 0 {
		way += fmt.Sprintf("; to have turn %d played by version %s instead, take it back: rollback %d --why TEXT", after.Turn, is, after.Turn-1)
	}
	return fault.New(way, "turn %d of %s was played by version %s of rule set %s, and this program has version %s: it cannot resolve the turn again",
		after.Turn, g.ID(), after.Version, after.Rules, is)
}

func stamp(t time.Time) string { return t.UTC().Truncate(time.Second).Format(time.RFC3339) }

// doubts checks sets against a different position than they were written for.
func doubts(g *vault.Game, state *engine.Game, texts []vault.File) []BadFile {
	p := &Position{vault: g, settings: g.Settings(), rules: g.Rules(), state: state, settled: newViewCache(g.Rules(), state, nil, g.Rounds())}
	var out []BadFile
	for _, f := range texts {
		read := p.Check(f.Data)
		if orders.HasErrors(read.Diagnostics) && !onlyNotDue(read.Diagnostics) {
			bad := slices.DeleteFunc(read.Diagnostics, func(d orders.Diagnostic) bool { return d.Severity != orders.Error })
			out = append(out, BadFile{File: f.Name, Name: strings.TrimSuffix(path.Base(f.Name), ".txt"), Diagnostics: bad})
		}
	}
	return out
}

// stand uses standing orders for ships that are due without orders, such as one that was revived.
func (in *inputs) stand(r *engine.Rules, before *engine.Game) (idle []string) {
	if in.draw != nil {
		return nil
	}
	has := map[engine.Seat]bool{}
	for _, f := range in.texts {
		if path.Dir(f.Name) != vault.OrdersDir {
			continue
		}
		if s, post, ok := engine.FindSeat(before.Ships, strings.TrimSuffix(path.Base(f.Name), ".txt")); ok {
			has[engine.Seat{Ship: s.ID, Post: post}] = true
		}
	}
	for _, seat := range r.Owed(before) {
		if s, ok := before.Ship(seat.Ship); ok && !has[seat] && in.missing[seat] == "" {
			in.missing[seat] = vault.PolicyStanding
			idle = append(idle, engine.OrderSetName(s.Name, seat.Post))
		}
	}
	return idle
}

// Amended reads order sets that replace those of a resolved turn, or of the due one. Each must be
// valid for its ship in the state at that time.
func Amended(g *vault.Game, turn int, text []byte) (orderset.Reading, error) {
	if turn < 1 || turn > g.Turn()+1 {
		return orderset.Reading{}, &vault.Error{
			Path: g.Dir(), Problem: fmt.Sprintf("turn %d of the game has no orders", turn),
			Way: fmt.Sprintf("turns 1 to %d have", g.Turn()+1), Err: vault.ErrNoTurn,
		}
	}
	at := vault.At(turn - 1)
	if turn > g.Turn() {
		at = g.Newest()
	} else if state, err := g.Stages.State(vault.At(turn)); err != nil {
		return orderset.Reading{}, err
	} else if err := playedHere(g, state); err != nil {
		return orderset.Reading{}, err
	}
	p, err := loadAt(g, at)
	if err != nil {
		return orderset.Reading{}, err
	}
	p.reading = true
	return p.Check(text), nil
}

// refile replaces the filing that a turn was played with.
func (t *Redone) refile(c Change) {
	if c.Filed == nil {
		return
	}
	t.in.filed = c.Filed
	t.manifest.Filed = &vault.Filed{By: c.By, Why: c.Why}
}

// unfit wraps the error for a stored filing of a later turn that no longer fits.
func unfit(g *vault.Game, turn int, c Change, err error) error {
	if bad, ok := errors.AsType[*engine.FilingError](err); ok && c.Filed == nil {
		return &fault.Fault{
			Problem: fmt.Sprintf("what was filed for turn %d of %s does not go with it any more: %v", turn, g.ID(), bad), Err: bad,
			Way: "set the later turns aside, and file them again: --later aside",
		}
	}
	return err
}
