package play

import (
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// scanFor is the word before a ship in a standing order to scan.
const scanFor = "for "

// ScanVerbs returns the orders to scan for cloaked ships.
func ScanVerbs() []rulebook.Verb {
	return []rulebook.Verb{
		{Section: "phase", Compile: compileScan, Verb: orders.Verb{
			Name: "scan", Forms: []orders.Form{"scan SHIELD", "scan for SHIP"}, When: true, Post: ship.PostScience,
			Doc:      "Scan for cloaked ships at the beginning of the phase, through the arc of one of your shields, or of the one facing where a ship was last known to be. One die finds every ship in that arc whose number in the detection table is not below it, and gets locks on them. Scanning gives up a lock on a ship in plain sight; a lock on a cloaked ship must be kept by such a roll in each phase, which needs no order. In the dark it finds nothing beyond the range at which the ship's sensors show size (" + cites.CloakDetection.Ref() + ", " + cites.CloakTracking.Ref() + ").",
			Examples: []string{"scan 2", "scan for Zephyr"},
		}},
		{Section: "standing", Compile: compileStandingScan, Verb: orders.Verb{
			Name: "scan", Forms: []orders.Form{"scan SHIELD", "scan for SHIP", "scan none"}, Once: true, Post: ship.PostScience,
			Doc:      "Where to scan for cloaked ships in phases in which the sensors are idle: no order, no lock, and no standing target in sight.",
			Examples: []string{"scan 2", "scan for Zephyr", "scan none"},
		}},
	}
}

// readScanWay returns the direction that a scan order names.
func readScanWay(c *rulebook.Compiler, st orders.Statement) (way verbs.ScanWhere, ok bool) {
	if a, has := st.Arg("SHIELD"); has {
		if a.Num < 1 || a.Num > 6 {
			c.Fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
			return way, false
		}
		return verbs.ScanWhere{Shield: a.Num}, true
	}
	a, has := st.Arg("SHIP")
	if !has {
		return way, false
	}
	way.Ship, ok = c.Target(a, false)
	return way, ok
}

func compileScan(c *rulebook.Compiler, n int, st orders.Statement) {
	way, ok := readScanWay(c, st)
	if !c.Condition(st.When, ok && way.Ship != "", false) || !ok {
		return
	}
	verbs.UseSensors(c, n, st, verbs.Sensing{Target: way.Ship, Scan: &way})
	if c.Sys.Sensors().Down {
		c.Warn(st.Pos, "W143", "", "the sensors are damaged: no scan unless they are repaired first")
		return
	}
	c.Effect(st.Pos.Line, "scans for cloaked ships: one die for all in the arc")
}

func compileStandingScan(c *rulebook.Compiler, _ int, st orders.Statement) {
	if st.Form == 2 {
		c.Plan.Standing.SetWord("scan", "")
		return
	}
	way, ok := readScanWay(c, st)
	switch {
	case !ok:
	case way.Ship != "":
		c.Plan.Standing.SetWord("scan", string(scanFor+way.Ship))
	default:
		c.Plan.Standing.SetWord("scan", strconv.Itoa(way.Shield))
	}
}

// ScanStanding returns the standing order to scan in words.
func ScanStanding(s ship.Standing) []string {
	if s.Word("scan") == "" {
		return nil
	}
	return []string{"scan " + s.Word("scan")}
}

// standingScan scans by the standing orders if the sensors are free.
func standingScan(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	k, want := ship.Of(s).Sensors(), ship.Of(s).Standing.Word("scan")
	if want == "" || k.Down || len(k.Locks) > 0 || hasSensed(t, s) {
		return
	}
	way := verbs.ScanWhere{}
	if ship, named := strings.CutPrefix(want, scanFor); named {
		way.Ship = engine.ShipID(ship)
	} else if n, err := strconv.Atoi(want); err == nil {
		way.Shield = n
	}
	defer t.Following(t.OrderedIn(s.ID, "standing", "scan"))()
	scanWay(l, t, s, way) // a ship that was never seen gives no direction
}

// scanWay scans through the shield that an order means, or returns why it cannot.
func scanWay(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, way verbs.ScanWhere) (why string) {
	shield := way.Shield
	if way.Ship != "" {
		foe, _ := l.Shown(t.Game, s, l.Aimed(t.Game, s, way.Ship))
		at, ok := l.PlaceMeant(t.Game, s, string(way.Ship), foe)
		if !ok {
			return l.AbsentShip(t.Game, string(way.Ship))
		}
		shield = SideTo(&l.Book, s, at.Hex)
	}
	l.ScanWith(l, t, s, shield)
	return ""
}

// SideTo returns the shield that a ship turns to a hex: the lower number on a line, the shield
// ahead for her own hex.
func SideTo(book *rulebook.Book, s *engine.Ship, h hex.Hex) int {
	a, b := book.Facing(engine.Place{Hex: s.Hex, Heading: s.Heading}, h)
	if a == 0 {
		return book.Ahead()
	}
	return min(a, b)
}

// sensed records that a ship's sensors have tried for a lock or scanned in this phase, and can
// do no more in it.
type sensed struct{}

func hasSensed(t *engine.Turn, s *engine.Ship) bool {
	_, has := noted[sensed](t, s.ID)
	return has
}

// BusySensors records that a ship's sensors are used in this phase.
func BusySensors(t *engine.Turn, s *engine.Ship) { PhaseNotes[sensed](t)[s.ID] = sensed{} }

// keepTrack rolls for the locks on cloaked ships that no order of the phase has renewed
// (stcs 10.7), normally by a scan towards the ship that the sensors are trained on.
func keepTrack(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	if hasSensed(t, s) || ship.Of(s).Sensors().Down {
		return
	}
	if other, ok := t.Game.Ship(ship.Of(s).LockTarget()); ok && ship.Cloaked(other) {
		l.KeepWith(l, t, s, other)
	}
}

// Scan scans for cloaked ships through the arc of a shield (stcs 10.6): one die against the
// detection number of each. The scanning captain learns only of those found, not whether
// there are others.
func Scan(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, shield int) {
	BusySensors(t, s)
	for _, lock := range slices.Clone(ship.Of(s).Sensors().Locks) {
		if o, ok := t.Game.Ship(lock.Target); ok && !ship.Cloaked(o) {
			Release(l, t, s, o.ID, "the sensors look for cloaked ships", cites.LostLocks, cites.CloakDetection)
		}
	}
	roll := t.Roll(engine.NameRoll("scan", s.ID), dice.D10, engine.SeeOnly(s.ID), l.Cite(cites.CloakDetection, cites.CloakByMail)...)
	b := &ship.Scan{Ship: s.ID, Shield: shield, Roll: roll}
	need := map[engine.ShipID]int{}
	for _, o := range t.Game.Ships {
		if ship.Cloaked(o) && o.Side != s.Side {
			if need[o.ID] = Detection(l, t, s, o, shield, rulebook.Locked(s, o.ID)); roll <= need[o.ID] {
				b.Found = append(b.Found, o.ID)
			}
		}
	}
	defer t.Following(t.Emit(b, engine.SeeOnly(s.ID), l.Cite(cites.SensorPhase, cites.CloakDetection, cites.CloakByMail)...))()
	for _, o := range t.Game.Ships {
		had := rulebook.Locked(s, o.ID)
		switch {
		case slices.Contains(b.Found, o.ID):
			Find(l, t, s, o, ship.Locking{Need: need[o.ID], Roll: roll, Held: true, Cloaked: true, Kept: had})
		case had && ship.Cloaked(o):
			Release(l, t, s, o.ID, "the scan does not find it again", cites.CloakTracking)
			t.Emit(&ship.Exposed{Ship: o.ID, By: Named(l, t.Game, o, s)}, engine.SeeOnly(o.ID), l.Cite(cites.CloakTracking, cites.CloakByMail)...)
		}
	}
	NoteVisibility(l, t)
}

// Detection returns the highest die that finds a cloaked ship through the arc of a shield; 0
// for none (stcs 10.6). A ship in the same hex counts as one hex away.
func Detection(l *rulebook.Rules, t *engine.Turn, s, o *engine.Ship, shield int, had bool) int {
	a, b := l.Facing(engine.Place{Hex: s.Hex, Heading: s.Heading}, o.Hex)
	if a != 0 && a != shield && b != shield {
		return 0
	}
	if l.TooFaint(t.Game, s, bare(o)) != "" {
		return 0
	}
	for _, between := range l.LineOfFireRules {
		if why := between(l, t.Game, s, bare(o)); why != "" {
			return 0
		}
	}
	return l.Detect(max(1, hex.Distance(s.Hex, o.Hex)), UnderWay(t, o), had)
}

// Find records a lock on a cloaked ship that a scan finds or keeps. The ship's captain must say
// where she is, and so learns of it; the other captains of the finder's side are told where to
// look (stcs 10.6).
func Find(l *rulebook.Rules, t *engine.Turn, s, o *engine.Ship, b ship.Locking) {
	rule := []cites.Topic{cites.CloakDetection, cites.CloakByMail}
	if b.Kept {
		rule = []cites.Topic{cites.CloakTracking, cites.CloakByMail}
		for _, lock := range ship.Of(s).Sensors().Locks {
			if lock.Target == o.ID {
				b.Since = lock.Since
			}
		}
	}
	lockOn(l, t, s, o, b, rule...)
	t.Emit(&ship.Exposed{Ship: o.ID, By: Named(l, t.Game, o, s), Found: true, Kept: b.Kept}, engine.SeeOnly(o.ID), l.Cite(rule...)...)
	for _, c := range t.Game.Captains() {
		for _, mate := range ship.ShipsOf(t.Game, c.Ships) {
			if mate.Side != s.Side || mate.Captain == s.Captain || t.Game.Blind != nil || mate.Status != engine.Active || l.Aware(t.Game, mate, o) {
				continue
			}
			tip := &ship.Tipped{Ship: mate.ID, By: s.ID}
			if b.Kept {
				tip.Target, tip.Since = o.ID, rulebook.Moment(t)
				tip.At = &engine.Place{Hex: o.Hex, Heading: o.Heading}
			} else {
				tip.Shield = SideTo(&l.Book, mate, o.Hex)
			}
			t.Emit(tip, engine.SeeOnly(mate.ID), l.Cite(rule...)...)
		}
	}
}

// Named returns the id of other if the captain of s sees her, otherwise "".
func Named(l *rulebook.Rules, g *engine.Game, s, other *engine.Ship) engine.ShipID {
	if l.Aware(g, s, other) {
		return other.ID
	}
	return ""
}

// lockOn records an attempt at a lock, with its need, roll and result in b, and what a lock
// reveals by itself (stcs 7.2).
func lockOn(l *rulebook.Rules, t *engine.Turn, s, target *engine.Ship, b ship.Locking, rule ...cites.Topic) {
	b.Ship, b.Target = s.ID, target.ID
	if b.Since == (engine.Moment{}) {
		b.Since = rulebook.Moment(t)
	}
	if b.Held && !b.Kept {
		b.Auto = automatic(s, target)
		rule = append(rule, cites.AutomaticInformation)
	}
	t.Emit(&b, engine.SeeOnly(s.ID), l.Cite(rule...)...)
}

// automatic returns what a new lock reveals of a ship: her class and race, whether her sensors
// are trained on the asker, and how many are aboard if no shield is up (stcs 7.2).
func automatic(s, target *engine.Ship) *ship.Automatic {
	sys := ship.Of(target)
	k := sys.Sensors()
	a := &ship.Automatic{Class: target.Class, Race: k.Navy, Back: k.Target == s.ID}
	if slices.ContainsFunc(sys.Shields, func(sh ship.Shield) bool { return sh.Now > 0 }) {
		a.Shielded = true
	} else {
		a.Aboard = aboutTen(k.Crew)
	}
	return a
}

// aboutTen rounds to the nearest ten; 1 to 4 become 10.
func aboutTen(n int) int {
	if n <= 0 {
		return 0
	}
	return max(10, (n+5)/10*10)
}
