package enginetest

import (
	"io/fs"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/conformance"
)

// Case is a case of the suite, and what happened when it was played.
type Case struct {
	*conformance.Case
	Events []engine.Event // of all turns
	Causes engine.Causes  // of the events, which are numbered by turn
}

// Run plays every case (*.txt) of a folder and its subfolders, each as a subtest.
func Run(t *testing.T, rules *engine.Rules, fsys fs.FS) {
	t.Helper()
	cases, err := Cases(fsys)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		Report(t, c.Name, func() []conformance.Failure { return c.Play(rules) })
	}
}

// Cases reads every case (*.txt) of a folder and its subfolders.
func Cases(fsys fs.FS) ([]*Case, error) {
	all, err := conformance.Cases(fsys)
	if err != nil {
		return nil, err
	}
	out := make([]*Case, len(all))
	for i, c := range all {
		out[i] = &Case{Case: c}
	}
	return out, nil
}

// Report reports, in a subtest, what differs from a case's expectations.
func Report(t *testing.T, name string, play func() []conformance.Failure) {
	t.Helper()
	t.Run(strings.TrimSuffix(name, ".txt"), func(t *testing.T) {
		for _, f := range play() {
			t.Errorf("%s:%d: %s", name, f.Line, f.Message)
		}
	})
}

// Play plays a case by a rule set, checks each turn with [CheckTurn], and returns what differs from the case. It
// stops at a turn that cannot be resolved.
func (c *Case) Play(rules *engine.Rules) []conformance.Failure {
	c.Events, c.Causes = nil, nil
	q, bad := c.Question(rules.Name)
	if len(bad) > 0 {
		return bad
	}
	answer := conformance.Play(rules, q, func(before, after *engine.Game, events []engine.Event, causes engine.Causes) error {
		c.Events, c.Causes = append(c.Events, events...), append(c.Causes, causes...)
		return CheckTurn(rules, before, after, events)
	})
	failures, _ := c.Compare(answer)
	return failures
}
