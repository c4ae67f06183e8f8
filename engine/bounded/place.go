package bounded

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Place gives the line and column of an error of [Decode], 0 where they are not known,
// and its words without them.
func Place(err error) (line, col int, message string) {
	if bad, ok := errors.AsType[*Error](err); ok {
		return bad.Line, 0, bad.Message
	}
	if pe, ok := errors.AsType[toml.ParseError](err); ok {
		if message = pe.Message; message == "" {
			message = pe.Error()
		}
		return pe.Position.Line, pe.Position.Col, message
	}
	// Other errors carry their place in words: toml: line 3 (last key "a.b"): ...
	message = strings.TrimPrefix(err.Error(), "toml: ")
	var key string
	if n, serr := fmt.Sscanf(message, "line %d (last key %q):", &line, &key); serr == nil && n == 2 {
		_, said, _ := strings.Cut(message, "): ")
		return line, 0, key + ": " + said
	}
	return 0, 0, message
}

// Locate finds the line and column, from 1, of a key; failing that, of the
// nearest table above it; failing that, 0. It reads lines, not TOML: what a
// string of several lines pretends can mislead it, which harms only an error's
// place.
func Locate(text string, key []string) (line, col int) {
	var table []string
	best, n := 0, 0
	for raw := range strings.Lines(text) {
		n++
		s := strings.TrimSpace(raw)
		var path []string
		if head, ok := strings.CutPrefix(s, "["); ok {
			head, _, _ = strings.Cut(strings.TrimPrefix(head, "["), "]")
			table = keyPath(nil, head)
			path = table
		} else if left, _, ok := strings.Cut(s, "="); ok {
			path = keyPath(table, left)
		} else {
			continue
		}
		// A deeper path opens the tables above it, too.
		if m := min(len(path), len(key)); m > best && slices.Equal(path[:m], key[:m]) {
			best, line, col = m, n, strings.Index(raw, s)+1
		}
	}
	return line, col
}

// keyPath appends the parts of a dotted key, some perhaps in quotes.
func keyPath(table []string, dotted string) []string {
	path := slices.Clone(table)
	for dotted != "" {
		dotted = strings.TrimSpace(dotted)
		var part string
		if q := strings.IndexAny(dotted, `"'`); q == 0 {
			part, dotted, _ = strings.Cut(dotted[1:], dotted[:1])
			_, dotted, _ = strings.Cut(dotted, ".")
		} else {
			part, dotted, _ = strings.Cut(dotted, ".")
		}
		path = append(path, strings.TrimSpace(part))
	}
	return path
}
