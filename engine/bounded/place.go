package bounded

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Place returns the line and column of an error of [Decode], 0 if they are unknown, its message without them, and a
// hint if there is one.
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

// Position is a place in a text, from 1.
type Position struct{ Line, Col int }

// Places are the positions of the keys and tables in a TOML text. The library knows where its own errors are but
// not where a key was, so the lines are searched once more: for headings, for keys at the start of lines, and for
// the keys of inline tables. Lines of multi-line strings can mislead it, which only affects the position of an
// error.
type Places map[string]Position

// Of returns the position of a key or table, or else of the nearest table above it, or else zero. The elements of a
// list of tables are numbered from 0.
func (p Places) Of(path ...string) Position {
	for n := len(path); n > 0; n-- {
		if at, ok := p[join(path[:n])]; ok {
			return at
		}
	}
	return Position{}
}

// Within returns the first position of a key in a table or below it, or else the table's.
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

// Nth is Of for the n-th key, from 1, with that path without element numbers.
func (p Places) Nth(n int, path ...string) Position {
	if at, ok := p[nth(path, n)]; ok {
		return at
	}
	return p.Of(path...)
}

const sep = "\x00" // between the keys of a path

func join(path []string) string { return strings.Join(path, sep) }

// nth returns a key for Places that cannot be a path: keys have no such character.
func nth(path []string, n int) string { return join(path) + "\x01" + strconv.Itoa(n) }

const (
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-" // of a bare key
	blanks  = " \t\n\f\r"
)

// dotted parses the dotted key at the start of text, and returns the rest without leading blanks; no keys if there
// is none. Regular expressions would do the same, but would be a thirtieth of all that the composer's page
// downloads.
func dotted(text string) (keys []string, rest string) {
	for {
		key := text[:len(text)-len(strings.TrimLeft(text, letters))]
		if key == "" && text != "" && (text[0] == '"' || text[0] == '\'') {
			if end := strings.IndexByte(text[1:], text[0]); end >= 0 {
				key = text[:end+2]
			}
		}
		if key == "" {
			return keys, rest
		}
		keys = append(keys, strings.Trim(key, `"'`))
		rest = strings.TrimLeft(text[len(key):], blanks)
		after, more := strings.CutPrefix(rest, ".")
		if !more {
			return keys, rest
		}
		text = strings.TrimLeft(after, blanks)
	}
}

// lineKey parses the key or the heading (with its number of brackets) at the start of a line, and returns its
// offset.
func lineKey(line string) (keys []string, brackets, at int) {
	text := strings.TrimLeft(line, blanks)
	at = len(line) - len(text)
	for brackets < 2 && strings.HasPrefix(text[brackets:], "[") {
		brackets++
	}
	head := text
	if brackets > 0 {
		head = strings.TrimLeft(text[brackets:], blanks)
	}
	keys, rest := dotted(head)
	if !strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "]") {
		return nil, 0, 0
	}
	return keys, brackets, at
}

// inlineKeys calls each for the keys of inline tables in a line.
func inlineKeys(line string, each func(keys []string, at int)) {
	for at := 0; ; {
		n := strings.IndexAny(line[at:], "{,")
		if n < 0 {
			return
		}
		text := strings.TrimLeft(line[at+n+1:], blanks)
		at += n + 1
		if keys, rest := dotted(text); len(keys) > 0 && strings.HasPrefix(rest, "=") {
			each(keys, len(line)-len(text))
			at = len(line) - len(rest) + 1
		}
	}
}

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
	var table, plain []string // the current table, with and without element numbers
	n := 0
	for line := range strings.Lines(text) {
		n++
		keys, brackets, at := lineKey(line)
		if len(keys) == 0 {
			continue
		}
		place := Position{n, utf8.RuneCountInString(line[:at]) + 1}
		if brackets > 0 {
			if plain = keys; brackets > 1 {
				lists[join(plain)]++
			}
			table = numbered(plain, lists)
			note(table, plain, place)
			continue
		}
		path, bare := slices.Concat(table, keys), slices.Concat(plain, keys)
		note(path, bare, place)
		inlineKeys(line, func(keys []string, at int) {
			note(slices.Concat(path, keys), slices.Concat(bare, keys), Position{n, utf8.RuneCountInString(line[:at]) + 1})
		})
	}
	return p
}

// numbered adds element numbers to the path of a heading: what follows a list of tables belongs to its last
// element.
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
