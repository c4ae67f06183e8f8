package fasa

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/ruling"
	"starpost/orders"
)

// ruledDark plays a turn in which no ship moves, with rulings at its end.
func ruledDark(t *testing.T, r *engine.Rules, g *engine.Game, rulings ...string) (*engine.Game, []engine.Event, error) {
	t.Helper()
	var all []ruling.Ruling
	for _, what := range rulings {
		all = append(all, ruling.Ruling{By: "Rita", At: "now", Why: "as at the table", What: what})
	}
	var sheets []engine.Sheet
	for _, id := range g.InFight() {
		blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders game turn %d ship %s\npower\n move 0\n#end\n", g.Turn+1, mustShip(g, id).Name)), r.Language)
		sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
	}
	return engine.Resolve(ruling.Upon(r, all), g, sheets, dice.FromSeed(7))
}

func darkPair(r *engine.Rules) string {
	return darkScenario(r, darkShip("Hood", "red", "constitution-hood", "0505", "A", ""),
		darkShip("Near", "green", "d-10-wolf", "0512", "A", ""), darkShip("Mid", "green", "d-10-wolf", "0522", "A", ""), darkShip("Far", "green", "d-10-wolf", "60.60", "A", ""))
}

// list returns a captain's list of contacts, one a line.
func list(g *engine.Game, captain engine.CaptainName) string {
	var b strings.Builder
	for _, c := range g.Blind.Log(captain).Contacts {
		fmt.Fprintf(&b, "%s %s %s %s\n", c.Name(), c.Ship, c.Level, c.Hex.Label())
	}
	return b.String()
}

// TestARefereeRulesOnContacts: each ruling changes one captain's list as it says, and no other
// list.
func TestARefereeRulesOnContacts(t *testing.T) {
	for _, r := range darkBooks(t) {
		g := gameOf(t, r, darkPair(r))
		plain := "c01 near rough 0512\nc02 mid presence 0522\n"
		for ruling, want := range map[string]string{
			"contact Hood c02 2":        "c01 near rough 0512\nc02 mid rough 0522\n",
			"contact Hood c01 full":     "c01 near full 0512\nc02 mid presence 0522\n",
			"contact Hood Far field":    plain + "c03 far field " + mustShip(g, "far").Hex.Label() + "\n",
			"forget Hood c01":           "c02 mid presence 0522\n",
			"echo Hood 1716":            plain + "c03 ~c03.hood presence 1716\n",
			"move Mid 3535 A":           "c01 near rough 0512\nc02 mid nothing 0522\n",
			"move Near 0517 B":          "c01 near presence 0517\nc02 mid presence 0522\n",
			"move Far 0506 B":           plain + "c03 far full 0506\n",
			"move Hood 0502 A":          "c01 near rough 0512\nc02 mid presence 0522\n",
			"set Hood superstructure 9": plain,
		} {
			after, events, err := ruledDark(t, r, g, ruling)
			if err != nil {
				t.Errorf("%s, %s: %v", r.Name, ruling, err)
				continue
			}
			if got := list(after, "Hood"); got != want {
				t.Errorf("%s, %s: got\n%swant\n%s", r.Name, ruling, got, want)
			}
			v, err := engine.BuildView(r, after, events, after.Viewer(mustShip(after, "hood")))
			if err != nil {
				t.Fatal(err)
			}
			data, err := engine.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(ruling, "contact Hood Far") && bytes.Contains(data, []byte("ar")) && bytes.Contains(bytes.ToLower(data), []byte(`"far"`)) {
				t.Errorf("%s, %s: Hood is told the name", r.Name, ruling)
			}
			if want := strings.HasPrefix(ruling, "set "); !want && !bytes.Contains(data, []byte(`"referee"`)) && !strings.HasPrefix(ruling, "move Hood") {
				t.Errorf("%s, %s: Hood is not told that a referee did it", r.Name, ruling)
			}
		}
	}
}

// TestAnEchoStandsForATurn: an echo looks like any other contact, has no ship behind it, and is lost
// after the turn.
func TestAnEchoStandsForATurn(t *testing.T) {
	r := rulesOf(t, Basic)
	g, _, err := ruledDark(t, r, gameOf(t, r, darkPair(r)), "echo Hood 1716")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []blind.Level{blind.Presence, blind.Nothing} {
		turn := n + 2
		for g.Turn < turn {
			if g, _, err = ruledDark(t, r, g); err != nil {
				t.Fatal(err)
			}
		}
		if c := g.Blind.Log("Hood").Called(3); c == nil || c.Level != want {
			t.Errorf("turn %d: got %+v, want %s", turn, c, want)
		}
		if turn == 2 {
			if _, at, held, ok := dark.Means(r, g, "Hood", "c03"); held || !ok || at.Hex.Label() != "1716" {
				t.Errorf("c03 means %v, held %v, %v", at, held, ok)
			}
		}
	}
}

// TestRulingsOnContactsThatCannotBe are refused, with a way out.
func TestRulingsOnContactsThatCannotBe(t *testing.T) {
	r := rulesOf(t, Basic)
	g := gameOf(t, r, darkPair(r))
	open := gameOf(t, r, strings.Replace(darkPair(r), "[blind]\n", "", 1))
	for _, c := range []struct {
		g            *engine.Game
		what, reason string
	}{
		{open, "forget Hood c01", "in this game everyone sees the map"},
		{g, "contact Hood c09 2", "Hood has no contact c09"},
		{g, "contact Hood c01 4", `"4" is not a level`},
		{g, "contact Hood c01 2", "Hood shows rough of c01 already"},
		{g, "contact Hood Hood 2", "Hood is also commanded by Hood"},
		{g, "contact Hood Lursa 2", `"Lursa" is neither a contact nor a ship`},
		{g, "contact Hood c01", "2 words follow contact"},
		{g, "forget Hood Far", `Hood has no contact "Far"`},
		{g, "echo Hood 0506", "would show more than a presence at 0506"},
		{g, "echo Hood 6060", "or nothing"},
		{g, "echo Hood here", `"here" is not a hex`},
	} {
		_, _, err := ruledDark(t, r, c.g, c.what)
		if bad, ok := errors.AsType[*ruling.Error](err); !ok || !strings.Contains(bad.Problem, c.reason) {
			t.Errorf("%s: got %v, want %s", c.what, err, c.reason)
		}
	}
}

// TestACorrectionInTheDarkTellsNothing: rulings on what a captain never detected, and on lists of
// others, change no byte of what that captain gets of the turn or of the next.
func TestACorrectionInTheDarkTellsNothing(t *testing.T) {
	for _, r := range darkBooks(t) {
		g := gameOf(t, r, darkPair(r))
		var want [2][]byte
		for k, rulings := range [][]string{
			nil,
			{"move Far 50.70 C"},
			{"kill Far"},
			{"set Far superstructure 3"},
			{"contact Mid Far 3"},
			{"forget Near c01"},
			{"move Far 50.70 C", "revive Far"},
		} {
			if k == 6 {
				rulings = []string{"kill Far", "move Far 50.70 C", "revive Far"}
			}
			after, events, err := ruledDark(t, r, g, rulings...)
			if err != nil {
				t.Fatalf("%s, %v: %v", r.Name, rulings, err)
			}
			next, later, err := ruledDark(t, r, after)
			if err != nil {
				t.Fatal(err)
			}
			got := [2][]byte{toldTo(t, r, after, events, "hood"), toldTo(t, r, next, later, "hood")}
			if k == 0 {
				want = got
			}
			for n := range got {
				if !bytes.Equal(got[n], want[n]) {
					t.Errorf("%s, after %v, turn %d: got\n%s\nwant\n%s", r.Name, rulings, n+1, got[n], want[n])
				}
			}
		}
	}
}
