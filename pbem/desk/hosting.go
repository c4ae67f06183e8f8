package desk

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/fault"
	"starpost/pbem/lobby"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Hosting is how games are made for people who ask by mail.
type Hosting struct {
	Requests *lobby.Requests
	Offers   []lobby.Wish // what the waiting list is for
	Create   string       // who may have games made, as config has it
	Practice int          // running games against robots that one address may have
	Games    int          // made by mail at most
	// Check tells what is wrong with a game, and Make makes it, with invitations to its free
	// seats; one that is there already stays as it is.
	Check func(turn.Setup) error
	Make  func(s turn.Setup, invite []string, mail string) error
}

// GameStep is a game to make for people who asked for it.
type GameStep struct {
	Hosting *Hosting
	Setup   turn.Setup
	Invite  []string
	Of      []lobby.Request
	Mail    string // that had it made
}

// Do makes the game.
func (s GameStep) Do() error {
	if err := s.Hosting.Make(s.Setup, s.Invite, s.Mail); err != nil {
		return err
	}
	return s.Hosting.Requests.Made(s.Of, s.Setup.ID, s.Mail)
}

// RequestStep keeps a request, or notes that it was confirmed by a mail or what was made of it, or
// drops those of an address.
type RequestStep struct {
	Requests *lobby.Requests
	Put      lobby.Request
	Confirm  lobby.Request
	Drop     string
	Made     []lobby.Request // of which Game was made, or which have been done with it
	Game     string
	Mail     string
	At       time.Time
}

// Do makes the change.
func (s RequestStep) Do() error {
	switch {
	case s.Put.Line != "":
		return s.Requests.Put(s.Put)
	case len(s.Made) > 0:
		return s.Requests.Made(s.Made, s.Game, s.Mail)
	case s.Confirm.Line != "":
		return s.Requests.Confirm(s.Confirm, s.Mail, s.At)
	}
	return s.Requests.Drop(s.Drop)
}

// wishKeys are the settings that may be wished for by mail.
var wishKeys = []string{
	"deadline", "deadline_at", "weekends", "holidays", "holidays_dates", "zone", "missing", "missed", "grace", "remind", "change_window", "start", "fill",
	"show_missing", "messages", "away_max", "teach", "replay", "observers", "anonymous",
}

// defaultScenario is played where none is named and the host offers none.
const defaultScenario = "big-bad-wolf"

// setup is a game as it is wished for: a captain a side, of whom the first ones are people.
func (h *Hosting) setup(texts *lobby.Library, robot string, now time.Time, w lobby.Wish, origin, id string, people []string) (turn.Setup, error) {
	if w.Scenario == "" {
		w.Scenario = defaultScenario
		if len(h.Offers) > 0 {
			w.Scenario, w.Rules = h.Offers[0].Scenario, cmp.Or(w.Rules, h.Offers[0].Rules)
		}
	}
	data, err := texts.Scenario(w.Scenario, w.Rules)
	if err != nil {
		return turn.Setup{}, err
	}
	sc, diags := scenario.Parse(data)
	if sc == nil {
		return turn.Setup{}, &turn.ScenarioError{Diagnostics: diags}
	}
	mac := hmac.New(sha256.New, h.Requests.Secret())
	mac.Write([]byte("starpost game 1\x00" + id))
	s := turn.Setup{
		Scenario: data, ID: id, Origin: origin, Mail: vault.DefaultMail(), Secret: dice.Secret(mac.Sum(nil)), Options: turn.Options{Now: now},
	}
	m := &s.Mail
	m.Robot, m.Teach, m.Replay = robot, true, true
	switch {
	case origin == vault.OriginPractice:
		m.Deadline, m.ChangeWindow, m.Grace, m.Remind = 7*clock.Day, 0, 0, nil
		m.Missed = vault.MissedTurnsRule{Turns: 1, Then: vault.ThenForfeit}
		if rules, err := texts.RuleSet(sc.Rules); err != nil {
			return s, err
		} else if rules.Rounds() > 1 {
			s.Cadence = vault.CadencePhase
		}
	case sc.Blind != nil:
		m.Missed = vault.MissedTurnsRule{Turns: 2, Then: vault.ThenRobot}
	default:
		m.Open, m.Observers, m.Missed = true, vault.ObserversPublic, vault.MissedTurnsRule{Turns: 2, Then: vault.ThenReplace}
	}
	if origin == vault.OriginMail && len(people) < len(sc.Sides) {
		m.Start = vault.StartFull
	}
	for _, o := range w.Options {
		switch o[0] {
		case "cadence":
			s.Cadence = o[1]
			continue
		case "dice":
			s.Dice = o[1]
			continue
		}
		if !slices.Contains(wishKeys, o[0]) {
			return s, fault.New(orders.DidYouMean("%s", o[0], wishKeys, "one of: cadence, dice, "+strings.Join(wishKeys, ", ")), "%q cannot be set by mail", o[0])
		}
		if err := m.Set(o[0], o[1]); err != nil {
			return s, err
		}
	}
	for i, side := range sc.Sides {
		one := vault.Captain{Robot: origin == vault.OriginPractice}
		if i < len(people) {
			one.Address, one.Robot = people[i], false
		}
		for _, ship := range sc.Ships {
			if ship.Side == side.ID {
				one.Ships = append(one.Ships, ship.Name)
			}
		}
		if len(one.Ships) > 0 {
			s.Captains = append(s.Captains, one)
		}
	}
	return s, nil
}

// CheckOffer tells what is wrong with a game that the host offers.
func (d *Desk) CheckOffer(w lobby.Wish) error {
	s, err := d.Hosting.setup(d.Library, d.Address, time.Time{}, w, vault.OriginMail, "offer", nil)
	if err != nil {
		return err
	}
	for i := range s.Captains {
		s.Captains[i].Address = fmt.Sprintf("captain%d@example.org", i)
	}
	return d.Hosting.Check(s)
}

// possible tells whether a game can be made as it is wished for, and if not, why.
func possible(c *task, d *commandResult, w lobby.Wish, origin, id string, people []string) (s turn.Setup, ok bool) {
	s, err := c.services.Hosting.setup(c.services.Library, c.robot.Address, c.in.Received, w, origin, id, people)
	if err == nil {
		err = c.services.Hosting.Check(s)
	}
	if err != nil {
		d.refuse(codes.NotMade, err.Error(), fault.Hint(err))
		return s, false
	}
	return s, true
}

// wish is a game that the sender wants: one against robots, or an open one.
func wish(c *task, d *commandResult, seats []seat) error {
	h, sender := c.services.Hosting, c.in.Mail.Senders()[0]
	origin, what := vault.OriginMail, "create"
	if d.cmd.Verb.Name == "practice" {
		origin, what = vault.OriginPractice, "practice"
	}
	w, err := lobby.ReadWish(d.cmd.Words)
	switch {
	case h == nil || origin == vault.OriginPractice && h.Practice == 0 || origin == vault.OriginMail && h.Create == config.CreateNobody:
		d.refuse(codes.NotMade, "no such games are made here", "the word games brings those that can be joined")
		return nil
	case err != nil:
		d.refuse(codes.BadCommand, err.Error(), "write: "+d.cmd.Verb.Usage[0])
		return nil
	case origin == vault.OriginMail && w.Scenario == "":
		d.refuse(codes.BadCommand, "it is not said which scenario", "write: "+d.cmd.Verb.Usage[0])
		return nil
	case origin == vault.OriginPractice && len(w.Options)+len(w.Invite) > 0:
		d.refuse(codes.BadCommand, "a practice game has no settings and no guests", "write: "+d.cmd.Verb.Usage[0])
		return nil
	case !answerable(sender):
		d.refuse(codes.BadAddress, "no mails can be sent to your address", "")
		return nil
	case len(w.Invite) > maxInvited:
		d.refuse(codes.TooMuch, fmt.Sprintf("%d people may be invited", maxInvited), "")
		return nil
	}
	for _, a := range w.Invite {
		if !answerable(a) || c.robot.isOwn(a) || auth.SameAddress(a, sender) {
			d.refuse(codes.BadAddress, fmt.Sprintf("%q is no address that can be invited", command.Shorten(a)), "")
			return nil
		}
	}
	if origin == vault.OriginMail && h.Create == config.CreateCaptains {
		if ok, err := veteran(c, seats); err != nil || !ok {
			if err == nil {
				d.refuse(codes.NotMade, "games are made here for captains who have played one to its end", "join one first; the word games brings those that can be joined")
			}
			return err
		}
	}
	if _, ok := possible(c, d, w, origin, "wish", []string{sender}); !ok {
		return nil
	}
	if ok, err := room(c, d, origin, "", sender); err != nil || !ok {
		return err
	}
	return request(c, d, sender, fmt.Sprintf("A person asked from this address for a game: %s", d.cmd), what)
}

// maxInvited is how many people one may have invited to a game.
const maxInvited = 8

// veteran tells whether one of the sender's games is over.
func veteran(c *task, seats []seat) (bool, error) {
	for _, s := range seats {
		t, err := c.looked(s.game)
		if err != nil || t.pos.Due() == 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// room tells whether one more game may be made; made is its id, which does not count.
func room(c *task, d *commandResult, origin, made, sender string) (bool, error) {
	all, mine := 0, 0
	for _, s := range c.people.Games.Settings() {
		if s.Origin == "" || s.ID == made {
			continue
		}
		all++
		if origin != vault.OriginPractice || s.Origin != origin || !slices.ContainsFunc(s.Captains, func(o vault.Captain) bool { return auth.SameAddress(o.Address, sender) }) {
			continue
		}
		g, err := c.people.Games.Look(s.ID)
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
	switch h := c.services.Hosting; {
	case all >= h.Games:
		d.refuse(codes.NotMade, "as many games as there may be were made by mail", "ask the host, or try again later")
	case origin == vault.OriginPractice && mine >= h.Practice:
		d.refuse(codes.NotMade, fmt.Sprintf("%s of yours against robots %s on already", report.Count(mine, "game"), map[bool]string{true: "goes", false: "go"}[mine == 1]), "play it to its end, or resign")
	default:
		return true, nil
	}
	return false, nil
}

// request keeps what the sender asks for, and asks him whether it was he.
func request(c *task, d *commandResult, sender, about, what string) error {
	h := c.services.Hosting
	q := lobby.Request{Address: sender, Line: d.cmd.String(), Asked: c.in.Received.UTC()}
	others := 0
	for _, o := range h.Requests.As(c.in.SHA256) {
		switch {
		case o.Game != "" || !auth.SameAddress(o.Address, sender):
		case o.Line == q.Line:
			q = o
		case c.in.Received.Sub(o.Asked) < tokenDays*24*time.Hour:
			others++
		}
	}
	if others >= lobby.RequestsOf {
		d.refuse(codes.TooMuch, fmt.Sprintf("you asked for %d things that are not done yet", others), "answer a question that went to you; the line leave list forgets them all")
		return nil
	}
	if q.Waits() {
		d.subject = "You wait for a game"
		d.say("You are on the waiting list for that already.")
		return nil
	}
	c.Steps = append(c.Steps, RequestStep{Requests: h.Requests, Put: q})
	d.subject = "A question went to you"
	d.say("A mail with a question goes to %s. What you asked for is done when you answer it. At most %d such mails go to one address within a day.", sender, questionsTo)
	return c.ask(query{game: vault.Settings{ID: lobbyGame, Title: c.robot.Name}, shown: lobbyGame, secret: h.Requests.Secret(), claim: requestClaim(q)}, []DailyLimit{{Who: auth.Canonical(sender), PerDay: questionsTo}, {Who: "lobby/" + what, PerDay: 4 * questionsGame}}, about+".")
}

// lobbyGame stands for a game in what is asked of no game.
const lobbyGame = "lobby"

// requestClaim is what is confirmed of a request.
func requestClaim(q lobby.Request) auth.Claim {
	return auth.Claim{Kind: claimRequest, Game: lobbyGame, Request: q.Line, Changes: int(q.Asked.Unix()), Address: q.Address}
}

// fitsRequest does what a token confirms, if it is one for a request of the sender.
func fitsRequest(c *task, d *commandResult, token, sender string) (bool, error) {
	h := c.services.Hosting
	if h == nil {
		return false, nil
	}
	for _, q := range h.Requests.As(c.in.SHA256) {
		if !auth.SameAddress(q.Address, sender) || !requestClaim(q).Confirms(h.Requests.Secret(), token, c.in.Received) {
			continue
		}
		c.to = sender
		if !q.Confirmed.IsZero() || q.Game != "" {
			d.refuse(codes.BadToken, "you confirmed that already", "")
			return true, nil
		}
		words := strings.Fields(q.Line)
		w, err := lobby.ReadWish(words[1:])
		if err != nil {
			return true, fmt.Errorf("request %q: %w", q.Line, err)
		}
		switch words[0] {
		case "observe":
			err = observes(c, d, q, c.people.seats(sender))
		case "practice":
			err = makeGame(c, d, w, vault.OriginPractice, []lobby.Request{q})
		case "create":
			err = makeGame(c, d, w, vault.OriginMail, []lobby.Request{q})
		default:
			err = match(c, d, q)
		}
		return true, err
	}
	return false, nil
}

// make has a game made for those who asked for it; the first has just confirmed that.
func makeGame(c *task, d *commandResult, w lobby.Wish, origin string, of []lobby.Request) error {
	name := cmp.Or(w.Scenario, "game")
	if origin == vault.OriginPractice {
		name = "practice"
	}
	id := name[:min(len(name), 30)] + "-" + c.in.SHA256[:6]
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
	c.Steps = append(c.Steps, confirmedStep(c, of[0]), GameStep{Hosting: c.services.Hosting, Setup: s, Invite: w.Invite, Of: of, Mail: c.in.SHA256})
	d.subject = "Your game is made"
	d.say("Your game is called %s. The first report comes in a mail of its own: answer it with orders. The word help as the first line of a mail brings a list of all that may be sent.", id)
	switch {
	case origin == vault.OriginPractice:
		d.say("Robots have the other side, so each answer of yours is played at once. If you send nothing for a week, and again for a week, your ships surrender, and the game is over.")
	case s.Mail.Start == vault.StartFull:
		d.say("It begins when all seats are taken. Others join with a mail whose first line is: join %s", id)
	}
	return nil
}

// confirmed is the step that notes that a request was confirmed.
func confirmedStep(c *task, q lobby.Request) RequestStep {
	return RequestStep{Requests: c.services.Hosting.Requests, Confirm: q, Mail: c.in.SHA256, At: c.in.Received}
}

// listed tells whether a join means the waiting list.
func (c *task) listed(d *commandResult) bool {
	h := c.services.Hosting
	return h != nil && len(h.Offers) > 0 && d.cmd.Ship == "" && d.cmd.Side == "" &&
		(strings.EqualFold(d.cmd.Game, anyScenario) || slices.ContainsFunc(h.Offers, func(w lobby.Wish) bool { return strings.EqualFold(w.Scenario, d.cmd.Game) }))
}

// anyScenario is what one writes who waits for whatever is offered.
const anyScenario = "any"

// wait asks who wants a place on the waiting list whether it was he.
func waitForGame(c *task, d *commandResult) error {
	sender := c.in.Mail.Senders()[0]
	if !answerable(sender) {
		d.refuse(codes.BadAddress, "no mails can be sent to your address", "")
		return nil
	}
	d.cmd.Game = strings.ToLower(d.cmd.Game)
	return request(c, d, sender, fmt.Sprintf("A person asked from this address to wait for a game: %s", d.cmd), "wait")
}

// leaveList takes the sender off the waiting list.
func leaveList(c *task, d *commandResult) error {
	h, sender := c.services.Hosting, c.in.Mail.Senders()[0]
	if h == nil || !slices.ContainsFunc(h.Requests.As(c.in.SHA256), func(q lobby.Request) bool { return q.Game == "" && auth.SameAddress(q.Address, sender) }) {
		d.refuse(codes.NoSeat, "you are not on the waiting list", "")
		return nil
	}
	c.Steps = append(c.Steps, RequestStep{Requests: h.Requests, Drop: sender})
	d.subject = "You left the waiting list"
	d.say("You are not on the waiting list any more, and what you asked for and did not confirm is forgotten.")
	return nil
}

// match has the first game made of the waiting list for which enough people are there, with
// one whose request was confirmed just now.
func match(c *task, d *commandResult, q lobby.Request) error {
	waiting := []lobby.Request{q}
	for _, o := range c.services.Hosting.Requests.As(c.in.SHA256) {
		if o.Waits() && strings.HasPrefix(o.Line, "join ") && !slices.ContainsFunc(waiting, func(w lobby.Request) bool { return auth.SameAddress(w.Address, o.Address) }) {
			waiting = append(waiting, o)
		}
	}
	slices.SortStableFunc(waiting[1:], func(a, b lobby.Request) int { return a.Confirmed.Compare(b.Confirmed) })
	lack := 0
	for _, w := range c.services.Hosting.Offers {
		wants := func(o lobby.Request) bool {
			_, what, _ := strings.Cut(o.Line, " ")
			return what == anyScenario || what == w.Scenario
		}
		if !wants(q) {
			continue
		}
		there := slices.DeleteFunc(slices.Clone(waiting), func(o lobby.Request) bool { return !wants(o) })
		s, err := c.services.Hosting.setup(c.services.Library, c.robot.Address, c.in.Received, w, vault.OriginMail, "wish", nil)
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
	d.subject = "You wait for a game"
	d.say("You are on the waiting list. The game is made when enough are there: %s still to come. Its first report comes then. To leave the list, send a mail with the line: leave list", map[bool]string{true: "1 more is", false: fmt.Sprintf("%d more are", lack)}[lack == 1])
	return nil
}
