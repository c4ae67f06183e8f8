package rating

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func fought(id string, day int, won int, first, second []Player) Game {
	return Game{
		ID: id, Title: "Wolf", Set: "stcs-basic", Rules: "Basic Course", Ended: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC),
		Sides: [2]Side{{"Federation", first}, {"Klingon", second}}, Won: won, Odds: 0.5,
	}
}

var (
	ann = Player{Address: "ann@home.example", Name: "Ann"}
	bob = Player{Address: "bob@home.example", Name: "Bob"}
	eve = Player{Address: "eve@home.example", Name: "Bob"}
)

// TestABookNamesPeopleAndNoAddress checks that two people of one name are distinguished, that one
// who changes names is the same, and that the order of reading games does not matter.
func TestABookNamesPeopleAndNoAddress(t *testing.T) {
	late := ann
	late.Name = "Kirk"
	games := []Game{
		fought("a", 1, 0, []Player{ann}, []Player{bob}),
		fought("b", 2, -1, []Player{bob}, []Player{eve}),
		fought("c", 3, 0, []Player{late}, []Player{eve}),
	}
	now := time.Date(2026, 1, 20, 0, 0, 0, 0, time.UTC)
	b := Make(games, nil, now)
	if got, want := strings.Join(b.Names(), ", "), "Bob, Bob (2), Kirk"; got != want {
		t.Errorf("the captains are %s, want %s", got, want)
	}
	if len(b.Find("bob")) != 2 || len(b.Find("Bob (2)")) != 1 || len(b.Find("Ann")) != 0 {
		t.Errorf("found %v, %v, %v", b.Find("bob"), b.Find("Bob (2)"), b.Find("Ann"))
	}
	kirk := b.Find("kirk")[0]
	if len(kirk.Games) != 2 || kirk.Games[0].Game != "c" || kirk.Standings[0].Won != 2 {
		t.Errorf("the record is %+v", kirk)
	}
	if first := b.Tables[0].Standings[0]; first.Name != "Kirk" || first.Rating <= 1500 || first.Deviation >= 350 {
		t.Errorf("the strongest is %+v", first)
	}
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text)+b.Text()+kirk.Text(), "@") {
		t.Errorf("an address is shown: %s", text)
	}
	games[0], games[2] = games[2], games[0]
	if again, err := json.Marshal(Make(games, nil, now)); err != nil || string(again) != string(text) {
		t.Errorf("read in another order the book is\n%s\n%s", again, text)
	}
}

// TestCaptainsOfASideShareItsResult checks that they do, and that they are rated against the mean
// of the other side.
func TestCaptainsOfASideShareItsResult(t *testing.T) {
	b := Make([]Game{fought("a", 1, 0, []Player{ann, bob}, []Player{eve})}, nil, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
	all := b.Tables[0].Standings
	if len(all) != 3 || all[0].Rating != all[1].Rating || all[0].Won != 1 || all[2].Lost != 1 || all[2].Rating >= 1500 {
		t.Errorf("the ratings are %+v", all)
	}
}

// TestRatingsOfOldGamesAreLessSure checks that the deviation grows in months without games.
func TestRatingsOfOldGamesAreLessSure(t *testing.T) {
	games := []Game{fought("a", 1, 0, []Player{ann}, []Player{bob})}
	soon := Make(games, nil, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)).Tables[0].Standings[0]
	late := Make(games, nil, time.Date(2029, 1, 2, 0, 0, 0, 0, time.UTC)).Tables[0].Standings[0]
	if late.Rating != soon.Rating || late.Deviation <= soon.Deviation {
		t.Errorf("in three years %+v became %+v", soon, late)
	}
}
