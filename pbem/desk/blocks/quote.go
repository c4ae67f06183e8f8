package blocks

import (
	"strings"

	"starpost/pbem/attribution"
	"starpost/pbem/pattern"
)

// search looks for the line where a quotation begins. steps measures the cost: the bytes that were
// matched against expressions and tables.
type search struct {
	*Page
	steps int
}

// starts finds the line, from 1, where a mail program begins to quote
// the answered mail without marking each line; 0 if there is none.
// The words differ by language, so it mostly looks for the shape:
//
//   - words between dashes, or a long rule ("-----Original Message-----");
//   - up to three lines that end in a colon and hold an address, or a date and
//     a time ("On ... <robot@example.org> wrote:");
//   - a block of header lines with an address or a date in it ("From: ...
//     Sent: ..."), even if it is joined into one line;
//   - two headlines of our own reports: they show a quoted report, whatever
//     the mail program wrote above it.
//
// If the shape is not enough ("Starpost wrote:"), a table of phrases helps.
// Lines inside blocks do not count, nor do lines that introduce a marked quotation:
// unmarked text below that is the captain's.
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
			continue // then nothing below belongs to a quotation that begins at this line
		}
		if last, ok := p.opens(i); ok && !p.marksFollow(last) {
			return i + 1
		}
	}
	return 0
}

// tellsAt reports, by a cheap check, whether a line could introduce a quotation.
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

// opens reports whether a quotation begins at line i, and returns the last line of its
// introduction.
func (p *search) opens(i int) (last int, ok bool) {
	line := p.at(i)
	p.steps += len(line)
	switch {
	case attribution.Dashed(line), rule().MatchString(line), attribution.Forwards(line):
		return i, true
	}
	// Mail programs break the introduction into lines.
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
	// maxAttribution limits the length of an introduction, in bytes.
	maxAttribution = 500
	// maxLooks limits how many lines are examined closely. A person does not write that many lines
	// that look like an introduction.
	maxLooks = 200
)

var (
	ownHeadline = pattern.New(`^(?:== .+ ={3,}\s*$|(?i:[\s#*]*(orders, ready to (?:be changed and sent back|edit and send back)|orders due for turn \d+)[\s#*]*$))`)
	pgpMark     = pattern.New(`^-{5}(BEGIN|END) PGP `)
	rule        = pattern.New(`^_{10,}$`)
	headLine    = pattern.New(`^\*?\pL[\pL\pM .-]{0,20}\*?\s?(:\*?(\s|$)|：)`)
)

// groupWise reports whether a line is GroupWise's introduction, which looks like a marked line.
func groupWise(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) < maxAttribution && strings.HasPrefix(line, ">>> ") && strings.HasSuffix(line, " >>>") && attribution.HasTime(line)
}

// headerBlock reports whether three or more header lines of a mail begin at line i, one of them
// with an address or a date. It returns the last of them.
func (p *search) headerBlock(i int) (last int, ok bool) {
	p.steps += len(p.at(i))
	if !headLine().MatchString(p.at(i)) {
		return i, false
	}
	// All of them in one line, as on small screens.
	if one := p.at(i); attribution.Headers(one) && attribution.HasAddress(one) {
		return i, true
	}
	n, telling := 0, false
	for at := i; at < i+10; at++ {
		l := p.at(at)
		l = l[:min(len(l), maxAttribution)] // a list of addresses may be long
		p.steps += len(l)
		head := headLine().MatchString(l)
		switch {
		case head:
			n, last = n+1, at
		case l == "" || n == 0 || !attribution.HasAddress(l):
			// Only a list of addresses continues on the next line.
			return last, n >= 3 && telling
		}
		telling = telling || attribution.HasAddress(l) || head && attribution.Dated(l)
	}
	return last, n >= 3 && telling
}
