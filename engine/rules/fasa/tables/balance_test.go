package tables

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine/family"
)

func TestBalance(t *testing.T) {
	l := builtinLibrary(t)
	b, err := l.Balance([]family.Entrant{
		{Name: "Hood", Side: "federation", Class: "constitution-hood"},
		{Name: "Riskadh", Side: "klingon", Class: "d-10-wolf"},
		{Name: "Loknar", Side: "federation", Class: "Loknar-II"},
	}, family.UsualWithin)
	if err != nil {
		t.Fatal(err)
	}
	// 83.6 + 76.7 = 160.3 and 43.6 + 29.6 = 73.2, which make 117.3; 85.3 x 45.2 make 38.6.
	fed, kli := b.Sides[0], b.Sides[1]
	if len(b.Sides) != 2 || len(fed.Ships) != 2 || fed.weight != (weight{1603, 732, 1173}) || kli.weight != (weight{853, 452, 386}) {
		t.Errorf("%+v", b.Sides)
	}
	if fed.Ships[0].weight != (weight{836, 436, 364}) || fed.Ships[1].Class != "loknar-ii" {
		t.Errorf("%+v", fed.Ships)
	}
	want := comparison{Sides: [2]string{"federation", "klingon"}, D: 53, WDF: 61, CE: 32, Favours: "federation"}
	if len(b.Comparisons) != 1 || b.Comparisons[0] != want || b.Even() {
		t.Errorf("%+v", b.Comparisons)
	}
	if v := want.Verdict(); v != "not balanced; the stronger side is federation" {
		t.Error(v)
	}
}

// TestBalanceWays: cruisers that the rules call equal are so by both measures; a tough,
// weakly armed side can have the efficiency of a frail, well armed one.
func TestBalanceWays(t *testing.T) {
	l := builtinLibrary(t)
	for _, test := range []struct {
		one, other         string
		totals, efficiency bool
		verdict            string
	}{
		{"constitution-ii", "d-10d", true, true, "balanced by the totals and the combat efficiency"},
		{"constitution-ii", "constitution-ii", true, true, "balanced by the totals and the combat efficiency"},
		{"v-6", "l-24", false, false, "not balanced; the stronger side is b"},
		{"reliant-i", "l-9", true, true, "balanced by the totals and the combat efficiency"},
		{"andor", "v-27", false, true, "balanced by the combat efficiency"},
		{"merchantman", "merchantman", true, true, "balanced by the totals and the combat efficiency"},
	} {
		b, err := l.Balance([]family.Entrant{{Name: "A", Side: "a", Class: test.one}, {Name: "B", Side: "b", Class: test.other}}, family.UsualWithin)
		if err != nil {
			t.Fatal(err)
		}
		c := b.Comparisons[0]
		if c.Totals != test.totals || c.Efficiency != test.efficiency || c.Verdict() != test.verdict {
			t.Errorf("%s against %s: %+v, %s", test.one, test.other, c, c.Verdict())
		}
	}
}

func TestBalanceOwnTables(t *testing.T) {
	own, err := builtinLibrary(t).With(map[string][]byte{"mine.toml": []byte(ownShip)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = own.Balance([]family.Entrant{{Name: "Sea Dog", Side: "a", Class: "corsair"}}, family.UsualWithin)
	if e, ok := errors.AsType[*unweighedError](err); !ok || e.Class != "corsair" || !strings.Contains(e.Hint(), "d = ") {
		t.Error(err)
	}
	if own, err = own.With(map[string][]byte{"mine.toml": []byte(strings.Replace(ownShip, `arcs = "known"`, "arcs = \"known\"\nd = \"50.0\"", 1))}); err != nil {
		t.Fatal(err)
	}
	b, err := own.Balance([]family.Entrant{{Name: "Sea Dog", Side: "a", Class: "corsair"}}, family.UsualWithin)
	// Two lances of 15 x 4 / 168 and 2 x 0.07, 0.5 each; a phaser of 5.8 and a
	// torpedo of 4.4.
	if err != nil || b.Sides[0].WDF != 112 || len(b.Comparisons) != 0 || !b.Even() {
		t.Error(b, err)
	}
	_, err = own.Balance([]family.Entrant{{Name: "X", Side: "a", Class: "corsari"}}, family.UsualWithin)
	if u, ok := errors.AsType[*unknownError](err); !ok || u.Suggestion != "corsair" {
		t.Error(err)
	}
}

// TestWeighByFormula: with ratings that add up to its published D, a design has its published
// weight; a cloak counts half as much again; for plasma there is no formula.
func TestWeighByFormula(t *testing.T) {
	const own = `
[weapons.bolt]
family = "plasma"
chart = "M"
arm = 3
plasma = "1-5 20/10"

[designs.twin]
title = "Twin"
navy = "raiders"
superstructure = 22
warp = [20, 20]
impulse = 8
move = "4/1"
shield = "1/3"
max_shield = 14
banks = ["bank-a: 2 FH-10 f/p", "bank-b: 2 FH-10 f/s", "torpedo-1: 1 FP-4 f", "torpedo-2: 1 FP-4 a"]
arcs = "known"
wer = "10.0"
ier = "2.0"
dpc = "12.5"
`
	builtin := builtinLibrary(t)
	for _, test := range []struct{ from, to, wdf, missing string }{
		{"", "", "63.8", ""},
		{"impulse = 8", "impulse = 8\ncloak = 9", "95.7", ""},
		{"1 FP-4 a", "1 bolt a", "0.0", "bolt"},
	} {
		l, err := builtin.With(map[string][]byte{"mine.toml": []byte(strings.Replace(own, test.from, test.to, 1))})
		if err != nil {
			t.Fatal(err)
		}
		w, err := l.weigh(l.Designs["twin"])
		unweighed, _ := errors.AsType[*unweighedError](err)
		if test.missing != "" {
			if unweighed == nil || unweighed.Weapon != test.missing || !strings.Contains(unweighed.Hint(), "wdf") {
				t.Error(err)
			}
		} else if published := builtin.Designs["reliant-i"]; err != nil || w.D != published.D || w.WDF.String() != test.wdf {
			t.Errorf("%s: %+v, %v", test.to, w, err)
		}
	}
}

// TestBalanceLaws: neither the order of the ships nor of the sides matters, a side
// balances with an equal one, and one more ship never makes a side weaker.
func TestBalanceLaws(t *testing.T) {
	l := builtinLibrary(t)
	names := l.DesignNames()
	rapid.Check(t, func(t *rapid.T) {
		class := rapid.SampledFrom(names)
		var ships, turned, twins []family.Entrant
		for range rapid.IntRange(1, 6).Draw(t, "ships") {
			e := family.Entrant{Name: "S", Side: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "side"), Class: class.Draw(t, "class")}
			ships = append(ships, e)
			turned = append([]family.Entrant{e}, turned...)
			twins = append(twins, family.Entrant{Name: "S", Side: "a", Class: e.Class}, family.Entrant{Name: "S", Side: "b", Class: e.Class})
		}
		within := rapid.IntRange(0, 100).Draw(t, "within")
		one, err := l.Balance(ships, within)
		if err != nil {
			t.Fatal(err)
		}
		two, err := l.Balance(turned, within)
		if err != nil {
			t.Fatal(err)
		}
		if len(one.Comparisons) != len(two.Comparisons) {
			t.Fatal("sides are lost")
		}
		for i, c := range one.Comparisons {
			d := two.Comparisons[i]
			d.Sides = c.Sides
			if c != d || c.D > 100 || c.CE < 0 {
				t.Fatalf("%+v and %+v", c, d)
			}
		}
		even, err := l.Balance(twins, 0)
		if err != nil || !even.Comparisons[0].Totals || !even.Comparisons[0].Efficiency || even.Comparisons[0].Favours != "" {
			t.Fatalf("%+v %v", even, err)
		}
		more, err := l.Balance(append(ships, family.Entrant{Name: "S", Side: ships[0].Side, Class: class.Draw(t, "more")}), within)
		if err != nil || more.Sides[0].CE < one.Sides[0].CE {
			t.Fatalf("%+v %v", more, err)
		}
	})
}
