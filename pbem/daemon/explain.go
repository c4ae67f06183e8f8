package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/config"
	"starpost/pbem/daemon/process"
	"starpost/pbem/desk"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/lobby"
	"starpost/pbem/readonly"
	"starpost/pbem/record"
	"starpost/pbem/record/memory"
	"starpost/pbem/store"
	"starpost/pbem/store/hosted"
	"starpost/pbem/store/sqlstore"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Explain returns what a daemon with these options would do with a mail that came in now, and what it would answer.
// Nothing is changed: if the mail changes games, copies of them in memory are changed. Explain knows nothing that
// only a running daemon holds in memory, such as the map that an earlier answer showed, and ignores notices of
// unanswered mails and the limits on answers. Languages are used to read blocks for unknown games.
func Explain(ctx context.Context, o process.Options, l identity.Incoming, languages []*orders.Language) (e desk.Explanation, err error) {
	trees, end, err := hosted.Trees(ctx, o.Config)
	defer func() { err = errors.Join(err, end()) }()
	if err != nil {
		return e, err
	}
	games, err := readonly.Open(trees, o.Catalogue)
	if err != nil {
		return e, err
	}
	written := &writtenGames{Games: games}
	box := mailboxOf(o.Config, l)
	cfg := o.Config.For(box)
	d, community := newDesk(o, box), identity.NewCommunity(cfg.Apart())
	d.Games, d.Listings = community.Of(written), written
	d.Asked = func(who string, since, before time.Time) (ids []string, err error) {
		err = hosted.View(ctx, o.Config, func(s *sqlstore.Store) (err error) {
			ids, err = s.Answered(ctx, who, effect.KindConfirm, since, before)
			return err
		})
		return ids, err
	}
	temp, err := os.MkdirTemp("", "starpost-explain-")
	if err != nil {
		return e, fmt.Errorf("explain a mail: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if err := copyRequests(cfg.Own(), temp); err != nil {
		return e, err
	}
	if d.Hosting, err = newHosting(o, cfg, temp); err != nil {
		return e, err
	}
	if d.Hosting != nil {
		d.Hosting.Make = func(turn.Setup, []string, string) error { return nil } // the answer contains only the name
	}
	if e, err = d.Explain(l, languages); err != nil {
		return e, err
	}
	copied, err := written.copies(o.Catalogue)
	if err != nil {
		return e, err
	}
	copies := readonly.New(copied)
	d.Games, d.Listings = community.Of(copies), copies
	answer, others, err := d.Rehearse(l)
	if err != nil {
		return e, err
	}
	var dirs []string
	for _, g := range copied {
		dirs = append(dirs, g.Dir())
	}
	paths := process.NewShortener(o.Config, dirs)
	if answer != nil {
		m := paths.Mail(answer.Message)
		m.Foot = process.FootOf(cfg, store.Ack, nil)
		e.Answer = &desk.ExplainedMail{To: m.To.Addr, Subject: m.Subject, Text: m.PlainText()}
	}
	for _, out := range others {
		e.Mails = append(e.Mails, desk.ExplainedMail{To: out.Message.To.Addr, Subject: out.Message.Subject})
	}
	return e, nil
}

// writtenGames records which games a decision may change.
type writtenGames struct {
	*readonly.Games
	of []string // ids
}

// Game implements identity.Games.
func (b *writtenGames) Game(id string) (*vault.Game, error) {
	if !slices.Contains(b.of, id) {
		b.of = append(b.of, id)
	}
	return b.Games.Game(id)
}

// copies returns all games; the recorded ones are replaced by copies in memory.
func (b *writtenGames) copies(c vault.Catalogue) ([]*vault.Game, error) {
	var out []*vault.Game
	for _, s := range b.Settings() {
		g, err := b.Games.Game(s.ID)
		if err == nil && slices.Contains(b.of, s.ID) {
			g, err = inMemory(g, c)
		}
		if err != nil {
			return nil, fmt.Errorf("explain a mail: %w", err)
		}
		out = append(out, g)
	}
	return out, nil
}

// inMemory copies a game into memory. The copy has the directory of the original.
func inMemory(g *vault.Game, c vault.Catalogue) (*vault.Game, error) {
	files, err := record.Files(g.Reader(), nil)
	if err != nil {
		return nil, err
	}
	tree := memory.New(g.Dir(), time.Now)
	if err := tree.Create(files); err != nil {
		return nil, err
	}
	return vault.Open(tree, c)
}

// mailboxOf returns the mailbox that a mail was sent to, or the first one if the mail names none.
func mailboxOf(cfg *config.Config, l identity.Incoming) config.Mailbox {
	boxes := cfg.Mailboxes()
	at := slices.IndexFunc(boxes, func(b config.Mailbox) bool { return auth.HasAddress(l.Mail.Recipients(), b.Address) })
	return boxes[max(at, 0)]
}

// copyRequests copies the lobby's request file, if it exists.
func copyRequests(state, to string) error {
	data, err := os.ReadFile(filepath.Join(state, lobby.RequestsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("explain a mail: %w", err)
	}
	return os.WriteFile(filepath.Join(to, lobby.RequestsFile), data, 0o600)
}
