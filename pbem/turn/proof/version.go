package proof

import (
	"bytes"
	"errors"
	"fmt"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/publicdice"
	"starpost/pbem/vault"
)

// VersionSpan is consecutive turns of a game that were played by one version of its rule set.
type VersionSpan struct {
	Version string `json:"version"`
	First   int    `json:"first"`
	Last    int    `json:"last"`
}

// String returns "turn 3" or "turns 0 to 3".
func (s VersionSpan) String() string {
	if s.First == s.Last {
		return fmt.Sprintf("turn %d", s.First)
	}
	return fmt.Sprintf("turns %d to %d", s.First, s.Last)
}

// Versions returns which version of the rule set played the current turns, according to the journal.
func Versions(g *vault.Game) ([]VersionSpan, error) {
	var out []VersionSpan
	for n := range g.Turn() + 1 {
		m, err := g.Stages.Manifest(vault.At(n))
		if err != nil {
			return nil, err
		}
		version := g.Stages.VersionAt(m.Journal)
		if k := len(out) - 1; k >= 0 && out[k].Version == version {
			out[k].Last = n
		} else {
			out = append(out, VersionSpan{version, n, n})
		}
	}
	return out, nil
}

// follow checks the files of a stage that another version of the rule set played against each other: the events
// must lead from the state before to the state after, and every die must have the value that the secret gives to
// its name.
func (c *stageCheck) follow(version string) {
	found := len(c.found)
	for _, file := range []string{vault.EventsFile, vault.StateFile} {
		data, ok := c.audit.Files[file]
		if !ok {
			return // already reported
		}
		if vault.Hash(data) != c.audit.Manifest.Files[file] {
			c.say(file, "the file was altered or truncated after the turn was committed")
		}
	}
	state, err := engine.DecodeGame(c.audit.Files[vault.StateFile], c.game.Rules())
	if err != nil {
		c.say(vault.StateFile, "version %s of the rule set wrote it, and this program cannot read it: %v", version, err)
		return
	}
	events, err := engine.DecodeEvents(c.audit.Files[vault.EventsFile], c.game.Rules())
	if err != nil {
		c.say(vault.EventsFile, "version %s of the rule set wrote it, and this program cannot read it: %v", version, err)
		return
	}
	if c.state = state; state.Version != version {
		c.say(vault.StateFile, "it is a state of version %s of the rule set, and by the journal version %s played the turn", state.Version, version)
	}
	if len(c.found) > found || c.at.Turn == 0 {
		return
	}
	if c.before == nil {
		c.say(vault.StateFile, "the events cannot be followed, because the state before them is not known")
		return
	}
	again, err := engine.Replay(c.before, events)
	if err != nil {
		c.say(vault.EventsFile, "the events do not follow from the state before them: %v", err)
		return
	}
	again.Round = c.at.Round
	want, werr := engine.EncodeGame(again)
	have, herr := engine.EncodeGame(state)
	switch {
	case werr != nil || herr != nil:
		c.say(vault.StateFile, "the state cannot be written: %v", errors.Join(werr, herr))
	case !bytes.Equal(have, want):
		f := diffState(have, want)
		f.Line = 0
		f.Problem += " (by the events)"
		c.add(vault.StateFile, f)
	}
	public, err := publicdice.Read(c.audit.Files)
	if err != nil {
		return // already reported
	}
	for _, e := range c.wrongDice(events, public.Dice()) {
		c.add(vault.EventsFile, Finding{Event: e.Seq, Field: "value", Problem: "the die has not the value that the secret gives to its name"})
	}
}

// wrongDice returns the rolls of a turn with values that do not follow from the secret, the captains' luck lines
// and the beacons of its rounds.
func (c *stageCheck) wrongDice(events []engine.Event, public []dice.Beacon) []engine.Event {
	luck := map[string]string{}
	for _, e := range events {
		if b, ok := e.Body.(*engine.Luck); ok {
			luck[engine.Seat{Ship: b.Ship, Post: b.Post}.String()] = b.Words
		}
	}
	if len(public) == 0 {
		public = []dice.Beacon{{}}
	}
	sources, phases := make([]dice.Source, len(public)), c.game.Rules().Phases
	for i, b := range public {
		sources[i] = engine.DiceOf(c.before, c.game.Secret(), luck, b)
	}
	var wrong []engine.Event
	for _, e := range events {
		b, ok := e.Body.(*engine.Roll)
		if !ok {
			continue
		}
		round := 1
		if at := e.Phase - 1; at >= 0 && at < len(phases) {
			round = max(round, phases[at].Round)
		}
		source := sources[min(round, len(sources))-1]
		shown := b.Value
		if b.Was != 0 { // a referee ruled another value
			shown = b.Was
		}
		if low, _ := b.Dice.Range(); low == 0 || source.Roll(b.Name.String(), b.Dice) != shown {
			wrong = append(wrong, e)
		}
	}
	return wrong
}
