package command

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/outgoing"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// audience is whom a message is for.
type audience struct {
	words    string // "all captains", "side Klingon", "Kor"
	captains []vault.Captain
	one      bool // a captain, or a ship's
	aboard   bool // some of the captain's own ship: they always hear him
}

// relay sends a message of the captain on to others.
//
// A name counts when the scenario's list of ships has it from the start: ships
// that are still to come are known to their own side only, and to others it is as
// if there were no such name. Whether a ship is seen does not matter, and the
// answer says nothing of it.
func relay(c *Task, d *Result) error {
	if strings.EqualFold(strings.TrimPrefix(strings.ToLower(d.Cmd.To), "the "), RefereeWord) {
		return askReferee(c, d)
	}
	s := d.Game.Settings()
	crew, aboard := d.aboard()
	if (s.Mail.Messages == vault.TalkNone || turn.InTheDark(d.Pos.State())) && !aboard {
		d.Refuse(codes.NoAddressee, "in this game the robot carries no messages", "a message order in your order set goes out with the reports, if the rules have it")
		return nil
	}
	to, ok := crew, aboard
	if !aboard {
		to, ok = d.audience()
	}
	if !ok {
		return nil
	}
	if s.Mail.Messages == vault.TalkSide && !aboard {
		side := d.side()
		for _, o := range to.captains {
			if d.sideOf(o) != side {
				d.Refuse(codes.NoAddressee, "in this game messages go only to your own side", "write: message to side")
				return nil
			}
		}
	}
	busy, err := c.busy(d)
	if err != nil || busy {
		return err
	}
	to.captains = slices.DeleteFunc(to.captains, func(o vault.Captain) bool { return o.Name == d.Captain.Name })
	reach := slices.DeleteFunc(slices.Clone(to.captains), func(o vault.Captain) bool { return o.Address == "" })
	if len(reach) == 0 {
		d.Refuse(codes.NoAddressee, "no one would get the message: no other captain there reads mail", "")
		return nil
	}
	d.Subject = "Message sent"
	d.Say("Your message goes out to %s.", to.words)
	reach = d.hearers(to, reach) // who does not hear is nothing that the answer tells
	names := make([]engine.CaptainName, len(reach))
	for i, o := range reach {
		names[i] = o.Name
		out, err := messageTo(c, d, o, to)
		if err != nil {
			return err
		}
		c.Mails = append(c.Mails, out)
	}
	return c.note(d, journal.Message, d.Pos.Due(), journal.MessageData{To: d.Cmd.To, Captains: names, Text: d.Cmd.Text})
}

// crewWord names all who are aboard the writer's ships.
const crewWord = "crew"

// aboard is whom a message is for that goes to a post on a ship of the captain's, to her
// captain, or to all aboard, who may always talk; ok is false for any other.
func (d *Result) aboard() (to audience, ok bool) {
	post, ok := d.Game.Rules().PostOf(d.Cmd.To)
	all := len(d.Game.Rules().Posts()) > 0 && strings.EqualFold(d.Cmd.To, crewWord)
	if !ok && !all {
		return to, false
	}
	to = audience{words: "the " + strings.ToLower(d.Cmd.To), one: !all, aboard: true}
	for _, s := range d.Pos.State().Ships {
		if len(s.MannedBy(d.Captain.Name)) == 0 {
			continue
		}
		for _, seat := range d.Game.Rules().Seats(s) {
			c, found := d.Game.Settings().Captain(s.Officer(seat.Post))
			if found && (all || seat.Post == post) && !slices.ContainsFunc(to.captains, func(o vault.Captain) bool { return o.Name == c.Name }) {
				to.captains = append(to.captains, c)
			}
		}
	}
	return to, true
}

// hearers are those of some captains who hear, by the rule set, what the captain says
// to an audience.
func (d *Result) hearers(to audience, captains []vault.Captain) []vault.Captain {
	hears, state := d.Game.Rules().Hears, d.Pos.State()
	if hears == nil || to.aboard {
		return captains
	}
	ships := map[engine.CaptainName][]engine.ShipID{}
	for _, c := range state.Captains() {
		ships[c.Name] = c.Ships
	}
	i := slices.IndexFunc(ships[d.Captain.Name], func(id engine.ShipID) bool {
		s, ok := state.Ship(id)
		return ok && s.OnMap() && s.Status != engine.Destroyed
	})
	if i < 0 {
		return nil // he has no ship to speak from
	}
	from, _ := state.Ship(ships[d.Captain.Name][i])
	name := d.Cmd.To
	if to.one {
		name = to.captains[0].Ship()
	}
	see := hears(state, from, name, false)
	return slices.DeleteFunc(captains, func(c vault.Captain) bool { return !engine.Reads(see, ships[c.Name]) })
}

// messageTo is the relayed message.
func messageTo(c *Task, d *Result, to vault.Captain, who audience) (effect.Outgoing, error) {
	s := d.Game.Settings()
	back, from := d.Back(), d.Title()
	out, err := c.ToCaptain(effect.KindMessage, d, to, "Message from "+from, templates.Notice{})
	if err != nil {
		return out, err
	}
	out.Message.From = outgoing.Address{Name: fmt.Sprintf("%s of %s", d.Captain.Name, s.Title), Addr: c.Robot.Address}
	l := templates.RelayedMessage{
		Game: s.ID, Title: s.Title, Turn: d.Pos.Due(), From: from, To: who.words, Text: d.Cmd.Text,
		Foot: []string{
			fmt.Sprintf("Answer this mail with a line \"#message to %s\", then your own words, then a line \"#end\", above all that is quoted. The robot sends them on; nobody sees your address.", back),
			"The word help as the first line of a mail brings a list of all that may be sent.",
		},
	}
	if len(who.captains) == 1 && who.captains[0].Name == to.Name {
		l.To = "you"
	}
	out.Message.Text, err = c.Robot.Templates.MessageText(l)
	return out, err
}

// side is the captain's own, "" for one whose ships are on several.
func (d *Result) side() string { return d.sideOf(d.Captain) }

func (d *Result) sideOf(c vault.Captain) string {
	side := ""
	for _, s := range d.Pos.State().Ships {
		if len(s.MannedBy(c.Name)) == 0 {
			continue
		}
		if side != "" && side != s.Side {
			return ""
		}
		side = s.Side
	}
	return side
}

// audience finds out whom a message is for.
func (d *Result) audience() (audience, bool) {
	state, all := d.Pos.State(), d.Game.Settings().Captains
	to := d.Cmd.To
	if strings.EqualFold(to, "all") {
		return audience{words: "all captains", captains: slices.Clone(all)}, true
	}
	if strings.EqualFold(to, "side") {
		if to = d.side(); to == "" {
			d.Refuse(codes.NoAddressee, "your ships are on several sides", "name the side: "+strings.Join(sideNames(state), ", "))
			return audience{}, false
		}
	}
	for _, sd := range state.Sides {
		if !strings.EqualFold(sd.ID, to) && !strings.EqualFold(sd.Name, to) {
			continue
		}
		a := audience{words: "side " + sd.Name}
		for _, c := range all {
			if slices.ContainsFunc(state.Ships, func(s *engine.Ship) bool { return s.Side == sd.ID && len(s.MannedBy(c.Name)) > 0 }) {
				a.captains = append(a.captains, c)
			}
		}
		return a, true
	}
	var known []*engine.Ship
	names := append(sideNames(state), "all", "side")
	for _, s := range state.Ships {
		if !s.Small() && (s.Status != engine.Waiting || s.Side == d.side()) {
			known = append(known, s)
			names = append(names, s.Name, string(s.Captain))
		}
	}
	var who engine.CaptainName
	if s, post, ok := engine.FindSeat(known, strings.NewReplacer("/", ".", " ", ".").Replace(to)); ok && post != "" && slices.Contains(d.Game.Rules().Posts(), post) {
		who = s.Officer(post)
	}
	for _, s := range known {
		for _, other := range s.Crew {
			if other.Fits(to) {
				who = other
			}
		}
		if s.Captain.Fits(to) {
			who = s.Captain
		}
	}
	if who == "" {
		if s, _, ok := engine.FindShip(known, to); ok {
			who = s.Captain
		}
	}
	for _, c := range all {
		if who != "" && c.Name == who {
			if c.Name == d.Captain.Name {
				d.Refuse(codes.NoAddressee, "the message is for yourself", "")
				return audience{}, false
			}
			return audience{words: string(c.Name), captains: []vault.Captain{c}, one: true}, true
		}
	}
	hint := orders.DidYouMean("%s", to, names, "write the name of a ship or captain, a side, side or all")
	d.Refuse(codes.NoAddressee, fmt.Sprintf("there is no one called %q", shorten(to)), hint)
	return audience{}, false
}

func sideNames(g *engine.Game) []string {
	out := make([]string, len(g.Sides))
	for i, s := range g.Sides {
		out[i] = s.Name
	}
	return out
}

func tailOfMessage(c *Command) []string { return c.tail(behind("to", c.To)) }

// message takes what belongs to a message: its words behind a colon, or the lines up to #end.
func (f *Finder) message(cmd *Command, i int) {
	if cmd.Text != "" {
		cmd.Text = f.wrapped(cmd, i, MaxMessageBytes)
		f.measure(cmd, 1)
		return
	}
	if lines, ok := f.body(cmd, i, "the message has no #end; it was not sent", "put a line with nothing but #end below your words"); ok {
		cmd.Text = strings.Join(trimBlank(lines), "\n")
		f.measure(cmd, len(lines))
	}
}

// message reads whom it is for, with the word to before it or without, and the game before that.
func (r *commandReader) message() {
	if !r.is("to") && len(r.rest) > 1 && (r.games(r.rest[0].text) || strings.EqualFold(r.rest[1].text, "to")) {
		r.game()
	}
	if r.is("to", "") || r.is("for", "") {
		r.rest = r.rest[1:]
	}
	if len(r.rest) == 0 || r.is("to") && len(r.rest) == 1 {
		r.fail(word{}, "it is not said whom the message is for")
		return
	}
	r.cmd.To = joined(r.rest)
	r.rest = nil
}
