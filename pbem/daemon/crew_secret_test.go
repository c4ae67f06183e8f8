package daemon_test

import (
	"bytes"
	"cmp"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/clock"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// postOrders returns what the officers at each post order in every game: sections with their lines.
func postOrders() map[string]map[string]string {
	return map[string]map[string]string{
		"ship": {}, "engineer": {"": "totals move 12 weapons 10 shields 10"},
		"helm":    {"power": "arm bank-b 5 5", "phase 1": "move F", "standing": "missing course"},
		"science": {"power": "shields 2:14"},
	}
}

// secretOrders returns lines that the officers may order in addition, with no effect that others aboard
// could see. FOE is the other ship, MATE a post that is not examined.
func secretOrders() map[string]map[string][]string {
	return map[string]map[string][]string{
		"ship":     {"": {"relieve engineer", "message MATE\n#text\nrosebud\n#endtext"}},
		"engineer": {"": {"skill engine port", "message captain\n#text\nrosebud\n#endtext"}, "standing": {"lose engines impulse port", "shed shields 4 movement all"}},
		"helm": {
			"phase 2": {"aim when range to FOE <= 1", "fire bank-b at FOE when range <= 1"}, "phase 3": {"flee FOE when range <= 1"},
			"standing": {"lose beams bank-c", "evade port when missile and range <= 1"},
		},
		"science": {
			"": {"skill reduce 3 when shield 2 < 1"}, "phase 2": {"question 3 when range to FOE <= 1"}, "phase 3": {"scan 4 when range to FOE <= 1"},
			"standing": {"choose shield weakest", "repair sensors"},
		},
	}
}

// secrets is a game of two crews in which all officers except those at one post have secrets.
type secrets struct {
	*crew
	post string     // the post without secrets; "ship" for the captains
	rng  *rand.Rand // of the secrets; nil for a game without any
	mine int        // mails of officers without secrets
	log  *bytes.Buffer
}

// seatOf returns the post and ship as in the heads of order sets.
func seatOf(o vault.Captain) (post, ship string) {
	ship, post, _ = strings.Cut(o.Seat(), ".")
	return cmp.Or(post, "ship"), ship
}

// orders returns an officer's set for the due turn, with random secrets. With wrong it contains a
// mistake.
func (s *secrets) orders(o vault.Captain, wrong bool) string {
	post, ship := seatOf(o)
	foe := map[string]string{"Hood": "Riskadh", "Riskadh": "Hood"}[ship]
	mate := "engineer"
	if s.post == mate {
		mate = "helm"
	}
	var b strings.Builder
	b.WriteString(s.head(s.turnOf(s.game)+1, post+" "+ship, o.Name))
	for _, section := range []string{"", "power", "phase 1", "phase 2", "phase 3", "standing"} {
		var lines []string
		if line := postOrders()[post][section]; line != "" {
			lines = append(lines, line)
		}
		for _, line := range secretOrders()[post][section] {
			if later := s.game.Rounds() > 0 && strings.HasPrefix(section, "phase"); later {
				continue // whether a set has orders for later phases shows in who is reported missing
			}
			if s.rng != nil && post != s.post && s.rng.IntN(2) == 0 {
				lines = append(lines, strings.NewReplacer("FOE", foe, "MATE", mate).Replace(line))
			}
		}
		if len(lines) > 0 {
			b.WriteString(section + "\n" + strings.Join(lines, "\n") + "\n")
		}
	}
	if wrong && post == s.post {
		b.WriteString("bogus\n")
	} else if wrong {
		b.WriteString("rosebud\n")
	}
	return b.String() + "final\n#end\n"
}

// mailed makes all officers write, and plays the game. Some sets have mistakes at first, some are
// cancelled and sent again. The officers without secrets request everything there is, and are late at
// last.
func (s *secrets) mailed(late bool) {
	for _, o := range officers() {
		post, ship := seatOf(o)
		if post == s.post {
			write := func(text string) {
				all := s.mails
				s.mine++
				s.mails = 1000 + s.mine // so that their IDs are the same in each game
				s.box.put(s.mail(o.Address, text))
				s.mails = all
			}
			if !late {
				write(s.orders(o, false))
			}
			other := map[string]string{"ship": "helm", "engineer": "ship", "helm": "science", "science": "engineer"}[post]
			for _, text := range []string{
				"status", "help", "report", "#check\n" + s.orders(o, true),
				strings.Replace(s.orders(o, false), " "+post+" ", " "+other+" ", 1), // another officer's set
				"#cancel ship " + ship + "." + other + " key " + s.key(o.Name),
				"#message to crew key " + s.key(o.Name) + "\nReport.\n#end\n",
				fmt.Sprintf("#protest %d.1 key %s\nIt was otherwise.\n#end\n", s.turnOf(s.game), s.key(o.Name)),
			} {
				write(text)
			}
			continue
		}
		if s.rng != nil && s.rng.IntN(2) == 0 {
			s.box.put(s.mail(o.Address, s.orders(o, true)))
		}
		s.box.put(s.mail(o.Address, s.orders(o, false)))
		if s.rng != nil && post != "engineer" && s.rng.IntN(2) == 0 {
			s.box.put(s.mail(o.Address, strings.Replace(s.orders(o, false), "final", "wait", 1)))
			s.box.put(s.mail(o.Address, s.orders(o, false)))
		}
	}
	for n := s.newest(s.game); s.newest(s.game) == n; {
		s.sent = append(s.sent, s.run()...)
		s.clock.Advance(4 * time.Hour)
	}
}

// played returns what the officers at a post, one on each ship, are mailed in a game.
func played(t *testing.T, post, cadence string, rng *rand.Rand) (got map[engine.CaptainName][]string, log string) {
	t.Helper()
	mail := schedule()
	mail.Deadline, mail.Grace, mail.Council = clock.Day, clock.Span(4*time.Hour), clock.Span(8*time.Hour)
	s := &secrets{crew: newCrews(t, cadence, mail, officers()), post: post, rng: rng, log: &bytes.Buffer{}}
	s.world.log = slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.world.cfg.AnswersPerHour = 1000
	s.sent = s.run()
	s.mailed(false)
	s.mailed(true)
	if s.game.Rounds() == 0 {
		// The referee amends some officers' orders, and makes a ruling on the other ship.
		s.amend()
	}
	got = map[engine.CaptainName][]string{}
	slices.SortStableFunc(s.sent, func(a, b sentMail) int { return cmp.Compare(a.Subject+a.InReplyTo, b.Subject+b.InReplyTo) })
	for _, m := range s.sent {
		for _, o := range officers() {
			if p, _ := seatOf(o); p == post && o.Address == m.to {
				got[o.Name] = append(got[o.Name], enginetest.WithoutHashes(m.raw))
			}
		}
	}
	return got, s.log.String()
}

// amend makes the referee replace the orders of officers for the last turn.
func (s *secrets) amend() {
	for _, o := range officers() {
		post, ship := seatOf(o)
		if post == s.post || ship != "Hood" {
			continue
		}
		n := s.turnOf(s.game)
		text := strings.Replace(s.orders(o, false), fmt.Sprintf("turn %d", n+1), fmt.Sprintf("turn %d", n), 1)
		read, err := turn.Amended(s.game, n, []byte(text))
		if err != nil || len(read.Sets) != 1 || !read.Sets[0].OK() {
			s.Fatal(err, read.Diagnostics)
		}
		if _, err := turn.Correct(s.game, n, turn.Change{Orders: read.Sets, By: "Rita", Why: "it was late", Now: s.clock.Now()}, turn.Later{}, nil, turn.Options{}); err != nil {
			s.Log(err) // nothing to amend
		}
		s.sent = append(s.sent, s.run()...)
	}
}

// TestOfficersLearnNothingOfOthers: two games differ only in what officers order without open effect,
// get wrong, cancel and write to each other, and in the referee's amendments of that. An officer at
// another post, on either ship, gets the same bytes in both games: reports as text, HTML and JSON,
// acknowledgements, answers, errors, reminders, totals, corrections. No log reveals the difference
// either.
func TestOfficersLearnNothingOfOthers(t *testing.T) {
	for i, c := range []struct{ post, cadence string }{
		{"helm", vault.CadenceTurn}, {"science", vault.CadenceTurn}, {"engineer", vault.CadenceTurn}, {"helm", vault.CadencePhase},
	} {
		t.Run(c.post+" "+c.cadence, func(t *testing.T) {
			t.Parallel()
			want, _ := played(t, c.post, c.cadence, nil)
			got, log := played(t, c.post, c.cadence, rand.New(rand.NewPCG(uint64(i), 1)))
			for name, mails := range want {
				for k := range max(len(mails), len(got[name])) {
					if k >= len(mails) || k >= len(got[name]) {
						t.Fatalf("%s gets %d mails, and %d where others have secrets", name, len(mails), len(got[name]))
					}
					if one, two := mails[k], got[name][k]; one != two {
						t.Fatalf("%s can tell:\n%s", name, enginetest.Difference([]byte(one), []byte(two)))
					}
					if strings.Contains(got[name][k], "rosebud") {
						t.Errorf("%s reads what is not for him", name)
					}
				}
			}
			if strings.Contains(log, "rosebud") {
				t.Error("the log tells of it")
			}
		})
	}
}
