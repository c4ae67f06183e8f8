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
	Officer bool     // he has posts on ships of others alone, who may relieve him
	Turn    int      // the last of them
	Ships   []string // that had none in it, by name
	Policy  string   // what served instead
	Turns   int      // how many
}

// CaptainsMissing lists the captains with an address who have sent no orders lately: who had a
// ship to order in a turn, and sent nothing for any of theirs until it was resolved.
// Passed over are turns before a captain took his seat, those that were resolved while
// he was away, and those that did not wait for their deadline.
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
	since := map[engine.CaptainName]int{} // the turn that was due when the seat passed on last
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

// waitedFor is the manifest of a turn, and whether orders of a captain were waited for in it: not while he was
// away, and not where the turn did not wait for its deadline.
func waitedFor(g *vault.Game, st vault.AdminState, captain engine.CaptainName, n int) (m vault.Manifest, counts bool, err error) {
	if m, err = g.Stages.Manifest(vault.At(n)); err != nil {
		return m, false, err
	}
	deadline, err := deadlineOf(g, st, n)
	_, away := st.AwayAt(captain, m.Resolved)
	return m, !away && !m.Resolved.Before(deadline), err
}

// Answer is how a captain answered for a turn.
type Answer uint8

// The answers.
const (
	NotAsked Answer = iota // he had no ship to order, was away, or the turn did not wait for him
	Answered
	Missed
)

// AnswerOf tells how a captain answered for a turn that was resolved, who held the seat then.
func AnswerOf(g *vault.Game, st vault.AdminState, c vault.Captain, n int) (Answer, error) {
	m, counts, err := waitedFor(g, st, c.Name, n)
	if err != nil {
		return NotAsked, err
	}
	_, away := st.AwayAt(c.Name, m.Resolved)
	switch ships, _, heard := silent(m, c); {
	case away: // a stand-in may have written for him
		return NotAsked, nil
	case heard:
		return Answered, nil
	case counts && len(ships) > 0:
		return Missed, nil
	}
	return NotAsked, nil
}

// deadlineOf is the deadline of a turn that was resolved, or of its first round.
func deadlineOf(g *vault.Game, st vault.AdminState, n int) (time.Time, error) {
	if moved, ok := st.Deadline[vault.Stage{Turn: n, Round: 1}]; ok {
		return moved, nil
	}
	before, err := g.Stages.Manifest(vault.At(n - 1))
	return before.Deadline, err
}

// silent finds the ships of a captain that had no orders of his in a turn, and what
// served instead; heard tells that he sent some for any of his ships.
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

// missedError refuses what a rule set cannot do about captains who send no orders.
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
