package vault

import (
	"fmt"
	"maps"

	"starpost/engine"
)

// A game may take its turns in rounds. What a round came to is committed like a
// turn, in a directory beside that of the turn it belongs to:
//
//	turns/0003.p1/   after the first round of turn 3
//	turns/0003.p2/   after the second
//	turns/0003/      the whole turn, after the last
//
// The rounds of the turn in progress count as long as each was made after the one
// before it, and the first after the turn before: when a referee changes that
// turn, they are leftovers, and are replaced when their numbers are needed.

// rounds is what is known of the rounds of the turn in progress.
type rounds struct {
	after  string // which turn and revision they are of, and after which
	n      int
	newest string // the hash of its manifest
	// leftover tells that something lies where the next one will: it counts for nothing.
	leftover bool
}

// Rounds is how many rounds a turn of the game has; 0 when turns are not cut
// into rounds.
func (g *Game) Rounds() int {
	if !g.settings.InRounds() {
		return 0
	}
	return g.rules.Rounds()
}

// Newest is the stage that was reached last.
func (g *Game) Newest() Stage {
	if g.rounds.n > 0 {
		return Stage{Turn: g.turns, Round: g.rounds.n}
	}
	return Stage{Turn: g.Turn()}
}

// DueStage is the stage that orders are wanted for, as far as that is for turns and
// rounds to say; it is one also when the game is over.
func (g *Game) DueStage() Stage {
	if g.Rounds() == 0 {
		return Stage{Turn: g.turns}
	}
	return Stage{Turn: g.turns, Round: g.rounds.n + 1}
}

// readRounds looks which rounds of the turn in progress there are.
func (g *Game) readRounds() error {
	if g.Rounds() == 0 {
		return nil
	}
	last, at := Stage{Turn: g.Turn(), Revision: g.revision(g.Turn())}, Stage{Turn: g.turns, Revision: g.revision(g.turns)}
	now := rounds{after: fmt.Sprintf("%s after %s by version %s", at.Base(), last.Base(), g.effective.Version)}
	there := func(n int) bool {
		at.Round = n
		_, err := g.tree.Stat(g.StageName(at, ManifestFile))
		return err == nil
	}
	if g.rounds.after == now.after && (g.rounds.n == 0 || there(g.rounds.n)) && !there(g.rounds.n+1) {
		return nil
	}
	previous, err := g.manifestHash(last)
	if err != nil {
		return err
	}
	for n := 1; n < g.Rounds() && there(n); n++ {
		m, hash, err := g.readManifest(at)
		if err != nil {
			return err
		}
		if m.Previous != previous || g.VersionAt(m.Journal) != g.effective.Version {
			break // it follows something that does not count any more
		}
		now.n, now.newest, previous = n, hash, hash
	}
	now.leftover = there(now.n + 1)
	if g.rounds != now {
		g.forgetRounds()
	}
	g.rounds = now
	return nil
}

// forgetRounds drops what was remembered of rounds.
func (g *Game) forgetRounds() {
	g.kept, g.swept, g.newest.events = nil, sweepState{}, nil
	maps.DeleteFunc(g.manifests, func(at Stage, _ Manifest) bool { return at.Round > 0 })
	maps.DeleteFunc(g.states, func(at Stage, _ *engine.Game) bool { return at.Round > 0 })
}

// InProgress names the newest round of the turn in progress, whatever else was in its
// place before; "" where there is none.
func (g *Game) InProgress() string {
	if g.rounds.n == 0 {
		return ""
	}
	return fmt.Sprintf("%s, %d", g.rounds.after, g.rounds.n)
}

// RoundMark names a stage among all that were ever reported: a round that is played
// after turns or rounds were taken back, so that it may have been played before, has
// another one than the first time. It tells of nothing that captains are not told.
func (g *Game) RoundMark(at Stage) string {
	times := 1
	for _, due := range g.past.dues {
		if due <= at.Turn {
			times++
		}
	}
	if at.Round > 0 && times > 1 {
		return fmt.Sprintf("%s-%d", at.Slug(), times)
	}
	return at.Slug()
}

// roundSums are the hashes of the manifests of the rounds of the turn in progress.
func (g *Game) roundSums() ([]string, error) {
	var sums []string
	for n := 1; n <= g.rounds.n; n++ {
		hash, err := g.manifestHash(Stage{Turn: g.turns, Round: n})
		if err != nil {
			return nil, err
		}
		sums = append(sums, hash)
	}
	return sums, nil
}

// Stages lists the stages of a turn that was played, or is in progress, in order:
// its rounds, then the turn itself if it is over.
func (g *Game) Stages(turn int) ([]Stage, error) {
	var out []Stage
	if turn == g.turns {
		for n := 1; n <= g.rounds.n; n++ {
			out = append(out, Stage{Turn: turn, Round: n})
		}
		return out, nil
	}
	m, err := g.Manifest(turn)
	if err != nil {
		return nil, err
	}
	for n := range m.Rounds {
		out = append(out, Stage{Turn: turn, Round: n + 1})
	}
	return append(out, Stage{Turn: turn}), nil
}
