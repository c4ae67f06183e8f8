package fasatest_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/orders"
)

// scribe writes orders from the table of a language: every verb in every form, with conditions. New verbs need no
// change here.
type scribe struct {
	t     *rapid.T
	lang  *orders.Language
	v     *engine.View
	sys   *ship.State
	ships []string // names that may be known or not
}

func (s *scribe) one(in int) bool { return rapid.IntRange(1, in).Draw(s.t, "whether") == 1 }

func (s *scribe) num(low, high int) int { return rapid.IntRange(low, high).Draw(s.t, "number") }

func (s *scribe) word(words ...string) string { return rapid.SampledFrom(words).Draw(s.t, "word") }

// drawText makes up an order set without first and last line, a statement a line.
func (s *scribe) drawText() []string {
	lines := []string{"luck " + s.word("owls", "rain")} // an empty set is rejected
	for _, sec := range s.lang.Sections {
		switch {
		case sec.Name == "":
			for range s.num(0, 2) {
				lines = append(lines, s.statement(sec.Verbs))
			}
		case sec.Numbered:
			for n := 1; n <= sec.Max; n++ {
				if s.one(8) {
					continue
				}
				lines = append(lines, fmt.Sprintf("%s %d", sec.Name, n))
				lines = append(lines, s.moves()...)
				for range s.num(1, 6) {
					lines = append(lines, s.statement(sec.Verbs))
				}
				lines = append(lines, "fire all at "+s.ship())
			}
		case sec.Name == "power":
			lines = append(lines, sec.Name)
			for range s.num(0, 2) {
				lines = append(lines, s.statement(sec.Verbs))
			}
			lines = append(lines, s.power()...)
		default:
			lines = append(lines, sec.Name)
			for range s.num(0, 4) {
				lines = append(lines, s.statement(sec.Verbs))
			}
		}
	}
	return slices.DeleteFunc(lines, func(l string) bool { return l == "" })
}

// power returns a plausible allotment of power.
func (s *scribe) power() []string {
	lines := []string{fmt.Sprintf("move %d points", s.num(0, 6))}
	for i := range s.sys.Banks {
		b := &s.sys.Banks[i]
		switch {
		case s.one(3):
		case b.Kind == tables.Beam:
			lines = append(lines, fmt.Sprintf("arm %s %d", b.ID, s.num(1, max(1, b.Max))))
		default:
			lines = append(lines, "arm "+b.ID)
		}
	}
	return append(lines, fmt.Sprintf("shields %d:%d %d:%d", s.num(1, 3), s.num(0, 12), s.num(4, 6), s.num(0, 12)))
}

// moves returns words for the points of a phase, in as many lines.
func (s *scribe) moves() []string {
	var lines []string
	for range s.num(0, 3) {
		lines = append(lines, "move "+s.param("WORD"))
	}
	return lines
}

func (s *scribe) statement(verbs []orders.Verb) string {
	v := verbs[s.num(0, len(verbs)-1)]
	if v.Body {
		return ""
	}
	text := s.form(string(v.Forms[s.num(0, len(v.Forms)-1)]))
	if v.When && s.one(3) {
		text += " when " + s.cond(0)
	}
	return text
}

// form fills the placeholders of a form.
func (s *scribe) form(form string) string {
	var out []string
	fields := strings.Fields(form)
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		if strings.HasPrefix(f, "[") && s.one(2) { // leave it out
			for !strings.HasSuffix(fields[i], "]") && !strings.HasSuffix(fields[i], "]...") {
				i++
			}
			continue
		}
		times := 1
		if strings.HasSuffix(f, "...") {
			times = s.num(1, 3)
		}
		f = strings.Trim(strings.TrimSuffix(f, "..."), "[]")
		f = strings.TrimSuffix(f, "...")
		for range times {
			var parts []string
			for p := range strings.SplitSeq(f, ":") {
				parts = append(parts, s.param(p))
			}
			out = append(out, strings.Join(parts, ":"))
		}
	}
	return strings.Join(out, " ")
}

// param returns a value for a placeholder, and other words unchanged.
func (s *scribe) param(name string) string {
	p, ok := s.lang.Params[name]
	if !ok {
		return name
	}
	switch p.Class {
	case orders.Number:
		switch name {
		case "SHIELD":
			return fmt.Sprint(s.num(1, 6))
		case "PHASE":
			return fmt.Sprint(s.num(1, 3))
		case "POINTS", "RANGE":
			return fmt.Sprint(s.num(0, 12))
		}
		return fmt.Sprint(s.num(0, 8))
	case orders.HexLabel:
		return fmt.Sprintf("%02d%02d", s.num(1, 15), s.num(1, 15))
	case orders.Choice:
		return s.word(p.Choices...)
	case orders.Signed:
		return s.word("+1", "-1")
	case orders.Text:
		return s.word("owls", "the late train")
	case orders.Name:
		return s.name(name)
	}
	return s.ship()
}

// name returns a name of the kind that a placeholder needs.
func (s *scribe) name(param string) string {
	var words []string
	for i := range s.sys.Banks {
		b := &s.sys.Banks[i]
		words = append(words, b.ID)
		for m := range b.Mounts {
			if len(b.Mounts) > 1 && param != "BANK" {
				words = append(words, fmt.Sprintf("%s-%d", b.ID, m+1))
			}
		}
	}
	switch param {
	case "WEAPON":
		return s.word(append(words, "all", "beams", "missiles")...)
	case "MOUNT", "BANK":
		return s.word(append(words, "nothing")...)
	case "REPAIRED":
		return s.word(append(words, "all", "none", "sensors", "shield-1", "shield-2", "shield-5", "shield-grid", "weapon-grid", "converter")...)
	case "ENGINE":
		return s.word("port", "starboard", "impulse", "warp")
	}
	return s.ship()
}

func (s *scribe) ship() string {
	return s.word(append(slices.Clone(s.ships), "nearest", "locked", "nobody")...)
}

func (s *scribe) cond(depth int) string {
	if depth < 2 && s.one(3) {
		return fmt.Sprintf("(%s %s %s)", s.cond(depth+1), s.word("and", "or"), s.cond(depth+1))
	}
	if depth < 3 && s.one(4) {
		return "not " + s.cond(depth+1)
	}
	sub := s.lang.Subjects[s.num(0, len(s.lang.Subjects)-1)]
	text, compare := s.form(string(sub.Form)), s.word("<", "<=", "=", ">=", ">")
	switch sub.Kind {
	case orders.NumberSubject:
		return fmt.Sprintf("%s %s %d", text, compare, s.num(0, 12))
	case orders.PercentSubject:
		return fmt.Sprintf("%s %s %d%%", text, compare, s.num(0, 100))
	case orders.WordSubject:
		return text + " = " + s.word(append(slices.Clone(sub.Choices), "aft")...)
	case orders.FlagSubject:
	}
	return text
}

// source returns lines of orders with first and last line.
func (s *scribe) source(ship engine.ShipID, lines []string) string {
	return fmt.Sprintf("#orders game turn %d ship %s\n%s\n#end\n", s.v.Due, s.v.Name(ship), strings.Join(lines, "\n"))
}

// drawValid makes up an order set and removes invalid lines.
func (s *scribe) drawValid(r *engine.Rules, ship engine.ShipID) orders.Block {
	return s.valid(r, ship, s.drawText())
}

// valid removes rejected lines from orders, one by one, until all are valid.
func (s *scribe) valid(r *engine.Rules, ship engine.ShipID, lines []string) orders.Block {
	for range 200 {
		text := s.source(ship, lines)
		blocks, diags := orders.Parse([]byte(text), r.Language)
		if len(blocks) == 1 {
			diags = append(diags, r.Check(s.v, ship, blocks[0]).Diagnostics...)
		}
		if len(blocks) == 1 && !orders.HasErrors(diags) {
			return blocks[0]
		}
		i := slices.IndexFunc(diags, func(d orders.Diagnostic) bool { return d.Severity == orders.Error })
		line := diags[i].Pos.Line - 2 // after the first line
		if diags[i].Code == "E129" {  // nothing is left
			lines = []string{"power", "  move 0"}
			continue
		}
		if line < 0 || line >= len(lines) {
			s.t.Fatalf("an error outside the orders: %v\n%s", diags, text)
		}
		lines = slices.Delete(lines, line, line+1)
	}
	s.t.Fatalf("nothing valid is left of the orders of %s", ship)
	return orders.Block{}
}
