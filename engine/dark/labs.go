package dark

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/orders"
)

// Figures for laboratories.
const (
	labReach     = 10 // their range in hexes, at the closest approach of the turn
	labBest      = 11 // points of a box, less the die and the range (F12)
	TracePoints  = 10 // data on a probe that reveals its ship (house 14.2)
	SheetPoints  = 8  // data for a sheet (house 12.22)
	NaturePoints = 20 // ... and for the nature of a weapon (house 12.23)
)

// LabPoints returns the points that boxes gather at a range with a die.
func LabPoints(boxes, rng, die int) int { return boxes * max(0, labBest-die-rng) }

// LabRules is what a rule set says about laboratories.
type LabRules struct {
	Dark  bool // laboratories are only for games in the dark
	First bool // only a turn's first orders may have orders for them
	// Fit gives a ship of a game in the dark her laboratories: that many boxes, or the default for nil. It is nil
	// if her sheet has laboratories.
	Fit func(s *engine.Ship, boxes *int)
	// Load gives her that many probes, or the default for nil; it is nil if there are no probes.
	Load  func(s *engine.Ship, probes *int)
	Boxes func(s *engine.Ship) int // free for jobs now
	// Last returns the text of a ship's last order set if her captain wants it repeated when no orders come: in the
	// dark her laboratories then repeat their work. Blank for none.
	Last func(s *engine.Ship) string
	// Sheet returns a ship's sheet as drawn from afar. Nature returns what is found out about the n-th of her kinds
	// of weapon, from 1; blank for none. Both are for games in the dark, and name no ships.
	Sheet  func(s *engine.Ship) engine.Panel
	Nature func(s *engine.Ship, n int) string
}

// labOrders returns a ship's orders for her laboratories: those of the last set of the turn that has any.
func (t laboratories) labOrders(s *engine.Ship) (out []orders.Statement) {
	sets := t.labSets(s)
	if sent := func(b *orders.Block) bool { return b != nil }; !t.open() && !slices.ContainsFunc(t.setsOf(s), sent) {
		if last := Of(t.Rules).Labs.Last(s); last != "" {
			block, _ := t.Rules.Language.Block("ship", last)
			sets = append(sets, &block)
		}
	}
	for _, b := range sets {
		var said []orders.Statement
		for _, verb := range []string{engine.JobStudy, engine.JobReceive, engine.JobSteal, JobDecode, engine.VerbSend} {
			said = append(said, engine.TurnLevelStatements(b, verb)...)
		}
		if len(said) > 0 {
			out = said
		}
	}
	return out
}

// labSets returns the order sets of a ship's captain that may have orders for laboratories and codes.
func (t laboratories) labSets(s *engine.Ship) []*orders.Block {
	sets := t.setsOf(s)
	if Of(t.Rules).Labs.First {
		return sets[:1]
	}
	return sets
}

// setsOf returns the order sets of a ship's captain for the turn, by round; nil for rounds without one.
func (t *Turn) setsOf(s *engine.Ship) []*orders.Block {
	sheet := t.Sheets[engine.Seat{Ship: s.ID}]
	sets := []*orders.Block{sheet.Block}
	for _, later := range sheet.Later {
		sets = append(sets, later.Block)
	}
	return sets
}

// closest returns how near two ships came in the turn so far, measured at the end of each phase.
func (t laboratories) closest(a, b *engine.Ship) int {
	at := map[engine.ShipID]hex.Hex{a.ID: a.Hex, b.ID: b.Hex}
	for _, e := range slices.Backward(t.Events()) {
		if m, ok := e.Body.(*engine.Move); ok && (m.Ship == a.ID || m.Ship == b.ID) {
			at[m.Ship] = m.From.Hex
		}
	}
	best, phase := hex.Distance(at[a.ID], at[b.ID]), 0
	for _, e := range t.Events() {
		if e.Phase != phase {
			best, phase = min(best, hex.Distance(at[a.ID], at[b.ID])), e.Phase
		}
		if m, ok := e.Body.(*engine.Move); ok && (m.Ship == a.ID || m.Ship == b.ID) {
			at[m.Ship] = m.To.Hex
		}
	}
	return min(best, hex.Distance(a.Hex, b.Hex))
}

// approach returns how near a ship came to another in the turn, as far as her captain can know it: in the dark it
// is measured at the end of the looks in which she detects it. False: not near enough for a laboratory.
func (t laboratories) approach(s, o *engine.Ship) (rng int, ok bool) {
	if t.open() || s.Captain == o.Captain {
		rng = t.closest(s, o)
		return rng, rng <= labReach
	}
	rng, ok = t.near[[2]engine.ShipID{s.ID, o.ID}]
	return rng, ok && rng <= labReach
}

// measure records how near ships are to what they detect.
func (t *Turn) measure() {
	r, g := t.Rules, t.Game
	if Of(r).Labs == nil {
		return
	}
	for _, own := range t.own {
		for _, s := range own {
			for _, o := range g.Ships {
				if o.Small() && o.Kind != engine.KindProbe || commanderOf(g, o) == s.Captain || Detects(r, g, s, o) < blind.Presence {
					continue
				}
				t.measured(s, o)
			}
			for _, o := range Echoes(r, g, s) {
				if level := wouldShow(r, g, []*engine.Ship{s}, o.Hex); level == blind.Presence {
					t.measured(s, o)
				}
			}
		}
	}
}

// measured records how near a ship is to another, or to an echo.
func (t *Turn) measured(s, o *engine.Ship) {
	key, now := [2]engine.ShipID{s.ID, o.ID}, hex.Distance(s.Hex, o.Hex)
	if before, ok := t.near[key]; !ok || now < before {
		t.near[key] = now
	}
}

// sending is a file that is being sent in the turn.
type sending struct {
	from *engine.Ship
	to   engine.ShipID // id
	file *engine.File
}

// nothingHeard is the reason why a laboratory receives nothing. It does not reveal whether such a file or ship
// exists.
const nothingHeard = "nothing by that name is within 10 hexes"

// WorkLabs lets laboratories do their jobs, and sends files from ship to ship, at the end of a turn. Orders that
// were refused, by ship and line, are skipped, because their captains have been told. It returns what laboratories
// have done.
func (t *Turn) WorkLabs(refused func(ship engine.ShipID, line int) bool) []*LabWork {
	return laboratories{t}.workAll(refused)
}

// laboratories is a turn with the methods for the laboratories of all ships.
type laboratories struct{ *Turn }

func (t laboratories) workAll(refused func(ship engine.ShipID, line int) bool) (works []*LabWork) {
	if Of(t.Rules).Labs == nil {
		return nil
	}
	var sent []sending
	skip := func(s *engine.Ship, st orders.Statement, why string) {
		t.Because(t.Ordered(s.ID, st.Pos.Line, orders.FormatStatement(st))).Emit(&engine.Skip{Ship: s.ID, Line: st.Pos.Line, Order: orders.FormatStatement(st), Reason: why}, engine.SeeOnly(s.ID), "D13")
	}
	each := func(do func(s *engine.Ship, st orders.Statement)) {
		for _, s := range engine.Captained(t.Game.Ships) {
			if s.Status != engine.Active {
				continue
			}
			for _, st := range t.labOrders(s) {
				if !refused(s.ID, st.Pos.Line) {
					do(s, st)
				}
			}
		}
	}
	each(func(s *engine.Ship, st orders.Statement) {
		if st.Verb != engine.VerbSend {
			return
		}
		name, _ := st.Arg("FILE")
		file := t.Game.Labs.File(name.Text)
		to, _ := st.Arg("SHIP")
		// Only ships of her side are searched: the name of another ship may be the short name of one of them.
		mates := slices.DeleteFunc(engine.Captained(t.Game.Ships), func(o *engine.Ship) bool { return o.Side != s.Side || o == s })
		other, _, ok := engine.FindShip(mates, to.Text)
		switch {
		case file == nil || !slices.Contains(file.Has, s.ID):
			skip(s, st, "that file is not aboard")
		case !ok:
			skip(s, st, "there is no such ship of her side")
		default:
			sent = append(sent, sending{s, other.ID, file})
		}
	})
	free, done := map[engine.ShipID]int{}, map[engine.ShipID]int{}
	for _, s := range engine.Captained(t.Game.Ships) {
		free[s.ID] = Of(t.Rules).Labs.Boxes(s)
	}
	each(func(s *engine.Ship, st orders.Statement) {
		if st.Verb == engine.VerbSend {
			return
		}
		n, _ := st.Arg("COUNT")
		boxes := min(n.Num, free[s.ID])
		if boxes < 1 {
			skip(s, st, "no laboratory is free for it")
			return
		}
		w, why := &LabWork{Ship: s.ID, Job: st.Verb, Boxes: boxes}, ""
		switch st.Verb {
		case engine.JobStudy:
			why = t.toStudy(s, st, w)
		case JobDecode:
			why = t.toDecode(s, st, w)
		default:
			why = t.toTakeIn(s, st, w, sent)
		}
		if why != "" {
			skip(s, st, why)
			return
		}
		free[s.ID] -= boxes
		done[s.ID]++
		w.Roll = t.Roll(engine.NameRoll("lab", s.ID).And(strconv.Itoa(done[s.ID])), dice.D6, engine.SeeOnly(s.ID), "house 12.2")
		w.Points = LabPoints(boxes, w.Range, w.Roll)
		t.work(s, w, t.Ordered(s.ID, st.Pos.Line, orders.FormatStatement(st)))
		works = append(works, w)
	})
	t.newCodes(refused)
	t.workProbes(sent)
	return works
}

// workProbes lets probes gather data for the ships that launched them, at any distance from those but within
// laboratory range of the subject. What a probe studies in the open is up to its rule set.
func (t laboratories) workProbes(sent []sending) {
	for _, p := range t.Game.Ships {
		s, ok := t.Game.Ship(p.Parent)
		if p.Kind != engine.KindProbe || p.Status != engine.Active || !ok || s.Status != engine.Active {
			continue
		}
		m, _ := missionOf(p)
		w := &LabWork{Ship: s.ID, Job: engine.JobStudy, By: p.ID, Points: ProbePoints}
		switch o, there := t.Game.Ship(m.Study); {
		case m.File != "":
			w.Job = engine.JobReceive
			i := slices.IndexFunc(sent, func(f sending) bool {
				return f.file.Name == m.File && hex.Distance(p.Hex, f.from.Hex) <= labReach
			})
			if i < 0 || slices.Contains(sent[i].file.Has, s.ID) {
				continue
			}
			w.What, w.Of, w.Units, w.Range = m.File, m.File, sent[i].file.Units, hex.Distance(p.Hex, sent[i].from.Hex)
		case t.open() || !there || Detects(t.Rules, t.Game, p, o) < blind.Presence:
			continue
		default:
			if w.Range = hex.Distance(p.Hex, o.Hex); w.Range > labReach {
				continue
			}
			w.What, w.Of = string(t.observer(s).callsBefore(o.ID)), string(o.ID)
		}
		t.work(s, w, engine.Ref{})
	}
}

// HandData gives a ship what a shuttle has gathered about another, in a game in the dark.
func (t *Turn) HandData(shuttle, s *engine.Ship, about engine.ShipID, points int, cause engine.Ref) {
	laboratories{t}.work(s, &LabWork{Ship: s.ID, Job: engine.JobStudy, By: shuttle.ID, Points: points, What: string(t.observer(s).callsBefore(about)), Of: string(about)}, cause)
}

// observer returns a ship's captain as an observer now, in a game in the dark.
func (t *Turn) observer(s *engine.Ship) *Observer {
	return &Observer{Captain: s.Captain, rules: t.Rules, game: t.Game, own: eyesOf(t.Game, s.Captain)}
}

// toStudy fills in the ship that a laboratory studies, or returns why it cannot.
func (t laboratories) toStudy(s *engine.Ship, st orders.Statement, w *LabWork) (why string) {
	a, _ := st.Arg("SHIP")
	o, _, ok := engine.FindShip(t.Game.Ships, a.Text)
	if !t.open() {
		if o, _, _, ok = Means(t.Rules, t.Game, s.Captain, strings.ToLower(a.Text)); o == nil {
			o = LastEcho(t.Game, s, strings.ToLower(a.Text))
		}
	}
	if !ok || o == nil || o.Small() && (t.open() || o.Kind != engine.KindProbe) || !o.OnMap() || commanderOf(t.Game, o) == s.Captain {
		return nothingHeard
	}
	friend := o.Side == s.Side
	if !t.open() {
		_, friend = Finds(t.Rules, t.Game, s.Captain, o)
	}
	if friend || t.open() && !t.Rules.Knows(t.Game, t.Game.Viewer(s), o) {
		return nothingHeard
	}
	rng, near := t.approach(s, o)
	if !near {
		return nothingHeard
	}
	w.What, w.Of, w.Range = string(o.ID), string(o.ID), rng
	if !t.open() {
		w.What = string(cmp.Or(t.observer(s).Name(o.ID), engine.ShipID(strings.ToLower(a.Text)))) // the name in the order, if she has gone out of sight since
	}
	return ""
}

// toTakeIn fills in the file that a laboratory receives or steals, or returns why it cannot.
func (t laboratories) toTakeIn(s *engine.Ship, st orders.Statement, w *LabWork, sent []sending) (why string) {
	a, _ := st.Arg("FILE")
	best := -1
	for i, f := range sent {
		if !strings.EqualFold(f.file.Name, a.Text) || (st.Verb == engine.JobReceive) != (f.to == s.ID) || st.Verb == engine.JobSteal && f.from.Side == s.Side {
			continue
		}
		rng, near := t.approach(s, f.from)
		if near && (best < 0 || rng < w.Range) {
			best, w.Range = i, rng
		}
	}
	if best < 0 {
		return nothingHeard
	}
	f := sent[best].file
	if slices.Contains(f.Has, s.ID) {
		return "it is aboard by now"
	}
	w.What, w.Of, w.Units = f.Name, f.Name, f.Units
	return ""
}

// work emits what a laboratory has gathered, and what that leads to.
func (t laboratories) work(s *engine.Ship, w *LabWork, cause engine.Ref) {
	before := t.Game.Labs.Points(s.ID, jobOf(w.Job), w.Of)
	w.Sum = before + w.Points
	if w.Job == JobDecode && w.Sum >= w.Units {
		side, _, _ := strings.Cut(w.Of, "/")
		w.File = t.Game.Labs.BrokenFile(side, s.ID)
	}
	see := engine.SeeAmong(t.fleetOf(s)...)
	rule := []string{"house 12.2", map[bool]string{true: "house 12.13", false: "house 12.14"}[w.Job == JobDecode]}
	if w.By != "" {
		rule = []string{"house 14.1"}
	}
	got := t.Because(cause).Record(w, see, rule)
	if w.File != "" {
		t.decipher(s, w.Of, got)
	}
	if w.Job != engine.JobStudy || t.open() {
		return
	}
	about, as := engine.ShipID(w.Of), engine.ShipID(w.What)
	o, there := t.Game.Ship(about)
	if !there { // points about an echo come in as for a ship, but never make a sheet
		return
	}
	if o.Small() {
		if parent, ok := t.Game.Ship(o.Parent); ok && before < TracePoints && w.Sum >= TracePoints {
			traced := &Spotted{Ship: s.ID, What: as, Side: t.Game.SideName(parent.Side)}
			if at, apart := hex.Bearing(o.Hex, parent.Hex); apart {
				traced.Bearing = at.String()
			}
			t.Because(got).Record(traced, engine.SeeOnly(t.fleetOf(s)...), []string{"house 14.2"})
		}
		return
	}
	if w.Sum/SheetPoints > before/SheetPoints {
		t.Because(got).Record(&SheetDrawn{Ship: s.ID, What: as, Of: about, Panel: Of(t.Rules).Labs.Sheet(o)}, see, []string{"house 12.22"})
	}
	for n := before/NaturePoints + 1; n <= w.Sum/NaturePoints; n++ {
		if text := Of(t.Rules).Labs.Nature(o, n); text != "" {
			t.Because(got).Record(&Nature{Ship: s.ID, What: as, Of: about, N: n, Text: text}, see, []string{"house 12.23"})
		}
	}
}

const (
	// VerbProbe is the verb of the order to launch a probe.
	VerbProbe = "probe"
	// WordCourier is the recipient of words that a probe carries.
	WordCourier = "courier"
	// ProbeCarries is the form, in [ProbeVerb], of the order for a probe that carries words.
	ProbeCarries = 2
	// CourierReach is the distance in hexes at which ships can read what a probe carries.
	CourierReach = 2
	// ProbePoints is what a probe gathers in a turn, without a die (house 14.1).
	ProbePoints = 20
	// LaunchesProbes is the rule for launching probes.
	LaunchesProbes = "house 14.1"
)

// Mission is the purpose of a probe: a ship to gather data about, a file to receive, or words for ships of its
// side, with those that have read them.
type Mission struct {
	Study engine.ShipID   `json:"study,omitempty"`
	File  string          `json:"file,omitempty"`
	Words string          `json:"words,omitempty"`
	Given []engine.ShipID `json:"given,omitempty"`
}

// Sent is the system of a probe. It returns its mission, and when it was launched.
type Sent interface {
	Sent() (*Mission, engine.Moment)
}

// ProbeVerb returns the order to launch a probe, with what may follow each form, and a description of how it is
// launched and flies.
func ProbeVerb(more, flies string) orders.Verb {
	v := orders.Verb{
		Name: VerbProbe, When: true, Examples: []string{"probe to 1412 study c03", "probe to 1412 receive charts", "probe to 1412 carry"},
		Doc: fmt.Sprintf("Launch a probe, %s, and stays there. At the end of each turn it sends its ship %d points about a ship, or of a file being sent, within %d hexes of it. Any damage destroys it. In the dark it also detects what is within %d hexes. It may be launched for that alone, or to carry what you say by `message %s`: each ship of your side within %d hexes of it reads that.", flies, ProbePoints, labReach, labReach, WordCourier, CourierReach),
	}
	for _, form := range []string{"probe to HEX study SHIP", "probe to HEX receive FILE", "probe to HEX carry", "probe to HEX"} {
		v.Forms = append(v.Forms, orders.Form(form+more))
	}
	return v
}

// missionOf returns the mission of a probe, and when it was launched.
func missionOf(s *engine.Ship) (*Mission, engine.Moment) {
	if sys, ok := s.System.(Sent); ok {
		return sys.Sent()
	}
	return new(Mission), engine.Moment{}
}

// NameDie returns the die of [Turn.CraftName].
func NameDie() engine.NamedDie {
	return engine.NamedDie{Name: "name.SHIP.N.TRY", Example: "t3.p8.name.hood.1.0", Die: dice.D100, What: "in a game in the dark: the name of the N-th craft that a ship launches, by two dice or more if that name is taken, so it does not reveal who launched it"}
}

// IsCraftName reports whether [Turn.CraftName] could make a lower-case name. A ship with such a name would be
// revealed when another name was drawn.
func IsCraftName(name string) bool {
	number := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz")
	return len(name) == len(number)+1 && len(number) >= 3 && strings.Trim(number, "0123456789") == ""
}

// CraftName returns a name, starting with a letter, for what a ship launches in a game in the dark. It reveals
// neither who launched it nor how many there are.
func (t *Turn) CraftName(s *engine.Ship, letter string, rule ...string) (name, short string) {
	n := 1
	for _, d := range t.Game.Ships {
		if d.Parent == s.ID {
			n++
		}
	}
	die := engine.NameRoll("name", s.ID).And(strconv.Itoa(n))
	for try := 0; ; try++ {
		a := t.Roll(die.And(strconv.Itoa(2*try)), dice.D100, engine.See{}, rule...)
		b := t.Roll(die.And(strconv.Itoa(2*try+1)), dice.D100, engine.See{}, rule...)
		number := strconv.Itoa(100*a + b%100 + try) // in the end other names, whatever the dice show
		if _, taken := t.Game.Ship(engine.ShipID(letter + number)); !taken {
			return letter + number, letter + number[len(number)-1:]
		}
	}
}
