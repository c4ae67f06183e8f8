// Package bymail says what the command cup means that captains mail: how a cup stands, that one enters or leaves it, that
// one challenges another on a ladder. It knows no mail: who the sender is, and that it was he, others make sure of.
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
)

// Asks tells whether words are what may follow the command, and no sentence.
func Asks(words []string) bool {
	return len(words) == 0 || slices.Contains([]string{status, join, leave, challenge}, strings.ToLower(words[0]))
}

// Enters tells whether words are to enter a cup, or to challenge another.
func Enters(words []string) bool {
	return len(words) > 0 && (strings.EqualFold(words[0], join) || strings.EqualFold(words[0], challenge))
}

// Answer is what the sender is told.
type Answer struct {
	Subject, Say string
	Shown        string // a table
	Next         string // what may be asked next
	Problem, Way string // "" where there is none
	// Ask is what a question to the sender is about, whose answer lets [Confirmed] do it; "" for nothing.
	Ask string
}

// Step changes a cup.
type Step struct {
	cups  cup.Cups
	name  string
	mail  string // because of which
	entry func(*cup.Cup) (cup.Entry, error)
}

// Do makes the change. Done twice it is done once.
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

// Ask answers the words behind the command. Name is what the sender's mail program calls him.
func Ask(cups cup.Cups, words []string, sender, name string, now time.Time) (Answer, error) {
	what := status
	if len(words) > 0 && Asks(words) {
		what, words = strings.ToLower(words[0]), words[1:]
	}
	if what == status && len(words) == 0 {
		return list(cups)
	}
	if len(words) == 0 {
		return Answer{Problem: "it is not said which cup", Way: "the word cup alone lists them"}, nil
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
		join: "A person asked from this address to enter " + c.Settings.Title, leave: "A person asked from this address to leave " + c.Settings.Title,
		challenge: "A person asked from this address to challenge another in " + c.Settings.Title,
	}[what]}, nil
}

// Line is the words as [Confirmed] takes them behind the command, with the name by which a sender enters.
func Line(words []string, name string) []string {
	out := append([]string{strings.ToLower(words[0]), strings.ToLower(words[1])}, words[2:]...)
	if out[0] == join && len(out) == 2 {
		out = append(append(out, "as"), strings.Fields(name)...)
	}
	return out
}

// Confirmed is what an address confirmed by a mail: the step that does it, nil where it cannot be done any more.
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
	a = Answer{Subject: c.Settings.Title, Next: "How it stands: cup status " + id}
	switch what {
	case join:
		a.Say = fmt.Sprintf("You are in %s. Your games come by themselves when a round is paired: the first report of each is a mail of its own. To leave it, send a mail with the line: cup leave %s", c.Settings.Title, id)
	case leave:
		a.Say = fmt.Sprintf("You have left %s. What you have played counts; what you were still to play is lost for you there.", c.Settings.Title)
	default:
		a.Say = "Your challenge is noted. The match begins when the next round is paired."
	}
	if done {
		return nil, a, nil
	}
	return &Step{cups, id, mail, do}, a, nil
}

// entry is the change that words ask for.
func entry(c *cup.Cup, what string, words []string, s cup.Source, sender, name string) (cup.Entry, error) {
	mine := c.Of(sender)
	if what != join && mine == 0 {
		return cup.Entry{}, fault.New("cup join "+c.Settings.Name, "you are not in %s", c.Settings.Title)
	}
	switch what {
	case join:
		if len(words) > 1 && strings.EqualFold(words[0], "as") {
			name = strings.Join(words[1:], " ")
		} else if len(words) > 0 {
			return cup.Entry{}, fault.New(fmt.Sprintf("write: cup join %s as YOUR NAME", c.Settings.Name), "%q is not understood here", strings.Join(words, " "))
		}
		if engine.PersonName(name) != "" {
			return cup.Entry{}, fault.New(fmt.Sprintf("write: cup join %s as YOUR NAME", c.Settings.Name), "it is not said what you are called")
		}
		return c.Enter(s, name, []cup.Member{{Name: name, Address: sender}})
	case leave:
		return c.Withdraw(s, mine)
	default:
		whom := strings.Join(words, " ")
		to := c.Named(whom)
		if to == 0 {
			return cup.Entry{}, fault.New(orders.DidYouMean("%q", whom, c.Names(), "cup status "+c.Settings.Name+" lists all"), "nobody in %s is called %q", c.Settings.Title, whom)
		}
		return c.Challenge(s, mine, to)
	}
}

// read gives a cup, or says that there is none.
func read(cups cup.Cups, name string) (*cup.Cup, Answer, error) {
	c, err := cups.Read(strings.ToLower(name))
	if errors.Is(err, cup.ErrNone) {
		names, err := cups.Names()
		return nil, Answer{Problem: fmt.Sprintf("there is no cup %q", name), Way: cmp.Or(orders.DidYouMean("cup status %s", name, names, ""), "the word cup alone lists them")}, err
	}
	return c, Answer{}, err
}

// list tells of all cups.
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
	return Answer{Subject: "Cups", Shown: b.String(), Next: fmt.Sprintf("How one stands: cup status %s. To enter one: cup join %s", names[0], names[0])}, nil
}

// next is what may be done about a cup.
func next(c *cup.Cup, mine int) string {
	switch {
	case mine > 0 && !c.Over():
		return "To leave it: cup leave " + c.Settings.Name
	case c.Joinable():
		return "To enter it: cup join " + c.Settings.Name
	}
	return "All cups: cup"
}
