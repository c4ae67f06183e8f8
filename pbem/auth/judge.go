package auth

import (
	"fmt"
	"slices"
	"time"
)

// Verdict says how far a mail can be trusted to be a captain's.
type Verdict int

// The verdicts. Only Trusted lets an order set count.
const (
	UnknownAddress Verdict = iota // the sender is not one of the captain's addresses
	MissingKey                    // a known address, but no key and no other proof
	WrongKey                      // a known address, but no key fits, and no other proof
	Trusted                       // a known address and a proof
	BadSignature                  // a known address, and an invalid signature
	Stale                         // a proof older than what it would replace
)

// String names the verdict for messages.
func (v Verdict) String() string {
	switch v {
	case UnknownAddress:
		return "unknown address"
	case MissingKey:
		return "missing key"
	case WrongKey:
		return "wrong key"
	case Trusted:
		return "trusted"
	case BadSignature:
		return "bad signature"
	case Stale:
		return "older than what is in force"
	}
	return fmt.Sprintf("verdict %d", int(v))
}

// Proof is the kind of proof that a mail is a captain's.
type Proof string

// The proofs. A captain may share a key; the others can be replayed by anybody who saw the mail,
// and so carry the time at which they were made.
const (
	ByKey       Proof = "key"
	ByResults   Proof = "authentication results"
	BySignature Proof = "signature"
)

// Evidence is what is known about the sender of an order set. A zero field proves nothing.
type Evidence struct {
	From       []string // the addresses of the From header
	Registered []string // the captain's addresses
	Want       string   // the captain's key for the turn
	Given      []string // keys in the block and in the recipient address; only the first maxKeys count
	Earlier    []string // keys of earlier turns, to distinguish an old report from a typing mistake

	Results Results   // what our own mail server says about the sender
	Date    time.Time // of the mail by the sender's clock; the server's results cover it
	Signed  Signature // over the text that holds the order set

	// The rest guards against replayed mails. Received is when the mail came, by our clock, and
	// Began when the game began. Newest is when the newest accepted set for the same ship and turn
	// was made, zero for none.
	Received, Began, Newest time.Time
}

// maxKeys limits the keys that one mail may try.
const maxKeys = 4

// maxAhead is how far a captain's clock may be ahead of ours: an hour, for machines without
// daylight saving time, and some more.
const maxAhead = 90 * time.Minute

// Trust is a verdict with its reason, in sentences for the captain that contain no key.
type Trust struct {
	Verdict Verdict
	Reason  string
	Proof   Proof     // when Trusted
	Made    time.Time // when the proof was made; for a key when the mail came
}

// OK reports whether an order set may be accepted.
func (t Trust) OK() bool { return t.Verdict == Trusted }

// Assess weighs the evidence. Every From address must be the captain's: a mail with a second author
// has no valid sender. Without a registered address no proof helps, and without a proof no address
// does. If there are several proofs, the one that others cannot replay takes precedence.
func Assess(e Evidence) Trust {
	if len(e.From) == 0 {
		return Trust{Verdict: UnknownAddress, Reason: "The mail has no sender address."}
	}
	for _, from := range e.From {
		if !registered(from, e.Registered) {
			return Trust{Verdict: UnknownAddress, Reason: fmt.Sprintf("The address %s is not registered for this captain. Send from the address that gets the reports.", shown(from))}
		}
	}
	key := e.judgeKey()
	if key.OK() {
		return key
	}
	switch signed, results := e.Signed.OK(), e.Results.OK(); {
	case signed:
		return e.dated(BySignature, e.Signed.Made, "Sent from a registered address and signed with the captain's OpenPGP key.")
	case results:
		return e.dated(ByResults, e.Date, fmt.Sprintf("Sent from a registered address, and %s found by %s that it is from %s.", e.Results.ID, e.Results.Method, shown(e.Results.Domain)))
	case e.Signed.Why != "":
		return Trust{Verdict: BadSignature, Reason: e.Signed.Why}
	}
	return key
}

// judgeKey returns the verdict by the keys alone.
func (e Evidence) judgeKey() Trust {
	given := e.Given
	if len(given) > maxKeys {
		given = given[:maxKeys]
	}
	if len(given) == 0 {
		return Trust{Verdict: MissingKey, Reason: "The turn key is missing. It is in the order template of your last report; put it after the word key in the first line of the set."}
	}
	if _, ok := Normalise(e.Want); !ok {
		return Trust{Verdict: WrongKey, Reason: "There is no turn key for this captain and turn."}
	}
	if anyEqual(given, e.Want) {
		return Trust{Verdict: Trusted, Reason: "Sent from a registered address with the key of the turn.", Proof: ByKey, Made: e.Received}
	}
	for _, old := range e.Earlier {
		if anyEqual(given, old) {
			return Trust{Verdict: WrongKey, Reason: "The turn key is that of an earlier turn. Take the key from your newest report."}
		}
	}
	for _, k := range given {
		if _, ok := Normalise(k); !ok {
			return Trust{Verdict: WrongKey, Reason: "The turn key is malformed: a key is four characters, a dash, four characters. Copy it from your last report."}
		}
	}
	return Trust{Verdict: WrongKey, Reason: "The turn key is not yours for this turn. Copy it from your last report."}
}

// dated returns the verdict on a proof that others could replay.
func (e Evidence) dated(p Proof, made time.Time, reason string) Trust {
	what := "signature"
	if p == ByResults {
		what = "mail"
	}
	made = made.UTC()
	say := func(format string, args ...any) Trust {
		return Trust{Verdict: Stale, Reason: fmt.Sprintf(format, args...) + " To send this set now, write it again, or add the turn key."}
	}
	when := made.Format("2 Jan 2006, 15:04:05 UTC")
	switch {
	case made.IsZero():
		return say("The mail has no date, so it could be an old mail that somebody else sent again.")
	case made.After(e.Received.Add(maxAhead)):
		return say("The %s is dated %s, which is in the future. Set your machine's clock.", what, when)
	case made.Before(e.Began):
		return say("The %s is dated %s, before the game began.", what, when)
	case !made.After(e.Newest):
		return say("The %s is dated %s, and something as new from you was already accepted.", what, when)
	}
	return Trust{Verdict: Trusted, Reason: reason, Proof: p, Made: made}
}

func registered(from string, list []string) bool {
	return slices.ContainsFunc(list, func(r string) bool { return SameAddress(from, r) })
}

// anyEqual checks every key, even after a match, so that the time reveals nothing.
func anyEqual(given []string, want string) bool {
	found := false
	for _, k := range given {
		if EqualKeys(k, want) {
			found = true
		}
	}
	return found
}

// shown limits a hostile address in the answer.
func shown(address string) string {
	const most = 100
	r := []rune(address)
	if len(r) > most {
		return string(r[:most]) + "..."
	}
	return address
}

// Signature is the result of checking an OpenPGP signature. The zero value means that there is
// none.
type Signature struct {
	// Made is when the captain signed, by the captain's own clock; zero if the signature is
	// invalid.
	Made time.Time
	// Why says what is wrong with an invalid signature, in sentences for the captain.
	Why string
}

// SignedText is a signed text; it counts only if the signature is OK.
type SignedText struct {
	Text string // as package mime reads it
	Signature
}

// OK reports whether the signature is the captain's.
func (s Signature) OK() bool { return !s.Made.IsZero() && s.Why == "" }
