package fasa

import (
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// Command is Command & Control as a rule set over a library of ships and weapons.
func Command(lib *tables.Library) (*engine.Rules, error) { return commandCourse().rules(lib) }

// commandCourse is the Graduate Course with officers at posts of their own (stcs 19 to 24).
func commandCourse() course {
	book := graduateCourse()
	book.name, book.title, book.version = "stcs-command", "Starship Tactical Combat Simulator, Command & Control", "2"
	book.sources = append([]string{"STCS rules, Command & Control"}, book.sources...)
	book.cites = cites.Command()
	book.sure = robot.Odds{Plain: []int{60, 40, 1}, Choosy: []int{70, 50, 1}, Cloaked: []int{50, 30, 1}} // power not fired is lost, and casualties may leave no better chance
	book.options = maps.Clone(book.options)
	delete(book.options, OptionCrews)
	book.posts, book.later = posts(), nil
	book.bonus = (*rulebook).trySkills
	book.opening = slices.Clone(book.opening)
	for i, st := range book.opening {
		switch st.name {
		case "captains and crews":
			book.opening[i] = stage{"the bridge", "power", (*rulebook).manBridges}
		case "tactical advantage":
			book.opening[i].run = (*rulebook).matchTactics
		}
	}
	book.closing = append(slices.Clone(book.closing), stage{"officers relieved", "end", (*rulebook).relieveOfficers})
	book.heavy = forGood
	book.battery = []func(*rulebook, *salvo){
		(*rulebook).takeAim, (*rulebook).declare, (*rulebook).nameReduction, (*rulebook).evade, (*rulebook).shoot, (*rulebook).reduceDamage, (*rulebook).takeDamage,
		(*rulebook).burst, (*rulebook).fallOut, (*rulebook).shakeBridges, (*rulebook).surrender,
	}
	book.modifiers = append(slices.Clone(book.modifiers), withCare)
	book.gates = append(slices.Clone(book.gates), unmannedGuns)
	book.moveRules = append([]moveRule{helpless}, book.moveRules...)
	book.onHelmOut = straightOnWithoutHelm
	book.effects = maps.Clone(book.effects)
	book.effects[tables.AtBridge], book.effects[tables.AtEngineering] = hitBridge, hitEngineRoom
	book.insight = scienceTells
	book.lockDie, book.askDie, book.scanWith, book.keepWith = lockBySkill, askBySkill, (*rulebook).scanBySkill, keepBySkill
	book.cutOrder, book.onShed = cutsOfEngineer, tellCuts
	book.collapse, book.easing, book.unmanned, book.gatekeeper = hold, (*rulebook).ease, unmannedSensors, (*rulebook).captainsGate
	book.sends, book.reply = (*rulebook).hail, (*rulebook).crewReply
	book.hurts = func(in *damageResolver) { in.crew(0) }
	book.parts = slices.Clone(book.parts)
	// Officers take the places of captains and crews with ratings, and of their bonus.
	book.parts = slices.DeleteFunc(book.parts, func(p part) bool {
		return slices.ContainsFunc(p.keeps, func(k ship.Share) bool { return k.Key() == "people" }) || slices.Contains(p.orders, "bonus")
	})
	// What the engineer gives out must be known before other parts look at a set as a whole.
	book.parts = append(append([]part{{Part: Part{settle: fitTotals}}}, book.parts...), bridgePart())
	return book
}
