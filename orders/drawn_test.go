package orders

import (
	"strings"
	"testing"
)

// What people and mail programs make of the first and the last line of a set.
func TestDrawnMarks(t *testing.T) {
	body := "\nphase 1\n  move F\n"
	for _, c := range []struct {
		head, end string
		loose     bool // read only where nothing else is found
	}{
		{"# orders wolf turn 3 ship Hood", "# end", false},
		{"*#orders wolf turn 3 ship Hood", "#end", false},
		{"- #orders wolf turn 3 ship Hood", "- #end", false},
		{"**#orders** wolf turn 3 ship Hood", "**#end**", false},
		{"**#orders wolf turn 3 ship Hood**", "**#end**", false},
		{"  * # Orders wolf turn 3 ship Hood", "* # End.", false},
		{"\u201c#orders wolf turn 3 ship Hood", "#end\u201d", false},
		{"orders wolf turn 3 ship Hood", "end", true},
		{"*Orders* wolf turn 3 ship Hood", "*end*", true},
		{"\uff03orders wolf turn \uff13 ship Hood", "\uff03end", true},
	} {
		src := "Hello!\n\n" + c.head + body + c.end + "\nBye."
		raws, ds := ScanText(src)
		if c.loose {
			if len(raws) > 0 {
				t.Errorf("%q is read at once", c.head)
			}
			raws, ds = ScanLoose(src)
		}
		if len(raws) != 1 || !raws[0].Ended || raws[0].Head.Game != "wolf" || raws[0].Head.Turn != 3 || raws[0].Head.Name != "Hood" || len(raws[0].Lines) != 2 || raws[0].Start.Line != 3 {
			t.Errorf("%q: %+v, %v", c.head, raws, ds)
			continue
		}
		if len(ds) != 1 || ds[0].Code != CodeNearOrders || ds[0].Severity != Warning || ds[0].Pos.Line != 3 || !strings.Contains(ds[0].Hint, "#orders") {
			t.Errorf("%q: %v", c.head, ds)
		}
	}
	// What is not without a doubt a first line is spoken of, or nothing at all.
	for src, code := range map[string]string{
		"# orders":                       CodeNearOrders,
		"- #orders turn 3":               CodeNearOrders,
		"**#orders** wolf turn three":    CodeNearOrders,
		"## Orders due for turn 3":       "",
		"# Orders, ready to be changed":  "",
		"orders wolf turn three":         "",
		"Orders for turn 3 are attached": "",
		"*ordersheet wolf turn 3":        "",
	} {
		raws, ds := ScanLoose(src)
		if len(raws) != 0 || code == "" && len(ds) != 0 || code != "" && (len(ds) != 1 || ds[0].Code != code) {
			t.Errorf("%q: %v, %v", src, raws, ds)
		}
	}
}

// Answers show sets behind bars.
func TestBars(t *testing.T) {
	raws, ds := ScanText("  | #orders wolf turn 3 ship Hood\n  | phase 1\n  |   move F\n  fire all\n  | #end\n|x\n")
	if len(raws) != 1 || len(ds) != 0 || !raws[0].Barred || !raws[0].Ended || raws[0].Head.Name != "Hood" || len(raws[0].Lines) != 3 {
		t.Fatalf("%+v, %v", raws, ds)
	}
	if l := raws[0].Lines[1]; l.Text != "      move F" || l.N != 3 || raws[0].Head.NamePos != (Pos{1, 30}) {
		t.Errorf("columns: %+v, %v", l, raws[0].Head.NamePos)
	}
	if raws, _ := ScanText("> | #orders wolf turn 3 ship Hood\n> | #end\n"); len(raws) != 0 {
		t.Errorf("behind quote marks: %v", raws)
	}
	// A line that an answer shows because something is wrong in it is no block.
	raws, ds = ScanText("  error E013: this is no turn\n    | #orders wolf turn x ship Hood\n    |              ^\n    Hint: a number\n\n#orders wolf turn 3 ship Hood\nfinal\n#end\n")
	if len(raws) != 1 || raws[0].Barred || len(ds) != 0 {
		t.Errorf("an excerpt: %+v, %v", raws, ds)
	}
	raws, _ = ScanText("| #orders wolf turn 3 ship Hood\n| final\n| #end\n#orders wolf turn 3 ship Hood\n| wait\n#end\n")
	if len(raws) != 2 || raws[1].Barred || raws[1].Lines[0].Text != "| wait" {
		t.Errorf("a block of each kind: %+v", raws)
	}
}
