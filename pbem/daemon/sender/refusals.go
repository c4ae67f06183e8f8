package sender

import (
	"context"
	"fmt"
	"strings"
	"time"

	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/templates"
)

// refusals are the mails that a server refuses in one session. If it accepts no mail and refuses
// several recipients, they are hardly to blame, so nothing is given up. Refusals since the server
// last accepted a mail count too.
type refusals struct {
	worker  *Sender
	refused map[int64]bool // IDs of mails not to try again now
	n       *Delivered
	taken   bool // the server accepted a mail
	sender  int  // consecutive mails refused because of their sender
	waiting []refusedMail
}

type refusedMail struct {
	message store.OutboxMessage
	attempt int
	err     error
}

// add records a permanently rejected mail. It is given up once the server has accepted another
// mail.
func (r *refusals) add(ctx context.Context, one refusedMail) error {
	r.refused[one.message.ID] = true
	r.waiting = append(r.waiting, one)
	if !r.taken {
		return nil
	}
	return r.settle(ctx)
}

// ofSender records that a mail was refused because of its sender. After several of them it returns
// an error about the server.
func (r *refusals) ofSender(ctx context.Context, l store.OutboxMessage, cause error) error {
	s, at := r.worker, r.worker.Clock.Now().Add(refusedPause)
	s.log.Warn("server refused the sender, delivery deferred", "message_id", l.MessageID, "kind", l.Kind, "err", cause, "hint", fault.Hint(cause), "at", at)
	if err := s.Store.Defer(ctx, l.ID, at, cause.Error()); err != nil {
		return err
	}
	if err := s.tellRefused(ctx, cause); err != nil {
		return err
	}
	if r.sender++; r.taken || r.sender < fewRefused {
		return nil
	}
	return fmt.Errorf("%d mails in a row: %w", r.sender, cause)
}

// settle decides about the permanently rejected mails.
func (r *refusals) settle(ctx context.Context) error {
	all, to := r.waiting, r.worker.refusing
	r.waiting = nil
	if r.taken {
		clear(to)
	}
	for _, one := range all {
		to[strings.ToLower(one.message.To)] = true
	}
	for _, one := range all {
		settle := r.giveUp
		if !r.taken && len(to) > 1 && one.attempt < giveUp {
			settle = r.wait
		}
		if err := settle(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

func (r *refusals) wait(ctx context.Context, one refusedMail) error {
	s, at := r.worker, r.worker.Clock.Now().Add(max(refusedPause, r.worker.retryAfter(one.attempt)))
	s.log.Warn("server refuses every recipient, delivery deferred", "message_id", one.message.MessageID, "kind", one.message.Kind, "err", one.err, "at", at)
	r.n.Deferred++
	if err := s.Store.MarkRetry(ctx, one.message.ID, one.attempt, at, one.err.Error()); err != nil {
		return err
	}
	return s.tellRefused(ctx, one.err)
}

func (r *refusals) giveUp(ctx context.Context, one refusedMail) error {
	s := r.worker
	s.log.Error("mail rejected permanently", "message_id", one.message.MessageID, "kind", one.message.Kind, "attempt", one.attempt, "err", one.err, "hint", fault.Hint(one.err))
	s.Emit(process.Event{Kind: process.Trouble, Detail: one.err.Error()})
	r.n.Failed++
	// Tell the referee first: once marked, the mail is not looked at again.
	if err := s.recordRefusal(ctx, one.message, one.attempt, one.err); err != nil {
		return err
	}
	return s.Store.MarkFailed(ctx, one.message.ID, one.attempt, s.Clock.Now(), one.err.Error())
}

// tellRefused tells the referee, once a day, that the server takes no mail from the robot. If no
// other mailbox can send the notice, it arrives once the server accepts mail again.
func (s *Sender) tellRefused(ctx context.Context, cause error) error {
	if s.Config.Referee == "" {
		return nil
	}
	n := templates.Notice{
		Kind: templates.Trouble, Reason: "The outgoing server refused mails from " + s.Box.Address + " because of the sender or their number. They wait for another try.",
		Text: []string{cause.Error()},
	}
	if hint := fault.Hint(cause); hint != "" {
		n.Text = append(n.Text, hint)
	}
	local, _, _ := strings.Cut(s.Box.Address, "@")
	word := fmt.Sprintf("refused.%s.%s", s.Clock.Now().UTC().Format(time.DateOnly), local)
	return s.MailOperator(ctx, s.Box, s.OtherSender(s.Box), "", word, "Mails from "+s.Box.Address+" were refused, and wait", n, "")
}
