package vault

import (
	"strings"
	"testing"

	"starpost/pbem/vault/journal"
)

// TestStandingOfDisputes checks that each protest is a dispute, that steps count until one decides
// it, and that a step for an unknown or decided dispute changes nothing.
func TestStandingOfDisputes(t *testing.T) {
	protest := func(event int) journal.Entry {
		return note(t, journal.Protest, 1, journal.ProtestData{Turn: 3, Event: event, Reason: "no"})
	}
	step := func(dispute int, what string) journal.Entry {
		return note(t, journal.Dispute, 2, journal.DisputeData{Dispute: dispute, Step: what, Text: "so"})
	}
	st, _ := standingOf(t, protest(1), protest(2), step(2, journal.DisputeAnswer), step(2, journal.DisputeReject), step(2, journal.DisputeUphold), step(7, journal.DisputeUphold), protest(3))
	if len(st.Disputes) != 3 || len(st.OpenDisputes()) != 2 {
		t.Fatalf("%+v", st.Disputes)
	}
	for n, want := range map[int]string{1: "", 2: journal.DisputeReject, 3: ""} {
		d, ok := st.Dispute(n)
		if !ok || d.Number != n || d.Event != n || d.Outcome() != want || d.Open() != (want == "") {
			t.Errorf("dispute %d: %+v", n, d)
		}
	}
	if d, _ := st.Dispute(2); len(d.Steps) != 2 || d.Steps[1].Text != "so" || d.Steps[1].Seq != 4 || d.Captain != "Bob" {
		t.Errorf("%+v", d)
	}
	for _, n := range []int{-1, 0, 4} {
		if d, ok := st.Dispute(n); ok {
			t.Errorf("dispute %d: %+v", n, d)
		}
	}
}

func TestDisputeDataIsChecked(t *testing.T) {
	g := open(t, create(t))
	for want, d := range map[string]journal.DisputeData{
		"disputes count from 1": {Step: journal.DisputeAnswer, Text: "x"},
		`dispute step "upheld"`: {Dispute: 1, Step: "upheld", Text: "x"},
		"not be negative":       {Dispute: 1, Step: journal.DisputeUphold, Text: "x", Turn: -1},
		"longer than 8000":      {Dispute: 1, Step: journal.DisputeUphold, Text: strings.Repeat("x", 8001)},
		"bytes, or not text":    {Dispute: 1, Step: journal.DisputeUphold, Text: "x", Tell: strings.Repeat("x", 8001)},
		"captain is missing":    {Dispute: 1, Step: journal.DisputeUphold, Text: "x"},
	} {
		e := note(t, journal.Dispute, 1, d)
		if strings.HasPrefix(want, "captain") {
			e.Captain = ""
		}
		if added, err := g.Append(e); added || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", want, added, err)
		}
	}
}
