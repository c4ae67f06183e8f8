package dark

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/orders"
)

// takenUp adds the ships that pass it on in the next round: those of the side that relay, and whose own
// sensors reach who speaks.
func (t *Turn) takenUp(p *blind.Passage, from *engine.Ship) {
	for _, id := range t.Game.Blind.Relays {
		s, ok := t.Game.Ship(id)
		if ok && s.Side == from.Side && id != p.Ship && !slices.Contains(p.By, id) && !slices.Contains(p.Due, id) && t.reaches([]*engine.Ship{s}, from) {
			p.Due = append(p.Due, id)
		}
	}
}

// BeginRound carries out, as a round begins, what its order sets say of relaying, and has ships say again
// what was due; EndTalk follows when all has been said.
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

// EndTalk keeps what is due in the next round.
func (t *Turn) EndTalk() {
	if len(t.passages)+len(t.Game.Blind.Passages) > 0 {
		t.Record(&passing{t.passages}, engine.See{}, []string{"house 12.12"})
	}
}

// passOn has a ship say again what she has read. Who of her side reads it for the first time is told by whom
// it was said, and when; to others it is talk in code from where she is.
func (t *Turn) passOn(p *blind.Passage, id engine.ShipID) {
	s, _ := t.Game.Ship(id)
	if s.Status != engine.Active || !slices.Contains(t.Game.Blind.Relays, id) {
		return
	}
	body := &engine.Talk{Ship: p.Ship, To: engine.ToSide, Text: p.Text, Coded: true, By: id, Said: (*engine.Moment)(&p.Said)}
	if sent, _ := t.sentInTheDark(s, orders.Statement{Verb: engine.VerbRelay, Words: []string{engine.VerbRelay, "on"}}, &engine.Talk{Coded: true}); !sent {
		p.Due = append(p.Due, id) // later, if it can be
		return
	}
	p.By = append(p.By, id)
	said := t.Record(&passedOn{Ship: id, From: p.Ship, Said: engine.Moment(p.Said)}, engine.SeeOnly(t.Game.Viewer(s).Ships...), []string{"house 12.12"})
	var see engine.See
	var others []int
	for i, c := range t.captains {
		switch mate := t.mates(i, s); {
		case !t.reaches(t.own[i], s):
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

// mates tells whether a captain, by his place among them, is of a ship's side.
func (t *Turn) mates(captain int, of *engine.Ship) bool {
	return slices.ContainsFunc(t.own[captain], func(s *engine.Ship) bool { return s.Side == of.Side })
}

// relay is a ship that passes on from now on what her side says in code, or does so no longer.
type relay struct {
	Ship engine.ShipID `json:"ship"`
	On   bool          `json:"on"`
}

// Type implements Body.
func (*relay) Type() string { return "relay" }

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

// Words implement [Telling].
func (b *relay) Words(v *engine.View) string {
	if !b.On {
		return v.Name(b.Ship) + " passes no more talk on"
	}
	return v.Name(b.Ship) + " passes on what she reads of her side's talk in code"
}

// passedOn is a ship that has said again what another of her side said.
type passedOn struct {
	Ship engine.ShipID `json:"ship"`
	From engine.ShipID `json:"from"`
	Said engine.Moment `json:"said"`
}

// Type implements Body.
func (*passedOn) Type() string { return "passed" }

// Words implement [Telling].
func (b *passedOn) Words(v *engine.View) string {
	return fmt.Sprintf("%s passes on what %s said in turn %d", v.Name(b.Ship), v.Name(b.From), b.Said.Turn)
}

// passing is what is due to be passed on as the next round begins. It is for the game alone.
type passing struct {
	Passages []blind.Passage `json:"Passages,omitempty"`
}

// Type implements Body.
func (*passing) Type() string { return "passing" }

// Apply implements Body.
func (b *passing) Apply(g *engine.Game) error {
	if g.Blind == nil {
		return errNoContact
	}
	g.Blind.Passages = b.Passages
	return nil
}
