package fasa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// check diagnoses an order set against what its captain may know, and tells
// what each line would do as things stand now.
func (l *rulebook) check(v *engine.View, id engine.ShipID, b orders.Block) engine.Checked {
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil {
		return engine.Checked{Diagnostics: []orders.Diagnostic{{
			Pos: b.Start, Code: "E117", Message: "this ship takes no orders now", Hint: "it is not on the map",
		}}}
	}
	if s.Status == engine.Waiting {
		return engine.Checked{Diagnostics: []orders.Diagnostic{{
			Pos: b.Start, Code: "E117", Message: fmt.Sprintf("%s takes no orders before turn %d, when it arrives", s.Name, s.Arrives),
		}}}
	}
	hulk := l.hulks && s.Status == engine.Crippled
	if s.Status != engine.Active && !hulk {
		return engine.Checked{Diagnostics: []orders.Diagnostic{{
			Pos: b.Start, Code: "E117", Message: fmt.Sprintf("%s is out of the fight (%s) and takes no orders", s.Name, s.Status),
		}}}
	}
	if !slices.ContainsFunc(b.Groups, func(g orders.Group) bool { return len(g.Statements) > 0 }) {
		return engine.Checked{Diagnostics: []orders.Diagnostic{{
			Pos: b.End, Code: "E129", Message: "there are no orders in this set", Hint: "to do nothing on purpose, write: power, and below it: move 0",
		}}}
	}
	if post := v.Viewer.Post; post != "" || len(s.Crew) > 0 {
		kept, diags := l.checkPost(s, post, &b)
		checked := l.checkSet(v, s, sys, *kept, hulk)
		checked.Diagnostics = append(checked.Diagnostics, diags...)
		orders.Sort(checked.Diagnostics)
		if !hulk {
			checked.Summary = l.postSummary(v, s, sys, post, kept, checked)
		}
		return checked
	}
	return l.checkSet(v, s, sys, b, hulk)
}

// checkSet is check for a set that may be given.
func (l *rulebook) checkSet(v *engine.View, s *engine.ShipView, sys *ship.State, b orders.Block, hulk bool) engine.Checked {
	if hulk {
		return l.checkHulk(v, s, sys, &b)
	}
	if v.DueRound() > 1 {
		return l.checkRound(v, s, sys, &b)
	}
	wanted := l.Split.Phases()
	if v.Rounds > 0 {
		wanted = 1
	}
	p := l.compileFirst(wanted, s.ID, s.Side, sys, rosterOfView(v.Ships), v.Sides, &b, true)
	if !p.unsure.move && !p.unsure.arms && l.postOfSet(&b) == "" {
		warnUnused(sys, &p, &b)
	}
	out := engine.Checked{Diagnostics: slices.Concat(p.diags, warnOpen(v, &b), checkLabs(v, s, sys, &b)), Effects: p.effects}
	f := &forecast{lib: l, v: v, sys: sys, p: &p, at: engine.Place{Hex: *s.Hex, Heading: *s.Heading}, out: &out, gear: gearOf(sys.Helm(), v.Due)}
	f.at = f.begin(f.at)
	out.Path = append(out.Path, engine.Step{At: f.at})
	for n := range l.Split.Phases() {
		f.phase(n)
	}
	f.warnLay(s.Side)
	f.sealed()
	pw := p.power
	rest := fmt.Sprintf("unused %d", pw.Unused)
	if pw.Unused < 0 {
		rest = fmt.Sprintf("%d too many", -pw.Unused)
	}
	if p.unsure.move { // nothing can be said of what the line that was not understood would do
		orders.Sort(out.Diagnostics)
		return out
	}
	out.Summary = append(out.Summary,
		fmt.Sprintf("power %d: movement %d, shields %d, weapons %d, %s%s", pw.Available, pw.Movement, pw.Shields, pw.Weapons, cloakFigure(pw.Cloak)+labsFigure(pw.Labs), rest),
		fmt.Sprintf("movement points %d: %s in the %s phases", pw.Points, tactical.JoinInts(pw.Split), numberWord(l.Split.Phases())),
		fmt.Sprintf("shield points %s on shields 1 to 6", tactical.JoinInts(pw.ShieldPoints)))
	f.end(b.Start)
	return out
}

// warnUnused remarks on a plan that leaves much of the power to nothing although it
// could buy something.
func warnUnused(sys *ship.State, p *plan, b *orders.Block) {
	pw := &p.power
	if !sys.MuchLeft(pw.Unused) || pw.Cloak > 0 || !sys.Wants(pw) || keepsStation(p.standing) {
		return
	}
	pos := b.Start
	if g, given := b.Group("power", 0); given && g.Pos.Line > 0 {
		pos = g.Pos
	}
	p.diags = append(p.diags, orders.Diagnostic{
		Pos: pos, Severity: orders.Warning, Code: "W122", Hint: "movement, shields or weapons can use it",
		Message: fmt.Sprintf("%d of %d power are unused, and lost at the end of the turn", pw.Unused, pw.Available),
	})
}

// end tells where the plotted way ends.
func (f *forecast) end(start orders.Pos) {
	v, out := f.v, f.out
	out.Summary = append(out.Summary,
		fmt.Sprintf("plotted way ends at %s heading %s, if the others stay where they are", f.at.Hex.Label(), f.at.Heading))
	if v.Bounds != nil && !v.Bounds.Contains(f.at.Hex) {
		out.Diagnostics = append(out.Diagnostics, orders.Diagnostic{
			Pos: start, Severity: orders.Warning, Code: "W128", Hint: "leaving the map is leaving the battle",
			Message: "the plotted way leaves the map at " + f.at.Hex.Label(),
		})
	}
	orders.Sort(out.Diagnostics)
}

// sealed looks at conditions on what others declare, which may not decide whether a
// weapon fires unless the game says so.
func (f *forecast) sealed() {
	if !sealed(f.v.Options) {
		for _, phase := range f.p.phases {
			for _, o := range phase.fires {
				if ofDeclared(o.when) {
					f.say(o.line, "whether it fires is decided when all targets of the phase are known, which is not by the book: so this game has it")
				}
			}
		}
		return
	}
	faults := f.lib.sealedFaults(f.sys, f.p, f.v.Options)
	f.out.Diagnostics = append(f.out.Diagnostics, faults...)
	for _, phase := range f.p.phases {
		for _, o := range phase.fires {
			if ofDeclared(o.when) && !slices.ContainsFunc(faults, func(d orders.Diagnostic) bool { return d.Pos.Line == o.line }) {
				f.say(o.line, "what others declare chooses the target; whether to fire is decided as if nobody had declared anything")
			}
		}
	}
}

// forecast follows a plan as if every other ship stayed where it is.
type forecast struct {
	lib *rulebook
	v   *engine.View
	sys *ship.State
	p   *plan
	at  engine.Place
	out *engine.Checked

	gear   maneuverState
	unsure bool // an order with a condition has moved the ship, or has not
	blind  bool // it was remarked that the sensors are damaged
}

func (f *forecast) say(line int, text string) {
	f.out.Effects = append(f.out.Effects, engine.Effect{Line: line, Text: text})
}

func (f *forecast) phase(n int) {
	left, sea := f.p.power.Split[n], board.PassabilityIn(f.v.Bounds, f.v.Terrain, f.lib.steps, f.lib.ground)
	for _, m := range f.p.moves(n) {
		if left == 0 {
			break
		}
		words := m.words
		if m.Verb != "move" {
			target := engine.Place{Hex: m.At}
			if m.target != "" {
				foe, ok := f.v.Ship(f.lib.aimedInView(f.v, f.p.power.Ship, f.sys, f.at, m.target))
				if !ok || foe.Hex == nil {
					continue
				}
				target = foe.Stands()
			}
			sea.Stuck = f.gear.stuck()
			words = board.Expand(m.Maneuver, f.at, left, target, sea)
		}
		from, words := f.at, slices.Clone(words)
		for i, w := range words {
			if i == left {
				words = words[:i]
				break
			}
			w = f.steered(m, w)
			words[i] = w
			if h, closed := sea.Into(f.at, w); closed {
				f.out.Diagnostics = append(f.out.Diagnostics, orders.Diagnostic{
					Pos: orders.Pos{Line: m.line, Col: 1}, Severity: orders.Warning, Code: "W170", Hint: "a ship stops before it",
					Message: "the plotted way leads into an obstacle at " + h.Label(),
				})
				if w = lesser(w); !sea.Open(f.at, w) {
					w = "H"
				}
				words[i] = w
			}
			f.at = board.Step(f.at, w)
			f.out.Path = append(f.out.Path, engine.Step{Phase: n + 1, At: f.at})
		}
		left -= len(words)
		note := ""
		if m.Verb != "move" {
			note = ", as things stand: " + strings.Join(words, " ")
		}
		if m.when != nil {
			note += ", if the condition holds then"
		}
		f.say(m.line, from.Hex.Label()+" "+from.Heading.String()+" to "+f.at.Hex.Label()+" "+f.at.Heading.String()+note)
	}
	fires := f.p.in(n).fires
	if len(fires) > 0 {
		f.warnBlind(n, fires[0].line)
	}
	for _, fo := range fires {
		f.fire(fo)
	}
	f.gear.next()
}

// warnBlind remarks on fire in a phase for which the sensors are out as things stand.
func (f *forecast) warnBlind(n, line int) {
	why := ""
	switch {
	case f.sys.NoFire == f.lib.firePhase(f.v.Due, n+1):
		why = fmt.Sprintf("the sensors are out in phase %d: there is no fire in it", n+1)
	case f.sys.Sensors().Down && !f.blind:
		why, f.blind = "the sensors are damaged: there is no fire unless they are repaired before", true
	default:
		return
	}
	f.out.Diagnostics = append(f.out.Diagnostics, orders.Diagnostic{Pos: orders.Pos{Line: line, Col: 1}, Severity: orders.Warning, Code: "W143", Message: why})
}

// steered is what becomes of a movement word at the helm; what the ship can surely
// not do is remarked on.
func (f *forecast) steered(m moveOrder, w string) string {
	f.unsure = f.unsure || m.when != nil
	if why, _ := f.gear.forbids(w); why != "" {
		if !f.unsure {
			f.out.Diagnostics = append(f.out.Diagnostics, orders.Diagnostic{
				Pos: orders.Pos{Line: m.line, Col: 1}, Severity: orders.Warning, Code: "W160", Hint: "it becomes a hold",
				Message: w + ": " + why,
			})
		}
		w = "H"
	}
	f.gear.use(w)
	return w
}

func (f *forecast) fire(fo fireOrder) {
	foe, ok := f.v.Ship(f.lib.aimedInView(f.v, f.p.power.Ship, f.sys, f.at, fo.target))
	_, stands := f.lib.isAim(string(fo.target))
	switch {
	case !ok && stands:
		f.say(fo.line, string(fo.target)+" means no ship now; it may when the order is carried out")
		return
	case !ok || foe.Hex == nil:
		f.say(fo.line, "the target is not on the map")
		return
	case foe.Sight != engine.Seen:
		f.say(fo.line, foe.Name+" is not in sight: there is fire only if it is then")
		return
	}
	rng := hex.Distance(f.at.Hex, *foe.Hex)
	var can, cannot []string
	seen := map[int]bool{}
	for _, sh := range fo.shots {
		if seen[sh.bank] {
			continue
		}
		seen[sh.bank] = true
		b := &f.sys.Banks[sh.bank]
		if tactical.Sum(f.p.power.Armed[b.ID]) == 0 {
			continue
		}
		arc, bears := b.Bears(f.lib.Library, f.at, *foe.Hex)
		need := f.lib.ToHit(b.Chart, rng)
		switch {
		case !bears:
			cannot = append(cannot, b.ID+" does not bear")
		case need == 0:
			cannot = append(cannot, b.ID+" reaches "+strconv.Itoa(f.lib.Reach(b.Chart)))
		default:
			if need = f.sys.Lasting(b, need); f.gear.swung {
				need += swungFire
			}
			can = append(can, b.ID+" ("+arcWord(arc)+") "+strconv.Itoa(f.lib.percent(need))+"%")
		}
	}
	text := "range " + strconv.Itoa(rng) + " if " + foe.Name + " stays"
	if len(can) > 0 {
		text += ": " + strings.Join(can, ", ")
	}
	if len(cannot) > 0 {
		text += "; " + strings.Join(cannot, ", ")
	}
	f.say(fo.line, text)
}

// arcWord is an arc's letter in words.
func arcWord(letter string) string {
	switch letter {
	case "f":
		return "forward"
	case "p":
		return "port"
	case "s":
		return "starboard"
	case "a":
		return "aft"
	}
	if n, ok := outpostArc(letter); ok {
		return fmt.Sprintf("arc %d", n)
	}
	return letter
}

// cloakFigure is the same in a list of figures.
func cloakFigure(power int) string {
	if power == 0 {
		return ""
	}
	return fmt.Sprintf("cloak %d, ", power)
}
