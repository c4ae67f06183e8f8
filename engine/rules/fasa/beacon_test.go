package fasa

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/testkit/enginetest"
)

// made returns the beacon of a round; its figures belong to no real chain.
func made(round uint64) dice.Beacon {
	return dice.Beacon{Chain: strings.Repeat("ab", 32), Round: round, Randomness: strings.Repeat("0123456789abcdef"[round%16:][:1], 64)}
}

// TestRoundsHaveTheirBeacons plays turns in rounds that have a beacon each: each round's dice come from its own
// beacon, earlier events stay the same, and so does the turn when it is played at once with all beacons. Played
// whole with one beacon, all its dice come from that.
func TestRoundsHaveTheirBeacons(t *testing.T) {
	everyCourse(t, 10, func(t *rapid.T, r *engine.Rules, lib *tables.Library) {
		g, sheets := drawRoundsTurn(t, r, lib)
		secret := dice.FromSeed(rapid.Uint64Range(0, 1<<40).Draw(t, "secret"))
		none := rapid.IntRange(0, r.Rounds()).Draw(t, "a round without a beacon")
		var beacons []dice.Beacon
		for k := range r.Rounds() {
			b := made(uint64(k + 1))
			if k+1 == none {
				b = dice.Beacon{}
			}
			beacons = append(beacons, b)
		}
		var told []engine.Event
		for k := 1; k <= r.Rounds(); k++ {
			after, events, err := engine.ResolveRounds(r, g, sheets, engine.RoundLimit{Upto: k, Told: told, Beacons: beacons[:k]}, secret)
			if err != nil {
				t.Fatalf("round %d: %v\n%s", k, err, sheetTexts(sheets))
			}
			rollsAreOf(t, g, secret, events, len(told), beacons[k-1])
			if told = events; after.Result != nil {
				break
			}
		}
		_, whole, err := engine.ResolveRounds(r, g, sheets, engine.RoundLimit{Upto: r.Rounds(), Beacons: beacons}, secret)
		if err != nil {
			t.Fatal(err)
		}
		want, err := engine.EncodeEvents(told)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := engine.EncodeEvents(whole); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("the turn at once is another one: %v\n%s", err, sheetTexts(sheets))
		}
		_, one, err := engine.ResolveRounds(r, g, sheets, engine.RoundLimit{Upto: r.Rounds(), Beacons: []dice.Beacon{made(9)}}, secret)
		if err != nil {
			t.Fatal(err)
		}
		rollsAreOf(t, g, secret, one, 0, made(9))
	})
}

// rollsAreOf checks the dice among events, beginning with index from, against a beacon.
func rollsAreOf(t *rapid.T, g *engine.Game, secret dice.Secret, events []engine.Event, from int, b dice.Beacon) {
	luck := map[string]string{}
	for _, e := range events {
		if l, ok := e.Body.(*engine.Luck); ok {
			luck[engine.Seat{Ship: l.Ship, Post: l.Post}.String()] = l.Words
		}
	}
	source := engine.DiceOf(g, secret, luck, b)
	for _, e := range events[from:] {
		if roll, ok := e.Body.(*engine.Roll); ok && roll.Value != source.Roll(roll.Name.String(), roll.Dice) {
			t.Fatalf("%s is %d, its beacon gives %d", roll.Name, roll.Value, source.Roll(roll.Name.String(), roll.Dice))
		}
	}
}

func TestBeaconsThatCannotBe(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	enginetest.FewChecks(t, 3)
	r, err := Basic(lib)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		g, sheets := drawRoundsTurn(t, r, lib)
		older := g.Clone()
		older.Format = 1
		for _, test := range []struct {
			what    string
			g       *engine.Game
			upto    int
			beacons []dice.Beacon
			want    string
		}{
			{"more than rounds", g, 1, []dice.Beacon{made(1), made(2)}, "2 beacons, but only 1 rounds"},
			{"more than a turn has", g, 99, slices.Repeat([]dice.Beacon{made(1)}, r.Rounds()+1), "beacons, but only"},
			{"a bad one", g, 1, []dice.Beacon{{Chain: "x", Round: 1}}, "want 64 hexadecimal digits"},
			{"a game of format 1", older, 1, []dice.Beacon{made(1)}, "has none"},
		} {
			_, _, err := engine.ResolveRounds(r, test.g, sheets, engine.RoundLimit{Upto: test.upto, Beacons: test.beacons}, dice.FromSeed(1))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v, want %q", test.what, err, test.want)
			}
		}
	})
}
