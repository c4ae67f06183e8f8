package turn_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// Tubs that launch ducks: small craft that swim a hex a phase until they are told to stop. A tub
// may also sink itself.

type launched struct {
	Ship string       `json:"ship" see:"all"`
	Duck string       `json:"duck" see:"all"`
	At   engine.Place `json:"at" see:"all"`
}

func (b *launched) Apply(g *engine.Game) error {
	s, ok := g.Ship(engine.ShipID(b.Ship))
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	return g.Launch(&engine.Ship{
		ID: engine.ShipID(strings.ToLower(b.Duck)), Name: b.Duck, Title: "Rubber duck", Short: "Q", Side: s.Side, Class: "duck",
		Kind: engine.KindDrone, Parent: s.ID, Hex: b.At.Hex, Heading: b.At.Heading, Status: engine.Active, System: &tub{Hull: 1},
	})
}

// duckCatalogue has the toy rule set with ducks, as modified by change.
func duckCatalogue(change func(*engine.Rules)) vault.Catalogue {
	return vault.Catalogue{"toy": func(map[string][]byte) (*engine.Rules, error) {
		r, err := toyRules(nil)
		if err != nil {
			return nil, err
		}
		r.Language = toyLanguage()
		phase := &r.Language.Sections[0]
		phase.Verbs = append(phase.Verbs,
			orders.Verb{Name: "launch", Forms: []orders.Form{"launch WORDS"}, Doc: "Launch a duck.", Examples: []string{"launch Quack"}},
			orders.Verb{Name: "sink", Forms: []orders.Form{"sink"}, Doc: "Pull the plug.", Examples: []string{"sink"}},
		)
		talk := orders.Verb{Name: "message", Forms: []orders.Form{"message TO", "message TO coded"}, Body: true, Doc: "Say.", Examples: []string{"message Bea coded\n#text\nQuack.\n#endtext"}}
		r.Language.Sections[1] = engine.TurnLevel(talk)
		if err := r.Language.Validate(); err != nil {
			return nil, err
		}
		r.Events = engine.ListEvents(append(r.Events.Sorted(), engine.EventOf[launched]("launched"))...)
		swim := func(no int) engine.Phase {
			return engine.Phase{Name: "swim", Step: "movement", No: no, Run: func(t *engine.Turn) { swim(t, no) }}
		}
		r.Phases = slices.Insert(r.Phases, 3, swim(2))
		r.Phases = slices.Insert(r.Phases, 1, swim(1))
		if change != nil {
			change(r)
		}
		return r, nil
	}}
}

func swim(t *engine.Turn, no int) {
	for _, s := range slices.Clone(t.Game.Ships) {
		at := engine.Place{Hex: s.Hex, Heading: s.Heading}
		if s.Small() && s.Status == engine.Active {
			t.Emit(&engine.Move{Ship: s.ID, Word: "F", Cost: 1, From: at, To: walk(at, "F")}, engine.SeeAll(), "toy 5")
		}
		b := t.Sheets[engine.Seat{Ship: s.ID}].Block
		if b == nil || s.Status != engine.Active {
			continue
		}
		g, _ := b.Group("phase", no)
		for _, st := range g.All("launch") {
			name, _ := st.Arg("WORDS")
			t.Emit(&launched{Ship: string(s.ID), Duck: name.Text, At: at}, engine.SeeAll(), "toy 5")
		}
		if len(g.All("sink")) > 0 {
			t.Out(s, engine.Destroyed, "pulled the plug", nil, "toy 5")
		}
	}
}

// duckPond creates a game of tubs with ducks.
func duckPond(t *testing.T, change func(*engine.Rules)) *vault.Game {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "pond")
	cat := duckCatalogue(change)
	setup := pondSetup(3)
	setup.Scenario = []byte(strings.Replace(pond, "arrives = 3\n", "arrives = 30\n", 1))
	if _, err := turn.Create(dir, cat, setup); err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), cat)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// order stores the orders of a ship for the due turn.
func order(t *testing.T, g *vault.Game, ship string, lines ...string) {
	t.Helper()
	send(t, g, fmt.Sprintf("#orders pond turn %d ship %s\n%s\n#end\n", g.Turn()+1, ship, strings.Join(lines, "\n")))
}

// play resolves the due turn without a policy: all who owe orders have sent some.
func play(t *testing.T, g *vault.Game) *turn.Outcome {
	t.Helper()
	out, err := turn.Resolve(g, turn.Options{Now: at(g.Turn() + 1), Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func view(t *testing.T, g *vault.Game, ship string) *engine.View {
	t.Helper()
	v, err := turn.ViewAt(g, vault.At(g.Turn()), ship)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSmallCraftFlyAreSeenAndOutliveTheirShip(t *testing.T) {
	g := duckPond(t, nil)
	order(t, g, "Ada", "phase 1", "  launch Quack")
	order(t, g, "Abe", "phase 1", "  move H")
	order(t, g, "Bea", "phase 1", "  move H")
	out := play(t, g)

	duck, ok := out.State.Ship("quack")
	if !ok || duck.Hex.Label() != "0506" || duck.Parent != "ada" || duck.Captain != "" {
		t.Fatalf("got duck %+v, want one of Ada's at 0506, launched in phase 1, swum in phase 2", duck)
	}
	seen, ok := view(t, g, "Bea").Ship("quack")
	if !ok || seen.Kind != engine.KindDrone || seen.Own || seen.Parent != "" || seen.System != nil || len(seen.Trail) != 2 {
		t.Errorf("got %+v in Bea's view, want the duck with its trail, not whose it is", seen)
	}
	if own, ok := view(t, g, "Abe").Ship("quack"); !ok || own.Own || own.Parent != "ada" || own.System == nil {
		t.Errorf("got %+v in the view of Ada's captain, want all of the duck, but no ship of his", own)
	}
	d, err := turn.Draw(g, vault.Stage{Turn: out.Turn})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []engine.ShipID{"ada", "abe", "bea"} {
		r, ok := out.Reports[engine.Seat{Ship: id}]
		svg, err := d.Report(engine.Seat{Ship: id}, turn.SVG)
		if err != nil {
			t.Fatal(err)
		}
		if !ok || !strings.Contains(string(r.Text), "Quack") || !strings.Contains(string(svg), "Quack") {
			t.Errorf("report of %s: got %t, want one whose map has the duck:\n%s", id, ok, r.Text)
		}
	}

	// It owes no orders, and no captain may give them.
	if _, ok := out.Reports[engine.Seat{Ship: "quack"}]; ok || len(out.Mails) != 2 {
		t.Errorf("got a report of the duck: %t, and %d mails, want none and one a captain", ok, len(out.Mails))
	}
	ready, err := load(t, g).Ready()
	if err != nil || len(ready.Ships) != 3 {
		t.Errorf("got %+v, %v, want orders wanted of three tubs", ready.Ships, err)
	}
	for _, captain := range []engine.CaptainName{"Ann Lee", "Bob"} {
		if text, err := load(t, g).Template(captain, true); err != nil || strings.Contains(text, "ship Quack") {
			t.Errorf("%v, template of %s:\n%s", err, captain, text)
		}
	}
	if _, err := turn.ViewAt(g, vault.At(g.Turn()), "Quack"); err == nil {
		t.Error("a duck has a report")
	} else if unknown, ok := errors.AsType[*turn.UnknownShipError](err); !ok || slices.Contains(unknown.Known, "Quack") {
		t.Errorf("got %v, want an unknown ship and the tubs' names", err)
	}
	if read := load(t, g).Check([]byte("#orders pond turn 2 ship Quack\nphase 1\n  move F\n#end\n")); !orders.HasErrors(read.Diagnostics) {
		t.Error("orders for a duck are taken")
	}

	// It goes on after its ship is gone.
	order(t, g, "Ada", "phase 1", "  sink")
	order(t, g, "Abe", "phase 1", "  move H")
	order(t, g, "Bea", "phase 1", "  move H")
	out = play(t, g)
	ada, _ := out.State.Ship("ada")
	if duck, _ = out.State.Ship("quack"); ada.Status != engine.Destroyed || duck.Hex.Label() != "0508" || duck.Status != engine.Active {
		t.Errorf("got Ada %s, duck %s at %s, want her destroyed and it swimming at 0508", ada.Status, duck.Status, duck.Hex.Label())
	}

	// It does not keep its side in the game: when the last tub of the side is gone, the other side
	// has won.
	order(t, g, "Abe", "phase 1", "  sink")
	order(t, g, "Bea", "phase 1", "  move H")
	out = play(t, g)
	if r := out.State.Result; r == nil || r.Side != "south" {
		t.Errorf("got result %+v, want the victory of the South", r)
	}
	if found, err := proof.Verify(g, nil); err != nil || len(found) > 0 {
		t.Errorf("the game does not verify: %+v, %v", found, err)
	}
}

// southInEvenTurns makes only the South owe orders in even turns.
func southInEvenTurns(r *engine.Rules) {
	r.Due = func(g *engine.Game) (seats []engine.Seat) {
		for _, id := range g.InFight() {
			if s, _ := g.Ship(id); g.Turn%2 == 0 || s.Side == "south" {
				seats = append(seats, engine.Seat{Ship: id})
			}
		}
		return seats
	}
}

func TestCaptainsMayOweNoOrders(t *testing.T) {
	g := duckPond(t, southInEvenTurns)
	for _, s := range []string{"Ada", "Abe", "Bea"} {
		order(t, g, s, "phase 1", "  move F")
	}
	out := play(t, g)
	ready, err := load(t, g).Ready()
	if err != nil || len(ready.Ships) != 1 || ready.Ships[0].Name != "Bea" {
		t.Fatalf("got %+v, %v, want orders wanted of Bea alone", ready.Ships, err)
	}
	ann, bob := string(out.Reports[engine.Seat{Ship: "ada"}].Text), string(out.Reports[engine.Seat{Ship: "bea"}].Text)
	if !strings.Contains(ann, "Ada needs no orders this time.") || strings.Contains(ann, "#orders") || strings.Contains(ann, "orders for Ada") {
		t.Errorf("who owes no orders is asked for some:\n%s", ann)
	}
	if strings.Contains(bob, "needs no orders") || !strings.Contains(bob, "#orders pond turn 2 ship Bea") {
		t.Errorf("who owes orders is not asked:\n%s", bob)
	}
	if _, err := turn.Resolve(g, turn.Options{Now: at(2)}); err == nil {
		t.Error("the turn is played without Bea's orders")
	}

	// Without orders she lies still and is not missing; orders are carried out.
	order(t, g, "Bea", "phase 1", "  move F")
	order(t, g, "Abe", "phase 1", "  move F")
	was := map[engine.ShipID]string{}
	for _, s := range out.State.Ships {
		was[s.ID] = s.Hex.Label()
	}
	out = play(t, g)
	for id, moved := range map[engine.ShipID]bool{"ada": false, "abe": true, "bea": true} {
		if s, _ := out.State.Ship(id); (s.Hex.Label() != was[id]) != moved {
			t.Errorf("%s: got from %s to %s, want a move: %t", id, was[id], s.Hex.Label(), moved)
		}
	}
	if len(out.Missing) != 0 {
		t.Errorf("got policies %v, want none", out.Missing)
	}
	if strings.Contains(string(out.Reports[engine.Seat{Ship: "ada"}].Text), "no orders came") {
		t.Errorf("Ada is told that her orders are missing:\n%s", out.Reports[engine.Seat{Ship: "ada"}].Text)
	}
	if found, err := proof.Verify(g, nil); err != nil || len(found) > 0 {
		t.Errorf("the game does not verify: %+v, %v", found, err)
	}
}

// codeForFriends restricts coded messages to the own side. Others only learn that there was one.
func codeForFriends(r *engine.Rules) {
	r.Hears = func(g *engine.Game, from *engine.Ship, _ string, coded bool) engine.See {
		if !coded {
			return engine.SeeAll().And("sender").And("words")
		}
		var friends []engine.ShipID
		for _, s := range g.Ships {
			if s.Side == from.Side {
				friends = append(friends, s.ID)
			}
		}
		return engine.SeeAll(friends...).And("sender")
	}
}

func TestRuleSetSaysWhoHearsAMessage(t *testing.T) {
	g := duckPond(t, codeForFriends)
	order(t, g, "Ada", "phase 1", "  move F", "message Abe coded", "#text", "The sponge is wet.", "#endtext", "message Abe", "#text", "Fine weather.", "#endtext")
	order(t, g, "Abe", "phase 1", "  move F")
	order(t, g, "Bea", "phase 1", "  move F")
	out := play(t, g)
	for id, reads := range map[engine.ShipID]bool{"ada": true, "abe": true, "bea": false} {
		text := string(out.Reports[engine.Seat{Ship: id}].Text)
		if strings.Contains(text, "The sponge is wet.") != reads || strings.Contains(text, "in a code that you cannot read") == reads {
			t.Errorf("report of %s: want the coded words: %t\n%s", id, reads, text)
		}
		if !strings.Contains(text, "Fine weather.") {
			t.Errorf("report of %s lacks what was said in the open:\n%s", id, text)
		}
	}
	// Without that rule a message is for its addressee only.
	g = duckPond(t, nil)
	order(t, g, "Ada", "phase 1", "  move F", "message Abe", "#text", "Fine weather.", "#endtext")
	order(t, g, "Abe", "phase 1", "  move F")
	order(t, g, "Bea", "phase 1", "  move F")
	if text := string(play(t, g).Reports[engine.Seat{Ship: "bea"}].Text); strings.Contains(text, "Fine weather.") {
		t.Errorf("Bea hears what was said to Abe:\n%s", text)
	}
}
