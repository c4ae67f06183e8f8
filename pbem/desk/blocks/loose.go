package blocks

import (
	"slices"
	"strings"

	"starpost/orders"
)

// Loose finds the range of lines that were meant as orders: most of the sender's own lines begin
// like orders, or some are complete orders. For a lone #end, last is one less than first. command
// reports whether a word is also a command.
func Loose(own []Line, lang *orders.Language, command func(string) bool) (first, last int, ok bool) {
	known, end, whole := []int{}, 0, []int{}
	words := orderWords(lang)
	for i, l := range own {
		word, _, _ := strings.Cut(strings.ToLower(l.Text), " ")
		switch {
		case strings.TrimRight(word, ".") == "#end":
			end = l.N
		case words[word]:
			known = append(known, i)
			if !command(word) && lang.Free == "" && isOrder(lang, l.Text) {
				whole = append(whole, i)
			}
		case rescued(lang, l.Text):
			known, whole = append(known, i), append(whole, i)
		}
		if end > 0 {
			own = own[:i]
			break
		}
	}
	switch n := len(known); {
	case end > 0 && n == 0:
		return end, end - 1, true
	case end > 0, n >= 2 && 2*n >= len(own):
	case len(whole) == 0: // words that merely look like orders
		return 0, 0, false
	default:
		known = whole
	}
	at := known[len(known)-1]
	for at+1 < len(own) && (own[at+1].indented || own[at+1].Text[0] == '&' || end > 0) {
		at++ // a continuation of the last order, or a mistake below its heading
	}
	return own[known[0]].N, own[at].N, true
}

// rescued reports whether a line would be an order if its missing verb were added.
func rescued(lang *orders.Language, line string) bool {
	_, _, ok := lang.Rescue("", line)
	return ok
}

// Framed holds loose orders, read as the order set that they probably belong to.
type Framed struct {
	Raw   orders.Raw          // its lines are numbered as in the mail
	Diags []orders.Diagnostic // about them
	Text  []string            // the set as it must be sent, without a key
	Wrong int                 // number of mistakes left in Text
}

// maxFramed limits for how many ships, and under how many headings, loose orders are read.
const maxFramed = 12

// Frame reads a range of lines as a set. It picks the head, and the heading if the first one is
// missing, for which check finds the fewest mistakes.
func (p *Page) Frame(lang *orders.Language, heads []orders.Raw, of [2]int, check func(orders.Raw) []orders.Diagnostic) Framed {
	// The scanner cleans the lines as it does those of a set.
	scanned, said := orders.ScanText(orders.Head{Game: "x", Turn: 1, Kind: "ship", Name: "y"}.String() + "\n" + strings.Join(p.Lines[of[0]-1:of[1]], "\n") + "\n#end\n")
	if len(scanned) == 0 {
		return Framed{}
	}
	lines := scanned[0].Lines
	for i := range lines {
		lines[i].N += of[0] - 2
	}
	read := func(head orders.Raw, heading string, lines []orders.Line) (orders.Raw, []orders.Diagnostic) {
		raw := orders.Raw{Head: head.Head, Lines: lines, Start: orders.Pos{Line: of[0], Col: 1}, End: orders.Pos{Line: of[1], Col: 1}, Ended: true}
		h := &raw.Head
		h.Pos, h.GamePos, h.TurnPos, h.PhasePos, h.KindPos, h.NamePos = raw.Start, raw.Start, raw.Start, raw.Start, raw.Start, raw.Start
		if heading != "" {
			raw.Lines = append([]orders.Line{{N: of[0], Text: heading}}, lines...)
		}
		return raw, check(raw)
	}
	best := Framed{Wrong: -1}
	try := func(head orders.Raw, heading string) {
		mended := mend(lang, heading, lines)
		_, ds := read(head, heading, mended)
		if wrong := ErrorsIn(ds); best.Wrong < 0 || wrong < best.Wrong {
			best.Wrong = wrong
			best.Raw, best.Diags = read(head, heading, lines)
			best.Text = []string{head.Head.String()}
			if heading != "" {
				best.Text = append(best.Text, heading)
			}
			for _, l := range mended {
				best.Text = append(best.Text, strings.TrimRight(l.Text, " \t"))
			}
			best.Text = append(best.Text, "#end")
		}
	}
	for _, head := range heads[:min(len(heads), maxFramed)] {
		try(head, "")
	}
	if len(lines) > 0 && best.Wrong > 0 && !headed(lang, lines[0].Text) {
		head := orders.Raw{Head: best.Raw.Head}
		for i := range lang.Sections[:min(len(lang.Sections), maxFramed)] {
			if s := &lang.Sections[i]; s.Name != "" {
				try(head, headingOf(s))
			}
		}
	}
	for _, d := range said {
		d.Pos.Line += of[0] - 2
		best.Diags = append(best.Diags, d)
	}
	orders.Sort(best.Diags)
	return best
}

// headingOf returns the heading of a section.
func headingOf(s *orders.Section) string {
	if s.Numbered {
		return s.Name + " 1"
	}
	return s.Name
}

// headed reports whether a line is a heading.
func headed(lang *orders.Language, line string) bool {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(line)), " ")
	return slices.ContainsFunc(lang.Sections, func(s orders.Section) bool { return s.Name != "" && s.Name == word })
}

// mend adds the missing verbs to orders.
func mend(lang *orders.Language, heading string, lines []orders.Line) []orders.Line {
	out := slices.Clone(lines)
	section, _, _ := strings.Cut(heading, " ")
	words := orderWords(lang)
	for i, l := range out {
		text := strings.TrimSpace(l.Text)
		word, _, _ := strings.Cut(strings.ToLower(text), " ")
		switch {
		case headed(lang, text):
			section = word
		case words[word]:
		default:
			if order, _, ok := lang.Rescue(section, text); ok {
				out[i].Text = l.Text[:len(l.Text)-len(strings.TrimLeft(l.Text, " \t"))] + order
			}
		}
	}
	return out
}

// ErrorsIn counts the errors among remarks.
func ErrorsIn(ds []orders.Diagnostic) (n int) {
	for _, d := range ds {
		if d.Severity == orders.Error {
			n++
		}
	}
	return n
}

// orderWords returns the words that lines of a rule set's orders begin with.
func orderWords(l *orders.Language) map[string]bool {
	out := map[string]bool{}
	for _, s := range l.Sections {
		if s.Name != "" {
			out[s.Name] = true
		}
		for _, v := range s.Verbs {
			out[v.Name] = true
		}
	}
	return out
}

// isOrder reports whether a line is an order, or a heading of orders, of a rule set.
func isOrder(lang *orders.Language, line string) bool {
	for _, s := range lang.Sections {
		if _, diags := lang.Block("ship", headingOf(&s)+"\n"+line); !orders.HasErrors(diags) {
			return true
		}
	}
	return false
}
