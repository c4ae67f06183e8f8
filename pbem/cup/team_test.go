package cup

import (
	"strings"
	"testing"
)

// TestTeamsComeInOneByOne checks that by mail a team is founded by its first captain and requires its password from the
// others. It is paired once complete, and a captain may be replaced.
func TestTeamsComeInOneByOne(t *testing.T) {
	p := begin(t, Settings{Name: "league", Title: "League", Format: swissCup, Scenario: "x", Sides: SidesOnce, Boards: 2, Aliases: "chance"}, 1)
	mail := Source{By: ByMail, Now: day}
	join := func(team, word, address string) (Entry, error) {
		return p.cup.JoinTeam(mail, team, word, Member{Name: "Captain " + address[:1], Address: address})
	}
	refused := func(_ Entry, err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, team := range []string{"Comets", "Meteors", "Halves"} {
		p.do(join(team, "", strings.ToLower(team[:1])+"1@home.example"))
	}
	for _, word := range []string{"", p.cup.Word("Meteors")} {
		e, err := join("comets", word, "c2@home.example")
		refused(e, err, "need its word")
	}
	e, err := join("Comets", p.cup.Word("Comets"), "m1@home.example")
	refused(e, err, "Meteors is already in League")
	p.do(join("COMETS", p.cup.Word("comets"), "c2@home.example"))
	e, err = join("Comets", p.cup.Word("Comets"), "c3@home.example")
	refused(e, err, "is full")
	if _, err := p.cup.Pair(p.referee()); err == nil {
		t.Error("one complete team is paired")
	}
	p.do(join("Meteors", p.cup.Word("Meteors"), "m2@home.example"))
	p.do(p.cup.Pair(p.referee()))
	if open := p.cup.Open(); len(open) != 2 || open[0].Match.First+open[0].Match.Second != 3 {
		t.Errorf("the games are %+v", open)
	}
	if text := p.cup.Text(0); !strings.Contains(text, "1 captain still to come") {
		t.Errorf("a team that lacks one is not told of:\n%s", text)
	}
	e, err = p.cup.Replace(p.referee(), "Comets", Member{Address: "new@home.example"})
	refused(e, err, "is a team")
	p.do(p.cup.Replace(p.referee(), "c2@home.example", Member{Name: "New", Address: "new@home.example"}))
	if p.cup.Of("new@home.example") != 1 || p.cup.Of("c2@home.example") != 0 {
		t.Error("the captain was not replaced")
	}
}

// TestDisputesWaitForTheReferee checks that one of the two may dispute a game, once, with a reason, until the referee
// has decided it; pairings stay, and the standings follow.
func TestDisputesWaitForTheReferee(t *testing.T) {
	p := begin(t, Settings{Name: "cup", Title: "Cup", Format: swissCup, Scenario: "x", Sides: SidesOnce}, 1)
	for range 4 {
		p.enter(1500)
	}
	p.do(p.cup.Pair(p.referee()))
	o := p.cup.Open()[0]
	first, other := o.Match.First, p.cup.Open()[1].Match.First
	p.do(p.cup.Played(p.referee(), o, true, false))
	p.do(p.cup.Played(p.referee(), p.cup.Open()[0], true, false))
	p.do(p.cup.Pair(p.referee()))
	second := o.Match.Second
	for _, c := range []struct {
		who       int
		why, want string
	}{{other, "x", "not your game"}, {second, " ", "reason is missing"}} {
		if _, err := p.cup.Dispute(Source{By: ByMail, Why: c.why, Now: day}, c.who, o.Game.ID); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	p.do(p.cup.Dispute(Source{By: ByMail, Why: "the host was down", Now: day}, second, o.Game.ID))
	if _, err := p.cup.Dispute(Source{By: ByMail, Why: "again", Now: day}, first, o.Game.ID); err == nil {
		t.Error("it is disputed twice")
	}
	if told := p.cup.Disputed(); len(told) != 1 || !strings.Contains(told[0], "the host was down") || strings.Contains(p.cup.Text(0), "host was down") {
		t.Errorf("the referee is told %v, all are told\n%s", told, p.cup.Text(0))
	}
	before := p.cup.points()[second]
	p.do(p.cup.Rule(p.referee(), o.Game.ID, p.cup.Name(second)))
	if got := p.cup.points()[second]; got != before+point || len(p.cup.Disputed()) != 0 || p.cup.Paired != 2 {
		t.Errorf("after the decision: %d points, was %d; disputed %v", got, before, p.cup.Disputed())
	}
	if _, err := p.cup.Dispute(Source{By: ByMail, Why: "again", Now: day}, first, o.Game.ID); err == nil {
		t.Error("a decision is disputed")
	}
}
