package fasa

import (
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/crew"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// advanced returns the Advanced Course as a rule set over a library of ships and weapons.
func advanced(lib *tables.Library) (*engine.Rules, error) { return advancedCourse().rules(lib) }

// advancedCourse is the Basic Course with what stcs 5 to 12 add or replace.
func advancedCourse() course {
	book := basicCourse()
	book.Name, book.Title = "stcs-advanced", "Starship Tactical Combat Simulator, Advanced Course"
	book.Sources = append([]string{"STCS rules, Advanced Course"}, book.Sources...)
	book.Cites = cites.Advanced()
	book.Options = maps.Clone(book.Options)
	maps.Copy(book.Options, crew.PeopleOptions())
	book.Opening = []rulebook.Stage{
		{Name: "look round", Step: "power", Run: play.WatchForShips},
		{Name: "captains and crews", Step: "power", Run: crew.Rate},
		{Name: "power allocation", Step: "power", Run: play.Allocate},
		{Name: "placing", Step: "power", Run: play.PlaceShips},
		{Name: "minefields", Step: "power", Run: play.LayMines},
		{Name: "tactical advantage", Step: "advantage", Run: crew.Outmanoeuvre},
	}
	book.Each = []rulebook.Stage{
		{Name: "sensors", Step: "sensors", Run: play.Sense},
		{Name: "movement", Step: "movement", Run: play.Move},
		{Name: "look round", Step: "movement", Run: play.WatchForShips},
		{Name: "helm", Step: "movement", Run: play.Trim},
		{Name: "tactical heading changes", Step: "movement", Run: play.Tactical},
		{Name: "cloaks", Step: "movement", Run: play.SwitchCloaks},
		{Name: "fire", Step: "fire", Run: play.Fire},
		{Name: "look round", Step: "fire", Run: play.WatchForShips},
	}
	book.Each = append(book.Each, rulebook.Stage{Name: "repair", Step: "repair", Run: play.Mend})
	book.Hulks = true
	book.Begins = []func(*engine.Turn){play.Sound}
	book.LockDie, book.ScanWith, book.Collapse = play.LockByDie, play.Scan, play.CollapseByDie
	book.Bonus, book.OnPower = crew.Reward, play.PrimeCloak
	book.Closing = []rulebook.Stage{{Name: "warp", Step: "end", Run: play.ChangeWarp}, {Name: "look round", Step: "end", Run: play.WatchForShips}}
	book.Effects = maps.Clone(book.Effects)
	book.Effects[tables.AtEngine] = play.HitEngines
	book.Effects[tables.AtSensors] = play.HitScanners
	book.Effects[tables.AtShield] = play.HitTrackedGenerator
	book.Kinds = append(slices.Clone(book.Kinds), play.Plasma(false))
	book.Battery = slices.Insert(slices.Clone(book.Battery), len(book.Battery)-2, play.Burst) // before ships fall out of the fight
	book.Gates = []rulebook.Gate{play.ScannersOut, play.UnderCloak}
	book.Battery = slices.Insert(book.Battery, 1, play.Evade) // after all have declared
	book.Evading = play.HoldFire
	book.Modifiers = []rulebook.Modifier{play.ThroughRocks, play.Swung, play.AtCloak}
	book.Strain = play.OneEngine
	book.Words = append(book.Words, board.WordAstern, board.WordSwingL, board.WordSwingR)
	book.MoveRules = []rulebook.MoveRule{play.Astray, play.AtHelm}
	book.AfterMoves, book.Steers = []rulebook.AfterMove{play.WatchWake, play.Rockslide, play.Mined}, play.Steer
	book.Concealments, book.LineOfFireRules = []rulebook.Concealment{play.Shadowed, play.HiddenByCloak}, []rulebook.LineOfFireRule{play.Behind, play.Unlocked}
	book.Ground = play.ObstacleGround()
	maps.Copy(book.Ground, play.MineGround())
	book.Look, book.Insight = (*rulebook.Rules).MakeOut, rulebook.LockTells
	book.Aims = rulebook.SensorAims()
	book.parts = []part{enginesPart(&book.Book), peoplePart(), sensorsPart(), repairPart(), bonusPart(), helmPart(book.Words), tacticalPart(), evadePart(), warpPart(), obstaclesPart(), blastPart(book.Split.Phases()), minesPart(), placePart(), cloakPart(append(ship.Shedable(), ship.NameCloak))}
	book.Captain = (*robot.Rules).Seasoned
	book.Later = laterBooks(graduateCourse, commandCourse)
	return book
}

// Graduate returns the Graduate Course as a rule set over a library of ships and weapons.
func Graduate(lib *tables.Library) (*engine.Rules, error) { return graduateCourse().rules(lib) }

// graduateCourse is the Advanced Course with what stcs 13 to 17 add or replace.
func graduateCourse() course {
	book := advancedCourse()
	book.Name, book.Title = "stcs-graduate", "Starship Tactical Combat Simulator, Graduate Course"
	book.Sources = append([]string{"STCS rules, Graduate Course"}, book.Sources...)
	book.Cites = cites.Graduate()
	book.Later = laterBooks(commandCourse)
	book.Strain, book.Evading = play.AllEngines, nil
	book.Kinds = append(slices.Clone(basicCourse().Kinds), play.Plasma(true))
	book.Locate = play.DetailedChart
	book.Effects, book.Heavy = play.DetailedEffects(), play.HeavyDamage
	book.Modifiers = append(slices.Clone(book.Modifiers), play.Understaffed, play.Patched, play.WhileEvading)
	book.Begins = append(slices.Clone(book.Begins), play.Muster)
	book.MoveRules = append([]rulebook.MoveRule{rulebook.Moored}, book.MoveRules...)
	book.SlimTable, book.HideShotDetails = (*tables.Library).SlimChance, true
	book.ExtraCitations = play.OlderWeapons
	book.Gates = append(slices.Clone(book.Gates), play.Unpowered)
	book.OnHelmOut = play.StraightOn
	book.parts = append(slices.Clone(book.parts), hullPart(), lasersPart(&book.Book), outpostsPart())
	return book
}
