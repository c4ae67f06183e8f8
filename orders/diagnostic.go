package orders

import (
	"cmp"
	"fmt"
	"slices"
)

// Pos is a position in the source: 1-based line and column, columns in runes. The zero Pos means no position.
type Pos struct {
	Line int `json:"line"`
	Col  int `json:"col"`
}

// String returns "line:col".
func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// Compare orders positions as in the text.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// Severity says whether a diagnostic prevents a set from being accepted.
type Severity uint8

// An Error keeps the set from replacing an earlier one; a Warning does not.
const (
	Error Severity = iota
	Warning
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// MarshalText returns the severity's word.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses what MarshalText returned.
func (s *Severity) UnmarshalText(text []byte) error {
	switch string(text) {
	case "error":
		*s = Error
	case "warning":
		*s = Warning
	default:
		return fmt.Errorf("severity %q is neither error nor warning", text)
	}
	return nil
}

// Diagnostic is one remark about an order text for the captain who wrote it: where, what is wrong and what was
// expected (Message), and how to fix it (Hint, may be empty). Code is E or W and three digits, see [Codes]; E100 to
// E399 and W100 to W399 belong to the rule sets.
type Diagnostic struct {
	Pos      Pos      `json:"pos"`
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint,omitempty"`
}

// String returns "3:5: E042 message", ready to follow a file name and a colon.
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s: %s %s", d.Pos, d.Code, d.Message)
}

// HasErrors reports whether at least one of ds is an error.
func HasErrors(ds []Diagnostic) bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sort sorts ds in the order of the text; at the same position errors come before warnings and lower codes before
// higher. It is stable.
func Sort(ds []Diagnostic) {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(a.Pos.Compare(b.Pos),
			cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Code, b.Code))
	})
}
