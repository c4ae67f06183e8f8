package vault

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/clock"
	"starpost/pbem/vault/journal"
)

// standingOf returns the state after folding entries into a new game.
func standingOf(t *testing.T, entries ...journal.Entry) (AdminState, Settings) {
	t.Helper()
	g := open(t, create(t))
	appended(t, g, entries...)
	st, err := g.AdminState()
	if err != nil {
		t.Fatal(err)
	}
	again := open(t, g.Dir())
	if other, err := again.AdminState(); err != nil || !reflect.DeepEqual(st, other) || !reflect.DeepEqual(g.Settings(), again.Settings()) {
		t.Errorf("read again: %+v, %v", other, err)
	}
	return st, g.Settings()
}

func TestStandingOfTime(t *testing.T) {
	grace := note(t, journal.Grace, 1, journal.GraceData{Ends: day(6)})
	grace.Turn = 1
	moved := note(t, journal.Deadline, 1, journal.DeadlineData{Deadline: day(5)})
	moved.Turn = 1
	further := note(t, journal.Deadline, 2, journal.DeadlineData{Deadline: day(7)})
	further.Turn = 1
	pause := note(t, journal.Pause, 2, journal.PauseData{Until: day(9), Left: clock.Day, Deadline: day(10)})
	pause.Why = "storm"
	st, _ := standingOf(t, grace, moved, pause, further)
	if !st.Grace[Stage{Turn: 1, Round: 1}].Equal(day(6)) || !st.Deadline[Stage{Turn: 0, Round: 1}].Equal(day(10)) || !st.Deadline[Stage{Turn: 1, Round: 1}].Equal(day(7)) {
		t.Errorf("%+v", st)
	}
	if want := (&Pause{By: "Bob", Why: "storm", Since: day(2), Until: day(9), Left: clock.Day, Moved: true}); !reflect.DeepEqual(st.Paused, want) {
		t.Errorf("paused: %+v", st.Paused)
	}
	st, _ = standingOf(t, pause, note(t, journal.Resume, 3, nil))
	if st.Paused != nil {
		t.Errorf("paused: %+v", st.Paused)
	}
	pause = note(t, journal.Pause, 2, journal.PauseData{Until: day(9), Deadline: day(12)})
	pause.Turn = 1
	resume := note(t, journal.Resume, 3, journal.ResumeData{Deadline: day(11)})
	resume.Turn = 1
	if st, _ = standingOf(t, pause); !st.Deadline[Stage{Turn: 1, Round: 1}].Equal(day(12)) || st.Paused.Moved {
		t.Errorf("%+v", st)
	}
	if st, _ = standingOf(t, pause, resume); !st.Deadline[Stage{Turn: 1, Round: 1}].Equal(day(11)) || st.Paused != nil {
		t.Errorf("%+v", st)
	}
}

func TestStandingOfAbsences(t *testing.T) {
	away := func(from, to int) journal.Entry {
		return note(t, journal.Away, 0, journal.AwayData{From: day(from), To: day(to)})
	}
	st, _ := standingOf(t, away(2, 4), away(6, 9))
	for at, want := range map[int]time.Time{1: {}, 2: day(4), 3: day(4), 4: {}, 8: day(9), 9: {}} {
		until, ok := st.AwayAt("BOB", day(at))
		if !until.Equal(want) || ok == want.IsZero() {
			t.Errorf("day %d: %v, %v", at, until, ok)
		}
	}
	if _, ok := st.AwayAt("Ann Lee", day(2)); ok {
		t.Error("another is away too")
	}
	// Back on day 3: the first absence ends then, and the second never begins.
	st, _ = standingOf(t, away(2, 4), away(6, 9), note(t, journal.Back, 3, nil))
	if want := []Absence{{Captain: "Bob", From: day(2), To: day(3)}}; !reflect.DeepEqual(st.Away, want) {
		t.Errorf("%+v", st.Away)
	}
}

func TestStandingOfVotes(t *testing.T) {
	un := note(t, journal.Unvote, 1, nil)
	un.Turn = 1
	st, _ := standingOf(t, vote(t, 1, 1), vote(t, 2, 1), un)
	if len(st.Votes[1]) != 0 || st.Votes[2]["Bob"] != VoteDraw {
		t.Errorf("%+v", st.Votes)
	}
	// A captain who leaves has no vote.
	st, _ = standingOf(t, vote(t, 1, 1), note(t, journal.Resign, 1, journal.ResignData{Address: "bob@example.org"}))
	if len(st.Votes[1]) != 0 {
		t.Errorf("%+v", st.Votes)
	}
}

func TestStandingOfProtests(t *testing.T) {
	st, _ := standingOf(t, note(t, journal.Protest, 1, journal.ProtestData{Turn: 3, Event: 17, Reason: "no"}),
		note(t, journal.Message, 1, journal.MessageData{To: "all", Captains: []engine.CaptainName{"Ann Lee"}, Text: "hi"}))
	want := []Protest{{Seq: 1, Captain: "Bob", At: day(1), ProtestData: journal.ProtestData{Turn: 3, Event: 17, Reason: "no"}}}
	if !reflect.DeepEqual(st.Protests, want) {
		t.Errorf("%+v", st.Protests)
	}
}

// TestSettingsInEffect checks that addresses are those of the journal.
func TestSettingsInEffect(t *testing.T) {
	moved := note(t, journal.Address, 1, journal.AddressData{Old: "Bob@example.org", New: "bob@home.example"})
	gone := note(t, journal.Resign, 2, journal.ResignData{Address: "bob@home.example"})
	come := note(t, journal.Join, 3, journal.JoinData{Address: "cid@example.org"})
	bob := settings().Captains[1]
	for _, c := range []struct {
		name    string
		entries []journal.Entry
		address string
		also    []string
		vacant  bool
		changes int
	}{
		{"nothing", nil, "bob@example.org", []string{"bob@home.example"}, false, 0},
		{"a new address, which was his other one", []journal.Entry{moved}, "bob@home.example", []string{}, false, 0},
		{"of another's address", []journal.Entry{note(t, journal.Address, 1, journal.AddressData{Old: "x@example.org", New: "y@example.org"})}, bob.Address, bob.Also, false, 0},
		{"gone", []journal.Entry{moved, gone}, "", nil, true, 1},
		{"taken over", []journal.Entry{moved, gone, come}, "cid@example.org", nil, false, 2},
		{"gone from another address than game.toml has", []journal.Entry{gone}, bob.Address, bob.Also, false, 1},
		{"joined where nobody left", []journal.Entry{come}, bob.Address, bob.Also, false, 1},
	} {
		st, s := standingOf(t, c.entries...)
		got := s.Captains[1]
		if got.Address != c.address || !reflect.DeepEqual(got.Also, c.also) || got.Name != "Bob" ||
			st.HasVacant("Bob") != c.vacant || st.Changes["Bob"] != c.changes {
			t.Errorf("%s: %+v, %+v", c.name, got, st)
		}
		if s.Captains[0].Address != "" || len(s.Captains) != 2 {
			t.Errorf("%s: %+v", c.name, s.Captains)
		}
	}
}

// TestRefereeGoesBefore checks that a seat filled by editing game.toml is filled.
func TestRefereeGoesBefore(t *testing.T) {
	g := open(t, create(t))
	appended(t, g, note(t, journal.Address, 1, journal.AddressData{Old: "bob@example.org", New: "b@example.org"}),
		note(t, journal.Resign, 2, journal.ResignData{Address: "b@example.org"}))
	path := filepath.Join(g.Dir(), "game.toml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), "bob@example.org", "dora@example.org", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := g.Refresh(); err != nil {
		t.Fatal(err)
	}
	st, err := g.AdminState()
	if err != nil || st.HasVacant("Bob") || g.Settings().Captains[1].Address != "dora@example.org" || st.Changes["Bob"] != 1 {
		t.Errorf("%+v, %+v, %v", st, g.Settings().Captains, err)
	}
}

// TestDisregard checks that a mail that is decided again sees the game without its own effects.
func TestDisregard(t *testing.T) {
	dir := create(t)
	g := open(t, dir)
	gone := note(t, journal.Resign, 2, journal.ResignData{Address: "bob@example.org"})
	gone.Cause = "abc#1"
	before := g.Settings()
	appended(t, g, gone)
	after := g.Settings()
	for _, g := range []*Game{g, open(t, dir)} {
		for range 2 {
			g.Disregard("abc")
			if st, err := g.AdminState(); err != nil || st.HasVacant("Bob") || st.Changes["Bob"] != 0 || !reflect.DeepEqual(g.Settings(), before) {
				t.Errorf("%+v, %v", st, err)
			}
			if added, err := g.Append(gone); added || err != nil { // it exists nevertheless
				t.Error(added, err)
			}
			g.Disregard("other")
			if st, err := g.AdminState(); err != nil || !st.HasVacant("Bob") {
				t.Errorf("%+v, %v", st, err)
			}
			g.Disregard("")
			if !reflect.DeepEqual(g.Settings(), after) {
				t.Errorf("%+v", g.Settings())
			}
		}
	}
	// An entry added while it is disregarded stays hidden until it is regarded again.
	g = open(t, create(t))
	g.Disregard("abc")
	appended(t, g, gone)
	if !reflect.DeepEqual(g.Settings(), before) {
		t.Errorf("%+v", g.Settings())
	}
	g.Disregard("")
	if reflect.DeepEqual(g.Settings(), before) {
		t.Errorf("%+v", g.Settings())
	}
}
