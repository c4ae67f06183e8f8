package bounded

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Place gives the line and column of an error of [Decode], 0 where they are not known,
// its words without them, and a way out, if there is one.
func Place(err error) (line, col int, message, hint string) {
	if bad, ok := errors.AsType[*Error](err); ok {
		return bad.Line, 0, bad.Message, bad.Hint
	}
	if pe, ok := errors.AsType[toml.ParseError](err); ok {
		if message = pe.Message; message == "" {
			message = pe.Error()
		}
		return max(1, pe.Position.Line), max(1, pe.Position.Col), message, ""
	}
	return 0, 0, err.Error(), ""
}

// Position is where something stands, from 1.
type Position struct{ Line, Col int }

// Places are where the keys and tables of a TOML text stand. The library knows where its
// own errors are but not where a key stood, so the lines are looked through once more:
// for headings, for keys at their beginnings, and for the keys of a table that stands in
// one line. What a string of several lines pretends can mislead them, which harms only
// an error's place.
type Places map[string]Position

// Of gives the place of a key or table, failing that of the nearest table above it,
// failing that zero. The elements of a list of tables are numbered from 0.
func (p Places) Of(path ...string) Position {
	for n := len(path); n > 0; n-- {
		if at, ok := p[join(path[:n])]; ok {
			return at
		}
	}
	return Position{}
}

// Within gives the first place of a key in a table or deeper in it, failing that the
// table's.
func (p Places) Within(key string, table ...string) Position {
	first := Position{}
	for path, at := range p {
		in := len(table) == 0 || strings.HasPrefix(path, join(table)+sep)
		if in && (path == key || strings.HasSuffix(path, sep+key)) && (first.Line == 0 || at.Line < first.Line || at.Line == first.Line && at.Col < first.Col) {
			first = at
		}
	}
	if first.Line == 0 {
		return p.Of(table...)
	}
	return first
}

// Nth is Of for the n-th key, from 1, with that path without the numbers of elements.
func (p Places) Nth(n int, path ...string) Position {
	if at, ok := p[nth(path, n)]; ok {
		return at
	}
	return p.Of(path...)
}

const sep = "\x00" // between the keys of a path

func join(path []string) string { return strings.Join(path, sep) }

// nth cannot be a path: a key has no such sign.
func nth(path []string, n int) string { return join(path) + "\x01" + strconv.Itoa(n) }

var (
	keyLine   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(\[\[?\s*)?(` + dottedKey + `)\s*[=\]]`) })
	inlineKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[{,]\s*(` + dottedKey + `)\s*=`) })
	oneKey    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(bareKey) })
)

const (
	bareKey   = `[A-Za-z0-9_-]+|"[^"]*"|'[^']*'`
	dottedKey = `(?:` + bareKey + `)(?:\s*\.\s*(?:` + bareKey + `))*`
)

// FindPlaces finds the first place of every key and table.
func FindPlaces(text string) Places {
	p, lists, times := Places{}, map[string]int{}, map[string]int{}
	note := func(path, plain []string, at Position) {
		times[join(plain)]++
		p[nth(plain, times[join(plain)])] = at
		for n := len(path); n > 0; n-- { // a deeper path opens the tables above it, too
			if _, known := p[join(path[:n])]; known {
				break
			}
			p[join(path[:n])] = at
		}
	}
	var table, plain []string // the one that is open, with the numbers of elements and without
	n := 0
	for line := range strings.Lines(text) {
		n++
		m := keyLine().FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		keys := keysOf(line[m[4]:m[5]])
		if m[2] >= 0 {
			if plain = keys; strings.Count(line[m[2]:m[3]], "[") > 1 {
				lists[join(plain)]++
			}
			table = numbered(plain, lists)
			note(table, plain, Position{n, utf8.RuneCountInString(line[:m[2]]) + 1})
			continue
		}
		path, bare := slices.Concat(table, keys), slices.Concat(plain, keys)
		note(path, bare, Position{n, utf8.RuneCountInString(line[:m[4]]) + 1})
		for _, in := range inlineKey().FindAllStringSubmatchIndex(line, -1) {
			keys := keysOf(line[in[2]:in[3]])
			note(slices.Concat(path, keys), slices.Concat(bare, keys), Position{n, utf8.RuneCountInString(line[:in[2]]) + 1})
		}
	}
	return p
}

// keysOf parts a dotted key.
func keysOf(dotted string) []string {
	keys := oneKey().FindAllString(dotted, -1)
	for i := range keys {
		keys[i] = strings.Trim(keys[i], `"'`)
	}
	return keys
}

// numbered puts the numbers of elements into the path of a heading: what stands
// below a list of tables belongs to its last element.
func numbered(path []string, lists map[string]int) []string {
	var full []string
	for i, key := range path {
		full = append(full, key)
		if n := lists[join(path[:i+1])]; n > 0 {
			full = append(full, strconv.Itoa(n-1))
		}
	}
	return full
}
