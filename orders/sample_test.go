package orders

import (
	_ "embed"
	"testing"
)

//go:embed testdata/hood.txt
var hood string

// sample returns a language like a rule set's, wide enough to reach every class of placeholder and every kind of
// subject.
func sample() *Language {
	foreign := map[string]string{"allocate": "cadet", "glide": "blind", "b": "cadet", "hide": "cadet"}
	return &Language{
		Rules: "sample",
		Params: map[string]Param{
			"POWER":   {Class: Number, Doc: "units of power"},
			"SHIELD":  {Class: Number, Doc: "a shield, 1 to 6"},
			"POINTS":  {Class: Number, Doc: "shield points"},
			"RANGE":   {Class: Number, Doc: "a distance in hexes"},
			"EVENT":   {Class: Number, Doc: "an event's number in the report"},
			"SHIP":    {Class: Name, Doc: "a ship"},
			"WEAPON":  {Class: Name, Doc: "a weapon or bank, or all"},
			"TO":      {Class: Name, Doc: "who gets the message"},
			"HEX":     {Class: HexLabel, Doc: "a hex"},
			"STEP":    {Class: Signed, Choices: []string{"+1", "-1"}, Doc: "one step"},
			"DRIFT":   {Class: Signed, Doc: "a drift"},
			"WORDS":   {Class: Text, Doc: "what you have to say"},
			"MOVE":    {Class: Choice, Choices: []string{"F", "FL", "FR", "FF", "L", "R", "SL", "SR", "H"}, Doc: "a movement word"},
			"KIND":    {Class: Choice, Choices: []string{"beams", "missiles"}, Doc: "a kind of weapon"},
			"SYSTEM":  {Class: Choice, Choices: []string{"weapons", "movement", "shields"}, Doc: "a system"},
			"SIDE":    {Class: Choice, Choices: []string{"port", "starboard"}, Doc: "a side"},
			"POLICY":  {Class: Choice, Choices: []string{"repeat", "hold"}, Doc: "a policy"},
			"WHICH":   {Class: Choice, Choices: []string{"strongest", "ahead"}, Doc: "a shield"},
			"UNUSED1": {Class: Name},
		},
		Sections: []Section{
			{Name: "power", Doc: "How power is split.", Verbs: []Verb{
				{Name: "move", Forms: []Form{"move POWER"}, Once: true, Doc: "Power for movement.", Examples: []string{"move 16"}},
				{Name: "shields", Forms: []Form{"shields SHIELD:POINTS..."}, Once: true, Examples: []string{"shields 1:10 2:14"}},
				{Name: "arm", Forms: []Form{"arm WEAPON [POWER...]"}, Examples: []string{"arm bank-b 5 5"}},
			}},
			{Name: "phase", Numbered: true, Max: 3, Doc: "What is done in a phase.", Verbs: []Verb{
				{Name: "move", Forms: []Form{"move MOVE..."}, When: true, Examples: []string{"move FL F"}},
				{
					Name: "pursue", Forms: []Form{"pursue SHIP [to RANGE] [showing SHIELD]"}, When: true,
					Examples: []string{"pursue Riskadh to 5 showing 2"},
				},
				{Name: "course", Forms: []Form{"course HEX"}, Examples: []string{"course 1912", "course -2.15"}},
				{
					Name: "fire", Forms: []Form{"fire WEAPON... at SHIP"}, When: true,
					Examples: []string{"fire all at Riskadh when range <= 10 and not cloaked"},
				},
				{Name: "drift", Forms: []Form{"drift DRIFT [quietly]", "drift along HEX"}},
			}},
			{Name: "standing", Verbs: []Verb{
				{Name: "choose", Forms: []Form{"choose shield WHICH"}},
				{Name: "lose", Forms: []Form{"lose KIND WEAPON..."}},
				{Name: "shed", Forms: []Form{"shed SYSTEM..."}},
				{Name: "evade", Forms: []Form{"evade SIDE"}, When: true},
				{Name: "missing", Forms: []Form{"missing POLICY"}, Once: true},
			}},
			{Name: "", Doc: "The whole turn.", Verbs: []Verb{
				{Name: "final", Forms: []Form{"final"}, Once: true, Examples: []string{"final"}},
				{Name: "wait", Forms: []Form{"wait"}, Once: true},
				{Name: "cancel", Forms: []Form{"cancel"}, Once: true},
				{Name: "warp", Forms: []Form{"warp STEP"}, Once: true, Examples: []string{"warp +1"}},
				{Name: "luck", Forms: []Form{"luck WORDS"}},
				{Name: "protest", Forms: []Form{"protest EVENT [WORDS]"}},
				{
					Name: "message", Forms: []Form{"message TO"}, Body: true,
					Examples: []string{"message Riskadh\n#text\nStrike your colours.\n#endtext"},
				},
			}},
		},
		Subjects: []Subject{
			{Form: "range", Kind: NumberSubject, Doc: "Distance to the target."},
			{Form: "range to SHIP", Kind: NumberSubject},
			{Form: "chance", Kind: PercentSubject, Doc: "To hit."},
			{Form: "shield SHIELD of SHIP", Kind: NumberSubject},
			{Form: "alert", Kind: WordSubject, Choices: []string{"red", "yellow"}},
			{Form: "leader", Kind: WordSubject},
			{Form: "missile", Kind: FlagSubject},
			{Form: "cloaked", Kind: FlagSubject},
			{Form: "targeted", Kind: FlagSubject, Doc: "Fire was declared on you."},
		},
		Posts:   []string{"helm", "engineer"},
		Foreign: func() map[string]string { return foreign },
		Meant: map[string][]string{
			"chase": {"pursue"}, "attack": {"fire"}, "movement": {"move", "phase 1"}, "left": {"move L", "L"}, "turn": {"move L", "L", "R"},
			"back": {"B"}, "if": {"when"}, "unless": {"when not"}, "on": {"at"}, "distance": {"range"}, "glide": {"course"}, "hurt": {"targeted"},
		},
	}
}

// one puts lines into a block with a valid head.
func one(lines string) string {
	return "#orders wolf turn 3 ship Hood\n" + lines + "\n#end\n"
}

// parsed parses a source that must give one block without any diagnostic.
func parsed(t *testing.T, src string) Block {
	t.Helper()
	blocks, ds := Parse([]byte(src), sample())
	if len(ds) > 0 || len(blocks) != 1 {
		t.Fatalf("%d blocks, diagnostics %v in\n%s", len(blocks), ds, src)
	}
	return blocks[0]
}
