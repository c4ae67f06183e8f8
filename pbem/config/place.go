package config

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// place is where a key stands, from 1.
type place struct{ line, col int }

// places finds keys of a TOML text by their path. The TOML library knows where
// its own errors are but not where a key stood, so the lines are looked through
// once more for headings, for keys at their beginnings, and for the keys of a table
// that stands in one line.
type places map[string]place

// of is the place of a key, else of its table, else the start of the text.
func (p places) of(path ...string) place {
	for n := len(path); n > 0; n-- {
		if at, ok := p[strings.Join(path[:n], "\x00")]; ok {
			return at
		}
	}
	return place{1, 1}
}

var (
	keyLine   = regexp.MustCompile(`^\s*(\[\[?\s*)?(` + dottedKey + `)\s*[=\]]`)
	inlineKey = regexp.MustCompile(`[{,]\s*(` + dottedKey + `)\s*=`)
	oneKey    = regexp.MustCompile(bareKey)
)

const (
	bareKey   = `[A-Za-z0-9_-]+|"[^"]*"|'[^']*'`
	dottedKey = `(?:` + bareKey + `)(?:\s*\.\s*(?:` + bareKey + `))*`
)

// findPlaces notes the first place of every key and table.
func findPlaces(text string) places {
	found, lists := places{}, map[string]int{}
	note := func(path []string, at place) {
		if key := strings.Join(path, "\x00"); found[key] == (place{}) {
			found[key] = at
		}
	}
	var table []string
	n := 0
	for line := range strings.Lines(text) {
		n++
		m := keyLine.FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		path, at := keysOf(line[m[4]:m[5]]), place{n, utf8.RuneCountInString(line[:m[4]]) + 1}
		if m[2] < 0 {
			path = slices.Concat(table, path)
			note(path, at)
			for _, in := range inlineKey.FindAllStringSubmatchIndex(line, -1) {
				note(slices.Concat(path, keysOf(line[in[2]:in[3]])), place{n, utf8.RuneCountInString(line[:in[2]]) + 1})
			}
			continue
		}
		if list := strings.Count(line[m[2]:m[3]], "[") > 1; list {
			lists[strings.Join(path, "\x00")]++
			note(within(path[:len(path)-1], lists, path[len(path)-1]), at)
		}
		table = within(path, lists)
		note(table, at)
	}
	return found
}

// keysOf parts a dotted key.
func keysOf(dotted string) []string {
	keys := oneKey.FindAllString(dotted, -1)
	for i := range keys {
		keys[i] = strings.Trim(keys[i], `"'`)
	}
	return keys
}

// within puts the numbers of elements into the path of a heading: what stands
// below a list of sections belongs to its last element. more stands behind it.
func within(path []string, lists map[string]int, more ...string) []string {
	var full []string
	for i, p := range path {
		full = append(full, p)
		if n := lists[strings.Join(path[:i+1], "\x00")]; n > 0 {
			full = append(full, strconv.Itoa(n-1))
		}
	}
	return append(full, more...)
}
