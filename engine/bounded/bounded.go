// Package bounded reads TOML that anyone may have written. It rejects texts on which the library would take minutes
// (its time grows with the square of the parts of a key and of the depth of inline tables), and turns the library's
// panics into errors. What the keys mean is up to its callers.
package bounded

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// Limits far beyond any file written by hand.
const (
	MostDots     = 100 // in a line that is not a comment
	MostBraces   = 200
	MostBrackets = 3000
)

// Error is why a text is rejected; Line counts from 1.
type Error struct {
	Line    int
	Message string
	Hint    string
}

// Error returns line and message.
func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Decode is toml.Decode for a text of at most maxBytes. Its errors, also those for values of the wrong type, are
// *Error or toml.ParseError.
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

// wrongType parses the library's error for a value of the wrong type, which has its place only in words. It returns
// nil for other errors.
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

// plain names a type in words that authors of files know.
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

// check returns why a text may not be decoded, nil if it may; maxBytes limits its length.
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
