package daemon

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/config"
	"starpost/pbem/desk"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/incoming"
	"starpost/pbem/mailbox"
	"starpost/pbem/mime"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/store"
	"starpost/pbem/vault"
)

// source is where mails come from, with the name that the store knows it by.
type source struct {
	Inbox
	name   string
	handed bool // it is a folder of mails that were handed over
}

// readMailbox reads the mailbox on its server and the folder of mails that are handed over, those that there are.
func (s *intake) readMailbox(ctx context.Context, in Inbox) (again bool, err error) {
	from := []source{{in, s.name, s.box.IMAP == nil}}
	if s.handed != nil && s.box.IMAP != nil {
		from = append(from, source{s.handed, incoming.Name(s.box.Address), true})
	}
	for _, one := range from {
		waits, err := s.readSource(ctx, one)
		if err != nil {
			return false, err
		}
		again = again || waits
	}
	return again, nil
}

// readSource reads a source once: new mails are taken in, and every mail that is
// not finished is acted on, answered and moved. The error is the mailbox's, or
// the store's, or the disk's: then nothing can be done for the rest either.
// again is set when a mail must wait for a game that is in use.
func (s *intake) readSource(ctx context.Context, in source) (again bool, err error) {
	if err := s.checkState(); err != nil {
		return false, err
	}
	if err := s.queueReports(ctx); err != nil {
		return false, err
	}
	cursor, err := s.store.Cursor(ctx, in.name)
	if err != nil {
		return false, err
	}
	if err := s.presence.claimMailbox(ctx, in.Inbox); err != nil {
		return false, err
	}
	validity, uids, err := in.Look(ctx, cursor.UIDValidity, cursor.UID)
	if err != nil {
		return false, err
	}
	if cursor.UIDValidity != 0 && cursor.UIDValidity != validity {
		s.log.Warn("UIDVALIDITY changed, reading the whole mailbox again", "validity", validity)
	}
	uids, top, err := s.selectNew(ctx, in, cursor, validity, uids)
	if err != nil {
		return false, err
	}
	if err := s.checkOutage(ctx); err != nil {
		return false, err
	}
	ctx, stop := context.WithCancel(ctx)
	in.Inbox = &lockedInbox{Inbox: in.Inbox}
	ahead := &loader{worker: s, in: in, left: uids}
	defer func() {
		stop()
		ahead.wait() // it has the mailbox
	}()
	for {
		if l := ahead.next(ctx); l != nil {
			if err := s.takeIn(ctx, l, validity); err != nil {
				return false, err
			}
		}
		if again, err = s.actOnStored(ctx, in, validity); err != nil || ahead.pending == nil {
			if err == nil && top > 0 {
				err = s.store.MoveCursor(ctx, in.name, store.Cursor{UIDValidity: validity, UID: top})
			}
			return again, err
		}
		nudge(s.sendNow)
	}
}

// actOnStored acts on every unfinished mail and moves what is done.
func (s *intake) actOnStored(ctx context.Context, in source, validity uint32) (again bool, err error) {
	defer clear(s.parsed)
	open, err := s.store.Unfinished(ctx, in.name)
	if err != nil {
		return false, err
	}
	done := map[desk.Outcome][]store.Mail{}
	clear(s.blocked)
	s.problem = nil
	for part := range slices.Chunk(open, groupSize) {
		waits, err := s.actOn(ctx, in, part, validity, done)
		if err != nil {
			return false, err
		}
		again = again || waits
	}
	for _, outcome := range []desk.Outcome{desk.Done, desk.Refused, desk.Ignored} {
		if err := s.move(ctx, in, done[outcome], outcome, validity); err != nil {
			return false, err
		}
	}
	return again, nil
}

// move puts finished mails into the folder of their outcome. Mails that were
// numbered otherwise are gone from where they were.
func (s *intake) move(ctx context.Context, in Inbox, mails []store.Mail, outcome desk.Outcome, validity uint32) error {
	var uids []uint32
	for _, m := range mails {
		if m.UIDValidity == validity {
			uids = append(uids, m.UID)
		}
	}
	if len(uids) > 0 {
		folders := map[desk.Outcome]string{desk.Done: "Done", desk.Refused: "Refused", desk.Ignored: "Ignored"}
		if err := s.before("move"); err != nil {
			return err
		}
		if err := s.presence.mayAct(ctx); err != nil {
			return err
		}
		if err := in.Move(ctx, uids, s.box.Folder(folders[outcome])); err != nil {
			return err
		}
	}
	if err := s.before("moved"); err != nil || len(mails) == 0 {
		return err
	}
	return s.store.RecordMoved(ctx, mails...)
}

// handle acts on one mail and answers it. A panic below is an error here: the
// next mail may be better. s.keeper.mu is held.
func (s *intake) handle(ctx context.Context, in Inbox, m store.Mail, validity uint32) (outcome desk.Outcome, err error) {
	defer recovered("mail "+m.SHA256, &err)
	like, err := s.store.SimilarActed(ctx, m)
	if err != nil {
		return "", err
	}
	if outcome, known, err := s.repeated(ctx, m, like); err != nil || known {
		return outcome, err
	}
	mail, err := s.loadMail(ctx, in, m, validity)
	if err != nil {
		return "", err
	}
	if mail.raw == nil {
		s.log.Error("mail lost: its bytes are not stored, and no longer in the mailbox", "sha256", m.SHA256, "uid", m.UID)
		return desk.Ignored, s.mark(ctx, m, desk.Ignored)
	}
	l := identity.Incoming{SHA256: m.SHA256, Received: m.ReceivedAt, Arrived: m.Arrived, Mail: mail.mail, Err: mail.err}
	if of := s.twin(ctx, m, l.Mail, like); of != "" {
		s.reportActed(m, desk.Ignored, "came twice", "twin", of)
		return desk.Ignored, s.mark(ctx, m, desk.Ignored)
	}
	if l.Mail.Automatic != "" {
		if b, ok := mime.ReadBounce(mail.raw); ok {
			if err := s.handleBounce(ctx, m, b); err != nil {
				return "", err
			}
			s.reportActed(m, desk.Ignored, "bounce: "+b.Action)
			return desk.Ignored, s.mark(ctx, m, desk.Ignored)
		}
	}
	b := &mailGames{games: s.keeper.games, ctx: ctx, at: s}
	defer func() { err = errors.Join(err, b.release()) }()
	if err := b.startReplay(m.SHA256); err != nil {
		return "", err
	}
	dk := *s.desk
	dk.Games, dk.Listings = b, b
	dk.Asked = func(who string, since, before time.Time) ([]string, error) {
		return s.store.Answered(ctx, who, effect.KindConfirm, since, before)
	}
	c, err := dk.Decide(l)
	if err != nil {
		return "", err
	}
	if c.Unknown && len(s.keeper.games.trouble) > 0 {
		return "", errGameUnavailable
	}
	for _, step := range c.Steps {
		if err := s.before("store"); err != nil {
			return "", err
		}
		if err := s.presence.mayAct(ctx); err != nil {
			return "", err
		}
		if err := step.Do(); err != nil {
			return "", err
		}
	}
	beside, withheld := 0, 0
	for _, out := range c.Mails {
		switch sent, err := s.queueCaused(ctx, l, out); {
		case err != nil:
			return "", err
		case out.Answer && sent:
			beside++
		case out.Answer:
			withheld++
		}
	}
	if withheld > 0 {
		c.AddNotice(fmt.Sprintf("The answers in an hour are limited, so %s did not go out: ask again later.", report.Count(withheld, "report")))
	}
	if err := s.queueAnswer(ctx, l, c, beside); err != nil {
		return "", err
	}
	if err := s.mark(ctx, m, c.Outcome); err != nil {
		return "", err
	}
	s.reportActed(m, c.Outcome, c.Reason)
	return c.Outcome, nil
}

func (s *intake) handled(outcome desk.Outcome, why string) {
	s.emit(Event{Kind: Handled, Mailbox: s.box.Address, Outcome: string(outcome), Detail: why})
}

// errGameUnavailable keeps a mail for a game that no one can open just now from being
// taken for a stranger's.
var errGameUnavailable = errors.New("the mail may belong to a game that cannot be opened")

// repeated tells whether these very bytes were acted on already, in a copy of the
// mail that was taken in together with this one, and what came of it: acting
// again could displace what has come since. like are the mails that were acted on
// and may be the same.
func (s *intake) repeated(ctx context.Context, m store.Mail, like []store.ActedMail) (desk.Outcome, bool, error) {
	at := slices.IndexFunc(like, func(o store.ActedMail) bool { return o.SHA256 == m.SHA256 })
	if at < 0 {
		return "", false, nil
	}
	outcome := desk.Outcome(like[at].Outcome)
	s.reportActed(m, outcome, "came twice, to the byte")
	return outcome, true, s.mark(ctx, m, outcome)
}

// mark notes that a mail was acted on and answered.
func (s *intake) mark(ctx context.Context, m store.Mail, outcome desk.Outcome) error {
	if err := s.before("acted"); err != nil {
		return err
	}
	if err := s.before("answered"); err != nil {
		return err
	}
	return s.store.RecordAnswered(ctx, string(outcome), m)
}

// refetch gets a mail again whose bytes were lost; nil when the
// mailbox does not have it any more.
func (s *intake) refetch(ctx context.Context, in Inbox, m store.Mail, validity uint32) (raw []byte, err error) {
	if m.UIDValidity != validity {
		return nil, nil
	}
	err = in.Fetch(ctx, []uint32{m.UID}, func(got mailbox.Mail) error {
		if store.ContentHash(got.Raw) == m.SHA256 {
			raw = got.Raw
		}
		return nil
	})
	if err == nil && raw != nil {
		err = s.store.StoreRaw(ctx, m.ID, raw)
	}
	return raw, err
}

// twin finds an earlier mail that says the same: one mail that came by two
// ways differs in the headers that servers add. It gives the earlier one's
// name, "" for none. like are the mails that were acted on and may be the same.
func (d *intake) twin(ctx context.Context, m store.Mail, mail mime.Mail, like []store.ActedMail) string {
	for _, o := range like {
		if o.SHA256 == m.SHA256 || o.Outcome == string(desk.Ignored) {
			continue
		}
		raw, err := d.store.LoadRaw(ctx, o.SHA256)
		if err != nil {
			continue // it cannot be compared; then it is no twin
		}
		other, err := mime.Read(raw)
		if err != nil || other.Text != mail.Text || other.Attached != mail.Attached ||
			!slices.Equal(other.Senders(), mail.Senders()) || !slices.Equal(other.Recipients(), mail.Recipients()) {
			continue
		}
		return o.SHA256
	}
	return ""
}

// queue renders a mail and puts it into the outbox. One that is there already
// stays as it is.
func (d *process) queue(ctx context.Context, kind store.Kind, game string, of *vault.Settings, m outgoing.Message) error {
	m.Foot = d.foot(kind, of)
	raw, err := Compose(d.withoutPaths(m))
	if err != nil {
		return err
	}
	return d.queueRaw(ctx, kind, game, m, raw)
}

// helpLine stands below reports, short enough for a line of any mail.
const helpLine = "Help: a mail whose first line is the word help lists all that may be sent."

// askLine stands below it where there is a referee to ask; his address follows.
const askLine = "To ask the referee: a line #message to referee, your words, a line #end."

// foot is what stands below a mail: in a report where help is, and whom to ask about its game; in all
// the host's line. It is not in the reports of game directories, which others keep and compare.
func (d *process) foot(kind store.Kind, of *vault.Settings) []string { return footOf(d.cfg, kind, of) }

func footOf(cfg *config.Config, kind store.Kind, of *vault.Settings) (lines []string) {
	if kind == store.Report {
		lines = append(lines, helpLine)
	}
	if kind == store.Report && of != nil && of.Origin == vault.OriginPractice {
		lines = append(lines, "To play on: send the word games (with people) or practice (with robots).")
	}
	if kind == store.Report && of != nil {
		var to []string
		for _, r := range of.Referees {
			if r.Plays == "" { // else the address is a captain's
				to = append(to, r.Address)
			}
		}
		if cfg.Referee != "" && !auth.HasAddress(to, cfg.Referee) {
			to = append(to, cfg.Referee)
		}
		if len(to) > 0 {
			lines = append(lines, askLine, "Or write to "+strings.Join(to, ", ")+".")
		}
	}
	if cfg.Mail.Footer != "" {
		lines = append(lines, cfg.Mail.Footer)
	}
	return lines
}

// queueRaw is queue for a mail that is rendered.
func (d *process) queueRaw(ctx context.Context, kind store.Kind, game string, m outgoing.Message, raw []byte) error {
	if err := d.before("queue"); err != nil {
		return err
	}
	_, err := d.store.Queue(ctx, store.OutboxMessage{
		Game: game, Kind: kind, MessageID: m.MessageID, From: m.From.Addr, To: m.To.Addr, Bytes: raw, QueuedAt: d.clock.Now(),
	})
	if err != nil {
		return err
	}
	d.wakeSender(m.From.Addr)
	return nil
}

// Compose renders a mail to bytes with the mark that all our mails bear. It is
// what turns are composed with.
func Compose(m outgoing.Message) ([]byte, error) {
	if !slices.ContainsFunc(m.Headers, func(h outgoing.Header) bool { return h.Name == "X-Loop" }) {
		m.Headers = append(slices.Clone(m.Headers), outgoing.Header{Name: "X-Loop", Value: mime.LoopMark})
	}
	return outgoing.Render(m)
}
