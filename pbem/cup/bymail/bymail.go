// Package bymail implements the command cup that captains mail: show the state of a cup, enter or leave it, challenge
// another captain on a ladder, dispute a result. It knows no mail: the caller identifies and verifies the sender.
package bymail

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/cup"
	"starpost/pbem/fault"
)

// Words that follow the command.
const (
	status    = "status"
	join      = "join"
	leave     = "leave"
	challenge = "challenge"
	dispute   = "dispute"
)

// Asks reports whether the words can follow the command, rather than form a sentence.
func Asks(words []string) bool {
	return len(words) == 0 || slices.Contains([]string{status, join, leave, challenge, dispute}, strings.ToLower(words[0]))
}

// Enters reports whether the words ask to enter a cup, or to challenge someone.
func Enters(words []string) bool {
	return len(words) > 0 && (strings.EqualFold(words[0], join) || strings.EqualFold(words[0], challenge))
}

// Answer is the answer to the sender.
type Answer struct {
	Subject, Say string
	Shown        string // a table
	Next         string // possible next commands
	Problem, Way string // "" for none
	// Ask is the subject of a question to the sender; [Confirmed] acts on the reply. "" for none.
	Ask string
}

// Step changes a cup.
type Step struct {
	cups  cup.Cups
	name  string
	mail  string // the mail that caused it
	entry func(*cup.Cup) (cup.Entry, error)
}

// Do makes the change. A second call has no effect.
func (s Step) Do() error {
	_, err := s.cups.Change(s.name, func(c *cup.Cup) ([]cup.Entry, error) {
		if c.Did(s.mail) {
			return nil, nil
		}
		e, err := s.entry(c)
		return []cup.Entry{e}, err
	})
	return err
}

// Ask answers the words after the command. name is the sender's name in the mail.
func Ask(cups cup.Cups, words []string, sender, name string, now time.Time) (Answer, error) {
	what := status
	if len(words) > 0 && Asks(words) {
		what, words = strings.ToLower(words[0]), words[1:]
	}
	if what == status && len(words) == 0 {
		return list(cups)
	}
	if len(words) == 0 {
		return Answer{Problem: "name the cup", Way: "for a list, write just: cup"}, nil
	}
	if what == status {
		c, a, err := read(cups, words[0])
		if c == nil {
			return a, err
		}
		return Answer{Subject: c.Settings.Title, Shown: c.Text(c.Of(sender)), Next: next(c, c.Of(sender))}, nil
	}
	c, a, err := read(cups, words[0])
	if c == nil {
		return a, err
	}
	if _, err := entry(c, what, words[1:], cup.Source{By: cup.ByMail, Now: now}, sender, name); err != nil {
		return Answer{Problem: err.Error(), Way: fault.Hint(err)}, nil
	}
	return Answer{Ask: map[string]string{
		join: "Someone at this address asked to enter " + c.Settings.Title, leave: "Someone at this address asked to leave " + c.Settings.Title,
		challenge: "Someone at this address asked to challenge an entrant of " + c.Settings.Title,
		dispute:   "Someone at this address asked to dispute a result of " + c.Settings.Title,
	}[what]}, nil
}

// Line returns the words in the form that [Confirmed] parses after the command, with the name under which the sender
// enters.
func Line(words []string, name string) []string {
	out := append([]string{strings.ToLower(words[0]), strings.ToLower(words[1])}, words[2:]...)
	named := slices.ContainsFunc(out[2:], func(w string) bool { return strings.EqualFold(w, as) })
	if out[0] == join && !named && (len(out) == 2 || strings.EqualFold(out[2], team)) {
		out = append(append(out, as), strings.Fields(name)...)
	}
	return out
}

// Confirmed handles a request that an address confirmed by mail. It returns the step that does it, or nil if it is no
// longer possible.
func Confirmed(cups cup.Cups, line, sender, mail string, now time.Time) (*Step, Answer, error) {
	words := strings.Fields(line)[1:]
	what, id := words[0], words[1]
	c, a, err := read(cups, id)
	if c == nil {
		return nil, a, err
	}
	source := cup.Source{By: cup.ByMail, Cause: mail, Now: now}
	do := func(c *cup.Cup) (cup.Entry, error) { return entry(c, what, words[2:], source, sender, "") }
	done := c.Did(mail)
	if _, err := do(c); err != nil && !done {
		return nil, Answer{Problem: err.Error(), Way: fault.Hint(err)}, nil
	}
	a = Answer{Subject: c.Settings.Title, Next: "Standings: cup status " + id}
	switch what {
	case join:
		if p, err := entering(words[2:], ""); err == nil && p.team != "" {
			a.Say = inTeam(c, p)
			break
		}
		a.Say = fmt.Sprintf("You are in %s. When a round is paired, your games start automatically: the first report of each comes in a separate mail. To leave the cup, send a mail with the line: cup leave %s", c.Settings.Title, id)
	case leave:
		a.Say = fmt.Sprintf("You have left %s. Games you have played count; games still to come are lost.", c.Settings.Title)
	case dispute:
		a.Say = "Your dispute is recorded, and the referee is notified. You will get a mail with the decision."
	default:
		a.Say = "Your challenge is recorded. The match begins when the next round is paired."
	}
	if done {
		return nil, a, nil
	}
	return &Step{cups, id, mail, do}, a, nil
}

// entry returns the change that the words ask for.
func entry(c *cup.Cup, what string, words []string, s cup.Source, sender, name string) (cup.Entry, error) {
	mine := c.Of(sender)
	if what != join && mine == 0 {
		return cup.Entry{}, fault.New("cup join "+c.Settings.Name, "you are not in %s", c.Settings.Title)
	}
	switch what {
	case join:
		p, err := entering(words, name)
		switch {
		case err != nil:
			return cup.Entry{}, fault.New(fmt.Sprintf("write: cup join %s as YOUR NAME", c.Settings.Name), "%s", err)
		case engine.PersonName(p.name) != "":
			return cup.Entry{}, fault.New(fmt.Sprintf("write: cup join %s as YOUR NAME", c.Settings.Name), "your name is missing")
		case p.team != "":
			return c.JoinTeam(s, p.team, p.word, cup.Member{Name: p.name, Address: sender})
		case c.Settings.Boards > 1:
			return cup.Entry{}, fault.New(fmt.Sprintf("write: cup join %s team THE TEAM as YOUR NAME", c.Settings.Name), "%s is for teams", c.Settings.Title)
		}
		return c.Enter(s, p.name, []cup.Member{{Name: p.name, Address: sender}})
	case leave:
		return c.Withdraw(s, mine)
	case dispute:
		if len(words) == 0 {
			return cup.Entry{}, fault.New(fmt.Sprintf("write: cup dispute %s GAME YOUR REASON", c.Settings.Name), "the game is missing")
		}
		s.Why = strings.Join(words[1:], " ")
		return c.Dispute(s, mine, strings.TrimSuffix(words[0], ":"))
	default:
		whom := strings.Join(words, " ")
		to := c.Named(whom)
		if to == 0 {
			return cup.Entry{}, fault.New(orders.DidYouMean("%q", whom, c.Names(), "cup status "+c.Settings.Name+" lists all"), "no one in %s is called %q", c.Settings.Title, whom)
		}
		return c.Challenge(s, mine, to)
	}
}

// Keywords in a request to enter a cup.
const (
	team = "team"
	word = "word"
	as   = "as"
)

// entrance is a request to enter: the team, its password, and the captain's name.
type entrance struct{ team, word, name string }

// entering parses [team TEAM [word WORD]] [as NAME].
func entering(words []string, name string) (p entrance, err error) {
	p.name = name
	upTo := func(stops ...string) string {
		n := slices.IndexFunc(words, func(w string) bool { return slices.Contains(stops, strings.ToLower(w)) })
		if n < 0 {
			n = len(words)
		}
		part := strings.Join(words[:n], " ")
		words = words[n:]
		return part
	}
	next := func(key string) bool {
		if len(words) < 2 || !strings.EqualFold(words[0], key) {
			return false
		}
		words = words[1:]
		return true
	}
	if next(team) {
		if p.team = upTo(word, as); next(word) {
			p.word = upTo(as)
		}
	}
	if next(as) {
		p.name, words = strings.Join(words, " "), nil
	}
	if len(words) > 0 {
		return p, fmt.Errorf("%q is not understood here", strings.Join(words, " "))
	}
	return p, nil
}

// inTeam tells a captain of a team how the others join.
func inTeam(c *cup.Cup, p entrance) string {
	return fmt.Sprintf("You are in the team %s of %s. The team's other captains join with this line; share its word only with them: cup join %s team %s word %s as NAME. "+
		"The team is paired once it has %d captains. Your games start automatically: the first report of each comes in a separate mail.",
		p.team, c.Settings.Title, c.Settings.Name, p.team, c.Word(p.team), c.Settings.Boards)
}

// read returns a cup, or an answer that it does not exist.
func read(cups cup.Cups, name string) (*cup.Cup, Answer, error) {
	c, err := cups.Read(strings.ToLower(name))
	if errors.Is(err, cup.ErrNone) {
		names, err := cups.Names()
		return nil, Answer{Problem: fmt.Sprintf("there is no cup %q", name), Way: cmp.Or(orders.DidYouMean("cup status %s", name, names, ""), "for a list, write just: cup")}, err
	}
	return c, Answer{}, err
}

// list describes all cups.
func list(cups cup.Cups) (Answer, error) {
	names, err := cups.Names()
	if err != nil {
		return Answer{}, err
	}
	var b strings.Builder
	for _, name := range names {
		c, err := cups.Read(name)
		if err != nil {
			return Answer{}, err
		}
		fmt.Fprintf(&b, "- %s: %s. %s. %s.\n", name, c.Settings.Title, c.Settings.How(), c.State())
	}
	if len(names) == 0 {
		return Answer{Subject: "Cups", Say: "There are no cups here now."}, nil
	}
	return Answer{Subject: "Cups", Shown: b.String(), Next: fmt.Sprintf("Standings of a cup: cup status %s. To enter one: cup join %s", names[0], names[0])}, nil
}

// next describes the possible next commands for a cup.
func next(c *cup.Cup, mine int) string {
	switch {
	case mine > 0 && !c.Over():
		return "To leave it: cup leave " + c.Settings.Name
	case c.Joinable():
		return "To enter it: cup join " + c.Settings.Name
	}
	return "All cups: cup"
}
