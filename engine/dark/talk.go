package dark

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/hex"
	"starpost/orders"
)

// ForCourier reports whether a set has words for probes to carry.
func ForCourier(b *orders.Block) bool {
	return slices.ContainsFunc(engine.TurnLevelStatements(b, engine.VerbMessage), func(st orders.Statement) bool {
		return strings.EqualFold(engine.Addressed(st), WordCourier)
	})
}

// CourierWords returns what a ship's captain has said for probes to carry in the turn so far, in order.
func (t *Turn) CourierWords(s *engine.Ship) (text []string) {
	sets := t.setsOf(s)
	for _, b := range sets[:min(len(sets), t.Round())] {
		for _, st := range engine.TalkStatements(b) {
			if strings.EqualFold(engine.Addressed(st), WordCourier) && t.Rules.Unheard(t.Game, s, st) == "" {
				text = append(text, st.Text...)
			}
		}
	}
	return text
}

// DeliverWords lets probes deliver their words to ships of their side that are near enough, once to each captain.
func (t *Turn) DeliverWords(rule ...string) {
	for _, p := range t.Game.Ships {
		parent, ok := t.Game.Ship(p.Parent)
		if p.Kind != engine.KindProbe || p.Status != engine.Active || !ok {
			continue
		}
		m, launched := missionOf(p)
		if m.Words == "" {
			continue
		}
		for _, s := range engine.Captained(t.Game.Ships) {
			has := slices.ContainsFunc(m.Given, func(id engine.ShipID) bool {
				o, there := t.Game.Ship(id)
				return there && o.Captain == s.Captain
			})
			if has || s.Status != engine.Active || s.Side != p.Side || s.Captain == parent.Captain || hex.Distance(s.Hex, p.Hex) > CourierReach {
				continue
			}
			t.Emit(&Given{p.ID, s.ID}, engine.See{}, rule...)
			see := engine.SeeOnly(append(slices.Clone(t.Game.Viewer(parent).Ships), t.Game.Viewer(s).Ships...)...)
			t.Record(&engine.Talk{Ship: parent.ID, To: s.Name, Text: strings.Split(string(m.Words), "\n"), Coded: true, By: p.ID, Said: &launched}, see, []string{"house 14.2"})
		}
	}
}

// Given says that a ship has got what a probe carries. It is for the game only: her captain reads the words.
type Given struct {
	Craft engine.ShipID `json:"craft"`
	Ship  engine.ShipID `json:"ship"`
}

// Apply implements Body.
func (b *Given) Apply(g *engine.Game) error {
	p, ok := g.Ship(b.Craft)
	if !ok {
		return engine.UnknownShip(b.Craft)
	}
	m, _ := missionOf(p)
	m.Given = append(slices.Clone(m.Given), b.Ship)
	return nil
}

// mostTalk is the maximum number of characters a captain can say at once in a game in the dark.
const mostTalk = 4000

// Unheard implements [engine.Extension]. In a game in the dark, words reach no one if they are for another side
// (house 12.12), are too long or, with talk = "none", are not carried by a courier. For an order to relay it returns
// why that does nothing.
func (x *Extension) Unheard(g *engine.Game, from *engine.Ship, st orders.Statement) string {
	to := engine.Addressed(st)
	side := strings.EqualFold(to, engine.ToSide) || strings.EqualFold(to, from.Side) || strings.EqualFold(to, g.SideName(from.Side))
	switch {
	case g.Blind == nil && st.Verb == engine.VerbReport:
		return "contacts are for games in the dark"
	case g.Blind == nil && st.Verb == engine.VerbRelay:
		return "talk is passed on in games in the dark"
	case g.Blind == nil:
		return ""
	case strings.EqualFold(to, WordCourier) && x.Labs != nil && x.Labs.Load != nil:
		side = true
	case g.Blind.Talk == blind.TalkNone:
		return "in this game no one hears another ship"
	case g.Blind.Talk == blind.TalkSide && st.Verb == engine.VerbRelay:
		return "in this game your side hears you at any distance"
	}
	switch {
	case st.Verb != engine.VerbSay && !side:
		return "in the dark only your own side hears you: write message side, or say"
	case utf8.RuneCountInString(strings.Join(st.Text, "\n")) > mostTalk:
		return fmt.Sprintf("it is longer than %d characters", mostTalk)
	}
	return ""
}

// Overheard is what a captain's sensors catch of another side's talk: open words, or that something was said in
// code, and about how much (house 12.11, 12.12).
type Overheard struct {
	Ship  engine.ShipID `json:"ship" see:"crew"`           // one of the captain's
	From  engine.ShipID `json:"from,omitempty" see:"crew"` // the captain's name for the speaker; blank if it is not detected
	At    *hex.Hex      `json:"at,omitempty" see:"crew"`   // the speaker's place
	Coded bool          `json:"coded,omitempty" see:"crew"`
	About int           `json:"about,omitempty" see:"crew"` // number of words said in code, in fives
	Text  []string      `json:"text,omitempty" see:"crew"`  // absent: in a code that is not broken
}

// Break returns the reason to ask the captain.
func (*Overheard) Break() engine.Break {
	return engine.Break{Kind: engine.BreakHeard, Text: "something was overheard"}
}

// Sentence implements [engine.Telling].
func (b *Overheard) Sentence(v *engine.View) string {
	heard := strings.TrimSuffix(fmt.Sprintf("%s, %s: %s", b.Who(v), b.How(), strings.Join(b.Text, " / ")), ": ")
	if v.Viewer.All {
		return v.Name(b.Ship) + " overhears " + heard
	}
	return heard
}

// Who returns who speaks, by the names of a view.
func (b *Overheard) Who(v *engine.View) string {
	if b.From == "" {
		return "something unseen"
	}
	return v.Name(b.From) + " at " + b.At.Label()
}

// How describes how it was said and, if the words are unknown, how much.
func (b *Overheard) How() string {
	switch {
	case b.Coded && b.Text != nil:
		return "in code"
	case b.Coded:
		return fmt.Sprintf("in code, about %d words", b.About)
	}
	return "in the open"
}

// aboutWords returns the number of words of a text, rounded to fives and at least five.
func aboutWords(text []string) int {
	n := len(strings.Fields(strings.Join(text, " ")))
	return max(5, (n+2)/5*5)
}

// talkInTheDark lets a ship's captain say something in a game in the dark. The own side hears it at any distance or
// within range, depending on the setting talk; others hear what reaches them.
func (t *Turn) talkInTheDark(from *engine.Ship, st orders.Statement, body *engine.Talk, order engine.Ref) {
	sent, open := t.sentInTheDark(from, st, body)
	rule := "house 12.12"
	if !body.Coded {
		rule = "house 12.11"
	}
	var see engine.See
	var others []int
	var read []engine.CaptainName
	for i, c := range t.captains {
		mate := t.mates(i, from)
		switch near := reaches(t.Rules, t.Game, t.own[i], from); {
		case c.Name == from.Captain, sent && mate && (near || t.Game.Blind.Talk == blind.TalkSide):
			see.Whole, read = append(see.Whole, engine.CaptainSeats(c.Ships...)...), append(read, c.Name)
		case open && !mate && near:
			others = append(others, i)
		}
	}
	slices.SortFunc(see.Whole, engine.CompareSeats)
	said := t.Because(order).Record(body, see, []string{rule, "D53"})
	t.overhear(others, from, body.Coded, body.Text, said)
	var told []blind.Contact
	if st.Verb == engine.VerbReport {
		told = tellable(t.Game, from)
		t.tellContacts(from, told, see, said)
	}
	if sent && body.Coded && t.Game.Blind.Talk == blind.TalkRange {
		p := blind.Passage{Ship: from.ID, Said: blind.When{Turn: t.Number(), Phase: t.Phase.No}, Text: body.Text, Contacts: told, Read: read}
		if t.takenUp(&p, from); len(p.Due) > 0 {
			t.passages = append(t.passages, p)
		}
	}
}

// overhear lets captains of other sides catch what a ship says: words in the open, or that something was said in
// code. Others are indexes of t.captains.
func (t *Turn) overhear(others []int, from *engine.Ship, coded bool, text []string, said engine.Ref) {
	for _, i := range others {
		c := t.captains[i]
		heard := &Overheard{Ship: c.Ships[0], From: t.observers[i].Name(from.ID), Coded: coded}
		if heard.From != "" {
			at := from.Hex
			heard.At = &at
		}
		heard.Text = text
		if coded {
			heard.About = aboutWords(text)
			t.Because(said)
			t.hearCoded(i, from, *heard)
			continue
		}
		t.Because(said).Record(heard, engine.SeeOnly(c.Ships...), []string{"house 12.11", "D53"})
	}
}

// tellable returns the entries of a captain's list that the captain can report: neither what others reported, nor
// ships known to be of their own side.
func tellable(g *engine.Game, from *engine.Ship) (out []blind.Contact) {
	log := g.Blind.Log(from.Captain)
	if log == nil {
		return nil
	}
	for _, c := range log.Contacts {
		s, ok := g.Ship(c.Ship)
		if c.Told == "" && c.Kept(g.Turn, *g.Blind.Memory) && !(ok && c.Named && s.Side == from.Side) && !(c.Named && c.Lost && log.Held(c.Ship) != nil) {
			out = append(out, c)
		}
	}
	return out
}

// callsContact returns what a captain calls an entry of their list.
func callsContact(g *engine.Game, c blind.Contact) string {
	if s, ok := g.Ship(c.Ship); ok && c.Named {
		return s.Name
	}
	return string(c.Name())
}

// contactLines returns a captain's list of contacts in words.
func contactLines(r *engine.Rules, g *engine.Game, from *engine.Ship) (lines []string) {
	for _, c := range tellable(g, from) {
		line := callsContact(g, c) + " at " + c.Hex.Label()
		if c.Size != "" {
			line += fmt.Sprintf(", %s, heading %s, speed %s", c.Size, c.Heading, paceWords(r, c.Speed))
		}
		if c.Lost {
			line += fmt.Sprintf(", not seen since %d.%d", c.Since.Turn, c.Since.Phase)
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		lines = []string{"no contacts"}
	}
	return lines
}

// tellContacts adds what a ship's captain reports to the lists of those who read it, with the sender's places,
// moments and names; see [blind.Log.Hear].
func (t *Turn) tellContacts(from *engine.Ship, contacts []blind.Contact, readers engine.See, said engine.Ref) {
	reports := make([]blind.Reported, len(contacts))
	for i, c := range contacts {
		reports[i] = blind.Reported{Contact: c, By: blind.Teller{ID: echoID(from.ID, c.No), Ship: from.ID, As: callsContact(t.Game, c), Named: c.Named}}
	}
	for _, c := range t.captains {
		log := t.Game.Blind.Log(c.Name)
		if c.Name == from.Captain || log == nil || !readers.Fully(c.Ships) {
			continue
		}
		next := log.Next
		for _, entry := range log.Hear(reports) {
			body := contactOf(c.Ships[0], blind.Change{Contact: entry, Faded: true, New: entry.No > next})
			by := entry.Tellers()
			at := slices.IndexFunc(by, func(b blind.Teller) bool { return b.Ship == from.ID })
			body.Lost, body.Told, body.As = false, from.ID, by[at].As
			if entry.Size != "" {
				body.Size, body.Speed, body.Heading = entry.Size, &body.Truth.Speed, &body.Truth.Heading
			}
			t.Because(said).Record(body, engine.SeeAmong(c.Ships...), []string{"house 12.12"})
		}
	}
}

// sentInTheDark asks the rule set whether words get out of a ship at all, and whether to everyone. It asks about
// all ships there are, because the ship does not know who is in range.
func (t *Turn) sentInTheDark(from *engine.Ship, st orders.Statement, body *engine.Talk) (sent, open bool) {
	if t.Rules.Sends == nil {
		return true, true
	}
	var to []engine.ShipID
	for _, s := range engine.Captained(t.Game.Ships) {
		if s.Side == from.Side || !body.Coded { // everyone can hear that something is said in code
			to = append(to, s.ID)
		}
	}
	heard := t.Rules.Sends(t.Turn, engine.Seat{Ship: from.ID, Post: body.Post}, st, to)
	return slices.Contains(heard, from.ID), len(heard) == len(to)
}

// Heard reports whether a ship's captain has heard something in the turn so far that they did not say themselves.
func (t *Turn) Heard(s *engine.Ship) bool {
	own := t.Game.Viewer(s).Ships
	return slices.ContainsFunc(t.Events(), func(e engine.Event) bool {
		switch b := e.Body.(type) {
		case *Overheard:
			return e.See.To(own)
		case *engine.Talk:
			return e.See.To(own) && !slices.Contains(own, b.Ship)
		}
		return false
	})
}

// reaches reports whether some of a captain's ships would detect a ship's presence where she is, ignoring what
// hides her: that does not hide her voice.
func reaches(r *engine.Rules, g *engine.Game, own []*engine.Ship, from *engine.Ship) bool {
	large := Of(r).Dark.Signature(from).Large
	return slices.ContainsFunc(own, func(o *engine.Ship) bool {
		return o.Status == engine.Active && from.OnMap() && hex.Distance(o.Hex, from.Hex) <= suiteOf(r, g, o).Reach(blind.Presence, large)
	})
}
