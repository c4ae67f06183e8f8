package console

import (
	"fmt"
	"strings"
	"unicode"

	"starpost/pbem/outgoing"
	"starpost/pbem/referee"
)

// say reports an act about people; told means that the captains will hear of it.
func (j *job) say(told bool, err error, format string, args ...any) (any, error) {
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(j.w, j.g.ID()+": "+format+"\n", args...)
	if told {
		fmt.Fprintln(j.w, "the daemon tells the captains at its next pass")
	}
	return nil, nil
}

func readTell(r *Request) error {
	if text := strings.TrimSpace(r.Args[1]); text == "" || len(text) > referee.MaxTell || strings.ContainsFunc(text, func(c rune) bool { return unicode.IsControl(c) && c != '\n' }) {
		return wrong(`such as: tell Hood "Your engineer hears a hum."`, "tell needs plain words, at most %d bytes", referee.MaxTell)
	}
	return nil
}

func (j *job) tell() (any, error) {
	c, err := referee.Tell(j.g, j.act(), j.r.Args[0], strings.TrimSpace(j.r.Args[1]), j.r.flag("force"))
	return j.say(false, err, "only %s is told; the daemon mails it at its next pass", c.Name)
}

func (j *job) become() (any, error) {
	do, words := referee.Become, "%s also commands the ships of %s (%s)"
	if j.r.flag("end") {
		do, words = referee.GiveBack, "%s no longer commands the ships of %s (%s)"
	}
	c, err := do(j.g, j.act(), j.r.Args[0])
	return j.say(true, err, words, j.by.Referee.Name, c.Name, strings.Join(c.SetNames(), ", "))
}

func (j *job) replace() (any, error) {
	address, err := plain(j.r.Args[1])
	if err != nil {
		return nil, err
	}
	c, err := referee.Replace(j.g, j.act(), j.r.Args[0], address)
	return j.say(true, err, "the seat of %s (%s) now belongs to %s; the last report goes there", c.Name, strings.Join(c.SetNames(), ", "), address)
}

func (j *job) eject() (any, error) {
	c, err := referee.Eject(j.g, j.act(), j.r.Args[0], false)
	return j.say(true, err, "the seat of %s (%s) is now vacant; a robot plays it", c.Name, strings.Join(c.SetNames(), ", "))
}

// invite invites an address to a free seat; without a seat, NAME=ADDRESS registers another referee.
func (j *job) invite() (any, error) {
	seat := j.r.value("seat")
	name, address, both := strings.Cut(j.r.Args[0], "=")
	if both == (seat != "") {
		return nil, &referee.Error{Problem: "what is the address invited to?", Way: "invite ADDRESS --seat SHIP for a free seat, invite NAME=ADDRESS for another referee"}
	}
	if !both {
		address = name
	}
	address, err := plain(address)
	if err != nil {
		return nil, err
	}
	if both {
		return j.say(false, referee.Register(j.g, j.act(), name, address), "%s is now a referee of the game; the daemon mails the key to %s", name, address)
	}
	c, err := referee.Invite(j.g, j.act(), seat, address)
	return j.say(false, err, "a mail with a question goes to %s; once it is answered, the seat of %s (%s) is given there", address, c.Name, strings.Join(c.SetNames(), ", "))
}

func (j *job) renew() (any, error) {
	name := j.by.Referee.Name
	return j.say(false, referee.Renew(j.g, j.act(), name), "%s has a new key; the daemon mails it", name)
}

// plain checks and returns a mail address.
func plain(address string) (string, error) {
	address = strings.Trim(address, "<>")
	if outgoing.ValidAddress(address) != nil {
		return "", &referee.Error{Problem: fmt.Sprintf("%q is not an address that mail can be sent to", address), Way: "write it plainly, such as ann@example.org"}
	}
	return address, nil
}
