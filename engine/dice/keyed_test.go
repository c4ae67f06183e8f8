package dice

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

var allDice = []Die{D6, TwoD6, D10, D100}

func anyDie() *rapid.Generator[Die] { return rapid.SampledFrom(allDice) }

func TestRollStaysInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := ForTurn(FromSeed(rapid.Uint64().Draw(t, "seed")), rapid.String().Draw(t, "game"), 1, nil)
		d := anyDie().Draw(t, "die")
		low, high := d.Range()
		name := rapid.String().Draw(t, "name")
		if v := k.Roll(name, d); v < low || v > high {
			t.Errorf("%s %q = %d", d, name, v)
		}
	})
}

// TestUniform is a chi-square test with fixed secrets, so that its result never changes. The limits are near the
// 99.9 per cent points of the distribution.
func TestUniform(t *testing.T) {
	const n = 20_000
	limits := map[Die]float64{D6: 20.5, TwoD6: 29.6, D10: 27.9, D100: 148.2}
	for _, d := range allDice {
		for seed := range uint64(4) {
			k := ForTurn(FromSeed(seed), "uniform", 1, nil)
			low, high := d.Range()
			count := make([]int, high+1)
			for i := range n {
				count[k.Roll(fmt.Sprintf("t1.p%d.fire.hit", i), d)]++
			}
			chi := 0.0
			for v := low; v <= high; v++ {
				want := n / float64(high-low+1)
				if d == TwoD6 {
					want = n * float64(6-max(v-7, 7-v)) / 36
				}
				off := float64(count[v]) - want
				chi += off * off / want
			}
			if chi > limits[d] {
				t.Errorf("%s with seed %d: chi-square %.1f above %.1f: %v", d, seed, chi, limits[d], count)
			}
		}
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := FromSeed(rapid.Uint64().Draw(t, "seed"))
		names := rapid.SliceOfDistinct(rapid.String(), func(s string) string { return s }).Draw(t, "names")
		d := anyDie().Draw(t, "die")
		first := ForTurn(secret, "g", 2, nil)
		values := make(map[string]int)
		for _, name := range names {
			values[name] = first.Roll(name, d)
		}
		second := ForTurn(secret, "g", 2, nil)
		for _, name := range rapid.Permutation(names).Draw(t, "order") {
			if v := second.Roll(name, d); v != values[name] {
				t.Errorf("%q is %d, and %d in another order", name, values[name], v)
			}
		}
	})
}

func TestConcurrentRolls(t *testing.T) {
	k := ForTurn(FromSeed(5), "g", 1, nil)
	want := k.Roll("x", D100)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i := range 200 {
				k.Roll(fmt.Sprint(i), D6)
				if got := k.Roll("x", D100); got != want {
					t.Errorf("x is %d, was %d", got, want)
				}
			}
		})
	}
	wait.Wait()
}

// sheet rolls many times, so that two different sources are unlikely to agree.
func sheet(s Source) string {
	var b strings.Builder
	for i := range 24 {
		fmt.Fprintf(&b, "%d ", s.Roll(fmt.Sprintf("roll.%d", i), D100))
	}
	return b.String()
}

func digits(of rune) string { return strings.Repeat(string(of), 64) }

func TestEveryInputCounts(t *testing.T) {
	s := FromSeed(1)
	public := Beacon{digits('1'), 7, digits('3')}
	sources := map[string]Source{
		"plain":             ForTurn(s, "game", 1, nil),
		"other secret":      ForTurn(FromSeed(2), "game", 1, nil),
		"other game":        ForTurn(s, "gamf", 1, nil),
		"no game":           ForTurn(s, "", 1, nil),
		"luck":              ForTurn(s, "game", 1, map[string]string{"hood": "ahoy"}),
		"luck, turn 2":      ForTurn(s, "game", 2, map[string]string{"hood": "ahoy"}),
		"luck, game":        ForTurn(s, "gamf", 1, map[string]string{"hood": "ahoy"}),
		"luck, secret":      ForTurn(FromSeed(2), "game", 1, map[string]string{"hood": "ahoy"}),
		"other words":       ForTurn(s, "game", 1, map[string]string{"hood": "ahoy "}),
		"other ship":        ForTurn(s, "game", 1, map[string]string{"wolf": "ahoy"}),
		"two ships":         ForTurn(s, "game", 1, map[string]string{"hood": "ahoy", "wolf": "x"}),
		"exchanged":         ForTurn(s, "game", 1, map[string]string{"hood": "x", "wolf": "ahoy"}),
		"shifted":           ForTurn(s, "game", 1, map[string]string{"hooda": "hoy"}),
		"one, not two":      ForTurn(s, "game", 1, map[string]string{"hood": "ahoywolfx"}),
		"digits moved":      ForTurn(s, "game1", 1, map[string]string{"hood": "ahoy"}),
		"digits moved back": ForTurn(s, "game", 11, map[string]string{"hood": "ahoy"}),
		"beacon":            ForBeacon(s, "game", 1, "", public),
		"beacon, secret":    ForBeacon(FromSeed(2), "game", 1, "", public),
		"beacon, game":      ForBeacon(s, "gamf", 1, "", public),
		"beacon, turn":      ForBeacon(s, "game", 2, "", public),
		"beacon, words":     ForBeacon(s, "game", 1, Words("", 1, "hood", "ahoy"), public),
		"words, no beacon":  ForGame(s, "game", 1, Words("", 1, "hood", "ahoy")),
		"beacon, chain":     ForBeacon(s, "game", 1, "", Beacon{digits('2'), 7, digits('3')}),
		"beacon, round":     ForBeacon(s, "game", 1, "", Beacon{digits('1'), 8, digits('3')}),
		"beacon, number":    ForBeacon(s, "game", 1, "", Beacon{digits('1'), 7, digits('4')}),
		"beacon, exchanged": ForBeacon(s, "game", 1, "", Beacon{digits('3'), 7, digits('1')}),
	}
	seen := make(map[string]string)
	for name, source := range sources {
		got := sheet(source)
		if other, found := seen[got]; found {
			t.Errorf("%s rolls as %s does", name, other)
		}
		seen[got] = name
	}
	// A roll's name and its die both count, and are kept apart.
	k := ForTurn(s, "game", 1, nil)
	same := 0
	for i := range 200 {
		n := fmt.Sprint(i)
		if k.Roll("a"+n, D100) == k.Roll("b"+n, D100) {
			same++
		}
		if k.Roll("a"+n, D10)-1 == (k.Roll("a"+n, D100)-1)%10 {
			same++
		}
	}
	// 2 and 20 are expected.
	if same > 50 {
		t.Errorf("%d of 400 rolls agree", same)
	}
}

func TestWithoutLuckTheTurnIsTheGame(t *testing.T) {
	s := FromSeed(3)
	want := sheet(ForTurn(s, "game", 1, nil))
	for _, k := range []*Keyed{
		ForTurn(s, "game", 2, nil),
		ForTurn(s, "game", 1, map[string]string{}),
		ForTurn(s, "game", 1, map[string]string{"hood": "", "wolf": ""}),
	} {
		if sheet(k) != want {
			t.Error("no words for luck, but other rolls")
		}
	}
	luck := map[string]string{"hood": "ahoy"}
	want = sheet(ForTurn(s, "game", 1, luck))
	luck["wolf"] = ""
	if sheet(ForTurn(s, "game", 1, luck)) != want {
		t.Error("empty words change the rolls")
	}
}

func TestLongNames(t *testing.T) {
	k := ForTurn(FromSeed(3), strings.Repeat("g", 1000), 1, nil)
	a, b := strings.Repeat("n", 5000), strings.Repeat("n", 5001)
	same := 0
	for i := range 50 {
		if k.Roll(a+fmt.Sprint(i), D100) == k.Roll(b+fmt.Sprint(i), D100) {
			same++
		}
	}
	if same > 10 {
		t.Errorf("%d of 50 long names roll the same", same)
	}
}

func TestBrokenInvariantsPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"no die":       func() { ForTurn(FromSeed(1), "g", 1, nil).Roll("x", 0) },
		"unknown die":  func() { ForTurn(FromSeed(1), "g", 1, nil).Roll("x", D100+1) },
		"no secret":    func() { ForTurn(nil, "g", 1, nil) },
		"short secret": func() { ForTurn(Secret("short"), "g", 1, nil) },
		"no beacon":    func() { ForBeacon(FromSeed(1), "g", 1, "", Beacon{}) },
		"no round":     func() { ForBeacon(FromSeed(1), "g", 1, "", Beacon{digits('1'), 0, digits('3')}) },
		"short chain":  func() { ForBeacon(FromSeed(1), "g", 1, "", Beacon{"11", 7, digits('3')}) },
		"no number":    func() { ForBeacon(FromSeed(1), "g", 1, "", Beacon{digits('1'), 7, ""}) },
		"capitals":     func() { ForBeacon(FromSeed(1), "g", 1, "", Beacon{digits('1'), 7, digits('A')}) },
		"no digits":    func() { ForBeacon(FromSeed(1), "g", 1, "", Beacon{digits('1'), 7, digits('x')}) },
		"no secret, b": func() { ForBeacon(nil, "g", 1, "", Beacon{digits('1'), 7, digits('3')}) },
		"short key":    func() { DeriveKey(Secret("short"), "turn") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestRollHardlyAllocates(t *testing.T) {
	k := ForTurn(FromSeed(1), "the-three-captains", 1, nil)
	if n := testing.AllocsPerRun(100, func() { k.Roll("t3.p2.fire.hood.bank-a.hit", TwoD6) }); n > 1 {
		t.Errorf("%v allocations a roll", n)
	}
}

func BenchmarkKeyedRoll(b *testing.B) {
	k := ForTurn(FromSeed(1), "the-three-captains", 1, nil)
	b.ReportAllocs()
	for b.Loop() {
		k.Roll("t3.p2.fire.hood.bank-a.hit", D10)
	}
}
