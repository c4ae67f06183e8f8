package journal

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"starpost/engine"
)

// maxPerson is how many characters the name of a person may have.
const maxPerson = 40

// ProperName tells whether a person may be called so: letters, digits and spaces, and - . ' between,
// so that it is only a name in every mail and on every page. problem says what is wrong; "" for
// nothing.
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

// IsAddress refuses what could never be sent to, or could break out of
// a header; the mail room checks the rest.
func IsAddress(a string) bool {
	local, domain, ok := strings.Cut(a, "@")
	return ok && local != "" && domain != "" && !strings.ContainsFunc(a, func(r rune) bool {
		return r <= ' ' || r == 0x7f || strings.ContainsRune(`<>()[]\,;:"`, r)
	}) && !strings.Contains(domain, "@")
}

// SetFile makes a file name of a ship's or, after "@", a captain's name.
func SetFile(name string) (string, error) {
	plain := strings.TrimPrefix(name, "@")
	if plain == "" || len(name) > 100 || strings.ContainsFunc(plain, func(r rune) bool {
		return r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r)
	}) || strings.HasPrefix(plain, ".") {
		return "", fmt.Errorf("orders: %q cannot be the name of a ship or captain", name)
	}
	return name + ".txt", nil
}

// NameProblem says why a referee cannot be called so; "" for nothing.
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

// KeyData belongs to a referee's key that was renewed.
type KeyData struct {
	Name string `json:"name"`
}

func (d *KeyData) problem() string { return NameProblem(d.Name) }

// LookedData belongs to a look of a referee who plays at what his side may not
// know: the command that he looked with, and the turn that he looked at.
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

// ReplaceData belongs to a seat that a referee gave to a person: Old is who had
// it, "" if it was vacant. It holds only while that is so.
type ReplaceData struct {
	Old     string `json:"old,omitempty"`
	Address string `json:"address"`
}

func (d *ReplaceData) problem() string { return addressProblem(d.Address) }

// ProcessData belongs to a turn that a referee had played before its time.
type ProcessData struct {
	Missing string `json:"missing,omitempty"` // the policy for ships without orders, "" for none
}

// Steps that a referee takes in a dispute.
const (
	DisputeAnswer = "answer" // a word to the captain; the dispute stays open
	DisputeUphold = "uphold" // the captain was right
	DisputeReject = "reject" // he was not
)

// maxDisputeText bounds each text of a step, in bytes.
const maxDisputeText = 8000

// DisputeData belongs to a step in a dispute.
type DisputeData struct {
	Dispute int    `json:"dispute"`        // its number: the protests of a game are counted from 1
	Step    string `json:"step"`           // one of the constants above
	Text    string `json:"text"`           // for the captain who protested
	Tell    string `json:"tell,omitempty"` // for all others; "" for that and how it was decided, no more
	// Turn and Revision are where the outcome was changed because of it; zeros for
	// nothing.
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
