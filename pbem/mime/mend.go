package mime

import "strings"

// Programs that write HTML wrap its plain form as prose, near column 76, and so break long orders
// and comments in two. The HTML form shows where lines really end.
const (
	wrapFrom = 50  // the least length of a wrapped line, in bytes
	wrapMost = 5   // pieces of one line
	wrapMany = 500 // lines to examine
)

// mend joins lines within order blocks that are one line in the HTML form. It calls shown for that
// form only if a line may have been broken.
func mend(text string, shown func() string) string {
	if !strings.Contains(text, ordersMark) {
		return text
	}
	lines := strings.Split(text, "\n")
	var whole map[string]bool
	var out []string
	inside, looks := false, 0
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		bare := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(bare, ordersMark):
			inside = true
		case strings.HasPrefix(bare, "#end"):
			inside = false
		}
		joined := 0
		if inside && len(line) >= wrapFrom && looks < wrapMany && i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" {
			looks++
			if whole == nil {
				whole = wholeLines(shown())
			}
			line, joined = rejoin(lines[i:min(len(lines), i+wrapMost)], whole)
		}
		if joined > 0 && out == nil {
			out = append(make([]string, 0, len(lines)), lines[:i]...)
		}
		if out != nil {
			out = append(out, line)
		}
		i += joined
	}
	if out == nil {
		return text
	}
	return strings.Join(out, "\n")
}

// wholeLines returns the long lines of a text, with single spaces between words.
func wholeLines(text string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) >= wrapFrom {
			out[strings.Join(strings.Fields(line), " ")] = true
		}
	}
	return out
}

// rejoin returns the first of pieces with as many of the following ones joined to it as make a
// whole line; n is their number.
func rejoin(pieces []string, whole map[string]bool) (line string, n int) {
	line = pieces[0]
	words := strings.Join(strings.Fields(line), " ")
	if whole[words] {
		return line, 0
	}
	for k, p := range pieces[1:] {
		p = strings.Join(strings.Fields(p), " ")
		if p == "" || strings.HasPrefix(p, "#") {
			break
		}
		words += " " + p
		if whole[words] {
			for _, q := range pieces[1 : k+2] {
				line = strings.TrimRight(line, " \t") + " " + strings.TrimSpace(q)
			}
			return line, k + 1
		}
	}
	return pieces[0], 0
}
