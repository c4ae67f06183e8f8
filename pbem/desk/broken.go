package desk

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
)

// Mail programs break long lines of plain text, and what is left of an order on
// a line of its own is no order. Where the mail has an HTML form, the line is
// whole there.

// unbroken gives a set with errors as the HTML form of the mail has it, if it is
// the same there but for where its lines end, and in order.
func (c *submissions) unbroken(pos *turn.Position, set orderset.Set, captain engine.CaptainName) (orderset.Set, bool) {
	twice := slices.ContainsFunc(set.Diagnostics, func(d orders.Diagnostic) bool { return d.Code == orderset.CodeTwoSets })
	if set.OK() || set.Name == "" || twice {
		return orderset.Set{}, false
	}
	want := squeezed(set.Raw)
	for _, raw := range c.html().raws {
		if raw.Head.Turn != set.Raw.Head.Turn || raw.Head.Phase != set.Raw.Head.Phase || !raw.Ended || squeezed(raw) != want {
			continue
		}
		whole := pos.CheckRaws([]orders.Raw{raw}, captain).Sets[0]
		whole.Diagnostics = blocks.Within(raw, c.html().diags, whole.Diagnostics...)
		if whole.OK() && whole.Name == set.Name && whole.Key == set.Key {
			return whole, true
		}
	}
	return orderset.Set{}, false
}

// squeezed is a block without any space.
func squeezed(raw orders.Raw) string {
	return strings.Join(strings.Fields(strings.Join(blocks.Lines(raw), " ")), "")
}

const unbrokenNotice = "Your mail program broke a long line of these orders in the plain text of the mail, so they were read in its HTML form."

// brokenNotice is a word on a line that looks like the end of the one above; ""
// for none.
func brokenNotice(set orderset.Set) string {
	const long = 60 // runes; programs break lines at 65 or more
	for _, d := range set.Diagnostics {
		if d.Severity != orders.Error || d.Code != orders.CodeUnknownOrder {
			continue
		}
		at := slices.IndexFunc(set.Raw.Lines, func(l orders.Line) bool { return l.N == d.Pos.Line })
		if at < 1 || utf8.RuneCountInString(set.Raw.Lines[at-1].Text) < long {
			continue
		}
		return fmt.Sprintf("Line %d of your orders looks like the end of the line above it: mail programs break long lines. "+
			"Write lines of less than 65 characters; one that begins with & goes on with the line above.", d.Pos.Line-set.Raw.Start.Line+1)
	}
	return ""
}
