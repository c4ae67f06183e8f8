package turn

import (
	"bytes"
	"errors"
	"fmt"
	"path"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/vault"
)

// Span is consecutive turns of a game that one version of its rule set played.
type Span struct {
	Version string `json:"version"`
	First   int    `json:"first"`
	Last    int    `json:"last"`
}

// String is "turn 3" or "turns 0 to 3".
func (s Span) String() string {
	if s.First == s.Last {
		return fmt.Sprintf("turn %d", s.First)
	}
	return fmt.Sprintf("turns %d to %d", s.First, s.Last)
}

// Versions tells which version of the rule set played the turns that count, as the
// journal has it.
func Versions(g *vault.Game) ([]Span, error) {
	var out []Span
	for n := range g.Turn() + 1 {
		m, err := g.Manifest(n)
		if err != nil {
			return nil, err
		}
		version := g.VersionAt(m.Journal)
		if k := len(out) - 1; k >= 0 && out[k].Version == version {
			out[k].Last = n
		} else {
			out = append(out, Span{version, n, n})
		}
	}
	return out, nil
}

// old looks at a turn that another version of the rule set played.
func (v *verifier) old(n int, a vault.Audit, before *engine.Game, version string) {
	past := oldTurn{dir: "turns/" + v.base, a: a, before: before, version: version, at: vault.Stage{Turn: n}}
	v.found = append(v.found, past.findings(v.game)...)
	v.last = past.state
}

// oldTurn is a turn, or a round of one, that another version of the rule set played.
type oldTurn struct {
	dir     string
	a       vault.Audit
	before  *engine.Game // nil when it cannot be had
	version string       // by the journal
	at      vault.Stage

	state *engine.Game // what came of it; nil when it cannot be had
}

// findings holds its files against each other: the events must lead from the state
// before to the state after, and every die have the value that the secret gives to its
// name.
func (o *oldTurn) findings(g *vault.Game) (out []Finding) {
	say := func(file, format string, args ...any) {
		out = append(out, Finding{Turn: o.at.Turn, File: path.Join(o.dir, file), Problem: fmt.Sprintf(format, args...)})
	}
	for _, file := range []string{vault.EventsFile, vault.StateFile} {
		data, ok := o.a.Files[file]
		if !ok {
			return out // told already
		}
		if vault.Hash(data) != o.a.Manifest.Files[file] {
			say(file, "the file was altered or truncated after the turn was committed")
		}
	}
	state, err := engine.DecodeGame(o.a.Files[vault.StateFile], g.Rules())
	if err != nil {
		say(vault.StateFile, "version %s of the rule set wrote it, and this program cannot read it: %v", o.version, err)
		return out
	}
	events, err := engine.DecodeEvents(o.a.Files[vault.EventsFile], g.Rules())
	if err != nil {
		say(vault.EventsFile, "version %s of the rule set wrote it, and this program cannot read it: %v", o.version, err)
		return out
	}
	if o.state = state; state.Version != o.version {
		say(vault.StateFile, "it is a state of version %s of the rule set, and by the journal version %s played the turn", state.Version, o.version)
	}
	if len(out) > 0 || o.at.Turn == 0 {
		return out
	}
	if o.before == nil {
		say(vault.StateFile, "the events cannot be followed, because the state before them is not known")
		return out
	}
	again, err := engine.Replay(o.before, events)
	if err != nil {
		say(vault.EventsFile, "the events do not follow from the state before them: %v", err)
		return out
	}
	again.Round = o.at.Round
	want, werr := engine.EncodeGame(again)
	have, herr := engine.EncodeGame(state)
	switch {
	case werr != nil || herr != nil:
		say(vault.StateFile, "the state cannot be written: %v", errors.Join(werr, herr))
	case !bytes.Equal(have, want):
		f := diffState(have, want)
		f.Turn, f.File, f.Line = o.at.Turn, path.Join(o.dir, vault.StateFile), 0
		f.Problem += " (by the events)"
		out = append(out, f)
	}
	for _, e := range wrongDice(g.Secret(), o.before, events) {
		out = append(out, Finding{Turn: o.at.Turn, File: path.Join(o.dir, vault.EventsFile), Event: e.Seq, Field: "value", Problem: "the die has not the value that the secret gives to its name"})
	}
	return out
}

// wrongDice are the rolls of a turn whose values do not come of the secret and the
// captains' words for luck.
func wrongDice(secret dice.Secret, before *engine.Game, events []engine.Event) []engine.Event {
	luck := map[string]string{}
	for _, e := range events {
		if b, ok := e.Body.(*engine.Luck); ok {
			luck[b.Ship] = b.Words
		}
	}
	source := engine.DiceOf(before, secret, luck)
	var wrong []engine.Event
	for _, e := range events {
		b, ok := e.Body.(*engine.Roll)
		if !ok {
			continue
		}
		shown := b.Value
		if b.Was != 0 { // a referee ruled otherwise
			shown = b.Was
		}
		if low, _ := b.Dice.Range(); low == 0 || source.Roll(b.Name, b.Dice) != shown {
			wrong = append(wrong, e)
		}
	}
	return wrong
}
