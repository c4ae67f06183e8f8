package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"starpost/pbem/vault/journal"
)

// Turns that were resolved may be changed: by a ruling, another order, a
// rollback. Nothing that was committed is touched then. What a turn is changed
// into stands beside it as its next revision,
//
//	turns/0003/      revision 1
//	turns/0003.r2/   revision 2
//
// and the journal says which one counts. A directory of a later revision that no
// entry names was being made when the process was killed: it is no part of the
// game, and is replaced when its number is needed.

// Revision is one resolution of a turn.
type Revision struct {
	Turn     int
	Revision int  // 1 is the first
	Current  bool // it counts
	Entry    int  // of the journal that made it; 0 for revision 1, and the fields below are empty
	By, Why  string
	At       time.Time
	Changes  []string // what was changed, in words
	// Follows is the turn whose change was the cause of this one, where it only
	// was resolved again after it; else its own.
	Follows int
	Played  bool // it was due, after a rollback, and nothing was changed
	Aside   int  // the entry that took it out of the game without putting another in its place; 0 for none
}

// past is what the journal says of which resolutions count.
type past struct {
	made    map[int][]Revision    // those after the first, by turn, in order of the journal
	current map[int]int           // the revision that counts, of turns that the journal speaks of; 0: none
	aside   map[int]int           // the entry that took the first revision of a turn out of the game
	sums    map[journal.Made]bool // all that were committed by an entry
	setBack *setBack              // the last change after which an earlier turn was due
	dues    []int                 // the turns that were due after each such change
	head    string                // of the journal that was read
}

// setBack is a change after which an earlier turn is due than before.
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
				r := Revision{Turn: m.Turn, Revision: m.Revision, Entry: e.Seq, By: e.By, Why: e.Why, At: e.Time, Follows: d.Turn, Played: d.Played}
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

// drop takes turns out of the game.
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

// counts is the revision of a turn that counts: 0 for none. A turn of which the
// journal says nothing counts as it was played, if it was.
func (p past) counts(turn int) int {
	if rev, ok := p.current[turn]; ok {
		return rev
	}
	return 1
}

// next is the number of a turn's next revision; played tells that the turn has a
// directory of its first.
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

// turnSet is turns in their order: of very many games a map for each takes more room than all else
// that is known of their turns.
type turnSet []int

func (s turnSet) has(n int) bool { _, ok := slices.BinarySearch(s, n); return ok }

// follow reads the journal's word on which turns there are, and how many; found
// are the turns that have a directory of their first revision, sorted.
func (g *Game) follow(found turnSet) error {
	p := readPast(g.journal.entries, g.journal.head)
	turns := 0
	for ; ; turns++ {
		rev := p.counts(turns)
		if rev == 0 || rev == 1 && !found.has(turns) {
			break
		}
		if rev > 1 {
			at := Stage{Turn: turns, Revision: rev}
			if _, err := g.tree.Stat(g.StageName(at)); err != nil {
				return missingTurn(g.stagePath(at), fmt.Sprintf("the directory is missing, though the journal has revision %d of turn %d", rev, turns), err)
			}
		}
	}
	known := slices.Concat(found, slices.Collect(maps.Keys(p.current)))
	for _, n := range known {
		if rev := p.counts(n); n > turns && (rev > 1 || rev == 1 && found.has(n)) {
			return damaged(g.path(turnsDir, turnName(turns)), "the turn is missing, though turn %d is there", n)
		}
	}
	if turns == 0 {
		return damaged(g.path(turnsDir, turnName(0)), "the set-up of the game is missing")
	}
	same := g.turns == turns && maps.Equal(g.past.current, p.current)
	g.past, g.first = p, found
	if !same {
		g.turns = turns
		g.forget()
	}
	return g.readRounds()
}

func missingTurn(path, problem string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return damaged(path, "%s", problem)
	}
	return system("read", path, err)
}

// revision is the number of a turn's revision that counts; of a turn that is not
// there, the one that it will have.
func (g *Game) revision(turn int) int {
	if turn < g.turns {
		return max(g.past.counts(turn), 1)
	}
	return g.past.next(turn, g.first.has(turn))
}

// Current is the number of a turn's revision that counts.
func (g *Game) Current(turn int) (int, error) {
	if err := g.has(turn); err != nil {
		return 0, err
	}
	return g.revision(turn), nil
}

// Revisions lists all resolutions of all turns, those that were set aside
// included, in order of turn and number.
func (g *Game) Revisions() []Revision {
	turns := slices.Concat(g.first, slices.Collect(maps.Keys(g.past.made)))
	slices.Sort(turns)
	var out []Revision
	for _, n := range slices.Compact(turns) {
		if g.first.has(n) {
			out = append(out, Revision{Turn: n, Revision: 1, Follows: n, Aside: g.past.aside[n]})
		}
		out = append(out, g.past.made[n]...)
	}
	for i, r := range out {
		out[i].Current = r.Turn < g.turns && r.Revision == g.past.counts(r.Turn)
	}
	return out
}

// hasRevision refuses what is no resolution of a turn.
func (g *Game) hasRevision(turn, revision int) error {
	if revision == 1 && g.first.has(turn) || slices.ContainsFunc(g.past.made[turn], func(r Revision) bool { return r.Revision == revision }) {
		return nil
	}
	if !g.first.has(turn) && len(g.past.made[turn]) == 0 {
		return g.has(max(turn, g.turns))
	}
	return &Error{
		Path: g.Dir(), Problem: fmt.Sprintf("turn %d has no revision %d", turn, revision),
		Way: fmt.Sprintf("its last is revision %d", g.past.next(turn, g.first.has(turn))-1), Err: ErrNoTurn,
	}
}

// Lineage lists the resolutions of turns that one was made after, turn 0 first and itself last,
// whether they count or not.
func (g *Game) Lineage(at Stage) ([]Stage, error) {
	m, err := g.StageManifest(at)
	if err != nil {
		return nil, err
	}
	made := []Stage{m.Stage()}
	all := g.Revisions()
	for n := m.Turn - 1; n >= 0; n-- {
		found := false
		for _, r := range slices.Backward(all) {
			if r.Turn != n || found {
				continue
			}
			before, hash, err := g.readManifest(Stage{Turn: n, Revision: r.Revision})
			if err != nil {
				return nil, err
			}
			if found = hash == m.Previous; found {
				m = before
			}
		}
		if !found {
			return nil, damaged(g.stagePath(made[0], ManifestFile), "turn %d was made after a turn %d that is not there", n+1, n)
		}
		made = append([]Stage{m.Stage()}, made...)
	}
	return made, nil
}
