package vault

import (
	"fmt"
	"strconv"

	"starpost/pbem/pattern"
)

// Stage is a point of a game: the end of a turn, or of a round of it. Where a turn was
// resolved more than once, it is one of these resolutions.
type Stage struct {
	Turn     int
	Round    int // 0: the whole turn
	Revision int // from 1; 0: the one that counts
}

// At is the end of a turn, as the resolution of it that counts has it.
func At(turn int) Stage { return Stage{Turn: turn} }

// String is "turn 3" or "turn 3, phase 2".
func (s Stage) String() string {
	if s.Round == 0 {
		return fmt.Sprintf("turn %d", s.Turn)
	}
	return fmt.Sprintf("turn %d, phase %d", s.Turn, s.Round)
}

// Slug is "3" or "3.p2", as names of files and mails have it.
func (s Stage) Slug() string {
	if s.Round == 0 {
		return strconv.Itoa(s.Turn)
	}
	return fmt.Sprintf("%d.p%d", s.Turn, s.Round)
}

// Base is the name below turns of the directory of a stage whose revision is given, or
// is the first: "0003", "0003.p1", "0003.r2".
func (s Stage) Base() string {
	base := turnName(s.Turn)
	if s.Revision > 1 {
		base += ".r" + strconv.Itoa(s.Revision)
	}
	if s.Round > 0 {
		base += ".p" + strconv.Itoa(s.Round)
	}
	return base
}

// baseForm is the form of the names that Base gives.
var baseForm = pattern.New(`^([0-9]{4,})(?:\.r([0-9]+))?(?:\.p([0-9]+))?$`)

// StageOf reads the name below turns of the directory of a stage.
func StageOf(base string) (Stage, bool) {
	m := baseForm().FindStringSubmatch(base)
	if m == nil {
		return Stage{}, false
	}
	at := Stage{Revision: 1}
	for i, into := range []*int{&at.Turn, &at.Revision, &at.Round} {
		if m[i+1] == "" {
			continue
		}
		n, err := strconv.Atoi(m[i+1])
		if err != nil {
			return Stage{}, false
		}
		*into = n
	}
	return at, at.Base() == base
}

// first is the stage with its round counted from 1.
func (s Stage) first() Stage { return Stage{Turn: s.Turn, Round: max(s.Round, 1)} }

// before tells whether a stage that is due comes earlier than another.
func (s Stage) before(o Stage) bool {
	s, o = s.first(), o.first()
	return s.Turn < o.Turn || s.Turn == o.Turn && s.Round < o.Round
}

// laterBase is the name below orders/later of the folder for what was sent ahead
// for a stage.
func laterBase(at Stage) string {
	if at.Round > 1 {
		return fmt.Sprintf("%s.p%d", turnName(at.Turn), at.Round)
	}
	return turnName(at.Turn)
}

// laterName is the form of its names.
var laterName = pattern.New(`^([0-9]{4,})(?:\.p([0-9]+))?$`)

// laterStage reads such a name.
func laterStage(name string) (Stage, bool) {
	m := laterName().FindStringSubmatch(name)
	if m == nil {
		return Stage{}, false
	}
	turn, ok := turnNumber(m[1])
	round := 1
	if m[2] != "" {
		var err error
		if round, err = strconv.Atoi(m[2]); err != nil {
			return Stage{}, false
		}
	}
	return Stage{Turn: turn, Round: round}, ok
}
