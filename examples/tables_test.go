package examples_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine/rules/fasa/tables"
)

// table returns a table for a document.
func table(head []string, rows [][]string) string {
	var out strings.Builder
	out.WriteString("| " + strings.Join(head, " | ") + " |\n|" + strings.Repeat("---|", len(head)) + "\n")
	for _, r := range rows {
		out.WriteString("| " + strings.Join(r, " | ") + " |\n")
	}
	return out.String()
}

// upTo describes a roll that succeeds with a number or less; "" for none.
func upTo(need int) string {
	switch need {
	case 0:
		return ""
	case 1:
		return "1"
	}
	return "1-" + strconv.Itoa(need)
}

// The document shows the program's detection table.
func TestRulesShowDetection(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, d := range lib.Detection {
		rows = append(rows, []string{fmt.Sprintf("%d-%d", d.From, d.To), upTo(d.Still), upTo(d.StillLock), upTo(d.Moving), upTo(d.MovingLock)})
	}
	made(t, laterDoc, "detection", table([]string{"range", "standing", "standing, with a lock", "moving", "moving, with a lock"}, rows))
}

// The document shows the program's stress chart.
func TestRulesShowStress(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	head, rows := []string{"warp"}, [][]string{}
	for warp := 1; warp <= 10; warp++ {
		row := []string{strconv.Itoa(warp)}
		for letter := 'A'; letter <= 'R'; letter++ {
			if warp == 1 {
				head = append(head, string(letter))
			}
			cell := ""
			if n := lib.StressAt(string(letter), warp); n > 0 {
				cell = strconv.Itoa(n)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	made(t, lastDoc, "stress", table(head, rows))
}

// The document shows the program's damage charts.
func TestRulesShowDamageCharts(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, chart := range []string{"A", "B", "C", tables.OutpostChart} {
		head, shields := []string{"chart " + chart}, 6
		if chart == tables.OutpostChart {
			shields = 1
			head = append(head, "any shield")
		}
		var rows [][]string
		for die := 1; die <= 10; die++ {
			row := []string{strconv.Itoa(die)}
			for shield := 1; shield <= shields; shield++ {
				if die == 1 && shields > 1 {
					head = append(head, "shield "+strconv.Itoa(shield))
				}
				h, _ := lib.HitOn(chart, shield, die)
				row = append(row, inCell(h))
			}
			rows = append(rows, row)
		}
		out.WriteString(table(head, rows) + "\n")
	}
	made(t, lastDoc, "damage", out.String())
}

// inCell returns the short text of a damage chart's cell.
func inCell(h tables.Hit) string {
	s := strings.TrimSpace(h.Side + " " + h.Location)
	if h.Half {
		s += " ½"
	}
	return s + [3]string{"", " C", " 2C"}[h.Casualties]
}

// The document shows the program's smaller tables.
func TestRulesShowTheSmallTables(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var full, rate, number, second []string
	for i, r := range lib.Casualties {
		to := "and more"
		if i+1 < len(lib.Casualties) {
			to = "to " + strconv.Itoa(lib.Casualties[i+1].From-1)
		}
		full, rate = append(full, fmt.Sprintf("%d %s", r.From, to)), append(rate, strconv.Itoa(r.PerCent))
	}
	for n := 0; lib.SlimChance(-n) > 0; n++ {
		number, second = append(number, strconv.Itoa(-n)), append(second, upTo(lib.SlimChance(-n)))
	}
	made(t, lastDoc, "casualties", table(append([]string{"full superstructure"}, full...), [][]string{slices.Concat([]string{"per cent for a point"}, rate)}))
	made(t, lastDoc, "slim", table(append([]string{"number"}, number...), [][]string{slices.Concat([]string{"second die"}, second)}))
	var rows [][]string
	for die := 1; die <= 10; die++ {
		rows = append(rows, []string{strconv.Itoa(die), strings.Join(lib.Engineering[die], ", ")})
	}
	made(t, lastDoc, "engineering", table([]string{"die", "out of order"}, rows))
}
