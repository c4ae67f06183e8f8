package rating

import (
	"cmp"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"starpost/engine"
	"starpost/engine/scenario"
	"starpost/pbem/vault"
)

// Game is a finished game between people. It has their addresses, and is private.
type Game struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Set   string `json:"set"`   // rule set
	Rules string `json:"rules"` // its title
	// Scenario is the scenario's name; "" if it can no longer be read.
	Scenario string    `json:"scenario,omitempty"`
	Ended    time.Time `json:"ended"`
	Sides    [2]Side   `json:"sides"`
	Won      int       `json:"won"` // index of the winning side; -1: a draw
	// Odds is the first side's score between equals, from 0 to 1.
	Odds float64 `json:"odds"`
}

// Side is a side of a game.
type Side struct {
	Name    string   `json:"name"`
	Players []Player `json:"players"`
}

// Player is the holder of a seat at the end.
type Player struct {
	Address string `json:"address"` // in lower case
	Name    string `json:"name"`    // the name in the game
	// Late means that the player took over the seat in a running battle: it can only raise the rating.
	Late bool `json:"late,omitempty"`
}

// Of returns a game for ratings; false while it runs, or if it does not count.
func Of(g *vault.Game) (Game, bool, error) {
	state, err := g.Stages.State(g.Newest())
	if err != nil || state.Result == nil {
		return Game{}, false, err
	}
	s := g.SharedSettings()
	if s.Seed != nil || len(state.Sides) != 2 {
		return Game{}, false, nil
	}
	m, err := g.Stages.Manifest(g.Newest())
	if err != nil {
		return Game{}, false, err
	}
	out := Game{ID: s.ID, Title: s.Title, Set: s.Rules, Rules: g.Rules().Title, Ended: m.Resolved.UTC(), Won: -1}
	entries, err := g.Journal.Entries()
	if err != nil {
		return Game{}, false, err
	}
	on := map[string]int{}
	for i, side := range state.Sides {
		out.Sides[i].Name = side.Name
		if !state.Result.Draw && state.Result.Side == side.ID {
			out.Won = i
		}
	}
	for _, c := range s.Captains {
		ship, ok := state.Ship(engine.ShipID(strings.ToLower(c.Ship())))
		if !ok || c.Address == "" {
			return Game{}, false, nil // a robot played
		}
		at := 0
		if ship.Side == state.Sides[1].ID {
			at = 1
		}
		p := Player{strings.ToLower(c.Address), cmp.Or(c.Player, string(c.Name)), tookOver(c, entries, g.Turn())}
		switch before, met := on[p.Address]; {
		case met && before != at:
			return Game{}, false, nil // the player was on both sides
		case !met:
			on[p.Address] = at
			out.Sides[at].Players = append(out.Sides[at].Players, p)
		}
	}
	if len(out.Sides[0].Players) == 0 || len(out.Sides[1].Players) == 0 {
		return Game{}, false, nil
	}
	text, err := g.Scenario()
	if err != nil {
		return Game{}, false, err
	}
	out.Odds = 0.5
	if sc, _ := scenario.Parse(text); sc != nil {
		out.Scenario = sc.Name
		share, known, err := Odds(sc.Name, s.Rules, state.Sides[0].ID)
		if err != nil {
			return Game{}, false, err
		}
		if known {
			out.Odds = share
		}
	}
	return out, true, nil
}

// Odds returns a side's score between equals in a scenario by a rule set, from 0 to 1, if it was measured.
func Odds(scenario, set, side string) (share float64, known bool, err error) {
	all, err := knownOdds()
	share, known = all[scenario+" "+set+" "+side]
	return share, known, err
}

//go:embed odds.tsv
var oddsText string

// knownOdds are the known scores between equals, by scenario, rule set and side.
var knownOdds = sync.OnceValues(func() (map[string]float64, error) {
	out := map[string]float64{}
	n := 0
	for line := range strings.Lines(oddsText) {
		n++
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) != 4 {
			return nil, fmt.Errorf("odds.tsv:%d: want scenario, rule set, side and score, got %q", n, line)
		}
		share, err := strconv.ParseFloat(words[3], 64)
		if err != nil || share <= 0 || share >= 100 {
			return nil, fmt.Errorf("odds.tsv:%d: %q is not a score between 0 and 100", n, words[3])
		}
		out[strings.Join(words[:3], " ")] = share / 100
	}
	return out, nil
})
