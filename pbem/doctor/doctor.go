// Package doctor checks what a daemon needs, before it runs or while it runs: servers, folders, clock, games.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/config"
	"starpost/pbem/connect"
	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/fault"
	"starpost/pbem/move"
	"starpost/pbem/pgp"
	"starpost/pbem/record"
	"starpost/pbem/record/postgres"
	"starpost/pbem/report"
	"starpost/pbem/spare"
	"starpost/pbem/store"
	"starpost/pbem/store/hosted"
	"starpost/pbem/store/sqlstore"
	"starpost/pbem/vault"
)

// Examine checks what the daemon needs: the mailbox, the outgoing server, the clock, the state directory and every
// game; [Sending] checks the rest of the way. Each mailbox that can receive and send gets a mail to its own address
// with a plus tag, which is awaited for patience; with zero patience none is sent. Nothing else is changed. Examine
// calls tell after each check.
func Examine(ctx context.Context, c *config.Config, cat vault.Catalogue, patience time.Duration, tell func(watch.Check)) {
	look := func(what string, f func() (string, error)) (ok bool) {
		found, err := f()
		tell(watch.Checked(what, found, err))
		return err == nil
	}
	look("state directory "+c.State, func() (string, error) { return writable(c.State) })
	for _, check := range watch.Problems(c, time.Now()) {
		tell(check)
	}
	look("store", func() (string, error) { return tryStore(ctx, c) })
	if c.Store != nil {
		look("server of the store", func() (string, error) { return hosted.Setup(ctx, c) })
		if at, err := hosted.Place(c.Store); err == nil { // otherwise the check before has failed
			at.Servers(ctx, func(host, found string, err error) { tell(watch.Checked("server of the store at "+host, found, err)) })
		}
	}
	look("addresses", func() (string, error) { return tryAddresses(ctx, c) })
	look("clock", clockSane)
	boxes, wires := c.Mailboxes(), connect.New(slog.New(slog.DiscardHandler))
	var addresses []string
	for _, box := range boxes {
		addresses = append(addresses, box.Address)
		whose := ""
		if len(boxes) > 1 {
			whose = " of " + box.Address
		}
		if box.LMTP != nil {
			look("mails handed over to "+box.Address, func() (string, error) { return tryHanded(box, c.State) })
		}
		read := box.IMAP != nil && look(fmt.Sprintf("mailbox %s%s at %s:%d", box.IMAP.Inbox, whose, box.IMAP.Host, box.IMAP.Port), func() (string, error) { return tryInbox(ctx, wires, box, c) })
		send := look(fmt.Sprintf("outgoing mail%s at %s:%d", whose, box.SMTP.Host, box.SMTP.Port), func() (string, error) { return trySender(ctx, wires, box) })
		if read && send && patience > 0 {
			var came []byte
			look("plus addresses"+whose, func() (found string, err error) {
				found, came, err = tryPlus(ctx, wires, box, c, patience)
				return found, err
			})
			if came != nil {
				look("what the receiver found"+whose, func() (string, error) { return tryTrial(came) })
			}
		}
	}
	for _, part := range c.Communities() {
		if club := part.ClubOf(); club != nil {
			look("club "+club.Name, func() (string, error) { return tryClub(part) })
		}
	}
	trees, end, err := hosted.Trees(ctx, c)
	if err != nil {
		look("games", func() (string, error) { return "", err })
	}
	for _, tree := range trees {
		look("game "+tree.Place(""), func() (string, error) { return tryGame(tree, addresses, cat) })
	}
	if err := end(); err != nil {
		look("games", func() (string, error) { return "", err })
	}
	tryRelays(ctx, c, cat, look)
	look("what can be removed", func() (string, error) {
		all, err := spare.Find(ctx, c, cat, time.Now().Add(-spare.Age))
		return spare.Words(all, c.File), err
	})
}

func writable(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return "", err
	}
	_, werr := f.WriteString("starpost\n")
	if err := errors.Join(werr, f.Sync(), f.Close(), os.Remove(f.Name())); err != nil {
		return "", err
	}
	return "can be written", nil
}

// tryClub checks what a club has of its own.
func tryClub(c *config.Config) (string, error) {
	club := c.ClubOf()
	found := "open to everyone"
	if club.Closed() {
		members, err := club.List()
		if err != nil {
			return "", fault.New("make it readable; until then, no one can take a seat there", "%s", err)
		}
		if len(members) == 0 {
			return "", fault.New("add addresses to members or to the members_file", "it has no members, so no one can join its games")
		}
		if found = report.Count(len(members), "member"); club.Joining == "" {
			found += ", non-members are not told how to join (set joining)"
		}
	}
	if c.Referee == "" {
		return "", fault.New("set referee for the club, or for the host at the top", "it has no referee, so no one is told of trouble with its games or gets questions")
	}
	if _, err := writable(c.Own()); err != nil {
		return "", err
	}
	return found + ", referee " + c.Referee, nil
}

// clockSane detects a machine that has lost its time.
func clockSane() (string, error) {
	now := time.Now()
	if now.Year() < 2025 {
		return "", fmt.Errorf("the clock says %s, so deadlines would be wrong", now.Format(time.RFC3339))
	}
	return now.Format(time.RFC3339), nil
}

// tryStore checks the store, if there is one yet.
func tryStore(ctx context.Context, c *config.Config) (string, error) {
	o, err := hosted.Inspect(ctx, c)
	if errors.Is(err, fs.ErrNotExist) {
		return "none yet; the first run creates it", nil
	}
	if err != nil {
		return "", err
	}
	found := fmt.Sprintf("sound; %d mails waiting to be sent", o.Waiting)
	if o.Waiting == 1 {
		found = "sound; 1 mail waiting to be sent"
	}
	if o.GivenUp > 0 {
		found += fmt.Sprintf("; given up in the last 30 days: %d (--resend sends them again)", o.GivenUp)
	}
	return found, nil
}

// Resend queues all mails that were recently given up. A running daemon sends them within a poll, any other at its
// next start. It calls tell for each.
func Resend(ctx context.Context, c *config.Config, tell func(watch.Check)) error {
	var again []store.OutboxMessage
	if err := hosted.Change(ctx, c, func(s *sqlstore.Store) (err error) {
		again, err = s.Resend(ctx, time.Now())
		return err
	}); err != nil {
		return err
	}
	for _, l := range again {
		tell(watch.Check{What: fmt.Sprintf("%s to %s", l.Kind, l.To), Found: fmt.Sprintf("will be sent again, as %s; it was given up: %s", l.MessageID, l.LastError)})
	}
	if len(again) == 0 {
		tell(watch.Check{What: "mails", Found: "none was given up in the last 30 days"})
	}
	return nil
}

func tryGame(tree record.Tree, addresses []string, cat vault.Catalogue) (string, error) {
	g, err := vault.Open(tree, cat)
	if err != nil {
		return "", err
	}
	away, err := move.Find(tree)
	if err != nil {
		return "", err
	}
	also := ""
	if away.Where != "" {
		also = "; checked out " + away.Where
	}
	if postgres.Is(g.Dir()) {
		if robot := g.SharedSettings().Mail.Robot; !auth.HasAddress(addresses, robot) {
			return "is up to the hosts that serve " + robot + also, nil
		}
	} else if _, err := writable(filepath.Join(g.Dir(), vault.OrdersDir)); err != nil {
		return "", err
	}
	if err := games.SameRobot(g, addresses...); err != nil {
		return "", err
	}
	if err := errors.Join(pgp.CheckKeys(g, time.Now())...); err != nil {
		return "", err
	}
	var silent []string
	for _, captain := range g.Settings().Captains {
		if captain.Address == "" {
			silent = append(silent, string(captain.Name))
		}
	}
	found := fmt.Sprintf("%s, turn %d played", g.ID(), g.Turn())
	if len(silent) > 0 {
		found += "; without an address: " + strings.Join(silent, ", ")
	}
	return found + also, nil
}

// tryAddresses checks whether mails to some address bounce.
func tryAddresses(ctx context.Context, c *config.Config) (string, error) {
	o, err := hosted.Inspect(ctx, c)
	if errors.Is(err, fs.ErrNotExist) {
		return "no mail sent yet", nil
	}
	if err != nil {
		return "", err
	}
	var failing []string
	some := 0
	for _, b := range o.Bouncing {
		switch {
		case b.Mails >= store.FailingAfter:
			failing = append(failing, fmt.Sprintf("%s (%d of them, %s)", b.Address, b.Mails, b.Why))
		case b.Mails > 0:
			some++
		}
	}
	if len(failing) > 0 {
		return "", fault.New("ask the captain by other means for a working address and put it into game.toml; it counts as working once a mail comes from it",
			"mails come back from %s", strings.Join(failing, "; from "))
	}
	if some == 0 {
		return "no mails come back", nil
	}
	return "no address fails; mails came back from " + report.Count(some, "address"), nil
}
