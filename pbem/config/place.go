package config

import (
	"slices"
	"strconv"
	"strings"
)

// place is where a key stands, from 1.
type place struct{ line, col int }

// places finds keys of a TOML text by their path. The TOML library knows where
// its own errors are but not where a key stood, so this reads the text once
// more. It is only used on texts that the library accepted; on others it may
// find nothing, but always ends.
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

// findPlaces notes the first place of every key and table.
func findPlaces(text string) places {
	s := scanner{text: text, line: 1, col: 1, found: places{}}
	var table []string
	for {
		s.skipSpace(true)
		if s.end() {
			return s.found
		}
		at := s.place()
		if s.peek() == '[' {
			s.take("[")
			list := s.take("[")
			s.skipSpace(false)
			at := s.place()
			table = s.within(s.path(), list)
			s.note(table, at)
			if list {
				s.note(table[:len(table)-1], at)
			}
			s.skipLine()
			continue
		}
		key := append(slices.Clip(table), s.path()...)
		s.note(key, at)
		s.skipSpace(false)
		if !s.take("=") {
			s.skipLine()
			continue
		}
		s.value(key, 0)
		s.skipLine()
	}
}

type scanner struct {
	text  string
	pos   int
	line  int
	col   int // characters, not bytes
	found places
	lists map[string]int // lists of sections: how many elements have begun
}

// within puts the numbers of elements into the path of a heading: what stands
// below a list of sections belongs to its last element.
func (s *scanner) within(path []string, list bool) []string {
	if list {
		if s.lists == nil {
			s.lists = map[string]int{}
		}
		s.lists[strings.Join(path, "\x00")]++
	}
	var full []string
	for i, p := range path {
		full = append(full, p)
		if n := s.lists[strings.Join(path[:i+1], "\x00")]; n > 0 {
			full = append(full, strconv.Itoa(n-1))
		}
	}
	return full
}

func (s *scanner) end() bool { return s.pos >= len(s.text) }

func (s *scanner) peek() byte {
	if s.end() {
		return 0
	}
	return s.text[s.pos]
}

func (s *scanner) place() place {
	return place{s.line, s.col}
}

func (s *scanner) next() {
	switch c := s.peek(); {
	case c == '\n':
		s.line++
		s.col = 0
	case c&0xc0 == 0x80: // inside a character
		s.col--
	}
	s.col++
	s.pos++
}

func (s *scanner) take(word string) bool {
	if !strings.HasPrefix(s.text[min(s.pos, len(s.text)):], word) {
		return false
	}
	for range len(word) {
		s.next()
	}
	return true
}

// skipSpace passes white space; with lines also line ends and comments.
func (s *scanner) skipSpace(lines bool) {
	for !s.end() {
		switch c := s.peek(); {
		case c == ' ' || c == '\t' || c == '\r':
			s.next()
		case lines && c == '\n':
			s.next()
		case lines && c == '#':
			s.skipLine()
		default:
			return
		}
	}
}

// skipLine goes to the end of the line.
func (s *scanner) skipLine() {
	for !s.end() && s.peek() != '\n' {
		s.next()
	}
}

func (s *scanner) note(path []string, at place) {
	key := strings.Join(path, "\x00")
	if _, twice := s.found[key]; !twice {
		s.found[key] = at
	}
}

// path reads a dotted key.
func (s *scanner) path() []string {
	var path []string
	for {
		s.skipSpace(false)
		switch c := s.peek(); c {
		case '"', '\'':
			from := s.pos + 1
			s.quoted()
			path = append(path, s.text[min(from, len(s.text)):max(min(from, len(s.text)), s.pos-1)])
		default:
			from := s.pos
			for !s.end() && !strings.ContainsRune(".=]}\"' \t\r\n#", rune(s.peek())) {
				s.next()
			}
			path = append(path, s.text[from:s.pos])
		}
		s.skipSpace(false)
		if !s.take(".") {
			return path
		}
	}
}

// quoted passes a string of any kind.
func (s *scanner) quoted() {
	for _, q := range []string{`"""`, `'''`} {
		if !s.take(q) {
			continue
		}
		for !s.end() && !strings.HasPrefix(s.text[s.pos:], q) {
			if q[0] == '"' && s.peek() == '\\' {
				s.next()
			}
			s.next()
		}
		s.take(q)
		for s.peek() == q[0] { // up to two more belong to the text
			s.next()
		}
		return
	}
	q := s.peek()
	s.next()
	for !s.end() && s.peek() != q && s.peek() != '\n' {
		if q == '"' && s.peek() == '\\' {
			s.next()
		}
		s.next()
	}
	if s.peek() == q {
		s.next()
	}
}

// value passes a value and notes the keys of inline tables in it.
func (s *scanner) value(path []string, depth int) {
	s.skipSpace(depth > 0)
	switch {
	case s.end() || depth > 100:
	case s.peek() == '"' || s.peek() == '\'':
		s.quoted()
	case s.take("["):
		for {
			s.skipSpace(true)
			if s.end() || s.take("]") {
				return
			}
			before := s.pos
			s.value(path, depth+1)
			s.skipSpace(true)
			if !s.take(",") && s.pos == before {
				s.next()
			}
		}
	case s.take("{"):
		for {
			s.skipSpace(true)
			if s.end() || s.take("}") {
				return
			}
			before, at := s.pos, s.place()
			key := append(slices.Clip(path), s.path()...)
			s.note(key, at)
			s.skipSpace(true)
			if s.take("=") {
				s.value(key, depth+1)
			}
			s.skipSpace(true)
			if !s.take(",") && s.pos == before {
				s.next()
			}
		}
	default:
		for !s.end() && !strings.ContainsRune(",]}\n#", rune(s.peek())) {
			s.next()
		}
	}
}
