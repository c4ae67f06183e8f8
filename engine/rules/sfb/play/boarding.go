package play

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// ReadBoarding reads an order to raid or board.
func ReadBoarding(c *rulebook.Compiler, a *rulebook.Act, st orders.Statement) bool {
	a.N = 1
	if n, ok := st.Arg("PARTIES"); ok {
		a.N = n.Num
	}
	steal := st.Verb == rulebook.VerbRaid && st.Form == 1
	box, named := st.Arg("BOX")
	a.Box = strings.ToLower(box.Text)
	var target *sheet.Sheet
	if i := slices.IndexFunc(c.Names, func(k rulebook.Known) bool { return k.ID == a.Target }); i >= 0 {
		target = c.Names[i].Sheet
	}
	switch {
	case c.Sys.Parties < max(1, a.N):
		c.Fail(st.Pos, "E244", fmt.Sprintf("%d at most", c.Sys.Parties), "%s asked for, and %d aboard", phrase.Counted(a.N, "boarding party is", "boarding parties are"), c.Sys.Parties)
	case a.N < 1:
		c.Fail(st.Pos, "E244", "1 or more", "no boarding party is sent")
	case c.Sys.Sheet.Count(sheet.Transporter).Left < a.N:
		c.Fail(st.Pos, "E245", fmt.Sprintf("%d at most in a turn", c.Sys.Sheet.Count(sheet.Transporter).Left), "this ship has transporters for %d parties a turn", c.Sys.Sheet.Count(sheet.Transporter).Left)
	case c.Sys.Cloaked && c.Cloaked:
		c.Fail(st.Pos, "E217", "leave this line out, or the cloak", "she is cloaked in this turn, and can %s no one", st.Verb)
	case c.Tell && named && target != nil && len(target.Raided(a.Box)) == 0: // otherwise it is checked when carried out
		c.Fail(box.Pos, "E246", "use a name from her sheet: a weapon, engine, laboratory and the like", "%s has no box %q left that can be raided", target.Class, a.Box)
	case steal && target != nil && slices.ContainsFunc(target.Banks, func(b sheet.Bank) bool { return b.Called(a.Box) && b.Kind != sheet.Lab }):
		c.Fail(box.Pos, "E247", "raid a lab", "you can steal only from laboratories")
	default:
		a.Steal = steal
		return within(c, a, st, c.Book.Boarding.Range, "a transporter")
	}
	return false
}

// Transport beams boarding parties to a ship, or says why it cannot.
func Transport(l *rulebook.Rules, t *engine.Turn, s, target *engine.Ship, a *rulebook.Act, parties int) (sent engine.Ref, why string) {
	sys, other, side, own := state.Of(s), state.Of(target), struck(s, target), struck(target, s)
	energy := max(0, (parties-sys.Charged+l.Boarding.Uses-1)/l.Boarding.Uses)
	switch rng := hex.Distance(s.Hex, target.Hex); {
	case rng > l.Boarding.Range:
		return sent, fmt.Sprintf("%s is %s away, and a transporter reaches %d", target.Name, phrase.Hexes(rng), l.Boarding.Range)
	case state.Cloaked(s):
		return sent, shipCloaked
	case sys.Parties < parties:
		return sent, fmt.Sprintf("%s aboard", phrase.Counted(sys.Parties, "boarding party is", "boarding parties are"))
	case sys.Sheet.Count(sheet.Transporter).Left-sys.Beamed < parties:
		return sent, fmt.Sprintf("transporters for %d parties are free", max(0, sys.Sheet.Count(sheet.Transporter).Left-sys.Beamed))
	case target.Side != s.Side && target.Status == engine.Active && other.Up(side):
		return sent, fmt.Sprintf("shield %d of %s is up", side+1, target.Name)
	case energy > 0 && !pay(l, t, s, rulebook.VerbTransporter, energy, t.Ordered(s.ID, a.Line, a.Text)):
		return sent, fmt.Sprintf("there is too little energy left: it takes %d", energy)
	}
	b := &state.Transport{Ship: s.ID, Target: target.ID, Parties: parties, Charged: sys.Charged + energy*l.Boarding.Uses - parties, Raid: a.Verb == rulebook.VerbRaid}
	if sys.Up(own) {
		b.Lowers = own + 1
	}
	see := engine.SeeAll(s.ID)
	see.Among = seenBy(&l.Book, t.Game, target).Among // a party must not reveal to others that a hidden mate is near
	sent = t.Because(t.Ordered(s.ID, a.Line, a.Text)).Emit(b, see, l.Cite(rulebook.OnBoarding)...)
	for n := range parties {
		useOf(l, t, s, sheet.Transporter, sys.Beamed-n, sent)
	}
	return sent, ""
}

// Raid sends a party against a box of a ship, or says why it cannot.
func Raid(l *rulebook.Rules, t *engine.Turn, s, target *engine.Ship, a *rulebook.Act) string {
	banks := state.Of(target).Sheet.Raided(a.Box)
	if len(banks) == 0 {
		return fmt.Sprintf("no box %q is left on her", a.Box)
	}
	sent, why := Transport(l, t, s, target, a, 1)
	if why != "" {
		return why
	}
	bank := state.Of(target).Sheet.Banks[banks[0]]
	b := &state.Raid{Ship: s.ID, Target: target.ID, Bank: bank.Name, Before: bank.Left, After: bank.Left, Steal: a.Steal}
	b.Roll = t.Roll(engine.NameRoll("raid", s.ID).And(strconv.Itoa(state.Of(s).Beamed)), dice.D6, engine.SeeAll(), l.Cite(rulebook.OnBoarding)...)
	r := l.Boarding.Raids[b.Roll-1]
	b.Back = r.Back
	if b.Stolen = a.Steal && r.Lost && r.Back; r.Lost && !b.Stolen {
		b.After--
	}
	t.Because(sent).Emit(b, engine.SeeAll(), l.Cite(rulebook.OnBoarding)...)
	return ""
}

// Fights resolves the fights of boarders aboard ships at the end of a turn.
func Fights(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range engine.Captained(t.Game.Ships) {
		sys := state.Of(s)
		if len(sys.Boarders) == 0 || !fair(s) {
			continue
		}
		b := &state.Fight{Ship: s.ID, Defenders: sys.Parties, Forces: slices.Clone(sys.Boarders)}
		all := 0
		for _, f := range sys.Boarders {
			all += f.Parties
			die := t.Roll(engine.NameRoll("board", f.From, s.ID), dice.D6, engine.SeeAll(), l.Cite(rulebook.OnBoarding)...)
			b.Killed += l.Boarding.Killed(die+rulebook.BoolInt(f.Fierce), f.Parties)
		}
		b.Killed = min(b.Killed, sys.Parties)
		if sys.Parties > 0 {
			die := t.Roll(engine.NameRoll("repel", s.ID), dice.D6, engine.SeeAll(), l.Cite(rulebook.OnBoarding)...)
			b.Fallen = min(all, l.Boarding.Killed(die, sys.Parties))
		}
		b.Defenders -= b.Killed
		for i, fallen := 0, b.Fallen; fallen > 0; i++ {
			n := min(fallen, b.Forces[i].Parties)
			b.Forces[i].Parties, fallen = b.Forces[i].Parties-n, fallen-n
		}
		b.Forces = slices.DeleteFunc(b.Forces, func(f state.Force) bool { return f.Parties == 0 })
		fought := t.Emit(b, engine.SeeAll(), l.Cite(rulebook.OnBoarding)...)
		if b.Defenders == 0 && len(b.Forces) > 0 {
			out(l, t.Because(fought), s, engine.Surrendered, "captured by those who have boarded her", nil, l.Cite(rulebook.OnBoarding)...)
		}
	}
}

// TransportWords describes parties beamed over.
func TransportWords(_ *rulebook.Rules, v *engine.View, b *state.Transport) string {
	what := phrase.Counted(b.Parties, "boarding party", "boarding parties")
	if b.Raid {
		what = "a raid"
	}
	text := fmt.Sprintf("%s sends %s to %s", v.Name(b.Ship), what, v.Name(b.Target))
	if b.Lowers > 0 {
		text += fmt.Sprintf(", and drops her shield %d until the turn ends", b.Lowers)
	}
	return text
}

// TransportInTheDark returns the event as seen by a captain who does not know both ships.
func TransportInTheDark(_ *rulebook.Rules, b *state.Transport, to *dark.Observer) (engine.Body, []string) {
	if to.Own(b.Target) {
		return &BoardSeen{Ship: b.Target, Parties: b.Parties, Raid: b.Raid}, nil
	}
	return nil, nil
}

// RaidWords describes the result of a raid.
func RaidWords(_ *rulebook.Rules, v *engine.View, b *state.Raid) string {
	did, party := "does nothing to "+b.Bank, "and is lost"
	switch {
	case b.Stolen:
		did = "takes what she knows from " + b.Bank
	case b.After < b.Before:
		did = "destroys a box of " + b.Bank
	}
	if b.Back {
		party = "and returns"
	}
	return fmt.Sprintf("the raid of %s on %s %s, %s: die %d", v.Name(b.Ship), v.Name(b.Target), did, party, b.Roll)
}

// WhyRaid explains the die of a raid.
func WhyRaid(_ *rulebook.Rules, _ *engine.Story, _ int, b *state.Raid) []string {
	return []string{fmt.Sprintf("raid table, die %d: 1 destroys the box and the party returns, 2 destroys both, 3 to 5 the party, 6 neither", b.Roll)}
}

// RaidInTheDark returns the event as seen by a captain who does not know both ships.
func RaidInTheDark(_ *rulebook.Rules, b *state.Raid, to *dark.Observer) (engine.Body, []string) {
	if to.Own(b.Target) {
		return &BoardSeen{Ship: b.Target, Raid: true, Bank: b.Bank, Before: b.Before, After: b.After}, nil
	}
	return nil, nil
}

// Boarders counts the parties of others fighting aboard a ship.
func Boarders(b *state.Fight) (n int) {
	for _, f := range b.Forces {
		n += f.Parties
	}
	return n
}

// FightWords describes the result of a fight aboard a ship.
func FightWords[N ~string](ship N, killed, fallen, defenders, boarders int) string {
	return fmt.Sprintf("aboard %s she loses %s and the boarders lose %s: she has %d left, they %d", ship, phrase.Counted(killed, "party", "parties"), phrase.Counted(fallen, "party", "parties"), defenders, boarders)
}

// FightInTheDark returns the event as seen by a captain who does not know the ship.
func FightInTheDark(_ *rulebook.Rules, b *state.Fight, to *dark.Observer) (engine.Body, []string) {
	if to.Own(b.Ship) {
		return &FightSeen{Ship: b.Ship, Killed: b.Killed, Fallen: b.Fallen, Defenders: b.Defenders, Boarders: Boarders(b)}, nil
	}
	return nil, nil
}
