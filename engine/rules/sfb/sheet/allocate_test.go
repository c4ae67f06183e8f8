package sheet

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine/family"
)

// thrown returns dice in the given order.
func thrown(faces ...int) func(int) int { return func(point int) int { return faces[point-1] } }

// told returns a hit in short: the category and the bank.
func told(s *Sheet, h Hit) string {
	if h.Bank < 0 {
		return string(h.Category) + " -"
	}
	return string(h.Category) + " " + s.Banks[h.Bank].Name
}

// TestExampleOfTheSeed is cadet D4.5, with its owner's choices.
func TestExampleOfTheSeed(t *testing.T) {
	s := class(t, "cadet-klingon").Sheet
	s = Allocate(s, Volley{2, 2}, nil, Choice{}).Sheet
	s = Allocate(s, Volley{1, 8}, nil, Choice{}).Sheet
	if s.Shields[1].Left != 10 || s.Shields[0].Left != 8 {
		t.Fatalf("shields %+v", s.Shields)
	}
	wishes := ParseLose(&s, strings.Fields("other lab shuttle weapons ph-4 drone engines impulse:2 warp-left:1 warp-right"), func(word int, hint, format string, args ...any) {
		t.Errorf("%d: %s; %s", word, fmt.Sprintf(format, args...), hint)
	})
	a := Allocate(s, Volley{1, 21}, thrown(2, 6, 5, 3, 4, 2, 5, 1, 3, 1, 3, 1, 3), Choice{Wishes: wishes})
	var got []string
	for _, h := range a.Hits {
		got = append(got, told(&a.Sheet, h))
	}
	want := strings.Split("hull fore,other lab,weapon ph-4,engine impulse,other shuttle,hull fore,weapon drone-1,hull aft,engine impulse,hull aft,engine warp-left,engine warp-right,engine warp-right", ",")
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if a.Stopped != 8 || a.Destroyed || a.Hits[11].column() != "B" {
		t.Errorf("%+v", a)
	}
	for c, want := range map[Category]int{HullBoxes: 0, EngineBoxes: 13, WeaponBoxes: 5, OtherBoxes: 6} {
		if got := a.Sheet.In(c).Left; got != want {
			t.Errorf("%s: %d boxes left, want %d", c, got, want)
		}
	}
	if s.In(HullBoxes).Left != 4 {
		t.Error("the sheet that went in was changed")
	}
}

// anySheet draws a sheet with some boxes lost.
func anySheet(t *rapid.T) Sheet {
	s := Sheet{Class: "any"}
	box := func(least int) Boxes {
		all := rapid.IntRange(least, 12).Draw(t, "boxes")
		return Boxes{All: all, Left: rapid.IntRange(0, all).Draw(t, "left")}
	}
	for i := range s.Shields {
		s.Shields[i] = box(0)
	}
	for i := range rapid.IntRange(1, 20).Draw(t, "banks") {
		s.Banks = append(s.Banks, Bank{Name: fmt.Sprintf("b-%d", i), Kind: rapid.SampledFrom(kinds).Draw(t, "kind").Kind, Boxes: box(1)})
	}
	return s
}

// TestAShipDiesAtBoxesPlusExcessPlusOne checks the invariants of the procedure for random sheets and dice: boxes only
// decrease; each point inside takes exactly one, from the first category of the row that has one left; and only the
// point after the last box, including excess damage, destroys the ship.
func TestAShipDiesAtBoxesPlusExcessPlusOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySheet(t)
		v := Volley{rapid.IntRange(1, 6).Draw(t, "shield"), rapid.IntRange(0, 300).Draw(t, "points")}
		asked := 0
		die := func(point int) int {
			if asked++; point != asked {
				t.Fatalf("die %d is asked for after %d", point, asked-1)
			}
			return rapid.IntRange(1, 6).Draw(t, "die")
		}
		choice := Choice{
			Bears: func(i int) bool { return i%2 == 0 }, Fired: func(i int) bool { return i%3 == 0 },
			Wishes: []Wish{{rapid.SampledFrom([]Category{HullBoxes, EngineBoxes, WeaponBoxes, OtherBoxes}).Draw(t, "of"), "b", rapid.IntRange(0, 9).Draw(t, "count")}},
		}
		a := Allocate(s, v, die, choice)
		if want := min(v.Points, s.Shields[v.Shield-1].Left); a.Stopped != want {
			t.Fatalf("the shield stopped %d, want %d", a.Stopped, want)
		}
		inside := v.Points - a.Stopped
		life := s.Inside().Left + s.In(ExcessBoxes).Left
		if want := inside > life; a.Destroyed != want {
			t.Fatalf("%d points on %d boxes: destroyed %t", inside, life, a.Destroyed)
		}
		if want := min(inside, life+1); len(a.Hits) != want || asked != want || a.Void != inside-want {
			t.Fatalf("%d hits, %d dice, %d void of %d points on %d boxes", len(a.Hits), asked, a.Void, inside, life)
		}
		now := s.Clone()
		for _, h := range a.Hits {
			row := Chart[h.Die-1]
			for i, c := range h.Passed {
				if c != row[i] || now.In(c).Left != 0 {
					t.Fatalf("%+v passed %s with boxes left", h, c)
				}
			}
			if h.Category != row[len(h.Passed)] {
				t.Fatalf("%+v is not in the row %v", h, row)
			}
			if h.Bank < 0 {
				continue
			}
			b := &now.Banks[h.Bank]
			if b.Kind.Category() != h.Category || b.Left < 1 {
				t.Fatalf("%+v takes a box of %+v", h, b)
			}
			b.Left--
		}
		now.Shields[v.Shield-1].Left -= a.Stopped
		if fmt.Sprint(now) != fmt.Sprint(a.Sheet) {
			t.Fatalf("the hits make %v of it, the sheet says %v", now, a.Sheet)
		}
	})
}

// TestOwnersChoiceByDefault checks ruling C11.
func TestOwnersChoiceByDefault(t *testing.T) {
	s := class(t, "cadet-klingon").Sheet
	order := func(face, n int, c Choice) string {
		var got []string
		a := Allocate(s, Volley{1, 16 + n}, func(int) int { return face }, c)
		for _, h := range a.Hits {
			got = append(got, a.Sheet.Banks[h.Bank].Name)
		}
		return strings.Join(got, " ")
	}
	bears := func(i int) bool {
		return strings.HasPrefix(s.Banks[i].Name, "ph-1") || strings.HasPrefix(s.Banks[i].Name, "dis")
	}
	fired := func(i int) bool { return s.Banks[i].Name == "disruptor-b" }
	for _, test := range []struct {
		face, n int
		choice  Choice
		want    string
	}{
		{1, 4, Choice{}, "fore fore aft aft"},
		{3, 5, Choice{}, "impulse impulse warp-left warp-right warp-left"},
		{4, 8, Choice{}, "shuttle lab transporter transporter battery battery apr apr"},
		{5, 7, Choice{Bears: bears, Fired: fired}, "ph-2 ph-3 ph-4 drone-1 disruptor-b ph-1 disruptor-a"},
		{5, 3, Choice{Wishes: []Wish{{WeaponBoxes, "phaser-2", 0}}}, "ph-1 ph-2 ph-3"},
		{4, 4, Choice{Wishes: []Wish{{OtherBoxes, "apr", 1}, {OtherBoxes, "battery", 0}}}, "apr battery battery shuttle"},
	} {
		if got := order(test.face, test.n, test.choice); got != test.want {
			t.Errorf("die %d: lost %s, want %s", test.face, got, test.want)
		}
	}
}

func TestLoseTellsWhatTheSheetLacks(t *testing.T) {
	s := class(t, "cadet-klingon").Sheet
	for text, want := range map[string]string{
		"fore":                 `0: found "fore" where hull, engines, weapons or other is expected`,
		"weapons photon":       `1: cadet-klingon has no weapon boxes called "photon"; her banks of that kind are ph-1,`,
		"hull fore apt":        `2: cadet-klingon has no hull boxes called "apt"; did you mean aft?`,
		"hull fore:0":          `1: "0" is not a number of boxes from 1 to 200`,
		"hull fore weapons xx": `3: cadet-klingon has no weapon boxes called "xx"`,
	} {
		var bad []string
		ParseLose(&s, strings.Fields(text), func(word int, hint, format string, args ...any) {
			bad = append(bad, fmt.Sprintf("%d: %s; %s", word, fmt.Sprintf(format, args...), hint))
		})
		if len(bad) != 1 || !strings.HasPrefix(bad[0], want) {
			t.Errorf("%s: %v, want %s", text, bad, want)
		}
	}
}

// BenchmarkAllocate allocates a volley of 1,000 points on the largest possible sheet.
func BenchmarkAllocate(b *testing.B) {
	var s Sheet
	for i := range maxBanks {
		s.Banks = append(s.Banks, Bank{Name: fmt.Sprintf("b-%d", i), Kind: kinds[i%len(kinds)].Kind})
	}
	for i := range s.Banks {
		s.Banks[i].Boxes = Boxes{maxAllBoxes / maxBanks, maxAllBoxes / maxBanks}
	}
	for b.Loop() {
		Allocate(s, Volley{1, 1000}, func(point int) int { return point%6 + 1 }, Choice{})
	}
}

// BenchmarkTask does the same through a request, with dice rolled and all points reported: on a typical sheet of
// twenty banks, and on the largest.
func BenchmarkTask(b *testing.B) {
	for _, sheet := range []struct {
		name         string
		banks, boxes int
	}{{"usual", 20, 60}, {"largest", maxBanks, 30}} {
		var text strings.Builder
		text.WriteString("name = \"big\"\nshields = \"0 0 0 0 0 0\"\nturn_mode = \"1 to 16\"\n[banks]\n")
		for i := range sheet.banks {
			fmt.Fprintf(&text, "b%d = \"%d %s\"\n", i, sheet.boxes, []Kind{Hull, Warp, Lab, Expanding}[i%4])
		}
		task := family.AllocateTask{File: "big.toml", Sheet: []byte(text.String()), Text: "1:1000", Line: 1, Seed: 1}
		b.Run(sheet.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if done, diags, err := AllocateTask(task, nil); done == nil || len(done.Panels[0].Rows) != 1000 {
					b.Fatal(diags, err)
				}
			}
		})
	}
}
