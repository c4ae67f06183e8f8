package design

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"starpost/engine/family"
	"starpost/orders"
	"starpost/pbem/fault"
)

// The names of the two files in requests.
const (
	fileScenario = "scenario"
	fileClasses  = "classes"
)

// Section is a table of a file as a form: its lines with a single value.
type Section struct {
	File   string  `json:"file"`
	Line   int     `json:"line"`  // of its head, from 1; 0: the lines before the first head
	Title  string  `json:"title"` // "side red"
	Fields []Field `json:"fields"`
	More   bool    `json:"more"` // it can be copied and removed
}

// Field is one such line. Value is a text without its quotes, or anything else unchanged.
type Field struct {
	Line  int    `json:"line"`
	Key   string `json:"key"`
	Value string `json:"value"`
}

// mostField limits a value, in bytes.
const mostField = 400

// forms returns the tables of a file.
func forms(file, text string) (out []Section) {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	out = append(out, Section{File: file, Title: file, Fields: []Field{}})
	until := "" // the end of a value of several lines
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case until != "":
			if strings.Contains(line, until) {
				until = ""
			}
		case strings.HasPrefix(trimmed, "["):
			title := strings.ReplaceAll(strings.Trim(headOf(trimmed), "[]"), ".", " ")
			out = append(out, Section{File: file, Line: i + 1, Title: title, Fields: []Field{}, More: severalOf(trimmed)})
		default:
			v, several := valueOf(line)
			until = several
			if v.ok {
				s := &out[len(out)-1]
				s.Fields = append(s.Fields, Field{i + 1, keyOf(line), v.text})
				if key := keyOf(line); (key == "name" || key == "id") && len(s.Fields) == 1 && strings.HasPrefix(lineAt(text, s.Line), "[[") {
					s.Title += " " + v.text
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(s Section) bool { return len(s.Fields) == 0 })
}

// headOf returns the head of a table without a comment after it.
func headOf(line string) string { return line[:strings.LastIndexByte(line, ']')+1] }

// severalOf reports whether there may be several tables with such a head: [[side]],
// [designs.corsair].
func severalOf(head string) bool {
	return strings.HasPrefix(head, "[[") || strings.HasPrefix(head, "[designs.") || strings.HasPrefix(head, "[weapons.")
}

func lineAt(text string, n int) string {
	lines := strings.Split(text, "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

// value is the value of a line, and its position.
type value struct {
	from, to int
	text     string
	quoted   bool
	ok       bool // it is complete on this line
}

// valueOf reads a line "key = value # comment". several is the end of a value that continues below.
func valueOf(line string) (v value, several string) {
	if keyOf(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#") {
		return v, ""
	}
	v.from = strings.IndexByte(line, '=') + 1
	v.from += len(line[v.from:]) - len(strings.TrimLeft(line[v.from:], " \t"))
	rest := line[v.from:]
	switch {
	case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
		if strings.Contains(rest[3:], rest[:3]) {
			return v, ""
		}
		return v, rest[:3]
	case strings.HasPrefix(rest, "["):
		end := strings.LastIndexByte(rest, ']') + 1
		if end == 0 {
			return v, "]"
		}
		v.to = v.from + end
	case strings.HasPrefix(rest, `"`):
		end := 1
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(rest) {
			return v, ""
		}
		v.to, v.quoted = v.from+end+1, true
		var err error
		if v.text, err = strconv.Unquote(rest[:end+1]); err != nil {
			return v, ""
		}
		v.ok = true
		return v, ""
	default:
		code, _, _ := strings.Cut(rest, "#")
		v.to = v.from + len(strings.TrimRight(code, " \t\r"))
	}
	v.text, v.ok = line[v.from:v.to], v.to > v.from
	return v, ""
}

// filled makes a form's edit in one of the files.
func filled(text string, r Request) (string, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if r.Line < 1 || r.Line > len(lines) {
		return text, fault.New("", "the file has no line %d", r.Line)
	}
	if strings.ContainsFunc(r.Value, unicode.IsControl) || len(r.Value) > mostField {
		return text, fault.New("write it into the file", "a field holds one short line")
	}
	at := r.Line - 1
	switch r.Act {
	case actField:
		v, _ := valueOf(lines[at])
		if !v.ok {
			return text, fault.New("", "line %d holds no value that a form can change", r.Line)
		}
		put := r.Value
		if v.quoted {
			put = strconv.Quote(put)
		}
		lines[at] = lines[at][:v.from] + put + lines[at][v.to:]
	case actCopy, actDrop:
		head := strings.TrimSpace(lines[at])
		if !severalOf(head) {
			return text, fault.New("", "line %d does not begin a part that can be duplicated", r.Line)
		}
		end := at + 1
		for end < len(lines) && (!strings.HasPrefix(strings.TrimSpace(lines[end]), "[") || partOf(strings.TrimSpace(lines[end]), head)) {
			end++
		}
		if r.Act == actDrop {
			lines = slices.Delete(lines, at, end)
			break
		}
		more := slices.Clone(lines[at:end])
		if more[len(more)-1] != "" {
			more = append([]string{""}, more...)
		}
		lines = slices.Insert(lines, end, renamed(more, headOf(head))...)
	}
	return strings.Join(lines, "\n") + "\n", nil
}

// partOf reports whether a head is that of a subtable of another: [ship.state] of [[ship]].
func partOf(head, of string) bool {
	return strings.HasPrefix(strings.TrimLeft(head, "["), strings.Trim(headOf(of), "[]")+".")
}

// renamed gives a copied table a new name: in its head, or in the lines with its name.
func renamed(lines []string, head string) []string {
	const mark = "-2"
	for i, line := range lines {
		v, _ := valueOf(line)
		switch key := keyOf(line); {
		case !strings.HasPrefix(head, "[[") && strings.HasPrefix(strings.TrimSpace(line), "["):
			lines[i] = strings.Replace(line, strings.Trim(head, "[]"), strings.Trim(head, "[]")+mark, 1)
		case strings.HasPrefix(head, "[[") && (key == "name" || key == "id") && v.quoted:
			lines[i] = line[:v.from] + strconv.Quote(v.text+mark) + line[v.to:]
		}
	}
	return lines
}

// ownClass adds an own class to the file of classes, as a copy of an existing one.
func ownClass(of family.Family, tables, class string) (string, error) {
	if of.Designs == nil {
		return tables, fault.New("", "these rules have no ship classes")
	}
	list, err := of.Designs(nil)
	if err != nil {
		return tables, fmt.Errorf("list the ship classes: %w", err)
	}
	var names []string
	for _, d := range list.All {
		if d.Name != class {
			names = append(names, d.Name)
			continue
		}
		text, err := d.Text("my-" + class)
		if err != nil {
			return tables, err
		}
		if strings.TrimSpace(tables) == "" {
			return text, nil
		}
		if !strings.HasPrefix(text, "[") {
			return tables, fault.New("remove the existing one first", "under these rules a file holds one class")
		}
		return strings.TrimRight(tables, "\n") + "\n\n" + text, nil
	}
	return tables, fault.New(orders.DidYouMean("%q", class, names, "choose one from the list"), "the program has no class %q", class)
}
