package console

import (
	"fmt"
	"io"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// file files the turn of a game that a referee plays by what came with the command.
func (j *job) file() error {
	n, err := j.named()
	if err != nil {
		return err
	}
	if err := j.args(0, 0); err != nil {
		return err
	}
	switch missing := j.r.value("missing"); {
	case missing != "" && missing != vault.Standing:
		return &Error{Problem: "what becomes of a ship without orders is the referee's to say", Way: "--missing " + vault.Standing}
	case j.r.value("later") != "" && !j.r.flag("again"), j.r.flag("again") && j.r.flag("blank"):
		return j.r.Verb.refuse("--later goes with --again, and --again with a filing")
	}
	if j.r.flag("blank") {
		return j.blankFiling(n)
	}
	if len(j.r.Blocks) != 1 {
		return &Error{Problem: "no filing came with the command", Way: fmt.Sprintf("put it below, from #all or #rulings to #end; file %d --blank sends one to be filled in", n)}
	}
	if j.r.flag("again") {
		return j.refile(n, []byte(j.r.Blocks[0]))
	}
	return j.fileDue(n, []byte(j.r.Blocks[0]))
}

func (j *job) blankFiling(n int) error {
	p, err := turn.Load(j.g)
	if err != nil {
		return err
	}
	if err := p.Fileable(n); err != nil {
		return err
	}
	text, err := p.BlankFiling()
	j.w.WriteString(text)
	return err
}

func (j *job) fileDue(n int, data []byte) error {
	if n >= 1 && n <= j.g.Turn() { // by this very command, before its answer was lost
		was, err := j.g.ReadFile(n, vault.FiledFile)
		if err == nil && string(was) == string(data) {
			fmt.Fprintf(j.w, "turn %d of %s is filed, and the reports go out\n", n, j.g.ID())
			return nil
		}
	}
	p, err := turn.Load(j.g)
	if err != nil {
		return err
	}
	if err := p.Fileable(n); err != nil {
		return err
	}
	if err := j.remarks(p.CheckFiled(data)); err != nil {
		return err
	}
	a, dry := j.act(), j.r.flag("dry-run")
	out, err := turn.Resolve(j.g, turn.Options{
		Missing: j.r.value("missing"), Now: a.Now, Compose: j.Compose, DryRun: dry, Keep: dry,
		Filed: &turn.Filed{Turn: n, Data: data, By: a.By, Why: a.Why},
	})
	if err != nil {
		return err
	}
	if dry {
		Reports(j.w, out)
	}
	return Played(j.w, j.g.ID(), j.g, out)
}

// refile files a turn in another way that was filed before.
func (j *job) refile(n int, data []byte) error {
	if n > j.g.Turn() {
		return &Error{Problem: fmt.Sprintf("turn %d of %s is not played yet", n, j.g.ID()), Way: "leave --again out"}
	}
	plan, err := j.plan(n, nil)
	if err != nil {
		return err
	}
	ds, err := turn.FiledBefore(j.g, n, data)
	if err != nil {
		return err
	}
	if err := j.remarks(ds); err != nil {
		return err
	}
	a := j.act()
	c := turn.Change{Filed: data, By: a.By, Why: a.Why, Cause: a.Cause, Now: a.Now}
	if j.r.flag("dry-run") {
		run, err := turn.Redo(j.g, n, c, plan.Later.Rerun)
		if err != nil {
			return err
		}
		return j.corrected(run, false)
	}
	if done, err := j.before(vault.JournalRevise); done || err != nil {
		return err
	}
	plan.Later.Keep = true
	done, err := turn.Correct(j.g, n, c, plan.Later, turn.Options{Compose: j.Compose})
	if err != nil {
		return err
	}
	return j.corrected(done.Rerun, true)
}

// filingError is a filing with mistakes.
type filingError struct{ ds []orders.Diagnostic }

func (e *filingError) Error() string { return "the filing has mistakes; nothing was changed" }

// remarks tells what is to be said of a filing; with mistakes it is an error.
func (j *job) remarks(ds []orders.Diagnostic) error {
	if orders.HasErrors(ds) {
		return &filingError{ds}
	}
	for _, l := range Mistakes("the filing", ds) {
		fmt.Fprintln(j.w, l)
	}
	return nil
}

// Reports writes each captain's report of a turn that was played for a look, with
// Options.Keep.
func Reports(w io.Writer, out *turn.Outcome) {
	for _, c := range out.State.Captains() {
		id := c.Ships[0]
		for _, ship := range c.Ships {
			if s, ok := out.State.Ship(ship); ok && s.Status == engine.Active {
				id = ship
				break
			}
		}
		fmt.Fprintf(w, "==== for captain %s ====\n%s\n", c.Name, out.Reports[id].Text)
	}
	fmt.Fprintln(w, "==== the whole truth ====")
}
