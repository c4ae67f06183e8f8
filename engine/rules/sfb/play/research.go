package play

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/orders"
)

// Pace says how fast a probe flies.
func Pace(r *rulebook.ResearchData) string {
	if r.Pace == 1 {
		return "a hex an impulse"
	}
	return fmt.Sprintf("a hex every %d impulses", r.Pace)
}

// ReadResearch reads an order for probes, shuttles or their data.
func ReadResearch(c *rulebook.Compiler, a *rulebook.Act, st orders.Statement) bool {
	if !c.InTheDark(st) {
		return false
	}
	if at, ok := st.Arg("HEX"); ok {
		h, err := hex.ParseLabel(at.Text)
		if err != nil {
			c.Fail(at.Pos, "E122", "column and row in two digits each: 0714", "%s is not a hex", at.Text)
			return false
		}
		a.At = h
	}
	if st.Verb == rulebook.VerbProbe {
		return probe(c, a, st)
	}
	craft, named := st.Arg("CRAFT")
	if !named {
		if c.Sys.Sheet.Count(sheet.Shuttle).Left <= c.Sys.Away {
			c.Fail(st.Pos, "E252", "leave it out", "no shuttle is left aboard")
			return false
		}
		return true
	}
	i := slices.IndexFunc(c.Names, func(k rulebook.Known) bool {
		return k.ShuttleOf == c.ID && (strings.EqualFold(k.Name, craft.Text) || strings.EqualFold(k.Short, craft.Text))
	})
	if i < 0 {
		var own []string
		for _, k := range c.Names {
			if k.ShuttleOf == c.ID {
				own = append(own, k.Name)
			}
		}
		c.Fail(craft.Pos, "E252", orders.DidYouMean("%s", craft.Text, own, "launch one: shuttle to 1412"), "no shuttle %q of this ship is on the map", craft.Text)
		return false
	}
	a.Craft, a.What = c.Names[i].ID, ""
	if st.Form == 5 {
		a.What = rulebook.WordRetrieve
		return true
	}
	if st.Form == 3 && c.Dark {
		c.Fail(st.Pos, "E259", "leave it out", "in the dark a shuttle takes no data from ships: it gathers its own")
		return false
	}
	if st.Form >= 2 {
		a.What = []string{rulebook.WordStudy, rulebook.WordReceive, rulebook.WordSend}[st.Form-2]
		if before, ok := c.Shuttles[string(a.Craft)]; ok {
			if why := oneJob(before, a.What); why != "" {
				c.Fail(st.Pos, "E251", "do one of them next turn", "%s %s", c.Names[i].Name, why)
				return false
			}
		}
		if c.Shuttles == nil {
			c.Shuttles = map[string]string{}
		}
		c.Shuttles[string(a.Craft)] = a.What
	}
	if k := slices.IndexFunc(c.Names, func(k rulebook.Known) bool { return k.ID == a.Target }); a.What != "" && a.What != rulebook.WordStudy && (k < 0 || c.Names[k].Side != c.Side) {
		arg, _ := st.Arg("SHIP")
		c.Fail(arg.Pos, "E253", "name a ship of your side", "a shuttle exchanges data only with ships of its own side")
		return false
	}
	return true
}

// probe reads an order to launch a probe.
func probe(c *rulebook.Compiler, a *rulebook.Act, st orders.Statement) bool {
	switch n := c.Sys.Sheet.Count(sheet.Probe); {
	case n.All == 0:
		c.Fail(st.Pos, "E250", "leave it out", "this ship has no probe launcher")
		return false
	case n.Left <= c.Sys.Probes:
		c.Fail(st.Pos, "E250", "leave it out", "no probe is loaded: each box has one in a battle")
		return false
	}
	r := &c.Book.Research
	if file, named := st.Arg("FILE"); named {
		a.What = strings.ToLower(file.Text)
		c.Effect(st.Pos.Line, "it receives %d units each turn that ends with it within %s of the sender", dark.ProbePoints, phrase.Hexes(r.Range))
		return true
	}
	ship, named := st.Arg("SHIP")
	a.Carry = st.Form == dark.ProbeCarries
	if !named {
		switch {
		case !c.Dark && a.Carry:
			c.Fail(st.Pos, "E259", "leave it out: message side", "in the open your side reads your messages without a probe")
			return false
		case !c.Dark:
			c.Fail(st.Pos, "E259", "say what it is for: probe to 1412 study Zephyr", "in the open everything is seen without a probe")
			return false
		case a.Carry && !dark.ForCourier(c.Block):
			c.Warn(st.Pos, "W241", "add message courier, and the text", "this set has no message for it to carry; without one it is not launched")
		}
		if a.Carry {
			c.Effect(st.Pos.Line, "ships of your side within %s of it read what it carries", phrase.Hexes(dark.CourierReach))
		}
		c.Effect(st.Pos.Line, "it detects what is within %s", phrase.Hexes(r.Range))
		return true
	}
	if k := slices.IndexFunc(c.Names, func(k rulebook.Known) bool { return k.ID == a.Target }); c.Dark && k >= 0 && c.Names[k].Side == c.Side {
		c.Fail(ship.Pos, "E256", "name an enemy, or a contact", "probes study what is not on your own side")
		return false
	}
	c.Effect(st.Pos.Line, "it gathers %d points each turn that ends with it within %s of her", dark.ProbePoints, phrase.Hexes(r.Range))
	return true
}

// LaunchProbe launches a probe, or says why it cannot.
func LaunchProbe(l *rulebook.Rules, t *engine.Turn, s, target *engine.Ship, a *rulebook.Act) string {
	switch sys := state.Of(s); {
	case state.Cloaked(s):
		return shipCloaked
	case sys.Sheet.Count(sheet.Probe).Left <= sys.Probes:
		return "no probe is loaded"
	}
	if a.Carry && dark.In(t).CourierWords(s) == nil {
		return "there are no words for it to carry: message courier"
	}
	launchCraft(l, t, s, sheet.Probe, target, a)
	useOf(l, t, s, sheet.Probe, state.Of(s).Probes, t.Last())
	return ""
}

// CommandShuttle launches a shuttle or sets its course, or says why it cannot.
func CommandShuttle(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, a *rulebook.Act) string {
	d, out := t.Game.Ship(a.Craft)
	switch sys := state.Of(s); {
	case a.Craft == "" && state.Cloaked(s):
		return shipCloaked
	case a.Craft == "" && sys.Sheet.Count(sheet.Shuttle).Left <= sys.Away:
		return "no shuttle is left aboard"
	case a.Craft == "":
		launchCraft(l, t, s, sheet.Shuttle, nil, a)
		useOf(l, t, s, sheet.Shuttle, state.Of(s).Away, t.Last())
	case !out || d.Status != engine.Active:
		return "there is no such shuttle on the map now"
	case a.What == rulebook.WordRetrieve:
		return retrieve(l, t, s, d, a)
	case a.What == "" && state.Of(d).Course != a.At:
		t.Because(t.Ordered(s.ID, a.Line, a.Text)).Emit(&state.CraftCourse{Craft: d.ID, To: a.At}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnResearch)...)
	}
	return ""
}

// launchCraft puts a probe or shuttle on the map.
func launchCraft(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, kind sheet.Kind, about *engine.Ship, a *rulebook.Act) {
	letter, hits, study, file := "r", 1, "", a.What
	var words string
	if a.Carry {
		words = strings.Join(dark.In(t).CourierWords(s), "\n")
	}
	if kind == sheet.Shuttle {
		letter, hits, file = "b", l.Research.Hits, ""
	}
	if about != nil {
		study = string(about.ID)
	}
	name, short := craftName(l, t, s, letter)
	at := headed(engine.Place{Hex: s.Hex, Heading: s.Heading}, a.At)
	t.Because(t.Ordered(s.ID, a.Line, a.Text)).Emit(&state.CraftLaunch{
		Ship: s.ID, Craft: name, Short: short, At: at, To: a.At, Study: engine.ShipID(study), File: file, Words: words,
		Flight: state.Flight{Kind: kind, Launched: state.Shot{Turn: t.Number(), Impulse: t.Phase.No}, Points: hits},
	}, engine.SeeAll(s.ID), l.Cite(rulebook.OnResearch)...)
}

// FlyCraft moves probes a hex towards their destination, and in the last impulse shuttles.
func FlyCraft(l *rulebook.Rules, t *engine.Turn) {
	for _, d := range state.Crafts(t.Game) {
		sys := state.Of(d)
		age := since(l, sys.Flight.Launched, t)
		if d.Hex == sys.Course || age < 1 || d.Kind == engine.KindProbe && (age > l.Research.Life*l.Research.Pace || age%l.Research.Pace > 0) || d.Kind == engine.KindShuttle && t.Phase.No < l.Impulses {
			continue
		}
		from := engine.Place{Hex: d.Hex, Heading: d.Heading}
		word, _ := known(l, t, d).Course(from, sys.Course, true)
		if space(l, t).Closed[steering.Step(from, word).Hex] != "" { // its destination lies in it
			continue
		}
		t.Emit(&engine.Move{Ship: d.ID, Word: word, Cost: 1, From: from, To: steering.Step(from, word)}, engine.SeeAll(), l.Cite(rulebook.OnResearch)...)
		lookAfter(t, d, from.Hex)
		if b := t.Game.Bounds; b != nil && !b.Contains(d.Hex) {
			t.Out(d, engine.Left, "it is off the map", nil, l.Cite(rulebook.OnResearch)...)
		}
	}
	dark.In(t).DeliverWords(l.Cite(rulebook.OnResearch)...)
}

// Gather makes probes and shuttles do their work at the end of a turn.
func Gather(l *rulebook.Rules, t *engine.Turn) {
	for _, d := range state.Crafts(t.Game) {
		parent, ok := t.Game.Ship(d.Parent)
		if d.Kind == engine.KindProbe && ok && fair(parent) && t.Game.Blind == nil { // in the dark, the engine's laboratories draw sheets with it
			study(l, t, d, parent, state.Of(d).Study, engine.Ref{})
		}
	}
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		done := map[engine.ShipID][]string{} // orders of several rounds were not read together
		for _, phase := range p.Phases {
			for i := range phase.Acts {
				a := &phase.Acts[i]
				d, ok := t.Game.Ship(a.Craft)
				if a.Verb != rulebook.VerbShuttle || a.What == "" || a.What == rulebook.WordRetrieve || !ok || d.Status != engine.Active {
					continue
				}
				cause := t.Ordered(s.ID, a.Line, a.Text)
				why := ""
				for _, before := range done[d.ID] {
					why = cmp.Or(why, oneJob(before, a.What))
				}
				if why != "" {
					t.Because(cause).Emit(&engine.Skip{Ship: s.ID, Line: a.Line, Order: a.Text, Reason: d.Name + " " + why}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnSkipped)...)
					continue
				}
				done[d.ID] = append(done[d.ID], a.What)
				target := aim(l, t.Game, s, a.Target)
				switch {
				case target == nil:
				case a.What == rulebook.WordStudy:
					study(l, t, d, d, target.ID, cause)
				case a.What == rulebook.WordReceive:
					hand(l, t, target, d, rulebook.WordReceive, cause)
				default:
					hand(l, t, d, target, rulebook.WordSend, cause)
				}
			}
		}
	}
}

// study makes a probe or a shuttle gather data about a ship, for the ship that keeps it.
func study(l *rulebook.Rules, t *engine.Turn, d, keeps *engine.Ship, about engine.ShipID, cause engine.Ref) {
	target, ok := t.Game.Ship(about)
	if !ok || !target.OnMap() || !sees(&l.Book, t.Game, d, target) || t.Game.Blind != nil && dark.Detects(l.Self, t.Game, d, target) < blind.Presence {
		return
	}
	b := &state.Study{Craft: d.ID, Ship: keeps.ID, About: about, How: rulebook.VerbProbe, Range: hex.Distance(d.Hex, target.Hex), Points: dark.ProbePoints}
	if b.Range > l.Research.Range {
		return
	}
	if d.Kind == engine.KindShuttle {
		b.How = rulebook.WordStudy
		b.Roll = t.Roll(engine.NameRoll("study", d.ID), dice.D6, engine.SeeOnly(d.Parent), l.Cite(rulebook.OnResearch)...)
		b.Points = min(max(0, l.Research.Lab-b.Roll-b.Range), Room(l, state.Of(d)))
	}
	t.Because(cause).Emit(b, engine.SeeOnly(d.Parent), l.Cite(rulebook.OnResearch)...)
}

// Room returns how many more points a shuttle can hold.
func Room(l *rulebook.Rules, d *state.System) int {
	n := l.Research.Hold
	for _, k := range d.Data {
		n -= k.Points
	}
	return max(0, n)
}

// hand passes data from one to another, up to what a shuttle holds or sends.
func hand(l *rulebook.Rules, t *engine.Turn, from, to *engine.Ship, how string, cause engine.Ref) {
	shuttle, left := to, Room(l, state.Of(to))
	if how == rulebook.WordSend {
		shuttle, left = from, l.Research.Hold
	}
	see := engine.SeeOnly(shuttle.Parent)
	if how == rulebook.WordSend && to.ID != shuttle.Parent {
		see = engine.SeeOnly(shuttle.Parent, to.ID)
	}
	for _, k := range slices.Clone(state.Of(from).Data) {
		if n := min(left, k.Points); n > 0 {
			sent := t.Because(cause).Emit(&state.Study{Craft: shuttle.ID, Ship: to.ID, From: from.ID, About: k.About, How: how, Points: n}, see, l.Cite(rulebook.OnResearch)...)
			if t.Game.Blind != nil && how == rulebook.WordSend {
				dark.In(t).HandData(shuttle, to, k.About, n, sent)
			}
			left -= n
		}
	}
}

// StudyWords describes the result of a study.
func StudyWords(_ *rulebook.Rules, v *engine.View, b *state.Study) string {
	switch b.How {
	case rulebook.WordSend:
		return fmt.Sprintf("%s sends %s %s about %s", v.Name(b.Craft), v.Name(b.Ship), phrase.Points(b.Points), v.Name(b.About))
	case rulebook.WordReceive:
		return fmt.Sprintf("%s takes %s about %s from %s", v.Name(b.Craft), phrase.Points(b.Points), v.Name(b.About), v.Name(b.From))
	}
	text := fmt.Sprintf("%s gathers %s about %s at range %d", v.Name(b.Craft), phrase.Points(b.Points), v.Name(b.About), b.Range)
	if b.Roll > 0 {
		text += fmt.Sprintf(", die %d", b.Roll)
	}
	return text
}

// WhyStudy explains the points of a study.
func WhyStudy(l *rulebook.Rules, _ *engine.Story, _ int, b *state.Study) []string {
	switch {
	case b.Roll > 0:
		return []string{fmt.Sprintf("%d less a die of %d and the range of %d, and at most what a shuttle holds, %d", l.Research.Lab, b.Roll, b.Range, l.Research.Hold)}
	case b.How == rulebook.VerbProbe:
		return []string{fmt.Sprintf("a probe gathers %d points a turn within %s, without a die", dark.ProbePoints, phrase.Hexes(l.Research.Range))}
	}
	return []string{fmt.Sprintf("a shuttle holds or sends at most %d points", l.Research.Hold)}
}

// StudyInTheDark returns what a captain learns from an own shuttle.
func StudyInTheDark(_ *rulebook.Rules, b *state.Study, to *dark.Observer) (engine.Body, []string) {
	if to.Own(b.Craft) {
		return to.Retell(b), nil
	}
	return nil, nil
}

// retrieve takes a shuttle in the same hex back aboard, or says why it cannot.
func retrieve(l *rulebook.Rules, t *engine.Turn, s, d *engine.Ship, a *rulebook.Act) string {
	switch {
	case state.Cloaked(s):
		return shipCloaked
	case d.Hex != s.Hex:
		return fmt.Sprintf("%s is at %s, and she is at %s", d.Name, d.Hex.Label(), s.Hex.Label())
	case state.Of(s).Sheet.Count(sheet.Shuttle).Left == 0:
		return "no box for shuttles is left"
	}
	data := slices.Clone(state.Of(d).Data)
	back := t.Because(t.Ordered(s.ID, a.Line, a.Text)).Emit(&state.CraftBack{Ship: s.ID, Craft: d.ID}, engine.SeeAll(), l.Cite(rulebook.OnResearch)...)
	if t.Game.Blind != nil {
		for _, k := range data {
			dark.In(t).HandData(d, s, k.About, k.Points, back)
		}
	}
	t.Because(back).Out(d, engine.Left, "it is back aboard", nil, l.Cite(rulebook.OnResearch)...)
	return ""
}

// oneJob returns why a shuttle cannot do one task after another in the same turn, or "".
func oneJob(before, now string) string {
	switch {
	case (before == rulebook.WordSend) != (now == rulebook.WordSend):
		return "cannot gather or receive data and send them in one turn"
	case before == rulebook.WordStudy && now == rulebook.WordStudy:
		return "has one laboratory, which studies one ship a turn"
	}
	return ""
}

// Nature describes what can be learned from afar about the n-th kind of weapon on a sheet; "" if there is none.
func Nature(l *rulebook.Rules, s *sheet.Sheet, n int) string {
	var kinds []sheet.Kind
	for i := range s.Banks {
		if k := s.Banks[i].Kind; k.Category() == sheet.WeaponBoxes && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	if n > len(kinds) {
		return ""
	}
	k := kinds[n-1]
	chart, reach, most := l.Charts[k], 0, 0
	for i := range s.Banks {
		if b := &s.Banks[i]; b.Kind == k {
			reach = max(reach, chart.Reach(b))
		}
	}
	for _, r := range chart.Rows {
		for die := 1; die <= 6; die++ {
			most = max(most, r.PointsOf(die, 0))
		}
	}
	parts := []string{k.Title()}
	if k.Rack() {
		most = l.Drone.Damage
		parts = append(parts, fmt.Sprintf("flies %d impulses", l.Drone.Life))
	} else if reach > 0 {
		parts = append(parts, fmt.Sprintf("reaches %s", phrase.Hexes(reach)))
	}
	if most > 0 {
		parts = append(parts, fmt.Sprintf("does up to %s", phrase.Points(most)))
	}
	if chart.Turns > 1 {
		parts = append(parts, fmt.Sprintf("takes %d turns to arm", chart.Turns))
	}
	return strings.Join(parts, ", ")
}
