package blind

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"starpost/engine/hex"
)

// TestCases checks the worked examples in a text file.
func TestCases(t *testing.T) {
	data, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	var title string
	var suite Suite
	var sig Signature
	rocks, checked := 0, 0
	for n, line := range strings.Split(string(data), "\n") {
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch verb {
		case "", "#":
		case "case":
			title, suite, sig, rocks = rest, Suite{}, Signature{}, 0
		case "suite":
			suite.Uprated, suite.Damaged = strings.Contains(rest, "uprated"), strings.Contains(rest, "damaged")
			if _, boxes, ok := strings.Cut(rest, "boxes "); ok {
				suite.Boxes = number(t, boxes)
			}
		case "large":
			sig.Large = true
		case "small":
			sig.Small = true
		case "field":
			sig.Field = true
		case "rocks":
			rocks = number(t, rest)
		case "reach":
			got := fmt.Sprintf("%d/%d/%d field %d", suite.Reach(Presence, sig.Large), suite.Reach(Rough, sig.Large), suite.Reach(Full, sig.Large), suite.Reach(Field, sig.Large))
			if got != rest {
				t.Errorf("line %d, %s: got %s, want %s", n+1, title, got, rest)
			}
			checked++
		case "at":
			for part := range strings.SplitSeq(rest, ", ") {
				at, want, _ := strings.Cut(part, " ")
				if got := suite.Detect(number(t, at), rocks, sig).String(); got != want {
					t.Errorf("line %d, %s at %s: got %s, want %s", n+1, title, at, got, want)
				}
				checked++
			}
		default:
			t.Fatalf("line %d: %q is not understood", n+1, line)
		}
	}
	if checked < 20 {
		t.Errorf("only %d checks were made", checked)
	}
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// take applies one phase of looks to a log.
func take(l *Log, turn, phase int, looks ...[]Fix) []Change {
	var w Watch
	for _, found := range looks {
		w.Look(found)
	}
	w.Give(l, func(found []Fix) {
		InOrder(found, func(h hex.Hex) int { return hex.Distance(h, hex.At(0, 1)) }, func(ship ShipID) string { return "key of " + string(ship) })
	})
	changes := w.Changes(l, When{turn, phase}, true)
	for _, c := range changes {
		l.Set(c.Contact)
	}
	return changes
}

func at(ship ShipID, level Level, rng int) Fix {
	return Fix{Ship: ship, Level: level, Hex: hex.At(rng, 1), Known: level >= Full}
}

// TestTheNearestIsNumberedFirst is case 8: of all new contacts of a phase the nearest is c01, by the places that
// are reported, whichever look found them.
func TestTheNearestIsNumberedFirst(t *testing.T) {
	var l Log
	take(&l, 1, 1, []Fix{at("far", Presence, 17), at("near", Presence, 12), at("away", Presence, 2)}, []Fix{at("later", Rough, 3), at("away", Presence, 20)})
	for no, ship := range []ShipID{"later", "near", "far", "away"} {
		if c := l.Called(ContactNo(no + 1)); c == nil || c.Ship != ship {
			t.Errorf("%s: got %+v, want %s", ContactNo(no+1).Name(), c, ship)
		}
	}
}

// TestOneHexIsNumberedByKey: contacts in one hex are numbered by the key, whatever their ids and levels are.
func TestOneHexIsNumberedByKey(t *testing.T) {
	keys := map[ShipID]string{"a": "3", "b": "1", "c": "2"}
	found := []Fix{at("a", Presence, 12), at("b", Presence, 12), at("c", Rough, 12), at("d", Presence, 11)}
	InOrder(found, func(h hex.Hex) int { return hex.Distance(h, hex.At(0, 1)) }, func(ship ShipID) string { return keys[ship] })
	if got := fmt.Sprint(found[0].Ship, found[1].Ship, found[2].Ship, found[3].Ship); got != "dbca" {
		t.Errorf("got %s", got)
	}
}

// TestNumbersAreGivenTogether: contacts found after numbers were given come after those, however near they are.
func TestNumbersAreGivenTogether(t *testing.T) {
	var l Log
	var w Watch
	order := func(found []Fix) {
		InOrder(found, func(h hex.Hex) int { return hex.Distance(h, hex.At(0, 1)) }, func(ShipID) string { return "" })
	}
	w.Look([]Fix{at("far", Presence, 17), at("near", Presence, 12)})
	if got := w.Number(&l, "near"); got != "" {
		t.Errorf("a number before numbers are given: %s", got)
	}
	w.Give(&l, order)
	w.Look([]Fix{at("later", Presence, 3)})
	if got := w.Number(&l, "near") + w.Number(&l, "far") + w.Number(&l, "later"); got != "c01c02" {
		t.Errorf("got %s", got)
	}
	w.Give(&l, order)
	if got := w.Number(&l, "later"); got != "c03" {
		t.Errorf("got %s", got)
	}
}

// TestWhatIsFoundAgainGetsANewNumber is case 9: a contact lost for a whole phase gets another number, and at level
// 3 both are known by the name.
func TestWhatIsFoundAgainGetsANewNumber(t *testing.T) {
	var l Log
	take(&l, 3, 1, []Fix{at("a", Presence, 15)})
	if got := take(&l, 3, 2); len(got) != 1 || !got[0].Faded || got[0].Contact.Since != (When{3, 1}) {
		t.Errorf("a phase without it: %+v", got)
	}
	take(&l, 5, 1, []Fix{at("a", Presence, 14)})
	if c := l.Held("a"); c == nil || c.Name() != "c02" || l.Called(1).Hex != hex.At(15, 1) {
		t.Errorf("found again it is %+v; c01 was at %v", c, l.Called(1).Hex)
	}
	take(&l, 5, 2, []Fix{at("a", Full, 2)})
	if !l.Called(1).Named || !l.Called(2).Named {
		t.Errorf("seen whole: %+v", l.Contacts)
	}
}

// TestPassingByKeepsTheNumber: a contact that any look of a phase showed is not lost, and is where it was last
// shown; a ship that was seen whole in passing is known.
func TestPassingByKeepsTheNumber(t *testing.T) {
	var l Log
	take(&l, 1, 1, []Fix{at("a", Presence, 20)})
	take(&l, 1, 2, []Fix{at("a", Full, 2)}, []Fix{at("a", Presence, 19)})
	if c := l.Held("a"); c == nil || c.No != 1 || !c.Named || c.Level != Presence || c.Hex != hex.At(19, 1) {
		t.Errorf("got %+v", c)
	}
}

func TestWhatWasLearntStays(t *testing.T) {
	var l Log
	rough := at("a", Rough, 9)
	rough.Size, rough.Speed = "medium", 6
	take(&l, 1, 1, []Fix{rough})
	take(&l, 1, 2, []Fix{at("a", Presence, 12)})
	if c := l.Held("a"); c.Size != "medium" || c.Speed != 6 || c.Learnt != (When{1, 1}) {
		t.Errorf("got %+v", c)
	}
}

func TestLostContactsAreKeptForATime(t *testing.T) {
	c := Contact{Lost: true, Since: When{2, 3}}
	if !c.Kept(7, 5) || c.Kept(8, 5) {
		t.Errorf("lost in turn 2: kept in 7 %v, in 8 %v", c.Kept(7, 5), c.Kept(8, 5))
	}
}

func TestNumbersAreRead(t *testing.T) {
	for word, want := range map[string]ContactNo{"c07": 7, "C7": 7, "c120": 120, "c": 0, "c0": 0, "07": 0, "cx": 0, "c-1": 0, "c99999": 0, "cruiser": 0} {
		if no, ok := ParseNumber(word); no != want && (ok || want != 0) {
			t.Errorf("%s: got %d %v, want %d", word, no, ok, want)
		}
	}
}

func TestSpeedShowsInThrees(t *testing.T) {
	for speed, want := range map[int]int{0: 0, 1: 3, 3: 3, 4: 6, 11: 12} {
		if got := SpeedStep(speed); got != want {
			t.Errorf("speed %d: got %d, want %d", speed, got, want)
		}
	}
}
