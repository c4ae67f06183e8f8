package hex

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseLabel(t *testing.T) {
	for _, tc := range []struct {
		in       string
		col, row int
		label    string
	}{
		{"0101", 1, 1, "0101"},
		{"9999", 99, 99, "9999"},
		{"0415", 4, 15, "0415"},
		{"4.15", 4, 15, "0415"},
		{"-2.15", -2, 15, "-2.15"},
		{"104.7", 104, 7, "104.07"},
		{"0.0", 0, 0, "0.0"},
		{"-0.1", 0, 1, "0.01"},
		{"7.-100000", 7, -100000, "07.-100000"},
	} {
		h, err := ParseLabel(tc.in)
		if err != nil {
			t.Errorf("%s: %v", tc.in, err)
			continue
		}
		if col, row := h.ColRow(); col != tc.col || row != tc.row || h.Label() != tc.label {
			t.Errorf("%s = column %d row %d, label %s", tc.in, col, row, h)
		}
	}
}

func TestParseLabelErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "four digits",
		"415":                     "four digits",
		"00415":                   "four digits",
		"041a":                    "four digits",
		"-415":                    "four digits",
		"0015":                    "count from 01; write 0.15",
		"1500":                    "count from 01; write 15.0",
		".5":                      `column "" is not a whole number`,
		"5.":                      `row "" is not a whole number`,
		"5.-":                     `row "-" is not`,
		"5.--1":                   `row "--1" is not`,
		"5.+1":                    `row "+1" is not`,
		"1.2.3":                   `row "2.3" is not`,
		"4. 15":                   `row " 15" is not`,
		"100001.1":                "off every map; the limit is 100000",
		"1.-100001":               "off every map",
		"1.99999999999999999999":  "off every map",
		strings.Repeat("9", 5000): `"999999999999999999999999"...`,
		"٠٤١٥":                    "four digits",
		"\x00\x00\x00\x00":        `"\x00\x00\x00\x00"`,
	} {
		h, err := ParseLabel(in)
		if err == nil {
			t.Errorf("%q parsed as %s", in, h)
			continue
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", in, err, want)
		}
		if len(err.Error()) > 250 {
			t.Errorf("%.30q: error of %d bytes", in, len(err.Error()))
		}
	}
}

func TestTextRoundTrip(t *testing.T) {
	type ship struct {
		At      Hex
		Heading Heading
		Seen    map[Hex]Heading
	}
	rapid.Check(t, func(t *rapid.T) {
		want := ship{anyHex().Draw(t, "at"), anyHeading().Draw(t, "heading"), nil}
		want.Seen = map[Hex]Heading{want.At.Step(A): want.Heading}
		if col, row := want.At.Step(A).ColRow(); magnitude(col) > maxCoord || magnitude(row) > maxCoord {
			t.Skip("beyond the limit")
		}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got ship
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if got.At != want.At || got.Heading != want.Heading || got.Seen[want.At.Step(A)] != want.Heading {
			t.Errorf("%s read as %v", data, got)
		}
	})
	data, err := json.Marshal(ship{At: At(4, 15), Heading: C})
	if want := `{"At":"0415","Heading":"C","Seen":null}`; err != nil || string(data) != want {
		t.Errorf("JSON is %s (%v), want %s", data, err, want)
	}
	// The stored form is as in older games, although labels for people have leading zeros.
	data, err = json.Marshal(ship{At: At(-2, 5), Heading: C})
	if want := `{"At":"-2.5","Heading":"C","Seen":null}`; err != nil || string(data) != want {
		t.Errorf("JSON is %s (%v), want %s", data, err, want)
	}
}

func TestTextErrors(t *testing.T) {
	for _, h := range []Hex{At(maxCoord+1, 1), At(1, -maxCoord-1)} {
		if text, err := h.MarshalText(); err == nil {
			t.Errorf("%s was written, but cannot be read", text)
		}
	}
	if text, err := Heading(6).MarshalText(); err == nil {
		t.Errorf("heading 6 was written as %s", text)
	}
	h, d := At(3, 3), C
	if err := h.UnmarshalText([]byte("x")); err == nil || h != At(3, 3) {
		t.Errorf("bad label gave %s, %v", h, err)
	}
	if err := d.UnmarshalText([]byte("G")); err == nil || d != C {
		t.Errorf("bad heading gave %s, %v", d, err)
	}
	for _, s := range []string{"", "AA", "1", "@", "g", "\xff"} {
		if h, err := ParseHeading(s); err == nil {
			t.Errorf("%q parsed as heading %s", s, h)
		}
	}
	if h, err := ParseHeading("f"); err != nil || h != F {
		t.Errorf("f is %s, %v", h, err)
	}
}

func FuzzParseLabel(f *testing.F) {
	for _, s := range []string{"0415", "-2.15", "104.7", "0000", "", ".", "-.-", "1.2.3", "100000.-100000", "999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, err := ParseLabel(s)
		if err != nil {
			return
		}
		if col, row := h.ColRow(); magnitude(col) > maxCoord || magnitude(row) > maxCoord {
			t.Fatalf("%q is beyond the limit: %d, %d", s, col, row)
		}
		again, err := ParseLabel(h.Label())
		if err != nil || again != h {
			t.Fatalf("%q is %s, which is %v (%v)", s, h.Label(), again, err)
		}
	})
}
