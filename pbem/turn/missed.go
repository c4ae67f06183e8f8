package turn

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Absent is a captain who has sent no orders for some turns in a row.
type Absent struct {
	Captain engine.CaptainName
	Officer bool     // all posts are on other captains' ships, and those captains may relieve the officer
	Turn    int      // the last of those turns
	Ships   []string // that had no orders in it, by name
	Policy  string   // what replaced the orders
	Turns   int      // number of turns
}

// CaptainsMissing returns the captains with an address who had ships to order in the last turns, and sent no
// orders for any of them before the turns were resolved. Turns before a captain took the seat, turns resolved
// while the captain was away, and turns that did not wait for their deadline do not count.
func CaptainsMissing(g *vault.Game) ([]Absent, error) {
	last := g.Turn()
	if last < 1 {
		return nil, nil
	}
	st, err := g.AdminState()
	if err != nil {
		return nil, err
	}
	entries, err := g.Journal.Entries()
	if err != nil {
		return nil, err
	}
	since := map[engine.CaptainName]int{} // the turn that was due when the seat last changed hands
	for _, e := range entries {
		switch e.Kind {
		case journal.Join, journal.Replace, journal.Resign:
			since[e.Captain] = e.Turn
		}
	}
	var out []Absent
	for _, c := range g.Settings().Captains {
		if c.Address == "" {
			continue
		}
		one := Absent{Captain: c.Name, Officer: len(c.Ships) == 0}
		for n := last; n > since[c.Name]; n-- {
			m, counts, err := waitedFor(g, st, c.Name, n)
			if err != nil {
				return nil, err
			}
			if !counts {
				continue
			}
			ships, policy, heard := silent(m, c)
			if heard || len(ships) == 0 {
				break
			}
			if one.Turns == 0 {
				one.Turn, one.Ships, one.Policy = n, ships, policy
			}
			one.Turns++
		}
		if one.Turns > 0 {
			out = append(out, one)
		}
	}
	return out, nil
}

// waitedFor returns the manifest of a turn, and whether the turn waited for a captain's orders: not while the
// captain was away, and not if the turn was resolved before its deadline.
func waitedFor(g *vault.Game, st vault.AdminState, captain engine.CaptainName, n int) (m vault.Manifest, counts bool, err error) {
	if m, err = g.Stages.Manifest(vault.At(n)); err != nil {
		return m, false, err
	}
	deadline, err := deadlineOf(g, st, n)
	_, away := st.AwayAt(captain, m.Resolved)
	return m, !away && !m.Resolved.Before(deadline), err
}

// Answer says whether a captain sent orders for a turn.
type Answer uint8

// The values of Answer.
const (
	NotAsked Answer = iota // had no ship to order, was away, or the turn did not wait
	Answered
	Missed
)

// AnswerOf returns the answer for a resolved turn of the captain who held the seat then.
func AnswerOf(g *vault.Game, st vault.AdminState, c vault.Captain, n int) (Answer, error) {
	m, counts, err := waitedFor(g, st, c.Name, n)
	if err != nil {
		return NotAsked, err
	}
	_, away := st.AwayAt(c.Name, m.Resolved)
	switch ships, _, heard := silent(m, c); {
	case away: // a stand-in may have sent orders
		return NotAsked, nil
	case heard:
		return Answered, nil
	case counts && len(ships) > 0:
		return Missed, nil
	}
	return NotAsked, nil
}

// deadlineOf returns the deadline of a resolved turn, or of its first round.
func deadlineOf(g *vault.Game, st vault.AdminState, n int) (time.Time, error) {
	if moved, ok := st.Deadline[vault.Stage{Turn: n, Round: 1}]; ok {
		return moved, nil
	}
	before, err := g.Stages.Manifest(vault.At(n - 1))
	return before.Deadline, err
}

// silent returns a captain's ships without orders from the captain in a turn, and what replaced the orders.
// heard says that the captain sent orders for some ship.
func silent(m vault.Manifest, c vault.Captain) (ships []string, policy string, heard bool) {
	rounds := max(1, len(m.Rounds)+1)
	for round := 1; round <= rounds; round++ {
		missing := m.Missing
		if round > 1 {
			missing = m.Silent[round]
		}
		has := func(name string) bool {
			_, ok := m.Files[OrdersIn(round)+"/"+name+".txt"]
			return ok
		}
		if has("@" + c.Name.Word()) {
			return nil, "", true
		}
		for _, ship := range c.SetNames() {
			id := strings.ToLower(ship)
			seat := engine.Seat{Ship: engine.ShipID(id)}
			if at := strings.LastIndexByte(id, '.'); slices.Contains(c.Posts, ship) {
				seat = engine.Seat{Ship: engine.ShipID(id[:max(at, 0)]), Post: id[at+1:]}
			}
			served, without := missing[seat]
			switch {
			case !without && has(ship):
				return nil, "", true
			case without && served != "" && !slices.Contains(ships, ship):
				ships, policy = append(ships, ship), served
			}
		}
	}
	return ships, policy, false
}

// missedError refuses a rule on missed turns that the rule set cannot follow.
func missedError(r *engine.Rules, m vault.MissedTurnsRule, dir string) error {
	var known []string
	switch {
	case r.Filing != nil:
		known = []string{vault.ThenAsk, vault.ThenPause, vault.ThenReplace}
	case r.Robot == nil:
		known = []string{vault.ThenAsk, vault.ThenPause, vault.ThenReplace, vault.ThenForfeit}
	}
	if known == nil || slices.Contains(known, m.Then) {
		return nil
	}
	return &vault.Error{
		Path: filepath.Join(dir, "game.toml"), Problem: fmt.Sprintf("rule set %s cannot do then = %s about missed turns", r.Name, strconv.Quote(m.Then)),
		Way: "one of: " + strings.Join(known, ", "), Err: vault.ErrSettings,
	}
}
