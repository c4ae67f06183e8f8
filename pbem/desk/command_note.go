package desk

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/beacon"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/publicdice"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// proved decides whether the captain himself sent the command.
func (c *task) proved(d *commandResult) (bool, error) {
	due := d.game.Turn() + 1
	at := due
	if t := d.cmd.Turn; t > 0 && t < due && d.cmd.Verb.Name != "protest" {
		at = t // a late command has the key of its turn: it must be told that it is late
	}
	if d.pos.Due() == 0 {
		at = min(at, d.game.Turn())
	}
	d.claim = claim{
		game: d.game, captain: d.captain, keyTurn: at, given: c.given(d.cmd.Key), turn: ofTurn(d.cmd, due), what: purpose(d.cmd),
		first: d.cmd.Pos.Line, last: d.cmd.End.Line,
	}
	// What was signed is looked for in the text where the command stands.
	source := c.body.Source
	c.body.Source = c.in.Mail.Text
	trust, err := c.trustIn(d.claim)
	c.body.Source = source
	if err != nil {
		return false, err
	}
	d.proof = trust
	if trust.OK() {
		d.guarded = d.cmd.Turn > 0 || trust.Proof == auth.ByKey
		return true, nil
	}
	reason := strings.TrimSuffix(trust.Reason, ".")
	if trust.Verdict == auth.MissingKey {
		reason = "the turn key is missing, which this command needs; it stands in your last report"
	}
	d.refuse(trustCode(trust), reason,
		"answer your last report with the command, or write the turn key behind it: "+d.cmd.String()+" key ...")
	return false, nil
}

// ofTurn is the turn for which a command counts, 0 for one that is not about a
// turn: of those none that is older than one that was done is let in, in whatever
// turn it is sent again.
func ofTurn(c *command.Command, due int) int {
	switch c.Verb.Name {
	case "final", "wait", "cancel", "vote":
		return due
	}
	return 0
}

// purpose is the thing that the command asks for, as proofs are noted of it: those
// that change the sets in force are about one thing.
func purpose(c *command.Command) string {
	switch c.Verb.Name {
	case "final", "wait", "cancel":
		return "#set"
	}
	return "#" + c.Verb.Name
}

// trustCode is the code of a verdict.
func trustCode(t auth.Trust) string {
	switch t.Verdict {
	case auth.MissingKey:
		return codes.NoKey
	case auth.UnknownAddress:
		return codes.NotYours
	case auth.BadSignature:
		return codes.BadSignature
	case auth.Stale:
		return codes.Stale
	case auth.WrongKey, auth.Trusted:
	}
	return codes.WrongKey
}

// maxNotes is how many facts about one captain may be noted within an hour,
// protests, votes and messages among them.
const maxNotes = 20

// busy refuses what would be too much for an hour: of one kind, or of all.
func (c *task) busy(d *commandResult) (bool, error) {
	all, err := d.game.Journal()
	if err != nil {
		return false, err
	}
	n := 0
	since := c.in.Received.Add(-time.Hour)
	for _, e := range all {
		mail, _, _ := strings.Cut(e.Cause, "#")
		if e.By == string(d.captain.Name) && e.Kind != journal.Proof && e.Kind != journal.Told && mail != c.in.SHA256 && e.Time.After(since) {
			n++
		}
	}
	for _, other := range c.commandResults {
		if other != d && other.done && other.cmd.Verb.Proof && other.game == d.game {
			n++
		}
	}
	if n >= maxNotes {
		d.refuse(codes.TooMuch, fmt.Sprintf("that is more than %d messages, votes and the like within an hour", maxNotes), "send it again later")
		return true, nil
	}
	return false, nil
}

// note makes a step of an entry about the captain, with the proof that goes
// with it.
func (c *task) note(d *commandResult, kind string, due int, data any) error {
	e := journal.NewEntry(kind, string(d.captain.Name), c.in.Received, data)
	e.Captain, e.Turn, e.Cause = d.captain.Name, due, c.cause(d)
	step := NoteStep{Game: d.game, Entries: []journal.Entry{e}}
	if d.cmd.Verb.Proof {
		proof, err := c.noted(d.claim, d.proof)
		if err != nil {
			return err
		}
		if proof != nil {
			step.Entries = append([]journal.Entry{*proof}, step.Entries...)
		}
	}
	c.Steps = append(c.Steps, step)
	return nil
}

// cause is what brought an entry about.
func (c *task) cause(d *commandResult) string {
	return fmt.Sprintf("%s#%d", c.in.SHA256, d.cmd.N)
}

// beaconStep keeps the round of a beacon that a game waits for.
type beaconStep struct {
	Game   *vault.Game
	At     vault.Stage
	Beacon beacon.Beacon
}

// Do makes the change.
func (s beaconStep) Do() error { return publicdice.Bring(s.Game, s.At, s.Beacon) }

// bringBeacon takes the round of the beacon that a game waits for. Who brings it does not matter: only one signature
// fits.
func bringBeacon(c *task, d *commandResult) error {
	var b beacon.Beacon
	chain, err := publicdice.ChainOf(d.game)
	if err == nil {
		var round uint64
		if round, err = strconv.ParseUint(d.cmd.Words[0], 10, 64); err == nil {
			b, err = beacon.Parse(chain.Hash, round, d.cmd.Words[1])
		}
	}
	if err == nil {
		err = publicdice.Wanted(d.game, b)
	}
	if err != nil {
		d.refuse(codes.BadBeacon, err.Error(), "the mail that says that the orders are closed tells which round is wanted; copy its signature whole, 96 hexadecimal digits")
		return nil //nolint:nilerr // the sender is told
	}
	at := d.game.DueStage()
	c.Steps = append(c.Steps, beaconStep{d.game, at, b})
	d.subject = "Beacon taken"
	d.say("Round %d of the beacon fits: %s is played with its dice.", b.Round, at)
	return nil
}
