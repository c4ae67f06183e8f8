package campaign

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
)

// RatingKeys are the words for ratings in the state of a scenario's ships.
type RatingKeys struct{ Skill, Efficiency string }

// PlacedShip is a ship of a scenario that the roster has.
type PlacedShip struct {
	Ship, Class, Captain string
	Skill, Efficiency    int
}

// Muster is a scenario with the ships of the roster in it: where a ship has the name
// of one in service, it gets her class, and the ratings of her captain and crew.
// The rest of the text stays as it is, comments included. A scenario that cannot be
// read gives diagnostics and no error.
func (r *Roster) Muster(scenario []byte, k RatingKeys) (text []byte, ships []PlacedShip, diags []orders.Diagnostic, err error) {
	sc, diags := engine.ParseScenario(scenario)
	if sc == nil {
		return nil, nil, diags, nil
	}
	lines := strings.SplitAfter(string(scenario), "\n")
	blocks := shipBlocks(lines)
	if len(blocks) != len(sc.Ships) {
		return nil, nil, nil, fail("", "the scenario's ships must stand in tables [[ship]], each on a line of its own")
	}
	for i := len(blocks) - 1; i >= 0; i-- { // from the end, so that lines keep their numbers
		ship := r.Ship(sc.Ships[i].Name)
		if ship == nil {
			continue
		}
		if ship.Status != InService {
			return nil, nil, nil, fail("another ship takes her place, or the scenario is not for this campaign", "%s is %s", ship.Name, ship.Status)
		}
		c := r.Commander(ship.Name)
		if c == nil {
			return nil, nil, nil, fail("give her one: starpost campaign enter ROSTER "+ship.Name+" --captain NAME", "%s has no captain", ship.Name)
		}
		m := PlacedShip{Ship: sc.Ships[i].Name, Class: ship.Class, Captain: c.Name, Skill: c.Skill, Efficiency: ship.Efficiency}
		block, err := m.put(lines[blocks[i][0]:blocks[i][1]], &sc.Ships[i], k)
		if err != nil {
			return nil, nil, nil, err
		}
		lines = slices.Concat(lines[:blocks[i][0]], block, lines[blocks[i][1]:])
		ships = append(ships, m)
	}
	slices.Reverse(ships)
	if len(ships) == 0 {
		return nil, nil, nil, fail("ships are known by their names", "no ship of the scenario is in %s", r.Name)
	}
	text = []byte(strings.Join(lines, ""))
	return text, ships, nil, same(sc, text, ships, k)
}

var (
	tableLine = regexp.MustCompile(`^\s*\[`)
	shipLine  = regexp.MustCompile(`^\s*\[\[\s*ship\s*\]\]`)
	partLine  = regexp.MustCompile(`^\s*\[\s*ship\s*\.`)
	stateLine = regexp.MustCompile(`^\s*\[\s*ship\s*\.\s*state\s*\]`)
	stateKey  = regexp.MustCompile(`^\s*state\s*\.`)
	stateHead = regexp.MustCompile(`^\s*state\s*=\s*\{`)
	classLine = regexp.MustCompile(`^(\s*class\s*=\s*)(?:"[^"]*"|'[^']*')`)
)

// shipBlocks are the lines of each [[ship]] with its own tables, from and to.
func shipBlocks(lines []string) [][2]int {
	var blocks [][2]int
	inside := false
	for i, line := range lines {
		switch {
		case shipLine.MatchString(line):
			if inside {
				blocks[len(blocks)-1][1] = i
			}
			blocks = append(blocks, [2]int{i, len(lines)})
			inside = true
		case inside && tableLine.MatchString(line) && !partLine.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "[\""):
			blocks[len(blocks)-1][1] = i
			inside = false
		}
	}
	return blocks
}

// put writes class and ratings into a ship's lines.
func (m PlacedShip) put(block []string, s *engine.ScenarioShip, k RatingKeys) ([]string, error) {
	block = slices.Clone(block)
	for _, key := range []string{k.Skill, k.Efficiency} {
		if _, ok := s.State[key]; ok {
			return nil, fail("take it out of the scenario: the roster says it", "%s has %s in the scenario already", s.Name, key)
		}
	}
	ratings := fmt.Sprintf("%s = %d, %s = %d", k.Skill, m.Skill, k.Efficiency, m.Efficiency)
	for i, line := range block {
		block[i] = classLine.ReplaceAllString(line, "${1}\""+m.Class+"\"")
	}
	for i, line := range block {
		if stateLine.MatchString(line) {
			return slices.Insert(block, i+1, strings.ReplaceAll(ratings, ", ", "\n")+"\n"), nil
		}
		if stateKey.MatchString(line) {
			return slices.Insert(block, i, "state."+strings.ReplaceAll(ratings, ", ", "\nstate.")+"\n"), nil
		}
		if at := stateHead.FindStringIndex(line); at != nil {
			if len(s.State) > 0 {
				ratings += ","
			}
			block[i] = line[:at[1]] + " " + ratings + line[at[1]:]
			return block, nil
		}
	}
	return slices.Insert(block, 1, "state = { "+ratings+" }\n"), nil
}

// same holds the changed text against the scenario: nothing may differ but class and
// ratings of the ships.
func same(before *engine.Scenario, text []byte, ships []PlacedShip, k RatingKeys) error {
	odd := fail("write class and ratings by hand; see docs/formats.md", "the scenario is written in a way that cannot be changed safely")
	after, _ := engine.ParseScenario(text)
	if after == nil || len(after.Ships) != len(before.Ships) {
		return odd
	}
	for i, want := range before.Ships {
		got := after.Ships[i]
		if j := slices.IndexFunc(ships, func(m PlacedShip) bool { return m.Ship == want.Name }); j >= 0 {
			m := ships[j]
			if got.Class != m.Class || got.State[k.Skill] != int64(m.Skill) || got.State[k.Efficiency] != int64(m.Efficiency) {
				return odd
			}
			got.Class = want.Class
			delete(got.State, k.Skill)
			delete(got.State, k.Efficiency)
			if len(got.State) == 0 {
				got.State = want.State
			}
		}
		if !reflect.DeepEqual(got, want) {
			return odd
		}
	}
	if after.Text != before.Text || !reflect.DeepEqual(after.Victory, before.Victory) || !reflect.DeepEqual(after.Terrain, before.Terrain) {
		return odd
	}
	return nil
}
