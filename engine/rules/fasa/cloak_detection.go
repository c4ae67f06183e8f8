package fasa

import (
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// scanFor is the word before a ship in a standing order to scan.
const scanFor = "for "

func scanVerbs() []verb {
	return []verb{
		{section: "phase", compile: compileScan, Verb: orders.Verb{
			Name: "scan", Forms: []orders.Form{"scan SHIELD", "scan for SHIP"}, When: true,
			Doc:      "Use the sensors at the beginning of the phase to look for cloaked ships through the arc of one of your shields, or of the one that is turned to where a ship was last known to be. One die finds all in that arc whose number in the detection table is not below it, and gets locks on them. A lock on a ship in plain sight is given up by it; one on a cloaked ship must be kept by such a roll in each phase, which is made without an order too. In the dark it finds none farther away than the ship's sensors show size (" + cites.CloakDetection.Ref() + ", " + cites.CloakTracking.Ref() + ").",
			Examples: []string{"scan 2", "scan for Zephyr"},
		}},
		{section: "standing", compile: compileStandingScan, Verb: orders.Verb{
			Name: "scan", Forms: []orders.Form{"scan SHIELD", "scan for SHIP", "scan none"}, Once: true,
			Doc:      "Where to scan for cloaked ships in phases in which the sensors have nothing else to do: no order, no lock, and no standing target in sight.",
			Examples: []string{"scan 2", "scan for Zephyr", "scan none"},
		}},
	}
}

// scanWay is which way an order wants to scan.
func (c *compiler) scanWay(st orders.Statement) (way scanWhere, ok bool) {
	if a, has := st.Arg("SHIELD"); has {
		if a.Num < 1 || a.Num > 6 {
			c.fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
			return way, false
		}
		return scanWhere{shield: a.Num}, true
	}
	a, has := st.Arg("SHIP")
	if !has {
		return way, false
	}
	way.ship, ok = c.target(a, false)
	return way, ok
}

func compileScan(c *compiler, n int, st orders.Statement) {
	way, ok := c.scanWay(st)
	if !c.condition(st.When, ok && way.ship != "", false) || !ok {
		return
	}
	c.useSensors(n, st, sensing{target: way.ship, scan: &way})
	if c.sys.Sensors().Down {
		c.warn(st.Pos, "W143", "", "the sensors are damaged: there is no scan unless they are repaired before")
		return
	}
	c.effect(st.Pos.Line, "looks for cloaked ships: one die for all in the arc")
}

func compileStandingScan(c *compiler, _ int, st orders.Statement) {
	if st.Form == 2 {
		c.p.standing.SetWord("scan", "")
		return
	}
	way, ok := c.scanWay(st)
	switch {
	case !ok:
	case way.ship != "":
		c.p.standing.SetWord("scan", string(scanFor+way.ship))
	default:
		c.p.standing.SetWord("scan", strconv.Itoa(way.shield))
	}
}

func scanStanding(s ship.Standing) []string {
	if s.Word("scan") == "" {
		return nil
	}
	return []string{"scan " + s.Word("scan")}
}

// standingScan scans as the standing orders say, where the sensors are free.
func (l *rulebook) standingScan(t *engine.Turn, s *engine.Ship) {
	k, want := ship.Of(s).Sensors(), ship.Of(s).Standing.Word("scan")
	if want == "" || k.Down || len(k.Locks) > 0 || hasSensed(t, s) {
		return
	}
	way := scanWhere{}
	if ship, named := strings.CutPrefix(want, scanFor); named {
		way.ship = engine.ShipID(ship)
	} else if n, err := strconv.Atoi(want); err == nil {
		way.shield = n
	}
	defer t.Following(t.OrderedIn(s.ID, "standing", "scan"))()
	l.scanWay(t, s, way) // a ship that was never seen gives no way to look
}

// scanWay scans through the shield that an order means, or says why it cannot.
func (l *rulebook) scanWay(t *engine.Turn, s *engine.Ship, way scanWhere) (why string) {
	shield := way.shield
	if way.ship != "" {
		foe, _ := l.shown(t.Game, s, l.aimed(t.Game, s, way.ship))
		at, ok := l.placeMeant(t.Game, s, string(way.ship), foe)
		if !ok {
			return l.absentShip(t.Game, string(way.ship))
		}
		shield = l.sideTo(s, at.Hex)
	}
	l.scanWith(l, t, s, shield)
	return ""
}

// sideTo is the shield that a ship turns to a hex, the lower number on a line, the
// one ahead for its own hex.
func (book Book) sideTo(s *engine.Ship, h hex.Hex) int {
	a, b := book.Facing(engine.Place{Hex: s.Hex, Heading: s.Heading}, h)
	if a == 0 {
		return book.Ahead()
	}
	return min(a, b)
}

// sensed tells that a ship's sensors have tried for a lock or scanned in the phase that
// is played: they can do no more in it.
type sensed struct{}

func hasSensed(t *engine.Turn, s *engine.Ship) bool {
	_, has := noted[sensed](t, s.ID)
	return has
}

func busySensors(t *engine.Turn, s *engine.Ship) { phaseNotes[sensed](t)[s.ID] = sensed{} }

// keepTrack rolls for the locks on cloaked ships that no order of the phase has
// renewed (stcs 10.7): as a rule by a scan towards the one that the sensors are trained on.
func (l *rulebook) keepTrack(t *engine.Turn, s *engine.Ship) {
	if hasSensed(t, s) || ship.Of(s).Sensors().Down {
		return
	}
	if other, ok := t.Game.Ship(ship.Of(s).LockTarget()); ok && ship.Cloaked(other) {
		l.keepWith(l, t, s, other)
	}
}

// scan looks for cloaked ships through the arc of a shield (stcs 10.6): one die
// against the detection number of each. Who scans learns of those that are found
// and nothing of the rest, not whether there are any.
func (l *rulebook) scan(t *engine.Turn, s *engine.Ship, shield int) {
	busySensors(t, s)
	for _, lock := range slices.Clone(ship.Of(s).Sensors().Locks) {
		if o, ok := t.Game.Ship(lock.Target); ok && !ship.Cloaked(o) {
			l.release(t, s, o.ID, "the sensors look for cloaked ships", cites.LostLocks, cites.CloakDetection)
		}
	}
	roll := t.Roll(engine.NameRoll("scan", s.ID), dice.D10, engine.SeeOnly(s.ID), l.cite(cites.CloakDetection, cites.CloakByMail)...)
	b := &ship.Scan{Ship: s.ID, Shield: shield, Roll: roll}
	need := map[engine.ShipID]int{}
	for _, o := range t.Game.Ships {
		if ship.Cloaked(o) && o.Side != s.Side {
			if need[o.ID] = l.detection(t, s, o, shield, locked(s, o.ID)); roll <= need[o.ID] {
				b.Found = append(b.Found, o.ID)
			}
		}
	}
	defer t.Following(t.Emit(b, engine.SeeOnly(s.ID), l.cite(cites.SensorPhase, cites.CloakDetection, cites.CloakByMail)...))()
	for _, o := range t.Game.Ships {
		had := locked(s, o.ID)
		switch {
		case slices.Contains(b.Found, o.ID):
			l.find(t, s, o, ship.Locking{Need: need[o.ID], Roll: roll, Held: true, Cloaked: true, Kept: had})
		case had && ship.Cloaked(o):
			l.release(t, s, o.ID, "the scan does not find it again", cites.CloakTracking)
			t.Emit(&ship.Exposed{Ship: o.ID, By: l.named(t.Game, o, s)}, engine.SeeOnly(o.ID), l.cite(cites.CloakTracking, cites.CloakByMail)...)
		}
	}
	l.noteVisibility(t)
}

// detection is the highest die that finds a cloaked ship through the arc of a
// shield; 0 for none (stcs 10.6). Ships in the same hex are as near as the next.
func (l *rulebook) detection(t *engine.Turn, s, o *engine.Ship, shield int, had bool) int {
	a, b := l.Facing(engine.Place{Hex: s.Hex, Heading: s.Heading}, o.Hex)
	if a != 0 && a != shield && b != shield {
		return 0
	}
	if l.tooFaint(t.Game, s, bare(o)) != "" {
		return 0
	}
	for _, between := range l.lineOfFireRules {
		if why := between(l, t.Game, s, bare(o)); why != "" {
			return 0
		}
	}
	return l.Detect(max(1, hex.Distance(s.Hex, o.Hex)), underWay(t, o), had)
}

// find is a cloaked ship that a scan finds or does not lose: a lock on it. Its
// captain must say where it is, and so learns that it is found; the other captains
// of the finder's side are told where to look (stcs 10.6).
func (l *rulebook) find(t *engine.Turn, s, o *engine.Ship, b ship.Locking) {
	rule := []cites.Topic{cites.CloakDetection, cites.CloakByMail}
	if b.Kept {
		rule = []cites.Topic{cites.CloakTracking, cites.CloakByMail}
		for _, lock := range ship.Of(s).Sensors().Locks {
			if lock.Target == o.ID {
				b.Since = lock.Since
			}
		}
	}
	l.lockOn(t, s, o, b, rule...)
	t.Emit(&ship.Exposed{Ship: o.ID, By: l.named(t.Game, o, s), Found: true, Kept: b.Kept}, engine.SeeOnly(o.ID), l.cite(rule...)...)
	for _, c := range t.Game.Captains() {
		for _, mate := range ship.ShipsOf(t.Game, c.Ships) {
			if mate.Side != s.Side || mate.Captain == s.Captain || t.Game.Blind != nil || mate.Status != engine.Active || l.aware(t.Game, mate, o) {
				continue
			}
			tip := &ship.Tipped{Ship: mate.ID, By: s.ID}
			if b.Kept {
				tip.Target, tip.Since = o.ID, moment(t)
				tip.At = &engine.Place{Hex: o.Hex, Heading: o.Heading}
			} else {
				tip.Shield = l.sideTo(mate, o.Hex)
			}
			t.Emit(tip, engine.SeeOnly(mate.ID), l.cite(rule...)...)
		}
	}
}

// named is the id of a ship if the captain of another sees it, else blank.
func (l *rulebook) named(g *engine.Game, s, other *engine.Ship) engine.ShipID {
	if l.aware(g, s, other) {
		return other.ID
	}
	return ""
}
