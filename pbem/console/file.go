package console

import (
	"fmt"
	"io"

	"starpost/orders"
	"starpost/pbem/fault"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

func readFile(r *Request) error {
	if r.flag("later") && !r.flag("again") || r.flag("again") && r.flag("blank") {
		return r.Verb.refuse("--later goes with --again, and --again with a filing")
	}
	return nil
}

// file files a turn that a referee plays, from the text of the command.
func (j *job) file() (any, error) {
	if j.r.flag("again") {
		return j.fileAgain(j.r.Turn)
	}
	n := j.r.Turn
	if n >= 1 && n <= j.g.Turn() && !j.r.flag("blank") && j.by.Cause != "" { // by this same command, before its answer was lost
		was, err := j.g.Stages.File(vault.At(n), vault.FiledFile)
		if err == nil && string(was) == string(j.r.Texts[0].Text) {
			fmt.Fprintf(j.w, "turn %d of %s is filed, and the reports go out\n", n, j.g.ID())
			return nil, nil
		}
	}
	p, err := turn.Load(j.g)
	if err != nil {
		return nil, err
	}
	if err := p.Fileable(n); err != nil {
		return nil, err
	}
	if j.r.flag("blank") {
		text, err := p.BlankFiling()
		j.w.WriteString(text)
		return nil, err
	}
	data := j.r.Texts[0].Text
	if err := j.remarks(p.CheckFiled(data)); err != nil {
		return nil, err
	}
	a, dry := j.act(), j.r.flag("dry-run")
	out, err := turn.Resolve(j.g, turn.Options{
		Missing: j.r.value("missing"), Now: a.Now, DryRun: dry, Keep: dry,
		Filed: &turn.Filed{Turn: n, Data: data, By: a.By, Why: a.Why}, Templates: j.Templates,
	})
	if err != nil {
		return nil, err
	}
	if dry {
		reports(j.w, out)
	}
	return j.played(out)
}

// fileAgain replaces an earlier filing of a turn.
func (j *job) fileAgain(n int) (any, error) {
	if n > j.g.Turn() {
		return nil, wrong("leave --again out", "turn %d of %s has not been played yet", n, j.g.ID())
	}
	data, a := j.r.Texts[0].Text, j.act()
	ds, err := turn.FiledBefore(j.g, n, data)
	if err != nil {
		return nil, err
	}
	if err := j.remarks(ds); err != nil {
		return nil, err
	}
	c := turn.Change{Filed: data, By: a.By, Why: a.Why, Cause: a.Cause, Now: a.Now}
	later := j.plan(n, nil).Later
	if j.r.flag("dry-run") {
		run, err := turn.Redo(j.g, n, c, later.Rerun)
		if err != nil {
			return nil, err
		}
		return j.corrected(run, "without --dry-run it takes effect")
	}
	if done, err := j.revised(); done || err != nil {
		return nil, err
	}
	later.Keep = true
	done, err := turn.Correct(j.g, n, c, later, nil, turn.Options{Templates: j.Templates})
	if err != nil {
		return nil, err
	}
	return j.corrected(done.Rerun, "")
}

// remarks lists the diagnostics of a filing; mistakes are an error.
func (j *job) remarks(ds []orders.Diagnostic) error {
	lines := Mistakes(j.r.Texts[0].File, ds)
	if orders.HasErrors(ds) {
		return &MistakesError{*fault.New("the rulings: starpost rules "+j.g.Rules().Name, "%s cannot be filed; nothing was changed", j.r.Texts[0].File), lines}
	}
	j.Warnings = append(j.Warnings, lines...)
	return nil
}

// reports prints each captain's report of a turn that was resolved on trial, with Options.Keep.
func reports(w io.Writer, out *turn.Outcome) {
	for _, c := range out.State.Captains() {
		fmt.Fprintf(w, "==== for captain %s ====\n%s\n", c.Name, out.Reports[turn.Flagship(out.State, c)].Text)
	}
	fmt.Fprintln(w, "==== the whole truth ====")
}
