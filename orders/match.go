package orders

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// fit is how strictly words are matched.
type fit uint8

const (
	// fitStrict matches only valid words, and a Name is not a literal of the form, so that "fire at Hood" lacks a
	// weapon instead of having one called at.
	fitStrict fit = iota
	// fitNames lets a Name be a literal of the form, for ships with such names.
	fitNames
	// fitAny lets any word match a parameter, to find every invalid one of a statement.
	fitAny
)

// step is one matched word: the index of its instruction and of its token.
type step struct{ pc, tok int }

// matcher runs one program on the words of a statement.
type matcher struct {
	prog    *program
	toks    []token
	fit     fit
	prefix  bool // the form may end before the words do; the longest match wins
	visited []bool
	path    []step
	found   []step
	end     int // number of words in found, -1 if nothing was found
	// failAt is the farthest word that did not match, and wants are the instructions that were tried on it.
	failAt int
	wants  []int
}

// memory is where the findings of one block are allocated.
type memory struct {
	words slab[string]
	args  slab[Arg]
}

// slab allocates many small slices with the same lifetime.
type slab[T any] struct {
	free []T
	made int // size of the last allocation
}

// take returns an empty slice with capacity n.
func (s *slab[T]) take(n int) []T {
	if len(s.free) < n {
		s.made = max(n, min(2*s.made, 64))
		s.free = make([]T, s.made)
	}
	out := s.free[:0:n]
	s.free = s.free[n:]
	return out
}

// match runs prog on toks. With prefix, words may be left over.
func match(prog *program, toks []token, how fit, prefix bool) *matcher {
	m := &matcher{}
	m.match(prog, toks, how, prefix)
	return m
}

// match is match that reuses the memory of an earlier one, whose findings are lost.
func (m *matcher) match(prog *program, toks []token, how fit, prefix bool) {
	m.prog, m.toks, m.fit, m.prefix = prog, toks, how, prefix
	m.path, m.found, m.end = m.path[:0], m.found[:0], -1
	m.failAt, m.wants = 0, m.wants[:0]
	size := len(prog.code) * (len(toks) + 1)
	m.visited = slices.Grow(m.visited[:0], size)[:size]
	clear(m.visited)
	m.run(0, 0)
}

// run runs the program from pc at word i and reports whether to stop.
func (m *matcher) run(pc, i int) bool {
	for {
		at := pc*(len(m.toks)+1) + i
		if m.visited[at] {
			return false
		}
		m.visited[at] = true
		in := &m.prog.code[pc]
		switch in.op {
		case opSplit:
			depth := len(m.path)
			if m.run(in.x, i) {
				return true
			}
			m.path = m.path[:depth]
			pc = in.y
			continue
		case opDone:
			return m.done(pc, i)
		case opLit, opParam: // take a word, below
		}
		if i == len(m.toks) || !m.takes(in, m.toks[i]) {
			m.fail(pc, i)
			return false
		}
		m.path = append(m.path, step{pc, i})
		if in.op == opParam && in.param.Class == Text {
			i = len(m.toks)
		} else {
			i++
		}
		pc++
	}
}

func (m *matcher) done(pc, i int) bool {
	if i < len(m.toks) && !m.prefix {
		m.fail(pc, i)
		return false
	}
	if i > m.end {
		m.end = i
		m.found = append(m.found[:0], m.path...)
	}
	return !m.prefix
}

func (m *matcher) fail(pc, i int) {
	if i > m.failAt {
		m.failAt, m.wants = i, m.wants[:0]
	}
	if i == m.failAt {
		m.wants = append(m.wants, pc)
	}
}

func (m *matcher) takes(in *instr, t token) bool {
	if in.op == opLit {
		return t.is(in.word)
	}
	if in.param.Class == Text {
		return true
	}
	if t.sign() || m.prefix && reserved(t.text) {
		return false
	}
	if m.fit == fitAny {
		return !m.prog.literal(t.text)
	}
	if m.fit == fitStrict && in.param.Class == Name && m.prog.literal(t.text) {
		return false
	}
	return in.param.accepts(t.text)
}

// ok reports whether the form matched.
func (m *matcher) ok() bool { return m.end >= 0 }

// findings returns the arguments and canonical words of a match. Rest returns the source text from a token on, for
// Text.
func (m *matcher) findings(mem *memory, rest func(int) string) (args []Arg, words []string) {
	glued := false
	words = mem.words.take(len(m.found))
	params := 0
	for _, s := range m.found {
		if m.prog.code[s.pc].op == opParam {
			params++
		}
	}
	if params > 0 {
		args = mem.args.take(params)
	}
	for _, s := range m.found {
		in, t := &m.prog.code[s.pc], m.toks[s.tok]
		word := in.word
		if in.op == opParam {
			if in.param.Class == Text {
				text := rest(s.tok)
				args = append(args, Arg{Name: in.word, Text: text, Pos: t.pos})
				words = append(words, strings.Fields(text)...)
				continue
			}
			v := in.param.read(t.text)
			args = append(args, Arg{Name: in.word, Text: v.text, Num: v.num, Pos: t.pos})
			word = v.text
		}
		switch last := len(words) - 1; {
		case in.glue:
			words[last] += word
			glued = true
			continue
		case glued && utf8.RuneCountInString(words[last]+word) <= MaxWordRunes:
			words[last] += word
		default:
			words = append(words, word)
		}
		glued = false
	}
	return args, words
}
