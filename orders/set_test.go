package orders

import (
	"reflect"
	"testing"
)

// checkSet checks that a set is parsed like its text, including positions and diagnostics.
func checkSet(t failer, l *Language, s Set) {
	text := s.String()
	want, told := l.Block("ship", text)
	got, said := s.Block(l, "ship")
	if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(said, told) {
		t.Fatalf("a set is read otherwise than its text:\n%s\ngot  %+v %v\nwant %+v %v", text, got, said, want, told)
	}
}

func TestSet(t *testing.T) {
	var s Set
	s.Add("", 0, Order{Note: "remarks"}, Say("luck the owl flies: at", 7))
	s.Add("power", 0, Say("move", 16), Say("shields", []string{"1:10", "2:14"}), Order{Words: []string{"arm", "bank-b", "5"}, Note: "all of it"})
	s.Add("phase", 2)
	s.Add("phase", 1, Say("fire bank-a bank-b bank-c bank-d bank-e bank-f bank-g at Riskadh when range <=", 10, "and not cloaked"))
	s.Add("phase", 2, Order{Words: []string{"move", "F"}, Note: "where you want to go", Off: true}, Say("pursue Ébène to", 5))
	s.Add("", 0, Say("final"), Order{Words: []string{"say"}, Text: []string{"Strike."}})
	const want = `#orders wolf turn 3 ship Hood
; remarks
luck the owl flies: at 7
power
  move 16
  shields 1:10 2:14
  arm bank-b 5          ; all of it
phase 2
  ; move F  ; where you want to go
  pursue Ébène to 5
phase 1
  fire bank-a bank-b bank-c bank-d bank-e bank-f bank-g at Riskadh when
    & range <= 10 and not cloaked
final
say
#text
Strike.
#endtext
#end
`
	if got := s.With(Head{Game: "wolf", Turn: 3, Kind: "ship", Name: "Hood"}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	checkSet(t, sample(), s)
	if !s.Has("phase", "pursue") || s.Has("phase", "move") || s.Has("power", "fire") {
		t.Error("the set does not know its orders")
	}
	before := s.String()
	more, ok := s.First("phase", 1, Say("move F"))
	if orders, _ := s.Under("phase", 1); !ok || len(orders) != 1 || more.String() == before || s.String() != before {
		t.Error("an order is put in front of others in the set itself, or nowhere")
	}
}
