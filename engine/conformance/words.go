package conformance

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// words splits a line at spaces outside quotes and brackets. It keeps the quotes.
func words(text string) ([]string, error) {
	var out []string
	var word strings.Builder
	depth, quoted, inside := 0, false, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\' && i+1 < len(text):
			word.WriteByte(c)
			i++
			c = text[i]
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ' ' && depth == 0:
			if inside {
				out = append(out, word.String())
			}
			word.Reset()
			inside = false
			continue
		}
		inside = true
		word.WriteByte(c)
	}
	if quoted || depth != 0 {
		return nil, fmt.Errorf("a quote or bracket is not closed")
	}
	if inside {
		out = append(out, word.String())
	}
	return out, nil
}

// unquote removes the quotes of a quoted value.
func unquote(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	u, err := strconv.Unquote(s)
	if err != nil {
		return "", fmt.Errorf("%s is not well quoted", s)
	}
	return u, nil
}

// demand is one field=value of an expectation.
type demand struct {
	Path  string `json:"path"`
	Op    string `json:"op"` // = equal, ~ contains, != not equal
	Value string `json:"value"`
}

func parseDemand(word string) (demand, error) {
	i := strings.IndexAny(word, "=~")
	if i < 1 {
		return demand{}, fmt.Errorf("%q is no field=value, field~value or field!=value", word)
	}
	d := demand{Path: word[:i], Op: word[i : i+1]}
	if d.Op == "=" && strings.HasSuffix(d.Path, "!") {
		d.Path, d.Op = strings.TrimSuffix(d.Path, "!"), "!="
	}
	var err error
	d.Value, err = unquote(word[i+1:])
	return d, err
}

func parseDemands(ws []string) ([]demand, error) {
	var out []demand
	for _, w := range ws {
		d, err := parseDemand(w)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// fields converts a value to generic JSON for comparison.
func fields(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		return nil, err
	}
	return out, nil
}

// at follows a path; false if it leads nowhere.
func at(v any, path string) (any, bool) {
	for step := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[step]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n < 1 || n > len(x) {
				return nil, false
			}
			v = x[n-1]
		default:
			return nil, false
		}
	}
	return v, true
}

// say returns a JSON value in the form of expectations.
func say(v any) string {
	switch x := v.(type) {
	case nil:
		return "none"
	case string:
		return x
	case []any:
		parts := make([]string, len(x))
		for i, e := range x {
			parts[i] = say(e)
		}
		return strings.Join(parts, ",")
	case map[string]any:
		data, err := json.Marshal(x)
		if err != nil {
			return err.Error()
		}
		return string(data)
	}
	return fmt.Sprint(v)
}

// met reports whether a demand is met by a value, and returns what the value is instead.
func (d demand) met(v any) (bool, string) {
	found, ok := at(v, d.Path)
	text := say(found)
	equal := ok && text == d.Value
	if !ok || found == nil {
		text = "none"
		equal = d.Value == "none" || d.Value == "0" || d.Value == "false" || d.Value == ""
	}
	switch d.Op {
	case "~":
		return strings.Contains(text, d.Value), text
	case "!=":
		return !equal, text
	}
	return equal, text
}

// allMet returns the demands that a value does not meet, in words.
func allMet(v any, demands []demand) []string {
	var out []string
	for _, d := range demands {
		if ok, text := d.met(v); !ok {
			out = append(out, fmt.Sprintf("%s is %s, expected %s%s", d.Path, text, strings.Replace(d.Op, "=", "", 1), d.Value))
		}
	}
	return out
}
