package cup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"starpost/pbem/fault"
)

func settings(format string) Settings {
	return Settings{Name: "summer", Title: "Summer cup", Scenario: "x", Format: format, Sides: SidesOnce}
}

// places returns the names of rows with their places.
func places(rows []Row) string {
	var out []string
	for _, r := range rows {
		out = append(out, fmt.Sprintf("%d %s", r.Place, strings.TrimPrefix(r.Name, "Player ")))
	}
	return strings.Join(out, ", ")
}

// results ends the games of the newest round with these winners; "" is a draw.
func (p *script) results(winners ...string) {
	p.t.Helper()
	open := p.cup.Open()
	if len(open) != len(winners) {
		p.t.Fatalf("%d games are open, want %d", len(open), len(winners))
	}
	for i, w := range winners {
		what := resultDraw
		if w != "" {
			what = "Player " + w
		}
		p.do(p.cup.Rule(p.referee(), open[i].Game.ID, what))
	}
}

func (p *script) pair(want string) {
	p.t.Helper()
	p.do(p.cup.Pair(p.referee()))
	var got []string
	for _, m := range p.cup.round(p.cup.Paired) {
		got = append(got, fmt.Sprintf("%d-%d", m.First, m.Second))
	}
	if strings.Join(got, " ") != want {
		p.t.Fatalf("round %d is %s, want %s", p.cup.Paired, strings.Join(got, " "), want)
	}
}

// TestStandingsOfASwissCup checks four entrants over three rounds against figures worked out by hand. 1 beats 3 and 4 and
// draws with 2, 2 draws with all, 3 and 4 draw.
func TestStandingsOfASwissCup(t *testing.T) {
	p := begin(t, settings(swissCup), 1)
	for i := range 4 {
		p.enter(2000 - i)
	}
	p.pair("1-3 4-2")
	p.results("1", "")
	p.pair("2-1 3-4")
	p.results("", "")
	for _, r := range p.cup.Standings() {
		want := map[int]string{1: "1.5 1 1 0 1.5 1 0", 2: "1 0 2 0 2.5 1.25 0", 4: "1 0 2 0 1.5 0.75 0", 3: "0.5 0 1 1 2.5 0.5 0"}[r.Entrant]
		if got := strings.Join(r.Cells(), " "); got != want {
			t.Errorf("entrant %d has %s, want %s", r.Entrant, got, want)
		}
	}
	if got := places(p.cup.Standings()); got != "1 1, 2 2, 3 4, 4 3" {
		t.Errorf("the standings are %s", got)
	}
}

// TestRulingAfterTheNextRound checks that pairings stay, and that the standings follow.
func TestRulingAfterTheNextRound(t *testing.T) {
	p := begin(t, settings(swissCup), 1)
	for i := range 4 {
		p.enter(2000 - i)
	}
	p.pair("1-3 4-2")
	p.results("1", "2")
	p.pair("2-1 3-4")
	before := fmt.Sprint(p.cup.round(2))
	p.do(p.cup.Rule(p.referee(), "summer-r1-1", "Player 3"))
	if got := fmt.Sprint(p.cup.round(2)); got != before {
		t.Errorf("after the ruling round 2 is %s, was %s", got, before)
	}
	if got := places(p.cup.Standings()); got != "1 2, 1 3, 3 1, 3 4" {
		t.Errorf("the standings are %s", got)
	}
	if _, err := p.cup.Rule(p.referee(), "summer-r1-1", "Player 2"); err == nil || fault.Hint(err) != "one of: Player 1, Player 3, draw, none" {
		t.Errorf("a result of someone else: %v, %s", err, fault.Hint(err))
	}
	if _, err := p.cup.Rule(Source{By: ByReferee, Now: day}, "summer-r1-1", resultDraw); err == nil {
		t.Error("a ruling without a reason was taken")
	}
}

// TestFewEntrants checks that one is too few, that two play one round, and that of three each sits out once.
func TestFewEntrants(t *testing.T) {
	for _, format := range []string{swissCup, roundRobinCup, knockOutCup} {
		s := settings(format)
		s.Sides = ""
		p := begin(t, s, 1)
		if _, err := p.cup.Pair(p.referee()); !errors.Is(err, errTooFew) {
			t.Errorf("%s of none: got %v", format, err)
		}
		p.enter(1)
		if _, err := p.cup.Pair(p.referee()); !errors.Is(err, errTooFew) {
			t.Errorf("%s of one: got %v", format, err)
		}
		p.enter(2)
		p.do(p.cup.Pair(p.referee()))
		if _, err := p.cup.Pair(p.referee()); !errors.Is(err, ErrUnfinished) {
			t.Errorf("%s in its round: got %v", format, err)
		}
		p.play()
		if _, err := p.cup.Pair(p.referee()); !errors.Is(err, ErrOver) || !p.cup.Over() {
			t.Errorf("%s of two after its round: got %v", format, err)
		}
	}
	p := begin(t, settings(roundRobinCup), 1)
	for range 3 {
		p.enter(1500)
	}
	for range 3 {
		p.do(p.cup.Pair(p.referee()))
		p.play()
	}
	for _, r := range p.cup.Standings() {
		if r.Byes != 1 || r.Won+r.Drawn+r.Lost != 2 {
			t.Errorf("of three in a round robin one has %+v", r)
		}
	}
}

// TestAllWithdraw checks that an entrant who withdraws loses the unfinished games, and that a cup without entrants
// ends.
func TestAllWithdraw(t *testing.T) {
	p := begin(t, settings(swissCup), 1)
	for range 4 {
		p.enter(1500)
	}
	p.pair("1-3 4-2")
	p.do(p.cup.Withdraw(p.referee(), 1))
	if got := p.cup.Standings()[0]; got.Entrant != 3 || got.Points != 1 || got.Won != 1 {
		t.Errorf("the first is %+v, want 3, whose opponent withdrew", got)
	}
	for n := 2; n <= 4; n++ {
		p.do(p.cup.Withdraw(p.referee(), n))
	}
	p.do(p.cup.Pair(p.referee()))
	if !p.cup.Over() || p.cup.State() != "over: fewer than two are left after 1 round" {
		t.Errorf("the cup is %s", p.cup.State())
	}
	if _, err := p.cup.Withdraw(p.referee(), 1); err == nil {
		t.Error("one withdrew twice")
	}
}

// TestNobodyIsInTwice checks that an address is recognised in any spelling, and a name if similar; one who withdrew may
// return.
func TestNobodyIsInTwice(t *testing.T) {
	p := begin(t, settings(swissCup), 1)
	enter := func(name, address string) error {
		e, err := p.cup.Enter(Source{By: ByMail, Now: day}, name, []Member{{Address: address}})
		if err == nil {
			p.do(e, nil)
		}
		return err
	}
	if err := enter("Ann", "ann@home.example"); err != nil {
		t.Fatal(err)
	}
	for name, address := range map[string]string{"Bo": "ANN+cup@Home.example", " ann ": "a2@home.example", "Cy\n": "cy@home.example", "Di": "di", "": "x@home.example", strings.Repeat("y", 41): "y@home.example"} {
		if err := enter(name, address); err == nil {
			t.Errorf("%q at %s was let in", name, address)
		}
	}
	p.do(p.cup.Withdraw(p.referee(), 1))
	if err := enter("Ann", "ann@home.example"); err != nil {
		t.Errorf("Ann, who withdrew, may not come back: %v", err)
	}
	p.enter(1)
	p.do(p.cup.Pair(p.referee()))
	if err := enter("Ed", "ed@home.example"); err == nil {
		t.Error("Ed came after the first round was paired")
	}
}

// entered returns a cup of n entrants, strongest first.
func entered(t *testing.T, format string, n int) *script {
	t.Helper()
	s := settings(format)
	s.Sides = ""
	p := begin(t, s, 1)
	for i := range n {
		p.enter(2000 - i)
	}
	return p
}

// TestLadder checks that the winner against a higher entrant takes that rung, that challenges reach three rungs, and
// that there is no immediate rematch.
func TestLadder(t *testing.T) {
	p := entered(t, ladderCup, 5)
	refused := func(from, to int, why string) {
		t.Helper()
		if _, err := p.cup.Challenge(p.referee(), from, to); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%d challenges %d: got %v, want %q", from, to, err, why)
		}
	}
	refused(1, 2, "does not rank above")
	refused(5, 1, "ranks 4 rungs above")
	p.do(p.cup.Challenge(p.referee(), 5, 2))
	refused(4, 2, "is already challenged")
	refused(5, 3, "already has a challenge open")
	p.pair("5-2")
	if _, err := p.cup.Pair(p.referee()); !errors.Is(err, ErrUnfinished) {
		t.Errorf("without a challenge: %v", err)
	}
	p.do(p.cup.Challenge(p.referee(), 4, 2))
	p.do(p.cup.Challenge(p.referee(), 3, 1))
	p.pair("3-1") // 2 is not free
	p.results("5", "5", "", "")
	if got := places(p.cup.Standings()); got != "1 1, 2 5, 3 2, 4 3, 5 4" {
		t.Errorf("the ladder is %s", got)
	}
	refused(2, 5, "have just met")
	p.pair("4-2")
	p.do(p.cup.Withdraw(p.referee(), 2))
	if got := places(p.cup.Standings()); got != "1 1, 2 5, 3 4, 4 3" {
		t.Errorf("the ladder is %s", got)
	}
	p.do(p.cup.Close(p.referee()))
	if !p.cup.Over() {
		t.Error("a closed ladder goes on")
	}
}

// TestKnockOut checks that the top two can meet only in the last round; with equal points the better seed advances.
func TestKnockOut(t *testing.T) {
	p := entered(t, knockOutCup, 6)
	p.pair("1-0 4-5 2-0 3-6")
	p.results("5", "5", "3", "6")
	p.pair("1-5 2-3")
	p.do(p.cup.Withdraw(p.referee(), 2))
	p.results("1", "")
	p.pair("1-3")
	p.results("3", "3")
	if got := places(p.cup.Standings()); !p.cup.Over() || !strings.HasPrefix(got, "1 3, 2 1, 3 2, 3 5, 5 4") {
		t.Errorf("over %t, the standings are %s", p.cup.Over(), got)
	}
}

// TestTeams checks that boards add up, and that neighbouring captains of a team have opposite sides.
func TestTeams(t *testing.T) {
	s := settings(roundRobinCup)
	s.Boards = 3
	p := begin(t, s, 1)
	p.enter(1)
	p.enter(1)
	p.do(p.cup.Pair(p.referee()))
	if open := p.cup.Open(); len(open) != 3 || open[0].Game.Swapped || !open[1].Game.Swapped || open[2].Game.Swapped {
		t.Fatalf("the games are %+v", p.cup.Matches)
	}
	first, _ := p.cup.Players(p.cup.Open()[1])
	if want := fmt.Sprintf("p%d.1@home.example", p.cup.Matches[0].Second); first.Address != want {
		t.Errorf("the first side of board 2 has %s, want %s", first.Address, want)
	}
	p.results("1", "2", "1")
	if got := p.cup.Standings()[0]; got.Entrant != 1 || got.Points != 2 || got.Won != 1 {
		t.Errorf("the first team is %+v", got)
	}
}

// TestAnonymousCup checks that no text names anyone before the end.
func TestAnonymousCup(t *testing.T) {
	s := settings(swissCup)
	s.Secret, s.Aliases = true, "x"
	p := begin(t, s, 1)
	p.enter(1)
	p.enter(1)
	p.do(p.cup.Pair(p.referee()))
	all := p.cup.Text(0) + fmt.Sprint(p.cup.Pairings(1)) + p.cup.State() + strings.Join(p.cup.Names(), " ")
	if strings.Contains(all, "Player") || strings.Contains(all, "@") {
		t.Errorf("somebody is named:\n%s", all)
	}
	if p.cup.Name(1) == p.cup.Name(2) || p.cup.Find(p.cup.Name(2)) != 2 {
		t.Errorf("the aliases are %q", p.cup.Names())
	}
	p.play()
	if !strings.Contains(p.cup.Text(0), "Player 1") {
		t.Errorf("after its end nobody is named:\n%s", p.cup.Text(0))
	}
}

// TestJournal checks that written entries are read, that a torn line is ignored, and that a changed one is reported by
// number. One cause makes one entry, and concurrent writers lose nothing.
func TestJournal(t *testing.T) {
	all := In(t.TempDir())
	s, err := ParseSettings("name = \"summer\"\ntitle = \"Summer cup\"\nformat = \"swiss\"\nscenario = \"x\"\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := all.New(s, day); err != nil {
		t.Fatal(err)
	}
	if err := all.New(s, day); err == nil {
		t.Error("a cup was made anew")
	}
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			for range 2 {
				_, err := all.Change("summer", func(c *Cup) ([]Entry, error) {
					if c.Find(fmt.Sprintf("p%d@home.example", i)) > 0 {
						e, err := Source{By: ByMail, Cause: fmt.Sprint(i)}.entry(kindEnter, enterData{"again", []Member{{Address: "again@home.example"}}})
						return []Entry{e}, err
					}
					e, err := c.Enter(Source{By: ByMail, Cause: fmt.Sprint(i), Now: day}, fmt.Sprint("p", i), []Member{{Address: fmt.Sprintf("p%d@home.example", i)}})
					return []Entry{e}, err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	c, err := all.Read("summer")
	if err != nil || len(c.Entrants) != 16 {
		t.Fatalf("%d are in: %v", len(c.Entrants), err)
	}
	file := filepath.Join(all.Folder, "summer", journalFile)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(string(text) + `{"seq":18,"ti`)
	if _, err := all.Change("summer", func(c *Cup) ([]Entry, error) {
		e, err := c.Withdraw(Source{By: ByReferee, Now: day}, 3)
		return []Entry{e}, err
	}); err != nil {
		t.Fatal(err)
	}
	if c, err = all.Read("summer"); err != nil || !c.Entrants[2].Withdrawn {
		t.Errorf("after a line that was cut off: %v", err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	for name, damaged := range map[string]string{
		":3: it does not follow the line before":        strings.Replace(string(text), "@home.example", "@away.example", 1),
		":5: it does not":                               strings.Join(slices.Delete(slices.Clone(lines), 4, 5), ""),
		":1: the line is not an entry":                  "x" + string(text),
		":1: a cup must be opened first, and only once": strings.Replace(lines[0], `"open"`, `"close"`, 1),
		":0: the cup has no entries":                    "",
	} {
		write(damaged)
		if _, err := all.Read("summer"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %s", err, name)
		}
	}
	if _, err := all.Read("../summer"); !errors.Is(err, ErrNone) {
		t.Errorf("a name that is a path: %v", err)
	}
}

// TestSettingsSayTheLine checks that errors have the line and a hint.
func TestSettingsSayTheLine(t *testing.T) {
	good := "name = \"summer\"\ntitle = \"Summer cup\"\nformat = \"swiss\"\nscenario = \"x\"\n"
	for text, want := range map[string]string{
		good + "rouns = 3\n":                      `line 5: unknown key "rouns"|did you mean "rounds"?`,
		good + "rounds = \"3\"\n":                 "line 5:|",
		good + "rounds = -1\n":                    "line 5: rounds is -1, expected 0 to 200|",
		good + "rungs = 2\n":                      "line 5: rungs are only for a ladder|remove it",
		good + "late = 900\n":                     "line 5: late is 900|",
		good + "options = [\"x\"]\n":              "line 5: \"x\" is not a game setting|such as",
		strings.Replace(good, "swiss", "swis", 1): "line 3: format is \"swis\"|did you mean \"swiss\"?",
		strings.Replace(good, "swiss", "knock-out", 1) + "sides = \"once\"\n": "line 5: in a knock-out each pair plays both sides|",
		strings.Replace(good, "\"summer\"", "\"Summer Cup\"", 1):              "line 1: \"Summer Cup\" cannot be a cup's name|a to z",
		"title = \"x\"\n":              "\"\" cannot be a cup's name|",
		"name = [":                     "line 1:|",
		strings.Repeat("#", maxFile+1): "|",
	} {
		_, err := ParseSettings(text)
		says, way, _ := strings.Cut(want, "|")
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(fault.Hint(err), way) {
			t.Errorf("%.200s: got %v (%s), want %s", text, err, fault.Hint(err), want)
		}
	}
}

// TestMatchingIsAsLargeAsCanBe compares with all possible matchings on small graphs.
func TestMatchingIsAsLargeAsCanBe(t *testing.T) {
	p := begin(t, settings(swissCup), 3)
	for range 3000 {
		n := 1 + p.rand.IntN(9)
		edges := map[[2]int]bool{}
		for a := range n {
			for b := range a {
				edges[[2]int{a, b}] = p.rand.IntN(3) == 0
			}
		}
		m := newMatching(n)
		m.edge = func(a, b int) bool { return edges[[2]int{max(a, b), min(a, b)}] }
		m.grow()
		got := 0
		for a, b := range m.mate {
			if b >= 0 {
				if got++; m.mate[b] != a || !m.edge(a, b) {
					t.Fatalf("%d has the mate %d, whose mate is %d", a, b, m.mate[b])
				}
			}
		}
		var most func(left int) int
		most = func(left int) int {
			if left < 0 {
				return 0
			}
			best := most(left - 1)
			for b := range left {
				if edges[[2]int{left, b}] {
					edges[[2]int{left, b}] = false
					saved := map[[2]int]bool{}
					for e, there := range edges {
						if there && (e[0] == left || e[1] == left || e[0] == b || e[1] == b) {
							saved[e] = true
							edges[e] = false
						}
					}
					best = max(best, 1+most(left-1))
					for e := range saved {
						edges[e] = true
					}
					edges[[2]int{left, b}] = true
				}
			}
			return best
		}
		if want := most(n - 1); got/2 != want {
			t.Fatalf("%d pairs of %d points, want %d", got/2, n, want)
		}
	}
}

// BenchmarkRound pairs the fourth round of a Swiss cup of 1,000, and makes its table.
func BenchmarkRound(b *testing.B) {
	t := &testing.T{}
	p := begin(t, settings(swissCup), 4)
	for range 1000 {
		p.enter(1000 + p.rand.IntN(1000))
	}
	for range 3 {
		p.do(p.cup.Pair(p.referee()))
		p.play()
	}
	b.Run("pair", func(b *testing.B) {
		for b.Loop() {
			if _, err := p.cup.Pair(p.referee()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("standings", func(b *testing.B) {
		for b.Loop() {
			if len(p.cup.Text(1000)) == 0 {
				b.Fatal("no table")
			}
		}
	})
}
