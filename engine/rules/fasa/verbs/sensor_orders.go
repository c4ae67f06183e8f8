package verbs

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// maxQuestions is the most standing questions.
const maxQuestions = 20

// SensorParams returns the parameters of the orders for sensors.
func SensorParams() map[string]orders.Param {
	var keys []string
	for _, q := range askables() {
		keys = append(keys, q.key)
	}
	return map[string]orders.Param{
		"SHIP":     {Class: orders.Name, Doc: "a ship, by its name or its short name on the map; `nearest` for the nearest enemy when the order is carried out, `locked` for the one you have a lock on. For movement, a ship out of sight is where it was last seen"},
		"QUESTION": {Class: orders.Choice, Choices: keys, Doc: questionDoc()},
	}
}

// questionDoc lists the questions.
func questionDoc() string {
	var words []string
	for _, q := range askables() {
		words = append(words, q.key+" "+q.about)
	}
	return "a question: " + strings.Join(words, ", ")
}

// SensorVerbs returns the orders for sensors.
func SensorVerbs() []rulebook.Verb {
	return []rulebook.Verb{
		{Section: "phase", Compile: compileLock, Verb: orders.Verb{
			Name: "lock", Forms: []orders.Form{"lock SHIP", "lock object HEX"}, When: true, Post: ship.PostScience,
			Doc:      "Train the sensors on a ship at the beginning of the phase: 6 or less on a die gets a lock, which lasts until it is lost or you choose another target. `lock none` gives it up. A lock reveals the ship's class, lets you ask one question a phase, and shows you what your hits do. `lock object` trains them, for that phase alone, on something you know to be in a hex (a planet, asteroids, a mine's counter): 6 or less reveals its mass, composition, state and life (" + cites.SensorLocks.Ref() + ", " + cites.AutomaticInformation.Ref() + ", " + cites.FiringInformation.Ref() + ").",
			Examples: []string{"lock Zephyr", "lock nearest when range <= 15", "lock object 1117"},
		}},
		{Section: "phase", Compile: compileQuestion, Verb: orders.Verb{
			Name: "question", Forms: []orders.Form{"question QUESTION"}, When: true, Post: ship.PostScience,
			Doc:      "Ask a question about the ship that you have a lock on, one a phase, without her knowing (" + cites.SensorQuestions.Ref() + ").",
			Examples: []string{"question 3", "question mines when locked"},
		}},
		{Section: "standing", Compile: compileSensors, Verb: orders.Verb{
			Name: "sensors", Forms: []orders.Form{"sensors SHIP"}, Once: true, Post: ship.PostScience,
			Doc:      "What to train the sensors on in phases without a lock order: a ship, `nearest` (a lock you have is kept), or `none`.",
			Examples: []string{"sensors nearest", "sensors Zephyr"},
		}},
		{Section: "standing", Compile: compileQuestions, Verb: orders.Verb{
			Name: "questions", Forms: []orders.Form{"questions QUESTION...", "questions none"}, Once: true, Post: ship.PostScience,
			Doc:      "The questions to ask in phases without a question order, in turn, starting over after the last.",
			Examples: []string{"questions 3 4 1", "questions none"},
		}},
	}
}

// sensorTarget returns the target of a sensor order: a ship, or a word that stands for one or
// for none.
func sensorTarget(c *rulebook.Compiler, st orders.Statement) (engine.ShipID, bool) {
	a, ok := st.Arg("SHIP")
	if !ok {
		return "", false
	}
	if strings.EqualFold(a.Text, rulebook.NoTarget) {
		return rulebook.NoTarget, true
	}
	id, ok := c.Target(a, false)
	if !ok {
		return "", false
	}
	if i := slices.IndexFunc(c.Names, func(n rulebook.Name) bool { return n.ID == id }); i >= 0 && c.Names[i].Side == c.Side {
		c.Warn(a.Pos, "W140", "", "%s is of your own side", c.Names[i].Name)
	}
	return id, true
}

func compileLock(c *rulebook.Compiler, n int, st orders.Statement) {
	if st.Form == 1 {
		compileSurvey(c, n, st)
		return
	}
	target, ok := sensorTarget(c, st)
	if !c.Condition(st.When, ok && target != rulebook.NoTarget, false) || !ok {
		return
	}
	UseSensors(c, n, st, Sensing{Target: target})
	k := c.Sys.Sensors()
	switch {
	case k.Down:
		c.Warn(st.Pos, "W143", "", "the sensors are damaged: no lock unless they are repaired first")
	case target == rulebook.NoTarget:
		c.Effect(st.Pos.Line, "gives up the lock")
	case target != board.AimNearest && holds(c, target):
		c.Effect(st.Pos.Line, "you already have the lock; no roll is needed")
	case c.Sys.Has(ship.SysBridge):
		c.Effect(st.Pos.Line, "tries for a lock: chance %d%%", c.Sys.Bridge().Ratings[ship.SkillSensors])
	default:
		c.Effect(st.Pos.Line, "tries for a lock: %d or less on a die", rulebook.LockNeed)
	}
}

// holds reports whether the ship has a lock on the target of an order now.
func holds(c *rulebook.Compiler, target engine.ShipID) bool {
	return target == board.AimLocked || c.Sys.Holds(target)
}

// UseSensors adds an order for the sensors to a phase. It warns of orders below an unconditional
// one, which are never carried out.
func UseSensors(c *rulebook.Compiler, n int, st orders.Statement, o Sensing) {
	uses := rulebook.InPhase[Sensing](&c.Plan, n)
	if slices.ContainsFunc(*uses, func(o Sensing) bool { return o.When == nil }) {
		c.Warn(st.Pos, "W142", "the sensors do one thing a phase", "an order above already uses the sensors in phase %d", n+1)
	}
	o.Line, o.Text, o.When = st.Pos.Line, orders.FormatStatement(st), st.When
	*uses = append(*uses, o)
}

func compileQuestion(c *rulebook.Compiler, n int, st orders.Statement) {
	a, ok := st.Arg("QUESTION")
	if !ok || !c.Condition(st.When, true, false) { // range and the like refer to the ship with the lock
		return
	}
	asks := rulebook.InPhase[rulebook.Asking](&c.Plan, n)
	if slices.ContainsFunc(*asks, func(o rulebook.Asking) bool { return o.When == nil }) {
		c.Warn(st.Pos, "W142", "you can ask one question a phase", "an order above already asks the question of phase %d", n+1)
	}
	*asks = append(*asks, rulebook.Asking{Line: st.Pos.Line, Text: orders.FormatStatement(st), Question: a.Text, When: st.When})
	for _, q := range askables() {
		if q.key == a.Text {
			c.Effect(st.Pos.Line, "asks about %s, if there is a lock then", q.about)
		}
	}
}

func compileSensors(c *rulebook.Compiler, _ int, st orders.Statement) {
	if target, ok := sensorTarget(c, st); ok {
		if target == board.AimLocked {
			c.Fail(st.Pos, "E140", "name a ship, nearest or none", "a standing target cannot be the ship that you have a lock on: that lock is kept anyway")
			return
		}
		c.Plan.Standing.SetWord("sensors", string(target))
	}
}

func compileQuestions(c *rulebook.Compiler, _ int, st orders.Statement) {
	c.Plan.Standing.SetList("questions")
	if st.Form == 1 {
		return
	}
	asked := st.All("QUESTION")
	if len(asked) > maxQuestions {
		c.Fail(asked[maxQuestions].Pos, "E141", "leave out some", "there can be at most %d standing questions", maxQuestions)
		return
	}
	list := make([]string, len(asked))
	for i, a := range asked {
		list[i] = a.Text
	}
	c.Plan.Standing.SetList("questions", list...)
}

// SensorStanding returns the standing orders for the sensors in words: the nearest enemy for a
// captain who never gave one.
func SensorStanding(s ship.Standing) []string {
	target := s.Word("sensors")
	if target == "" {
		target = board.AimNearest
	}
	out := []string{"sensors " + target}
	if len(s.List("questions")) > 0 {
		out = append(out, "questions "+strings.Join(s.List("questions"), " "))
	}
	return out
}

// askable is a question that may be put to a sensor lock: its word in orders, and its subject.
type askable struct{ key, about string }

// askables returns the questions, in the order of the rule (stcs 7.3).
func askables() []askable {
	return []askable{
		{ship.AskPower, "power available"},
		{ship.AskOrder, "order of allocation"},
		{ship.AskShields, "points on each shield"},
		{ship.AskWeapons, "weapons armed"},
		{ship.AskStructure, "superstructure left"},
		{ship.AskDamage, "damaged systems"},
		{ship.AskPoints, "movement points left this turn"},
		{ship.AskCasualties, "crew casualties"},
		{ship.AskSensors, "its sensor target and its cloak"},
		{ship.AskMines, "mines around it"},
	}
}

// compileSurvey reads an order to train the sensors on an object in a hex.
func compileSurvey(c *rulebook.Compiler, n int, st orders.Statement) {
	a, _ := st.Arg("HEX")
	h, err := hex.ParseLabel(a.Text)
	if err != nil {
		c.Fail(a.Pos, "E122", "column and row, such as 0714", "%v", err)
		return
	}
	if !c.Condition(st.When, false, false) {
		return
	}
	UseSensors(c, n, st, Sensing{Object: &h})
	c.Effect(st.Pos.Line, "tries for a lock on what is at %s: %d or less on a die; locks on ships are given up", h.Label(), rulebook.LockNeed)
}

// Sensing is an order for one use of the sensors in a sensors phase. Of several, the first with
// a condition that holds is carried out.
type Sensing struct {
	Line   int
	Text   string
	Target engine.ShipID // a ship, or a word that stands for one; NoTarget gives up the lock
	When   *orders.Cond
	Object *hex.Hex   // for a lock on an object in this hex
	Scan   *ScanWhere // for a scan
}

// ScanWhere is the direction of a scan: through the arc of a shield, or towards where a ship was
// last known.
type ScanWhere struct {
	Shield int // number; 0 with a ship
	Ship   engine.ShipID
}
