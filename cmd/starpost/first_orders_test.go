package main

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
	reports "starpost/pbem/report"
)

// TestFirstOrdersAreATeachers checks the first orders offered to each officer in each scenario, by each rule set that
// can play it, by turns and by phases, in the open and in the dark. They come with three remarks, and the rule set
// finds nothing wrong with them, with or without a remark turned into an order.
func TestFirstOrdersAreATeachers(t *testing.T) {
	enginetest.Sequential(t)
	for _, f := range families() {
		files, err := f.ScenarioFiles()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			for _, set := range f.Sets {
				data := scenario.ForRules(files[name], set.Name)
				t.Run(name+"/"+set.Name, func(t *testing.T) { teaches(t, set, data, 0) })
				if strings.Contains(string(files[name]), fmt.Sprintf("%q", set.Name)) {
					t.Run(name+"/phases", func(t *testing.T) { teaches(t, set, data, 1) })
					t.Run(name+"/dark", func(t *testing.T) { teaches(t, set, scenario.Darkened(data), 0) })
				}
			}
		}
	}
}

// shown matches the shield that orders turn to the enemy.
var shown = regexp.MustCompile(`showing (\d)`)

// teaches checks the first orders of all officers of a scenario.
func teaches(t *testing.T, set family.RuleSet, file []byte, inRounds int) {
	t.Helper()
	r, err := set.Rules(nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.First == nil {
		t.Skip("captains write in their own words")
	}
	sc, diags := scenario.Parse(file)
	if sc == nil {
		t.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "game", nil)
	if g == nil {
		t.Skip("these rules cannot play it: ", diags[0])
	}
	builder := engine.NewViewBuilder(r, g, nil).InRounds(inRounds * r.Rounds())
	for _, seat := range r.Owed(g) {
		who, err := r.SeatViewer(g, seat)
		if err != nil {
			t.Fatal(err)
		}
		v, err := builder.View(who)
		if err != nil {
			t.Fatal(err)
		}
		v = v.From(seat)
		s, _ := v.Ship(seat.Ship)
		faults := func(text string) string {
			head := fmt.Sprintf("#orders game turn 1 %s %s\n", cmp.Or(seat.Post, "ship"), s.Name)
			blocks, diags := orders.Parse([]byte(head+text+"#end\n"), r.Language)
			if len(blocks) == 1 {
				block, _, faults := r.Navigate(v, seat.Ship, blocks[0])
				diags = slices.Concat(diags, faults, r.Check(v, seat.Ship, block).Diagnostics)
			}
			if len(blocks) == 1 && len(diags) == 0 {
				return ""
			}
			return fmt.Sprintf("%s: %v\n%s", seat, diags, text)
		}
		_, text, _ := strings.Cut(reports.Offered(r, v, seat.Ship, true).With(orders.Head{}), "\n") // in lines as in mails
		text = strings.TrimSuffix(text, "#end\n")
		if bad := faults(text); bad != "" || text == r.Template(v, seat.Ship).String() {
			t.Errorf("got orders with faults, or none of a teacher's: %s", cmp.Or(bad, text))
			continue
		}
		if n := shown.FindStringSubmatch(text); n != nil && seat.Post == "" && len(s.Crew) == 0 && !regexp.MustCompile(`(?m)^  shields .*\b`+n[1]+`:\d`).MatchString(text) {
			t.Errorf("%s: a shield is shown that has no points:\n%s", seat, text)
		}
		if _, out := v.WayOut(seat.Ship); out && regexp.MustCompile(`(?m)^  pursue`).MatchString(text) {
			t.Errorf("%s wins by leaving, and is sent after an enemy:\n%s", seat, text)
		}
		remarks := 0
		for line := range strings.Lines(text) {
			if len(line) > 76 {
				t.Errorf("%s: a mail program may break this line: %s", seat, line)
			}
			indent, order, ok := strings.Cut(line, "; ")
			if !ok || strings.TrimSpace(indent) != "" || strings.HasPrefix(order, "comments: ") {
				continue
			}
			remarks++
			if bad := faults(strings.Replace(text, line, indent+order, 1)); bad != "" {
				t.Errorf("the remark %q is no order that could be given: %s", order, bad)
			}
		}
		if strings.Contains(text, "; conn ") != (v.Dark && seat.Post == "" && len(s.Crew) == 0) {
			t.Errorf("%s: who sees a part of the map alone, and no one else, is told of plain commands:\n%s", seat, text)
		}
		if remarks != 3 {
			t.Errorf("%s: got %d remarks, want 3:\n%s", seat, remarks, text)
		}
	}
}
