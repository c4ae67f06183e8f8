package turn

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/pbem/clock"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// turnWriter writes what goes out after a turn: reports, mails and the files of
// the turn's directory. Nothing depends on the order in which the workers happen to finish.
type turnWriter struct {
	game     *vault.Game // nil while it is being made
	settings vault.Settings
	rules    *engine.Rules
	sealing  dice.Secret // of the game
	key      func(captain engine.CaptainName) string
	state    *engine.Game
	events   []engine.Event
	told     int                // how many of them the reports of the rounds before told; 0 in the report of a whole turn
	rounds   int                // that a turn has; 0: its turns are not cut
	thread   []string           // the rounds of the turn before this stage, as their mails are named
	named    string             // this stage, as its mails are; "" as it is called
	scenario *scenario.Scenario // for the first report
	schedule clock.Schedule
	away     []vault.Absence
	options  Options
	breaker  *breaker // of a game that is played until something happens; else nil

	// Of a later revision of a turn: the number that each captain's report has,
	// which counts his own alone; the deadline that was announced, zero for a new
	// one; whether a later turn was played; and of a turn that is corrected what
	// changed for whom, who alone get a mail. The others keep their reports, which
	// stand in kept by ship: nothing may tell them that others' were corrected.
	editions  map[engine.CaptainName]int
	fixed     time.Time
	past      bool
	corrected map[engine.CaptainName][]string
	kept      map[engine.Seat][]byte

	// What is found out for the first report.
	looking sync.Once
	looks   []string
	lookErr error

	// What prepare finds out.
	deadline time.Time
	room     bool                      // it is later than usual
	mailed   map[engine.Seat]addressee // by the ship whose report goes out
	builder  *engine.ViewBuilder
	cache    report.Cache
	proof    provenance
}

// provenance is by what a captain can tell later that nothing was altered.
type provenance struct {
	record string // the seal of the game's record so far
	dice   string // where the dice come from; "" for the host's own
}

// addressee is a captain who gets a mail.
type addressee struct {
	captain vault.Captain
	slug    string
}

// newWriter makes the writer of what came of a stage.
func newWriter(g *vault.Game, state *engine.Game, events []engine.Event, o Options) *turnWriter {
	return &turnWriter{
		game: g, sealing: g.Secret(), settings: g.Settings(), schedule: g.Schedule(), rules: g.Rules(), rounds: g.Rounds(), state: state, events: events, options: o,
		key: func(captain engine.CaptainName) string { return Key(g, dueAfter(state), captain) },
	}
}

// mark is how the mails of what is reported are named.
func (p *turnWriter) mark() string {
	if p.named == "" {
		return p.stage().Slug()
	}
	return p.named
}

// stage is what is reported.
func (p *turnWriter) stage() vault.Stage {
	return vault.Stage{Turn: p.state.Turn, Round: p.state.Round}
}

// inRounds finds out what the report of a stage needs to know of the rounds before
// it. The stage itself need not be there yet.
func (p *turnWriter) inRounds(g *vault.Game) error {
	if p.rounds == 0 || p.state.Turn == 0 {
		return nil
	}
	stages, err := g.Stages.Of(p.state.Turn)
	if err != nil {
		return err
	}
	p.named = g.Stages.Mark(p.stage())
	for _, at := range stages {
		if at.Round == 0 || p.state.Round > 0 && at.Round >= p.state.Round {
			continue
		}
		if m, err := g.Stages.Manifest(at); err != nil {
			return err
		} else if !m.Quiet {
			p.thread = append(p.thread, g.Stages.Mark(at))
		}
		if at.Round == p.state.Round-1 {
			told, err := g.Stages.Events(at)
			if err != nil {
				return err
			}
			if p.told = len(told); p.told > len(p.events) && p.events != nil {
				return fmt.Errorf("report of %s: %w: events were told that did not happen", p.stage(), engine.ErrInvariant)
			}
		}
	}
	return nil
}

// prepare finds out what all reports need.
func (p *turnWriter) prepare() error {
	// Mails and manifests know whole seconds only.
	p.options.Now = p.options.Now.UTC().Truncate(time.Second)
	switch {
	case p.state.Result != nil || p.opening():
	case !p.fixed.IsZero():
		p.deadline = p.fixed
	default:
		usual, err := p.schedule.NextDeadline(p.options.Now)
		if err != nil {
			return err
		}
		next, err := p.schedule.NextDeadline(p.options.Now, p.absences()...)
		if err != nil {
			return err
		}
		p.deadline, p.room = next.UTC(), !next.Equal(usual)
	}
	p.builder = engine.NewViewBuilder(p.rules, p.state, p.events[p.told:]).InRounds(p.rounds)
	p.mailed = map[engine.Seat]addressee{}
	captains := p.state.Captains()
	for i, slug := range slugs(captains) {
		if _, changed := p.corrected[captains[i].Name]; p.corrected != nil && !changed {
			continue
		}
		if c, ok := p.settings.Captain(captains[i].Name); ok && c.Address != "" {
			p.mailed[Flagship(p.state, captains[i])] = addressee{c, slug}
		}
	}
	return nil
}

// opening tells the set-up of a game whose clock is to begin later.
func (p *turnWriter) opening() bool {
	return p.state.Turn == 0 && p.state.Round == 0 && !slices.Contains([]string{"", vault.StartNow}, p.settings.Mail.Start)
}

// page is what goes out for one seat.
type page struct {
	report report.Rendered // with Options.Keep
	view   report.ViewJSON
	out    *outReport // nil for a report that stays as it was
	mail   Mail       // without a Name for none
}

// A captain whose report is not changed by a revision of a turn must not learn that
// there is one. So what captains get is counted for each of them: his report of
// revision 3 is his second one if revision 2 changed nothing for him, and the
// report of a revision that changes nothing for him is the one that he has,
// byte for byte.

// nextEditions are the numbers of the reports of a turn that is played, after
// earlier resolutions of it were taken back; nil for the first. All captains know
// of those.
func nextEditions(g *vault.Game, state *engine.Game) (map[engine.CaptainName]int, error) {
	last := 0
	for _, r := range g.Stages.Revisions() {
		if r.Turn == state.Turn {
			last = max(last, r.Revision)
		}
	}
	if last == 0 {
		return nil, nil
	}
	m, err := g.Stages.Manifest(vault.Stage{Turn: state.Turn, Revision: last})
	if err != nil {
		return nil, err
	}
	out := map[engine.CaptainName]int{}
	for _, c := range state.Captains() {
		out[c.Name] = m.Edition(c.Name) + 1
	}
	return out, nil
}

// absences are those of the captains who command a ship in the turn to come:
// one that fights, or that arrives.
func (p *turnWriter) absences() []clock.Absence {
	var out []clock.Absence
	for _, a := range p.away {
		if a.Confirmed {
			continue // his stand-in needs no more time
		}
		for _, c := range p.state.Captains() {
			if c.Name.Is(a.Captain) && slices.ContainsFunc(c.Ships, func(id engine.ShipID) bool {
				s, _ := p.state.Ship(id)
				return s.Status == engine.Active || s.Status == engine.Waiting
			}) {
				out = append(out, clock.Absence{From: a.From, To: a.To})
				break
			}
		}
	}
	return out
}
