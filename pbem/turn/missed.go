package turn

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/pbem/vault"
)

// Absent is a captain who sent no orders for the last turn that was resolved.
type Absent struct {
	Captain string
	Ships   []string // that had none in that turn, by name
	Policy  string   // what served instead
	Turns   int      // in a row without orders of his, that one included
}

// Missed lists who sent no orders for the last turn: captains with an address who had
// a ship to order and sent nothing for any of theirs. Turns before a captain took his
// seat do not count, nor do those that were resolved while he was away.
func Missed(g *vault.Game) ([]Absent, error) {
	last := g.Turn()
	if last < 1 {
		return nil, nil
	}
	st, err := g.Standing()
	if err != nil {
		return nil, err
	}
	entries, err := g.Journal()
	if err != nil {
		return nil, err
	}
	since := map[string]int{} // the turn that was due when the seat passed on last
	for _, e := range entries {
		switch e.Kind {
		case vault.JournalJoin, vault.JournalReplace, vault.JournalResign:
			since[e.Captain] = e.Turn
		}
	}
	var out []Absent
	for _, c := range g.Settings().Captains {
		if c.Address == "" {
			continue
		}
		one := Absent{Captain: c.Name}
		for n := last; n > since[c.Name]; n-- {
			m, err := g.Manifest(n)
			if err != nil {
				return nil, err
			}
			if _, away := st.AwayAt(c.Name, m.Resolved); away {
				continue
			}
			ships, policy, heard := silent(m, c)
			if heard || len(ships) == 0 {
				break
			}
			if one.Turns == 0 {
				one.Ships, one.Policy = ships, policy
			}
			one.Turns++
		}
		if one.Turns > 0 {
			out = append(out, one)
		}
	}
	return out, nil
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
			_, ok := m.Files[roundDir(round)+"/"+name+".txt"]
			return ok
		}
		if has("@" + strings.ReplaceAll(c.Name, " ", "-")) {
			return nil, "", true
		}
		for _, ship := range c.Ships {
			served, without := missing[strings.ToLower(ship)]
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
func missedError(r *engine.Rules, m vault.Missed, dir string) error {
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
