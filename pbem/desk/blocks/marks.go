package blocks

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"starpost/orders"
)

// Marked reports whether a line is quoted with >, possibly with the writer's initials in front.
func Marked(line string) bool {
	_, ok := behindMark(line)
	return ok
}

// behindMark returns the text after the first quote mark of a line.
func behindMark(line string) (string, bool) {
	line = strings.TrimLeft(line, " \t")
	at := strings.IndexByte(line[:min(len(line), 4*utf8.UTFMax+1)], '>')
	if at < 0 || at > 0 && !initials(line[:at]) {
		return line, false
	}
	return line[at+1:], true
}

// initials reports whether a word is one to four letters.
func initials(word string) bool {
	n := 0
	for _, r := range word {
		if n++; n > 4 || !unicode.IsLetter(r) {
			return false
		}
	}
	return n > 0
}

// Barred reports whether a line begins with a bar, quoted or not. Answers show sets with bars, and
// reports show what others wrote with bars.
func Barred(line string) bool {
	for ok := true; ok; {
		line, ok = behindMark(line)
	}
	return strings.HasPrefix(line, "|")
}

// Unmark removes quote marks and bars. Line numbers stay the same.
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

// firstMark returns the offset of the first line that is quoted with > or begins with a bar, and
// contains a #; -1 if there is none.
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

// markedBlocks returns the blocks that begin behind quote marks or bars; p is the source with its
// unmarked blocks. A barred block needs its #end, because answers also show single barred lines.
func markedBlocks(source string, p *Page) []orders.Raw {
	from := firstMark(source)
	if from < 0 {
		return nil
	}
	// What is above cannot begin or end one of these blocks, but its lines and blocks count.
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
