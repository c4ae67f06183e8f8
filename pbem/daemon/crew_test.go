package daemon_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/tables"
	"starpost/orders"
	"starpost/pbem/daemon"
	"starpost/pbem/demo"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// crew is a game of two ships with four officers each, by mail; each answers by what his own
// report shows him, and with the key that stands in it.
type crew struct {
	*world
	*testing.T
	game  *vault.Game
	sent  sentMails
	quiet map[string]bool   // who does not answer
	says  map[string]string // what one adds to his next order mail
}

// officers are those of both ships.
func officers() []vault.Captain {
	var all []vault.Captain
	for ship, names := range map[string][]string{"Hood": {"Kirk", "Scott", "Sulu", "Spock"}, "Riskadh": {"Kor", "Koloth", "Klag", "Kang"}} {
		for i, name := range names {
			c := vault.Captain{Name: name, Address: strings.ToLower(name) + "@example.org"}
			if post := []string{"", "engineer", "helm", "science"}[i]; post == "" {
				c.Ships = []string{ship}
			} else {
				c.Posts = []string{ship + "." + post}
			}
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b vault.Captain) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func newCrews(t *testing.T, cadence string, mail vault.MailSettings, captains []vault.Captain) *crew {
	t.Helper()
	w := newWorld(t)
	w.cat = crewCatalogue()
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(1)
	if _, err = turn.Create(filepath.Join(w.dir, "games", "wolf"), w.cat, turn.Setup{
		Scenario: engine.ForRules(all["big-bad-wolf"], "stcs-command"), ID: "wolf", Mail: mail, Cadence: cadence, Captains: captains,
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: w.clock.Now(), Compose: daemon.Compose},
	}); err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(filepath.Join(w.dir, "games", "wolf"), w.cat)
	if err != nil {
		t.Fatal(err)
	}
	return &crew{world: w, T: t, game: g, quiet: map[string]bool{}, says: map[string]string{}}
}

// crewCatalogue has Command & Control.
var crewCatalogue = sync.OnceValue(func() vault.Catalogue {
	all := maps.Clone(catalogue())
	all["stcs-command"] = func(map[string][]byte) (*engine.Rules, error) {
		lib, err := tables.Core()
		if err != nil {
			return nil, err
		}
		return fasa.Command(lib)
	}
	return all
})

// look has the daemon run, and every officer answer his reports.
func (c *crew) look() sentMails {
	c.Helper()
	sent := c.run()
	c.sent = append(c.sent, sent...)
	for _, m := range sent {
		r, err := demo.ReadReport([]byte(m.raw), c.cat)
		if err != nil {
			c.Fatalf("%s: %v", m.to, err)
		}
		if strings.Contains(m.Subject, "not accepted") {
			c.Errorf("%s: %s\n%s", m.to, m.Subject, m.Text)
		}
		if r.Orders == "" || c.quiet[m.to] {
			continue
		}
		text := strings.ReplaceAll(strings.ReplaceAll(r.Orders, "final\n", ""), "#end", c.says[m.to]+"final\n#end")
		delete(c.says, m.to)
		c.box.put(c.mail(m.to, text))
	}
	return sent
}

// over tells whether the game is.
func (c *crew) over() bool {
	c.Helper()
	state, err := c.game.State(c.turnOf(c.game))
	if err != nil {
		c.Fatal(err)
	}
	return state.Result != nil
}

// play goes on until the game is over or a turn is played, half a day later whenever no mail is on
// its way.
func (c *crew) play(turn int) {
	c.Helper()
	for range 100 {
		if c.over() || c.turnOf(c.game) >= turn {
			return
		}
		if len(c.look()) == 0 {
			c.clock.Advance(12 * time.Hour)
		}
	}
	c.Fatalf("turn %d is not played", turn)
}

// TestCrewsByMail: two ships with four officers each are played by mail, in whole turns to the
// end of the battle and a phase at a time, each officer by what his own report shows him. All
// get their own reports and acknowledgements, and of the engineers' totals who is to know them.
func TestCrewsByMail(t *testing.T) {
	for cadence, last := range map[string]int{vault.CadenceTurn: 99, vault.CadencePhase: 2} {
		t.Run(cadence, func(t *testing.T) {
			t.Parallel()
			c := newCrews(t, cadence, schedule(), officers())
			c.play(last)
			played := c.turnOf(c.game)
			if last > played && !c.over() {
				t.Fatalf("turn %d and no end", played)
			}
			keys := map[string]string{}
			for _, o := range officers() {
				begun, sets, reports, totals := 0, 0, 0, 0
				for _, m := range c.sent.to(o.Address, "") {
					switch {
					case strings.Contains(m.Subject, "begins: "+o.Seat()+","):
						begun++
					case strings.Contains(m.Subject, "orders for "+o.Seat()+" accepted"):
						sets++
					case strings.Contains(m.Subject, "report for "+o.Seat()) || strings.Contains(m.Subject, "The battle is over"):
						reports++
					case strings.HasPrefix(m.Subject, "[wolf] "+o.Ship()+", turn") && strings.HasSuffix(m.Subject, ": totals of the engineer"):
						totals++
					default:
						t.Errorf("%s got %q", o.Name, m.Subject)
					}
					if raws, _ := orders.Scan([]byte(m.Text)); len(raws) > 0 && raws[0].Head.Key != "" {
						if who := keys[raws[0].Head.Key]; who != "" && who != o.Name {
							t.Errorf("%s and %s have one key", who, o.Name)
						}
						keys[raws[0].Head.Key] = o.Name
					}
				}
				stages, wantTotals := played*max(1, c.game.Rounds()), 0
				if _, post, _ := strings.Cut(o.Seat(), "."); post == "helm" || post == "science" {
					wantTotals = played
				}
				if begun != 1 || reports != stages || sets != stages || totals != wantTotals {
					t.Errorf("%s: %d first reports, %d sets and %d reports for %d stages, %d totals", o.Name, begun, sets, reports, stages, totals)
				}
			}
			if found, err := turn.Verify(c.game, nil); err != nil || len(found) > 0 {
				t.Errorf("%v %v", found, err)
			}
		})
	}
}
