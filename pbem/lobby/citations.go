package lobby

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"starpost/pbem/pattern"
)

// paragraph is a part of the rules summary that a report may cite: a paragraph, a ruling in a table, or a whole
// section. Its labels are as on the page: "4.7", "D16", "energy".
type paragraph struct {
	labels []string
	text   string
}

var (
	citesLine = pattern.New(`(?m)^<!-- cites: ([a-z]+) -->$`)
	boldItem  = pattern.New(`^- \*\*([^*]+)\*\*`)
	labelForm = pattern.New(`^[A-Z]?[0-9]+(\.[0-9]+)*[a-z]?$`)
)

// paragraphs returns the citable parts of a page.
func paragraphs(markdown string) (out []paragraph) {
	for _, c := range chapters(markdown) {
		word, _, _ := strings.Cut(c.title, " ")
		out = append(out, paragraph{labels: []string{word}, text: c.text})
		open := -1
		for line := range strings.Lines(c.text) {
			if m := boldItem().FindStringSubmatch(line); m != nil && len(labelsOf(m[1])) > 0 {
				open = len(out)
				out = append(out, paragraph{labels: labelsOf(m[1]), text: line})
				continue
			}
			more := open >= 0 && strings.HasSuffix(strings.TrimSpace(out[open].text), ":") // followed by its list or table
			if cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|"); line[0] == '|' && len(cells) > 1 && (open < 0 || !table(out[open].text) && !more) {
				if labels := labelsOf(strings.TrimSpace(cells[0])); len(labels) > 0 {
					out = append(out, paragraph{labels: labels, text: strings.TrimSpace(cells[1]) + "\n"})
				}
			}
			if ends := strings.TrimSpace(line) == "" || strings.HasPrefix(line, "- "); line[0] == '#' || ends && !more || line[0] == '|' && !more && open >= 0 && !table(out[open].text) {
				open = -1
			}
			if open >= 0 {
				out[open].text += line
			}
		}
	}
	return out
}

// table reports whether a text ends with rows of a table.
func table(text string) bool { return strings.HasSuffix(strings.TrimSpace(text), "|") }

// labelsOf returns the labels at the beginning of a text: "14.1, 14.3" or "4.7 Location".
func labelsOf(text string) (out []string) {
	for part := range strings.SplitSeq(text, ", ") {
		word, rest, _ := strings.Cut(strings.TrimRight(part, "."), " ")
		if !labelForm().MatchString(word) {
			return out
		}
		if out = append(out, word); rest != "" {
			return out
		}
	}
	return out
}

// rulesPage is the rules summary of a set, or of what several sets share.
type rulesPage struct {
	set   string // as in its file name
	cites string // the word before its numbers: "stcs"
	text  string
}

// rulesPrefix begins the names of the rules summaries among the texts; the name of a set and ".md" follow.
const rulesPrefix = "reference/rules-"

// rulesPages returns all summaries, those that the reader probably means first, then those with the same
// citations.
func (l *Library) rulesPages(near []Basis) ([]rulesPage, error) {
	files, err := fs.Glob(l.Texts, rulesPrefix+"*.md")
	if err != nil {
		return nil, fmt.Errorf("find the rules in short: %w", err)
	}
	var pages []rulesPage
	for _, f := range files {
		data, err := fs.ReadFile(l.Texts, f)
		if err != nil {
			return nil, fmt.Errorf("read the rules in short: %w", err)
		}
		if m := citesLine().FindStringSubmatch(string(data)); m != nil {
			pages = append(pages, rulesPage{strings.TrimSuffix(strings.TrimPrefix(f, rulesPrefix), ".md"), m[1], string(data)})
		}
	}
	rank := func(p rulesPage) int {
		at := slices.IndexFunc(near, func(b Basis) bool { return b.Set == p.set })
		switch {
		case at >= 0:
			return at
		case len(near) > 0 && slices.ContainsFunc(pages, func(o rulesPage) bool { return o.set == near[0].Set && o.cites == p.cites }):
			return len(near)
		}
		return len(near) + 1
	}
	slices.SortStableFunc(pages, func(a, b rulesPage) int { return rank(a) - rank(b) })
	return pages, nil
}

// byScenario is what reports cite for facts that no rule defines.
const byScenario = "scenario"

// Citation returns the part of a rules summary that a report cites, such as "stcs 4.7" or "D16"; ok is false if
// there is none.
func (l *Library) Citation(words []string, near []Basis) (p Page, ok bool, err error) {
	if l.Texts == nil || len(words) == 0 || len(words) > 2 {
		return Page{}, false, nil
	}
	clean := make([]string, len(words))
	for i, w := range words {
		clean[i] = strings.Trim(w, "[](),;`\"")
	}
	label, cites := clean[len(clean)-1], ""
	if len(clean) == 2 {
		cites = clean[0]
	} else if strings.EqualFold(label, byScenario) {
		return Page{
			Title: "What " + byScenario + " means", Text: "This comes from the battle's scenario, not from a rule. The first report describes it; so does scenarios and its name.\n",
			Next: "All scenarios: scenarios",
		}, true, nil
	} else if !labelForm().MatchString(strings.ToUpper(label[:min(1, len(label))])+label[min(1, len(label)):]) || label[0] >= '0' && label[0] <= '9' {
		return Page{}, false, nil // a number alone belongs to no rules
	}
	pages, err := l.rulesPages(near)
	if err != nil {
		return Page{}, false, err
	}
	for _, page := range pages {
		if cites != "" && !strings.EqualFold(page.cites, cites) {
			continue
		}
		for _, found := range paragraphs(page.text) {
			at := slices.IndexFunc(found.labels, func(o string) bool { return strings.EqualFold(o, label) })
			if at < 0 || cites == "" && len(found.labels[at]) > 0 && strings.Contains(found.labels[at], ".") {
				continue
			}
			name := found.labels[at]
			if cites != "" {
				name = page.cites + " " + name
			}
			next := ""
			if _, err := l.RuleSet(page.set); err == nil {
				next = "The section it is in: rules " + page.set
			}
			return Page{Title: "What " + name + " means", Lead: fmt.Sprintf("%s, of the rules in short (%s):", name, page.set), Text: strings.TrimPrefix(found.text, "- "), Next: next}, true, nil
		}
	}
	return Page{}, false, nil
}

// CitationOf returns an example request for a paragraph of a rule set: "help stcs 1.1"; "" if the set has no
// summary.
func (l *Library) CitationOf(set string) (string, error) {
	if l.Texts == nil {
		return "", nil
	}
	pages, err := l.rulesPages([]Basis{{Set: set}})
	if err != nil || len(pages) == 0 || pages[0].set != set {
		return "", err
	}
	for _, p := range paragraphs(pages[0].text) {
		if label := p.labels[0]; strings.Contains(label, ".") {
			return fmt.Sprintf("help %s %s", pages[0].cites, label), nil
		}
	}
	return "", nil
}
