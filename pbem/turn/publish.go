package turn

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/scenario"
	"starpost/pbem/chain"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// publish prepares the results of a stage for writing.
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

// fill returns a function that writes the files of the turn and fills in out.
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

// pages returns the seats that get reports: the captain's of each ship, and posts that others hold.
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

// page writes the report of a seat, and the header of the mail that carries it.
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

// collect fills in the results of the pages.
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

// each runs f for 0 to n-1 on several processors and returns the first error by number. A panic of
// f becomes an error: in a goroutine it would end the whole program, and with it every other game.
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

// view returns what the officer of a seat knows, with its ship in focus, and the additional content
// of its report.
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
			f.Council = fmt.Sprintf("Orders of the %s are due earlier, by %s, so the others aboard can see them in time.", strings.Join(councilWords(p.rules), " and the "), report.FormatTime(by, p.schedule.Zone))
		}
	}
	if changes, ok := p.corrected[captain]; ok {
		f.Corrected = append([]string{fmt.Sprintf("CORRECTED, revision %d of the report of turn %d. Changes:", p.editions[captain], p.state.Turn)}, changes...)
	}
	return v, f, nil
}

// outbox returns the outbox file for these pages.
func (p *turnWriter) outbox(seats []engine.Seat, pages []page) (vault.File, error) {
	o := outbox{Format: outboxFormat, Zone: zoneName(p.schedule.Zone), Past: p.past, Reports: map[engine.Seat]*outReport{}}
	for i, seat := range seats {
		if pages[i].out != nil {
			o.Reports[seat] = pages[i].out
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(o)
	return vault.File{Name: vault.OutboxFile, Data: b.Bytes()}, err
}

// views returns the file of these pages' views.
func views(seats []engine.Seat, pages []page) []byte {
	var all []report.NamedView
	for i, seat := range seats {
		if pages[i].out != nil {
			all = append(all, report.NamedView{Name: seat.String(), View: pages[i].view})
		}
	}
	return report.EncodeViews(all)
}

func zoneName(z *time.Location) string {
	if z == nil {
		z = time.UTC
	}
	return z.String()
}

// briefing returns how the first report of a seat begins: what the battle is about, and what only
// its officer is told. A captain is also told what is for posts that are vacant.
func briefing(sc *scenario.Scenario, g *engine.Game, seat engine.Seat) (battle, station []string) {
	if sc == nil {
		return nil, nil
	}
	text := sc.Text
	if g.Blind != nil && g.Blind.Text != blind.TextTold {
		text = ""
	}
	at := slices.IndexFunc(sc.Ships, func(sh scenario.Ship) bool { return strings.EqualFold(sh.Name, string(seat.Ship)) })
	s, known := g.Ship(seat.Ship)
	if at < 0 || !known {
		return paragraphs(text), nil
	}
	told := sc.Ships[at].Briefing
	station = paragraphs(told[cmp.Or(seat.Post, engine.AllPosts)])
	for _, post := range slices.Sorted(maps.Keys(told)) {
		if seat.Post == "" && post != engine.AllPosts && s.Crew[post] == "" {
			station = append(station, paragraphs(told[post])...)
		}
	}
	return paragraphs(text), station
}

// paragraphs splits a text at empty lines.
func paragraphs(text string) []string {
	var out []string
	for p := range strings.SplitSeq(text, "\n\n") {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			out = append(out, p)
		}
	}
	return out
}
