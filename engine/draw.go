package engine

import (
	"errors"
	"fmt"
	"strings"

	"starpost/engine/blind"
)

// SecretVotes tells whether captains are not told that one of them has voted for a draw.
func (g *Game) SecretVotes() bool { return g.Blind != nil && g.Blind.Votes == blind.VotesSecret }

// AgreeDraw ends a game as a draw on which its captains agreed. The turn that
// is due is not played: that the game is over is all that happens in it. Like
// Resolve it returns the game after the turn and the events, and does not
// change before. Captains are the names of those who agreed, for the record;
// whether they are all whose word counts is for the caller to know.
func AgreeDraw(before *Game, captains []string) (after *Game, events []Event, err error) {
	no := before.Turn + 1
	if before.Result != nil {
		return nil, nil, fmt.Errorf("end %s in turn %d: the game is over", before.ID, no)
	}
	if len(captains) == 0 {
		return nil, nil, fmt.Errorf("end %s in turn %d: %w", before.ID, no, errNobodyAgreed)
	}
	e := Event{
		Seq: 1, Turn: no, Step: "end", Rule: []string{"captains"}, See: SeeAll(),
		Body: &Won{Draw: true, Why: "the captains agreed on a draw: " + strings.Join(captains, ", ")},
	}
	after, err = Replay(before, []Event{e})
	if err != nil {
		return nil, nil, fmt.Errorf("end %s in turn %d: %w", before.ID, no, err)
	}
	return after, []Event{e}, nil
}

var errNobodyAgreed = errors.New("nobody agreed on a draw")
