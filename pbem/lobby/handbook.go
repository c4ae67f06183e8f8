package lobby

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// handbookPages returns the documents for captains in reading order: those for everyone, then a page for each rule set.
func (l *Library) handbookPages() ([]string, error) {
	play, err := fs.Glob(l.Texts, "play-*.md")
	if err != nil {
		return nil, fmt.Errorf("find the pages for captains: %w", err)
	}
	return append([]string{"captains.md", "mail-commands.md", "reports.md"}, play...), nil
}

// handbook lists the chapters of the pages for captains, or returns one.
func (l *Library) handbook(words []string) (Page, error) {
	pages, err := l.handbookPages()
	if err != nil {
		return Page{}, err
	}
	var all []chapter
	for _, name := range pages {
		data, err := fs.ReadFile(l.Texts, name)
		if err != nil {
			return Page{}, fmt.Errorf("read a page for captains: %w", err)
		}
		all = append(all, chapters(string(data))...)
	}
	if len(words) == 0 {
		return Page{Title: "The captain's handbook", Text: listed(all), Next: "To start, you need only the first: handbook 1. About an order: help and its name."}, nil
	}
	c, err := pick(all, strings.Join(words, " "), "handbook")
	if at := slices.IndexFunc(all, func(o chapter) bool { return o.title == c.title }); err == nil && at >= 0 && len(c.text) > longChapter {
		if head, parts := c.sections(); len(parts) > 1 {
			var b strings.Builder
			b.WriteString(head + "\n\n")
			for i, part := range parts {
				fmt.Fprintf(&b, "- %d.%d: %s\n", at+1, i+1, part.title)
			}
			return Page{Title: "Handbook: " + c.title, Text: b.String(), Next: fmt.Sprintf("A part of the chapter: handbook %d.1. The other chapters: handbook", at+1)}, nil
		}
	}
	return Page{Title: "Handbook: " + c.title, Text: c.text, Next: "The other chapters: handbook"}, err
}

// code returns the reference entry for the code of a diagnostic.
func (l *Library) code(word string) (Page, bool, error) {
	word = strings.ToUpper(word)
	if len(word) != 4 || !strings.ContainsAny(word[:1], "EW") || strings.Trim(word[1:], "0123456789") != "" {
		return Page{}, false, nil
	}
	codes, err := fs.ReadFile(l.Texts, "reference/codes.md")
	if err != nil {
		return Page{}, false, fmt.Errorf("read what codes mean: %w", err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(codes)) {
		if cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|"); len(cells) > 1 && strings.Trim(cells[0], " `") == word {
			fmt.Fprintf(&b, "%s: %s.\n\n", word, strings.TrimSpace(cells[1]))
			if len(cells) > 2 {
				fmt.Fprintf(&b, "What to do: %s.\n\n", strings.TrimSpace(cells[2]))
			}
		}
	}
	return Page{Title: "What " + word + " means", Text: b.String(), Next: "About an order: help and its name"}, b.Len() > 0, nil
}
