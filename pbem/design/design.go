// Package design answers the page on which scenarios and ship classes are designed: it looks at the text of a scenario file, and
// of a file of classes, as the program does that plays them, and changes the text as the page wishes. The text is
// all there is: the page keeps nothing else. It knows no browser.
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

// maxText bounds each of the two files, in bytes.
const maxText = 256 << 10

// Bounds of what is drawn.
const (
	mostShips = 200
	mostHexes = 200 // columns or rows of a map
)

// Request is what a page may ask: to look at the files, and before that to do something to the scenario.
type Request struct {
	Text   string `json:"text"`   // of the scenario; "" begins one
	Tables string `json:"tables"` // of a file with ship classes; "" for none
	// Act is what to do first: put a ship into a hex, turn her, add one to a side, or remove one; "" for nothing.
	Act     string `json:"act"`
	Ship    string `json:"ship"` // by name
	Hex     string `json:"hex"`
	Heading string `json:"heading"`
	Side    string `json:"side"`
	Class   string `json:"class"`
	// Of a form: which file, which line, and what is to stand there.
	File  string `json:"file"`
	Line  int    `json:"line"`
	Value string `json:"value"`
}

// What a page may have done.
const (
	actPut    = "put"
	actTurn   = "turn"
	actAdd    = "add"
	actRemove = "remove"
	actField  = "field" // give a line of a file another value
	actCopy   = "copy"  // have another table like one of a file
	actDrop   = "drop"  // remove one
	actOwn    = "own"   // have a class of one's own that begins as one of the program's
)

// Answer is what the page shows.
type Answer struct {
	OK      bool      `json:"ok"`
	Text    string    `json:"text"`
	Tables  string    `json:"tables"`
	Map     string    `json:"map"` // SVG; "" where the scenario cannot be drawn
	MapText string    `json:"mapText"`
	Ships   []Ship    `json:"ships"`
	Sides   []string  `json:"sides"`   // their ids
	Classes []string  `json:"classes"` // that ships may be of
	Remarks []string  `json:"remarks"` // what is wrong, with file and line
	Balance []string  `json:"balance"` // how sides compare, in lines
	Forms   []Section `json:"forms"`   // of both files
}

// Ship is one of the scenario.
type Ship struct {
	Name  string `json:"name"`
	Where string `json:"where"` // in words: side, class, hex and heading
}

// begun is a scenario to begin with.
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

// classesFile is what mistakes in classes are said to be in.
const classesFile = "ships.toml"

// Look does what is asked to the scenario, and looks at it.
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
	if sc == nil { // its ships can be changed all the same, until it is right
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
		return out, nil // the scenario's own check says so
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

// act does what the page wants done to one of the files.
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

// begin is a scenario of two ships, by the first rule set that has a list of ships.
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

// remark tells what is wrong with the scenario.
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

// mistakes tells what is wrong with classes, each mistake once.
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

// compare lists the classes and tells how the sides compare by their figures.
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
