package orders

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Format returns the canonical text of a block: one statement a line, those of a section indented by two spaces,
// the turn level last and not indented, conditions with as few parentheses as possible, no comments. Lines stay
// below column 72; a longer statement continues with & on the next line. Message texts are unchanged.
func Format(b Block) string {
	var out strings.Builder
	size := 64
	for _, g := range b.Groups {
		size += 16 + 32*len(g.Statements)
	}
	out.Grow(size)
	wrap(&out, "", b.Head.words(), Width)
	for _, g := range b.Groups {
		if g.Name == "" {
			continue
		}
		out.WriteString(g.Name)
		if g.N > 0 {
			out.WriteString(" " + strconv.Itoa(g.N))
		}
		out.WriteByte('\n')
		for _, s := range g.Statements {
			s.write(&out, "  ")
		}
	}
	for _, g := range b.Groups {
		if g.Name != "" {
			continue
		}
		for _, s := range g.Statements {
			s.write(&out, "")
		}
	}
	out.WriteString("#end\n")
	return out.String()
}

// Body returns the canonical text of the block without its first and last lines.
func (b Block) Body() string {
	b.Head = Head{Game: "g", Turn: 1, Kind: "ship", Name: "s"} // short enough for one line
	_, text, _ := strings.Cut(Format(b), "\n")
	return strings.TrimSuffix(text, "#end\n")
}

// FormatStatement returns the canonical text of one statement without indentation and final line break. It has
// several lines if it is long or has a message.
func FormatStatement(s Statement) string {
	var out strings.Builder
	out.Grow(64)
	s.write(&out, "")
	return strings.TrimSuffix(out.String(), "\n")
}

// String returns the canonical text of the condition, without the word when.
func (c *Cond) String() string {
	if c == nil {
		return ""
	}
	return strings.Join(c.words(), " ")
}

// String returns the first line of a block.
func (h Head) String() string { return strings.Join(h.words(), " ") }

func (h Head) words() []string {
	words := append(make([]string, 0, 9), "#orders")
	if h.Game != "" {
		words = append(words, h.Game)
	}
	words = append(words, "turn", strconv.Itoa(h.Turn))
	if h.Phase > 0 {
		words = append(words, "phase", strconv.Itoa(h.Phase))
	}
	if h.Kind != "" {
		words = append(words, h.Kind, h.Name)
	}
	if h.Key != "" {
		words = append(words, "key", h.Key)
	}
	return words
}

// allWords returns the canonical words of a statement, including its condition.
func (s Statement) allWords() []string {
	words := s.Words
	if words == nil {
		words = []string{s.Verb}
		for _, a := range s.Args {
			words = append(words, strings.Fields(a.Text)...)
		}
	}
	if s.When != nil {
		words = append(append(slices.Clip(words), "when"), s.When.words()...)
	}
	return words
}

func (s Statement) write(out *strings.Builder, indent string) {
	wrap(out, indent, s.allWords(), Width)
	writeText(out, s.Text)
}

// writeText writes a message, if there is one.
func writeText(out *strings.Builder, text []string) {
	if len(text) == 0 {
		return
	}
	out.WriteString("#text\n")
	for _, line := range text {
		out.WriteString(line + "\n")
	}
	out.WriteString("#endtext\n")
}

// wrap writes words as a line, with continuation lines so that no line reaches width.
func wrap(out *strings.Builder, indent string, words []string, width int) {
	col := 0
	for i, w := range words {
		n := utf8.RuneCountInString(w)
		switch {
		case i == 0:
			out.WriteString(indent)
			col = len(indent)
		case col+1+n >= width:
			out.WriteString("\n" + indent + "  & ")
			col = len(indent) + 4
		default:
			out.WriteByte(' ')
			col++
		}
		out.WriteString(w)
		col += n
	}
	out.WriteByte('\n')
}

// words returns the condition's canonical words, with parentheses attached.
func (c *Cond) words() []string {
	switch c.Op {
	case Not:
		return append([]string{"not"}, c.Kids[0].inside(Not)...)
	case And, Or:
		var words []string
		for i, k := range c.Kids {
			if i > 0 {
				words = append(words, c.Op.String())
			}
			words = append(words, k.inside(c.Op)...)
		}
		return words
	case Test: // below
	}
	words := c.Words
	if words == nil {
		words = c.subjectWords()
	}
	words = slices.Clip(words)
	if c.Compare == "" {
		return words
	}
	words = append(words, c.Compare)
	switch {
	case c.Word != "":
		return append(words, c.Word)
	case c.Percent:
		return append(words, strconv.Itoa(c.Num)+"%")
	}
	return append(words, strconv.Itoa(c.Num))
}

// inside returns the words of c as an operand of op, in parentheses if it binds less tightly.
func (c *Cond) inside(op Op) []string {
	words := c.words()
	if c.Op <= op || len(words) == 0 {
		return words
	}
	words[0] = "(" + words[0]
	words[len(words)-1] += ")"
	return words
}

// subjectWords returns the words of a test that was built by hand, from its subject's form.
func (c *Cond) subjectWords() []string {
	var words []string
	args := c.Args
	for w := range strings.FieldsSeq(c.Subject) {
		if placeholder(w) && len(args) > 0 {
			w, args = args[0].Text, args[1:]
		}
		words = append(words, w)
	}
	return words
}
