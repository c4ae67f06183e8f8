package intake

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"time"

	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/desk"
	"starpost/pbem/fault"
	"starpost/pbem/record"
	"starpost/pbem/store"
)

// groupSize is how many mails are acted on before their results are written to disk. Meanwhile no
// one else can access the games and the store.
const groupSize = 50

// actOn acts on mails and adds them to done under their outcome. Their results are committed
// together: first the games' files, then the store. If that fails, each mail is tried alone, so
// that trouble with one does not affect the others.
func (s *Intake) actOn(ctx context.Context, in process.Inbox, mails []store.Mail, validity uint32, done map[desk.Outcome][]store.Mail) (again bool, err error) {
	s.keeper.Mu.Lock()
	defer s.keeper.Mu.Unlock()
	one := func(ctx context.Context, m store.Mail) (desk.Outcome, error) {
		switch m.State {
		case store.Stored:
			return s.handle(ctx, in, m, validity)
		case store.Acted: // its answer was queued before that
			return desk.Outcome(m.Outcome), s.Store.RecordAnswered(ctx, m.Outcome, m)
		case store.Answered, store.Moved:
		}
		return desk.Outcome(m.Outcome), nil
	}
	outcomes, errs := make([]desk.Outcome, len(mails)), make([]error, len(mails))
	blocked := maps.Clone(s.blocked)
	err = s.inGroup(ctx, func(group context.Context) error {
		for i, m := range mails {
			if ctx.Err() != nil {
				errs[i] = ctx.Err() // keep what was done so far
				continue
			}
			if outcomes[i], errs[i] = one(group, m); process.Ends(errs[i]) || store.IsTrouble(errs[i]) {
				return errs[i]
			}
		}
		return nil
	})
	if err != nil {
		s.committed = nil
		if process.Fatal(ctx, err) || errors.Is(err, watch.ErrElsewhere) {
			return false, err
		}
		s.log.Debug("handling mails as a group failed, trying each alone", "err", err)
		s.blockOnly(blocked)
		for i, m := range mails {
			var down error
			if outcomes[i], errs[i], down = s.alone(ctx, m, one); down != nil {
				return false, down
			}
			if errs[i] != nil && process.Fatal(ctx, errs[i]) {
				return false, errs[i]
			}
		}
	}
	s.reportCommitted()
	for i, m := range mails {
		if errs[i] != nil && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if errs[i] == nil {
			delete(s.waitReasons, m.SHA256)
			done[outcomes[i]] = append(done[outcomes[i]], m)
			continue
		}
		if m.State != store.Stored {
			return false, errs[i]
		}
		again = true
		s.reportWaiting(m, errs[i])
	}
	return again, nil
}

// alone acts on a mail outside a group. The connection to the store may be cut for a moment, and later mails must not
// overtake the one that failed then: it is tried again, and down says why the store cannot be used, if so. A mail that
// fails though the store works is itself the cause, and only it waits.
func (s *Intake) alone(ctx context.Context, m store.Mail, one func(context.Context, store.Mail) (desk.Outcome, error)) (outcome desk.Outcome, err, down error) {
	for range 3 {
		outcome, err = one(ctx, m)
		s.giveBack()
		if !store.IsTrouble(err) || process.Fatal(ctx, err) {
			break
		}
		if down = s.Store.Probe(ctx); down != nil {
			break
		}
	}
	return outcome, err, down
}

// inGroup runs f in one transaction of the store, defers to its end what can be deferred, and then
// releases the games that were locked for it.
func (s *Intake) inGroup(ctx context.Context, f func(context.Context) error) (err error) {
	defer func() {
		if err != nil {
			for _, g := range s.taken {
				g.Leased = time.Time{} // the lease was not committed
			}
		}
		s.group, s.answers = nil, answerQueue{}
		err = errors.Join(err, s.unlockGames())
	}()
	return s.Store.GroupWith(ctx, &s.unsynced, func(ctx context.Context) error {
		s.group = ctx
		if err := f(ctx); err != nil {
			return err
		}
		if err := s.answers.settle(); err != nil {
			return err
		}
		return s.Presence.HoldUntilCommit(ctx)
	})
}

// QueueReports queues the reports of the mailbox's games in the store before its mails are acted
// on, so that bounces and returned mails can be recognised, even after the store was lost. Trouble
// with a game is reported when its turn is looked at.
func (s *Intake) QueueReports(ctx context.Context) error {
	s.keeper.Mu.Lock()
	defer s.keeper.Mu.Unlock()
	defer s.giveBack()
	behind := slices.DeleteFunc(s.Agenda.Due(s.Clock.Now()), func(g *games.Game) bool {
		g.Mu.Lock()
		defer g.Mu.Unlock()
		return !g.Behind()
	})
	for part := range slices.Chunk(behind, groupSize) {
		queued, round := make([]int, len(part)), make([]string, len(part))
		s.giveBack()
		for i, g := range part {
			if err := s.take(g); err != nil {
				return err
			}
			queued[i], round[i] = g.Queued, g.Round
		}
		err := s.Store.Group(ctx, func(ctx context.Context) error {
			for _, g := range part {
				if _, err := s.keeper.WorkerFor(g.Vault); err != nil {
					continue
				}
				if err := s.keeper.Steps.QueueTurns(ctx, g); err != nil {
					return err
				}
				g.Used()
			}
			return nil
		})
		if err == nil {
			continue
		}
		for i, g := range part {
			g.Queued, g.Round, g.Revised = queued[i], round[i], "" // none of it was committed
		}
		if process.Fatal(ctx, err) {
			return err
		}
		s.log.Debug("queueing reports as a group failed", "err", err)
	}
	if len(behind) > groupSize {
		process.Nudge(s.SendNow)
	}
	return nil
}

// reportWaiting reports that a mail cannot be handled yet, once for each reason. A mail for a game that is checked out waits
// for its return, which is no problem.
func (s *Intake) reportWaiting(m store.Mail, err error) {
	news := s.waitReasons[m.SHA256] != err.Error()
	s.waitReasons[m.SHA256] = err.Error()
	if errors.Is(err, record.ErrAway) {
		if news {
			s.log.Info("mail waits for the return of its game", "sha256", m.SHA256, "why", err)
		}
		return
	}
	if news && !errors.Is(err, games.ErrTaken) {
		s.log.Error("mail not handled, will retry", "sha256", m.SHA256, "err", err, "hint", fault.Hint(err))
		s.Emit(process.Event{Kind: process.Trouble, Detail: err.Error()})
	}
	s.Problem = err
}

// reportActed reports the outcome of a mail once it is committed.
func (s *Intake) reportActed(m store.Mail, outcome desk.Outcome, reason string, more ...any) {
	s.committed = append(s.committed, func() {
		s.log.Info("mail handled", append([]any{"sha256", m.SHA256, "outcome", outcome, "reason", reason}, more...)...)
		s.handled(outcome, reason)
	})
	if s.group == nil {
		s.reportCommitted()
	}
}

func (s *Intake) reportCommitted() {
	for _, say := range s.committed {
		say()
	}
	s.committed = nil
}

// loadMail returns a stored mail, the first time from memory.
func (s *Intake) loadMail(ctx context.Context, in process.Inbox, m store.Mail, validity uint32) (parsed, error) {
	if p, ok := s.parsed[m.SHA256]; ok {
		delete(s.parsed, m.SHA256)
		return p, nil
	}
	raw, err := s.Store.LoadRaw(ctx, m.SHA256)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrDamaged) {
		if raw, err = s.refetch(ctx, in, m, validity); err == nil && raw == nil {
			return parsed{}, nil
		}
	}
	if err != nil {
		return parsed{}, err
	}
	return read(m.SHA256, raw), nil
}
