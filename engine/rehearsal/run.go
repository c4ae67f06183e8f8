package rehearsal

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
)

// Bands is the result of a rehearsal.
type Bands struct {
	Game    string      `json:"game"`
	Turn    int         `json:"turn"`
	Phase   int         `json:"phase,omitempty"` // the last phase played, if the turn is played by phases
	Asked   int         `json:"asked"`
	Played  int         `json:"played"` // fewer than Asked if the budget ran out
	Seed    uint64      `json:"seed"`
	Ships   []shipBands `json:"ships"`             // the viewer's ships first
	Ends    []Times     `json:"ends,omitempty"`    // how the battle ended, if it did
	Undone  []Times     `json:"undone,omitempty"`  // orders of the viewer that could not be carried out, and why
	Assumed []string    `json:"assumed,omitempty"` // assumptions, a line each
}

// shipBands is the result for one ship.
type shipBands struct {
	Ship    engine.ShipID `json:"ship"`
	Name    string        `json:"name"`
	Own     bool          `json:"own"`
	By      string        `json:"by"` // how she acted, in words
	Figures []Figure      `json:"figures"`
	Fates   []Times       `json:"fates"` // her final status
	Places  []Times       `json:"places"`
}

// Figure is a count that varies between battles: its value in the first, the 10th, the middle, the 90th and the
// last of a hundred battles sorted by it.
type Figure struct {
	Name   string `json:"name"`
	Least  int    `json:"least"`
	Low    int    `json:"low"`
	Middle int    `json:"middle"`
	High   int    `json:"high"`
	Most   int    `json:"most"`
}

// Times says in how many battles something happened. Lists have the most frequent first.
type Times struct {
	What  string `json:"what"`
	Times int    `json:"times"`
}

// shown is the maximum length of lists of places and orders.
const shown = 5

// Run plays a task. The error is a *Refusal if the task cannot be played as it is.
func Run(task Task) (*Bands, error) {
	task, err := task.bounded()
	if err != nil {
		return nil, err
	}
	g, err := suppose(task.Rules, task.View)
	if err != nil {
		return nil, err
	}
	sheets, by, err := g.command(&task)
	if err != nil {
		return nil, err
	}
	out := &Bands{Game: task.View.Game, Turn: task.View.Due, Asked: task.Times, Seed: task.Seed, Assumed: g.lines()}
	limit := engine.RoundLimit{Upto: g.rules.Rounds()}
	if out.Phase = task.View.DueRound(); out.Phase > 0 {
		limit.Upto = 1
	}
	t := newTally(g)
	for spent := 0; out.Played < min(task.Times, cmp.Or(task.Most, task.Times)) && spent < task.Budget; out.Played++ {
		secret := dice.FromSeed(task.Seed*MaxTimes + uint64(out.Played))
		after, events, err := g.play(sheets, limit, secret)
		if errors.Is(err, engine.ErrInvariant) { // the assumptions do not fit together
			return nil, refuse("the game itself is not affected: send the orders, and tell the host", "no battle can be made from what is known and assumed of turn %d: %v", out.Turn, err)
		}
		if err != nil {
			return nil, fmt.Errorf("rehearse turn %d of %s: %w", out.Turn, out.Game, err)
		}
		spent += len(events)
		t.battle(after, events)
	}
	t.bands(out, by)
	return out, nil
}

// play plays the turn, or the round, that is due.
func (g *supposed) play(sheets []engine.Sheet, limit engine.RoundLimit, secret dice.Secret) (*engine.Game, []engine.Event, error) {
	if g.game.Round > 0 {
		return engine.ResumeRound(g.rules, g.game, sheets, engine.DiceOf(g.game, secret, nil, dice.Beacon{}))
	}
	return engine.ResolveRounds(g.rules, g.game, sheets, limit, secret)
}

// tally counts the results of battles.
type tally struct {
	of     *supposed
	counts map[engine.ShipID]map[string][]int // by ship and kind of count: one number for each battle that had any
	fates  map[engine.ShipID]map[string]int
	places map[engine.ShipID]map[string]int
	ends   map[string]int
	undone map[string]int
}

func newTally(g *supposed) *tally {
	t := &tally{of: g, counts: map[engine.ShipID]map[string][]int{}, fates: map[engine.ShipID]map[string]int{}, places: map[engine.ShipID]map[string]int{}, ends: map[string]int{}, undone: map[string]int{}}
	for _, s := range engine.Captained(g.game.Ships) {
		t.counts[s.ID], t.fates[s.ID], t.places[s.ID] = map[string][]int{}, map[string]int{}, map[string]int{}
	}
	return t
}

// battle counts one battle.
func (t *tally) battle(after *engine.Game, events []engine.Event) {
	type figure struct {
		ship engine.ShipID
		what string
	}
	sums, failed := map[figure]int{}, map[string]bool{}
	for _, e := range events {
		switch b := e.Body.(type) {
		case engine.Counted:
			for _, c := range b.Tally() {
				sums[figure{c.Ship, c.What}] += c.N
			}
		case *engine.Skip:
			if slices.Contains(t.of.view.Viewer.Ships, b.Ship) {
				failed[fmt.Sprintf("%s, %s: %s", t.of.view.Name(b.Ship), b.Order, b.Reason)] = true
			}
		}
	}
	for f, n := range sums {
		if counts := t.counts[f.ship]; counts != nil {
			counts[f.what] = append(counts[f.what], n)
		}
	}
	for what := range failed {
		t.undone[what]++
	}
	for id := range t.fates {
		s, _ := after.Ship(id)
		t.fates[id][string(s.Status)]++
		if s.OnMap() {
			t.places[id][s.Hex.Label()+" "+s.Heading.String()]++
		}
	}
	if r := after.Result; r != nil {
		end := "a draw"
		if !r.Draw {
			end = after.SideName(r.Side) + " won"
		}
		t.ends[end+": "+r.Why]++
	}
}

// bands puts the counts into a result.
func (t *tally) bands(out *Bands, by map[engine.ShipID]string) {
	out.Ends, out.Undone = often(t.ends, shown), often(t.undone, shown)
	for _, s := range engine.Captained(t.of.game.Ships) {
		own := slices.Contains(t.of.view.Viewer.Ships, s.ID)
		b := shipBands{
			Ship: s.ID, Name: s.Name, Own: own, By: cmp.Or(by[s.ID], string(s.Status)), Figures: []Figure{},
			Fates: often(t.fates[s.ID], len(t.fates[s.ID])), Places: often(t.places[s.ID], shown),
		}
		for _, what := range slices.SortedFunc(maps.Keys(t.counts[s.ID]), inOrder) {
			if f := band(what, t.counts[s.ID][what], out.Played); f.Most > 0 {
				b.Figures = append(b.Figures, f)
			}
		}
		out.Ships = append(out.Ships, b)
	}
	slices.SortStableFunc(out.Ships, func(a, b shipBands) int {
		switch {
		case a.Own == b.Own:
			return 0
		case a.Own:
			return -1
		}
		return 1
	})
}

// inOrder sorts shots and hits before what they cost.
func inOrder(a, b string) int {
	rank := func(what string) int {
		if i := slices.Index([]string{engine.CountShots, engine.CountScored, engine.CountTaken}, what); i >= 0 {
			return i
		}
		return 3
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// band makes a Figure of counts from some of the battles; in the others the count was 0.
func band(what string, counts []int, battles int) Figure {
	all := append(make([]int, battles-len(counts)), counts...)
	slices.Sort(all)
	at := func(percent int) int { return all[max(0, (battles*percent+99)/100-1)] }
	return Figure{Name: what, Least: all[0], Low: at(10), Middle: at(50), High: at(90), Most: all[battles-1]}
}

// often lists counts, the most frequent first, and the sum of those beyond most.
func often(counts map[string]int, most int) []Times {
	out := make([]Times, 0, len(counts))
	for what, n := range counts {
		out = append(out, Times{what, n})
	}
	slices.SortFunc(out, func(a, b Times) int { return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.What, b.What)) })
	if len(out) > most {
		rest := 0
		for _, o := range out[most:] {
			rest += o.Times
		}
		out = append(out[:most], Times{"other", rest})
	}
	return out
}
