package rating

import (
	"reflect"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

func TestReliability(t *testing.T) {
	for _, c := range []struct {
		Conduct
		percent int
	}{
		{Conduct{}, 100},
		{Conduct{Missed: 1}, 90},
		{Conduct{Answered: 1, Missed: 1}, 90},
		{Conduct{Answered: 9, Missed: 1}, 90},
		{Conduct{Answered: 19, Missed: 1}, 95},
		{Conduct{Answered: 199, Missed: 1}, 99},
		{Conduct{Answered: 5, Resigned: 1}, 50},
		{Conduct{Answered: 95, Resigned: 1}, 95},
		{Conduct{Missed: 40, Resigned: 3}, 0},
	} {
		if got := c.Percent(); got != c.percent {
			t.Errorf("%+v is reliable at %d%%, want %d%%", c.Conduct, got, c.percent)
		}
	}
}

// TestWhoHeldASeat checks that turns belong to the holder of the seat when they were due, whatever
// the address was.
func TestWhoHeldASeat(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	entry := func(kind string, turn int, who engine.CaptainName, data any) journal.Entry {
		e := journal.NewEntry(kind, "Kirk", at, data)
		e.Turn, e.Captain = turn, who
		return e
	}
	kirk := vault.Captain{Name: "Kirk", Address: "Dora@home.example", Ships: []string{"Hood"}}
	entries := []journal.Entry{
		entry(journal.Address, 2, "Kirk", journal.AddressData{Old: "ann@home.example", New: "ann@new.example"}),
		entry(journal.Resign, 2, "Kor", journal.ResignData{Address: "kor@home.example"}),
		entry(journal.Resign, 4, "Kirk", journal.ResignData{Address: "ann@new.example"}),
		entry(journal.Join, 6, "Kirk", journal.JoinData{Address: "carl@home.example"}),
		entry(journal.Replace, 8, "Kirk", journal.ReplaceData{Old: "carl@home.example", Address: "dora@home.example"}),
	}
	want := []tenure{
		{address: "dora@home.example", first: 8, last: 9, joined: true},
		{address: "carl@home.example", first: 6, last: 7, joined: true},
		{first: 4, last: 5, joined: true},
		{address: "ann@new.example", first: 1, last: 3, resigned: true},
	}
	if got := tenures(kirk, entries, 9); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	// Turns before the change of address count too.
	if got := tenures(kirk, entries[:1], 9); len(got) != 1 || got[0].address != "dora@home.example" {
		t.Errorf("got %+v", got)
	}
	early := entry(journal.Join, 1, "Kirk", journal.JoinData{Address: "dora@home.example"})
	if tookOver(kirk, []journal.Entry{early}, 9) || !tookOver(kirk, entries, 9) {
		t.Error("who joins before the first turn takes no battle over, who joins later does")
	}
}

// TestWhoTakesASeatOverLosesNothing checks that they win as others do, and that the opponent's
// rating changes as usual.
func TestWhoTakesASeatOverLosesNothing(t *testing.T) {
	now := time.Date(2026, 2, 20, 0, 0, 0, 0, time.UTC)
	late := bob
	late.Late = true
	for won, change := range map[int]int{0: 0, -1: 0, 1: 1} {
		b := Make([]Game{fought("a", 1, won, []Player{ann}, []Player{late})}, nil, now)
		s := b.Find("Bob")[0]
		if got := s.Standings[0].Rating - 1500; got < 0 || (got > 0) != (change > 0) || s.Games[0].Seat() != "Klingon, taken over," {
			t.Errorf("result %d changes his rating by %d: %+v", won, got, s)
		}
		if gain := b.Find("Ann")[0].Standings[0].Rating - 1500; won == 0 && gain < 100 {
			t.Errorf("his enemy gains %d", gain)
		}
	}
}
