package play

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// DarkRules returns a book's rules for games in the dark (house 9.7).
func DarkRules(l *rulebook.Rules, tell func(b engine.Body, to *dark.Observer) (engine.Body, []string)) *dark.Rules {
	return &dark.Rules{
		Signature: func(s *engine.Ship) blind.Signature {
			return blind.Signature{Small: s.Small(), Cold: state.Of(s).Sheet.Count(sheet.Warp).All == 0}
		},
		Rough: func(s *engine.Ship) (string, int) {
			if s.Small() {
				return string(s.Kind), 0
			}
			return sizeOf(&state.Of(s).Sheet), state.Of(s).Speed
		},
		Pace: pace(l),
		Damaged: func(_ *engine.Game, s *engine.Ship) bool {
			n, ok := state.Of(s).Sheet.Rating(sheet.Sensor)
			return ok && n <= dullSensor
		},
		Lit: func(s *engine.Ship) blind.Suite {
			sys := state.Of(s)
			special := sys.Sheet.Count(sheet.SpecialSensor)
			return blind.Suite{Uprated: special.All > 0 || keen(l, sys), Boxes: special.Left + min(sys.Purse[rulebook.VerbLabs], sys.Sheet.Count(sheet.Lab).Left)}
		},
		Veiled: func(g *engine.Game, by, of *engine.Ship) bool {
			return !sees(&l.Book, g, by, of) || apart(l, g, by, of)
		},
		Called: called,
		Tell:   tell,
	}
}

// pace returns how approximate speeds are shown: as the book's speeds, which are far enough apart to be told apart.
func pace(l *rulebook.Rules) func(int) string {
	if l.Quanta == nil {
		return nil
	}
	return func(hexes int) string { return SpeedWord(&l.Book, hexes) }
}

// dullSensor is the sensor rating at and below which sensors see half as far (ruling H19).
const dullSensor = 3

// keen reports whether a ship has uprated sensors because of her navy (house 9.74).
func keen(l *rulebook.Rules, sys *state.System) bool {
	class, ok := l.Classes[strings.ToLower(sys.Sheet.Class)]
	return ok && l.Keen != "" && class.Navy == l.Keen
}

// sizeOf returns how large a ship looks, by her class's size; without one, she counts as a cruiser.
func sizeOf(s *sheet.Sheet) string {
	switch s.Size {
	case 4:
		return "small"
	case 2:
		return "large"
	}
	return "medium"
}

// called returns what a captain may know of a system, with the captain's own names for other ships.
func called(system any, named func(id engine.ShipID, when engine.Moment) engine.ShipID) any {
	name := func(id engine.ShipID) engine.ShipID { return named(id, engine.Moment{}) }
	near := func(list []state.Near) []state.Near {
		list = slices.Clone(list)
		for i := range list {
			list[i].Ship = name(list[i].Ship)
		}
		return list
	}
	flight := func(f *state.Flight) *state.Flight {
		if f == nil || f.Target == "" {
			return f
		}
		c := *f
		c.Target = name(f.Target)
		return &c
	}
	grips := func(list []state.Grip) []state.Grip {
		list = slices.Clone(list)
		for i := range list {
			id := list[i].Ship
			if list[i].Ship = name(id); list[i].Ship != id { // a friend holds her, which reveals nothing about her
				list[i].Cost, list[i].Mode = 0, nil
			}
		}
		return list
	}
	forces := func(list []state.Force) []state.Force {
		list = slices.Clone(list)
		for i := range list {
			list[i].From = name(list[i].From)
		}
		return list
	}
	held := func(id engine.ShipID) engine.ShipID {
		if id == "" {
			return ""
		}
		return name(id)
	}
	switch sys := system.(type) {
	case *state.System:
		c := *sys
		c.Near, c.Flight, c.Holds, c.Held, c.Boarders, c.Data = near(sys.Near), flight(sys.Flight), grips(sys.Holds), held(sys.Held), forces(sys.Boarders), nil
		c.Study = held(sys.Study)
		if sys.Flight != nil { // ships' data is shown by their laboratories
			c.Data = slices.Clone(sys.Data)
			for i := range c.Data {
				c.Data[i].About = cmp.Or(name(c.Data[i].About), "a contact of before")
			}
		}
		c.Purse = maps.Clone(sys.Purse)
		return &c
	case *state.Open:
		c := *sys
		c.Flight, c.Holds, c.Held, c.Boarders = flight(sys.Flight), grips(sys.Holds), held(sys.Held), forces(sys.Boarders)
		return &c
	}
	return system
}

// finds returns what a ship's captain detects of another, and whether the captain takes it for a friend.
func finds(l *rulebook.Rules, g *engine.Game, s, o *engine.Ship) (blind.Level, bool) {
	return dark.Finds(l.Self, g, s.Captain, o)
}

// aimInTheDark returns the target that an order means in a game in the dark: a ship or echo that the captain's
// sensors show now, or nil.
func aimInTheDark(l *rulebook.Rules, g *engine.Game, s *engine.Ship, target engine.ShipID) *engine.Ship {
	if target != rulebook.NearestEnemy {
		if echo := dark.Echo(l.Self, g, s, string(target)); echo != nil {
			return echo
		}
		o, _, held, _ := dark.Means(l.Self, g, s.Captain, string(target))
		if !held || !fair(o) {
			return nil
		}
		if level, _ := finds(l, g, s, o); level < blind.Presence {
			return nil
		}
		return o
	}
	var best *engine.Ship
	for _, o := range slices.Concat(state.Fighting(g), dark.Echoes(l.Self, g, s)) {
		if o.Captain == s.Captain {
			continue
		}
		if best != nil {
			at, before := hex.Distance(s.Hex, o.Hex), hex.Distance(s.Hex, best.Hex)
			if at > before || at == before && !g.Blind.Before(s.Captain, o.ID, best.ID) {
				continue
			}
		}
		if level, friend := finds(l, g, s, o); level >= blind.Presence && !friend {
			best = o
		}
	}
	return best
}

// goal returns the place that a movement order goes to. In the dark it may be a mere warp field, or the last known
// place.
func goal(l *rulebook.Rules, g *engine.Game, s *engine.Ship, target engine.ShipID) (at engine.Place, ok bool) {
	if foe := aim(l, g, s, target); foe != nil {
		return engine.Place{Hex: foe.Hex, Heading: foe.Heading}, true
	}
	if g.Blind == nil || target == "" || target == rulebook.NearestEnemy {
		return at, false
	}
	_, at, _, ok = dark.Means(l.Self, g, s.Captain, string(target))
	return at, ok
}

// headingKnown reports whether a captain's sensors show a ship's heading.
func headingKnown(l *rulebook.Rules, g *engine.Game, s, o *engine.Ship) bool {
	if g.Blind == nil {
		return true
	}
	level, _ := finds(l, g, s, o)
	return level >= blind.Rough
}

// guide names a ship that no longer guides a drone.
func guide(g *engine.Game, s *engine.Ship) string {
	if g.Blind != nil {
		return "the ship that launched it"
	}
	return s.Name
}

// nameable returns what a captain may name in orders at this time.
func nameable(t *engine.Turn, s *engine.Ship) ([]rulebook.Known, []engine.Side) {
	if t.Game.Blind != nil {
		return knownInTheDark(t, s)
	}
	return rulebook.KnownInGame(t.Game), t.Game.Sides
}

// whole reports whether a captain's sensors show everything about a ship.
func whole(l *rulebook.Rules, g *engine.Game, s, o *engine.Ship) bool {
	if g.Blind == nil {
		return true
	}
	level, _ := finds(l, g, s, o)
	return level >= blind.Full
}

// knownInTheDark returns the ships that a captain may name in orders at this time, and the sides the captain knows
// of.
func knownInTheDark(t *engine.Turn, s *engine.Ship) (names []rulebook.Known, sides []engine.Side) {
	log := t.Game.Blind.Log(s.Captain)
	for _, side := range t.Game.Sides {
		if side.ID == s.Side || log != nil && slices.Contains(log.Met, side.ID) {
			sides = append(sides, side)
		}
	}
	return rulebook.KnownOf(dark.Ships(t.Rules, t.Game, t.Game.Viewer(s))), sides
}

// craftName returns a name for what a ship launches.
func craftName(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, letter string) (name, short string) {
	if t.Game.Blind == nil {
		return droneName(t.Game, letter)
	}
	return dark.In(t).CraftName(s, letter, l.Cite(rulebook.OnDrones)...)
}

// lookAfter uses the sensors after a ship has moved.
func lookAfter(t *engine.Turn, s *engine.Ship, from hex.Hex) {
	if s.Hex != from {
		dark.In(t).Look(s)
	}
}

// lookRound ends the sensors' work for a round after its last impulse.
func lookRound(l *rulebook.Rules, t *engine.Turn) {
	if _, last := l.Span(l.PhaseOf(t.Phase.No)); t.Phase.No == last {
		dark.In(t).LookRound(true)
	}
}

// losesSight reports whether a drone's captain no longer detects its target (ruling H7).
func losesSight(l *rulebook.Rules, t *engine.Turn, d, target *engine.Ship) bool {
	if t.Game.Blind == nil || d.Kind != engine.KindDrone {
		return false
	}
	parent, ok := t.Game.Ship(d.Parent)
	if !ok {
		return true
	}
	if dark.IsEcho(target) {
		return dark.Echo(l.Self, t.Game, parent, string(target.ID)) == nil
	}
	level, _ := finds(l, t.Game, parent, target)
	return level < blind.Presence
}

// sought returns what a drone or torpedo flies to: a ship, or the present or last place of its captain's echo.
func sought(g *engine.Game, d *engine.Ship) *engine.Ship {
	id := state.Of(d).Flight.Target
	if target, ok := g.Ship(id); ok {
		return target
	}
	if parent, ok := g.Ship(d.Parent); ok {
		return dark.LastEcho(g, parent, string(id))
	}
	return nil
}

// The functions below return events as seen by a captain who does not know all ships in them. Of fire the captain
// learns what is known about both ends (D54), of own launches the effect.

// LaunchInTheDark returns the event as seen by a captain who does not know both ships.
func LaunchInTheDark(_ *rulebook.Rules, b *state.Launch, to *dark.Observer) (engine.Body, []string) {
	if to.Own(b.Ship) {
		return &LaunchSeen{Ship: b.Ship, Weapon: b.Weapon, Craft: b.Drone, Target: nameOrNew(to, b.Target), Heading: b.At.Heading}, nil
	}
	return nil, nil
}

// StrikeInTheDark returns the event as seen by a captain who does not know the ship.
func StrikeInTheDark(_ *rulebook.Rules, b *state.Strike, to *dark.Observer) (engine.Body, []string) {
	own := to.Own(b.Ship)
	if !own && !to.Own(b.Target) {
		return nil, nil
	}
	seen := StrikeSeen{Ship: to.Name(b.Ship), Target: to.Name(b.Target), Points: b.Points, Flown: b.Flown}
	if !own || to.Level(b.Target) >= blind.Rough {
		seen.Shield = b.Shield
	}
	return &seen, nil
}

// nameOrNew returns a captain's name for a target.
func nameOrNew(to *dark.Observer, id engine.ShipID) engine.ShipID {
	return cmp.Or(to.Name(id), Unnumbered)
}

// Unnumbered is a ship found in this round, which has no number yet.
const Unnumbered = "a new contact"

// FireInTheDark returns the event as seen by a captain who does not know both ships.
func FireInTheDark(l *rulebook.Rules, b *state.Fire, to *dark.Observer) (engine.Body, []string) {
	from, at := to.Name(b.Ship), to.Name(b.Target)
	switch {
	case to.Own(b.Ship) && b.Blind:
		return &FireSeen{Ship: b.Ship, Weapon: b.Weapon, Kind: b.Kind, Impulse: b.Impulse, Roll: b.Roll, Hit: b.Hit, Over: b.Over, Own: b.Own, Blind: true}, nil
	case to.Own(b.Ship):
		seen := FireSeen{
			Ship: b.Ship, Target: nameOrNew(to, b.Target), Weapon: b.Weapon, Kind: b.Kind, Impulse: b.Impulse, Range: b.Range, Counts: b.Counts,
			Scanner: b.Scanner, Roll: b.Roll, More: b.More, Need: b.Need, Hit: b.Hit, Aimed: b.Aimed, Half: b.Half, Over: b.Over, Own: b.Own,
		}
		if to.Level(b.Target) >= blind.Rough {
			seen.Shield, seen.Points = b.Shield, b.Points
		}
		return &seen, nil
	case from == "" && at == "", from == "" && !b.Hit, b.Blind && !b.Hit:
		return nil, nil
	}
	seen := FireSeen{Ship: from, Target: at, Hit: b.Hit, Impulse: b.Impulse}
	if to.Own(b.Target) {
		seen.Shield, seen.Points = b.Shield, b.Points
	}
	return &seen, l.Cite(rulebook.OnFire)
}

// FireSeen is a shot seen by a captain who does not know both ships. The weapon and the die are known only of the
// captain's own shots; a ship that is not detected is blank.
type FireSeen state.Fire

// StrikeSeen is a Strike seen by a captain who does not know both ends.
type StrikeSeen state.Strike

// LaunchSeen is a launch by a captain's own ship at an unknown target.
type LaunchSeen struct {
	Ship    engine.ShipID `json:"ship"`
	Weapon  string        `json:"weapon"`
	Craft   string        `json:"craft"` // the name of the drone or torpedo
	Target  engine.ShipID `json:"target"`
	Heading hex.Heading   `json:"heading"`
}

// BoardSeen is a boarding of a captain's own ship, or a raid on it, by an unknown ship.
type BoardSeen struct {
	Ship    engine.ShipID `json:"ship"`
	Parties int           `json:"parties,omitempty"` // boarding
	Raid    bool          `json:"raid,omitempty"`
	Bank    string        `json:"bank,omitempty"` // raided
	Before  int           `json:"before,omitempty"`
	After   int           `json:"after,omitempty"`
}

// FightSeen is a fight aboard a captain's own ship against unknown boarders.
type FightSeen struct {
	Ship      engine.ShipID `json:"ship"`
	Killed    int           `json:"killed"`
	Fallen    int           `json:"fallen"`
	Defenders int           `json:"defenders"`
	Boarders  int           `json:"boarders"`
}

// droneName returns a new name for a drone or other craft, and its label on the map: a letter, such as d, or p for
// plasma, and a number that counts through the game.
func droneName(g *engine.Game, letter string) (name, short string) {
	n := 1
	for _, s := range g.Ships {
		if s.Small() {
			n++
		}
	}
	for {
		name = letter + strconv.Itoa(n)
		if _, _, taken := engine.FindShip(g.Ships, name); !taken {
			break
		}
		n++
	}
	const letters = "0123456789abcdefghijklmnopqrstuvwxyz"
	if n < len(letters) {
		return name, letter + letters[n:n+1]
	}
	return name, string(letters[n/10%26+10]) + strconv.Itoa(n%10)
}

// SpeedWord returns a speed as written in orders.
func SpeedWord(b *rulebook.Book, hexes int) string {
	if b.Quanta == nil {
		return strconv.Itoa(hexes)
	}
	return b.Quanta[b.Quantum(hexes)].Word
}

// aim returns the target that an order means, or nil if it is not on the map.
func aim(l *rulebook.Rules, g *engine.Game, s *engine.Ship, target engine.ShipID) *engine.Ship {
	if g.Blind != nil {
		return aimInTheDark(l, g, s, target)
	}
	if target != rulebook.NearestEnemy {
		if foe, ok := g.Ship(target); ok && fair(foe) && sees(&l.Book, g, s, foe) {
			return foe
		}
		return nil
	}
	var best *engine.Ship
	for _, o := range state.Fighting(g) {
		if o.Side != s.Side && !Hidden(&l.Book, g, o) && (best == nil || hex.Distance(s.Hex, o.Hex) < hex.Distance(s.Hex, best.Hex)) {
			best = o
		}
	}
	return best
}

// loseGuidance removes the drones that a ship guides (cadet D4.41), and everything that seeks her. Plasma flies on
// without the ship that launched it (cadet D4.42).
func loseGuidance(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, cause engine.Ref) {
	for _, d := range state.Drones(t.Game) {
		switch {
		case d.Parent == s.ID && d.Kind == engine.KindDrone:
			t.Because(cause).Out(d, engine.Left, guide(t.Game, s)+" guides it no longer", nil, l.Cite(rulebook.OnDestruction)...)
		case state.Of(d).Flight.Target == s.ID:
			t.Because(cause).Out(d, engine.Left, "its target is gone", nil, l.Cite(topicOf(state.Of(d).Flight))...)
		}
	}
}
