package manual_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/manual"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// TestNamesOfTheUnseenTellNothing: a referee moves a ship that Hood's captain never detects. The captain's reports are
// the same whatever her name is: even a word of a filing, of an event or of a die.
func TestNamesOfTheUnseenTellNothing(t *testing.T) {
	play := func(name string) (told, record []byte, err error) {
		g := darkTable(t, enemy("Near", "2036", ""), enemy("Far", "9090", ""), enemy("Zubenelgenubi", "9020", ""))
		if name != "Zubenelgenubi" {
			s, _ := g.Ship("zubenelgenubi")
			s.ID, s.Name = engine.ShipID(strings.ToLower(name)), name
			slices.SortFunc(g.Ships, func(a, b *engine.Ship) int { return strings.Compare(string(a.ID), string(b.ID)) })
		}
		text := fmt.Sprintf("#rulings\nmove Near 2037\nshot Near Hood hit with guns\nshot Hood Near miss with guns\nmove %[1]s 9021 D\nset %[1]s hull 3\nshot %[1]s Far hit with guns\nroll guns d10 for Hood\nroll search d6\nout %[1]s crippled\n#ship Hood\nYou hear them.\n", name)
		after, events, err := resolveFiled(manual.Rules(), g, sheets(t, g), []byte(text), dice.FromSeed(7))
		if err != nil {
			return nil, nil, err
		}
		record, err = engine.EncodeEvents(events)
		return hoodGets(t, after, events), record, err
	}
	want, record, err := play("Zubenelgenubi")
	if err != nil {
		t.Fatal(err)
	}
	r, names := manual.Rules(), 0
	words := regexp.MustCompile(`[A-Za-z][A-Za-z0-9-]*`).FindAllString(string(record)+string(want)+fmt.Sprint(r.Dice, r.Events.Names()), -1)
	slices.Sort(words)
	for _, name := range slices.Compact(words) {
		_, bad := orders.Parse([]byte("#orders cinder turn 1 ship "+name+"\nwords\n#end\n"), r.Language)
		if len(bad) > 0 || slices.Contains([]string{"hood", "mate", "near", "far", "zubenelgenubi"}, strings.ToLower(name)) {
			continue
		}
		got, _, err := play(name)
		if err != nil {
			t.Fatalf("an unseen ship called %s: %v", name, err)
		}
		if names++; !bytes.Equal(got, want) {
			t.Fatalf("that an unseen ship is called %s shows: %s", name, enginetest.Difference(want, got))
		}
	}
	if names < 100 {
		t.Errorf("%d words were names", names)
	}
}
