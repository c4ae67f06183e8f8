package design

import (
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/fault"
)

// block is the lines of one ship in a scenario's text, from its head to the next table that is not a part of it.
type block struct {
	from, to int
	name     string
}

// blocks finds the ships.
func blocks(lines []string) (out []block) {
	for i, line := range lines {
		line = strings.TrimSpace(line)
		open := len(out) - 1
		switch {
		case line == "[[ship]]":
			if open >= 0 && out[open].to == 0 {
				out[open].to = i
			}
			out = append(out, block{from: i})
		case open < 0 || out[open].to != 0:
		case strings.HasPrefix(line, "[") && !strings.HasPrefix(line, "[ship."):
			out[open].to = i
		case keyOf(line) == "name" && out[open].name == "":
			_, value, _ := strings.Cut(line, "=")
			out[open].name = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	if n := len(out); n > 0 && out[n-1].to == 0 {
		out[n-1].to = len(lines)
	}
	return out
}

func keyOf(line string) string {
	key, _, ok := strings.Cut(line, "=")
	if !ok {
		return ""
	}
	return strings.TrimSpace(key)
}

// acted returns the text after the requested edit. All other lines stay unchanged.
func acted(text string, r Request) (string, error) {
	for _, word := range []string{r.Ship, r.Hex, r.Heading, r.Side, r.Class} {
		if strings.ContainsAny(word, "\"\\\r\n") || len(word) > 80 {
			return text, fault.New("choose a shorter one without quotes", "%q is not valid in a scenario", word)
		}
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	ships := blocks(lines)
	if r.Act == actAdd {
		return strings.Join(added(lines, ships, r), "\n") + "\n", nil
	}
	i := slices.IndexFunc(ships, func(b block) bool { return b.name == r.Ship })
	if i < 0 {
		var names []string
		for _, b := range ships {
			names = append(names, b.name)
		}
		return text, fault.New(orders.DidYouMean("%q", r.Ship, names, "add one first"), "the scenario has no ship %q", r.Ship)
	}
	switch r.Act {
	case actPut:
		lines = set(lines, ships[i], "hex", r.Hex)
	case actTurn:
		lines = set(lines, ships[i], "heading", r.Heading)
	case actRemove:
		lines = slices.Delete(lines, ships[i].from, ships[i].to)
	default:
		return text, fault.New("", "the page asked for %q, which is unknown", r.Act)
	}
	return strings.Join(lines, "\n") + "\n", nil
}

// set sets a key of a ship.
func set(lines []string, b block, key, value string) []string {
	line := fmt.Sprintf("%s = %q", key, value)
	for i := b.from + 1; i < b.to && !strings.HasPrefix(strings.TrimSpace(lines[i]), "["); i++ {
		if keyOf(lines[i]) == key {
			lines[i] = line
			return lines
		}
	}
	return slices.Insert(lines, b.from+1, line)
}

// added returns the lines with one more ship, after the existing ones, or before the victory conditions.
func added(lines []string, ships []block, r Request) []string {
	name := r.Ship
	for n := 1; name == "" || slices.ContainsFunc(ships, func(b block) bool { return strings.EqualFold(b.name, name) }); n++ {
		name = fmt.Sprintf("Ship-%d", n)
	}
	at := len(lines)
	if n := len(ships); n > 0 {
		at = ships[n-1].to
	} else if i := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "[[victory]]" }); i >= 0 {
		at = i
	}
	more := []string{
		"[[ship]]", fmt.Sprintf("name = %q", name), fmt.Sprintf("side = %q", r.Side), fmt.Sprintf("class = %q", r.Class),
		fmt.Sprintf("hex = %q", r.Hex), fmt.Sprintf("heading = %q", r.Heading), "",
	}
	if at == len(lines) {
		more = append([]string{""}, more...)
	}
	return slices.Insert(lines, at, more...)
}
