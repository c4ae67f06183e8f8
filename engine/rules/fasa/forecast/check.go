package forecast

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Checker checks order sets by a book.
type Checker struct {
	*rulebook.Rules
	calm     *rulebook.Rules        // the book for forecasts: without chance
	foresees []func(*Forecast, int) // those of all parts
}

// NewChecker makes a checker of a complete book.
func NewChecker(l *rulebook.Rules, foresees []func(*Forecast, int)) *Checker {
	return &Checker{l, calmed(l), foresees}
}

// calmed returns the book without what dice decide about movement: mines, rocks and skills of officers. Other ships are
// where the captain has them.
func calmed(l *rulebook.Rules) *rulebook.Rules {
	calm := *l
	calm.Concealments, calm.AfterMoves = nil, nil
	calm.Easing, calm.CutOrder = play.NoEasing, play.CutsAsOrdered
	return &calm
}

// Check diagnoses an order set against what its captain may know, and says what each line would
// do as things stand now.
func (l *Checker) Check(v *engine.View, id engine.ShipID, b orders.Block) engine.Checked {
	s, sys, ok := ship.Own(v, id)
	hulk := ok && l.Hulks && s.Status == engine.Crippled
	if refused := family.Refuse(s, hulk || ok && s.Status == engine.Active, &b, "E117", "E129", "move 0"); refused != nil {
		return engine.Checked{Diagnostics: refused}
	}
	if post := v.Viewer.Post; post != "" || len(s.Crew) > 0 {
		kept, diags := verbs.CheckPost(l.Rules, s, post, &b)
		checked := l.checkSet(v, s, sys, *kept, hulk)
		checked.Diagnostics = append(checked.Diagnostics, diags...)
		orders.Sort(checked.Diagnostics)
		if !hulk {
			checked.Summary = verbs.PostSummary(l.Rules, v, s, sys, post, kept, checked)
		}
		return checked
	}
	return l.checkSet(v, s, sys, b, hulk)
}

// checkSet is Check for a set that the captain may give.
func (l *Checker) checkSet(v *engine.View, s *engine.ShipView, sys *ship.State, b orders.Block, hulk bool) engine.Checked {
	if hulk {
		return verbs.CheckHulk(l.Rules, v, s, sys, &b)
	}
	if v.DueRound() > 1 {
		return l.checkRound(v, s, sys, &b)
	}
	p := planned(l.Rules, v, s, sys, &b)
	if !p.Unsure.Move && !p.Unsure.Arms && l.PostOfSet(&b) == "" {
		warnUnused(sys, &p, &b)
	}
	out := engine.Checked{Diagnostics: slices.Concat(p.Diags, verbs.WarnOpen(v, &b), verbs.CheckLabs(v, s, sys, &b)), Effects: p.Effects}
	f := newForecast(l, v, s, sys, &p, &out)
	f.phases(1, l.Split.Phases())
	f.sealed()
	pw := p.Power
	if l.PostOfSet(&b) == "" {
		out.Power = engine.Power{Have: pw.Available, Uses: tactical.Uses(p.Spent)}
	}
	rest := fmt.Sprintf("unused %d", pw.Unused)
	if pw.Unused < 0 {
		rest = fmt.Sprintf("%d too many", -pw.Unused)
	}
	if p.Unsure.Move { // nothing is known of the line that was not understood
		orders.Sort(out.Diagnostics)
		return out
	}
	out.Summary = append(out.Summary,
		fmt.Sprintf("power %d: movement %d, shields %d, weapons %d, %s%s", pw.Available, pw.Movement, pw.Shields, pw.Weapons, rulebook.CloakFigure(pw.Cloak)+verbs.LabsFigure(pw.Labs), rest),
		fmt.Sprintf("movement points %d: %s in the %s phases", pw.Points, tactical.JoinInts(pw.Split), words.Number(l.Split.Phases())),
		fmt.Sprintf("shield points %s on shields 1 to 6", tactical.JoinInts(pw.ShieldPoints)))
	f.end(b.Start)
	return out
}

// planned returns the plan of a set for what is due.
func planned(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, b *orders.Block) rulebook.Plan {
	names, wanted := rulebook.RosterOfView(v.Ships), l.Split.Phases()
	if round := v.DueRound(); round > 1 {
		return verbs.CompileRound(l, round, verbs.InMidTurn(s.ID, sys), s.ID, s.Side, sys, sys.Standing, names, v.Sides, b, true)
	} else if round == 1 {
		wanted = 1
	}
	return l.CompileFirst(wanted, s.ID, s.Side, sys, names, v.Sides, b, true)
}

// Chooses returns a function that lists other possible orders for an order set.
func Chooses(l *Checker) func(*engine.View, engine.ShipID, orders.Block) engine.Chooser {
	return func(v *engine.View, id engine.ShipID, b orders.Block) engine.Chooser {
		s, sys, ok := ship.Own(v, id)
		if !ok || s.Status != engine.Active {
			return nil
		}
		p := planned(l.Rules, v, s, sys, &b)
		return newForecast(l, v, s, sys, &p, new(engine.Checked))
	}
}

// checkRound is Check for a round after the first.
func (l *Checker) checkRound(v *engine.View, s *engine.ShipView, sys *ship.State, b *orders.Block) engine.Checked {
	round, power := v.DueRound(), verbs.InMidTurn(s.ID, sys)
	p := planned(l.Rules, v, s, sys, b)
	out := engine.Checked{Diagnostics: p.Diags, Effects: p.Effects}
	if round > l.Split.Phases() { // orderset reports it, as E513
		return out
	}
	able := power.Split[round-1] > 0 || len(power.Armed) > 0 // to move or to fire
	if _, given := b.Group("phase", round); !given && able {
		out.Diagnostics = append(out.Diagnostics, orders.Diagnostic{
			Pos: b.Start, Severity: orders.Warning, Code: "W131", Hint: fmt.Sprintf("write phase %d, and its orders below it", round),
			Message: fmt.Sprintf("there are no orders for phase %d, which is due: those you sent earlier this turn apply, or else the ship holds", round),
		})
	}
	out.Diagnostics = append(out.Diagnostics, verbs.TakenBack(l.Rules, v, sys, b)...)
	f := newForecast(l, v, s, sys, &p, &out)
	f.phases(round, l.Split.Phases())
	f.sealed()
	in := fmt.Sprintf("phase %d", round)
	if last := l.Split.Phases(); round < last {
		in = fmt.Sprintf("the phases %d to %d", round, last)
	}
	out.Summary = append(out.Summary, fmt.Sprintf("movement points: %s in %s", tactical.JoinInts(power.Split[round-1:]), in))
	f.end(b.Start)
	return out
}

// warnUnused warns of a plan that leaves much power unused that could be of use.
func warnUnused(sys *ship.State, p *rulebook.Plan, b *orders.Block) {
	pw := &p.Power
	if !sys.MuchLeft(pw.Unused) || pw.Cloak > 0 || !sys.Wants(pw) || rulebook.KeepsStation(p.Standing) {
		return
	}
	pos := b.Start
	if g, given := b.Group("power", 0); given && g.Pos.Line > 0 {
		pos = g.Pos
	}
	p.Diags = append(p.Diags, orders.Diagnostic{
		Pos: pos, Severity: orders.Warning, Code: "W122", Hint: "put it into movement, shields or weapons",
		Message: fmt.Sprintf("%d of %d power unused; it is lost at the end of the turn", pw.Unused, pw.Available),
	})
}

// end adds where the plotted course ends.
func (f *Forecast) end(start orders.Pos) {
	f.out.Summary = append(f.out.Summary,
		fmt.Sprintf("plotted course ends at %s heading %s, if no other ship moves", f.ship.Hex.Label(), f.ship.Heading))
	if f.v.Bounds != nil && !f.v.Bounds.Contains(f.ship.Hex) {
		f.out.Diagnostics = append(f.out.Diagnostics, orders.Diagnostic{
			Pos: start, Severity: orders.Warning, Code: "W128", Hint: "leaving the map means leaving the battle",
			Message: "the plotted course leaves the map at " + f.ship.Hex.Label(),
		})
	}
	orders.Sort(f.out.Diagnostics)
}

// sealed checks conditions on others' declarations, which may not decide whether a weapon fires
// unless the game says so.
func (f *Forecast) sealed() {
	text := "whether it fires is decided once all targets of the phase are known; this is a house option of this game, not the rules"
	var faults []orders.Diagnostic
	if verbs.Sealed(f.v.Options) {
		text = "others' declarations choose the target; whether to fire is decided as if nobody had declared anything"
		faults = verbs.SealedFaults(f.sys, f.p, f.v.Options)
		f.out.Diagnostics = append(f.out.Diagnostics, faults...)
	}
	for _, phase := range f.p.Phases {
		for _, o := range phase.Fires {
			if verbs.OfDeclared(o.When) && !slices.ContainsFunc(faults, func(d orders.Diagnostic) bool { return d.Pos.Line == o.Line }) {
				f.say(o.Line, text)
			}
		}
	}
}

// Forecast follows a plan on a game made of what its captain knows, by the book's own rules of movement, as if no dice
// were rolled and every other ship stayed where it was.
type Forecast struct {
	lib      *rulebook.Rules // without chance
	foresees []func(*Forecast, int)
	v        *engine.View
	sys      *ship.State // as she is now
	p        *rulebook.Plan
	out      *engine.Checked
	turn     *engine.Turn
	ship     *engine.Ship // in that turn
	// again makes a new forecast of another plan.
	again func(p *rulebook.Plan) *Forecast

	unsure bool // an order with a condition may or may not have moved the ship
	blind  bool // the warning of damaged sensors was given
}

func newForecast(l *Checker, v *engine.View, s *engine.ShipView, sys *ship.State, p *rulebook.Plan, out *engine.Checked) *Forecast {
	f := &Forecast{lib: l.calm, foresees: l.foresees, v: v, sys: sys, p: p, out: out}
	f.again = func(p *rulebook.Plan) *Forecast { return newForecast(l, v, s, sys, p, new(engine.Checked)) }
	own, unknown := ship.Underway(sys, p.Standing), new(ship.State)
	f.turn, f.ship = engine.Rehearse(l.Self, v, s, func(o *engine.ShipView) engine.System {
		if o == s {
			return own
		}
		return unknown
	})
	return f
}

// Place puts the ship where her captain wants to begin, if she can be there.
func (f *Forecast) Place(phase int) {
	if o, placed := family.Find[*verbs.PlaceOrder](f.p.Parts); placed && phase == 0 {
		if why := play.PlaceShip(f.lib, f.turn, f.ship, o); why != "" {
			f.warn(o.Line, "W173", "the ship starts where she is", why)
		}
	}
}

// phases follows the phases from one number to another; the first phase also allots power.
func (f *Forecast) phases(from, to int) {
	if from == 1 {
		f.turn.Emit(&f.p.Power, engine.See{})
		f.parts(0)
	}
	points := tactical.Sum(ship.Of(f.ship).Alloc.Split)
	f.out.Path = append(make([]engine.Step, 0, 1+max(0, points)), engine.Step{At: f.ship.Stands()})
	for n := from; n <= to; n++ {
		f.turn.Phase = engine.Phase{Step: "movement", No: n}
		f.move(n)
		play.Trim(f.lib, f.turn)
		f.parts(n)
		fires, swing := f.p.In(n-1).Fires, play.SwingOf(f.lib, ship.Of(f.ship), f.v.Due, n)
		if len(fires) > 0 {
			f.warnBlind(n, fires[0].Line)
		}
		for _, fo := range fires {
			f.fire(swing, fo)
		}
	}
}

// parts follows the parts' orders in a phase, or at the beginning of the turn for phase 0.
func (f *Forecast) parts(phase int) {
	for _, foresee := range f.foresees {
		foresee(f, phase)
	}
}

func (f *Forecast) warn(line int, code, hint, message string) {
	f.out.Diagnostics = append(f.out.Diagnostics, orders.Diagnostic{
		Pos: orders.Pos{Line: line, Col: 1}, Severity: orders.Warning, Code: code, Hint: hint, Message: message,
	})
}

func (f *Forecast) say(line int, text string) {
	f.out.Effects = append(f.out.Effects, engine.Effect{Line: line, Text: text})
}

// move follows the movement orders of a phase.
func (f *Forecast) move(n int) {
	left := ship.Of(f.ship).Alloc.InPhase(n)
	for _, m := range verbs.Moves(f.p, n-1) {
		if left == 0 || f.ship.Status != engine.Active {
			return
		}
		aim := m.Target
		m.Target = f.lib.Aimed(f.turn.Game, f.ship, aim)
		words, why := play.WordsFor(&m, f.lib, f.turn, f.ship, aim, left)
		if why != "" {
			continue
		}
		from := f.ship.Stands()
		words = slices.Clone(words[:min(len(words), left)])
		left -= len(words)
		f.unsure = f.unsure || m.When != nil
		for i, w := range words {
			if f.ship.Status != engine.Active {
				words = words[:i]
				break
			}
			words[i] = f.word(m.Line, w)
			f.out.Path = append(f.out.Path, engine.Step{Phase: n, At: f.ship.Stands()})
		}
		note := ""
		if m.Verb != "move" {
			note = ", as things stand: " + strings.Join(words, " ")
		}
		if m.When != nil {
			note += ", if the condition holds then"
		}
		to := f.ship.Stands()
		f.say(m.Line, from.Hex.Label()+" "+from.Heading.String()+" to "+to.Hex.Label()+" "+to.Heading.String()+note)
	}
}

// word carries out a movement word and returns what becomes of it; it warns of what the ship surely cannot do.
func (f *Forecast) word(line int, w string) string {
	w = f.lib.OnHelmOut(f.lib, f.turn, f.ship, w) // the helm may be repaired by then
	became, why, _ := play.Heeded(f.lib, f.turn, f.ship, w)
	if why != "" {
		if h, kind := play.InTheWay(f.lib.Ground, f.turn.Game, f.ship.Stands(), w); why == play.LeadsInto(kind, h) {
			f.warn(line, "W170", "a ship stops in front of it", "the plotted course leads into an obstacle at "+h.Label())
		} else if !f.unsure {
			f.warn(line, "W160", "it becomes a hold", w+": "+why)
		}
	}
	play.Step(f.lib, f.turn, f.ship, became, "", engine.Ref{})
	return became
}

// TurnAfter follows the unconditional tactical heading change of a phase.
func (f *Forecast) TurnAfter(n int) {
	if n == 0 || f.ship.Status != engine.Active {
		return
	}
	for _, o := range ship.Read[[]play.Tactic](f.p.In(n - 1).Parts) {
		if o.When != nil {
			f.unsure = true
			continue
		}
		before := f.ship.Heading
		o.Turn(f.lib, f.turn, f.ship, f.lib.Aimed(f.turn.Game, f.ship, o.Target))
		if f.ship.Heading != before {
			f.out.Path = append(f.out.Path, engine.Step{Phase: n, At: f.ship.Stands()})
		}
		return
	}
}

// warnBlind warns of fire in a phase in which the sensors are out as things stand.
func (f *Forecast) warnBlind(n, line int) {
	switch {
	case f.sys.NoFire == f.lib.FirePhase(f.v.Due, n):
		f.warn(line, "W143", "", fmt.Sprintf("the sensors are out in phase %d: no fire in it", n))
	case f.sys.Sensors().Down && !f.blind:
		f.blind = true
		f.warn(line, "W143", "", "the sensors are damaged: no fire unless they are repaired first")
	}
}

// WarnLay warns of mines that surely cannot be laid.
func (f *Forecast) WarnLay(phase int) {
	if phase > 0 {
		return
	}
	for _, o := range ship.Read[[]verbs.LayOrder](f.p.Parts) {
		why := ""
		if f.v.Due != 1 {
			why = play.TooLateToLay
		}
		for _, h := range o.Hexes {
			inField := slices.ContainsFunc(f.v.Terrain, func(m *engine.Feature) bool {
				return m.Kind == board.Minefield && m.Side == f.ship.Side && slices.Contains(m.Hexes, h)
			})
			if why == "" && !inField {
				why = play.NotInField(h)
			}
		}
		if why != "" {
			f.warn(o.Line, "W172", "dice place what cannot be laid here", why)
		}
	}
}

func (f *Forecast) fire(swing int, fo rulebook.FireOrder) {
	at := f.ship.Stands()
	foe, ok := f.v.Ship(f.lib.Aimed(f.turn.Game, f.ship, fo.Target))
	_, stands := f.lib.IsAim(string(fo.Target))
	switch {
	case !ok && stands:
		f.say(fo.Line, string(fo.Target)+" matches no ship now; it may when the order is carried out")
		return
	case !ok || foe.Hex == nil:
		f.say(fo.Line, "the target is not on the map")
		return
	case foe.Sight != engine.Seen:
		f.say(fo.Line, foe.Name+" is not in sight: it is fired at only if it is in sight then")
		return
	}
	rng := hex.Distance(at.Hex, *foe.Hex)
	var can, cannot []string
	seen := map[int]bool{}
	for _, sh := range fo.Shots {
		if seen[sh.Bank] {
			continue
		}
		seen[sh.Bank] = true
		b := &f.sys.Banks[sh.Bank]
		if tactical.Sum(f.p.Power.Armed[b.ID]) == 0 {
			continue
		}
		aimed := engine.Aimed{Line: fo.Line, Weapon: b.ID, Target: foe.ID}
		arc, bears := b.Bears(f.lib.Library, at, *foe.Hex)
		need := f.lib.ToHit(b.Chart, rng)
		switch {
		case !bears:
			aimed.Why = "does not bear"
		case need == 0:
			aimed.Why = "reaches " + strconv.Itoa(f.lib.Reach(b.Chart))
		default:
			aimed.Chance = strconv.Itoa(f.lib.Percent(f.sys.Lasting(b, need)+swing)) + "%"
		}
		if f.out.Aimed = append(f.out.Aimed, aimed); aimed.Why != "" {
			cannot = append(cannot, b.ID+" "+aimed.Why)
		} else {
			can = append(can, b.ID+" ("+ArcWord(arc)+") "+aimed.Chance)
		}
	}
	text := "range " + strconv.Itoa(rng) + " if " + foe.Name + " stays"
	if len(can) > 0 {
		text += ": " + strings.Join(can, ", ")
	}
	if len(cannot) > 0 {
		text += "; " + strings.Join(cannot, ", ")
	}
	f.say(fo.Line, text)
}

// Names implements [engine.Chooser].
func (f *Forecast) Names(placeholder string) (out []string) {
	switch placeholder {
	case "SHIELD":
		return []string{"1", "2", "3", "4", "5", "6"}
	case "MOUNT", "BANK", "WEAPON":
		for i := range f.sys.Banks {
			if b := &f.sys.Banks[i]; slices.ContainsFunc(b.Mounts, func(m ship.Mount) bool { return !m.Destroyed }) {
				out = append(out, b.ID)
			}
		}
	}
	return out
}

// Reach implements [engine.Chooser]: it tries each word from each newly reached place, as an order to move would.
func (f *Forecast) Reach(phase int) (out []engine.Reached) {
	from, start := max(1, f.v.DueRound()), f.again(f.p)
	if phase < from || phase > f.lib.Split.Phases() || f.ship.Status == engine.Crippled {
		return nil
	}
	start.phases(from, phase-1)
	seen := map[engine.Place]bool{start.ship.Stands(): true}
	out = append(out, engine.Reached{At: start.ship.Stands()})
	for i := 0; i < len(out) && len(out) < board.MostReached && out[i].Cost < ship.Of(start.ship).Alloc.InPhase(phase); i++ {
		for _, w := range f.lib.Self.Language.Params["WORD"].Choices {
			p, way := *f.p, slices.Concat(out[i].Words, []string{w})
			p.Put(phase-1, rulebook.PhasePlan{Moves: []rulebook.MoveOrder{{Maneuver: board.Maneuver{Verb: "move"}, Words: way}}, Parts: f.p.In(phase - 1).Parts})
			g := f.again(&p)
			g.phases(from, phase)
			if at := g.ship.Stands(); len(g.out.Diagnostics) == 0 && g.ship.Status == engine.Active && !seen[at] {
				seen[at], out = true, append(out, engine.Reached{At: at, Words: way, Cost: len(way)})
			}
		}
	}
	return out
}

// ArcWord returns an arc's letter in words.
func ArcWord(letter string) string {
	if i := strings.Index("fpsa", letter); i >= 0 && len(letter) == 1 {
		return [...]string{"forward", "port", "starboard", "aft"}[i]
	}
	if n, ok := rulebook.OutpostArc(letter); ok {
		return fmt.Sprintf("arc %d", n)
	}
	return letter
}
