package vault

import (
	"slices"
	"time"

	"starpost/pbem/vault/journal"
)

// Revision is one resolution of a turn.
type Revision struct {
	Turn     int
	Revision int  // 1 is the first
	Current  bool // it is the one that counts
	Entry    int  // journal entry that made it; 0 for revision 1, which leaves the fields below empty
	By, Why  string
	At       time.Time
	Changes  []string // changes, in words
	Played   bool     // it was due after a rollback, and nothing was changed
	Aside    int      // entry that removed it without a replacement; 0 for none
}

// past is what the journal says about which resolutions count.
type past struct {
	made    map[int][]Revision    // revisions after the first, by turn, in order of the journal
	current map[int]int           // the current revision of turns in the journal; 0: none
	aside   map[int]int           // the entry that removed the first revision of a turn
	sums    map[journal.Made]bool // all revisions committed by an entry
	setBack *setBack              // the last change that made an earlier turn due
	dues    []int                 // the turns made due by such changes
	head    string                // of the journal as read
}

// setBack is a change that makes an earlier turn due.
type setBack struct {
	entry  int
	due    int
	parked map[string]string
}

// readPast folds the journal.
func readPast(entries []journal.Entry, head string) past {
	if len(entries) == 0 {
		return past{head: head}
	}
	p := past{made: map[int][]Revision{}, current: map[int]int{}, aside: map[int]int{}, sums: map[journal.Made]bool{}, head: head}
	for _, e := range entries {
		switch e.Kind {
		case journal.Revise:
			d := journal.DataOf[journal.ReviseData](e)
			last := d.Turn
			for i, m := range append([]journal.Made{d.Made}, d.Later...) {
				r := Revision{Turn: m.Turn, Revision: m.Revision, Entry: e.Seq, By: e.By, Why: e.Why, At: e.Time, Played: d.Played}
				if i == 0 {
					r.Changes = d.Changes
				}
				p.made[m.Turn] = append(p.made[m.Turn], r)
				p.current[m.Turn], p.sums[m] = m.Revision, true
				last = m.Turn
			}
			if d.Aside > 0 || d.Begun > 0 {
				p.drop(e.Seq, last, d.Aside, d.Parked)
			}
		case journal.Rollback:
			d := journal.DataOf[journal.RollbackData](e)
			p.drop(e.Seq, d.Turn, d.Last, d.Parked)
		case journal.Rules:
			d := journal.DataOf[journal.RulesData](e)
			if d.Begun > 0 {
				p.drop(e.Seq, e.Turn-1, 0, d.Parked)
			}
		}
	}
	return p
}

// drop removes turns from the game.
func (p *past) drop(entry, stays, last int, parked map[string]string) {
	for n := stays + 1; n <= last; n++ {
		switch rev, known := p.current[n]; {
		case !known:
			p.aside[n] = entry
		case rev == 1:
			p.aside[n] = entry
		default:
			for i := range p.made[n] {
				if p.made[n][i].Revision == rev {
					p.made[n][i].Aside = entry
				}
			}
		}
		p.current[n] = 0
	}
	p.setBack = &setBack{entry: entry, due: stays + 1, parked: parked}
	p.dues = append(p.dues, stays+1)
}

// counts returns the current revision of a turn: 0 for none. A turn that the journal does not
// mention counts as it was played, if it was.
func (p past) counts(turn int) int {
	if rev, ok := p.current[turn]; ok {
		return rev
	}
	return 1
}

// next returns the number of a turn's next revision; played means that the directory of its first
// revision exists.
func (p past) next(turn int, played bool) int {
	highest := 0
	if played {
		highest = 1
	}
	for _, r := range p.made[turn] {
		highest = max(highest, r.Revision)
	}
	return highest + 1
}

// turnSet is a sorted list of turns: with very many games, a map for each would take more memory
// than everything else about their turns.
type turnSet []int

func (s turnSet) has(n int) bool { _, ok := slices.BinarySearch(s, n); return ok }
