package lobby

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/fault"
	"starpost/pbem/rating"
)

// Library is the source of the texts.
type Library struct {
	Families []family.Family
	// Texts are documents in Markdown: captains.md and the others of handbookPages, reference/rules-SET.md
	// (the rules summaries), and reference/codes.md.
	Texts fs.FS
	// Book returns captains' records; it may be nil, and may return nil while they are unknown.
	Book func() *rating.Book
}

// Page is a text for a mail, with lines of at most 76 columns, and suggested next questions.
type Page struct {
	Title string
	Lead  string // names the rule set of the text, and why it was chosen; may be ""
	Text  string
	Next  string
}

// Basis is the rule set that a reader probably means without naming one.
type Basis struct {
	Set string
	Of  string // what is played by it: "your game wolf"
}

// lead returns the sentence that names the basis of a page.
func (b Basis) lead() string {
	if b.Of == "" {
		return fmt.Sprintf("By %s:", b.Set)
	}
	return fmt.Sprintf("By %s, the rules of %s:", b.Set, b.Of)
}

// Error is a request for a text that does not exist, with a hint.
type Error struct{ fault.Fault }

func unknown(way, format string, args ...any) error { return &Error{*fault.New(way, format, args...)} }

// longChapter is the maximum length for reading on a phone: a longer chapter that has parts is shortened to
// its beginning and the list of them.
const longChapter = 8000

// maxPage limits a page: a longer one is cut, and says so.
const maxPage = 14000

// Page returns the text on a topic: words are what follows it in the request, and near the rule sets that
// the reader probably means, likeliest first. The error is an *Error if there is no such text.
func (l *Library) Page(topic string, words []string, near []Basis) (Page, error) {
	var p Page
	var err error
	switch topic {
	case "rules":
		p, err = l.rules(words, near)
	case "ships":
		p, err = l.ships(words)
	case "scenarios":
		p, err = l.scenarios(words)
	case "handbook":
		p, err = l.handbook(words)
	case "help":
		p, err = l.help(words, near)
	case "record":
		return l.record(words)
	default:
		err = fmt.Errorf("there is no topic %q", topic)
	}
	if err != nil {
		return Page{}, err
	}
	p.Text = plainText(p.Text)
	if short := cut(p.Text); len(short) < len(p.Text) {
		p.Text = short
		p.Next = "The text is cut here; for the rest, ask a narrower question. " + p.Next
	}
	return p, nil
}

// sets returns the names of all rule sets.
func (l *Library) sets() []string {
	var out []string
	for _, f := range l.Families {
		for _, s := range f.Sets {
			out = append(out, s.Name)
		}
	}
	return out
}

// RuleSet returns a rule set by its name. The error is an *Error if there is none.
func (l *Library) RuleSet(name string) (*engine.Rules, error) {
	for _, f := range l.Families {
		for _, s := range f.Sets {
			if strings.EqualFold(s.Name, name) {
				return s.Rules(nil)
			}
		}
	}
	known := l.sets()
	return nil, unknown(orders.DidYouMean("rules %s", name, known, "one of: "+strings.Join(known, ", ")), "there is no rule set %q", name)
}

// listSets lists the rule sets except one.
func (l *Library) listSets(but string) (string, error) {
	var b strings.Builder
	for _, name := range l.sets() {
		if name == but {
			continue
		}
		r, err := l.RuleSet(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "- %s: %s\n", r.Name, r.Title)
	}
	return b.String(), nil
}

// rules describes a rule set, or returns a section of its summary. Without a name it describes the one that
// the reader probably means, and lists the others.
func (l *Library) rules(words []string, near []Basis) (Page, error) {
	if len(words) == 0 && len(near) == 0 {
		list, err := l.listSets("")
		return Page{Title: "Rule sets", Text: list, Next: "Write rules and a name, for example: rules " + l.sets()[0]}, err
	}
	if len(words) == 0 {
		p, err := l.rules([]string{near[0].Set}, nil)
		if err != nil {
			return Page{}, err
		}
		others, err := l.listSets(near[0].Set)
		if p.Lead = near[0].lead(); others != "" {
			p.Text += "\nOther rule sets:\n\n" + others
			p.Next = "Another rule set: rules and its name. " + p.Next
		}
		return p, err
	}
	if strings.Trim(words[0], "0123456789") == "" && len(near) > 0 { // a section of the reader's own rules
		words = append([]string{near[0].Set}, words...)
	}
	var b strings.Builder
	r, err := l.RuleSet(words[0])
	if err != nil {
		return Page{}, err
	}
	var parts []chapter
	if short, err := fs.ReadFile(l.Texts, rulesPrefix+r.Name+".md"); err == nil {
		parts = chapters(string(short))
	}
	if len(words) > 1 && strings.EqualFold(words[1], "sources") {
		return Page{Title: r.Title + ": sources", Text: "- " + strings.Join(r.Sources, "\n- ") + "\n", Next: "The rules themselves: rules " + r.Name}, nil
	}
	if len(words) > 1 && len(parts) > 0 {
		c, err := pick(parts, strings.Join(words[1:], " "), "rules "+r.Name)
		return Page{Title: r.Title + ": " + c.title, Text: c.text, Next: "The other sections: rules " + r.Name}, err
	}
	var phases []string
	for _, p := range r.Phases {
		phases = append(phases, p.Name)
	}
	fmt.Fprintf(&b, "A turn: %s.\n\nOrders:\n\n", strings.Join(phases, "; "))
	for _, s := range r.Language.Sections {
		var verbs []string
		for _, v := range s.Verbs {
			verbs = append(verbs, v.Name)
		}
		fmt.Fprintf(&b, "- %s: %s\n", s.Title(), strings.Join(verbs, ", "))
	}
	played, err := l.playedBy(r.Name)
	if err != nil {
		return Page{}, err
	}
	next := fmt.Sprintf("What an order does: help %s %s. The sources: rules %s sources", firstVerb(r.Language), r.Name, r.Name)
	if len(played) > 0 {
		fmt.Fprintf(&b, "\nScenarios made for these rules: %s.\n", strings.Join(played, ", "))
		next = fmt.Sprintf("To play: %s. %s", waysIn(played[0], r), next)
	}
	if len(parts) > 0 {
		b.WriteString("\nThe rules in short, by section:\n\n" + listed(parts))
		next = fmt.Sprintf("A section of the rules: rules %s 1. %s", r.Name, next)
	}
	return Page{Title: fmt.Sprintf("%s (%s)", r.Title, r.Name), Text: b.String(), Next: next}, nil
}

// playedBy returns the scenarios made for a rule set.
func (l *Library) playedBy(set string) (out []string, err error) {
	for _, f := range l.Families {
		files, err := f.ScenarioFiles()
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if s, _ := scenario.Parse(files[name]); s != nil && s.Rules == set {
				out = append(out, name)
			}
		}
	}
	return out, nil
}

// waysIn returns the commands to play a scenario, if the host lets people create games.
func waysIn(name string, r *engine.Rules) string {
	if r.Robot == nil {
		return fmt.Sprintf("join %s; it needs a referee who reads the captains' orders, and has no robots", name)
	}
	return fmt.Sprintf("join %s, or right away against robots: practice %s", name, name)
}

func firstVerb(l *orders.Language) string {
	for _, s := range l.Sections {
		if len(s.Verbs) > 0 {
			return s.Verbs[0].Name
		}
	}
	return "orders"
}

// ships lists the navies or the classes of one, or shows a class.
func (l *Library) ships(words []string) (Page, error) {
	navies, heads := map[string][]family.Design{}, map[string]string{}
	var classes []string
	for _, f := range l.Families {
		if f.Designs == nil {
			continue
		}
		list, err := f.Designs(nil)
		if err != nil {
			return Page{}, err
		}
		for _, d := range list.All {
			navies[d.Navy], classes = append(navies[d.Navy], d), append(classes, d.Name)
			heads[d.Name] = "What each line means: " + strings.ToLower(row(family.Design{Navy: list.Columns[1], Row: list.Columns})) + "."
			if len(words) == 1 && strings.EqualFold(d.Name, words[0]) {
				rows, err := d.Sheet()
				return Page{Title: "The class " + d.Name, Text: "```\n" + lines(rows) + "```\n", Next: "Other classes: ships " + strings.ToLower(d.Navy)}, err
			}
		}
	}
	order := slices.Sorted(maps.Keys(navies))
	var b strings.Builder
	if len(words) == 0 {
		for _, n := range order {
			fmt.Fprintf(&b, "- %s: %s\n", n, counted(len(navies[n]), "class", "classes"))
		}
		return Page{Title: "Navies", Text: b.String(), Next: "The classes of a navy: ships and its name, for example: ships " + strings.ToLower(order[0])}, nil
	}
	asked, told := strings.Join(words, " "), ""
	for _, n := range order {
		if !strings.EqualFold(n, asked) {
			continue
		}
		for _, d := range navies[n] {
			if heads := heads[d.Name]; heads != told {
				told = heads
				fmt.Fprintf(&b, "\n%s\n\n", told)
			}
			fmt.Fprintf(&b, "- %s\n", row(d))
		}
		return Page{Title: "Ships of " + n, Text: b.String(), Next: "A class with its weapons: ships " + navies[n][0].Name}, nil
	}
	return Page{}, unknown(orders.DidYouMean("ships %s", asked, append(classes, order...), "for the navies, write just: ships"), "there is no navy or class %q", asked)
}

// row returns a class in one line, without its navy and unknown values.
func row(d family.Design) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(d.Row), func(s string) bool { return s == "" || s == d.Navy }), ", ")
}

// Scenario returns the file of a built-in scenario, by its name and a rule set, "" for its own. The error
// is an *Error if there is none.
func (l *Library) Scenario(name, rules string) ([]byte, error) {
	var known []string
	for _, f := range l.Families {
		files, err := f.ScenarioFiles()
		if err != nil {
			return nil, err
		}
		if data, ok := files[strings.ToLower(name)]; ok && rules != "" {
			if _, err := l.RuleSet(rules); err != nil {
				return nil, err
			}
			return scenario.ForRules(data, rules), nil
		} else if ok {
			return data, nil
		}
		names, err := f.ScenarioNames()
		if err != nil {
			return nil, err
		}
		known = append(known, names...)
	}
	return nil, unknown(orders.DidYouMean("%s", name, known, "for a list, send scenarios as the first line of a mail"), "there is no scenario %q", name)
}

// scenarios lists them, or describes one.
func (l *Library) scenarios(words []string) (Page, error) {
	var b strings.Builder
	var known []string
	for _, f := range l.Families {
		files, err := f.ScenarioFiles()
		if err != nil {
			return Page{}, err
		}
		names, err := f.ScenarioNames()
		if err != nil {
			return Page{}, err
		}
		for _, name := range names {
			known = append(known, name)
			if len(words) > 0 && !strings.EqualFold(name, words[0]) {
				continue
			}
			s, _ := scenario.Parse(files[name])
			if s == nil {
				return Page{}, fmt.Errorf("the built-in scenario %s cannot be read", name)
			}
			if len(words) > 0 {
				r, err := l.RuleSet(s.Rules)
				if err != nil {
					return Page{}, err
				}
				return scenarioPage(name, s, r), nil
			}
			fmt.Fprintf(&b, "- %s: %s, %s, %s\n", name, s.Title, counted(len(s.Ships), "ship", "ships"), s.Rules)
		}
	}
	if len(words) > 0 {
		return Page{}, unknown(orders.DidYouMean("scenarios %s", words[0], known, "for all of them, write just: scenarios"), "there is no scenario %q", words[0])
	}
	page, err := l.scenarios(known[:1])
	ways, _, _ := strings.Cut(page.Next, ". ")
	return Page{Title: "Scenarios", Text: b.String(), Next: fmt.Sprintf("More about one: scenarios %s. %s", known[0], ways)}, err
}

func scenarioPage(name string, s *scenario.Scenario, r *engine.Rules) Page {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", strings.TrimSpace(s.Text))
	for _, side := range s.Sides {
		fmt.Fprintf(&b, "\n%s:\n\n", side.Name)
		for _, ship := range s.Ships {
			if ship.Side == side.ID {
				fmt.Fprintf(&b, "- %s, class %s", ship.Name, ship.Class)
				if ship.As != "" {
					fmt.Fprintf(&b, ", seen as %s", ship.As)
				}
				b.WriteString("\n")
			}
		}
	}
	next := fmt.Sprintf("To play it: %s. Its rules: rules %s", waysIn(name, r), s.Rules)
	if len(s.Ships) > 0 && r.Robot != nil {
		next += ". A ship of it: ships " + s.Ships[0].Class
	}
	return Page{Title: fmt.Sprintf("%s (%s)", s.Title, name), Text: b.String(), Next: next}
}

// cut limits a text to maxPage.
func cut(text string) string {
	if at := strings.LastIndexByte(text[:min(len(text), maxPage)], '\n'); len(text) > maxPage && at > 0 {
		return text[:at] + "\n...\n"
	}
	return text
}
