package conformance

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"starpost/engine/dice"
)

// Script is a source of dice with the value of every roll written down
// beforehand. It is strict: see Err. It is not for use from several
// goroutines.
type Script struct {
	values map[string]int
	asked  map[string]bool
	faults map[string]error
}

// NewScript makes scripted dice from names and values. The map is copied.
func NewScript(values map[string]int) *Script {
	return &Script{
		values: maps.Clone(values),
		asked:  make(map[string]bool),
		faults: make(map[string]error),
	}
}

// Roll returns the scripted value. When it does not fit the die, Roll notes the
// fault and returns the lowest value of the die, so that the run goes on to its
// end. When there is none it does the same, but goes through the other values
// after many such rolls, so that no tie is rolled for without end.
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

// Err reports, one line each and sorted by name: rolls that were asked but
// are not in the script, values that do not fit their die, and values that
// no one asked for. It is nil when the script was used exactly.
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
