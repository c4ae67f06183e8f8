package vault

import (
	"time"

	"starpost/pbem/vault/journal"
)

// Dispute is a protest and what became of it.
type Dispute struct {
	Number int // from 1, in the order of the protests
	Protest
	Steps []DisputeStep
}

// DisputeStep is what a referee did in a dispute.
type DisputeStep struct {
	Seq int // of the entry
	By  string
	At  time.Time
	journal.DisputeData
}

// Open reports whether the dispute waits for its end.
func (d Dispute) Open() bool { return d.Outcome() == "" }

// Outcome is journal.DisputeUphold or journal.DisputeReject, "" while it is open.
func (d Dispute) Outcome() string {
	for _, s := range d.Steps {
		if s.Step != journal.DisputeAnswer {
			return s.Step
		}
	}
	return ""
}

// Dispute finds a dispute by its number.
func (st AdminState) Dispute(n int) (Dispute, bool) {
	if n < 1 || n > len(st.Disputes) {
		return Dispute{}, false
	}
	return st.Disputes[n-1], true
}

// OpenDisputes are those that wait for their end.
func (st AdminState) OpenDisputes() []Dispute {
	var out []Dispute
	for _, d := range st.Disputes {
		if d.Open() {
			out = append(out, d)
		}
	}
	return out
}

// step folds a step into its dispute. One of a dispute that is not there, or is
// decided, changes nothing.
func (st *AdminState) step(e journal.Entry, d journal.DisputeData) {
	if known, ok := st.Dispute(d.Dispute); ok && known.Open() {
		of := &st.Disputes[d.Dispute-1]
		of.Steps = append(of.Steps, DisputeStep{Seq: e.Seq, By: e.By, At: e.Time, DisputeData: d})
	}
}
