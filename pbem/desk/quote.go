package desk

import (
	"regexp"
	"strings"

	"starpost/orders"
)

// quotationStarts is the line, from 1, at which a mail program begins to quote
// the mail that is answered without marking each line; 0 if there is none. The
// words differ by language, so what is looked for is the shape:
//
//   - a line between dashes, or a long rule ("-----Original Message-----");
//   - a line, or two, that end in a colon and name an address or a time
//     ("On ... <robot@example.org> wrote:");
//   - a header block, one line of which names an address ("From: ... Sent: ...").
//
// Lines inside blocks do not count.
func quotationStarts(source []byte, raws []orders.Raw) int {
	lines := strings.Split(string(source), "\n")
	inside := func(n int) bool {
		for _, r := range raws {
			if n >= r.Start.Line && n <= r.End.Line {
				return true
			}
		}
		return false
	}
	for i := range lines {
		n := i + 1
		if inside(n) {
			continue
		}
		line := strings.TrimSpace(strings.TrimLeft(lines[i], "> "))
		before := ""
		if i > 0 && !inside(n-1) {
			before = strings.TrimSpace(strings.TrimLeft(lines[i-1], "> "))
		}
		switch {
		case dashed.MatchString(line), rule.MatchString(line):
			return n
		case strings.HasSuffix(line, ":") && len(line) < 200 && attribution.MatchString(before+" "+line):
			return n
		case headerLine.MatchString(line) && headerBlock(lines[i:]):
			return n
		}
	}
	return 0
}

var (
	dashed      = regexp.MustCompile(`^-{2,}\s?\pL[^#]*\pL\s?-{2,}$`)
	rule        = regexp.MustCompile(`^_{10,}$`)
	attribution = regexp.MustCompile(`@[\w.-]+|\b\d{1,2}[:.h]\d{2}\b|\b(19|20)\d{2}\b`)
	headerLine  = regexp.MustCompile(`^\*?\pL[\pL .-]{0,20}\*?\s?:\*?\s`)
)

// headerBlock tells whether lines begin with three or more header lines, one of
// which holds an address.
func headerBlock(lines []string) bool {
	address, n := false, 0
	for _, l := range lines[:min(len(lines), 6)] {
		l = strings.TrimSpace(strings.TrimLeft(l, "> "))
		if !headerLine.MatchString(l + " ") {
			break
		}
		n++
		address = address || strings.Contains(l, "@")
	}
	return n >= 3 && address
}
