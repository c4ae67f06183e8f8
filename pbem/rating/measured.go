package rating

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
)

// Scores are scores measured by robots on a host, in addition to the known ones of built-in scenarios.
type Scores struct{ file string }

// Measured returns the scores of a state directory.
func Measured(state string) Scores { return Scores{filepath.Join(state, "scores.json")} }

// Measurement is the first side's score between equals in a scenario by a rule set, of 100, with a draw as half a win.
type Measurement struct {
	Scenario string  `json:"scenario"`
	Rules    string  `json:"rules"`
	Side     string  `json:"side"`
	Other    string  `json:"other"` // the second side
	Score    float64 `json:"score"`
	Battles  int     `json:"battles"` // of robots
}

// knownBattles is the number of battles behind each built-in score.
const knownBattles = 400

func (m Measurement) of(o Measurement) bool { return m.Scenario == o.Scenario && m.Rules == o.Rules }

// Keep stores a measurement, replacing an earlier one.
func (s Scores) Keep(m Measurement) error {
	release, err := disk.LockFile(s.file)
	if err != nil {
		return err
	}
	all, err := s.read()
	if err == nil {
		all = append(slices.DeleteFunc(all, m.of), m)
		var data []byte
		if data, err = json.MarshalIndent(all, "", " "); err == nil {
			err = disk.Replace(s.file, append(data, '\n'), 0o600)
		}
		if err != nil {
			err = fault.System("record a score", s.file, err, "earlier scores are unchanged")
		}
	}
	return errors.Join(err, release())
}

func (s Scores) read() (all []Measurement, err error) {
	if s.file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		return nil, fault.System("read the scores", s.file, err, "remove the file, and measure again with starpost balance --save")
	}
	return all, nil
}

// All returns the known scores by scenario and rule set; the host's own take precedence.
func (s Scores) All() ([]Measurement, error) {
	out, err := s.read()
	if err != nil {
		return nil, err
	}
	known, err := knownOdds()
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(known)) { // both sides of a scenario are listed
		words := strings.Fields(key)
		m := Measurement{Scenario: words[0], Rules: words[1], Side: words[2], Score: 100 * known[key], Battles: knownBattles}
		if i := slices.IndexFunc(out, m.of); i < 0 {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b Measurement) int { return strings.Compare(a.Scenario+" "+a.Rules, b.Scenario+" "+b.Rules) })
	return out, nil
}

// Odds returns a side's score between equals in a scenario by a rule set, from 0 to 1, if it was measured here or is
// known.
func (s Scores) Odds(scenario, set, side string) (share float64, known bool, err error) {
	all, err := s.read()
	if err != nil {
		return 0, false, err
	}
	for _, m := range all {
		switch {
		case m.Scenario != scenario || m.Rules != set:
		case m.Side == side:
			return m.Score / 100, true, nil
		case m.Other == side:
			return 1 - m.Score/100, true, nil
		}
	}
	return Odds(scenario, set, side)
}
