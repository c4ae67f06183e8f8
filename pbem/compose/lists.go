package compose

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/family"
	"starpost/orders"
)

// mostItems limits the choices of one form.
const mostItems = 12

// lists returns the orders that are chosen from lists. The items of a list are checked only if it is open, because that
// takes long.
func (c *chooser) lists(line int, open []string, numbers []slider) []list {
	out := []list{}
	add := func(name, title, section string, verbs func(orders.Verb) bool, otherwise []slider) {
		l, its := list{Name: name, Title: title, Items: []item{}}, c.verbs(section, verbs)
		if slices.Contains(open, name) {
			l.Items = append(l.Items, c.of(section, its, otherwise)...)
		} else if !c.any(section, its, otherwise) {
			return
		}
		out = append(out, l)
	}
	steers := func(v orders.Verb) bool { return family.Steers(orders.Statement{Verb: v.Name}) }
	if c.phase > 0 {
		add("steering", fmt.Sprintf("Steering in phase %d", c.phase), phaseSection, steers, nil)
		add("phase", fmt.Sprintf("Other orders of phase %d", c.phase), phaseSection, func(v orders.Verb) bool { return v.Name != fire && !steers(v) }, nil)
	}
	if st, ok := c.conditional(line); ok {
		l := list{Name: "when", Title: "When to " + strings.Join(st.Words, " "), Items: []item{}}
		if slices.Contains(open, l.Name) {
			l.Items = append(l.Items, c.conditions(st)...)
		}
		out = append(out, l)
	}
	all := func(orders.Verb) bool { return true }
	plain := func(v orders.Verb) bool { return v.Name == family.ConnVerb().Name }
	if c.set.View.DueRound() <= 1 {
		add("power", "Power", powerSection, all, numbers)
	}
	add("standing", "Standing orders", standingSection, all, nil)
	add("plain", "Plain commands", "", plain, nil)
	add("other", "Other orders", "", func(v orders.Verb) bool { return !plain(v) }, nil)
	return out
}

// verbs returns the verbs of a section that satisfy a test and have an effect in this game.
func (c *chooser) verbs(section string, test func(orders.Verb) bool) (out []orders.Verb) {
	i := c.page.rank(section)
	if i < 0 {
		return nil
	}
	for _, v := range c.page.lang.Sections[i].Verbs {
		if !v.Body && test(v) && (c.set.View.Dark || !v.Dark) {
			out = append(out, v)
		}
	}
	return out
}

// texts returns the orders of a verb without free words, except those that a slider sets.
func (c *chooser) texts(v orders.Verb, otherwise []slider) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range v.Forms {
			for _, text := range f.Fill(mostItems, c.values) {
				given := slices.ContainsFunc(otherwise, func(s slider) bool { return s.Name == text })
				if !given && !yield(text) {
					return
				}
			}
		}
	}
}

// any reports whether a list of some verbs has items. A captain also sees orders that are not possible now.
func (c *chooser) any(section string, verbs []orders.Verb, otherwise []slider) bool {
	for _, v := range verbs {
		for text := range c.texts(v, otherwise) {
			if c.captains() {
				if _, diags := c.page.lang.Statement(section, text); len(diags) == 0 {
					return true
				}
			} else if it, ok := c.item(section, v, text); ok && it.Text != "" {
				return true
			}
		}
	}
	return false
}

// of returns the orders of a section with some verbs. Verbs without a possible order come last, once each.
func (c *chooser) of(section string, verbs []orders.Verb, otherwise []slider) (out []item) {
	var never []item
	for _, v := range verbs {
		var can, cannot []item
		for text := range c.texts(v, otherwise) {
			switch it, ok := c.item(section, v, text); {
			case !ok:
			case it.Text != "":
				can = append(can, it)
			default:
				cannot = append(cannot, it)
			}
		}
		switch {
		case len(can) == 0 && len(cannot) > 0 && c.captains(): // an officer does not see what others do
			never = append(never, item{Label: v.Name, Help: v.Doc, Why: cannot[0].Why})
		case len(can) > 0 && section == phaseSection:
			can = append(can, cannot...)
		}
		out = append(out, can...)
	}
	return append(out, never...)
}

// captains reports whether the set is that of a ship without officers.
func (c *chooser) captains() bool { return c.set.Post == "" && len(c.ship.Crew) == 0 }

// item returns one order; false if the text makes none.
func (c *chooser) item(section string, v orders.Verb, text string) (item, bool) {
	number := 0
	if section == phaseSection {
		number = c.phase
	}
	it := item{Label: text, Help: v.Doc, Ends: v.Ends}
	g, _ := c.page.block.Group(section, number)
	var gone []orders.Statement
	for _, st := range g.Statements {
		same := st.When == nil && strings.EqualFold(strings.Join(st.Words, " "), text)
		if same {
			by, ok := c.page.write(section, number, []orders.Statement{st})
			if it.On = true; c.fault(c.look(by)) == nil {
				it.Text = c.page.whole(by)
			} else {
				it.Why = "cannot be removed on its own"
			}
			return it, ok
		}
		if st.Verb == v.Name && v.Once || section == phaseSection && plainly(st) && family.Steers(orders.Statement{Verb: v.Name}) {
			gone = append(gone, st)
		}
	}
	by, ok := c.page.write(section, number, gone, text)
	if !ok {
		return it, false
	}
	if g := c.fault(c.look(by)); g != nil {
		it.Why = g.Message
		return it, true
	}
	it.Text = c.page.whole(by)
	return it, true
}

// conditional returns the order whose condition is being chosen: the one on a line, or else the last of the phase that
// can have one.
func (c *chooser) conditional(line int) (found orders.Statement, ok bool) {
	i := c.page.rank(phaseSection)
	if i < 0 || len(c.page.lang.Subjects) == 0 {
		return found, false
	}
	for _, st := range c.inPhase(func(st orders.Statement) bool {
		return slices.ContainsFunc(c.page.lang.Sections[i].Verbs, func(v orders.Verb) bool { return v.Name == st.Verb && v.When })
	}) {
		if st.Pos.Line <= line && line <= c.page.last(st) {
			return st, true
		}
		found, ok = st, true
	}
	return found, ok
}

// conditions returns the conditions that an order could have; one for each subject is checked.
func (c *chooser) conditions(st orders.Statement) (out []item) {
	offer := func(label, help string, changed orders.Statement, text string, try bool) bool {
		by, ok := c.page.write(phaseSection, c.phase, []orders.Statement{changed}, text)
		if !ok || try && c.fault(c.look(by)) != nil {
			return false
		}
		out = append(out, item{Label: label, Help: help, Text: c.page.whole(by)})
		return true
	}
	order, now := strings.Join(st.Words, " "), ""
	if st.When != nil {
		now = st.When.String()
		offer("always", "without a condition", st, order, true)
	}
	for _, s := range c.page.lang.Subjects {
		if s.Dark && !c.set.View.Dark {
			continue
		}
		n := 0
		for _, subject := range s.Form.Fill(mostItems, c.values) {
			for i, test := range tests(s, subject) {
				if n++; n > mostItems || !offer("when "+test, s.Doc, st, order+" when "+test, i == 0) {
					break
				}
				if last := &out[len(out)-1]; test == now {
					last.On, last.Label, last.Text = true, "when "+test, out[0].Text
				}
			}
		}
	}
	return out
}

// tests returns the offered tests of a subject.
func tests(s orders.Subject, subject string) (out []string) {
	numbers := func(compare, unit string, all ...int) []string {
		for _, n := range all {
			out = append(out, subject+" "+compare+" "+strconv.Itoa(n)+unit)
		}
		return out
	}
	first, _, _ := strings.Cut(subject, " ")
	switch {
	case s.Kind == orders.FlagSubject:
		return []string{subject, "not " + subject}
	case s.Kind == orders.WordSubject:
		for _, w := range s.Choices {
			out = append(out, subject+" = "+w)
		}
		return out
	case s.Kind == orders.PercentSubject:
		return numbers(">=", "%", 30, 50, 70, 90)
	case first == "range":
		return numbers("<=", "", 2, 4, 6, 8, 10, 15)
	case first == "shield":
		return numbers("<", "", 1, 5)
	case first == "facing":
		return numbers("=", "", 1, 2, 3, 4, 5, 6)
	case first == "impulse":
		return numbers(">=", "", 2, 4, 8, 16)
	}
	return numbers(">=", "", 1)
}
