package referee

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/config"
	"starpost/pbem/mime"
	"starpost/pbem/store"
	"starpost/pbem/store/hosted"
	"starpost/pbem/store/sqlstore"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Postbag gives read access to the daemon's store and to incoming mails. The zero value has no
// mails.
type Postbag struct {
	Host *config.Config // owner of the store; nil for none
}

// Mail is an incoming mail for a game, without its sender's address.
type Mail struct {
	SHA256    string             `json:"sha256"` // of its bytes
	MessageID string             `json:"message_id,omitempty"`
	Received  time.Time          `json:"received"`
	Captain   engine.CaptainName `json:"captain,omitempty"` // the captain with the sender's address
	Outcome   string             `json:"outcome,omitempty"` // done, refused, ignored; "" while it waits
	Sets      []MailSet          `json:"sets,omitempty"`
	Commands  []string           `json:"commands,omitempty"` // without keys and texts
	Lost      string             `json:"lost,omitempty"`     // why its bytes cannot be read
}

// MailSet is an order set in a mail.
type MailSet struct {
	Name  string `json:"name"` // "Hood", "@Kirk", as in the mail
	Turn  int    `json:"turn"`
	Proof string `json:"proof,omitempty"` // proof that it is the captain's; "" if none is known

	text  string // canonical
	round int    // 0 for the first
}

// Sent is a mail of a turn to a captain.
type Sent struct {
	Captain   string    `json:"captain"` // the captain's name; "somebody" for others, such as the referee
	MessageID string    `json:"message_id"`
	Kind      string    `json:"kind,omitempty"`
	State     string    `json:"state,omitempty"` // queued, ambiguous, sent, failed; "" if the store does not know it
	At        time.Time `json:"at,omitzero"`     // when it was sent or given up
	Attempts  int       `json:"attempts,omitempty"`
	Why       string    `json:"why,omitempty"` // of the last failure
}

// look opens the store for reading, if there is one.
func (p Postbag) look(ctx context.Context, see func(*sqlstore.Store) error) error {
	if p.Host == nil {
		return nil
	}
	return hosted.View(ctx, p.Host, see)
}

// Load returns the bytes of an incoming mail by their SHA-256. If it is missing, the error is
// fs.ErrNotExist.
func (p Postbag) Load(ctx context.Context, sha string) (raw []byte, err error) {
	err = fmt.Errorf("load mail %s: %w", sha, fs.ErrNotExist)
	if lerr := p.look(ctx, func(l *sqlstore.Store) error {
		raw, err = l.LoadRaw(ctx, sha)
		return nil
	}); lerr != nil {
		return nil, lerr
	}
	return raw, err
}

// Mails returns the mails for a game in a period, oldest first: from its captains, or with an order
// set for it.
func (p Postbag) Mails(ctx context.Context, g *vault.Game, since, until time.Time) ([]Mail, error) {
	var out []Mail
	err := p.look(ctx, func(l *sqlstore.Store) error {
		came, err := l.Received(ctx, since, until)
		if err != nil || len(came) == 0 {
			return err
		}
		r, err := newReader(g)
		if err != nil {
			return err
		}
		for _, m := range came {
			one := Mail{SHA256: m.SHA256, MessageID: m.MessageID, Received: m.ReceivedAt, Outcome: m.Outcome}
			raw, err := l.LoadRaw(ctx, m.SHA256)
			switch {
			case errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrDamaged):
				continue // its sender is unknown
			case err != nil:
				return err
			}
			if r.read(raw, &one) {
				out = append(out, one)
			}
		}
		return nil
	})
	return out, err
}

// reader determines what a mail contains for one game.
type reader struct {
	game     *vault.Game
	settings vault.Settings
	proofs   map[string]string // by cause
}

func newReader(g *vault.Game) (*reader, error) {
	entries, err := g.Journal.Entries()
	if err != nil {
		return nil, err
	}
	r := &reader{game: g, settings: g.Settings(), proofs: map[string]string{}}
	for _, e := range entries {
		if e.Kind == journal.Proof {
			r.proofs[e.Cause] = e.Why
		}
	}
	return r, nil
}

// read fills in what a mail contains for the game, and reports whether it has anything.
func (r *reader) read(raw []byte, m *Mail) bool {
	mail, err := mime.Read(raw)
	if err != nil {
		m.Lost = err.Error()
	}
	for _, c := range r.settings.Captains {
		if slices.ContainsFunc(mail.Senders(), func(from string) bool { return auth.HasAddress(c.Addresses(), from) }) {
			m.Captain = c.Name
		}
	}
	raws, _ := orders.ScanText(mail.Text)
	if len(raws) == 0 {
		raws, _ = orders.Scan([]byte(mail.Attached))
	}
	others := false
	for _, block := range raws {
		if !strings.EqualFold(block.Head.Game, r.settings.ID) {
			others = others || block.Head.Game != ""
			continue
		}
		m.Sets = append(m.Sets, r.set(m, mail, block))
	}
	for line := range strings.Lines(mail.Text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if len(word) < 2 || word[0] != '#' || strings.HasPrefix(word, "#orders") || word == "#end" || word == "#text" || word == "#endtext" {
			continue
		}
		if key := strings.Index(rest, "key "); key >= 0 {
			rest = rest[:key]
		}
		m.Commands = append(m.Commands, strings.TrimSpace(word+" "+auth.Mask(rest, nil)))
	}
	return len(m.Sets) > 0 || m.Captain != "" && !others
}

// set returns a block of the mail in the form that the game would store.
func (r *reader) set(m *Mail, mail mime.Mail, block orders.Raw) MailSet {
	h := block.Head
	s := MailSet{Name: h.Name, Turn: h.Turn}
	if h.Phase > 1 {
		s.round = h.Phase
	}
	if h.Kind == "captain" {
		s.Name = "@" + h.Name
	}
	b, diags := block.Parse(r.game.Rules().Language)
	key := h.Key
	b.Head.Key, b.Head.Game = "", r.settings.ID
	if h.Kind != "captain" {
		b.Head.Kind = "ship"
		for _, c := range r.settings.Captains {
			for _, ship := range c.Ships {
				if strings.EqualFold(ship, h.Name) {
					b.Head.Name, s.Name = ship, ship
				}
			}
		}
	}
	if !orders.HasErrors(diags) {
		s.text = orders.Format(b)
	}
	s.Proof = r.proofs[fmt.Sprintf("%s#%s.%d", m.SHA256, strings.ToLower(s.Name), s.Turn)]
	if s.Proof == "" && r.keyed(s, m.Captain, key, mail.WrittenTo()) {
		s.Proof = "turn key"
	}
	return s
}

// keyed reports whether a set came with the turn key of its captain, or of an earlier holder of the
// seat.
func (r *reader) keyed(s MailSet, captain engine.CaptainName, key string, to []string) bool {
	if captain == "" {
		return false
	}
	keys := []string{key}
	if plus, ok := auth.TurnKeyFromAddress(to, r.settings.Mail.Robot); ok {
		keys = append(keys, plus)
	}
	for changes := range r.game.Changes(captain) + 1 {
		want := turn.KeyOf(r.game, s.Turn, captain, changes)
		if slices.ContainsFunc(keys, func(k string) bool { return k != "" && auth.EqualKeys(k, want) }) {
			return true
		}
	}
	return false
}

// Sent returns the state of the mails with these envelopes, and of other mails queued for a game in
// a period: answers, reminders, notices.
func (p Postbag) Sent(ctx context.Context, g *vault.Game, mails []vault.Envelope, since, until time.Time) ([]Sent, error) {
	var out []Sent
	for _, m := range mails {
		out = append(out, Sent{Captain: string(m.Captain), MessageID: m.MessageID})
	}
	tell := func(s *Sent, l store.OutboxMessage) {
		s.Kind, s.State, s.At, s.Attempts, s.Why = string(l.Kind), string(l.State), l.SettledAt, l.Attempts, l.LastError
	}
	err := p.look(ctx, func(l *sqlstore.Store) error {
		for i := range out {
			letter, known, err := l.Message(ctx, out[i].MessageID)
			if err != nil {
				return err
			}
			if known {
				tell(&out[i], letter)
			}
		}
		var all []store.OutboxMessage
		for _, key := range storeKeys(g.Settings()) {
			some, err := l.Outbox(ctx, key)
			if err != nil {
				return err
			}
			all = append(all, some...)
		}
		slices.SortStableFunc(all, func(a, b store.OutboxMessage) int { return a.QueuedAt.Compare(b.QueuedAt) })
		for _, o := range all {
			if o.Kind == store.Report || o.QueuedAt.Before(since) || !o.QueuedAt.Before(until) {
				continue
			}
			s := Sent{Captain: cmp.Or(string(captainAt(g.Settings(), o.To)), "somebody"), MessageID: o.MessageID}
			tell(&s, o)
			out = append(out, s)
		}
		return nil
	})
	return out, err
}

// storeKeys returns the store's names for a game: its mails have the ID with the start of the
// secret's hash, which distinguishes games of the same name; answers have only the ID.
func storeKeys(s vault.Settings) []string { return []string{s.ID + "." + s.SecretSHA256[:8], s.ID} }

// captainAt returns the captain of a game with that address; "" for none.
func captainAt(s vault.Settings, address string) engine.CaptainName {
	for _, c := range s.Captains {
		if auth.HasAddress(c.Addresses(), address) {
			return c.Name
		}
	}
	return ""
}
