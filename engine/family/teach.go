package family

import (
	"cmp"
	"slices"
	"strings"

	"starpost/engine"
)

// Remark is an order that an order set could hold too; it is told in a comment.
type Remark struct {
	Under string // the heading of the block that it belongs to, "phase 1"; "" for the whole turn
	Order string
	Why   string
}

// remarksAtMost is how many an order set holds, and remarkWidth how wide their lines are at
// most: a mail program that breaks a longer one would make orders of its second half.
const (
	remarksAtMost = 3
	remarkWidth   = 64
)

// Teach puts remarks into an order set without head and end, each before the orders of its
// block, where it would go first: the first three, of one reason one, that are orders which the
// rule set takes without a word, once the semicolon before them is taken away. It is "" if the rule
// set has anything to say of the order set itself.
func Teach(r *engine.Rules, v *engine.View, ship engine.ShipID, text string, remarks []Remark) string {
	if text == "" || !Takes(r, v, ship, text) {
		return ""
	}
	if v.Dark && r.Conn != nil {
		const why = "without a map: help conn"
		remarks = append([]Remark{{Order: "conn ahead half", Why: why}, {Order: "conn shields ahead", Why: why}}, remarks...)
	}
	var told []string
	for _, m := range remarks {
		indent, at := "", len(text)
		if m.Under != "" {
			indent, at = "  ", below(text, m.Under)
		}
		comment := indent + "; " + m.Order + "  ; " + m.Why
		if at < 0 || len(comment) > remarkWidth || slices.Contains(told, m.Why) || !Takes(r, v, ship, text[:at]+indent+m.Order+"\n"+text[at:]) {
			continue
		}
		text, told = text[:at]+comment+"\n"+text[at:], append(told, m.Why)
		if len(told) == remarksAtMost {
			break
		}
	}
	if len(told) > 0 {
		text = "; remarks: without the semicolon before it, each is an order\n" + text
	}
	return text
}

// below is where the orders under a heading begin in an order set; -1 if it is not there.
func below(text, heading string) int {
	at := 0
	for line := range strings.Lines(text) {
		at += len(line)
		if strings.TrimRight(line, "\n") == heading {
			return at
		}
	}
	return -1
}

// Takes tells whether the rule set has nothing to say of an order set without head and end.
func Takes(r *engine.Rules, v *engine.View, ship engine.ShipID, text string) bool {
	block, diags := r.Language.Block(cmp.Or(v.Viewer.Post, "ship"), text)
	if len(diags) > 0 {
		return false
	}
	block, _, faults := r.Navigate(v, ship, block)
	return len(faults) == 0 && len(r.Check(v, ship, block).Diagnostics) == 0
}
