package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// revision returns the number of --revision; 0 for none.
func (r *Request) revision() (int, error) {
	text := r.value("revision")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, wrong("revisions are counted from 1, the first resolution", "there is no revision %s", text)
	}
	return n, nil
}

// readShow turns "show 3" into "show turn 3".
func readShow(r *Request) error {
	if len(r.Args) == 1 {
		if err := r.turn(r.Args[0]); err != nil {
			return err
		}
	}
	if _, err := r.phase(); err != nil {
		return err
	}
	_, err := r.revision()
	return err
}

// phase returns the number of --phase; -1 for none.
func (r *Request) phase() (int, error) {
	text := r.value("phase")
	if text == "" {
		return -1, nil
	}
	if r.value("as") == "" {
		return 0, wrong("such as --as Hood --phase 2", "--phase says when a captain knew something, and needs --as")
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, wrong("phases are counted from 1, and 0 is the beginning of the turn", "there is no phase %s", text)
	}
	return n, nil
}

// knew compares what a captain knew with the truth.
func (j *job) knew(as string) (any, error) {
	rev, err := j.r.revision()
	if err != nil {
		return nil, err
	}
	phase, err := j.r.phase()
	if err != nil {
		return nil, err
	}
	k, err := referee.Knew(j.g, j.r.about(j.g), rev, as, phase)
	if err != nil {
		return nil, err
	}
	when := "at its end"
	switch {
	case k.Began:
		when = "as it began"
	case k.Phase > 0:
		when = fmt.Sprintf("after phase %d", k.Phase)
	}
	line := func(knew, truth string) { fmt.Fprintf(j.w, "\n  knew:  %s\n  truth: %s\n", knew, truth) }
	fmt.Fprintf(j.w, "%s, turn %d, %s: what %s knew of other ships\n", k.Game, k.Turn, when, k.Captain)
	for _, one := range k.Known {
		line(one.Knew, one.Truth())
	}
	if len(k.Terrain) > 0 {
		fmt.Fprintf(j.w, "\nand of the terrain\n")
	}
	for _, one := range k.Terrain {
		line(one.Knew, one.Truth)
	}
	return k, nil
}

func (j *job) show() (any, error) {
	if as := j.r.value("as"); as != "" {
		return j.knew(as)
	}
	due, err := j.g.Due()
	if err != nil {
		return nil, err
	}
	if due > 0 && j.r.about(j.g) == due {
		t, err := coming(j.ctx, j.g, j.Bag, j.by.Now)
		if err != nil {
			return nil, err
		}
		return t, t.Print(j.w, j.by.Now)
	}
	rev, err := j.r.revision()
	if err != nil {
		return nil, err
	}
	t, err := referee.Show(j.ctx, j.g, j.r.about(j.g), rev, j.Bag)
	if err != nil {
		return nil, err
	}
	return t, Truth(j.w, j.g, t)
}

// readTrace splits "3.42" into turn and event.
func readTrace(r *Request) error {
	text := r.Args[0]
	at, number, both := strings.Cut(text, ".")
	if !both {
		number = text
	}
	seq, err := strconv.Atoi(number)
	if err == nil && both {
		var n int
		if n, err = strconv.Atoi(at); err == nil && r.HasTurn && n != r.Turn {
			return wrong("name it once", "the turn is %d in %s and %d in --turn", n, text, r.Turn)
		}
		r.Turn, r.HasTurn = n, true
	}
	if err != nil || seq < 1 || r.Turn < 0 {
		return wrong("such as 42, or 3.42 for that of turn 3", "%q is not an event", text)
	}
	r.Args[0] = number
	rev, err := r.revision()
	switch {
	case err != nil || r.value("as") == "":
		return err
	case r.HasTurn && r.Turn == 0:
		return wrong("name one that was resolved with --turn", "turn 0 is the set-up; nothing happens in it")
	case rev > 0:
		return wrong("leave one of the two out", "--as is about the reports of the resolution that counts, not of --revision %d", rev)
	}
	return nil
}

func (j *job) trace() (any, error) {
	rev, err := j.r.revision()
	if err != nil {
		return nil, err
	}
	n := j.r.about(j.g)
	seq, err := strconv.Atoi(j.r.Args[0])
	if err != nil {
		return nil, err
	}
	if as := j.r.value("as"); as != "" {
		if n == 0 {
			return nil, wrong("wait for the first reports", "turn 0 is the set-up; nothing happens in it")
		}
		if seq, err = referee.EventOf(j.g, n, as, seq); err != nil {
			return nil, err
		}
	}
	t, err := referee.Follow(j.ctx, j.g, n, rev, seq, j.Bag)
	if err != nil {
		return nil, err
	}
	Trace(j.w, t)
	return t, nil
}

// ResolvedTurn is the machine output for a turn that was resolved, or tried.
type ResolvedTurn struct {
	Game     string                 `json:"game"`
	Turn     int                    `json:"turn"`
	Phase    int                    `json:"phase,omitempty"` // within a turn
	Dir      string                 `json:"dir,omitempty"`   // empty for a dry run
	Mails    int                    `json:"mails"`
	Deadline time.Time              `json:"deadline,omitzero"`
	Missing  map[engine.Seat]string `json:"missing,omitempty"` // policy by seat
	Result   *engine.Result         `json:"result,omitempty"`
	Events   []engine.Event         `json:"events,omitzero"` // the full record, on request
}

// played prints everything that happened in a turn.
func (j *job) played(out *turn.Outcome) (any, error) {
	t := ResolvedTurn{
		Game: j.g.ID(), Turn: out.Turn, Dir: out.Dir, Deadline: out.Deadline,
		Missing: out.Missing, Result: out.State.Result, Events: out.Events,
	}
	if out.Dir != "" {
		t.Mails = len(out.Mails)
	}
	return t, Played(j.w, j.g, out)
}

func (j *job) preview() (any, error) {
	var seat engine.Seat
	if as := j.r.value("as"); as != "" {
		p, err := turn.Load(j.g)
		if err != nil {
			return nil, err
		}
		if seat, err = p.FindSeat(as); err != nil {
			return nil, err
		}
		if s, _ := p.State().Ship(seat.Ship); s.Crew[seat.Post] == "" {
			seat.Post = "" // the captain gives its orders
		}
	}
	out, err := referee.Preview(j.g, j.r.value("missing"), j.by.Now)
	if err != nil {
		return nil, err
	}
	if seat != (engine.Seat{}) {
		j.w.Write(out.Reports[seat].Text)
		return json.RawMessage(out.Reports[seat].View.JSON()), nil
	}
	return j.played(out)
}

func (j *job) process() (any, error) {
	n := j.r.Turn
	out, played, err := referee.Process(j.g, j.act(), n, j.r.flag("force"), turn.Options{Missing: j.r.value("missing"), Templates: j.Templates})
	if waits, ok := errors.AsType[*turn.NoBeaconError](err); ok {
		fmt.Fprintln(j.w, strings.Join(turn.ClosedWords(waits.Stage, waits.Closed), "\n"))
		return ResolvedTurn{Game: j.g.ID(), Turn: n, Events: []engine.Event{}}, nil
	}
	if err != nil {
		return nil, err
	}
	if !played {
		return j.played(out)
	}
	was := ResolvedTurn{Game: j.g.ID(), Turn: n, Dir: j.g.Stages.Dir(vault.At(n)), Events: []engine.Event{}}
	if known, err := j.g.Journal.Noted(journal.Process, j.by.Cause); err != nil || known { // by this same command
		fmt.Fprintf(j.w, "turn %d of %s is resolved, and the reports go out\n", n, j.g.ID())
		return was, err
	}
	m, err := j.g.Stages.Manifest(vault.At(n))
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(j.w, "turn %d of %s was resolved before, %s: nothing was done\n", n, j.g.ID(), report.FormatTime(m.Resolved, time.UTC))
	return was, nil
}

func readWhatIf(r *Request) error {
	if len(r.values["with"]) == 0 {
		return wrong(`such as --with "set Hood superstructure 7"`, "whatif needs --with")
	}
	return nil
}

func (j *job) whatif() (any, error) {
	with := j.r.values["with"]
	var plans []referee.Plan
	for _, text := range with {
		rulings := strings.Split(text, ";")
		for i := range rulings {
			rulings[i] = strings.TrimSpace(rulings[i])
		}
		rulings = slices.DeleteFunc(rulings, func(r string) bool { return r == "" })
		plans = append(plans, j.plan(j.r.about(j.g), rulings))
	}
	all, err := referee.WhatIf(j.g, j.act(), plans...)
	if err != nil {
		return nil, err
	}
	sideBySide(j.w, j.r.about(j.g), with, all)
	return all, nil
}
