package dark

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/hex"
)

// Rules is what a rule set defines for games in the dark. Each function is about ships on the map.
type Rules struct {
	Signature func(s *engine.Ship) blind.Signature          // without the warp field
	Rough     func(s *engine.Ship) (size string, speed int) // as shown at level 2; the core rounds the speed
	Pace      func(speed int) string                        // a rounded speed, in the words of orders; nil for "up to" and the number
	Damaged   func(g *engine.Game, s *engine.Ship) bool     // reports whether its sensors are damaged
	// Lit returns the sensors that a ship has by her class and orders, beyond plain ones and those from the
	// scenario; nil for none.
	Lit func(s *engine.Ship) blind.Suite
	// Veiled reports whether more than darkness hides a ship from another's sensors, such as a cloak; nil for
	// never. Rocks returns how many hexes of asteroids count for a look between two hexes (F6); nil for none.
	Veiled func(g *engine.Game, by, of *engine.Ship) bool
	Rocks  func(g *engine.Game, from, to hex.Hex) int
	// Called returns what a captain may know of a ship's system, with that captain's names for the other ships in
	// it, now or at a moment; blank for those not detected. It does not change its arguments. Nil if systems name
	// no ships.
	Called func(system any, name func(id engine.ShipID, when engine.Moment) engine.ShipID) any
	// Shown overrules what a ship's sensors show of another if ok is set; nil for never. Public takes precedence
	// over [Rules.Public] for ships seen whole; nil for no difference.
	Shown  func(by, of *engine.Ship) (level blind.Level, ok bool)
	Public func(g *engine.Game, s *engine.Ship) any
	// Decoy turns a ship that was commissioned as the class she imitates into a decoy: her weapons do not work, and
	// all that she shows up to level 2 stays. Nil for rule sets without decoys.
	Decoy func(s *engine.Ship)
	// Tell returns what a captain makes out of an event about ships unknown to them; nil for nothing. Its names are
	// those of the observer. It also returns the rules to cite; nil for those of the event.
	Tell func(b engine.Body, to *Observer) (engine.Body, []string)
}

// friendly reports whether a captain with these ships recognises a ship as one of their own side.
func friendly(g *engine.Game, own []*engine.Ship, s *engine.Ship) bool {
	return g.Blind.Recognition == blind.Recognised && slices.ContainsFunc(own, func(o *engine.Ship) bool { return o.Side == s.Side })
}

// commandedBy returns the ships of a captain.
func commandedBy(g *engine.Game, captain engine.CaptainName) (own []*engine.Ship) {
	for _, s := range g.Ships {
		if s.Captain == captain {
			own = append(own, s)
		}
	}
	return own
}

// eyesOf returns the ships of a captain, and the small craft that the captain sees through.
func eyesOf(g *engine.Game, captain engine.CaptainName) (own []*engine.Ship) {
	for _, s := range g.Ships {
		if s.Captain == captain || s.Scouts() && s.Status == engine.Active && commanderOf(g, s) == captain {
			own = append(own, s)
		}
	}
	return own
}

// commanderOf returns who commands a ship, or had a small craft launched.
func commanderOf(g *engine.Game, s *engine.Ship) engine.CaptainName {
	if s.Small() {
		if parent, ok := g.Ship(s.Parent); ok {
			return parent.Captain
		}
	}
	return s.Captain
}

// commanders returns those who are captains of ships, each with those ships: a ship's officers share what her
// captain finds (F9).
func commanders(g *engine.Game) (out []engine.Captain) {
	for _, c := range g.Captains() {
		c.Ships = nil
		for _, seat := range c.Seats {
			if seat.Post == "" {
				c.Ships = append(c.Ships, seat.Ship)
			}
		}
		if len(c.Ships) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// shipsOf returns the ships with these ids.
func shipsOf(g *engine.Game, ids []engine.ShipID) (out []*engine.Ship) {
	for _, id := range ids {
		if s, ok := g.Ship(id); ok {
			out = append(out, s)
		}
	}
	return out
}

// suiteOf returns the sensors that a ship has now.
func suiteOf(r *engine.Rules, g *engine.Game, s *engine.Ship) blind.Suite {
	if s.Small() {
		return blind.Suite{Probe: true}
	}
	suite := g.Blind.Suites[s.ID]
	if Of(r).Dark.Lit != nil {
		more := Of(r).Dark.Lit(s)
		suite.Uprated, suite.Boxes = suite.Uprated || more.Uprated, suite.Boxes+more.Boxes
	}
	suite.Damaged = Of(r).Dark.Damaged(g, s)
	return suite
}

// Detects returns how much a ship's own sensors show of another in a game in the dark, regardless of who commands
// them.
func Detects(r *engine.Rules, g *engine.Game, by, of *engine.Ship) blind.Level {
	if IsEcho(of) {
		return blind.Presence
	}
	if by == of || commanderOf(g, by) == commanderOf(g, of) {
		return blind.Full
	}
	if by.Status != engine.Active || !of.OnMap() {
		return blind.Nothing
	}
	if Of(r).Dark.Shown != nil {
		if level, ruled := Of(r).Dark.Shown(by, of); ruled {
			return level
		}
	}
	suite, sig := suiteOf(r, g, by), Of(r).Dark.Signature(of)
	at := hex.Distance(by.Hex, of.Hex)
	level := suite.Detect(at, 0, sig)
	if level == blind.Nothing || Of(r).Dark.Rocks != nil { // otherwise its field adds nothing
		if sig.Field = !sig.Cold && g.Blind.Wake(of.ID); sig.Field {
			level = suite.Detect(at, 0, sig)
		}
	}
	if level == blind.Nothing || Of(r).Dark.Veiled != nil && Of(r).Dark.Veiled(g, by, of) {
		return blind.Nothing
	}
	if Of(r).Dark.Rocks == nil {
		return level
	}
	return suite.Detect(at, Of(r).Dark.Rocks(g, by.Hex, of.Hex), sig)
}

// Finds returns how much the sensors of all of a captain's ships show of a ship in a game in the dark, and whether
// the captain takes it for a friend.
func Finds(r *engine.Rules, g *engine.Game, captain engine.CaptainName, of *engine.Ship) (level blind.Level, friend bool) {
	own := eyesOf(g, captain)
	level = finds(r, g, own, of)
	named := level >= blind.Full || level >= blind.Presence && friendly(g, own, of)
	if log := g.Blind.Log(captain); log != nil && level > blind.Nothing {
		c := log.Held(of.ID)
		named = named || c != nil && c.Named
	}
	return level, commanderOf(g, of) == captain || named && slices.ContainsFunc(own, func(o *engine.Ship) bool { return o.Side == of.Side })
}

// finds returns what the best placed of a captain's ships shows of a ship.
func finds(r *engine.Rules, g *engine.Game, own []*engine.Ship, of *engine.Ship) (best blind.Level) {
	for _, o := range own {
		best = max(best, Detects(r, g, o, of))
	}
	return best
}

// fixOf returns a ship as a captain's sensors detect it now; ok is false if they do not.
func fixOf(r *engine.Rules, g *engine.Game, own []*engine.Ship, s *engine.Ship) (f blind.Fix, ok bool) {
	level := finds(r, g, own, s)
	if level == blind.Nothing {
		return f, false
	}
	return blind.Fix{
		Ship: s.ID, Level: level, Hex: s.Hex, Heading: s.Heading,
		Known: level >= blind.Full || level >= blind.Presence && friendly(g, own, s),
	}, true
}

// roughOf returns what a ship shows at level 2.
func roughOf(r *engine.Rules, g *engine.Game, id engine.ShipID) (size string, speed int) {
	s, _ := g.Ship(id)
	size, speed = Of(r).Dark.Rough(s)
	return size, blind.SpeedStep(speed)
}

// roughly is roughOf with a cache for a moment in which nothing changes, because many captains ask about one ship.
func roughly(r *engine.Rules, g *engine.Game) func(id engine.ShipID) (size string, speed int) {
	type shown struct {
		size  string
		speed int
	}
	known := map[engine.ShipID]shown{}
	return func(id engine.ShipID) (string, int) {
		k, ok := known[id]
		if !ok {
			k.size, k.speed = roughOf(r, g, id)
			known[id] = k
		}
		return k.size, k.speed
	}
}

// Observer is a captain in a game in the dark at one moment.
type Observer struct {
	Captain engine.CaptainName

	rules *engine.Rules
	game  *engine.Game
	own   []*engine.Ship
	turn  *Turn // the current turn, and the captain's place in its captains; nil outside a turn
	place int
}

// Own reports whether a ship is the captain's.
func (o *Observer) Own(id engine.ShipID) bool {
	s, ok := o.game.Ship(id)
	return ok && commanderOf(o.game, s) == o.Captain
}

// Level returns how much the captain's sensors show of a ship now.
func (o *Observer) Level(id engine.ShipID) blind.Level {
	s, ok := o.game.Ship(id)
	if !ok {
		if c := o.echo(id); c != nil {
			return c.Level
		}
		return blind.Nothing
	}
	return finds(o.rules, o.game, o.own, s)
}

// Name returns what the captain calls a ship detected now: her id if they know who it is, otherwise her number;
// blank if she is not detected.
func (o *Observer) Name(id engine.ShipID) engine.ShipID {
	if o.Own(id) {
		return id
	}
	if o.Level(id) < blind.Presence {
		return ""
	}
	log := o.game.Blind.Log(o.Captain)
	switch c := log.Held(id); {
	case c != nil && c.Named, c == nil && o.whole(id):
		return id
	case c != nil:
		return c.Name()
	case o.turn != nil:
		return engine.ShipID(cmp.Or(o.turn.newNumber(o.place, id), Unnumbered))
	}
	return Unnumbered
}

// Alias returns what the captain calls a ship that is or was on their list: their own ships by id, as those of
// their side if ships identify friends, others as they are known. It is blank for one not detected.
func (o *Observer) Alias(id engine.ShipID) engine.ShipID {
	s, ok := o.game.Ship(id)
	if !ok && !strings.HasPrefix(string(id), echoMark) || ok && (commanderOf(o.game, s) == o.Captain || friendly(o.game, o.own, s)) {
		return id
	}
	log := o.game.Blind.Log(o.Captain)
	c := log.Held(id)
	if c == nil {
		c = log.Last(id)
	}
	switch {
	case c == nil:
		return o.Name(id)
	case c.Named:
		return id
	}
	return c.Name()
}

// whole reports whether the captain may be told all that others are told of a ship.
func (o *Observer) whole(id engine.ShipID) bool {
	s, ok := o.game.Ship(id)
	if !ok || commanderOf(o.game, s) == o.Captain {
		return !strings.HasPrefix(string(id), echoMark)
	}
	level := finds(o.rules, o.game, o.own, s)
	return level >= blind.Full || level >= blind.Presence && friendly(o.game, o.own, s)
}

// entryMeant returns the entry of a captain's list that a name in orders means: a number, or a ship known by that
// name. Lost entries count as long as they are kept.
func entryMeant(g *engine.Game, captain engine.CaptainName, name string) *blind.Contact {
	log := g.Blind.Log(captain)
	if log == nil {
		return nil
	}
	if no, ok := blind.ParseNumber(name); ok {
		c := log.Called(no)
		if c != nil && c.Named {
			c = cmp.Or(log.Held(c.Ship), log.Remembered(c.Ship))
		}
		return c
	}
	c := log.Held(engine.ShipID(name))
	if c != nil && c.Named {
		return c
	}
	return log.Remembered(engine.ShipID(name))
}

// Means returns the ship that a captain means by one of their names in a game in the dark, and where they have or
// last had it. Held says that it is on their list as detected. If ok is false the captain knows nothing by that
// name.
func Means(r *engine.Rules, g *engine.Game, captain engine.CaptainName, name string) (s *engine.Ship, at engine.Place, held, ok bool) {
	if s, there := g.Ship(engine.ShipID(name)); there && commanderOf(g, s) == captain {
		return s, engine.Place{Hex: s.Hex, Heading: s.Heading}, true, true
	}
	c := entryMeant(g, captain, name)
	if c == nil || !c.Kept(g.Turn, *g.Blind.Memory) {
		return nil, at, false, false
	}
	at = engine.Place{Hex: c.Hex, Heading: c.Heading}
	if s, ok = g.Ship(c.Ship); !ok { // an echo
		return nil, at, false, true
	}
	if level := finds(r, g, eyesOf(g, captain), s); !c.Lost && level > blind.Nothing {
		at.Hex = s.Hex
		if level >= blind.Rough {
			at.Heading = s.Heading
		}
		return s, at, true, true
	}
	return s, at, false, true
}

// callsBefore returns what the captain calls a ship detected now or before.
func (o *Observer) callsBefore(id engine.ShipID) engine.ShipID {
	return cmp.Or(o.Name(id), knownAs(o.game, o.Captain, id))
}

// knownAs returns what a captain calls a ship that is or was on their list: the last number they had for it, or its
// name.
func knownAs(g *engine.Game, captain engine.CaptainName, id engine.ShipID) engine.ShipID {
	log := g.Blind.Log(captain)
	if log == nil || log.Remembered(id) != nil {
		return id
	}
	for i := range slices.Backward(log.Contacts) {
		if c := &log.Contacts[i]; c.Ship == id {
			return c.Name()
		}
	}
	return "a contact of before"
}

// Retell returns a body with all ships in it under the captain's names for them.
func (o *Observer) Retell(body engine.Body) engine.Body {
	called, _ := reflect.TypeAssert[engine.Body](engine.Renamed(reflect.ValueOf(body), func(id engine.ShipID) engine.ShipID {
		if _, ship := o.game.Ship(id); !ship && !isEcho(o.game, id) {
			return id
		}
		if name := o.Alias(id); name != "" {
			return name
		}
		return Unnumbered
	}))
	return called
}

// wouldShow returns how much a captain's ships would show of a plain ship in a hex.
func wouldShow(r *engine.Rules, g *engine.Game, own []*engine.Ship, at hex.Hex) (best blind.Level) {
	for _, o := range own {
		if o.Status != engine.Active {
			continue
		}
		d := hex.Distance(o.Hex, at)
		rocks := 0
		if Of(r).Dark.Rocks != nil {
			rocks = Of(r).Dark.Rocks(g, o.Hex, at)
		}
		there := *o
		there.Hex = at
		if Of(r).Dark.Veiled != nil && Of(r).Dark.Veiled(g, o, &there) {
			continue
		}
		best = max(best, suiteOf(r, g, o).Detect(d, rocks, blind.Signature{}))
	}
	return best
}

// namesFor returns a function that returns a captain's name for a ship detected now or, if given a moment, then;
// blank for others.
func namesFor(r *engine.Rules, g *engine.Game, captain engine.CaptainName) func(id engine.ShipID, when engine.Moment) engine.ShipID {
	o := &Observer{Captain: captain, rules: r, game: g, own: eyesOf(g, captain)}
	log := g.Blind.Log(captain)
	return func(id engine.ShipID, when engine.Moment) engine.ShipID {
		if log == nil || when == (engine.Moment{}) || o.Own(id) {
			return o.Name(id)
		}
		switch c := log.At(id, blind.When{Turn: when.Turn, Phase: when.Phase}); {
		case c == nil:
			return ""
		case c.Named:
			return id
		default:
			return c.Name()
		}
	}
}

// observed returns what a viewer may use of a ship in orders: its name, if they know it.
func observed(r *engine.Rules, g *engine.Game, who engine.Viewer, s *engine.Ship) engine.Observation {
	for _, id := range who.Ships {
		own, ok := g.Ship(id)
		if !ok {
			continue
		}
		if own.Side == s.Side {
			return engine.Observation{}
		}
		if _, _, _, known := Means(r, g, own.Captain, string(s.ID)); known {
			return engine.Observation{}
		}
	}
	return engine.Observation{Sight: engine.Unseen}
}

// captainOf returns the captain whose list of contacts a viewer has.
func captainOf(g *engine.Game, who engine.Viewer) engine.CaptainName {
	for _, id := range who.Ships {
		if s, ok := g.Ship(id); ok {
			return s.Captain
		}
	}
	return ""
}
