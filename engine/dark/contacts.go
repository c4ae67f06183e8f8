package dark

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/engine/hex"
)

// enter writes an entry into a log, and notes the side of a ship that is identified.
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

// SensorContact is what a captain's sensors show of another captain's ship or craft, once a phase, or that they
// have lost it. Truth is for the game only.
type SensorContact struct {
	Ship    engine.ShipID   `json:"ship" see:"all"` // one of the captain's
	No      blind.ContactNo `json:"no" see:"all"`
	Who     engine.ShipID   `json:"who,omitempty" see:"all"` // the id, once it is known
	Level   string          `json:"level,omitempty" see:"all"`
	At      hex.Hex         `json:"at" see:"all"`
	Size    string          `json:"size,omitempty" see:"all"`
	Speed   *int            `json:"speed,omitempty" see:"all"` // in steps
	Heading *hex.Heading    `json:"heading,omitempty" see:"all"`
	New     bool            `json:"new,omitempty" see:"all"`
	Again   bool            `json:"again,omitempty" see:"all"` // it was known by name before, and lost
	More    bool            `json:"more,omitempty" see:"all"`  // it shows more than before
	Lost    bool            `json:"lost,omitempty" see:"all"`
	Told    engine.ShipID   `json:"told,omitempty" see:"all"`  // the ship of the own side that reported it
	As      string          `json:"as,omitempty" see:"all"`    // ... and her captain's name for it
	Gone    bool            `json:"gone,omitempty" see:"all"`  // a referee took it off the list
	Since   *engine.Moment  `json:"since,omitempty" see:"all"` // when it was last detected, if it is lost
	Truth   *blind.Contact  `json:"truth,omitempty"`
}

func contactOf(ship engine.ShipID, ch blind.Change) *SensorContact {
	c := ch.Contact
	both := &struct { // one allocation for both, because there are many
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

// Wake lists the ships that have a warp field from now on because they changed hex in the movement phase just ended
// (house 9.75).
type Wake struct {
	Ships []engine.ShipID `json:"ships"`
}

// Apply implements Body.
func (b *Wake) Apply(g *engine.Game) error {
	if g.Blind == nil {
		return errNoContact
	}
	g.Blind.Fields, g.Blind.Moved = slices.Clone(b.Ships), nil
	return nil
}

// Echoes are false contacts that sensors show by themselves if a scenario says so. They appear at a distance at
// which only a presence shows, stay there for a turn, and vanish when a ship in their place would show more.
const (
	echoNearest  = 10 // hexes, less than
	echoBearings = 100
	echoMark     = "~" // begins the id of an echo in a list; no ship id does
)

// EchoDice returns the dice of echoes, for rule sets that can be played in the dark.
func EchoDice() []engine.NamedDie {
	return []engine.NamedDie{
		{Name: "echo.SHIP.N.range", Example: "t3.p1.echo.hood.1.range", Die: dice.D10, What: "in a game in the dark with echoes: how far beyond 10 hexes from a ship her captain's N-th echo of the turn appears"},
		{Name: "echo.SHIP.N.bearing", Example: "t3.p1.echo.hood.1.bearing", Die: dice.D100, What: "where on the ring around her it appears, in hundredths clockwise from straight up"},
	}
}

// throwEchoes returns the echoes that a captain's sensors show in the turn, around the captain's ships in turn;
// captain is an index of t.captains. An echo off the map, or where a ship would not show as a presence, is dropped.
func (t *Turn) throwEchoes(captain int) (out []blind.Fix) {
	about := slices.DeleteFunc(slices.Clone(t.own[captain]), func(s *engine.Ship) bool { return s.Status != engine.Active })
	for n := 1; n <= t.Game.Blind.Echoes && len(about) > 0; n++ {
		s := about[(n-1)%len(about)]
		name := engine.NameRoll("echo", s.ID).And(strconv.Itoa(n))
		ring := slices.Collect(hex.Ring(s.Hex, echoNearest+t.Roll(name.And("range"), dice.D10, engine.See{}, "house 9.71")))
		at := ring[(t.Roll(name.And("bearing"), dice.D100, engine.See{}, "house 9.71")-1)*len(ring)/echoBearings]
		if b := t.Game.Bounds; b != nil && !b.Contains(at) {
			continue
		}
		if level := wouldShow(t.Rules, t.Game, t.eyes[captain], at); level == blind.Presence {
			out = append(out, blind.Fix{Ship: engine.ShipID(fmt.Sprintf("%s%d-%s-%d", echoMark, t.Number(), s.ID, n)), Level: level, Hex: at, Echo: t.Number()})
		}
	}
	return out
}

// echo returns the entry of an echo's id in a captain's list; nil for other ids.
func (o *Observer) echo(id engine.ShipID) *blind.Contact {
	if log := o.game.Blind.Log(o.Captain); log != nil && strings.HasPrefix(string(id), echoMark) {
		return log.Held(id)
	}
	return nil
}

// isEcho reports whether an id is that of an echo in some captain's list.
func isEcho(g *engine.Game, id engine.ShipID) bool {
	return strings.HasPrefix(string(id), echoMark) && slices.ContainsFunc(g.Blind.Logs, func(l blind.Log) bool {
		return slices.ContainsFunc(l.Contacts, func(c blind.Contact) bool { return c.Ship == id && c.Echo > 0 })
	})
}

// Echoes returns stand-ins for the ships that a ship's captain believes to be where there are echoes, for orders
// aimed at them. No event may involve them.
func Echoes(r *engine.Rules, g *engine.Game, s *engine.Ship) (out []*engine.Ship) {
	if g.Blind == nil {
		return nil
	}
	log := g.Blind.Log(s.Captain)
	if log == nil {
		return nil
	}
	for i := range log.Contacts {
		if stands(r, g, s, &log.Contacts[i]) {
			out = append(out, standIn(s, &log.Contacts[i]))
		}
	}
	return out
}

// stands reports whether an entry on the list of a ship's captain is an echo in a place where only a presence would
// show.
func stands(r *engine.Rules, g *engine.Game, s *engine.Ship, c *blind.Contact) bool {
	if c.Lost || c.Echo == 0 {
		return false
	}
	level := wouldShow(r, g, eyesOf(g, s.Captain), c.Hex)
	return level == blind.Presence
}

// standIn copies a ship of the captain who has an echo, so that the stand-in has all that dice and charts need.
func standIn(s *engine.Ship, c *blind.Contact) *engine.Ship {
	o := *s
	o.ID, o.Name, o.Captain, o.Side, o.Kind, o.Crew, o.Hex = c.Ship, string(c.Name()), "", "", engine.KindShip, nil, c.Hex
	o.Heading, o.Status = hex.A, engine.Active
	return &o
}

// Echo returns the stand-in for an echo with this id, or with this number on the list of a ship's captain; nil for
// others.
func Echo(r *engine.Rules, g *engine.Game, s *engine.Ship, name string) *engine.Ship {
	if c := echoMeant(g, s, name); c != nil && stands(r, g, s, c) {
		return standIn(s, c)
	}
	return nil
}

// LastEcho is [Echo] including echoes that no longer show: the stand-in is where the echo was last.
func LastEcho(g *engine.Game, s *engine.Ship, name string) *engine.Ship {
	if c := echoMeant(g, s, name); c != nil && c.Kept(g.Turn, *g.Blind.Memory) {
		return standIn(s, c)
	}
	return nil
}

// echoMeant returns the list entry of an echo by its number or id; nil for others.
func echoMeant(g *engine.Game, s *engine.Ship, name string) *blind.Contact {
	if g.Blind == nil {
		return nil
	}
	log := g.Blind.Log(s.Captain)
	if log == nil {
		return nil
	}
	c := log.Last(engine.ShipID(name))
	if no, ok := blind.ParseNumber(name); ok {
		c = log.Called(no)
	}
	if c == nil || c.Echo == 0 {
		return nil
	}
	return c
}

// IsEcho reports whether this is a stand-in for an echo, without a ship behind it.
func IsEcho(s *engine.Ship) bool { return strings.HasPrefix(string(s.ID), echoMark) }

// Sentence implements [engine.Telling]. It says where a contact is, and what it is as far as that shows. A
// viewer of everything is also told on which list.
func (b *SensorContact) Sentence(v *engine.View) string {
	who := b.who(v)
	if v.Viewer.All {
		return b.listed(v, who)
	}
	switch {
	case b.Gone:
		return who + ": the referee took it off your list"
	case b.Told != "":
		return fmt.Sprintf("%s reports %s at %s%s, %s: it is %s on your list", v.Name(b.Told), b.As, b.At.Label(), b.rough(v), momentWords(v, *b.Since), who)
	case b.Lost:
		return fmt.Sprintf("%s is lost: last at %s %s", who, b.At.Label(), momentWords(v, *b.Since))
	}
	text := who + " at " + b.At.Label()
	switch {
	case b.Again:
		text = "found again: " + text
	case b.New:
		text = "new contact " + text
	}
	return text + b.shows(v) + b.known(v)
}

// listed is Sentence for a view that has the lists of all captains.
func (b *SensorContact) listed(v *engine.View, who string) string {
	of := v.Name(b.Ship)
	switch {
	case b.Gone:
		return fmt.Sprintf("%s: the referee took %s off the list", of, who)
	case b.Told != "":
		return fmt.Sprintf("%s hears from %s of %s at %s%s, %s: it is %s on the list", of, v.Name(b.Told), b.As, b.At.Label(), b.rough(v), momentWords(v, *b.Since), who)
	case b.Lost:
		return fmt.Sprintf("%s loses %s: last at %s %s", of, who, b.At.Label(), momentWords(v, *b.Since))
	}
	sees := " sees "
	switch {
	case b.Again:
		sees = " finds again "
	case b.New:
		sees = " sees as a new contact "
	}
	text := of + sees + who + " at " + b.At.Label() + b.shows(v)
	if b.More && b.Who != "" {
		seer, _ := v.Ship(b.Ship)
		seen, ok := v.Ship(b.Who)
		if v.Unnamed || !ok || seer == nil || seen.Side != seer.Side {
			text += "; now identified by her captain"
		}
	}
	return text
}

// who returns a contact's number, and its name if it is known.
func (b *SensorContact) who(v *engine.View) string {
	if b.Who != "" {
		return v.Name(b.Who) + " (" + string(b.No.Name()) + ")"
	}
	return string(b.No.Name())
}

// shows describes how much of a contact shows.
func (b *SensorContact) shows(v *engine.View) string {
	switch {
	case b.Heading != nil:
		return b.rough(v)
	case b.Level == "field":
		return ": a warp field"
	case b.Who == "":
		return ": something unidentified"
	}
	return ""
}

// rough describes the size, heading and speed of a contact, as far as they show.
func (b *SensorContact) rough(v *engine.View) string {
	switch {
	case b.Heading == nil:
		return ""
	case slices.Contains(engine.Kinds(), engine.Kind(b.Size)):
		return fmt.Sprintf(", a %s, heading %s", b.Size, b.Heading)
	}
	return fmt.Sprintf(", %s, heading %s, speed %s", b.Size, b.Heading, SpeedWords(v, *b.Speed))
}

// known says that a contact was identified.
func (b *SensorContact) known(v *engine.View) string {
	if b.More && b.Who != "" && (v.Unnamed || !v.OfOwnSide(b.Who)) {
		return "; now identified"
	}
	return ""
}

// momentWords describes a moment.
func momentWords(v *engine.View, m engine.Moment) string {
	switch {
	case m == engine.Moment{}:
		return "at the start"
	case m.Phase == 0:
		return fmt.Sprintf("in turn %d", m.Turn)
	}
	return fmt.Sprintf("in turn %d, %s %d", m.Turn, phaseWord(v), m.Phase)
}

// inPhase describes the phase of the turn; blank for what belongs to the whole turn.
func inPhase(v *engine.View, phase int) string {
	if phase == 0 {
		return ""
	}
	return fmt.Sprintf(" in %s %d", phaseWord(v), phase)
}

// phaseWord returns the rule set's word for a phase in which ships move.
func phaseWord(v *engine.View) string { return cmp.Or(v.RuleSet().Counted, "phase") }

// SpeedWords returns a rounded speed in words.
func SpeedWords(v *engine.View, speed int) string { return paceWords(v.RuleSet(), speed) }

func paceWords(r *engine.Rules, speed int) string {
	if dark := Of(r).Dark; dark != nil && dark.Pace != nil {
		return dark.Pace(speed)
	}
	if speed == 0 {
		return "0"
	}
	return "up to " + strconv.Itoa(speed)
}

// A referee may change what a captain's sensors show: make an entry of the list show more or less, take it off, or
// add one without a ship (design: a hand on the map). Later looks count as usual.

// echoID returns the id for a contact on the list of another ship's captain that is not a ship of the game.
func echoID(ship engine.ShipID, no blind.ContactNo) engine.ShipID {
	return echoMark + no.Name() + "." + ship
}

// echoes returns the echoes on a captain's list that still show: during their turn, and only where the captain's
// sensors would show a presence and no more. Captain is an index of t.captains.
func (t *Turn) echoes(captain int, log *blind.Log) (out []blind.Fix) {
	if log == nil {
		return nil
	}
	for _, c := range log.Contacts {
		if c.Lost || c.Echo < t.Number() {
			continue
		}
		if level := wouldShow(t.Rules, t.Game, t.eyes[captain], c.Hex); level == blind.Presence {
			out = append(out, blind.Fix{Ship: c.Ship, Level: level, Hex: c.Hex, Echo: c.Echo})
		}
	}
	return out
}

// forget takes an entry off a list, and its side off the sides met if no other of that side is identified.
func forget(g *engine.Game, log *blind.Log, no blind.ContactNo) {
	log.Forget(no)
	log.Met = slices.DeleteFunc(log.Met, func(side string) bool {
		return !slices.ContainsFunc(log.Contacts, func(c blind.Contact) bool {
			s, ok := g.Ship(c.Ship)
			return ok && c.Named && s.Side == side
		})
	})
}

var errNoContact = errors.New("the game has no such list of contacts")
