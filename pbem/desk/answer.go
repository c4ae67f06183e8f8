package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/mime"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// Kinds of answers, which also begin their Message-IDs.
const (
	KindAck      = "ack"
	KindHelp     = "help"
	KindStranger = "stranger"
	KindText     = "text" // to a stranger who asked for a text, or for what he cannot have
)

// Answer is a mail that is due for another one. Its Message-ID is the same each
// time, so that it is sent once however often it is asked for.
type Answer struct {
	Kind    string
	Game    string // id; "" when it belongs to none, or to several
	Message outgoing.Message
	words   func(*outgoing.Message) error // writes its text; nil when it has one
	sent    func()                        // see Sent; may be nil
}

// Sent notes that the answer goes out: what is in it need not be said again.
func (a *Answer) Sent() {
	if a.sent != nil {
		a.sent()
	}
}

// WriteText writes the text of the message. That needs nothing of the games any more,
// so another goroutine may do it while the next mail is judged.
func (a *Answer) WriteText() error {
	words := a.words
	if a.words = nil; words == nil {
		return nil
	}
	return words(&a.Message)
}

// Answer composes what the sender is told, after the steps were done; nil for
// nothing. now is for the time left.
func (c *Decision) Answer(now time.Time) (*Answer, error) {
	switch c.reply {
	case ackReply:
		return c.ack(now)
	case textReply:
		a, err := c.ack(now)
		if a != nil {
			a.Kind = KindText
		}
		return a, err
	case helpReply:
		return c.help(now)
	case strangerReply:
		return c.stranger(now)
	case refereeReply:
		return c.refereeHelp(now)
	case largeReply:
		return c.tooLarge(now)
	case noReply:
	}
	return nil, nil
}

// answerable tells whether a mail can be sent to an address.
func answerable(address string) bool { return outgoing.ValidAddress(address) == nil }

// message is an answer without its text: from the robot, to the sender, in the
// thread of his mail.
func (c *Decision) message(kind, id string, now time.Time) outgoing.Message {
	m := &c.in.Mail
	_, domain, _ := strings.Cut(c.robot.Address, "@")
	out := outgoing.Message{
		From: outgoing.Address{Name: c.robot.Name, Addr: c.robot.Address}, To: outgoing.Address{Addr: c.to},
		MessageID: fmt.Sprintf("<%s.%s@%s>", kind, id, domain),
		InReplyTo: m.MessageID, Auto: outgoing.AutoReplied, Date: now.UTC().Truncate(time.Second),
		Headers: []outgoing.Header{{Name: "X-Loop", Value: mime.LoopMark}},
	}
	out.References = append(out.References, m.References...)
	if m.MessageID != "" {
		out.References = append(out.References, m.MessageID)
	}
	return out
}

// ack is the answer to a mail with orders: one for all its sets.
func (c *Decision) ack(now time.Time) (*Answer, error) {
	a := &Answer{Kind: KindAck, Message: c.message(KindAck, c.in.SHA256[:min(32, len(c.in.SHA256))], now)}
	if c.bare() {
		return a, c.bareAnswer(a, now)
	}
	if err := c.hideAllKeys(); err != nil {
		return nil, err
	}
	acks := make([]templates.Ack, 0, len(c.orderResults)+1)
	w := wording{c: c, now: now, drawn: map[string]drawnWay{}}
	a.sent = func() { c.desk.Ways.note(w.drawn) }
	for i := range c.orderResults {
		t, err := w.ack(&c.orderResults[i])
		if err != nil {
			return nil, err
		}
		acks = append(acks, t)
	}
	report.JoinForecasts(acks)
	sayOnce(acks)
	if len(acks) > 0 {
		acks[0].Diagnostics = append(report.Diagnostics(c.body.Source, c.loose, 1), acks[0].Diagnostics...)
		acks[0].Notices = append(append(acks[0].Notices, c.in.Mail.Warnings...), c.notices...)
	}
	var part string
	var reply templates.Reply
	if len(c.commandResults) > 0 || len(c.strays) > 0 {
		var err error
		if part, reply, err = c.commandsPart(now); err != nil {
			return nil, err
		}
		c.addressReply(a)
	}
	a.Message.Subject = auth.Mask(c.subject(acks, reply), c.keys)
	if s := c.first(); s != nil {
		a.Game = s.game.ID()
		a.Message.To.Name = string(s.captain.Name)
		a.Message.From.Name = c.robot.Name + " " + s.game.Settings().Title
		a.Message.ListID = ListID(s.game.Settings(), c.robot.Address)
		if s.trusted && s.pos.Due() > 0 {
			a.Message.ReplyTo = outgoing.Address{Name: a.Message.From.Name, Addr: auth.WithKey(c.robot.Address, s.pos.Key(s.captain.Name))}
		}
	}
	keys, page := c.keys, len(acks) == 1 && len(reply.Commands) == 0 && len(c.strays) == 0 && !c.plain()
	a.words = func(m *outgoing.Message) error { return c.desk.wordAcks(m, part, acks, keys, page) }
	return a, nil
}

// sayOnce has what all sets of an answer end with stand below the last one alone.
func sayOnce(acks []templates.Ack) {
	ends := func(a *templates.Ack) []string {
		return slices.Concat([]string{a.Game, a.Deadline, a.Left, ""}, a.Missing, []string{""}, a.Answer)
	}
	for i := range max(len(acks)-1, 0) {
		a, last := &acks[i], &acks[len(acks)-1]
		if slices.Equal(ends(a), ends(last)) {
			a.Deadline, a.Left, a.Missing, a.Answer = "", "", nil, nil
		}
	}
}

// plain tells of a mail that replies to one of ours, in plain text alone: what it was
// written with makes no pages, and its reader has an answer's text.
func (c *Decision) plain() bool {
	m := &c.in.Mail
	_, ours := strings.CutSuffix(m.InReplyTo, c.robot.Address[strings.LastIndexByte(c.robot.Address, '@'):])
	return ours && m.Source == mime.SourcePlain && m.HTMLTextPart() == ""
}

// wordAcks writes the text of an answer: what its commands brought and then the
// sets, of which a single one makes a page too.
func (d *Desk) wordAcks(m *outgoing.Message, commands string, acks []templates.Ack, keys []string, page bool) error {
	parts := make([]string, 0, len(acks)+1)
	if commands != "" {
		parts = append(parts, commands)
	}
	for _, t := range acks {
		text, err := d.Templates.AckText(t)
		if err != nil {
			return err
		}
		parts = append(parts, text)
	}
	m.Text = auth.Mask(strings.Join(parts, separator), keys)
	if page {
		html, err := d.Templates.AckHTML(acks[0])
		if err != nil {
			return err
		}
		m.HTML = auth.Mask(html, keys)
	}
	return nil
}

// hideAllKeys adds the sender's keys of all his games where a block belongs to
// none of them, for a key may stand in any place of it, and where the reader of
// mails has something to say, for it may speak of a key.
func (c *Decision) hideAllKeys() error {
	if len(c.orderResults) > 0 && len(c.in.Mail.Warnings) == 0 && !slices.ContainsFunc(c.orderResults, func(s orderResult) bool { return s.game == nil }) &&
		!slices.ContainsFunc(c.commandResults, func(d *commandResult) bool { return !d.done }) {
		return nil
	}
	return c.ownKeys()
}

// ownKeys adds the sender's keys of all his games to those that are hidden.
func (c *mailIn) ownKeys() error {
	senders := c.in.Mail.Senders()
	if len(senders) == 0 {
		return nil
	}
	for _, s := range c.people.seats(senders[0]) {
		g, err := c.people.Games.Game(s.game)
		if err != nil {
			return err
		}
		c.keys = append(c.keys, turn.Key(g, g.Turn()+1, s.captain.Name))
	}
	return nil
}

// first is the first section whose game is known; nil if there is none.
func (c *Decision) first() *orderResult {
	for i := range c.orderResults {
		if c.orderResults[i].game != nil {
			return &c.orderResults[i]
		}
	}
	return nil
}

// subject says what came of the mail, with the counts of errors and warnings.
func (c *Decision) subject(acks []templates.Ack, reply templates.Reply) string {
	errs, warns := reply.Counts()
	taken, dropped, checked := 0, 0, 0
	for i, t := range acks {
		e, w := t.Counts()
		errs, warns = errs+e, warns+w
		if i < len(c.orderResults) && c.orderResults[i].taken {
			if taken++; c.orderResults[i].cancel {
				dropped++
			}
		}
		if i < len(c.orderResults) && c.orderResults[i].checked {
			checked++
		}
	}
	counts := counted(errs, warns)
	if len(acks) == 0 {
		return c.where() + c.commandsSubject() + counts
	}
	if len(c.commandResults) > 0 && checked == 0 {
		counts = "; " + c.commandsSubject() + counts
	}
	where, what := "", "Orders"
	if len(acks) > 0 && acks[0].Game != "" {
		where = "[" + acks[0].Game + "] "
	}
	if len(c.orderResults) == 1 {
		s := &c.orderResults[0]
		if s.set.Turn > 0 {
			what = "T" + turn.StageOf(s.set).String()[1:] + ": orders"
		}
		if n := s.name(); n != "" {
			what += " for " + n
		}
	}
	verdict := "not accepted"
	switch {
	case taken > 0 && len(c.orderResults) > 1:
		verdict = fmt.Sprintf("%d of %d sets accepted", taken, len(c.orderResults))
	case checked > 0:
		verdict = "checked, not stored"
	case dropped > 0:
		verdict = "dropped"
	case taken > 0:
		verdict = "accepted"
	case !slices.ContainsFunc(c.orderResults, func(s orderResult) bool { return !s.played }):
		verdict, counts = "played already", ""
	}
	return fmt.Sprintf("%s%s %s%s", where, what, verdict, counts)
}

// maxShown is how many lines of a set an answer repeats, so that a mail full of
// rubbish is not answered with several times as much.
const maxShown = 400

// wording makes the bodies of one answer. What several sets of a mail have in
// common it looks up once: nothing changes meanwhile.
type wording struct {
	c      *Decision
	now    time.Time
	drawn  map[string]drawnWay // ways on the maps of the answer
	stored struct {            // of the section before
		game  *vault.Game
		stage vault.Stage
		files []vault.OrderFile
	}
	stand struct { // of the section before
		pos     *turn.Position
		captain engine.CaptainName
		missing []string
		notices []string
	}
}

// ack is the body of the answer to one set.
func (w *wording) ack(s *orderResult) (templates.Ack, error) {
	c, now := w.c, w.now
	a := report.AckDetails{Verdict: templates.Refused, Now: now, Notices: s.notices}
	source := c.body.Source
	if s.source != "" {
		source = s.source
	}
	if len(s.set.Raw.Lines) > maxShown {
		s.set.Raw.Lines = s.set.Raw.Lines[:maxShown]
		a.Notices = append(a.Notices, fmt.Sprintf("Only the first %d lines of your orders are repeated here.", maxShown))
	}
	switch {
	case s.game == nil:
		a.Verdict = templates.Untrusted // of no game of his: nothing is known of what is in force
		return report.Ack(nil, report.SetReading{Raw: s.set.Raw, Source: source, Diagnostics: s.set.Diagnostics}, a), nil
	case !s.trusted:
		a.Verdict = templates.Untrusted
		return s.pos.Ack(s.set, source, a), nil
	}
	settings := s.game.Settings()
	a.Zone = s.game.Zone()
	timing, err := s.game.Timing()
	if err != nil {
		return templates.Ack{}, err
	}
	if a.Deadline = timing.Ends(); timing.Stands() {
		a.Deadline, a.Notices = time.Time{}, append(a.Notices, strings.Join(turn.DueSentences(timing, now, a.Zone), " "))
	}
	inForce, err := w.inForce(s)
	if err != nil {
		return templates.Ack{}, err
	}
	switch {
	case s.checked:
		a.Verdict, a.InForce = templates.Checked, "No set is in force."
		if inForce != nil {
			a.InForce = fmt.Sprintf("Not this set, but your earlier one for %s, received %s.", s.wanted(), report.FormatTime(inForce.Modified, a.Zone))
		}
	case s.taken && s.cancel:
		a.Verdict, a.InForce = templates.Canceled, "No set is in force."
	case s.taken:
		a.Verdict = templates.Accepted
		a.InForce = "The set of this mail."
		if inForce != nil && string(inForce.Text) != s.set.Text { // which the answer shows line by line
			a.InForce, a.Set = "The set of this mail, as a command has changed it.", string(inForce.Text)
		}
	case inForce != nil:
		a.Verdict = templates.Kept
		a.InForce = fmt.Sprintf("Your earlier set for %s, received %s.", s.wanted(), report.FormatTime(inForce.Modified, a.Zone))
		a.Set = string(inForce.Text)
	default:
		a.InForce = "No set is in force."
	}
	if settings.Mail.ShowMissing && s.pos.Due() > 0 {
		if err := w.standing(s, settings, timing.Stands()); err != nil {
			return templates.Ack{}, err
		}
		a.Missing, a.Notices = w.stand.missing, append(a.Notices, w.stand.notices...)
	}
	a.HowTo = howTo(s.pos, c.robot.NoPlus, a.Verdict == templates.Accepted || a.Set != "", a.Set != "")
	set := s.set
	if s.cancel {
		set.Checked.Effects = nil
	}
	if s.cancel || !s.taken && !(s.checked && s.set.OK()) {
		// What a set would have come to that is not in force only misleads.
		set.Checked.Summary, set.Checked.Path = nil, nil
	}
	if s.taken && len(set.Checked.Path) > 0 {
		key, way := wayOf(s)
		if c.desk.Ways.known(key, way, c.in.SHA256) {
			set.Checked.Path = nil
			a.InForce += " Your way is that on the map of the answer before."
		} else {
			w.drawn[key] = drawnWay{way, c.in.SHA256}
		}
	}
	return s.pos.Ack(set, source, a), nil
}

// wanted is what the set is for, or what is due if that is over.
func (s *orderResult) wanted() vault.Stage {
	due, at := s.game.DueStage(), turn.StageOf(s.set)
	if at.Turn < due.Turn || at.Turn == due.Turn && at.Round < due.Round {
		return due
	}
	return at
}

// inForce is the set that lies in the vault for the turn that is wanted.
func (w *wording) inForce(s *orderResult) (*vault.OrderFile, error) {
	if s.set.Name == "" || s.pos.Due() == 0 {
		return nil, nil
	}
	if at := s.wanted(); w.stored.game != s.game || w.stored.stage != at {
		files, err := s.game.StageOrders(at)
		if err != nil {
			return nil, err
		}
		w.stored.game, w.stored.stage, w.stored.files = s.game, at, files
	}
	for i, f := range w.stored.files {
		if strings.EqualFold(f.Name, s.set.Name) {
			return &w.stored.files[i], nil
		}
	}
	return nil, nil
}

// standing says who is missing, and what the turn waits for.
func (w *wording) standing(s *orderResult, settings vault.Settings, paused bool) error {
	out := &w.stand
	if out.pos == s.pos && out.captain == s.captain.Name {
		return nil
	}
	out.pos, out.captain, out.missing, out.notices = nil, s.captain.Name, nil, nil
	ready, err := s.pos.Ready()
	if err != nil {
		return err
	}
	plain, err := s.pos.Shown(s.captain.Name)
	if err != nil {
		return err
	}
	missing := plain.Only(ready.Missing())
	away, err := turn.Away(s.game, missing, w.now)
	if err != nil {
		return err
	}
	out.missing = turn.NamesAway(missing, away)
	switch {
	case !ready.Heard() || paused || !plain.All():
	case ready.Wait():
		out.notices = append(out.notices, fmt.Sprintf("All orders for %s are in; a captain asked to wait for the deadline.", s.pos.DueStage()))
	case ready.AllFinal():
		out.notices = append(out.notices, fmt.Sprintf("All orders for %s are in and final: the turn runs now.", s.pos.DueStage()))
	case settings.Mail.ChangeWindow == 0:
		out.notices = append(out.notices, fmt.Sprintf("All orders for %s are in: the turn runs now.", s.pos.DueStage()))
	default:
		out.notices = append(out.notices, fmt.Sprintf(
			"All orders for %s are in: the turn runs when nothing has changed for %s, at the deadline at the latest.", s.pos.DueStage(), settings.Mail.ChangeWindow))
	}
	out.pos = s.pos
	return nil
}

// howTo tells what may be sent next. There is a set in force or not, and the answer shows it in full or not.
func howTo(pos *turn.Position, noPlus, inForce, shown bool) []string {
	if pos.Due() == 0 {
		return nil
	}
	var out []string
	switch {
	case shown:
		out = append(out, "A new whole set, at any time before the turn runs: it replaces the one in force. To change that one, copy it without its bars (|).")
	case inForce:
		out = append(out, "A new whole set, at any time before the turn runs: it replaces the one in force.")
	default:
		out = append(out, "A whole set, its first and its last line included, at any time before the turn runs.")
	}
	out = append(out, "A set with the line final, when you need no more time.")
	if inForce {
		out = append(out, "A block with nothing but the line cancel, to drop the set in force.")
	}
	if noPlus {
		return append(out, helpHint, "The first line of each set needs the word key and the turn key, as in your last report.")
	}
	return append(out, helpHint, "An answer to this mail needs no turn key.")
}

// ListID is the List-Id of a game's mails.
func ListID(s vault.Settings, robot string) string {
	return fmt.Sprintf("%s <%s.%s>", s.Title, strings.ToLower(s.ID), robot[strings.LastIndexByte(robot, '@')+1:])
}

// day is the unit in which strangers are bounded, and referees who need help.
func (c *Decision) day(now time.Time) string { return c.once(now.UTC().Format(time.DateOnly)) }

// once is the name of the one answer that a sender gets in some time.
func (c *Decision) once(when string) string {
	sum := vault.Hash([]byte(auth.Canonical(c.in.Mail.Senders()[0])))
	return when + "." + sum[:16]
}

// stranger is the answer to a mail from an address that no game knows.
func (c *Decision) stranger(now time.Time) (*Answer, error) {
	a := &Answer{Kind: KindStranger, Message: c.message(KindStranger, c.day(now), now)}
	if len(c.open) > 0 {
		return c.reminder(now)
	}
	if c.why != "" && c.services.Lobby { // he knows what he wants, and tries again at once
		a = &Answer{Kind: KindText, Message: c.message(KindText, c.in.SHA256[:min(32, len(c.in.SHA256))], now)}
	}
	n := templates.Notice{Kind: templates.Stranger, Robot: c.robot.Address, Reason: c.why}
	if c.services.Lobby {
		var err error
		if n.Text, err = c.welcome(); err != nil {
			return nil, err
		}
	}
	return a, c.notice(a, "Your mail to "+c.robot.Address, n)
}

func (c *Decision) notice(a *Answer, subject string, n templates.Notice) error {
	n.Text = append(n.Text, c.notices...)
	text, err := c.robot.Templates.NoticeText(n)
	a.Message.Subject, a.Message.Text = subject, auth.Mask(text, c.keys)
	return err
}

// Diagnostics are all remarks about the mail, in order of its text.
func (c *Decision) Diagnostics() []orders.Diagnostic {
	var out []orders.Diagnostic
	out = append(out, c.loose...)
	for i := range c.orderResults {
		out = append(out, c.orderResults[i].set.Diagnostics...)
	}
	orders.Sort(out)
	return out
}

// AddNotice adds to the answer what the sender must know that is
// not about this mail. It is called before Answer.
func (c *Decision) AddNotice(sentence string) { c.notices = append(c.notices, sentence) }
