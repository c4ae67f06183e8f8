package identity

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/mime"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Given are the keys that came for a set or a command: its own and that of the address; for one
// without a key also those in the heads of other sets. The mail of a program that does not answer
// to the address that a report asks for brings the key in the report that it quotes.
func (c *Mail) Given(key string) []string {
	out := slices.DeleteFunc([]string{key, c.Plus}, func(k string) bool { return k == "" })
	if key == "" {
		out = append(out, c.InHeads...)
	}
	return out
}

// TrustCode is the code of a verdict.
func TrustCode(t auth.Trust) string {
	switch t.Verdict {
	case auth.MissingKey:
		return codes.NoKey
	case auth.UnknownAddress:
		return codes.NotYours
	case auth.BadSignature:
		return codes.BadSignature
	case auth.Stale:
		return codes.Stale
	case auth.WrongKey, auth.Trusted:
	}
	return codes.WrongKey
}

// Signatures finds out what of a mail an OpenPGP key signed.
type Signatures interface {
	// Signed gives the texts of a mail that bear a signature, each with what was
	// found out about it. key is a captain's armored public key, nil when he has
	// none; an unsigned mail gives nothing.
	Signed(m mime.Mail, key []byte, now time.Time) []auth.SignedText
}

// Claim is something in a mail that only a captain, or a referee, may ask for.
type Claim struct {
	Game    *vault.Game
	Captain vault.Captain // none for a claim of a referee
	Referee vault.Referee // none for one of a captain
	KeyTurn int           // whose key is wanted
	Given   []string      // keys
	// Turn and what say what is asked for: the name of an order set ("Hood",
	// "@Kirk") or a command ("#resign").
	Turn int
	What string
	// First and last are the lines of the source where it stands.
	First, Last int
}

// Key is the key of who claims, while a turn is due.
func (cl Claim) Key(n int) string {
	if cl.Referee.Name != "" {
		return referee.Key(cl.Game, n, cl.Referee.Name)
	}
	return turn.Key(cl.Game, n, cl.Captain.Name)
}

// By is the name of who claims, captain or referee.
func (cl Claim) By() string { return cmp.Or(cl.Referee.Name, string(cl.Captain.Name)) }

// MaxEarlier is of how many turns back a key is known for what it is.
const MaxEarlier = 20

// TrustIn decides whether the captain asked for it. For what may be sent again by
// others the proof is recorded when it is done, see noted.
func (c *Mail) TrustIn(cl Claim) (auth.Trust, error) {
	m := &c.In.Mail
	e := auth.Evidence{
		From: m.Senders(), Registered: cl.Captain.AddressesAt(c.In.Received),
		Want: cl.Key(cl.KeyTurn), Given: cl.Given,
		Date: m.Date, Received: c.In.Received,
	}
	if cl.Referee.Name == "" {
		e.Results = c.ServerResults()
	} else {
		e.Registered = []string{cl.Referee.Address}
	}
	c.Keys = append(c.Keys, e.Want)
	if due := cl.Game.Turn() + 1; due != cl.KeyTurn {
		c.Keys = append(c.Keys, cl.Key(due)) // which may stand where that of an earlier turn is wanted
	}
	for t := max(1, cl.KeyTurn-MaxEarlier); t < cl.KeyTurn; t++ {
		e.Earlier = append(e.Earlier, cl.Key(t))
	}
	if trust := auth.Assess(e); trust.OK() && trust.Proof == auth.ByKey {
		return trust, nil // nothing else needs to be looked at
	}
	e.Signed = c.signature(cl)
	begun, err := cl.Game.Stages.Manifest(vault.At(0))
	if err != nil {
		return auth.Trust{}, err
	}
	e.Began = begun.Resolved
	if e.Newest, err = c.newest(cl); err != nil {
		return auth.Trust{}, err
	}
	return auth.Assess(e), nil
}

// ServerResults is what our own mail server says of the sender.
func (c *Mail) ServerResults() auth.Results {
	if len(c.People.Border.IDs) == 0 {
		return auth.Results{}
	}
	if c.border == nil {
		m := &c.In.Mail
		var fields []auth.Field
		for _, f := range m.Fields() {
			fields = append(fields, auth.Field(f))
		}
		r := c.People.Border.Results(fields, m.Senders())
		c.border = &r
	}
	return *c.border
}

// Vouched tells whether our own mail server says that the mail is from the domain of its sender.
func (c *Mail) Vouched() bool { return c.ServerResults().Vouched() }

// signature is what the mail's OpenPGP signatures say of the lines of a claim.
func (c *Mail) signature(cl Claim) auth.Signature {
	if c.People.Signatures == nil || len(c.In.Mail.Signed) == 0 {
		return auth.Signature{}
	}
	key, err := vault.PublicKey(cl.Game, cmp.Or(cl.Referee.PGP, cl.Captain.PGP), cl.By())
	if err != nil {
		return auth.Signature{Why: "The mail is signed, but your OpenPGP key cannot be read here. Tell the referee, or send the turn key."} // the mail is answered; doctor and check speak of the file
	}
	var last auth.Signature
	for _, s := range c.People.Signatures.Signed(c.In.Mail, key, c.In.Received) {
		switch {
		case !s.OK():
			last = s.Signature
		case covers(s.Text, c.lines(cl.First, cl.Last)):
			return s.Signature
		default:
			last = auth.Signature{Why: "The OpenPGP signature is yours, but does not cover this text. Sign all of it."}
		}
	}
	return last
}

// lines are lines of the source, from 1, first and last included.
func (c *Mail) lines(first, last int) []string {
	all := strings.Split(c.Body.Source, "\n")
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
func (c *Mail) newest(cl Claim) (time.Time, error) {
	standing, err := cl.Game.AdminState()
	if err != nil {
		return time.Time{}, err
	}
	var last time.Time
	for _, p := range standing.Proofs[cl.Turn] {
		if p.Captain.Is(cl.Captain.Name) && strings.EqualFold(p.Referee, cl.Referee.Name) && strings.EqualFold(p.What, cl.What) && p.Mail != c.In.SHA256 && p.Made.After(last) {
			last = p.Made
		}
	}
	return last, nil
}

// Noted is the journal entry that goes with what a claim got done: nil when
// it cannot be replayed. What a key gets in is noted only where an older
// proof could displace it.
func (c *Mail) Noted(cl Claim, t auth.Trust) (*journal.Entry, error) {
	newest, err := c.newest(cl)
	if err != nil || t.Proof == auth.ByKey && newest.IsZero() {
		return nil, err
	}
	made := t.Made
	if newest.After(made) {
		made = newest // a captain's clock may be ahead of ours
	}
	e := journal.NewEntry(journal.Proof, cl.By(), c.In.Received, journal.ProofData{What: cl.What, Made: made.UTC(), Referee: cl.Referee.Name})
	e.Captain, e.Turn = cl.Captain.Name, cl.Turn
	e.Why = string(t.Proof)
	e.Cause = fmt.Sprintf("%s#%s.%d", c.In.SHA256, strings.ToLower(cl.What), cl.Turn)
	return &e, nil
}
