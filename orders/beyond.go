package orders

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Beyond writes, as Reference does and as Markdown, what the language has in addition to
// another one or in place of something in it: a table of those orders, values that
// mean more, then the orders and conditions themselves. Orders of base that are
// missing are named. What is the same in both is left out.
func (l Language) Beyond(base Language) string {
	var index, detail strings.Builder
	var gone []string
	for _, s := range slices.Concat(l.named(), l.unnamed()) {
		old := base.sectionNamed(s.Name)
		var more []Verb
		for _, v := range s.Verbs {
			before, had := old.verbNamed(v.Name)
			if had && reflect.DeepEqual(v, before) {
				continue
			}
			more = append(more, v)
			name := "`" + v.Name + "`"
			if had {
				name += ", changed"
			}
			fmt.Fprintf(&index, "| %s | %s | %s |\n", s.title(), name, strings.ReplaceAll(firstSentence(v.Doc), "|", "\\|"))
		}
		if len(more) == 0 {
			continue
		}
		fmt.Fprintf(&detail, "\n## %s\n", s.title())
		for _, v := range more {
			l.verb(&detail, v, base.Params)
		}
	}
	for _, s := range base.Sections {
		for _, v := range s.Verbs {
			if _, ok := l.sectionNamed(s.Name).verbNamed(v.Name); !ok {
				gone = append(gone, fmt.Sprintf("`%s` (%s)", v.Name, s.title()))
			}
		}
	}
	var subjects []Subject
	for _, s := range l.Subjects {
		if !slices.ContainsFunc(base.Subjects, func(o Subject) bool { return reflect.DeepEqual(o, s) }) {
			subjects = append(subjects, s)
		}
	}

	var out strings.Builder
	fmt.Fprintf(&out, "# What %s adds to %s\n\n", l.Rules, base.Rules)
	fmt.Fprintf(&out, "All orders of %s are orders here too. These are new, or changed:\n\n", base.Rules)
	out.WriteString("| under | order | what it is |\n|---|---|---|\n" + index.String())
	if len(gone) > 0 {
		fmt.Fprintf(&out, "\nThese are not there any more: %s.\n", strings.Join(gone, ", "))
	}
	l.changedValues(&out, base)
	out.WriteString(detail.String())
	l.conditions(&out, subjects, base.Params)
	return out.String()
}

// changedValues writes the placeholders of base that take or mean something else.
func (l Language) changedValues(out *strings.Builder, base Language) {
	var names []string
	for _, n := range sortedKeys(l.Params) {
		if old, ok := base.Params[n]; ok && !reflect.DeepEqual(old, l.Params[n]) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(out, "\n## Values that mean more\n\nWherever a form has these words, in orders of %s too:\n", base.Rules)
	l.values(out, names, nil)
}

func (l Language) named() []Section {
	return slices.DeleteFunc(slices.Clone(l.Sections), func(s Section) bool { return s.Name == "" })
}

func (l Language) unnamed() []Section {
	return slices.DeleteFunc(slices.Clone(l.Sections), func(s Section) bool { return s.Name != "" })
}

// sectionNamed is a section by its name, empty if there is none.
func (l Language) sectionNamed(name string) Section {
	if i := slices.IndexFunc(l.Sections, func(s Section) bool { return s.Name == name }); i >= 0 {
		return l.Sections[i]
	}
	return Section{}
}

func (s Section) verbNamed(name string) (Verb, bool) {
	if i := slices.IndexFunc(s.Verbs, func(v Verb) bool { return v.Name == name }); i >= 0 {
		return s.Verbs[i], true
	}
	return Verb{}, false
}

// firstSentence cuts a text behind its first full stop or colon, without it.
func firstSentence(text string) string {
	for i := range text {
		if (text[i] == '.' || text[i] == ':') && (i+1 == len(text) || text[i+1] == ' ') {
			return text[:i]
		}
	}
	return text
}
