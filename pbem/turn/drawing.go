package turn

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"time"

	"starpost/engine"
	"starpost/pbem/fault"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
	"starpost/templates/composer"
)

// Drawing returns the reports and mails of a stage. Of a report only the text and the view are stored; all
// else is drawn from the stage, to the same bytes each time as long as the program is the same. Stages of an
// older layout have the drawings themselves as files. It must be used by one goroutine only.
type Drawing struct {
	Templates *templates.Set // for drawing pages; nil for the built-in ones
	Foot      []string       // of mails, see outgoing.Message
	Composer  string         // address of the page for composing orders; "" for none
	House     string         // name of the host before the game's title in the sender's name; "" for Starpost

	way composer.Way // link to that page from the report being drawn

	game     *vault.Game
	at       vault.Stage // with its revision
	manifest vault.Manifest

	// Read when first needed.
	out     *outbox
	zone    *time.Location
	views   map[string]report.ViewJSON
	builder *engine.ViewBuilder
	state   *engine.Game

	battle []byte // the whole battle as a page, once it is over

	cache    report.Cache
	renderer report.Renderer
	earlier  map[int]*Drawing // other resolutions of the turn, by revision
}

// Draw prepares the drawing of a stage.
func Draw(g *vault.Game, at vault.Stage) (*Drawing, error) {
	m, err := g.Stages.Manifest(at)
	if err != nil {
		return nil, err
	}
	return &Drawing{game: g, at: m.Stage(), manifest: m, earlier: map[int]*Drawing{}}, nil
}

// read reads outbox.json.
func (d *Drawing) read() (err error) {
	if d.out == nil {
		d.out, d.zone, err = readOutbox(d.game, d.at)
	}
	return err
}

// older reports whether the stage has the layout in which drawings are files.
func (d *Drawing) older() bool { return !d.has(vault.OutboxFile) }

func (d *Drawing) has(file string) bool {
	_, ok := d.manifest.Files[file]
	return ok
}

// Report returns the report of a seat in a form, as its officer got it. The error is errNotDrawn for a page
// or a picture of a view that the program no longer makes as stored.
func (d *Drawing) Report(seat engine.Seat, form Form) ([]byte, error) {
	if form == Text || d.older() {
		return d.game.Stages.File(d.at, file(seat, form))
	}
	at, said, err := d.of(seat)
	if err != nil {
		return nil, err
	}
	if at.older() { // it was written by an older program and did not change
		return at.Report(seat, form)
	}
	view, err := at.view(seat)
	if err != nil || form == JSON {
		return view.JSON(), err
	}
	rep, err := at.draw(seat, said, view.JSON(), form)
	if form == SVG {
		return bytes.Clone(rep.SVG), err
	}
	return bytes.Clone(rep.HTML), err
}

// reported returns the view of a seat's report, in one piece where an older program wrote it.
func (d *Drawing) reported(seat engine.Seat) (report.ViewJSON, error) {
	at := d
	if !d.older() {
		var err error
		if at, _, err = d.of(seat); err != nil {
			return report.ViewJSON{}, err
		}
	}
	if !at.older() {
		return at.view(seat)
	}
	data, err := at.Report(seat, JSON)
	return report.ViewJSON{Around: data, At: len(data)}, err
}

// of returns the resolution of the turn that has the report of a seat. A resolution in which nothing changed
// for its officer did not write one.
func (d *Drawing) of(seat engine.Seat) (*Drawing, *outReport, error) {
	if err := d.read(); err != nil {
		return nil, nil, err
	}
	if r := d.out.Reports[seat]; r != nil {
		return d, r, nil
	}
	state, err := d.game.Stages.State(d.at)
	if err != nil {
		return nil, nil, err
	}
	none := fmt.Errorf("%s has no report for %s: %w", d.at, engine.OrderSetName(string(seat.Ship), seat.Post), vault.ErrNoTurn)
	captain, ok := captainOf(state, seat)
	if !ok || d.at.Round > 0 {
		return nil, nil, none
	}
	revision, err := d.game.Stages.EditionAt(d.at.Turn, d.at.Revision, captain)
	if err != nil {
		return nil, nil, err
	}
	if revision == d.at.Revision {
		return nil, nil, none
	}
	e := d.earlier[revision]
	if e == nil {
		if e, err = Draw(d.game, vault.Stage{Turn: d.at.Turn, Revision: revision}); err != nil {
			return nil, nil, err
		}
		d.earlier[revision] = e
	}
	e.Templates, e.way = d.Templates, d.way
	if e.older() {
		return e, nil, nil
	}
	if err := e.read(); err != nil {
		return nil, nil, err
	}
	if e.out.Reports[seat] == nil {
		return nil, nil, none
	}
	return e, e.out.Reports[seat], nil
}

// view returns the stored view of a report of exactly this stage.
func (d *Drawing) view(seat engine.Seat) (report.ViewJSON, error) {
	if d.views == nil {
		data, err := d.game.Stages.File(d.at, vault.ViewsFile)
		if err != nil {
			return report.ViewJSON{}, err
		}
		if d.views, err = report.DecodeViews(data); err != nil {
			return report.ViewJSON{}, undrawable(d.game, d.at, vault.ViewsFile, "it cannot be read: "+err.Error())
		}
	}
	v, ok := d.views[seat.String()]
	if !ok {
		return v, undrawable(d.game, d.at, vault.ViewsFile, "there is no view of "+seat.String()+" in it")
	}
	return v, nil
}

// draw draws the page of a report of exactly this stage from its stored view, or its picture. It is valid until
// the next call.
func (d *Drawing) draw(seat engine.Seat, said *outReport, view []byte, form Form) (report.Rendered, error) {
	if err := d.prepare(); err != nil {
		return report.Rendered{}, err
	}
	who, err := d.game.Rules().SeatViewer(d.state, seat)
	if err != nil {
		return report.Rendered{}, err
	}
	v, err := d.builder.View(who)
	if err != nil {
		return report.Rendered{}, err
	}
	if d.out.Past {
		v.Due = 0
	}
	f := said.Says
	f.Zone = d.zone
	f.Compose = d.way
	d.renderer.Templates = d.Templates
	rep, err := d.renderer.Draw(d.game.Rules(), v, f, &d.cache, form == SVG)
	if err != nil {
		return rep, err
	}
	if !bytes.Equal(view, rep.View.JSON()) {
		return report.Rendered{}, &fault.Fault{
			Path: path.Join(d.game.Stages.Dir(d.at), vault.ViewsFile), Err: errNotDrawn,
			Problem: fmt.Sprintf("page and map of the report for %s cannot be drawn: this program makes another view of the turn than the one that was written", seat),
			Way:     "the text is there: " + d.game.CommandLine("report", "--as", seat) + "; for the page take the starpost that resolved the turn",
		}
	}
	return rep, nil
}

// prepare reads the stage.
func (d *Drawing) prepare() (err error) {
	if d.builder != nil {
		return nil
	}
	if d.state, err = d.game.Stages.State(d.at); err != nil {
		return err
	}
	events, err := d.game.Stages.NewEvents(d.at)
	if err != nil {
		return err
	}
	d.builder = engine.NewViewBuilder(d.game.Rules(), d.state, events).InRounds(d.game.Rounds())
	return nil
}

// MailTo returns the name of the mail to a captain; "" for none.
func (d *Drawing) MailTo(captain engine.CaptainName) string {
	for name, env := range d.manifest.Mails {
		if env.Captain == captain {
			return name
		}
	}
	return ""
}

// Mail returns a mail of the outbox, such as "kirk.eml", as it is sent. Its text, view and header were
// written with the turn. If the page can no longer be drawn, it is left out and without says why; the mail
// must still be sent.
func (d *Drawing) Mail(name string) (raw []byte, without, err error) {
	env, ok := d.manifest.Mails[name]
	if !ok {
		return nil, nil, fmt.Errorf("%s of %s has no mail %s: %w", d.at, d.game.ID(), name, vault.ErrNoTurn)
	}
	if d.older() {
		raw, err = d.game.Stages.File(d.at, vault.OutboxDir+"/"+name)
		return raw, nil, err
	}
	if err := d.read(); err != nil {
		return nil, nil, err
	}
	seat, said, ok := d.out.mail(name)
	if !ok {
		return nil, nil, undrawable(d.game, d.at, vault.OutboxFile, "there is no mail "+name+" in it")
	}
	text, err := d.game.Stages.File(d.at, file(seat, Text))
	if err != nil {
		return nil, nil, err
	}
	stored, err := d.view(seat)
	if err != nil {
		return nil, nil, err
	}
	d.way = wayTo(d.Composer, d.game, viewFile(d.game.ID(), seat, d.at), text, stored)
	view := stored.JSON()
	rep, err := d.draw(seat, said, view, HTML)
	switch {
	case errors.Is(err, errNotDrawn):
		without = err
	case err != nil:
		return nil, nil, err
	}
	var log []byte
	if said.Mail.Log {
		if log, err = logUpTo(d.game, d.at); err != nil {
			return nil, nil, err
		}
	}
	if said.Mail.Replay && d.battle == nil {
		if d.battle, err = wholeBattle(d.game, d.at); err != nil {
			return nil, nil, err
		}
	}
	m := said.Mail.message(env.MessageID, said.Says.Now)
	m.Text, m.HTML, m.Attachments = d.way.In(string(text)), string(rep.HTML), attachments(d.game.ID(), seat, d.at, view, log, d.battle)
	m.Foot, m.Bare = d.Foot, d.Foot == nil
	if d.House != "" {
		m.From.Name = d.House + " " + d.game.SharedSettings().Title
		if m.ReplyTo != (outgoing.Address{}) {
			m.ReplyTo.Name = m.From.Name
		}
	}
	raw, err = outgoing.Render(m)
	return raw, without, err
}

// logUpTo returns all events of the game up to a stage as one file, from the turns that it was based on.
func logUpTo(g *vault.Game, at vault.Stage) ([]byte, error) {
	made, err := g.Stages.Lineage(at)
	if err != nil {
		return nil, err
	}
	var all []byte
	for _, at := range made {
		data, err := g.Stages.File(at, vault.EventsFile)
		if err != nil {
			return nil, err
		}
		all = append(all, data...)
	}
	return all, nil
}

// ErrNoOrders is returned for a captain who owes no orders.
var ErrNoOrders = errors.New("no orders are due")

// Composing returns what a captain needs to compose the due orders: the view of their newest report, as an
// attachment, and the link from there to the page.
func Composing(g *vault.Game, p *Position, page string, captain engine.CaptainName) (view outgoing.Attachment, way composer.Way, err error) {
	d, err := Draw(g, p.at)
	if err != nil {
		return view, way, err
	}
	seat := SeatOfCaptain(p, captain)
	text, err := d.Report(seat, Text)
	if err != nil {
		return view, way, err
	}
	if p.Due() == 0 || !offersOrders(g, text) {
		return view, way, ErrNoOrders
	}
	stored, err := d.reported(seat)
	if err != nil {
		return view, way, err
	}
	view = outgoing.Attachment{Name: viewFile(g.ID(), seat, p.at), Type: "application/json", Data: stored.JSON()}
	return view, wayTo(page, g, view.Name, text, stored), nil
}
