package desk

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/mime"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
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
func (c *submissions) choose(p *gameBlocks, pos *turn.Position) (choice, error) {
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
		if p.foreign(raw, pos) && c.body.Below(raw) {
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
	t := sent{pile: p, pos: pos, received: c.in.Received}
	for _, g := range groups {
		var err error
		if len(g.here) > 0 {
			err = out.unmarked(g.here, g.seat, c.body.Below, &t)
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

// sent is the order templates that the reports of one game held, in canonical
// form and read when they are asked for, and the sets that its answers showed.
type sent struct {
	pile     *gameBlocks
	pos      *turn.Position
	received time.Time           // the mail that is judged
	read     map[string]template // by turn and seat; empty for none
}

// template is the order template of one report.
type template struct {
	body  string   // in canonical form, without its head
	lines []string // as the report had them, each as plainWords gives it
}

// had tells whether a block is a set that was in force, before this mail came, for
// the turn and ship that it names.
func (t *sent) had(raw orders.Raw) (bool, error) {
	game, at := t.pile.game, vault.Stage{Turn: raw.Head.Turn, Round: raw.Head.Phase}
	if due := game.DueStage(); t.pos.Due() > 0 && at.Turn == due.Turn && max(at.Round, 1) >= due.Round {
		// Mostly there was no set before this one, and then it need not be looked at
		// twice.
		name := shipName(t.pos, raw.Head)
		if raw.Head.Kind == "captain" {
			name = "@" + raw.Head.Name
		}
		if some, err := game.HadAny(at, name); err != nil || !some {
			return false, err
		}
	}
	set := t.set(raw)
	if set.Name == "" || set.Text == "" || set.Turn < 1 || set.Turn > game.Turn()+orderset.MaxAhead+1 {
		return false, nil
	}
	switch played, over, err := playedWith(game, set); {
	case err != nil || over:
		return played, err
	case t.pos.Due() == 0:
		return false, nil
	}
	return game.HadOrders(turn.StageOf(set), set.Name, set.Text, t.received)
}

// has tells whether a block is, in canonical form, what the report before its
// turn had as template for the seat.
func (t *sent) has(raw orders.Raw, seat engine.Seat) (bool, error) {
	block, diags := raw.Parse(t.pile.game.Rules().Language)
	if orders.HasErrors(diags) {
		return false, nil
	}
	want, err := t.of(raw.Head, seat)
	return want.body != "" && want.body == canonical(block), err
}

// begins tells of a block without #end whether it begins as the report's template
// does, and what comes then is no line of orders: what follows a template in the
// mail, or where it was cut short.
func (t *sent) begins(raw orders.Raw, seat engine.Seat) (bool, error) {
	want, err := t.of(raw.Head, seat)
	if err != nil || len(want.lines) == 0 {
		return false, err
	}
	lines, n := blocks.PlainLines(raw), 0
	for n < min(len(lines), len(want.lines)) && lines[n] == want.lines[n] {
		n++
	}
	const few = 3 // lines, which a captain may have kept of it
	return n > min(few, len(want.lines)-1) && !slices.ContainsFunc(lines[n:], func(l string) bool {
		return slices.ContainsFunc(want.lines, func(w string) bool { return firstWord(l) == firstWord(w) })
	}), nil
}

func firstWord(line string) string {
	word, _, _ := strings.Cut(line, " ")
	return word
}

// set is what the game makes of a block.
func (t *sent) set(raw orders.Raw) orderset.Set {
	return t.pos.CheckRaws([]orders.Raw{raw}, t.pile.captainOf(raw, t.pos).Name).Sets[0]
}

// inForce tells of a set that was in force whether it still is.
func (t *sent) inForce(raw orders.Raw) (bool, error) {
	set := t.set(raw)
	if due := t.pile.game.DueStage(); set.Turn < due.Turn || set.Turn == due.Turn && set.Round < due.Round {
		return false, nil
	}
	files, err := t.pile.game.StageOrders(turn.StageOf(set))
	return slices.ContainsFunc(files, func(f vault.OrderFile) bool {
		return strings.EqualFold(f.Name, set.Name) && string(f.Text) == set.Text
	}), err
}

// changed finds, among the blocks that html gives, the one for a turn that is not
// the template of the seat; there must be no other such.
func (t *sent) changed(html func() []orders.Raw, head orders.Head, seat engine.Seat) (found orders.Raw, ok bool, err error) {
	n := 0
	for _, h := range html() {
		if h.Head.Turn != head.Turn || h.Head.Phase != head.Phase {
			continue
		}
		is, err := t.has(h, seat)
		if err != nil {
			return found, false, err
		}
		if !is {
			found, n = h, n+1
		}
	}
	return found, n == 1, nil
}

// canonical is the canonical text of a block whatever its head says.
func canonical(b orders.Block) string {
	b.Head = orders.Head{}
	return orders.Format(b)
}

func (t *sent) of(head orders.Head, seat engine.Seat) (template, error) {
	game, turn := t.pile.game, head.Turn
	if turn < 1 || turn > game.Turn()+1 || seat.Ship == "" {
		return template{}, nil
	}
	before := vault.Stage{Turn: turn - 1}
	if game.Rounds() > 0 && head.Phase > 1 {
		before = vault.Stage{Turn: turn, Round: head.Phase - 1}
	}
	key := fmt.Sprintf("%s %s", before, seat)
	if text, ok := t.read[key]; ok {
		return text, nil
	}
	// What was sent is on file, and stays there whatever becomes of the rules. The orders of a
	// post stand in its own report, or in the captain's when he gives them.
	files := []string{engine.OrderSetName(string(seat.Ship), seat.Post)}
	if seat.Post != "" {
		files = append(files, string(seat.Ship))
	}
	var found template
	for _, file := range files {
		report, err := game.StageFile(before, vault.ReportsDir+"/"+file+".txt")
		if errors.Is(err, vault.ErrNoTurn) {
			continue
		}
		if err != nil {
			return template{}, err
		}
		raws, _ := orders.Scan(report)
		for _, raw := range raws {
			if s, post, ok := t.pos.SeatOf(raw.Head); !ok || (engine.Seat{Ship: s.ID, Post: post}) != seat || raw.Head.Turn != turn {
				continue
			}
			if block, diags := raw.Parse(game.Rules().Language); !orders.HasErrors(diags) {
				found = template{body: canonical(block), lines: blocks.PlainLines(raw)}
			}
		}
		if found.body != "" {
			break
		}
	}
	if t.read == nil {
		t.read = map[string]template{}
	}
	t.read[key] = found
	return found, nil
}

// inHTML are the blocks of the HTML form that belong to a group.
func (c *submissions) inHTML(g *group, of func(orders.Raw) *group) []orders.Raw {
	return slices.DeleteFunc(slices.Clone(c.html().raws), func(r orders.Raw) bool {
		return !strings.EqualFold(r.Head.Game, g.game) || of(r) != g
	})
}

// stale tells of a set that was read in the plain text of the mail, if its HTML form
// holds others for the same ship and turn: some programs do not carry what was
// changed there over to the plain text.
func (c *submissions) stale(raw orders.Raw, pos *turn.Position) []string {
	if c.in.Mail.Source != mime.SourcePlain || c.body.InFile(raw) {
		return nil
	}
	other := false
	for _, h := range c.html().raws {
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
	return []string{fmt.Sprintf("The HTML form of your mail holds other orders for %s than its plain text, and only the plain text was read. "+
		"If it is not what you see in your mail program, send the orders as plain text.", shipName(pos, raw.Head))}
}

// htmlNotice goes with orders that were read in the HTML form.
const htmlNotice = "Your mail program marked these lines as quoted (>) in the plain text of the mail, so they were read in its HTML form, as you saw it."

// shipName is what the ship or seat of a head is called, as far as the game has one.
func shipName(pos *turn.Position, h orders.Head) string {
	if ship, post, ok := pos.SeatOf(h); ok {
		return engine.OrderSetName(ship.Name, post)
	}
	if ship, err := pos.FindShip(h.Name); err == nil {
		return ship.Name
	}
	return h.Name
}

// playedWith tells whether the stage of a set is over, and whether it was resolved
// with that very set.
func playedWith(g *vault.Game, set orderset.Set) (same, over bool, err error) {
	newest := g.Newest()
	if set.Text == "" || set.Name == "" || set.Turn < 1 || set.Turn > newest.Turn || set.Turn == newest.Turn && newest.Round > 0 && set.Round > newest.Round {
		return false, false, nil
	}
	at := vault.Stage{Turn: set.Turn}
	if at.Turn == newest.Turn {
		at = newest
	}
	text, err := g.StageFile(at, turn.OrdersIn(set.Round)+"/"+set.Name+".txt")
	if errors.Is(err, vault.ErrNoTurn) {
		return false, true, nil
	}
	return err == nil && string(text) == set.Text, true, err
}
