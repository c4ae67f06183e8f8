package tables

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine/tactical"
)

// TestRatioCases checks worked examples of ratios.
func TestRatioCases(t *testing.T) {
	// Case C5: 4/3 and power 1 to 10.
	for i, want := range []int{0, 1, 2, 3, 3, 4, 5, 6, 6, 7} {
		if got := (tactical.Ratio{A: 4, B: 3}).Points(i + 1); got != want {
			t.Errorf("4/3, power %d: %d, expected %d", i+1, got, want)
		}
	}
	// Case C11: shields at 1/2.
	half := tactical.Ratio{A: 1, B: 2}
	if half.Points(8) != 16 || half.Cost(37) != 19 {
		t.Error(half.Points(8), half.Cost(37))
	}
	if r := (tactical.Ratio{A: 2, B: 3}); r.Cost(4) != 3 || r.Points(3) != 4 {
		t.Error(r.Cost(4), r.Points(3))
	}
	for _, r := range []tactical.Ratio{{}, {A: 4, B: 1}} {
		if r.Points(-1) != 0 || r.Cost(-1) != 0 || r.Points(0) != 0 || r.Cost(0) != 0 {
			t.Error(r)
		}
	}
}

func TestRatioLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := tactical.Ratio{A: rapid.IntRange(1, tactical.MaxRatio).Draw(t, "a"), B: rapid.IntRange(1, tactical.MaxRatio).Draw(t, "b")}
		n := rapid.IntRange(0, 500).Draw(t, "n")
		cost := r.Cost(n)
		if r.Points(cost) < n {
			t.Fatalf("%s: %d points cost %d, which gives %d", r, n, cost, r.Points(cost))
		}
		if cost > 0 && r.Points(cost-1) >= n {
			t.Fatalf("%s: %d points cost less than %d", r, n, cost)
		}
		if r.Cost(r.Points(n)) > n {
			t.Fatalf("%s: %d power give %d points, which cost more", r, n, r.Points(n))
		}
		text, err := json.Marshal(r)
		var back tactical.Ratio
		if err != nil || json.Unmarshal(text, &back) != nil || back != r {
			t.Fatalf("%s came back as %s", r, back)
		}
	})
}

func TestTenthsText(t *testing.T) {
	for _, s := range []string{"0.0", "43.6", "9999.9"} {
		var f tenths
		if err := f.UnmarshalText([]byte(s)); err != nil || f.String() != s {
			t.Errorf("%s came back as %s, %v", s, f, err)
		}
	}
	for _, s := range []string{"", "4", "4.", ".4", "4.66", "-4.6", "+4.6", "04.6", "4,6", "10000.0", "4.6.1"} {
		var f tenths
		if err := f.UnmarshalText([]byte(s)); err == nil {
			t.Errorf("%q was taken as %s", s, f)
		}
	}
}

func TestLibraryBankText(t *testing.T) {
	b, err := parseBank("bank-a:  2  FH-3   f/p ; bands +3 1-10 ,+1 11")
	if err != nil || b.ID != "bank-a" || b.Weapon != "FH-3" || b.Mounts != 2 || len(b.Arcs) != 2 || len(b.Bands) != 2 || b.Bands[1] != (Band{1, 11, 11}) {
		t.Errorf("%+v %v", b, err)
	}
	if b, err = parseBank("bank-a: 1 FH-3 f"); err != nil || b.Bands != nil {
		t.Errorf("%+v %v", b, err)
	}
	if b, err = parseBank("bank-a: 1 FH-3 f; bands none"); err != nil || b.Bands == nil || len(b.Bands) != 0 {
		t.Errorf("%+v %v", b, err)
	}
}
