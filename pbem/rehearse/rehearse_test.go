package rehearse_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rehearsal"
	"starpost/engine/rules/fasa"
	"starpost/pbem/record/directory"
	"starpost/pbem/rehearse"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// fleet returns a game with the given number of ships.
func fleet(t *testing.T, ships int) (*vault.Game, *turn.Position) {
	t.Helper()
	var text strings.Builder
	text.WriteString("format = 1\nname = \"fleet\"\ntitle = \"Fleet\"\nrules = \"stcs-basic\"\n[[side]]\nid = \"red\"\n[[side]]\nid = \"green\"\n")
	for i := range ships {
		side, row, heading := "red", 16, "A"
		if i%2 > 0 {
			side, row, heading = "green", 10, "D"
		}
		fmt.Fprintf(&text, "[[ship]]\nname = \"Ship%02d\"\nside = %q\nclass = \"constitution-hood\"\nhex = \"%02d%02d\"\nheading = %q\n", i, side, 2+i, row, heading)
	}
	sets := vault.Catalogue{}
	for _, s := range fasa.Family().Sets {
		sets[s.Name] = s.Rules
	}
	dir := filepath.Join(t.TempDir(), "fleet")
	if _, err := turn.Create(dir, sets, turn.Setup{
		Scenario: []byte(text.String()), ID: "fleet", Mail: vault.DefaultMail(), Secret: dice.FromSeed(1), Options: turn.Options{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)},
	}); err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), sets)
	if err != nil {
		t.Fatal(err)
	}
	p, err := turn.Load(g)
	if err != nil {
		t.Fatal(err)
	}
	return g, p
}

// A rehearsal by mail plays fewer battles the more ships there are, and the answer says so.
func TestMailsAreBounded(t *testing.T) {
	for ships, most := range map[int]int{2: 500, 20: 50} {
		g, p := fleet(t, ships)
		text, refused, err := new(rehearse.Limit).ByMail(p, rehearse.Mail{Game: g, Captain: "Ship00", Words: []string{"times", "1000"}})
		if err != nil || refused != nil {
			t.Fatal(refused, err)
		}
		if want := fmt.Sprintf("Played %d times with other dice, from what you know; you asked for 1000", most); !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("%d ships: want %q in\n%s", ships, want, text)
		}
	}
}

// The rehearsals of one captain in an hour are limited, each mail counted once; those of another are not affected.
func TestMailsOfAnHour(t *testing.T) {
	g, p := fleet(t, 2)
	var limit rehearse.Limit
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	ask := func(captain engine.CaptainName, mail int, at time.Time) string {
		t.Helper()
		text, refused, err := limit.ByMail(p, rehearse.Mail{Game: g, Captain: captain, Words: []string{"times", "1"}, SHA256: strconv.Itoa(mail), Received: at})
		if err != nil || (text == "") == (refused == nil) {
			t.Fatal(text, refused, err)
		}
		if refused != nil {
			return refused.Problem
		}
		return ""
	}
	for mail := range 20 {
		if got := ask("Ship00", mail, at.Add(time.Duration(mail)*time.Minute)); got != "" {
			t.Fatal(mail, got)
		}
	}
	late := at.Add(30 * time.Minute)
	if got := ask("Ship00", 20, late); !strings.Contains(got, "the limit is 20 rehearsals an hour") {
		t.Errorf("a further one: %q", got)
	}
	if again, other, next := ask("Ship00", 7, late), ask("Ship01", 20, late), ask("Ship00", 20, at.Add(time.Hour)); again+other+next != "" {
		t.Errorf("the same mail again: %q, another captain: %q, an hour after the first: %q", again, other, next)
	}
}

// Only the sets in force of the captain who asks are played.
func TestInForce(t *testing.T) {
	g, p := fleet(t, 2)
	for _, name := range []string{"Ship00", "Ship01"} {
		text := fmt.Sprintf("#orders fleet turn 1 ship %s\npower\n  move 4\nphase 2\n  move F\n#end\n", name)
		if err := g.Orders.Put(vault.At(1), name, []byte(text), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	sets, err := rehearse.InForce(g, p, "Ship01")
	if err != nil || len(sets) != 1 || sets[0].Seat != (engine.Seat{Ship: "ship01"}) {
		t.Errorf("%+v, %v", sets, err)
	}
	if _, err := rehearse.InForce(g, p, "Kirk"); err == nil {
		t.Error("there is no Kirk")
	}
}

func TestOther(t *testing.T) {
	for word, want := range map[string]rehearsal.Other{
		"Riskadh=Keep": {Ship: "Riskadh", By: rehearsal.ByKeep}, "r=robot": {Ship: "r", By: rehearsal.ByRobot}, "r=a=b": {Ship: "r", By: rehearsal.ByOrders},
	} {
		if got, rest, err := rehearse.Other(word); err != nil || got != want || (rest != "") != (want.By == rehearsal.ByOrders) {
			t.Errorf("%s: %+v %q %v", word, got, rest, err)
		}
	}
	for _, word := range []string{"", "=", "riskadh", "riskadh=", "=keep"} {
		if _, _, err := rehearse.Other(word); err == nil {
			t.Errorf("%q says something", word)
		}
	}
}
