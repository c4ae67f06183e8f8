package tables

import (
	"errors"
	"maps"
	"reflect"
	"strings"
	"testing"

	"starpost/engine/bounded"
	"starpost/engine/family"
)

// ownShip is a file that a game may bring.
const ownShip = `source = "our own table"

[charts.to_hit]
Z = [9, 5, 1]

[arcs.degrees]
wide = [[-120, 120]]

[families]
lance = { kind = "beam", title = "particle lance" }

[weapons.PL-1]
family = "lance"
chart = "Z"
max_power = 4
bands = "+2 1-2"

[designs.corsair]
title = "Corsair"
navy = "pirates"
class = "IV"
superstructure = 9
warp = [11, 11]
impulse = 3
move = "3/1"
shield = "2/3"
max_shield = 10
banks = [
  "bank-a: 2 PL-1 wide",
  "bank-b: 1 FH-3 p/s; bands +1 1-5, +9 7",
  "torpedo-1: 1 FP-1 f",
]
arcs = "known"
`

func TestLibraryWith(t *testing.T) {
	l := builtinLibrary(t)
	before := len(l.Designs)
	own, err := l.With(map[string][]byte{"ships.toml": []byte(ownShip)})
	if err != nil {
		t.Fatal(err)
	}
	d, err := own.Design("corsair")
	if err != nil {
		t.Fatal(err)
	}
	if d.Power() != 25 || d.Shield.Points(7) != 10 || d.Source != "our own table" || d.Confidence != "assumed" {
		t.Errorf("%+v", d)
	}
	const banks = `bank-a 2xPL-1 wide [{2 1 2}]
bank-b 1xFH-3 p/s [{1 1 5} {9 7 7}]
torpedo-1 1xFP-1 f []`
	if got := bankLine(own, d); got != banks {
		t.Error(got)
	}
	if w, _ := own.Weapon("PL-1"); w.Title != "particle lance" || w.Kind != "beam" {
		t.Errorf("%+v", w)
	}
	if own.ToHit("Z", 2) != 5 || own.ToHit("W", 10) != 7 || !own.Arcs["wide"][0].Contains(8) || own.Arcs["wide"][0].Contains(9) {
		t.Error(own.Charts["Z"], own.Arcs["wide"])
	}
	if _, err := l.Design("corsair"); err == nil || l.Charts["Z"] != nil || l.Arcs["wide"] != nil || len(l.Designs) != before {
		t.Error("the built-in library has changed")
	}
	if n := len(own.Origins); n != len(l.Origins)+2 || own.Origins[n-1].Source != "our own table" {
		t.Errorf("origins %+v", own.Origins)
	}
	// A game may replace built-in tables, and keeps those it does not replace.
	own, err = l.With(map[string][]byte{"w.toml": []byte("[weapons.KD-3]\nfamily = \"disruptor\"\nchart = \"I\"\nmax_power = 5\n")})
	if err != nil {
		t.Fatal(err)
	}
	if len(own.Weapons["KD-3"].Bands) != 0 || len(l.Weapons["KD-3"].Bands) != 1 || len(own.Weapons) != len(l.Weapons) {
		t.Error(own.Weapons["KD-3"])
	}
	own, err = l.With(nil)
	if err != nil || !reflect.DeepEqual(own, l) {
		t.Errorf("nothing more is not the same: %v", err)
	}
}

// TestLibraryStrict breaks ownShip in one place at a time: old becomes new, and
// the first error points to a line that begins with at.
func TestLibraryStrict(t *testing.T) {
	l := builtinLibrary(t)
	for _, c := range []struct{ old, new, at, want string }{
		{`impulse = 3`, `impulsive = 3`, `impulsive =`, `unknown key "designs.corsair.impulsive", did you mean impulse?`},
		{`impulse = 3`, `Impulse = 3`, `Impulse =`, `unknown key "designs.corsair.Impulse", did you mean impulse?`},
		{`title = "Corsair"`, `title = "Corsair"` + "\n" + `title = "Again"`, `title =`, ``},
		{`impulse = 3`, `impulse = "three"`, `impulse =`, ` must be `},
		{`impulse = 3`, `impulse = 3.5`, `impulse =`, ` must be `},
		{`impulse = 3`, `impulse = `, `impulse =`, ``},
		{`impulse = 3`, `impulse = -3`, `impulse =`, `impulse is -3, expected 0 to 100`},
		{`impulse = 3`, `impulse = 99999999999999999999`, `impulse =`, ``},
		{`superstructure = 9`, `superstructure = 0`, `superstructure =`, `superstructure is 0, expected 1 to 200`},
		{`superstructure = 9`, ``, `[designs.corsair]`, `superstructure is 0`},
		{`max_shield = 10`, `max_shield = 51`, `max_shield =`, `max_shield`},
		{`warp = [11, 11]`, `warp = [11, 0]`, `warp =`, `warp is 0`},
		{`warp = [11, 11]`, `warp = [1,1,1,1,1,1,1,1,1]`, `warp =`, `9 warp engines`},
		{"warp = [11, 11]\nimpulse = 3", `warp = []`, ``, `the ship has no power`},
		{`move = "3/1"`, `move = "3"`, `move =`, `ratio "3": expected power/points`},
		{`move = "3/1"`, `move = "0/1"`, `move =`, `ratio "0/1"`},
		{`move = "3/1"`, `move = "03/1"`, `move =`, `ratio "03/1"`},
		{`move = "3/1"`, ``, `[designs.corsair]`, `no move ratio`},
		{`class = "IV"`, `class = "four"`, `class =`, `class "four": expected a roman numeral`},
		{`navy = "pirates"`, `navy = "The Pirates"`, `navy =`, `navy "The Pirates"`},
		{`title = "Corsair"`, `title = ""`, `[designs.corsair]`, `design corsair has no title`},
		{`title = "Corsair"`, `title = "Corsair\nBcc: x"`, `title =`, `title has a character that cannot be printed`},
		{`title = "Corsair"`, `title = "` + strings.Repeat("x", 61) + `"`, ``, `title has 61 characters`},
		{`[designs.corsair]`, `[designs.Corsair]`, `[designs.Corsair]`, `design "Corsair": expected small letters`},
		{`[designs.corsair]`, `[designs."../corsair"]`, `[designs."../corsair"]`, `design "../corsair"`},
		{`arcs = "known"`, `arcs = "guessed"`, `arcs =`, `arcs "guessed": expected known or assumed`},
		{`arcs = "known"`, ``, `[designs.corsair]`, `arcs ""`},
		{`arcs = "known"`, `arcs = "known"` + "\n" + `stress = "G-L"`, `stress =`, `stress charts "G-L"`},
		{`arcs = "known"`, `arcs = "known"` + "\n" + `damage_chart = "D"`, `damage_chart =`, `damage chart "D"`},
		{`arcs = "known"`, `arcs = "known"` + "\n" + `cruise = 7`, `cruise =`, `cruise is 7, expected 0 to 0`},
		{`arcs = "known"`, `arcs = "known"` + "\n" + `confidence = "sure"`, `confidence =`, `confidence "sure": expected one of high`},
		{`arcs = "known"`, `arcs = "known"` + "\nd = \"100.0\"\nwdf = \"50.0\"\nce = \"49.0\"", `ce =`, `ce 49.0 does not follow from d 100.0 and wdf 50.0, which give 50.0`},
		{`arcs = "known"`, `arcs = "known"` + "\nd = 100", `d =`, `figure "100": expected one decimal`},
		{`bank-a: 2 PL-1 wide`, `bank-a: 2 PL-2 wide`, `banks =`, `bank-a: unknown weapon type "PL-2", did you mean`},
		{`bank-a: 2 PL-1 wide`, `bank-a: 2 PL-1 forward`, `banks =`, `bank-a: no arc "forward"; there are a f o1 o2 o3 p s wide`},
		{`bank-a: 2 PL-1 wide`, `bank-a: 2 PL-1 f/f`, ``, `bank-a: arc "f" twice`},
		{`bank-a: 2 PL-1 wide`, `bank-a: 2 PL-1 f/`, ``, `bank-a: no arc ""`},
		{`bank-a: 2 PL-1 wide`, `bank-a: 13 PL-1 f`, `banks =`, `bank "bank-a: 13 PL-1 f": mounts "13" is not a number from 1 to 12`},
		{`bank-a: 2 PL-1 wide`, `bank-a 2 PL-1 f`, ``, `no colon after its name`},
		{`bank-a: 2 PL-1 wide`, `bank-a: PL-1 f`, ``, `2 words after the name`},
		{`bank-a: 2 PL-1 wide`, `Bank A: 2 PL-1 f`, ``, `bank "Bank A": expected small letters`},
		{`bank-a: 2 PL-1 wide`, `bank-b: 2 PL-1 f`, ``, `two banks called bank-b`},
		{`bank-a: 2 PL-1 wide`, `all: 2 PL-1 f`, ``, `a bank cannot be called all`},
		{`torpedo-1: 1 FP-1 f`, `torpedo-1: 1 FP-1 f; bands none`, ``, `only beams have bands, FP-1 is a missile weapon`},
		{`torpedo-1: 1 FP-1 f`, `torpedo-1: 1 FP-1 f; band none`, ``, `only "bands" may follow the semicolon`},
		{`bands +1 1-5, +9 7`, `bands +1 1-5, +9 5-7`, ``, `ranges 5-7: they begin at or before the end`},
		{`bands +1 1-5, +9 7`, `bands 1 1-5`, ``, `band "1 1-5": expected bonus and ranges`},
		{`bands +1 1-5, +9 7`, `bands `, ``, `band`},
		{`bands = "+2 1-2"`, `bands = "+2 2-1"`, `bands =`, `band "+2 2-1"`},
		{`bands = "+2 1-2"`, `bands = ["+2 1-2"]`, `bands =`, ` must be `},
		{`bands = "+2 1-2"`, `arm = 1`, `arm =`, `a beam weapon has no arm`},
		{`max_power = 4`, `damage = 4`, ``, `a beam weapon has no damage`},
		{`chart = "Z"`, `chart = "ZZ"`, `chart =`, `PL-1: no firing chart "ZZ"`},
		{`family = "lance"`, `family = "lanse"`, `family =`, `PL-1: unknown weapon family "lanse", did you mean lance?`},
		{`kind = "beam"`, `kind = "ray"`, `lance =`, `kind "ray": expected one of beam, missile, plasma`},
		{`kind = "beam"`, `kind = "plasma"`, ``, `PL-1: a plasma launcher needs plasma`},
		{`kind = "beam"`, `kind = "missile"`, ``, `a missile weapon has no max_power`},
		{`Z = [9, 5, 1]`, `Z = [9, 5, 6]`, `Z =`, `chart Z: 6 at range 3, expected 1 to 5`},
		{`Z = [9, 5, 1]`, `Z = [11]`, `Z =`, `chart Z: 11 at range 1`},
		{`Z = [9, 5, 1]`, `Z = []`, `Z =`, `chart Z has 0 ranges`},
		{`Z = [9, 5, 1]`, "Z = [9, 5, 1]\n[charts.sum]\nZ = 14", `Z =`, `chart Z adds up to 15, its check digit says 14`},
		{`Z = [9, 5, 1]`, "Z = [9, 5, 1]\n[charts.sum]\nW = 127", `W =`, `a check digit for chart "W", which is not here`},
		{`wide = [[-120, 120]]`, `wide = [[-115, 120]]`, `wide =`, `arc wide: arc -115 to 120`},
		{`wide = [[-120, 120]]`, `wide = [[-120]]`, `wide =`, `arc wide: expected pairs of degrees`},
		{`wide = [[-120, 120]]`, `wide = []`, `wide =`, `arc wide has 0 parts`},
		{`source = "our own table"`, `[locations]` + "\nfaces = []\n", ``, `belong to the rule set`},
		{`source = "our own table"`, `sauce = "our own table"`, `sauce =`, `unknown key "sauce", did you mean source?`},
		{`source = "our own table"`, "\x00", ``, `files cannot contain NULL bytes`},
		{`source = "our own table"`, "source = \"\xff\"", `source =`, ``},
	} {
		if strings.Count(ownShip, c.old) != 1 {
			t.Fatalf("%q is not there once", c.old)
		}
		text := strings.Replace(ownShip, c.old, c.new, 1)
		own, err := l.With(map[string][]byte{"s.toml": []byte(text)})
		if err == nil || own != nil {
			t.Errorf("%s for %s: taken", c.new, c.old)
			continue
		}
		te, ok := errors.AsType[*family.TableError](err)
		if !ok || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "s.toml:") {
			t.Errorf("%s for %s:\n got %v\nwant %s", c.new, c.old, err, c.want)
		} else if lines := strings.Split(text, "\n"); c.at != "" && (te.Line < 1 || !strings.HasPrefix(lines[te.Line-1], c.at)) {
			t.Errorf("%s for %s: %v is not at %q", c.new, c.old, err, c.at)
		}
	}
}

func TestLibraryManyFiles(t *testing.T) {
	l := builtinLibrary(t)
	_, err := l.With(map[string][]byte{"a.toml": []byte(ownShip), "b.toml": []byte(ownShip)})
	for _, want := range []string{
		"b.toml:4:1: chart Z stands in a.toml already", "b.toml:7:1: arc wide stands in a.toml already",
		"b.toml:10:1: family lance", "b.toml:12:1: weapon PL-1", "b.toml:18:1: design corsair",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	// Parts of one table may be in several files, in any order.
	cut := strings.Index(ownShip, "[designs")
	own, err := l.With(map[string][]byte{"a.toml": []byte(ownShip[cut:]), "b.toml": []byte(ownShip[:cut])})
	if err != nil || own.Designs["corsair"].Title == "" {
		t.Error(err)
	}
	many := map[string][]byte{}
	for i := range maxTableFiles + 1 {
		many[strings.Repeat("x", i+1)] = nil
	}
	if _, err := l.With(many); err == nil {
		t.Error("65 files were taken")
	}
}

// TestLibraryHostile: files that would be costly to read are refused.
func TestLibraryHostile(t *testing.T) {
	l := builtinLibrary(t)
	for name, text := range map[string]string{
		"deep array":  "a = " + strings.Repeat("[", 100_000),
		"deep table":  "a = " + strings.Repeat("{a=", 60_000),
		"dotted key":  strings.Repeat("a.", 100_000) + "a = 1",
		"dotted head": "[" + strings.Repeat("a.", 100_000) + "a]",
		"large":       strings.Repeat("# more\n", 50_000),
		"at the edge": "a = " + strings.Repeat("[", bounded.MostBrackets),
		"nested":      "a = " + strings.Repeat("{a=", bounded.MostBraces),
		"binary":      strings.Repeat("\x00\xff\x07", 1000),
		"junk":        strings.Repeat("]]}}==", 1000),
		"empty key":   "= 1",
		"no table":    "designs = 3",
		"list":        "[[designs]]\ntitle = \"x\"",
		"no row":      "[designs]\nx = 3",
		"no charts":   "charts = 3",
		"chart list":  "[[charts]]\nx = 3",
		"no chart":    "[charts]\nto_hit = 3",
		"no arc":      "[arcs]\ndegrees = [1]",
	} {
		if _, err := l.With(map[string][]byte{"h.toml": []byte(text)}); err == nil {
			t.Errorf("%s was taken", name)
		} else if len(err.Error()) > 20_000 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
	if _, err := l.With(map[string][]byte{"empty.toml": nil}); err != nil {
		t.Error(err)
	}
}

func TestLibraryBuiltinNeedsSources(t *testing.T) {
	l := builtinLibrary(t)
	f, err := readTables("s.toml", []byte(strings.Replace(ownShip, "source =", "#", 1)))
	if err != nil {
		t.Fatal(err)
	}
	copied := *l
	copied.Charts, copied.Weapons, copied.Designs = maps.Clone(l.Charts), maps.Clone(l.Weapons), maps.Clone(l.Designs)
	copied.Arcs, copied.Families = maps.Clone(l.Arcs), maps.Clone(l.Families)
	err = copied.merge([]*tableFile{f}, true)
	for _, want := range []string{"s.toml:3:1: no source", "s.toml:18:1: no source", "s.toml:12:1: confidence", "chart Z has no check digit"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

func FuzzLibraryWith(f *testing.F) {
	l := builtinLibrary(f)
	f.Add([]byte(ownShip))
	f.Add([]byte("[designs.x]\nbanks = [\"a: 1 FP-1 f; bands none\"]\n"))
	f.Add([]byte("[weapons]\nX = { family = \"plasma\", chart = \"A\", arm = 1, plasma = \"1 9/4\" }\n"))
	f.Add([]byte("[charts]\nsum = { A = 3 }\nto_hit = { A = [2, 1] }"))
	f.Fuzz(func(t *testing.T, text []byte) {
		own, err := l.With(map[string][]byte{"f.toml": text})
		if (own == nil) == (err == nil) {
			t.Fatal(own, err)
		}
		if err != nil {
			return
		}
		for name, d := range own.Designs {
			if d.Power() < 1 || d.Superstructure < 1 || (d.Move.Cost(1) < 1) != d.Outpost || d.Shield.Cost(1) < 1 {
				t.Fatalf("%s: %+v", name, d)
			}
			for _, b := range d.Banks {
				w, err := own.Mounted(b)
				if err != nil || own.ToHit(w.Chart, 1) < 1 || b.Mounts < 1 {
					t.Fatalf("%s %s: %+v %v", name, b.ID, w, err)
				}
			}
		}
	})
}
