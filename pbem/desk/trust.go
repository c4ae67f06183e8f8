package desk

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/mime"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Signatures finds out what of a mail an OpenPGP key signed.
type Signatures interface {
	// Signed gives the texts of a mail that bear a signature, each with what was
	// found out about it. key is a captain's armored public key, nil when he has
	// none; an unsigned mail gives nothing.
	Signed(m mime.Mail, key []byte, now time.Time) []auth.SignedText
}

// claim is something in a mail that only a captain, or a referee, may ask for.
type claim struct {
	game    *vault.Game
	captain vault.Captain // none for a claim of a referee
	referee vault.Referee // none for one of a captain
	keyTurn int           // whose key is wanted
	given   []string      // keys
	// turn and what say what is asked for: the name of an order set ("Hood",
	// "@Kirk") or a command ("#resign").
	turn int
	what string
	// first and last are the lines of the source where it stands.
	first, last int
}

// key is the key of who claims, while a turn is due.
func (cl claim) key(n int) string {
	if cl.referee.Name != "" {
		return referee.Key(cl.game, n, cl.referee.Name)
	}
	return turn.Key(cl.game, n, cl.captain.Name)
}

// by is the name of who claims, captain or referee.
func (cl claim) by() string { return cmp.Or(cl.referee.Name, string(cl.captain.Name)) }

// maxEarlier is of how many turns back a key is known for what it is.
const maxEarlier = 20

// trustIn decides whether the captain asked for it. For what may be sent again by
// others the proof is recorded when it is done, see noted.
func (c *mailIn) trustIn(cl claim) (auth.Trust, error) {
	m := &c.in.Mail
	e := auth.Evidence{
		From: m.Senders(), Registered: cl.captain.Addresses(),
		Want: cl.key(cl.keyTurn), Given: cl.given,
		Date: m.Date, Received: c.in.Received,
	}
	if cl.referee.Name == "" {
		e.Results = c.results()
	} else {
		e.Registered = []string{cl.referee.Address}
	}
	c.keys = append(c.keys, e.Want)
	if due := cl.game.Turn() + 1; due != cl.keyTurn {
		c.keys = append(c.keys, cl.key(due)) // which may stand where that of an earlier turn is wanted
	}
	for t := max(1, cl.keyTurn-maxEarlier); t < cl.keyTurn; t++ {
		e.Earlier = append(e.Earlier, cl.key(t))
	}
	if trust := auth.Assess(e); trust.OK() && trust.Proof == auth.ByKey {
		return trust, nil // nothing else needs to be looked at
	}
	e.Signed = c.signature(cl)
	begun, err := cl.game.Manifest(0)
	if err != nil {
		return auth.Trust{}, err
	}
	e.Began = begun.Resolved
	if e.Newest, err = c.newest(cl); err != nil {
		return auth.Trust{}, err
	}
	return auth.Assess(e), nil
}

// results is what our own mail server says of the sender.
func (c *mailIn) results() auth.Results {
	if len(c.people.Border.IDs) == 0 {
		return auth.Results{}
	}
	if c.border == nil {
		m := &c.in.Mail
		var fields []auth.Field
		for _, f := range m.Fields() {
			fields = append(fields, auth.Field(f))
		}
		r := c.people.Border.Results(fields, m.Senders())
		c.border = &r
	}
	return *c.border
}

// Vouched tells whether our own mail server says that the mail is from the domain of its sender.
func (c *mailIn) Vouched() bool { return c.results().Vouched() }

// Seat names the seat, "wolf/Kirk", whose captain or referee proved to have sent something of his
// own in the mail, an order set or a command; "" for none. Refused tells that some of it was not
// done. A template that only comes back, as in a machine's answer, proves nothing of that kind.
func (c *Decision) Seat() (name string, refused bool) {
	add := func(cl claim, t auth.Trust, done bool) {
		if !t.OK() || cl.game == nil {
			return
		}
		refused = refused || !done
		name = cmp.Or(name, cl.game.ID()+"/"+cl.by())
	}
	for i := range c.orderResults {
		if s := &c.orderResults[i]; !s.echo {
			add(s.claim, s.proof, s.taken || s.checked && s.set.OK())
		}
	}
	for _, d := range c.commandResults {
		add(d.claim, d.proof, d.done)
	}
	return name, refused
}

// signature is what the mail's OpenPGP signatures say of the lines of a claim.
func (c *mailIn) signature(cl claim) auth.Signature {
	if c.people.Signatures == nil || len(c.in.Mail.Signed) == 0 {
		return auth.Signature{}
	}
	key, err := cl.game.PublicKey(cmp.Or(cl.referee.PGP, cl.captain.PGP), cl.by())
	if err != nil {
		return auth.Signature{Why: "The mail is signed, but your OpenPGP key cannot be read here. Tell the referee, or send the turn key."} // the mail is answered; doctor and check speak of the file
	}
	var last auth.Signature
	for _, s := range c.people.Signatures.Signed(c.in.Mail, key, c.in.Received) {
		switch {
		case !s.OK():
			last = s.Signature
		case covers(s.Text, c.lines(cl.first, cl.last)):
			return s.Signature
		default:
			last = auth.Signature{Why: "The OpenPGP signature is yours, but it does not cover this text. Sign the whole of it."}
		}
	}
	return last
}

// lines are lines of the source, from 1, first and last included.
func (c *mailIn) lines(first, last int) []string {
	all := strings.Split(c.body.Source, "\n")
	if first < 1 || last > len(all) || first > last {
		return nil
	}
	return all[first-1 : last]
}

// covers tells whether lines stand in a text one after the other. Space at their
// ends does not count, nor does the dash that a clear-signed text has before
// lines that begin with one.
func covers(text string, lines []string) bool {
	if len(lines) == 0 {
		return false
	}
	same := func(signed, line string) bool {
		signed, line = strings.TrimRight(signed, " \t"), strings.TrimRight(line, " \t")
		return signed == line || strings.TrimPrefix(line, "- ") == signed && strings.HasPrefix(signed, "-")
	}
	all := strings.Split(text, "\n")
	for i := range all {
		n := 0
		for n < len(lines) && i+n < len(all) && same(all[i+n], lines[n]) {
			n++
		}
		if n == len(lines) {
			return true
		}
	}
	return false
}

// newest is when the newest thing was made that another mail got in for the same
// claim.
func (c *mailIn) newest(cl claim) (time.Time, error) {
	standing, err := cl.game.AdminState()
	if err != nil {
		return time.Time{}, err
	}
	var last time.Time
	for _, p := range standing.Proofs[cl.turn] {
		if p.Captain.Is(cl.captain.Name) && strings.EqualFold(p.Referee, cl.referee.Name) && strings.EqualFold(p.What, cl.what) && p.Mail != c.in.SHA256 && p.Made.After(last) {
			last = p.Made
		}
	}
	return last, nil
}

// noted is the journal entry that goes with what a claim got done: nil when
// it cannot be replayed. What a key gets in is noted only where an older
// proof could displace it.
func (c *mailIn) noted(cl claim, t auth.Trust) (*journal.Entry, error) {
	newest, err := c.newest(cl)
	if err != nil || t.Proof == auth.ByKey && newest.IsZero() {
		return nil, err
	}
	made := t.Made
	if newest.After(made) {
		made = newest // a captain's clock may be ahead of ours
	}
	e := journal.NewEntry(journal.Proof, cl.by(), c.in.Received, journal.ProofData{What: cl.what, Made: made.UTC(), Referee: cl.referee.Name})
	e.Captain, e.Turn = cl.captain.Name, cl.turn
	e.Why = string(t.Proof)
	e.Cause = fmt.Sprintf("%s#%s.%d", c.in.SHA256, strings.ToLower(cl.what), cl.turn)
	return &e, nil
}
