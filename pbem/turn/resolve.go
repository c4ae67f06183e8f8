package turn

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/beacon"
	"starpost/pbem/fault"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
)

// Options are what resolving needs from outside.
type Options struct {
	// Missing is the policy for ships without orders; "" and vault.Hold refuse
	// the turn with a *NotReadyError.
	Missing string
	// MissingOf is the policy for seats without orders that are not
	// left to Missing.
	MissingOf map[engine.Seat]string
	Now       time.Time
	DryRun    bool           // resolve and render, but write nothing
	Keep      bool           // give text and view of the reports back in the Outcome
	Workers   int            // renderers at a time; 0 is one for each processor
	Beacon    *beacon.Beacon // of a game with public dice, in place of the one that was brought
	Filed     *Filed         // what the referee files, for rule sets whose turns he plays; else nil
	Templates *templates.Set // that reports are drawn with; nil for those built in
}

// Outcome is a resolved turn.
type Outcome struct {
	Turn   int
	Round  int // of it, before its last; 0 for a whole turn
	State  *engine.Game
	Events []engine.Event // of the turn so far
	Told   int            // how many of them were told after the rounds before; 0 for a whole turn
	// FirstRound is, of a new game, the round that is due: 0 where turns are not cut
	// into rounds.
	FirstRound int
	Ships      []ShipState                     // whose orders were wanted
	Missing    map[engine.Seat]string          // policy by seat that had no orders
	Reports    map[engine.Seat]report.Rendered // by seat; nil without Options.Keep
	Mails      []Mail                          // in order of name
	Deadline   time.Time                       // of the next turn; zero when the game is over
	Quiet      bool                            // nothing happened that a captain wants to be asked at: the next stage is played at once
	Dir        string                          // where it is; "" for a dry run
}

// Mail is one mail of a turn, see Drawing.Mail.
type Mail struct {
	vault.Envelope
	Name string // "kirk.eml"
}

// ErrOver is returned for a game that has ended.
var ErrOver = errors.New("the game is over")

// NotReadyError says why the turn cannot be resolved: orders missing or bad.
type NotReadyError struct {
	Game    string
	Due     int
	Round   int         // of it; 0 in games whose turns are not cut into rounds
	Missing []ShipState // without any file
	Bad     []BadFile
}

// Error names the ships and files; the diagnostics are in Bad.
func (e *NotReadyError) Error() string {
	var parts []string
	if len(e.Missing) > 0 {
		var names []string
		for _, s := range e.Missing {
			names = append(names, s.Name)
		}
		parts = append(parts, "orders are missing for "+strings.Join(names, ", "))
	}
	if len(e.Bad) > 0 {
		var names []string
		for _, b := range e.Bad {
			names = append(names, b.File)
		}
		parts = append(parts, "orders have errors in "+strings.Join(names, ", "))
	}
	return fmt.Sprintf("%s of %s cannot be resolved: %s", vault.Stage{Turn: e.Due, Round: e.Round}, e.Game, strings.Join(parts, "; "))
}

// Hint is the way out.
func (e *NotReadyError) Hint() string {
	if len(e.Bad) > 0 {
		return "correct the files, or remove them; `starpost check` diagnoses them"
	}
	return "wait for them, or choose a policy with --missing: " + strings.Join(vault.Policies()[1:], ", ")
}

// Resolve plays the turn that is due with the sets in orders/ and commits it.
// In a game that is played until something happens, the stages that follow are played too
// until a captain is asked again; the outcome is of the last.
// When orders are missing without a policy, or bad, the error is a
// *NotReadyError and nothing is changed; in a paused game it says by whom.
// An error that is engine.ErrInvariant is a mistake of the program, for the
// referee.
func Resolve(g *vault.Game, o Options) (out *Outcome, err error) {
	if !slices.Contains(append(vault.Policies(), ""), o.Missing) {
		return nil, fmt.Errorf("resolve %s: policy %q is not one of %s", g.ID(), o.Missing, strings.Join(vault.Policies(), ", "))
	}
	if o.DryRun {
		return resolve(g, o)
	}
	// Held from the first look at orders/ to the commit, so that a set is
	// either in this turn or answered as late.
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
		return nil, fault.New("let it go on: starpost referee "+g.Dir()+" resume",
			"turn %d of %s cannot be resolved: the game was paused by %s", p.Due(), g.ID(), vault.Who(admin.Paused.By))
	}
	return p, nil
}

// wanted are the orders that the stage which is due is played with, and the options as they count for it. The
// error is a *NotReadyError where some are missing or bad.
func (p *Position) wanted(o Options) (Readiness, Options, error) {
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
	ready, o, in, err := p.inputs(o)
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
	out.Dir = g.StageDir(vault.Stage{Turn: out.Turn, Round: out.Round})
	return out, nil
}

// policyOf is the policy for a seat without orders.
func (o Options) policyOf(seat engine.Seat) string { return cmp.Or(o.MissingOf[seat], o.Missing) }

// inputs are what the stage that is due is played with: what was closed, if its orders are, or else what there is
// now, or that its captains agreed to end the game.
func (p *Position) inputs(o Options) (ready Readiness, _ Options, in inputs, err error) {
	switch closing, err := p.vault.Closing(); {
	case err != nil:
		return ready, o, in, err
	case closing != nil:
		if ready, err = p.ready(true); err != nil {
			return ready, o, in, err
		}
		ready.Draw = nil
		in, err = p.closed(closing, o)
		return ready, o, in, err
	}
	if ready, o, err = p.wanted(o); err != nil {
		return ready, o, in, err
	}
	switch {
	case len(ready.Draw) > 0:
		in, err = p.draw(ready)
	case p.settings.PublicDice():
		err = &NotClosedError{p.DueStage()}
	default:
		in, err = p.gather(ready, o.policyOf)
		if o.Filed != nil {
			in.filed = o.Filed.Data
		}
	}
	return ready, o, in, err
}

// play has the engine play what is due, or end the game if its captains agreed. Where
// no one is left to give orders the turn is played to its end.
func (p *Position) play(in *inputs) (state *engine.Game, events []engine.Event, err error) {
	before, told, err := p.before()
	if err != nil {
		return nil, nil, err
	}
	state, events, err = in.play(p.vault, before, p.round(), told)
	if err == nil && state.Round > 0 && len(p.rules.Owed(state)) == 0 {
		state, events, err = in.play(p.vault, before, 0, events)
	}
	return state, events, err
}

// before is the game that the turn which is due is played from, and what the rounds of
// it that were played told.
func (p *Position) before() (*engine.Game, []engine.Event, error) {
	if p.at.Round == 0 {
		return p.state, nil, nil
	}
	state, err := p.vault.State(p.at.Turn - 1)
	if err != nil {
		return nil, nil, err
	}
	told, err := p.vault.StageEvents(p.at)
	return state, told, err
}

// gather collects the sets in force and does what the policy says for the rest.
func (p *Position) gather(ready Readiness, policyOf func(engine.Seat) string) (inputs, error) {
	in := ready.earlier
	in.taken, in.read, in.texts = map[string]string{}, map[string]orders.Block{}, slices.Clone(in.texts)
	missing := map[engine.Seat]string{}
	if ready.Round < 2 {
		in.missing = missing
	} else {
		in.silent = maps.Clone(in.silent)
		if in.silent == nil {
			in.silent = map[int]map[engine.Seat]string{}
		}
		in.silent[ready.Round] = missing
	}
	canonical := map[string]bool{}
	for _, f := range ready.taken {
		in.taken[filepath.Base(f.Path)] = vault.Hash(f.Text)
		canonical[string(f.Text)] = true
	}
	add := func(name, text string, b *orders.Block) {
		file := OrdersIn(ready.Round) + "/" + name + ".txt"
		in.texts = append(in.texts, vault.File{Name: file, Data: []byte(text)})
		if canonical[text] && b != nil {
			in.read[file] = *b
		}
	}
	for _, s := range ready.Ships {
		policy := policyOf(s.Seat)
		switch {
		case s.In:
			add(s.Name, s.Set.Text, &s.Set.Block)
		case policy == vault.PolicyRobot && !s.Covered || s.Vacant && p.rules.Robot != nil:
			text, err := p.robot(s.Seat)
			if err != nil {
				return inputs{}, err
			}
			add(s.Name, text, nil)
			missing[s.Seat] = vault.PolicyRobot
		case s.Covered:
			missing[s.Seat] = ""
		case s.Vacant:
			missing[s.Seat] = vault.PolicyStanding
		default:
			missing[s.Seat] = policy
		}
	}
	if err := p.unasked(ready, policyOf, add); err != nil {
		return inputs{}, err
	}
	for _, c := range ready.captains {
		add(c.set.Name, c.set.Text, &c.set.Block)
	}
	slices.SortFunc(in.texts, func(a, b vault.File) int { return strings.Compare(a.Name, b.Name) })
	return in, nil
}

// unasked adds what the robot has to say of crippled ships that it commands, who owe no
// orders: those of vacant seats, and those of captains without an address for whom it gave
// orders when they were crippled.
func (p *Position) unasked(ready Readiness, policyOf func(engine.Seat) string, add func(name, text string, b *orders.Block)) error {
	st, err := p.vault.AdminState()
	if err != nil {
		return err
	}
	for _, s := range p.state.Ships {
		seat := engine.Seat{Ship: s.ID}
		if s.Status == engine.Active || !p.rules.Commands(s) || p.rules.Robot == nil || slices.ContainsFunc(ready.Ships, func(o ShipState) bool { return o.Seat == seat }) {
			continue
		}
		if !st.HasVacant(s.Captain) {
			if c, _ := p.vault.Settings().Captain(s.Captain); c.Address != "" || policyOf(seat) != vault.PolicyRobot {
				continue
			}
			missing := ready.earlier.missing
			if s.OutTurn < ready.Due {
				m, err := p.vault.Manifest(s.OutTurn)
				if err != nil {
					return err
				}
				missing = m.Missing
			}
			if missing[seat] != vault.PolicyRobot {
				continue
			}
		}
		text, err := p.robot(seat)
		if err != nil {
			return err
		}
		if text != "" {
			add(s.Name, text, nil)
		}
	}
	return nil
}

// Robot has the rule set write the orders of a ship, from what its captain may
// know: the canonical text of a whole set; blank if it has none for a ship that owes none.
func (p *Position) Robot(ship engine.ShipID) (string, error) {
	return p.robot(engine.Seat{Ship: ship})
}

func (p *Position) robot(seat engine.Seat) (string, error) {
	v, err := p.settledView(seat)
	if err != nil {
		return "", err
	}
	s, ok := v.Ship(seat.Ship)
	if !ok {
		return "", fmt.Errorf("robot of %s: %w: the captain does not see his own ship %s", p.state.ID, engine.ErrInvariant, seat)
	}
	text := p.rules.Robot(v, seat.Ship)
	if text == "" && s.Status != engine.Active {
		return "", nil
	}
	reading := p.reading
	p.reading = true // what it would order can be asked for also when the orders are closed
	read := p.Check([]byte(report.OrderBlock(v, s, seat.Post, "", text)))
	p.reading = reading
	if len(read.Sets) != 1 || !read.Sets[0].OK() {
		why := "no set"
		if len(read.Diagnostics) > 0 {
			why = read.Diagnostics[0].String()
		}
		return "", fmt.Errorf("robot of %s: %w: its orders for %s are not valid: %s", p.state.ID, engine.ErrInvariant, seat, why)
	}
	return read.Sets[0].Text, nil
}
