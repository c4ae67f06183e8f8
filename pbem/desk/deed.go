package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// deed is what a command comes to.
type deed struct {
	cmd     *Command
	game    *vault.Game // nil when it is about none, or about several
	pos     *turn.Position
	captain vault.Captain
	claim   claim
	proof   auth.Trust
	guarded bool // by the key of the turn that is due, or by naming it

	changes int // how often the seat passed from hand to hand, this mail included
	done    bool
	subject string // what the subject of the answer says
	out     templates.Done
	diags   []orders.Diagnostic
	left    bool // the seat was given up
	// tell adds to out, when the steps were done; nil for nothing.
	tell func(now time.Time) error
}

// refuse says why the command is not done.
func (d *deed) refuse(code, message, hint string) {
	d.diags = append(d.diags, orders.Diagnostic{Pos: d.cmd.Pos, Code: code, Message: message, Hint: hint})
}

// say adds a paragraph to the answer.
func (d *deed) say(format string, args ...any) {
	d.out.Text = append(d.out.Text, fmt.Sprintf(format, args...))
}

// table is a game that is looked at in this mail.
type table struct {
	game *vault.Game
	pos  *turn.Position
}

// table opens a game, once for a mail.
func (c *Case) table(id string) (table, error) {
	for _, t := range c.tables {
		if t.game.ID() == id {
			return t, nil
		}
	}
	g, err := c.desk.Book.Game(id)
	if err != nil {
		return table{}, fmt.Errorf("open game %s: %w", id, err)
	}
	pos, err := turn.Load(g)
	if err != nil {
		return table{}, fmt.Errorf("read game %s: %w", id, err)
	}
	t := table{g, pos}
	c.tables = append(c.tables, t)
	return t, nil
}

// judgeCommands decides every command of the mail, in order.
func (c *Case) judgeCommands(seats []seat) error {
	for _, cmd := range c.commands {
		d := &deed{cmd: cmd}
		c.deeds = append(c.deeds, d)
		if !cmd.OK() {
			d.diags = cmd.Diagnostics
			continue
		}
		if err := c.do(d, seats); err != nil {
			return err
		}
		d.done = !orders.HasErrors(d.diags)
	}
	return c.summarizeDeeds()
}

// do decides a command that was understood.
func (c *Case) do(d *deed, seats []seat) error {
	switch d.cmd.Verb.Name {
	case "help":
		return c.commandHelp(d, seats)
	case "check":
		c.checked(d)
		return nil
	case "join":
		return c.join(d, seats)
	case "confirm":
		return c.confirm(d)
	}
	all := !d.cmd.Verb.Proof && d.cmd.Game == "" && d.cmd.Verb.Name == "status"
	if all {
		return c.statusOfAll(d, seats)
	}
	ok, err := c.seat(d, seats)
	if err != nil || !ok {
		return err
	}
	if d.cmd.Verb.Proof {
		if ok, err = c.proved(d); err != nil || !ok || c.contradicts(d) {
			return err
		}
	}
	switch d.cmd.Verb.Name {
	case "status":
		return c.status(d)
	case "report":
		return c.reportAgain(d)
	case "cancel":
		return c.cancel(d)
	case "final", "wait":
		return c.setWord(d)
	case "message":
		return c.relay(d)
	case "away":
		return c.away(d)
	case "back":
		return c.back(d)
	case "vote":
		return c.vote(d)
	case "protest":
		return c.protest(d)
	case "address":
		return c.newAddress(d)
	case "resign":
		return c.resign(d)
	}
	return fmt.Errorf("command %s: nobody does it", d.cmd.Verb.Name)
}

// contradicts refuses a command that another one in the same mail leaves no room
// for.
func (c *Case) contradicts(d *deed) bool {
	families := [][]string{{"away", "back"}, {"vote"}, {"final", "wait", "cancel"}, {"address"}}
	for _, o := range c.deeds {
		if o == d || !o.done || o.game != d.game || o.captain.Name != d.captain.Name {
			continue
		}
		a, b := o.cmd.Verb.Name, d.cmd.Verb.Name
		clash := o.left
		for _, f := range families {
			clash = clash || slices.Contains(f, a) && slices.Contains(f, b) && !(a == "cancel" && b == "cancel")
		}
		if clash {
			d.refuse(CodeContradiction, fmt.Sprintf("it does not go with %q in the same mail, which was done", o.cmd), "send it in a mail of its own")
			return true
		}
	}
	return false
}

// keysFor are the keys that were given for a command.
func (c *Case) keysFor(cmd *Command) []string {
	var out []string
	for _, k := range []string{cmd.Key, c.plus} {
		if k != "" {
			out = append(out, k)
		}
	}
	return out
}

// seat finds out as whom of which game the sender speaks: by the game's name, by
// the key, or because there is only one.
func (c *Case) seat(d *deed, seats []seat) (bool, error) {
	mine := seats
	if d.cmd.Game != "" {
		mine = slices.DeleteFunc(slices.Clone(seats), func(s seat) bool { return !strings.EqualFold(s.game, d.cmd.Game) })
	}
	if len(mine) == 0 {
		_, ds := c.gameOf(orders.Raw{Head: orders.Head{Game: d.cmd.Game, GamePos: d.cmd.Pos}}, seats)
		d.diags = append(d.diags, ds...)
		return false, nil
	}
	at := 0
	if len(mine) > 1 {
		at = -1
		for i, s := range mine {
			t, err := c.table(s.game)
			if err != nil {
				return false, err
			}
			for _, k := range c.keysFor(d.cmd) {
				if at < 0 && auth.Equal(k, turn.Key(t.game, t.game.Turn()+1, s.captain.Name)) {
					at = i
				}
			}
		}
		if one := mine[0].game; at < 0 && !slices.ContainsFunc(mine, func(s seat) bool { return s.game != one }) && !d.cmd.Verb.Proof {
			at = 0 // one game with several seats, and nothing is changed
		}
	}
	if at < 0 {
		d.which(mine)
		return false, nil
	}
	t, err := c.table(mine[at].game)
	if err != nil {
		return false, err
	}
	d.game, d.pos, d.captain = t.game, t.pos, mine[at].captain
	d.changes = d.game.Changes(d.captain.Name)
	return true, nil
}

// which says that the command could be for several games, or seats.
func (d *deed) which(mine []seat) {
	var games []string
	for _, s := range mine {
		if !slices.Contains(games, s.game) {
			games = append(games, s.game)
		}
	}
	if len(games) == 1 {
		d.refuse(CodeWhichGame, fmt.Sprintf("you have several seats in game %s, and it is not said which is meant", games[0]),
			"answer the report of the captain that you mean, or write his turn key behind the word key")
		return
	}
	d.refuse(CodeWhichGame, "you play several games, and it is not said which is meant",
		"write the name of the game behind the command; your games: "+strings.Join(games, ", "))
}

// proved decides whether the captain himself sent the command.
func (c *Case) proved(d *deed) (bool, error) {
	due := d.game.Turn() + 1
	at := due
	if t := d.cmd.Turn; t > 0 && t < due && d.cmd.Verb.Name != "protest" {
		at = t // a late command has the key of its turn: it is to be told that it is late
	}
	if d.pos.Due() == 0 {
		at = min(at, d.game.Turn())
	}
	d.claim = claim{
		game: d.game, captain: d.captain, keyTurn: at, given: c.keysFor(d.cmd), turn: d.cmd.ofTurn(due), what: d.cmd.what(),
		first: d.cmd.Pos.Line, last: d.cmd.End.Line,
	}
	// What was signed is looked for in the text where the command stands.
	source := c.source
	c.source = []byte(c.letter.Mail.Text)
	trust, err := c.judge(d.claim)
	c.source = source
	if err != nil {
		return false, err
	}
	d.proof = trust
	if trust.OK() {
		d.guarded = d.cmd.Turn > 0 || trust.Proof == auth.ByKey
		return true, nil
	}
	d.refuse(trustCode(trust), strings.TrimSuffix(trust.Reason, "."),
		"answer your last report with the command, or write the turn key behind it: "+d.cmd.String()+" key ...")
	return false, nil
}

// ofTurn is the turn for which a command counts, 0 for one that is not about a
// turn: of those none that is older than one that was done is let in, in whatever
// turn it is sent again.
func (c *Command) ofTurn(due int) int {
	switch c.Verb.Name {
	case "final", "wait", "cancel", "vote":
		return due
	}
	return 0
}

// what is the thing that the command asks for, as proofs are noted of it: those
// that change the sets in force are about one thing.
func (c *Command) what() string {
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
		return CodeNoKey
	case auth.UnknownAddress:
		return CodeNotYours
	case auth.BadSignature:
		return CodeBadSignature
	case auth.Stale:
		return CodeStale
	case auth.WrongKey, auth.Trusted:
	}
	return CodeWrongKey
}

// running refuses what a game that is over has no use for.
func (d *deed) running() bool {
	if d.pos.Due() == 0 {
		d.refuse(turn.CodeGameOver, fmt.Sprintf("game %s is over since turn %d", d.game.ID(), d.pos.State().Result.Turn), "")
		return false
	}
	return true
}

// turn is the turn that a command about orders is for; it says what is wrong
// with one that is over or too far, or that nothing guards against arriving too
// late.
func (d *deed) turn(ahead int) (int, bool) {
	if !d.running() {
		return 0, false
	}
	due, t := d.pos.Due(), d.cmd.Turn
	refuse := func(code, hint, format string, args ...any) (int, bool) {
		at := d.cmd.TurnPos
		if at == (orders.Pos{}) {
			at = d.cmd.Pos
		}
		d.diags = append(d.diags, orders.Diagnostic{Pos: at, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
		return 0, false
	}
	switch write := fmt.Sprintf("write turn %d", due); {
	case t == 0 && d.cmd.TurnPos != (orders.Pos{}):
		return refuse(turn.CodePastTurn, write, "turn 0 is the set-up; turn %d is due", due)
	case t == 0 && !d.guarded:
		return refuse(CodeNoTurn, write, "without a turn key the command must say for which turn it is")
	case t == 0:
		return due, true
	case t < due:
		return refuse(turn.CodePastTurn, write, "turn %d is already resolved; turn %d is due", t, due)
	case t > due+ahead:
		return refuse(turn.CodeFarTurn, write, "turn %d is too far ahead; turn %d is due", t, due)
	}
	return t, true
}

// maxNotes is how many facts about one captain may be noted within an hour,
// protests, votes and messages among them.
const maxNotes = 20

// busy refuses what would be too much for an hour: of one kind, or of all.
func (c *Case) busy(d *deed) (bool, error) {
	all, err := d.game.Journal()
	if err != nil {
		return false, err
	}
	n := 0
	since := c.letter.Received.Add(-time.Hour)
	for _, e := range all {
		mail, _, _ := strings.Cut(e.Cause, "#")
		if e.By == d.captain.Name && e.Kind != vault.JournalProof && mail != c.letter.SHA256 && e.Time.After(since) {
			n++
		}
	}
	for _, other := range c.deeds {
		if other != d && other.done && other.cmd.Verb.Proof && other.game == d.game {
			n++
		}
	}
	if n >= maxNotes {
		d.refuse(CodeTooMuch, fmt.Sprintf("that is more than %d messages, votes and the like within an hour", maxNotes), "send it again later")
		return true, nil
	}
	return false, nil
}

// note makes a step of an entry about the captain, with the proof that goes
// with it.
func (c *Case) note(d *deed, kind string, due int, data any) error {
	e, err := vault.NewEntry(kind, d.captain.Name, c.letter.Received, data)
	if err != nil {
		return err
	}
	e.Captain, e.Turn, e.Cause = d.captain.Name, due, c.cause(d)
	step := NoteStep{Game: d.game, Entries: []vault.Entry{e}}
	if d.cmd.Verb.Proof {
		proof, err := c.noted(d.claim, d.proof)
		if err != nil {
			return err
		}
		if proof != nil {
			step.Entries = append([]vault.Entry{*proof}, step.Entries...)
		}
	}
	c.Steps = append(c.Steps, step)
	return nil
}

// cause is what brought an entry about.
func (c *Case) cause(d *deed) string { return fmt.Sprintf("%s#%d", c.letter.SHA256, d.cmd.N) }

// zone is the time zone of the deed's game.
func zoneOf(g *vault.Game) (*time.Location, error) {
	s, err := g.Settings().Schedule()
	return s.Zone, err
}

// when is a moment in the game's time zone.
func (d *deed) when(t time.Time) (string, error) {
	zone, err := zoneOf(d.game)
	return report.When(t, zone), err
}

// summarizeDeeds says what came of the commands in a line.
func (c *Case) summarizeDeeds() error {
	var words []string
	for _, d := range c.deeds {
		if d.done {
			c.Outcome = Done
			words = append(words, d.cmd.String())
			continue
		}
		code := "refused"
		for _, g := range d.diags {
			if g.Severity == orders.Error {
				code = g.Code
				break
			}
		}
		words = append(words, fmt.Sprintf("refused #%s (%s)", d.cmd.Verb.Name, code))
	}
	if len(words) == 0 {
		return nil
	}
	if c.reply != ackReply {
		c.reply, c.Reason = ackReply, ""
		if c.Outcome != Done {
			c.Outcome = Refused
		}
	}
	if c.Reason != "" {
		words = append([]string{c.Reason}, words...)
	}
	c.Reason = auth.Mask(strings.Join(words, ", "), c.keys)
	return nil
}
