package command

import (
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// vote records a vote for a draw, or its withdrawal.
func vote(c *Task, d *Result) error {
	due, ok := d.turn(0)
	if !ok {
		return nil
	}
	if len(d.Captain.Ships) == 0 {
		d.Refuse(codes.NotYours, "captains vote for their ships; an officer has no vote", "tell your captain: #message to captain")
		return nil
	}
	draw := d.Cmd.Vote == VoteDraw
	d.Subject = fmt.Sprintf("Turn %d: vote", due)
	st, err := d.Game.AdminState()
	if err != nil {
		return err
	}
	has := st.Votes[due][d.Captain.Name] == vault.VoteDraw
	switch {
	case has && draw:
		d.Say("You have already voted for a draw in turn %d.", due)
		return nil
	case !has && !draw:
		d.Say("You have no vote for a draw in turn %d, so nothing was changed.", due)
		return nil
	}
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	if !draw {
		d.Say("Your vote for a draw in turn %d is withdrawn. %s", due, d.votesTold())
		if err := c.note(d, journal.Unvote, due, nil); err != nil {
			return err
		}
		return tellVote(c, d, "A captain has withdrawn a vote for a draw", fmt.Sprintf("A captain has withdrawn a vote for a draw in turn %d.", due))
	}
	d.Say("You vote to end the game as a draw. The vote is for turn %d; vote continue withdraws it. %s", due, d.votesTold())
	d.Say("The game ends at once if, before the turn runs, every captain who still has a ship has voted for a draw, on at least two sides. Ships played by a robot do not count.")
	if err := c.note(d, journal.VoteDraw, due, nil); err != nil {
		return err
	}
	return tellVote(c, d, "A captain has voted for a draw",
		fmt.Sprintf("A captain has voted for a draw. The vote is for turn %d.", due),
		fmt.Sprintf("If every captain who still has a ship, on at least two sides, votes so before turn %d runs, the game ends at once. To agree, answer this mail with the line: vote draw", due))
}

// votesTold says who is told about a vote (D63): everyone, without the name. A blind scenario may keep votes secret.
func (d *Result) votesTold() string {
	if d.Pos.State().SecretVotes() {
		return "Nobody is told."
	}
	return "The other captains are told that a captain did so, not who."
}

// tellVote tells all captains that one of them has voted or withdrawn the vote, unless the scenario keeps it secret.
func tellVote(c *Task, d *Result, subject string, text ...string) error {
	if d.Pos.State().SecretVotes() {
		return nil
	}
	all := slices.DeleteFunc(slices.Clone(d.Game.Settings().Captains), func(o vault.Captain) bool { return o.Address == "" || o.Name == d.Captain.Name })
	return c.tell(d, all, subject, text...)
}

func (r *commandReader) vote() {
	if !r.is(VoteDraw) && !r.is(voteContinue) {
		r.game()
	}
	w, ok := r.next()
	switch {
	case !ok:
		r.fail(w, "what do you vote for? write draw or continue")
	case strings.EqualFold(w.Text, VoteDraw):
		r.cmd.Vote = VoteDraw
	case strings.EqualFold(w.Text, voteContinue):
		r.cmd.Vote = voteContinue
	default:
		r.fail(w, fmt.Sprintf("%q cannot be voted for", effect.Shortened(w.Text)))
	}
}
