package console

import (
	"fmt"
	"io"
	"strings"

	"starpost/pbem/outgoing"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

func (j *job) people() error {
	if j.r.HasTurn && j.r.Turn != j.g.Turn()+1 {
		return &Error{Problem: fmt.Sprintf("turn %d is not due, turn %d is", j.r.Turn, j.g.Turn()+1), Way: "nothing was changed"}
	}
	p := People{Game: j.g, Act: j.act(), W: j.w}
	switch j.r.Verb.Name {
	case "become":
		if err := j.args(1, 1); err != nil {
			return err
		}
		return p.Become(j.r.Args[0], j.r.flag("end"))
	case "replace":
		if err := j.args(2, 2); err != nil {
			return err
		}
		return p.Replace(j.r.Args[0], j.r.Args[1])
	case "eject":
		if err := j.args(1, 1); err != nil {
			return err
		}
		if _, err := j.reasoned(); err != nil {
			return err
		}
		return p.Eject(j.r.Args[0])
	case "invite":
		if err := j.args(1, 1); err != nil {
			return err
		}
		return p.Invite(j.r.Args[0], j.r.value("seat"))
	default:
		if err := j.args(0, 0); err != nil {
			return err
		}
		return p.Renew(j.by.Referee.Name)
	}
}

// People does what is about who commands and who rules, and puts into words what
// came of it.
type People struct {
	Game *vault.Game
	Act  referee.Act
	W    io.Writer
}

func (p People) say(format string, args ...any) {
	fmt.Fprintf(p.W, p.Game.ID()+": "+format+"\n", args...)
}

func (p People) told() { fmt.Fprintln(p.W, "the daemon tells the captains when it looks next") }

// Become has the referee command a captain's ships besides him, or ends that.
func (p People) Become(ship string, end bool) error {
	do, words := referee.Become, "%s commands the ships of %s (%s) besides him"
	if end {
		do, words = referee.GiveBack, "%s does not command the ships of %s (%s) any more"
	}
	c, err := do(p.Game, p.Act, ship)
	if err != nil {
		return err
	}
	p.say(words, p.Act.By, c.Name, strings.Join(c.Ships, ", "))
	p.told()
	return nil
}

// Replace gives a captain's seat to another address.
func (p People) Replace(captain, address string) error {
	address, err := plain(address)
	if err != nil {
		return err
	}
	c, err := referee.Replace(p.Game, p.Act, captain, address)
	if err != nil {
		return err
	}
	p.say("the seat of %s (%s) is that of %s now; the last report goes there", c.Name, strings.Join(c.Ships, ", "), address)
	p.told()
	return nil
}

// Eject takes a captain's seat from him.
func (p People) Eject(captain string) error {
	c, err := referee.Eject(p.Game, p.Act, captain, false)
	if err != nil {
		return err
	}
	p.say("nobody holds the seat of %s (%s) any more; a robot plays it", c.Name, strings.Join(c.Ships, ", "))
	p.told()
	return nil
}

// Invite asks an address to take a free seat; without a seat NAME=ADDRESS is
// another referee.
func (p People) Invite(who, seat string) error {
	name, address, both := strings.Cut(who, "=")
	switch {
	case seat == "" && both:
		address, err := plain(address)
		if err != nil {
			return err
		}
		if err := referee.Register(p.Game, p.Act, name, address); err != nil {
			return err
		}
		p.say("%s is a referee of the game now; the daemon mails the key to %s", name, address)
		return nil
	case seat == "" || both:
		return &Error{Problem: "it is not said to what somebody is invited", Way: "invite ADDRESS --seat SHIP for a free seat, invite NAME=ADDRESS for another referee"}
	}
	address, err := plain(who)
	if err != nil {
		return err
	}
	c, err := referee.Invite(p.Game, p.Act, seat, address)
	if err != nil {
		return err
	}
	p.say("a mail with a question goes to %s; when it is answered, the seat of %s (%s) is his", address, c.Name, strings.Join(c.Ships, ", "))
	return nil
}

// Renew makes a referee's key another one.
func (p People) Renew(name string) error {
	if err := referee.Renew(p.Game, p.Act, name); err != nil {
		return err
	}
	p.say("the key of %s is another one; the daemon mails it", name)
	return nil
}

// plain is an address that can be written to.
func plain(address string) (string, error) {
	address = strings.Trim(address, "<>")
	if outgoing.ValidAddress(address) != nil {
		return "", &Error{Problem: fmt.Sprintf("%q is no address that mails can be sent to", address), Way: "write it plainly, such as ann@example.org"}
	}
	return address, nil
}
