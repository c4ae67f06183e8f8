package dice

import (
	"encoding/hex"
	"testing"
)

// TestVectors has values computed by a second program, in another language, from the recipe and the specification
// of chacha8rand. They must never change: finished games are checked against them.
func TestVectors(t *testing.T) {
	s := FromSeed(1)
	for _, tc := range []struct{ what, got, want string }{
		{"FromSeed", s.String(), "26aa2b10b231b6ff45d6181e4a87bceba258f4f3ecc645d69cdc924a223a7982"},
		{"Commit", Commit(s), "9aed0f652c55f21ede9e89afcc7394fa6d395be5c04e0625b051c6f2d45fddac"},
		{"LuckHash", LuckHash("fair winds"), "64060f4f0838f237638f0cdda6eaf9fa841037c5941c2b1e4fe74750a0541f4b"},
		{
			"DeriveKey", hex.EncodeToString(DeriveKey(s, "turn key", "demo", "3", "hood")),
			"a446a96662b35ce73214433d3be9411e1e469c96f67544b57f23303ee77abf88",
		},
	} {
		if tc.got != tc.want {
			t.Errorf("%s = %s, want %s", tc.what, tc.got, tc.want)
		}
	}
	plain := ForTurn(s, "demo", 3, nil)
	lucky := ForTurn(s, "demo", 3, map[string]string{"wolf": "grr", "hood": "fair winds"})
	for _, tc := range []struct {
		dice *Keyed
		name string
		want [4]int // d6, 2d6, d10, d100
	}{
		{plain, "t3.p2.fire.hood.bank-a.hit", [4]int{4, 6, 4, 41}},
		{plain, "t3.advantage.wolf", [4]int{5, 6, 3, 69}},
		{plain, "", [4]int{2, 4, 1, 60}},
		{lucky, "t3.p2.fire.hood.bank-a.hit", [4]int{5, 10, 7, 1}},
		{lucky, "t3.advantage.wolf", [4]int{2, 6, 5, 40}},
		{lucky, "", [4]int{3, 4, 4, 32}},
	} {
		for i, d := range allDice {
			if got := tc.dice.Roll(tc.name, d); got != tc.want[i] {
				t.Errorf("%s %q = %d, want %d", d, tc.name, got, tc.want[i])
			}
		}
	}
}

// TestVectorsOfBeacons has values from examples/dice.py, which was written from the recipe.
func TestVectorsOfBeacons(t *testing.T) {
	s := FromSeed(1)
	const chain = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
	early := Beacon{chain, 1000, "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"}
	later := Beacon{chain, 657413, "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"}
	words := Words(Words("", 1, "hood", "fair winds"), 3, "wolf", "grr")
	none, lucky, other := ForBeacon(s, "demo", 3, "", early), ForBeacon(s, "demo", 3, words, early), ForBeacon(s, "demo", 3, words, later)
	for _, tc := range []struct {
		dice *Keyed
		name string
		want [4]int // d6, 2d6, d10, d100
	}{
		{none, "t3.p2.fire.hood.bank-a.hit", [4]int{4, 6, 2, 77}},
		{none, "t3.advantage.wolf", [4]int{6, 6, 7, 36}},
		{none, "", [4]int{1, 9, 1, 20}},
		{lucky, "t3.p2.fire.hood.bank-a.hit", [4]int{4, 8, 5, 77}},
		{lucky, "t3.advantage.wolf", [4]int{4, 6, 5, 1}},
		{lucky, "", [4]int{4, 11, 1, 87}},
		{other, "t3.p2.fire.hood.bank-a.hit", [4]int{2, 5, 3, 74}},
		{other, "t3.advantage.wolf", [4]int{5, 8, 9, 61}},
		{other, "", [4]int{6, 5, 10, 94}},
	} {
		for i, d := range allDice {
			if got := tc.dice.Roll(tc.name, d); got != tc.want[i] {
				t.Errorf("%s %q = %d, want %d", d, tc.name, got, tc.want[i])
			}
		}
	}
}
