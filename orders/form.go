package orders

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// A form is compiled to a program like a regular expression: literal and parameter instructions take a word, splits
// try x first and y if that fails. The matcher visits each (instruction, word) at most once, so the cost of a form
// is at most their product.

type opcode uint8

const (
	opLit opcode = iota
	opParam
	opSplit
	opDone
)

// instr is one instruction. Word is the literal or the placeholder's name. A glued word has no space before or
// after it.
type instr struct {
	op    opcode
	word  string
	param Param
	glue  bool
	x, y  int
}

type program struct {
	code     []instr
	literals []string
	text     bool // it may take text to the end of the line
}

// literal reports whether word is one of the form's own words.
func (p *program) literal(word string) bool {
	return slices.ContainsFunc(p.literals, func(l string) bool { return same(l, word) })
}

// compiler compiles one form to a program.
type compiler struct {
	words  []string
	i      int
	params map[string]Param
	code   []instr
}

const maxFormWords = 60

// compile compiles a form, looking up its placeholders in params.
func compile(f Form, params map[string]Param) (*program, error) {
	c := compiler{words: formWords(string(f)), params: params}
	if len(c.words) == 0 {
		return nil, errors.New("the form is empty")
	}
	if len(c.words) > maxFormWords {
		return nil, fmt.Errorf("the form has more than %d parts", maxFormWords)
	}
	if err := c.items(0); err != nil {
		return nil, err
	}
	if c.i < len(c.words) {
		return nil, fmt.Errorf("%q closes nothing", c.words[c.i])
	}
	c.code = append(c.code, instr{op: opDone})
	p := &program{code: c.code}
	for i, in := range c.code {
		if in.op == opLit && !in.glue {
			p.literals = append(p.literals, in.word)
		}
		if in.op != opParam || in.param.Class != Text {
			continue
		}
		p.text = true
		if c.code[i+1].op != opDone {
			return nil, fmt.Errorf("%s is text to the end of the line, so it must be last and not repeated", in.word)
		}
	}
	return p, nil
}

// formWords splits a form into words, brackets, colons and dots.
func formWords(f string) []string {
	for _, sign := range []string{"[", "]", ":", "..."} {
		f = strings.ReplaceAll(f, sign, " "+sign+" ")
	}
	return strings.Fields(f)
}

func (c *compiler) peek() string {
	if c.i < len(c.words) {
		return c.words[c.i]
	}
	return ""
}

// items compiles up to the end or the closing bracket at this depth.
func (c *compiler) items(depth int) error {
	count := 0
	for c.i < len(c.words) && c.peek() != "]" {
		start := len(c.code)
		optional := c.peek() == "["
		if err := c.item(depth); err != nil {
			return err
		}
		if c.peek() == "..." {
			if optional {
				return errors.New("a bracket must not be repeated; put the dots inside")
			}
			c.i++
			end := len(c.code)
			c.code = append(c.code, instr{op: opSplit, x: start, y: end + 1})
		}
		count++
	}
	if count == 0 && depth > 0 {
		return errors.New("the bracket is empty")
	}
	return nil
}

// item compiles a bracket, a pair, a placeholder or a literal.
func (c *compiler) item(depth int) error {
	w := c.peek()
	c.i++
	switch w {
	case "[":
		split := len(c.code)
		c.code = append(c.code, instr{op: opSplit, x: split + 1})
		if err := c.items(depth + 1); err != nil {
			return err
		}
		if c.peek() != "]" {
			return errors.New("a bracket is not closed")
		}
		c.i++
		c.code[split].y = len(c.code)
		return nil
	case "...", ":":
		return fmt.Errorf("%q has nothing before it", w)
	}
	if err := c.word(w); err != nil {
		return err
	}
	if c.peek() != ":" {
		return nil
	}
	c.i++
	c.code = append(c.code, instr{op: opLit, word: ":", glue: true})
	second := c.peek()
	c.i++
	if !placeholder(w) || !placeholder(second) {
		return errors.New("a pair has a placeholder on each side of its colon")
	}
	return c.word(second)
}

func (c *compiler) word(w string) error {
	if placeholder(w) {
		p, ok := c.params[w]
		if !ok {
			return fmt.Errorf("placeholder %s is not among the params%s", w, nearParam(w, c.params))
		}
		c.code = append(c.code, instr{op: opParam, word: w, param: p})
		return nil
	}
	if w != strings.ToLower(w) || !nameShape(w) {
		return fmt.Errorf("%q is neither a lower-case word nor an upper-case placeholder", w)
	}
	if reserved(w) {
		return fmt.Errorf("%q is a word of conditions", w)
	}
	if len([]rune(w)) > MaxWordRunes {
		return fmt.Errorf("%q is too long", w)
	}
	c.code = append(c.code, instr{op: opLit, word: w})
	return nil
}

func nearParam(w string, params map[string]Param) string {
	if s := Suggest(w, slices.Sorted(maps.Keys(params))); s != "" {
		return "; did you mean " + s + "?"
	}
	return ""
}

// placeholder reports whether w is made of capital letters, digits, - and _, and begins with a letter.
func placeholder(w string) bool {
	for i, r := range w {
		upper := unicode.IsUpper(r)
		if !upper && (i == 0 || !unicode.IsDigit(r) && r != '_' && r != '-') {
			return false
		}
	}
	return w != ""
}

// reserved reports whether w is one of the words that conditions are made of.
func reserved(w string) bool {
	return same(w, "when") || same(w, "and") || same(w, "or") || same(w, "not")
}
