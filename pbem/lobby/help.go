package lobby

import (
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/rating"
)

// record returns the ratings, or one captain's record. It needs no further layout.
func (l *Library) record(words []string) (Page, error) {
	var book *rating.Book
	if l.Book != nil {
		book = l.Book()
	}
	if book == nil {
		return Page{}, unknown("ask again later, or ask the host", "there are no records here, or they are still loading")
	}
	if len(words) == 0 {
		text := book.Text()
		if text == "" {
			text = "No game between people has ended yet.\n"
		}
		return Page{Title: "Ratings", Text: cut(text), Next: "A captain's games: record and the name. Ratings use Glicko-2, starting at 1500; 95 times in 100 the true strength is within two deviations"}, nil
	}
	name := strings.Join(words, " ")
	found := book.Find(name)
	if len(found) == 0 {
		return Page{}, unknown(orders.DidYouMean("record %s", name, book.Names(), "for all ratings, write just: record"), "no captain called %q has finished a game that counts", name)
	}
	var b strings.Builder
	for _, r := range found {
		b.WriteString(r.Text() + "\n")
	}
	return Page{Title: "The record of " + name, Text: cut(b.String()), Next: "All ratings: record"}, nil
}

// help explains an order, a word of the language, or the code of a diagnostic. Without the name of
// a rule set it searches the reader's sets first, then all others.
func (l *Library) help(words []string, near []Basis) (Page, error) {
	word := words[0]
	if p, ok, err := l.code(word); ok || err != nil {
		return p, err
	}
	if p, ok, err := l.Citation(words, near); ok || err != nil {
		return p, err
	}
	all := near
	if len(words) > 1 {
		r, err := l.RuleSet(words[len(words)-1])
		if err != nil {
			return Page{}, err
		}
		near = []Basis{{Set: r.Name}}
		all = near
	} else {
		for _, name := range l.sets() {
			if !slices.ContainsFunc(near, func(b Basis) bool { return b.Set == name }) {
				all = append(slices.Clip(all), Basis{Set: name})
			}
		}
	}
	if strings.EqualFold(word, "orders") {
		p, err := l.rules([]string{all[0].Set}, nil)
		p.Lead = all[0].lead()
		return p, err
	}
	var known []string
	for i, b := range all {
		r, err := l.RuleSet(b.Set)
		if err != nil {
			return Page{}, err
		}
		if text, ok := r.Language.Explain(word); ok {
			lead := b.lead()
			if i >= len(near) && len(near) > 0 {
				lead = fmt.Sprintf("%s, the rules of %s, has no %q. By %s:", near[0].Set, near[0].Of, word, b.Set)
			}
			return Page{Title: fmt.Sprintf("%s, in %s", word, r.Name), Lead: lead, Text: text, Next: "All orders: help orders " + r.Name}, nil
		}
		if i < max(len(near), 1) { // a hint offers words of the reader's own rules
			known = append(known, r.Language.Words()...)
		}
	}
	return Page{}, unknown(orders.DidYouMean("help %s", word, known, "for all orders of a rule set, write: help orders"), "there is no order, word or code %q", word)
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// lines formats rows of a table as lines.
func lines(rows [][]string) string {
	wide := 0
	for _, r := range rows {
		if len(r) > 1 {
			wide = max(wide, len(r[0]))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		for len(r) > 0 && r[len(r)-1] == "" {
			r = r[:len(r)-1]
		}
		if len(r) > 1 {
			fmt.Fprintf(&b, "%-*s  %s\n", wide, r[0], strings.Join(r[1:], "  "))
		} else {
			b.WriteString(strings.Join(r, "") + "\n")
		}
	}
	return b.String()
}
