package orders

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Reference returns the language as Markdown for a handbook: sections with their verbs, forms, values and examples,
// then the conditions. It is made from the table alone, so it cannot differ from what is understood.
func (l Language) Reference() string {
	var out strings.Builder
	fmt.Fprintf(&out, "# Orders of %s\n\n", l.Rules)
	out.WriteString("Write lower-case words as shown (in any case); words in capitals are\n" +
		"replaced by a value, `[ ]` may be left out, `...` repeats what comes before it,\n" +
		"`A:B` is a pair with a colon. A line that starts with `&` continues the order\n" +
		"above it, `;` starts a comment.\n")
	if l.Free != "" {
		fmt.Fprintf(&out, "\nA line that does not begin with one of the words below is also an order, word for\nword: see `%s`. In such a line a semicolon is part of the order.\n", l.Free)
	}
	for _, s := range l.Sections {
		if s.Name != "" {
			l.section(&out, s)
		}
	}
	for _, s := range l.Sections {
		if s.Name == "" {
			l.section(&out, s)
		}
	}
	l.conditions(&out)
	l.foreignWords(&out)
	return out.String()
}

func (l Language) section(out *strings.Builder, s Section) {
	out.WriteString("\n## " + s.Title() + "\n")
	paragraph(out, s.Doc)
	for _, v := range s.Verbs {
		l.verb(out, v)
	}
}

// Title returns a section's heading in the reference.
func (s Section) Title() string {
	switch {
	case s.Name == "":
		return "Anywhere in the block"
	case s.Numbered:
		return fmt.Sprintf("`%s 1` to `%s %d`", s.Name, s.Name, s.Max)
	}
	return "`" + s.Name + "`"
}

// paragraph writes a text after a blank line, or nothing if it is empty.
func paragraph(out *strings.Builder, text string) {
	if text != "" {
		out.WriteString("\n" + text + "\n")
	}
}

// verb writes one order.
func (l Language) verb(out *strings.Builder, v Verb) {
	fmt.Fprintf(out, "\n### %s\n\n```\n", v.Name)
	for _, f := range v.Forms {
		out.WriteString(string(f))
		if v.When {
			out.WriteString(" [when CONDITION]")
		}
		out.WriteByte('\n')
		if v.Body {
			out.WriteString("#text\n...\n#endtext\n")
		}
	}
	out.WriteString("```\n")
	paragraph(out, v.Doc)
	if v.Once {
		paragraph(out, "Only once.")
	}
	l.values(out, v.Forms)
	if len(v.Examples) > 0 {
		out.WriteString("\nFor example:\n\n```\n" + strings.Join(v.Examples, "\n") + "\n```\n")
	}
}

// values explains the placeholders of some forms.
func (l Language) values(out *strings.Builder, forms []Form) {
	for i, n := range placeholders(forms) {
		if i == 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(out, "- `%s`: %s\n", n, l.Params[n].describe())
	}
}

// describe describes what a placeholder stands for, in the reference.
func (p Param) describe() string {
	text := cmp.Or(p.Doc, p.Class.String())
	if len(p.Choices) > 0 {
		text += ": `" + strings.Join(p.Choices, "` `") + "`"
	}
	return text
}

// placeholders lists the placeholders of some forms, each once, in order.
func placeholders(forms []Form) []string {
	var names []string
	for _, f := range forms {
		for _, w := range formWords(string(f)) {
			if placeholder(w) && !slices.Contains(names, w) {
				names = append(names, w)
			}
		}
	}
	return names
}

// conditions writes the tests of all subjects.
func (l Language) conditions(out *strings.Builder) {
	if len(l.Subjects) == 0 {
		return
	}
	out.WriteString("\n## Conditions\n\nAfter `when`, tests joined by `and`, `or`, `not` and parentheses; `not` binds\n" +
		"closest, then `and`. A test compares by `<` `<=` `=` `>=` `>`.\n\n" +
		"| test | compared with | meaning |\n|---|---|---|\n")
	var forms []Form
	for _, s := range l.Subjects {
		fmt.Fprintf(out, "| `%s` | %s | %s |\n", s.Form, s.against(), strings.ReplaceAll(s.Doc, "|", "\\|"))
		forms = append(forms, s.Form)
	}
	l.values(out, forms)
}

// against describes what a subject is compared with.
func (s Subject) against() string {
	switch s.Kind {
	case PercentSubject:
		return "per cent, `60%`"
	case WordSubject:
		if len(s.Choices) > 0 {
			return "by `=` with `" + strings.Join(s.Choices, "` `") + "`"
		}
		return "by `=` with a name"
	case FlagSubject:
		return "nothing"
	default:
		return "a number"
	}
}

func (l Language) foreignWords(out *strings.Builder) {
	words := l.foreign()
	if len(words) == 0 {
		return
	}
	out.WriteString("\n## Words of other rule sets\n\nThese are refused here: ")
	var list []string
	for _, verb := range slices.Sorted(maps.Keys(words)) {
		list = append(list, fmt.Sprintf("`%s` (%s)", verb, words[verb]))
	}
	out.WriteString(strings.Join(list, ", ") + ".\n")
}

// Explain returns the reference's text about one word: the order of that name, the test of a condition that begins
// with it, or what a word in capitals stands for. It reports false for a word that the language does not have.
func (l Language) Explain(word string) (string, bool) {
	var out strings.Builder
	for _, s := range l.Sections {
		for _, v := range s.Verbs {
			if strings.EqualFold(v.Name, word) {
				fmt.Fprintf(&out, "\nUnder %s:\n", s.Title())
				l.verb(&out, v)
				if v.When {
					l.tests(&out)
				}
			}
		}
	}
	if strings.EqualFold(word, "conditions") || strings.EqualFold(word, "when") {
		l.conditions(&out)
	}
	for _, s := range l.Subjects {
		if first, _, _ := strings.Cut(string(s.Form), " "); strings.EqualFold(first, word) {
			fmt.Fprintf(&out, "\n`when %s`, compared with %s: %s\n", s.Form, s.against(), s.Doc)
			l.values(&out, []Form{s.Form})
		}
	}
	if p, ok := l.Params[strings.ToUpper(word)]; ok {
		fmt.Fprintf(&out, "\n`%s` stands for %s.\n", strings.ToUpper(word), p.describe())
	}
	return strings.TrimPrefix(out.String(), "\n"), out.Len() > 0
}

// tests writes a short list of what may follow when.
func (l Language) tests(out *strings.Builder) {
	if len(l.Subjects) == 0 {
		return
	}
	var all []string
	for _, s := range l.Subjects {
		all = append(all, "`"+s.test()+"`")
	}
	fmt.Fprintf(out, "\nA condition follows `when`: tests, joined by `and`, `or`, `not` and parentheses. "+
		"Tests are for example %s. The word conditions explains each.\n", strings.Join(all, ", "))
}

// Words returns all words that Explain knows, sorted.
func (l Language) Words() []string {
	out := []string{"conditions"}
	for _, s := range l.Sections {
		for _, v := range s.Verbs {
			out = append(out, v.Name)
		}
	}
	for _, s := range l.Subjects {
		first, _, _ := strings.Cut(string(s.Form), " ")
		out = append(out, first)
	}
	out = slices.AppendSeq(out, maps.Keys(l.Params))
	slices.Sort(out)
	return slices.Compact(out)
}
