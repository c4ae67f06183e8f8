package desk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// commandResult is what a command comes to.
type commandResult struct {
	cmd     *command.Command
	game    *vault.Game // nil when it is about none, or about several
	pos     *turn.Position
	captain vault.Captain
	claim   claim
	proof   auth.Trust
	referee *vault.Referee // who gave the command and showed it, if he is one; nil for a captain
	guarded bool           // by the key of the turn that is due, or by naming it

	changes int // how often the seat passed from hand to hand, this mail included
	done    bool
	subject string // what the subject of the answer says
	out     templates.CommandResult
	diags   []orders.Diagnostic
	left    bool // the seat was given up
	// tell adds to out, when the steps were done; nil for nothing.
	tell func(now time.Time) error
}

// refuse says why the command is not done.
func (d *commandResult) refuse(code, message, hint string) {
	d.diags = append(d.diags, orders.Diagnostic{Pos: d.cmd.Pos, Code: code, Message: message, Hint: hint})
}

// say adds a paragraph to the answer.
func (d *commandResult) say(format string, args ...any) {
	d.out.Text = append(d.out.Text, fmt.Sprintf(format, args...))
}

// openGame is a game that is looked at in this mail.
type openGame struct {
	game *vault.Game
	pos  *turn.Position
}

// opened opens a game, once for a mail.
func (c *mailIn) opened(id string) (openGame, error) {
	for _, t := range c.games {
		if t.game.ID() == id {
			return t, nil
		}
	}
	g, err := c.people.Games.Game(id)
	if err != nil {
		return openGame{}, fmt.Errorf("open game %s: %w", id, err)
	}
	pos, err := turn.Load(g)
	if err != nil {
		return openGame{}, fmt.Errorf("read game %s: %w", id, err)
	}
	t := openGame{g, pos}
	c.games = append(c.games, t)
	return t, nil
}

// decideCommands decides every command of the mail, in order.
func (c *task) decideCommands(seats []seat) error {
	for _, cmd := range c.commands {
		d := &commandResult{cmd: cmd}
		c.commandResults = append(c.commandResults, d)
		if !cmd.OK() {
			d.diags = cmd.Diagnostics
			continue
		}
		if err := c.do(d, seats); err != nil {
			return err
		}
		d.done = !orders.HasErrors(d.diags)
	}
	return nil
}

// do decides a command that was understood.
func (c *task) do(d *commandResult, seats []seat) error {
	switch d.cmd.Verb.Name {
	case "games":
		return listGames(c, d, seats)
	case "help", "rules", "ships", "scenarios", "handbook", "record":
		if d.cmd.Verb.Name != "help" || len(d.cmd.Words) > 0 {
			return textPage(c, d, seats)
		}
		return commandHelp(c, d, seats)
	case "check":
		checked(c, d)
		return nil
	case "allocate":
		return allocate(c, d, seats)
	case "practice", "create":
		return wish(c, d, seats)
	case "leave":
		if len(d.cmd.Words) > 0 {
			return leaveList(c, d)
		}
		if len(seats) == 0 {
			d.refuse(codes.NoSeat, "you have no seat in a game", "")
			return nil
		}
	case "join":
		return join(c, d, seats)
	case "observe":
		return observe(c, d, seats)
	case "replay":
		if id := watched(c, d, seats); id != "" {
			return showObserver(c, d, id, c.in.Mail.Senders()[0])
		}
		if len(seats) == 0 {
			d.refuse(codes.NoSeat, "you neither play nor watch such a game", "observe and the name of a game asks to watch it; the word games tells which may be watched")
			return nil
		}
	case "confirm":
		return confirm(c, d)
	case "undo":
		return undo(c, d)
	}
	if d.cmd.Game == "" && d.cmd.Verb.Name == "status" {
		return statusOfAll(c, d, seats)
	}
	ok, err := c.seat(d, seats)
	if err != nil || !ok {
		return err
	}
	if d.cmd.Verb.Proof {
		if ok, err = c.proved(d); err != nil || !ok || c.contradicts(d) {
			return err
		}
		if err := c.hideText(d); err != nil {
			return err
		}
	}
	do := ofSeat[d.cmd.Verb.Name]
	if do == nil {
		return fmt.Errorf("command not handled: %s", d.cmd.Verb.Name)
	}
	return do(c, d)
}

// ofSeat is what is done of commands once it is known for which seat they are.
var ofSeat = map[string]func(*task, *commandResult) error{
	"status":   status,
	"report":   reportAgain,
	"replay":   replay,
	"compose":  compose,
	"rehearse": rehearseTurn,
	"cancel":   cancel,
	"final":    setWord,
	"wait":     setWord,
	"message":  relay,
	"away":     away,
	"beacon":   bringBeacon,
	"back":     comeBack,
	"vote":     vote,
	"protest":  protest,
	"address":  newAddress,
	"name":     rename,
	"resign":   resign,
	"leave":    leave,
	"invite":   invite,
}

// contradicts refuses a command that another one in the same mail leaves no room
// for.
func (c *task) contradicts(d *commandResult) bool {
	families := [][]string{{"away", "back"}, {"vote"}, {"final", "wait", "cancel"}, {"address"}}
	for _, o := range c.commandResults {
		if o == d || !o.done || o.game != d.game || o.captain.Name != d.captain.Name {
			continue
		}
		a, b := o.cmd.Verb.Name, d.cmd.Verb.Name
		clash := o.left
		for _, f := range families {
			clash = clash || slices.Contains(f, a) && slices.Contains(f, b) && !(a == "cancel" && b == "cancel")
		}
		if clash {
			d.refuse(codes.Contradiction, fmt.Sprintf("it does not go with %q in the same mail, which was done", o.cmd), "send it in a mail of its own")
			return true
		}
	}
	return false
}

// given are the keys that came for a set or a command: its own and that of the address; for one
// without a key also those in the heads of other sets. The mail of a program that does not answer
// to the address that a report asks for brings the key in the report that it quotes.
func (c *mailIn) given(key string) []string {
	out := slices.DeleteFunc([]string{key, c.plus}, func(k string) bool { return k == "" })
	if key == "" {
		out = append(out, c.inHeads...)
	}
	return out
}

// seat finds out as whom of which game the sender speaks: by the game's name, by
// the key, or because there is only one.
func (c *task) seat(d *commandResult, seats []seat) (bool, error) {
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
			t, err := c.opened(s.game)
			if err != nil {
				return false, err
			}
			for _, k := range c.given(d.cmd.Key) {
				if at < 0 && auth.EqualKeys(k, turn.Key(t.game, t.game.Turn()+1, s.captain.Name)) {
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
	t, err := c.opened(mine[at].game)
	if err != nil {
		return false, err
	}
	d.game, d.pos, d.captain = t.game, t.pos, mine[at].captain
	d.changes = d.game.Changes(d.captain.Name)
	return true, nil
}

// which says that the command could be for several games, or seats.
func (d *commandResult) which(mine []seat) {
	var games []string
	for _, s := range mine {
		if !slices.Contains(games, s.game) {
			games = append(games, s.game)
		}
	}
	if len(games) == 1 {
		d.refuse(codes.WhichGame, fmt.Sprintf("you have several seats in game %s, and it is not said which is meant", games[0]),
			"answer the report of the captain that you mean, or write his turn key behind the word key")
		return
	}
	d.refuse(codes.WhichGame, "you play several games, and it is not said which is meant",
		"write the name of the game behind the command; your games: "+strings.Join(games, ", "))
}

// running refuses what a game that is over has no use for.
func (d *commandResult) running() bool {
	if d.pos.Due() == 0 {
		d.refuse(orderset.CodeGameOver, fmt.Sprintf("game %s is over since turn %d", d.game.ID(), d.pos.State().Result.Turn), "")
		return false
	}
	return true
}

// turn is the turn that a command about orders is for; it says what is wrong
// with one that is over or too far, or that nothing guards against arriving too
// late.
func (d *commandResult) turn(ahead int) (int, bool) {
	if !d.running() {
		return 0, false
	}
	due, t, said := d.pos.Due(), d.cmd.Turn, d.cmd.Turn != 0 || d.cmd.TurnPos != (orders.Pos{})
	code, why, way := orderset.WrongTurn(t, due, ahead)
	switch {
	case !said && d.guarded:
		return due, true
	case !said:
		code, why = codes.NoTurn, "without a turn key the command must say for which turn it is"
	case code == "":
		return t, true
	}
	d.diags = append(d.diags, orders.Diagnostic{Pos: cmp.Or(d.cmd.TurnPos, d.cmd.Pos), Code: code, Message: why, Hint: way})
	return 0, false
}

// summarizeCommands says what came of the commands in a line.
func (c *Decision) summarizeCommands() error {
	var words []string
	for _, d := range c.commandResults {
		if d.done {
			c.Outcome = Done
			words = append(words, d.cmd.String())
			continue
		}
		words = append(words, fmt.Sprintf("refused #%s (%s)", d.cmd.Verb.Name, refusal(d.diags)))
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
