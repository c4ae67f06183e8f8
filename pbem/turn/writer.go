package turn

import (
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/pbem/chain"
	"starpost/pbem/clock"
	"starpost/pbem/orderset"
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

// publish makes what came of a stage ready to be written.
func (p *Position) publish(out *Outcome, in inputs, away []vault.Absence, o Options) (vault.FileWriter, error) {
	w := newWriter(p.vault, out.State, out.Events, o)
	w.away, w.proof.dice = away, in.beacons.Words(&w.settings, out.Turn)
	var err error
	if w.breaker, err = p.breaks(in); err != nil {
		return nil, err
	}
	if out.State.Round == 0 {
		if w.editions, err = nextEditions(p.vault, out.State); err != nil {
			return nil, err
		}
	}
	if err := w.inRounds(p.vault); err != nil {
		return nil, err
	}
	out.Told = w.told
	files, err := in.files()
	if err != nil {
		return nil, err
	}
	return w.fill(out, files), nil
}

// fill writes the files of the turn and fills in out.
func (p *turnWriter) fill(out *Outcome, texts []vault.File) vault.FileWriter {
	return func(m *vault.Manifest, add func(vault.File) error) error {
		state, err := engine.EncodeGame(p.state)
		if err != nil {
			return err
		}
		events, err := engine.EncodeEvents(p.events)
		if err != nil {
			return fmt.Errorf("write turn %d of %s: %w", p.state.Turn, p.state.ID, err)
		}
		if err := p.prepare(); err != nil {
			return err
		}
		if b := p.breaker; b != nil {
			if m.Quiet, err = b.quiet(p.state, p.events); err != nil {
				return err
			}
			m.Breaks = b.kinds
			if m.Quiet {
				p.mailed = nil
			} else if err := b.readPassed(p.stage()); err != nil {
				return err
			}
			out.Quiet = m.Quiet
		}
		m.Editions = p.editions
		out.Deadline, m.Deadline = p.deadline, p.deadline
		own := append([]vault.File{{Name: vault.StateFile, Data: state}, {Name: vault.EventsFile, Data: events}}, texts...)
		if err := vault.Files(own...)(m, add); err != nil {
			return err
		}
		if m.Record, err = chain.NextSum(p.game, p.settings.ID, *m, own); err != nil {
			return err
		}
		p.proof.record = chain.Seal(p.sealing, m.Record)
		seats := p.pages()
		pages := make([]page, len(seats))
		if err := p.each(len(pages), func(i int, w *report.Renderer) error { return p.page(&pages[i], seats[i], w, add) }); err != nil {
			return err
		}
		p.collect(seats, pages, out, m)
		o, err := p.outbox(seats, pages)
		if err != nil {
			return fmt.Errorf("write turn %d of %s: %w", p.state.Turn, p.state.ID, err)
		}
		if err := add(vault.File{Name: vault.ViewsFile, Data: views(seats, pages)}); err != nil {
			return err
		}
		return add(o)
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
	stages, err := g.Stages(p.state.Turn)
	if err != nil {
		return err
	}
	p.named = g.RoundMark(p.stage())
	for _, at := range stages {
		if at.Round == 0 || p.state.Round > 0 && at.Round >= p.state.Round {
			continue
		}
		if m, err := g.StageManifest(at); err != nil {
			return err
		} else if !m.Quiet {
			p.thread = append(p.thread, g.RoundMark(at))
		}
		if at.Round == p.state.Round-1 {
			told, err := g.StageEvents(at)
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

// pages are the seats for which there are reports: the captain's of each ship, and posts
// that others hold.
func (p *turnWriter) pages() []engine.Seat {
	var seats []engine.Seat
	for _, s := range engine.Captained(p.state.Ships) {
		seats = append(seats, engine.Seat{Ship: s.ID})
		for _, post := range slices.Sorted(maps.Keys(s.Crew)) {
			seats = append(seats, engine.Seat{Ship: s.ID, Post: post})
		}
	}
	return seats
}

// page makes and writes the report of a seat, and the head of the mail that carries it.
func (p *turnWriter) page(out *page, seat engine.Seat, renderer *report.Renderer, add func(vault.File) error) error {
	text, kept := p.kept[seat]
	rep := report.Rendered{Text: text}
	if !kept {
		v, says, err := p.view(seat)
		if err != nil {
			return err
		}
		if rep, err = renderer.Write(p.rules, v, says, &p.cache); err != nil {
			return err
		}
		out.out = &outReport{Says: says}
	}
	if err := add(vault.File{Name: file(seat, Text), Data: rep.Text}); err != nil {
		return err
	}
	out.view = rep.View
	if p.options.Keep {
		out.report = report.Rendered{Text: rep.Text, View: rep.View, Headline: rep.Headline}
	}
	to, ok := p.mailed[seat]
	if !ok || kept {
		return nil
	}
	msg := p.message(to.captain, to.slug, seat, rep.Headline)
	name := to.slug + ".eml"
	out.out.Mail = headOf(msg, name, p.state.Result != nil, p.state.Result != nil && p.settings.Mail.Replay)
	out.mail = Mail{
		Envelope: vault.Envelope{Captain: to.captain.Name, To: to.captain.Address, MessageID: msg.MessageID},
		Name:     name,
	}
	return nil
}

// collect fills in what was made.
func (p *turnWriter) collect(seats []engine.Seat, pages []page, out *Outcome, m *vault.Manifest) {
	if p.options.Keep {
		out.Reports = map[engine.Seat]report.Rendered{}
	}
	for i := range pages {
		if p.options.Keep {
			out.Reports[seats[i]] = pages[i].report
		}
		mail := pages[i].mail
		if mail.Name == "" {
			continue
		}
		if m.Mails == nil {
			m.Mails = map[string]vault.Envelope{}
		}
		m.Mails[mail.Name] = mail.Envelope
		out.Mails = append(out.Mails, mail)
	}
	slices.SortFunc(out.Mails, func(a, b Mail) int { return strings.Compare(a.Name, b.Name) })
}

// each runs f for 0 to n-1 on several processors and gives the first error by
// number. A panic of f becomes an error: on a goroutine of its own it would end
// the whole program, and with it every other game.
func (p *turnWriter) each(n int, f func(int, *report.Renderer) error) error {
	workers := p.options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, n)
	errs := make([]error, n)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			memory := &report.Renderer{Templates: p.options.Templates}
			for i := w; i < n; i += workers {
				errs[i] = guarded(f, i, memory)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func guarded(f func(int, *report.Renderer) error, i int, w *report.Renderer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: panic: %v\n%s", engine.ErrInvariant, p, debug.Stack())
		}
	}()
	return f(i, w)
}

// view is what the officer of a seat knows, his ship in the focus, and what his report says
// in addition.
func (p *turnWriter) view(seat engine.Seat) (*engine.View, report.Meta, error) {
	who, err := p.rules.SeatViewer(p.state, seat)
	if err != nil {
		return nil, report.Meta{}, err
	}
	v, err := p.builder.View(who)
	if err != nil {
		return nil, report.Meta{}, err
	}
	captain := who.Captain
	holder, _ := p.settings.Captain(captain)
	f := report.Meta{
		Own: holder.Zone, Now: p.options.Now, Deadline: p.deadline, Room: p.room, Zone: p.schedule.Zone, Commit: p.settings.SecretSHA256,
		Record: p.proof.record, Dice: p.proof.dice, Teach: p.settings.Mail.Teach && p.state.Turn == 0, Seeded: p.settings.Seed != nil, Luck: p.state.Format > 1 && !p.settings.RefereePlays(captain),
	}
	if b := p.breaker; b != nil && p.mailed != nil {
		f.Stopped = b.reasons(captain)
		if f.Since, err = b.passed(seat); err != nil {
			return nil, f, err
		}
	}
	if p.state.Turn == 0 && p.settings.Cadence == vault.CadenceBreak {
		f.Stopped = []string{untilBreak(p.settings.Mail, orderset.UsualBreaks())}
	}
	f.Briefing, f.Station = briefing(p.scenario, p.state, seat)
	if f.Referees, err = p.playingReferees(captain); err != nil {
		return nil, f, err
	}
	if c, ok := p.settings.Captain(captain); ok && c.Address != "" {
		f.Robot = p.settings.Mail.Robot
	}
	switch {
	case p.past:
		v.Due, f.Deadline = 0, time.Time{}
	case p.state.Result != nil:
		f.Secret = p.sealing.String() // a game that is over is open to all
		f.Replay = p.settings.Mail.Replay && f.Robot != ""
	default:
		f.Key, f.Opening = p.key(captain), p.opening()
		if by := CouncilDue(p.rules, p.settings, p.deadline); !by.IsZero() {
			f.Council = fmt.Sprintf("Orders of the %s are due earlier, by %s, so that the others aboard know of them in time.", strings.Join(councilWords(p.rules), " and the "), report.FormatTime(by, p.schedule.Zone))
		}
	}
	if changes, ok := p.corrected[captain]; ok {
		f.Corrected = append([]string{fmt.Sprintf("CORRECTED, revision %d of the report of turn %d. This is otherwise:", p.editions[captain], p.state.Turn)}, changes...)
	}
	return v, f, nil
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
	for _, r := range g.Revisions() {
		if r.Turn == state.Turn {
			last = max(last, r.Revision)
		}
	}
	if last == 0 {
		return nil, nil
	}
	m, err := g.StageManifest(vault.Stage{Turn: state.Turn, Revision: last})
	if err != nil {
		return nil, err
	}
	out := map[engine.CaptainName]int{}
	for _, c := range state.Captains() {
		out[c.Name] = m.Edition(c.Name) + 1
	}
	return out, nil
}
