// Package design answers the page for designing scenarios and ship classes. It checks the text of a scenario file and
// of a file of classes like the program that plays them, and edits the text as the page requests. The text is the
// only state: the page keeps nothing else. The package knows no browser.
package design

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/fault"
	"starpost/pbem/report"
	"starpost/templates"
)

// maxText limits each of the two files, in bytes.
const maxText = 256 << 10

// Limits of what is drawn.
const (
	mostShips = 200
	mostHexes = 200 // columns or rows of a map
)

// Request is a request of a page: to check the files, after an optional edit of one of them.
type Request struct {
	Text   string `json:"text"`   // of the scenario; "" starts one
	Tables string `json:"tables"` // of a file with ship classes; "" for none
	// Act is the edit to make first: put a ship into a hex, turn her, add one to a side, or remove one; "" for none.
	Act     string `json:"act"`
	Ship    string `json:"ship"` // by name
	Hex     string `json:"hex"`
	Heading string `json:"heading"`
	Side    string `json:"side"`
	Class   string `json:"class"`
	// For forms: the file, the line, and its new value.
	File  string `json:"file"`
	Line  int    `json:"line"`
	Value string `json:"value"`
}

// The edits that a page may request.
const (
	actPut    = "put"
	actTurn   = "turn"
	actAdd    = "add"
	actRemove = "remove"
	actField  = "field" // give a line of a file a new value
	actCopy   = "copy"  // copy a table of a file
	actDrop   = "drop"  // remove one
	actOwn    = "own"   // add an own class as a copy of one of the program's
)

// Answer is what the page shows.
type Answer struct {
	OK      bool      `json:"ok"`
	Text    string    `json:"text"`
	Tables  string    `json:"tables"`
	Map     string    `json:"map"` // SVG; "" if the scenario cannot be drawn
	MapText string    `json:"mapText"`
	Ships   []Ship    `json:"ships"`
	Sides   []string  `json:"sides"`   // their IDs
	Classes []string  `json:"classes"` // classes available to ships
	Remarks []string  `json:"remarks"` // what is wrong, with file and line
	Balance []string  `json:"balance"` // how sides compare, in lines
	Forms   []Section `json:"forms"`   // of both files
}

// Ship is a ship of the scenario.
type Ship struct {
	Name  string `json:"name"`
	Where string `json:"where"` // side, class, hex and heading in words
}

// begun is the initial scenario.
const begun = `format = 1
name = "my-scenario"
title = "My scenario"
rules = %[1]q
last_turn = 12

[[side]]
id = "red"
name = "Red"

[[side]]
id = "blue"
name = "Blue"

[[ship]]
name = "First"
side = "red"
class = %[2]q
hex = "0510"
heading = "A"

[[ship]]
name = "Second"
side = "blue"
class = %[2]q
hex = "0505"
heading = "D"

[[victory]]
side = "red"
when = "destroy"

[[victory]]
side = "blue"
when = "destroy"
`

// classesFile is the file name in errors about classes.
const classesFile = "ships.toml"

// Look makes the requested edit, and checks the result.
func Look(families []family.Family, r Request) (Answer, error) {
	out := Answer{OK: true, Text: r.Text, Tables: r.Tables, Ships: []Ship{}, Sides: []string{}, Classes: []string{}, Remarks: []string{}, Balance: []string{}}
	if len(r.Text) > maxText || len(r.Tables) > maxText {
		return out, fault.New("a scenario has a few kilobytes", "the file is too long: the limit is %d bytes", maxText)
	}
	if strings.TrimSpace(out.Text) == "" {
		var err error
		if out.Text, err = begin(families); err != nil {
			return out, err
		}
	}
	if err := out.act(families, r); err != nil {
		return out, err
	}
	out.Forms = append(forms(fileScenario, out.Text), forms(fileClasses, out.Tables)...)
	sc, diags := scenario.Parse([]byte(out.Text))
	out.remark(diags)
	if sc == nil { // its ships can be edited anyway, until it is valid
		for _, b := range blocks(strings.Split(out.Text, "\n")) {
			out.Ships = append(out.Ships, Ship{Name: b.name, Where: "not checked yet"})
		}
		for _, f := range out.Forms {
			if i := slices.IndexFunc(f.Fields, func(f Field) bool { return f.Key == "id" }); i >= 0 && strings.HasPrefix(f.Title, "side ") {
				out.Sides = append(out.Sides, f.Fields[i].Value)
			}
		}
		return out, nil
	}
	for _, s := range sc.Sides {
		out.Sides = append(out.Sides, s.ID)
	}
	for _, s := range sc.Ships {
		out.Ships = append(out.Ships, Ship{s.Name, fmt.Sprintf("%s, %s, %s %s", s.Side, s.Class, strings.Join(s.Hex, "|"), strings.Join(s.Heading, "|"))})
	}
	set, of, ok := ruleSet(families, sc.Rules)
	if !ok {
		return out, nil // the scenario's own check reports it
	}
	var tables map[string][]byte
	if strings.TrimSpace(out.Tables) != "" {
		tables = map[string][]byte{classesFile: []byte(out.Tables)}
	}
	out.compare(of, tables, sc)
	rules, err := set.Rules(tables)
	if err != nil {
		out.mistakes(err)
		return out, nil
	}
	g, diags := sc.NewGame(rules, "design", nil)
	out.remark(diags)
	if g == nil || len(g.Ships) == 0 || len(g.Ships) > mostShips || sc.Bounds != nil && max(sc.Bounds.Columns, sc.Bounds.Rows) > mostHexes {
		return out, nil
	}
	v, err := engine.BuildView(rules, g, nil, engine.Viewer{})
	if err != nil {
		return out, fmt.Errorf("look at the scenario: %w", err)
	}
	m := report.BuildMap(rules, v, engine.Presentation{})
	out.Map, out.MapText = templates.TouchSVG(m), templates.ASCIIMap(m)
	return out, nil
}

// act makes the requested edit in one of the files.
func (a *Answer) act(families []family.Family, r Request) (err error) {
	switch r.Act {
	case "":
	case actField, actCopy, actDrop:
		text := &a.Text
		if r.File == fileClasses {
			text = &a.Tables
		}
		*text, err = filled(*text, r)
	case actOwn:
		var of family.Family
		if sc, _ := scenario.Parse([]byte(a.Text)); sc != nil {
			_, of, _ = ruleSet(families, sc.Rules)
		}
		a.Tables, err = ownClass(of, a.Tables, r.Class)
	default:
		a.Text, err = acted(a.Text, r)
	}
	return err
}

// begin returns a scenario of two ships, with the first rule set that has a list of ships.
func begin(families []family.Family) (string, error) {
	for _, f := range families {
		if f.Designs == nil {
			continue
		}
		list, err := f.Designs(nil)
		if err != nil {
			return "", fmt.Errorf("list the ship classes: %w", err)
		}
		return fmt.Sprintf(begun, f.Sets[0].Name, list.All[0].Name), nil
	}
	return "", fault.New("open a scenario file", "no rule set here has a list of ships")
}

func ruleSet(families []family.Family, name string) (family.RuleSet, family.Family, bool) {
	for _, f := range families {
		for _, s := range f.Sets {
			if s.Name == name {
				return s, f, true
			}
		}
	}
	return family.RuleSet{}, family.Family{}, false
}

// remark lists what is wrong with the scenario.
func (a *Answer) remark(diags []orders.Diagnostic) {
	for _, d := range diags {
		text := fmt.Sprintf("line %d: %s", max(1, d.Pos.Line), d.Message)
		if d.Hint != "" {
			text += " (" + d.Hint + ")"
		}
		if !slices.Contains(a.Remarks, text) {
			a.Remarks = append(a.Remarks, text)
		}
	}
}

// mistakes lists what is wrong with classes, each mistake once.
func (a *Answer) mistakes(err error) {
	var several interface{ Unwrap() []error }
	if errors.As(err, &several) {
		for _, e := range several.Unwrap() {
			a.mistakes(e)
		}
		return
	}
	if text := err.Error(); !slices.Contains(a.Remarks, text) {
		a.Remarks = append(a.Remarks, text)
	}
}

// compare lists the classes and compares the sides by their figures.
func (a *Answer) compare(of family.Family, tables map[string][]byte, sc *scenario.Scenario) {
	if of.Designs == nil {
		return
	}
	list, err := of.Designs(tables)
	if err != nil {
		a.mistakes(err)
		return
	}
	for _, d := range list.All {
		a.Classes = append(a.Classes, d.Name)
	}
	slices.Sort(a.Classes)
	if list.Balance == nil || len(sc.Ships) == 0 {
		return
	}
	var entrants []family.Entrant
	for _, s := range sc.Ships {
		if s.Class != engine.ClassDecoy {
			entrants = append(entrants, family.Entrant{Name: s.Name, Side: s.Side, Class: s.Class})
		}
	}
	b, err := list.Balance(entrants, family.UsualWithin)
	if err != nil {
		a.mistakes(err)
		return
	}
	for _, row := range append([][]string{b.Columns}, b.Rows...) {
		a.Balance = append(a.Balance, strings.Join(row, "  "))
	}
	a.Balance = append(a.Balance, b.Verdict...)
}
