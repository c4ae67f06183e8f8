package command

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/turn"
	"starpost/pbem/vault/journal"
)

// ofSeat returns a function that decides a command for its seat.
func ofSeat(do func(*Task, *Result) error) func(*Task, *Result, []identity.Seat) error {
	return func(c *Task, d *Result, seats []identity.Seat) error { return c.forSeat(d, seats, do) }
}

// forSeat decides a command for its seat, after checking that the captain sent it.
func (c *Task) forSeat(d *Result, seats []identity.Seat, do func(*Task, *Result) error) error {
	ok, err := c.seat(d, seats)
	if err != nil || !ok || !c.forStandIn(d) {
		return err
	}
	if d.Cmd.Verb.Proof {
		if ok, err = c.proved(d); err != nil || !ok || c.contradicts(d) {
			return err
		}
		if err := c.HideText(d); err != nil {
			return err
		}
	}
	return do(c, d)
}

// forStandIn refuses a command that only the captain may give if a stand-in sent it.
func (c *Task) forStandIn(d *Result) bool {
	sender := c.In.Mail.Senders()[0]
	if d.Cmd.Verb.standIn || auth.HasAddress(d.Captain.Addresses(), sender) {
		return true
	}
	d.Refuse(codes.NotYours, fmt.Sprintf("you stand in for %s, and only the captain can do this", d.Captain.Name), "you may send orders and related commands, send messages, and ask for reports")
	return false
}

// contradicts refuses a command that another one in the same mail excludes.
func (c *Task) contradicts(d *Result) bool {
	for _, o := range c.Results {
		if o == d || !o.Done || o.Game != d.Game || o.Captain.Name != d.Captain.Name {
			continue
		}
		a, b := o.Cmd.Verb, d.Cmd.Verb
		if o.Left || a.clash != "" && a.clash == b.clash && (a.Name != b.Name || !b.repeats) {
			d.Refuse(codes.Contradiction, fmt.Sprintf("it cannot be in the same mail as %q, which was done", o.Cmd), "send it in a separate mail")
			return true
		}
	}
	return false
}

// proved reports whether the command is proven to come from the captain.
func (c *Task) proved(d *Result) (bool, error) {
	due := d.Game.Turn() + 1
	at := due
	if t := d.Cmd.Turn; t > 0 && t < due && !d.Cmd.Verb.past {
		at = t // a late command has the key of its turn; the answer must say that it is late
	}
	if d.Pos.Due() == 0 {
		at = min(at, d.Game.Turn())
	}
	d.Claim = identity.Claim{
		Game: d.Game, Captain: d.Captain, KeyTurn: at, Given: c.Given(d.Cmd.Key), What: cmp.Or(d.Cmd.Verb.about, "#"+d.Cmd.Verb.Name),
		First: d.Cmd.Pos.Line, Last: d.Cmd.End.Line,
	}
	if d.Cmd.Verb.ofDue { // otherwise no older one is accepted, in whatever turn it is sent again
		d.Claim.Turn = due
	}
	// Look for signed text where the command is.
	source := c.Body.Source
	c.Body.Source = c.In.Mail.Text
	trust, err := c.TrustIn(d.Claim)
	c.Body.Source = source
	if err != nil {
		return false, err
	}
	d.Proof = trust
	if trust.OK() {
		d.Guarded = d.Cmd.Turn > 0 || trust.Proof == auth.ByKey
		return true, nil
	}
	reason := strings.TrimSuffix(trust.Reason, ".")
	if trust.Verdict == auth.MissingKey {
		reason = "this command needs the turn key; it is in your last report"
	}
	d.Refuse(identity.TrustCode(trust), reason,
		"reply to your last report with the command, or add the turn key: "+d.Cmd.String()+" key ...")
	return false, nil
}

// maxNotes limits the journal entries about one captain within an hour, including protests, votes and messages.
const maxNotes = 20

// busy refuses a command that exceeds the hourly limit for its kind, or for all kinds.
func (c *Task) busy(d *Result) (bool, error) {
	all, err := d.Game.Journal.Entries()
	if err != nil {
		return false, err
	}
	n := 0
	since := c.In.Received.Add(-time.Hour)
	for _, e := range all {
		mail, _, _ := strings.Cut(e.Cause, "#")
		if e.By == string(d.Captain.Name) && e.Kind != journal.Proof && e.Kind != journal.Told && mail != c.In.SHA256 && e.Time.After(since) {
			n++
		}
	}
	for _, other := range c.Results {
		if other != d && other.Done && other.Cmd.Verb.Proof && other.Game == d.Game {
			n++
		}
	}
	if n >= maxNotes {
		d.Refuse(codes.TooMuch, fmt.Sprintf("that is more than %d messages, votes and the like within an hour", maxNotes), "send it again later")
		return true, nil
	}
	return false, nil
}

// note adds a step that records an entry about the captain, with its proof.
func (c *Task) note(d *Result, kind string, due int, data any) error {
	e := journal.NewEntry(kind, string(d.Captain.Name), c.In.Received, data)
	e.Captain, e.Turn, e.Cause = d.Captain.Name, due, c.Cause(d)
	step := effect.NoteStep{Game: d.Game, Entries: []journal.Entry{e}}
	if d.Cmd.Verb.Proof {
		proof, err := c.Noted(d.Claim, d.Proof)
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

// Cause returns the cause of a journal entry.
func (c *Task) Cause(d *Result) string {
	return fmt.Sprintf("%s#%d", c.In.SHA256, d.Cmd.N)
}

// prove adds a step that records the proof of a command that changes sets, so that no older one is accepted later.
func (c *Task) prove(d *Result) error {
	proof, err := c.Noted(d.Claim, d.Proof)
	if err == nil && proof != nil {
		c.Steps = append(c.Steps, effect.NoteStep{Game: d.Game, Entries: []journal.Entry{*proof}})
	}
	return err
}

// put adds a step that stores or drops a set, with its proof.
func (c *Task) put(d *Result, t int, name, text string) error {
	step := effect.OrderStep{Game: d.Game, Turn: t, Round: d.stage(t).Round, Name: name, Text: text, At: c.In.Received}
	cl := d.Claim
	cl.Turn, cl.What = t, name
	var err error
	if step.Proof, err = c.Noted(cl, d.Proof); err != nil {
		return err
	}
	c.Steps = append(c.Steps, step)
	return nil
}

// again refuses a command if the maximum number of its kind, most, was already carried out for the same mail; what
// names that limit.
func again(c *Task, d *Result, most int, what string) bool {
	done := 0
	for _, o := range c.Results {
		if o != d && o.Done && o.Cmd.Verb.Name == d.Cmd.Verb.Name {
			done++
		}
	}
	if done >= most {
		d.Refuse(codes.TooMuch, "one mail may ask for "+what, "ask for the others in another mail")
	}
	return done >= most
}

// seedOf derives a seed from the mail: the same mail, decided again, gets the same answer.
func seedOf(c *Task, d *Result) uint64 {
	seed, err := strconv.ParseUint(c.In.SHA256[:min(8, len(c.In.SHA256))], 16, 32)
	if err != nil {
		seed = 0 // a mail without a hash occurs only in tests
	}
	return seed + uint64(d.Cmd.N)
}

// HideText hides keys in the sender's own words in a command.
func (c *Task) HideText(d *Result) (err error) {
	if d.Cmd.Text != "" {
		d.Cmd.Text, err = c.Hide(d.Cmd.Text)
	}
	return err
}

// seat finds the sender's game and seat for a command: by the game's name, by the key, or because there is only
// one.
func (c *Task) seat(d *Result, seats []identity.Seat) (bool, error) {
	mine := seats
	if d.Cmd.Game != "" {
		mine = slices.DeleteFunc(slices.Clone(seats), func(s identity.Seat) bool { return !strings.EqualFold(s.Game, d.Cmd.Game) })
	}
	if len(mine) == 0 {
		_, ds := c.GameOf(orders.Raw{Head: orders.Head{Game: d.Cmd.Game, GamePos: d.Cmd.Pos}}, seats)
		d.Diags = append(d.Diags, ds...)
		return false, nil
	}
	at := 0
	if len(mine) > 1 {
		at = -1
		for i, s := range mine {
			t, err := c.Opened(s.Game)
			if err != nil {
				return false, err
			}
			for _, k := range c.Given(d.Cmd.Key) {
				if at < 0 && auth.EqualKeys(k, turn.Key(t.Game, t.Game.Turn()+1, s.Captain.Name)) {
					at = i
				}
			}
		}
		if one := mine[0].Game; at < 0 && !slices.ContainsFunc(mine, func(s identity.Seat) bool { return s.Game != one }) && !d.Cmd.Verb.Proof {
			at = 0 // several seats in one game, and nothing is changed
		}
	}
	if at < 0 {
		d.which(mine)
		return false, nil
	}
	t, err := c.Opened(mine[at].Game)
	if err != nil {
		return false, err
	}
	d.Game, d.Pos, d.Captain = t.Game, t.Pos, mine[at].Captain
	d.Changes = d.Game.Changes(d.Captain.Name)
	return true, nil
}

// which says that the command could be for several games or seats.
func (d *Result) which(mine []identity.Seat) {
	var games []string
	for _, s := range mine {
		if !slices.Contains(games, s.Game) {
			games = append(games, s.Game)
		}
	}
	if len(games) == 1 {
		d.Refuse(codes.WhichGame, fmt.Sprintf("you have several seats in game %s: which one do you mean?", games[0]),
			"reply to the report of the captain you mean, or write that captain's turn key after the word key")
		return
	}
	d.Refuse(codes.WhichGame, "you play several games: which one do you mean?",
		"write the name of the game after the command; your games: "+strings.Join(games, ", "))
}
