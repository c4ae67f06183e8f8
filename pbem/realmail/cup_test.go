//go:build integration

package realmail_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/cup"
	"starpost/pbem/demo"
	"starpost/pbem/outgoing"
)

// cupPlayed is a cup that is being played by mail.
type cupPlayed struct {
	t        *testing.T
	s        *servers
	dir, bin string
	all      map[string]*captain // by address
}

// TestRealCup plays a cup of eight captains to its end through real mail servers, by mail alone except for the referee's
// decisions. One captain leaves during a game, one between games. One game is abandoned, one result is disputed after the
// next round was paired, one captain is replaced, and one has a stand-in.
func TestRealCup(t *testing.T) {
	s := realServers(t).world(t, "cups")
	c := &cupPlayed{t: t, s: s, bin: build(t), dir: t.TempDir(), all: map[string]*captain{}}
	for _, user := range []string{"gus", "hal", "ida", "joe"} {
		empty(t, s, user)
	}
	if err := os.Mkdir(filepath.Join(c.dir, "games"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := configure(t, s, c.dir, "answers_per_hour = 100")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, string(text)+"[lobby]\n")
	write(t, filepath.Join(c.dir, "summer.toml"), `name = "summer"
title = "Summer cup"
format = "swiss"
scenario = "run-the-line"
sides = "once"
rounds = 3
pairs = "daemon"
options = ["deadline=2d"]
`)
	c.run("new", filepath.Join(c.dir, "summer.toml"))
	d := newDaemon(t, c.bin, file)
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := lasting(t)
	defer cancel()
	users := []string{"ann", "bob", "cid", "dee", "eve", "fay", "gus", "hal"}
	for _, user := range append(users, "ida") {
		one := person(t, s, user)
		c.all[one.address] = one
	}
	umpire, ida := person(t, s, "umpire"), c.all[s.address("ida")]
	d.awaitMailbox(ctx)
	c.each(users, func(one *captain) {
		one.mail(ctx, t, s.address("starpost"), "cup join summer as "+strings.ToUpper(one.name[:1])+one.name[1:])
		one.confirms(ctx, t, "request")
		one.await(ctx, t, "Summer cup")
	})
	c.run("pair", "summer")

	// The first round: one captain leaves, the others play.
	matches := c.round(1, 4)
	leaver, left := c.players(matches[0][0])
	c.leaves(ctx, leaver)
	left.await(ctx, t, "has left")
	c.play(ctx, matches[1:]...)
	c.paired(ctx, 2)

	// The second: the captain with a bye leaves, one game is abandoned, one taken over; a result of the first is disputed.
	matches = c.round(2, 3)
	resting := c.resting(2)
	c.leaves(ctx, resting)
	// A captain who has left disputes nothing, and the one who rests may be the loser of any game.
	disputed := "summer-r1-2"
	loser := c.all[c.loser(c.game(disputed))]
	if loser == resting {
		disputed = "summer-r1-3"
		loser = c.all[c.loser(c.game(disputed))]
	}
	loser.mail(ctx, t, s.address("starpost"), "cup dispute summer "+disputed+" the light was in my eyes")
	loser.confirms(ctx, t, "request")
	loser.await(ctx, t, "Summer cup")
	umpire.says(ctx, t, "The result of "+disputed+" is disputed", "the light was in my eyes")
	c.run("rule", "summer", disputed, "draw", "--why", "It was bright")
	loser.says(ctx, t, disputed+" was decided", "It was bright")
	for _, o := range matches[0] {
		c.run("rule", "summer", o.Game.ID, "draw", "--why", "Nobody came")
	}
	gone, _ := c.players(matches[1][0])
	c.run("replace", "summer", gone.address, "Ida <"+ida.address+">")
	for _, o := range matches[1] {
		begins := gone.await(ctx, t, "["+o.Game.ID+"]")
		_, ship, _ := strings.Cut(begins.Subject, "begins: ")
		ship, _, _ = strings.Cut(ship, ",")
		c.referee("replace", o.Game.ID, ship, ida.address)
	}
	c.play(ctx, matches[1:]...)
	c.paired(ctx, 3)

	// The last: one captain is away, and a stand-in plays the game.
	matches = c.round(3, 3)
	away, _ := c.players(matches[0][0])
	joe := person(t, s, "joe")
	for _, o := range matches[0] {
		c.standsIn(ctx, joe, away, o.Game.ID)
	}
	c.all[away.address] = joe
	c.play(ctx, matches...)
	c.all[away.address] = away
	ends := 0
	for _, e := range c.read().Entrants {
		if e.Withdrawn {
			continue
		}
		c.all[e.Members[0].Address].says(ctx, t, "Summer cup is over", "over after 3 rounds")
		ends++
	}
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if ends != 6 {
		t.Errorf("%d captains were in it to the end, want 6", ends)
	}
	c.settled(gone, ida)
	nobodysAddress(t, joe, c.all)
	nothingSecret(t, s, c.dir)
}

// run runs "starpost cup" and returns what it prints.
func (c *cupPlayed) run(args ...string) string {
	c.t.Helper()
	out, err := run(c.t.Context(), c.dir, nil, "", c.bin, append(append([]string{"cup"}, args...), "--config", filepath.Join(c.dir, "starpost.toml"))...)
	if err != nil {
		c.t.Fatal(err)
	}
	return out
}

func (c *cupPlayed) referee(verb, game string, args ...string) {
	c.t.Helper()
	if _, err := run(c.t.Context(), c.dir, nil, "", c.bin, append([]string{"referee", verb, filepath.Join(c.dir, "games", game)}, append(args, "--why", "no time")...)...); err != nil {
		c.t.Fatal(err)
	}
}

func (c *cupPlayed) read() *cup.Cup {
	c.t.Helper()
	read, err := cup.In(filepath.Join(c.dir, "state")).Read("summer")
	if err != nil {
		c.t.Fatal(err)
	}
	return read
}

// round returns the games of a round that was just paired, by match. Two captains with the same side before play two games.
func (c *cupPlayed) round(n, want int) (matches [][]cup.OpenGame) {
	c.t.Helper()
	read := c.read()
	for _, o := range read.Open() {
		if last := len(matches) - 1; last >= 0 && matches[last][0].Match == o.Match {
			matches[last] = append(matches[last], o)
		} else {
			matches = append(matches, []cup.OpenGame{o})
		}
	}
	if read.Paired != n || len(matches) != want {
		c.t.Fatalf("round %d is to be played, with %d matches:\n%s", n, want, read.Text(0))
	}
	return matches
}

func (c *cupPlayed) game(id string) cup.OpenGame {
	c.t.Helper()
	o, ok := c.read().Game(id)
	if !ok || o.Game.Result == nil {
		c.t.Fatalf("%s has no result", id)
	}
	return o
}

func (c *cupPlayed) players(o cup.OpenGame) (first, second *captain) {
	a, b := c.read().Players(o)
	return c.all[a.Address], c.all[b.Address]
}

// loser returns the address of the captain who lost a game. After a draw it is one of the two.
func (c *cupPlayed) loser(o cup.OpenGame) string {
	n := o.Match.Second
	if o.Game.Result.Outcome == "second" {
		n = o.Match.First
	}
	return c.read().Entrants[n-1].Members[0].Address
}

// resting returns the captain with a bye in a round.
func (c *cupPlayed) resting(round int) *captain {
	c.t.Helper()
	read := c.read()
	i := slices.IndexFunc(read.Matches, func(m cup.Match) bool { return m.Round == round && m.Second == 0 })
	if i < 0 {
		c.t.Fatalf("nobody sits round %d out:\n%s", round, read.Text(0))
	}
	return c.all[read.Entrants[read.Matches[i].First-1].Members[0].Address]
}

func (c *cupPlayed) leaves(ctx context.Context, one *captain) {
	c.t.Helper()
	one.mail(ctx, c.t, c.s.address("starpost"), "cup leave summer")
	one.confirms(ctx, c.t, "request")
	one.await(ctx, c.t, "Summer cup")
}

// paired waits until all captains in the cup have been told that a round is paired.
func (c *cupPlayed) paired(ctx context.Context, round int) {
	c.t.Helper()
	for _, e := range c.read().Entrants {
		if !e.Withdrawn {
			c.all[e.Members[0].Address].await(ctx, c.t, fmt.Sprintf("Round %d is paired", round))
		}
	}
}

// each calls do for several users at the same time.
func (c *cupPlayed) each(users []string, do func(*captain)) {
	c.t.Helper()
	var group sync.WaitGroup
	for _, user := range users {
		group.Go(func() { do(c.all[c.s.address(user)]) })
	}
	group.Wait()
	if c.t.Failed() {
		c.t.FailNow()
	}
}

// play plays matches to their ends, at the same time, with the orders that the reports offer.
func (c *cupPlayed) play(ctx context.Context, matches ...[]cup.OpenGame) {
	c.t.Helper()
	var group sync.WaitGroup
	for _, games := range matches {
		open := map[string]bool{}
		for _, o := range games {
			open[o.Game.ID] = true
		}
		first, second := c.players(games[0])
		for _, one := range []*captain{first, second} {
			group.Go(func() {
				if err := one.playCup(ctx, maps.Clone(open)); err != nil {
					c.t.Errorf("%s in %s: %v", one.name, games[0].Game.ID, err)
				}
			})
		}
	}
	group.Wait()
	if c.t.Failed() {
		c.t.FailNow()
	}
}

// playCup answers the reports of games until they are over.
func (c *captain) playCup(ctx context.Context, games map[string]bool) error {
	for len(games) > 0 {
		l, err := c.next(ctx, "begins: Warden", "begins: Quicksilver", "report for Warden", "report for Quicksilver", "The battle is over")
		if err != nil {
			return err
		}
		r, err := demo.ReadReport(l.raw, catalogue())
		switch {
		case err != nil:
			return err
		case r.View == nil || !games[r.View.Game]:
		case r.View.Result != nil:
			delete(games, r.View.Game)
		case r.Orders != "":
			if err := c.sendOrders(ctx, r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *captain) sendOrders(ctx context.Context, r demo.Report) error {
	sender, err := outgoing.NewSender(c.s.outbox(c.name), nil)
	if err != nil {
		return err
	}
	c.sent++
	raw, err := outgoing.Render(outgoing.Message{
		From: outgoing.Address{Addr: c.address}, To: outgoing.Address{Addr: r.Mail.ReplyTo[0].Addr}, Subject: "Re: " + r.Mail.Subject,
		MessageID: fmt.Sprintf("<mail-%d.%s@%s>", c.sent, c.name, c.s.domain), InReplyTo: r.Mail.MessageID, References: []string{r.Mail.MessageID},
		Date: time.Now(), Text: keyInHead.ReplaceAllString(r.Orders, "$1"),
	})
	if err != nil {
		return err
	}
	session, err := sender.Open(ctx)
	if err != nil {
		return err
	}
	defer session.Close()
	_, err = session.Send(ctx, outgoing.Envelope{From: c.address, To: r.Mail.ReplyTo[0].Addr, Data: raw})
	return err
}

// standsIn makes one captain the stand-in of another, who is away, in a game that has begun. The stand-in is asked, agrees,
// and gets the reports from then on.
func (c *cupPlayed) standsIn(ctx context.Context, one, away *captain, game string) {
	c.t.Helper()
	until := time.Now().AddDate(0, 0, 7).Format("2006-01-02")
	away.reply(ctx, c.t, away.await(ctx, c.t, "["+game+"]"), "away "+game+" until "+until+" stand-in "+one.address)
	one.reply(ctx, c.t, one.await(ctx, c.t, "Will you stand in?"), "confirm")
	one.await(ctx, c.t, "You stand in")
	away.says(ctx, c.t, "Your stand-in has agreed", "stand-in gives your orders")
}

// settled checks the final standings of the cup, that games verify, and that no mail has another captain's address.
func (c *cupPlayed) settled(gone, ida *captain) {
	c.t.Helper()
	var read []struct {
		Over      bool
		Standings []cup.Row
	}
	if err := json.Unmarshal([]byte(c.run("status", "summer", "--json")), &read); err != nil || len(read) != 1 {
		c.t.Fatalf("%v: %+v", err, read)
	}
	sum, withdrawn := 0.0, 0
	for _, r := range read[0].Standings {
		sum += r.Points
		if r.Withdrawn {
			withdrawn++
		}
	}
	// One point each for four games, three games and a bye, and three games.
	if !read[0].Over || len(read[0].Standings) != 8 || withdrawn != 2 || sum != 11 {
		c.t.Errorf("over %t, %d withdrew, %g points:\n%+v", read[0].Over, withdrawn, sum, read[0].Standings)
	}
	for _, id := range []string{"summer-r1-2", "summer-r3-1"} {
		if out, err := run(c.t.Context(), c.dir, nil, "", c.bin, "verify", filepath.Join("games", id)); err != nil {
			c.t.Errorf("%v\n%s", err, out)
		}
	}
	for _, one := range c.all {
		nobodysAddress(c.t, one, c.all)
		begun := 0
		for _, l := range one.letters {
			if strings.Contains(l.Subject, "Round 3 is paired") {
				begun++
			}
		}
		if one == gone && begun != 0 || begun > 1 {
			c.t.Errorf("%s was told of the last round %d times", one.name, begun)
		}
	}
	if len(ida.letters) == 0 {
		c.t.Error("nobody played on for " + gone.name)
	}
	if inbox := c.s.folder(c.t, "starpost", "INBOX"); len(inbox) != 0 {
		c.t.Errorf("%d mails are left in the robot's inbox", len(inbox))
	}
}
