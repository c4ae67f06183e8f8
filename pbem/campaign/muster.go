package campaign

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/pattern"
)

// PlacedShip is a ship of a scenario that is in the roster.
type PlacedShip struct {
	Ship, Class string
	Aboard      []PlacedOfficer // her captain first
	Crew        []PlacedRating  // efficiency; none where officers have ratings
}

// PlacedOfficer is a member of the crew of a scenario's ship, with the resulting ratings.
type PlacedOfficer struct {
	Post    string
	Name    engine.CaptainName
	Ratings []PlacedRating
}

// PlacedRating is a rating with its key in the scenario.
type PlacedRating struct {
	Key   string
	Value int
}

// Ratings returns all ratings of a ship by key; a later post replaces an earlier one.
func (m PlacedShip) Ratings() map[string]int {
	out := map[string]int{}
	for _, o := range m.Aboard {
		for _, rating := range o.Ratings {
			out[rating.Key] = rating.Value
		}
	}
	for _, rating := range m.Crew {
		out[rating.Key] = rating.Value
	}
	return out
}

// keys returns the keys of all ratings, each once, in order.
func (m PlacedShip) keys() (keys []string) {
	add := func(all []PlacedRating) {
		for _, rating := range all {
			if !slices.Contains(keys, rating.Key) {
				keys = append(keys, rating.Key)
			}
		}
	}
	for _, o := range m.Aboard {
		add(o.Ratings)
	}
	add(m.Crew)
	return keys
}

// Place returns a ship of the roster as a scenario of a rule set describes her; ok is false if she
// has no captain.
func (r *Roster) Place(ship *Ship, by *family.CampaignRules, set string) (m PlacedShip, ok bool) {
	c, k := r.Commander(ship.Name), by.Sets[set]
	if c == nil {
		return m, false
	}
	m = PlacedShip{Ship: ship.Name, Class: ship.Class}
	for _, p := range by.Posts {
		o := r.Officer(ship.Name, p.Post)
		if o == nil || p.Post != "" && k.Efficiency != "" {
			continue
		}
		at := PlacedOfficer{Post: p.Post, Name: o.Name}
		if p.Post == "" {
			at.Ratings = []PlacedRating{{k.Skill, o.Skill}}
		}
		for _, skill := range p.Skills {
			if n := o.Ratings[skill]; n > 0 {
				at.Ratings = append(at.Ratings, PlacedRating{skill, n})
			}
		}
		if n := o.Ratings[dexterity]; n > 0 && p.Dexterity != "" && k.Efficiency == "" {
			at.Ratings = append(at.Ratings, PlacedRating{p.Dexterity, n})
		}
		m.Aboard = append(m.Aboard, at)
	}
	if k.Efficiency != "" {
		m.Crew = []PlacedRating{{k.Efficiency, ship.Efficiency}}
	}
	return m, true
}

// Muster returns a scenario with the ships of the roster in it: a ship with the name of one in
// service gets her class, and the ratings of her captain, officers and crew under the keys of the
// scenario's rule set. If officers have ratings, those of the roster replace the scenario's,
// including names. The rest of the text stays unchanged, including comments. For an unreadable
// scenario it returns diagnostics and no error.
func (r *Roster) Muster(file []byte, by *family.CampaignRules) (text []byte, ships []PlacedShip, diags []orders.Diagnostic, err error) {
	sc, diags := scenario.Parse(file)
	if sc == nil {
		return nil, nil, diags, nil
	}
	lines := strings.SplitAfter(string(file), "\n")
	blocks := shipBlocks(lines)
	if len(blocks) != len(sc.Ships) {
		return nil, nil, nil, fail("", "write each [[ship]] of the scenario on a separate line")
	}
	for i := len(blocks) - 1; i >= 0; i-- { // from the end, so that line numbers stay valid
		ship := r.Ship(sc.Ships[i].Name)
		if ship == nil {
			continue
		}
		if ship.Status != InService {
			return nil, nil, nil, fail("replace her, or choose another scenario", "%s is %s", ship.Name, ship.Status)
		}
		m, ok := r.Place(ship, by, sc.Rules)
		if !ok {
			return nil, nil, nil, fail("give her one: starpost campaign enter ROSTER "+ship.Name+" --captain NAME", "%s has no captain", ship.Name)
		}
		m.Ship = sc.Ships[i].Name
		block, err := m.put(lines[blocks[i][0]:blocks[i][1]], &sc.Ships[i])
		if err != nil {
			return nil, nil, nil, err
		}
		lines = slices.Concat(lines[:blocks[i][0]], block, lines[blocks[i][1]:])
		ships = append(ships, m)
	}
	slices.Reverse(ships)
	if len(ships) == 0 {
		return nil, nil, nil, fail("give ships the names from the roster", "none of the scenario's ships is in %s", r.Name)
	}
	text = []byte(strings.Join(lines, ""))
	return text, ships, nil, same(sc, text, ships)
}

var (
	tableLine = pattern.New(`^\s*\[`)
	shipLine  = pattern.New(`^\s*\[\[\s*ship\s*\]\]`)
	partLine  = pattern.New(`^\s*\[\s*ship\s*\.`)
	stateLine = pattern.New(`^\s*\[\s*ship\s*\.\s*state\s*\]`)
	stateKey  = pattern.New(`^\s*state\s*\.`)
	stateHead = pattern.New(`^\s*state\s*=\s*\{`)
	nameLine  = pattern.New(`^\s*(?:captain|crew)\s*=`)
	classLine = pattern.New(`^(\s*class\s*=\s*)(?:"[^"]*"|'[^']*')`)
)

// shipBlocks returns the line ranges of each [[ship]] with its own tables.
func shipBlocks(lines []string) [][2]int {
	var blocks [][2]int
	inside := false
	for i, line := range lines {
		switch {
		case shipLine().MatchString(line):
			if inside {
				blocks[len(blocks)-1][1] = i
			}
			blocks = append(blocks, [2]int{i, len(lines)})
			inside = true
		case inside && tableLine().MatchString(line) && !partLine().MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "[\""):
			blocks[len(blocks)-1][1] = i
			inside = false
		}
	}
	return blocks
}

// crewed reports whether the officers have ratings instead of the crew, and names in the scenario.
func (m PlacedShip) crewed() bool { return len(m.Crew) == 0 }

// names returns the captain and the officers of a scenario's ship: its own keep the posts that are
// vacant in the roster.
func (m PlacedShip) names(s *scenario.Ship) (captain engine.CaptainName, crew map[string]engine.CaptainName) {
	crew = maps.Clone(s.Crew)
	for _, o := range m.Aboard {
		switch {
		case o.Post == "":
			captain = o.Name
		case crew == nil:
			crew = map[string]engine.CaptainName{o.Post: o.Name}
		default:
			crew[o.Post] = o.Name
		}
	}
	return captain, crew
}

// man writes captain and officers into a ship's lines.
func (m PlacedShip) man(block []string, s *scenario.Ship) []string {
	top := len(block)
	if i := slices.IndexFunc(block[1:], tableLine().MatchString); i >= 0 {
		top = 1 + i // a table of the ship's own, where that key has another meaning
	}
	block = slices.Concat(slices.DeleteFunc(slices.Clone(block[:top]), nameLine().MatchString), block[top:])
	captain, crew := m.names(s)
	lines := []string{fmt.Sprintf("captain = %q\n", captain)}
	if len(crew) > 0 {
		var all []string
		for _, post := range slices.Sorted(maps.Keys(crew)) {
			all = append(all, fmt.Sprintf("%s = %q", post, crew[post]))
		}
		lines = append(lines, "crew = { "+strings.Join(all, ", ")+" }\n")
	}
	return slices.Insert(block, 1, lines...)
}

// put writes class and ratings into a ship's lines, and the officers' names if they have ratings.
func (m PlacedShip) put(block []string, s *scenario.Ship) ([]string, error) {
	block = slices.Clone(block)
	var all []string
	values := m.Ratings()
	for _, key := range m.keys() {
		text := fmt.Sprintf("%s = %d", key, values[key])
		_, said := s.State[key]
		switch {
		case !said:
			all = append(all, text)
		case m.crewed():
			old := regexp.MustCompile(`\b` + regexp.QuoteMeta(key) + `\s*=\s*\d+`)
			for i, line := range block {
				block[i] = old.ReplaceAllLiteralString(line, text)
			}
		default:
			return nil, fail("remove it from the scenario: the roster provides it", "the scenario already gives %[2]s for %[1]s", s.Name, key)
		}
	}
	if m.crewed() {
		block = m.man(block, s)
	}
	ratings := strings.Join(all, ", ")
	for i, line := range block {
		block[i] = classLine().ReplaceAllString(line, "${1}\""+m.Class+"\"")
	}
	if ratings == "" {
		return block, nil
	}
	for i, line := range block {
		if stateLine().MatchString(line) {
			return slices.Insert(block, i+1, strings.ReplaceAll(ratings, ", ", "\n")+"\n"), nil
		}
		if stateKey().MatchString(line) {
			return slices.Insert(block, i, "state."+strings.ReplaceAll(ratings, ", ", "\nstate.")+"\n"), nil
		}
		if at := stateHead().FindStringIndex(line); at != nil {
			if len(s.State) > 0 {
				ratings += ","
			}
			block[i] = line[:at[1]] + " " + ratings + line[at[1]:]
			return block, nil
		}
	}
	return slices.Insert(block, 1, "state = { "+ratings+" }\n"), nil
}

// same compares the changed text with the scenario: only class and ratings of the ships may differ.
func same(before *scenario.Scenario, text []byte, ships []PlacedShip) error {
	odd := fail("write class and ratings by hand; see docs/reference/formats.md", "the scenario's layout cannot be edited safely")
	after, _ := scenario.Parse(text)
	if after == nil || len(after.Ships) != len(before.Ships) {
		return odd
	}
	for i, want := range before.Ships {
		got := after.Ships[i]
		if j := slices.IndexFunc(ships, func(m PlacedShip) bool { return m.Ship == want.Name }); j >= 0 {
			m := ships[j]
			for key, value := range m.Ratings() {
				if got.State[key] != int64(value) {
					return odd
				}
				if before, said := want.State[key]; said {
					got.State[key] = before
				} else {
					delete(got.State, key)
				}
			}
			if captain, crew := m.names(&want); m.crewed() {
				if got.Captain != captain || !maps.Equal(got.Crew, crew) {
					return odd
				}
				got.Captain, got.Crew = want.Captain, want.Crew
			}
			if got.Class != m.Class {
				return odd
			}
			got.Class = want.Class
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
