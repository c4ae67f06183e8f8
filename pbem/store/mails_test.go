package store

import "testing"

func TestStateNames(t *testing.T) {
	for s, want := range map[State]string{Stored: "stored", Acted: "acted", Answered: "answered", Moved: "moved", 9: "state 9"} {
		if got := s.String(); got != want {
			t.Errorf("state is called %q, want %q", got, want)
		}
	}
}
