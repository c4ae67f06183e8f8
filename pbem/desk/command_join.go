package desk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// join asks who wants a free seat whether it was he.
func join(c *task, d *commandResult, seats []seat) error {
	sender := c.in.Mail.Senders()[0]
	s := &vault.Settings{}
	var ids []string
	for _, o := range c.people.Games.Settings() {
		if strings.EqualFold(o.ID, d.cmd.Game) {
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
		hint := orders.DidYouMean("%s", d.cmd.Game, ids, "a referee opens a game for others")
		// Which games there are that are not open is not told.
		d.refuse(codes.NoSeat, fmt.Sprintf("there is no game %q that one could join", command.Shorten(d.cmd.Game)), hint)
		c.Unknown = c.Unknown || s.ID == ""
		return nil
	}
	t, err := c.opened(s.ID)
	if err != nil {
		return err
	}
	d.game, d.pos = t.game, t.pos
	if !d.running() {
		return nil
	}
	if slices.ContainsFunc(seats, func(o seat) bool { return o.game == s.ID }) || !answerable(sender) {
		d.refuse(codes.NoSeat, "you play in this game already", "")
		return nil
	}
	if hasWatched(c, sender, s) {
		d.refuse(codes.NoSeat, "you have watched this game, and may know what its captains do not", "the word games brings others")
		return nil
	}
	if !d.findSeat() {
		return nil
	}
	d.subject = "A question went to you"
	d.say("A mail with a question goes to %s. When you answer it, the seat is yours. At most %d such mails go to one address within a day.", sender, questionsTo)
	claim := auth.Claim{Kind: claimJoin, Game: s.ID, Captain: d.captain.Name, Changes: d.game.Changes(d.captain.Name), Address: sender}
	return c.offer(d, "", claim, []DailyLimit{{Who: auth.Canonical(sender), PerDay: questionsTo}, {Who: s.ID + "/join", PerDay: questionsGame}},
		fmt.Sprintf("A person asked from this address to join %s as %s.", d.game.Settings().Title, d.titled()))
}

// invite asks another person whether he takes a free seat of the sender's game.
func invite(c *task, d *commandResult) error {
	if !d.running() {
		return nil
	}
	to, s := d.cmd.To, d.game.SharedSettings()
	theirs := func(o vault.Captain) bool { return auth.HasAddress(o.Addresses(), to) }
	switch {
	case !answerable(to) || c.robot.isOwn(to):
		d.refuse(codes.BadAddress, fmt.Sprintf("%q is no address that mails can be sent to", command.Shorten(to)), "write it plainly: "+d.cmd.Verb.Usage[0])
		return nil
	case theirs(d.captain):
		d.refuse(codes.BadAddress, "that is your own address", "a second seat of yours is for the referee to give")
		return nil
	}
	at := &commandResult{cmd: d.cmd, game: d.game, pos: d.pos}
	if !at.findSeat() {
		d.diags = append(d.diags, at.diags...)
		return nil
	}
	d.subject = "A question went out"
	d.say("A mail with a question goes to %s. The seat of %s is taken when it is answered from there, unless another person takes it first. At most %d such mails go to one address within a day, and %d because of one person.", to, at.titled(), questionsTo, questionsFrom)
	if slices.ContainsFunc(s.Captains, theirs) {
		return nil // who plays is told of no one: the same answer, and no mail
	}
	claim := auth.Claim{Kind: claimJoin, Game: s.ID, Captain: at.captain.Name, Changes: d.game.Changes(at.captain.Name), Address: to}
	return c.offer(at, "Invitation to "+s.Title, claim, caused(d.captain.Address, to), fmt.Sprintf("%s invites you to join it as %s.", at.inviter(d.captain, "who plays "+s.Title), at.titled()))
}

// inviter is a captain, and what is told of him, for who is invited by him, with the name of the person where that may be
// told: "Captain Kor (Ann), who plays Ambush,". Where the game hides who plays neither that nor his seat is told.
func (d *commandResult) inviter(of vault.Captain, about string) string {
	s := d.game.SharedSettings()
	who := s.Person(of, false)
	switch {
	case hidesPeople(s, d.pos.State()):
		return "A captain of " + s.Title + ", whose name the game hides,"
	case who != "":
		return fmt.Sprintf("%s (%s), %s,", report.UpperFirst(of.Titled()), who, about)
	}
	return fmt.Sprintf("%s, %s,", report.UpperFirst(of.Titled()), about)
}

// findSeat finds the free seat that the command means, or says why there is none.
func (d *commandResult) findSeat() bool {
	free, names := d.free()
	hint := ""
	if len(free) > 0 {
		hint = "free are: " + strings.Join(names, ", ")
	}
	if d.cmd.Ship == "" {
		return d.fairest(free, hint)
	}
	for _, o := range d.game.Settings().Captains {
		if d.game.Settings().Joinable(o) && (slices.ContainsFunc(o.SetNames(), func(n string) bool { return d.calls(n) }) || o.Name.Is(engine.CaptainName(d.cmd.Ship))) {
			d.captain = o
			return true
		}
	}
	if name, ok := d.postNamed(); ok {
		if _, seat := d.game.Settings().CaptainOf(name); !seat {
			d.refuse(codes.NoSeat, fmt.Sprintf("%s is no seat of its own in this game: the captain of the ship gives its orders", name), hint)
			return false
		}
	}
	if post, known := d.unknownPost(); known {
		d.refuse(codes.NoSeat, fmt.Sprintf("ships of this game have no post %q; their posts are %s", command.Shorten(post), enumerated(d.game.Rules().Posts())), hint)
		return false
	}
	d.refuse(codes.NoSeat, fmt.Sprintf("the seat of %q is not free", command.Shorten(d.cmd.Ship)), hint)
	return false
}

// free are the captains whose seats may be joined, and how those are called.
func (d *commandResult) free() (who []vault.Captain, names []string) {
	s := d.game.Settings()
	for _, o := range s.Captains {
		if shown := shownSeats(d.pos, o); s.Joinable(o) && len(shown) > 0 {
			who, names = append(who, o), append(names, shown...)
		}
	}
	return who, names
}

// fairest takes of the free seats, or of those of the side that the command names, one on
// the side with the fewest captains for its seats; of these the first, ships before posts.
func (d *commandResult) fairest(free []vault.Captain, hint string) bool {
	state := d.pos.State()
	side := -1
	if d.cmd.Side != "" {
		var sides []string
		for i, o := range state.Sides {
			if sides = append(sides, o.Name); strings.EqualFold(o.Name, d.cmd.Side) || strings.EqualFold(o.ID, d.cmd.Side) {
				side = i
			}
		}
		switch {
		case side >= 0:
		case turn.InTheDark(state): // which sides there are is not told
			free = nil
		default:
			d.refuse(codes.NoSeat, fmt.Sprintf("the game has no side %q", command.Shorten(d.cmd.Side)), orders.DidYouMean("%s", d.cmd.Side, sides, "its sides are: "+strings.Join(sides, ", ")))
			return false
		}
	}
	of := func(c vault.Captain) int {
		ship, _, _ := engine.FindShip(state.Ships, c.Ship())
		return slices.IndexFunc(state.Sides, func(o engine.Side) bool { return ship != nil && o.ID == ship.Side })
	}
	held, all := make([]int, len(state.Sides)), make([]int, len(state.Sides))
	for _, o := range d.game.Settings().Captains {
		if at := of(o); at >= 0 {
			if all[at]++; o.Address != "" {
				held[at]++
			}
		}
	}
	free = slices.DeleteFunc(slices.Clone(free), func(c vault.Captain) bool { return side >= 0 && of(c) != side })
	if len(free) == 0 {
		what := "no seat of the game is free"
		if d.cmd.Side != "" {
			name := command.Shorten(d.cmd.Side)
			if side >= 0 && !turn.InTheDark(state) {
				name = state.Sides[side].Name
			}
			what = fmt.Sprintf("no seat of side %s is free", name)
		}
		d.refuse(codes.NoSeat, what, hint)
		return false
	}
	d.captain = slices.MinFunc(free, func(a, b vault.Captain) int {
		x, y := of(a), of(b)
		if x < 0 || y < 0 || x == y {
			return cmp.Compare(min(1, len(b.Ships)), min(1, len(a.Ships)))
		}
		return cmp.Or(cmp.Compare(held[x]*all[y], held[y]*all[x]), cmp.Compare(x, y))
	})
	return true
}

// leave gives a seat back in a game that has not begun.
func leave(c *task, d *commandResult) error {
	if !d.running() {
		return nil
	}
	opening, err := d.game.Opening()
	if err != nil {
		return err
	}
	if opening == nil {
		d.refuse(codes.NoSeat, fmt.Sprintf("game %s has begun, and others count on you", d.game.ID()), "to give your seat up for good: resign "+d.game.ID())
		return nil
	}
	d.subject = "You left"
	d.say("You gave your seat back. No more mails about the game come to you.")
	if err := c.note(d, journal.Leave, d.pos.Due(), journal.ResignData{Address: d.captain.Address}); err != nil {
		return err
	}
	d.left = true
	what := fmt.Sprintf("%s left before the game began. The seat is free.", d.title())
	if err := c.tellOthers(d, string(d.captain.Name)+" has left", what); err != nil {
		return err
	}
	return c.tellReferee(d, string(d.captain.Name)+" has left", what)
}
