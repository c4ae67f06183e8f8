package lobby

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/orders"
	"starpost/pbem/pattern"
)

// chapter is a part of a document with a ## heading.
type chapter struct{ title, text string }

// chapters splits a document; it omits text before the first heading.
func chapters(markdown string) []chapter {
	_, out := cutAt(markdown, "## ")
	return out
}

// sections splits a chapter into the text before its first section, and the sections.
func (c chapter) sections() (head string, out []chapter) { return cutAt(c.text, "### ") }

// cutAt splits a text at its headings of one level.
func cutAt(markdown, mark string) (head string, out []chapter) {
	code := false
	for line := range strings.Lines(markdown) {
		code = code != strings.HasPrefix(line, "```")
		if title, ok := strings.CutPrefix(line, mark); ok && !code {
			out = append(out, chapter{title: plainLine(strings.TrimSpace(title))})
			continue
		}
		if len(out) > 0 {
			out[len(out)-1].text += line
		} else {
			head += line
		}
	}
	return head, out
}

func listed(all []chapter) string {
	var b strings.Builder
	for i, c := range all {
		number := fmt.Sprint(i + 1)
		fmt.Fprintf(&b, "- %s: %s\n", number, strings.TrimPrefix(c.title, number+" "))
	}
	return b.String()
}

// pick returns a chapter by its number in the list, or by words of its title. The error is an
// *Error.
func pick(all []chapter, asked, command string) (chapter, error) {
	number, part, inPart := strings.Cut(asked, ".")
	if n, err := strconv.Atoi(number); err == nil && 1 <= n && n <= len(all) {
		if !inPart {
			return all[n-1], nil
		}
		_, parts := all[n-1].sections()
		if k, err := strconv.Atoi(part); err == nil && 1 <= k && k <= len(parts) {
			return parts[k-1], nil
		}
		return chapter{}, unknown(fmt.Sprintf("its parts are %s %d.1 to %d.%d", command, n, n, len(parts)), "chapter %d has no part %q", n, part)
	}
	var titles []string
	for _, c := range all {
		if strings.Contains(strings.ToLower(c.title), strings.ToLower(asked)) {
			return c, nil
		}
		titles = append(titles, c.title)
	}
	for _, c := range all {
		_, parts := c.sections()
		for _, one := range parts {
			if strings.Contains(strings.ToLower(one.title), strings.ToLower(asked)) {
				return one, nil
			}
			titles = append(titles, one.title)
		}
	}
	return chapter{}, unknown(orders.DidYouMean(command+" %s", asked, titles, fmt.Sprintf("for the list, write just: %s; or add a number from 1 to %d", command, len(all))), "there is no part %q", asked)
}

var (
	link    = pattern.New(`\[([^\]]*)\]\([^)]*\)`)
	stress  = pattern.New(`\*(\w[^*]*)\*`)
	comment = pattern.New(`(?s)<!--.*?-->\n?`)
)

// plainLine removes Markdown marks from a line.
func plainLine(s string) string {
	s = strings.NewReplacer("**", "", "`", "").Replace(link().ReplaceAllString(s, "$1"))
	return stress().ReplaceAllString(s, "$1")
}

const columns = 76

// plainText converts a document to text for a mail: it wraps paragraphs and list items, keeps
// examples, and turns table rows into lines.
func plainText(markdown string) string {
	var b strings.Builder
	var open string // the current paragraph or list item
	flush := func() {
		wrap(&b, open)
		open = ""
	}
	code := false
	for line := range strings.Lines(comment().ReplaceAllString(markdown, "")) {
		line = strings.TrimRight(line, " \r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			flush()
			code = !code
		case code:
			// The mail's reader must not take an example for orders.
			b.WriteString("  " + line + "\n")
		case trimmed == "":
			flush()
			if s := b.String(); s != "" && !strings.HasSuffix(s, "\n\n") {
				b.WriteByte('\n')
			}
		case strings.HasPrefix(trimmed, "#"):
			flush()
			b.WriteString(strings.ToUpper(plainLine(strings.TrimLeft(trimmed, "# "))) + "\n")
		case strings.HasPrefix(trimmed, "|"):
			flush()
			if strings.Trim(trimmed, "|-: ") != "" {
				var cells []string
				for cell := range strings.SplitSeq(strings.Trim(trimmed, "|"), "|") {
					cells = append(cells, strings.TrimSpace(plainLine(cell)))
				}
				wrap(&b, "- "+strings.Join(cells, "; "))
			}
		case strings.HasPrefix(trimmed, "- "):
			flush()
			open = line[:strings.Index(line, "- ")] + "- " + plainLine(trimmed[2:])
		case open != "":
			open += " " + plainLine(trimmed)
		default:
			open = plainLine(trimmed)
		}
	}
	flush()
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// wrap writes a paragraph in lines, with the hanging indent of a list item.
func wrap(b *strings.Builder, text string) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return
	}
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	line := indent + words[0]
	if words[0] == "-" {
		indent += "  "
	}
	for _, w := range words[1:] {
		if len([]rune(line))+1+len([]rune(w)) > columns {
			b.WriteString(line + "\n")
			line = indent + w
			continue
		}
		line += " " + w
	}
	b.WriteString(line + "\n")
}
