package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// table is a part of a scenario file, by its keys.
type table = map[string]any

// scenario converts the given section to the tables of a scenario file. It also returns the captains who hold
// posts, by the names of their order sets, and the lines that it does not understand.
func (c *Case) scenario(rules string) (sc table, captains map[string]string, bad []Failure) {
	g := &given{top: table{"format": int64(1), "name": "case", "title": c.Title, "rules": rules}, captains: map[string]string{}}
	for _, l := range c.Given {
		if err := g.line(l.Text); err != nil {
			bad = append(bad, Failure{l.No, err.Error()})
		}
	}
	return g.top, g.captains, bad
}

// scenarioFile encodes the tables of a scenario as a file.
func scenarioFile(sc table) ([]byte, error) {
	whole, err := numbers(sc)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(whole); err != nil {
		return nil, fmt.Errorf("write the scenario: %w", err)
	}
	return b.Bytes(), nil
}

// numbers converts JSON numbers to integers, as scenario files have them.
func numbers(v any) (any, error) {
	var err error
	switch x := v.(type) {
	case json.Number:
		return x.Int64()
	case table:
		out := table{}
		for k, e := range x {
			if out[k], err = numbers(e); err != nil {
				return nil, fmt.Errorf("%s: %w", k, err)
			}
		}
		return out, nil
	case []table:
		out := make([]any, len(x))
		for i, e := range x {
			if out[i], err = numbers(e); err != nil {
				return nil, err
			}
		}
		return out, nil
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			if out[i], err = numbers(e); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

type given struct {
	top      table
	captains map[string]string
}

// part returns the table of a name, which is empty at first.
func (g *given) part(name string) table {
	if g.top[name] == nil {
		g.top[name] = table{}
	}
	return g.top[name].(table)
}

// add appends a table to the list of a name.
func (g *given) add(name string, t table) {
	list, _ := g.top[name].([]table)
	g.top[name] = append(list, t)
}

// forms returns the forms of lines in a given section.
func forms() map[string]string {
	return map[string]string{
		"option": "option NAME VALUE", "bounds": "bounds COLUMNS ROWS", "last": "last TURN", "blind": "blind [KEY=VALUE ...]",
		"file": "file NAME SHIP [UNITS]", "side": "side ID [NAME]", "ship": "ship NAME SIDE CLASS HEX HEADING [KEY=VALUE ...]",
		"goal": "goal SIDE WHEN [KEY=VALUE ...]", "terrain": "terrain KIND KEY=VALUE ...",
	}
}

func (g *given) line(text string) error {
	ws, err := words(text)
	if err != nil {
		return err
	}
	form, known := forms()[ws[0]]
	if !known {
		return fmt.Errorf("%q is nothing that can be given: option, bounds, last, blind, file, side, ship, terrain, goal", ws[0])
	}
	needed, _, _ := strings.Cut(form, " [")
	if rest := ws[1:]; len(rest) < len(strings.Fields(strings.TrimSuffix(needed, " KEY=VALUE ...")))-1 {
		return fmt.Errorf("write: %s", form)
	}
	return g.take(ws[0], ws[1:])
}

// take handles a line that has the words it needs.
func (g *given) take(kind string, rest []string) error {
	var err error
	switch kind {
	case "option":
		g.part("options")[rest[0]], err = value(rest[1])
	case "bounds":
		bounds := g.part("bounds")
		if bounds["columns"], err = value(rest[0]); err == nil {
			bounds["rows"], err = value(rest[1])
		}
	case "last":
		g.top["last_turn"], err = value(rest[0])
	case "blind":
		err = assign(rest, func(string) table { return g.part("blind") })
		g.part("blind")
	case "file":
		file := table{"name": rest[0], "ship": rest[1]}
		if len(rest) > 2 {
			file["units"], err = value(rest[2])
		}
		g.add("file", file)
	case "side":
		name := strings.Join(rest[1:], " ")
		if name == "" {
			name = rest[0]
		}
		g.add("side", table{"id": rest[0], "name": name})
	case "ship":
		err = g.ship(rest)
	case "goal":
		goal := table{"side": rest[0], "when": rest[1]}
		err = assign(rest[2:], func(string) table { return goal })
		g.add("victory", goal)
	case "terrain":
		err = g.feature(rest)
	}
	return err
}

// assign sets each key=value in its table. The part of a key before its first dot names a table that into knows or,
// failing that, a table inside the one for keys without a dot.
func assign(ws []string, into func(prefix string) table) error {
	for _, w := range ws {
		key, text, ok := strings.Cut(w, "=")
		if !ok {
			return fmt.Errorf("%q is no key=value", w)
		}
		v, err := value(text)
		if err != nil {
			return err
		}
		if prefix, named, dotted := strings.Cut(key, "."); dotted {
			t := into(prefix)
			if t == nil {
				t, _ = into("")[prefix].(table)
			}
			if t == nil {
				t = table{}
				into("")[prefix] = t
			}
			t[named] = v
			continue
		}
		into("")[key] = v
	}
	return nil
}

func (g *given) ship(rest []string) error {
	sides, _ := g.top["side"].([]table)
	if !slices.ContainsFunc(sides, func(s table) bool { return s["id"] == rest[1] }) {
		g.add("side", table{"id": rest[1], "name": rest[1]})
	}
	ship := table{"name": rest[0], "side": rest[1], "class": rest[2], "hex": rest[3], "heading": rest[4]}
	under := map[string]table{"": {}, "state": {}, "blind": {}, "crew": {}}
	if err := assign(rest[5:], func(prefix string) table { return under[prefix] }); err != nil {
		return err
	}
	for _, key := range []string{"title", "short", "captain", "arrives", "value", "as"} {
		if v, has := under[""][key]; has {
			ship[key] = v
			delete(under[""], key)
		}
	}
	for post, captain := range under["crew"] {
		g.captains[rest[0]+"."+post] = fmt.Sprint(captain)
	}
	for prefix, key := range map[string]string{"": "repair", "state": "state", "blind": "blind"} {
		if len(under[prefix]) > 0 {
			ship[key] = under[prefix]
		}
	}
	g.add("ship", ship)
	return nil
}

// feature adds a feature; keys that begin with "figure." are its figures.
func (g *given) feature(rest []string) error {
	feature, figure := table{}, table{}
	keys := slices.Clone(rest[1:])
	for i, w := range keys {
		if at, is := strings.CutPrefix(w, "at="); is && !strings.HasPrefix(at, `"`) {
			keys[i] = fmt.Sprintf("at=%q", at) // a hex is a string, although it is made of digits
		}
	}
	err := assign(keys, func(prefix string) table {
		return map[string]table{"": feature, "figure": figure}[prefix]
	})
	if feature["kind"] = rest[0]; len(figure) > 0 {
		feature["figure"] = figure
	}
	g.add("terrain", feature)
	return err
}

// value parses a number, a boolean, a list or a quoted string; anything else is a plain string.
func value(w string) (any, error) {
	switch {
	case w == "true" || w == "false":
		return w == "true", nil
	case strings.HasPrefix(w, `"`):
		return unquote(w)
	case strings.HasPrefix(w, "["):
		dec := json.NewDecoder(strings.NewReader(w))
		dec.UseNumber()
		var list []any
		if err := dec.Decode(&list); err != nil || dec.More() {
			return nil, fmt.Errorf("%s is no list such as [1,2] or [\"1010\"]", w)
		}
		return list, nil
	}
	if digits := strings.TrimPrefix(w, "-"); digits != "" && strings.Trim(digits, "0123456789") == "" {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is too large a number", w)
		}
		return n, nil
	}
	return w, nil
}
