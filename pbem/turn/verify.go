package turn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/pbem/vault"
)

// Finding is one thing that Verify found wrong: the file, the place in it as
// exactly as it can be told, and what is wrong.
type Finding struct {
	Turn    int    `json:"turn"`
	File    string `json:"file"`            // below the game directory: "turns/0003/events.jsonl"
	Line    int    `json:"line,omitempty"`  // 1-based; 0 for the whole file
	Event   int    `json:"event,omitempty"` // its seq
	Field   string `json:"field,omitempty"` // "roll", "ships[hood].hex"
	Problem string `json:"problem"`
}

// String is "turns/0003/events.jsonl:17: event 17, field roll: ...".
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

// Verify plays every turn again from its orders, the secret and the state
// before, and compares state and events, dice included, byte for byte, and all
// other files with the hashes in the manifests, and the journal with its own
// chain and with the turns. It finds what it can in all
// turns; of each file it gives the first difference. Progress, if not nil, is
// told each turn before it is looked at. Turns that an earlier version of the rule
// set played (see [Versions]) are not played again: their events must lead from state
// to state, and their dice have the values that the secret gives to their names. The error is for what kept Verify from
// its work, not for what it found.
func Verify(g *vault.Game, progress func(turn int)) ([]Finding, error) {
	v := verifier{game: g, done: map[int][]verified{}}
	v.journal()
	for _, r := range g.Revisions() {
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
	base  string             // the directory of the turn that is looked at
	last  *engine.Game       // what came of it; nil when it cannot be had
	done  map[int][]verified // by turn
	torn  bool               // the journal is damaged, as was said
}

// verified is a revision of a turn that was looked at.
type verified struct {
	revision vault.Revision
	manifest string       // its hash
	state    *engine.Game // what came of it; nil when it cannot be had
}

// after finds the resolution of the turn before that another was made after: the
// one whose manifest it names. Without such a one it is the one that counts, or
// the first, and the manifest must have been altered.
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

func (v *verifier) say(turn int, file string, format string, args ...any) {
	v.found = append(v.found, Finding{Turn: turn, File: file, Problem: fmt.Sprintf(format, args...)})
}

// name is a file of the turn that is looked at, below the game directory.
func (v *verifier) name(file string) string { return "turns/" + v.base + "/" + file }

// turn looks at a revision of a turn, whether it counts or not.
func (v *verifier) turn(r vault.Revision) error {
	n := r.Turn
	a, err := v.game.AuditOf(n, r.Revision)
	if err != nil {
		return err
	}
	v.base, v.last = vault.TurnBase(n, r.Revision), nil
	defer func() {
		v.done[n] = append(v.done[n], verified{r, a.ManifestHash, v.last})
	}()
	if a.Problem != "" {
		v.say(n, v.name(vault.ManifestFile), "%s", a.Problem)
		return nil
	}
	var before *engine.Game
	if n > 0 {
		made, sound := v.after(r, a.Manifest.Previous)
		if before = made.state; !sound && made.manifest != "" {
			v.say(n-1, "turns/"+vault.TurnBase(n-1, made.revision.Revision)+"/"+vault.ManifestFile, "the file was altered: turn %d was made after another one", n)
		}
	}
	damagedInput := false
	for _, d := range a.Damaged {
		switch {
		case d.Name == vault.StateFile || d.Name == vault.EventsFile:
			if d.Missing {
				v.say(n, v.name(d.Name), "the file is missing")
			}
			continue // told below, with the place
		case strings.HasPrefix(d.Name, vault.OrdersDir+"/"), d.Name == vault.FiledFile, d.Name == vault.RulingsFile:
			// What was put there later was not played with, and is not now.
			damagedInput = damagedInput || !d.Extra
		case d.Base:
			damagedInput = true
			v.say(n, d.Name, "%s", d.Problem())
			continue
		}
		v.say(n, v.name(d.Name), "%s", d.Problem())
	}
	if err := v.ended(n, a.Manifest.Journal); err != nil {
		return err
	}
	if version := v.game.VersionAt(a.Manifest.Journal); version != v.game.Rules().Version && len(a.Manifest.Draw) == 0 {
		v.old(n, a, before, version)
		return v.rounds(r, a, before, a.Files[vault.EventsFile])
	}
	replayed, events, problem := v.play(r, a, before, damagedInput)
	if problem != "" {
		v.say(n, v.name(vault.StateFile), "%s", problem)
	}
	v.compare(n, a, replayed, events, problem != "")
	if len(a.Manifest.Rounds) == 0 || problem != "" {
		return nil
	}
	log, err := engine.EncodeEvents(events)
	if err != nil {
		return err
	}
	return v.rounds(r, a, before, log)
}

// journal looks at the chain of the journal.
func (v *verifier) journal() {
	_, err := v.game.Journal()
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

// ended looks for the entry with which the journal ended when a turn was
// committed: that a chain was cut off at its end does not show in itself.
func (v *verifier) ended(n int, head string) error {
	if head == "" || v.torn {
		return nil
	}
	ok, err := v.game.JournalHas(head)
	if err == nil && !ok {
		v.say(n, vault.JournalFile, "the entry is not there any more with which the journal ended when turn %d was committed: lines were taken off, or the file is another one", n)
	}
	return err
}

// voted looks for the votes of those who ended the game.
func (v *verifier) voted(n int, draw []string) string {
	st, err := v.game.AdminState()
	if err != nil {
		return "" // told already
	}
	for _, c := range draw {
		if st.Votes[n][c] != vault.VoteDraw && (v.game.Rounds() == 0 || st.Votes[n-1][c] != vault.VoteDraw) {
			return fmt.Sprintf("turn %d ended as a draw with the vote of captain %s, which is not noted", n, c)
		}
	}
	return ""
}

// play makes the turn again. Without a result it says why.
func (v *verifier) play(r vault.Revision, a vault.Audit, before *engine.Game, damagedInput bool) (*engine.Game, []engine.Event, string) {
	n := r.Turn
	switch {
	case damagedInput && n == 0:
		return nil, nil, "the set-up cannot be made again, because what it was made from was altered"
	case damagedInput:
		return nil, nil, "the turn cannot be played again, because its orders were altered"
	case n == 0:
		return v.setUp(a)
	case before == nil:
		return nil, nil, "the turn cannot be played again, because the state before it is not known"
	}
	if draw := a.Manifest.Draw; len(draw) > 0 && r.Current {
		if problem := v.voted(n, draw); problem != "" {
			v.say(n, vault.JournalFile, "%s", problem)
		}
	}
	rec, err := recordOf(a.Manifest, a.Files)
	if err != nil {
		return nil, nil, "the turn cannot be played again: " + err.Error()
	}
	state, events, err := rec.play(v.game, before)
	if err != nil {
		return nil, nil, "the turn cannot be played again: " + err.Error()
	}
	return state, events, ""
}

func (v *verifier) setUp(a vault.Audit) (*engine.Game, []engine.Event, string) {
	stored := struct{ Format int }{engine.Format}
	if err := json.Unmarshal(a.Files[vault.StateFile], &stored); err != nil || stored.Format < 1 || stored.Format > engine.Format {
		stored.Format = engine.Format // that it is damaged is told below
	}
	state, err := setUpFrom(v.game, a.Base["scenario.toml"], stored.Format)
	var events []engine.Event
	if rulings := a.Files[vault.RulingsFile]; err == nil && rulings != nil {
		var all []engine.Ruling
		if all, err = ReadRulings(rulings); err == nil {
			state, events, err = engine.RuleSetup(v.game.Rules(), state, all)
		}
	}
	if err != nil {
		return nil, nil, "the set-up cannot be made again: " + err.Error()
	}
	return state, events, ""
}

// compare looks at state.json and events.jsonl, and chooses the state that the
// next turn is played from: the stored one if it is as it was committed, so that
// one fault is not told again for every later turn; else the replayed.
func (v *verifier) compare(n int, a vault.Audit, state *engine.Game, events []engine.Event, failed bool) {
	stored := a.Files[vault.StateFile]
	sound := stored != nil && vault.Hash(stored) == a.Manifest.Files[vault.StateFile]
	v.last = state
	if sound {
		if s, err := engine.DecodeGame(stored, v.game.Rules()); err == nil {
			v.last = s
		}
	}
	if failed {
		for _, f := range []string{vault.EventsFile, vault.StateFile} {
			if data := a.Files[f]; data != nil && vault.Hash(data) != a.Manifest.Files[f] {
				v.say(n, v.name(f), "the file was altered or truncated after the turn was committed")
			}
		}
		return
	}
	log, err := engine.EncodeEvents(events)
	if err != nil {
		v.say(n, v.name(vault.EventsFile), "the replayed events cannot be written: %v", err)
		return
	}
	again, err := engine.EncodeGame(state)
	if err != nil {
		v.say(n, v.name(vault.StateFile), "the replayed state cannot be written: %v", err)
		return
	}
	v.file(n, a, vault.EventsFile, log, diffEvents)
	v.file(n, a, vault.StateFile, again, diffState)
}

// file compares one stored file with what the replay gives.
func (v *verifier) file(n int, a vault.Audit, file string, replay []byte, diff func(have, want []byte) Finding) {
	have, ok := a.Files[file]
	if !ok {
		return // told already
	}
	if !bytes.Equal(have, replay) {
		f := diff(have, replay)
		f.Turn, f.File = n, v.name(file)
		if vault.Hash(have) == a.Manifest.Files[file] {
			f.Problem += " (the manifest agrees with the file: both were altered, or another program or rule set wrote them)"
		}
		v.found = append(v.found, f)
		return
	}
	if vault.Hash(have) != a.Manifest.Files[file] {
		v.say(n, v.name(vault.ManifestFile), "the hash of %s was altered", file)
	}
}
