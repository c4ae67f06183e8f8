package dice

import "slices"

// Rolled is one roll as it was made, for the record of a turn.
type Rolled struct {
	Name  string `json:"name"`
	Die   Die    `json:"die"`
	Value int    `json:"value"`
}

// Recorder passes rolls on to another source and notes them. It is not for
// use from several goroutines.
type Recorder struct {
	source Source
	rolls  []Rolled
}

// NewRecorder notes the rolls made from a source.
func NewRecorder(source Source) *Recorder { return &Recorder{source: source} }

// Roll asks the source.
func (r *Recorder) Roll(name string, d Die) int {
	v := r.source.Roll(name, d)
	r.rolls = append(r.rolls, Rolled{Name: name, Die: d, Value: v})
	return v
}

// Rolls returns a copy of the rolls so far, in the order they were made.
func (r *Recorder) Rolls() []Rolled { return slices.Clone(r.rolls) }

// Repeats returns, sorted, the names that were rolled more than once. Such
// rolls share their luck, which is nearly always a mistake in naming (D2).
func (r *Recorder) Repeats() []string {
	count := make(map[string]int)
	var names []string
	for _, roll := range r.rolls {
		if count[roll.Name]++; count[roll.Name] == 2 {
			names = append(names, roll.Name)
		}
	}
	slices.Sort(names)
	return names
}
