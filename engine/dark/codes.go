package dark

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/orders"
)

// Talk in code (house 12.12, 12.13). A side speaks by one of its code books. Laboratories gather data on
// the book by which it is spoken; who has broken it reads what is said near by, until the side
// takes another one. A broken code is a file aboard, and goes from ship to ship as files do.
const (
	JobDecode = "decode" // data on a code
	// VerbNew is the verb of the order to take a new code.
	VerbNew = "new"

	codeUnits = 20 // that break a code

	// AnyCode stands, in an order, for the nearest code that is heard.
	AnyCode = "any"
)

// bookOf is the key of a code book of a side, which no captain is told: its number would tell that
// there was another one before.
func bookOf(side string, no int) string { return fmt.Sprintf("%s/%d", side, no) }

// LabOrders are the verbs of the orders for laboratories, files and codes.
func LabOrders() []string {
	return []string{engine.JobStudy, engine.JobReceive, engine.JobSteal, JobDecode, engine.VerbSend, VerbNew}
}

// codedTalk is something that was said in code in the turn, as one captain's sensors caught it.
type codedTalk struct {
	captain int // by his place among them
	side    string
	book    string
	near    map[engine.ShipID]int // his ships within reach of a laboratory, by id: how far from the speaker
	heard   Overheard      // with the words
	read    bool
}

// hearCoded has a captain's sensors catch talk in code. Its words are told where a ship of his
// that has the code broken is near enough.
func (t *Turn) hearCoded(captain int, from *engine.Ship, heard Overheard) {
	c := codedTalk{captain: captain, side: from.Side, book: bookOf(from.Side, t.Game.Blind.Code(from.Side).Book), near: map[engine.ShipID]int{}, heard: heard}
	for _, s := range t.own[captain] {
		if d := hex.Distance(s.Hex, from.Hex); s.Status == engine.Active && d <= labReach {
			c.near[s.ID] = d
			c.read = c.read || t.Game.Labs.Broken(s.ID, c.book) != nil
		}
	}
	if !c.read {
		heard.Text = nil
	}
	t.coded = append(t.coded, c)
	t.Record(&heard, engine.SeeOnly(t.captains[captain].Ships...), []string{"house 12.12", "D53"})
}

// toDecode fills in which code a laboratory works on, or says why it cannot: one that was heard
// within its reach in this turn, by the name of its side or of who spoke.
func (t *Turn) toDecode(s *engine.Ship, st orders.Statement, w *LabWork) (why string) {
	a, _ := st.Arg("SIDE")
	if t.open() {
		return noTalk(a.Text)
	}
	var best *codedTalk
	open := false
	for i := range t.coded {
		c := &t.coded[i]
		at, near := c.near[s.ID]
		side := callsSide(t.Game, c.side, a.Text)
		if !near || !side && !strings.EqualFold(a.Text, AnyCode) && !strings.EqualFold(a.Text, string(c.heard.From)) {
			continue
		}
		if unbroken := t.Game.Labs.Broken(s.ID, c.book) == nil; best == nil || unbroken && (!open || at < w.Range) {
			best, open, w.Range, w.What = c, unbroken, at, string(c.heard.From)
			if side { // else it would tell whose ship she is who spoke
				w.What = c.side
			}
		}
	}
	switch {
	case best == nil:
		return noTalk(a.Text)
	case !open:
		return "that code is broken already"
	}
	w.Of, w.Units = best.book, codeUnits
	return ""
}

// noTalk is why there is no code to work on: it tells nothing of whether there is such a side or ship.
func noTalk(whose string) string {
	if strings.EqualFold(whose, AnyCode) {
		return "no talk heard within 10 hexes"
	}
	return "no such talk heard within 10 hexes"
}

// calls tells whether a word means a side, by its id or its name.
func callsSide(g *engine.Game, side, word string) bool {
	return strings.EqualFold(word, side) || strings.EqualFold(word, g.SideName(side))
}

// decipher tells the words of all that a ship has heard in this turn in the code that she has
// broken now.
func (t *Turn) decipher(s *engine.Ship, book string, got engine.Ref) {
	for i := range t.coded {
		c := &t.coded[i]
		if _, near := c.near[s.ID]; near && c.book == book && !c.read && t.captains[c.captain].Name == s.Captain {
			c.read = true
			heard := c.heard
			t.Because(got).Record(&heard, engine.SeeOnly(t.captains[c.captain].Ships...), []string{"house 12.13"})
		}
	}
}

// newCodes has sides take their next code books, as a turn ends: they speak by them from the next
// turn on (house 12.13, F18). Two captains who order it in one turn change books once.
func (t *Turn) newCodes(refused func(ship engine.ShipID, line int) bool) {
	changed := map[string]bool{}
	for _, s := range engine.Captained(t.Game.Ships) {
		for _, b := range t.labSets(s) {
			for _, st := range engine.TurnLevelStatements(b, VerbNew) {
				if s.Status != engine.Active || t.open() || changed[s.Side] || refused(s.ID, st.Pos.Line) {
					continue
				}
				t.Because(t.Ordered(s.ID, st.Pos.Line, orders.FormatStatement(st)))
				code := t.Game.Blind.Code(s.Side)
				if code.Book >= code.Books {
					t.Record(&engine.Skip{Ship: s.ID, Line: st.Pos.Line, Order: orders.FormatStatement(st), Reason: noNewCode}, engine.SeeOnly(s.ID), []string{"D13"})
					continue
				}
				changed[s.Side] = true
				t.Record(&codeTaken{Ship: s.ID, Side: s.Side, Book: code.Book + 1}, engine.SeeOnly(t.matesOf(s)...), []string{"house 12.13"})
			}
		}
	}
}

// noNewCode is why a side takes no other code book.
const noNewCode = "the side has no other code book"

// matesOf are the ships of a ship's side that have captains, with her.
func (t *Turn) matesOf(s *engine.Ship) (ids []engine.ShipID) {
	for _, o := range engine.Captained(t.Game.Ships) {
		if o.Side == s.Side {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// codeTaken is a code book by which a side speaks from the next turn on.
type codeTaken struct {
	Ship engine.ShipID `json:"ship"` // whose captain ordered it
	Side string        `json:"side"`
	Book int           `json:"book"`
}

// Type implements Body.
func (*codeTaken) Type() string { return "code" }

// Apply implements Body.
func (b *codeTaken) Apply(g *engine.Game) error {
	if g.Blind == nil {
		return errNoContact
	}
	if g.Blind.Taken == nil {
		g.Blind.Taken = map[string]int{}
	}
	g.Blind.Taken[b.Side] = b.Book
	return nil
}

// Words implement [Telling].
func (b *codeTaken) Words(v *engine.View) string {
	return fmt.Sprintf("%s has %s talk by code book %d from the next turn on", v.Name(b.Ship), v.SideName(b.Side), b.Book)
}
