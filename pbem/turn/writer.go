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

// turnWriter writes the results of a turn: reports, mails and the files of the turn's directory.
// Nothing depends on the order in which the workers happen to finish.
type turnWriter struct {
	game     *vault.Game // nil while the game is being created
	settings vault.Settings
	rules    *engine.Rules
	sealing  dice.Secret // of the game
	key      func(captain engine.CaptainName) string
	state    *engine.Game
	events   []engine.Event
	told     int                // how many of them earlier rounds' reports covered; 0 in the report of a whole turn
	rounds   int                // rounds of a turn; 0: turns have no rounds
	thread   []string           // the marks in Message-IDs of the rounds before this stage
	named    string             // this stage's mark in Message-IDs; "" for its slug
	scenario *scenario.Scenario // for the first report
	schedule clock.Schedule
	away     []vault.Absence
	options  Options
	breaker  *breaker // for a game that is played until something happens; otherwise nil

	// For a later revision of a turn: the number of each captain's report, which counts only their
	// own; the announced deadline, zero for a new one; whether a later turn was played; and, for a
	// corrected turn, the changes for each affected captain. Only those get a mail. The others keep
	// their reports, which are in kept by seat: they must not learn that others' were corrected.
	editions  map[engine.CaptainName]int
	fixed     time.Time
	past      bool
	corrected map[engine.CaptainName][]string
	kept      map[engine.Seat][]byte

	// Computed for the first report that needs it.
	looking sync.Once
	looks   []string
	lookErr error

	// Set by prepare.
	deadline time.Time
	room     bool                      // the deadline is later than usual
	mailed   map[engine.Seat]addressee // by the seat that the report is for
	builder  *engine.ViewBuilder
	cache    report.Cache
	proof    provenance
}

// provenance lets a captain check later that nothing was altered.
type provenance struct {
	record string // the seal of the game's record so far
	dice   string // the source of the dice; "" for the host's own
}

// addressee is a captain who gets a mail.
type addressee struct {
	captain vault.Captain
	slug    string
}

// newWriter returns the writer for the results of a stage.
func newWriter(g *vault.Game, state *engine.Game, events []engine.Event, o Options) *turnWriter {
	return &turnWriter{
		game: g, sealing: g.Secret(), settings: g.Settings(), schedule: g.Schedule(), rules: g.Rules(), rounds: g.Rounds(), state: state, events: events, options: o,
		key: func(captain engine.CaptainName) string { return Key(g, dueAfter(state), captain) },
	}
}

// mark returns the mark of the stage in Message-IDs.
func (p *turnWriter) mark() string {
	if p.named == "" {
		return p.stage().Slug()
	}
	return p.named
}

// stage returns the reported stage.
func (p *turnWriter) stage() vault.Stage {
	return vault.Stage{Turn: p.state.Turn, Round: p.state.Round}
}

// inRounds collects what the report of a stage needs to know of the rounds before it. The stage
// itself need not exist yet.
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

// prepare computes what all reports need.
func (p *turnWriter) prepare() error {
	// Mails and manifests have a resolution of seconds.
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

// opening reports whether this is the set-up of a game whose clock starts later.
func (p *turnWriter) opening() bool {
	return p.state.Turn == 0 && p.state.Round == 0 && !slices.Contains([]string{"", vault.StartNow}, p.settings.Mail.Start)
}

// page is the output for one seat.
type page struct {
	report report.Rendered // with Options.Keep
	view   report.ViewJSON
	out    *outReport // nil for an unchanged report
	mail   Mail       // without a Name for none
}

// A captain whose report is not changed by a revision must not learn that there is one. So reports
// are numbered for each captain separately: a captain's report of revision 3 is their second one if
// revision 2 changed nothing for them, and for a revision that changes nothing they keep the report
// that they have, byte for byte.

// nextEditions returns the numbers of the reports of a turn that is played after earlier
// resolutions of it were taken back; nil for the first. All captains know of those.
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

// absences returns those of the captains who command a ship in the coming turn: one that fights, or
// that arrives.
func (p *turnWriter) absences() []clock.Absence {
	var out []clock.Absence
	for _, a := range p.away {
		if a.Confirmed {
			continue // the stand-in needs no more time
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
