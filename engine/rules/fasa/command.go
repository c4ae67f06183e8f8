package fasa

import (
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/crew"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/tell"
	"starpost/engine/rules/fasa/verbs"
)

// Command returns Command & Control as a rule set over a library of ships and weapons.
func Command(lib *tables.Library) (*engine.Rules, error) { return commandCourse().rules(lib) }

// commandCourse is the Graduate Course with officers at posts of their own (stcs 19 to 24).
func commandCourse() course {
	book := graduateCourse()
	book.Name, book.Title, book.Version = "stcs-command", "Starship Tactical Combat Simulator, Command & Control", "2"
	book.Sources = append([]string{"STCS rules, Command & Control"}, book.Sources...)
	book.Cites = cites.Command()
	book.Sure = robot.Odds{Plain: []int{60, 40, 1}, Choosy: []int{70, 50, 1}, Cloaked: []int{50, 30, 1}} // power not fired is lost, and casualties may leave no better chance
	book.Options = maps.Clone(book.Options)
	delete(book.Options, rulebook.OptionCrews)
	book.Posts, book.Later = rulebook.Posts(), nil
	book.Bonus = crew.TrySkills
	book.Opening = slices.Clone(book.Opening)
	for i, st := range book.Opening {
		switch st.Name {
		case "captains and crews":
			book.Opening[i] = rulebook.Stage{Name: "the bridge", Step: "power", Run: crew.ManBridges}
		case "tactical advantage":
			book.Opening[i].Run = crew.MatchTactics
		}
	}
	book.Closing = append(slices.Clone(book.Closing), rulebook.Stage{Name: "officers relieved", Step: "end", Run: crew.RelieveOfficers})
	book.Heavy = crew.ForGood
	book.Battery = []func(*rulebook.Rules, *rulebook.Salvo){
		crew.TakeAim, play.Declare, crew.NameReduction, play.Evade, play.Shoot, crew.ReduceDamage, play.TakeDamage,
		play.Burst, play.FallOut, crew.ShakeBridges, play.Surrender,
	}
	book.Modifiers = append(slices.Clone(book.Modifiers), crew.WithCare)
	book.Gates = append(slices.Clone(book.Gates), crew.UnmannedGuns)
	book.MoveRules = append([]rulebook.MoveRule{crew.Helpless}, book.MoveRules...)
	book.OnHelmOut = crew.StraightOnWithoutHelm
	book.Effects = maps.Clone(book.Effects)
	book.Effects[tables.AtBridge], book.Effects[tables.AtEngineering] = crew.HitBridge, crew.HitEngineRoom
	book.Insight = tell.ScienceTells
	book.LockDie, book.AskDie, book.ScanWith, book.KeepWith = crew.LockBySkill, crew.AskBySkill, crew.ScanBySkill, crew.KeepBySkill
	book.CutOrder, book.OnShed = play.CutsOfEngineer, play.TellCuts
	book.Collapse, book.Easing, book.Unmanned, book.Gatekeeper = crew.Hold, crew.Ease, crew.UnmannedSensors, crew.CaptainsGate
	book.Sends, book.Reply = crew.Hail, crew.CrewReply
	book.Hurts = func(in *rulebook.DamageResolver) { play.Casualties(in, 0) }
	book.parts = slices.Clone(book.parts)
	// Officers take the places of captains and crews with ratings, and of their bonus.
	book.parts = slices.DeleteFunc(book.parts, func(p part) bool {
		return slices.ContainsFunc(p.Keeps, func(k ship.Share) bool { return k.Key() == "people" }) || slices.Contains(p.Orders, "bonus")
	})
	// What the engineer gives out must be known before other parts look at a set as a whole.
	book.parts = append(append([]part{{Part: rulebook.Part{Settle: verbs.FitTotals}}}, book.parts...), bridgePart())
	return book
}
