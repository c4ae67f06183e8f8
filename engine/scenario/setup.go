package scenario

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"

	"starpost/engine/blind"
	"starpost/engine/bounded"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/orders"
)

// NewGame makes the set-up of a game, turn 0, from a scenario. Captains maps ships (by name, in any case) to their
// captains and takes precedence over the scenario; a ship with neither has a captain of her own name. Posts
// (Hood.helm) are held by those that captains names or, if captains is nil, by the scenario's crews. A ship with
// several starting places gets the first: call [Scenario.Drawn] before. The game is nil if there are errors among
// the diagnostics.
func (s *Scenario) NewGame(r *engine.Rules, id string, captains map[string]engine.CaptainName) (*engine.Game, []orders.Diagnostic) {
	var diags []orders.Diagnostic
	if s.Rules != r.Name {
		return nil, []orders.Diagnostic{{
			Pos: s.src.find("", 0, "rules"), Code: "E402",
			Message: fmt.Sprintf("the scenario is for rule set %q, not %q", s.Rules, r.Name),
		}}
	}
	g := &engine.Game{Format: engine.Format, ID: id, Title: s.Title, Rules: r.Name, Version: r.Version, Options: map[string]string{}}
	if s.Bounds != nil {
		g.Bounds = &hex.Bounds{Cols: s.Bounds.Columns, Rows: s.Bounds.Rows}
	}
	s.options(r, g, &diags)
	for _, sd := range s.Sides {
		name := sd.Name
		if name == "" {
			name = sd.ID
		}
		g.Sides = append(g.Sides, engine.Side{ID: sd.ID, Name: name})
	}
	shorts := s.shortNames()
	for i, sh := range s.Ships {
		s.posts(r, i, &diags)
		entry := engine.ShipEntry{Class: sh.Class, Repair: sh.Repair, State: sh.State, Options: g.Options}
		if sh.decoy() {
			entry.Class = sh.As
		}
		made, problems := r.Commission(entry)
		for _, p := range problems {
			if sh.decoy() && p.Key == "class" {
				p.Key = "as"
			}
			diags = append(diags, orders.Diagnostic{
				Pos: s.src.find("ship", i+1, p.Key), Code: "E407", Message: sh.Name + ": " + p.Message, Hint: p.Hint,
			})
		}
		if len(problems) > 0 {
			continue
		}
		ship := &engine.Ship{
			ID: engine.ShipID(strings.ToLower(sh.Name)), Name: sh.Name, Title: sh.Title, Short: shorts[i], Side: sh.Side,
			Captain: captainOf(sh, captains), Class: made.Title, Status: engine.Active, Arrives: sh.Arrives,
			Value: made.Value, System: made.System,
		}
		for _, post := range r.Language.Posts {
			c := captains[engine.OrderSetName(sh.Name, post)]
			if captains == nil {
				c = sh.Crew[post]
			}
			if c != "" && c != ship.Captain {
				if ship.Crew == nil {
					ship.Crew = map[string]engine.CaptainName{}
				}
				ship.Crew[post] = c
			}
		}
		if ship.Title == "" {
			ship.Title = sh.Name
		}
		if sh.Value != nil {
			ship.Value = *sh.Value
		}
		if sh.Arrives > 1 {
			ship.Status = engine.Waiting
		}
		// shape has already parsed both.
		ship.Hex, _ = hex.ParseLabel(sh.Hex.at(0))
		ship.Heading, _ = hex.ParseHeading(sh.Heading.at(0))
		g.Ships = append(g.Ships, ship)
	}
	slices.SortFunc(g.Ships, func(a, b *engine.Ship) int { return cmp.Compare(a.ID, b.ID) })
	s.terrain(r, g, &diags)
	s.dark(r, g, &diags)
	s.files(r, g, &diags)
	g.Victory.LastTurn = s.LastTurn
	for _, goal := range s.Victory {
		n := engine.Goal{Side: goal.Side, When: goal.When, Count: goal.Count, Edge: goal.Edge, Turn: goal.Turn, Points: goal.Points, File: strings.ToLower(goal.File)}
		for _, name := range goal.Ships {
			n.Ships = append(n.Ships, engine.ShipID(strings.ToLower(name)))
		}
		g.Victory.Goals = append(g.Victory.Goals, n)
	}
	orders.Sort(diags)
	if orders.HasErrors(diags) {
		return nil, diags
	}
	if g.Blind != nil {
		dark.FirstLook(r, g, s.dice)
	}
	return g, diags
}

// dark puts a game in the dark, if the scenario asks for it.
func (s *Scenario) dark(r *engine.Rules, g *engine.Game, diags *[]orders.Diagnostic) {
	if s.Blind == nil {
		return
	}
	if dark.Of(r).Dark == nil {
		*diags = append(*diags, orders.Diagnostic{
			Pos: posOf(s.src.found().Of("blind")), Code: "E410", Message: fmt.Sprintf("%s cannot be played in the dark", r.Name),
			Hint: "leave out [blind], or use rules that can: starpost rules",
		})
		return
	}
	settings, _, _, _ := s.Blind.Complete() // shape has already checked it
	g.Blind = &blind.State{Settings: settings, Suites: map[engine.ShipID]blind.Suite{}}
	for i, sh := range s.Ships {
		if ship, ok := g.Ship(engine.ShipID(strings.ToLower(sh.Name))); ok && sh.decoy() {
			s.disguise(r, i, ship, diags)
		}
		if own := sh.Blind; own.Uprated || own.Special > 0 {
			g.Blind.Suites[engine.ShipID(strings.ToLower(sh.Name))] = blind.Suite{Uprated: own.Uprated, Boxes: own.Special}
		}
		var labs dark.LabRules
		if own := dark.Of(r).Labs; own != nil {
			labs = *own
		}
		for _, gear := range []struct {
			key, title string
			boxes      *int
			fit        func(s *engine.Ship, boxes *int)
		}{{"labs", "laboratories", sh.Blind.Labs, labs.Fit}, {"probes", "probes", sh.Blind.Probes, labs.Load}} {
			switch ship, ok := g.Ship(engine.ShipID(strings.ToLower(sh.Name))); {
			case gear.fit == nil && gear.boxes != nil:
				*diags = append(*diags, orders.Diagnostic{
					Pos: s.src.find("ship", i+1, gear.key), Code: "E402", Message: fmt.Sprintf("%s: under %s a scenario cannot set how many %s a ship has", sh.Name, r.Name, gear.title),
					Hint: "leave " + gear.key + " out",
				})
			case gear.fit != nil && ok:
				if ship.Decoy() {
					gear.boxes = new(int)
				}
				gear.fit(ship, gear.boxes)
			}
		}
	}
}

// disguise turns the i-th ship of the scenario, commissioned as the class that it imitates, into a decoy.
func (s *Scenario) disguise(r *engine.Rules, i int, ship *engine.Ship, diags *[]orders.Diagnostic) {
	decoy := dark.Of(r).Dark.Decoy
	if decoy == nil {
		*diags = append(*diags, orders.Diagnostic{
			Pos: s.src.find("ship", i+1, "class"), Code: "E410", Message: fmt.Sprintf("%s: %s has no decoys", ship.Name, r.Name),
			Hint: "leave her out, or use rules that have them: starpost rules",
		})
		return
	}
	ship.Kind, ship.Class, ship.Value = engine.KindDecoy, engine.ClassDecoy, 0
	decoy(ship)
}

// files puts files aboard their ships.
func (s *Scenario) files(r *engine.Rules, g *engine.Game, diags *[]orders.Diagnostic) {
	labs := dark.Of(r).Labs
	if len(s.Files) > 0 && labs != nil && labs.Dark && g.Blind == nil {
		*diags = append(*diags, orders.Diagnostic{
			Pos: s.src.find("file", 1, "name"), Code: "E402", Message: fmt.Sprintf("under %s files are only for games in the dark", r.Name),
			Hint: "add [blind] to the scenario, or leave out the files",
		})
		return
	}
	if len(s.Files) > 0 && labs == nil {
		*diags = append(*diags, orders.Diagnostic{
			Pos: s.src.find("file", 1, "name"), Code: "E402", Message: fmt.Sprintf("under %s ships have no laboratories, which files need", r.Name),
			Hint: "leave out the files, or use rules that have laboratories: starpost rules",
		})
		return
	}
	if len(s.Files) > 0 && g.Labs == nil {
		g.Labs = &engine.Labs{}
	}
	for _, f := range s.Files {
		ship := strings.ToLower(f.Ship)
		g.Labs.Files = append(g.Labs.Files, engine.File{Name: strings.ToLower(f.Name), Units: cmp.Or(f.Units, usualUnits), From: engine.ShipID(ship), Has: []engine.ShipID{engine.ShipID(ship)}})
	}
}

// posts checks the posts that a ship's crew and briefings name.
func (s *Scenario) posts(r *engine.Rules, i int, diags *[]orders.Diagnostic) {
	sh := s.Ships[i]
	for key, named := range map[string][]string{"crew": slices.Sorted(maps.Keys(sh.Crew)), "briefing": slices.Sorted(maps.Keys(sh.Briefing))} {
		for _, post := range named {
			if slices.Contains(r.Posts(), post) || key == "briefing" && post == engine.AllPosts {
				continue
			}
			d := orders.Diagnostic{Pos: s.src.find("ship", i+1, key), Code: "E407", Message: fmt.Sprintf("%s: %s has no post %q", sh.Name, r.Name, post)}
			if d.Hint = orders.DidYouMean("%q", post, r.Posts(), "posts: "+strings.Join(r.Posts(), ", ")); len(r.Posts()) == 0 {
				d.Hint = "leave " + key + " out, or use rules that have posts: starpost rules"
			}
			*diags = append(*diags, d)
		}
	}
}

// NewNames returns mistakes in the names of captains and officers that matter only when a game is made. An existing
// game keeps its names.
func (s *Scenario) NewNames() (out []orders.Diagnostic) {
	say := func(n int, key string, name engine.CaptainName, of string) {
		if problem := engine.PersonName(string(name)); name != "" && problem != "" {
			out = append(out, orders.Diagnostic{
				Pos: s.src.find("ship", n, key), Code: "E404", Message: fmt.Sprintf("%s: %+q is not a valid name: %s", of, name, problem), Hint: "use " + personNameHint,
			})
		}
	}
	for i, sh := range s.Ships {
		say(i+1, "captain", sh.Captain, sh.Name)
		for _, post := range slices.Sorted(maps.Keys(sh.Crew)) {
			say(i+1, "crew", sh.Crew[post], sh.Name)
		}
	}
	return out
}

const personNameHint = "use letters and digits, with spaces and - . ' , & ( ) between them"

func captainOf(sh Ship, captains map[string]engine.CaptainName) engine.CaptainName {
	for name, c := range captains {
		if strings.EqualFold(name, sh.Name) && c != "" {
			return c
		}
	}
	return cmp.Or(sh.Captain, engine.CaptainName(sh.Name))
}

func (s *Scenario) options(r *engine.Rules, g *engine.Game, diags *[]orders.Diagnostic) {
	for name, values := range r.Options {
		g.Options[name] = values[0]
	}
	known := slices.Sorted(maps.Keys(r.Options))
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		value := s.Options[name]
		wrong := func(hint, format string, args ...any) {
			*diags = append(*diags, orders.Diagnostic{Pos: s.src.find("options", 0, name), Code: "E408", Message: fmt.Sprintf(format, args...), Hint: hint})
		}
		switch allowed, ok := r.Options[name]; {
		case !ok:
			wrong(orders.DidYouMean("%q", name, known, ""), "rule set %s has no option %q", r.Name, name)
		case !slices.Contains(allowed, value):
			wrong("one of: "+strings.Join(allowed, ", "), "option %s cannot be %q", name, value)
		default:
			g.Options[name] = value
		}
	}
}

// shortNames gives every ship a unique short name of one or two characters. In the dark it is unique only on her
// side: captains who see only their own side must not learn what others are called.
func (s *Scenario) shortNames() []string {
	out := make([]string, len(s.Ships))
	type word struct{ side, text string }
	of := func(sh Ship, text string) word {
		if s.Blind == nil {
			return word{"", strings.ToUpper(text)}
		}
		return word{sh.Side, strings.ToUpper(text)}
	}
	taken := map[word]bool{}
	named := map[word]int{} // full names take precedence over short ones in orders
	for i, sh := range s.Ships {
		named[of(sh, sh.Name)] = i
		if sh.Short != "" {
			out[i] = strings.ToUpper(sh.Short)
			taken[of(sh, sh.Short)] = true
		}
	}
	for i, sh := range s.Ships {
		if out[i] != "" {
			continue
		}
		for _, text := range shortTries(sh.Name) {
			try := of(sh, text)
			if other, is := named[try]; !taken[try] && (!is || other == i) {
				out[i], taken[try] = text, true
				break
			}
		}
	}
	return out
}

func shortTries(name string) []string {
	up := strings.ToUpper(strings.ReplaceAll(name, "-", ""))
	tries := []string{up[:1]}
	for i := 1; i < len(up); i++ {
		tries = append(tries, up[:1]+up[i:i+1])
	}
	const marks = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	for _, a := range up[:1] + marks[:26] {
		for _, b := range marks {
			tries = append(tries, string(a)+string(b))
		}
	}
	return tries
}

// source finds positions in a TOML file for diagnostics, because decoded values do not carry them.
type source struct{ places func() bounded.Places } // nil for a scenario that was not read from a file

// found finds the positions once there is a mistake to report.
func (s source) found() bounded.Places {
	if s.places == nil {
		return nil
	}
	return s.places()
}

// find returns the position of a key in the n-th table of a list, or (n = 0) in a single table, or deeper in it. If
// the key is missing it returns the table's position, or the start of the file. If table is empty it returns the
// first position of the key.
func (s source) find(table string, n int, key string) orders.Pos {
	var path []string
	if table != "" {
		path = append(path, table)
	}
	if n > 0 {
		path = append(path, strconv.Itoa(n-1))
	}
	return posOf(s.found().Within(key, path...))
}

func posOf(at bounded.Position) orders.Pos {
	return orders.Pos{Line: max(1, at.Line), Col: max(1, at.Col)}
}
