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

// Rules is what a rule set says for games in the dark; each function is about ships on
// the map.
type Rules struct {
	Signature func(s *engine.Ship) blind.Signature          // but for the warp field
	Rough     func(s *engine.Ship) (size string, speed int) // as they show at level 2; the speed is rounded by the core
	Pace      func(speed int) string                        // a speed so rounded, as orders write speeds; nil for "up to" and the number
	Damaged   func(g *engine.Game, s *engine.Ship) bool     // its sensors are
	// Lit is what a ship looks out with by her make and her orders, beyond plain sensors and what
	// the scenario gives her; nil for nothing.
	Lit func(s *engine.Ship) blind.Suite
	// Veiled tells whether a ship is hidden from another's sensors by more than darkness, such
	// as a cloak; nil for never. Rocks is how many hexes of asteroids count for a look between
	// two hexes (F6); nil for none.
	Veiled func(g *engine.Game, by, of *engine.Ship) bool
	Rocks  func(g *engine.Game, from, to hex.Hex) int
	// Called is what a captain may know of a ship's system, with the names that he has for other
	// ships in it, or had at a moment, blank for those that he does not detect. It changes
	// nothing of what it is given. Nil where systems name no ships.
	Called func(system any, name func(id engine.ShipID, when engine.Moment) engine.ShipID) any
	// Shown overrules what a ship's sensors have of another, where ok is set; nil for never. Public
	// goes before [Rules.Public] for what is seen whole; nil for no difference.
	Shown  func(by, of *engine.Ship) (level blind.Level, ok bool)
	Public func(g *engine.Game, s *engine.Ship) any
	// Decoy makes a decoy of a ship that was commissioned as one of the class that it plays: no weapon of hers
	// works, and all that shows of her up to level 2 stays as it is. Nil for rule sets without decoys.
	Decoy func(s *engine.Ship)
	// Tell is what a captain makes out of an event that is about ships he does not know;
	// nil for nothing. Its names are those of the observer, its rules what it is told by; nil
	// for those of the event.
	Tell func(b engine.Body, to *Observer) (engine.Body, []string)
}

// friendly tells whether a captain's sensors, by his ships, know a ship for one of his own side.
func friendly(g *engine.Game, own []*engine.Ship, s *engine.Ship) bool {
	return g.Blind.Recognition == blind.Recognised && slices.ContainsFunc(own, func(o *engine.Ship) bool { return o.Side == s.Side })
}

// commandedBy are the ships of a captain.
func commandedBy(g *engine.Game, captain engine.CaptainName) (own []*engine.Ship) {
	for _, s := range g.Ships {
		if s.Captain == captain {
			own = append(own, s)
		}
	}
	return own
}

// eyesOf are the ships of a captain, and the small craft by which he sees.
func eyesOf(g *engine.Game, captain engine.CaptainName) (own []*engine.Ship) {
	for _, s := range g.Ships {
		if s.Captain == captain || s.Scouts() && s.Status == engine.Active && commanderOf(g, s) == captain {
			own = append(own, s)
		}
	}
	return own
}

// commanderOf is who commands a ship, or had a small craft launched.
func commanderOf(g *engine.Game, s *engine.Ship) engine.CaptainName {
	if s.Small() {
		if parent, ok := g.Ship(s.Parent); ok {
			return parent.Captain
		}
	}
	return s.Captain
}

// commanders are those who are captains of ships, each with those ships: the officers of a
// ship share what her captain finds (F9).
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

// shipsOf are the ships of these ids.
func shipsOf(g *engine.Game, ids []engine.ShipID) (out []*engine.Ship) {
	for _, id := range ids {
		if s, ok := g.Ship(id); ok {
			out = append(out, s)
		}
	}
	return out
}

// suiteOf is what a ship looks out with now.
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

// Detects is what one ship's own sensors show of another in a game in the dark, by whomever they are commanded.
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
	if level == blind.Nothing || Of(r).Dark.Rocks != nil { // else its field shows no more
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

// Finds tells how much the sensors of all of a captain's ships show of a ship in a game in the
// dark, and whether he takes it for one of his own side.
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

// finds is what the best placed of a captain's ships shows of a ship.
func finds(r *engine.Rules, g *engine.Game, own []*engine.Ship, of *engine.Ship) (best blind.Level) {
	for _, o := range own {
		best = max(best, Detects(r, g, o, of))
	}
	return best
}

// fixOf is a ship as a captain's sensors have it now; ok is false if they do not.
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

// roughOf is what shows of a ship at level 2.
func roughOf(r *engine.Rules, g *engine.Game, id engine.ShipID) (size string, speed int) {
	s, _ := g.Ship(id)
	size, speed = Of(r).Dark.Rough(s)
	return size, blind.SpeedStep(speed)
}

// roughly is rough for a moment in which nothing changes: many captains ask it of one ship.
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

// Observer is a captain of a game in the dark at one moment.
type Observer struct {
	Captain engine.CaptainName

	rules *engine.Rules
	game  *engine.Game
	own   []*engine.Ship
	turn  *Turn // that is played, and his place among its captains; nil where none is
	place int
}

// Own tells whether a ship is the captain's.
func (o *Observer) Own(id engine.ShipID) bool {
	s, ok := o.game.Ship(id)
	return ok && commanderOf(o.game, s) == o.Captain
}

// Level is how much his sensors show of a ship now.
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

// Name is what he calls a ship that he detects now: by its id if he knows who it is, else by
// its number, blank if it is not detected.
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

// Alias is what he calls a ship that he has or had on his list: his own by their ids, those of his
// side too where ships know their own, and others as he knows them. Blank is one that he does not detect.
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

// whole tells whether he may be told all that others are of a ship.
func (o *Observer) whole(id engine.ShipID) bool {
	s, ok := o.game.Ship(id)
	if !ok || commanderOf(o.game, s) == o.Captain {
		return !strings.HasPrefix(string(id), echoMark)
	}
	level := finds(o.rules, o.game, o.own, s)
	return level >= blind.Full || level >= blind.Presence && friendly(o.game, o.own, s)
}

// entryMeant is the entry of a captain's list that a name in his orders means: a number, or
// a ship that he has known by that name. Lost entries count as long as they are kept.
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

// Means is the ship that a captain means by a name of his own in a game in the dark, and
// where he has it or had it last. Held is whether it is on his list as something that he
// detects. Without ok he knows nothing by that name.
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

// callsBefore is what a captain calls a ship that he has, or had last.
func (o *Observer) callsBefore(id engine.ShipID) engine.ShipID {
	return cmp.Or(o.Name(id), knownAs(o.game, o.Captain, id))
}

// knownAs is what a captain calls a ship that he has or had on his list: the last number under
// which he had it, or its name.
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

// Retell is a body with all ships in it called as the captain calls them.
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

// wouldShow is how much a captain's ships would show of a plain ship in a hex.
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

// namesFor gives what a captain calls ships that he detects now, blank for others, or, with a
// moment, what he called them then.
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

// observed is what of a ship a viewer may use in orders: its name, if he knows that.
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

// captainOf is whose list of contacts a viewer has.
func captainOf(g *engine.Game, who engine.Viewer) engine.CaptainName {
	for _, id := range who.Ships {
		if s, ok := g.Ship(id); ok {
			return s.Captain
		}
	}
	return ""
}
