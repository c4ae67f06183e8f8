package compose

import (
	"slices"
	"strconv"
	"strings"

	"starpost/orders"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
)

// figure is a number in an order of the power section: its verb, its form, and what it is for.
type figure struct {
	verb orders.Verb
	form orders.Form
	orders.Figure
	of string
}

// name returns the name of its slider: the words before its number.
func (f figure) name() string { return wordsOf(f.form, f.Of, f.of) }

// wordsOf returns the words of a form, with of for its placeholder and nothing for the others.
func wordsOf(form orders.Form, placeholder, of string) string {
	words := []string{}
	for _, w := range form.Fill(1, func(p string) []string {
		if p == placeholder {
			return []string{of}
		}
		return []string{""}
	}) {
		words = append(words, strings.Fields(strings.ReplaceAll(w, ":", " "))...)
	}
	return strings.Join(words, " ")
}

// figures returns the figures of the section. A verb that is given once has one form: the one in use, even without its
// number, or else the first.
func (c *chooser) figures() (out []figure) {
	i := c.page.rank(powerSection)
	if i < 0 || c.set.View.DueRound() > 1 {
		return nil
	}
	g, _ := c.page.block.Group(powerSection, 0)
	for _, v := range c.page.lang.Sections[i].Verbs {
		said := g.All(v.Name)
		taken := false
		other := func(form orders.Form) bool {
			return len(said) > 0 && v.Forms[said[0].Form] != form && wordsOf(v.Forms[said[0].Form], "", "") != wordsOf(form, "", "")
		}
		for _, form := range v.Forms {
			fig, ok := form.Figure(c.page.lang.Params)
			if !ok || len(c.names(fig.Number)) > 0 || v.Once && (taken || other(form)) {
				continue
			}
			taken = true
			if fig.Of == "" {
				out = append(out, figure{v, form, fig, ""})
				continue
			}
			for _, of := range c.names(fig.Of) {
				out = append(out, figure{v, form, fig, of})
			}
		}
	}
	return out
}

// said returns the order that gives a figure, and the number.
func (c *chooser) said(f figure) (st orders.Statement, value int, found bool) {
	g, _ := c.page.block.Group(powerSection, 0)
	for _, st := range g.All(f.verb.Name) {
		if f.verb.Forms[st.Form] != f.form {
			continue
		}
		numbers, of := st.All(f.Number), st.All(f.Of)
		switch {
		case f.Of == "":
			if len(numbers) > 0 {
				return st, numbers[0].Num, true
			}
		case f.Pair:
			for i, a := range of {
				if strings.EqualFold(a.Text, f.of) && i < len(numbers) {
					return st, numbers[i].Num, true
				}
			}
		case len(of) > 0 && strings.EqualFold(of[0].Text, f.of):
			if len(numbers) == 0 {
				return st, 1, true
			}
			for _, n := range numbers {
				value = max(value, n.Num)
			}
			return st, value, true
		}
	}
	return orders.Statement{}, 0, false
}

// text returns the order that gives only this number.
func (f figure) text(value int) string {
	number := strconv.Itoa(value)
	text := f.form.Fill(1, func(placeholder string) []string {
		if placeholder == f.Number {
			return []string{number}
		}
		return []string{f.of}
	})[0]
	if f.Of != "" && !f.Pair {
		text += " " + number
	}
	return text
}

// give returns the change that sets a number; 0 removes the order, or keeps it without the number if it is valid so.
func (c *chooser) give(f figure, value int) (change, bool) {
	st, _, found := c.said(f)
	g, _ := c.page.block.Group(powerSection, 0)
	if !f.Pair {
		var gone []orders.Statement
		if all := g.All(f.verb.Name); found {
			gone = append(gone, st)
		} else if f.verb.Once {
			gone = all
		}
		if value > 0 {
			text := f.text(value)
			if c.scale(f).alone {
				text = f.name()
			}
			return c.page.write(powerSection, 0, gone, text)
		}
		if f.Of == "" && f.name() != f.verb.Name {
			if by, ok := c.page.write(powerSection, 0, gone, f.name()); ok {
				return by, true
			}
		}
		return c.page.write(powerSection, 0, gone)
	}
	for _, o := range g.All(f.verb.Name) {
		if !found && f.verb.Forms[o.Form] == f.form {
			st = o
			break
		}
	}
	pairs, put := []string{f.verb.Name}, false
	of, numbers := st.All(f.Of), st.All(f.Number)
	for i := range min(len(of), len(numbers)) {
		n := numbers[i].Num
		if strings.EqualFold(of[i].Text, f.of) {
			n, put = value, true
		}
		if n > 0 {
			pairs = append(pairs, of[i].Text+":"+strconv.Itoa(n))
		}
	}
	if !put && value > 0 {
		pairs = append(pairs, f.of+":"+strconv.Itoa(value))
	}
	slices.Sort(pairs[1:])
	var gone []orders.Statement
	if st.Verb != "" {
		gone = append(gone, st)
	}
	if len(pairs) == 1 {
		return c.page.write(powerSection, 0, gone)
	}
	return c.page.write(powerSection, 0, gone, strings.Join(pairs, " "))
}

// sliders returns the numbers of the power section, each with its maximum if nothing else were ordered: together they
// may be too much, which the check reports. An order without a number is 0 or 1.
func (c *chooser) sliders() []slider {
	out := []slider{}
	for _, f := range c.figures() {
		st, value, _ := c.said(f)
		to := c.scale(f)
		if to.most == 0 {
			continue
		}
		s := slider{Name: f.name(), Max: max(to.most, value), Step: to.step, Value: value, Line: st.Pos.Line}
		if value%s.Step != 0 {
			s.Step = 1 // as the captain wrote it
		}
		for _, u := range c.set.Checked.Power.Uses {
			if u.Line == s.Line && s.Line > 0 && !f.Pair {
				s.Cost += u.Power
			}
		}
		out = append(out, s)
	}
	return out
}

// scale is the range of a number, and its step.
type scale struct {
	most, step int
	alone      bool // the order has no number: it is given or not
}

// scale returns the scale of a figure in an otherwise empty set.
func (c *chooser) scale(f figure) scale {
	name := c.seat() + f.name()
	to, known := c.desk.scales[name]
	if known {
		return to
	}
	if to = (scale{1, 1, true}); f.Of == "" || f.Pair || !c.takes(f.name(), orders.Error) {
		to = scale{most: c.most(f), step: 1}
		for n := 1; n <= min(to.most, mostStep); n++ {
			if c.takes(f.text(n), orders.Warning) {
				to.step = n
				break
			}
		}
	}
	c.desk.scales[name] = to
	return to
}

// mostStep limits the search for the smallest number that wastes nothing.
const mostStep = 10

func (c *chooser) seat() string { return string(c.ship.ID) + " " + c.set.Post + " " }

// alone checks a set with only one order of the power section.
func (c *chooser) alone(text string) (set orderset.Set, ok bool) {
	read := c.desk.read(report.OrderBlock(c.set.View, c.ship, c.set.Post, "", orders.Set{{Name: powerSection, Orders: []orders.Order{orders.Say(text)}}}))
	if len(read.Sets) == 0 {
		return set, false
	}
	return read.Sets[0], true
}

// takes reports whether an order on its own causes no remark of a severity or worse.
func (c *chooser) takes(text string, severity orders.Severity) bool {
	s, ok := c.alone(text)
	g, _ := s.Block.Group(powerSection, 0)
	return ok && len(g.Statements) == 1 && !slices.ContainsFunc(s.Diagnostics, func(o orders.Diagnostic) bool {
		return (o.Severity == orders.Error || o.Severity == severity) && o.Pos.Line == g.Statements[0].Pos.Line
	})
}

// most returns the maximum in an otherwise empty set; 0 for none.
func (c *chooser) most(f figure) (most int) {
	takes := func(n int) bool { return c.takes(f.text(n), orders.Error) }
	step := 1
	for ; step <= mostGiven && takes(most+step); step *= 2 {
		most += step
	}
	for step /= 2; step > 0; step /= 2 {
		if takes(most + step) {
			most += step
		}
	}
	if most > mostGiven { // only the total is known
		s, _ := c.alone(f.text(most))
		return s.Checked.Power.Have
	}
	return most
}

// mostGiven limits the search for the maximum.
const mostGiven = 1 << 10

// setting is a text with another number in it.
type setting struct {
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

// setNumber sets a number in the orders, as a slider does.
func (d *Desk) setNumber(r request) (any, error) {
	c, err := d.chooser(r)
	if err != nil {
		return nil, err
	}
	for _, f := range c.figures() {
		if f.name() != r.Name {
			continue
		}
		by, ok := c.give(f, max(0, r.Value))
		if !ok {
			return nil, refuse("", "%s cannot be %d", r.Name, r.Value)
		}
		return setting{true, c.page.whole(by)}, nil
	}
	return nil, refuse("", "there is no number %q for %s", r.Name, c.ship.Name)
}
