package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"starpost/engine/scenario"
	"starpost/pbem/auth"
	"starpost/pbem/config"
	"starpost/pbem/cup/bymail"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/fault"
	"starpost/pbem/lobby"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// possible reports whether the wished game can be made, and adds the reason if it cannot.
func possible(c *Task, d *Result, w lobby.Wish, origin, id string, people []string) (s turn.Setup, ok bool) {
	s, err := c.Services.Hosting.Setup(c.Services.Library, c.Robot.Address, c.In.Received, w, origin, id, people)
	if err == nil {
		err = c.Services.Hosting.Check(s)
	}
	if err != nil {
		d.Refuse(codes.NotMade, err.Error(), fault.Hint(err))
		return s, false
	}
	return s, true
}

// wish decides a wish for a game: one against robots, or an open one.
func wish(c *Task, d *Result, seats []identity.Seat) error {
	h, sender := c.Services.Hosting, c.In.Mail.Senders()[0]
	origin, what := vault.OriginMail, "create"
	if d.Cmd.Verb.Name == "practice" {
		origin, what = vault.OriginPractice, "practice"
	}
	w, err := lobby.ReadWish(d.Cmd.Words)
	switch {
	case h == nil || origin == vault.OriginPractice && h.Practice == 0 || origin == vault.OriginMail && h.Create == config.CreateNobody:
		d.Refuse(codes.NotMade, "such games are not made here", "send games for a list of those you can join")
		return nil
	case err != nil:
		d.Refuse(codes.BadCommand, err.Error(), "write: "+d.Cmd.Verb.Usage[0])
		return nil
	case w.Scenario == attached && origin == vault.OriginMail:
		if !attachedScenario(c, d, &w) {
			return nil
		}
	case origin == vault.OriginMail && w.Scenario == "":
		d.Refuse(codes.BadCommand, "which scenario? none is named", "write: "+d.Cmd.Verb.Usage[0])
		return nil
	case origin == vault.OriginPractice && (len(w.Invite) > 0 || slices.ContainsFunc(w.Options, func(o [2]string) bool { return o[0] != "cadence" })):
		d.Refuse(codes.BadCommand, "a practice game has no settings but its cadence, and no guests", "write: "+d.Cmd.Verb.Usage[0])
		return nil
	case !effect.Answerable(sender):
		d.Refuse(codes.BadAddress, "no mails can be sent to your address", "")
		return nil
	case len(w.Invite) > maxInvited:
		d.Refuse(codes.TooMuch, fmt.Sprintf("%d people may be invited", maxInvited), "")
		return nil
	}
	for _, a := range w.Invite {
		if !effect.Answerable(a) || c.Robot.IsOwn(a) || auth.SameAddress(a, sender) {
			d.Refuse(codes.BadAddress, fmt.Sprintf("%q is not an address that can be invited", effect.Shortened(a)), "")
			return nil
		}
	}
	if origin == vault.OriginMail && h.Create == config.CreateCaptains {
		if ok, err := veteran(c, seats); err != nil || !ok {
			if err == nil {
				d.Refuse(codes.NotMade, "games are made here only for captains who have played one to its end", "join one first; send games for a list of those you can join")
			}
			return err
		}
	}
	game, ok := possible(c, d, w, origin, "wish", []string{sender})
	if !ok {
		return nil
	}
	if ok, err := room(c, d, origin, "", sender); err != nil || !ok {
		return err
	}
	return requestWith(c, d, sender, fmt.Sprintf("A person asked from this address for a game: %s. It would be %s", d.Cmd, battleIn(game)), what, w.Text)
}

// battleIn describes the battle of a game that can be made: "The Big Bad Wolf, 2 ships, rules stcs-basic".
func battleIn(s turn.Setup) string {
	sc, _ := scenario.Parse(s.Scenario)
	return fmt.Sprintf("%s, %s, rules %s", sc.Title, report.Count(len(sc.Ships), "ship"), sc.Rules)
}

// attached replaces a scenario's name if the scenario is attached to the mail.
const attached = "attached"

// Limits for attached scenarios.
const (
	maxAttached = 32 << 10 // bytes
	maxShips    = 40
	maxKept     = 50 // that wait for an answer, or for recently made games
)

// attachedScenario reads the scenario from the mail, if the host allows people to bring their own. The request names it
// by its hash, so that a changed text is another request.
func attachedScenario(c *Task, d *Result, w *lobby.Wish) bool {
	text, kept := c.In.Mail.Scenario, 0
	for _, q := range c.Services.Hosting.Requests.As(c.In.SHA256) {
		if q.Scenario != "" {
			kept++
		}
	}
	switch {
	case !c.Services.Hosting.Attached:
		d.Refuse(codes.NotMade, "games of your own scenarios are not made here", "ask the host; send scenarios for a list of those here")
	case strings.TrimSpace(text) == "":
		d.Refuse(codes.BadCommand, "no scenario comes with the mail", "attach one file whose name ends in .toml")
	case len(text) > maxAttached:
		d.Refuse(codes.TooMuch, fmt.Sprintf("the scenario has %d bytes; the limit is %d", len(text), maxAttached), "take out what is not needed")
	case kept >= maxKept:
		d.Refuse(codes.TooMuch, "this week's limit on scenarios by mail is reached", "ask the host, or try again later")
	default:
		sc, diags := scenario.Parse([]byte(text))
		if sc == nil {
			for i := range diags { // the lines are not those of the mail
				diags[i].Message = fmt.Sprintf("the scenario, line %d: %s", diags[i].Pos.Line, diags[i].Message)
			}
			d.Diags = append(d.Diags, diags...)
			return false
		}
		if len(sc.Ships) > maxShips {
			d.Refuse(codes.TooMuch, fmt.Sprintf("the scenario has %d ships; the limit is %d", len(sc.Ships), maxShips), "")
			return false
		}
		w.Text, d.Cmd.Words[0] = text, attached+"-"+vault.Hash([]byte(text))[:12]
		return true
	}
	return false
}

// maxInvited limits how many people one may invite to a game.
const maxInvited = 8

// veteran reports whether one of the sender's games is over.
func veteran(c *Task, seats []identity.Seat) (bool, error) {
	for _, s := range seats {
		t, err := c.Looked(s.Game)
		if err != nil || t.Pos.Due() == 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// room reports whether one more game may be made, not counting the game with the ID made.
func room(c *Task, d *Result, origin, made, sender string) (bool, error) {
	all, mine := 0, 0
	for _, s := range c.People.Games.Settings() {
		if s.Origin == "" || s.ID == made {
			continue
		}
		all++
		if origin != vault.OriginPractice || s.Origin != origin || !slices.ContainsFunc(s.Captains, func(o vault.Captain) bool { return auth.SameAddress(o.Address, sender) }) {
			continue
		}
		g, err := c.People.Games.Look(s.ID)
		if err != nil {
			return false, err
		}
		due, err := g.Due()
		if err != nil {
			return false, err
		}
		if due > 0 {
			mine++
		}
	}
	switch h := c.Services.Hosting; {
	case all >= h.Games:
		d.Refuse(codes.NotMade, "the limit on games made by mail is reached", "ask the host, or try again later")
	case origin == vault.OriginPractice && mine >= h.Practice:
		d.Refuse(codes.NotMade, fmt.Sprintf("%s of yours against robots %s already under way", report.Count(mine, "game"), map[bool]string{true: "goes", false: "go"}[mine == 1]), "play it to its end, or resign")
	default:
		return true, nil
	}
	return false, nil
}

// makeGame makes a game for the people who asked for it; the first of them has just confirmed.
func makeGame(c *Task, d *Result, w lobby.Wish, origin string, of []lobby.Request) error {
	name := cmp.Or(w.Scenario, "game")
	if w.Text != "" {
		name = attached
	}
	if origin == vault.OriginPractice {
		name = "practice"
	}
	id := name[:min(len(name), 30)] + "-" + c.In.SHA256[:6]
	var people []string
	for _, q := range of {
		people = append(people, q.Address)
	}
	if ok, err := room(c, d, origin, id, people[0]); err != nil || !ok {
		return err
	}
	s, ok := possible(c, d, w, origin, id, people)
	if !ok {
		return nil
	}
	c.Steps = append(c.Steps, confirmedStep(c, of[0]), lobby.GameStep{Hosting: c.Services.Hosting, Setup: s, Invite: w.Invite, Of: of, Mail: c.In.SHA256})
	d.Subject = "Your game is made"
	d.Say("Your game is %s. It is called %s. The first report comes in a separate mail: reply to it with orders. Send help as the first line of a mail for a list of commands.", battleIn(s), id)
	switch {
	case origin == vault.OriginPractice:
		d.Say("Robots have the other side, so each reply of yours is played at once. Nobody else sees the battle.%s If you send nothing for a week, and then for another week, your ships surrender, and the game is over.",
			map[bool]string{true: " You are asked for orders phase by phase; to be asked once a turn, make another game with cadence=turn after the word practice."}[s.Cadence == vault.CadencePhase])
	case s.Mail.Start == vault.StartFull:
		d.Say("It begins when all seats are taken. Others join by sending a mail with this first line: join %s", id)
	}
	return nil
}

// match makes the first wanted game of the waiting list that has enough people, including one who has just confirmed a
// request.
func match(c *Task, d *Result, q lobby.Request) error {
	waiting := []lobby.Request{q}
	for _, o := range c.Services.Hosting.Requests.As(c.In.SHA256) {
		if o.Waits() && strings.HasPrefix(o.Line, "join ") && !slices.ContainsFunc(waiting, func(w lobby.Request) bool { return auth.SameAddress(w.Address, o.Address) }) {
			waiting = append(waiting, o)
		}
	}
	slices.SortStableFunc(waiting[1:], func(a, b lobby.Request) int { return a.Confirmed.Compare(b.Confirmed) })
	lack := 0
	for _, w := range c.Services.Hosting.Offers {
		wants := func(o lobby.Request) bool {
			_, what, _ := strings.Cut(o.Line, " ")
			return what == lobby.AnyScenario || what == w.Scenario
		}
		if !wants(q) {
			continue
		}
		there := slices.DeleteFunc(slices.Clone(waiting), func(o lobby.Request) bool { return !wants(o) })
		s, err := c.Services.Hosting.Setup(c.Services.Library, c.Robot.Address, c.In.Received, w, vault.OriginMail, "wish", nil)
		if err != nil {
			return errors.Join(errors.New("an offer of the host cannot be played"), err)
		}
		need := len(s.Captains)
		if len(there) >= need {
			there = there[:need]
			return makeGame(c, d, w, vault.OriginMail, there)
		}
		if missing := need - len(there); lack == 0 || missing < lack {
			lack = missing
		}
	}
	c.Steps = append(c.Steps, confirmedStep(c, q))
	d.Subject = "You wait for a game"
	d.Say("You are on the waiting list. The game is made when there are enough players: %s still needed. Its first report comes then. To leave the list, send a mail with the line: leave list", map[bool]string{true: "1 more is", false: fmt.Sprintf("%d more are", lack)}[lack == 1])
	return nil
}

// wish reads the words that say which game is wanted.
func (r *commandReader) wish() { r.most(maxWished) }

// maxWished limits the words that say which game is wanted.
const maxWished = 40

// plainWish distinguishes a wish for a game from a sentence such as "practice makes perfect".
func plainWish(f *Finder, cmd *Command) bool {
	w, err := lobby.ReadWish(cmd.Words)
	return err == nil && (w.Scenario == "" || w.Scenario == attached || f.Scenario(w.Scenario))
}

// cups decides the command cup. Changes to a cup need a confirmation first.
func cups(c *Task, d *Result, _ []identity.Seat) error {
	h, sender := c.Services.Hosting, c.In.Mail.From[0]
	if h == nil {
		d.Refuse(codes.NotMade, "no cups are played by mail here", "")
		return nil
	}
	a, err := bymail.Ask(h.Cups, d.Cmd.Words, sender.Addr, sender.Name, c.In.Received)
	if err != nil || a.Ask == "" || a.Problem != "" {
		tellOfCup(d, a)
		return err
	}
	if !effect.Answerable(sender.Addr) {
		d.Refuse(codes.BadAddress, "no mails can be sent to your address", "")
		return nil
	}
	d.Cmd.Words = bymail.Line(d.Cmd.Words, sender.Name)
	return request(c, d, sender.Addr, a.Ask, "cup")
}

func tellOfCup(d *Result, a bymail.Answer) {
	if a.Problem != "" {
		d.Refuse(codes.NotMade, a.Problem, a.Way)
		return
	}
	d.Subject, d.Out.Shown, d.Out.After = a.Subject, a.Shown, a.Next
	if a.Say != "" {
		d.Say("%s", a.Say)
	}
}

// cupConfirmed carries out a request about a cup that the sender has just confirmed.
func cupConfirmed(c *Task, d *Result, q lobby.Request) error {
	h := c.Services.Hosting
	step, a, err := bymail.Confirmed(h.Cups, q.Line, q.Address, c.In.SHA256, c.In.Received)
	if tellOfCup(d, a); err != nil || a.Problem != "" {
		return err
	}
	c.Steps = append(c.Steps, confirmedStep(c, q))
	if step != nil {
		c.Steps = append(c.Steps, *step)
	}
	c.Steps = append(c.Steps, lobby.RequestStep{Requests: h.Requests, Made: []lobby.Request{q}, Game: lobby.OriginCup, Mail: c.In.SHA256})
	return nil
}

// enters reports whether the command enters a cup.
func enters(cmd *Command) bool { return bymail.Enters(cmd.Words) }

// plainCup distinguishes the command from a mention of a cup of tea.
func plainCup(_ *Finder, cmd *Command) bool { return bymail.Asks(cmd.Words) }
