// Package bounded reads TOML that anybody may have written. It turns away texts
// on which the library would take minutes (its time grows with the square of
// the parts of a key and of the depth of inline tables) and makes errors of its
// panics. What the keys mean is its callers' business.
package bounded

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// Limits that no file written by hand comes near.
const (
	MostDots     = 100 // in a line that is no comment
	MostBraces   = 200
	MostBrackets = 3000
)

// Error is why a text is turned away; Line counts from 1.
type Error struct {
	Line    int
	Message string
	Hint    string
}

// Error gives line and message.
func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Decode is toml.Decode for a text of at most maxBytes. Its errors are *Error,
// toml.ParseError, or what the library says of a wrong type.
func Decode(text string, maxBytes int, into any) (md toml.MetaData, err error) {
	if bad := check(text, maxBytes); bad != nil {
		return md, bad
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the TOML reader gave up: %v", r)
		}
	}()
	return toml.Decode(text, into)
}

// check looks at a text; maxBytes bounds its length. It is nil for a text that may be decoded.
func check(text string, maxBytes int) *Error {
	if len(text) > maxBytes {
		return &Error{1, fmt.Sprintf("the file is longer than %d bytes", maxBytes), ""}
	}
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		if strings.Count(line, ".") > MostDots && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			return &Error{n, fmt.Sprintf("the line has more than %d dots", MostDots), "break a long list or text into lines"}
		}
	}
	if strings.Count(text, "{") > MostBraces {
		return &Error{1, fmt.Sprintf("the file has more than %d braces", MostBraces), "use tables with headings instead"}
	}
	if strings.Count(text, "[") > MostBrackets {
		return &Error{1, fmt.Sprintf("the file has more than %d brackets", MostBrackets), "split it, or make it smaller"}
	}
	return nil
}
