package intake

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/desk"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/disk"
	"starpost/pbem/incoming"
	"starpost/pbem/mailbox"
	"starpost/pbem/mime"
	"starpost/pbem/report"
	"starpost/pbem/store"
)

// checkOutage is called when a mailbox can be read, before any of its mails is taken in. If it could not be read
// for too long, its games are paused.
func (s *Intake) checkOutage(ctx context.Context) error {
	s.keeper.Mu.Lock()
	defer s.keeper.Mu.Unlock()
	if err := s.keeper.WatchClock(ctx); err != nil {
		return err
	}
	s.SilentSince = time.Time{}
	last, ok := s.guard.LastLook(s.Box.Address)
	if !ok || s.Config.Guard.Outage <= 0 {
		return nil // the first look ever, or one for which a pause is pending
	}
	usual, known := last.UsualGap(s.Config.Poll)
	gap := s.Clock.Now().Sub(last.Looked)
	switch limit := max(s.Config.Guard.Outage.Duration(), watch.OutageFactor*usual); {
	case !known:
	case gap > limit:
		return s.keeper.InterruptGames(ctx, watch.Interruption{Mailbox: s.Box.Address, Why: fmt.Sprintf("the robot could not read its mail for %s", watch.Roughly(gap)), Since: last.Looked})
	case gap > max(shortSilence, watch.OutageFactor*usual):
		s.SilentSince = last.Looked
	}
	return nil
}

// shortSilence is how long the robot may go without reading mail before it matters to captains.
const shortSilence = 10 * time.Minute

// source is where mails come from, with its name in the store.
type source struct {
	process.Inbox
	name   string
	handed bool // it is a folder of mails that were handed over
}

// ReadMailbox reads the mailbox on its server and the folder of handed-over mails, as far as they exist.
func (s *Intake) ReadMailbox(ctx context.Context, in process.Inbox) (again bool, err error) {
	from := []source{{in, s.Name, s.Box.IMAP == nil}}
	if s.Handed != nil && s.Box.IMAP != nil {
		from = append(from, source{s.Handed, incoming.Name(s.Box.Address), true})
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

// readSource reads a source once: it takes in new mails, and acts on, answers and moves every unfinished mail. An
// error is from the mailbox, the store or the disk, and also prevents the rest. again is set if a mail must wait
// for a game that is in use.
func (s *Intake) readSource(ctx context.Context, in source) (again bool, err error) {
	if err := s.CheckState(); err != nil {
		return false, err
	}
	if err := s.QueueReports(ctx); err != nil {
		return false, err
	}
	cursor, err := s.Store.Cursor(ctx, in.name)
	if err != nil {
		return false, err
	}
	if err := s.Presence.ClaimMailbox(ctx, in.Inbox); err != nil {
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
		ahead.wait() // it still uses the mailbox
	}()
	for {
		if l := ahead.next(ctx); l != nil {
			if err := s.takeIn(ctx, l, validity); err != nil {
				return false, err
			}
		}
		if again, err = s.actOnStored(ctx, in, validity); err != nil || ahead.pending == nil {
			if err == nil && top > 0 {
				err = s.Store.MoveCursor(ctx, in.name, store.Cursor{UIDValidity: validity, UID: top})
			}
			return again, err
		}
		process.Nudge(s.SendNow)
	}
}

// actOnStored acts on every unfinished mail and moves the finished ones.
func (s *Intake) actOnStored(ctx context.Context, in source, validity uint32) (again bool, err error) {
	defer clear(s.parsed)
	open, err := s.Store.Unfinished(ctx, in.name)
	if err != nil {
		return false, err
	}
	done := map[desk.Outcome][]store.Mail{}
	s.blockOnly(map[*games.Game]error{})
	s.Problem = nil
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

// move moves finished mails into the folder for their outcome. Mails with a UID from another UIDVALIDITY are no
// longer where they were.
func (s *Intake) move(ctx context.Context, in process.Inbox, mails []store.Mail, outcome desk.Outcome, validity uint32) error {
	var uids []uint32
	for _, m := range mails {
		if m.UIDValidity == validity {
			uids = append(uids, m.UID)
		}
	}
	if len(uids) > 0 {
		folders := map[desk.Outcome]string{desk.Done: "Done", desk.Refused: "Refused", desk.Ignored: "Ignored"}
		if err := s.Before("move"); err != nil {
			return err
		}
		if err := s.Presence.MayAct(ctx); err != nil {
			return err
		}
		if err := in.Move(ctx, uids, s.Box.Folder(folders[outcome])); err != nil {
			return err
		}
	}
	if err := s.Before("moved"); err != nil || len(mails) == 0 {
		return err
	}
	return s.Store.RecordMoved(ctx, mails...)
}

// handle acts on one mail and answers it. It turns a panic into an error, so that the next mail can be handled.
// s.keeper.Mu is held.
func (s *Intake) handle(ctx context.Context, in process.Inbox, m store.Mail, validity uint32) (outcome desk.Outcome, err error) {
	defer process.Recovered("mail "+m.SHA256, &err)
	like, err := s.Store.SimilarActed(ctx, m)
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
		s.log.Error("mail lost: neither in the store nor in the mailbox", "sha256", m.SHA256, "uid", m.UID)
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
	b := &mailGames{games: s.keeper.Games, ctx: ctx, at: s}
	defer func() { err = errors.Join(err, b.release(err)) }()
	if err := b.startReplay(m.SHA256); err != nil {
		return "", err
	}
	dk := *s.Desk
	dk.Games, dk.Listings = s.Community.Of(b), b
	dk.Asked = func(who string, since, before time.Time) ([]string, error) {
		return s.Store.Answered(ctx, who, effect.KindConfirm, since, before)
	}
	c, err := dk.Decide(l)
	if err != nil {
		return "", err
	}
	if c.Unknown && len(s.keeper.Games.Trouble) > 0 {
		return "", errGameUnavailable
	}
	for _, step := range c.Steps {
		if err := s.Before("store"); err != nil {
			return "", err
		}
		if err := s.Presence.MayAct(ctx); err != nil {
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
		c.AddNotice(fmt.Sprintf("Answers are limited by the hour, so %s did not go out. Ask again later.", report.Count(withheld, "report")))
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

func (s *Intake) handled(outcome desk.Outcome, why string) {
	s.Emit(process.Event{Kind: process.Handled, Mailbox: s.Box.Address, Outcome: string(outcome), Detail: why})
}

// errGameUnavailable keeps a mail for a game that cannot be opened now from being treated as a stranger's.
var errGameUnavailable = errors.New("the mail may belong to a game that cannot be opened")

// repeated reports whether a copy of the mail with exactly these bytes was already acted on, and returns its
// outcome: acting again could override what came since. like are the mails that were acted on and may be the
// same.
func (s *Intake) repeated(ctx context.Context, m store.Mail, like []store.ActedMail) (desk.Outcome, bool, error) {
	at := slices.IndexFunc(like, func(o store.ActedMail) bool { return o.SHA256 == m.SHA256 })
	if at < 0 {
		return "", false, nil
	}
	outcome := desk.Outcome(like[at].Outcome)
	s.reportActed(m, outcome, "exact duplicate")
	return outcome, true, s.mark(ctx, m, outcome)
}

// mark records that a mail was acted on and answered.
func (s *Intake) mark(ctx context.Context, m store.Mail, outcome desk.Outcome) error {
	if err := s.Before("acted"); err != nil {
		return err
	}
	if err := s.Before("answered"); err != nil {
		return err
	}
	return s.Store.RecordAnswered(ctx, string(outcome), m)
}

// refetch fetches a mail again after its bytes were lost; nil if it is no longer in the mailbox.
func (s *Intake) refetch(ctx context.Context, in process.Inbox, m store.Mail, validity uint32) (raw []byte, err error) {
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
		err = s.Store.StoreRaw(ctx, m.ID, raw)
	}
	return raw, err
}

// twin finds an earlier mail with the same content: a mail that arrived by two routes differs in the headers that
// servers add. It returns the earlier mail's hash, or "" if there is none. like are the mails that were acted on
// and may be the same.
func (s *Intake) twin(ctx context.Context, m store.Mail, mail mime.Mail, like []store.ActedMail) string {
	for _, o := range like {
		if o.SHA256 == m.SHA256 || o.Outcome == string(desk.Ignored) {
			continue
		}
		raw, err := s.Store.LoadRaw(ctx, o.SHA256)
		if err != nil {
			continue // it cannot be compared, so it is no twin
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

// Intake takes in the mails of a mailbox, acts on them and answers them.
type Intake struct {
	*process.Process
	*games.Account
	log    *slog.Logger // the daemon's, with the mailbox
	guard  *watch.Guard
	keeper *games.Keeper
	Name   string // the name of the mailbox in the store
	// waitReasons has the last reported reason of each mail that cannot be handled yet.
	waitReasons map[string]string
	// Problem is why some mail could not be handled in the last read of the mailbox.
	Problem error
	// blocked are the games that a mail waits for, during one pass over the waiting mails.
	blocked map[*games.Game]error

	from time.Time // see Options.From; zero once it was used

	parsed    map[string]parsed // mails just taken in, by hash
	group     context.Context   //nolint:containedctx // of what is committed together, see actOn; nil for nothing
	unsynced  disk.Batch        // its files that are not synced yet
	taken     []*games.Game     // see take
	locked    []*games.Game     // games that stay locked until the group is committed
	answers   answerQueue       // answers to render within the group
	committed []func()          // reports to make once the group is committed
}

// New returns an Intake for the mails of an account.
func New(p *process.Process, w *watch.Guard, k *games.Keeper, a *games.Account) *Intake {
	return &Intake{
		Process: p, Account: a, log: a.Log, guard: w, keeper: k, Name: storeKey(a.Box), from: p.Options.From,
		waitReasons: map[string]string{}, blocked: map[*games.Game]error{}, parsed: map[string]parsed{},
	}
}

// storeKey returns the name of a mailbox in the store.
func storeKey(box config.Mailbox) string {
	if box.IMAP == nil {
		return incoming.Name(box.Address)
	}
	return box.IMAP.StoreKey()
}
