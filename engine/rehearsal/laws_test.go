package rehearsal_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rehearsal"
	"starpost/engine/robots"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/manual"
	"starpost/engine/rules/sfb"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/engine/testkit/fasatest"
	"starpost/engine/testkit/sfbtest"
)

// set returns a rule set by its name.
func set(t *testing.T, name string) *engine.Rules {
	t.Helper()
	for _, s := range slices.Concat(fasa.Family().Sets, sfb.Family().Sets, manual.Family().Sets) {
		if s.Name == name {
			r, err := s.Rules(nil)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
	}
	t.Fatalf("no rule set %s", name)
	return nil
}

func game(t *testing.T, r *engine.Rules, text string) *engine.Game {
	t.Helper()
	sc, diags := scenario.Parse([]byte(text))
	if sc == nil {
		t.Fatal(diags)
	}
	sc.Rules = r.Name
	g, diags := sc.NewGame(r, "game", nil)
	if g == nil {
		t.Fatal(diags)
	}
	return g
}

func duel(class, foe string, apart int) string {
	return fmt.Sprintf("format = 1\nname = \"duel\"\ntitle = \"Duel\"\nrules = \"x\"\n[[side]]\nid = \"red\"\n[[side]]\nid = \"green\"\n"+
		"[[ship]]\nname = \"Hood\"\nside = \"red\"\nclass = %q\nhex = \"0510\"\nheading = \"A\"\n[[ship]]\nname = \"Riskadh\"\nside = \"green\"\nclass = %q\nhex = \"05%02d\"\nheading = \"D\"\n", class, foe, 10-apart)
}

// duels returns battles of two ships in which, in the first turn, nothing about the other ship has to be assumed.
func duels() map[string]string {
	out := map[string]string{}
	for _, name := range []string{"stcs-basic", "stcs-advanced", "stcs-graduate", "stcs-command", "book-one"} {
		out[name] = duel("constitution-hood", "constitution-hood", 6) // no class is known before there is a lock
	}
	out["sfb-cadet"], out["sfb-house"] = duel("cadet-federation", "cadet-klingon", 2), duel("federation-ca", "klingon-d7", 6)
	return out
}

func view(t *testing.T, r *engine.Rules, g *engine.Game, events []engine.Event, id engine.ShipID) *engine.View {
	t.Helper()
	who, err := r.SeatViewer(g, engine.Seat{Ship: id})
	if err != nil {
		t.Fatal(err)
	}
	v, err := engine.BuildView(r, g, events, who)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Real results are between the least and the most of a hundred rehearsals with the enemy's true orders, in nearly
// all battles without wrong assumptions.
func TestWhatComesAboutLiesInTheBands(t *testing.T) {
	for name, text := range duels() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := set(t, name)
			g := game(t, r, text)
			v := view(t, r, g, nil, "hood")
			foe, err := own(r, view(t, r, g, nil, "riskadh"))
			if err != nil {
				t.Fatal(err)
			}
			sets, err := own(r, v)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := run(t, rehearsal.Task{Rules: r, View: v, Sets: sets, Others: []rehearsal.Other{{Ship: "riskadh", By: rehearsal.ByOrders, Text: foe[0].Block.Body()}}, Seed: 3})
			if b.Played != rehearsal.UsualTimes {
				t.Fatalf("played %d times", b.Played)
			}
			sheets := []engine.Sheet{{Ship: "hood", Block: &sets[0].Block}, {Ship: "riskadh", Block: &foe[0].Block}}
			const battles = 60
			within, all, hits := 0, 0, 0
			for n := range uint64(battles) {
				_, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(9_000_000+n))
				if err != nil {
					t.Fatal(err)
				}
				came := map[engine.ShipID]map[string]int{"hood": {}, "riskadh": {}}
				for _, e := range events {
					if c, ok := e.Body.(engine.Counted); ok {
						for _, c := range c.Tally() {
							if came[c.Ship] != nil { // not a small craft
								came[c.Ship][c.What] += c.N
							}
						}
					}
				}
				hits += came["hood"][engine.CountTaken] + came["riskadh"][engine.CountTaken]
				in, of := count(b, came)
				within, all = within+in, all+of
			}
			if within*100 < all*97 || hits == 0 {
				t.Errorf("%d of %d figures lie in the bands, with %d hits: %+v", within, all, hits, b.Ships)
			}
			t.Logf("%d of %d figures in the bands, %d hits", within, all, hits)
		})
	}
}

// count returns how many figures of a battle are within the bands, and how many there are.
func count(b *rehearsal.Bands, came map[engine.ShipID]map[string]int) (within, all int) {
	for _, s := range b.Ships {
		rest := maps.Clone(came[s.Ship])
		for _, f := range s.Figures {
			n := rest[f.Name]
			delete(rest, f.Name)
			if all++; f.Least <= n && n <= f.Most {
				within++
			}
		}
		for _, n := range rest { // never seen in a rehearsal
			if n > 0 {
				all++
			}
		}
	}
	return within, all
}

// A rehearsal reveals nothing that the captain may not know: if all secrets of the others change, the result does
// not. TestAllScenarios shows that it depends only on the bytes of the captain's view.
func TestSecretsChangeNothing(t *testing.T) {
	var changed, told atomic.Int64
	games(t, func(t *testing.T, r *engine.Rules, g *engine.Game) {
		t.Helper()
		enough := errors.New("enough")
		look := func(turn robots.Turn) error {
			g, c := turn.After, turn.After.Captains()[0]
			if g.Result != nil {
				return enough
			}
			other := g.Clone()
			for _, s := range other.Ships {
				if !slices.Contains(c.Ships, s.ID) {
					fasatest.Blur(s)
					sfbtest.Blur(s)
					changed.Add(1)
				}
			}
			var bands [2][]byte
			for i, g := range []*engine.Game{g, other} {
				v := view(t, r, g, turn.Events, c.Ships[0])
				b, err := rehearsal.Run(rehearsal.Task{Rules: r, View: v, Times: 2})
				if _, refused := errors.AsType[*rehearsal.Refusal](err); refused {
					return enough
				}
				if err != nil {
					t.Fatal(err)
				}
				bands[i] = fmt.Appendf(nil, "%+v", b)
			}
			if told.Add(1); !bytes.Equal(bands[0], bands[1]) {
				t.Errorf("turn %d: secrets of others show: %s", g.Turn+1, enginetest.Difference(bands[0], bands[1]))
			}
			if g.Turn < 2 && told.Load()%2 == 0 {
				return nil
			}
			return enough
		}
		if _, err := robots.Fight(r, g, dice.FromSeed(5), look); err != nil && !errors.Is(err, enough) {
			t.Fatal(err)
		}
	})
	t.Cleanup(func() {
		if changed.Load() == 0 || told.Load() == 0 {
			t.Errorf("%d ships changed, %d rehearsals compared", changed.Load(), told.Load())
		}
	})
}

// The same for an officer: panels of their own ship that are not theirs to see change nothing.
func TestPanelsOfOthersChangeNothing(t *testing.T) {
	var told atomic.Int64
	enough := errors.New("enough")
	games(t, func(t *testing.T, r *engine.Rules, g *engine.Game) {
		t.Helper()
		_, err := robots.Fight(r, g, dice.FromSeed(5), func(turn robots.Turn) error {
			if turn.After.Turn > 3 || turn.After.Result != nil {
				return enough
			}
			for _, c := range turn.After.Captains() {
				seat := c.Seats[0]
				if s, _ := turn.After.Ship(seat.Ship); seat.Post == "" || seat.Post == ship.PostCaptain || s.Status != engine.Active {
					continue
				}
				other := turn.After.Clone()
				s, _ := other.Ship(seat.Ship)
				fasatest.BlurPanels(s, []string{seat.Post})
				var bands [2][]byte
				for i, g := range []*engine.Game{turn.After, other} {
					who, err := r.SeatViewer(g, seat)
					if err != nil {
						t.Fatal(err)
					}
					v, err := engine.BuildView(r, g, turn.Events, who)
					if err != nil {
						t.Fatal(err)
					}
					_, bands[i] = run(t, rehearsal.Task{Rules: r, View: v, Times: 5})
				}
				if told.Add(1); !bytes.Equal(bands[0], bands[1]) {
					t.Errorf("turn %d, %s: %s", turn.After.Turn, seat, enginetest.Difference(bands[0], bands[1]))
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, enough) {
			t.Fatal(err)
		}
	})
	t.Cleanup(func() {
		if told.Load() == 0 && enginetest.Share == 1 { // a share of the scenarios may have no posts
			t.Error("no officer has rehearsed")
		}
	})
}

// Ships that do not fire at each other do no damage, and all battles end alike.
func TestNoFireDoesNoDamage(t *testing.T) {
	for name, text := range duels() {
		r := set(t, name)
		b, _ := run(t, rehearsal.Task{Rules: r, View: view(t, r, game(t, r, text), nil, "hood"), Others: []rehearsal.Other{{Ship: "Riskadh", By: rehearsal.ByKeep}}, Times: 20})
		for _, s := range b.Ships {
			if len(s.Figures) > 0 || len(s.Fates) != 1 || s.Fates[0] != (rehearsal.Times{What: "active", Times: 20}) || len(s.Places) != 1 {
				t.Errorf("%s: %+v", name, s)
			}
		}
	}
}

// A robot does damage to a captain without orders in some of the battles, and the dice differ each time.
func TestDiceDiffer(t *testing.T) {
	r := set(t, "stcs-basic")
	g := game(t, r, duel("constitution-hood", "d-10-wolf", 3))
	b, one := run(t, rehearsal.Task{Rules: r, View: view(t, r, g, nil, "hood")})
	if !slices.ContainsFunc(b.Ships[0].Figures, func(f rehearsal.Figure) bool { return f.Least < f.Most }) || !slices.ContainsFunc(b.Ships[0].Figures, func(f rehearsal.Figure) bool { return f.Name == engine.CountTaken }) {
		t.Errorf("%+v", b.Ships[0])
	}
	if _, two := run(t, rehearsal.Task{Rules: r, View: view(t, r, g, nil, "hood"), Seed: 1}); bytes.Equal(one, two) {
		t.Error("another seed has the same dice")
	}
	if all := strings.Join(b.Assumed, "\n"); !strings.Contains(all, "Riskadh: energy ") || !strings.Contains(all, "Riskadh: only the damage you know of") {
		t.Error(all)
	}
}

// The work is bounded, and what cannot be played is refused with a hint.
func TestBoundsAndRefusals(t *testing.T) {
	r := set(t, "stcs-basic")
	g := game(t, r, duel("constitution-hood", "d-10-wolf", 3))
	v := view(t, r, g, nil, "hood")
	b, _ := run(t, rehearsal.Task{Rules: r, View: v, Budget: 200})
	if b.Played < 1 || b.Played > 20 || b.Asked != rehearsal.UsualTimes {
		t.Errorf("played %d of %d", b.Played, b.Asked)
	}
	over := *v
	over.Due = 0
	table := set(t, "manual")
	for name, c := range map[string]struct {
		task rehearsal.Task
		want string
	}{
		"too often":     {rehearsal.Task{Rules: r, View: v, Times: 1001}, "1 to 1000 times"},
		"over":          {rehearsal.Task{Rules: r, View: &over}, "the game is over"},
		"a referee":     {rehearsal.Task{Rules: table, View: v}, "a referee plays the turns"},
		"unknown ship":  {rehearsal.Task{Rules: r, View: v, Others: []rehearsal.Other{{Ship: "riskad", By: rehearsal.ByRobot}}}, "no ship"},
		"own ship":      {rehearsal.Task{Rules: r, View: v, Others: []rehearsal.Other{{Ship: "hood", By: rehearsal.ByRobot}}}, "your own ship"},
		"unknown way":   {rehearsal.Task{Rules: r, View: v, Others: []rehearsal.Other{{Ship: "riskadh", By: "luck"}}}, "cannot act as"},
		"faulty orders": {rehearsal.Task{Rules: r, View: v, Others: []rehearsal.Other{{Ship: "riskadh", By: rehearsal.ByOrders, Text: "power\n  move 99\n"}}}, "have mistakes"},
		"two sets": {rehearsal.Task{Rules: r, View: v, Others: []rehearsal.Other{{
			Ship: "riskadh", By: rehearsal.ByOrders, Text: strings.Repeat("#orders game turn 1 ship Riskadh\n#end\n", 2),
		}}}, "2 order sets"},
	} {
		_, err := rehearsal.Run(c.task)
		var refused *rehearsal.Refusal
		if !errors.As(err, &refused) || !strings.Contains(refused.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if name == "faulty orders" && (refused == nil || len(refused.Diagnostics) == 0 || refused.Ship != "riskadh" || refused.Hint() == "") {
			t.Errorf("%s: %+v", name, refused)
		}
	}
}

// A battle that breaks an engine invariant because the assumptions do not fit together is refused with a hint.
func TestBrokenBattleIsRefused(t *testing.T) {
	r := *set(t, "stcs-basic")
	v := view(t, &r, game(t, &r, duel("constitution-hood", "d-10-wolf", 3)), nil, "hood")
	r.Phases = slices.Clone(r.Phases)
	r.Phases[0].Run = func(turn *engine.Turn) { turn.Emit(&engine.Arrive{Ship: "none"}, engine.SeeAll(), "scenario") }
	_, err := rehearsal.Run(rehearsal.Task{Rules: &r, View: v})
	if refused, ok := errors.AsType[*rehearsal.Refusal](err); !ok || !strings.Contains(refused.Error(), "no battle can be made") || refused.Hint() == "" {
		t.Errorf("%v", err)
	}
}

// A rehearsal of a hundred turns of a duel, and of a battle of 20 ships.
func BenchmarkRehearse(b *testing.B) {
	for _, ships := range []int{2, 20} {
		b.Run(fmt.Sprintf("%d-ships", ships), func(b *testing.B) {
			r, err := fasa.Family().Sets[slices.IndexFunc(fasa.Family().Sets, func(s family.RuleSet) bool { return s.Name == "stcs-basic" })].Rules(nil)
			if err != nil {
				b.Fatal(err)
			}
			var text strings.Builder
			fmt.Fprintf(&text, "format = 1\nname = \"fleet\"\ntitle = \"Fleet\"\nrules = \"stcs-basic\"\n[[side]]\nid = \"red\"\n[[side]]\nid = \"green\"\n")
			for i := range ships {
				side, row, heading := "red", 16, "A"
				if i%2 > 0 {
					side, row, heading = "green", 10, "D"
				}
				fmt.Fprintf(&text, "[[ship]]\nname = \"Ship%02d\"\nside = %q\nclass = \"constitution-hood\"\nhex = \"%02d%02d\"\nheading = %q\n", i, side, 2+i, row, heading)
			}
			sc, diags := scenario.Parse([]byte(text.String()))
			if sc == nil {
				b.Fatal(diags)
			}
			g, diags := sc.NewGame(r, "game", nil)
			if g == nil {
				b.Fatal(diags)
			}
			who, err := r.SeatViewer(g, engine.Seat{Ship: "ship00"})
			if err != nil {
				b.Fatal(err)
			}
			v, err := engine.BuildView(r, g, nil, who)
			if err != nil {
				b.Fatal(err)
			}
			played := 0
			for b.Loop() {
				out, err := rehearsal.Run(rehearsal.Task{Rules: r, View: v})
				if err != nil {
					b.Fatal(err)
				}
				played = out.Played
			}
			b.ReportMetric(float64(played), "battles")
		})
	}
}
