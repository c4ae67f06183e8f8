package referee

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/pbem/auth"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// The kinds of refusals about referees and seats.
var (
	errNoReferee = errors.New("the game has no such referee")
	errSeat      = errors.New("the seat cannot be given")
)

// Key returns a referee's key while a turn is due; it proves the referee's mails.
func Key(g *vault.Game, turn int, name string) string {
	return auth.RefereeKey(g.Secret(), g.ID(), turn, name, g.RefereeKeys(name))
}

// FindReferee returns a referee of a game. The error is errNoReferee.
func FindReferee(g *vault.Game, name string) (vault.Referee, error) {
	s := g.Settings()
	if r, ok := s.Referee(name); ok {
		return r, nil
	}
	way := "register one: " + g.CommandLine("referee", "invite NAME=ADDRESS")
	if len(s.Referees) > 0 {
		var names []string
		for _, r := range s.Referees {
			names = append(names, r.Name)
		}
		way = "its referees: " + strings.Join(names, ", ")
	}
	return vault.Referee{}, &Error{Problem: fmt.Sprintf("game %s has no referee %q", g.ID(), name), Way: way, Err: errNoReferee}
}

// Register adds a referee to the game.
func Register(g *vault.Game, a Act, name, address string) error {
	return locked(g, func() error {
		s := g.Settings()
		if r, ok := s.Referee(name); ok {
			return &Error{Problem: fmt.Sprintf("game %s has a referee %s already", g.ID(), r.Name), Way: "use another name", Err: errSeat}
		}
		s.Referees = append(slices.Clone(s.Referees), vault.Referee{Name: name, Address: address})
		if err := s.Check(); err != nil {
			return refusedSettings(err)
		}
		return entry(g, a, journal.Referee, "", journal.RefereeData{Name: name, Address: address})
	})
}

// refusedSettings turns an error of the settings into a refused act.
func refusedSettings(err error) error {
	if bad, ok := errors.AsType[*vault.Error](err); ok {
		return &Error{Problem: bad.Problem, Way: bad.Way, Err: errSeat}
	}
	return err
}

// Renew renews a referee's key.
func Renew(g *vault.Game, a Act, name string) error {
	return locked(g, func() error {
		r, err := FindReferee(g, name)
		if err != nil {
			return err
		}
		return entry(g, a, journal.Key, "", journal.KeyData{Name: r.Name})
	})
}

// Looked records that a referee who plays looked at a turn with a command, once for each turn and command.
func Looked(g *vault.Game, a Act, what string, at int) error {
	return locked(g, func() error {
		// With the cause of the mail, a second look of the same kind would be recorded again.
		a.Cause = fmt.Sprintf("looked %s %s %d while %d", strings.ToLower(a.By), what, at, g.Turn()+1)
		return entry(g, a, journal.Looked, "", journal.LookedData{What: what, At: at})
	})
}

// MaxTell limits a message to one captain, in bytes.
const MaxTell = 4000

// Tell tells the captain of a seat, named by captain or ship, something in private. The
// error is errWords for words that name what the captain does not know, unless forced.
func Tell(g *vault.Game, a Act, seat, text string, force bool) (vault.Captain, error) {
	return seated(g, seat, func(c vault.Captain, _ vault.AdminState) error {
		if c.Address == "" {
			return &Error{Problem: fmt.Sprintf("no mail reaches captain %s: the seat has no address", c.Name), Way: "reach the captain some other way", Err: errSeat}
		}
		if !force {
			hidden, err := unknownTo(g, c, text)
			if err != nil {
				return err
			}
			if len(hidden) > 0 {
				return &Error{Problem: fmt.Sprintf("the words name %s, of which %s does not know", strings.Join(hidden, " and "), c.Name), Way: "say it without the name, or add --force", Err: errWords}
			}
		}
		return entry(g, a, journal.Tell, c.Name, journal.TellData{Text: text})
	})
}

// Become lets a referee command the ships of a captain, who keeps the seat: a referee may amend the orders
// anyway, and now orders in the referee's mails count too.
func Become(g *vault.Game, a Act, ship string) (vault.Captain, error) {
	return seated(g, ship, func(c vault.Captain, st vault.AdminState) error {
		if _, err := FindReferee(g, a.By); err != nil {
			return err
		}
		if who := st.Become[c.Name]; who != "" {
			return &Error{Problem: fmt.Sprintf("%s commands the ships of %s already", who, c.Name), Way: "give them back first: become " + ship + " --end", Err: errSeat}
		}
		return entry(g, a, journal.Become, c.Name, nil)
	})
}

// GiveBack ends a Become.
func GiveBack(g *vault.Game, a Act, ship string) (vault.Captain, error) {
	return seated(g, ship, func(c vault.Captain, st vault.AdminState) error {
		if st.Become[c.Name] == "" {
			return &Error{Problem: fmt.Sprintf("no referee commands the ships of %s", c.Name), Way: "see: " + g.CommandLine("status"), Err: errSeat}
		}
		return entry(g, a, journal.GiveBack, c.Name, nil)
	})
}

// Replace gives a seat to another address, even if it is taken.
func Replace(g *vault.Game, a Act, seat, address string) (vault.Captain, error) {
	return seated(g, seat, func(c vault.Captain, _ vault.AdminState) error {
		if err := newHolder(g, c, address); err != nil {
			return err
		}
		return entry(g, a, journal.Replace, c.Name, journal.ReplaceData{Old: c.Address, Address: address})
	})
}

// newHolder refuses an address that cannot take a seat.
func newHolder(g *vault.Game, seat vault.Captain, address string) error {
	s := g.Settings()
	for _, c := range s.Captains {
		if auth.HasAddress(c.Addresses(), address) {
			return &Error{Problem: fmt.Sprintf("%s is the address of captain %s", address, c.Name), Way: "give another address", Err: errSeat}
		}
	}
	at := slices.IndexFunc(s.Captains, func(c vault.Captain) bool { return c.Name == seat.Name })
	s.Captains = slices.Clone(s.Captains)
	s.Captains[at].Address = address
	if err := s.Check(); err != nil {
		return refusedSettings(err)
	}
	return nil
}

// ByMissed is the author in the journal of acts on captains who send no orders: the game's own rule, see
// vault.MissedTurnsRule.
const ByMissed = "rule on missed turns"

// Eject takes a seat from its captain. A robot plays it until it is taken; with open, anybody may join it,
// even in a game that is not open.
func Eject(g *vault.Game, a Act, seat string, open bool) (vault.Captain, error) {
	return seated(g, seat, func(c vault.Captain, st vault.AdminState) error {
		if st.HasVacant(c.Name) {
			return &Error{Problem: fmt.Sprintf("the seat of %s is vacant", c.Name), Way: "invite a captain: " + g.CommandLine("referee", "invite ADDRESS --seat", c.Name), Err: errSeat}
		}
		return entry(g, a, journal.Resign, c.Name, journal.ResignData{Address: c.Address, Open: open})
	})
}

// Invite offers a vacant seat to an address. The daemon mails the question, and a confirming reply takes
// the seat.
func Invite(g *vault.Game, a Act, seat, address string) (vault.Captain, error) {
	return seated(g, seat, func(c vault.Captain, _ vault.AdminState) error {
		if c.Address != "" {
			return &Error{Problem: fmt.Sprintf("the seat of %s is not free", c.Name), Way: "give it to another captain: " + g.CommandLine("referee", "replace", c.Name, "ADDRESS"), Err: errSeat}
		}
		if err := newHolder(g, c, address); err != nil {
			return err
		}
		return entry(g, a, journal.Invite, c.Name, journal.JoinData{Address: address})
	})
}

// seated finds a captain by name or ship, in a running game, and calls do.
func seated(g *vault.Game, name string, do func(vault.Captain, vault.AdminState) error) (c vault.Captain, err error) {
	err = locked(g, func() error {
		due, err := g.Due()
		if err != nil {
			return err
		}
		if due == 0 {
			return overError(g)
		}
		if c, err = captainOf(g, name); err != nil {
			return err
		}
		st, err := g.AdminState()
		if err != nil {
			return err
		}
		return do(c, st)
	})
	return c, err
}

// captainOf returns a captain by name, or by the name of a ship or post.
func captainOf(g *vault.Game, name string) (vault.Captain, error) {
	s := g.Settings()
	if c, ok := s.Captain(engine.CaptainName(name)); ok {
		return c, nil
	}
	if c, ok := s.CaptainOf(name); ok {
		return c, nil
	}
	p, err := turn.Load(g)
	if err != nil {
		return vault.Captain{}, err
	}
	seat, err := p.FindSeat(name)
	if err != nil {
		return vault.Captain{}, err
	}
	ship, _ := p.State().Ship(seat.Ship)
	c, ok := s.Captain(ship.Officer(seat.Post))
	if !ok {
		return c, fmt.Errorf("game %s: ship %s has no captain", g.ID(), ship.Name)
	}
	return c, nil
}

// entry records an act, about a captain unless that is "".
func entry(g *vault.Game, a Act, kind string, captain engine.CaptainName, data any) error {
	_, err := g.Append(a.Entry(kind, g.Turn()+1, captain, data))
	return err
}
