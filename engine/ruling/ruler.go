package ruling

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/orders"
)

// lists is an [engine.TurnExtension] of games in which captains have lists of what they have found.
type lists interface {
	// Rule carries out a ruling on what the captain of a ship has found.
	Rule(b *Ruler, s *engine.Ship, verb string, args []string)
	// Ruled is called after a ruling that changed where a ship is, or whether she is in the fight. Before says that
	// it applies from the beginning of the turn.
	Ruled(s *engine.Ship, before bool, ruled engine.Ref)
}

// Ruler checks and carries out one ruling.
type Ruler struct {
	Ruling Ruling

	t  *engine.Turn
	no int
}

// Refuse stops the turn because of a ruling that is not possible, with a hint and what is wrong.
func (b *Ruler) Refuse(hint, format string, args ...any) {
	b.t.Stop(&Error{No: b.no, What: b.Ruling.What, Problem: fmt.Sprintf(format, args...), Hints: hint})
}

func (b *Ruler) carryOut(verb string, args []string) {
	if verb == "orders" {
		b.record(args[0])
		return
	}
	s, near, ok := engine.FindShip(b.t.Game.Ships, args[0])
	if !ok {
		hint := ""
		if near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		b.Refuse(hint, "the game has no ship %q", args[0])
	}
	switch verb {
	case "set":
		b.set(s, strings.ToLower(args[1]), args[2])
	case "move":
		b.move(s, args[1], args[2])
	case "repair":
		b.repair(s, args[1])
	case "damage":
		b.damage(s, args[1], args[2:])
	case "kill":
		b.kill(s)
	case "revive":
		b.revive(s)
	case "contact", "forget", "echo":
		found, ok := b.t.Extension().(lists)
		if !ok {
			b.Refuse("it is only for games in the dark", "in this game everyone sees the map, and no captain has a list of contacts")
		}
		found.Rule(b, s, verb, args[1:])
	}
}

// record tells the captain of a ship, or all ships of a captain, that their orders were replaced.
func (b *Ruler) record(name string) {
	var whose []engine.Seat
	captain, isCaptain := strings.CutPrefix(name, "@")
	of, post, found := engine.FindSeat(b.t.Game.Ships, name)
	for _, s := range b.t.Game.Ships {
		if isCaptain && s.Captain.Fits(captain) || !isCaptain && found && s == of {
			whose = append(whose, engine.Seat{Ship: s.ID, Post: post})
		}
	}
	if len(whose) == 0 {
		b.Refuse("", "the game has no orders of %q", name)
	}
	b.Record(engine.SeeSeats(whose...))
}

// Record emits a ruling that does not itself change a ship.
func (b *Ruler) Record(see engine.See) engine.Ref { return b.t.Emit(b.Ruling.ruled(), see, "referee") }

// change emits the change of one field.
func (b *Ruler) change(s *engine.Ship, field, from, to string, forced, open bool) {
	body := b.Ruling.ruled()
	body.Ship, body.Field, body.From, body.To, body.Force = s.ID, field, from, to, forced
	see := b.own(s)
	switch {
	case open:
		see = b.seeing(s, body)
	case len(b.t.Rules.Posts()) > 0:
		see = engine.SeeSeats(engine.Seat{Ship: s.ID, Post: engine.AllPosts}) // it is unknown which posts have panels that show it
	}
	ruled := b.t.Emit(body, see, "referee")
	if found, ok := b.t.Extension().(lists); ok && (field == fieldPlace || field == fieldStatus) {
		found.Ruled(s, b.Ruling.Before, ruled)
	}
}

// own shows an event to the captain of a ship; for a small craft, to the captain of her parent.
func (b *Ruler) own(s *engine.Ship) engine.See {
	if parent, ok := b.t.Game.Ship(s.Parent); ok {
		s = parent
	}
	return engine.SeeOnly(b.t.Game.Viewer(s).Ships...)
}

// seeing returns who sees a visible change of a ship: viewers who see the ship both before and after it. All others
// learn only what they see, not where the ship came from or went.
func (b *Ruler) seeing(s *engine.Ship, body *Ruled) engine.See {
	if b.t.Rules.Witness == nil {
		return engine.SeeAll()
	}
	after := b.t.Game.Clone()
	if err := body.Apply(after); err != nil {
		b.t.Stop(fmt.Errorf("%w: %w", engine.ErrInvariant, err))
	}
	then, _ := after.Ship(s.ID)
	was, is := b.t.Rules.Witness(b.t.Game, s), b.t.Rules.Witness(after, then)
	own := b.own(s).Whole
	var ids []engine.ShipID
	all := true
	for _, o := range b.t.Game.Ships {
		if slices.Contains(own, engine.Seat{Ship: o.ID}) || was.To([]engine.ShipID{o.ID}) && is.To([]engine.ShipID{o.ID}) {
			ids = append(ids, o.ID)
		} else {
			all = false
		}
	}
	if all {
		return engine.SeeAll()
	}
	return engine.SeeAmong(ids...)
}

func (b *Ruler) set(s *engine.Ship, field, value string) {
	switch field {
	case fieldHex:
		b.move(s, value, s.Heading.String())
		return
	case fieldHeading:
		b.move(s, s.Hex.Label(), value)
		return
	}
	d := b.field(s, field, func(d Field) string { return d.Name }, fieldHex, fieldHeading)
	if d.Choices != nil {
		for _, c := range d.Choices {
			if strings.EqualFold(c, value) {
				b.put(s, d, c, false)
				return
			}
		}
		b.Refuse("one of: "+strings.Join(d.Choices, ", "), "%s of %s cannot be %q", d.Name, s.Name, value)
	}
	if d.Ship {
		b.put(s, d, string(b.ship(s, d, value)), false)
		return
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		b.Refuse(fmt.Sprintf("a number from %d to %d", d.Low, d.High), "%s of %s cannot be %q", d.Name, s.Name, value)
	}
	b.number(s, d, n)
}

// ship finds the ship that a field is to name, and returns its id. It cannot be a small craft or the ship that has
// the field.
func (b *Ruler) ship(s *engine.Ship, d Field, name string) engine.ShipID {
	may := slices.DeleteFunc(engine.Captained(b.t.Game.Ships), func(o *engine.Ship) bool { return o == s || !o.OnMap() })
	o, _, ok := engine.FindShip(may, name)
	if !ok {
		names := make([]string, len(may))
		for i, o := range may {
			names[i] = o.Name
		}
		b.Refuse(orders.DidYouMean("%q", name, names, "one of: "+strings.Join(names, ", ")), "%s of %s cannot be %q", d.Name, s.Name, name)
	}
	return o.ID
}

// number sets a field to a number.
func (b *Ruler) number(s *engine.Ship, d Field, n int) {
	forced := n < d.Low || n > d.High
	switch {
	case forced && (n < d.Floor || n > d.Ceiling):
		b.Refuse(fmt.Sprintf("from %d to %d; with --force from %d to %d", d.Low, d.High, d.Floor, d.Ceiling), "%s of %s cannot be %d at all", d.Name, s.Name, n)
	case forced && !b.Ruling.Force:
		hint := fmt.Sprintf("from %d to %d; --force goes beyond, and is noted", d.Low, d.High)
		if d.Vital && n < d.Low {
			hint = fmt.Sprintf("ruling kill %s takes it out of the fight", s.Name)
		}
		b.Refuse(hint, "%s of %s can be %d to %d, not %d", d.Name, s.Name, d.Low, d.High, n)
	}
	b.put(s, d, strconv.Itoa(n), forced)
}

func (b *Ruler) put(s *engine.Ship, d Field, value string, forced bool) {
	if value == d.Now {
		b.Refuse("", "%s of %s is already %s", d.Name, s.Name, d.Now)
	}
	b.change(s, d.Name, d.Now, value, forced, d.Open)
}

// fieldsOf returns the fields of a ship's system.
func fieldsOf(s *engine.Ship) []Field {
	if d, ok := s.System.(Editable); ok {
		return d.Fields()
	}
	return nil
}

// field finds an editable field by its name in a command; more are names that may also be suggested.
func (b *Ruler) field(s *engine.Ship, name string, called func(Field) string, more ...string) Field {
	names := more
	all := fieldsOf(s)
	for _, d := range all {
		if strings.EqualFold(called(d), name) {
			return d
		}
		if called(d) != "" {
			names = append(names, called(d))
		}
	}
	hint := orders.DidYouMean("%q", name, names, "one of: "+strings.Join(names, ", "))
	if len(all) == 0 {
		hint = "ships in this rule set have no systems that can be set"
	}
	b.Refuse(hint, "%s has no %q", s.Name, name)
	return Field{}
}

// asSystem returns what repair calls a field; "" if it cannot be repaired.
func asSystem(d Field) string {
	switch {
	case d.Whole == "":
		return ""
	case d.System != "":
		return d.System
	}
	return d.Name
}

func (b *Ruler) move(s *engine.Ship, at, heading string) {
	h, err := hex.ParseLabel(at)
	if err != nil {
		b.Refuse("column and row, such as 0405", "%q is not a hex", at)
	}
	d, err := hex.ParseHeading(heading)
	if err != nil {
		b.Refuse("A to F", "%q is not a heading", heading)
	}
	forced := false
	if bounds := b.t.Game.Bounds; bounds != nil && !bounds.Contains(h) {
		if forced = true; !b.Ruling.Force {
			b.Refuse("choose a hex on the map; --force goes beyond, and is noted", "hex %s is off the map", h.Label())
		}
	}
	to := engine.Place{Hex: h, Heading: d}
	if to == placeOf(s) {
		b.Refuse("", "%s is already at %s", s.Name, placeWords(to))
	}
	b.change(s, fieldPlace, placeWords(placeOf(s)), placeWords(to), forced, true)
}

func (b *Ruler) repair(s *engine.Ship, system string) {
	if strings.EqualFold(system, "all") {
		n := 0
		for _, d := range fieldsOf(s) {
			if d.Whole != "" && d.Whole != d.Now {
				b.change(s, d.Name, d.Now, d.Whole, false, d.Open)
				n++
			}
		}
		if n == 0 {
			b.Refuse("", "nothing on %s is damaged", s.Name)
		}
		return
	}
	d := b.field(s, system, asSystem)
	if d.Now == d.Whole {
		b.Refuse("", "%s of %s is not damaged", system, s.Name)
	}
	b.change(s, d.Name, d.Now, d.Whole, false, d.Open)
}

func (b *Ruler) damage(s *engine.Ship, system string, points []string) {
	d := b.field(s, system, asSystem)
	if d.Lost != "" {
		if len(points) > 0 {
			b.Refuse("leave the number out", "%s either works or does not: it has no points", system)
		}
		if d.Now == d.Lost {
			b.Refuse("", "%s of %s is already %s", system, s.Name, d.Lost)
		}
		b.change(s, d.Name, d.Now, d.Lost, false, d.Open)
		return
	}
	if len(points) == 0 {
		b.Refuse(fmt.Sprintf("for example: damage %s %s 3", s.Name, system), "it does not say how many points of %s", system)
	}
	n, err := strconv.Atoi(points[0])
	if err != nil || n < 1 {
		b.Refuse("a number from 1", "%q is not a number of points", points[0])
	}
	now, err := strconv.Atoi(d.Now)
	if err != nil {
		b.t.Stop(fmt.Errorf("%w: %s of %s is not a number: %w", engine.ErrInvariant, d.Name, s.ID, err))
	}
	b.number(s, d, now-n)
}

func (b *Ruler) kill(s *engine.Ship) {
	if s.Status == engine.Destroyed {
		b.Refuse("", "%s is already destroyed", s.Name)
	}
	body := b.Ruling.ruled()
	body.Ship = s.ID
	ruled := b.t.Emit(body, b.t.Witness(s), "referee")
	b.t.Because(ruled).Out(s, engine.Destroyed, "by a ruling", nil, "referee")
}

// revive puts a ship back into the fight, and takes back the points for it.
func (b *Ruler) revive(s *engine.Ship) {
	switch {
	case s.Status == engine.Active:
		b.Refuse("", "%s is in the fight", s.Name)
	case s.Status == engine.Waiting:
		b.Refuse("", "%s enters the map in turn %d", s.Name, s.Arrives)
	case b.t.Game.Bounds != nil && !b.t.Game.Bounds.Contains(s.Hex) && !b.Ruling.Force:
		b.Refuse(fmt.Sprintf("put it on the map first: ruling move %s HEX HEADING", s.Name), "%s is off the map, at %s", s.Name, s.Hex.Label())
	}
	points, own := s.Value, b.t.Game.Victory.WantsExit(s, s.Exit)
	if s.Status == engine.Left && !own {
		points /= 2
	}
	b.change(s, fieldStatus, string(s.Status), string(engine.Active), false, true)
	for _, d := range fieldsOf(s) {
		now, err := strconv.Atoi(d.Now)
		if d.Vital && err == nil && now < d.Low {
			b.change(s, d.Name, d.Now, strconv.Itoa(d.Low), false, false)
		}
	}
	if points == 0 {
		return
	}
	see := b.t.ToldPoints(s, b.t.Witness(s))
	for _, sd := range b.t.Game.Sides {
		if (sd.ID == s.Side) == own {
			b.t.Because(On(b.t, s.ID, false)...).Score(sd.ID, -points, s.Name+" is back in the fight", see, "referee")
		}
	}
}
