package submission

import (
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/orderset"
	"starpost/pbem/vault"
)

// words says why a skipped block is not an order set, and what to do.
func (a skippedBlock) words() (code, message, hint string) {
	switch {
	case a.foreign:
		return codes.NotYours, fmt.Sprintf("this set is for %s, which is not yours, and is only quoted here; nothing was stored", a.raw.Head.Name),
			"to send orders of your own, write them above the quoted mail"
	case a.known:
		return codes.OnlyQuoted, "this set is from an earlier mail of yours and is only quoted here; nothing was stored",
			"to send other orders, change it; to send it again, write it above the quoted mail, without > or | in front of its lines"
	case a.barred:
		return orders.CodeQuoted, "the orders have bars (|) in front of them and are not read",
			"remove the | or > in front of every line, from the first to the last of the set, and send again"
	case a.changed:
		return orders.CodeQuoted, "the orders have quote marks (>) in front of them and are not read",
			"remove the > in front of every line from the first to the last of the set, or copy the set above the quoted mail, and send again"
	case a.marked:
		return orders.CodeQuoted, "this is the template of your report, unchanged and quoted (>); nothing was stored",
			"to send it on purpose, copy it above the quoted mail and remove the > in front of every line"
	}
	return codes.OnlyQuoted, "this is the template of your report, unchanged and below a quotation; nothing was stored",
		"to send it on purpose, put it above the quoted mail; to send other orders, change it"
}

// barNotice is for blocks behind quote marks: many senders never saw the marks.
const barNotice = "Mail programs mark what they quote with > in front of each line; some show a bar at the side instead. " +
	"Orders in quoted lines are never read: write the whole set above the quotation."

// passed adds results for the skipped blocks. If the mail has other blocks that count, or commands,
// a quoted template is the usual case and gets at most a remark.
func (c *Submissions) passed(asides []skippedBlock) error {
	// Behind bars are quoted answers, which the captain knows, and what other captains wrote.
	for i, a := range asides {
		asides[i].barred = blocks.Barred(c.Body.Lines[a.raw.Start.Line-1])
	}
	loud := func(a skippedBlock) bool {
		return a.changed && !a.foreign && a.raw.Head.Turn > a.blocks.game.Turn() && !a.barred
	}
	others := len(c.Sets) > 0 || c.Commanded || slices.ContainsFunc(asides, loud)
	var quiet []skippedBlock
	for _, a := range asides {
		if others && !loud(a) {
			quiet = append(quiet, a)
			c.Unspoken = append(c.Unspoken, a.raw)
			continue
		}
		code, message, hint := a.words()
		s := Set{Game: a.blocks.game, Pos: a.pos, Captain: a.blocks.captainOf(a.raw, a.pos), Echo: !a.changed}
		s.Read = orderset.Set{Raw: a.raw, Name: shipName(a.pos, a.raw.Head), Turn: a.raw.Head.Turn, Key: a.raw.Head.Key, Diagnostics: []orders.Diagnostic{{
			Pos: a.raw.Head.Pos, Code: code, Message: message, Hint: hint,
		}}}
		s.Read.Raw.Lines = nil
		if a.marked && !a.barred && !a.foreign {
			s.Notices = append(s.Notices, barNotice)
		}
		if stale := c.stale(a.raw, a.pos); !a.changed && !a.foreign && len(stale) > 0 {
			s.Notices, s.Echo = append(s.Notices, stale...), false
		}
		if _, err := c.trust(&s); err != nil {
			return err
		}
		c.Sets = append(c.Sets, s)
	}
	for len(quiet) > 0 {
		game := quiet[0].blocks.game
		of := func(a skippedBlock) bool { return a.blocks.game == game }
		if err := c.remark(slices.DeleteFunc(slices.Clone(quiet), func(a skippedBlock) bool { return !of(a) })); err != nil {
			return err
		}
		quiet = slices.DeleteFunc(quiet, of)
	}
	return nil
}

// remark tells a captain who sent orders for some ships that others of the same game have none
// although the mail has their templates.
func (c *Submissions) remark(quiet []skippedBlock) error {
	game, pos := quiet[0].blocks.game, quiet[0].pos
	at := slices.IndexFunc(c.Sets, func(s Set) bool { return s.Trusted && s.Game == game })
	if at < 0 || pos.Due() == 0 {
		return nil
	}
	files, err := game.Orders.For(vault.At(pos.Due()))
	if err != nil {
		return err
	}
	var names []string
	for _, a := range quiet {
		name := shipName(pos, a.raw.Head)
		in := slices.ContainsFunc(files, func(f vault.OrderFile) bool { return strings.EqualFold(f.Name, name) })
		if !in && !a.foreign && a.raw.Head.Turn == pos.Due() && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		c.Sets[at].Notices = append(c.Sets[at].Notices, fmt.Sprintf(
			"For %s the mail has only the quoted template, so nothing was stored. To send it on purpose, put it above the quoted mail.", effect.Enumerated(names)))
	}
	return nil
}
