package journal

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"starpost/engine"
)

// maxPerson limits the characters in a person's name.
const maxPerson = 40

// ProperName says why a person cannot have this name; "" if they can. A name has letters, digits
// and spaces, and - . ' between them, so that it is only a name in every mail and on every page.
func ProperName(name string) (problem string) {
	if name == "" || !utf8.ValidString(name) || name != strings.TrimSpace(name) {
		return "a name must begin and end with a letter or digit"
	}
	if utf8.RuneCountInString(name) > maxPerson {
		return fmt.Sprintf("a name can have at most %d characters", maxPerson)
	}
	if problem := engine.NameOf(name, " -.'"); problem != "" {
		return problem
	}
	alphabets := 0
	for _, alphabet := range []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek} {
		if strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(alphabet, r) }) {
			alphabets++
		}
	}
	if alphabets > 1 { // some of their letters look alike
		return "a name must keep to one alphabet"
	}
	return ""
}

// IsAddress refuses an address that could never receive mail, or could break out of a header;
// package outgoing checks the rest.
func IsAddress(a string) bool {
	local, domain, ok := strings.Cut(a, "@")
	return ok && local != "" && domain != "" && !strings.ContainsFunc(a, func(r rune) bool {
		return r <= ' ' || r == 0x7f || strings.ContainsRune(`<>()[]\,;:"`, r)
	}) && !strings.Contains(domain, "@")
}

// SetFile returns the file name for the set of a ship or, after "@", of a captain.
func SetFile(name string) (string, error) {
	plain := strings.TrimPrefix(name, "@")
	if plain == "" || len(name) > 100 || strings.ContainsFunc(plain, func(r rune) bool {
		return r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r)
	}) || strings.HasPrefix(plain, ".") {
		return "", fmt.Errorf("orders: %q cannot be the name of a ship or captain", name)
	}
	return name + ".txt", nil
}

// NameProblem says why a referee cannot have this name; "" if they can.
func NameProblem(name string) string {
	if strings.TrimSpace(name) != name || name == "" || len(name) > 60 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || strings.ContainsRune(`/\"<>@`, r) }) {
		return fmt.Sprintf("%q is not a valid name", name)
	}
	return ""
}

// RefereeData belongs to a referee who was registered after the game was made.
type RefereeData struct {
	Name    string `json:"name"`
	Address string `json:"address"`
}

func (d *RefereeData) problem() string { return cmp.Or(NameProblem(d.Name), addressProblem(d.Address)) }

// KeyData belongs to the renewal of a referee's key.
type KeyData struct {
	Name string `json:"name"`
}

func (d *KeyData) problem() string { return NameProblem(d.Name) }

// LookedData belongs to a look of a referee who plays at something hidden from their side: the
// command, and the turn.
type LookedData struct {
	What string `json:"what"`
	At   int    `json:"at"`
}

func (d *LookedData) problem() string {
	if d.What == "" || len(d.What) > 40 || d.At < 0 {
		return "a look needs a command and a turn"
	}
	return ""
}

// ReplaceData belongs to a seat that a referee gave to a person: Old is the previous holder's
// address, "" if it was vacant. It applies only while Old is right.
type ReplaceData struct {
	Old     string `json:"old,omitempty"`
	Address string `json:"address"`
}

func (d *ReplaceData) problem() string { return addressProblem(d.Address) }

// ProcessData belongs to a turn that a referee had resolved early.
type ProcessData struct {
	Missing string `json:"missing,omitempty"` // policy for ships without orders, "" for none
}

// Steps of a referee in a dispute.
const (
	DisputeAnswer = "answer" // words to the captain; the dispute stays open
	DisputeUphold = "uphold" // the captain was right
	DisputeReject = "reject" // the captain was wrong
)

// maxDisputeText limits each text of a step, in bytes.
const maxDisputeText = 8000

// DisputeData belongs to a step in a dispute.
type DisputeData struct {
	Dispute int    `json:"dispute"`        // its number: the protests of a game are counted from 1
	Step    string `json:"step"`           // one of the constants above
	Text    string `json:"text"`           // for the captain who protested
	Tell    string `json:"tell,omitempty"` // for all others; if "", they are told only the decision
	// Turn and Revision are where the outcome was changed because of it; zero if it was not.
	Turn     int `json:"turn,omitempty"`
	Revision int `json:"revision,omitempty"`
}

func (d *DisputeData) problem() string {
	switch {
	case d.Dispute < 1:
		return "disputes count from 1"
	case d.Step != DisputeAnswer && d.Step != DisputeUphold && d.Step != DisputeReject:
		return fmt.Sprintf("unknown dispute step %q", d.Step)
	case d.Turn < 0 || d.Revision < 0:
		return "a turn and its revision must not be negative"
	}
	for _, text := range []string{d.Text, d.Tell} {
		if len(text) > maxDisputeText || !utf8.ValidString(text) {
			return fmt.Sprintf("a text is longer than %d bytes, or not text", maxDisputeText)
		}
	}
	return ""
}
