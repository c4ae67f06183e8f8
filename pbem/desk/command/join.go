package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/outgoing"
	"starpost/pbem/rating"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// join asks the sender to confirm the request for a free seat.
func join(c *Task, d *Result, seats []identity.Seat) error {
	sender := c.In.Mail.Senders()[0]
	s := &vault.Settings{}
	var ids []string
	for _, o := range c.People.Games.Settings() {
		if strings.EqualFold(o.ID, d.Cmd.Game) {
			s = o
		}
		if o.Mail.Open || slices.ContainsFunc(o.Captains, o.Joinable) {
			ids = append(ids, o.ID)
		}
	}
	if !slices.Contains(ids, s.ID) && c.listed(d) {
		return waitForGame(c, d)
	}
	if !slices.Contains(ids, s.ID) {
		hint := orders.DidYouMean("%s", d.Cmd.Game, ids, "its referee has to open the game to others")
		// Do not reveal which other games exist.
		d.Refuse(codes.NoSeat, fmt.Sprintf("there is no game %q to join", effect.Shortened(d.Cmd.Game)), hint)
		c.Unknown = c.Unknown || s.ID == ""
		return nil
	}
	t, err := c.Opened(s.ID)
	if err != nil {
		return err
	}
	d.Game, d.Pos = t.Game, t.Pos
	if !d.running() {
		return nil
	}
	if slices.ContainsFunc(seats, func(o identity.Seat) bool { return o.Game == s.ID }) || !effect.Answerable(sender) {
		d.Refuse(codes.NoSeat, "you already play in this game", "")
		return nil
	}
	if hasWatched(c, sender, s) {
		d.Refuse(codes.NoSeat, "you have watched this game, and may know what its captains do not", "send games for others")
		return nil
	}
	if !c.reliable(d, sender) || !d.findSeat() {
		return nil
	}
	d.Subject = "A question went to you"
	d.Say("A mail with a question goes to %s. When you answer it, the seat is yours. At most %d such mails a day go to one address.", sender, QuestionsTo)
	claim := auth.Claim{Kind: effect.ClaimJoin, Game: s.ID, Captain: d.Captain.Name, Changes: d.Game.Changes(d.Captain.Name), Address: sender}
	return c.offer(d, "", claim, []effect.DailyLimit{{Who: auth.Canonical(sender), PerDay: QuestionsTo}, {Who: s.ID + "/join", PerDay: questionsGame}},
		fmt.Sprintf("A person asked from this address to join %s as %s.", d.Game.Settings().Title, d.titled()))
}

// invite asks another person to take a free seat of the sender's game.
func invite(c *Task, d *Result) error {
	if !d.running() {
		return nil
	}
	to, s := d.Cmd.To, d.Game.SharedSettings()
	theirs := func(o vault.Captain) bool { return auth.HasAddress(o.Addresses(), to) }
	switch {
	case !effect.Answerable(to) || c.Robot.IsOwn(to):
		d.Refuse(codes.BadAddress, fmt.Sprintf("%q is not an address that mail can be sent to", effect.Shortened(to)), "write it plainly: "+d.Cmd.Verb.Usage[0])
		return nil
	case theirs(d.Captain):
		d.Refuse(codes.BadAddress, "that is your own address", "only the referee can give you a second seat")
		return nil
	}
	at := &Result{Cmd: d.Cmd, Game: d.Game, Pos: d.Pos}
	if !at.findSeat() {
		d.Diags = append(d.Diags, at.Diags...)
		return nil
	}
	d.Subject = "A question went out"
	d.Say("A mail with a question goes to %s. The seat of %s is taken when it is answered from there, unless another person takes it first. At most %d such mails a day go to one address, and %d on behalf of one person.", to, at.titled(), QuestionsTo, questionsFrom)
	if slices.ContainsFunc(s.Captains, theirs) {
		return nil // never reveal who plays: the same answer, and no mail
	}
	claim := auth.Claim{Kind: effect.ClaimJoin, Game: s.ID, Captain: at.Captain.Name, Changes: d.Game.Changes(at.Captain.Name), Address: to}
	return c.offer(at, "Invitation to "+s.Title, claim, caused(d.Captain.Address, to), fmt.Sprintf("%s invites you to join it as %s.", at.inviter(d.Captain, "who plays "+s.Title), at.titled()))
}

// caused returns the limits for questions to one address that another address causes. They do not count what an address
// requests for itself, or others could use that up.
func caused(by, to string) []effect.DailyLimit {
	return []effect.DailyLimit{{Who: effect.ToAddress(to), PerDay: QuestionsTo}, {Who: "by " + auth.Canonical(by), PerDay: questionsFrom}}
}

// giveSeat gives the seat to the address that confirmed it; invited means that a referee invited it.
func giveSeat(c *Task, d *Result, to string, invited bool) error {
	if !invited && !d.Game.Settings().Joinable(d.Captain) {
		d.Refuse(codes.NoSeat, "the game is no longer open", "ask its referee")
		return nil
	}
	if !d.running() || !invited && !c.reliable(d, to) {
		return nil
	}
	d.Subject = "Welcome aboard"
	d.Say("You are now %s. Your report comes in a separate mail: reply to it with orders.", titled(d.Captain))
	d.Tell = func(now time.Time) error {
		timing, err := d.Game.Timing()
		if err != nil {
			return err
		}
		if o := timing.Opening; o != nil { // this mail takes the seat
			mine := *o
			mine.Free = slices.DeleteFunc(slices.Clone(o.Free), func(name engine.CaptainName) bool { return name == d.Captain.Name })
			timing.Opening = &mine
		}
		d.Say("%s Send help as the first line of a mail for a list of commands.", strings.Join(turn.DueSentences(timing, now, d.Game.Zone()), " "))
		return nil
	}
	if err := c.note(d, journal.Join, d.Pos.Due(), journal.JoinData{Address: to}); err != nil {
		return err
	}
	who := "captain"
	if len(d.Captain.Ships) == 0 {
		who = "officer"
	}
	what := fmt.Sprintf("A new %s has taken over the seat of %s.", who, d.Title())
	if err := c.tellOthers(d, string(d.Captain.Name)+" has a new "+who, what); err != nil {
		return err
	}
	if err := c.tellReferee(d, string(d.Captain.Name)+" has a new "+who, what); err != nil {
		return err
	}
	c.To = to
	d.Changes++
	return c.lastReport(d, to)
}

// reliable reports whether an address has the reliability that the game requires, and refuses the command if not.
func (c *Task) reliable(d *Result, address string) bool {
	least := d.Game.SharedSettings().Mail.Reliable
	if least == 0 {
		return true
	}
	var book *rating.Book
	if l := c.Services.Library; l != nil && l.Book != nil {
		book = l.Book()
	}
	if book == nil {
		d.Refuse(codes.NoSeat, fmt.Sprintf("only captains with a reliability of %d%% may join, and captains' records have not been read yet", least), "ask again later, or ask the host")
		return false
	}
	percent, conduct := book.Reliability(address)
	if percent < least {
		d.Refuse(codes.NoSeat, fmt.Sprintf("only captains with a reliability of %d%% may join; your record: %s", least, conduct.Words()), "answer the turns of other games; send games for a list of those you can join")
		return false
	}
	return true
}

// Invitation returns the mail that offers an address a vacant seat of a game on behalf of a referee; at is the time of
// the referee's request.
func Invitation(r *effect.Robot, g *vault.Game, captain engine.CaptainName, address, by string, at time.Time) (outgoing.Message, error) {
	pos, err := turn.Load(g)
	if err != nil {
		return outgoing.Message{}, err
	}
	of, _ := g.Settings().Captain(captain)
	who := &Result{Game: g, Pos: pos, Captain: of}
	s, host := g.SharedSettings(), "The referee "+by
	if maker := slices.IndexFunc(s.Captains, func(o vault.Captain) bool { return o.Address != "" }); by == referee.ByDaemon && maker >= 0 { // the captain who had the game made invites
		host = who.inviter(s.Captains[maker], "who had the game made")
	}
	text, err := who.offered(r, fmt.Sprintf("%s invites you to take the seat of %s in %s.", host, who.titled(), s.Title))
	if err != nil {
		return outgoing.Message{}, err
	}
	return r.Ask(who.query("Invitation to "+s.Title, auth.Claim{Kind: effect.ClaimInvite, Game: g.ID(), Captain: of.Name, Changes: g.Changes(of.Name), Address: address}), at.UTC(), text...)
}

func tailOfJoin(c *Command) []string { return c.tail(behind("as", c.Ship), behind("side", c.Side)) }

// plainJoin reports whether an unmarked line names a game, or a scenario with a waiting list.
func plainJoin(f *Finder, cmd *Command) bool {
	return f.plain(cmd) || cmd.Ship == "" && cmd.Side == "" && f.Scenario(cmd.Game)
}

func tailOfInvite(c *Command) []string { return c.tail(c.To, behind("as", c.Ship)) }

func (r *commandReader) join() {
	if len(r.rest) == 0 || r.is("as") || r.is("side") {
		r.fail(orders.Word{}, "which game do you want to join? none is named")
		return
	}
	r.game()
	switch {
	case r.cmd.Game == "":
		r.fail(r.rest[0], fmt.Sprintf("%q is not the name of a game", effect.Shortened(r.rest[0].Text)))
		return
	case len(r.rest) == 0:
	case r.is("as", ""):
		r.cmd.Ship = orders.JoinWords(r.rest[1:], " ")
	case r.is("side", ""):
		r.cmd.Side = orders.JoinWords(r.rest[1:], " ")
	case r.is("as") || r.is("side"):
		r.fail(r.rest[0], "which seat do you want? none is named")
	default:
		return // the caller reports remaining words
	}
	r.rest = nil
}

func (r *commandReader) invite() {
	if len(r.rest) > 0 && !strings.Contains(r.rest[0].Text, "@") {
		r.game()
	}
	w, ok := r.next()
	if !ok || !strings.Contains(w.Text, "@") {
		r.fail(w, "whom do you want to invite? nobody is named")
		return
	}
	r.cmd.To = strings.Trim(w.Text, "<>,")
	if r.is("as", "") {
		r.cmd.Ship, r.rest = orders.JoinWords(r.rest[1:], " "), nil
	}
}
