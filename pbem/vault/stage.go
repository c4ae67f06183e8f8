package vault

import (
	"fmt"
	"strconv"

	"starpost/pbem/pattern"
)

// Stage is a point of a game: the end of a turn, or of a round of it. If a turn was resolved more
// than once, it is one of these resolutions.
type Stage struct {
	Turn     int
	Round    int // 0: the whole turn
	Revision int // from 1; 0: the current one
}

// At returns the end of a turn, in its current resolution.
func At(turn int) Stage { return Stage{Turn: turn} }

// String returns "turn 3" or "turn 3, phase 2".
func (s Stage) String() string {
	if s.Round == 0 {
		return fmt.Sprintf("turn %d", s.Turn)
	}
	return fmt.Sprintf("turn %d, phase %d", s.Turn, s.Round)
}

// Slug returns "3" or "3.p2", as in names of files and mails.
func (s Stage) Slug() string {
	if s.Round == 0 {
		return strconv.Itoa(s.Turn)
	}
	return fmt.Sprintf("%d.p%d", s.Turn, s.Round)
}

// Base returns the name of the stage's directory below turns: "0003", "0003.p1", "0003.r2". Without
// a revision it is that of the first.
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

// baseForm matches the names that Base returns.
var baseForm = pattern.New(`^([0-9]{4,})(?:\.r([0-9]+))?(?:\.p([0-9]+))?$`)

// StageOf parses the name of a stage's directory below turns.
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

// first returns the stage with its round counted from 1.
func (s Stage) first() Stage { return Stage{Turn: s.Turn, Round: max(s.Round, 1)} }

// before reports whether a stage comes before another.
func (s Stage) before(o Stage) bool {
	s, o = s.first(), o.first()
	return s.Turn < o.Turn || s.Turn == o.Turn && s.Round < o.Round
}

// laterBase returns the name of the folder below orders/later for sets sent ahead for a stage.
func laterBase(at Stage) string {
	if at.Round > 1 {
		return fmt.Sprintf("%s.p%d", turnName(at.Turn), at.Round)
	}
	return turnName(at.Turn)
}

// laterName matches the names that laterBase returns.
var laterName = pattern.New(`^([0-9]{4,})(?:\.p([0-9]+))?$`)

// laterStage parses such a name.
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
