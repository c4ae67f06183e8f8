package enginetest

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
)

// scenario writes the given section as a scenario file, with the captains who hold posts,
// by the names of their order sets, and fails on what it does not understand.
func (c *Case) scenario(rules string) (text string, crew map[string]engine.CaptainName, bad []Failure) {
	g := &given{crew: map[string]engine.CaptainName{}}
	for _, l := range c.Given {
		if err := g.line(l.Text); err != nil {
			g.bad = append(g.bad, Failure{l.No, err.Error()})
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "format = 1\nname = \"case\"\ntitle = %q\nrules = %q\n", c.Title, rules)
	for _, part := range [][]string{g.head, g.bounds} {
		for _, l := range part {
			b.WriteString(l + "\n")
		}
	}
	for _, s := range append(g.blind, g.files...) {
		b.WriteString(s)
	}
	if len(g.options) > 0 {
		b.WriteString("[options]\n" + strings.Join(g.options, "\n") + "\n")
	}
	for _, s := range g.sides {
		fmt.Fprintf(&b, "[[side]]\nid = %q\nname = %q\n", s[0], s[1])
	}
	for _, s := range g.ships {
		b.WriteString("[[ship]]\n" + s)
	}
	for _, s := range g.terrain {
		b.WriteString("[[terrain]]\n" + s)
	}
	for _, s := range g.goals {
		b.WriteString("[[victory]]\n" + s)
	}
	return b.String(), g.crew, g.bad
}

type given struct {
	head, bounds, options []string
	sides                 [][2]string
	ships, terrain, goals []string
	blind, files          []string
	crew                  map[string]engine.CaptainName
	bad                   []Failure
}

func (g *given) line(text string) error {
	ws, err := words(text)
	if err != nil {
		return err
	}
	rest := ws[1:]
	need := func(n int, usage string) error {
		if len(rest) < n {
			return fmt.Errorf("write: %s", usage)
		}
		return nil
	}
	switch ws[0] {
	case "option":
		if err := need(2, "option NAME VALUE"); err != nil {
			return err
		}
		g.options = append(g.options, fmt.Sprintf("%s = %s", rest[0], tomlValue(rest[1])))
	case "bounds":
		if err := need(2, "bounds COLUMNS ROWS"); err != nil {
			return err
		}
		g.bounds = []string{"[bounds]", "columns = " + rest[0], "rows = " + rest[1]}
	case "last":
		if err := need(1, "last TURN"); err != nil {
			return err
		}
		g.head = append(g.head, "last_turn = "+rest[0])
	case "blind":
		dark := []string{"[blind]"}
		for _, w := range rest {
			key, value, ok := strings.Cut(w, "=")
			if !ok {
				return fmt.Errorf("%q is no key=value", w)
			}
			dark = append(dark, fmt.Sprintf("%s = %s", key, tomlValue(value)))
		}
		g.blind = []string{strings.Join(dark, "\n") + "\n"}
	case "file":
		if err := need(2, "file NAME SHIP [UNITS]"); err != nil {
			return err
		}
		file := fmt.Sprintf("[[file]]\nname = %q\nship = %q\n", rest[0], rest[1])
		if len(rest) > 2 {
			file += "units = " + rest[2] + "\n"
		}
		g.files = append(g.files, file)
	case "side":
		if err := need(1, "side ID NAME"); err != nil {
			return err
		}
		name := strings.Join(rest[1:], " ")
		if name == "" {
			name = rest[0]
		}
		g.sides = append(g.sides, [2]string{rest[0], name})
	case "ship":
		if err := need(5, "ship NAME SIDE CLASS HEX HEADING [KEY=VALUE ...]"); err != nil {
			return err
		}
		return g.ship(rest)
	case "goal":
		if err := need(2, "goal SIDE WHEN [KEY=VALUE ...]"); err != nil {
			return err
		}
		var goal strings.Builder
		fmt.Fprintf(&goal, "side = %q\nwhen = %q\n", rest[0], rest[1])
		for _, w := range rest[2:] {
			key, value, ok := strings.Cut(w, "=")
			if !ok {
				return fmt.Errorf("%q is no key=value", w)
			}
			fmt.Fprintf(&goal, "%s = %s\n", key, tomlValue(value))
		}
		g.goals = append(g.goals, goal.String())
	case "terrain":
		if err := need(2, "terrain KIND KEY=VALUE ..."); err != nil {
			return err
		}
		return g.feature(rest)
	default:
		return fmt.Errorf("%q is nothing that can be given: option, bounds, last, blind, file, side, ship, terrain, goal", ws[0])
	}
	return nil
}

func (g *given) ship(rest []string) error {
	if !slices.ContainsFunc(g.sides, func(s [2]string) bool { return s[0] == rest[1] }) {
		g.sides = append(g.sides, [2]string{rest[1], rest[1]})
	}
	var ship, repair, state, dark strings.Builder
	fmt.Fprintf(&ship, "name = %q\nside = %q\nclass = %q\nhex = %q\nheading = %q\n", rest[0], rest[1], rest[2], rest[3], rest[4])
	for _, w := range rest[5:] {
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			return fmt.Errorf("%q is no key=value", w)
		}
		if post, crewed := strings.CutPrefix(key, "crew."); crewed {
			g.crew[engine.OrderSetName(rest[0], post)] = engine.CaptainName(value)
			continue
		}
		into := &repair
		switch key {
		case "title", "short", "captain", "arrives", "value", "as":
			into = &ship
		}
		if named, is := strings.CutPrefix(key, "state."); is {
			into, key = &state, named
		} else if named, is := strings.CutPrefix(key, "blind."); is {
			into, key = &dark, named
		}
		fmt.Fprintf(into, "%s = %s\n", key, tomlValue(value))
	}
	if repair.Len() > 0 {
		ship.WriteString("[ship.repair]\n" + repair.String())
	}
	if state.Len() > 0 {
		ship.WriteString("[ship.state]\n" + state.String())
	}
	if dark.Len() > 0 {
		ship.WriteString("[ship.blind]\n" + dark.String())
	}
	g.ships = append(g.ships, ship.String())
	return nil
}

// feature writes a feature; keys that begin with "figure." are its figures.
func (g *given) feature(rest []string) error {
	var feature, figure strings.Builder
	fmt.Fprintf(&feature, "kind = %q\n", rest[0])
	for _, w := range rest[1:] {
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			return fmt.Errorf("%q is no key=value", w)
		}
		if named, is := strings.CutPrefix(key, "figure."); is {
			fmt.Fprintf(&figure, "%s = %s\n", named, tomlValue(value))
			continue
		}
		if key == "at" && !strings.HasPrefix(value, `"`) {
			value = `"` + value + `"`
		}
		fmt.Fprintf(&feature, "%s = %s\n", key, tomlValue(value))
	}
	if figure.Len() > 0 {
		feature.WriteString("[terrain.figure]\n" + figure.String())
	}
	g.terrain = append(g.terrain, feature.String())
	return nil
}

// tomlValue quotes a word unless it is a number, a truth, a list or quoted already.
func tomlValue(w string) string {
	if w == "true" || w == "false" || strings.HasPrefix(w, "[") || strings.HasPrefix(w, `"`) {
		return w
	}
	digits := strings.TrimPrefix(w, "-")
	if digits != "" && strings.Trim(digits, "0123456789") == "" {
		return w
	}
	return fmt.Sprintf("%q", w)
}
