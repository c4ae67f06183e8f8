package submission

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/turn"
)

// choice sorts the blocks of a mail for one game.
type choice struct {
	kept   []orders.Raw   // the captain's own
	shown  []orders.Raw   // likewise, but read from the HTML form of the mail
	asides []skippedBlock // not taken, although their ships have no other block
	cut    []orders.Raw   // templates that lost their #end
}

// skippedBlock is a block that is not an order set where it is.
type skippedBlock struct {
	blocks  *gameBlocks
	pos     *turn.Position
	raw     orders.Raw
	marked  bool // behind quote marks
	barred  bool // behind bars
	changed bool // neither the template of the report nor a set that was in force
	known   bool // a set that was in force
	foreign bool // for a ship or captain that is not the sender's
}

// group holds the blocks of a mail for one seat.
type group struct {
	game, captain string // game ID; the captain's name in lower case for a set for all their ships, else ""
	seat          engine.Seat
	here, marked  []orders.Raw
}

// choose separates the captain's blocks from quoted ones. A block that equals the template of the
// report, or a set that was in force, counts as quoted only if it is below a quotation, or if it is
// the template and there is another block for its ship. Any block that differs is the captain's.
// Blocks behind quote marks or bars are not taken, but if a ship has no other block, the answer
// mentions them.
func (c *Submissions) choose(p *gameBlocks, pos *turn.Position) (choice, error) {
	var out choice
	var groups []*group
	of := func(raw orders.Raw) *group {
		g := group{game: p.game.ID()}
		switch ship, post, ok := pos.SeatOf(raw.Head); {
		case raw.Head.Kind == "captain":
			g.captain = strings.ToLower(raw.Head.Name)
		case !ok:
			return nil
		default:
			g.seat = engine.Seat{Ship: ship.ID, Post: post}
		}
		at := slices.IndexFunc(groups, func(o *group) bool { return o.seat == g.seat && o.captain == g.captain })
		if at < 0 {
			at, groups = len(groups), append(groups, &g)
		}
		return groups[at]
	}
	for _, raw := range p.raws {
		if p.foreign(raw, pos) && c.Body.Below(raw) {
			out.asides = append(out.asides, skippedBlock{raw: raw, foreign: true})
		} else if g := of(raw); g != nil {
			g.here = append(g.here, raw)
		} else {
			out.kept = append(out.kept, raw)
		}
	}
	for _, raw := range p.marked {
		if p.foreign(raw, pos) {
			out.asides = append(out.asides, skippedBlock{raw: raw, marked: true, foreign: true})
		} else if g := of(raw); g != nil {
			g.marked = append(g.marked, raw)
		} else {
			out.asides = append(out.asides, skippedBlock{raw: raw, marked: true, changed: true})
		}
	}
	t := sent{blocks: p, pos: pos, received: c.In.Received}
	for _, g := range groups {
		var err error
		if len(g.here) > 0 {
			err = out.unmarked(g.here, g.seat, c.Body.Below, &t)
		} else {
			err = out.behindMarks(g.marked, g.seat, func() []orders.Raw { return c.inHTML(g, of) }, &t)
		}
		if err != nil {
			return out, err
		}
	}
	for i := range out.asides {
		out.asides[i].blocks, out.asides[i].pos = p, pos
	}
	slices.SortFunc(out.kept, func(a, b orders.Raw) int { return a.Start.Compare(b.Start) })
	slices.SortFunc(out.asides, func(a, b skippedBlock) int { return a.raw.Start.Compare(b.raw.Start) })
	return out, nil
}

// unmarked sorts the unmarked blocks of one seat.
func (out *choice) unmarked(raws []orders.Raw, seat engine.Seat, below func(orders.Raw) bool, t *sent) error {
	if len(raws) == 1 && !below(raws[0]) {
		// A single block is an order set even if it equals the template.
		out.kept = append(out.kept, raws[0])
		return nil
	}
	var same, known, differ []orders.Raw
	for _, raw := range raws {
		is, err := t.has(raw, seat)
		if err == nil && !is && !raw.Ended && (below(raw) || slices.ContainsFunc(raws, func(r orders.Raw) bool { return r.Ended })) {
			is, err = t.begins(raw, seat)
		}
		if err != nil {
			return err
		}
		if is && !raw.Ended {
			out.cut = append(out.cut, raw)
		}
		was := false
		if !is && below(raw) {
			if was, err = t.had(raw); err != nil {
				return err
			}
		}
		switch {
		case is:
			same = append(same, raw)
		case was:
			known = append(known, raw)
		default:
			differ = append(differ, raw)
		}
	}
	if len(differ) > 0 {
		// Orders of a past turn, in the quotation of an old mail, do not count next to newer ones.
		due := t.blocks.game.DueStage()
		old := func(r orders.Raw) bool {
			return (r.Head.Turn < due.Turn || r.Head.Turn == due.Turn && max(r.Head.Phase, 1) < due.Round) && below(r)
		}
		if slices.ContainsFunc(differ, func(r orders.Raw) bool { return !old(r) }) {
			differ = slices.DeleteFunc(differ, old)
		}
		out.kept = append(out.kept, differ...)
		return nil
	}
	if at := slices.IndexFunc(same, func(r orders.Raw) bool { return !below(r) }); at >= 0 {
		out.kept = append(out.kept, same[at])
		return nil
	}
	for _, raw := range known {
		// Storing a set that is in force changes nothing, and a captain who wrote it again into the
		// quotation must be told that it counts.
		if now, err := t.inForce(raw); err != nil {
			return err
		} else if now {
			out.kept = append(out.kept, raw)
			return nil
		}
	}
	if len(known) > 0 {
		out.asides = append(out.asides, skippedBlock{raw: known[0], known: true})
		return nil
	}
	out.asides = append(out.asides, skippedBlock{raw: same[0]})
	return nil
}

// behindMarks picks the marked block of one seat that the answer mentions: the first that is not
// the template, otherwise the first. A mail program that shows quoted text without marks hides them
// from the captain, so the block is taken from the HTML form of the mail, which is what the captain
// saw.
func (out *choice) behindMarks(raws []orders.Raw, seat engine.Seat, html func() []orders.Raw, t *sent) error {
	var known []orders.Raw
	for _, raw := range raws {
		is, err := t.has(raw, seat)
		if err != nil {
			return err
		}
		if is {
			continue
		}
		if is, err = t.had(raw); err != nil {
			return err
		} else if is {
			known = append(known, raw)
			continue
		}
		if seen, ok, err := t.changed(html, raw.Head, seat); err != nil {
			return err
		} else if ok {
			out.shown = append(out.shown, seen)
			return nil
		}
		out.asides = append(out.asides, skippedBlock{raw: raw, marked: true, changed: true})
		return nil
	}
	if len(known) > 0 {
		out.asides = append(out.asides, skippedBlock{raw: known[0], marked: true, known: true})
		return nil
	}
	out.asides = append(out.asides, skippedBlock{raw: raws[0], marked: true})
	return nil
}
