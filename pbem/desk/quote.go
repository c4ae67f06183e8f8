package desk

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"starpost/orders"
	"starpost/pbem/attribution"
	"starpost/pbem/pattern"
)

// quotationStarts is the line, from 1, at which a mail program begins to quote
// the mail that is answered without marking each line of it; 0 if there is none.
// The words differ by language, so what is looked for is mostly the shape:
//
//   - words between dashes, or a long rule ("-----Original Message-----");
//   - up to three lines that end in a colon and hold an address, or a date and
//     a time ("On ... <robot@example.org> wrote:");
//   - a block of header lines with an address or a date in it ("From: ...
//     Sent: ..."), also when it was pressed into one line;
//   - two headlines of our own reports: then a report stands there, whatever
//     the mail program wrote above it.
//
// Where the shape says too little ("Starpost wrote:"), a table of phrases helps.
// Lines inside blocks do not count, nor does what opens a quotation whose lines
// are marked: what stands below that without a mark is the captain's.
func quotationStarts(p page) int {
	s := search{page: p}
	return s.starts()
}

// search is the looking for that line. steps counts what it costs: the bytes that
// expressions and tables were held against.
type search struct {
	page
	steps int
}

func (p *search) starts() int {
	headline, looks := 0, 0
	for i := range p.lines {
		if p.inside(i) || len(p.lines[i]) > maxAttribution {
			continue // an expression may look at every letter of a line
		}
		p.steps += len(p.lines[i])
		if marked(p.lines[i]) {
			if groupWise(p.lines[i]) && !p.marksFollow(i) {
				return i + 1
			}
			continue
		}
		if ownHeadline().MatchString(p.lines[i]) {
			if headline > 0 {
				return headline
			}
			headline = i + 1
		}
		if !p.tellsAt(i) {
			continue
		}
		if looks++; looks > maxLooks {
			return i + 1
		}
		if p.marksFollow(i) {
			continue // then nothing below can belong to what this line opens
		}
		if last, ok := p.opens(i); ok && !p.marksFollow(last) {
			return i + 1
		}
	}
	return 0
}

// page is a text as lines, with the blocks in it.
type page struct {
	lines []string
	raws  []orders.Raw
}

func newPage(text string, raws []orders.Raw) page {
	return page{lines: strings.Split(text, "\n"), raws: raws}
}

// inside tells whether a line, from 0, belongs to a block.
func (p page) inside(i int) bool {
	n := sort.Search(len(p.raws), func(k int) bool { return p.raws[k].Start.Line > i+1 })
	return n > 0 && i+1 <= p.raws[n-1].End.Line
}

// at is a line without space around it; "" where there is none, or a block, or
// a mark.
func (p page) at(i int) string {
	if i < 0 || i >= len(p.lines) || p.inside(i) || marked(p.lines[i]) {
		return ""
	}
	return strings.TrimSpace(p.lines[i])
}

// tellsAt is a cheap look at a line: could it be, or begin, what stands above a
// quotation?
func (p *search) tellsAt(i int) bool {
	line := p.at(i)
	p.steps += len(line)
	if line == "" || line[0] == '-' && pgpMark().MatchString(line) {
		return false
	}
	if line[0] == '-' || line[0] == '_' || line[0] == '*' || attribution.Forwards(line) || headLine().MatchString(line) {
		return true
	}
	for n := i; n < i+3; n++ {
		if l := p.at(n); l == "" {
			return false
		} else if strings.HasSuffix(l, "-") || strings.HasSuffix(l, ">") || attribution.EndsInColon(l) {
			return true
		}
	}
	return false
}

// opens tells whether a quotation begins at line i, and which is the last line
// that says so.
func (p *search) opens(i int) (last int, ok bool) {
	line := p.at(i)
	p.steps += len(line)
	switch {
	case attribution.Dashed(line), rule().MatchString(line), attribution.Forwards(line):
		return i, true
	}
	// Mail programs break what they write above a quotation into lines.
	joined := ""
	for n := i; n < i+3; n++ {
		l := p.at(n)
		if l == "" || len(joined)+len(l) > maxAttribution {
			break
		}
		joined = strings.TrimSpace(joined + " " + l)
		p.steps += len(joined)
		if attribution.Names(joined) {
			return n, true
		}
	}
	return p.headerBlock(i)
}

// marksFollow tells whether the next line that is not empty is marked.
func (p page) marksFollow(i int) bool {
	for _, l := range p.lines[i+1:] {
		if strings.TrimSpace(l) != "" {
			return marked(l)
		}
	}
	return false
}

const (
	// maxAttribution bounds, in bytes, what is taken for a line above a
	// quotation.
	maxAttribution = 500
	// maxLooks bounds how many lines are looked at closely. A person does not write so many
	// that look as if they were above a quotation.
	maxLooks = 200
)

var (
	ownHeadline = pattern.New(`^(?:== .+ ={3,}\s*$|(?i:[\s#*]*(orders, ready to be changed and sent back|orders due for turn \d+)[\s#*]*$))`)
	pgpMark     = pattern.New(`^-{5}(BEGIN|END) PGP `)
	rule        = pattern.New(`^_{10,}$`)
	headLine    = pattern.New(`^\*?\pL[\pL\pM .-]{0,20}\*?\s?(:\*?(\s|$)|：)`)
)

// groupWise tells the one line above a quotation that looks marked itself.
func groupWise(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) < maxAttribution && strings.HasPrefix(line, ">>> ") && strings.HasSuffix(line, " >>>") && attribution.HasTime(line)
}

// headerBlock tells whether three or more header lines of a mail begin at line
// i, one of which holds an address or a date. It gives the last of them.
func (p *search) headerBlock(i int) (last int, ok bool) {
	p.steps += len(p.at(i))
	if !headLine().MatchString(p.at(i)) {
		return i, false
	}
	// All of them in one line, as small screens have it.
	if one := p.at(i); attribution.Headers(one) && attribution.HasAddress(one) {
		return i, true
	}
	n, telling := 0, false
	for at := i; at < i+10; at++ {
		l := p.at(at)
		l = l[:min(len(l), maxAttribution)] // a list of addresses may go on
		p.steps += len(l)
		head := headLine().MatchString(l)
		switch {
		case head:
			n, last = n+1, at
		case l == "" || n == 0 || !attribution.HasAddress(l):
			// Only a list of addresses goes on in the next line.
			return last, n >= 3 && telling
		}
		telling = telling || attribution.HasAddress(l) || head && attribution.Dated(l)
	}
	return last, n >= 3 && telling
}

// marked tells whether a line is quoted with >, also where the initials of the
// writer stand before it.
func marked(line string) bool {
	_, ok := behindMark(line)
	return ok
}

// behindMark gives what stands behind the first quote mark of a line.
func behindMark(line string) (string, bool) {
	line = strings.TrimLeft(line, " \t")
	at := strings.IndexByte(line[:min(len(line), 4*utf8.UTFMax+1)], '>')
	if at < 0 || at > 0 && !initials(line[:at]) {
		return line, false
	}
	return line[at+1:], true
}

// initials tells whether a word is one to four letters.
func initials(word string) bool {
	n := 0
	for _, r := range word {
		if n++; n > 4 || !unicode.IsLetter(r) {
			return false
		}
	}
	return n > 0
}

// barred tells whether a line stands behind a bar, as answers show sets and reports
// what others wrote, itself quoted or not.
func barred(line string) bool {
	for ok := true; ok; {
		line, ok = behindMark(line)
	}
	return strings.HasPrefix(line, "|")
}

// unmark takes quote marks and bars off, line by line. What is behind them in the
// source stands at the same lines there.
func unmark(source string) string {
	var b strings.Builder
	b.Grow(len(source))
	for l := range strings.Lines(source) {
		off := false
		for {
			rest, ok := behindMark(l)
			if !ok {
				rest, ok = strings.CutPrefix(rest, "|")
			}
			if !ok {
				break
			}
			l, off = rest, true
		}
		if off {
			l = strings.TrimPrefix(l, " ")
		}
		b.WriteString(l)
	}
	return b.String()
}

// firstMark is where the first line begins that is quoted with >, or stands behind a
// bar, and has a # in it, -1 if there is none.
func firstMark(source string) int {
	for at := 0; ; {
		n := strings.IndexByte(source[at:], '#')
		if n < 0 {
			return -1
		}
		start := strings.LastIndexByte(source[:at+n], '\n') + 1
		if marked(source[start:]) || barred(source[start:]) {
			return start
		}
		end := strings.IndexByte(source[at+n:], '\n')
		if end < 0 {
			return -1
		}
		at += n + end
	}
}

// markedBlocks are the blocks that begin behind quote marks or bars; p is the source
// with the blocks that do not. Behind bars answers show single lines too.
func markedBlocks(source string, p page) []orders.Raw {
	from := firstMark(source)
	if from < 0 {
		return nil
	}
	// What stands above can neither begin nor end one of them, but its lines and
	// its blocks count.
	above := strings.Count(source[:from], "\n")
	raws, _ := orders.ScanText(strings.Repeat("\n", above) + unmark(source[from:]))
	before := sort.Search(len(p.raws), func(k int) bool { return p.raws[k].Start.Line > above })
	raws = raws[:min(len(raws), orders.MaxBlocks-before)]
	return slices.DeleteFunc(raws, func(r orders.Raw) bool {
		if r.Start.Line > len(p.lines) {
			return true
		}
		line := p.lines[r.Start.Line-1]
		return !marked(line) && !barred(line) || barred(line) && !r.Ended
	})
}
