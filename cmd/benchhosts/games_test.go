//go:build linux

package benchhosts_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/cmd/rulesets"
	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/pbem/auth"
	"starpost/pbem/demo"
	"starpost/pbem/outgoing"
	"starpost/pbem/record/postgres"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Names in the models. A copy has other names of the same length instead.
const (
	modelRobot  = "robot-z@" + robotDomain
	modelDigits = "zzzzzzzz" // two digits and this are the id of a model
	idLength    = 2 + len(modelDigits)
)

// catalogue has the rule sets of the program.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(rulesets.Families()...) })

func modelID(n int) string { return fmt.Sprintf("%02d%s", n, modelDigits) }

// copyID returns the id of the n-th copy; robotAddress returns the address of a host's mailbox.
func copyID(n int) string             { return fmt.Sprintf("g%0*d", idLength-1, n) }
func robotAddress(mailbox int) string { return fmt.Sprintf("robot-%d@%s", mailbox, robotDomain) }
func captainAddress(name engine.CaptainName, id string) string {
	return strings.ToLower(string(name)) + "." + id + "@" + sinkDomain
}

// captainNames are the captains of a game, in the order of their sides.
var captainNames = []engine.CaptainName{"Ann", "Bob", "Cid", "Dee"}

// model is a game to be copied, with the order mails of its captains.
type model struct {
	id       string
	rules    *engine.Rules
	captains []string // their addresses
	orders   [][]byte // one mail from each captain; together they complete the turn
	report   []byte   // a mail to one of them
	secret   dice.Secret
	due      int // turn
}

// mostShips is the size of the largest model. It is small because most real turns are.
const mostShips = 3

// newModels creates a game of each small scenario that robots can play, with a captain a side. Every second has had a turn.
func newModels(t *testing.T, games *postgres.Games, most int) (models []*model) {
	t.Helper()
	rules := catalogue()
	for _, family := range rulesets.Families() {
		files, err := family.ScenarioFiles()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			sc, diagnostics := scenario.Parse(files[name])
			if sc == nil {
				t.Fatal(diagnostics)
			}
			r, err := rules.Rules(sc.Rules, nil)
			if err != nil {
				t.Fatal(err)
			}
			if r.Robot == nil || len(sc.Ships) > mostShips || len(models) == most {
				continue
			}
			m := &model{id: modelID(len(models)), rules: r}
			if m.make(t, games, rules, sc, files[name], len(models)%2) {
				models = append(models, m)
			}
		}
	}
	return models
}

// make creates the game and plays its first turns. It returns false if the game is over by then.
func (m *model) make(t *testing.T, games *postgres.Games, rules vault.Catalogue, sc *scenario.Scenario, text []byte, turns int) bool {
	t.Helper()
	seed := uint64(turns) + 1
	m.secret, m.due = dice.FromSeed(seed), turns+1
	setup := turn.Setup{Scenario: text, ID: m.id, Mail: vault.DefaultMail(), Cadence: vault.CadenceTurn, Secret: m.secret, Seed: &seed, Options: turn.Options{Now: time.Now()}}
	setup.Mail.Robot = modelRobot
	for i, side := range sc.Sides {
		c := vault.Captain{Name: captainNames[i], Address: captainAddress(captainNames[i], m.id)}
		for _, ship := range sc.Ships {
			if ship.Side == side.ID {
				c.Ships = append(c.Ships, ship.Name)
			}
		}
		if len(c.Ships) > 0 {
			setup.Captains, m.captains = append(setup.Captains, c), append(m.captains, c.Address)
		}
	}
	m.orders = make([][]byte, len(m.captains))
	tree, err := games.At(m.id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := turn.CreateIn(tree, rules, setup); err != nil {
		t.Fatal(m.id, sc.Name, err)
	}
	g, err := vault.Open(tree, rules)
	if err != nil {
		t.Fatal(err)
	}
	for range turns {
		out, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: time.Now()})
		if err != nil {
			t.Fatal(m.id, sc.Name, err)
		}
		if out.State.Result != nil {
			return false
		}
	}
	return true
}

// answer makes the order mail that answers a report, with the report quoted below, as mail programs write it. It fails if
// the report asks for no orders.
func (m *model) answer(t *testing.T, to string, report []byte) {
	t.Helper()
	r, err := demo.ReadReport(report, catalogue())
	if err != nil {
		t.Fatal(m.id, err)
	}
	if r.Orders == "" {
		t.Fatalf("%s: nothing is asked of %s", m.id, to)
	}
	var body strings.Builder
	fmt.Fprintf(&body, "%s\nOn %s, Starpost wrote:\n", r.Orders, r.Mail.Date.Format("Mon, 2 Jan 2006 at 15:04"))
	for line := range strings.Lines(r.Mail.Text) {
		body.WriteString("> " + strings.TrimRight(line, "\r\n") + "\n")
	}
	raw, err := outgoing.Render(outgoing.Message{
		From: outgoing.Address{Addr: to}, To: outgoing.Address{Addr: append(r.Mail.ReplyTo, r.Mail.From...)[0].Addr},
		Subject: "Re: " + r.Mail.Subject, MessageID: "<orders." + to + ">",
		InReplyTo: r.Mail.MessageID, References: []string{r.Mail.MessageID}, Date: time.Now(), Text: body.String(),
	})
	if err != nil {
		t.Fatal(err)
	}
	m.orders[slices.Index(m.captains, to)], m.report = raw, report
}

// order returns the order mail of a captain in a copy, with the turn key of the copy.
func (c *cast) order(captain int, id, robot string) []byte {
	key := func(id string) []byte { return []byte(auth.TurnKey(c.secret, id, c.due, captainNames[captain], 0)) }
	return bytes.ReplaceAll(c.orders[captain].cast(id, robot), key(c.id), key(id))
}

// mould is a text of a model. A copy has its own id and robot address in it.
type mould struct {
	data        []byte
	ids, robots []int // offsets
}

func newMould(data []byte, id string) *mould {
	return &mould{data, places(data, id), places(data, modelRobot)}
}

func places(data []byte, word string) (at []int) {
	for from := 0; ; {
		i := bytes.Index(data[from:], []byte(word))
		if i < 0 {
			return at
		}
		at = append(at, from+i)
		from += i + len(word)
	}
}

// cast returns the text of a copy.
func (m *mould) cast(id, robot string) []byte {
	out := bytes.Clone(m.data)
	for _, at := range m.ids {
		copy(out[at:], id)
	}
	for _, at := range m.robots {
		copy(out[at:], robot)
	}
	return out
}
