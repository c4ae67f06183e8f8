package verbs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/tactical"
	"starpost/orders"
)

// SkillOrder is an order for an officer to try a skill.
type SkillOrder struct {
	Line   int
	Text   string
	Post   string
	What   string
	Where  string // for power: movement, weapons or shields
	Engine string
	Number int // of a shield, or of points
	When   *orders.Cond
}

// BridgeParams returns the parameters of the orders of posts.
func BridgeParams() map[string]orders.Param {
	return map[string]orders.Param{
		"WHERE": {Class: orders.Choice, Choices: []string{"movement", "weapons", "shields"}, Doc: "movement, weapons or shields"},
		"STEP":  {Class: orders.Signed, Choices: []string{"+1", "-1", "+2", "-2"}, Doc: "+1 or -1, or by the engineer's skill +2 or -2"},
		"CUT":   {Class: orders.Name, Doc: "weapons, movement, shields or cloak, each followed by the power units it gives up first, or `all`"},
		"TO":    {Class: orders.Name, Doc: "a ship, a side, `side`, `all`, or a post on your own ship"},
		"PHASE": {Class: orders.Number, Doc: "a phase of the turn"},
		"SKILL": {Class: orders.Choice, Choices: rulebook.SkillWords(), Doc: "a skill of your post: warp-drive and astronautics for the engineer, helm and weaponry for the helm, deflectors, damage-control, sensors and communications for science"},
		"POST":  {Class: orders.Choice, Choices: rulebook.Posts(), Doc: "a post on your own ship"},
		"GATE":  {Class: orders.Choice, Choices: []string{GateHold, GateFree}, Doc: "hold or free"},
	}
}

// Words of the captain's gate.
const (
	GateHold = "hold"
	GateFree = "free"
)

// triesSkill returns the officer who tries the skill of an order (stcs 20).
func triesSkill(st orders.Statement) string {
	if st.Form <= rulebook.SkillFormBoost {
		return ship.PostEngineer
	}
	return ship.PostScience
}

// standsToFire returns the post of a standing fire order: captain for the gate, weapons for the others (stcs 22.4).
func standsToFire(st orders.Statement) string {
	if st.Form >= rulebook.GateForms {
		return ship.PostWeapons
	}
	return ship.PostCaptain
}

// learns returns the officer who has the skill of an order to learn.
func learns(st orders.Statement) string {
	a, _ := st.Arg("SKILL")
	return rulebook.Learner(rulebook.SkillKey(a.Text))
}

// BridgeVerbs returns the orders of posts.
func BridgeVerbs() []rulebook.Verb {
	return append(shedVerbs(), []rulebook.Verb{
		{Section: "", Compile: func(*rulebook.Compiler, int, orders.Statement) {}, Verb: orders.Verb{
			Name: "totals", Forms: []orders.Form{"totals move POWER weapons POWER shields POWER [cloak POWER]"}, Once: true, Post: ship.PostEngineer,
			Doc:      "For the engineer: the power units for movement, weapons and shields. Helm and science use theirs in the order of their own lines, as far as it goes (" + cites.PostTotals.Ref() + ").",
			Examples: []string{"totals move 12 weapons 20 shields 10"},
		}},
		{Section: "", Compile: compileSkill, Whose: triesSkill, Verb: orders.Verb{
			Name: "skill", Forms: []orders.Form{
				"skill power to WHERE", "skill engine ENGINE", "skill boost",
				"skill shields SHIELD", "skill reduce POINTS", "skill superstructure", "skill casualties",
			}, When: true,
			Doc:      "What an officer tries this turn, before power is allotted; his rating or less on two dice succeeds, 05 or less doubles it. The engineer tries one of: an extra power unit for a system; a point of a damaged engine, from next turn on; a change of warp speed by two (boost). Science tries one of: an extra power unit's worth of points for a shield; up to three points off what goes through the shields, as many as you name in a fire phase in which the condition holds when targets are declared (reduce; several lines and phases share the three); a point of superstructure; 5 per cent of casualties (" + cites.EngineerSkills.Ref() + ", " + cites.ScienceSkills.Ref() + ").",
			Examples: []string{"skill power to weapons", "skill engine port", "skill reduce 3 when shield 2 < 4"},
		}},
		{Section: "phase", Compile: compileAim, Verb: orders.Verb{
			Name: "aim", Forms: []orders.Form{"aim"}, Once: true, When: true, Post: ship.PostWeapons,
			Doc:      "Try to aim carefully: a successful weaponry roll subtracts 1 from the ship's fire dice in this phase; in at most two phases a turn (" + cites.HelmSkills.Ref() + ").",
			Examples: []string{"aim", "aim when range to Zephyr <= 8"},
		}},
		{Section: "", Compile: func(*rulebook.Compiler, int, orders.Statement) {}, Verb: orders.Verb{
			Name: "brief", Forms: []orders.Form{"brief"}, Body: true, Once: true,
			Doc:      "The captain's words to all aboard, shown in their reports. Put the text between #text and #endtext.",
			Examples: []string{"brief\n#text\nBring her about, bow to the enemy.\n#endtext"},
		}},
		{Section: "standing", Compile: compileStandingFire, Whose: standsToFire, Verb: orders.Verb{
			Name: "fire", Forms: []orders.Form{"fire GATE", "fire", "fire WEAPON... at SHIP", "fire never"}, When: true,
			Doc:      "The captain's order on fire, which binds the helm until changed: hold, free, or a condition that must hold (" + cites.CaptainGates.Ref() + "). With weapons it is an order of the helm, or of the weapons officer if there is one: the fire in all phases of a turn for which he sent no orders. The lines of a new set replace all earlier ones; fire never removes them (" + cites.MissingPosts.Ref() + ").",
			Examples: []string{"fire hold", "fire free", "fire when range <= 8", "fire all at nearest when chance >= 50%", "fire never"},
		}},
		{Section: "", Compile: compileRelieve, Verb: orders.Verb{
			Name: "relieve", Forms: []orders.Form{"relieve POST..."}, Once: true,
			Doc:      "Relieve an officer who has sent no orders for two turns: from the next turn on the captain gives his orders (" + cites.MissingPosts.Ref() + ").",
			Examples: []string{"relieve helm"},
		}},
		{Section: "", Compile: func(*rulebook.Compiler, int, orders.Statement) {}, Verb: orders.Verb{
			Name: "reinstate", Forms: []orders.Form{"reinstate POST..."}, Once: true,
			Doc:      "Reinstate a relieved officer from the next turn on (" + cites.MissingPosts.Ref() + ").",
			Examples: []string{"reinstate helm"},
		}},
		{Section: "standing", Compile: compileLearn, Whose: learns, Verb: orders.Verb{
			Name: rulebook.StandingLearn, Forms: []orders.Form{"learn SKILL"},
			Doc:      "In a campaign: the skill that an officer's share of the ship's victory points goes to when the game is over. It stays until he names another. The weapons officer has only one skill and needs no order (" + cites.CrewCampaigns.Ref() + ").",
			Examples: []string{"learn weaponry", "learn damage-control"},
		}},
	}...)
}

// lessons maps posts to the line of a set on which the officer names a skill.
type lessons map[string]int

func compileLearn(c *rulebook.Compiler, _ int, st orders.Statement) {
	a, _ := st.Arg("SKILL")
	skill := rulebook.SkillKey(a.Text)
	post := rulebook.Learner(skill)
	named := ship.Edit[lessons](&c.Plan.Parts)
	if line, twice := (*named)[post]; twice {
		c.Fail(st.Pos, "E126", "leave one out", "an officer's points go to one skill, and line %d already names one", line)
		return
	}
	if *named == nil {
		*named = lessons{}
	}
	(*named)[post] = st.Pos.Line
	if now := c.Sys.Bridge().Ratings[skill]; now >= ship.MaxRating {
		c.Fail(a.Pos, "E177", "name another skill of yours", "%s is %d, and no rating goes higher", a.Text, now)
		return
	}
	list := slices.DeleteFunc(slices.Clone(c.Plan.Standing.List(rulebook.StandingLearn)), func(s string) bool { return rulebook.Learner(s) == post })
	c.Plan.Standing.SetList(rulebook.StandingLearn, append(list, skill)...)
}

// totals reads the engineer's totals, and refuses more power than there is.
func totals(c *rulebook.Compiler, st orders.Statement) {
	o := ReadTotals(st)
	*ship.Edit[rulebook.Totals](&c.Plan.Parts) = o
	if sum := Sum(o); sum > c.Sys.Power {
		c.Fail(st.Pos, "E103", fmt.Sprintf("spend %d less, here or elsewhere in the set", sum-c.Sys.Power), "%d power wanted, the engines give %d", sum, c.Sys.Power)
	}
}

// ReadTotals reads the engineer's totals.
func ReadTotals(st orders.Statement) rulebook.Totals {
	p := st.All("POWER")
	o := rulebook.Totals{Line: st.Pos.Line, Text: orders.FormatStatement(st), Move: p[0].Num, Weapons: p[1].Num, Shields: p[2].Num, Given: true}
	if len(p) > 3 {
		o.Cloak = p[3].Num
	}
	return o
}

// Sum returns all power of the engineer's totals.
func Sum(o rulebook.Totals) int { return o.Move + o.Weapons + o.Shields + o.Cloak }

func compileSkill(c *rulebook.Compiler, _ int, st orders.Statement) {
	o := SkillOrder{Line: st.Pos.Line, Text: orders.FormatStatement(st), Post: ship.PostScience, When: st.When}
	what := []string{ship.TryPower, ship.TryEngine, ship.TryBoost, ship.TryShields, ship.TryReduce, ship.TrySuperstructure, ship.TryCasualties}
	o.What = what[st.Form]
	if st.Form <= rulebook.SkillFormBoost {
		o.Post = ship.PostEngineer
	}
	if o.What != ship.TryReduce && st.When != nil {
		c.Fail(st.Pos, "E124", "leave the condition out", "only reduce takes a condition; everything else is tried before anything happens")
		return
	}
	if !c.Condition(st.When, false, false) {
		return
	}
	switch o.What {
	case ship.TryPower:
		a, _ := st.Arg("WHERE")
		o.Where = a.Text
	case ship.TryEngine:
		var known []string
		for _, e := range c.Sys.Engines() {
			known = append(known, e.Name)
		}
		names := c.Named(st.All("ENGINE"), known, "engine")
		if len(names) == 0 {
			return
		}
		o.Engine = names[0]
	case ship.TryShields:
		a, _ := st.Arg("SHIELD")
		if a.Num < 1 || a.Num > 6 {
			c.Fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
			return
		}
		o.Number = a.Num
	case ship.TryReduce:
		a, _ := st.Arg("POINTS")
		o.Number = a.Num
	}
	all := ship.Edit[[]SkillOrder](&c.Plan.Parts)
	for _, other := range *all {
		if other.Post == o.Post && (o.What != ship.TryReduce || other.What != ship.TryReduce) {
			c.Fail(st.Pos, "E126", "leave one out", "%s tries one thing a turn", rulebook.PostTitle(o.Post))
			return
		}
	}
	*all = append(*all, o)
	c.Effect(st.Pos.Line, "chance %d%%", c.Sys.Bridge().Ratings[SkillFor(o.What)])
}

// SkillFor returns the rating by which something is tried (stcs 20).
func SkillFor(what string) string {
	return map[string]string{
		ship.TryPower: ship.SkillWarpDrive, ship.TryEngine: ship.SkillAstronautics, ship.TryBoost: ship.SkillWarpDrive,
		ship.TryShields: ship.SkillDeflectors, ship.TryReduce: ship.SkillDamageControl, ship.TrySuperstructure: ship.SkillDamageControl, ship.TryCasualties: ship.SkillDamageControl,
		ship.TryHail: ship.SkillCommunications, ship.TryPrevent: ship.SkillDamageControl, ship.TrySystem: ship.SkillDamageControl,
		ship.TryAim: ship.SkillWeaponry, ship.TryEase: ship.SkillHelm, ship.TryLock: ship.SkillSensors, ship.TryQuestion: ship.SkillSensors, ship.TryScan: ship.SkillSensors, ship.TryKeep: ship.SkillSensors,
	}[what]
}

// AimOrder is an order to aim with care in a phase.
type AimOrder struct {
	Line int
	Text string
	When *orders.Cond
}

func compileAim(c *rulebook.Compiler, n int, st orders.Statement) {
	if !c.Condition(st.When, false, false) {
		return
	}
	all := rulebook.InPhase[AimOrder](&c.Plan, n)
	*all = append(*all, AimOrder{Line: st.Pos.Line, Text: orders.FormatStatement(st), When: st.When})
	aimed := 0
	for k := range n + 1 {
		if len(*rulebook.InPhase[AimOrder](&c.Plan, k)) > 0 {
			aimed++
		}
	}
	if aimed > MostAims {
		c.Warn(st.Pos, "W180", "leave it out", "the helm aims in at most %s phases of a turn: this is skipped unless an earlier one is not carried out", words.Number(MostAims))
		return
	}
	c.Effect(st.Pos.Line, "chance %d%%", c.Sys.Bridge().Ratings[ship.SkillWeaponry])
}

// MostAims is the most phases of a turn in which the helm may aim (stcs 20.3).
const MostAims = 2

// compileRelieve says when an order to relieve an officer takes effect.
func compileRelieve(c *rulebook.Compiler, _ int, st orders.Statement) {
	c.Effect(st.Pos.Line, "takes effect if no orders came last turn and none come this turn; you then give them from the next turn on")
}

// saidGate and saidFire record that a set has given a standing order.
type (
	saidGate bool
	saidFire bool
)

func compileStandingFire(c *rulebook.Compiler, _ int, st orders.Statement) {
	if st.Form < rulebook.GateForms {
		compileGate(c, st)
		return
	}
	if said := ship.Edit[saidFire](&c.Plan.Parts); !*said {
		*said = true
		c.Plan.Standing.SetList(rulebook.StandingFire)
	}
	lines := c.Plan.Standing.List(rulebook.StandingFire)
	switch {
	case st.Form > rulebook.GateForms:
		if st.When != nil {
			c.Fail(st.Pos, "E124", "leave the condition out", "never takes no condition")
		}
	case OfDeclared(st.When):
		c.Fail(st.Pos, "E115", "leave "+rulebook.AboutTargeted+" and "+rulebook.AboutMissile+" out of it", "a standing order to fire has no other target to choose by declarations")
	case len(lines) == rulebook.MostStandingFire:
		c.Fail(st.Pos, "E160", "leave some out", "there can be at most %d standing orders to fire", rulebook.MostStandingFire)
	default:
		if _, _, ok := c.Shooting(st); c.Condition(st.When, true, true) && ok {
			c.Plan.Standing.SetList(rulebook.StandingFire, append(slices.Clone(lines), orders.FormatStatement(st))...)
		}
	}
}

func compileGate(c *rulebook.Compiler, st orders.Statement) {
	if said := ship.Edit[saidGate](&c.Plan.Parts); *said {
		c.Fail(st.Pos, orders.CodeOnce, "keep one of the two", "the captain's order on fire is already given above")
		return
	}
	*ship.Edit[saidGate](&c.Plan.Parts) = true
	word := ""
	if a, ok := st.Arg("GATE"); ok {
		word = a.Text
	}
	switch {
	case word == "" && st.When == nil:
		c.Fail(st.Pos, "E124", "hold, free, or: fire when range <= 8", "fire when?")
		return
	case word != "" && st.When != nil:
		c.Fail(st.Pos, "E124", "fire when CONDITION", "%s takes no condition", word)
		return
	}
	if !c.Condition(st.When, true, true) {
		return
	}
	switch word {
	case GateFree:
		c.Plan.Standing.SetWord(rulebook.StandingGate, "")
	case GateHold:
		c.Plan.Standing.SetWord(rulebook.StandingGate, GateHold)
	default:
		c.Plan.Standing.SetWord(rulebook.StandingGate, st.When.String())
	}
}

// FitTotals limits what helm and science want to what the engineer gives (stcs 22.2).
func FitTotals(c *rulebook.Compiler) {
	*ship.Edit[rulebook.Wants](&c.Plan.Parts) = c.Wants
	for _, st := range engine.TurnLevelStatements(c.Block, "totals") {
		totals(c, st) // the power must be known first
	}
	o, p := ship.Read[rulebook.Totals](c.Plan.Parts), &c.Plan.Power
	switch {
	case c.Post == ship.PostHelm || c.Post == ship.PostScience || c.Post == ship.PostWeapons:
		c.Left, c.Plan.Spent = 0, nil // only the engineer knows the power
		if c.Post == ship.PostHelm {
			expectPoints(c)
		}
	case o.Given:
		if o.Cloak > 0 && p.Cloak == 0 && c.Sys.Has(ship.NameCloak) {
			powerCloak(c, orders.Pos{Line: o.Line, Col: 1})
		}
		c.Left += p.Movement + p.Weapons + p.Shields
		p.Movement, p.Points = o.Move, c.Rules.MovementPoints(c.Sys, o.Move)
		p.Split = c.Rules.Split.Points(p.Points)
		c.Wants.Fit(c.Sys, p, o)
		c.Left -= p.Movement + p.Weapons + p.Shields
		c.Plan.Spent = []tactical.Spending{{Pos: orders.Pos{Line: o.Line, Col: 1}, Power: c.Sys.Power - c.Left}}
		if c.Post == ship.PostEngineer {
			c.Effect(o.Line, "%s: %s; at most %d shield points", words.MovementPoints(p.Points), tactical.JoinInts(p.Split), c.Sys.Design.Shield.Points(o.Shields))
		}
	}
}

// expectPoints assumes as many movement points for the helm as in the turn before, or one for
// each phase, to check the set: the actual ones are up to the engineer.
func expectPoints(c *rulebook.Compiler) {
	p := &c.Plan.Power
	p.Points = min(max(c.Sys.Alloc.Points, c.Rules.Split.Phases()), c.Rules.MovementPoints(c.Sys, c.Sys.Design.Power))
	p.Split = c.Rules.Split.Points(p.Points)
}

// CheckPost returns a post's set, or that of the captain of a ship with a crew, without the orders of other posts.
func CheckPost(l *rulebook.Rules, s *engine.ShipView, post string, b *orders.Block) (kept *orders.Block, diags []orders.Diagnostic) {
	out := *b
	out.Head.Kind, out.Groups = cmp.Or(post, rulebook.KindMerged), slices.Clone(b.Groups)
	crew := rulebook.Manned(s.Crew, s.Relieved)
	if post == ship.PostCaptain && rulebook.Station(crew, ship.PostHelm) == post && rulebook.Station(crew, ship.PostEngineer) != post {
		out.Head.Kind = ship.PostHelm // the captain knows as little as the helm of the power to come
	}
	for i, g := range b.Groups {
		out.Groups[i].Statements = slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool {
			who, ok := l.MayOrder(crew, post, g.Name, st)
			switch {
			case ok:
			case g.Name == "standing" && st.Verb == rulebook.StandingLearn:
				diags = append(diags, rulebook.NotHisSkill(post, st))
			default:
				diags = append(diags, orders.Diagnostic{
					Pos: st.Pos, Code: orders.CodeOtherPost, Message: fmt.Sprintf("%s is for %s to order, not %s", st.Verb, l.HolderTitle(s, who), rulebook.PostTitle(post)),
					Hint: "leave it out, and ask for it by message",
				})
			}
			return !ok
		})
	}
	return &out, diags
}

// PostSummary returns what a post's set comes to, as far as its officer can know.
func PostSummary(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, post string, b *orders.Block, checked engine.Checked) []string {
	if v.DueRound() > 1 {
		if post == ship.PostHelm || post == ship.PostCaptain {
			return checked.Summary
		}
		return nil
	}
	p := l.Compile(s.ID, s.Side, sys, rulebook.RosterOfView(v.Ships), v.Sides, b, true)
	w, o := ship.Read[rulebook.Wants](p.Parts), ship.Read[rulebook.Totals](p.Parts)
	arms, points := 0, 0
	for _, a := range w.Arms {
		arms += a.Power
	}
	for _, sh := range w.Shields {
		points += sh.Points
	}
	var out []string
	if o.Given {
		out = append(out, fmt.Sprintf("power %d: movement %d, weapons %d, shields %d, %sunused %d", sys.Power, o.Move, o.Weapons, o.Shields, rulebook.CloakFigure(o.Cloak)+LabsFigure(p.Power.Labs), sys.Power-Sum(o)-p.Power.Labs))
	}
	if len(w.Arms) > 0 {
		out = append(out, fmt.Sprintf("weapons want %d power; what the engineer allots is used in the order of the lines", arms))
	}
	if len(w.Shields) > 0 {
		out = append(out, fmt.Sprintf("shields want %d points, %d power; what the engineer allots is used in the order of the lines", points, sys.Design.Shield.Cost(points)))
	}
	if b.Head.Kind == ship.PostHelm {
		out = append(out, checked.Summary[max(0, len(checked.Summary)-1):]...)
	}
	return out
}

// TotalsOf returns a use of power as an engineer's order. Unused power goes to the shields.
func TotalsOf(p *ship.PowerSet) orders.Order {
	words := []any{"totals move", p.Movement, "weapons", p.Weapons, "shields", p.Shields + max(0, p.Unused)}
	if p.Cloak > 0 {
		words = append(words, "cloak", p.Cloak)
	}
	return orders.Say(words...)
}

// SharesOf returns the engineer's last totals as written, "none" without any.
func SharesOf(last string) string {
	for line := range strings.Lines(last) {
		if given, ok := strings.CutPrefix(strings.TrimSpace(line), "totals "); ok {
			return given
		}
	}
	return "none"
}
