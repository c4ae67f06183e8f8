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

// Given returns the keys that came with a set or a command: its own and that of the address; if it
// has no key, also those in the heads of other sets. This covers a mail program that ignores
// Reply-To: its mail has the key in the report that it quotes.
func (c *Mail) Given(key string) []string {
	out := slices.DeleteFunc([]string{key, c.Plus}, func(k string) bool { return k == "" })
	if key == "" {
		out = append(out, c.InHeads...)
	}
	return out
}

// TrustCode returns the code of a verdict.
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

// Signatures determines which parts of a mail an OpenPGP key signed.
type Signatures interface {
	// Signed returns the signed texts of a mail, each with the result of its check. key is a
	// captain's armored public key, or nil. For an unsigned mail it returns nil.
	Signed(m mime.Mail, key []byte, now time.Time) []auth.SignedText
}

// Claim is a request in a mail that only a captain or a referee may make.
type Claim struct {
	Game    *vault.Game
	Captain vault.Captain // empty for a claim of a referee
	Referee vault.Referee // empty for a claim of a captain
	KeyTurn int           // turn whose key is required
	Given   []string      // keys that came with it
	// Turn and What identify the request: What is the name of an order set ("Hood", "@Kirk") or a
	// command ("#resign").
	Turn int
	What string
	// First and Last are its lines in the source.
	First, Last int
}

// Key returns the claimant's key while turn n is due.
func (cl Claim) Key(n int) string {
	if cl.Referee.Name != "" {
		return referee.Key(cl.Game, n, cl.Referee.Name)
	}
	return turn.Key(cl.Game, n, cl.Captain.Name)
}

// By returns the name of the claimant, captain or referee.
func (cl Claim) By() string { return cmp.Or(cl.Referee.Name, string(cl.Captain.Name)) }

// MaxEarlier is how many turns back an old key is recognised as such.
const MaxEarlier = 20

// TrustIn decides whether the claim is proven. If others could send it again, its proof is recorded
// when the step is done, see Noted.
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
		c.Keys = append(c.Keys, cl.Key(due)) // it may appear where an earlier turn's key is required
	}
	for t := max(1, cl.KeyTurn-MaxEarlier); t < cl.KeyTurn; t++ {
		e.Earlier = append(e.Earlier, cl.Key(t))
	}
	if trust := auth.Assess(e); trust.OK() && trust.Proof == auth.ByKey {
		return trust, nil // no other evidence is needed
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

// ServerResults returns what our own mail server says about the sender.
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

// Vouched reports whether our own mail server confirms that the mail is from its sender's domain.
func (c *Mail) Vouched() bool { return c.ServerResults().Vouched() }

// signature returns what the mail's OpenPGP signatures say about the lines of a claim.
func (c *Mail) signature(cl Claim) auth.Signature {
	if c.People.Signatures == nil || len(c.In.Mail.Signed) == 0 {
		return auth.Signature{}
	}
	key, err := vault.PublicKey(cl.Game, cmp.Or(cl.Referee.PGP, cl.Captain.PGP), cl.By())
	if err != nil {
		return auth.Signature{Why: "The mail is signed, but your OpenPGP key cannot be read here. Tell the referee, or send the turn key."} // the mail is answered; doctor and check report the file
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

// lines returns the source lines from first to last, counted from 1.
func (c *Mail) lines(first, last int) []string {
	all := strings.Split(c.Body.Source, "\n")
	if first < 1 || last > len(all) || first > last {
		return nil
	}
	return all[first-1 : last]
}

// covers reports whether the lines occur consecutively in text. It ignores space at their ends, and
// the dash that a clear-signed text has before lines that begin with one.
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

// newest returns when the newest proof of the same claim in another mail was made.
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

// Noted returns the journal entry for the proof of a claim, or nil if the claim cannot be replayed.
// Proof by a key is recorded only if an older proof could replace it.
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
