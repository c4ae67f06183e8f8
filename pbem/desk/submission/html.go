package submission

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/mime"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
)

// Mail programs break long lines of plain text, and the second part of a broken order is not an
// order. In the HTML form of the mail, if there is one, the line is whole.

// unbroken returns a set with errors as read from the HTML form of the mail, if it differs there
// only in line breaks and is valid.
func (c *Submissions) unbroken(pos *turn.Position, set orderset.Set, captain engine.CaptainName) (orderset.Set, bool) {
	twice := slices.ContainsFunc(set.Diagnostics, func(d orders.Diagnostic) bool { return d.Code == orderset.CodeTwoSets })
	if set.OK() || set.Name == "" || twice {
		return orderset.Set{}, false
	}
	want := squeezed(set.Raw)
	for _, raw := range c.HTML().Raws {
		if raw.Head.Turn != set.Raw.Head.Turn || raw.Head.Phase != set.Raw.Head.Phase || !raw.Ended || squeezed(raw) != want {
			continue
		}
		whole := pos.CheckRaws([]orders.Raw{raw}, captain).Sets[0]
		whole.Diagnostics = blocks.Within(raw, c.HTML().Diags, whole.Diagnostics...)
		if whole.OK() && whole.Name == set.Name && whole.Key == set.Key {
			return whole, true
		}
	}
	return orderset.Set{}, false
}

// squeezed returns a block without spaces.
func squeezed(raw orders.Raw) string {
	return strings.Join(strings.Fields(strings.Join(blocks.Lines(raw), " ")), "")
}

const unbrokenNotice = "Your mail program broke a long line of these orders in the plain text of the mail, so its HTML form was read instead."

// brokenNotice returns a notice about a line that looks like the end of the one above; "" for none.
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
		return fmt.Sprintf("Line %d of your orders looks like the rest of the line above it: mail programs break long lines. "+
			"Keep lines under 65 characters; a line that begins with & continues the line above.", d.Pos.Line-set.Raw.Start.Line+1)
	}
	return ""
}

// inHTML returns the blocks of the HTML form that belong to a group.
func (c *Submissions) inHTML(g *group, of func(orders.Raw) *group) []orders.Raw {
	return slices.DeleteFunc(slices.Clone(c.HTML().Raws), func(r orders.Raw) bool {
		return !strings.EqualFold(r.Head.Game, g.game) || of(r) != g
	})
}

// stale returns a notice about a set that was read from plain text if the HTML form has only
// different ones for the same ship and turn: some programs do not copy changes from there into the
// plain text.
func (c *Submissions) stale(raw orders.Raw, pos *turn.Position) []string {
	if c.In.Mail.Source != mime.SourcePlain || c.Body.InFile(raw) {
		return nil
	}
	other := false
	for _, h := range c.HTML().Raws {
		if !strings.EqualFold(h.Head.Game, raw.Head.Game) || h.Head.Turn != raw.Head.Turn || h.Head.Phase != raw.Head.Phase ||
			!strings.EqualFold(shipName(pos, h.Head), shipName(pos, raw.Head)) {
			continue
		}
		if strings.Join(blocks.PlainLines(h), "") == strings.Join(blocks.PlainLines(raw), "") || squeezed(h) == squeezed(raw) {
			return nil
		}
		other = true
	}
	if !other {
		return nil
	}
	return []string{fmt.Sprintf("The HTML form of your mail has different orders for %s than its plain text, and only the plain text was read. "+
		"If that is not what you see in your mail program, send the orders as plain text.", shipName(pos, raw.Head))}
}

// htmlNotice is for orders that were read from the HTML form.
const htmlNotice = "Your mail program marked these lines as quoted (>) in the plain text of the mail, so its HTML form was read, as you saw it."
