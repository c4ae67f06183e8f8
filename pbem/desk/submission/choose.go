package submission

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/turn"
)

// choice is what the blocks of a mail for one game are taken for.
type choice struct {
	kept   []orders.Raw   // the captain's own
	shown  []orders.Raw   // his own too, but read in the HTML form of the mail
	asides []skippedBlock // not taken, though there is nothing else for their ships
	cut    []orders.Raw   // templates that lost their #end
}

// skippedBlock is a block that is no order set where it stands.
type skippedBlock struct {
	pile    *gameBlocks
	pos     *turn.Position
	raw     orders.Raw
	marked  bool // behind quote marks
	barred  bool // behind bars
	changed bool // neither what the report had as template nor a set that was in force
	known   bool // a set that was in force
	foreign bool // for a ship or captain that is not the sender's
}

// group is the blocks of a mail for one seat.
type group struct {
	game, captain string // id; the word in the head of a set for all ships of one, in lower case; "" for a seat's
	seat          engine.Seat
	here, marked  []orders.Raw
}

// choose tells the captain's blocks from quoted ones. A block that equals the
// template of the report, or a set that was in force, is only quoted when it stands
// below a quotation, or when it is the template and there is another block for its
// ship; any block that differs is the captain's. Of what stands behind quote marks,
// or bars, nothing is taken, but where a ship has no other block it is not passed
// over in silence.
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
	t := sent{pile: p, pos: pos, received: c.In.Received}
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
		out.asides[i].pile, out.asides[i].pos = p, pos
	}
	slices.SortFunc(out.kept, func(a, b orders.Raw) int { return a.Start.Compare(b.Start) })
	slices.SortFunc(out.asides, func(a, b skippedBlock) int { return a.raw.Start.Compare(b.raw.Start) })
	return out, nil
}

// unmarked sorts the blocks of one seat that bear no quote marks.
func (out *choice) unmarked(raws []orders.Raw, seat engine.Seat, below func(orders.Raw) bool, t *sent) error {
	if len(raws) == 1 && !below(raws[0]) {
		// Whether it equals the template or not, it is an order set.
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
		// Orders of a turn that is over, in the quotation of an old mail, say
		// nothing beside newer ones.
		due := t.pile.game.DueStage()
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
		// To store what is in force changes nothing, and who wrote it into the
		// quotation once more is to be told that it counts.
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

// behindMarks picks, of the marked blocks of one seat, the one to speak of: the
// first that is not the template, else the first. Whoever wrote it in a mail
// program that shows quoted text without marks could not know of them, so
// it is taken as the HTML form of the mail has it, which is what he saw.
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
