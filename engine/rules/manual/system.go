package manual

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/ruling"
	"starpost/orders"
)

// System is the state of a ship: her numbered boxes, and who sees her. A Hidden ship is seen by her own side, others
// by everyone; for the ships in Except, given by id and sorted, it is the other way round.
type System struct {
	Tracks []Track         `json:"tracks,omitempty"` // sorted by name
	Hidden bool            `json:"hidden,omitempty"`
	Except []engine.ShipID `json:"except,omitempty"`
	// Looks in the dark: size, whether the ship has no warp field, hexes moved this turn, and the levels that the
	// referee has set, by id of the observer.
	Size  string                   `json:"size,omitempty"`
	Cold  bool                     `json:"cold,omitempty"`
	Pace  int                      `json:"pace,omitempty"`
	Shown map[engine.ShipID]string `json:"shown,omitempty"`
	// In the dark: laboratories, loaded probes, and a probe's own data.
	Labs   int    `json:"labs,omitempty"`
	Probes int    `json:"probes,omitempty"`
	Probe  *Probe `json:"probe,omitempty"`
}

// Track is a row of boxes on a ship's sheet: how many are left, of how many. The name is lower-case; a number after a
// dot distinguishes several: "shields.1".
type Track struct {
	Name string `json:"name"`
	Now  int    `json:"now"`
	Of   int    `json:"of"`
}

// Sheet is what others know of a ship if sheets are open.
type Sheet struct {
	Tracks []Track `json:"tracks,omitempty"`
}

// Limits of a track's value, and of the number of tracks.
const (
	maxTrack  = 999_999
	maxTracks = 60
)

// Clone implements engine.System.
func (s *System) Clone() engine.System {
	c := *s
	c.Tracks, c.Except, c.Shown = slices.Clone(s.Tracks), slices.Clone(s.Except), maps.Clone(s.Shown)
	if s.Probe != nil {
		p := *s.Probe
		p.Given = slices.Clone(p.Given)
		c.Probe = &p
	}
	return &c
}

func of(s *engine.Ship) *System { return s.System.(*System) }

func (s *System) excepts(id engine.ShipID) bool {
	_, ok := slices.BinarySearch(s.Except, id)
	return ok
}

// track finds a track by its name.
func (s *System) track(name string) (*Track, bool) {
	i, ok := slices.BinarySearchFunc(s.Tracks, name, compareTrack)
	if !ok {
		return nil, false
	}
	return &s.Tracks[i], true
}

// put adds a track, or replaces the one of that name.
func (s *System) put(t Track) {
	i, ok := slices.BinarySearchFunc(s.Tracks, t.Name, compareTrack)
	if ok {
		s.Tracks[i] = t
		return
	}
	s.Tracks = slices.Insert(s.Tracks, i, t)
}

// compareTrack sorts shields.10 after shields.9.
func compareTrack(t Track, name string) int {
	a, m := numbered(t.Name)
	b, n := numbered(name)
	if c := strings.Compare(a, b); c != 0 {
		return c
	}
	if m != n {
		return m - n
	}
	return strings.Compare(t.Name, name)
}

// numbered splits a track's name from its number; 0 if none.
func numbered(name string) (string, int) {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		if n, err := strconv.Atoi(name[i+1:]); err == nil && n > 0 && n <= maxTracks {
			return name[:i], n
		}
	}
	return name, 0
}

// Fields returns the tracks, for rulings on a finished turn.
func (s *System) Fields() []ruling.Field {
	out := make([]ruling.Field, len(s.Tracks))
	for i, t := range s.Tracks {
		out[i] = ruling.Field{
			Name: t.Name, Now: strconv.Itoa(t.Now), High: max(t.Of, 0), Low: min(t.Of, 0), Floor: -maxTrack, Ceiling: maxTrack, Whole: strconv.Itoa(t.Of),
		}
	}
	return out
}

// Set sets the value of a track.
func (s *System) Set(name, value string) error {
	t, ok := s.track(name)
	n, err := strconv.Atoi(value)
	if !ok || err != nil {
		return fmt.Errorf("no track %q that can be %q", name, value)
	}
	t.Now = n
	return nil
}

func (s *System) names() []string {
	out := make([]string, len(s.Tracks))
	for i, t := range s.Tracks {
		out[i] = t.Name
	}
	return out
}

func decodeSystem(data json.RawMessage) (engine.System, error) {
	s := new(System)
	if err := engine.ReadJSON(data, s); err != nil {
		return nil, fmt.Errorf("read the tracks: %w", err)
	}
	return s, nil
}

// commission reads a ship of a scenario: her class can be anything; her state gives tracks, and whether she is
// hidden.
func commission(entry engine.ShipEntry) (engine.Commissioned, []engine.Problem) {
	var problems []engine.Problem
	bad := func(key, hint, format string, args ...any) {
		problems = append(problems, engine.Problem{Key: key, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	for _, key := range slices.Sorted(maps.Keys(entry.Repair)) {
		bad(key, "put tracks under state, such as state = { hull = 12 }", "these rules have no repair of %q", key)
	}
	sys := &System{}
	for _, key := range slices.Sorted(maps.Keys(entry.State)) {
		value := entry.State[key]
		if key == "hidden" {
			hidden, ok := value.(bool)
			if !ok {
				bad(key, "hidden = true", "hidden must be true or false")
			}
			sys.Hidden = hidden
			continue
		}
		if sys.looks(key, value) {
			continue
		}
		if !trackName(key) {
			bad(key, `such as hull, or "shields.1" for one of several`, "a track cannot be called %q", key)
			continue
		}
		tracks, problem := tracksOf(lower(key), value)
		if problem != "" {
			bad(key, "such as hull = 12, shields = [10, 8, 8] or power = \"3 of 10\"", "track %s: %s", key, problem)
		}
		for _, t := range tracks {
			if _, ok := sys.track(t.Name); ok {
				bad(key, "", "there are two tracks called %s", t.Name)
			}
			sys.put(t)
		}
	}
	if len(sys.Tracks) > maxTracks {
		bad("state", "", "%d tracks; a ship has at most %d", len(sys.Tracks), maxTracks)
	}
	title := strings.TrimSpace(entry.Class)
	if title == "" {
		title = "ship"
	}
	if len(title) > 80 {
		bad("class", "", "the class has more than 80 characters")
	}
	return engine.Commissioned{System: sys, Title: title}, problems
}

// trackName reports whether a track may have a name: a letter, then letters, digits, - and _, in parts joined by
// dots.
func trackName(s string) bool {
	if s == "" || len(s) > orders.MaxWordRunes-4 || strings.Contains(s, "..") || strings.HasSuffix(s, ".") {
		return false
	}
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789-_.", r)) {
			return false
		}
	}
	return true
}

// tracksOf reads a track of a scenario: a number, a list of numbers for a numbered track, or boxes left and boxes in
// all.
func tracksOf(name string, value any) (out []Track, problem string) {
	switch v := value.(type) {
	case int64:
		if v < -maxTrack || v > maxTrack {
			return nil, fmt.Sprintf("from %d to %d", -maxTrack, maxTrack)
		}
		return []Track{{name, int(v), int(v)}}, ""
	case []any:
		if len(v) == 0 || len(v) > maxTracks {
			return nil, fmt.Sprintf("a list of 1 to %d numbers", maxTracks)
		}
		for i, one := range v {
			if _, list := one.([]any); list {
				return nil, "a list of lists"
			}
			t, problem := tracksOf(fmt.Sprintf("%s.%d", name, i+1), one)
			if problem != "" {
				return nil, problem
			}
			out = append(out, t...)
		}
		return out, ""
	case string:
		left, right, _ := strings.Cut(v, " of ")
		now, err1 := strconv.Atoi(strings.TrimSpace(left))
		most, err2 := strconv.Atoi(strings.TrimSpace(right))
		if err1 != nil || err2 != nil || max(now, -now, most, -most) > maxTrack {
			return nil, fmt.Sprintf("%q is not of the form \"3 of 10\"", v)
		}
		return []Track{{name, now, most}}, ""
	}
	return nil, "this is not a number"
}
