package orders

import (
	"strings"
	"testing"
)

// What people and mail programs make of a first line is reported but never parsed: others' words are printed to a
// captain with such guards before the mark, and the captain quotes them.
func TestDrawnMarks(t *testing.T) {
	for src, code := range map[string]string{
		"# orders wolf turn 3 ship Hood":      CodeNearOrders,
		"*#orders wolf turn 3 ship Hood":      CodeNearOrders,
		"- #orders wolf turn 3 ship Hood":     CodeNearOrders,
		"**#orders** wolf turn 3 ship Hood":   CodeNearOrders,
		"  * # Orders wolf turn 3 ship Hood":  CodeNearOrders,
		"\u201c#orders wolf turn 3 ship Hood": CodeNearOrders,
		"# orders":                            CodeNearOrders,
		"- #orders turn 3":                    CodeNearOrders,
		"**#orders** wolf turn three":         CodeNearOrders,
		"'#orders wolf turn 3 ship Hood":      CodeNearOrders,
		";#orders wolf turn 3 ship Hood":      "", // the guard before others' words
		"| #orders wolf turn 3 ship Hood":     "",
		"> | #orders wolf turn 3 ship Hood":   "",
		"orders wolf turn 3 ship Hood":        "",
		"\uff03orders wolf turn 3 ship Hood":  "",
		"## Orders due for turn 3":            "",
		"# Orders, ready to be changed":       "",
		"Orders for turn 3 are attached":      "",
		"*ordersheet wolf turn 3":             "",
	} {
		text := "Hello!\n\n" + src + "\nphase 1\n  move F\n#end\nBye."
		raws, ds := ScanText(text)
		if len(raws) != 0 || code == "" && len(ds) != 0 || code != "" && (len(ds) != 1 || ds[0].Code != code || ds[0].Severity != Warning || ds[0].Pos.Line != 3 || !strings.Contains(ds[0].Hint, "#orders")) {
			t.Errorf("%q: %v, %v", src, raws, ds)
		}
	}
}
