package turn

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/beacon"
	"starpost/pbem/fault"
	"starpost/pbem/publicdice"
	"starpost/pbem/vault"
)

// Resolve plays the due turn with the sets in orders/ and commits it. In a game that is played until something
// happens, it also plays the following stages until a captain is asked again, and returns the outcome of the last. If
// orders are bad, or missing without a policy, the error is a *NotReadyError and nothing is changed; in a paused game
// it says who paused it. An error that is engine.ErrInvariant is a bug in the program, to be reported to the referee.
func Resolve(g *vault.Game, o Options) (out *Outcome, err error) {
	if !slices.Contains(append(vault.Policies(), ""), o.Missing) {
		return nil, fmt.Errorf("resolve %s: policy %q is not one of %s", g.ID(), o.Missing, strings.Join(vault.Policies(), ", "))
	}
	if o.DryRun {
		return resolve(g, o)
	}
	// Held from the first look at orders/ to the commit, so that a set is either in this turn or answered as late.
	if err := g.Lock(); err != nil {
		return nil, err
	}
	defer g.Release(&err)
	for {
		if out, err = resolve(g, o); err != nil || !out.Quiet || g.SharedSettings().PublicDice() {
			return out, err
		}
	}
}

// resolvable loads the position of a game whose next stage can be played now.
func resolvable(g *vault.Game, o Options) (*Position, error) {
	p, err := Load(g)
	if err != nil {
		return nil, err
	}
	if p.Due() == 0 {
		return nil, fmt.Errorf("resolve %s: %w since turn %d", g.ID(), ErrOver, p.state.Result.Turn)
	}
	if waits, err := g.VersionMismatch(); err != nil {
		return nil, err
	} else if waits != nil {
		return nil, waits
	}
	admin, err := g.AdminState()
	if err != nil {
		return nil, err
	}
	if admin.Paused != nil && !o.DryRun {
		return nil, fault.New("resume it: "+g.CommandLine("referee", "resume"),
			"turn %d of %s cannot be resolved: the game was paused by %s", p.Due(), g.ID(), vault.Who(admin.Paused.By))
	}
	return p, nil
}

// wanted returns the orders that the due stage is played with, and the effective options. The error is a
// *NotReadyError if some are missing or bad.
func wanted(p *Position, o Options) (Readiness, Options, error) {
	ready, err := p.ready(true)
	if err != nil {
		return ready, o, err
	}
	if p.GoesOn() {
		o = p.onward(o)
	}
	bad := ready.blocking()
	refuse := len(bad) > 0
	if o.Missing == "" || o.Missing == vault.PolicyHold {
		refuse = refuse || slices.ContainsFunc(ready.Missing(), func(s ShipState) bool { return o.MissingOf[s.Seat] == "" })
	}
	if err := p.wantFiled(&o, ready, &refuse); err != nil {
		return ready, o, err
	}
	if err := policyError(p.rules, o.Missing, "--missing"); err != nil {
		return ready, o, err
	}
	if refuse && len(ready.Draw) == 0 {
		clear(p.vault.Cache()) // a second call must read all files again
		return ready, o, &NotReadyError{Game: p.state.ID, Due: ready.Due, Round: ready.Round, Missing: ready.Absent(), Bad: bad}
	}
	return ready, o, nil
}

func resolve(g *vault.Game, o Options) (*Outcome, error) {
	p, err := resolvable(g, o)
	if err != nil {
		return nil, err
	}
	admin, err := g.AdminState()
	if err != nil {
		return nil, err
	}
	ready, o, in, err := dueInputs(p, o)
	if err != nil {
		return nil, err
	}
	state, events, err := p.play(&in)
	if err != nil {
		return nil, err
	}
	out := &Outcome{Turn: ready.Due, Round: state.Round, State: state, Events: events, Ships: ready.Ships, Missing: in.missing}
	m := vault.Manifest{Turn: ready.Due, Round: out.Round, Silent: in.silent, Resolved: o.Now.UTC().Truncate(time.Second), Missing: in.missing, Draw: in.draw, Taken: in.taken, Filed: o.Filed.note(ready)}
	fill, err := p.publish(out, in, admin.Away, o)
	if err != nil {
		return nil, err
	}
	if o.DryRun {
		if m, err = g.Linked(m); err != nil {
			return nil, err
		}
		if err := fill(&m, func(vault.File) error { return nil }); err != nil {
			return nil, err
		}
		return out, nil
	}
	if err := g.Commit(m, fill, state); err != nil {
		return nil, err
	}
	out.Dir = g.Stages.Dir(vault.Stage{Turn: out.Turn, Round: out.Round})
	return out, nil
}

// dueInputs returns what the due stage is played with: the closed orders if they are closed, otherwise the current
// ones, or the captains' agreement to end the game.
func dueInputs(p *Position, o Options) (ready Readiness, _ Options, in inputs, err error) {
	switch closing, err := vault.ClosingOf(p.vault); {
	case err != nil:
		return ready, o, in, err
	case closing != nil:
		if ready, err = p.Ready(); err != nil {
			return ready, o, in, err
		}
		ready.Draw = nil
		in, err = closedInputs(p, closing, o)
		return ready, o, in, err
	}
	if ready, o, err = wanted(p, o); err != nil {
		return ready, o, in, err
	}
	switch {
	case len(ready.Draw) > 0:
		in, err = p.draw(ready)
	case p.settings.PublicDice():
		err = fmt.Errorf("resolve %s of %s: %w", p.DueStage(), p.state.ID, errNotClosed)
	default:
		in, err = p.gather(ready, o.policyOf)
		if o.Filed != nil {
			in.filed = o.Filed.Data
		}
	}
	return ready, o, in, err
}

// play makes the engine play what is due, or end the game if its captains agreed. If no one is left to give orders,
// the turn is played to its end.
func (p *Position) play(in *inputs) (state *engine.Game, events []engine.Event, err error) {
	before, told, err := p.before()
	if err != nil {
		return nil, nil, err
	}
	state, events, err = in.play(p.vault, p.DueStage(), before, told)
	if err == nil && state.Round > 0 && len(p.rules.Owed(state)) == 0 {
		state, events, err = in.play(p.vault, vault.At(p.next()), before, events)
	}
	return state, events, err
}

// before returns the game that the due turn is played from, and the events that its played rounds reported.
func (p *Position) before() (*engine.Game, []engine.Event, error) {
	if p.at.Round == 0 {
		return p.state, nil, nil
	}
	state, err := p.vault.Stages.State(vault.At(p.at.Turn - 1))
	if err != nil {
		return nil, nil, err
	}
	told, err := p.vault.Stages.Events(p.at)
	return state, told, err
}

// A game with public dice takes a turn in two steps. Close fixes everything that the turn is played with and names a
// beacon round that does not exist yet; Resolve plays the turn when that round is available. Between the two nothing
// can change, so that no one, including the host, has a choice left when the dice are known.

// errNotClosed is returned for a turn with public dice whose orders are still open.
var errNotClosed = errors.New("the orders are not closed yet, and the dice come from a beacon after that")

// NoBeaconError says that a turn is closed and waits for its beacon.
type NoBeaconError struct {
	Game   string
	Stage  vault.Stage
	Closed vault.Closed
	Chain  beacon.Chain
}

// Error implements error.
func (e *NoBeaconError) Error() string {
	return fmt.Sprintf("%s of %s is closed and waits for its dice: round %d of the beacon %.8s", e.Stage, e.Game, e.Closed.Round, e.Chain.Hash)
}

// Hint returns the remedy.
func (e *NoBeaconError) Hint() string {
	return fmt.Sprintf("it is there from %s, at any relay of the chain below %s; save the answer and give it with --beacon FILE",
		e.Closed.Comes.Format(time.RFC3339), fmt.Sprintf("/%s/public/%d", e.Chain.Hash, e.Closed.Round))
}

// Close closes the orders of the due stage of a game with public dice. It stores what the stage is played with,
// including the policies of the options for seats without orders, and writes its hash and the beacon round to the
// journal. If the orders are already closed, it returns that closing; if the captains agreed on a draw, nil. It
// refuses in the same cases as [Resolve].
func Close(g *vault.Game, by string, o Options) (c *vault.Closing, err error) {
	if err := g.Lock(); err != nil {
		return nil, err
	}
	defer g.Release(&err)
	if c, err = vault.ClosingOf(g); c != nil || err != nil {
		return c, err
	}
	p, err := resolvable(g, o)
	if err != nil {
		return nil, err
	}
	chain, err := publicdice.ChainOf(g)
	if err != nil {
		return nil, err
	}
	ready, o, err := wanted(p, o)
	if err != nil {
		return nil, err
	}
	if len(ready.Draw) > 0 { // no dice are rolled
		return nil, nil
	}
	in, err := p.gather(ready, o.policyOf)
	if err != nil {
		return nil, err
	}
	files, err := in.files()
	if err != nil {
		return nil, err
	}
	closing := vault.Closing{
		Closed: vault.Closed{At: o.Now.UTC().Truncate(time.Second), By: by}, Missing: in.missing, Silent: in.silent, Taken: in.taken, Files: files,
	}
	closing.Sets = in.sum(g, p.DueStage())
	closing.Chain, closing.CloseData.Round = chain.Hash, chain.FirstRound(closing.At.Add(p.settings.Beacon.BeaconWait()))
	if err := vault.CloseOrders(g, closing); err != nil {
		return nil, err
	}
	return vault.ClosingOf(g)
}

// closedInputs returns the inputs of the due stage after its orders were closed, with the beacon that was supplied
// earlier or is in the options.
func closedInputs(p *Position, c *vault.Closing, o Options) (inputs, error) {
	in, err := inputsOf(vault.Manifest{Missing: c.Missing, Silent: c.Silent, Taken: c.Taken}, filesByName(c.Files))
	if err != nil {
		return in, err
	}
	if in.sum(p.vault, p.DueStage()) != c.Sets {
		return in, &vault.Error{Path: p.vault.Place(vault.ClosingDir), Problem: "it is not what was closed: a file was altered", Way: "restore it from a backup", Err: vault.ErrDamaged}
	}
	chain, err := publicdice.ChainOf(p.vault)
	if err != nil {
		return in, err
	}
	b := o.Beacon
	if b.Round == 0 && c.Beacon != nil {
		if b, err = beacon.Decode(c.Beacon); err != nil {
			return in, err
		}
	}
	switch st, err := p.vault.AdminState(); {
	case err != nil:
		return in, err
	case p.settings.Beacon.OwnAfter() > 0 && st.OwnDice[vault.Stage{Turn: p.DueStage().Turn, Round: max(p.round(), 1)}]:
		in.beacons = in.beacons.And(beacon.Beacon{})
		return in, nil
	case b.Round == 0:
		closed := c.Closed
		closed.Comes = chain.TimeOf(closed.CloseData.Round)
		return in, &NoBeaconError{p.state.ID, p.DueStage(), closed, chain}
	}
	if err := publicdice.Wanted(p.vault, b); err != nil {
		return in, err
	}
	in.beacons = in.beacons.And(b)
	return in, nil
}
