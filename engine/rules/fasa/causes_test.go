package fasa

import (
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/ship"
)

// because returns the types of the events that directly cause the i-th event, and the texts of the
// orders that do.
func because(played playedCase, i int) (events, orders []string) {
	e := played.Events[i]
	for _, c := range played.Causes[i] {
		if c.Orders != nil {
			orders = append(orders, c.Orders.Text+c.Orders.Section+c.Orders.Verb)
			continue
		}
		k := slices.IndexFunc(played.Events, func(o engine.Event) bool { return o.Turn == e.Turn && o.Seq == c.Event })
		events = append(events, played.Events[k].Type.Name)
	}
	slices.Sort(events)
	return slices.Compact(events), orders
}

// TestEveryEventHasItsCause: in all cases nothing happens to a ship without an earlier cause, no die
// is thrown without effect, and what must be ordered was ordered.
func TestEveryEventHasItsCause(t *testing.T) {
	must := map[string][]string{ // by type, the events of which one must be a cause
		"fire": {"declare"}, "shield": {"fire", "blast", "mine", "debris"}, "damage": {"shield"}, "shed": {"damage", "strain", "ruled"},
		"blast": {"explode"}, "strain": {"move", "evade"}, "withdraw": {"evade"}, "evade": {"declare"}, "mine": {"move"}, "debris": {"move"},
		"unlock": nil, "lost": nil, "cloak": nil, "lock": {"roll", "scan"}, "score": {"out"}, "bonus": {"roll"}, "repair": {"roll"}, "detected": {"scan"},
	}
	seen := map[string]int{}
	for _, dir := range []string{"stcs-basic", "stcs-advanced", "stcs-graduate"} {
		for _, played := range casesIn(t, dir) {
			played.play() // the tests of cases report its failures
			p := played.Name
			used := map[[2]int]bool{}
			for i, e := range played.Events {
				kind := e.Type.Name
				from, orders := because(played, i)
				for _, c := range played.Causes[i] {
					used[[2]int{e.Turn, c.Event}] = true
				}
				needed, watched := must[kind]
				if !watched {
					continue
				}
				seen[kind]++
				if len(from)+len(orders) == 0 || len(needed) > 0 && !slices.ContainsFunc(needed, func(k string) bool { return slices.Contains(from, k) }) {
					t.Errorf("%s: event %d.%d (%s) follows from %q and %q, which needs one of %q", p, e.Turn, e.Seq, kind, from, orders, needed)
				}
			}
			for _, e := range played.Events {
				if b, ok := e.Body.(*engine.Roll); ok && !used[[2]int{e.Turn, e.Seq}] {
					t.Errorf("%s: the die %s is thrown for no event", p, b.Name)
				}
			}
		}
	}
	for kind := range must {
		if seen[kind] == 0 {
			t.Errorf("no case has an event %s", kind)
		}
	}
}

// TestCausesAreNotGuessed: an event's cause is what brought it about, even where other events of the
// phase look as likely: these are cases that guessing from the events gets wrong.
func TestCausesAreNotGuessed(t *testing.T) {
	for name, test := range map[string]struct {
		file   string
		what   func(engine.Body) bool
		events []string
		orders []string
	}{
		"a lock is lost by the cloak, not by the move before it": {
			"stcs-10.7-locks-lost-by-cloaking.txt",
			func(b engine.Body) bool { u, ok := b.(*ship.Unlock); return ok && u.Why == "it has cloaked" },
			[]string{"cloak"},
			nil,
		},
		"who evades pays for the evasion, not for a movement word": {
			"stcs-8.4-no-fire-while-evading.txt",
			func(b engine.Body) bool { s, ok := b.(*ship.Strain); return ok && s.Why == "evasive action" },
			[]string{"evade"},
			nil,
		},
		"who is found learns it from the scan": {
			"stcs-10.6-what-a-scan-finds.txt",
			func(b engine.Body) bool { _, ok := b.(*ship.Exposed); return ok },
			[]string{"scan"},
			nil,
		},
		"a ship that blows herself up dies of that, not of the hits of the phase": {
			"stcs-9.8-self-destruction.txt",
			func(b engine.Body) bool { o, ok := b.(*engine.Out); return ok && o.Why == engine.Destroyed },
			[]string{"explode"},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			cases := casesIn(t, "stcs-advanced")
			k := slices.IndexFunc(cases, func(c playedCase) bool { return c.Name == test.file })
			if k < 0 {
				t.Fatalf("there is no case %s", test.file)
			}
			played, found := cases[k], false
			played.play()
			for i, e := range played.Events {
				if !test.what(e.Body) {
					continue
				}
				found = true
				if from, orders := because(played, i); !slices.Equal(from, test.events) || !slices.Equal(orders, test.orders) {
					t.Errorf("%d.%d follows from %q and %q, want %q and %q", e.Turn, e.Seq, from, orders, test.events, test.orders)
				}
			}
			if !found {
				t.Error("the case has no such event")
			}
		})
	}
}

// TestOnlyTheOrderThatWasCarriedOut: of two orders to fire the same bank at the same ship, the cause
// is the one with the condition that held.
func TestOnlyTheOrderThatWasCarriedOut(t *testing.T) {
	r := courseRules(t, "stcs-basic")
	g := duel(t, r, "class = \"constitution-iii\"\nhex = \"1114\"\nheading = \"A\"", "class = \"d-7s\"\nhex = \"1110\"\nheading = \"D\"", "")
	set := blockOf(t, r, "one", "power\n  arm bank-a 4\nphase 1\n  fire bank-a at Two when range <= 2\n  fire bank-a at Two when range > 2")
	sheets := []engine.Sheet{{Ship: "one", Block: set}, {Ship: "two", Policy: engine.PolicyStanding}}
	var causes engine.Causes
	after, events, err := engine.ResolveWith(r.Tracing(&causes), g, sheets, dice.ForTurn(dice.FromSeed(1), g.ID, 1, nil))
	if err != nil {
		t.Fatal(err)
	}
	s, err := engine.NewStory(r, g, after, events, causes, []engine.OrderSet{{Name: "One", Ship: "one", Block: *set}})
	if err != nil {
		t.Fatal(err)
	}
	silent, declared := 0, 0
	for i, e := range events {
		a := s.Account(i)
		switch b := e.Body.(type) {
		case *ship.Declare:
			declared++
			if len(a.Orders) != 1 || a.Orders[0].Set != "One" || a.Orders[0].Text != "fire bank-a at Two when range > 2" {
				t.Errorf("the shot was ordered by %+v", a.Orders)
			}
		case *ship.PowerSet:
			if b.Ship != "two" {
				continue
			}
			silent++
			if len(a.Orders) > 0 || len(a.From) != 1 || len(a.Why) != 2 {
				t.Errorf("the power of a ship without orders comes of %+v", a)
			} else if _, none := events[a.From[0]].Body.(*engine.Absent); !none {
				t.Errorf("... of %s", events[a.From[0]].Type.Name)
			}
		}
	}
	if silent != 1 || declared != 1 {
		t.Errorf("%d ships without orders, %d shots", silent, declared)
	}
}

// TestTraceNamesThePostsOwnLine: for a ship with officers, an event is traced to the set with its order, and to
// none for what was done in place of an officer who sent nothing.
func TestTraceNamesThePostsOwnLine(t *testing.T) {
	r := averagePeople(rulesOf(t, Command))
	g := crewedWolf(t, r, "hood")
	sheets := []engine.Sheet{{Ship: "riskadh", Block: postSet(t, r, "ship", "power\n move 8\nphase 1\n move F\n")}, {Ship: "hood", Post: ship.PostHelm, Policy: engine.PolicyStanding}}
	sets := []engine.OrderSet{{Name: "Riskadh", Ship: "riskadh", Block: *sheets[0].Block}}
	for kind, text := range map[string]string{
		"ship":     "brief\n#text\nGo.\n#endtext\nfinal\n",
		"engineer": "totals move 12 weapons 10 shields 10\nstanding\n shed shields weapons\n lose engines impulse\n",
		"science":  "power\n shields 2:14\nphase 1\n question 3\n lock Riskadh\nstanding\n choose shield weakest\n",
		"weapons":  "power\n arm bank-b 5 5\nphase 1\n fire all at Riskadh\nphase 2\n fire all at Riskadh\n",
	} {
		set := engine.Sheet{Ship: "hood", Post: kind, Block: postSet(t, r, kind, text)}
		if kind == "ship" {
			set.Post = ship.PostCaptain
		}
		sheets = append(sheets, set)
		sets = append(sets, engine.OrderSet{Name: engine.OrderSetName("Hood", set.Post), Ship: "hood", Post: set.Post, Block: *set.Block})
	}
	var causes engine.Causes
	after, events, err := engine.Resolve(r.Tracing(&causes), g, sheets, dice.FromSeed(5))
	if err != nil {
		t.Fatal(err)
	}
	s, err := engine.NewStory(r, g, after, events, causes, sets)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]string{}
	for i, e := range events {
		for _, o := range s.Account(i).Orders {
			named[e.Type.Name+" "+strings.Fields(o.Text)[0]] = o.Set
			if b, ok := e.Body.(*engine.Move); ok && b.Ship == "hood" {
				t.Errorf("the helm sent nothing, and her move is told of %s, line %d: %s", o.Set, o.Line, o.Text)
			}
		}
	}
	for what, set := range map[string]string{"brief brief": "Hood", "lock lock": "Hood.science", "power arm": "Hood.weapons", "power shields": "Hood.science"} {
		if named[what] != set {
			t.Errorf("%s is told of %q, want %s: %v", what, named[what], set, named)
		}
	}
}
