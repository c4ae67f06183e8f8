package report

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/hex"
)

// anyJSON draws values with long and odd strings, deep and wide.
func anyJSON(depth int) *rapid.Generator[any] {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "Käpt'n", "艦長 😀", `\"{[,:`, strings.Repeat("long ", 150), strings.Repeat("ü", 200), "\u2028<&>\x00",
	}))
	leaf := rapid.OneOf(rapid.Map(text, func(s string) any { return s }), rapid.Map(rapid.Int32(), func(n int32) any { return float64(n) }),
		rapid.Just(any(nil)), rapid.Just(any(true)))
	if depth == 0 {
		return leaf
	}
	below := anyJSON(depth - 1)
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(below, 0, 20), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(text, below, 0, 20), func(m map[string]any) any { return m }))
}

// TestMailable checks that values stay the same, that all is ASCII, and that
// only a single string can make a line too long.
func TestMailable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyJSON(3).Draw(t, "value")
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got := mailable(data)
		var again any
		if err := json.Unmarshal(got, &again); err != nil || !reflect.DeepEqual(again, canonical(t, data)) {
			t.Fatalf("%s became %s: %v", data, got, err)
		}
		for line := range bytes.SplitSeq(got, []byte("\n")) {
			if !ascii(line) {
				t.Fatalf("not ASCII: %q", line)
			}
			if len(line) > longest+5 && strings.Count(string(line), `"`) > 3 {
				t.Fatalf("a line of %d bytes: %s", len(line), line)
			}
		}
	})
}

func canonical(t *rapid.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestShipsAreWrittenWhole checks that appendShip writes the same JSON as json.Marshal.
func TestShipsAreWrittenWhole(t *testing.T) {
	h, head := hex.At(5, 5), hex.C
	whole := engine.ShipView{
		ID: "hood", Name: "Hood", Title: "HMS <Hood>", Short: "H", Side: "a", Captain: "Käpt'n \"X\"", Crew: map[string]engine.CaptainName{"helm": "Zoë", "engineer": "X"}, Relieved: []string{"helm"}, Class: "cruiser\n",
		Own: true, Kind: engine.KindProbe, Parent: "hood", Status: engine.Active, Sight: engine.Lost, Since: &engine.Moment{Turn: 2, Phase: 1}, Arrives: 3, Hex: &h, Heading: &head, Range: 7, Bearing: "030-060",
		Trail: []engine.Step{{At: engine.Place{Hex: h}}, {Phase: 2, At: engine.Place{Hex: hex.At(-3, 200), Heading: hex.F}}},
		Files: []string{"charts"}, Gathered: []engine.LabView{{Job: "study", What: "c03", Points: 12}},
		Relays: true,
		Reach:  &engine.Reach{Field: 30, Presence: 20, Rough: 10, Full: 2},
		Sensed: &engine.SensorView{No: 3, Level: "rough", Size: "medium"},
		System: map[string]any{"power": 44, "banks": strings.Split(strings.Repeat("bank-a ", 400), " ")},
	}
	for f, v := range reflect.ValueOf(whole).Fields() {
		if v.IsZero() {
			t.Errorf("%s is not tried", f.Name)
		}
	}
	for _, s := range []engine.ShipView{whole, {}, {Hex: &h, System: 3}} {
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []*Cache{nil, {}} {
			got, err := c.appendShip([]byte("x"), &s)
			if err != nil || got[0] != 'x' {
				t.Fatalf("%s, %v", got, err)
			}
			unbroken := func(b []byte) string { return strings.ReplaceAll(string(b), "\n", "") }
			if plain := unbroken(got[1:]); plain != unbroken(mailable(want)) {
				t.Errorf("got  %s\nwant %s", plain, want)
			}
			for line := range bytes.SplitSeq(got, []byte("\n")) {
				if len(line) > 998 {
					t.Errorf("a line of %d bytes: %s", len(line), line)
				}
			}
		}
	}
}
