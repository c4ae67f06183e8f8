package dark

import (
	"cmp"
	"encoding/json"
	"errors"
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

// What laboratories do.
const (
	labReach     = 10 // hexes within which they work, at the closest approach of the turn
	labBest      = 11 // points of a box, less the die and the range (F12)
	TracePoints  = 10 // data on a probe that lead to its ship (house 14.2)
	SheetPoints  = 8  // data for a sheet (house 12.22)
	NaturePoints = 20 // ... and for the nature of a weapon (house 12.23)
)

// LabPoints are what some boxes gather at a range with a die.
func LabPoints(boxes, rng, die int) int { return boxes * max(0, labBest-die-rng) }

// HasSheet tells whether a ship of a captain has drawn the sheet of another one.
func HasSheet(g *engine.Game, captain engine.CaptainName, of engine.ShipID) bool {
	return g.Labs != nil && slices.ContainsFunc(g.Labs.Sheets, func(k engine.KnownSheet) bool {
		by, ok := g.Ship(k.Ship)
		return ok && by.Captain == captain && k.Of == of
	})
}

// HasSheet tells whether the viewer's laboratories have drawn the sheet of a ship of the view.
func Drawn(v *engine.View, s *engine.ShipView) bool {
	return slices.ContainsFunc(v.Sheets, func(p engine.Panel) bool { return p.Key == sheetKey(s.Name) })
}

func sheetKey(name string) string { return "sheet-of-" + name }

func labsOf(g *engine.Game) *engine.Labs {
	if g.Labs == nil {
		g.Labs = &engine.Labs{}
	}
	return g.Labs
}

// LabRules is what a rule set says of laboratories.
type LabRules struct {
	Dark  bool // they are for games in the dark alone
	First bool // a turn's first orders alone may have some for them
	// Fit gives a ship of a game in the dark her laboratories: so many boxes, or as many as are usual.
	// It is nil where her sheet has them.
	Fit func(s *engine.Ship, boxes *int)
	// Load gives her that many probes, or as many as are usual; nil where there are none.
	Load  func(s *engine.Ship, probes *int)
	Boxes func(s *engine.Ship) int // that are free for jobs now
	// Last is the text of a ship's last order set if her captain wants it again when he sends none: in the dark
	// her laboratories repeat their work. Blank for none.
	Last func(s *engine.Ship) string
	// Sheet is a ship's sheet as it is drawn of her from afar, and Nature what is learnt of the
	// n-th of her kinds of weapon, from 1; blank for none. Both are for games in the dark, and
	// name no ships.
	Sheet  func(s *engine.Ship) engine.Panel
	Nature func(s *engine.Ship, n int) string
}

// LabVerbs are the orders for laboratories and files, for rule sets that have them: they are for
// the whole turn.
func LabVerbs() []orders.Verb {
	return []orders.Verb{
		{
			Name: engine.JobStudy, Forms: []orders.Form{"study SHIP with COUNT"}, Examples: []string{"study c03 with 2"},
			Doc: fmt.Sprintf("Have boxes of laboratories gather data about a ship, as the turn ends: %d less a die and the closest range of the turn for each, within %d hexes. In the dark each %d points draw her sheet, each %d tell of one of her weapons.", labBest, labReach, SheetPoints, NaturePoints),
		},
		{
			Name: engine.JobReceive, Forms: []orders.Form{"receive FILE with COUNT"}, Examples: []string{"receive charts with 2"},
			Doc: "Have boxes of laboratories receive a file that a ship of your side sends in the turn, by the same points, from turn to turn until all of it is there.",
		},
		{
			Name: engine.JobSteal, Forms: []orders.Form{"steal FILE with COUNT"}, Examples: []string{"steal charts with 3"},
			Doc: "Have boxes of laboratories take in a file that an enemy sends in the turn, by the same points and the range to her.",
		},
		{
			Name: JobDecode, Forms: []orders.Form{"decode SIDE with COUNT"}, Examples: []string{"decode klingon with 3", "decode any with 3"},
			Doc: fmt.Sprintf("In the dark, have boxes of laboratories gather data on the code in which a side, or a contact, speaks within %d hexes in this turn, by the same points and the range at which that was heard; `any` is the nearest. %d points break it: what is said in it within %d hexes is read, in this turn too, until the side takes a new one. A code that is broken is a file, which can be sent.", labReach, codeUnits, labReach),
		},
		{
			Name: VerbNew, Forms: []orders.Form{"new code"}, Once: true, Examples: []string{"new code"},
			Doc: "In the dark, have your side talk by its next code book from the next turn on, which those who broke the last one cannot read. A scenario says how many it has: 2 if it says nothing.",
		},
		{
			Name: engine.VerbSend, Forms: []orders.Form{"send file FILE to SHIP"}, Examples: []string{"send file charts to Zephyr"},
			Doc: "Send a file that is aboard to a ship of your side in this turn, which must receive it. It stays aboard; enemies may steal it.",
		},
	}
}

// LabParams are the arguments of those that no other order has.
func LabParams() map[string]orders.Param {
	return map[string]orders.Param{
		"FILE": {Class: orders.Name, Doc: "a file, by its name"},
		"SIDE": {Class: orders.Name, Doc: "a side, or the contact that speaks, or `any`"},
	}
}

// labOrders are the orders of a ship for her laboratories: those of the last set of the turn that
// has any.
func (t *Turn) labOrders(s *engine.Ship) (out []orders.Statement) {
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

// labSets are the order sets of a ship's captain that may have orders for laboratories and codes.
func (t *Turn) labSets(s *engine.Ship) []*orders.Block {
	sets := t.setsOf(s)
	if Of(t.Rules).Labs.First {
		return sets[:1]
	}
	return sets
}

// setsOf are the order sets of a ship's captain for the turn, round by round; nil among them where
// none came.
func (t *Turn) setsOf(s *engine.Ship) []*orders.Block {
	sheet := t.Sheets[engine.Seat{Ship: s.ID}]
	sets := []*orders.Block{sheet.Block}
	for _, later := range sheet.Later {
		sets = append(sets, later.Block)
	}
	return sets
}

// closest is how near two ships came in the turn so far: measured whenever a phase of it was
// over.
func (t *Turn) closest(a, b *engine.Ship) int {
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

// approach is how near a ship came to another one in the turn as her captain can know it: in the
// dark it is measured as looks end, where she detects it. False: not near enough for a laboratory.
func (t *Turn) approach(s, o *engine.Ship) (rng int, ok bool) {
	if t.open() || s.Captain == o.Captain {
		rng = t.closest(s, o)
		return rng, rng <= labReach
	}
	rng, ok = t.near[[2]engine.ShipID{s.ID, o.ID}]
	return rng, ok && rng <= labReach
}

// measure notes how near ships are to what they detect.
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

// measured notes how near a ship is to another, or to an echo.
func (t *Turn) measured(s, o *engine.Ship) {
	key, now := [2]engine.ShipID{s.ID, o.ID}, hex.Distance(s.Hex, o.Hex)
	if before, ok := t.near[key]; !ok || now < before {
		t.near[key] = now
	}
}

// sending is a file on its way in the turn.
type sending struct {
	from *engine.Ship
	to   engine.ShipID // id
	file *engine.File
}

// nothingHeard is why a laboratory takes nothing in: it tells nothing of whether there is such
// a file or ship.
const nothingHeard = "nothing by that name is within 10 hexes"

// WorkLabs has laboratories do their jobs, and files go from ship to ship, as a turn ends. Orders that
// were refused, by ship and line, are passed over: that has been told. It gives what laboratories have done.
func (t *Turn) WorkLabs(refused func(ship engine.ShipID, line int) bool) (works []*LabWork) {
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
		// What is not of her side is not looked at: a name of such a ship may be a mate's short one.
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

// workProbes has probes gather for the ships that launched them: at any distance from those, within
// the reach of a laboratory of where they are. What a probe studies in the open its rule set tells.
func (t *Turn) workProbes(sent []sending) {
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

// HandData gives a ship what a shuttle has gathered about another one, in a game in the dark.
func (t *Turn) HandData(shuttle, s *engine.Ship, about engine.ShipID, points int, cause engine.Ref) {
	t.work(s, &LabWork{Ship: s.ID, Job: engine.JobStudy, By: shuttle.ID, Points: points, What: string(t.observer(s).callsBefore(about)), Of: string(about)}, cause)
}

// observer is a ship's captain as he is now, in a game in the dark.
func (t *Turn) observer(s *engine.Ship) *Observer {
	return &Observer{Captain: s.Captain, rules: t.Rules, game: t.Game, own: eyesOf(t.Game, s.Captain)}
}

// callsBefore is what a captain calls a ship that he has, or had last.
func (o *Observer) callsBefore(id engine.ShipID) engine.ShipID {
	return cmp.Or(o.Name(id), knownAs(o.game, o.Captain, id))
}

// toStudy fills in whom a laboratory studies, or says why it cannot.
func (t *Turn) toStudy(s *engine.Ship, st orders.Statement, w *LabWork) (why string) {
	a, _ := st.Arg("SHIP")
	o, _, ok := engine.FindShip(t.Game.Ships, a.Text)
	if !t.open() {
		if o, _, _, ok = Means(t.Rules, t.Game, s.Captain, strings.ToLower(a.Text)); o == nil {
			o = LastEcho(t.Rules, t.Game, s, strings.ToLower(a.Text))
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
		w.What = string(cmp.Or(t.observer(s).Name(o.ID), engine.ShipID(strings.ToLower(a.Text)))) // by the word of the order if she has gone out of sight since
	}
	return ""
}

// toTakeIn fills in which file a laboratory takes in, or says why it cannot.
func (t *Turn) toTakeIn(s *engine.Ship, st orders.Statement, w *LabWork, sent []sending) (why string) {
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

// work tells what a laboratory has gathered, and what that gives.
func (t *Turn) work(s *engine.Ship, w *LabWork, cause engine.Ref) {
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
	if !there { // points about an echo come in as of a ship, and no sheet ever does
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

// fleetOf are the ships of a ship's captain.
func (t *Turn) fleetOf(s *engine.Ship) (ids []engine.ShipID) {
	for _, o := range commandedBy(t.Game, s.Captain) {
		ids = append(ids, o.ID)
	}
	return ids
}

// jobOf is the job under which points are kept: what is received and what is stolen of a file add up.
func jobOf(job string) string {
	if job == engine.JobSteal {
		return engine.JobReceive
	}
	return job
}

// LabWork is what boxes of laboratories gather in a turn. Of is the true id of a ship that
// is studied, or the book of a code, for the game alone.
type LabWork struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Job    string        `json:"job" see:"all"`
	What   string        `json:"what" see:"all"` // a ship as her captain knows it, or a file; of a code its side or who spoke
	Boxes  int           `json:"boxes" see:"all"`
	Range  int           `json:"range" see:"all"`
	Roll   int           `json:"roll" see:"all"`
	Points int           `json:"points" see:"all"`
	Sum    int           `json:"sum" see:"all"`
	Units  int           `json:"units,omitempty" see:"all"` // of the whole file, or code
	File   string        `json:"file,omitempty" see:"all"`  // what a code is called that is broken now
	By     engine.ShipID `json:"by,omitempty" see:"all"`    // the probe or shuttle that does it
	Of     string        `json:"of,omitempty"`
}

// Type implements Body.
func (*LabWork) Type() string { return "lab" }

// Apply implements Body.
func (b *LabWork) Apply(g *engine.Game) error {
	known := labsOf(g).Gather(b.Ship, jobOf(b.Job), b.Of, b.Sum)
	if b.Job == JobDecode {
		known.As = b.What
	}
	switch {
	case b.Job == engine.JobStudy || b.Sum < b.Units:
		return nil
	case b.Job == JobDecode:
		l := labsOf(g)
		l.Files = append(l.Files, engine.File{Name: b.File, Units: b.Units, From: b.Ship, Has: []engine.ShipID{b.Ship}, Book: b.Of})
		return nil
	}
	f := g.Labs.File(b.Of)
	if f == nil {
		return errNoFile
	}
	if !slices.Contains(f.Has, b.Ship) {
		f.Has = append(f.Has, b.Ship)
		slices.Sort(f.Has)
	}
	return nil
}

var errNoFile = errors.New("the game has no such file")

// SheetDrawn is a ship's sheet that laboratories draw (house 12.22).
type SheetDrawn struct {
	Ship  engine.ShipID `json:"ship" see:"all"`
	What  engine.ShipID `json:"what" see:"all"` // as her captain knows it
	Panel engine.Panel  `json:"panel" see:"all"`
	Of    engine.ShipID `json:"of,omitempty"`
}

// Type implements Body.
func (*SheetDrawn) Type() string { return "sheet" }

// Apply implements Body.
func (b *SheetDrawn) Apply(g *engine.Game) error {
	l := labsOf(g)
	l.Sheets = slices.DeleteFunc(l.Sheets, func(k engine.KnownSheet) bool { return k.Ship == b.Ship && k.Of == b.Of })
	l.Sheets = append(l.Sheets, engine.KnownSheet{Ship: b.Ship, Of: b.Of, Turn: g.Turn, Panel: b.Panel})
	return nil
}

// Nature is what laboratories learn of a weapon (house 12.23).
type Nature struct {
	Ship engine.ShipID `json:"ship" see:"all"`
	What engine.ShipID `json:"what" see:"all"` // as her captain knows it
	N    int           `json:"n" see:"all"`
	Text string        `json:"text" see:"all"`
	Of   engine.ShipID `json:"of,omitempty"`
}

// Type implements Body.
func (*Nature) Type() string { return "nature" }

// Words implement [Telling].
func (b *SheetDrawn) Words(v *engine.View) string {
	return fmt.Sprintf("%s draws the sheet of %s: it stands among the sheets", v.Name(b.Ship), v.Name(b.What))
}

// Words implement [Telling].
func (b *Nature) Words(v *engine.View) string {
	return fmt.Sprintf("%s learns of a weapon of %s: %s", v.Name(b.Ship), v.Name(b.What), b.Text)
}

// viewedNature is a [Nature] in a view, where n is the number of an entry.
type viewedNature struct {
	*Nature
	N      *int `json:"n,omitempty"`
	Weapon *int `json:"weapon"`
}

// Viewed implements [Viewed].
func (b *Nature) Viewed() engine.Body { return &viewedNature{Nature: b, Weapon: &b.N} }

// UnmarshalJSON reads it as events have it, or views.
func (b *Nature) UnmarshalJSON(data []byte) error {
	type plain Nature
	var view struct{ Weapon *int }
	err := cmp.Or(json.Unmarshal(data, (*plain)(b)), json.Unmarshal(data, &view))
	b.N = *cmp.Or(view.Weapon, &b.N)
	return err
}

// Spotted is that laboratories have found what a probe sends, and where to (house 14.2).
type Spotted struct {
	Ship    engine.ShipID `json:"ship" see:"all"`
	What    engine.ShipID `json:"what" see:"all"`              // the probe
	Side    string        `json:"side" see:"all"`              // of the ship that launched it, by name
	Bearing string        `json:"bearing,omitempty" see:"all"` // of that ship from it; blank in one hex
}

// Type implements Body.
func (*Spotted) Type() string { return "spotted" }

// Words say whose a probe is.
func (b *Spotted) Words(v *engine.View) string {
	text := fmt.Sprintf("%s finds what the probe %s sends: a ship of %s launched it", v.Name(b.Ship), v.Name(b.What), b.Side)
	if b.Bearing == "" {
		return text + ", and is in its hex"
	}
	return text + ", and bears " + b.Bearing + " from it"
}

// Words say what laboratories have gathered.
func (b *LabWork) Words(v *engine.View) string {
	text := fmt.Sprintf("%s tells %s of %s: %d points, %d in all", v.Name(b.By), v.Name(b.Ship), b.whatName(v), b.Points, b.Sum)
	if b.By == "" {
		text = fmt.Sprintf("%s, %s %s: range %d, %s, die %d: %d points, %d in all", v.Name(b.Ship), b.Job, b.whatName(v), b.Range, boxWords(b.Boxes), b.Roll, b.Points, b.Sum)
	}
	switch {
	case b.File != "":
		text += fmt.Sprintf(" of %d: it is broken, and aboard as the file %s", b.Units, b.File)
	case b.Units > 0 && b.Sum >= b.Units:
		text += ": all of it is aboard"
	case b.Units > 0:
		text += fmt.Sprintf(" of %d", b.Units)
	}
	return text
}

// whatName is what a laboratory has worked on, by its name in a view.
func (b *LabWork) whatName(v *engine.View) string {
	switch b.Job {
	case engine.JobStudy:
		return v.Name(engine.ShipID(b.What))
	case JobDecode:
		return codeName(v, engine.ShipID(b.What))
	}
	return b.What
}

// codeName is a code by whom its reader knows to speak in it: a side, a ship or nothing seen.
func codeName(v *engine.View, of engine.ShipID) string {
	_, contact := blind.ParseNumber(string(of))
	if _, ship := v.Ship(of); ship || contact || of == "" {
		return "the code of " + v.Name(of)
	}
	return "the code of " + v.SideName(string(of))
}

func boxWords(n int) string {
	if n == 1 {
		return "1 box"
	}
	return fmt.Sprintf("%d boxes", n)
}

// labViews fill in what the viewer's ships have gathered, and the sheets that they have drawn.
func (c looking) labViews(v *engine.View, all bool) {
	g := c.game
	if g.Labs == nil {
		return
	}
	captain := captainOf(c.game, v.Viewer)
	name := func(id engine.ShipID) engine.ShipID { return id }
	if g.Blind != nil && !all {
		name = func(id engine.ShipID) engine.ShipID { return knownAs(g, captain, id) }
	}
	for _, s := range v.Ships {
		if !s.Own && !all {
			continue
		}
		s.Files = g.Labs.Aboard(s.ID)
		for _, k := range g.Labs.Known {
			if k.Ship != s.ID {
				continue
			}
			d := engine.LabView{Job: k.Job, What: k.Of, Points: k.Points}
			if k.Job == JobDecode {
				if g.Labs.Broken(s.ID, k.Of) == nil {
					d.What, d.Units = k.As, codeUnits
					s.Gathered = append(s.Gathered, d)
				}
				continue
			}
			if f := g.Labs.File(k.Of); f != nil && k.Job != engine.JobStudy {
				d.Units = f.Units
			} else {
				d.What = string(name(engine.ShipID(k.Of)))
			}
			s.Gathered = append(s.Gathered, d)
		}
		for _, k := range g.Labs.Sheets {
			if k.Ship == s.ID {
				p := k.Panel
				p.Key, p.Title = sheetKey(string(name(k.Of))), fmt.Sprintf("%s at the end of turn %d, as %s drew her sheet", name(k.Of), k.Turn, s.Name)
				v.Sheets = append(v.Sheets, p)
			}
		}
	}
	for _, f := range g.Labs.Files {
		if f.Book != "" {
			continue // of those that have it aboard it is told there
		}
		from, ok := g.Ship(f.From)
		own := slices.ContainsFunc(v.Ships, func(s *engine.ShipView) bool { return s.Own && ok && s.Side == from.Side })
		if g.Blind == nil || all || own {
			v.Files = append(v.Files, engine.FileView{Name: f.Name, Units: f.Units, From: f.From})
		}
	}
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

// LabWords tell what an own ship of a view has gathered, and the files that are aboard.
func LabWords(s *engine.ShipView, v *engine.View) (out []string) {
	for _, name := range s.Files {
		out = append(out, "aboard: the file "+name)
	}
	for _, k := range s.Gathered {
		switch {
		case k.Job == JobDecode:
			out = append(out, fmt.Sprintf("%d of the %d points that break %s", k.Points, k.Units, codeName(v, engine.ShipID(k.What))))
		case k.Units > 0 && k.Points < k.Units:
			out = append(out, fmt.Sprintf("%d of the %d units of the file %s", k.Points, k.Units, k.What))
		case k.Units == 0:
			out = append(out, fmt.Sprintf("%d points of data about %s", k.Points, v.Name(engine.ShipID(k.What))))
		}
	}
	return out
}
