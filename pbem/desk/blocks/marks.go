package blocks

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"starpost/orders"
)

// Marked tells whether a line is quoted with >, also where the initials of the
// writer stand before it.
func Marked(line string) bool {
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

// Barred tells whether a line stands behind a bar, as answers show sets and reports
// what others wrote, itself quoted or not.
func Barred(line string) bool {
	for ok := true; ok; {
		line, ok = behindMark(line)
	}
	return strings.HasPrefix(line, "|")
}

// Unmark takes quote marks and bars off, line by line. What is behind them in the
// source stands at the same lines there.
func Unmark(source string) string {
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
		if Marked(source[start:]) || Barred(source[start:]) {
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
func markedBlocks(source string, p *Page) []orders.Raw {
	from := firstMark(source)
	if from < 0 {
		return nil
	}
	// What stands above can neither begin nor end one of them, but its lines and
	// its blocks count.
	above := strings.Count(source[:from], "\n")
	raws, _ := orders.ScanText(strings.Repeat("\n", above) + Unmark(source[from:]))
	before := sort.Search(len(p.Raws), func(k int) bool { return p.Raws[k].Start.Line > above })
	raws = raws[:min(len(raws), orders.MaxBlocks-before)]
	return slices.DeleteFunc(raws, func(r orders.Raw) bool {
		if r.Start.Line > len(p.Lines) {
			return true
		}
		line := p.Lines[r.Start.Line-1]
		return !Marked(line) && !Barred(line) || Barred(line) && !r.Ended
	})
}
