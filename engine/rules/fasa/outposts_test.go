package fasa

import (
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// TestMoored: whatever word an outpost is given, by orders or when a word is not a
// movement word, it holds; a ship may use any word (stcs 17.3).
func TestMoored(t *testing.T) {
	outpost := &engine.Ship{System: stateWith(&ship.Hull{Chart: tables.OutpostChart})}
	ship := &engine.Ship{System: stateWith(&ship.Hull{Chart: "C"})}
	words := append(slices.Clone(advancedCourse().Words), board.WordTacticalL, board.WordTacticalR, board.WordEvadeL, board.WordEvadeR)
	for _, w := range words {
		if why, rule := rulebook.Moored(nil, nil, outpost, w); (why == "") != (w == "H") || why != "" && !slices.Equal(rule, []cites.Topic{cites.OutpostLimits}) {
			t.Errorf("%s: %q %v", w, why, rule)
		}
		if why, _ := rulebook.Moored(nil, nil, ship, w); why != "" {
			t.Errorf("a ship, %s: %q", w, why)
		}
	}
	if len(words) < 15 {
		t.Errorf("only %v", words)
	}
}

// TestOutpostsNeedTheirCourse: a course without rules for outposts allows none.
func TestOutpostsNeedTheirCourse(t *testing.T) {
	_, problems := basicRules(t).Commission(engine.ShipEntry{Class: "outpost"})
	if len(problems) != 1 || problems[0].Key != "class" || !strings.Contains(problems[0].Message, "outpost is an outpost") {
		t.Errorf("%+v", problems)
	}
}

// stateWith returns a ship's state that has only the given shares.
func stateWith(shares ...ship.Share) *ship.State {
	s := &ship.State{}
	s.Put(shares...)
	return s
}
