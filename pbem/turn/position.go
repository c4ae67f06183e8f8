package turn

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/pbem/vault"
)

// Position is a game before the due turn. It may be used by one goroutine at a time, until the game
// moves on.
type Position struct {
	vault    *vault.Game
	settings vault.Settings
	rules    *engine.Rules
	at       vault.Stage  // the newest stage
	state    *engine.Game // at that stage
	settled  viewCache    // the views without events
	told     viewCache    // with the events of the last turn, made on demand
	closed   closedBy     // why no more orders are accepted
	reading  bool         // a file of orders/ is being checked, which was already accepted

	// For a game that is played until something happens: whether the last stage was quiet, and the
	// breaks that captains asked for.
	goesOn bool
	kinds  map[engine.CaptainName][]string
}

// viewCache builds the views of a position, each once.
type viewCache struct {
	rules   *engine.Rules
	builder *engine.ViewBuilder
	views   map[engine.Seat]*engine.View
}

func newViewCache(r *engine.Rules, state *engine.Game, events []engine.Event, rounds int) viewCache {
	return viewCache{rules: r, builder: engine.NewViewBuilder(r, state, events).InRounds(rounds), views: map[engine.Seat]*engine.View{}}
}

// view returns what the holder of a seat knows, with its ship in focus.
func (l viewCache) view(state *engine.Game, seat engine.Seat) (*engine.View, error) {
	if v, ok := l.views[seat]; ok {
		return v, nil
	}
	who, err := l.rules.SeatViewer(state, seat)
	if err != nil {
		return nil, err
	}
	v, err := l.builder.View(who)
	if err != nil {
		return nil, err
	}
	l.views[seat] = v
	return v, nil
}

// Load reads the position of a game.
func Load(g *vault.Game) (*Position, error) { return loadAt(g, g.Newest()) }

func loadAt(g *vault.Game, at vault.Stage) (*Position, error) {
	state, err := g.Stages.State(at)
	if err != nil {
		return nil, err
	}
	if err := sameCaptains(g, state); err != nil {
		return nil, err
	}
	if err := policyError(g.Rules(), g.SharedSettings().Mail.Missing, g.Place("game.toml")); err != nil {
		return nil, err
	}
	if err := missedError(g.Rules(), g.SharedSettings().Mail.MissedRule(), g.Dir()); err != nil {
		return nil, err
	}
	if err := councilError(g); err != nil {
		return nil, err
	}
	t, err := g.Timing()
	if err != nil {
		return nil, err
	}
	p := &Position{
		closed: closedFor(g, at, t), at: at,
		vault: g, settings: g.Settings(), rules: g.Rules(), state: state, settled: newViewCache(g.Rules(), state, nil, g.Rounds()),
	}
	if p.settings.Cadence == vault.CadenceBreak {
		m, err := g.Stages.Manifest(at)
		if err != nil {
			return nil, err
		}
		p.goesOn, p.kinds = m.Quiet, m.Breaks
	}
	return p, nil
}

// sameCaptains checks that game.toml has the captain of every ship: a captain who is not in it gets
// no mail.
func sameCaptains(g *vault.Game, state *engine.Game) error {
	settings := g.SharedSettings()
	for _, s := range state.Ships {
		if s.Small() {
			continue
		}
		for _, seat := range g.Rules().Seats(s) {
			name, want := engine.OrderSetName(s.Name, seat.Post), s.Officer(seat.Post)
			c, ok := settings.CaptainOf(name)
			if ok && c.Name == want || seat.Post != "" && !ok && s.Crew[seat.Post] == "" {
				continue
			}
			problem := fmt.Sprintf("%s has no captain here, but %s in the game", name, want)
			if ok {
				problem = fmt.Sprintf("the captain of %s is %s here, but %s in the game", name, c.Name, want)
			}
			return &vault.Error{
				Path: g.Place("game.toml"), Problem: problem, Err: vault.ErrSettings,
				Way: "addresses may be changed; give names and ships of captains back as they were",
			}
		}
	}
	return nil
}

// State returns the game after the last turn. It must not be changed.
func (p *Position) State() *engine.Game { return p.state }

// Due returns the turn that orders are needed for; 0 if the game is over.
func (p *Position) Due() int {
	if p.state.Result != nil {
		return 0
	}
	return p.next()
}

// next returns the turn that is due, or would be if the game were not over.
func (p *Position) next() int {
	if p.state.Round > 0 {
		return p.state.Turn
	}
	return p.state.Turn + 1
}

// DueStage returns the turn and, if turns have rounds, the round that orders are needed for; zero
// if the game is over.
func (p *Position) DueStage() vault.Stage {
	if p.Due() == 0 {
		return vault.Stage{}
	}
	return vault.Stage{Turn: p.next(), Round: p.round()}
}

// round returns the due round; 0 in games whose turns have no rounds.
func (p *Position) round() int {
	if p.vault.Rounds() == 0 {
		return 0
	}
	return p.state.Round + 1
}

// View returns what the officer of a seat knows, with its ship in focus.
func (p *Position) View(seat engine.Seat) (*engine.View, error) {
	if p.told.builder == nil {
		events, err := p.vault.Stages.NewEvents(p.at)
		if err != nil {
			return nil, err
		}
		p.told = newViewCache(p.rules, p.state, events, p.vault.Rounds())
	}
	return p.told.view(p.state, seat)
}

// settledView returns the view of a seat's holder without events, so that the events need not be
// read. Orders are written and checked against it.
func (p *Position) settledView(seat engine.Seat) (*engine.View, error) {
	return p.settled.view(p.state, seat)
}

// closedBy is why no more orders are accepted for what is due; the zero value if they are.
type closedBy struct {
	referee bool          // the referee has them and plays the turn
	dice    *vault.Closed // the turn waits for its dice
}

func closedFor(g *vault.Game, at vault.Stage, t vault.Timing) closedBy {
	if at != g.Newest() {
		return closedBy{}
	}
	return closedBy{!t.Ready.IsZero(), t.Closed}
}

// councilError refuses a council if no post is due earlier.
func councilError(g *vault.Game) error {
	if g.SharedSettings().Mail.Council == 0 || len(g.Rules().Council) > 0 {
		return nil
	}
	return &vault.Error{
		Path: g.Place("game.toml"), Problem: "council is set, but in rule set " + g.Rules().Name + " no orders are due before others",
		Way: "leave council out", Err: vault.ErrSettings,
	}
}

// policyError refuses a policy for missing orders that a rule set cannot apply: a robot that it
// does not have or, if a referee handles missing orders, anything but waiting. where is the place
// of the setting.
func policyError(r *engine.Rules, policy, where string) error {
	var known []string
	switch {
	case r.Filing != nil:
		known = []string{vault.PolicyHold, vault.PolicyStanding}
	case r.Robot == nil:
		known = []string{vault.PolicyHold, vault.PolicyStanding, vault.PolicyForfeit}
	}
	if known == nil || policy == "" || slices.Contains(known, policy) {
		return nil
	}
	return &vault.Error{
		Path: where, Problem: fmt.Sprintf("rule set %s knows no policy %q for missing orders", r.Name, policy),
		Way: "one of: " + strings.Join(known, ", "), Err: vault.ErrSettings,
	}
}
