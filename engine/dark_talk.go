package engine

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"starpost/engine/blind"
	"starpost/engine/hex"
	"starpost/orders"
)

const (
	verbMessage = "message"
	verbSay     = "say"
)

// MostTalk is how many characters a captain can say at once in a game in the dark.
const MostTalk = 4000

// SayVerb is the order to talk in the open, for rule sets that can be played in the dark. In
// a game in the open it is a message to all.
func SayVerb() orders.Verb {
	return orders.Verb{
		Name: verbSay, Forms: []orders.Form{"say"}, Body: true, Examples: []string{"say\n#text\nThis is Hood. Who is there?\n#endtext"},
		Doc: "Talk in the open, which goes out with the reports: a message to `all`. In a game in the dark your own side hears it, and all whose sensors would find a ship where you are. The text stands between #text and #endtext.",
	}
}

// TalkStatements are the orders of a set to say something, in the order in which they stand.
func TalkStatements(b *orders.Block) []orders.Statement {
	if b == nil {
		return nil
	}
	g, _ := b.Group("", 0)
	var out []orders.Statement
	for _, st := range g.Statements {
		if st.Verb == verbMessage || st.Verb == verbSay {
			out = append(out, st)
		}
	}
	return out
}

// addressed is whom an order to say something is for, as written.
func addressed(st orders.Statement) string {
	if st.Verb == verbSay {
		return "all"
	}
	to, _ := st.Arg("TO")
	return to.Text
}

// Unheard is why no one hears what an order of a ship's captain says, in a game in the dark: words
// for others than his own side (house 12.12), with talk = "none" all, and what is too long; blank
// for what is said.
func (g *Game) Unheard(from *Ship, st orders.Statement) string {
	to := addressed(st)
	side := strings.EqualFold(to, "side") || strings.EqualFold(to, from.Side) || strings.EqualFold(to, g.SideName(from.Side))
	switch {
	case g.Blind == nil:
		return ""
	case g.Blind.Talk == blind.TalkNone:
		return "in this game no one hears another ship"
	case st.Verb != verbSay && !side:
		return "in the dark only your own side hears you: write message side, or say"
	case utf8.RuneCountInString(strings.Join(st.Text, "\n")) > MostTalk:
		return fmt.Sprintf("it is longer than %d characters", MostTalk)
	}
	return ""
}

// Overheard is what a captain's sensors catch of the talk of a ship that is not of his side: open
// words, or that something was said in code, and about how much (house 12.11, 12.12).
type Overheard struct {
	Ship  string   `json:"ship"`           // one of his
	From  string   `json:"from,omitempty"` // what he calls who speaks; blank for something that he does not detect
	At    *hex.Hex `json:"at,omitempty"`   // where he has it
	Coded bool     `json:"coded,omitempty"`
	About int      `json:"about,omitempty"` // words that were said in code, in fives
	Text  []string `json:"text,omitempty"`  // absent: in a code that is not broken
}

// Type implements Body.
func (*Overheard) Type() string { return "overheard" }

// Apply implements Body.
func (*Overheard) Apply(*Game) error { return nil }

// Who says who speaks, by the names of a view.
func (b *Overheard) Who(v *View) string {
	if b.From == "" {
		return "something unseen"
	}
	return v.Name(b.From) + " at " + b.At.Label()
}

// How says how it was said, and how much where the words are not known.
func (b *Overheard) How() string {
	switch {
	case b.Coded && b.Text != nil:
		return "in code"
	case b.Coded:
		return fmt.Sprintf("in code, about %d words", b.About)
	}
	return "in the open"
}

// aboutWords is how many words a text has, in fives and at least five.
func aboutWords(text []string) int {
	n := len(strings.Fields(strings.Join(text, " ")))
	return max(5, (n+2)/5*5)
}

// talkInTheDark has a ship's captain say something in a game in the dark: his own side hears
// it, by the setting talk at any distance or within the readers' range, and others what reaches them.
func (t *Turn) talkInTheDark(from *Ship, st orders.Statement, body *Talk, order Ref) {
	sent, open := t.sentInTheDark(from, st, body)
	rule := "house 12.12"
	if !body.Coded {
		rule = "house 12.11"
	}
	var see See
	var others []int
	for i, c := range t.dark.captains {
		mate := slices.ContainsFunc(t.dark.own[i], func(s *Ship) bool { return s.Side == from.Side })
		switch reaches := t.reaches(t.dark.own[i], from); {
		case c.Name == from.Captain, sent && mate && (reaches || t.Game.Blind.Talk == blind.TalkSide):
			see.Whole = append(see.Whole, c.Ships...)
		case open && !mate && reaches:
			others = append(others, i)
		}
	}
	slices.Sort(see.Whole)
	said := t.Because(order).emit(body, see, []string{rule, "D53"})
	for _, i := range others {
		c := t.dark.captains[i]
		o := &Observer{Captain: c.Name, rules: t.Rules, game: t.Game, own: t.dark.eyes[i]}
		heard := &Overheard{Ship: c.Ships[0], From: o.Name(from.ID), Coded: body.Coded}
		if heard.From != "" {
			at := from.Hex
			heard.At = &at
		}
		heard.Text = body.Text
		if body.Coded {
			heard.About = aboutWords(body.Text)
			t.Because(said).hearCoded(i, from, *heard)
			continue
		}
		t.Because(said).emit(heard, SeeOnly(c.Ships...), []string{rule, "D53"})
	}
}

// sentInTheDark asks the rule set whether words get out of a ship at all, and to others than her
// own side; each is asked for all ships that there are, since who is in range she does not know.
func (t *Turn) sentInTheDark(from *Ship, st orders.Statement, body *Talk) (sent, open bool) {
	if t.Rules.Sends == nil {
		return true, true
	}
	var to []string
	for _, s := range Captained(t.Game.Ships) {
		if s.Side == from.Side || !body.Coded { // that something is said in code cannot but be heard
			to = append(to, s.ID)
		}
	}
	heard := t.Rules.Sends(t, Seat{from.ID, body.Post}, st, to)
	return slices.Contains(heard, from.ID), len(heard) == len(to)
}

// reaches tells whether some of a captain's ships would find a ship's presence where she is: what
// hides her does not hide her voice.
func (t *Turn) reaches(own []*Ship, from *Ship) bool {
	large := t.Rules.Blind.Signature(from).Large
	return slices.ContainsFunc(own, func(o *Ship) bool {
		return o.Status == Active && from.OnMap() && hex.Distance(o.Hex, from.Hex) <= t.Rules.suite(t.Game, o).Reach(blind.Presence, large)
	})
}
