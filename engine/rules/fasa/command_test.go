package fasa

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// TestCommandCases plays the worked examples of Command & Control.
func TestCommandCases(t *testing.T) {
	playCases(t, "stcs-command")
}

// postSet reads one order set without a head.
func postSet(t rapid.TB, r *engine.Rules, kind, text string) *orders.Block {
	t.Helper()
	blocks, diags := orders.Parse([]byte("#orders game turn 1 "+kind+" Hood\n"+text+"\n#end\n"), r.Language)
	if len(blocks) != 1 || orders.HasErrors(diags) {
		t.Fatal(diags)
	}
	return &blocks[0]
}

// drawnOrders holds randomly drawn orders, as one set and as those of three posts.
type drawnOrders struct {
	weapons, shields int
	move             int
	sections         map[string]map[string][]string // by post: lines of each section
}

func (o *drawnOrders) add(post, section, format string, args ...any) {
	if o.sections[post] == nil {
		o.sections[post] = map[string][]string{}
	}
	o.sections[post][section] = append(o.sections[post][section], fmt.Sprintf(format, args...))
}

// text returns the set of some posts.
func (o *drawnOrders) text(posts ...string) string {
	var b strings.Builder
	for _, section := range []string{"power", "phase 1", "phase 2", "phase 3", "standing"} {
		b.WriteString(section + "\n")
		for _, post := range posts {
			for _, line := range o.sections[post][section] {
				b.WriteString("  " + line + "\n")
			}
		}
	}
	return b.String() + "final\n"
}

// drawCrewOrders draws orders for the Hood that use no skill and at most her power.
func drawCrewOrders(t *rapid.T) *drawnOrders {
	o := &drawnOrders{sections: map[string]map[string][]string{}}
	some := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	points := rapid.IntRange(0, 3).Draw(t, "points")
	o.move = 4 * points
	for _, bank := range []string{"bank-a", "bank-b", "bank-c"} {
		if power := rapid.IntRange(0, 3).Draw(t, bank); power > 0 {
			o.add(ship.PostHelm, "power", "arm %s %d", bank, power)
			o.weapons += 2 * power
		}
	}
	sum := 0
	for shield := range 6 {
		if n := rapid.IntRange(0, 4).Draw(t, "shield"); n > 0 {
			o.add(ship.PostScience, "power", "shields %d:%d", shield+1, n)
			sum += n
		}
	}
	o.shields = (sum + 1) / 2
	split := map[int][]int{0: {0, 0, 0}, 1: {0, 1, 0}, 2: {1, 0, 1}, 3: {1, 1, 1}}[points]
	for n, most := range split {
		phase := fmt.Sprintf("phase %d", n+1)
		switch {
		case most > 0 && rapid.Bool().Draw(t, "words"):
			o.add(ship.PostHelm, phase, "move %s", some("word", "F", "FF", "FL", "FR", "L", "R", "SL", "H"))
		case most > 0 && rapid.Bool().Draw(t, "reactive"):
			o.add(ship.PostHelm, phase, "%s", some("reactive", "pursue Riskadh to 5", "flee Riskadh when damaged", "face Riskadh with 1"))
		}
		if rapid.Bool().Draw(t, "fire") {
			o.add(ship.PostHelm, phase, "fire %s at Riskadh%s", some("weapon", "all", "bank-a", "bank-b-1"), some("when", "", " when chance >= 30%", " when range <= 9"))
		}
		if rapid.Bool().Draw(t, "lock") {
			o.add(ship.PostScience, phase, "%s", some("sensors", "lock Riskadh", "question 5 when locked", "lock nearest"))
		}
	}
	if rapid.Bool().Draw(t, "standing") {
		o.add(ship.PostEngineer, "standing", "shed %s", some("shed", "shields weapons", "movement 4 weapons", "weapons 2 shields all"))
		o.add(ship.PostHelm, "standing", "missing %s", some("missing", "hold", "course"))
		o.add(ship.PostHelm, "standing", "slow %s", some("slow", "1", "2 3"))
		o.add(ship.PostScience, "standing", "choose shield %s", some("choose", "weakest", "2"))
		o.add(ship.PostScience, "standing", "lower %s", some("lower", "2 1", "4"))
	}
	return o
}

// TestFourSetsAreOne: four posts' sets give the same battle as one captain's set with the same
// contents, as long as no skill is used.
func TestFourSetsAreOne(t *testing.T) {
	r := averagePeople(rulesOf(t, Command))
	first := wolfOf(t, r)
	rapid.Check(t, func(t *rapid.T) {
		one, four := first.Clone(), first.Clone()
		hood, _ := four.Ship("hood")
		hood.Crew = map[string]engine.CaptainName{ship.PostEngineer: "Bob", ship.PostHelm: "Cleo", ship.PostScience: "Dan"}
		secret := dice.FromSeed(rapid.Uint64Range(0, 1000).Draw(t, "secret"))
		for range 2 {
			if hood, _ := one.Ship("hood"); one.Result != nil || hood.Status != engine.Active || ship.Of(hood).Power < ship.Of(hood).Design.Power {
				return // the totals would exceed the power
			}
			o := drawCrewOrders(t)
			single := postSet(t, r, "ship", strings.Replace(o.text(ship.PostEngineer, ship.PostHelm, ship.PostScience), "power\n", fmt.Sprintf("power\n  move %d\n", o.move), 1))
			foe := engine.Sheet{Ship: "riskadh", Block: postSet(t, r, "ship", "power\n move 8\n shields 2:10\n arm bank-a 3\n arm bank-b 3\nphase 1\n move F\n fire all at Hood\nphase 3\n fire all at Hood\n")}
			sheets := []engine.Sheet{foe, {Ship: "hood", Block: postSet(t, r, "ship", "final\n")}}
			for post, text := range map[string]string{
				ship.PostEngineer: fmt.Sprintf("totals move %d weapons %d shields %d\n", o.move, o.weapons, o.shields) + o.text(ship.PostEngineer),
				ship.PostHelm:     o.text(ship.PostHelm), ship.PostScience: o.text(ship.PostScience),
			} {
				sheets = append(sheets, engine.Sheet{Ship: "hood", Post: post, Block: postSet(t, r, post, text)})
			}
			var told, events []engine.Event
			var err error
			if one, told, err = engine.Resolve(r, one, []engine.Sheet{{Ship: "hood", Block: single}, foe}, secret); err != nil {
				t.Fatal(err)
			}
			if four, events, err = engine.Resolve(r, four, sheets, secret); err != nil {
				t.Fatal(err)
			}
			want, got := quiet(t, told), quiet(t, events)
			for i := range max(len(want), len(got)) {
				if i >= len(want) || i >= len(got) || want[i] != got[i] {
					t.Fatalf("event %d is another one with four sets: want\n%s\ngot\n%s", i, slices.Concat(want, []string{"none"})[i], slices.Concat(got, []string{"none"})[i])
				}
			}
			if want, got := stateOf(t, one), stateOf(t, four); want != got {
				t.Fatalf("another game comes of four sets:\n%s", enginetest.Difference([]byte(want), []byte(got)))
			}
		}
	})
}

// stateOf returns a game without what depends on who sends a ship's orders, and how.
func stateOf(t rapid.TB, g *engine.Game) string {
	t.Helper()
	g = g.Clone()
	for _, s := range g.Ships {
		s.Crew = nil
		ship.Of(s).Standing.Last = ""
	}
	data, err := engine.EncodeGame(g)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// quiet returns events without lines and posts of orders, and without those that record the last orders.
func quiet(t rapid.TB, all []engine.Event) []string {
	t.Helper()
	var out []string
	for _, e := range all {
		if b, ok := e.Body.(*engine.Skip); ok {
			b.Line, b.Post = 0, "" // each set has its own lines
		}
		if e.Type.Name == "standing" {
			continue
		}
		text, err := engine.EncodeEvents([]engine.Event{{Turn: e.Turn, Phase: e.Phase, Step: e.Step, Rule: e.Rule, See: e.See, Type: e.Type, Body: e.Body}})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return out
}

// crewedWolf returns The Big Bad Wolf with officers at all posts of these ships.
func crewedWolf(t *testing.T, r *engine.Rules, ships ...engine.ShipID) *engine.Game {
	t.Helper()
	g := wolfOf(t, r)
	for _, id := range ships {
		s, _ := g.Ship(id)
		s.Crew = map[string]engine.CaptainName{}
		for _, post := range rulebook.Posts() {
			s.Crew[post] = engine.CaptainName(s.Name + " " + post)
		}
	}
	return g
}

// TestCrewsFightToTheEnd has robots at all posts, of one ship and of both, fight battles to their
// ends.
func TestCrewsFightToTheEnd(t *testing.T) {
	r := rulesOf(t, Command)
	for seed, crewed := range [][]engine.ShipID{nil, {"hood"}, {"hood", "riskadh"}} {
		g := crewedWolf(t, r, crewed...)
		for _, s := range g.Ships { // the templates must have it too
			ship.Of(s).Standing.SetList(rulebook.StandingLearn, ship.SkillWeaponry, ship.SkillWarpDrive)
		}
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

// offersToAll parses and checks the orders that every filled post is offered.
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
			text := fmt.Sprintf("#orders game turn %d %s %s\n%s\n#end\n", g.Turn+1, post, s.Name, r.Template(v, s.ID).String())
			blocks, diags := orders.Parse([]byte(text), r.Language)
			if len(blocks) == 1 {
				diags = append(diags, r.Check(v, s.ID, blocks[0]).Diagnostics...)
			}
			if post == ship.PostHelm && s.Status == engine.Active && !strings.Contains(text, "learn weaponry") || strings.Contains(text, "learn warp-drive") && post != ship.PostEngineer {
				t.Errorf("turn %d, offered to %s: not the skill that he named in\n%s", g.Turn+1, name, text)
			}
			if len(blocks) != 1 || orders.HasErrors(diags) {
				t.Errorf("turn %d, offered to %s: %v in\n%s", g.Turn+1, name, diags, text)
			}
		}
	}
}

// TestEveryPostIsOfferedASetThatIsAccepted: an officer with two posts is offered for each only its own
// orders, including last turn's; a post that has no weapons left is offered "final".
func TestEveryPostIsOfferedASetThatIsAccepted(t *testing.T) {
	r := averagePeople(rulesOf(t, Command))
	g := crewedWolf(t, r, "hood")
	hood, _ := g.Ship("hood")
	hood.Crew[ship.PostHelm] = hood.Crew[ship.PostWeapons]
	ship.Of(hood).Standing.SetList(rulebook.StandingLearn, ship.SkillWeaponry)
	sheets, err := robots.Orders(r, g, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	offersToAll(t, r, g, events)
	hood, _ = g.Ship("hood")
	for i := range ship.Of(hood).Banks {
		for m := range ship.Of(hood).Banks[i].Mounts {
			ship.Of(hood).Banks[i].Mounts[m].Destroyed = true
		}
	}
	ship.Of(hood).Standing.Last = ""
	offersToAll(t, r, g, events)
}

// seenFrom returns all that an officer of the Hood gets to see.
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
	data, err := json.Marshal([]any{v, r.Present(v), r.Template(v, "hood").String(), r.Robot(v, "hood").String()})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// playCrewRounds plays a turn of the crewed Hood round by round, each time with all earlier rounds:
// with the first sets of the posts, and later sets by post and round. "absent" in place of a set
// means that one was due and did not come.
func playCrewRounds(t *testing.T, r *engine.Rules, first map[string]string, later map[string]map[int]string) []engine.Event {
	t.Helper()
	g := crewedWolf(t, r, "hood")
	var told []engine.Event
	for round := 1; round <= r.Rounds(); round++ {
		sheets := []engine.Sheet{{Ship: "riskadh", Block: postSet(t, r, "ship", "power\n move 8\n"), Later: make([]engine.Reply, round-1)}}
		for kind, text := range first {
			s := engine.Sheet{Ship: "hood", Post: kind, Block: postSet(t, r, kind, text), Later: make([]engine.Reply, round-1)}
			for n, text := range later[kind] {
				switch {
				case n > round:
				case text == "absent":
					s.Later[n-2] = engine.Reply{Policy: engine.PolicyStanding}
				default:
					s.Later[n-2] = engine.Reply{Block: postSet(t, r, kind, text)}
				}
			}
			if kind == "ship" {
				s.Post = ""
			}
			sheets = append(sheets, s)
		}
		after, events, err := engine.ResolveRounds(r, g, sheets, engine.RoundLimit{Upto: round, Told: told}, dice.FromSeed(5))
		if err != nil {
			t.Fatal(err)
		}
		if told = events; round == r.Rounds() {
			if err := enginetest.CheckTurn(r, g, after, events); err != nil {
				t.Error(err)
			}
		}
	}
	return told
}

// TestPostsInRounds: in a turn that is played phase by phase a post's later set counts besides the
// first sets of the others, and no earlier event changes.
func TestPostsInRounds(t *testing.T) {
	r := averagePeople(rulesOf(t, Command))
	first := map[string]string{
		"ship": "self-destruct 3\n", "engineer": "totals move 12 weapons 10 shields 10\n", "helm": "phase 1\n move F\n",
		"science": "power\n shields 2:14\nphase 2\n lock Riskadh\n", "weapons": "power\n arm bank-b 5 5\nphase 3\n fire all at Riskadh\n",
	}
	standing := maps.Clone(first)
	standing["weapons"] = "power\n arm bank-b 5 5\nstanding\n fire all at Riskadh\n"
	for name, test := range map[string]struct {
		first map[string]string
		later map[string]map[int]string
		want  string // what the Hood does, by phase
	}{
		"a later set of the helm": {
			first: first, later: map[string]map[int]string{"helm": {2: "phase 2\n move FR\nphase 3\n move FL\n"}},
			want: "1 F, 2 lock, 2 FR, 3 FL, 3 fire, 3 explode",
		},
		"the captain says it no more": {
			first: first, later: map[string]map[int]string{"ship": {3: "final\n"}, "helm": {3: "phase 3\n move R\n"}},
			want: "1 F, 2 lock, 2 H, 3 R, 3 fire",
		},
		"an absent helm": {
			first: first, later: map[string]map[int]string{"helm": {2: "absent", 3: "absent"}},
			want: "1 F, 2 lock, 2 F, 3 F, 3 fire, 3 explode",
		},
		"an absent weapons officer with standing fire": {
			first: standing, later: map[string]map[int]string{"weapons": {2: "absent"}, "helm": {2: "phase 2\n move L\n"}},
			want: "1 F, 2 lock, 2 L, 2 fire, 3 H, 3 explode",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var did []string
			for _, e := range playCrewRounds(t, r, test.first, test.later) {
				what := e.Type.Name
				switch b := e.Body.(type) {
				case *engine.Move:
					if what = b.Word; b.Ship != "hood" {
						continue
					}
				case *engine.Skip: // Riskadh is out of reach; the skip shows that there would be fire
					if what = "fire"; !strings.HasPrefix(b.Order, what) {
						continue
					}
				case *ship.Locking, *ship.Explode:
				default:
					continue
				}
				did = append(did, fmt.Sprintf("%d %s", e.Phase, what))
			}
			if got := strings.Join(did, ", "); got != test.want {
				t.Errorf("the Hood does %s, want %s", got, test.want)
			}
		})
	}
}

// TestOrdersOfAnotherPostAreNotSeen: an officer's orders that have no open effect change no byte of
// what the others aboard see, except the captain.
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
		for _, post := range rulebook.Posts() {
			told := changed == ship.PostEngineer // the totals are for the others to know
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

// TestPostsGetNoPanelsOfOthers: an officer's JSON has no fields of other posts' panels, not even with
// the figures of an undamaged ship.
func TestPostsGetNoPanelsOfOthers(t *testing.T) {
	r := averagePeople(rulesOf(t, Command))
	g := crewedWolf(t, r, "hood")
	for post, fields := range map[string]string{ // the visible ones of the fields below
		ship.PostEngineer: "power now",
		ship.PostHelm:     "",
		ship.PostScience:  "superstructure set",
		ship.PostWeapons:  "armed",
	} {
		var view [1]struct { // the first element of what is seen
			Ships []struct {
				Own    bool            `json:"own"`
				System json.RawMessage `json:"system"`
			} `json:"ships"`
		}
		bank := mustShip(g, "hood").System.(*ship.State).Banks[0]
		bank.Mounts[0].Armed = 1
		if err := json.Unmarshal(seenFrom(t, r, g, nil, post), &view); err != nil {
			t.Fatal(err)
		}
		for _, s := range view[0].Ships {
			if !s.Own {
				continue
			}
			var system struct {
				Power, Superstructure *int
				Shields               []map[string]any
				Engines               []map[string]any
				Banks                 []struct{ Mounts []map[string]any }
			}
			if err := json.Unmarshal(s.System, &system); err != nil {
				t.Fatal(err)
			}
			_, now := system.Engines[0]["now"]
			_, set := system.Shields[0]["set"]
			_, armed := system.Banks[0].Mounts[0]["armed"]
			for field, got := range map[string]bool{"power": system.Power != nil, "now": now, "superstructure": system.Superstructure != nil, "set": set, "armed": armed} {
				if want := slices.Contains(strings.Fields(fields), field); got != want {
					t.Errorf("the %s sees %q: got %t, want %t", post, field, got, want)
				}
			}
		}
	}
}

// TestTemplatesKeepWhatOfficersLearn: a template repeats the standing orders about skills to learn.
func TestTemplatesKeepWhatOfficersLearn(t *testing.T) {
	r := averagePeople(rulesOf(t, Command))
	g := crewedWolf(t, r)
	s, _ := g.Ship("hood")
	skill := ship.SkillsOf()[ship.PostEngineer][0]
	ship.Of(s).Standing.SetList(rulebook.StandingLearn, skill)
	v, err := engine.BuildView(r, g, nil, g.Viewer(s))
	if err != nil {
		t.Fatal(err)
	}
	if text, want := r.Template(v, s.ID).String(), rulebook.StandingLearn+" "+rulebook.SkillWord(skill)+"\n"; !strings.Contains(text, want) {
		t.Errorf("the template lacks %q:\n%s", want, text)
	}
}
