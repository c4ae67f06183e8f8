package fasa

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/tactical"
	"starpost/orders"
)

// skillOrder is what an officer wants to try.
type skillOrder struct {
	line   int
	text   string
	post   string
	what   string
	where  string // of power: movement, weapons or shields
	engine string
	number int // of a shield, or of points
	when   *orders.Cond
}

func bridgeParams() map[string]orders.Param {
	return map[string]orders.Param{
		"WHERE": {Class: orders.Choice, Choices: []string{"movement", "weapons", "shields"}, Doc: "movement, weapons or shields"},
		"STEP":  {Class: orders.Signed, Choices: []string{"+1", "-1", "+2", "-2"}, Doc: "+1 or -1, or by the engineer's skill +2 or -2"},
		"CUT":   {Class: orders.Name, Doc: "weapons, movement, shields or cloak; after each how many power units it gives up at first, or `all`"},
		"TO":    {Class: orders.Name, Doc: "a ship, a side, `side`, `all`, or a post of the own ship"},
		"PHASE": {Class: orders.Number, Doc: "a phase of the turn"},
		"SKILL": {Class: orders.Choice, Choices: skillWords(), Doc: "a skill of your post: the engineer's are warp-drive and astronautics, the helm's helm and weaponry, and science has deflectors, damage-control, sensors and communications"},
		"POST":  {Class: orders.Choice, Choices: posts(), Doc: "a post of the own ship"},
		"GATE":  {Class: orders.Choice, Choices: []string{gateHold, gateFree}, Doc: "hold or free"},
	}
}

// Words of the captain's gate.
const (
	gateHold = "hold"
	gateFree = "free"
)

func bridgeVerbs() []verb {
	return append(shedVerbs(), []verb{
		{section: "", compile: func(*compiler, int, orders.Statement) {}, Verb: orders.Verb{
			Name: "totals", Forms: []orders.Form{"totals move POWER weapons POWER shields POWER [cloak POWER]"}, Once: true,
			Doc:      "The engineer's: the power units that go to movement, weapons and shields. Helm and science fill theirs in the order in which they have written it, as far as it goes (" + cites.PostTotals.Ref() + ").",
			Examples: []string{"totals move 12 weapons 20 shields 10"},
		}},
		{section: "", compile: compileSkill, Verb: orders.Verb{
			Name: "skill", Forms: []orders.Form{
				"skill power to WHERE", "skill engine ENGINE", "skill boost",
				"skill shields SHIELD", "skill reduce POINTS", "skill superstructure", "skill casualties",
			}, When: true,
			Doc:      "What an officer tries this turn, before the power is given out; his rating or less on two dice does it, 05 or less doubles it. The engineer tries one of: a power unit more for a system; a point of an engine that has lost some, from next turn on; a change of warp speed by two (boost). Science tries one of: the points of one power unit more for a shield; three points off what goes through the shields, in a fire phase in which the condition holds as targets are declared as many as you name (reduce; several lines and phases share the three); a point of superstructure; 5 per cent of casualties (" + cites.EngineerSkills.Ref() + ", " + cites.ScienceSkills.Ref() + ").",
			Examples: []string{"skill power to weapons", "skill engine port", "skill reduce 3 when shield 2 < 4"},
		}},
		{section: "phase", compile: compileAim, Verb: orders.Verb{
			Name: "aim", Forms: []orders.Form{"aim"}, Once: true, When: true,
			Doc:      "Try to aim with care: a roll for weaponry lets the dice of the ship's fire in this phase count 1 less, in two phases of a turn (" + cites.HelmSkills.Ref() + ").",
			Examples: []string{"aim", "aim when range to Zephyr <= 8"},
		}},
		{section: "", compile: compileBrief, Verb: orders.Verb{
			Name: "brief", Forms: []orders.Form{"brief"}, Body: true, Once: true,
			Doc:      "The captain's words to all aboard, which stand in their reports. The text stands between #text and #endtext.",
			Examples: []string{"brief\n#text\nBring her about, bow to the enemy.\n#endtext"},
		}},
		{section: "standing", compile: compileStandingFire, Verb: orders.Verb{
			Name: "fire", Forms: []orders.Form{"fire GATE", "fire", "fire WEAPON... at SHIP", "fire never"}, When: true,
			Doc:      "The captain's word on fire, which binds the helm until it is changed: hold, free, or with a condition of what must hold (" + cites.CaptainGates.Ref() + "). With weapons it is the helm's, or the weapons officer's where there is one: the fire of all phases of a turn for which no orders of his came. The lines of one set take the place of all there were; fire never does away with them (" + cites.MissingPosts.Ref() + ").",
			Examples: []string{"fire hold", "fire free", "fire when range <= 8", "fire all at nearest when chance >= 50%", "fire never"},
		}},
		{section: "", compile: compileRelieve, Verb: orders.Verb{
			Name: "relieve", Forms: []orders.Form{"relieve POST..."}, Once: true,
			Doc:      "Relieve an officer of whom no orders came for two turns: from the next turn on his orders are the captain's to give (" + cites.MissingPosts.Ref() + ").",
			Examples: []string{"relieve helm"},
		}},
		{section: "", compile: func(*compiler, int, orders.Statement) {}, Verb: orders.Verb{
			Name: "reinstate", Forms: []orders.Form{"reinstate POST..."}, Once: true,
			Doc:      "Give an officer who was relieved his post again, from the next turn on (" + cites.MissingPosts.Ref() + ").",
			Examples: []string{"reinstate helm"},
		}},
		{section: "standing", compile: compileLearn, Verb: orders.Verb{
			Name: standingLearn, Forms: []orders.Form{"learn SKILL"},
			Doc:      "The skill to which an officer's share of the ship's victory points goes when the game is over, in a campaign. It stays until he names another. Who is at the weapons has but one, and needs no order for it (" + cites.CrewCampaigns.Ref() + ").",
			Examples: []string{"learn weaponry", "learn damage-control"},
		}},
	}...)
}

// lessons are the lines of a set on which officers name a skill, by post.
type lessons map[string]int

func compileLearn(c *compiler, _ int, st orders.Statement) {
	a, _ := st.Arg("SKILL")
	skill := skillKey(a.Text)
	post := learner(skill)
	named := ship.Edit[lessons](&c.p.parts)
	if line, twice := (*named)[post]; twice {
		c.fail(st.Pos, "E126", "leave one out", "an officer's points go to one skill, and line %d names one", line)
		return
	}
	if *named == nil {
		*named = lessons{}
	}
	(*named)[post] = st.Pos.Line
	if now := c.sys.Bridge().Ratings[skill]; now >= ship.MaxRating {
		c.fail(a.Pos, "E177", "name another skill of yours", "%s is %d, and no rating goes higher", a.Text, now)
		return
	}
	list := slices.DeleteFunc(slices.Clone(c.p.standing.List(standingLearn)), func(s string) bool { return learner(s) == post })
	c.p.standing.SetList(standingLearn, append(list, skill)...)
}

// totals reads what the engineer gives out.
func (c *compiler) totals(st orders.Statement) {
	o := readTotals(st)
	*ship.Edit[totals](&c.p.parts) = o
	if sum := o.sum(); sum > c.sys.Power {
		c.fail(st.Pos, "E103", fmt.Sprintf("lower it by %d", sum-c.sys.Power), "%d power wanted, the engines give %d", sum, c.sys.Power)
	}
}

func readTotals(st orders.Statement) totals {
	p := st.All("POWER")
	o := totals{line: st.Pos.Line, text: orders.FormatStatement(st), move: p[0].Num, weapons: p[1].Num, shields: p[2].Num, given: true}
	if len(p) > 3 {
		o.cloak = p[3].Num
	}
	return o
}

func (o totals) sum() int { return o.move + o.weapons + o.shields + o.cloak }

func compileSkill(c *compiler, _ int, st orders.Statement) {
	o := skillOrder{line: st.Pos.Line, text: orders.FormatStatement(st), post: ship.PostScience, when: st.When}
	what := []string{ship.TryPower, ship.TryEngine, ship.TryBoost, ship.TryShields, ship.TryReduce, ship.TrySuperstructure, ship.TryCasualties}
	o.what = what[st.Form]
	if st.Form <= skillFormBoost {
		o.post = ship.PostEngineer
	}
	if o.what != ship.TryReduce && st.When != nil {
		c.fail(st.Pos, "E124", "leave the condition out", "only reduce has one: all else is tried before anything happens")
		return
	}
	if !c.condition(st.When, false, false) {
		return
	}
	switch o.what {
	case ship.TryPower:
		a, _ := st.Arg("WHERE")
		o.where = a.Text
	case ship.TryEngine:
		var known []string
		for _, e := range c.sys.Engines() {
			known = append(known, e.Name)
		}
		names := c.named(st.All("ENGINE"), known, "engine")
		if len(names) == 0 {
			return
		}
		o.engine = names[0]
	case ship.TryShields:
		a, _ := st.Arg("SHIELD")
		if a.Num < 1 || a.Num > 6 {
			c.fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
			return
		}
		o.number = a.Num
	case ship.TryReduce:
		a, _ := st.Arg("POINTS")
		o.number = a.Num
	}
	all := ship.Edit[[]skillOrder](&c.p.parts)
	for _, other := range *all {
		if other.post == o.post && (o.what != ship.TryReduce || other.what != ship.TryReduce) {
			c.fail(st.Pos, "E126", "leave one out", "%s tries one thing a turn", postTitle(o.post))
			return
		}
	}
	*all = append(*all, o)
	c.effect(st.Pos.Line, "works with %d%%", c.sys.Bridge().Ratings[skillFor(o.what)])
}

// skillFor is the rating by which something is tried (stcs 20).
func skillFor(what string) string {
	return map[string]string{
		ship.TryPower: ship.SkillWarpDrive, ship.TryEngine: ship.SkillAstronautics, ship.TryBoost: ship.SkillWarpDrive,
		ship.TryShields: ship.SkillDeflectors, ship.TryReduce: ship.SkillDamageControl, ship.TrySuperstructure: ship.SkillDamageControl, ship.TryCasualties: ship.SkillDamageControl,
		ship.TryHail: ship.SkillCommunications, ship.TryPrevent: ship.SkillDamageControl, ship.TrySystem: ship.SkillDamageControl,
		ship.TryAim: ship.SkillWeaponry, ship.TryEase: ship.SkillHelm, ship.TryLock: ship.SkillSensors, ship.TryQuestion: ship.SkillSensors, ship.TryScan: ship.SkillSensors, ship.TryKeep: ship.SkillSensors,
	}[what]
}

// aimOrder is an order to aim with care in a phase.
type aimOrder struct {
	line int
	text string
	when *orders.Cond
}

func compileAim(c *compiler, n int, st orders.Statement) {
	if !c.condition(st.When, false, false) {
		return
	}
	all := inPhase[aimOrder](&c.p, n)
	*all = append(*all, aimOrder{line: st.Pos.Line, text: orders.FormatStatement(st), when: st.When})
	aimed := 0
	for k := range n + 1 {
		if len(*inPhase[aimOrder](&c.p, k)) > 0 {
			aimed++
		}
	}
	if aimed > mostAims {
		c.warn(st.Pos, "W180", "leave it out", "the helm aims in %s phases of a turn at most: this is passed over unless one before it is not carried out", words.Number(mostAims))
		return
	}
	c.effect(st.Pos.Line, "works with %d%%", c.sys.Bridge().Ratings[ship.SkillWeaponry])
}

// mostAims is in how many phases of a turn the helm may aim (stcs 20.3).
const mostAims = 2

// briefing is what a captain says to all aboard.
type briefing struct {
	line int
	text []string
}

// compileRelieve says of whom a captain's order to relieve an officer can be carried out.
func compileRelieve(c *compiler, _ int, st orders.Statement) {
	c.effect(st.Pos.Line, "counts if none came last turn and none come this turn: then you give them from the next turn on")
}

func compileBrief(c *compiler, _ int, st orders.Statement) {
	*ship.Edit[briefing](&c.p.parts) = briefing{line: st.Pos.Line, text: st.Text}
}

// saidGate and saidFire tell that a set has said a standing order.
type (
	saidGate bool
	saidFire bool
)

func compileStandingFire(c *compiler, _ int, st orders.Statement) {
	if st.Form < gateForms {
		compileGate(c, st)
		return
	}
	if said := ship.Edit[saidFire](&c.p.parts); !*said {
		*said = true
		c.p.standing.SetList(standingFire)
	}
	lines := c.p.standing.List(standingFire)
	switch {
	case st.Form > gateForms:
		if st.When != nil {
			c.fail(st.Pos, "E124", "leave the condition out", "never is never")
		}
	case ofDeclared(st.When):
		c.fail(st.Pos, "E115", "leave "+aboutTargeted+" and "+aboutMissile+" out of it", "a standing order to fire has no other target to choose by what is declared")
	case len(lines) == mostStandingFire:
		c.fail(st.Pos, "E160", "leave some out", "at most %d standing orders to fire are kept", mostStandingFire)
	default:
		if _, _, ok := c.shooting(st); c.condition(st.When, true, true) && ok {
			c.p.standing.SetList(standingFire, append(slices.Clone(lines), orders.FormatStatement(st))...)
		}
	}
}

func compileGate(c *compiler, st orders.Statement) {
	if said := ship.Edit[saidGate](&c.p.parts); *said {
		c.fail(st.Pos, orders.CodeOnce, "keep one of the two", "the captain's word on fire is given above already")
		return
	}
	*ship.Edit[saidGate](&c.p.parts) = true
	word := ""
	if a, ok := st.Arg("GATE"); ok {
		word = a.Text
	}
	switch {
	case word == "" && st.When == nil:
		c.fail(st.Pos, "E124", "hold, free, or: fire when range <= 8", "when may there be fire?")
		return
	case word != "" && st.When != nil:
		c.fail(st.Pos, "E124", "fire when CONDITION", "%s and a condition do not stand together", word)
		return
	}
	if !c.condition(st.When, true, true) {
		return
	}
	switch word {
	case gateFree:
		c.p.standing.SetWord(standingGate, "")
	case gateHold:
		c.p.standing.SetWord(standingGate, gateHold)
	default:
		c.p.standing.SetWord(standingGate, st.When.String())
	}
}

// fitTotals cuts what helm and science want to what the engineer gives (stcs 22.2).
func fitTotals(c *compiler) {
	*ship.Edit[wants](&c.p.parts) = c.wants
	for _, st := range engine.TurnLevelStatements(c.block, "totals") {
		c.totals(st) // what power there is must be known first
	}
	o, p := ship.Read[totals](c.p.parts), &c.p.power
	switch {
	case c.post == ship.PostHelm || c.post == ship.PostScience || c.post == ship.PostWeapons:
		c.left, c.p.spent = 0, nil // what there is only the engineer knows
		if c.post == ship.PostHelm {
			c.expectPoints()
		}
	case o.given:
		if o.cloak > 0 && p.Cloak == 0 && c.sys.Has(ship.NameCloak) {
			c.powerCloak(orders.Pos{Line: o.line, Col: 1})
		}
		c.left += p.Movement + p.Weapons + p.Shields
		p.Movement, p.Points = o.move, c.l.MovementPoints(c.sys, o.move)
		p.Split = c.l.Split.Points(p.Points)
		c.wants.fit(c.sys, p, o)
		c.left -= p.Movement + p.Weapons + p.Shields
		c.p.spent = []tactical.Spending{{Pos: orders.Pos{Line: o.line, Col: 1}, Power: c.sys.Power - c.left}}
		if c.post == ship.PostEngineer {
			c.effect(o.line, "%s: %s; at most %d shield points", words.MovementPoints(p.Points), tactical.JoinInts(p.Split), c.sys.Design.Shield.Points(o.shields))
		}
	}
}

// expectPoints gives the helm as many movement points as in the turn before, or as his
// words use, to look at them: what he will have is the engineer's to say.
func (c *compiler) expectPoints() {
	p := &c.p.power
	p.Points = min(max(c.sys.Alloc.Points, c.l.Split.Phases()), c.l.MovementPoints(c.sys, c.sys.Design.Power))
	p.Split = c.l.Split.Points(p.Points)
}

// checkPost is check for a set of a post, or of the captain of a ship with a crew.
func (l *rulebook) checkPost(s *engine.ShipView, post string, b *orders.Block) (kept *orders.Block, diags []orders.Diagnostic) {
	out := *b
	out.Head.Kind, out.Groups = cmp.Or(post, kindMerged), slices.Clone(b.Groups)
	crew := manned(s.Crew, s.Relieved)
	if post == ship.PostCaptain && station(crew, ship.PostHelm) == post && station(crew, ship.PostEngineer) != post {
		out.Head.Kind = ship.PostHelm // he knows as little as the helm of what there will be
	}
	for i, g := range b.Groups {
		out.Groups[i].Statements = slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool {
			who, ok := mayOrder(crew, post, g.Name, st)
			switch {
			case ok:
			case g.Name == "standing" && st.Verb == standingLearn:
				diags = append(diags, notHisSkill(post, st))
			default:
				diags = append(diags, orders.Diagnostic{
					Pos: st.Pos, Code: orders.CodeOtherPost, Message: fmt.Sprintf("%s is %s's to order, not %s's", st.Verb, l.holderTitle(s, who), postTitle(post)),
					Hint: "leave it out, and tell him by message what you would like",
				})
			}
			return !ok
		})
	}
	return &out, diags
}

// postSummary is what a set of a post comes to, as far as its officer can know.
func (l *rulebook) postSummary(v *engine.View, s *engine.ShipView, sys *ship.State, post string, b *orders.Block, checked engine.Checked) []string {
	if v.DueRound() > 1 {
		if post == ship.PostHelm || post == ship.PostCaptain {
			return checked.Summary
		}
		return nil
	}
	p := l.compile(s.ID, s.Side, sys, rosterOfView(v.Ships), v.Sides, b, true)
	w, o := ship.Read[wants](p.parts), ship.Read[totals](p.parts)
	arms, points := 0, 0
	for _, a := range w.arms {
		arms += a.power
	}
	for _, sh := range w.shields {
		points += sh.points
	}
	var out []string
	if o.given {
		out = append(out, fmt.Sprintf("power %d: movement %d, weapons %d, shields %d, %sunused %d", sys.Power, o.move, o.weapons, o.shields, cloakFigure(o.cloak)+labsFigure(p.power.Labs), sys.Power-o.sum()-p.power.Labs))
	}
	if len(w.arms) > 0 {
		out = append(out, fmt.Sprintf("weapons want %d power; what the engineer gives is used in the order in which they stand", arms))
	}
	if len(w.shields) > 0 {
		out = append(out, fmt.Sprintf("shields want %d points, %d power; what the engineer gives is used in the order in which they stand", points, sys.Design.Shield.Cost(points)))
	}
	if b.Head.Kind == ship.PostHelm {
		out = append(out, checked.Summary[max(0, len(checked.Summary)-1):]...)
	}
	return out
}

// totalsOf is a use of power as the engineer orders it. What nothing is done with goes to
// the shields.
func totalsOf(p *ship.PowerSet) string {
	text := fmt.Sprintf("totals move %d weapons %d shields %d", p.Movement, p.Weapons, p.Shields+max(0, p.Unused))
	if p.Cloak > 0 {
		text += fmt.Sprintf(" cloak %d", p.Cloak)
	}
	return text
}

// sharesOf is what the engineer gave out last, as he wrote it.
func sharesOf(last string) string {
	for line := range strings.Lines(last) {
		if given, ok := strings.CutPrefix(strings.TrimSpace(line), "totals "); ok {
			return given
		}
	}
	return "none"
}
