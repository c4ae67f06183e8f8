// Package bounded reads TOML that anybody may have written. It turns away texts
// on which the library would take minutes (its time grows with the square of
// the parts of a key and of the depth of inline tables) and makes errors of its
// panics. What the keys mean is its callers' business.
package bounded

import (
	"errors"
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
// also for values of the wrong type, or toml.ParseError.
func Decode(text string, maxBytes int, into any) (md toml.MetaData, err error) {
	if bad := check(text, maxBytes); bad != nil {
		return md, bad
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the TOML reader gave up: %v", r)
		}
	}()
	md, err = toml.Decode(text, into)
	if bad := wrongType(err); bad != nil {
		err = bad
	}
	return md, err
}

// wrongType reads what the library says of a value that does not fit, which
// carries its place in words only. It is nil for other errors.
func wrongType(err error) *Error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[toml.ParseError](err); ok {
		return nil
	}
	bad := &Error{Line: 1, Message: strings.TrimPrefix(err.Error(), "toml: ")}
	place, said, ok := strings.Cut(bad.Message, "): ")
	var line int
	var key string
	if n, serr := fmt.Sscanf(place+"):", "line %d (last key %q):", &line, &key); !ok || serr != nil || n != 2 {
		return bad
	}
	bad.Line = line
	bad.Message = key + ": " + said
	if have, want, ok := strings.Cut(strings.TrimPrefix(said, "incompatible types: TOML value has type "), "; destination has type "); ok {
		bad.Message = fmt.Sprintf("%s must be %s, not %s", key, plain(want), plain(have))
	} else if _, have, ok := strings.Cut(said, ": expected table but found "); ok {
		bad.Message = fmt.Sprintf("%s must be a table, not %s", key, plain(have))
	}
	return bad
}

// plain names a type as the writer of a file knows it.
func plain(kind string) string {
	switch {
	case kind == "string", strings.Contains(kind, "string-like"):
		return "a text in quotes"
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"), kind == "integer":
		return "a whole number"
	case kind == "float64", kind == "float":
		return "a number with a point"
	case kind == "bool", kind == "boolean":
		return "true or false"
	case kind == "slice", kind == "array", strings.HasPrefix(kind, "[]"):
		return "a list"
	case kind == "time.Time":
		return "a date"
	case kind == "map", kind == "struct", kind == "table", strings.HasPrefix(kind, "map["):
		return "a table"
	}
	return kind
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
