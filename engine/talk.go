package engine

import (
	"cmp"
	"slices"
	"strings"

	"starpost/orders"
)

// The verbs of orders to speak. Every rule set may have messages and open talk. Reporting contacts and relaying
// what was read are for games with an extension.
const (
	VerbMessage = "message"
	VerbSay     = "say"
	VerbReport  = "report"

	VerbRelay = "relay"

	ToSide = "side" // the recipient of a coded message, as written
)

// wordCoded is the word in a message order that sends it in code.
const wordCoded = "coded"

// SayVerb returns the order to talk in the open, for rule sets that can be played in the dark. In a game in the
// open it is a message to all.
func SayVerb() orders.Verb {
	return orders.Verb{
		Name: VerbSay, Post: orders.AnyPost, Forms: []orders.Form{"say"}, Body: true, Examples: []string{"say\n#text\nThis is Zephyr. Who is there?\n#endtext"},
		Doc: "Speak in the open: a message to `all` that goes out with the reports. In a game in the dark your own side hears it, and so does everyone whose sensors would find a ship where you are. Put the text between #text and #endtext.",
	}
}

// TalkStatements returns the orders of a set to speak, in their order.
func TalkStatements(b *orders.Block) []orders.Statement {
	if b == nil {
		return nil
	}
	g, _ := b.Group("", 0)
	var out []orders.Statement
	for _, st := range g.Statements {
		if slices.Contains([]string{VerbMessage, VerbSay, VerbReport, VerbRelay}, st.Verb) {
			out = append(out, st)
		}
	}
	return out
}

// Addressed returns the recipient of an order to speak, as written.
func Addressed(st orders.Statement) string {
	switch st.Verb {
	case VerbSay:
		return "all"
	case VerbReport, VerbRelay:
		return ToSide
	}
	to, _ := st.Arg("TO")
	return to.Text
}

// Unheard returns why the words of a captain's order to speak reach no one; blank if they are said. See [Extension].
func (r *Rules) Unheard(g *Game, from *Ship, st orders.Statement) string {
	if r.Extension == nil {
		return ""
	}
	return r.Extension.Unheard(g, from, st)
}

func (t *Turn) talk(from *Ship, post string, st orders.Statement) {
	to := Addressed(st)
	if t.extension != nil {
		st = t.extension.Worded(from, st)
	}
	order := t.orders(ordersRef{Ship: from.ID, Post: post, Line: st.Pos.Line, Text: orders.FormatStatement(st)})
	body := &Talk{Ship: from.ID, Post: post, To: to, Text: st.Text, Coded: slices.Contains(st.Words, wordCoded)}
	if other, ok := t.Rules.PostOf(to); ok {
		t.Because(order).Emit(body, SeeSeats(talker(from.ID, post), talker(from.ID, other)), "D53")
		return
	}
	if why := t.Rules.Unheard(t.Game, from, st); why != "" {
		said, _, _ := strings.Cut(orders.FormatStatement(st), "\n")
		t.Because(order).Emit(&Skip{Ship: from.ID, Post: post, Line: st.Pos.Line, Order: said, Reason: why}, SeeOnly(from.ID), "D13", "D53")
		return
	}
	if t.extension != nil {
		t.extension.Say(from, st, body, order)
		return
	}
	if t.Rules.Hears != nil {
		see := t.Rules.Hears(t.Game, from, to, body.Coded)
		if !see.Fully([]ShipID{from.ID}) {
			see.Whole = append(slices.Clone(see.Whole), Seat{Ship: from.ID})
		}
		t.Emit(body, see, "D53")
		return
	}
	ships := t.acquainted(from)
	if side, _ := readers(nil, t.Game.Sides, from, to); side != nil {
		ships = Captained(t.Game.Ships) // a side is addressed as a whole
	}
	readers, all := readers(ships, t.Game.Sides, from, to)
	see := SeeOnly(readers...)
	if all {
		see = SeeAll().And(talkSender).And(talkWords)
	}
	if t.Rules.Sends != nil {
		var ids []ShipID
		for _, s := range Captained(t.Game.Ships) {
			if s.ID != from.ID && (all || slices.Contains(readers, s.ID)) {
				ids = append(ids, s.ID)
			}
		}
		if heard := t.Rules.Sends(t, Seat{from.ID, post}, st, ids); len(heard) < len(ids) {
			see = SeeOnly(append(heard, from.ID)...)
		}
	}
	t.Because(order).Emit(body, t.unnamed(from, see), "D53")
}

// talker returns a seat in the form in which a See names it when only that seat sees something.
func talker(ship ShipID, post string) Seat { return Seat{ship, cmp.Or(post, AllPosts)} }

// acquainted returns the ships that a ship's captain may name.
func (t *Turn) acquainted(from *Ship) []*Ship {
	who := t.Game.Viewer(from)
	return slices.DeleteFunc(Captained(t.Game.Ships), func(s *Ship) bool { return s.Side != from.Side && !t.Rules.Knows(t.Game, who, s) })
}

// unnamed hides the sender of a message from readers who do not know the sender's ship.
func (t *Turn) unnamed(from *Ship, see See) See {
	var friends, strangers []ShipID
	for _, c := range t.Game.Captains() {
		switch {
		case !see.To(c.Ships):
		case t.Rules.Knows(t.Game, Viewer{Captain: c.Name, Ships: c.Ships}, from):
			friends = append(friends, c.Ships...)
		default:
			strangers = append(strangers, c.Ships...)
		}
	}
	if len(strangers) == 0 {
		return see
	}
	return See{Whole: CaptainSeats(friends...), Rest: true, Also: []string{talkWords}, Among: strangers}
}

// readers resolves the recipient of a message: "all", a side (by id or name, or "side" for the sender's own) or a
// ship. The sender always reads their own messages. No readers means that the name is unknown.
func readers(ships []*Ship, sides []Side, from *Ship, to string) (readers []ShipID, all bool) {
	if strings.EqualFold(to, "all") {
		return nil, true
	}
	if strings.EqualFold(to, "side") {
		to = from.Side
	}
	for _, sd := range sides {
		if strings.EqualFold(sd.ID, to) || strings.EqualFold(sd.Name, to) {
			readers = append(readers, from.ID)
			for _, s := range ships {
				if s.Side == sd.ID && s.ID != from.ID {
					readers = append(readers, s.ID)
				}
			}
			return readers, false
		}
	}
	if s, _, ok := FindShip(ships, to); ok {
		return []ShipID{from.ID, s.ID}, false
	}
	return nil, false
}

// TurnLevel returns the section of verbs outside all other sections, which every rule set shares. The engine itself
// acts on message and luck, the program around it on break, final and wait. A verb of more replaces a shared verb
// of the same name: a message that may be "message TO coded" is passed to [Rules.Hears] as such.
func TurnLevel(more ...orders.Verb) orders.Section {
	verbs := []orders.Verb{
		{
			Name: "break", Post: orders.AnyPost, Forms: []orders.Form{"break WORDS"}, Examples: []string{"break on contact hit", "break when range to nearest <= 12"},
			Doc: "In a game that is played until something happens: when you want to be asked for orders from now on. `break on` with some of " + strings.Join(BreakKinds(), ", ") + " sets the kinds, `break never` removes some, `break when range to nearest <= N` adds a range, and `break as usual` restores all kinds.",
		},
		{
			Name: "final", Post: orders.AnyPost, Forms: []orders.Form{"final"}, Once: true, Examples: []string{"final"},
			Doc: "You need no more time. When every captain has said so, the turn runs at once. Alone in a block, or as the first line of a mail, it is added to your orders in force.",
		},
		{
			Name: "wait", Post: orders.AnyPost, Forms: []orders.Form{"wait"}, Once: true, Examples: []string{"wait"},
			Doc: "Do not run the turn before the deadline, even if all orders are in. Alone, it is added to your orders in force as `final` is.",
		},
		{
			Name: "luck", Forms: []orders.Form{"luck WORDS"}, Once: true, Examples: []string{"luck the owl flies at noon"},
			Doc: "Words of your own that are hashed into the dice of this turn and all later ones, so nobody can have picked the dice beforehand. Send some with your first orders. Until the turn is out, only their hash is shown.",
		},
		{
			Name: "message", Post: orders.AnyPost, Forms: []orders.Form{"message TO"}, Body: true, Examples: []string{"message Zephyr\n#text\nStrike your colours.\n#endtext"},
			Doc: "A message that goes out with the turn's reports: to a ship, a side, `side` (your own) or `all`. Put the text between #text and #endtext.",
		},
	}
	for _, v := range more {
		verbs = slices.DeleteFunc(verbs, func(shared orders.Verb) bool { return shared.Name == v.Name })
	}
	verbs = append(verbs, more...)
	slices.SortFunc(verbs, func(a, b orders.Verb) int { return strings.Compare(a.Name, b.Name) })
	return orders.Section{Name: "", Doc: "Orders for the whole turn; they may appear anywhere in a block.", Verbs: verbs}
}
