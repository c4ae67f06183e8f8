package auth

import "fmt"

// Verdict is how far a mail may be trusted to be a captain's.
type Verdict int

// The verdicts. Only Trusted lets an order set in.
const (
	UnknownAddress Verdict = iota // the sender is not one of the captain's addresses
	MissingKey                    // a known address, but no key
	WrongKey                      // a known address, but no key fits
	Trusted                       // a known address and the key of the turn
)

// String names the verdict as messages do.
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
	}
	return fmt.Sprintf("verdict %d", int(v))
}

// Evidence is what is known about who sent an order set. More kinds of proof
// become more fields; a zero field proves nothing.
type Evidence struct {
	From       []string // the addresses of the From header
	Registered []string // the captain's addresses
	Want       string   // the captain's key for the turn
	Given      []string // keys in the block and in the address written to; only the first MaxGiven count
	Earlier    []string // keys of earlier turns, so that an old report can be told from a slip
}

// MaxGiven bounds how many keys one mail may try.
const MaxGiven = 4

// Trust is a verdict with its reason, a sentence for the captain that names no
// key.
type Trust struct {
	Verdict Verdict
	Reason  string
}

// OK reports whether an order set may be taken.
func (t Trust) OK() bool { return t.Verdict == Trusted }

// Judge weighs the evidence. Every From address must be the captain's: a mail
// with a second author is nobody's. Without a registered address no key helps,
// and without a key no address does.
func Judge(e Evidence) Trust {
	if len(e.From) == 0 {
		return Trust{UnknownAddress, "The mail has no sender address."}
	}
	for _, from := range e.From {
		if !registered(from, e.Registered) {
			return Trust{UnknownAddress, fmt.Sprintf("The address %s is not registered for this captain. Send from the address to which the reports go.", shown(from))}
		}
	}
	given := e.Given
	if len(given) > MaxGiven {
		given = given[:MaxGiven]
	}
	if len(given) == 0 {
		return Trust{MissingKey, "The turn key is missing. It stands in the order template of your last report; put it after the word key in the #orders line."}
	}
	if _, ok := Normalise(e.Want); !ok {
		return Trust{WrongKey, "There is no turn key for this captain and turn."}
	}
	if anyEqual(given, e.Want) {
		return Trust{Trusted, "Sent from a registered address with the key of the turn."}
	}
	for _, old := range e.Earlier {
		if anyEqual(given, old) {
			return Trust{WrongKey, "The turn key is that of an earlier turn. Take the key from your newest report."}
		}
	}
	for _, k := range given {
		if _, ok := Normalise(k); !ok {
			return Trust{WrongKey, "The turn key does not have the form of a key: four symbols, a dash, four symbols. Copy it from your last report."}
		}
	}
	return Trust{WrongKey, "The turn key is not yours for this turn. Copy it from your last report."}
}

func registered(from string, list []string) bool {
	for _, r := range list {
		if SameAddress(from, r) {
			return true
		}
	}
	return false
}

// anyEqual looks at every key, found or not, so that the time tells nothing.
func anyEqual(given []string, want string) bool {
	found := false
	for _, k := range given {
		if Equal(k, want) {
			found = true
		}
	}
	return found
}

// shown keeps a hostile address from filling the answer.
func shown(address string) string {
	const most = 100
	r := []rune(address)
	if len(r) > most {
		return string(r[:most]) + "..."
	}
	return address
}
