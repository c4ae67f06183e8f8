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

// Postbag is where the daemon keeps what came and went, to be read only: mails
// as they came, and the store. The zero value knows of no mails.
type Postbag struct {
	Host *config.Config // whose store it is; nil for none
}

// Mail is a mail that came for a game, without the address it came from.
type Mail struct {
	SHA256    string             `json:"sha256"` // of its bytes
	MessageID string             `json:"message_id,omitempty"`
	Received  time.Time          `json:"received"`
	Captain   engine.CaptainName `json:"captain,omitempty"` // whose registered address it came from
	Outcome   string             `json:"outcome,omitempty"` // done, refused, ignored; "" while it waits
	Sets      []MailSet          `json:"sets,omitempty"`
	Commands  []string           `json:"commands,omitempty"` // without keys and texts
	Lost      string             `json:"lost,omitempty"`     // why its bytes cannot be read
}

// MailSet is an order set in a mail.
type MailSet struct {
	Name  string `json:"name"` // "Hood", "@Kirk", as the mail calls it
	Turn  int    `json:"turn"`
	Proof string `json:"proof,omitempty"` // what showed that it is the captain's; "" for nothing that is known

	text  string // canonical
	round int    // 0 for the first
}

// Sent is a mail of a turn that went to a captain.
type Sent struct {
	Captain   string    `json:"captain"` // his name; the word "somebody" stands for others, such as the referee
	MessageID string    `json:"message_id"`
	Kind      string    `json:"kind,omitempty"`
	State     string    `json:"state,omitempty"` // queued, ambiguous, sent, failed; "" when the store does not know it
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

// Load gives the bytes of a mail that came, by their SHA-256. If they are not there the
// error is fs.ErrNotExist.
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

// Mails are the mails for a game that came in a time, oldest first: from its
// captains, or with an order set for it.
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
				continue // it cannot be told whose it was
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

// reader finds out what a mail holds for one game.
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

// read fills in what a mail is for the game, and reports whether it is for it
// at all.
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

// set is a block of the mail as the game would store it.
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

// keyed tells whether a set came with the turn key of its captain, as he or
// someone who had the seat before him has it.
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

// Sent tells what became of the mails with these envelopes, and of what else was
// queued for a game in a time: answers, reminders, notices.
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

// storeKeys are what the store calls a game: its mails bear its name with the
// start of the secret's hash, which tells games of one name apart, answers the name
// alone.
func storeKeys(s vault.Settings) []string { return []string{s.ID + "." + s.SecretSHA256[:8], s.ID} }

// captainAt is the captain of a game whom an address belongs to; "" for none.
func captainAt(s vault.Settings, address string) engine.CaptainName {
	for _, c := range s.Captains {
		if auth.HasAddress(c.Addresses(), address) {
			return c.Name
		}
	}
	return ""
}
