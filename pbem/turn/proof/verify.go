package proof

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/pbem/vault"
)

// Finding is one thing that Verify found wrong: the file, the place in it as exactly as known, and what is wrong.
type Finding struct {
	Turn    int    `json:"turn"`
	File    string `json:"file"`            // relative to the game directory: "turns/0003/events.jsonl"
	Line    int    `json:"line,omitempty"`  // 1-based; 0 for the whole file
	Event   int    `json:"event,omitempty"` // its seq
	Field   string `json:"field,omitempty"` // "roll", "ships[hood].hex"
	Problem string `json:"problem"`
}

// String returns "turns/0003/events.jsonl:17: event 17, field roll: ...".
func (f Finding) String() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d", f.Line)
	}
	b.WriteString(": ")
	if f.Event > 0 {
		fmt.Fprintf(&b, "event %d, ", f.Event)
	}
	if f.Field != "" {
		fmt.Fprintf(&b, "field %s: ", f.Field)
	}
	b.WriteString(f.Problem)
	return b.String()
}

// Verify plays every turn again from its orders, the secret and the state before, and compares state and events, dice
// included, byte for byte. It also compares all other files with the hashes in the manifests, and the journal with
// its own chain and with the turns. It checks all turns, and reports the first difference in each file. If progress
// is not nil, it is called before each turn. Turns that an earlier version of the rule set played (see [Versions])
// are not played again: their events must lead from state to state, and their dice must have the values that the
// secret gives to their names. The error says what kept Verify from its work, not what it found.
func Verify(g *vault.Game, progress func(turn int)) ([]Finding, error) {
	v := verifier{game: g, done: map[int][]verified{}}
	v.journal()
	for _, r := range g.Stages.Revisions() {
		if progress != nil && r.Current {
			progress(r.Turn)
		}
		n := r.Turn
		if err := v.turn(r); err != nil {
			return v.found, fmt.Errorf("verify turn %d of %s: %w", n, g.ID(), err)
		}
	}
	if err := v.inProgress(); err != nil {
		return v.found, fmt.Errorf("verify turn %d of %s: %w", g.Turn()+1, g.ID(), err)
	}
	return v.found, nil
}

type verifier struct {
	game  *vault.Game
	found []Finding
	done  map[int][]verified // by turn
	torn  bool               // the journal is damaged, which has been reported
}

// verified is a checked revision of a turn.
type verified struct {
	revision vault.Revision
	manifest string       // its hash
	state    *engine.Game // the resulting state; nil if unavailable
}

// after finds the resolution of the previous turn that a revision is based on: the one with the hash previous. If
// there is none, it returns the current one, or the first, and sound is false: the manifest must have been altered.
func (v *verifier) after(r vault.Revision, previous string) (before verified, sound bool) {
	for _, b := range v.done[r.Turn-1] {
		if b.manifest != "" && b.manifest == previous {
			return b, true
		}
	}
	for _, b := range v.done[r.Turn-1] {
		if b.revision.Current || before.revision.Revision == 0 {
			before = b
		}
	}
	return before, false
}

// turn checks a revision of a turn, current or not, and its rounds.
func (v *verifier) turn(r vault.Revision) error {
	c, err := v.look(vault.Stage{Turn: r.Turn, Revision: r.Revision})
	if err != nil {
		return err
	}
	c.current = r.Current
	defer func() {
		v.done[r.Turn] = append(v.done[r.Turn], verified{r, c.audit.ManifestHash, c.state})
	}()
	if c.audit.Problem != "" {
		return nil
	}
	if r.Turn > 0 {
		made, sound := v.after(r, c.audit.Manifest.Previous)
		if c.before = made.state; !sound && made.manifest != "" {
			dir := "turns/" + vault.Stage{Turn: r.Turn - 1, Revision: made.revision.Revision}.Base()
			v.found = append(v.found, Finding{Turn: r.Turn - 1, File: dir + "/" + vault.ManifestFile, Problem: fmt.Sprintf("the file was altered: turn %d was made after another one", r.Turn)})
		}
	}
	c.damages()
	c.publicDice()
	if err := v.ended(c); err != nil {
		return err
	}
	log, ok := c.replay()
	if !ok || !c.readable() {
		return nil // reported when the turn was played again
	}
	previous := c.audit.Manifest.Previous
	for k, sum := range c.audit.Manifest.Rounds {
		at := vault.Stage{Turn: r.Turn, Revision: r.Revision, Round: k + 1}
		if previous, err = v.round(at, sum, previous, c, c.before, log); err != nil {
			return err
		}
	}
	return nil
}

// journal checks the chain of the journal.
func (v *verifier) journal() {
	_, err := v.game.Journal.Entries()
	if err == nil {
		return
	}
	v.torn = true
	f := Finding{File: vault.JournalFile, Problem: err.Error()}
	if told, ok := errors.AsType[*vault.Error](err); ok {
		f.Problem = told.Problem
		if _, line, ok := strings.Cut(told.Path, vault.JournalFile+":"); ok {
			if n, err := strconv.Atoi(line); err == nil {
				f.Line = n
			}
		}
	}
	v.found = append(v.found, f)
}

// ended looks for the entry with which the journal ended when a turn was committed: a chain that was cut off at its
// end is still consistent in itself.
func (v *verifier) ended(c *stageCheck) error {
	head := c.audit.Manifest.Journal
	if head == "" || v.torn {
		return nil
	}
	ok, err := v.game.Journal.Has(head)
	if err == nil && !ok {
		v.found = append(v.found, Finding{Turn: c.at.Turn, File: vault.JournalFile, Problem: fmt.Sprintf("the entry is not there any more with which the journal ended when turn %d was committed: lines were taken off, or the file is another one", c.at.Turn)})
	}
	return err
}

// inProgress checks the rounds of the turn that is not over yet.
func (v *verifier) inProgress() error {
	at := v.game.Newest()
	if at.Round == 0 {
		return nil
	}
	var last verified
	for _, b := range v.done[at.Turn-1] {
		if b.revision.Current {
			last = b
		}
	}
	previous := last.manifest
	for k := range at.Round {
		var err error
		if previous, err = v.round(vault.Stage{Turn: at.Turn, Round: k + 1}, "", previous, nil, last.state, nil); err != nil {
			return err
		}
	}
	return nil
}
