package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/identity"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
)

// looseSet holds orders without the line that begins a set, read as the order set they probably
// belong to. They are not stored: it is not certain which ship they are for.
type looseSet struct {
	seat identity.Seat
	game identity.OpenGame
	blocks.Framed
}

// headless finds orders without the line that begins a set, and their other mistakes.
func (c *Decision) headless(seats []identity.Seat, own []blocks.Line) ([]orders.Diagnostic, error) {
	seat, t, err := c.DueSeat(seats)
	if err != nil || t.Game == nil {
		return nil, err
	}
	first, last, ok := blocks.Loose(own, t.Game.Rules().Language, func(word string) bool { _, ok := command.Lookup(word); return ok })
	if !ok {
		return nil, nil
	}
	template, err := t.Pos.Template(seat.Captain.Name, false)
	if err != nil || template == "" {
		return nil, err
	}
	heads, _ := orders.ScanText(template)
	if len(heads) == 0 {
		return nil, nil
	}
	d := orders.Diagnostic{
		Pos: orders.Pos{Line: first, Col: 1}, Code: codes.NoHead, Message: "no order set begins here, so these lines were not stored as orders",
		Hint: "a set begins with a line #orders and ends with a line #end; the complete set is below, ready to send",
	}
	if last < first { // only an #end was found
		head, _, _ := strings.Cut(template, "\n")
		d.Hint = fmt.Sprintf("write %q as the first line of your orders, above what you change", head)
		return []orders.Diagnostic{d}, nil
	}
	proof, err := c.TrustIn(identity.Claim{
		Game: t.Game, Captain: seat.Captain, KeyTurn: t.Pos.Due(), Given: c.Given(""), Turn: t.Pos.Due(), What: "loose", First: first, Last: last,
	})
	if err != nil {
		return nil, err
	}
	c.framed = c.frame(seat, t, heads, [2]int{first, last}, proof)
	return append([]orders.Diagnostic{d}, c.framed.Diags...), nil
}

// frame reads a range of lines of the mail as a set.
func (c *Decision) frame(seat identity.Seat, t identity.OpenGame, heads []orders.Raw, of [2]int, proof auth.Trust) *looseSet {
	lang := t.Game.Rules().Language
	check := func(raw orders.Raw) []orders.Diagnostic {
		if proof.OK() {
			return t.Pos.CheckRaws([]orders.Raw{raw}, seat.Captain.Name).Sets[0].Diagnostics
		}
		_, ds := raw.Parse(lang) // without proof, reveal nothing about the ship
		return ds
	}
	return &looseSet{seat: seat, game: t, Framed: c.Body.Frame(lang, heads, of, check)}
}

// name returns the ship or post of the set: "Hood", "Hood.helm".
func (s *looseSet) name() string {
	if ship, post, ok := s.game.Pos.SeatOf(s.Raw.Head); ok {
		return engine.OrderSetName(ship.Name, post)
	}
	return s.Raw.Head.Name
}

// stage returns the turn that the set is for.
func (s *looseSet) stage() vault.Stage {
	return vault.Stage{Turn: s.Raw.Head.Turn, Round: s.Raw.Head.Phase}
}

// words returns the subject of the answer, and its first paragraphs.
func (s *looseSet) words() (subject string, text []string) {
	what := "and have no other mistake"
	switch n := blocks.ErrorsIn(s.Diags); n {
	case 0:
	case 1:
		what = "and have 1 more mistake"
	default:
		what = fmt.Sprintf("and have %d more mistakes", n)
	}
	return fmt.Sprintf("T%s: orders for %s not accepted", s.stage().String()[1:], s.name()), []string{fmt.Sprintf(
		"Nothing was stored: your orders lack the line that begins a set. They were read as orders for %s, %s, %s.", s.name(), s.stage(), what)}
}

// example returns the whole set, and how to send it.
func (s *looseSet) example(noPlus bool) templates.CommandResult {
	text, lines := "Reply to this mail with these lines, without the bars in front of them:", slices.Clone(s.Text)
	if noPlus {
		lines[0] += " key YOUR-KEY"
		text = "Send these lines, without the bars in front of them. Replace YOUR-KEY with the turn key from the first line of the orders at the end of your last report:"
	}
	if s.Wrong > 0 {
		text = fmt.Sprintf("First correct the %s above. %s", report.Count(s.Wrong, "mistake"), text)
	}
	return templates.CommandResult{Command: "Your orders as a set", Text: []string{text}, Example: strings.Join(lines, "\n")}
}
