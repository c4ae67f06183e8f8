package sfb

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// darkRows are the paragraphs of the house rules used in games in the dark, each with its case and a line of it. How
// large objects and small craft look is in the cases of engine/blind: these rules have no large objects, and no order
// that reveals small craft.
const darkRows = `
6.62    6.62-leaving-unseen         out ship=riskadh why=left how=disengaged
9.7     9.75-fields                 c04  2017  23 000 1 field
9.71    9.75-fields                 c02 at 2050, medium, heading D, speed 0
9.74    9.71-sensors                within 30 hexes, its size, speed and heading within 15
9.75    9.75-fields                 new contact c04 at 2011: a warp field
9.81    9.71-sensors                within 46 hexes, its size, speed and heading within 23
12.1    12.11-open-talk             message ship=riskadh
12.11   12.11-open-talk             overheard ship=hood from=c02 text="Who is out there?"
12.12   12.13-codes                 overheard ship=hood from=c02 coded=true about=5 text=""
12.13   12.13-codes                 lab ship=hood job=decode what=klingon boxes=4 range=3 points=24 sum=24 units=20
12.14   12.14-files                 lab ship=gurkan job=receive points=32 sum=60 units=50
12.2    12.22-sheets                lab ship=hood job=study boxes=3 range=4 points=12 sum=12
12.22   12.22-sheets                sheet ship=hood what=c01
12.23   12.22-sheets                1x nature ship=hood what=c01 n=1
12.3    9.71-sensors                new contact c02 at 1032: something unidentified
14.1    14.1-probes                 study craft=r1 ship=hood about=gurkan how=probe range=3 points=20
14.2    14.2-whose-probe            spotted ship=gurkan side=Federation bearing=180
14.3    14.1-probes                 5x move ship=r1
14.4    14.1-probes                 E250 "no probe is loaded" "leave it out"
41.7    41.7-blind-fire             fire ship=hood weapon=photon-a hit=true target="" range=0 points=0
27.41   14.2-whose-probe            c01 at 5019, medium, heading A, speed 0
200.0   200.0-plain-commands        move ship=hood word=R
200.1   200.1-shield-of-choice      facing ship=farragut heading=B phase=2
`

// sensorCases are the cases of engine/blind that play a paragraph.
var sensorCases = map[string]string{"9.72": "case 6: a probe", "9.73": "case 3: an outpost is seen at twice the range", "9.75": "case 5: a ship that moves"}

// TestEveryRowOfTheDarkIsPlayed: each paragraph in the summary of the rules for the dark has a case with the line
// that plays it.
func TestEveryRowOfTheDarkIsPlayed(t *testing.T) {
	rows := playedRows(t, darkRows)
	sensors, err := os.ReadFile("../../blind/testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	for n, title := range sensorCases {
		if rows[n] = strings.Contains(string(sensors), title); !rows[n] {
			t.Errorf("the cases of sensors have no %q, which plays paragraph %s", title, n)
		}
	}
	short, err := os.ReadFile("../../../docs/reference/rules-blind.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^- \*\*([0-9]+\.[0-9]+)\*\*`).FindAllStringSubmatch(string(short), -1) {
		if !rows[m[1]] {
			t.Errorf("the rules in short tell of paragraph %s, which no case plays", m[1])
		}
	}
}
