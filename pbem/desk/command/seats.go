package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/lobby"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// inviter describes a captain to someone they invite: "Captain Kor (Ann), who plays Ambush,". The person's name is shown
// only if the game allows it. If the game hides who plays, neither the person nor the seat is named.
func (d *Result) inviter(of vault.Captain, about string) string {
	s := d.Game.SharedSettings()
	who := s.Person(of, false)
	switch {
	case hidesPeople(s, d.Pos.State()):
		return "A captain of " + s.Title + ", whose name the game hides,"
	case who != "":
		return fmt.Sprintf("%s (%s), %s,", report.UpperFirst(of.Titled()), who, about)
	}
	return fmt.Sprintf("%s, %s,", report.UpperFirst(of.Titled()), about)
}

// findSeat finds the free seat that the command means, or says why there is none.
func (d *Result) findSeat() bool {
	free, names := d.free()
	hint := ""
	if len(free) > 0 {
		hint = "free are: " + strings.Join(names, ", ")
	}
	if d.Cmd.Ship == "" {
		return d.fairest(free, hint)
	}
	for _, o := range d.Game.Settings().Captains {
		if d.Game.Settings().Joinable(o) && (slices.ContainsFunc(o.SetNames(), func(n string) bool { return d.calls(n) }) || o.Name.Is(engine.CaptainName(d.Cmd.Ship))) {
			d.Captain = o
			return true
		}
	}
	if name, ok := d.postNamed(); ok {
		if _, seat := d.Game.Settings().CaptainOf(name); !seat {
			d.Refuse(codes.NoSeat, fmt.Sprintf("%s is not a separate seat in this game: the ship's captain gives its orders", name), hint)
			return false
		}
	}
	if post, known := d.unknownPost(); known {
		d.Refuse(codes.NoSeat, fmt.Sprintf("ships of this game have no post %q; their posts are %s", effect.Shortened(post), effect.Enumerated(d.Game.Rules().Posts())), hint)
		return false
	}
	d.Refuse(codes.NoSeat, fmt.Sprintf("the seat of %q is not free", effect.Shortened(d.Cmd.Ship)), hint)
	return false
}

// free returns the captains with seats that may be joined, and the names of these seats.
func (d *Result) free() (who []vault.Captain, names []string) {
	s := d.Game.Settings()
	for _, o := range s.Captains {
		if shown := lobby.ShownSeats(d.Pos, o); s.Joinable(o) && len(shown) > 0 {
			who, names = append(who, o), append(names, shown...)
		}
	}
	return who, names
}

// fairest picks a free seat, on the side that the command names or else on the side with the fewest captains for its
// seats. There it takes the first, ships before posts.
func (d *Result) fairest(free []vault.Captain, hint string) bool {
	state := d.Pos.State()
	side := -1
	if d.Cmd.Side != "" {
		var sides []string
		for i, o := range state.Sides {
			if sides = append(sides, o.Name); strings.EqualFold(o.Name, d.Cmd.Side) || strings.EqualFold(o.ID, d.Cmd.Side) {
				side = i
			}
		}
		switch {
		case side >= 0:
		case turn.InTheDark(state): // do not reveal the sides
			free = nil
		default:
			d.Refuse(codes.NoSeat, fmt.Sprintf("the game has no side %q", effect.Shortened(d.Cmd.Side)), orders.DidYouMean("%s", d.Cmd.Side, sides, "its sides are: "+strings.Join(sides, ", ")))
			return false
		}
	}
	of := func(c vault.Captain) int {
		ship, _, _ := engine.FindShip(state.Ships, c.Ship())
		return slices.IndexFunc(state.Sides, func(o engine.Side) bool { return ship != nil && o.ID == ship.Side })
	}
	held, all := make([]int, len(state.Sides)), make([]int, len(state.Sides))
	for _, o := range d.Game.Settings().Captains {
		if at := of(o); at >= 0 {
			if all[at]++; o.Address != "" {
				held[at]++
			}
		}
	}
	free = slices.DeleteFunc(slices.Clone(free), func(c vault.Captain) bool { return side >= 0 && of(c) != side })
	if len(free) == 0 {
		what := "no seat of the game is free"
		if d.Cmd.Side != "" {
			name := effect.Shortened(d.Cmd.Side)
			if side >= 0 && !turn.InTheDark(state) {
				name = state.Sides[side].Name
			}
			what = fmt.Sprintf("no seat of side %s is free", name)
		}
		d.Refuse(codes.NoSeat, what, hint)
		return false
	}
	d.Captain = slices.MinFunc(free, func(a, b vault.Captain) int {
		x, y := of(a), of(b)
		if x < 0 || y < 0 || x == y {
			return cmp.Compare(min(1, len(b.Ships)), min(1, len(a.Ships)))
		}
		return cmp.Or(cmp.Compare(held[x]*all[y], held[y]*all[x]), cmp.Compare(x, y))
	})
	return true
}

// unknownPost returns the word after a ship's name in the command if the game has posts but none of that name.
func (d *Result) unknownPost() (post string, ok bool) {
	at := strings.LastIndexAny(d.Cmd.Ship, " ./")
	if at < 0 || len(d.Game.Rules().Posts()) == 0 {
		return "", false
	}
	post = d.Cmd.Ship[at+1:]
	_, known := d.Game.Rules().PostOf(post)
	_, _, ship := engine.FindShip(d.publicShips(), strings.TrimSpace(d.Cmd.Ship[:at]))
	return post, ship && !known
}

// postNamed returns the post that a command names after a ship, "Hood helm" or "Hood.helm", in the form of its order
// set's name.
func (d *Result) postNamed() (name string, ok bool) {
	at := strings.LastIndexAny(d.Cmd.Ship, " ./")
	if at < 0 {
		return "", false
	}
	post, ok := d.Game.Rules().PostOf(d.Cmd.Ship[at+1:])
	s, _, found := engine.FindShip(d.publicShips(), strings.TrimSpace(d.Cmd.Ship[:at]))
	if !ok || !found {
		return "", false
	}
	return engine.OrderSetName(s.Name, post), true
}

// publicShips returns the ships that anyone who asks for a seat may know about: in a blind game, and of ships still to
// arrive, only those with a free seat.
func (d *Result) publicShips() []*engine.Ship {
	_, free := d.free()
	return slices.DeleteFunc(engine.Captained(d.Pos.State().Ships), func(s *engine.Ship) bool {
		return (s.Status == engine.Waiting || turn.InTheDark(d.Pos.State())) &&
			!slices.ContainsFunc(free, func(name string) bool { ship, _, _ := strings.Cut(name, "."); return ship == s.Name })
	})
}

// calls reports whether the command means this ship, or this post on one.
func (d *Result) calls(name string) bool {
	if strings.EqualFold(name, d.Cmd.Ship) {
		return true
	}
	if post, ok := d.postNamed(); ok {
		return name == post
	}
	s, _, ok := engine.FindShip(d.Pos.State().Ships, d.Cmd.Ship)
	return ok && s.Name == name
}

// always marks a command as one for members, whatever it says.
func always(*Command) bool { return true }

// member reports whether a person may take one more seat here, and says why not. At a club's mailbox, anyone who is not
// a member may read what strangers may read, but takes no seat.
func (c *Task) member(d *Result, address string) (bool, error) {
	club := c.Services.Club
	if club.Closed() {
		list, err := club.List()
		if err != nil {
			return false, err
		}
		_, domain, _ := strings.Cut(address, "@")
		if !slices.ContainsFunc(list, func(m string) bool { return auth.SameAddress(m, address) || strings.EqualFold(m, "@"+domain) }) {
			d.Refuse(codes.NotMember, "the games here are for members of "+club.Name+", and your address is not on their list", cmp.Or(club.Joining, "ask its referee; to look on, send the word games"))
			return false, nil
		}
	}
	if club == nil || club.GamesEach == 0 {
		return true, nil
	}
	running := map[string]bool{}
	for _, s := range c.People.Seats(address, time.Time{}) { // with no time, so that games as a stand-in do not count
		t, err := c.Looked(s.Game)
		if err != nil {
			return false, err
		}
		if t.Pos.Due() > 0 {
			running[s.Game] = true
		}
	}
	if len(running) >= club.GamesEach {
		d.Refuse(codes.TooMuch, fmt.Sprintf("you already play %s here; the limit is %d a member", report.Count(len(running), "game"), club.GamesEach), "play one to its end, or resign")
		return false, nil
	}
	return true, nil
}
