package submission

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// sent holds the order templates of the reports of one game, in canonical form and read on demand,
// and the sets that its answers showed.
type sent struct {
	blocks   *gameBlocks
	pos      *turn.Position
	received time.Time           // when the decided mail came
	read     map[string]template // by turn and seat; empty for none
}

// template is the order template of one report.
type template struct {
	body  string   // in canonical form, without its head
	lines []string // as in the report, in the form of PlainLines
}

// had reports whether a block is a set that was in force before this mail, for the turn and ship
// that it names.
func (t *sent) had(raw orders.Raw) (bool, error) {
	game, at := t.blocks.game, vault.Stage{Turn: raw.Head.Turn, Round: raw.Head.Phase}
	if due := game.DueStage(); t.pos.Due() > 0 && at.Turn == due.Turn && max(at.Round, 1) >= due.Round {
		// Usually there was no set before this one, which saves parsing it twice.
		name := shipName(t.pos, raw.Head)
		if raw.Head.Kind == "captain" {
			name = "@" + raw.Head.Name
		}
		if some, err := game.Orders.HadAny(at, name); err != nil || !some {
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
	return game.Orders.Had(turn.StageOf(set), set.Name, set.Text, t.received)
}

// has reports whether a block equals, in canonical form, the template that the report before its
// turn had for the seat.
func (t *sent) has(raw orders.Raw, seat engine.Seat) (bool, error) {
	block, diags := raw.Parse(t.blocks.game.Rules().Language)
	if orders.HasErrors(diags) {
		return false, nil
	}
	want, err := t.of(raw.Head, seat)
	return want.body != "" && want.body == canonical(block), err
}

// begins reports whether a block without #end begins like the report's template and continues with
// no line of orders: what follows is other text of the mail, or the template was cut short.
func (t *sent) begins(raw orders.Raw, seat engine.Seat) (bool, error) {
	want, err := t.of(raw.Head, seat)
	if err != nil || len(want.lines) == 0 {
		return false, err
	}
	lines, n := blocks.PlainLines(raw), 0
	for n < min(len(lines), len(want.lines)) && lines[n] == want.lines[n] {
		n++
	}
	const few = 3 // lines that a captain may have kept
	return n > min(few, len(want.lines)-1) && !slices.ContainsFunc(lines[n:], func(l string) bool {
		return slices.ContainsFunc(want.lines, func(w string) bool { return firstWord(l) == firstWord(w) })
	}), nil
}

func firstWord(line string) string {
	word, _, _ := strings.Cut(line, " ")
	return word
}

// set returns a block as parsed and checked by the game.
func (t *sent) set(raw orders.Raw) orderset.Set {
	return t.pos.CheckRaws([]orders.Raw{raw}, t.blocks.captainOf(raw, t.pos).Name).Sets[0]
}

// inForce reports whether a set that was in force still is.
func (t *sent) inForce(raw orders.Raw) (bool, error) {
	set := t.set(raw)
	if due := t.blocks.game.DueStage(); set.Turn < due.Turn || set.Turn == due.Turn && set.Round < due.Round {
		return false, nil
	}
	files, err := t.blocks.game.Orders.For(turn.StageOf(set))
	return slices.ContainsFunc(files, func(f vault.OrderFile) bool {
		return strings.EqualFold(f.Name, set.Name) && string(f.Text) == set.Text
	}), err
}

// changed returns the block from html for this turn that differs from the template of the seat, if
// there is exactly one.
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

// canonical returns the canonical text of a block without its head.
func canonical(b orders.Block) string {
	b.Head = orders.Head{}
	return orders.Format(b)
}

func (t *sent) of(head orders.Head, seat engine.Seat) (template, error) {
	game, turn := t.blocks.game, head.Turn
	if turn < 1 || turn > game.Turn()+1 || seat.Ship == "" {
		return template{}, nil
	}
	before := vault.At(turn - 1)
	if game.Rounds() > 0 && head.Phase > 1 {
		before = vault.Stage{Turn: turn, Round: head.Phase - 1}
	}
	key := fmt.Sprintf("%s %s", before, seat)
	if text, ok := t.read[key]; ok {
		return text, nil
	}
	// Read the template from the report on file, which stays even if the rules change. The orders
	// of a post are in its own report, or in the captain's if the captain gives them.
	files := []string{engine.OrderSetName(string(seat.Ship), seat.Post)}
	if seat.Post != "" {
		files = append(files, string(seat.Ship))
	}
	var found template
	for _, file := range files {
		report, err := game.Stages.File(before, vault.ReportsDir+"/"+file+".txt")
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

// shipName returns the game's name for the ship or seat of a head, if it has one.
func shipName(pos *turn.Position, h orders.Head) string {
	if ship, post, ok := pos.SeatOf(h); ok {
		return engine.OrderSetName(ship.Name, post)
	}
	if ship, err := pos.FindShip(h.Name); err == nil {
		return ship.Name
	}
	return h.Name
}

// playedWith reports whether the stage of a set is over, and whether it was resolved with exactly
// this set.
func playedWith(g *vault.Game, set orderset.Set) (same, over bool, err error) {
	newest := g.Newest()
	if set.Text == "" || set.Name == "" || set.Turn < 1 || set.Turn > newest.Turn || set.Turn == newest.Turn && newest.Round > 0 && set.Round > newest.Round {
		return false, false, nil
	}
	at := vault.At(set.Turn)
	if at.Turn == newest.Turn {
		at = newest
	}
	text, err := g.Stages.File(at, turn.OrdersIn(set.Round)+"/"+set.Name+".txt")
	if errors.Is(err, vault.ErrNoTurn) {
		return false, true, nil
	}
	return err == nil && string(text) == set.Text, true, err
}
