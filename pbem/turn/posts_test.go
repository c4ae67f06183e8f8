package turn_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/orders"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// crewRules are the toy rules with two posts: the stoker moves, and the gunner fires. The captain
// owes no orders.
func crewRules(files map[string][]byte) (*engine.Rules, error) {
	r, err := toyRules(files)
	if err != nil {
		return nil, err
	}
	r.Name, r.Language.Rules, r.Language.Posts = "crew", "crew", []string{"gunner", "stoker"}
	r.Due = func(g *engine.Game) (due []engine.Seat) {
		for _, id := range g.InFight() {
			due = append(due, engine.Seat{Ship: id, Post: "gunner"}, engine.Seat{Ship: id, Post: "stoker"})
		}
		return due
	}
	r.Phases = nil
	for _, no := range []int{1, 2} {
		r.Phases = append(r.Phases, crewPhase(no, "stoker", toyMove(no)), crewPhase(no, "gunner", toyFire(no)))
	}
	r.Phases = append(r.Phases, engine.EndPhase("crew 4"))
	r.Template = func(v *engine.View, ship engine.ShipID) (set orders.Set) {
		for _, o := range v.Ships {
			if s, _ := v.Ship(ship); o.Side != s.Side && o.Status == engine.Active && v.Viewer.Post == "gunner" {
				set.Say("phase", 1, "fire at", o.Name)
				return set
			}
		}
		set.Say("phase", 1, "move F")
		return set
	}
	r.Robot = nil
	return r, nil
}

// crewPhase plays a phase with the orders of a post as the captain's.
func crewPhase(no int, post string, p engine.Phase) engine.Phase {
	return engine.Phase{Name: p.Name, Step: p.Step, No: no, Run: func(t *engine.Turn) {
		all := t.Sheets
		t.Sheets = map[engine.Seat]engine.Sheet{}
		for seat, sheet := range all {
			if seat.Post == post {
				t.Sheets[engine.Seat{Ship: seat.Ship}] = sheet
			}
		}
		p.Run(t)
		t.Sheets = all
	}}
}

// newCrew creates a game in which Gus is gunner of Ada, and Bob, captain of Bea, is also her gunner
// and stoker, so that no one else holds her posts.
func newCrew(t *testing.T) *vault.Game {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "pond")
	catalogue := vault.Catalogue{"crew": crewRules}
	scenario, _, _ := strings.Cut(strings.Replace(pond, `"toy"`, `"crew"`, 1), "[[ship]]\nname = \"Abe\"")
	_, bea, _ := strings.Cut(pond, "[[ship]]\nname = \"Bea\"")
	bea, _, _ = strings.Cut(bea, "[[ship]]")
	_, err := turn.Create(dir, catalogue, turn.Setup{
		Scenario: []byte(scenario + "[[ship]]\nname = \"Bea\"" + bea), Mail: vault.DefaultMail(), Secret: dice.FromSeed(5),
		Captains: []vault.Captain{
			{Name: "Ann Lee", Address: "ann@example.org", Ships: []string{"Ada"}},
			{Name: "Gus", Address: "gus@example.org", Posts: []string{"Ada.gunner"}},
			{Name: "Bob", Address: "bob@example.org", Ships: []string{"Bea"}},
		},
		Options: turn.Options{Now: at(0), Keep: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestPostsThatRulesDoNotHave: a game with a post that its rules do not know is refused.
func TestPostsThatRulesDoNotHave(t *testing.T) {
	setup := pondSetup(3)
	setup.Captains = append(setup.Captains, vault.Captain{Name: "Gus", Posts: []string{"Bea.gunner"}})
	_, err := turn.Create(filepath.Join(t.TempDir(), "pond"), toyCatalogue, setup)
	if err == nil || !strings.Contains(err.Error(), `"Bea.gunner" is not a post of the game`) {
		t.Errorf("got %v", err)
	}
}

// TestPostsHaveOrdersOfTheirOwn: a set for a post is owed, stored, accepted and answered for its
// own seat, and its holder has their own key, template and report.
func TestPostsHaveOrdersOfTheirOwn(t *testing.T) {
	g := newCrew(t)
	missing := func() (out []string) {
		ready, err := load(t, g).Ready()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range ready.Missing() {
			out = append(out, s.Name+" of "+string(s.Captain))
		}
		return out
	}
	if got, want := missing(), []string{"Ada.gunner of Gus", "Ada.stoker of Ann Lee", "Bea.gunner of Bob", "Bea.stoker of Bob"}; !slices.Equal(got, want) {
		t.Fatalf("missing are %q, want %q", got, want)
	}
	p := load(t, g)
	if p.Key("Gus") == p.Key("Ann Lee") {
		t.Error("two seats have one key")
	}
	for captain, want := range map[engine.CaptainName][]string{"Gus": {"gunner Ada"}, "Ann Lee": {"stoker Ada"}, "Bob": {"gunner Bea", "stoker Bea"}} {
		text, err := p.Template(captain, false)
		var heads []string
		for line := range strings.Lines(text) {
			if head, ok := strings.CutPrefix(line, "#orders pond turn 1 "); ok {
				heads = append(heads, strings.TrimSpace(head))
			}
		}
		if err != nil || !slices.Equal(heads, want) {
			t.Errorf("template of %s: %q, %v, want one for %q", captain, text, err, want)
		}
	}
	// Gus may not move the ship, and Ann may not fire her guns.
	for captain, other := range map[engine.CaptainName]string{"Gus": "stoker", "Ann Lee": "gunner"} {
		read := p.CheckAs([]byte("#orders pond turn 1 "+other+" Ada\nphase 1\n  move F\n#end\n"), captain)
		if !orders.HasErrors(read.Diagnostics) {
			t.Errorf("%s gave orders for the %s", captain, other)
		}
	}
	read := p.CheckAs([]byte("#orders pond turn 1 gunner Ada\nphase 1\n  fire at Bea\n#end\n"), "Gus")
	if len(read.Sets) != 1 || !read.Sets[0].OK() || read.Sets[0].Name != "Ada.gunner" || read.Sets[0].Seat() != (engine.Seat{Ship: "ada", Post: "gunner"}) {
		t.Fatalf("read %+v", read)
	}
	send(t, g, "#orders pond turn 1 gunner Ada\nphase 1\n  fire at Bea\n#end\n")
	send(t, g, "#orders pond turn 1 stoker Ada\nphase 1\n  move F\n#end\n")
	send(t, g, "#orders pond turn 1 gunner Bea\nphase 1\n  fire at Ada\n#end\n")
	if got := missing(); !slices.Equal(got, []string{"Bea.stoker of Bob"}) {
		t.Fatalf("missing are %q", got)
	}
	out := resolve(t, g, vault.PolicyStanding)
	if want := map[engine.Seat]string{{Ship: "bea", Post: "stoker"}: vault.PolicyStanding}; fmt.Sprint(out.Missing) != fmt.Sprint(want) {
		t.Errorf("policies are %v, want %v", out.Missing, want)
	}
	for _, file := range []string{"orders/Ada.gunner.txt", "orders/Ada.stoker.txt", "orders/Bea.gunner.txt", "reports/ada.txt", "reports/ada.gunner.txt", "reports/bea.txt"} {
		if _, err := g.Stages.File(vault.At(1), file); err != nil {
			t.Error(err)
		}
	}
	happened := map[engine.ShipID]int{}
	for _, e := range out.Events {
		switch b := e.Body.(type) {
		case *engine.Move:
			happened["move "+b.Ship]++
		case *splash:
			happened[engine.ShipID("fire "+b.Ship)]++
		case *engine.Absent:
			happened[engine.ShipID("absent "+string(b.Ship)+" "+b.Post)]++
		}
	}
	if want := map[string]int{"move ada": 1, "fire ada": 1, "fire bea": 1, "absent bea stoker": 1}; fmt.Sprint(happened) != fmt.Sprint(want) {
		t.Errorf("%v happened, want %v", happened, want)
	}
	var mails []string
	for _, m := range out.Mails {
		mails = append(mails, string(m.Captain)+" "+m.Name)
	}
	if want := []string{"Ann Lee ann-lee.eml", "Bob bob.eml", "Gus gus.eml"}; !slices.Equal(mails, want) {
		t.Errorf("mails are %q, want %q", mails, want)
	}
	if rep := string(out.Reports[engine.Seat{Ship: "ada", Post: "gunner"}].Text); !strings.Contains(rep, "#orders pond turn 2 gunner Ada") || strings.Contains(rep, "turn 2 ship Ada") {
		t.Errorf("the gunner's report offers other orders than his:\n%s", rep)
	}
	if found, err := proof.Verify(g, nil); err != nil || len(found) > 0 {
		t.Errorf("verify found %v, %v", found, err)
	}
	// Amended for one post only, and played again.
	again, err := turn.Amended(g, 1, []byte("#orders pond turn 1 stoker Bea\nphase 1\n  move F\n#end\n"))
	if err != nil || len(again.Sets) != 1 || !again.Sets[0].OK() {
		t.Fatalf("read %+v, %v", again, err)
	}
	run, err := turn.Redo(g, 1, turn.Change{Orders: again.Sets, By: "Rita", Why: "it was late", Now: at(2)}, false)
	if err != nil {
		t.Fatal(err)
	}
	moved := slices.ContainsFunc(run.Turns[0].Is.Events, func(e engine.Event) bool { b, ok := e.Body.(*engine.Move); return ok && b.Ship == "bea" })
	if !moved {
		t.Error("the stoker's amended orders were not carried out")
	}
}

// TestNoRobotForASeat: a seat cannot have a robot if the rules have none.
func TestNoRobotForASeat(t *testing.T) {
	_, err := turn.Create(filepath.Join(t.TempDir(), "pond"), vault.Catalogue{"crew": crewRules}, turn.Setup{
		Scenario: []byte(strings.Replace(pond, `"toy"`, `"crew"`, 1)), Mail: vault.DefaultMail(), Captains: []vault.Captain{{Ships: []string{"Ada"}, Robot: true}},
		Secret: dice.FromSeed(1), Options: turn.Options{Now: at(0)},
	})
	if err == nil || !strings.Contains(err.Error(), "crew has no robot that could take Ada") {
		t.Error(err)
	}
}
