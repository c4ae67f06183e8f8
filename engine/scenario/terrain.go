package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/orders"
)

// Feature is a terrain feature of a scenario: single hexes, or all that are From to To hexes away from At. Counters
// of a hidden feature may be shown: then everyone sees where they are, but not what they are (ruling D35).
type Feature struct {
	Kind     string         `toml:"kind"`
	Name     string         `toml:"name"`
	Side     string         `toml:"side"`
	Hexes    []string       `toml:"hexes"`
	At       string         `toml:"at"`
	From     int            `toml:"from"`
	To       int            `toml:"to"`
	Figure   map[string]int `toml:"figure"`
	Counters string         `toml:"counters"`

	Facts map[string]string `toml:"facts"` // what sensors find out about it, by the rule set's own keys
}

// The values of Counters, for hidden features.
const (
	countersHidden = "hidden"
	countersShown  = "shown"
)

// Limits for terrain.
const (
	maxFeatures = 200
	maxRadius   = 30
	maxHexes    = 4000 // of all features
	maxFact     = 100  // bytes
)

// shapeTerrain checks what can be checked without a rule set.
func (s *Scenario) shapeTerrain(say sayFunc) {
	if len(s.Terrain) > maxFeatures {
		say("terrain", maxFeatures+1, "kind", "E409", "", "more than %d features", maxFeatures)
		return
	}
	total := 0
	for i, f := range s.Terrain {
		n := i + 1
		switch {
		case f.Kind == "":
			say("terrain", n, "kind", "E409", `write it as kind = "planet"`, "feature %d has no kind", n)
		case (len(f.Hexes) > 0) == (f.At != ""):
			say("terrain", n, "hexes", "E409", `write hexes = ["1117"], or at = "1117" with from and to`, "feature %d needs either hexes or a centre (at)", n)
		case f.At == "" && (f.From != 0 || f.To != 0):
			say("terrain", n, "from", "E409", "", "feature %d: from and to need at", n)
		case f.From < 0 || f.To < f.From || f.To > maxRadius:
			say("terrain", n, "to", "E409", "", "feature %d: from and to must be between 0 and %d hexes", n, maxRadius)
		case f.Side != "" && !slices.ContainsFunc(s.Sides, func(sd Side) bool { return sd.ID == f.Side }):
			say("terrain", n, "side", "E409", "", "feature %d is on side %q, which the scenario does not have", n, f.Side)
		default:
			hexes, err := f.hexes()
			if err != nil {
				say("terrain", n, "hexes", "E409", "", "feature %d: %v", n, err)
			}
			for _, h := range hexes {
				if col, row := h.ColRow(); max(col, -col, row, -row) > maxStart+maxRadius {
					say("terrain", n, "hexes", "E409", "", "feature %d lies more than %d columns or rows from the centre of space", n, maxStart)
					break
				}
			}
			total += len(hexes)
		}
	}
	if total > maxHexes {
		say("terrain", 1, "hexes", "E409", "", "the terrain has %d hexes, more than %d", total, maxHexes)
	}
}

// hexes lists the hexes of a feature, each once.
func (f Feature) hexes() ([]hex.Hex, error) {
	var out []hex.Hex
	add := func(h hex.Hex) {
		if !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	for _, label := range f.Hexes {
		h, err := hex.ParseLabel(label)
		if err != nil {
			return nil, err
		}
		if len(out) >= maxHexes {
			return nil, fmt.Errorf("more than %d hexes", maxHexes)
		}
		add(h)
	}
	if f.At != "" {
		centre, err := hex.ParseLabel(f.At)
		if err != nil {
			return nil, err
		}
		for d := f.From; d <= f.To; d++ {
			for h := range hex.Ring(centre, d) {
				add(h)
			}
		}
	}
	return out, nil
}

// terrain makes the features of a new game and checks them with its rule set.
func (s *Scenario) terrain(r *engine.Rules, g *engine.Game, diags *[]orders.Diagnostic) {
	count := map[string]int{}
	known := slices.Sorted(maps.Keys(r.Terrain))
	ships := map[hex.Hex]string{}
	for _, sh := range s.Ships {
		for _, place := range sh.Hex {
			if h, err := hex.ParseLabel(place); err == nil {
				ships[h] = sh.Name
			}
		}
	}
	for i, f := range s.Terrain {
		bad := func(key, hint, format string, args ...any) {
			*diags = append(*diags, orders.Diagnostic{
				Pos: s.src.find("terrain", i+1, key), Code: "E409", Message: fmt.Sprintf(format, args...), Hint: hint,
			})
		}
		ground, ok := r.Terrain[f.Kind]
		if !ok {
			hint := orders.DidYouMean("%q", f.Kind, known, "")
			if hint == "" && len(known) > 0 {
				hint = "one of: " + strings.Join(known, ", ")
			}
			bad("kind", hint, "rule set %s has no terrain %q", r.Name, f.Kind)
			continue
		}
		out := engine.Feature{Kind: f.Kind, Name: f.Name, Side: f.Side, Hidden: ground.Hidden}
		if ground.Hidden && f.Side == "" {
			bad("side", "add side", "a %s is hidden from every side except its own", f.Kind)
		}
		switch out.Shown = f.Counters == countersShown; {
		case f.Counters == "":
		case !ground.Hidden:
			bad("counters", "leave it out", "a %s is visible to all as it is", f.Kind)
		case !out.Shown && f.Counters != countersHidden:
			bad("counters", fmt.Sprintf("%q or %q", countersHidden, countersShown), "counters cannot be %q", f.Counters)
		}
		facts := slices.Sorted(maps.Keys(ground.Facts))
		for _, key := range slices.Sorted(maps.Keys(f.Facts)) {
			switch text := f.Facts[key]; {
			case len(facts) == 0:
				bad("facts", "leave it out", "there is nothing to find out about a %s", f.Kind)
			case !slices.Contains(facts, key):
				bad("facts", orders.DidYouMean("%q", key, facts, "there are: "+strings.Join(facts, ", ")), "%q is not something to find out about a %s", key, f.Kind)
			case text == "" || len(text) > maxFact || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
				bad("facts", "write a few words on one line", "%s must be 1 to %d printable characters", key, maxFact)
			}
		}
		out.Facts = maps.Clone(f.Facts)
		out.Hexes, _ = f.hexes() // shapeTerrain has already checked them
		out.ID = featureID(&out, count)
		for _, h := range out.Hexes {
			if who, taken := ships[h]; taken && ground.Closed {
				bad("hexes", "", "%s starts at %s, in a %s, which no ship can enter", who, h.Label(), f.Kind)
			}
		}
		figures := slices.Sorted(maps.Keys(ground.Figure))
		for _, key := range slices.Sorted(maps.Keys(f.Figure)) {
			switch b, ok := ground.Figure[key]; {
			case !ok:
				bad("figure", orders.DidYouMean("%q", key, figures, "it has: "+strings.Join(figures, ", ")), "a %s has no figure %q", f.Kind, key)
			case f.Figure[key] < b.Least || f.Figure[key] > b.Most:
				bad("figure", "", "%s of a %s must be between %d and %d", key, f.Kind, b.Least, b.Most)
			}
		}
		for _, key := range figures {
			if out.Figure == nil {
				out.Figure = map[string]int{}
			}
			out.Figure[key] = ground.Figure[key].Usual
			if n, given := f.Figure[key]; given {
				out.Figure[key] = n
			}
		}
		g.Terrain = append(g.Terrain, out)
	}
	slices.SortFunc(g.Terrain, func(a, b engine.Feature) int { return strings.Compare(a.ID, b.ID) })
}

// featureID returns the id of a feature: its number among those of its kind or, for a hidden one, its first hex, so
// that finding one does not show how many there are.
func featureID(f *engine.Feature, count map[string]int) string {
	name := f.Kind
	if f.Hidden && len(f.Hexes) > 0 {
		name += "-" + f.Hexes[0].Label()
	}
	count[name]++
	if f.Hidden && count[name] == 1 {
		return name
	}
	return fmt.Sprintf("%s-%02d", name, count[name])
}
