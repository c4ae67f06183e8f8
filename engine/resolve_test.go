package engine_test

import (
	"errors"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

func block(tb testing.TB, r *engine.Rules, text string) *orders.Block {
	tb.Helper()
	blocks, diags := orders.Parse([]byte(text), r.Language)
	if len(blocks) != 1 || orders.HasErrors(diags) {
		tb.Fatal(diags)
	}
	return &blocks[0]
}

func TestResolveRefuses(t *testing.T) {
	r := basic(t)
	g, _ := read(t, r, duel)
	empty := &orders.Block{}
	over := g.Clone()
	over.Result = &engine.Result{Draw: true}
	for _, test := range []struct {
		name   string
		game   *engine.Game
		sheets []engine.Sheet
		want   string
	}{
		{"a game that is over", over, nil, "the game is over"},
		{"a ship that is not there", g, []engine.Sheet{{Ship: "hod", Block: empty}}, `unknown ship "hod"`},
		{"two sets for a ship", g, []engine.Sheet{{Ship: "hood", Block: empty}, {Ship: "hood", Block: empty}}, "two order sets for hood"},
		{"a ship left out", g, []engine.Sheet{{Ship: "hood", Block: empty}}, "no orders and no policy for kang"},
		{"a policy that it does not know", g, []engine.Sheet{{Ship: "hood", Block: empty}, {Ship: "kang", Policy: "hold"}}, `no policy "hold"`},
		{"no policy", g, []engine.Sheet{{Ship: "hood"}, {Ship: "kang", Block: empty}}, `no policy ""`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := engine.Resolve(r, test.game, test.sheets, dice.FromSeed(1))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, expected %q", err, test.want)
			}
		})
	}
}

// TestLuckOfHulksCountsForNothing: only words that events show go into the dice, so that anyone can recompute them.
func TestLuckOfHulksCountsForNothing(t *testing.T) {
	r := basic(t)
	g, _ := read(t, r, strings.Replace(duel, "[ship.repair]\npower = 30\n", "[[ship]]\nname = \"Hulk\"\nside = \"blue\"\nclass = \"d-10-wolf\"\nhex = \"0101\"\nheading = \"A\"\n", 1))
	for _, s := range g.Ships {
		if s.ID == "hulk" {
			s.Status = engine.Crippled
		}
	}
	luck := block(t, r, "#orders duel turn 1 ship Hulk\nluck of the dead\n#end\n")
	plain := []engine.Sheet{{Ship: "hood", Block: &orders.Block{}}, {Ship: "kang", Block: &orders.Block{}}}
	_, want, err := engine.Resolve(r, g, plain, dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	_, got, err := engine.Resolve(r, g, append(plain, engine.Sheet{Ship: "hulk", Block: luck}), dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := engine.EncodeEvents(want)
	b, _ := engine.EncodeEvents(got)
	if string(a) != string(b) {
		t.Errorf("a hulk's luck changed the turn:\n%s\n%s", a, b)
	}
}

func TestDecodeRefuses(t *testing.T) {
	r := basic(t)
	g, _ := read(t, r, duel)
	good, err := engine.EncodeGame(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, from, to, want string }{
		{"broken JSON", `{`, `[`, "decode game"},
		{"another format", `"format": 2`, `"format": 3`, "format 3"},
		{"another rule set", `"rules": "stcs-basic"`, `"rules": "blind"`, `rule set "blind"`},
		{"ships out of order", `"id": "hood"`, `"id": "zood"`, "order of id"},
		{"a bad hex", `"hex": "1010"`, `"hex": "10"`, "decode"},
	} {
		t.Run(test.name, func(t *testing.T) {
			bad := strings.Replace(string(good), test.from, test.to, 1)
			if bad == string(good) {
				t.Fatalf("there is no %s", test.from)
			}
			if _, err := engine.DecodeGame([]byte(bad), r); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, expected %q", err, test.want)
			}
		})
	}
	events := `{"seq":1,"turn":1,"phase":0,"step":"power","type":"luck","rule":["D3"],"ship":"hood","words":"x","hash":"y"}`
	if _, err := engine.DecodeEvents([]byte(events+"\n\n"+strings.Replace(events, "luck", "lock", 1)), r); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("an unknown event: %v", err)
	}
}

// TestApplyRefuses: an event that does not fit the game is refused.
func TestApplyRefuses(t *testing.T) {
	r := basic(t)
	g, _ := read(t, r, duel)
	for name, body := range map[string]engine.Body{
		"a move of a stranger":         &engine.Move{Ship: "hod"},
		"a move from elsewhere":        &engine.Move{Ship: "hood"},
		"a stranger leaving":           &engine.Out{Ship: "hod", Why: engine.Left},
		"a stranger arriving":          &engine.Arrive{Ship: "hod"},
		"points for an unknown side":   &engine.Score{Side: "grey", Points: 1},
		"an event of a rule set's own": &ship.PowerSet{Ship: "hod"},
	} {
		if err := engine.Apply(g.Clone(), engine.Event{Seq: 1, Turn: 1, Type: r.TypeOf(body), Body: body}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if err := engine.Apply(g.Clone(), engine.Event{Seq: 1, Turn: 2, Body: &engine.Roll{}}); err == nil {
		t.Error("an event of the turn after next is accepted")
	}
}

// TestBrokenRuleSetCommitsNothing: an event that does not fit the game stops the turn with ErrInvariant; other
// panics are not swallowed.
func TestBrokenRuleSetCommitsNothing(t *testing.T) {
	r := basic(t)
	g, _ := read(t, r, duel)
	sheets := []engine.Sheet{{Ship: "hood", Block: &orders.Block{}}, {Ship: "kang", Block: &orders.Block{}}}
	broken := *r
	for _, body := range []engine.Body{&engine.Move{Ship: "hood"}, &struct{ Ship engine.ShipID }{"hood"}, engine.Quiet{}} { // no event type has the other two as bodies
		broken.Phases = []engine.Phase{{Name: "x", Step: "x", Run: func(t *engine.Turn) { t.Emit(body, engine.SeeAll(), "none") }}}
		after, events, err := engine.Resolve(&broken, g, sheets, dice.FromSeed(1))
		if !errors.Is(err, engine.ErrInvariant) || after != nil || events != nil {
			t.Errorf("%T: got %v, %v, %v", body, after, events, err)
		}
	}
	broken.Phases[0].Run = func(*engine.Turn) { panic("a bug") }
	defer func() {
		if p := recover(); p != "a bug" {
			t.Errorf("recovered %v", p)
		}
	}()
	_, _, err := engine.Resolve(&broken, g, sheets, dice.FromSeed(1))
	t.Errorf("a bug came back as %v", err)
}

// TestOldFormat: a game of format 1 keeps its format, with other names of the bounds, and its words for luck count
// for one turn only.
func TestOldFormat(t *testing.T) {
	r := basic(t)
	for format, names := range map[int][2]string{1: {`"Cols": 30`, `"Rows": 20`}, 2: {`"columns": 30`, `"rows": 20`}} {
		g := &engine.Game{Format: format, ID: "g", Rules: r.Name, Version: r.Version, Bounds: &hex.Bounds{Cols: 30, Rows: 20}}
		text, err := engine.EncodeGame(g)
		if err != nil || !strings.Contains(string(text), names[0]) || !strings.Contains(string(text), names[1]) {
			t.Fatalf("format %d: %v\n%s", format, err, text)
		}
		again, err := engine.DecodeGame(text, r)
		if err != nil || *again.Bounds != *g.Bounds {
			t.Fatalf("format %d: %v, %+v", format, err, again)
		}
		if err := engine.Apply(again, engine.Event{Seq: 1, Turn: 1, Body: &engine.Luck{Ship: "hood", Words: "ahoy"}}); err != nil || (again.Luck == "") != (format == 1) {
			t.Errorf("format %d: words kept: %q, %v", format, again.Luck, err)
		}
	}
}

// TestQuietTurnIsPlayed: a turn in which nothing happens because all ships are still to arrive is over all the
// same, and the events show that.
func TestQuietTurnIsPlayed(t *testing.T) {
	r := basic(t)
	g, _ := read(t, r, duel)
	for _, s := range g.Ships {
		s.Status, s.Arrives = engine.Waiting, 4
	}
	after, events, err := engine.Resolve(r, g, nil, dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	if after.Turn != g.Turn+1 {
		t.Errorf("turn %d after turn %d was played", after.Turn, g.Turn+1)
	}
	if err := enginetest.CheckTurn(r, g, after, events); err != nil {
		t.Error(err)
	}
	view, err := engine.BuildView(r, after, events, engine.Viewer{Ships: []engine.ShipID{"hood"}, Focus: "hood"})
	if err != nil {
		t.Fatal(err)
	}
	if lines := r.Sentences(view, 0); len(lines) != 1 || !strings.Contains(lines[0].Text, "nothing happens") {
		t.Errorf("got %v, want one sentence: nothing happens", lines)
	}
}
