package blocks

import (
	"sort"
	"strings"

	"starpost/orders"
	"starpost/pbem/attribution"
	"starpost/pbem/pattern"
)

// Page is a text as lines, with the blocks in it.
type Page struct {
	Lines []string
	Raws  []orders.Raw

	asked bool
	quote int // see quotation
}

// NewPage returns a text with the blocks that were found in it.
func NewPage(text string, raws []orders.Raw) *Page {
	return &Page{Lines: strings.Split(text, "\n"), Raws: raws}
}

// Inside reports whether a line, from 0, belongs to a block.
func (p *Page) Inside(i int) bool {
	n := sort.Search(len(p.Raws), func(k int) bool { return p.Raws[k].Start.Line > i+1 })
	return n > 0 && i+1 <= p.Raws[n-1].End.Line
}

// at returns a line without surrounding space; "" if the line does not exist, is in a block, or is
// marked.
func (p *Page) at(i int) string {
	if i < 0 || i >= len(p.Lines) || p.Inside(i) || Marked(p.Lines[i]) {
		return ""
	}
	return strings.TrimSpace(p.Lines[i])
}

// quotation returns the line, from 1, where a mail program begins to quote the answered mail
// without marking each line; 0 if there is none.
func (p *Page) quotation() int {
	if !p.asked {
		s := search{Page: p}
		p.asked, p.quote = true, s.starts()
	}
	return p.quote
}

// Quoted reports whether a line, from 0, belongs to a quotation.
func (p *Page) Quoted(i int) bool {
	return Marked(p.Lines[i]) || p.quotation() > 0 && i+1 >= p.quotation()
}

// marksFollow reports whether the next non-empty line is marked.
func (p *Page) marksFollow(i int) bool {
	for _, l := range p.Lines[i+1:] {
		if strings.TrimSpace(l) != "" {
			return Marked(l)
		}
	}
	return false
}

// Line is a line of the sender's own words; N counts from 1.
type Line struct {
	N        int
	Text     string
	indented bool
}

// maxOwn limits how many lines are searched for unmarked orders and commands.
const maxOwn = 400

// OwnWords returns the non-empty lines above the signature and everything quoted.
func (p *Page) OwnWords() []Line {
	var out []Line
	for i, line := range p.Lines {
		text := strings.TrimSpace(line)
		if text == "--" || len(out) == maxOwn {
			break
		}
		if text == "" || p.Inside(i) || Marked(line) {
			continue
		}
		if p.Quoted(i) || p.attributed(i) {
			break
		}
		out = append(out, Line{i + 1, text, line[0] == ' ' || line[0] == '\t'})
	}
	return out
}

// attributed reports whether a line, from 0, introduces lines that a mail program marked as quoted.
func (p *Page) attributed(i int) bool {
	for n := i; n < min(i+3, len(p.Lines)); n++ {
		if p.at(n) == "" {
			return false
		}
		if attribution.EndsInColon(p.at(n)) && p.marksFollow(n) {
			return true
		}
	}
	return false
}

// These match the two head lines of a forwarded message in a reply to it.
var (
	messageHead = pattern.New(`\(([A-Za-z0-9-]{1,40})\)\s+Message$`)
	messageBy   = pattern.New(`^From ([^()]{1,200}?)(?: \(|\s{2}|$)`)
)

// MessageHead finds the head of a message in a quotation: its game, and who wrote it.
func (p *Page) MessageHead() (game, who string) {
	for _, line := range p.Lines[:min(len(p.Lines), maxOwn)] {
		line = strings.Trim(line, "> \t\r")
		if found := messageHead().FindStringSubmatch(line); found != nil {
			game = found[1]
			continue
		}
		if found := messageBy().FindStringSubmatch(line); found != nil && game != "" {
			return game, strings.TrimSpace(found[1])
		}
		if line != "" {
			game = ""
		}
	}
	return "", ""
}
