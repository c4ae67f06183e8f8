package turn

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/pbem/vault"
)

// rounds looks at the rounds of a turn before its last: that they are those that the
// turn was made after, each made after the one before it, and that what each told is
// what happened. Whole is the whole turn, and log the events that come of it.
func (v *verifier) rounds(r vault.Revision, whole vault.Audit, before *engine.Game, log []byte) error {
	rec, err := recordOf(whole.Manifest, whole.Files)
	if err != nil {
		return nil //nolint:nilerr // told when the turn was played again
	}
	prev := whole.Manifest.Previous
	for k, sum := range whole.Manifest.Rounds {
		at := vault.Stage{Turn: r.Turn, Round: k + 1}
		if prev, err = v.round(at, r.Revision, sum, prev, &rec.inputs, before, log); err != nil {
			return err
		}
	}
	return nil
}

// inProgress looks at the rounds of the turn that is not over yet.
func (v *verifier) inProgress() error {
	at := v.game.Newest()
	if at.Round == 0 {
		return nil
	}
	revision := v.game.DueRevision()
	var last verified
	for _, b := range v.done[at.Turn-1] {
		if b.revision.Current {
			last = b
		}
	}
	prev := last.manifest
	for k := 1; k <= at.Round; k++ {
		var err error
		if prev, err = v.round(vault.Stage{Turn: at.Turn, Round: k}, revision, "", prev, nil, last.state, nil); err != nil {
			return err
		}
	}
	return nil
}

// round looks at one round and gives the hash of its manifest. Whole are the inputs
// of the turn it belongs to, with whose sets it must have been played, or nil.
func (v *verifier) round(at vault.Stage, revision int, sum, prev string, whole *inputs, before *engine.Game, told []byte) (string, error) {
	a, err := v.game.RoundAudit(at, revision)
	if err != nil {
		return "", err
	}
	dir := path.Join("turns", vault.RoundBase(at.Turn, revision, at.Round))
	say := func(file, format string, args ...any) {
		v.found = append(v.found, Finding{Turn: at.Turn, File: dir + "/" + file, Problem: fmt.Sprintf(format, args...)})
	}
	switch {
	case a.Problem != "":
		say(vault.ManifestFile, "%s", a.Problem)
		return a.ManifestHash, nil
	case sum != "" && a.ManifestHash != sum:
		say(vault.ManifestFile, "the file was altered: the turn was made after another one")
	case prev != "" && a.Manifest.Previous != prev:
		say(vault.ManifestFile, "the file was altered, or the one before it: it was made after another one")
	}
	damagedInput := false
	for _, d := range a.Damaged {
		if strings.HasPrefix(d.Name, vault.OrdersDir+"/") {
			damagedInput = damagedInput || !d.Extra
		}
		if d.Name != vault.StateFile && d.Name != vault.EventsFile || d.Missing {
			say(d.Name, "%s", d.Problem())
		}
	}
	rec, rerr := recordOf(a.Manifest, a.Files)
	in := rec.inputs
	switch {
	case rerr != nil:
		say(vault.StateFile, "the round cannot be played again: %v", rerr)
		return a.ManifestHash, nil
	case damagedInput:
		say(vault.StateFile, "the round cannot be played again, because its orders were altered")
		return a.ManifestHash, nil
	case before == nil:
		say(vault.StateFile, "the round cannot be played again, because the state before it is not known")
		return a.ManifestHash, nil
	case whole != nil && !sameTexts(in, whole.upto(at.Round)):
		say(vault.ManifestFile, "the turn was played with other orders than its round")
	}
	if version := v.game.VersionAt(a.Manifest.Journal); version != v.game.Rules().Version {
		past := oldTurn{dir: dir, a: a, before: before, version: version, at: at}
		v.found = append(v.found, past.findings(v.game)...)
	} else if err := v.roundAgain(at, dir, a, in, before); err != nil {
		return "", err
	}
	if stored := a.Files[vault.EventsFile]; told != nil && stored != nil && !bytes.HasPrefix(told, stored) {
		say(vault.EventsFile, "the turn did not go as this round told")
	}
	return a.ManifestHash, nil
}

// roundAgain plays a round again and compares.
func (v *verifier) roundAgain(at vault.Stage, dir string, a vault.Audit, in inputs, before *engine.Game) error {
	sheets, err := in.sheets(v.game.Rules(), before, at.Round)
	var state *engine.Game
	var events []engine.Event
	if err == nil {
		state, events, err = engine.ResolveRounds(v.game.Rules(), before, sheets, engine.Cut{Upto: at.Round}, v.game.Secret())
	}
	if err != nil {
		v.found = append(v.found, Finding{Turn: at.Turn, File: dir + "/" + vault.StateFile, Problem: fmt.Sprintf("the round cannot be played again: %v", err)})
		return nil
	}
	log, err := engine.EncodeEvents(events)
	if err != nil {
		return err
	}
	text, err := engine.EncodeGame(state)
	if err != nil {
		return err
	}
	v.roundFile(at, dir, a, vault.EventsFile, log, diffEvents)
	v.roundFile(at, dir, a, vault.StateFile, text, diffState)
	return nil
}

// roundFile compares one stored file of a round with what the replay gives.
func (v *verifier) roundFile(at vault.Stage, dir string, a vault.Audit, file string, replay []byte, diff func(have, want []byte) Finding) {
	have, ok := a.Files[file]
	if !ok || bytes.Equal(have, replay) {
		return
	}
	f := diff(have, replay)
	f.Turn, f.File = at.Turn, dir+"/"+file
	v.found = append(v.found, f)
}

// sameTexts tells whether two inputs hold the same orders.
func sameTexts(a, b inputs) bool {
	return slices.EqualFunc(a.texts, b.texts, func(x, y vault.File) bool { return x.Name == y.Name && bytes.Equal(x.Data, y.Data) })
}
