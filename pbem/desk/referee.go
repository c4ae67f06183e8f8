package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/console"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/identity"
	"starpost/pbem/outgoing"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// refereeCommand is a command of a referee in a mail.
type refereeCommand struct {
	cmd *command.Command // holds its place; Verb and Line are filled in
	req *console.Request
	err error
}

// maxRefereeCommand limits a referee's command, with its reasons and words for captains, in bytes.
const maxRefereeCommand = 10_000

// findRefereeCommands finds referees' commands: on lines that begin with a mark and a verb, and on
// the first line of a mail without a mark. A command extends to the next line that is empty or
// marked. If the referee is also a captain, a word that is a command of captains counts as one.
func (c *Decision) findRefereeCommands(captain bool) []refereeCommand {
	page := blocks.Plain(c.In.Mail.Text).Page
	var out []refereeCommand
	first := true
	for i := 0; i < len(page.Lines) && len(out) < command.Max; i++ {
		line := strings.TrimSpace(page.Lines[i])
		if line == "" || page.Inside(i) || blocks.Marked(page.Lines[i]) {
			first = first && !page.Inside(i)
			continue
		}
		mark, bare := strings.CutPrefix(line, "#")
		begins := console.Begins(mark) && (bare || first) && !page.Quoted(i)
		first = false
		if word, _, _ := strings.Cut(mark, " "); captain {
			_, his := command.Lookup(word)
			begins = begins && !his
		}
		if !begins {
			continue
		}
		last := i
		for last+1 < len(page.Lines) && !page.Inside(last+1) && !blocks.Marked(page.Lines[last+1]) && len(mark) < maxRefereeCommand {
			next := strings.TrimSpace(page.Lines[last+1])
			if next == "" || next[0] == '#' || page.Quoted(last+1) {
				break
			}
			mark += " " + next
			last++
		}
		req, err := console.Read(mark, c.GameNamed)
		if err != nil && !bare {
			continue // a sentence that happens to begin with a verb
		}
		p := refereeCommand{req: req, err: err, cmd: &command.Command{
			Verb: command.Spec{Name: req.Verb.Name}, N: len(out) + 1, Line: req.String(),
			Pos: orders.Pos{Line: i + 1, Col: 1}, End: orders.Pos{Line: last + 1, Col: utf8.RuneCountInString(page.Lines[last]) + 1},
		}}
		if req.Verb.Name == "file" {
			if p.req.Texts, last = filing(page, last+1); len(p.req.Texts) > 0 {
				p.cmd.End = orders.Pos{Line: last + 1, Col: utf8.RuneCountInString(page.Lines[last]) + 1}
			}
		}
		out = append(out, p)
		i = last
	}
	return out
}

// filing returns the text that a referee files below the command line: from the first line with a
// mark to #end, or to where the quote begins. last is its last line, or from-1 if there is none.
func filing(page *blocks.Page, from int) (texts []referee.Amendment, last int) {
	at := from
	for at < len(page.Lines) && strings.TrimSpace(page.Lines[at]) == "" {
		at++
	}
	end := at
	for ; end < len(page.Lines) && !blocks.Marked(page.Lines[end]) && !page.Quoted(end); end++ {
		if strings.EqualFold(strings.TrimSpace(page.Lines[end]), "#end") {
			end++
			break
		}
	}
	if at == end || !strings.HasPrefix(strings.TrimSpace(page.Lines[at]), "#") {
		return nil, from - 1
	}
	return []referee.Amendment{{File: "the filing", Text: []byte(strings.Join(page.Lines[at:end], "\n") + "\n")}}, end - 1
}

// asCaptain returns commands for the order sets of ships that the sender has become captain of.
func (c *Decision) asCaptain(mine []identity.RefereeSeat) ([]refereeCommand, error) {
	raws, _ := orders.ScanText(c.In.Mail.Text)
	var out []refereeCommand
	for _, raw := range raws {
		at := slices.IndexFunc(mine, func(m identity.RefereeSeat) bool { return strings.EqualFold(m.Game, raw.Head.Game) })
		if at < 0 || len(out) == command.Max {
			continue
		}
		g, err := c.People.Games.Look(mine[at].Game)
		if err != nil {
			return nil, err
		}
		st, err := g.AdminState()
		if err != nil {
			return nil, err
		}
		name := raw.Head.Name
		if post, ok := g.Rules().PostOf(raw.Head.Kind); ok && post != "" && raw.Head.Kind != "captain" {
			name = engine.OrderSetName(name, post)
		}
		of, ok := g.Settings().CaptainOf(name)
		if !ok { // of a vacant post
			of, ok = g.Settings().CaptainOf(raw.Head.Name)
		}
		if !ok || st.Become[of.Name] != mine[at].Referee.Name {
			continue
		}
		req, err := console.Read(fmt.Sprintf("amend %s %q --why %q", mine[at].Game, name, "in command of the ship"), c.GameNamed)
		if err != nil {
			continue // not a possible name of a ship
		}
		req.Key, req.Texts = raw.Head.Key, []referee.Amendment{amendment(c.In.Mail.Text, raw)}
		out = append(out, refereeCommand{req: req, cmd: &command.Command{Verb: command.Spec{Name: "amend"}, N: len(out) + 1, Line: req.String(), Pos: raw.Start, End: raw.End}})
	}
	return out, nil
}

// amendment returns an order set of a mail as a text for a command.
func amendment(text string, raw orders.Raw) referee.Amendment {
	all := strings.Split(text, "\n")
	lines := all[raw.Start.Line-1 : min(raw.End.Line, len(all))]
	return referee.Amendment{File: raw.Head.Name, Text: []byte(strings.Join(lines, "\n") + "\n")}
}

// decideReferee decides the commands of a referee's mail. It ignores everything else in the mail
// except the order sets that they are about.
func (c *Decision) decideReferee(mine []identity.RefereeSeat, commands []refereeCommand) error {
	c.Body, c.To = blocks.Plain(c.In.Mail.Text), mine[0].Referee.Address
	c.reply, c.Outcome = ackReply, Refused
	for _, raw := range c.Body.Raws {
		c.Keys = append(c.Keys, raw.Head.Key)
	}
	c.Keys = append(c.Keys, c.Plus)
	for _, p := range commands {
		d := &command.Result{Cmd: p.cmd}
		c.Results = append(c.Results, d)
		c.Keys = append(c.Keys, p.req.Key)
		if p.err != nil {
			way, _ := console.Mendable(p.err)
			d.Refuse(codes.Referee, p.err.Error(), way)
			continue
		}
		at, err := c.refereeSeatOf(d, p.req, mine)
		if err != nil {
			return err
		}
		if at == nil {
			continue
		}
		c.attach(d, p.req)
		if ok, err := c.provedReferee(d, p.req, at.Referee); err != nil {
			return err
		} else if !ok {
			continue
		}
		if err := c.hideWords(p.req); err != nil {
			return err
		}
		by := console.By{Referee: at.Referee, Cause: c.Cause(d), Now: c.In.Received}
		d.Done = true
		c.Steps = append(c.Steps, &refereeStep{c: c, d: d, by: by, req: p.req})
	}
	return c.summarizeCommands()
}

// asReferee decides a mail from a referee's address if it holds a referee's command, or orders for
// ships that the referee commands; done is false otherwise. If the sender is not a captain, it
// decides every mail.
func (c *Decision) asReferee(sender string, captain bool) (done bool, err error) {
	mine := c.People.RefereeSeats(sender)
	if len(mine) == 0 {
		return false, nil
	}
	var commands []refereeCommand
	if c.In.Err == nil {
		if commands = c.findRefereeCommands(captain); len(commands) == 0 {
			if commands, err = c.asCaptain(mine); err != nil {
				return true, err
			}
		}
	}
	switch {
	case len(commands) > 0:
		return true, c.decideReferee(mine, commands)
	case captain:
		return false, nil
	}
	c.Reason, c.reply, c.To = "no command of a referee", refereeReply, mine[0].Referee.Address
	return true, nil
}

// refereeSeatOf finds the game that a referee's command is about: by the game's name, by the key,
// or because there is only one.
func (c *Decision) refereeSeatOf(d *command.Result, req *console.Request, mine []identity.RefereeSeat) (*identity.RefereeSeat, error) {
	var ids []string
	for _, m := range mine {
		ids = append(ids, m.Game)
	}
	if req.Game != "" {
		mine = slices.DeleteFunc(slices.Clone(mine), func(m identity.RefereeSeat) bool { return !strings.EqualFold(m.Game, req.Game) })
		if len(mine) == 0 {
			d.Refuse(codes.NotYours, fmt.Sprintf("you are not a referee of game %s under this address", req.Game), "your games: "+strings.Join(ids, ", "))
			return nil, nil
		}
	}
	at := 0
	for i := 0; len(mine) > 1; i++ {
		if i == len(mine) {
			d.Refuse(codes.WhichGame, "you are referee of several games: which one do you mean?",
				"write the name of the game after the command; your games: "+strings.Join(ids, ", "))
			return nil, nil
		}
		g, err := c.People.Games.Look(mine[i].Game)
		if err != nil {
			return nil, err
		}
		want := referee.Key(g, g.Turn()+1, mine[i].Referee.Name)
		if slices.ContainsFunc(c.Given(req.Key), func(k string) bool { return auth.EqualKeys(k, want) }) {
			at = i
			break
		}
	}
	t, err := c.Opened(mine[at].Game)
	if err != nil {
		return nil, err
	}
	d.Game, d.Pos = t.Game, t.Pos
	return &mine[at], nil
}

// attach gives a command the order sets of the mail, if it needs any.
func (c *Decision) attach(d *command.Result, req *console.Request) {
	one, all := req.Verb.Name == "amend", req.Verb.Name == "rerun"
	if len(req.Texts) > 0 || !one && !all {
		return
	}
	for _, raw := range c.Body.Raws {
		if raw.Head.Game != "" && !strings.EqualFold(raw.Head.Game, d.Game.ID()) {
			continue
		}
		if all || len(req.Args) > 0 && strings.EqualFold(raw.Head.Name, strings.TrimPrefix(req.Args[0], "@")) {
			req.Texts = append(req.Texts, amendment(c.In.Mail.Text, raw))
		}
	}
}

// provedReferee reports whether the referee personally sent the command, proven by the referee's
// key or an OpenPGP signature. What a mail server says about the sender is not enough: a referee
// must prove more than a mailbox.
func (c *Decision) provedReferee(d *command.Result, req *console.Request, r vault.Referee) (bool, error) {
	turn := d.Game.Turn() + 1
	d.Claim = identity.Claim{
		Game: d.Game, Referee: r, KeyTurn: turn,
		Given: c.Given(req.Key), What: "#" + req.Verb.Name, First: d.Cmd.Pos.Line, Last: d.Cmd.End.Line,
	}
	trust, err := c.TrustIn(d.Claim)
	if err != nil {
		return false, err
	}
	if acted, err := acted(d.Game, c.In.SHA256, r.Name); err != nil {
		return false, err
	} else if acted && !trust.OK() {
		trust = auth.Trust{Verdict: auth.Trusted, Proof: auth.ByKey, Made: c.In.Received}
	}
	d.Proof = trust
	if !trust.OK() {
		d.Refuse(identity.TrustCode(trust), refereeReason(trust, len(d.Claim.Given)),
			"reply to the newest mail that the robot sent you as referee, or write the key in it after the word key")
		return false, nil
	}
	if d.Guarded = req.HasTurn || trust.Proof == auth.ByKey; req.Verb.Guarded && !d.Guarded {
		d.Refuse(codes.NoTurn, "without a key the command must name its turn", fmt.Sprintf("write turn %d", req.Verb.Guard(d.Game)))
		return false, nil
	}
	d.Referee = &r
	return true, nil
}

// acted reports whether the mail already had an effect in a referee's name. If so, its answer was
// lost when the process was killed: it was proven then, and its effect may have changed the key.
func acted(g *vault.Game, mailed, name string) (bool, error) {
	all, err := g.Journal.Entries()
	return slices.ContainsFunc(all, func(e journal.Entry) bool {
		mail, _, _ := strings.Cut(e.Cause, "#")
		return mail == mailed && e.By == name
	}), err
}

// refereeReason words a verdict for a referee.
func refereeReason(t auth.Trust, given int) string {
	switch t.Verdict {
	case auth.MissingKey:
		return "your key as referee is missing"
	case auth.WrongKey:
		return map[bool]string{true: "this is not your referee's key for the turn that is due", false: "the keys are not yours as referee for the turn that is due"}[given < 2]
	case auth.UnknownAddress, auth.BadSignature, auth.Stale, auth.Trusted:
	}
	return strings.TrimSuffix(t.Reason, ".")
}

// addressReferee makes an answer come from the game of a referee's command, and replies to it carry
// the referee's key.
func (c *Decision) addressReferee(a *Answer, d *command.Result) {
	s := d.Game.Settings()
	a.Game = d.Game.ID()
	a.Message.To.Name = d.Referee.Name
	a.Message.From.Name = c.Robot.Name + " " + s.Title
	a.Message.ReplyTo = outgoing.Address{Name: a.Message.From.Name, Addr: auth.WithKey(c.Robot.Address, referee.Key(d.Game, d.Game.Turn()+1, d.Referee.Name))}
}

// refereeHelp returns the answer to a referee's mail without a command, once a day.
func (c *Decision) refereeHelp(now time.Time) (*Answer, error) {
	a := &Answer{Kind: KindHelp, Message: c.message(KindHelp, c.day(now), now)}
	n := templates.Notice{Kind: templates.Plain, Captain: "Referee", Referee: true, Robot: c.Robot.Address, Text: []string{
		"Your mail has no command, so nothing was done. Put each command on a separate line, for example:",
		"#show turn 3",
		"Reply to the newest mail that the robot sent you as referee, or add the word key and your key to the command. The command help lists all commands.",
	}}
	return a, c.notice(a, "How to write as a referee", n)
}

// refereeStep runs a command of a referee.
type refereeStep struct {
	c   *Decision
	d   *command.Result
	by  console.By
	req *console.Request
}

// Do runs the command, and records its result for the answer.
func (s *refereeStep) Do() error {
	d := s.d
	proof, err := s.c.Noted(d.Claim, d.Proof)
	if err != nil {
		return err
	}
	if proof != nil {
		if _, err := d.Game.Append(*proof); err != nil {
			return err
		}
	}
	d.Done, d.Diags, d.Out.List = true, nil, nil
	done, err := s.c.desk.Console.Do(context.Background(), d.Game, s.by, s.req)
	// Replace paths of this machine, and command lines, by what a mail uses.
	before, after, _ := strings.Cut(d.Game.CommandLine("referee", "|"), "|")
	plain := func(words string) string {
		words = strings.ReplaceAll(words, before, "#")
		if after != "" {
			words = strings.ReplaceAll(words, after, "")
		}
		return strings.ReplaceAll(words, d.Game.Dir(), d.Game.Name())
	}
	d.Subject = d.Cmd.Line
	lines := append(done.Warnings, done.Text)
	if err != nil {
		way, ok := console.Mendable(err)
		if !ok {
			return err
		}
		lines = nil
		if bad, is := errors.AsType[*console.MistakesError](err); is {
			lines = bad.Lines
		}
		d.Done = false
		d.Refuse(codes.Referee, plain(strings.TrimSuffix(err.Error(), ".")), plain(way))
	}
	d.Out.Shown = plain(strings.Join(lines, "\n"))
	s.c.Outcome, s.c.Reason = Refused, ""
	return s.c.summarizeCommands()
}

// hideWords hides keys in the words of a referee's command, and in attached texts.
func (c *Decision) hideWords(req *console.Request) (err error) {
	hide := func(text string) string {
		out, hidden := c.Hide(text)
		if hidden != nil {
			err = hidden
		}
		return out
	}
	req.Reword(hide)
	for i, t := range req.Texts {
		head, rest, ok := strings.Cut(string(t.Text), "\n")
		if ok && strings.HasPrefix(head, "#orders") {
			req.Texts[i].Text = []byte(head + "\n" + hide(rest)) // the key in the head is meant to be there
		} else {
			req.Texts[i].Text = []byte(hide(string(t.Text)))
		}
	}
	return err
}
