package turn

import (
	"errors"
	"fmt"
	"time"

	"starpost/engine"
	"starpost/engine/scenario"
	"starpost/pbem/auth"
	"starpost/pbem/chain"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
)

// Repeat is a request to send a report again.
type Repeat struct {
	Turn    int
	Round   int           // for the report of a round; 0: of the whole turn
	Captain vault.Captain // with the address to send it to
	Changes int           // how often the seat has changed hands
	ID      string        // the Message-ID, which differs from the report's
	Now     time.Time
	// Templates are for drawing the report; nil for the built-in ones.
	Templates *templates.Set
	Composer  string // address of the page for composing orders; "" for none
}

// at returns the stage of the report.
func (r Repeat) at() vault.Stage { return vault.Stage{Turn: r.Turn, Round: r.Round} }

// RepeatReport returns the mail that sends the report of a turn to a captain again. It contains the
// stored report. Only the last one is written again for a new holder of the seat, with their key,
// and so is the one that ends a game, which has all events attached.
func RepeatReport(g *vault.Game, r Repeat) (outgoing.Message, error) {
	fail := func(err error) (outgoing.Message, error) {
		return outgoing.Message{}, fmt.Errorf("report of %s of %s again: %w", r.at(), g.ID(), err)
	}
	state, err := g.Stages.State(r.at())
	if err != nil {
		return fail(err)
	}
	c, slug, ok := captainNamed(state, r.Captain.Name)
	if !ok {
		return fail(fmt.Errorf("the game has no captain %q", r.Captain.Name))
	}
	seat := Flagship(state, c)
	if dueAfter(state) <= g.Turn() {
		r.Composer = "" // its orders were carried out
	}
	pub := newWriter(g, state, nil, Options{Now: r.Now.UTC().Truncate(time.Second), Templates: r.Templates})
	pub.game = nil // the report itself already told what referees looked at
	pub.key = func(engine.CaptainName) string { return KeyOf(g, dueAfter(state), r.Captain.Name, r.Changes) }
	if err := pub.inRoundsOf(g, r.Captain.Name); err != nil {
		return fail(err)
	}
	var view, log, battle []byte
	var rep report.Rendered
	switch {
	case state.Result != nil:
		if log, err = logUpTo(g, vault.At(g.Turn())); err != nil {
			return fail(err)
		}
		if pub.settings.Mail.Replay {
			if battle, err = wholeBattle(g, vault.At(g.Turn())); err != nil {
				return fail(err)
			}
		}
		rep, err = pub.writeAgain(g, seat, r)
	case r.Changes > 0 && r.at() == g.Newest():
		rep, err = pub.writeAgain(g, seat, r)
	default:
		view, err = asStored(g, seat, r, &rep)
	}
	if err != nil {
		return fail(err)
	}
	if view == nil {
		view = rep.View.JSON()
	}
	pub.options.Now = r.Now.UTC().Truncate(time.Second)
	m := pub.message(r.Captain, slug, seat, rep.Headline)
	m.Text, m.HTML, m.Attachments = string(rep.Text), string(rep.HTML), attachments(g.ID(), seat, r.at(), view, log, battle)
	m.InReplyTo, m.References = m.MessageID, append(m.References, m.MessageID)
	m.MessageID, m.Auto = r.ID, outgoing.AutoReplied
	if dueAfter(state) <= g.Turn() {
		// The report's key is for a turn that is over.
		m.ReplyTo = outgoing.Address{}
		if due, err := g.Due(); err != nil {
			return fail(err)
		} else if due > 0 {
			m.ReplyTo = outgoing.Address{Name: m.From.Name, Addr: auth.WithKey(m.From.Addr, KeyOf(g, due, r.Captain.Name, r.Changes))}
		}
	}
	return m, nil
}

// inRoundsOf is inRounds for the report that a captain has. That may be of a turn that was played
// in rounds and was later resolved again as a whole without a change for this captain.
func (p *turnWriter) inRoundsOf(g *vault.Game, captain engine.CaptainName) error {
	if err := p.inRounds(g); err != nil || p.rounds == 0 || p.state.Turn == 0 || p.state.Round > 0 {
		return err
	}
	m, _, err := p.issued(g, captain)
	if err != nil || len(m.Rounds) == len(p.thread) {
		return err
	}
	p.thread = nil
	for n := range m.Rounds {
		p.thread = append(p.thread, g.Stages.Mark(vault.Stage{Turn: p.state.Turn, Round: n + 1}))
	}
	return nil
}

// asStored fills in a report as stored, with the page if it can still be drawn, and returns its
// view.
func asStored(g *vault.Game, seat engine.Seat, r Repeat, rep *report.Rendered) (view []byte, err error) {
	d, err := Draw(g, r.at())
	if err != nil {
		return nil, err
	}
	d.Templates = r.Templates
	if rep.Text, err = d.Report(seat, Text); err != nil {
		return nil, err
	}
	stored, err := d.reported(seat)
	if err != nil {
		return nil, err
	}
	d.way = wayTo(r.Composer, g, viewFile(g.ID(), seat, r.at()), rep.Text, stored)
	rep.Text = []byte(d.way.In(string(rep.Text)))
	if rep.HTML, err = d.Report(seat, HTML); errors.Is(err, errNotDrawn) {
		err = nil
	}
	return stored.JSON(), err
}

// writeAgain writes a report of a committed turn for the current holder of the seat.
func (p *turnWriter) writeAgain(g *vault.Game, seat engine.Seat, r Repeat) (report.Rendered, error) {
	c := r.Captain
	m, seal, err := p.issued(g, c.Name)
	if err != nil {
		return report.Rendered{}, err
	}
	at := p.stage()
	if at.Round == 0 {
		at.Revision = max(m.Revision, 1)
	}
	if p.state, err = g.Stages.State(at); err != nil {
		return report.Rendered{}, err
	}
	if at.Turn > 0 {
		p.events, err = g.Stages.Events(at)
	} else {
		p.scenario, err = scenarioOf(g)
	}
	if err != nil {
		return report.Rendered{}, err
	}
	// As it was, except for the address, without which it would be no report by mail.
	p.options.Now, p.deadline = m.Resolved, m.Deadline
	for i := range p.settings.Captains {
		if p.settings.Captains[i].Name == c.Name {
			p.settings.Captains = append([]vault.Captain(nil), p.settings.Captains...)
			p.settings.Captains[i].Address = c.Address
		}
	}
	in, err := storedInputs(g, at)
	if err != nil {
		return report.Rendered{}, err
	}
	p.proof = provenance{seal, in.beacons.Words(&p.settings, at.Turn)}
	p.builder = engine.NewViewBuilder(p.rules, p.state, p.events[p.told:]).InRounds(p.rounds)
	v, says, err := p.view(seat)
	if err != nil {
		return report.Rendered{}, err
	}
	renderer := &report.Renderer{Templates: p.options.Templates}
	rep, err := renderer.Render(p.rules, v, says, &p.cache)
	if err != nil || r.Composer == "" {
		return rep, err
	}
	// The address of the page contains the view as written.
	says.Compose = wayTo(r.Composer, g, viewFile(g.ID(), seat, r.at()), rep.Text, rep.View)
	rep, err = renderer.Render(p.rules, v, says, &p.cache)
	rep.Text = []byte(says.Compose.In(string(rep.Text)))
	return rep, err
}

// issued returns the manifest of the resolution that has the captain's report, and the seal of the
// record up to it: later resolutions without a change for this captain must stay hidden. For a game
// that is over it is the current one.
func (p *turnWriter) issued(g *vault.Game, captain engine.CaptainName) (m vault.Manifest, seal string, err error) {
	if m, err = g.Stages.Manifest(p.stage()); err != nil {
		return m, "", err
	}
	if p.state.Round > 0 || p.state.Result != nil {
		seal, err = chain.StageSeal(g, p.stage())
		return m, seal, err
	}
	at, err := g.Stages.EditionAt(p.state.Turn, max(m.Revision, 1), captain)
	if err != nil {
		return m, "", err
	}
	deadline := m.Deadline
	if m, err = g.Stages.Manifest(vault.Stage{Turn: p.state.Turn, Revision: at}); err != nil {
		return m, "", err
	}
	m.Deadline = deadline
	seal, err = chain.StageSeal(g, vault.Stage{Turn: p.state.Turn, Revision: at})
	return m, seal, err
}

// scenarioOf returns a game's scenario, for the first reports.
func scenarioOf(g *vault.Game) (*scenario.Scenario, error) {
	data, err := g.Scenario()
	if err != nil {
		return nil, err
	}
	sc, diags := scenario.Parse(data)
	if sc == nil {
		return nil, fmt.Errorf("scenario.toml:%s", diags[0])
	}
	return sc, nil
}
