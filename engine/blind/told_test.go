package blind

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine/hex"
)

// told returns a contact that a mate reports, where the mate detected it in a turn.
func told(by ShipID, no ContactNo, at string, turn int) Reported {
	h, _ := hex.ParseLabel(at)
	return Reported{Contact: Contact{No: no, Hex: h, Since: When{Turn: turn}}, By: Teller{ID: ShipID(fmt.Sprintf("~%s.%d", by, no)), Ship: by, As: string(no.Name())}}
}

// named is told for a ship that the mate knows by name.
func named(by ShipID, no ContactNo, at string, turn int, name ShipID) Reported {
	r := told(by, no, at, turn)
	r.By.Named, r.By.As, r.Ship = true, string(name), name
	return r
}

// TestWhatMatesReportOfOnePlaceIsOneEntry: reports of one hex and moment are merged into as many entries as the
// mate with most of them has there, and so are those with one name. Earlier places of an entry are dropped, and
// older reports ignored.
func TestWhatMatesReportOfOnePlaceIsOneEntry(t *testing.T) {
	own := func(c Contact) func(l *Log) { return func(l *Log) { l.Set(c) } }
	at := func(label string) hex.Hex { h, _ := hex.ParseLabel(label); return h }
	for _, test := range []struct {
		name    string
		before  func(l *Log)
		reports [][]Reported
		want    string
	}{
		{"three mates, one ship", nil, [][]Reported{{told("a", 9, "2011", 0)}, {told("b", 4, "2011", 0)}, {told("c", 7, "2011", 0)}}, "c01 2011 0 a/c09 b/c04 c/c07"},
		{"two ships of one mate in a hex", nil, [][]Reported{{told("a", 1, "2011", 0), told("a", 2, "2011", 0)}, {told("b", 4, "2011", 0)}}, "c01 2011 0 a/c01 b/c04; c02 2011 0 a/c02"},
		{"another moment", nil, [][]Reported{{told("a", 1, "2011", 0)}, {told("b", 4, "2011", 1)}}, "c01 2011 0 a/c01; c02 2011 1 b/c04"},
		{"told again, elsewhere, by both", nil, [][]Reported{{told("a", 1, "2011", 0)}, {told("b", 4, "2011", 0)}, {told("a", 1, "2013", 1)}, {told("b", 4, "2013", 1)}}, "c01 2013 1 a/c01 b/c04"},
		{"told again, and now apart", nil, [][]Reported{{told("a", 1, "2011", 0)}, {told("b", 4, "2011", 0)}, {told("a", 1, "2013", 1)}, {told("b", 4, "2009", 1)}}, "c01 2013 1 a/c01; c02 2009 1 b/c04"},
		{"older, passed on late", nil, [][]Reported{{told("a", 1, "2013", 2)}, {told("a", 1, "2011", 1)}}, "c01 2013 2 a/c01"},
		{"who knows the name comes first", nil, [][]Reported{{told("a", 1, "2011", 0)}, {named("b", 4, "2011", 0, "Wolf")}}, "c01 2011 0 b/Wolf a/c01"},
		{"one name, two moments", nil, [][]Reported{{named("a", 1, "2011", 0, "Wolf")}, {named("b", 4, "2013", 1, "Wolf")}}, "c01 2013 1 b/Wolf"},
		{"two names", nil, [][]Reported{{named("a", 1, "2011", 0, "Wolf")}, {named("b", 4, "2011", 0, "Bear")}}, "c01 2011 0 a/Wolf; c02 2011 0 b/Bear"},
		{"own sensors have it", own(Contact{No: 1, Ship: "x", Hex: at("2011"), Since: When{Turn: 1}}), [][]Reported{{told("a", 9, "2011", 0)}}, "c01 2011 1"},
		{"own sensors had it then", own(Contact{No: 1, Ship: "x", Hex: at("2011"), Since: When{Turn: 1}, Lost: true}), [][]Reported{{told("a", 9, "2011", 1)}}, "c01 2011 1"},
		{"own sensors had it before", own(Contact{No: 1, Ship: "x", Hex: at("2011"), Since: When{Turn: 1}, Lost: true}), [][]Reported{{told("a", 9, "2011", 2)}}, "c01 2011 1; c02 2011 2 a/c09"},
		{"as it was kept before", own(Contact{No: 1, Ship: "~a.9", Told: "a", As: "c09", Hex: at("2011"), Lost: true}), [][]Reported{{told("b", 2, "2011", 0)}}, "c01 2011 0 a/c09 b/c02"},
	} {
		var l Log
		if test.before != nil {
			test.before(&l)
		}
		for _, report := range test.reports {
			for _, c := range l.Hear(report) {
				l.Set(c)
			}
			if again := l.Hear(report); len(again) > 0 {
				t.Errorf("%s: told again it brings %+v", test.name, again)
			}
		}
		var got []string
		for _, c := range l.Contacts {
			words := fmt.Sprintf("%s %s %d", c.Name(), c.Hex.Label(), c.Since.Turn)
			for _, by := range c.Tellers() {
				words += string(" "+by.Ship+"/") + by.As
			}
			got = append(got, words)
		}
		if s := strings.Join(got, "; "); s != test.want {
			t.Errorf("%s: got %s\nwant %s", test.name, s, test.want)
		}
	}
}
