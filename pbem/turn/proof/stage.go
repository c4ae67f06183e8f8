package proof

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"path"
	"strings"

	"starpost/engine"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// stageCheck is the check of a resolution of a turn, or of a round.
type stageCheck struct {
	*verifier
	at      vault.Stage
	audit   vault.Audit
	current bool         // it is the current resolution of a turn
	before  *engine.Game // the state that it was played from; nil if unavailable
	state   *engine.Game // the resulting state; likewise
	altered bool         // the inputs were altered
}

// look reads a stage.
func (v *verifier) look(at vault.Stage) (*stageCheck, error) {
	a, err := v.game.Stages.Audit(at)
	if err != nil {
		return nil, err
	}
	c := &stageCheck{verifier: v, at: at, audit: a}
	if a.Problem != "" {
		c.say(vault.ManifestFile, "%s", a.Problem)
	}
	return c, nil
}

// add records a finding about a file of the stage.
func (c *stageCheck) add(file string, f Finding) {
	f.Turn, f.File = c.at.Turn, c.game.Stages.Name(c.at, file)
	c.found = append(c.found, f)
}

func (c *stageCheck) say(file, format string, args ...any) {
	c.add(file, Finding{Problem: fmt.Sprintf(format, args...)})
}

// round checks one round and returns the hash of its manifest, which must equal sum, if that is
// known. The round must be based on the one with the hash previous. whole is its turn, which must
// have been played with the same sets, and told are the events of that; nil for a turn that is not
// over.
func (v *verifier) round(at vault.Stage, sum, previous string, whole *stageCheck, before *engine.Game, told []byte) (string, error) {
	c, err := v.look(at)
	if err != nil {
		return "", err
	}
	hash := c.audit.ManifestHash
	switch {
	case c.audit.Problem != "":
		return hash, nil
	case sum != "" && hash != sum:
		c.say(vault.ManifestFile, "the file was altered: the turn was made after another one")
	case previous != "" && c.audit.Manifest.Previous != previous:
		c.say(vault.ManifestFile, "the file was altered, or the one before it: it was made after another one")
	}
	c.before = before
	c.damages()
	if whole == nil || whole.at.Revision < 2 {
		c.publicDice()
	}
	if whole != nil && !c.altered && c.readable() && !maps.EqualFunc(c.orders(math.MaxInt), whole.orders(at.Round), bytes.Equal) {
		c.say(vault.ManifestFile, "the turn was played with other orders than its round")
	}
	c.replay()
	if stored := c.audit.Files[vault.EventsFile]; told != nil && stored != nil && !bytes.HasPrefix(told, stored) {
		c.say(vault.EventsFile, "the turn did not go as this phase reported")
	}
	return hash, nil
}

// readable reports whether the inputs of the stage can be read.
func (c *stageCheck) readable() bool {
	_, err := turn.ReadRulings(c.audit.Files[vault.RulingsFile])
	return err == nil
}

// orders returns the sets that the stage was played with, of all rounds up to last.
func (c *stageCheck) orders(last int) map[string][]byte {
	out := maps.Clone(c.audit.Files)
	maps.DeleteFunc(out, func(name string, _ []byte) bool {
		round := turn.RoundIn(path.Dir(name))
		return round == 0 || round > last
	})
	return out
}

// damages reports which files differ from what was committed.
func (c *stageCheck) damages() {
	for _, d := range c.audit.Damaged {
		switch {
		case d.Name == vault.StateFile || d.Name == vault.EventsFile:
			if d.Missing {
				c.say(d.Name, "the file is missing")
			}
			continue // replay reports it, with the place
		case strings.HasPrefix(d.Name, vault.OrdersDir+"/"), d.Name == vault.FiledFile, d.Name == vault.RulingsFile:
			// Files added later were not and are not played with.
			c.altered = c.altered || !d.Extra
		case d.Base:
			c.altered = true
			c.found = append(c.found, Finding{Turn: c.at.Turn, File: d.Name, Problem: d.Problem()})
			continue
		}
		c.say(d.Name, "%s", d.Problem())
	}
}

// replay plays the stage again and compares. It returns the resulting events; ok reports whether
// the stage could be played.
func (c *stageCheck) replay() (log []byte, ok bool) {
	m := c.audit.Manifest
	if version := c.game.Stages.VersionAt(m.Journal); version != c.game.Rules().Version && len(m.Draw) == 0 {
		c.follow(version)
		return c.audit.Files[vault.EventsFile], true
	}
	state, events, problem := c.play()
	// The next turn is played from the stored state if that is as committed, so that one fault is
	// not reported again for every later turn; otherwise from the replayed state.
	c.state = state
	if stored := c.audit.Files[vault.StateFile]; stored != nil && vault.Hash(stored) == m.Files[vault.StateFile] {
		if s, err := engine.DecodeGame(stored, c.game.Rules()); err == nil {
			c.state = s
		}
	}
	if problem != "" {
		c.say(vault.StateFile, "%s", problem)
		for _, f := range []string{vault.EventsFile, vault.StateFile} {
			if data := c.audit.Files[f]; data != nil && vault.Hash(data) != m.Files[f] {
				c.say(f, "the file was altered or truncated after the turn was committed")
			}
		}
		return nil, false
	}
	log, err := engine.EncodeEvents(events)
	if err != nil {
		c.say(vault.EventsFile, "the replayed events cannot be written: %v", err)
		return nil, false
	}
	again, err := engine.EncodeGame(state)
	if err != nil {
		c.say(vault.StateFile, "the replayed state cannot be written: %v", err)
		return nil, false
	}
	c.compare(vault.EventsFile, log, diffEvents)
	c.compare(vault.StateFile, again, diffState)
	return log, true
}

// play plays the stage again. If there is no result, it says why.
func (c *stageCheck) play() (*engine.Game, []engine.Event, string) {
	what, with := "the turn cannot be played again", "its orders were"
	switch {
	case c.at.Turn == 0:
		what, with = "the set-up cannot be made again", "what it was made from was"
	case c.at.Round > 0:
		what = "the round cannot be played again"
	}
	switch {
	case c.altered:
		return nil, nil, fmt.Sprintf("%s, because %s altered", what, with)
	case c.at.Turn > 0 && c.before == nil:
		return nil, nil, what + ", because the state before it is not known"
	}
	if c.current && c.at.Turn > 0 {
		c.votes()
	}
	state, events, err := turn.PlayAgain(c.game, c.at, c.audit, c.before)
	if err != nil {
		return nil, nil, what + ": " + err.Error()
	}
	return state, events, ""
}

// votes checks the votes of the captains who ended the game.
func (c *stageCheck) votes() {
	st, err := c.game.AdminState()
	if err != nil {
		return // already reported
	}
	n := c.at.Turn
	for _, name := range c.audit.Manifest.Draw {
		if st.Votes[n][name] != vault.VoteDraw && (c.game.Rounds() == 0 || st.Votes[n-1][name] != vault.VoteDraw) {
			c.found = append(c.found, Finding{Turn: n, File: vault.JournalFile, Problem: fmt.Sprintf("turn %d ended as a draw with the vote of captain %s, which is not noted", n, name)})
			return
		}
	}
}

// compare compares one stored file with the result of the replay.
func (c *stageCheck) compare(file string, replay []byte, diff func(have, want []byte) Finding) {
	have, ok := c.audit.Files[file]
	agrees := vault.Hash(have) == c.audit.Manifest.Files[file]
	switch {
	case !ok: // already reported
	case !bytes.Equal(have, replay):
		f := diff(have, replay)
		if agrees {
			f.Problem += " (the manifest agrees with the file: both were altered, or another program or rule set wrote them)"
		}
		c.add(file, f)
	case !agrees:
		c.say(vault.ManifestFile, "the hash of %s was altered", file)
	}
}
