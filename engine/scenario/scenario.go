package scenario

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/bounded"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/orders"
)

// Scenario is a scenario file: sides, ships, the map and how the battle is won.
// It is strict TOML; an unknown key is an error with its position.
type Scenario struct {
	Format   int               `toml:"format"`
	Name     string            `toml:"name"`
	Title    string            `toml:"title"`
	Rules    string            `toml:"rules"`
	Cadence  string            `toml:"cadence"` // suggested: turn, phase or break; "" for none
	Source   string            `toml:"source"`
	Text     string            `toml:"text"`
	LastTurn int               `toml:"last_turn"`
	Bounds   *Bounds           `toml:"bounds"`
	Options  map[string]string `toml:"options"`
	Blind    *blind.Settings   `toml:"blind"` // nil: a game in the open
	Sides    []Side            `toml:"side"`
	Ships    []Ship            `toml:"ship"`
	Terrain  []Feature         `toml:"terrain"`
	Files    []File            `toml:"file"`
	Victory  []Goal            `toml:"victory"`

	src  source
	dice dice.Source // of the game's secret, once starting places are drawn
}

// Bounds is the size of a bounded map: columns and rows from 01.
type Bounds struct {
	Columns int `toml:"columns"`
	Rows    int `toml:"rows"`
}

// Side is one side of the battle.
type Side struct {
	ID   string `toml:"id"`
	Name string `toml:"name"`
}

// Ship is one ship of a scenario. Value is the score for defeating it; the default comes from the rule set.
type Ship struct {
	Name    string             `toml:"name"`
	Title   string             `toml:"title"`
	Short   string             `toml:"short"`
	Side    string             `toml:"side"`
	Class   string             `toml:"class"` // or [ClassDecoy]
	As      string             `toml:"as"`    // of a decoy: the class that it imitates
	Captain engine.CaptainName `toml:"captain"`
	// Crew are officers with seats of their own, by post. Briefing is the text that each gets before the battle, by
	// post; the captain's is under "captain".
	Crew     map[string]engine.CaptainName `toml:"crew"`
	Briefing map[string]string             `toml:"briefing"`
	Hex      Choices                       `toml:"hex"`
	Heading  Choices                       `toml:"heading"`
	Draw     string                        `toml:"draw"` // ships of one draw start at places with the same number in their lists
	Arrives  int                           `toml:"arrives"`
	Value    *int                          `toml:"value"`
	Blind    fittings                      `toml:"blind"`
	Repair   map[string]any                `toml:"repair"`
	State    map[string]any                `toml:"state"`
}

// decoy reports whether a ship of a scenario is a decoy.
func (sh *Ship) decoy() bool { return sh.Class == engine.ClassDecoy }

// fittings is a ship's equipment for finding others beyond plain sensors, in a game in the dark.
type fittings struct {
	Uprated bool `toml:"uprated"`
	Special int  `toml:"special"` // boxes of special sensors
	Labs    *int `toml:"labs"`    // boxes of laboratories, if sheets have none; nil: the usual number
	Probes  *int `toml:"probes"`  // ... and of probes
}

// Goal is one way for a side to win; ships are named.
type Goal struct {
	Side   string   `toml:"side"`
	When   string   `toml:"when"`
	Ships  []string `toml:"ships"`
	Count  int      `toml:"count"`
	Edge   string   `toml:"edge"`
	Turn   int      `toml:"turn"`
	Points int      `toml:"points"`
	File   string   `toml:"file"`
}

// File is data aboard a ship, which can be sent and stolen. Units 0 means 50.
type File struct {
	Name  string `toml:"name"`
	Ship  string `toml:"ship"`
	Units int    `toml:"units"`
}

// Limits and default for files.
const (
	usualUnits = 50
	mostUnits  = 1000
	mostFiles  = 20
)

// Limits for scenarios.
const (
	maxScenarioBytes = 1 << 20
	maxShips         = 200
	maxMapSide       = 500
	maxStart         = 1000 // columns or rows, far from the limit of hex labels
)

// orderWords cannot be names of ships: they would be mistaken for a part of an order or of the head of an order
// set.
var orderWords = []string{
	"all", "side", "when", "and", "or", "not", "at", "of", "to", "with", "showing", "turn", "phase", "key", "ship", "captain",
	"nearest", "locked", "none",
}

// Parse reads a scenario file. The scenario is nil if there are errors among the diagnostics.
func Parse(data []byte) (*Scenario, []orders.Diagnostic) {
	var s Scenario
	text := string(data)
	md, err := bounded.Decode(text, maxScenarioBytes, &s)
	if err != nil {
		line, col, message, hint := bounded.Place(err)
		return nil, []orders.Diagnostic{{Pos: orders.Pos{Line: max(1, line), Col: max(1, col)}, Code: "E400", Message: "not a scenario: " + message, Hint: hint}}
	}
	s.src = source{sync.OnceValue(func() bounded.Places { return bounded.FindPlaces(text) })}
	var diags []orders.Diagnostic
	seen := map[string]int{}
	for _, key := range md.Undecoded() {
		path := key.String()
		if len(key) > 1 && seen[key[:len(key)-1].String()] > 0 {
			seen[path]++
			continue // the table itself is unknown
		}
		seen[path]++
		name := key[len(key)-1]
		diags = append(diags, orders.Diagnostic{
			Pos: posOf(s.src.found().Nth(seen[path], key...)), Code: "E401", Message: fmt.Sprintf("unknown key %q", path),
			Hint: orders.DidYouMean("%q", name, bounded.AllKeys(s), ""),
		})
	}
	s.shape(&diags)
	orders.Sort(diags)
	if orders.HasErrors(diags) {
		return nil, diags
	}
	return &s, diags
}

// Where returns the position of a key at the top level of the file, for mistakes that only the caller can see.
func (s *Scenario) Where(key string) orders.Pos { return s.src.find("", 0, key) }

// ForRules returns the text of a scenario file with its rule set replaced by another; nothing else changes. Whether
// that rule set can play the scenario is for NewGame to find out. A file that names no rule set, or that is not a
// valid scenario, is returned unchanged.
func ForRules(file []byte, rules string) []byte {
	sc, _ := Parse(file)
	if sc == nil || sc.Rules == rules {
		return file
	}
	at := sc.Where("rules").Line - 1
	lines := bytes.Split(file, []byte("\n"))
	lines[at] = fmt.Appendf(nil, "rules = %q", rules)
	return bytes.Join(lines, []byte("\n"))
}

// shape checks what can be checked without a rule set.
func (s *Scenario) shape(out *[]orders.Diagnostic) {
	say := func(table string, n int, key, code, hint, format string, args ...any) {
		*out = append(*out, orders.Diagnostic{Pos: s.src.find(table, n, key), Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	if s.Format != 1 {
		say("", 0, "format", "E402", "write format = 1", "format %d is not known", s.Format)
	}
	if s.Rules == "" {
		say("", 0, "rules", "E402", `write rules = "SET"; the sets: starpost rules`, "the scenario names no rule set")
	}
	if !slices.Contains([]string{"", "turn", "phase", "break"}, s.Cadence) {
		say("", 0, "cadence", "E402", "one of: turn, phase, break", "cadence = %q is not known", s.Cadence)
	}
	if s.LastTurn < 0 || s.LastTurn > 10_000 {
		say("", 0, "last_turn", "E402", "", "last_turn must be between 0 (none) and 10000")
	}
	if b := s.Bounds; b != nil && (b.Columns < 1 || b.Rows < 1 || b.Columns > maxMapSide || b.Rows > maxMapSide) {
		say("bounds", 0, "columns", "E402", "", "a map must have 1 to %d columns and rows", maxMapSide)
	}
	if !engine.NameLine(s.Title) {
		say("", 0, "title", "E402", nameLineHint, "title = %q cannot be a game's title", s.Title)
	}
	sides := map[string]bool{}
	for i, sd := range s.Sides {
		if !engine.NameLine(sd.Name) {
			say("side", i+1, "name", "E403", nameLineHint, "side %d cannot be called %q", i+1, sd.Name)
		}
		switch {
		case !oneWord(sd.ID):
			say("side", i+1, "id", "E403", "use letters, digits and hyphens", "side %d needs a one-word id", i+1)
		case sides[strings.ToLower(sd.ID)]:
			say("side", i+1, "id", "E403", "", "two sides are called %q", sd.ID)
		}
		sides[strings.ToLower(sd.ID)] = true
	}
	if len(s.Sides) < 2 {
		say("side", 1, "id", "E403", "add [[side]] tables", "a battle needs at least two sides, not %d", len(s.Sides))
	}
	if len(s.Ships) > maxShips {
		say("ship", maxShips+1, "name", "E404", "", "more than %d ships", maxShips)
		return
	}
	s.shapeDark(say)
	s.shapeShips(say)
	s.shapeFiles(say)
	s.shapeGoals(say)
	s.shapeTerrain(say)
}

// Darkened returns a scenario as one in the dark, with its own settings for that if it has any. An invalid one is
// returned unchanged, so that its own mistake is reported.
func Darkened(data []byte) []byte {
	var s Scenario
	if md, err := bounded.Decode(string(data), maxScenarioBytes, &s); err != nil || md.IsDefined("blind") {
		return data
	}
	return append(slices.Clone(data), "\n[blind]\n"...)
}

// shapeDark checks the keys for games in the dark.
func (s *Scenario) shapeDark(say sayFunc) {
	if s.Blind != nil {
		if _, key, wrong, hint := s.Blind.Complete(); key != "" {
			say("blind", 0, key, "E402", hint, "%s", wrong)
		}
	}
	for i, sh := range s.Ships {
		s.shapeDecoy(say, i+1, &sh)
		switch own := sh.Blind; {
		case own == fittings{}:
		case s.Blind == nil:
			say("ship", i+1, "blind", "E402", "leave it out, or add [blind]", "%s: blind is only for games in the dark", sh.Name)
		case own.Special < 0 || own.Special > mostSpecial:
			say("ship", i+1, "special", "E402", "", "%s: special must be from 0 to %d boxes", sh.Name, mostSpecial)
		case own.Labs != nil && (*own.Labs < 0 || *own.Labs > mostSpecial):
			say("ship", i+1, "labs", "E402", "", "%s: labs must be from 0 to %d boxes", sh.Name, mostSpecial)
		case own.Probes != nil && (*own.Probes < 0 || *own.Probes > mostSpecial):
			say("ship", i+1, "probes", "E402", "", "%s: probes must be from 0 to %d boxes", sh.Name, mostSpecial)
		}
	}
}

// shapeDecoy checks the keys of the n-th ship that only decoys have, and those that decoys do not have.
func (s *Scenario) shapeDecoy(say sayFunc, n int, sh *Ship) {
	const none = "leave it out"
	switch {
	case !sh.decoy() && sh.As != "":
		say("ship", n, "as", "E404", `leave as out, or write class = "decoy"`, "%s: as is only for decoys", sh.Name)
	case !sh.decoy():
	case s.Blind == nil:
		say("ship", n, "class", "E404", "add [blind], or give her real class", "%s: decoys are only for games in the dark", sh.Name)
	case sh.As == "" || sh.As == engine.ClassDecoy:
		say("ship", n, "class", "E404", `write it as as = "merchantman"`, "%s: a decoy needs as, the class of ship it imitates", sh.Name)
	}
	if !sh.decoy() {
		return
	}
	if sh.Value != nil && *sh.Value != 0 {
		say("ship", n, "value", "E404", none, "%s: a decoy is worth no points", sh.Name)
	}
	if len(sh.Crew) > 0 {
		say("ship", n, "crew", "E404", none, "%s: a decoy has no officers", sh.Name)
	}
	for key, boxes := range map[string]*int{"labs": sh.Blind.Labs, "probes": sh.Blind.Probes} {
		if boxes != nil && *boxes > 0 {
			say("ship", n, key, "E404", none, "%s: a decoy has no %s", sh.Name, key)
		}
	}
	if _, lost := sh.Repair["weapons_lost"]; lost {
		say("ship", n, "weapons_lost", "E404", none, "%s: a decoy has no weapons", sh.Name)
	}
}

// mostSpecial is the maximum number of a ship's boxes of special sensors, laboratories or probes in a scenario.
const mostSpecial = 20

type sayFunc func(table string, n int, key, code, hint, format string, args ...any)

func (s *Scenario) shapeShips(say sayFunc) {
	names, shorts, taken := map[string]int{}, map[string]int{}, map[hex.Hex][]startingPlace{}
	crew, decoys := map[string]int{}, map[string]int{}
	for i, sh := range s.Ships {
		n := i + 1
		lower := strings.ToLower(sh.Name)
		switch {
		case !oneWord(sh.Name):
			say("ship", n, "name", "E404", "use letters, digits and hyphens, such as name = \"Hood\"; put the whole name into title", "ship %d needs a one-word name, not %q", n, sh.Name)
		case slices.Contains(orderWords, lower):
			say("ship", n, "name", "E404", "", "%q is a word of the order language, not a name for a ship", sh.Name)
		case slices.ContainsFunc(s.Sides, func(sd Side) bool {
			return strings.EqualFold(sd.ID, sh.Name) || strings.EqualFold(sd.Name, sh.Name)
		}):
			say("ship", n, "name", "E404", "", "%q is also the name of a side, so a message could be for either", sh.Name)
		case s.Blind != nil && dark.IsCraftName(lower):
			say("ship", n, "name", "E404", "add a hyphen or more letters", "%q is a name for small craft in the dark, not for a ship", sh.Name)
		case names[lower] > 0:
			say("ship", n, "name", "E404", "", "two ships are called %q", sh.Name)
		}
		names[lower] = n
		for _, w := range []struct{ key, words string }{{"title", sh.Title}, {"class", sh.Class}, {"captain", string(sh.Captain)}} {
			if !engine.NameLine(w.words) {
				say("ship", n, w.key, "E404", nameLineHint, "%s: %s = %q cannot be a name", sh.Name, w.key, w.words)
			}
		}
		if sh.Short != "" {
			if len(sh.Short) > 2 || !oneWord(sh.Short) {
				say("ship", n, "short", "E404", "", "short must be one or two letters, not %q", sh.Short)
			} else if shorts[strings.ToLower(sh.Short)] > 0 {
				say("ship", n, "short", "E404", "", "two ships have the short name %q", sh.Short)
			} else if slices.ContainsFunc(s.Ships, func(o Ship) bool { return o.Name != sh.Name && strings.EqualFold(o.Name, sh.Short) }) {
				say("ship", n, "short", "E404", "", "short %q is another ship's name", sh.Short)
			}
			shorts[strings.ToLower(sh.Short)] = n
		}
		if !slices.ContainsFunc(s.Sides, func(sd Side) bool { return sd.ID == sh.Side }) {
			var ids []string
			for _, sd := range s.Sides {
				ids = append(ids, sd.ID)
			}
			say("ship", n, "side", "E404", orders.DidYouMean("%q", sh.Side, ids, ""), "%s is on side %q, which the scenario does not have", sh.Name, sh.Side)
		}
		for _, post := range slices.Sorted(maps.Keys(sh.Crew)) {
			if name := sh.Crew[post]; name == "" || !engine.NameLine(string(name)) {
				say("ship", n, "crew", "E404", nameLineHint, "%s: %s = %q cannot be a name", sh.Name, post, name)
			}
		}
		crew[sh.Side]++
		if sh.decoy() {
			decoys[sh.Side]++
		}
		s.shapePlaces(say, n, taken)
		if sh.Arrives < 0 || sh.Arrives > 10_000 {
			say("ship", n, "arrives", "E404", "", "%s: arrives must be a turn between 1 and 10000", sh.Name)
		}
		if sh.Value != nil && (*sh.Value < 0 || *sh.Value > 1_000_000) {
			say("ship", n, "value", "E404", "", "%s: value must be between 0 and 1000000", sh.Name)
		}
	}
	for i, sd := range s.Sides {
		if n := crew[sd.ID]; n == decoys[sd.ID] {
			wrong := "side %q has no ships"
			if n > 0 {
				wrong = "side %q has no ships but decoys"
			}
			say("side", i+1, "id", "E403", "add a [[ship]] with side = \""+sd.ID+"\"", wrong, sd.ID)
		}
	}
}

// shapeFiles checks the files aboard ships.
func (s *Scenario) shapeFiles(say sayFunc) {
	seen := map[string]bool{}
	for i, f := range s.Files {
		n, lower := i+1, strings.ToLower(f.Name)
		switch {
		case n > mostFiles:
			say("file", n, "name", "E402", "", "more than %d files", mostFiles)
			return
		case !oneWord(f.Name) || slices.Contains(orderWords, lower):
			say("file", n, "name", "E402", "use letters, digits and hyphens, such as name = \"charts\"", "file %d needs a one-word name, not %q", n, f.Name)
		case slices.ContainsFunc(s.Sides, func(sd Side) bool { return strings.HasPrefix(lower, strings.ToLower(sd.ID)+"-code-") }):
			say("file", n, "name", "E402", "choose another name", "%s could also be the name of a broken code of side %s", f.Name, lower[:strings.Index(lower, "-code-")])
		case slices.ContainsFunc(s.Ships, func(sh Ship) bool { return strings.EqualFold(sh.Name, f.Name) }):
			say("file", n, "name", "E402", "choose another name", "%s is the name of a ship", f.Name)
		case seen[lower]:
			say("file", n, "name", "E402", "", "two files are called %q", f.Name)
		case !slices.ContainsFunc(s.Ships, func(sh Ship) bool { return strings.EqualFold(sh.Name, f.Ship) }):
			say("file", n, "ship", "E402", "", "file %s is aboard %q, which the scenario does not have", f.Name, f.Ship)
		case slices.ContainsFunc(s.Ships, func(sh Ship) bool { return strings.EqualFold(sh.Name, f.Ship) && sh.decoy() }):
			say("file", n, "ship", "E402", "name a ship that is not a decoy", "file %s is aboard %s, a decoy", f.Name, f.Ship)
		case f.Units < 0 || f.Units > mostUnits:
			say("file", n, "units", "E402", "", "file %s: units must be between 1 and %d", f.Name, mostUnits)
		}
		seen[lower] = true
	}
}

func (s *Scenario) shapeGoals(say sayFunc) {
	for i, g := range s.Victory {
		n := i + 1
		if !slices.ContainsFunc(s.Sides, func(sd Side) bool { return sd.ID == g.Side }) {
			say("victory", n, "side", "E406", "", "goal %d is for side %q, which the scenario does not have", n, g.Side)
		}
		if !slices.Contains(engine.Goals(), g.When) {
			hint := orders.DidYouMean("%q", g.When, engine.Goals(), "")
			if hint == "" {
				hint = "one of: " + strings.Join(engine.Goals(), ", ")
			}
			say("victory", n, "when", "E406", hint, "goal %d: unknown goal %q", n, g.When)
		}
		for _, name := range g.Ships {
			i := slices.IndexFunc(s.Ships, func(sh Ship) bool { return strings.EqualFold(sh.Name, name) })
			switch {
			case i < 0:
				say("victory", n, "ships", "E406", "", "goal %d names ship %q, which the scenario does not have", n, name)
			case s.Ships[i].decoy():
				say("victory", n, "ships", "E406", "leave her out", "goal %d names %s, a decoy, which does not count", n, name)
			case (s.Ships[i].Side == g.Side) != g.ofOwn() && slices.Contains(engine.Goals(), g.When):
				whose := "the enemy's ships"
				if g.ofOwn() {
					whose = "ships of its own side"
				}
				say("victory", n, "ships", "E406", "", "goal %d: %s is about %s, and %s is not one of them", n, g.When, whose, name)
			}
		}
		switch {
		case g.When == engine.GoalFile && !slices.ContainsFunc(s.Files, func(f File) bool { return strings.EqualFold(f.Name, g.File) }):
			say("victory", n, "file", "E406", "write file = NAME, and add a [[file]] with that name", "goal %d: the scenario has no file %q", n, g.File)
		case (g.When == engine.GoalExit || g.When == engine.GoalFile) && s.Bounds == nil:
			say("victory", n, "when", "E406", "add [bounds] columns = .. rows = ..", "goal %d: without bounds, the map has no edge to leave by", n)
		case (g.When == engine.GoalExit || g.When == engine.GoalFile) && !slices.Contains([]string{"north", "south", "east", "west"}, g.Edge):
			say("victory", n, "edge", "E406", "use north, south, east or west", "goal %d: %q is not an edge", n, g.Edge)
		case g.When == engine.GoalSurvive && g.Turn < 1:
			say("victory", n, "turn", "E406", "write turn = N", "goal %d: the turn is missing", n)
		case g.When == engine.GoalPoints && g.Points < 1:
			say("victory", n, "points", "E406", "write points = N", "goal %d: the points are missing", n)
		case g.Count < 0 || g.Count > s.eligible(g):
			say("victory", n, "count", "E406", "", "goal %d: count must be between 0 (all) and %d, the number of ships concerned", n, s.eligible(g))
		}
	}
}

// ofOwn reports whether a goal is about its own side's ships.
func (g Goal) ofOwn() bool { return engine.Goal{When: g.When}.OfOwn() }

// eligible counts the ships that a goal is about.
func (s *Scenario) eligible(g Goal) int {
	n := 0
	for _, sh := range s.Ships {
		named := slices.ContainsFunc(g.Ships, func(name string) bool { return strings.EqualFold(name, sh.Name) })
		if !sh.decoy() && (named || len(g.Ships) == 0 && (sh.Side == g.Side) == g.ofOwn()) {
			n++
		}
	}
	return n
}

const nameLineHint = "write one line without < and >"

func oneWord(s string) bool {
	if s == "" || len(s) > 24 {
		return false
	}
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || r == '-')) {
			return false
		}
	}
	return true
}
