package sfb

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
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/orders"
)

// pace is how fast a probe flies, in words.
func (r *researchData) pace() string {
	if r.Pace == 1 {
		return "a hex an impulse"
	}
	return fmt.Sprintf("a hex every %d impulses", r.Pace)
}

func readResearch(c *compiler, a *act, st orders.Statement) bool {
	if !c.inTheDark(st) {
		return false
	}
	if at, ok := st.Arg("HEX"); ok {
		h, err := hex.ParseLabel(at.Text)
		if err != nil {
			c.fail(at.Pos, "E122", "column and row in two digits each: 0714", "%s is not a hex", at.Text)
			return false
		}
		a.at = h
	}
	if st.Verb == verbProbe {
		return c.probe(a, st)
	}
	craft, named := st.Arg("CRAFT")
	if !named {
		if c.sys.Sheet.Count(sheet.Shuttle).Left <= c.sys.Away {
			c.fail(st.Pos, "E252", "leave it out", "no shuttle is left aboard")
			return false
		}
		return true
	}
	i := slices.IndexFunc(c.names, func(k known) bool {
		return k.shuttleOf == c.id && (strings.EqualFold(k.name, craft.Text) || strings.EqualFold(k.short, craft.Text))
	})
	if i < 0 {
		var own []string
		for _, k := range c.names {
			if k.shuttleOf == c.id {
				own = append(own, k.name)
			}
		}
		c.fail(craft.Pos, "E252", orders.DidYouMean("%s", craft.Text, own, "launch one: shuttle to 1412"), "no shuttle %q of this ship is on the map", craft.Text)
		return false
	}
	a.craft, a.what = c.names[i].id, ""
	if st.Form == 5 {
		a.what = wordRetrieve
		return true
	}
	if st.Form == 3 && c.dark {
		c.fail(st.Pos, "E259", "leave it out", "in the dark a shuttle takes up no data of ships: it gathers its own")
		return false
	}
	if st.Form >= 2 {
		a.what = []string{wordStudy, wordReceive, wordSend}[st.Form-2]
		if before, ok := c.shuttles[string(a.craft)]; ok {
			if why := oneJob(before, a.what); why != "" {
				c.fail(st.Pos, "E251", "do one of them in the next turn", "%s %s", c.names[i].name, why)
				return false
			}
		}
		if c.shuttles == nil {
			c.shuttles = map[string]string{}
		}
		c.shuttles[string(a.craft)] = a.what
	}
	if k := slices.IndexFunc(c.names, func(k known) bool { return k.id == a.target }); a.what != "" && a.what != wordStudy && (k < 0 || c.names[k].side != c.side) {
		arg, _ := st.Arg("SHIP")
		c.fail(arg.Pos, "E253", "name a ship of your side", "a shuttle exchanges data with ships of its own side")
		return false
	}
	return true
}

// probe reads an order to launch a probe.
func (c *compiler) probe(a *act, st orders.Statement) bool {
	switch n := c.sys.Sheet.Count(sheet.Probe); {
	case n.All == 0:
		c.fail(st.Pos, "E250", "leave it out", "this ship has no rack for probes")
		return false
	case n.Left <= c.sys.Probes:
		c.fail(st.Pos, "E250", "leave it out", "no probe is loaded: each box has one in a battle")
		return false
	}
	r := &c.book.Research
	if file, named := st.Arg("FILE"); named {
		a.what = strings.ToLower(file.Text)
		c.effect(st.Pos.Line, "it takes in %d units in each turn that ends with it within %s of who sends the file", dark.ProbePoints, phrase.Hexes(r.Range))
		return true
	}
	ship, named := st.Arg("SHIP")
	a.carry = st.Form == dark.ProbeCarries
	if !named {
		switch {
		case !c.dark && a.carry:
			c.fail(st.Pos, "E259", "leave it out: message side", "in the open your side reads what you say without a probe")
			return false
		case !c.dark:
			c.fail(st.Pos, "E259", "say what it is for: probe to 1412 study Zephyr", "in the open all is seen without a probe")
			return false
		case a.carry && !dark.ForCourier(c.block):
			c.warn(st.Pos, "W241", "add message courier, and the text", "this set has no words for it to carry; without any in the turn it is not launched")
		}
		if a.carry {
			c.effect(st.Pos.Line, "ships of your side within %s of it read what it carries", phrase.Hexes(dark.CourierReach))
		}
		c.effect(st.Pos.Line, "it finds for her what is within %s", phrase.Hexes(r.Range))
		return true
	}
	if k := slices.IndexFunc(c.names, func(k known) bool { return k.id == a.target }); c.dark && k >= 0 && c.names[k].side == c.side {
		c.fail(ship.Pos, "E256", "name an enemy, or a contact", "probes study what is not of one's own side")
		return false
	}
	c.effect(st.Pos.Line, "it gathers %d points in each turn that ends with it within %s of her", dark.ProbePoints, phrase.Hexes(r.Range))
	return true
}

// launchProbe launches a probe, or says why it cannot be.
func (l *rulebook) launchProbe(t *engine.Turn, s, target *engine.Ship, a *act) string {
	switch sys := state.Of(s); {
	case state.Cloaked(s):
		return shipCloaked
	case sys.Sheet.Count(sheet.Probe).Left <= sys.Probes:
		return "no probe is loaded"
	}
	if a.carry && dark.In(t).CourierWords(s) == nil {
		return "there are no words for it to carry: message courier"
	}
	l.launchCraft(t, s, sheet.Probe, target, a)
	l.useOf(t, s, sheet.Probe, state.Of(s).Probes, t.Last())
	return ""
}

// commandShuttle launches a shuttle or gives it its course, or says why that cannot be.
func (l *rulebook) commandShuttle(t *engine.Turn, s *engine.Ship, a *act) string {
	d, out := t.Game.Ship(a.craft)
	switch sys := state.Of(s); {
	case a.craft == "" && state.Cloaked(s):
		return shipCloaked
	case a.craft == "" && sys.Sheet.Count(sheet.Shuttle).Left <= sys.Away:
		return "no shuttle is left aboard"
	case a.craft == "":
		l.launchCraft(t, s, sheet.Shuttle, nil, a)
		l.useOf(t, s, sheet.Shuttle, state.Of(s).Away, t.Last())
	case !out || d.Status != engine.Active:
		return "there is no such shuttle on the map now"
	case a.what == wordRetrieve:
		return l.retrieve(t, s, d, a)
	case a.what == "" && state.Of(d).Course != a.at:
		t.Because(t.Ordered(s.ID, a.line, a.text)).Emit(&state.CraftCourse{Craft: d.ID, To: a.at}, engine.SeeOnly(s.ID), l.cite(onResearch)...)
	}
	return ""
}

// launchCraft puts a probe or shuttle on the map.
func (l *rulebook) launchCraft(t *engine.Turn, s *engine.Ship, kind sheet.Kind, about *engine.Ship, a *act) {
	letter, hits, study, file := "r", 1, "", a.what
	var words string
	if a.carry {
		words = strings.Join(dark.In(t).CourierWords(s), "\n")
	}
	if kind == sheet.Shuttle {
		letter, hits, file = "b", l.Research.Hits, ""
	}
	if about != nil {
		study = string(about.ID)
	}
	name, short := l.craftName(t, s, letter)
	at := headed(engine.Place{Hex: s.Hex, Heading: s.Heading}, a.at)
	t.Because(t.Ordered(s.ID, a.line, a.text)).Emit(&state.CraftLaunch{
		Ship: s.ID, Craft: name, Short: short, At: at, To: a.at, Study: engine.ShipID(study), File: file, Words: words,
		Flight: state.Flight{Kind: kind, Launched: state.Shot{Turn: t.Number(), Impulse: t.Phase.No}, Points: hits},
	}, engine.SeeAll(s.ID), l.cite(onResearch)...)
}

// flyCraft moves probes a hex, and in the last impulse shuttles, towards where they are to go.
func (l *rulebook) flyCraft(t *engine.Turn) {
	for _, d := range state.Crafts(t.Game) {
		sys := state.Of(d)
		age := l.since(sys.Flight.Launched, t)
		if d.Hex == sys.Course || age < 1 || d.Kind == engine.KindProbe && (age > l.Research.Life*l.Research.Pace || age%l.Research.Pace > 0) || d.Kind == engine.KindShuttle && t.Phase.No < l.Impulses {
			continue
		}
		from := engine.Place{Hex: d.Hex, Heading: d.Heading}
		word, _ := l.known(t, d).Course(from, sys.Course, true)
		if l.space(t).Closed[steering.Step(from, word).Hex] != "" { // it is to go into it
			continue
		}
		t.Emit(&engine.Move{Ship: d.ID, Word: word, Cost: 1, From: from, To: steering.Step(from, word)}, engine.SeeAll(), l.cite(onResearch)...)
		lookAfter(t, d, from.Hex)
		if b := t.Game.Bounds; b != nil && !b.Contains(d.Hex) {
			t.Out(d, engine.Left, "it is off the map", nil, l.cite(onResearch)...)
		}
	}
	dark.In(t).DeliverWords(l.cite(onResearch)...)
}

// gather has probes and shuttles do their work as a turn ends.
func (l *rulebook) gather(t *engine.Turn) {
	for _, d := range state.Crafts(t.Game) {
		parent, ok := t.Game.Ship(d.Parent)
		if d.Kind == engine.KindProbe && ok && l.fair(parent) && t.Game.Blind == nil { // in the dark the laboratories of the core draw sheets by it
			l.study(t, d, parent, state.Of(d).Study, engine.Ref{})
		}
	}
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		done := map[engine.ShipID][]string{} // orders of several rounds were not read together
		for _, phase := range p.phases {
			for i := range phase.acts {
				a := &phase.acts[i]
				d, ok := t.Game.Ship(a.craft)
				if a.verb != verbShuttle || a.what == "" || a.what == wordRetrieve || !ok || d.Status != engine.Active {
					continue
				}
				cause := t.Ordered(s.ID, a.line, a.text)
				why := ""
				for _, before := range done[d.ID] {
					why = cmp.Or(why, oneJob(before, a.what))
				}
				if why != "" {
					t.Because(cause).Emit(&engine.Skip{Ship: s.ID, Line: a.line, Order: a.text, Reason: d.Name + " " + why}, engine.SeeOnly(s.ID), l.cite(onSkipped)...)
					continue
				}
				done[d.ID] = append(done[d.ID], a.what)
				target := l.aim(t.Game, s, a.target)
				switch {
				case target == nil:
				case a.what == wordStudy:
					l.study(t, d, d, target.ID, cause)
				case a.what == wordReceive:
					l.hand(t, target, d, wordReceive, cause)
				default:
					l.hand(t, d, target, wordSend, cause)
				}
			}
		}
	}
}

// study has a probe or a shuttle gather data about a ship, for what keeps them.
func (l *rulebook) study(t *engine.Turn, d, keeps *engine.Ship, about engine.ShipID, cause engine.Ref) {
	target, ok := t.Game.Ship(about)
	if !ok || !target.OnMap() || !l.sees(t.Game, d, target) || t.Game.Blind != nil && dark.Detects(l.self, t.Game, d, target) < blind.Presence {
		return
	}
	b := &state.Study{Craft: d.ID, Ship: keeps.ID, About: about, How: verbProbe, Range: hex.Distance(d.Hex, target.Hex), Points: dark.ProbePoints}
	if b.Range > l.Research.Range {
		return
	}
	if d.Kind == engine.KindShuttle {
		b.How = wordStudy
		b.Roll = t.Roll(engine.NameRoll("study", d.ID), dice.D6, engine.SeeOnly(d.Parent), l.cite(onResearch)...)
		b.Points = min(max(0, l.Research.Lab-b.Roll-b.Range), l.room(state.Of(d)))
	}
	t.Because(cause).Emit(b, engine.SeeOnly(d.Parent), l.cite(onResearch)...)
}

// room is how many points a shuttle has room for.
func (l *rulebook) room(d *state.System) int {
	n := l.Research.Hold
	for _, k := range d.Data {
		n -= k.Points
	}
	return max(0, n)
}

// hand gives data of one to another, as many points as a shuttle holds or sends.
func (l *rulebook) hand(t *engine.Turn, from, to *engine.Ship, how string, cause engine.Ref) {
	shuttle, left := to, l.room(state.Of(to))
	if how == wordSend {
		shuttle, left = from, l.Research.Hold
	}
	see := engine.SeeOnly(shuttle.Parent)
	if how == wordSend && to.ID != shuttle.Parent {
		see = engine.SeeOnly(shuttle.Parent, to.ID)
	}
	for _, k := range slices.Clone(state.Of(from).Data) {
		if n := min(left, k.Points); n > 0 {
			sent := t.Because(cause).Emit(&state.Study{Craft: shuttle.ID, Ship: to.ID, From: from.ID, About: k.About, How: how, Points: n}, see, l.cite(onResearch)...)
			if t.Game.Blind != nil && how == wordSend {
				dark.In(t).HandData(shuttle, to, k.About, n, sent)
			}
			left -= n
		}
	}
}

func studyWords(_ *rulebook, v *engine.View, b *state.Study) string {
	switch b.How {
	case wordSend:
		return fmt.Sprintf("%s sends %s %s about %s", v.Name(b.Craft), v.Name(b.Ship), phrase.Points(b.Points), v.Name(b.About))
	case wordReceive:
		return fmt.Sprintf("%s takes up %s about %s of %s", v.Name(b.Craft), phrase.Points(b.Points), v.Name(b.About), v.Name(b.From))
	}
	text := fmt.Sprintf("%s gathers %s about %s at range %d", v.Name(b.Craft), phrase.Points(b.Points), v.Name(b.About), b.Range)
	if b.Roll > 0 {
		text += fmt.Sprintf(", die %d", b.Roll)
	}
	return text
}

func whyStudy(l *rulebook, _ *engine.Story, _ int, b *state.Study) []string {
	switch {
	case b.Roll > 0:
		return []string{fmt.Sprintf("%d less a die of %d and the range of %d, and no more than a shuttle holds, %d", l.Research.Lab, b.Roll, b.Range, l.Research.Hold)}
	case b.How == verbProbe:
		return []string{fmt.Sprintf("a probe gathers %d points a turn within %s, without a die", dark.ProbePoints, phrase.Hexes(l.Research.Range))}
	}
	return []string{fmt.Sprintf("a shuttle holds or sends %d points at most", l.Research.Hold)}
}

// studyInTheDark is what a captain is told of his own shuttle.
func studyInTheDark(_ *rulebook, b *state.Study, to *dark.Observer) (engine.Body, []string) {
	if to.Own(b.Craft) {
		return to.Retell(b), nil
	}
	return nil, nil
}

// retrieve takes a shuttle back aboard in the hex that both are in, or says why that cannot be.
func (l *rulebook) retrieve(t *engine.Turn, s, d *engine.Ship, a *act) string {
	switch {
	case state.Cloaked(s):
		return shipCloaked
	case d.Hex != s.Hex:
		return fmt.Sprintf("%s is at %s, and she is at %s", d.Name, d.Hex.Label(), s.Hex.Label())
	case state.Of(s).Sheet.Count(sheet.Shuttle).Left == 0:
		return "no box for shuttles is left"
	}
	data := slices.Clone(state.Of(d).Data)
	back := t.Because(t.Ordered(s.ID, a.line, a.text)).Emit(&state.CraftBack{Ship: s.ID, Craft: d.ID}, engine.SeeAll(), l.cite(onResearch)...)
	if t.Game.Blind != nil {
		for _, k := range data {
			dark.In(t).HandData(d, s, k.About, k.Points, back)
		}
	}
	t.Because(back).Out(d, engine.Left, "it is back aboard", nil, l.cite(onResearch)...)
	return ""
}

// oneJob is why a shuttle that does one thing in a turn cannot do another in it too; blank if it can.
func oneJob(before, now string) string {
	switch {
	case (before == wordSend) != (now == wordSend):
		return "cannot gather or receive data and send them in one turn"
	case before == wordStudy && now == wordStudy:
		return "has one laboratory, which studies one ship a turn"
	}
	return ""
}
