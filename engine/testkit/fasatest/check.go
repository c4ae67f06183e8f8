package fasatest

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// Check checks a resolved turn, or round, against the rules:
//
//   - ships out of the battle neither move, fire, scan nor repair; a
//     crippled one has no shields, and only an explosion destroys a ship;
//   - movement uses the points of each phase, one hex or two for one point;
//   - no mount fires twice in a turn (a laser no more often than it is armed for, and
//     once in a phase), out of its arc, beyond its chart, or unarmed;
//   - a to-hit number is the chart's with the named modifiers;
//   - a hit strikes the side facing its source, a mine the side by
//     which its hex is entered;
//   - each point of damage is absorbed by a shield or does what its location says,
//     whatever its source, in blocks if it is spread;
//   - allotted power is what the engines give and the crew adds, and is cut
//     when they no longer give it;
//   - a crew halves its casualties by its dice, as it was at the start of the phase;
//   - no track falls below zero or rises above what was built;
//   - maneuvers have their printed costs;
//   - nothing repairs itself: only repairs, the crew's bonus and officers do;
//   - an officer who is not shaken acts as the rating and the dice say;
//   - a lock is held only by working sensors on a ship that can be seen;
//   - a cloaked ship neither fires nor has shields up, has the power for it, and is
//     fired at only by ships that have found her.
//
// Lib is the library that the rule set was made with.
func Check(lib *tables.Library, r *engine.Rules, before, after *engine.Game, events []engine.Event) error {
	w := &walk{
		book: bookOf(lib, r), lib: lib, rules: r, g: before.Clone(), moved: map[string]int{}, gained: map[engine.ShipID]int{},
		owed: map[string]int{}, through: map[string]int{}, asked: map[engine.ShipID]int{}, mended: map[engine.ShipID]int{}, dodges: map[engine.ShipID]dodge{}, words: map[engine.ShipID]string{}, blown: map[engine.ShipID]int{}, fired: map[string]int{}, bonus: map[engine.ShipID]bool{}, tried: map[string]bool{}, raised: map[engine.ShipID]int{}, spared: map[string]int{}, cut: map[engine.ShipID]int{}, switched: map[engine.ShipID]int{}, shown: map[string]int{},
	}
	for _, e := range events {
		if _, again := e.Body.(*engine.Retold); again || e.Type.Has(engine.InPlace) { // what another event does, as told in the dark
			continue
		}
		if err := w.begin(e); err != nil {
			return fmt.Errorf("event %d (%s): %w", e.Seq, e.Type.Name, err)
		}
		if err := w.before(e); err != nil {
			return fmt.Errorf("event %d (%s): %w", e.Seq, e.Type.Name, err)
		}
		if err := engine.Apply(w.g, e); err != nil {
			return fmt.Errorf("walk: %w", err)
		}
		if err := w.sound(); err != nil {
			return fmt.Errorf("after event %d (%s): %w", e.Seq, e.Type.Name, err)
		}
	}
	if err := w.settled(events); err != nil {
		return fmt.Errorf("at the end: %w", err)
	}
	return w.unmended(before, after)
}

// walk is the state of checking a turn.
type walk struct {
	book  book
	lib   *tables.Library
	rules *engine.Rules
	g     *engine.Game // before the current event

	cut map[engine.ShipID]int // by ship: power cut last

	phase int // the movement of the phases up to this one is complete

	moved   map[string]int        // by ship and phase: points used
	fired   map[string]int        // by mount: the phase in which it last fired
	gained  map[engine.ShipID]int // by ship: power that the crew repaired this turn
	owed    map[string]int        // by hit: points that went through and have not done damage yet
	through map[string]int        // by hit: number of the shield
	blow    *blow                 // on its way to a shield
	asked   map[engine.ShipID]int // by ship: the phase of its last question
	mended  map[engine.ShipID]int // by ship: the phase of its last repair
	dodges  map[engine.ShipID]dodge
	words   map[engine.ShipID]string // by ship: its last movement word
	blown   map[engine.ShipID]int    // by ship that exploded: its power
	bonus   map[engine.ShipID]bool
	tried   map[string]bool       // by ship and post: an officer's one action a turn
	raised  map[engine.ShipID]int // by ship: shield points from her science officer
	spared  map[string]int        // by hit: points taken off
	eased   string                // ship and phase of a heading change eased by the helm
	staffed string                // the step for which crews are counted
	crews   map[engine.ShipID]int // by ship: efficiency of her crew when that step began
	shown   map[string]int        // by name of a roll: its dice

	switched map[engine.ShipID]int // by ship: movement phases of the game completed when its cloak was last switched
}

// blow is damage on its way to a shield.
type blow struct {
	ship   engine.ShipID
	shield int
	damage int
	named  string // the roll of the shots, shared by those of a bank
}

// of returns a ship of the walk and her state.
func (w *walk) of(id engine.ShipID) (*engine.Ship, *ship.State, error) {
	s, ok := w.g.Ship(id)
	if !ok {
		return nil, nil, fmt.Errorf("there is no ship %q", id)
	}
	sys, ok := s.System.(*ship.State)
	if !ok {
		return nil, nil, fmt.Errorf("%s is not of this rule set", id)
	}
	return s, sys, nil
}

// acts is of for a ship that does something, and so must be in the battle.
func (w *walk) acts(id engine.ShipID, what string) (*engine.Ship, *ship.State, error) {
	s, sys, err := w.of(id)
	if err == nil && s.Status != engine.Active {
		err = fmt.Errorf("%s %s, but is %s", id, what, s.Status)
	}
	return s, sys, err
}

// mans is of for a ship with a crew that does something; she may be active or crippled (ruling D24).
func (w *walk) mans(id engine.ShipID, what string) (*engine.Ship, *ship.State, error) {
	if s, sys, err := w.of(id); err == nil && s.Status == engine.Crippled && w.rules.CrippledMayAct {
		return s, sys, nil
	}
	return w.acts(id, what)
}

// out checks a ship that leaves the battle: only an explosion destroys one, and a ship with no superstructure or no
// power left is crippled (ruling D24).
func (w *walk) out(b *engine.Out) error {
	s, sys, err := w.of(b.Ship)
	if err != nil {
		return err
	}
	_, blew := w.blown[b.Ship]
	hulk := sys.Superstructure <= 0 || sys.Power <= 0
	switch {
	case b.Why == engine.Crippled && w.book.surrenders:
		return fmt.Errorf("%s is crippled, and should surrender", b.Ship)
	case b.Why == engine.Destroyed && !blew:
		return fmt.Errorf("%s is destroyed and has not exploded", b.Ship)
	case b.Why == engine.Crippled && (!hulk || s.Status != engine.Active):
		return fmt.Errorf("%s, %s, is crippled with superstructure %d and power %d", b.Ship, s.Status, sys.Superstructure, sys.Power)
	case b.Why == engine.Surrendered && !w.rules.Commands(s):
		return fmt.Errorf("%s, %s, strikes, but takes no orders", b.Ship, s.Status)
	case s.Status != engine.Active && s.Status != engine.Crippled:
		return fmt.Errorf("%s, %s, is out of the fight", b.Ship, s.Status)
	}
	return nil
}

// before checks an event that has not taken effect.
func (w *walk) before(e engine.Event) error {
	switch b := e.Body.(type) {
	case *engine.Move:
		return w.move(e.Phase, b)
	case *engine.Out:
		return w.out(b)
	case *ship.PowerSet:
		return w.allocation(b)
	case *ship.Repower:
		if w.book.keeps {
			return fmt.Errorf("the shields of %s come back within the turn", b.Ship)
		}
	case *ship.Shed:
		return w.shed(b)
	case *ship.Bonus:
		return w.effort(b)
	case *ship.Skilled:
		w.eases(e, b)
		return w.tries(e.Phase, b)
	case *ship.Cut:
		return w.cuts(b)
	case *ship.Spared:
		return w.spares(b)
	case *ship.Declare:
		return w.declare(e, b)
	case *ship.Evade:
		return w.evades(e, b)
	case *ship.Fire:
		return w.fire(e, b)
	case *ship.Strain:
		return w.strain(e, b)
	case *ship.Explode:
		if _, _, err := w.mans(b.Ship, "explodes"); err != nil {
			return err
		}
		if b.Exploded {
			w.blown[b.Ship] = b.Power
		}
	case *ship.Blasted:
		return w.blasted(b)
	case *ship.MineMet:
		return w.met(b)
	case *ship.Debris:
		return w.debris(b)
	case *ship.ShieldHit:
		return w.struck(b)
	case *ship.Damage:
		return w.damage(b)
	case *ship.Mend:
		return w.repair(e, b)
	case *ship.Locking:
		return w.lock(b)
	case *ship.Cloaking:
		return w.cloaking(e, b)
	case *ship.Answered:
		return w.answer(e, b)
	}
	return nil
}

// begin checks what preceded the event: pending damage must have hit, and active ships must have used the movement of
// completed phases.
func (w *walk) begin(e engine.Event) error {
	switch b := e.Body.(type) {
	case *engine.Roll:
		w.shown[b.Name.String()] = b.Value
	case *engine.Charted, *ship.ShieldHit:
	case *ship.Fire:
		if w.blow != nil && (!w.book.bankHits || w.blow.named != b.Named) {
			return fmt.Errorf("%d points on their way to %s never strike", w.blow.damage, w.blow.ship)
		}
	default:
		if w.blow != nil {
			return fmt.Errorf("%d points on their way to shield %d of %s never strike", w.blow.damage, w.blow.shield, w.blow.ship)
		}
	}
	if w.book.surrenders && e.Step == "goals" {
		for _, s := range w.g.Ships {
			if _, sys, err := w.of(s.ID); err == nil && s.Status == engine.Active && (sys.Superstructure <= 0 || sys.Power <= 0) {
				return fmt.Errorf("%s fights on with superstructure %d and power %d", s.ID, sys.Superstructure, sys.Power)
			}
		}
	}
	if step := key(engine.ShipID(e.Step), e.Phase); w.staffed != step {
		w.staffed, w.crews = step, map[engine.ShipID]int{}
		for _, s := range w.g.Ships {
			_, sys, err := w.of(s.ID)
			if err != nil {
				return err
			}
			w.crews[s.ID] = w.efficiency(sys)
		}
	}
	over := e.Phase
	switch {
	case e.Step == "end":
		over = w.rules.Rounds()
	case !slices.Contains([]string{"fire", "goals", "repair"}, e.Step):
		over = e.Phase - 1
	}
	for ; w.phase < over; w.phase++ {
		if err := w.used(w.phase + 1); err != nil {
			return err
		}
	}
	return nil
}

// settled checks the end: all movement was used, and no damage is left over.
func (w *walk) settled(events []engine.Event) error {
	for _, e := range events {
		for ; w.phase < e.Phase; w.phase++ {
			if err := w.used(w.phase + 1); err != nil {
				return err
			}
		}
	}
	for _, what := range sortedKeys(w.owed) {
		if n := w.owed[what]; n != 0 {
			return fmt.Errorf("%s: %d points went through and did no damage", what, n)
		}
	}
	if w.blow != nil {
		return fmt.Errorf("%d points on their way to %s never strike", w.blow.damage, w.blow.ship)
	}
	return nil
}

// book has the differences between rule books that the checks need.
type book struct {
	shields    [6]int     // number by hex side, clockwise from the bow
	table      [11]string // locations of damage by die
	most       int        // movement points of a turn; 0: any number
	bankHits   bool       // all armed mounts of a bank fire together, and make one hit
	surrenders bool       // a ship with no superstructure or power left surrenders
	keeps      bool       // settings made with the power stay, except for hits
	spares     bool       // damage to nothing, or to what is lost, has no effect
}

// bookOf returns the book of a rule set.
func bookOf(lib *tables.Library, r *engine.Rules) book {
	if r.Name == "book-one" {
		return book{
			shields: [6]int{1, 2, 3, 4, 5, 6}, table: lib.Simple, most: 20,
			bankHits: true, surrenders: true, keeps: true, spares: true,
		}
	}
	return book{shields: lib.Shields, table: lib.Locations}
}
