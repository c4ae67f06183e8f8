package fasa

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/enginetest"
	"starpost/engine/robots"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// TestCommandCases plays the worked examples of Command & Control.
func TestCommandCases(t *testing.T) {
	enginetest.Run(t, averagePeople(rulesOf(t, Command)), os.DirFS("testdata/cases-command"), "W122")
}

// postSet reads one order set without a head.
func postSet(t *testing.T, r *engine.Rules, kind, text string) *orders.Block {
	t.Helper()
	blocks, diags := orders.Parse([]byte("#orders game turn 1 "+kind+" Hood\n"+text+"\n#end\n"), r.Language)
	if len(blocks) != 1 || orders.HasErrors(diags) {
		t.Fatal(diags)
	}
	return &blocks[0]
}

// TestFourSetsAreOne: the sets of four posts give the battle that one captain's gives with
// the same contents, where no skill is used.
func TestFourSetsAreOne(t *testing.T) {
	r := averagePeople(rulesOf(t, Command))
	alone, crewed := wolfOf(t, r), wolfOf(t, r)
	hood, _ := crewed.Ship("hood")
	hood.Crew = map[string]string{ship.PostEngineer: "Bob", ship.PostHelm: "Cleo", ship.PostScience: "Dan"}
	whole := "power\n move 12\n shields 2:14 1:6\n arm bank-b 5 5\n arm bank-a 4\nphase 1\n move F\n fire all at Riskadh\nphase 2\n pursue Riskadh to 5\n lock Riskadh\nphase 3\n move F\n fire all at Riskadh when chance >= 10%\nstanding\n shed shields weapons\n choose shield weakest\n"
	single := postSet(t, r, "ship", whole)
	sets := map[string]string{
		"ship":     "final\n",
		"engineer": "totals move 12 weapons 20 shields 10\nstanding\n shed shields weapons\n",
		"helm":     "power\n arm bank-b 5 5\n arm bank-a 4\nphase 1\n move F\n fire all at Riskadh\nphase 2\n pursue Riskadh to 5\nphase 3\n move F\n fire all at Riskadh when chance >= 10%\n",
		"science":  "power\n shields 2:14 1:6\nphase 2\n lock Riskadh\nstanding\n choose shield weakest\n",
	}
	foe := postSet(t, r, "ship", "power\n move 8\n shields 2:10\n arm bank-a 3\nphase 1\n move F\n fire all at Hood\n")
	one, told, err := enginetest.Resolve(r, alone, []engine.Sheet{{Ship: "hood", Block: single}, {Ship: "riskadh", Block: foe}}, dice.FromSeed(7))
	if err != nil {
		t.Fatal(err)
	}
	sheets := []engine.Sheet{{Ship: "riskadh", Block: foe}}
	for kind, text := range sets {
		post := kind
		if kind == "ship" {
			post = ""
		}
		sheets = append(sheets, engine.Sheet{Ship: "hood", Post: post, Block: postSet(t, r, kind, text)})
	}
	four, events, err := enginetest.Resolve(r, crewed, sheets, dice.FromSeed(7))
	if err != nil {
		t.Fatal(err)
	}
	for i := range four.Ships {
		four.Ships[i].Crew = nil
		ship.Of(four.Ships[i]).Standing.Last, ship.Of(one.Ships[i]).Standing.Last = "", ""
	}
	want, err := engine.EncodeGame(one)
	if err != nil {
		t.Fatal(err)
	}
	got, err := engine.EncodeGame(four)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(got) {
		t.Errorf("another game comes of four sets:\n%s", enginetest.Difference(want, got))
	}
	quiet := func(all []engine.Event) []string {
		var out []string
		for _, e := range all {
			if b, ok := e.Body.(*engine.Skip); ok {
				b.Line, b.Post = 0, "" // each set has lines of its own
			}
			if e.Body.Type() != "standing" {
				text, err := engine.EncodeEvents([]engine.Event{{Turn: e.Turn, Phase: e.Phase, Step: e.Step, Rule: e.Rule, See: e.See, Body: e.Body}})
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, string(text))
			}
		}
		return out
	}
	if a, b := quiet(told), quiet(events); !slices.Equal(a, b) {
		for i := range a {
			if i >= len(b) || a[i] != b[i] {
				t.Fatalf("event %d is another one with four sets:\n%s%s", i, a[i], b[min(i, len(b)-1)])
			}
		}
	}
}

// crewedWolf is The Big Bad Wolf with officers at the posts of one ship, or both.
func crewedWolf(t *testing.T, r *engine.Rules, ships ...string) *engine.Game {
	t.Helper()
	g := wolfOf(t, r)
	for _, id := range ships {
		s, _ := g.Ship(id)
		s.Crew = map[string]string{}
		for _, post := range posts() {
			s.Crew[post] = s.Name + " " + post
		}
	}
	return g
}

// TestCrewsFightToTheEnd lets robots at all posts, of one ship and of both, fight battles to
// their ends.
func TestCrewsFightToTheEnd(t *testing.T) {
	r := rulesOf(t, Command)
	for seed, crewed := range [][]string{nil, {"hood"}, {"hood", "riskadh"}} {
		g := crewedWolf(t, r, crewed...)
		var events []engine.Event
		for g.Result == nil && g.Turn < 60 {
			offersToAll(t, r, g, events)
			sheets, err := robots.Orders(r, g, events)
			if err != nil {
				t.Fatalf("crews of %v, turn %d: %v", crewed, g.Turn+1, err)
			}
			before := g
			if g, events, err = engine.Resolve(r, g, sheets, dice.FromSeed(uint64(seed))); err != nil {
				t.Fatal(err)
			}
			if err := enginetest.CheckTurn(r, before, g, events); err != nil {
				t.Fatalf("crews of %v, turn %d: %v", crewed, g.Turn, err)
			}
		}
		if g.Result == nil {
			t.Errorf("crews of %v: no end after %d turns", crewed, g.Turn)
		}
	}
}

// offersToAll reads and checks the orders that every post that is filled is offered.
func offersToAll(t *testing.T, r *engine.Rules, g *engine.Game, events []engine.Event) {
	t.Helper()
	for _, s := range g.Ships {
		for post, name := range s.Crew {
			who, err := r.SeatViewer(g, engine.Seat{Ship: s.ID, Post: post})
			if err != nil {
				t.Fatal(err)
			}
			v, err := engine.BuildView(r, g, events, who)
			if err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprintf("#orders game turn %d %s %s\n%s\n#end\n", g.Turn+1, post, s.Name, r.Template(v, s.ID))
			blocks, diags := orders.Parse([]byte(text), r.Language)
			if len(blocks) == 1 {
				diags = append(diags, r.Check(v, s.ID, blocks[0]).Diagnostics...)
			}
			if len(blocks) != 1 || orders.HasErrors(diags) {
				t.Errorf("turn %d, offered to %s: %v in\n%s", g.Turn+1, name, diags, text)
			}
		}
	}
}

// seenFrom is all that an officer of the Hood gets to see.
func seenFrom(t *testing.T, r *engine.Rules, g *engine.Game, events []engine.Event, post string) []byte {
	t.Helper()
	who, err := r.SeatViewer(g, engine.Seat{Ship: "hood", Post: post})
	if err != nil {
		t.Fatal(err)
	}
	v, err := engine.BuildView(r, g, events, who)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal([]any{v, r.Present(v), r.Template(v, "hood"), r.Robot(v, "hood")})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestPostsInRounds: in a turn that is played phase by phase the helm's later set counts, beside
// what the other posts said first, and nothing that was told is untold.
func TestPostsInRounds(t *testing.T) {
	r := averagePeople(rulesOf(t, Command))
	g := crewedWolf(t, r, "hood")
	sheets := func(rounds int) []engine.Sheet {
		all := []engine.Sheet{{Ship: "riskadh", Block: postSet(t, r, "ship", "power\n move 8\n")}}
		for kind, text := range map[string]string{
			"ship": "final\n", "engineer": "totals move 12 weapons 10 shields 10\n", "helm": "phase 1\n move F\n",
			"science": "power\n shields 2:14\n", "weapons": "power\n arm bank-b 5 5\n",
		} {
			s := engine.Sheet{Ship: "hood", Post: kind, Block: postSet(t, r, kind, text)}
			if kind == "ship" {
				s.Post = ""
			}
			if rounds > 1 {
				s.Later = make([]engine.Reply, rounds-1)
				if kind == "helm" {
					s.Later[0] = engine.Reply{Block: postSet(t, r, kind, "phase 2\n move FR\nphase 3\n move FL\n")}
				}
			}
			all = append(all, s)
		}
		for i := range all {
			if rounds > 1 && all[i].Ship == "riskadh" {
				all[i].Later = make([]engine.Reply, rounds-1)
			}
		}
		return all
	}
	var told []engine.Event
	var words []string
	for round := 1; round <= r.Rounds(); round++ {
		after, events, err := engine.ResolveRounds(r, g, sheets(round), engine.RoundLimit{Upto: round, Told: told}, dice.FromSeed(5))
		if err != nil {
			t.Fatal(err)
		}
		if told = events; round == r.Rounds() {
			if err := enginetest.CheckTurn(r, g, after, events); err != nil {
				t.Error(err)
			}
		}
	}
	for _, e := range told {
		if b, ok := e.Body.(*engine.Move); ok && b.Ship == "hood" {
			words = append(words, b.Word)
		}
	}
	if want := []string{"F", "FR", "FL"}; !slices.Equal(words, want) {
		t.Errorf("the Hood moves %q, want %q", words, want)
	}
}

// TestOrdersOfAnotherPostAreNotSeen: what an officer orders without any open effect changes no
// byte of what the others aboard get to see, but for her captain.
func TestOrdersOfAnotherPostAreNotSeen(t *testing.T) {
	r := averagePeople(rulesOf(t, Command))
	g := crewedWolf(t, r, "hood")
	usual := map[string]string{
		"ship": "final\n", "engineer": "totals move 12 weapons 10 shields 10\n", "helm": "phase 1\n move F\n",
		"science": "power\n shields 2:14\n", "weapons": "power\n arm bank-b 5 5\n",
	}
	others := map[string]string{
		"engineer": "totals move 13 weapons 11 shields 11\nskill engine port\nstanding\n lose engines impulse\n",
		"helm":     "phase 1\n move F H\n move R\nphase 3\n flee Riskadh when range <= 1\nstanding\n missing hold\n",
		"science":  "power\n shields 2:14 5:6\nskill reduce 3 when shield 2 < 1\nphase 2\n question 3 when range <= 1\n scan 4 when range <= 1\nstanding\n choose shield weakest\n",
		"weapons":  "power\n arm bank-b 4 5\n arm bank-a-1 1\nphase 2\n aim when range <= 1\n fire bank-b at Riskadh when range <= 1\nstanding\n lose beams bank-c\n",
	}
	see := func(sets map[string]string, post string) []byte {
		all := []engine.Sheet{{Ship: "riskadh", Block: postSet(t, r, "ship", "power\n move 8\n")}}
		for kind, text := range sets {
			s := engine.Sheet{Ship: "hood", Post: kind, Block: postSet(t, r, kind, text)}
			if kind == "ship" {
				s.Post = ""
			}
			all = append(all, s)
		}
		after, events, err := engine.Resolve(r, g, all, dice.FromSeed(5))
		if err != nil {
			t.Fatal(err)
		}
		return seenFrom(t, r, after, events, post)
	}
	for changed, text := range others {
		sets := maps.Clone(usual)
		sets[changed] = text
		for _, post := range posts() {
			told := changed == ship.PostEngineer // what he gives out is theirs to know
			if post == changed || told {
				continue
			}
			want, got := see(usual, post), see(sets, post)
			if string(want) != string(got) {
				t.Errorf("%s sees what %s ordered:\n%s", post, changed, enginetest.Difference(want, got))
			}
		}
	}
}
