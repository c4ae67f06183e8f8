package sfb

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// houseRows are the paragraphs of the house rules that a program can play, each with a case that cites it and a line
// that plays it: of what happens, of the check or of the report. Those for games in the dark are in
// docs/reference/rules-blind.md; of them only what these rules' ships add is here.
const houseRows = `
5.111   5.111-moment-of-need        reinforce ship=hood shield=1 points=4 reserve=2 batteries=3
6.01    6.01-six-speeds             facing ship=huron heading=E phase=1
6.02    6.02-eight-impulses         3x move ship=three phase=1
6.03a   6.03a-pool                  pool ship=hood left=300 phase=8
6.03b   6.03b-drones                strike ship=d1 target=hood shield=1 points=12 phase=5
6.04    6.04-turn-modes             skip ship=hood reason~"moved 4 of 5 hexes straight"
6.05    6.05-steps                  speed ship=hood speed=8 phase=4
7.55    7.55-single                 damage ship=gurkan roll=12 bank=auxiliary after=0
7.56    7.56-block                  damage ship=gurkan bank=fore before=2 after=0
7.57    7.56-block                  damage ship=gurkan bank=warp-right before=8 after=1
7.58    7.58-kinds                  damage ship=gurkan roll=4 bank=ph-5 after=0
7.59    7.59-at-rest                fire weapon=ph-2 aimed=2 half=false points=5 phase=3
9.71    9.71-sensors                within 20 hexes, its size, speed and heading within 10
9.72    9.72-small-craft            move ship=d201 phase=6
9.73    9.71-sensors                an outpost at twice that
9.74    9.71-sensors                within 30 hexes, its size, speed and heading within 15
9.8     9.71-sensors                3 set aside for labs
9.81    9.81-special-sensors        within 44 hexes
12.2    12.2-what-a-die-gives       lab ship=hood range=9 boxes=4 points=4 sum=4
12.22   36.2-sheet                  fire ship=hood aimed=11 half=true
12.3    9.71-sensors                new contact c02 at 1032: something unidentified
14.1    14.1-probes                 study craft=r1 ship=hood about=gurkan how=probe range=3 points=20
14.3    14.3-endurance              study craft=r1 range=1 points=20
14.4    14.1-probes                 E250 "no probe is loaded" "leave it out"
19.25   19.25-tholian-plasma        strike target=hood points=5 flown=5
19.41   19.41-obstacles             move ship=p1 word=R phase=3 to.hex=0915 rule.4="house 19.41"
19.5    19.5-gorn-plasma            strike ship=p2 points=22 flown=12 phase=4
19.51   19.51-plasma-k              E205 "cannot be held"
21.31   21.31-star-drive            E226 "no warp drive, and cannot go 2"
21.32   21.31-star-drive            energy ship=bird available=6
21.33   21.31-star-drive            damage roll=9 bank=star-left before=10 after=9
27.3    27.3-shuttle-with-phaser    bank shuttle: a shuttle cannot mount a phaser-3, only fighters can
27.41   27.41-shuttles              study craft=b1 ship=hood from=b1 how=send points=10
30.6    30.6-scotty                 scotty ship=hood bank=ph-1 roll=2 before=0 after=1
30.7    30.7-hit-again              damage ship=gurkan roll=12 bank=emergency before=1 after=0
30.9    30.91-overloaded-engines    scotty ship=raider bank=warp-left before=9 after=10
30.91   30.91-overloaded-engines    E231 "boxes that were mended in battle may not be overloaded again"
30.92   30.6-scotty                 E222 "mended in battle"
33.6    33.6-boarding               fight ship=gurkan killed=2 fallen=3 defenders=6
33.91   33.91-raids                 raid ship=hood bank=lab roll=1 stolen=true before=2 after=2 back=true
34.0    34.1-brake                  brake ship=hood left=2 phase=2
34.1    34.1-brake                  pool ship=hood left=0 reserve=18
36.0    36.1-aimed                  fire ship=hood weapon=ph-1 aimed=11 half=true points=7
36.1    36.1-aimed                  damage ship=riskadh roll=11 aimed=true half=true bank=disr-a after=0
36.2    36.2-sheet                  her people have no sheet of that ship: laboratories draw one; ph-1 fires
41.7    41.7-blind-fire             fire ship=hood weapon=photon-a hit=true target="" range=0 points=0
41.71   41.71-plasma                strike target=aquila phase=6 points=25
56.11   56.11-lasers                fire ship=zap weapon=laser-1 need=5 hit=true
56.12   56.11-lasers                fire weapon=beam-2 need=4 hit=false
58.51   58.51-hard-turns            pool ship=hood left=0 phase=8
58.55   58.51-hard-turns            breakdown ship=gurkan roll=4 need=4 broken=true
58.57   58.51-hard-turns            hard ship=corsair word=LL heading=D phase=2
61.4    61.4-overload               blowout ship=riskadh bank=disr-a roll=6 after=0
71.61   71.61-tractor               tractor ship=riskadh target=hood moved=4 hexes=16 slows=6 caught=false
71.8    71.8-towing                 says pool of 12 energy
103.0   103.0-option                burst ship=fang flight.kind=cannon-primary flight.damage=12
103.1   103.2-cannon                burst ship=claw weapon=cannon-1 at.heading=A flight.damage=12 phase=1
103.11  103.2-cannon                skip ship=fang reason~"cannon-7: that row is out of its arc FA"
103.12  103.12-from-anywhere        drawn ship=fang for=cannon energy=1 pool=1 reserve=0 batteries=5
103.2   103.2-cannon                move ship=s1 to.hex=2015 word=F5 phase=2
103.21  103.2-cannon                burst ship=fang weapon=cannon-3 flight.damage=8
103.22  103.22-two-shots-a-point    1x drawn ship=claw
103.23  103.23-split                E229 "cannon-2 has 12 points to split, but these add up to 13"
103.3   103.0-option                cannon-1 primary battery cannon - fires 12 points along a row now
200.1   200.1-shield-of-choice      facing ship=farragut heading=B phase=2
`

// TestEveryRowOfTheHouseRulesIsPlayed: each paragraph has a case in plain text that cites it, with the line that plays
// it, and no paragraph in the summary of the rules is missing. TestHouseCases and TestAllocationCases check the cases'
// results.
func TestEveryRowOfTheHouseRulesIsPlayed(t *testing.T) {
	rows := playedRows(t, houseRows)
	short, err := os.ReadFile("../../../docs/reference/rules-sfb-house.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\*\*([0-9]+\.[0-9]+[ab]?(?:, [0-9.]+[ab]?)*)\*\*`).FindAllStringSubmatch(string(short), -1) {
		for n := range strings.SplitSeq(m[1], ", ") {
			if !rows[n] {
				t.Errorf("the rules in short tell of paragraph %s, which no row here plays", n)
			}
		}
	}
}

// playedRows returns the paragraphs of a list, each of which is cited and played by its case.
func playedRows(t *testing.T, list string) map[string]bool {
	t.Helper()
	cases, rows := indexedCases(t, "house"), map[string]bool{}
	for row := range strings.Lines(strings.TrimSpace(list)) {
		words := strings.Fields(row)
		n, name := words[0], "house-"+words[1]
		line := strings.TrimSpace(strings.SplitN(row, words[1], 2)[1])
		rows[n] = true
		if !slices.Contains(cases[n], name) {
			t.Errorf("%s does not cite paragraph %s, which it is to play", name, n)
		}
		paths, err := filepath.Glob(suite + "sfb-*/" + name + ".txt")
		sheets, err2 := filepath.Glob("testdata/allocate/" + name + ".txt")
		if paths = append(paths, sheets...); err != nil || err2 != nil || len(paths) != 1 {
			t.Fatalf("%s: %v, %v, %v", name, paths, err, err2)
		}
		text, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		played := ""
		for l := range strings.Lines(string(text)) { // below the note, and not an order
			if l = strings.TrimSpace(l); strings.Contains(l, line) && !strings.HasPrefix(l, "title") && !strings.HasPrefix(l, "!") {
				played = l
			}
		}
		if played == "" {
			t.Errorf("%s does not play paragraph %s: it has no line %q", name, n, line)
		}
	}
	return rows
}

// TestWorkedExamplesOfTheHouseRulesHaveCases: each example worked out by hand before the rules were written has a
// case.
func TestWorkedExamplesOfTheHouseRulesHaveCases(t *testing.T) {
	for want := range strings.SplitSeq(`7.56-block: case C27, 71.61-twelve-hexes: case C28, 9.71-sensors: case C29, 103.23-split: case C30, 9.71-sensors: third case,
		5.111-moment-of-need: fifth case, 6.03a-pool: sixth case, 6.04-turn-modes: seventh case, 7.58-kinds: eighth case, 19.25-tholian-plasma: ninth case,
		19.5-gorn-plasma: tenth case, 19.51-plasma-k: eleventh case, 30.6-scotty: twelfth case, 33.91-raids: thirteenth case, 34.1-brake: fourteenth case,
		36.1-aimed: fifteenth case, 41.7-blind-fire: sixteenth case, 58.51-hard-turns: seventeenth case, 61.4-overload: eighteenth case,
		71.61-tractor: nineteenth case, 103.2-cannon: twentieth case`, ",") {
		file, words, _ := strings.Cut(strings.TrimSpace(want), ": ")
		text, err := os.ReadFile(suite + "sfb-house/house-" + file + ".txt")
		if err != nil || !strings.Contains(string(text), words) {
			t.Errorf("house-%s does not show the %s: %v", file, words, err)
		}
	}
}
