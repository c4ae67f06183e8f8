package dark

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/engine/hex"
)

// DarkRules is what a rule set says for games in the dark; each function is about ships on
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

// commanded are the ships of a captain.
func commandedBy(g *engine.Game, captain engine.CaptainName) (own []*engine.Ship) {
	for _, s := range g.Ships {
		if s.Captain == captain {
			own = append(own, s)
		}
	}
	return own
}

// eyes are the ships of a captain, and the small craft by which he sees.
func eyesOf(g *engine.Game, captain engine.CaptainName) (own []*engine.Ship) {
	for _, s := range g.Ships {
		if s.Captain == captain || s.Scouts() && s.Status == engine.Active && commanderOf(g, s) == captain {
			own = append(own, s)
		}
	}
	return own
}

// commander is who commands a ship, or had a small craft launched.
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

// suite is what a ship looks out with now.
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

// fix is a ship as a captain's sensors have it now; ok is false if they do not.
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

// rough is what shows of a ship at level 2.
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

// DarkTurn is a turn with what its looks have found, or in a game in the open a turn alone.
type Turn struct {
	*engine.Turn

	captains  []engine.Captain
	observers []Observer               // by captain, as they are at any moment
	own       [][]*engine.Ship         // by captain
	eyes      [][]*engine.Ship         // by captain: those, and the small craft by which he sees
	ships     int                      // that the game had when eyes were looked up
	watches   []blind.Watch            // by captain, of the phase that is played
	near      map[[2]engine.ShipID]int // by ship and what it detects: how near that came in the turn, as looks ended
	waiting   []telling                // until TellWaiting
	found     []blind.Fix              // by the last look
	coded     []codedTalk              // what was said in code in the turn
	sighted   []engine.ShipID          // ships that enemies found in the turn, as more than a field
	written   int                      // how many of those are written down
	echoed    bool                     // the echoes of the turn are thrown
	passages  []blind.Passage          // what will be passed on as the next round begins
	charts    []*chart                 // by captain; nil where the chart is known
}

// In is a turn as the rules of the dark have it.
func In(t *engine.Turn) *Turn {
	if dark, ok := t.Extension().(*Turn); ok {
		return dark
	}
	return &Turn{Turn: t}
}

// open tells of a turn of a game in the open.
func (t *Turn) open() bool { return t.Game.Blind == nil }

// begin has captains look at a turn.
func begin(turn *engine.Turn) *Turn {
	g := turn.Game
	t := &Turn{Turn: turn, captains: commanders(g)}
	for i, c := range t.captains {
		own := shipsOf(g, c.Ships)
		t.own = append(t.own, own)
		t.observers = append(t.observers, Observer{Captain: c.Name, rules: t.Rules, game: g, own: own, turn: t, place: i})
	}
	t.eyes = slices.Clone(t.own)
	t.watches, t.near = make([]blind.Watch, len(t.captains)), map[[2]engine.ShipID]int{}
	t.charts = make([]*chart, len(t.captains))
	if g.Blind.Uncharted() {
		for i, c := range t.captains {
			t.charts[i] = chartOf(g.Blind.Log(c.Name))
		}
	}
	t.launched()
	return t
}

// launched looks up by what each captain sees, after small craft were launched.
func (t *Turn) launched() {
	if t.ships == len(t.Game.Ships) {
		return
	}
	t.ships = len(t.Game.Ships)
	for i := range t.captains {
		t.eyes[i] = eyesOf(t.Game, t.captains[i].Name)
		t.observers[i].own = t.eyes[i]
	}
}

// Look is a look of all captains in the middle of a phase at a ship that has moved, and of
// its own at all others. It does nothing in a game in the open.
func (t *Turn) Look(mover *engine.Ship) {
	if t.open() {
		return
	}
	one := []*engine.Ship{mover}
	for i := range t.captains {
		c := &t.captains[i]
		if c.Name == commanderOf(t.Game, mover) {
			t.survey(i, mover)
		}
		if c.Name == mover.Captain || mover.Scouts() && c.Name == commanderOf(t.Game, mover) {
			t.look(i, t.Game.Ships)
		} else {
			t.look(i, one)
		}
	}
}

// look is a look of a captain, by his place among them, at some ships.
func (t *Turn) look(captain int, at []*engine.Ship) {
	name := t.captains[captain].Name
	found := t.found[:0]
	for _, s := range at {
		if commanderOf(t.Game, s) == name {
			continue
		}
		if f, ok := fixOf(t.Rules, t.Game, t.eyes[captain], s); ok {
			found = append(found, f)
			if f.Level >= blind.Presence {
				t.sight(captain, s)
			}
		}
	}
	t.watches[captain].Look(found)
	t.found = found
}

// LookRound ends the looks of a phase: each captain is told once where each of his contacts
// is. Moves tells that ships have moved in it: what no look had is lost then, and the warp
// fields of ships that did not move are gone. It does nothing in a game in the open.
func (t *Turn) LookRound(moves bool) {
	if t.open() {
		return
	}
	if moves {
		t.Record(&Wake{Ships: slices.Clone(t.Game.Blind.Moved)}, engine.See{}, []string{"house 9.75"})
	}
	t.measure()
	now := blind.When{Turn: t.Number(), Phase: t.Phase.No}
	rough := roughly(t.Rules, t.Game)
	rule := []string{"house 9.71", "D52"}
	throws := moves && !t.echoed
	t.echoed = t.echoed || moves
	for i := range t.captains {
		c := &t.captains[i]
		t.look(i, t.Game.Ships)
		log := t.Game.Blind.Log(c.Name)
		echoes := t.echoes(i, log)
		if throws {
			echoes = append(echoes, t.throwEchoes(i)...)
		}
		t.watches[i].Look(echoes)
		t.watches[i].Measure(rough)
		t.watches[i].Give(log, t.inOrder(i))
		for _, ch := range t.watches[i].Changes(log, now, moves) {
			if !moves && !ch.New && !ch.More && !ch.Less {
				continue
			}
			see := engine.SeeAmong(c.Ships...)
			if s, ok := t.Game.Ship(ch.Contact.Ship); ch.Quiet || ch.Faded && ok && s.Small() { // drones come and go
				see = engine.See{}
			}
			b := contactOf(c.Ships[0], ch)
			b.Again = b.New && ch.Contact.Named && log.Remembered(ch.Contact.Ship) != nil
			t.Record(b, see, rule)
		}
		t.watches[i].Clear()
		t.survey(i, t.eyes[i]...)
		t.tellChart(i)
	}
	t.tellFound()
}

// inOrder sorts what a captain, by his place among them, finds as it is numbered.
func (t *Turn) inOrder(captain int) func([]blind.Fix) {
	return numbering(t.Game, t.eyes[captain], t.Dice(), t.Number())
}

// numbering sorts what ships find as it is numbered: by the places that are told, as far as they are now from those
// ships, and what cannot be told apart by dice of its own, so that the order tells neither who it is nor who moved first.
func numbering(g *engine.Game, eyes []*engine.Ship, source dice.Source, turn int) func([]blind.Fix) {
	away := func(at hex.Hex) int {
		best := math.MaxInt
		for _, s := range eyes {
			if s.OnMap() {
				best = min(best, hex.Distance(s.Hex, at))
			}
		}
		return best
	}
	key := func(id engine.ShipID) string {
		name := engine.NameRoll("t"+strconv.Itoa(turn)+".contact", id).String()
		if source == nil { // a set-up without the game's secret, which is only looked at
			return dice.Words(g.ID, turn, string(id), name)
		}
		return fmt.Sprintf("%03d.%03d.%03d", source.Roll(name+".1", dice.D100), source.Roll(name+".2", dice.D100), source.Roll(name+".3", dice.D100))
	}
	return func(found []blind.Fix) { blind.InOrder(found, away, key) }
}

// newNumber is the number under which a captain will have what he has found in the phase; blank while ships still
// move in it, for all that is new is numbered together, and where it is shot at at the latest.
func (t *Turn) newNumber(captain int, id engine.ShipID) engine.ShipID {
	log, w := t.Game.Blind.Log(t.captains[captain].Name), &t.watches[captain]
	if t.Phase.Step == stepFire {
		w.Give(log, t.inOrder(captain))
	}
	return w.Number(log, id)
}

// stepFire is the step of phases in which ships fire, when those of the phase or impulse have moved.
const stepFire = "fire"

// enter writes an entry into a log, and the side of a ship that is known.
func enter(g *engine.Game, log *blind.Log, c blind.Contact) {
	log.Set(c)
	if !c.Named {
		return
	}
	if s, ok := g.Ship(c.Ship); ok && !slices.Contains(log.Met, s.Side) {
		log.Met = append(log.Met, s.Side)
		slices.Sort(log.Met)
	}
}

// SensorContact is what a captain's sensors have of something that is not his, once a
// phase, or that they have lost it. Truth is for the game alone.
type SensorContact struct {
	Ship    engine.ShipID   `json:"ship" see:"all"` // one of his
	No      blind.ContactNo `json:"no" see:"all"`
	Who     engine.ShipID   `json:"who,omitempty" see:"all"` // the id, once it is known
	Level   string          `json:"level,omitempty" see:"all"`
	At      hex.Hex         `json:"at" see:"all"`
	Size    string          `json:"size,omitempty" see:"all"`
	Speed   *int            `json:"speed,omitempty" see:"all"` // in steps
	Heading *hex.Heading    `json:"heading,omitempty" see:"all"`
	New     bool            `json:"new,omitempty" see:"all"`
	Again   bool            `json:"again,omitempty" see:"all"` // it was known by name before, and lost
	More    bool            `json:"more,omitempty" see:"all"`  // it shows more than it did
	Lost    bool            `json:"lost,omitempty" see:"all"`
	Told    engine.ShipID   `json:"told,omitempty" see:"all"`  // a ship of the own side whose captain told of it
	As      string          `json:"as,omitempty" see:"all"`    // ... and what he calls it
	Gone    bool            `json:"gone,omitempty" see:"all"`  // a referee took it off the list
	Since   *engine.Moment  `json:"since,omitempty" see:"all"` // when it was had last, if it is lost
	Truth   *blind.Contact  `json:"truth,omitempty"`
}

func contactOf(ship engine.ShipID, ch blind.Change) *SensorContact {
	c := ch.Contact
	both := &struct { // there are many of them
		SensorContact
		truth blind.Contact
	}{SensorContact{Ship: ship, No: c.No, At: c.Hex, New: ch.New, More: ch.More && !ch.New, Lost: ch.Faded}, c}
	b := &both.SensorContact
	b.Truth = &both.truth
	if c.Named {
		b.Who = c.Ship
	}
	if ch.Faded {
		b.Since = &engine.Moment{Turn: c.Since.Turn, Phase: c.Since.Phase}
		return b
	}
	b.Level = c.Level.String()
	if c.Level >= blind.Rough {
		b.Size, b.Speed, b.Heading = c.Size, &b.Truth.Speed, &b.Truth.Heading
	}
	return b
}

// Type implements Body.
func (*SensorContact) Type() string { return "contact" }

// Listed implements [Listed].
func (*SensorContact) Listed() {}

// Apply implements Body.
func (b *SensorContact) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	switch {
	case !ok:
		return engine.UnknownShip(b.Ship)
	case g.Blind == nil || b.Truth == nil:
		return errNoContact
	}
	log := g.Blind.Log(s.Captain)
	if log == nil {
		return errNoContact
	}
	if b.Gone {
		forget(g, log, b.No)
		return nil
	}
	enter(g, log, *b.Truth)
	return nil
}

// Wake is which ships have a warp field about them from now on, since they changed hex in
// the movement phase that is over (house 9.75).
type Wake struct {
	Ships []engine.ShipID `json:"ships"`
}

// Type implements Body.
func (*Wake) Type() string { return "wake" }

// Apply implements Body.
func (b *Wake) Apply(g *engine.Game) error {
	if g.Blind == nil {
		return errNoContact
	}
	g.Blind.Fields, g.Blind.Moved = slices.Clone(b.Ships), nil
	return nil
}

// telling is what a captain, by his place among them, is told of an event in other words.
type telling struct {
	captain int
	body    engine.Body
	rule    []string
	cause   engine.Ref
	retold  bool // it has come about already as it was
}

// inTheDark is who sees of those whom a rule set would have see an event: only captains to
// whom all ships in it are known. Told is what it is to the others, by captain.
func (t *Turn) inTheDark(body engine.Body, see engine.See) (known engine.See, told []telling) {
	if _, over := body.(*engine.Won); over {
		return see, nil
	}
	if talk, ok := body.(*engine.Talk); ok { // a side knows its own
		return t.amongSide(talk.Ship, see), nil
	}
	ships := t.mentioned(body)
	if len(ships) == 0 {
		return see, nil
	}
	known = engine.See{Also: see.Also}
	posts := slices.ContainsFunc(see.Whole, func(seat engine.Seat) bool { return seat.Post != "" })
	for i := range t.captains {
		c := &t.captains[i]
		fully, partly := see.Fully(c.Ships), see.IsAmong(c.Ships)
		var seats []engine.Seat
		if posts {
			seats = seatsOn(&see, c.Ships)
		}
		if !fully && !partly && len(seats) == 0 {
			continue
		}
		o := &t.observers[i]
		if slices.ContainsFunc(ships, func(id engine.ShipID) bool { return !o.whole(id) }) {
			b, rule := Of(t.Rules).Dark.Tell(body, o)
			if out, isOut := body.(*engine.Out); isOut && o.Name(out.Ship) != "" {
				b = &outSeen{Ship: o.Name(out.Ship), Why: out.Why}
			}
			if b != nil {
				told = append(told, telling{captain: i, body: b, rule: rule, retold: b.Type() == body.Type()})
			}
			continue
		}
		known.Whole = append(known.Whole, seats...)
		switch {
		case fully:
			if known.Whole == nil {
				known.Whole = make([]engine.Seat, 0, len(t.captains))
			}
			known.Whole = append(known.Whole, engine.CaptainSeats(c.Ships...)...)
		case partly:
			if known.Among == nil {
				known.Among = make([]engine.ShipID, 0, len(t.captains))
			}
			known.Among, known.Rest = append(known.Among, c.Ships...), true
		}
	}
	if !known.Rest {
		known.Also = nil
	}
	slices.SortFunc(known.Whole, engine.CompareSeats)
	slices.Sort(known.Among)
	return known, told
}

// amongSide is who sees what a ship's captain says, of those whom it reaches: his own side.
func (t *Turn) amongSide(id engine.ShipID, see engine.See) engine.See {
	from, _ := t.Game.Ship(id)
	var own engine.See
	for _, s := range t.Game.Ships {
		if s.Side != from.Side || s.Small() {
			continue
		}
		if see.Fully([]engine.ShipID{s.ID}) {
			own.Whole = append(own.Whole, engine.Seat{Ship: s.ID})
		}
		own.Whole = append(own.Whole, seatsOn(&see, []engine.ShipID{s.ID})...)
	}
	return own
}

// seatsOn are the seats on some ships that alone see an event.
func seatsOn(s *engine.See, ships []engine.ShipID) (seats []engine.Seat) {
	for _, seat := range s.Whole {
		if seat.Post != "" && slices.Contains(ships, seat.Ship) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// mentioned are the ships and echoes that an event is about, by the ids in it; see [ShipRefs].
func (t *Turn) mentioned(body engine.Body) (out []engine.ShipID) {
	for _, id := range engine.ShipRefs(reflect.ValueOf(body), nil) {
		if slices.Contains(out, id) {
			continue
		}
		if _, ok := t.Game.Ship(id); ok || isEcho(t.Game, id) {
			out = append(out, id)
		}
	}
	return out
}

// entry is the entry of a captain's list that a name in his orders means: a number, or
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
