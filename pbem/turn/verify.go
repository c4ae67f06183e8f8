package turn

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
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
// told each turn before it is looked at. The error is for what kept Verify from
// its work, not for what it found.
func Verify(g *vault.Game, progress func(turn int)) ([]Finding, error) {
	v := verifier{game: g}
	v.journal()
	for n := range g.Turn() + 1 {
		if progress != nil {
			progress(n)
		}
		if err := v.turn(n); err != nil {
			return v.found, fmt.Errorf("verify turn %d of %s: %w", n, g.ID(), err)
		}
	}
	return v.found, nil
}

type verifier struct {
	game  *vault.Game
	found []Finding
	last  *engine.Game // the state before the turn that is looked at; nil when it cannot be had
	prev  string       // hash of the manifest before
	torn  bool         // the journal is damaged, as was said
}

func (v *verifier) say(turn int, file string, format string, args ...any) {
	v.found = append(v.found, Finding{Turn: turn, File: file, Problem: fmt.Sprintf(format, args...)})
}

func name(turn int, file string) string { return fmt.Sprintf("turns/%04d/%s", turn, file) }

func (v *verifier) turn(n int) error {
	a, err := v.game.Audit(n)
	if err != nil {
		return err
	}
	before := v.last
	v.last = nil
	prev := v.prev
	v.prev = a.ManifestHash
	if a.Problem != "" {
		v.say(n, name(n, vault.ManifestFile), "%s", a.Problem)
		return nil
	}
	if n > 0 && prev != "" && a.Manifest.Previous != prev {
		v.say(n-1, name(n-1, vault.ManifestFile), "the file was altered: turn %d was made after another one", n)
	}
	damagedInput := false
	for _, d := range a.Damaged {
		switch {
		case d.Name == vault.StateFile || d.Name == vault.EventsFile:
			if d.Missing {
				v.say(n, name(n, d.Name), "the file is missing")
			}
			continue // told below, with the place
		case strings.HasPrefix(d.Name, vault.OrdersDir+"/"), d.Name == vault.FiledFile:
			// What was put there later was not played with, and is not now.
			damagedInput = damagedInput || !d.Extra
		case d.Base:
			damagedInput = true
			v.say(n, d.Name, "%s", d.Problem())
			continue
		}
		v.say(n, name(n, d.Name), "%s", d.Problem())
	}
	if err := v.ended(n, a.Manifest.Journal); err != nil {
		return err
	}
	replayed, events, problem := v.play(n, a, before, damagedInput)
	if problem != "" {
		v.say(n, name(n, vault.StateFile), "%s", problem)
	}
	v.compare(n, a, replayed, events, problem != "")
	return nil
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
	st, err := v.game.Standing()
	if err != nil {
		return "" // told already
	}
	for _, c := range draw {
		if st.Votes[n][c] != vault.VoteDraw {
			return fmt.Sprintf("turn %d ended as a draw with the vote of captain %s, which is not noted", n, c)
		}
	}
	return ""
}

// play makes the turn again. Without a result it says why.
func (v *verifier) play(n int, a vault.Audit, before *engine.Game, damagedInput bool) (*engine.Game, []engine.Event, string) {
	rules := v.game.Rules()
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
	if draw := a.Manifest.Draw; len(draw) > 0 {
		if problem := v.voted(n, draw); problem != "" {
			v.say(n, vault.JournalFile, "%s", problem)
		}
		state, events, err := engine.AgreeDraw(before, draw)
		if err != nil {
			return nil, nil, "the turn cannot be played again: " + err.Error()
		}
		return state, events, ""
	}
	in := inputs{missing: a.Manifest.Missing}
	for _, file := range slices.Sorted(maps.Keys(a.Files)) {
		if path.Dir(file) == vault.OrdersDir {
			in.texts = append(in.texts, vault.File{Name: file, Data: a.Files[file]})
		}
	}
	sheets, err := in.sheets(rules, before)
	if err != nil {
		return nil, nil, "the turn cannot be played again: " + err.Error()
	}
	in.filed = a.Files[vault.FiledFile]
	state, events, err := in.resolve(rules, before, sheets, v.game.Secret())
	if err != nil {
		return nil, nil, "the turn cannot be played again: " + err.Error()
	}
	return state, events, ""
}

func (v *verifier) setUp(a vault.Audit) (*engine.Game, []engine.Event, string) {
	sc, diags := engine.ParseScenario(a.Base["scenario.toml"])
	if sc == nil {
		return nil, nil, "the set-up cannot be made again: scenario.toml:" + diags[0].String()
	}
	byShip := map[string]string{}
	for _, c := range v.game.Settings().Captains {
		for _, s := range c.Ships {
			byShip[s] = c.Name
		}
	}
	state, diags := sc.NewGame(v.game.Rules(), v.game.ID(), byShip)
	if state == nil {
		return nil, nil, "the set-up cannot be made again: scenario.toml:" + diags[0].String()
	}
	return state, nil, ""
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
				v.say(n, name(n, f), "the file was altered or truncated after the turn was committed")
			}
		}
		return
	}
	log, err := engine.EncodeEvents(events)
	if err != nil {
		v.say(n, name(n, vault.EventsFile), "the replayed events cannot be written: %v", err)
		return
	}
	again, err := engine.EncodeGame(state)
	if err != nil {
		v.say(n, name(n, vault.StateFile), "the replayed state cannot be written: %v", err)
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
		f.Turn, f.File = n, name(n, file)
		if vault.Hash(have) == a.Manifest.Files[file] {
			f.Problem += " (the manifest agrees with the file: both were altered, or another program or rule set wrote them)"
		}
		v.found = append(v.found, f)
		return
	}
	if vault.Hash(have) != a.Manifest.Files[file] {
		v.say(n, name(n, vault.ManifestFile), "the hash of %s was altered", file)
	}
}
