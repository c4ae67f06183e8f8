package vault

import (
	"fmt"
	"time"
	"unicode/utf8"
)

// Steps that a referee takes in a dispute.
const (
	DisputeAnswer = "answer" // a word to the captain; the dispute stays open
	DisputeUphold = "uphold" // the captain was right
	DisputeReject = "reject" // he was not
)

// maxDisputeText bounds each text of a step, in bytes.
const maxDisputeText = 8000

// DisputeData belongs to a step in a dispute.
type DisputeData struct {
	Dispute int    `json:"dispute"`        // its number: the protests of a game are counted from 1
	Step    string `json:"step"`           // one of the constants above
	Text    string `json:"text"`           // for the captain who protested
	Tell    string `json:"tell,omitempty"` // for all others; "" for that and how it was decided, no more
	// Turn and Revision are where the outcome was changed because of it; zeros for
	// nothing.
	Turn     int `json:"turn,omitempty"`
	Revision int `json:"revision,omitempty"`
}

func (d *DisputeData) problem() string {
	switch {
	case d.Dispute < 1:
		return "disputes are counted from 1"
	case d.Step != DisputeAnswer && d.Step != DisputeUphold && d.Step != DisputeReject:
		return fmt.Sprintf("a dispute has no step %q", d.Step)
	case d.Turn < 0 || d.Revision < 0:
		return "a turn and its revision are not negative"
	}
	for _, text := range []string{d.Text, d.Tell} {
		if len(text) > maxDisputeText || !utf8.ValidString(text) {
			return fmt.Sprintf("a text is longer than %d bytes, or no text", maxDisputeText)
		}
	}
	return ""
}

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
	DisputeData
}

// Open reports whether the dispute waits for its end.
func (d Dispute) Open() bool { return d.Outcome() == "" }

// Outcome is DisputeUphold or DisputeReject, "" while it is open.
func (d Dispute) Outcome() string {
	for _, s := range d.Steps {
		if s.Step != DisputeAnswer {
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
func (st *AdminState) step(e Entry, d DisputeData) {
	if known, ok := st.Dispute(d.Dispute); ok && known.Open() {
		of := &st.Disputes[d.Dispute-1]
		of.Steps = append(of.Steps, DisputeStep{Seq: e.Seq, By: e.By, At: e.Time, DisputeData: d})
	}
}
