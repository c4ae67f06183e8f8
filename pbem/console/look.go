package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// revision is the number that --revision gives; 0 for none.
func (j *job) revision() (int, error) {
	text := j.r.value("revision")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, &Error{Problem: fmt.Sprintf("there is no revision %q", text), Way: "revisions are counted from 1, the first resolution"}
	}
	return n, nil
}

func (j *job) show() error {
	if err := j.args(0, 1); err != nil {
		return err
	}
	if len(j.r.Args) == 1 { // show 3
		if err := j.r.turn(j.r.Args[0]); err != nil {
			return err
		}
	}
	rev, err := j.revision()
	if err != nil {
		return err
	}
	due, err := j.g.Due()
	if err != nil {
		return err
	}
	if due > 0 && j.at() == due {
		t, err := Coming(j.ctx, j.g, j.Bag, j.by.Now)
		if err != nil {
			return err
		}
		return t.Print(j.w, j.g.ID(), j.by.Now)
	}
	t, err := referee.Show(j.ctx, j.g, j.at(), rev, j.Bag)
	if err != nil {
		return err
	}
	return Truth(j.w, j.g, t)
}

func (j *job) trace() error {
	if err := j.args(1, 1); err != nil {
		return err
	}
	rev, err := j.revision()
	if err != nil {
		return err
	}
	at, event, both := strings.Cut(j.r.Args[0], ".")
	if !both {
		at, event = strconv.Itoa(j.at()), at
	}
	n, err := strconv.Atoi(at)
	seq, err2 := strconv.Atoi(event)
	if err != nil || err2 != nil || n < 0 || seq < 1 {
		return j.r.Verb.refuse("%q is no event", j.r.Args[0])
	}
	if as := j.r.value("as"); as != "" {
		if rev > 0 {
			return &Error{Problem: fmt.Sprintf("--as is about the reports of the resolution that counts, not of --revision %d", rev), Way: "leave one of the two out"}
		}
		if n == 0 {
			return &Error{Problem: "in turn 0, the set-up, nothing happens", Way: "name a turn that was resolved"}
		}
		if seq, err = referee.EventOf(j.g, n, as, seq); err != nil {
			return err
		}
	}
	t, err := referee.Follow(j.ctx, j.g, n, rev, seq, j.Bag)
	if err != nil {
		return err
	}
	Trace(j.w, t)
	return nil
}

func (j *job) preview() error {
	if err := j.args(0, 0); err != nil {
		return err
	}
	if err := policy(j.r.value("missing")); err != nil {
		return err
	}
	ship := ""
	if as := j.r.value("as"); as != "" {
		p, err := turn.Load(j.g)
		if err != nil {
			return err
		}
		s, err := p.FindShip(as)
		if err != nil {
			return err
		}
		ship = s.ID
	}
	out, err := referee.Preview(j.g, j.r.value("missing"), j.by.Now)
	if err != nil {
		return err
	}
	if ship != "" {
		j.w.Write(out.Reports[ship].Text)
		return nil
	}
	return Played(j.w, j.g.ID(), j.g, out)
}

func policy(name string) error {
	if name == "" {
		return nil
	}
	if slices.Contains(vault.Policies(), name) {
		return nil
	}
	return &Error{Problem: fmt.Sprintf("there is no policy %q", name), Way: "one of: " + strings.Join(vault.Policies(), ", ")}
}

func (j *job) process() error {
	if err := j.args(0, 1); err != nil {
		return err
	}
	n, err := j.named()
	if err != nil {
		return err
	}
	if err := policy(j.r.value("missing")); err != nil {
		return err
	}
	out, played, err := referee.Process(j.g, j.act(), n, j.r.flag("force"), turn.Options{Missing: j.r.value("missing"), Compose: j.Compose})
	switch {
	case err != nil:
		return err
	case played:
		if known, err := j.g.Noted(vault.JournalProcess, j.by.Cause); err != nil || known { // by this very command
			fmt.Fprintf(j.w, "turn %d of %s is resolved, and the reports go out\n", n, j.g.ID())
			return err
		}
		return Before(j.w, j.g, n)
	}
	return Played(j.w, j.g.ID(), j.g, out)
}

// named is the turn that a command must name.
func (j *job) named() (int, error) {
	if len(j.r.Args) > 0 && !j.r.HasTurn {
		text := j.r.Args[0]
		j.r.Args = j.r.Args[1:]
		err := j.r.turn(text)
		return j.r.Turn, err
	}
	if !j.r.HasTurn {
		return 0, j.r.Verb.refuse("%s wants the number of a turn", j.r.Verb.Name)
	}
	return j.r.Turn, nil
}

func (j *job) whatif() error {
	if err := j.args(0, 0); err != nil {
		return err
	}
	with := j.r.values["with"]
	if len(with) == 0 {
		return j.r.Verb.refuse("whatif wants --with")
	}
	var plans []referee.Plan
	for _, w := range with {
		p, err := j.plan(j.at(), Rulings(w))
		if err != nil {
			return err
		}
		plans = append(plans, p)
	}
	all, err := referee.WhatIf(j.g, j.act(), plans...)
	if err != nil {
		return err
	}
	SideBySide(j.w, j.at(), with, all)
	return nil
}

// Rulings are those of one case, parted by semicolons.
func Rulings(text string) []string {
	var out []string
	for r := range strings.SplitSeq(text, ";") {
		if r = strings.TrimSpace(r); r != "" {
			out = append(out, r)
		}
	}
	return out
}
