package fasatest_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/testkit/enginetest"
	"starpost/engine/testkit/fasatest"
	"starpost/orders"
)

// TestLawsOfBattle makes up battles of every course with random orders, and checks every turn.
func TestLawsOfBattle(t *testing.T) {
	lib, courses := allCourses(t)
	for name, r := range courses {
		t.Run(name, func(t *testing.T) {
			enginetest.FewChecks(t, 12)
			rapid.Check(t, lawsOfBattle(lib, r))
		})
	}
}

// FuzzLawsOfBattle looks for battles of any course that violate them.
func FuzzLawsOfBattle(f *testing.F) {
	lib, courses := allCourses(f)
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		lawsOfBattle(lib, courses[rapid.SampledFrom([]string{"book-one", "stcs-basic", "stcs-advanced", "stcs-graduate", "stcs-command"}).Draw(t, "course")])(t)
	}))
}

func lawsOfBattle(lib *tables.Library, r *engine.Rules) func(*rapid.T) {
	return func(t *rapid.T) {
		g := drawGame(t, r, lib)
		secret := dice.FromSeed(rapid.Uint64Range(0, 1<<40).Draw(t, "secret"))
		var events []engine.Event
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			if g.Result != nil {
				return
			}
			var sheets []engine.Sheet
			for _, id := range g.InFight() {
				checkOffers(t, r, g, events, id)
				sheets = append(sheets, drawSheet(t, r, g, events, id))
			}
			after, es, err := enginetest.Resolve(r, g, sheets, secret)
			if err == nil {
				err = fasatest.Check(lib, r, g, after, es)
			}
			if err == nil {
				err = secrets(r, after, es)
			}
			if err != nil {
				t.Fatalf("turn %d: %v\n%s", g.Turn+1, err, sheetTexts(sheets))
			}
			checkOtherFire(t, r, g, sheets, es, secret)
			g, events = after, es
		}
	}
}

// secrets checks that captains learn nothing they may not know about ships or mines.
func secrets(r *engine.Rules, g *engine.Game, events []engine.Event) error {
	if g.Result != nil {
		return nil
	}
	err := enginetest.CheckSecrets(r, g, events, fasatest.Blur)
	if err != nil || len(g.Terrain) == 0 {
		return err
	}
	for _, c := range g.Captains() {
		want, errWant := enginetest.Seen(r, g, events, c)
		known := slices.DeleteFunc(slices.Clone(events), func(e engine.Event) bool { return !e.See.ToBy(r.Eyes(engine.Viewer{Captain: c.Name, Ships: c.Ships})) })
		got, errGot := enginetest.Seen(r, unknownGone(g, c), known, c)
		if err := errors.Join(errWant, errGot); err != nil {
			return err
		}
		if string(got) != string(want) {
			return fmt.Errorf("%s can tell of hidden things on the map:\n%s", c.Name, enginetest.Difference(want, got))
		}
	}
	return nil
}

// checkOffers checks the orders offered to a captain: the template and a robot's orders parse and check without
// errors; the template fires nothing unarmed and leaves less than a quarter of the power unused.
func checkOffers(t *rapid.T, r *engine.Rules, g *engine.Game, events []engine.Event, id engine.ShipID) {
	v := viewOf(t, r, g, events, id)
	for what, text := range map[string]string{"template": r.Template(v, id).String(), "robot": r.Robot(v, id).String()} {
		text = fmt.Sprintf("#orders %s turn %d ship %s\n%s\n#end\n", g.ID, g.Turn+1, v.Name(id), text)
		blocks, diags := orders.Parse([]byte(text), r.Language)
		if len(blocks) == 1 {
			diags = append(diags, r.Check(v, id, blocks[0]).Diagnostics...)
		}
		if len(blocks) != 1 || orders.HasErrors(diags) || what == "template" && slices.ContainsFunc(diags, mistakeOfUse) {
			t.Fatalf("turn %d, %s:\n%s\n%v", g.Turn+1, what, text, diags)
		}
	}
}

// mistakeOfUse reports warnings of unused weapons or power.
func mistakeOfUse(d orders.Diagnostic) bool { return d.Code == "W113" || d.Code == "W122" }

// checkOtherFire removes one ship's fire and checks that no other roll changes.
func checkOtherFire(t *rapid.T, r *engine.Rules, g *engine.Game, sheets []engine.Sheet, events []engine.Event, secret dice.Secret) {
	i := rapid.IntRange(0, len(sheets)).Draw(t, "whose fire")
	if i == len(sheets) || sheets[i].Block == nil {
		return
	}
	quiet := *sheets[i].Block
	quiet.Groups = slices.Clone(quiet.Groups)
	for k, grp := range quiet.Groups {
		quiet.Groups[k].Statements = slices.DeleteFunc(slices.Clone(grp.Statements), func(s orders.Statement) bool { return s.Verb == "fire" })
	}
	other := slices.Clone(sheets)
	other[i].Block = &quiet
	_, es, err := engine.Resolve(r, g, other, secret)
	if err != nil {
		t.Fatal(err)
	}
	if err := enginetest.CheckDice(events, es); err != nil {
		t.Fatal(err)
	}
}
