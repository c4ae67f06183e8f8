package daemon_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/clock"
	"starpost/pbem/demo"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// crew is a game by mail of two ships with four officers each. Each officer acts on what their own
// report shows, and uses its key.
type crew struct {
	*world
	*testing.T
	game  *vault.Game
	sent  sentMails
	quiet map[string]bool   // officers who do not answer
	peace bool              // no one fires
	says  map[string]string // what an officer adds to the orders for the next turn
}

// officers returns the officers of both ships.
func officers() []vault.Captain {
	var all []vault.Captain
	for ship, names := range map[string][]engine.CaptainName{"Hood": {"Kirk", "Scott", "Sulu", "Spock"}, "Riskadh": {"Kor", "Koloth", "Klag", "Kang"}} {
		for i, name := range names {
			c := vault.Captain{Name: name, Address: strings.ToLower(string(name)) + "@example.org"}
			if post := []string{"", "engineer", "helm", "science"}[i]; post == "" {
				c.Ships = []string{ship}
			} else {
				c.Posts = []string{ship + "." + post}
			}
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b vault.Captain) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

func newCrews(t *testing.T, cadence string, mail vault.MailSettings, captains []vault.Captain) *crew {
	t.Helper()
	w := newWorld(t)
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(1)
	if _, err = turn.Create(filepath.Join(w.dir, "games", "wolf"), w.cat, turn.Setup{
		Scenario: scenario.ForRules(all["big-bad-wolf"], "stcs-command"), ID: "wolf", Mail: mail, Cadence: cadence, Captains: captains,
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: w.clock.Now()},
	}); err != nil {
		t.Fatal(err)
	}
	return &crew{world: w, T: t, game: w.load("wolf"), quiet: map[string]bool{}, says: map[string]string{}}
}

var fireOrders = regexp.MustCompile(`(?m)^ +fire all.*\n`)

// look runs the daemon, and makes every officer answer their reports.
func (c *crew) look() sentMails {
	c.Helper()
	sent := c.run()
	c.sent = append(c.sent, sent...)
	for _, m := range sent {
		r, err := demo.ReadReport([]byte(m.raw), c.cat)
		if err != nil {
			c.Fatalf("%s: %v", m.to, err)
		}
		if strings.Contains(m.Subject, "not accepted") && !c.quiet[m.to] {
			c.Errorf("%s: %s\n%s", m.to, m.Subject, m.Text)
		}
		if r.Orders == "" || c.quiet[m.to] {
			continue
		}
		if c.peace {
			r.Orders = fireOrders.ReplaceAllString(r.Orders, "")
		}
		more := "final\n#end"
		if r.View.DueRound() <= 1 {
			more = c.says[m.to] + more
			delete(c.says, m.to)
		}
		text := strings.ReplaceAll(strings.ReplaceAll(r.Orders, "final\n", ""), "#end", more)
		c.box.put(c.mail(m.to, text))
	}
	return sent
}

// over reports whether the game is over.
func (c *crew) over() bool {
	c.Helper()
	state, err := c.game.Stages.State(vault.At(c.turnOf(c.game)))
	if err != nil {
		c.Fatal(err)
	}
	return state.Result != nil
}

// play plays until the game is over or a turn has been played. It advances the clock by six hours
// whenever no mail is sent.
func (c *crew) play(turn int) {
	c.Helper()
	for range 100 {
		if c.over() || c.turnOf(c.game) >= turn {
			return
		}
		if len(c.look()) == 0 {
			c.clock.Advance(6 * time.Hour)
		}
	}
	c.Fatalf("turn %d is not played:\n%s", turn, c.sent[max(0, len(c.sent)-40):])
}

// TestCrewsByMail plays two ships with four officers each by mail, in whole turns to the end of the
// battle and a phase at a time. Each officer acts on their own report. All get their own reports
// and acknowledgements, and only those who may know them get the engineers' totals.
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
			keys := map[string]engine.CaptainName{}
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
			if found, err := proof.Verify(c.game, nil); err != nil || len(found) > 0 {
				t.Errorf("%v %v", found, err)
			}
		})
	}
}

// TestOfficersComeAndGo: in both cadences, an officer who sends nothing has orders supplied, is
// reminded, is relieved by the captain, who then gives the orders, and is reinstated. The game
// never waits for the referee. The absence of an officer is not revealed. A robot plays the post of
// an officer who resigns until someone joins it, as with a post that had a robot from the start.
func TestOfficersComeAndGo(t *testing.T) {
	for _, cadence := range []string{vault.CadenceTurn, vault.CadencePhase} {
		t.Run(cadence, func(t *testing.T) {
			t.Parallel()
			mail := schedule()
			mail.Open, mail.Start, mail.Deadline, mail.Council, mail.Grace, mail.AwayMax = true, vault.StartNow, clock.Day, clock.Span(12*time.Hour), 0, 0
			crew := officers()
			i := slices.IndexFunc(crew, func(c vault.Captain) bool { return c.Name == "Kang" })
			crew[i].Address, crew[i].Robot = "", true
			c := newCrews(t, cadence, mail, crew)
			const sulu, spock, mara = "sulu@example.org", "spock@example.org", "mara@example.org"
			c.peace, c.quiet[sulu], c.quiet[spock] = true, true, true
			c.box.put(c.mail(spock, "#away 2026-03-02 2026-03-04 key "+c.key("Spock")+"\n"))
			c.box.put(c.mail("koloth@example.org", "#resign key "+c.key("Koloth")+"\n"))
			c.quiet["koloth@example.org"] = true
			c.look()
			for _, o := range officers() {
				if told := c.sent.to(o.Address, "Koloth has resigned"); len(told) != 1 && o.Name != "Koloth" && o.Name != "Kang" {
					t.Errorf("%s is told %d times of Koloth", o.Name, len(told))
				}
			}
			c.play(1)
			c.quiet[spock] = false
			for _, post := range []string{"engineer", "science"} {
				if got := c.policy("riskadh", post); got != vault.PolicyRobot {
					t.Errorf("for the vacant post %s serves %q, want a robot", post, got)
				}
			}
			c.box.put(c.mail("tal@example.org", "join wolf as Riskadh science"))
			c.box.put(c.mail(mara, "join wolf as Riskadh engineer"))
			asked := c.look()
			for _, who := range []string{mara, "tal@example.org"} {
				q := asked.to(who, "confirm")
				if len(q) != 1 {
					t.Fatalf("%s is not asked: %s", who, asked)
				}
				c.box.put(c.mail(who, "confirm "+tokenIn(q[0].Text)))
			}
			c.says["kirk@example.org"] = "relieve helm\n"
			c.play(2)
			if got := c.policy("riskadh", "engineer") + c.policy("riskadh", "science"); got != "" {
				t.Errorf("for those who joined serves %q", got)
			}
			if len(c.sent.to(mara, "report for Riskadh.engineer")) == 0 || len(c.sent.to("klag@example.org", "Riskadh, turn 2")) != 1 {
				t.Error("mara has no report, or her totals are not told to the helm")
			}
			if len(c.sent.to(sulu, "orders are missing for Hood.helm")) == 0 {
				t.Error("who owes orders is not reminded")
			}
			for _, m := range c.sent.to(refAddress, "no orders from") {
				if strings.Contains(m.Subject, "Spock") || !strings.Contains(oneLine(m.Text), "may relieve this officer") {
					t.Errorf("the referee is told:\n%s", m.Text)
				}
			}
			c.play(3)
			last := c.sent.to(sulu, "Turn 3: report")
			if len(last) != 1 || !strings.Contains(oneLine(last[0].Text), "You are relieved as helm of Hood") || strings.Contains(last[0].Text, "#orders") {
				t.Fatalf("%d reports to who is relieved: %s", len(last), c.sent.to(sulu, ""))
			}
			c.box.put(c.mail(sulu, c.head(4, "helm Hood", "Sulu")+"wait\n#end\n"))
			c.says["kirk@example.org"] = "reinstate helm\n"
			c.play(4)
			if bad := c.sent.to(sulu, "not accepted"); len(bad) != 1 || !strings.Contains(bad[0].Text, orderset.CodeOtherPost+": you are relieved as helm of Hood") {
				t.Errorf("orders of who is relieved: %s", c.sent.to(sulu, ""))
			}
			if len(c.sent.to("kirk@example.org", "Hood, turn 4")) != 1 || len(c.sent.to(sulu, "Hood, turn 4")) != 0 {
				t.Error("who gives the orders of the helm is not told the totals, or who is relieved is")
			}
			set, err := c.game.Stages.File(vault.At(4), "orders/Hood.txt")
			if err != nil || !strings.Contains(string(set), "move ") && !strings.Contains(string(set), "pursue ") {
				t.Errorf("the captain gives no orders of the helm: %v\n%s", err, set)
			}
			c.quiet[sulu] = false
			c.play(5)
			if last := c.sent.to(sulu, "Turn 5"); c.policy("hood", "helm") != "" || len(last) == 0 {
				t.Errorf("who has his post again gives no orders: %s", last)
			}
			if held := c.sent.to(refAddress, "waits"); len(held) > 0 {
				t.Errorf("the game waited: %s", held)
			}
			if found, err := proof.Verify(c.game, nil); err != nil || len(found) > 0 {
				t.Errorf("%v %v", found, err)
			}
		})
	}
}

// key returns an officer's key for the due turn.
func (c *crew) key(name engine.CaptainName) string { return turn.Key(c.game, c.turnOf(c.game)+1, name) }

// head returns the head of an order set for a turn.
func (c *crew) head(no int, seat string, name engine.CaptainName) string {
	phase := ""
	if c.game.Rounds() > 0 {
		phase = " phase 1"
	}
	return fmt.Sprintf("#orders wolf turn %d%s %s key %s\n", no, phase, seat, c.key(name))
}

// policy returns the policy that replaced missing orders for a seat in the last turn.
func (c *crew) policy(ship engine.ShipID, post string) string {
	c.Helper()
	m, err := c.game.Stages.Manifest(vault.At(c.turnOf(c.game)))
	if err != nil {
		c.Fatal(err)
	}
	return m.Missing[engine.Seat{Ship: ship, Post: post}]
}

// tokenIn returns the token for confirming a question.
func tokenIn(text string) string {
	_, after, _ := strings.Cut(oneLine(text), "with this line: confirm ")
	token, _, _ := strings.Cut(after, " ")
	return token
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
