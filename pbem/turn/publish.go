package turn

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"starpost/engine"
	"starpost/pbem/auth"
	"starpost/pbem/mime"
	"starpost/pbem/post"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// publisher writes what goes out after a turn: reports, mails and the files of
// the turn's directory. Nothing in it depends on the order in which the
// renderers happen to finish.
type publisher struct {
	settings vault.Settings
	rules    *engine.Rules
	secret   string // in hexadecimal, once the game is over; else ""
	key      func(captain string) string
	log      func() ([]byte, error) // all events of the game, for the last mails
	state    *engine.Game
	events   []engine.Event
	deadline time.Time
	briefing []string // for the first report
	options  Options
}

func (p *Position) publish(out *Outcome, m *vault.Manifest, in inputs, o Options) ([]vault.File, error) {
	pub := publisher{
		settings: p.settings, rules: p.rules, state: out.State, events: out.Events, options: o,
		key: func(captain string) string { return Key(p.vault, out.Turn+1, captain) },
	}
	events, err := engine.EncodeEvents(out.Events)
	if err != nil {
		return nil, fmt.Errorf("resolve turn %d of %s: %w", out.Turn, p.state.ID, err)
	}
	if out.State.Result != nil {
		pub.secret = p.vault.Secret().String()
		pub.log = func() ([]byte, error) { return wholeLog(p.vault, events) }
	}
	return pub.files(out, m, events, in.texts)
}

// wholeLog is the events of all turns, as one file.
func wholeLog(g *vault.Game, last []byte) ([]byte, error) {
	var all bytes.Buffer
	for n := range g.Turn() + 1 {
		data, err := g.ReadFile(n, vault.EventsFile)
		if err != nil {
			return nil, err
		}
		all.Write(data)
	}
	all.Write(last)
	return all.Bytes(), nil
}

// files renders everything and fills in out and m.
func (p publisher) files(out *Outcome, m *vault.Manifest, events []byte, texts []vault.File) ([]vault.File, error) {
	schedule, err := p.settings.Schedule()
	if err != nil {
		return nil, err
	}
	// Mails and manifests know whole seconds only.
	p.options.Now = p.options.Now.UTC().Truncate(time.Second)
	if p.state.Result == nil {
		p.deadline = schedule.Next(p.options.Now).UTC()
	}
	out.Deadline, m.Deadline = p.deadline, p.deadline
	state, err := engine.EncodeGame(p.state)
	if err != nil {
		return nil, err
	}
	files := []vault.File{{Name: vault.StateFile, Data: state}, {Name: vault.EventsFile, Data: events}}
	files = append(files, texts...)

	ships := p.state.Ships
	reports := make([]report.Rendered, len(ships))
	cache, cutter := &report.Cache{}, engine.NewCutter(p.rules, p.state, p.events)
	err = p.each(len(ships), func(i int) error {
		var err error
		reports[i], err = p.render(ships[i].ID, cutter, cache, schedule.Zone)
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Reports = map[string]report.Rendered{}
	for i, s := range ships {
		out.Reports[s.ID] = reports[i]
		name := vault.ReportsDir + "/" + s.ID
		files = append(files,
			vault.File{Name: name + ".txt", Data: reports[i].Text}, vault.File{Name: name + ".html", Data: reports[i].HTML},
			vault.File{Name: name + ".json", Data: reports[i].JSON}, vault.File{Name: name + ".svg", Data: reports[i].SVG})
	}
	if out.Mails, err = p.mails(out.Reports); err != nil {
		return nil, err
	}
	for _, mail := range out.Mails {
		if m.Mails == nil {
			m.Mails = map[string]vault.Envelope{}
		}
		m.Mails[strings.TrimPrefix(mail.File, vault.OutboxDir+"/")] = mail.Envelope
		files = append(files, vault.File{Name: mail.File, Data: mail.Raw})
	}
	return files, nil
}

// each runs f for 0 to n-1 on several processors and gives the first error by
// number. A panic of f becomes an error: on a goroutine of its own it would end
// the whole program, and with it every other game.
func (p publisher) each(n int, f func(int) error) error {
	workers := p.options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, n)
	errs := make([]error, n)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n; i += workers {
				errs[i] = guarded(f, i)
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

func guarded(f func(int) error, i int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: panic: %v\n%s", engine.ErrInvariant, p, debug.Stack())
		}
	}()
	return f(i)
}

// render makes the report of one ship's captain, that ship in the focus.
func (p publisher) render(ship string, cutter *engine.Cutter, cache *report.Cache, zone *time.Location) (report.Rendered, error) {
	who, err := viewer(p.state, ship)
	if err != nil {
		return report.Rendered{}, err
	}
	v, err := cutter.View(who)
	if err != nil {
		return report.Rendered{}, err
	}
	f := report.Facts{
		Now: p.options.Now, Deadline: p.deadline, Zone: zone, Commit: p.settings.SecretSHA256,
		Secret: p.secret, Seeded: p.settings.Seed != nil, Briefing: p.briefing,
	}
	if c, ok := p.settings.Captain(who.Captain); ok && c.Address != "" {
		f.Robot = p.settings.Mail.Robot
	}
	if p.state.Result == nil {
		f.Key = p.key(who.Captain)
	}
	return report.Render(p.rules, v, f, cache)
}

// mails composes one mail for each captain who has an address.
func (p publisher) mails(reports map[string]report.Rendered) ([]Mail, error) {
	if p.options.Compose == nil {
		return nil, nil
	}
	var log []byte
	if p.log != nil {
		var err error
		if log, err = p.log(); err != nil {
			return nil, err
		}
	}
	captains := p.state.Captains()
	slugs := slugs(captains)
	mails := make([]Mail, len(captains))
	err := p.each(len(captains), func(i int) error {
		c := captains[i]
		set, ok := p.settings.Captain(c.Name)
		if !ok || set.Address == "" {
			return nil
		}
		rep := reports[flagship(p.state, c.Ships)]
		msg := p.message(set, slugs[i], flagship(p.state, c.Ships), rep)
		if log != nil {
			msg.Attachments = append(msg.Attachments, post.Attachment{
				Name: p.state.ID + "-events.jsonl", Type: "application/jsonl", Data: log,
			})
		}
		raw, err := p.options.Compose(msg)
		if err != nil {
			return fmt.Errorf("turn %d of %s: mail to captain %s: %w", p.state.Turn, p.state.ID, c.Name, err)
		}
		mails[i] = Mail{
			Envelope: vault.Envelope{Captain: c.Name, To: set.Address, MessageID: msg.MessageID},
			File:     vault.OutboxDir + "/" + slugs[i] + ".eml", Raw: raw,
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	mails = slices.DeleteFunc(mails, func(m Mail) bool { return m.File == "" })
	slices.SortFunc(mails, func(a, b Mail) int { return strings.Compare(a.File, b.File) })
	return mails, nil
}

func (p publisher) message(c vault.Captain, slug, ship string, rep report.Rendered) post.Message {
	id, robot := p.state.ID, p.settings.Mail.Robot
	domain := robot[strings.LastIndexByte(robot, '@')+1:]
	m := post.Message{
		From:      post.Address{Name: "Starpost " + p.state.Title, Addr: robot},
		To:        post.Address{Name: c.Name, Addr: c.Address},
		MessageID: messageID(p.settings, p.state.Turn, slug),
		ListID:    fmt.Sprintf("%s <%s.%s>", p.state.Title, strings.ToLower(id), domain),
		Auto:      post.AutoGenerated,
		Headers:   []post.Header{{Name: "X-Loop", Value: mime.LoopMark}},
		Date:      p.options.Now,
		Text:      string(rep.Text), HTML: string(rep.HTML),
		Attachments: []post.Attachment{{Name: fmt.Sprintf("%s-%s-%d.json", id, ship, p.state.Turn), Type: "application/json", Data: rep.JSON}},
	}
	if p.state.Turn > 0 {
		// The game is the thread, its set-up the root, and each turn a branch.
		root := messageID(p.settings, 0, slug)
		m.InReplyTo, m.References = root, []string{root}
	}
	s, _ := p.state.Ship(ship)
	switch {
	case p.state.Result != nil:
		m.Subject = fmt.Sprintf("[%s] %s", id, rep.Headline)
	case p.state.Turn == 0:
		m.Subject = fmt.Sprintf("[%s] %s begins: %s, orders for turn 1", id, p.state.Title, s.Name)
	default:
		m.Subject = fmt.Sprintf("[%s] Turn %d: report for %s", id, p.state.Turn, s.Name)
	}
	if p.state.Result == nil {
		m.ReplyTo = post.Address{Name: "Starpost " + p.state.Title, Addr: auth.WithKey(robot, p.key(c.Name))}
	}
	return m
}

// MessageID is the Message-ID of the report of a turn to a captain. It is fixed
// by game, turn and captain; the start of the secret's hash keeps games of one
// name apart.
func MessageID(g *vault.Game, turn int, captain string) (string, error) {
	state, err := g.State(0)
	if err != nil {
		return "", err
	}
	captains := state.Captains()
	for i, slug := range slugs(captains) {
		if captains[i].Name == captain {
			return messageID(g.Settings(), turn, slug), nil
		}
	}
	return "", fmt.Errorf("game %s has no captain %q: %w", g.ID(), captain, os.ErrNotExist)
}

func messageID(s vault.Settings, turn int, slug string) string {
	domain := s.Mail.Robot[strings.LastIndexByte(s.Mail.Robot, '@')+1:]
	return fmt.Sprintf("<%s.%d.%s.%s@%s>", strings.ToLower(s.ID), turn, slug, s.SecretSHA256[:8], domain)
}

// slugs makes a file name of each captain's name, all different.
func slugs(captains []engine.Captain) []string {
	out := make([]string, len(captains))
	for i, c := range captains {
		s := strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
				return r
			case r >= 'A' && r <= 'Z':
				return r - 'A' + 'a'
			}
			return '-'
		}, c.Name)
		if s = strings.Trim(s, "-"); s == "" {
			s = "captain"
		}
		for n := 2; slices.Contains(out[:i], s); n++ {
			s = fmt.Sprintf("%s-%d", strings.TrimRight(s, "-0123456789"), n)
		}
		out[i] = s
	}
	return out
}
