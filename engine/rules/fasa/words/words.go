// Package words holds the names of dice in the courses and Book One, and words that newcomers use.
package words

import (
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
)

// hitSources returns the sources of damage as the names of their rolls begin, each with an
// example and in words.
func hitSources() [][3]string {
	return [][3]string{
		{"fire.SHIP.WEAPON[.N]", "fire.hood.bank-a", "a hit by SHIP's WEAPON (N: its mount, if each mount rolls)"},
		{"blast.FROM.SHIP", "blast.wolf.hood", "the explosion of FROM"},
		{"mine.SHIP[.N]", "mine.hood", "a mine (N: the second of the phase, and so on)"},
		{"debris.SHIP[.N]", "debris.hood", "an asteroid"},
	}
}

// NamedDice returns all rolls of the courses.
func NamedDice() []engine.NamedDie {
	d10 := func(name, example, what string) engine.NamedDie {
		return engine.NamedDie{Name: name, Example: "t3.p2." + example, Die: dice.D10, What: what}
	}
	out := []engine.NamedDie{
		{Name: "advantage.SHIP[.N]", Example: "t3.advantage.hood", Die: dice.D10, What: "tactical advantage; N: 2 and so on, for rerolled ties"},
		d10("fire.SHIP.WEAPON[.N].hit[.slim]", "fire.hood.bank-a.hit", "whether a shot hits; N: its mount, if each mount rolls; slim: the second die for a number of 0 or less"),
	}
	for _, b := range hitSources() {
		out = append(out,
			d10(b[0]+".location[.N]", b[1]+".location", "where "+b[2]+" does damage; N: the second block of damage, and so on"),
			d10(b[0]+".location[.N].engine", b[1]+".location.engine", "which engine, of "+b[2]),
			d10(b[0]+".location[.N].engineering", b[1]+".location.engineering", "an engineering hit, of "+b[2]),
			engine.NamedDie{Name: b[0] + ".location[.N].MOUNT.crew", Example: "t3.p2." + b[1] + ".location.1.crew", Die: dice.D100, What: "whether casualties are halved, of " + b[2] + "; MOUNT: which mount hit, 0 for none"})
	}
	out = append(out,
		d10("evade.SHIP.FOE", "evade.hood.wolf", "evading a missile from FOE"),
		d10("survey.SHIP", "survey.hood", "a lock on something other than a ship"),
		d10("lock.SHIP.TARGET", "lock.hood.wolf", "a lock on TARGET"),
		d10("scan.SHIP", "scan.hood", "a scan for cloaked ships"),
		d10("repair.SHIP.SYSTEM[.slim]", "repair.hood.shield-2", "a repair; slim: the second die for a number of 0 or less"),
		d10("explode.SHIP[.N]", "explode.wolf", "whether a wreck explodes"),
		d10("debris.SHIP[.N].struck", "debris.hood.struck", "whether an asteroid strikes"),
		d10("debris.SHIP[.N].damage", "debris.hood.damage", "its damage"),
		engine.NamedDie{Name: "skill.SHIP.N", Example: "t3.skill.hood.1", Die: dice.D10, What: "three dice for the captain's skill; N: 1 to 3"},
		engine.NamedDie{Name: "efficiency.SHIP.N", Example: "t3.efficiency.hood.1", Die: dice.D10, What: "three dice for the crew's efficiency; N: 1 to 3"},
		engine.NamedDie{Name: "bonus.SHIP", Example: "t3.bonus.hood", Die: dice.D100, What: "the crew's extra effort"},
		engine.NamedDie{Name: "lay.FIELD.N", Example: "t3.lay.minefield-1010.1", Die: dice.D100, What: "where the N-th mine of a field goes that nobody laid"},
	)
	return out
}

// Meant maps words that newcomers use, from the table or other games, to words of the order
// language.
func Meant() map[string][]string {
	return map[string][]string{
		// Orders and headings.
		"attack": {"fire"}, "shoot": {"fire"}, "target": {"fire", "nearest"}, "launch": {"fire"}, "engage": {"fire"},
		"chase": {"pursue"}, "follow": {"pursue"}, "hunt": {"pursue"}, "intercept": {"pursue"}, "approach": {"pursue"}, "close": {"pursue"},
		"run": {"flee"}, "retreat": {"flee"}, "escape": {"flee"}, "withdraw": {"flee", "warp"}, "evade": {"flee"},
		"orbit": {"circle"}, "goto": {"course"}, "navigate": {"course"}, "steer": {"course"},
		"movement": {"move", "phase 1"}, "speed": {"move"}, "engines": {"move"}, "thrust": {"move"}, "advance": {"move F", "F"},
		"energy": {"power"}, "allocate": {"power"}, "allocation": {"power"}, "reactor": {"power"},
		"deflectors": {"shields"}, "screens": {"shields"}, "raise": {"shields"},
		"weapon": {"arm"}, "weapons": {"arm", "all"}, "charge": {"arm"}, "load": {"arm"}, "energize": {"arm"},
		"round": {"phase"}, "segment": {"phase"}, "impulse": {"phase"}, "dodge": {"evade"}, "jump": {"warp"}, "leave": {"warp"},
		"fix": {"repair"}, "mend": {"repair"}, "decloak": {"cloak"}, "hide": {"cloak"}, "detect": {"lock", "scan"}, "ask": {"question"},
		"say": {"message"}, "tell": {"message"}, "send": {"message"}, "signal": {"message"}, "hail": {"message"},
		"strike": {"surrender"}, "yield": {"surrender"}, "capitulate": {"surrender"}, "done": {"final"}, "finished": {"final"}, "ready": {"final"},
		// Movement.
		"turn": {"move L", "L", "R"}, "rotate": {"move L", "L", "R"}, "left": {"move L", "L", "port"}, "port": {"move L", "L", "left"},
		"right": {"move R", "R", "starboard"}, "starboard": {"move R", "R", "right"}, "forward": {"move F", "F"}, "forwards": {"move F", "F"},
		"ahead": {"move F", "F"}, "straight": {"move F", "F"}, "hold": {"move H", "H"}, "stop": {"move H", "H"}, "stay": {"move H", "H"},
		"slip": {"move SL", "SL", "SR"}, "sideslip": {"move SL", "SL", "SR"},
		"back": {"B"}, "backward": {"B"}, "backwards": {"B"}, "reverse": {"B"}, "astern": {"B"},
		// Conditions.
		"if": {"when"}, "while": {"when"}, "unless": {"when not"}, "distance": {"range"}, "dist": {"range"}, "hexes": {"range"},
		"odds": {"chance"}, "probability": {"chance"}, "hit": {"chance", "damaged"}, "tohit": {"chance"}, "bearing": {"arc"}, "angle": {"arc"},
		"hurt": {"damaged"}, "fired": {"targeted"}, "attacked": {"targeted"}, "torpedo": {"missile", "missiles"},
		"invisible": {"cloaked"}, "front": {"forward"}, "rear": {"aft"}, "behind": {"aft"}, "stern": {"aft"},
		// Small words, and names of weapons and ships.
		"on": {"at"}, "against": {"at"}, "upon": {"at"}, "within": {"to", "at"}, "towards": {"to"}, "using": {"with"},
		"phasers": {"beams"}, "phaser": {"beams"}, "disruptors": {"beams"}, "lasers": {"beams"}, "guns": {"beams"},
		"torpedoes": {"missiles"}, "torpedos": {"missiles"}, "torps": {"missiles"}, "photons": {"missiles"}, "everything": {"all"},
		"enemy": {"nearest"}, "closest": {"nearest"}, "any": {"nearest"}, "foe": {"nearest"},
	}
}

// Number returns a small number in words.
func Number(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six"}
	if n < 0 || n >= len(words) {
		return strconv.Itoa(n)
	}
	return words[n]
}

// MovementPoints returns a number of movement points in words.
func MovementPoints(n int) string {
	if n == 1 {
		return "1 movement point"
	}
	return strconv.Itoa(n) + " movement points"
}
