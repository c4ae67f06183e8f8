package fasatest_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// TestCadencesAreTheSameBattle plays made-up turns of every course at once and in rounds: events and game must be the
// same, byte for byte, and no round may reveal secrets.
func TestCadencesAreTheSameBattle(t *testing.T) {
	lib, courses := allCourses(t)
	for name, r := range courses {
		t.Run(name, func(t *testing.T) {
			enginetest.FewChecks(t, 8)
			rapid.Check(t, func(t *rapid.T) {
				g := drawGame(t, r, lib)
				secret := dice.FromSeed(rapid.Uint64Range(0, 1<<40).Draw(t, "secret"))
				var last []engine.Event
				for range rapid.IntRange(1, 3).Draw(t, "turns") {
					if g.Result != nil {
						return
					}
					var sheets []engine.Sheet
					for _, id := range g.InFight() {
						sheets = append(sheets, drawSheet(t, r, g, last, id))
					}
					after, events, err := engine.Resolve(r, g, sheets, secret)
					if err != nil {
						t.Fatal(err)
					}
					inRounds(t, r, g, sheets, secret, after, events)
					g, last = after, events
				}
			})
		})
	}
}

// inRounds plays a turn again in rounds, repeating each set in one way or another.
func inRounds(t *rapid.T, r *engine.Rules, g *engine.Game, sheets []engine.Sheet, secret dice.Secret, after *engine.Game, events []engine.Event) {
	sheets = slices.Clone(sheets)
	var told []engine.Event
	for round := 1; round <= r.Rounds(); round++ {
		if round > 1 {
			for i := range sheets {
				reply := engine.Reply{}
				if sheets[i].Block != nil && rapid.IntRange(0, 2).Draw(t, "silent") > 0 {
					reply.Block = saidAgain(t, r, g, sheets[i], round, rapid.Bool().Draw(t, "whole"))
				}
				sheets[i].Later = append(slices.Clip(sheets[i].Later), reply)
			}
		}
		state, es, err := engine.ResolveRounds(r, g, sheets, engine.RoundLimit{Upto: round, Told: told}, secret)
		if err != nil {
			t.Fatalf("round %d: %v\n%s", round, err, sheetTexts(sheets))
		}
		if err := secrets(r, state, es[len(told):]); err != nil {
			t.Fatalf("round %d: %v\n%s", round, err, sheetTexts(sheets))
		}
		offersInRounds(t, r, state)
		if told = es; round == r.Rounds() {
			same(t, sheets, after, state, events, es)
		}
	}
}

// offersInRounds checks the orders offered for the round that is due: they parse without errors, contain nothing that
// would be skipped, and fire nothing unarmed.
func offersInRounds(t *rapid.T, r *engine.Rules, g *engine.Game) {
	for _, id := range g.InFight() {
		v, err := engine.NewViewBuilder(r, g, nil).InRounds(r.Rounds()).View(engine.Viewer{Ships: []engine.ShipID{id}, Focus: id})
		if err != nil {
			t.Fatal(err)
		}
		for what, text := range map[string]string{"template": r.Template(v, id).String(), "robot": r.Robot(v, id).String()} {
			text = fmt.Sprintf("#orders %s turn %d phase %d ship %s\n%s\n#end\n", g.ID, v.Due, v.DueRound(), v.Name(id), text)
			blocks, diags := orders.Parse([]byte(text), r.Language)
			if len(blocks) == 1 {
				diags = append(diags, r.Check(v, id, blocks[0]).Diagnostics...)
			}
			if len(blocks) != 1 || orders.HasErrors(diags) || slices.ContainsFunc(diags, func(d orders.Diagnostic) bool { return d.Code == "W130" }) || what == "template" && slices.ContainsFunc(diags, mistakeOfUse) {
				t.Fatalf("%s:\n%s\n%v", what, text, diags)
			}
		}
	}
}

func same(t *rapid.T, sheets []engine.Sheet, wantState, gotState *engine.Game, wantEvents, gotEvents []engine.Event) {
	want, errWant := engine.EncodeEvents(wantEvents)
	got, errGot := engine.EncodeEvents(gotEvents)
	if errWant != nil || errGot != nil || !bytes.Equal(want, got) {
		t.Fatalf("%v %v %s\n%s", errWant, errGot, enginetest.Difference(want, got), sheetTexts(sheets))
	}
	want, errWant = engine.EncodeGame(wantState)
	got, errGot = engine.EncodeGame(gotState)
	if errWant != nil || errGot != nil || !bytes.Equal(want, got) {
		t.Fatalf("%v %v %s\n%s", errWant, errGot, enginetest.Difference(want, got), sheetTexts(sheets))
	}
}

// saidAgain returns a set as it may be sent for a later round: all of it, or what is due. Messages are left out, as
// they would be sent twice, and so are words for luck, which would not count.
func saidAgain(t *rapid.T, r *engine.Rules, g *engine.Game, sheet engine.Sheet, round int, whole bool) *orders.Block {
	b := *sheet.Block
	var groups []orders.Group
	for _, grp := range b.Groups {
		switch {
		case grp.Name == "":
			grp.Statements = slices.DeleteFunc(slices.Clone(grp.Statements), func(st orders.Statement) bool { return st.Verb != "self-destruct" && st.Verb != "surrender" })
		case !whole && grp.Name == "power", !whole && grp.Name == "phase" && grp.N != round:
			continue
		}
		groups = append(groups, grp)
	}
	s, _ := g.Ship(sheet.Ship)
	b.Groups, b.Head = groups, orders.Head{Game: g.ID, Turn: g.Turn + 1, Phase: round, Kind: "ship", Name: s.Name}
	text := strings.Replace(orders.Format(b), "\n", "\n; as before\n; as before\n", 1)
	blocks, diags := orders.Parse([]byte(text), r.Language)
	if len(blocks) != 1 || orders.HasErrors(diags) {
		t.Fatalf("%s\n%v", text, diags)
	}
	return &blocks[0]
}
