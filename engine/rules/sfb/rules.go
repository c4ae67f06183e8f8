package sfb

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/forecast"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/tell"
	"starpost/engine/ruling"
	"starpost/orders"
)

// part is a [rulebook.Part] with the rows of its events.
type part struct {
	rulebook.Part
	events []tell.Event
}

// rules prepares a book and makes a rule set from it. The book has more parts than those of the list if they are given.
func rules(b rulebook.Book, classes map[string]*sheet.Class, more ...*part) (*engine.Rules, error) {
	if b.Rounds < 1 || b.Impulses%b.Rounds != 0 {
		return nil, fmt.Errorf("%s: %d impulses do not make %d equal rounds", b.Name, b.Impulses, b.Rounds)
	}
	more = append(slices.Clip(parts), more...)
	var all []*rulebook.Part
	for _, p := range more {
		all = append(all, &p.Part)
	}
	b.Fit(all)
	var ofParts []tell.Event
	var keeps []family.Share
	for _, p := range more {
		if slices.Contains(b.Parts, &p.Part) {
			ofParts, keeps = append(ofParts, p.events...), append(keeps, p.Keeps...)
		}
	}
	if err := family.DistinctShares(b.Name, keeps); err != nil {
		return nil, err
	}
	l := &rulebook.Rules{Book: b, Classes: classes, Language: b.Language().Compiled()}
	tells := &tell.Teller{Rules: l, Events: tell.EventsOf(&l.Book, ofParts)}
	r := &engine.Rules{
		Name: b.Name, Version: b.Version, Title: b.Title, Sources: b.Sources,
		Phases: play.Phases(l), Language: l.Language, Events: tells.Events.Types(), Dice: namedDice(&b), Options: options(&b), Terrain: b.Ground,
		Commission: func(entry engine.ShipEntry) (engine.Commissioned, []engine.Problem) { return commission(l, entry) }, DecodeSystem: state.Decoder(keeps),
		Seeing: engine.Seeing{Public: state.Public, NewPublic: func() any { return new(state.Open) }},
		Ordering: engine.Ordering{
			Check: func(v *engine.View, id engine.ShipID, b orders.Block) engine.Checked {
				return forecast.Check(l, v, id, b)
			},
			Choose:   forecast.Chooses(l),
			Template: func(v *engine.View, id engine.ShipID) orders.Set { return template(l, v, id) },
			First:    func(v *engine.View, id engine.ShipID) orders.Set { return firstOrders(l, v, id) },
			Covers:   family.Covers,
			Robot:    func(v *engine.View, id engine.ShipID) orders.Set { return robot(l, v, id) },
			Tricks:   tricksOf(l),
			Conn: family.Navigator(func(v *engine.View, id engine.ShipID, commands []family.Conn, b *orders.Block) family.Conned {
				return conn(l, v, id, commands, b)
			}).By(l.Language),
		},
		Reporting: engine.Reporting{
			Present: tells.Present, Marks: func(v *engine.View) map[engine.ShipID]engine.Overlay { return tell.Marks(l, v) }, Counted: "impulse",
			Words: tells.Words, Why: tells.Why,
		},
		Hull: state.Hull, Referee: new(ruling.Referee),
		Extension: &dark.Extension{Dark: play.DarkRules(l, tells.Events.Unknown(l)), Labs: labRules(l)},
	}
	if b.Cloak.Hides {
		r.Look = func(g *engine.Game, who engine.Viewer, s *engine.Ship) engine.Observation {
			return play.Look(&l.Book, g, who, s)
		}
	}
	l.Self = r
	return r, r.CheckEvents()
}

//go:embed scenarios/*.toml
var scenarioFiles embed.FS

// namedDice lists all rolls of the family.
func namedDice(b *rulebook.Book) []engine.NamedDie {
	out := []engine.NamedDie{
		{Name: "order.SHIP[.N]", Example: "t3.order.hood", Die: dice.D6, What: "the order of movement among ships of equal speed and turn mode; N: 2 and so on, for rerolled ties"},
		{Name: "fire.SHIP.WEAPON", Example: "t3.p8.fire.hood.ph-1", Die: dice.D6, What: "what a shot does, or whether it hits"},
		{Name: "cloak.SHIP.DRONE", Example: "t3.p8.cloak.aquila.d1", Die: dice.D6, What: "whether a drone or torpedo affects a cloaked ship that it has reached"},
		{Name: "damage.SHIP.SHIELD.N", Example: "t3.p8.damage.hood.1.3", Die: dice.D6, What: "where a point that got through a shield goes: SHIELD is its number, N counts the points of the volley"},
	}
	if b.Overloads() {
		out = append([]engine.NamedDie{{Name: "overload.SHIP.WEAPON", Example: "t3.p8.overload.hood.photon-a", Die: dice.D6, What: "whether an overloaded weapon is lost in firing"}}, out...)
	}
	if b.Block != nil {
		out[len(out)-1] = engine.NamedDie{Name: "block.SHIP.N", Example: "t3.p8.block.hood.1", Die: dice.TwoD6, What: "the row of the damage allocation chart for what got through; N counts a ship's rolls in the impulse"}
	}
	for _, p := range b.Parts {
		out = append(out, p.Dice...)
	}
	out = append(out, dark.EchoDice()...)
	return append(out, dark.NameDie())
}

// options returns the game options of a book.
func options(b *rulebook.Book) map[string][]string {
	if b.Block == nil {
		return nil
	}
	out := map[string][]string{play.OptionDamage: {play.DamageBank, play.DamageKinds, play.DamageSingle}}
	if b.Cannon != "" {
		out[play.OptionCannon] = []string{play.CannonOff, play.CannonOn}
	}
	return out
}

// commission prepares a ship of her class as described in a scenario: the boxes left of shields and banks, from her
// state of repair, and her previous speed, stored energy and turns of arming, from her other state (ruling C7).
func commission(l *rulebook.Rules, entry engine.ShipEntry) (engine.Commissioned, []engine.Problem) {
	class, ok := sheet.Called(l.Classes, entry.Class, entry.Title)
	if !ok {
		names := slices.Sorted(maps.Keys(l.Classes))
		return engine.Commissioned{}, []engine.Problem{{
			Key: "class", Message: fmt.Sprintf("there is no ship class %q", entry.Class), Hint: orders.DidYouMean("%s", entry.Class, names, "classes: "+strings.Join(names, ", ")),
		}}
	}
	c := &commissioning{book: &l.Book, sys: &state.System{Sheet: class.Sheet.Clone()}, given: maps.Clone(entry.State)}
	if c.given == nil {
		c.given = map[string]any{}
	}
	sys := c.sys
	for _, p := range l.Parts {
		for _, share := range p.Keeps {
			sys.Kept.Put(share.Clone())
		}
	}
	sys.Steered = l.Controls
	if l.Boarding.Range > 0 {
		sys.Parties, sys.Fierce = sys.Sheet.Boarding, slices.Contains(l.Boarding.Fierce, class.Navy)
	}
	sys.Brakes = class.Navy != "" && class.Navy == l.Brakes
	sys.Steady = class.Navy != "" && class.Navy == l.Hard.Steady
	sys.Boosts = class.Navy != "" && class.Navy == l.Engines
	sys.Aims = class.Navy != "" && class.Navy == l.Aiming.Navy
	if letter := sys.Sheet.Letter; letter != "" {
		if sys.Sheet.TurnMode, ok = l.TurnModes[letter]; !ok {
			c.bad("class", "give her sheet the hexes straight before a turn, such as \"1 to 6, 2 to 16\"", "%s has turn mode %s, which %s has no rule for", sys.Sheet.Class, letter, l.Name)
		}
	}
	if class.Navy == l.Cannon && entry.Options[play.OptionCannon] == play.CannonOn {
		sys.Sheet.MountCannon()
	}
	for i, b := range sys.Sheet.Banks {
		if b.Kind.Category() != sheet.WeaponBoxes {
			continue
		}
		if _, fires := l.Charts[b.Kind]; !fires && !b.Kind.Rack() {
			c.bad("class", "choose another class; starpost allocate can allocate damage to this one", "%s has a weapon for which %s has no rules: %s, a %s", sys.Sheet.Class, l.Name, b.Name, b.Kind.Title())
		}
		if b.All > 1 {
			c.bad("class", fmt.Sprintf("make %d banks of it, such as %s and %s-2", b.All, b.Name, b.Name), "%s has %d weapons in one bank, %s: each must be a bank of its own", sys.Sheet.Class, b.All, b.Name)
		}
		w := state.Weapon{Bank: i}
		if b.Kind.Rack() {
			w.Drones = l.Drone.Rack * b.Left
		}
		sys.Weapons = append(sys.Weapons, w)
	}
	for _, key := range slices.Sorted(maps.Keys(entry.Repair)) {
		c.repair(key, entry.Repair[key])
	}
	sys.Batteries = sys.Sheet.Count(sheet.Battery).Left
	sys.Straight = sys.Sheet.Straight(l.MaxSpeed)
	for _, key := range slices.Sorted(maps.Keys(entry.State)) {
		c.state(key, entry.State[key])
	}
	c.beams()
	sys.Settle()
	return engine.Commissioned{System: sys, Title: class.Title, Value: sys.Sheet.Inside().All}, c.problems
}

// commissioning is a ship being prepared.
type commissioning struct {
	book     *rulebook.Book
	sys      *state.System
	given    map[string]any // her state from the scenario
	problems []engine.Problem
}

func (c *commissioning) bad(key, hint, format string, args ...any) {
	c.problems = append(c.problems, engine.Problem{Key: key, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// number reads a number from a scenario.
func (c *commissioning) number(key string, value any, most int) (int, bool) {
	n, ok := value.(int64)
	if !ok || n < 0 || n > int64(most) {
		c.bad(key, fmt.Sprintf("%s = %d", key, most), "%s is a number from 0 to %d", key, most)
		return 0, false
	}
	return int(n), true
}

func (c *commissioning) repair(key string, value any) {
	sheet := &c.sys.Sheet
	if key == "shields" {
		list, ok := value.([]any)
		if !ok || len(list) != 6 {
			c.bad(key, "shields = [16, 12, 10, 10, 10, 12]", "shields must be six numbers of remaining boxes, 1 ahead and then clockwise")
			return
		}
		for i, v := range list {
			if n, ok := c.number("shields", v, sheet.Shields[i].All); ok {
				sheet.Shields[i].Left = n
			}
		}
		return
	}
	i := sheet.Bank(key)
	if i < 0 {
		names := []string{"shields"}
		for _, b := range sheet.Banks {
			names = append(names, b.Name)
		}
		c.bad(key, orders.DidYouMean("%s", key, names, "one of: "+strings.Join(names, ", ")), "the sheet of %s has no boxes called %q", sheet.Class, key)
		return
	}
	if n, ok := c.number(key, value, sheet.Banks[i].All); ok {
		sheet.Banks[i].Left = n
	}
}

func (c *commissioning) state(key string, value any) {
	if key == state.FieldCloaked && c.sys.Sheet.Cloak > 0 {
		n, _ := c.number(key, value, 1)
		c.sys.Cloaked = n > 0
		return
	}
	into := map[string]struct {
		figure *int
		most   int
	}{
		"speed": {&c.sys.Speed, c.book.MaxSpeed}, "straight": {&c.sys.Straight, 99},
		"parties":   {&c.sys.Parties, c.sys.Sheet.Boarding},
		"batteries": {&c.sys.Batteries, c.sys.Sheet.Count(sheet.Battery).Left}, "capacitors": {&c.sys.Capacitor, c.sys.Phasers()},
	}
	if f, ok := into[key]; ok {
		if n, ok := c.number(key, value, f.most); ok {
			*f.figure = n
		}
		return
	}
	if k := sheet.Kind(key); c.book.Charts[k].Beam.Shield > 0 && c.sys.Sheet.Count(k).All > 0 {
		c.figures(k, value)
		return
	}
	w, chart := c.sys.Weapon(key), rulebook.FireChart{}
	if w >= 0 {
		chart = c.book.Charts[c.sys.Bank(w).Kind]
	}
	switch {
	case w >= 0 && chart.Turns > 0:
		if n, ok := c.number(key, value, chart.Turns); ok {
			c.sys.Weapons[w].Armed = n
		}
	case w >= 0 && c.sys.Bank(w).Kind.Rack():
		if n, ok := c.number(key, value, c.book.Drone.Rack); ok {
			c.sys.Weapons[w].Drones = n
		}
	default:
		c.bad(key, "speed, straight, batteries, capacitors, or a weapon that is armed over turns or a rack", "a ship has no state %s", strconv.Quote(key))
	}
}

// Family returns the family's rule sets, with their scenarios and ship classes.
func Family() family.Family {
	set := func(book func() rulebook.Book) family.RuleSet {
		// Games without their own sheets share one.
		plain := sync.OnceValues(func() (*engine.Rules, error) { return over(book, nil) })
		return family.RuleSet{Name: book().Name, Rules: func(own map[string][]byte) (*engine.Rules, error) {
			if len(own) == 0 {
				return plain()
			}
			return over(book, own)
		}}
	}
	return family.Family{
		Name: "sfb", Designs: sheet.Designs, Scenarios: scenarioFiles, Allocate: allocate,
		Sets: []family.RuleSet{set(cadet), set(house)},
	}
}

// allocate is the family's [family.Allocator]: see [sheet.AllocateTask].
func allocate(asked family.AllocateTask) (*family.Allocated, []orders.Diagnostic, error) {
	if asked.Ship != nil {
		if known, ok := state.OpenOf(asked.Ship); ok {
			return sheet.AllocateTask(asked, &known.Sheet)
		}
	}
	return sheet.AllocateTask(asked, nil)
}

// over makes a rule set with a game's own sheets in addition to the built-in ones.
func over(book func() rulebook.Book, files map[string][]byte) (*engine.Rules, error) {
	classes, err := sheet.Classes(files)
	if err != nil {
		return nil, err
	}
	return rules(book(), classes)
}

// beams adds a problem for each laser or particle beam without figures in the scenario.
func (c *commissioning) beams() {
	for w := range c.sys.Weapons {
		b := c.sys.Bank(w)
		_, tried := c.given[string(b.Kind)]
		if c.book.Charts[b.Kind].Beam.Shield > 0 && !tried {
			c.given[string(b.Kind)] = ""
			c.bad("state", fmt.Sprintf(`give the ship state = {%s = "5 to 4, 3 to 12"}: the die that hits, up to a range`, b.Kind), "%s has a %s, %s, for which the scenario has no figures", c.sys.Sheet.Class, b.Kind.Title(), b.Name)
		}
	}
}

// figures reads a scenario's figures for the lasers or particle beams of a ship: "5 to 4, 3 to 12" means they hit on
// 5 or less at up to 4 hexes, and on 3 or less at up to 12.
func (c *commissioning) figures(k sheet.Kind, value any) {
	const most = 60
	text, _ := value.(string)
	var rows []state.HitRow
	var last state.HitRow
	for part := range strings.SplitSeq(text, ",") {
		need, upto, two := strings.Cut(strings.TrimSpace(part), " to ")
		n, err1 := sheet.Number(need, 1, 6)
		r, err2 := sheet.Number(upto, 1, most)
		if !two || err1 != nil || err2 != nil || r <= last.Upto || len(rows) > 0 && n > last.Need {
			c.bad(string(k), fmt.Sprintf(`%s = "5 to 4, 3 to 12": 5 or less at up to 4 hexes, 3 or less at up to 12`, k), "%s: expected the die that hits, 1 to 6, up to a range, 1 to %d, nearest first", k, most)
			return
		}
		last = state.HitRow{Upto: r, Need: n}
		rows = append(rows, last)
	}
	if c.sys.Figures == nil {
		c.sys.Figures = map[sheet.Kind][]state.HitRow{}
	}
	c.sys.Figures[k] = rows
}

// labRules returns a book's rules for laboratories; nil if it has none.
func labRules(l *rulebook.Rules) *dark.LabRules {
	if l.Research.Range == 0 {
		return nil
	}
	return &dark.LabRules{
		Dark:  l.Research.Dark,
		Boxes: func(s *engine.Ship) int { return state.Of(s).FreeLabs() },
		Last: func(s *engine.Ship) string {
			if sys := state.Of(s); sys.Standing.Missing == rulebook.MissingRepeat {
				return sys.Last
			}
			return ""
		},
		Sheet: func(s *engine.Ship) engine.Panel {
			return tell.SheetOf(l, &state.Of(s).Sheet)
		},
		Nature: func(s *engine.Ship, n int) string { return play.Nature(l, &state.Of(s).Sheet, n) },
		Load: func(s *engine.Ship, probes *int) {
			if probes != nil {
				state.Of(s).Sheet.Fit(sheet.Probe, *probes)
			}
		},
	}
}
