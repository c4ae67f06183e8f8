package fasa

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"testing/fstest"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/tell"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// hails is a test part's share of a ship: the ships it has hailed.
type hails struct {
	Sent []string `json:"sent,omitempty"`
}

func (*hails) Key() string { return "hails" }

func (h *hails) Clone() ship.Share { return &hails{Sent: append([]string(nil), h.Sent...)} }

// hailed is the part's event.
type hailed struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Target string        `json:"target,omitempty" see:"all"`
}

func (b *hailed) Apply(g *engine.Game) error {
	s, err := ship.Lookup(g, b.Ship)
	if err == nil && b.Target != "" {
		h := ship.ShareOf[hails](s)
		h.Sent = append(h.Sent, b.Target)
	}
	return err
}

// hailOrder is the part's share of a plan, hailCount its notes on a phase and on a turn.
type (
	hailOrder struct{ target string }
	hailCount int
)

// hailing returns a test part: a share of a ship, of a plan and of a turn's notes, a verb, a
// standing order, a subject, an event and its words, a panel, and a robot's order.
func hailing() part {
	return part{
		Part: rulebook.Part{
			Keeps:      []ship.Share{&hails{}},
			Commission: func(k *rulebook.Commissioning) { k.Sys.Put(&hails{}) },
			Verbs: []rulebook.Verb{
				{
					Verb:    orders.Verb{Name: "hail", Forms: []orders.Form{"hail SHIP"}, Doc: "Hail.", Examples: []string{"hail Hood"}},
					Section: "phase",
					Compile: func(c *rulebook.Compiler, n int, st orders.Statement) {
						a, _ := st.Arg("SHIP")
						if id, ok := c.Target(a, false); ok {
							all := rulebook.InPhase[hailOrder](&c.Plan, n)
							*all = append(*all, hailOrder{string(id)})
							c.Effect(st.Pos.Line, "hails in phase %d", n+1)
						}
					},
				},
				{
					Verb:    orders.Verb{Name: "greet", Forms: []orders.Form{"greet SHIP"}, Doc: "Greet, turn by turn.", Examples: []string{"greet Hood"}},
					Section: "standing",
					Compile: func(c *rulebook.Compiler, _ int, st orders.Statement) {
						a, _ := st.Arg("SHIP")
						if id, ok := c.Target(a, false); ok {
							c.Plan.Standing.SetWord("greet", string(id))
						}
					},
				},
			},
			Orders: []string{"greet"},
			Standing: func(s ship.Standing) []string {
				if s.Word("greet") == "" {
					return nil
				}
				return []string{"greet " + s.Word("greet")}
			},
			Subjects: []rulebook.Subject{{
				Subject: orders.Subject{Form: "late", Kind: orders.FlagSubject, Doc: "it is phase 3"},
				Fact:    func(q rulebook.Question) (bool, bool) { return q.Turn.Phase.No == 3, true },
			}},
			Panels: func(_ *rulebook.Rules, _ *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
				sent := ship.ShareOf[hails](sys).Sent
				return []engine.Panel{{Key: "hails-" + string(s.ID), Title: s.Name + ": hails", Notes: []string{fmt.Sprintf("%d sent", len(sent))}}}
			},
			Robot: func(c *robot.Commander) {
				if c.Foe != nil {
					c.Standing.SetWord("greet", c.Foe.Name)
					c.AddToPhase(2, "hail", c.Foe.Name)
				}
			},
		},
		events: []tell.Event{family.Own("hailed", tell.Told[hailed]{
			Tell: func(n *tell.Narrator, b *hailed, cite string) { n.Line(0, cite, n.View.Name(b.Ship), " hails") },
		})},
	}
}

// hail carries out the part's orders: at most one hail a ship and phase, and four a turn.
func hail(_ *rulebook.Rules, t *engine.Turn) {
	for _, s := range ship.Fighting(t.Game) {
		for _, o := range play.OrderedNow[hailOrder](t, s) {
			now, turn := play.PhaseNotes[hailCount](t), play.TurnNotes[hailCount](t)
			if now[s.ID] > 0 || *turn == 4 {
				continue
			}
			now[s.ID]++
			*turn++
			t.Emit(&hailed{Ship: s.ID, Target: o.target}, engine.SeeAll(), "stcs 7")
		}
	}
}

// hailingCourse is the Advanced Course with the test part.
func hailingCourse() course {
	book := advancedCourse()
	book.parts = append(book.parts, hailing())
	book.Each = append([]rulebook.Stage{{Name: "hails", Step: "sensors", Run: hail}}, book.Each...)
	return book
}

// TestSeams plays a course of test parts, rules of movement, modifiers and stages.
func TestSeams(t *testing.T) {
	r := rulesOf(t, func(lib *tables.Library) (*engine.Rules, error) {
		book := hailingCourse()
		book.MoveRules = []rulebook.MoveRule{func(_ *rulebook.Rules, _ *engine.Turn, s *engine.Ship, w string) (string, []cites.Topic) {
			if w == "FL" {
				return "the helm is stuck", []cites.Topic{"stuck helm"}
			}
			return "", nil
		}}
		book.AfterMoves = []rulebook.AfterMove{func(_ *rulebook.Rules, t *engine.Turn, s *engine.Ship, w string, from engine.Place) {
			if w == "F" {
				t.Emit(&hailed{Ship: s.ID}, engine.SeeOnly(s.ID), "stcs 8")
			}
		}}
		book.Modifiers = []rulebook.Modifier{func(_ *rulebook.Rules, _ *engine.Turn, v *rulebook.Volley) (string, int, []cites.Topic) {
			return "haze", -2, []cites.Topic{"haze"}
		}}
		book.Ground, book.Concealments, book.LineOfFireRules = map[string]engine.Ground{"planet": {Closed: true}}, nil, nil
		return book.rules(lib)
	})
	enginetest.Run(t, averagePeople(r), fstest.MapFS{"seams.txt": &fstest.MapFile{Data: []byte(`title  Parts, rules of movement, what comes of it, modifiers and stages of a course take part
cite   none
given
  ship   Hood one constitution-hood 0508 A
  ship   Wolf two d-10-wolf 0502 D
  terrain planet hexes=["0507"]
turn
orders Hood
  power
    move 24
    arm bank-b 5 5
  phase 1
    hail Wolf
    hail Wolf
    move FL F
  phase 2
    course 0506
  phase 3
    fire bank-b at Wolf when late
  standing
    greet Wolf
check Hood
  W160 "FL: the helm is stuck" "it becomes a hold"
  W111 "phase 3"
  says hails in phase 1
dice
  t1.p3.fire.hood.bank-b.hit 9
then
  standing ship=hood greet=wolf
  hailed ship=hood target=wolf
  skip ship=hood order=FL reason~stuck
  move ship=hood word=H
  move ship=hood word=F
  hailed ship=hood
  fire ship=hood number=10 need=8 modifiers.1.name=haze modifiers.1.value=-2 hit=false
report Hood
  Hood: hails
  1 sent
report Wolf
  Hood hails
  ! stuck
`)}})
}

// TestPartsShareNoStruct: robots give the test part's orders; files keep its share of ships and
// its standing order after those of all other parts. A course without the part refuses them, and
// every course refuses fields of no part, at any depth.
func TestPartsShareNoStruct(t *testing.T) {
	r := averagePeople(rulesOf(t, func(lib *tables.Library) (*engine.Rules, error) { return hailingCourse().rules(lib) }))
	g := wolf(t, r)
	g, events, err := engine.Resolve(r, g, robotSheets(t, r, g, nil), dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := engine.EncodeEvents(events)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"greet":"riskadh"`, `"type":"hailed","rule":["stcs 7"]`} {
		if !strings.Contains(string(lines), want) {
			t.Errorf("no %s in the events:\n%s", want, lines)
		}
	}
	again, err := engine.DecodeEvents(lines, r)
	if err != nil {
		t.Fatal(err)
	}
	if back, _ := engine.EncodeEvents(again); string(back) != string(lines) {
		t.Errorf("events read back are\n%s\nwant\n%s", back, lines)
	}
	state, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	if want := `"hails":{"sent":["riskadh"]}}`; !strings.Contains(string(state), want) || !strings.Contains(string(state), `"bonus":["superstructure","engines"],"greet":"riskadh","last":`) {
		t.Errorf("the part's share is not last in\n%s", state)
	}
	read, err := engine.DecodeGame(state, r)
	if err != nil {
		t.Fatal(err)
	}
	if back, _ := json.Marshal(read.Clone()); string(back) != string(state) {
		t.Errorf("a state read back is\n%s\nwant\n%s", back, state)
	}
	without := rulesOf(t, advanced)
	for _, change := range []struct{ old, now, field string }{
		{`"hails"`, `"hails"`, "greet"},
		{`"greet":"riskadh",`, "", "hails"},
		{`"sent":["riskadh"]`, `"lost":["riskadh"]`, "lost"},
		{`"greet"`, `"hail"`, "hail"},
		{`"standing":{`, `"standing":{"mood":"good",`, "mood"},
		{`"power":`, `"steam":`, "steam"},
		{`"options":`, `"bounds":{"columns":9,"rows":9,"depth":9},"options":`, "depth"},
	} {
		rules := r
		if change.field == "greet" || change.field == "hails" {
			rules = without
		}
		changed := strings.ReplaceAll(string(state), change.old, change.now)
		if _, err := engine.DecodeGame([]byte(changed), rules); err == nil || !strings.Contains(err.Error(), `its field "`+change.field+`"`) {
			t.Errorf("a state with a field %q of no part is read: %v", change.field, err)
		}
	}
}

// TestNoOneAsksForNil: the methods that return a part's share of a ship never return nil; without
// the part the share is empty. So no code compares a share with nil to find out which course is
// played.
func TestNoOneAsksForNil(t *testing.T) {
	shares, read := map[string]bool{}, []*ast.FuncDecl{}
	for _, file := range sourceFiles(t, false) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			read = append(read, fn)
			if results := fn.Type.Results; fn.Recv != nil && isState(fn.Recv.List[0].Type) && fn.Name.IsExported() && results != nil && len(fn.Type.Params.List) == 0 && len(results.List) == 1 {
				if _, ok := results.List[0].Type.(*ast.StarExpr); ok {
					shares[fn.Name.Name] = true
				}
			}
		}
	}
	if len(shares) < 8 {
		t.Fatalf("found only %v", shares)
	}
	for _, fn := range read {
		held := map[string]bool{} // names that stand for a share in the function
		asks := func(e ast.Expr) bool {
			switch e := e.(type) {
			case *ast.Ident:
				return held[e.Name]
			case *ast.CallExpr:
				sel, ok := e.Fun.(*ast.SelectorExpr)
				return ok && shares[sel.Sel.Name] && len(e.Args) == 0
			}
			return false
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if id, ok := to.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) && asks(n.Rhs[i]) {
						held[id.Name] = true
					}
				}
			case *ast.BinaryExpr:
				if id, ok := n.Y.(*ast.Ident); ok && id.Name == "nil" && asks(n.X) {
					t.Errorf("%s compares a part's share with nil", fn.Name.Name)
				}
			}
			return true
		})
	}
}

func isState(e ast.Expr) bool {
	star, ok := e.(*ast.StarExpr)
	if !ok {
		return false
	}
	id, ok := star.X.(*ast.Ident)
	return ok && id.Name == "State"
}
