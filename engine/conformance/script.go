package conformance

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"starpost/engine/dice"
)

// Script is a source of dice with given values for all rolls. It is strict: see Err. It is not safe for concurrent
// use.
type Script struct {
	values map[string]int
	asked  map[string]bool
	faults map[string]error
}

// NewScript returns dice with values by name. The map is copied.
func NewScript(values map[string]int) *Script {
	return &Script{
		values: maps.Clone(values),
		asked:  make(map[string]bool),
		faults: make(map[string]error),
	}
}

// Roll returns the scripted value. If it does not fit the die, Roll records the fault and returns the lowest value
// of the die, so that the run goes on to its end. If there is no value it does the same, but after many such rolls
// it goes through the other values too, so that no tie is rolled for endlessly.
func (s *Script) Roll(name string, d dice.Die) int {
	s.asked[name] = true
	low, high := d.Range()
	v, found := s.values[name]
	switch {
	case high == 0:
		s.faults[name] = fmt.Errorf("roll %q: unknown %s", name, d)
		return 1
	case !found:
		s.faults[name] = fmt.Errorf("roll %q (%s): asked but not in the script", name, d)
		return low + max(0, len(s.faults)-40)%(high-low+1)
	case v < low || v > high:
		s.faults[name] = fmt.Errorf("roll %q: scripted %d does not fit %s", name, v, d)
		return low
	}
	return v
}

// Err returns, one line each and sorted by name, rolls that were made but are not in the script, values that do not
// fit their die, and values that were not used. It is nil if the script was used exactly.
func (s *Script) Err() error {
	faults := maps.Clone(s.faults)
	for name, v := range s.values {
		if !s.asked[name] {
			faults[name] = fmt.Errorf("roll %q: scripted %d was never asked", name, v)
		}
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		errs = append(errs, faults[name])
	}
	return errors.Join(errs...)
}
