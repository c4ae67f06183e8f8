package dark

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/hex"
	"starpost/orders"
)

// Talk in code (house 12.12, 12.13). A side speaks by one of its code books. Laboratories gather data on the book
// in use; a ship that has broken it reads what is said nearby until the side changes books. A broken code is a file
// aboard, and is sent like other files.
const (
	JobDecode = "decode" // data on a code
	// VerbNew is the verb of the order to take a new code.
	VerbNew = "new"

	codeUnits = 20 // that break a code

	// AnyCode in an order stands for the nearest code heard.
	AnyCode = "any"
)

// bookOf returns the key of a side's code book. No captain is told it: its number would show that there was another
// one before.
func bookOf(side string, no int) string { return fmt.Sprintf("%s/%d", side, no) }

// LabOrders returns the verbs of the orders for laboratories, files and codes.
func LabOrders() []string {
	return []string{engine.JobStudy, engine.JobReceive, engine.JobSteal, JobDecode, engine.VerbSend, VerbNew}
}

// codedTalk is something said in code in the turn, as one captain's sensors heard it.
type codedTalk struct {
	captain int // an index of Turn.captains
	side    string
	book    string
	near    map[engine.ShipID]int // the captain's ships within laboratory range, and their distance from the speaker
	heard   Overheard             // including the words
	read    bool
}

// hearCoded lets a captain's sensors hear talk in code. The captain is told the words if one of their ships near
// enough has broken the code.
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

// toDecode fills in the code that a laboratory works on, or returns why it cannot. It is a code heard within its
// range in this turn, named by its side or by the speaker.
func (t laboratories) toDecode(s *engine.Ship, st orders.Statement, w *LabWork) (why string) {
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
			if side { // otherwise it would reveal the side of the speaker
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

// noTalk returns why there is no code to work on, without revealing whether such a side or ship exists.
func noTalk(whose string) string {
	if strings.EqualFold(whose, AnyCode) {
		return "no talk heard within 10 hexes"
	}
	return "no such talk heard within 10 hexes"
}

// callsSide reports whether a word is the id or the name of a side.
func callsSide(g *engine.Game, side, word string) bool {
	return strings.EqualFold(word, side) || strings.EqualFold(word, g.SideName(side))
}

// decipher tells a ship's captain the words of all talk she has heard this turn in a code that she has just broken.
func (t laboratories) decipher(s *engine.Ship, book string, got engine.Ref) {
	for i := range t.coded {
		c := &t.coded[i]
		if _, near := c.near[s.ID]; near && c.book == book && !c.read && t.captains[c.captain].Name == s.Captain {
			c.read = true
			heard := c.heard
			t.Because(got).Record(&heard, engine.SeeOnly(t.captains[c.captain].Ships...), []string{"house 12.13"})
		}
	}
}

// newCodes makes sides take their next code books at the end of a turn; they use them from the next turn on (house
// 12.13, F18). If two captains order it in one turn, the book changes once.
func (t laboratories) newCodes(refused func(ship engine.ShipID, line int) bool) {
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

// noNewCode is the reason why a side takes no other code book.
const noNewCode = "the side has no other code book"

// matesOf returns the ships with captains on a ship's side, including her.
func (t *Turn) matesOf(s *engine.Ship) (ids []engine.ShipID) {
	for _, o := range engine.Captained(t.Game.Ships) {
		if o.Side == s.Side {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// codeTaken is the code book that a side uses from the next turn on.
type codeTaken struct {
	Ship engine.ShipID `json:"ship"` // of the captain who ordered it
	Side string        `json:"side"`
	Book int           `json:"book"`
}

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

// Sentence implements [engine.Telling].
func (b *codeTaken) Sentence(v *engine.View) string {
	return fmt.Sprintf("%s has %s use code book %d from the next turn on", v.Name(b.Ship), v.SideName(b.Side), b.Book)
}

// takenUp adds the ships that pass a message on in the next round: those of the side that relay and detect the
// speaker with their own sensors.
func (t *Turn) takenUp(p *blind.Passage, from *engine.Ship) {
	for _, id := range t.Game.Blind.Relays {
		s, ok := t.Game.Ship(id)
		if ok && s.Side == from.Side && id != p.Ship && !slices.Contains(p.By, id) && !slices.Contains(p.Due, id) && reaches(t.Rules, t.Game, []*engine.Ship{s}, from) {
			p.Due = append(p.Due, id)
		}
	}
}

// BeginRound carries out a round's orders about relaying at its beginning, and lets ships repeat what was due.
// EndTalk is called when everything has been said.
func (t *Turn) BeginRound(block func(engine.Seat) *orders.Block) {
	for _, s := range engine.Captained(t.Game.Ships) {
		b := block(engine.Seat{Ship: s.ID})
		if b == nil || !t.Rules.Commands(s) {
			continue
		}
		for _, st := range engine.TurnLevelStatements(b, engine.VerbRelay) {
			on := slices.Contains(st.Words, "on")
			if t.Rules.Unheard(t.Game, s, st) == "" && on != slices.Contains(t.Game.Blind.Relays, s.ID) {
				t.Because(t.Ordered(s.ID, st.Pos.Line, orders.FormatStatement(st))).Emit(&relay{s.ID, on}, engine.SeeOnly(s.ID), "house 12.12")
			}
		}
	}
	t.passages = nil
	for _, p := range t.Game.Blind.Passages {
		p = p.Clone()
		due := p.Due
		p.Due = nil
		for _, id := range due {
			t.passOn(&p, id)
		}
		if len(p.Due) > 0 {
			t.passages = append(t.passages, p)
		}
	}
}

// EndTalk records what is due in the next round.
func (t *Turn) EndTalk() {
	if len(t.passages)+len(t.Game.Blind.Passages) > 0 {
		t.Record(&passing{t.passages}, engine.See{}, []string{"house 12.12"})
	}
}

// passOn lets a ship repeat what she has read. Those of her side who read it for the first time are told who said
// it, and when; for others it is talk in code from her hex.
func (t *Turn) passOn(p *blind.Passage, id engine.ShipID) {
	s, _ := t.Game.Ship(id)
	if s.Status != engine.Active || !slices.Contains(t.Game.Blind.Relays, id) {
		return
	}
	body := &engine.Talk{Ship: p.Ship, To: engine.ToSide, Text: p.Text, Coded: true, By: id, Said: (*engine.Moment)(&p.Said)}
	if sent, _ := t.sentInTheDark(s, orders.Statement{Verb: engine.VerbRelay, Words: []string{engine.VerbRelay, "on"}}, &engine.Talk{Coded: true}); !sent {
		p.Due = append(p.Due, id) // try again later
		return
	}
	p.By = append(p.By, id)
	said := t.Record(&passedOn{Ship: id, From: p.Ship, Said: engine.Moment(p.Said)}, engine.SeeOnly(t.Game.Viewer(s).Ships...), []string{"house 12.12"})
	var see engine.See
	var others []int
	for i, c := range t.captains {
		switch mate := t.mates(i, s); {
		case !reaches(t.Rules, t.Game, t.own[i], s):
		case !mate:
			others = append(others, i)
		case !slices.Contains(p.Read, c.Name):
			p.Read, see.Whole = append(p.Read, c.Name), append(see.Whole, engine.CaptainSeats(c.Ships...)...)
		}
	}
	if slices.SortFunc(see.Whole, engine.CompareSeats); len(see.Whole) > 0 {
		heard := t.Because(said).Record(body, see, []string{"house 12.12", "D53"})
		from, _ := t.Game.Ship(p.Ship)
		t.tellContacts(from, p.Contacts, see, heard)
	}
	t.overhear(others, s, true, p.Text, said)
	t.takenUp(p, s)
}

// mates reports whether a captain is on a ship's side; captain is an index of t.captains.
func (t *Turn) mates(captain int, of *engine.Ship) bool {
	return slices.ContainsFunc(t.own[captain], func(s *engine.Ship) bool { return s.Side == of.Side })
}

// relay is a ship that starts or stops relaying her side's coded talk.
type relay struct {
	Ship engine.ShipID `json:"ship"`
	On   bool          `json:"on"`
}

// Apply implements Body.
func (b *relay) Apply(g *engine.Game) error {
	if g.Blind == nil {
		return errNoContact
	}
	g.Blind.Relays = slices.DeleteFunc(slices.Clone(g.Blind.Relays), func(id engine.ShipID) bool { return id == b.Ship })
	if b.On {
		g.Blind.Relays = append(g.Blind.Relays, b.Ship)
		slices.Sort(g.Blind.Relays)
	}
	return nil
}

// Sentence implements [engine.Telling].
func (b *relay) Sentence(v *engine.View) string {
	if !b.On {
		return v.Name(b.Ship) + " stops relaying"
	}
	return v.Name(b.Ship) + " relays coded talk of her side that she reads"
}

// passedOn is a ship that repeated what another of her side said.
type passedOn struct {
	Ship engine.ShipID `json:"ship"`
	From engine.ShipID `json:"from"`
	Said engine.Moment `json:"said"`
}

// Sentence implements [engine.Telling].
func (b *passedOn) Sentence(v *engine.View) string {
	return fmt.Sprintf("%s relays what %s said in turn %d", v.Name(b.Ship), v.Name(b.From), b.Said.Turn)
}

// passing is what is due to be passed on when the next round begins. It is for the game only.
type passing struct {
	Passages []blind.Passage `json:"Passages,omitempty"`
}

// Apply implements Body.
func (b *passing) Apply(g *engine.Game) error {
	if g.Blind == nil {
		return errNoContact
	}
	g.Blind.Passages = b.Passages
	return nil
}
