package fasa

// meant is what newcomers call things, as they are called at the table or in other
// games, and the words of the order language for it.
func meant() map[string][]string {
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
