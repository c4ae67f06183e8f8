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

// Console runs commands.
type Console struct {
	Bag       referee.Postbag // incoming and outgoing mails; the zero value has none
	Templates *templates.Set  // for reports; nil for the built-in ones
}

// By says who gives a command, and when. Cause identifies a repetition of it.
type By struct {
	Referee vault.Referee
	Cause   string
	Now     time.Time
}

// Result is the result of a command: as text, and as a value for machine output.
type Result struct {
	Text     string
	Warnings []string
	Data     any
}

// job is a running command.
type job struct {
	Console
	Result
	ctx context.Context //nolint:containedctx // a job lives as long as one call of Do
	g   *vault.Game
	by  By
	r   *Request
	w   *strings.Builder
}

// Who returns the referee of a game with that name. If no referee plays in the game, it may be
// anybody who can run commands on its directory.
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

// Looked records, for everyone to see, that a referee who plays looked at a turn with a command;
// for other referees it records nothing.
func (by By) Looked(g *vault.Game, command string, turn int) error {
	if by.Referee.Plays == "" {
		return nil
	}
	return referee.Looked(g, referee.Act{By: by.Referee.Name, Cause: by.Cause, Now: by.Now}, command, turn)
}

// Do runs a command. Meanwhile the game ignores the effects of the mail in Cause, so that a
// repeated command does the same; the text describes the state afterwards. The error is an *Error
// for a malformed command, a *MistakesError for orders and filings; in both cases nothing was
// changed.
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

// act returns who acts and why.
func (j *job) act() referee.Act {
	return referee.Act{By: j.by.Referee.Name, Why: j.r.value("why"), Cause: j.by.Cause, Now: j.by.Now}
}

func (j *job) warn(text string) { j.Warnings = append(j.Warnings, text) }

// afterwards runs f with the present state of the game, including the effects of this command.
func (j *job) afterwards(f func() error) error {
	mail, _, _ := strings.Cut(j.by.Cause, "#")
	j.g.Disregard("")
	defer j.g.Disregard(mail)
	return f()
}

// MistakesError lists the mistakes in orders or a filing, one on each line, or missing orders.
type MistakesError struct {
	fault.Fault
	Lines []string
}

// mistakes converts an error about orders to a MistakesError.
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

// NotReady lists the mistakes in the orders of a turn, and the missing orders.
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

// Mendable reports whether the referee can fix an error with another command, unlike trouble with
// the disk or a game, and returns the hint.
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

// Mistakes formats the diagnostics of a file.
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
