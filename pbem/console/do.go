package console

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"starpost/orders"
	"starpost/pbem/fault"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// Console does commands.
type Console struct {
	Bag       referee.Postbag // the mails that came and went; the zero value knows none
	Templates *templates.Set  // that reports are drawn with; nil for those built in
}

// By is who gives a command, and when. Cause makes a repetition of it known.
type By struct {
	Referee vault.Referee
	Cause   string
	Now     time.Time
}

// Result is what came of a command: in words, and as a value for machine output.
type Result struct {
	Text     string
	Warnings []string
	Data     any
}

// job is a command that is being done.
type job struct {
	Console
	Result
	ctx context.Context //nolint:containedctx // a job lives as long as one call of Do
	g   *vault.Game
	by  By
	r   *Request
	w   *strings.Builder
}

// Who finds the referee of a game who calls himself so. In a game in which no referee
// plays that may be anybody who can run commands on its directory.
func Who(g *vault.Game, name string) (vault.Referee, error) {
	if !g.Settings().HasPlayingReferee() {
		return vault.Referee{Name: name}, nil
	}
	if name == "" || name == referee.ByReferee {
		var names []string
		for _, r := range g.Settings().Referees {
			names = append(names, r.Name)
		}
		return vault.Referee{}, wrong("one of: "+strings.Join(names, ", "), "a referee of %s also plays: say who you are with --by", g.ID())
	}
	return referee.FindReferee(g, name)
}

// Looked notes that a referee who plays looked at a turn with a command, which is told
// to all; of who does not play it notes nothing.
func (by By) Looked(g *vault.Game, command string, turn int) error {
	if by.Referee.Plays == "" {
		return nil
	}
	return referee.Looked(g, referee.Act{By: by.Referee.Name, Cause: by.Cause, Now: by.Now}, command, turn)
}

// Do does a command. A game stands meanwhile as if the mail of the cause had brought
// nothing about yet, so that a command that is done again does the same; the words tell
// how it stands then. The error is an *Error for a command that is written wrongly, a
// *MistakesError for orders and filings; either changed nothing.
func (c Console) Do(ctx context.Context, g *vault.Game, by By, r *Request) (Result, error) {
	j := &job{Console: c, ctx: ctx, g: g, by: by, r: r, w: &strings.Builder{}}
	if err := r.Check(); err != nil {
		return j.Result, err
	}
	if r.Verb.Looks {
		if err := by.Looked(g, r.Verb.Name, r.about(g)); err != nil {
			return j.Result, err
		}
	}
	err := r.late(g)
	switch {
	case err != nil:
	case r.Verb.run == nil:
		err = j.help()
	default:
		j.Data, err = r.Verb.run(j)
	}
	if j.Text = j.w.String(); j.Data == nil {
		j.Data = struct {
			Game string `json:"game"`
			Text string `json:"text"`
		}{g.ID(), j.Text}
	}
	return j.Result, j.mistakes(err)
}

func (j *job) help() error {
	if len(j.r.Args) == 0 {
		for _, v := range Verbs() {
			fmt.Fprintf(j.w, "%s\n    %s.\n", v.Usage(""), v.Short)
		}
		return nil
	}
	v := verbOf(strings.TrimPrefix(j.r.Args[0], "#"))
	if v == nil {
		return j.r.Verb.refuse("there is no command %q", j.r.Args[0])
	}
	fmt.Fprintf(j.w, "%s\n\n%s\n", v.Usage(""), v.Long)
	for _, f := range v.Options() {
		fmt.Fprintf(j.w, "\n--%s %s\n    %s\n", f.Name, f.Value, strings.ReplaceAll(f.Doc, "`", ""))
	}
	return nil
}

// act is who acts and why.
func (j *job) act() referee.Act {
	return referee.Act{By: j.by.Referee.Name, Why: j.r.value("why"), Cause: j.by.Cause, Now: j.by.Now}
}

func (j *job) warn(text string) { j.Warnings = append(j.Warnings, text) }

// afterwards runs f while the game stands as it does, what this command brought about
// included.
func (j *job) afterwards(f func() error) error {
	mail, _, _ := strings.Cut(j.by.Cause, "#")
	j.g.Disregard("")
	defer j.g.Disregard(mail)
	return f()
}

// MistakesError is orders or a filing with mistakes, a line each, or orders that are
// missing.
type MistakesError struct {
	fault.Fault
	Lines []string
}

// mistakes gathers the lines of an error about orders.
func (j *job) mistakes(err error) error {
	if bad, ok := errors.AsType[*referee.OrdersError](err); ok {
		return &MistakesError{*fault.New("correct the order set", "%s", bad), Mistakes(bad.File, bad.Diagnostics)}
	}
	nr, ok := errors.AsType[*turn.NotReadyError](err)
	if !ok {
		return err
	}
	e := NotReady(j.g, nr)
	if _, ok := j.r.Verb.option("force"); ok {
		e.Way += ", or --force"
	} else if j.r.Verb.Input != "" && len(nr.Bad) == 0 {
		e.Way = "wait for them, or file without: --missing " + vault.PolicyStanding
	}
	return e
}

// NotReady lists what is wrong with the orders of a turn, and which are missing.
func NotReady(g *vault.Game, nr *turn.NotReadyError) *MistakesError {
	e := &MistakesError{Fault: *fault.New(nr.Hint(), "%s; nothing was changed", nr)}
	for _, b := range nr.Bad {
		e.Lines = append(e.Lines, Mistakes(b.File, b.Diagnostics)...)
	}
	for _, s := range nr.Missing {
		e.Lines = append(e.Lines, fmt.Sprintf("%s: orders missing (captain %s)", g.Orders.Path(s.Name), s.Captain))
	}
	return e
}

// Mendable tells an error that the referee can mend by another command from trouble
// with the disk or with a game, and gives the way out.
func Mendable(err error) (way string, ok bool) {
	if bad, is := errors.AsType[*vault.Error](err); is && bad.Path != "" && !errors.Is(bad, vault.ErrNoTurn) && !errors.Is(bad, vault.ErrCommitted) {
		return "", false
	}
	if _, is := errors.AsType[*fs.PathError](err); is {
		return "", false
	}
	if _, is := errors.AsType[syscall.Errno](err); is {
		return "", false
	}
	hinted, ok := errors.AsType[interface {
		error
		Hint() string
	}](err)
	if !ok {
		return "", false
	}
	way, _, _ = strings.Cut(hinted.Hint(), "\n")
	return way, true
}

// Mistakes gathers the diagnostics of a file.
func Mistakes(file string, ds []orders.Diagnostic) []string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = fmt.Sprintf("%s:%s", file, d)
		if d.Hint != "" {
			lines[i] += " (" + d.Hint + ")"
		}
	}
	return lines
}
