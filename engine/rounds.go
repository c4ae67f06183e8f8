package engine

import (
	"bytes"
	"fmt"

	"starpost/engine/dice"
	"starpost/orders"
)

// A turn may be played in rounds, one exchange of orders after the other (ruling
// D9). No half-done turn is carried on: each round is the whole turn again from
// the game before it, with all that came in so far, to the end of the round's
// phases. Since all dice are named, what happened before happens again.

// Reply is what came from a ship for a round after the first. Without a Block and
// a Policy, what was said earlier in the turn holds on.
type Reply struct {
	Block  *orders.Block
	Policy string // as that of a Sheet
}

// RoundLimit says how far a turn is played.
type RoundLimit struct {
	Upto int // the last round that is played; from Rules.Rounds on it is the whole turn
	// Told are the events that the rounds before brought. Those of this one must
	// begin with the same, or it is ErrInvariant.
	Told []Event
}

// Rounds is how many rounds a turn has when it is not played at once: the
// highest number of its phases, 1 for a rule set whose turns cannot be cut.
func (r *Rules) Rounds() int {
	n := 1
	for _, p := range r.Phases {
		n = max(n, p.Round)
	}
	return n
}

// ResolveRounds plays the turn that is due as far as a cut goes; see [Resolve]. The
// Later of each sheet holds what came for the second round and those after it, as
// far as they are played. A game that was played in part tells so in Round; it is
// there to be looked at, and no turn is played from it.
func ResolveRounds(r *Rules, before *Game, sheets []Sheet, cut RoundLimit, secret dice.Secret) (*Game, []Event, error) {
	after, events, err := resolve(r, before, sheets, cut.Upto, forTurn(r, before, sheets, secret))
	if err != nil {
		return nil, nil, err
	}
	if err := continues(cut.Told, events); err != nil {
		return nil, nil, fmt.Errorf("resolve turn %d of %s, round %d: %w: %w", before.Turn+1, before.ID, cut.Upto, ErrInvariant, err)
	}
	return after, events, nil
}

// continues asserts that events begin with those that were told before.
func continues(told, events []Event) error {
	if len(events) < len(told) {
		return fmt.Errorf("%d events, but %d were told already", len(events), len(told))
	}
	var a, b []byte
	for i := range told {
		var errA, errB error
		a, errA = appendEvent(a[:0], &told[i])
		b, errB = appendEvent(b[:0], &events[i])
		switch {
		case errA != nil:
			return errA
		case errB != nil:
			return errB
		case !bytes.Equal(a, b):
			return fmt.Errorf("event %d is another one than was told: %s, not %s", i+1, b, a)
		}
	}
	return nil
}

// Reply is what came from a seat for the round that is played; ok is false in the
// first round, and where no order was given and none is needed.
func (t *Turn) Reply(seat Seat) (reply Reply, ok bool) {
	later := t.Sheets[seat].Later
	if t.round < 2 || t.round-2 >= len(later) {
		return Reply{}, false
	}
	reply = later[t.round-2]
	return reply, reply.Block != nil || reply.Policy != ""
}

// Replied tells whether anything may come from a seat in later rounds of the turn.
func (t *Turn) Replied(seat Seat) bool { return len(t.Sheets[seat].Later) > 0 }

// begin tells what belongs to a round after the first as a whole: messages and
// absences. It happens in the round's first phase.
func (t *Turn) begin(round int) {
	t.round = round
	if t.extension != nil {
		t.extension.BeginRound(func(seat Seat) *orders.Block {
			reply, _ := t.Reply(seat)
			return reply.Block
		})
	}
	for _, s := range t.Game.Ships {
		for _, seat := range t.Rules.Seats(s) {
			reply, ok := t.Reply(seat)
			if !ok || !t.Rules.Commands(s) || reply.Block == nil && s.Status != Active {
				continue
			}
			if reply.Block == nil {
				t.absent(s, seat.Post, reply.Policy)
				continue
			}
			for _, st := range TalkStatements(reply.Block) {
				t.talk(s, seat.Post, st)
			}
		}
	}
	if t.extension != nil {
		t.extension.EndTalk()
	}
}

// checkReplies asserts that the later rounds of a sheet can be played.
func (s Sheet) checkReplies(upto int) error {
	if len(s.Later) > upto-1 {
		return fmt.Errorf("orders of %s for round %d, but only %d are played", s.Seat(), len(s.Later)+1, upto)
	}
	for i, reply := range s.Later {
		if reply.Block == nil && reply.Policy != "" && reply.Policy != PolicyStanding && reply.Policy != PolicyForfeit {
			return fmt.Errorf("no orders for %s in round %d and no policy %q", s.Seat(), i+2, reply.Policy)
		}
	}
	return nil
}
