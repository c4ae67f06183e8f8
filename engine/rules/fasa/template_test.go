package fasa

import (
	"testing"

	"starpost/engine/family"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// TestPhasesOf: the phases cut out of a canonical text are the canonical text of
// the phases, whatever else the set holds.
func TestPhasesOf(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	book := basicCourse()
	l := &rulebook.Rules{Library: lib, Book: book.Book, Language: verbs.BasicLanguage(&book.Book).Compiled()}
	for name, set := range map[string]string{
		"nothing":    "final\n",
		"power only": "power\nmove 12\nfinal\n",
		"all":        "standing\nmissing repeat\nphase 3\nfire all at Riskadh\nphase 1\nmove FL\npower\nmove 4\nfinal\n",
		"a message":  "message all\n#text\nphase 2\n  fire all at Hood\n#endtext\nphase 1\nmove F\n",
		"only said":  "message all\n#text\nphase 2\n  fire all at Hood\n#endtext\n",
		"long lines": "phase 2\nfire bank-a bank-b bank-c torpedo-1 torpedo-2 at Riskadh when range <= 10 and chance >= 60% and not range = 4\n",
	} {
		blocks, diags := orders.Parse([]byte("#orders g turn 1 ship s\n"+set+"#end\n"), l.Language)
		if len(blocks) != 1 || len(diags) > 0 {
			t.Fatalf("%s: %v", name, diags)
		}
		var phases orders.Block
		for _, g := range blocks[0].Groups {
			if g.Name == "phase" {
				phases.Groups = append(phases.Groups, g)
			}
		}
		if got, want := family.Phases(l.Language, blocks[0].Body(), 1, 3).With(phases.Head), orders.Format(phases); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
