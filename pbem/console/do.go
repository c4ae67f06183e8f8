package console

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"time"
	"unicode"

	"starpost/pbem/outgoing"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Console does commands.
type Console struct {
	Bag     referee.Postbag                        // the mails that came and went; the zero value knows none
	Compose func(outgoing.Message) ([]byte, error) // renders mails
}

// By is who gives a command, and when. Cause makes a repetition of it known.
type By struct {
	Referee vault.Referee
	Cause   string
	Now     time.Time
}

// job is a command that is being done.
type job struct {
	Console
	ctx context.Context //nolint:containedctx // a job lives as long as one call of Do
	g   *vault.Game
	by  By
	r   *Request
	w   *strings.Builder
}

// Do does a command, and gives in words what came of it. A game stands meanwhile
// as if the mail of the cause had brought nothing about yet, so that a command
// that is done again does the same; the words tell how it stands then. An error
// that Mistaken knows is the referee's to mend, and changed nothing.
func (c Console) Do(ctx context.Context, g *vault.Game, by By, r *Request) (string, error) {
	j := &job{Console: c, ctx: ctx, g: g, by: by, r: r, w: &strings.Builder{}}
	if r.Verb.Looks && by.Referee.Plays != "" {
		if err := referee.Looked(g, j.act(), r.Verb.Name, j.at()); err != nil {
			return "", err
		}
	}
	err := j.do()
	return j.w.String(), err
}

// at is the turn that the command is about.
func (j *job) at() int {
	if j.r.HasTurn {
		return j.r.Turn
	}
	return j.g.Turn()
}

func (j *job) do() error {
	switch j.r.Verb.Name {
	case "help", "commands":
		for _, v := range Verbs() {
			fmt.Fprintf(j.w, "%s\n    %s\n", v.Usage, v.Doc)
		}
		return nil
	case "show":
		return j.show()
	case "trace":
		return j.trace()
	case "preview":
		return j.preview()
	case "amend":
		return j.amend()
	case "ruling":
		return j.ruling()
	case "rerun":
		return j.rerun()
	case "whatif":
		return j.whatif()
	case "rollback":
		return j.rollback()
	case "process":
		return j.process()
	case "file":
		return j.file()
	case "extend", "pause", "resume", "rules":
		return j.clock()
	case "disputes":
		return j.disputes()
	case "dispute":
		return j.dispute()
	case "become", "replace", "eject", "invite", "renew":
		return j.people()
	}
	return fmt.Errorf("command %s: nobody does it", j.r.Verb.Name)
}

// act is who acts and why.
func (j *job) act() referee.Act {
	return referee.Act{By: j.by.Referee.Name, Why: j.r.value("why"), Cause: j.by.Cause, Now: j.by.Now}
}

// reasoned is an act that wants a reason.
func (j *job) reasoned() (referee.Act, error) {
	a := j.act()
	switch {
	case a.Why == "":
		return a, j.r.Verb.refuse("%s wants --why: the captains are told the reason", j.r.Verb.Name)
	case len(a.Why) > 300 || strings.ContainsFunc(a.Why, unicode.IsControl):
		return a, &Error{Problem: "the reason is too long", Way: "at most 300 characters"}
	}
	return a, nil
}

// args wants so many arguments, from and to included.
func (j *job) args(from, to int) error {
	switch n := len(j.r.Args); {
	case n < from:
		return j.r.Verb.refuse("%s wants more than that", j.r.Verb.Name)
	case n > to:
		return j.r.Verb.refuse("%q is not understood here", j.r.Args[to])
	}
	return nil
}

// regarded runs f while the game stands as it does, what this command brought
// about included.
func (j *job) regarded(f func() error) error {
	mail, _, _ := strings.Cut(j.by.Cause, "#")
	j.g.Disregard("")
	defer j.g.Disregard(mail)
	return f()
}

// Mistaken tells an error that the referee can mend by another command from
// trouble with the disk or with a game, and gives the lines that say what is wrong
// with orders, if that is it.
func Mistaken(err error) (lines []string, way string, ok bool) {
	if bad, is := errors.AsType[*vault.Error](err); is && !errors.Is(bad, vault.ErrNoTurn) && !errors.Is(bad, vault.ErrCommitted) {
		return nil, "", false
	}
	if _, is := errors.AsType[*fs.PathError](err); is {
		return nil, "", false
	}
	if _, is := errors.AsType[syscall.Errno](err); is {
		return nil, "", false
	}
	hinted, ok := errors.AsType[interface {
		error
		Hint() string
	}](err)
	if ok {
		way = hinted.Hint()
	}
	if w, is := errors.AsType[*vault.VersionError](err); is && w.Later() {
		return nil, fmt.Sprintf("to go on by version %s, from the turn that is due on: rules %s --why REASON", w.Is, w.Is), true
	}
	if bad, is := errors.AsType[*referee.OrdersError](err); is {
		return Mistakes(bad.Name, bad.Diagnostics), "correct the order set", true
	}
	if bad, is := errors.AsType[*filingError](err); is {
		return Mistakes("the filing", bad.ds), "correct it and send it again", true
	}
	if bad, is := errors.AsType[*turn.NotReadyError](err); is {
		for _, b := range bad.Bad {
			lines = append(lines, Mistakes(b.File, b.Diagnostics)...)
		}
		way += ", or --force"
	}
	return lines, way, ok
}
