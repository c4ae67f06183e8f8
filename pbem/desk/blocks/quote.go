package blocks

import (
	"strings"

	"starpost/pbem/attribution"
	"starpost/pbem/pattern"
)

// search is the looking for that line. steps counts what it costs: the bytes that
// expressions and tables were held against.
type search struct {
	*Page
	steps int
}

// starts finds the line, from 1, at which a mail program begins to quote
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
func (p *search) starts() int {
	headline, looks := 0, 0
	for i := range p.Lines {
		if p.Inside(i) || len(p.Lines[i]) > maxAttribution {
			continue // an expression may look at every letter of a line
		}
		p.steps += len(p.Lines[i])
		if Marked(p.Lines[i]) {
			if groupWise(p.Lines[i]) && !p.marksFollow(i) {
				return i + 1
			}
			continue
		}
		if ownHeadline().MatchString(p.Lines[i]) {
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

const (
	// maxAttribution bounds, in bytes, what is taken for a line above a
	// quotation.
	maxAttribution = 500
	// maxLooks bounds how many lines are looked at closely. A person does not write so many
	// that look as if they were above a quotation.
	maxLooks = 200
)

var (
	ownHeadline = pattern.New(`^(?:== .+ ={3,}\s*$|(?i:[\s#*]*(orders, ready to (?:be changed and sent back|edit and send back)|orders due for turn \d+)[\s#*]*$))`)
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
