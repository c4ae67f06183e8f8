package manual_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/manual"
	"starpost/engine/testkit/enginetest"
)

// stranger is a ship that Hood's captain can know at most by place.
type stranger struct {
	name  string
	hexes int // that she is moved
	skill int // of her crew, a track of the table's own
	end   hex.Hex
	in    hex.Heading
}

// TestTwinsInTheDark: a referee moves two ships that Hood's captain never finds, or that come within range in one turn,
// even in one hex. The reports are the same if the two have swapped ids, speeds, order of movement or crews.
func TestTwinsInTheDark(t *testing.T) {
	var all []enginetest.Twins
	lower := map[bool]int{} // in one hex, by whether the first by id has the lower number
	for _, where := range []string{"are never found", "come into reach in one turn", "come into one hex in one turn"} {
		for _, what := range []string{"ids", "speeds", "crews"} {
			all = append(all, enginetest.Twins{What: fmt.Sprintf("two ships that %s have swapped their %s", where, what), Fight: func(seed uint64) (told [2][]byte, err error) {
				ships := drawStrangers(where, seed)
				for k := range told {
					g := playStrangers(t, ships, seed, &told[k])
					var had []engine.ShipID
					for _, c := range g.Blind.Log("Hood").Contacts {
						if c.Ship != "mate" && c.Ship != "near" {
							had = append(had, c.Ship)
						}
					}
					switch {
					case where == "are never found" && len(had) == 0:
					case len(had) != 2:
						return told, fmt.Errorf("Hood has %v", had)
					case where == "come into one hex in one turn": // this determines their numbers
						told[k] = fmt.Appendf(told[k], "\nby their numbers: %v\n", had)
						lower[had[0] < had[1]]++
					}
					a, b := &ships[0], &ships[1]
					switch what {
					case "ids":
						a.name, b.name = b.name, a.name
					case "speeds":
						a.hexes, b.hexes = b.hexes, a.hexes
					case "crews":
						a.skill, b.skill = b.skill, a.skill
					}
				}
				return told, nil
			}})
		}
	}
	enginetest.TwinsAreToldTheSame(t, manual.Name, all)
	for seed := range uint64(12) { // in addition to those of the twins
		if _, err := all[len(all)-1].Fight(100 + seed); err != nil {
			t.Fatal(err)
		}
	}
	if lower[true] == 0 || lower[false] == 0 {
		t.Errorf("in one hex the first by id has the lower number in %d battles, the other in %d", lower[true], lower[false])
	}
}

// drawStrangers makes up two ships and their movement.
func drawStrangers(where string, seed uint64) [2]stranger {
	rng := rand.New(rand.NewPCG(seed, 23))
	hood := hex.At(20, 20)
	from := 21 + rng.IntN(10)
	if where == "are never found" {
		from = 70
	}
	south := slices.DeleteFunc(slices.Collect(hex.Ring(hood, from)), func(h hex.Hex) bool { // on the map
		col, row := h.ColRow()
		return col < 1 || row < 40
	})
	var out [2]stranger
	for i, name := range [][2]string{{"Alpha", "Zulu"}, {"Far", "Off"}, {"Ida", "Sam"}}[rng.IntN(3)] {
		out[i] = stranger{name: name, hexes: 12 + 12*i, skill: 30 + 40*i, end: south[rng.IntN(len(south))], in: hex.Heading(5 * i)}
	}
	if rng.IntN(2) == 0 {
		out[0].hexes, out[1].hexes = out[1].hexes, out[0].hexes
	}
	if where == "come into one hex in one turn" {
		out[1].end = out[0].end
	}
	return out
}

// playStrangers plays a turn in which they arrive, the faster first, while Hood and Near exchange shots, and one in
// which each acts in a way that depends on her crew.
func playStrangers(t *testing.T, ships [2]stranger, seed uint64, told *[]byte) *engine.Game {
	t.Helper()
	entries := []string{enemy("Near", "2024", "")}
	moves, rolls := []string{"", ""}, []string{"", ""}
	for i, s := range ships {
		entries = append(entries, enemy(s.name, s.end.StepN(s.in.Reverse(), s.hexes).Label(), fmt.Sprintf(", skill = %d", s.skill)))
		order := 0
		if s.hexes < ships[1-i].hexes {
			order = 1
		}
		moves[order] = fmt.Sprintf("move %s %s\n", s.name, s.end.Label())
		rolls[order] = fmt.Sprintf("roll %[1]s.skill d100\nchange %[1]s skill -%[2]d\nroll %[1]s.first %[3]s for %[1]s\n", s.name, s.skill/10, map[bool]string{false: "d6", true: "2d6"}[s.skill > 50])
	}
	g := darkTable(t, entries...)
	for turn, text := range []string{
		"shot Near Hood hit with guns\n" + strings.Join(moves, "") + "shot Hood Near miss with guns\nroll guns d10 for Hood\n",
		strings.Join(rolls, "") + "move Hood 2021\n",
	} {
		after, events, err := resolveFiled(manual.Rules(), g, sheets(t, g), []byte("#rulings\n"+text+"#ship Hood\nYou hear them.\n"), dice.FromSeed(seed))
		if err != nil {
			t.Fatalf("turn %d: %v\n%s", turn+1, err, text)
		}
		g = after
		*told = append(*told, enginetest.WithoutHashes(string(hoodGets(t, g, events)))...)
	}
	return g
}
