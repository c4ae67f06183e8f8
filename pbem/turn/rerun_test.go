package turn_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/ruling"
	"starpost/pbem/mime"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// robots plays turns of a game with robots.
func robots(tb testing.TB, g *vault.Game, turns int) {
	tb.Helper()
	for range turns {
		if due, err := g.Due(); err != nil || due == 0 {
			return // it is over
		}
		if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: noon(g.Turn() + 1)}); err != nil {
			tb.Fatal(err)
		}
	}
}

func ruled(what ...string) turn.Change {
	c := turn.Change{By: "Rita", Why: "a mistake of mine", Now: noon(30)}
	for _, w := range what {
		c.Rulings = append(c.Rulings, ruling.Ruling{By: c.By, At: "2026-12-21T12:00:00Z", Why: c.Why, What: w})
	}
	return c
}

func correct(tb testing.TB, g *vault.Game, n int, c turn.Change, later turn.Later) *turn.Correction {
	tb.Helper()
	out, err := turn.Correct(g, n, c, later, nil, turn.Options{Keep: true})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// TestRerunWithoutAChange: a rerun without a change gives the same result.
func TestRerunWithoutAChange(t *testing.T) {
	g := newWolf(t, 7)
	robots(t, g, 4)
	run, err := turn.Redo(g, 1, turn.Change{}, true)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Turns) != 4 || run.Aside != 0 {
		t.Fatalf("%d turns, aside %d", len(run.Turns), run.Aside)
	}
	for _, r := range run.Turns {
		was, err := engine.EncodeEvents(r.Was.Events)
		if err != nil {
			t.Fatal(err)
		}
		is, err := engine.EncodeEvents(r.Is.Events)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(was, is) || len(r.Doubts) > 0 || len(r.Idle) > 0 {
			t.Errorf("turn %d differs; %v %v", r.Turn, r.Doubts, r.Idle)
		}
	}
	out := correct(t, g, 2, turn.Change{By: "Rita", Why: "to be sure", Now: noon(30)}, turn.Later{Rerun: true})
	for _, o := range out.Outcomes {
		if len(o.Mails) > 0 {
			t.Errorf("turn %d: nothing changed, but mails go out", o.Turn)
		}
	}
	clean(t, g)
}

// TestCorrectedReportsBeginWithShips: the state of ships comes first, and the list of changes stays
// short.
func TestCorrectedReportsBeginWithShips(t *testing.T) {
	g := newWolf(t, 7)
	robots(t, g, 2)
	change := ruled("set Hood hex 0909")
	change.Rulings[0].Before = true // so that the whole turn changes
	out := correct(t, g, 2, change, turn.Later{})
	mail := out.Outcomes[0].Mails[0]
	read, err := mime.Read(posted(t, g, vault.Stage{Turn: 2}, mail.Name))
	if err != nil {
		t.Fatal(err)
	}
	_, head, _ := strings.Cut(read.Text, "Changes:\n")
	head, _, _ = strings.Cut(head, "\n\n")
	lines := strings.Split(head, "\n")
	if !strings.HasPrefix(lines[0], "  ! Hood: active, 1007 B (was: active, 1116 B)") || !strings.Contains(head, "  ! now: ruling of Rita: Hood is moved from") ||
		!strings.Contains(head, " more lines of the account below\n  ! and 17 more lines of the tables below\n") || len(lines) > 16 {
		t.Errorf("the report begins with\n%s", head)
	}
}

// TestCorrectedReports: corrected reports go to those for whom something changed, in the thread of
// the first report, and state the changes first.
func TestCorrectedReports(t *testing.T) {
	g := newWolf(t, 7)
	robots(t, g, 2)
	first, err := g.Stages.Manifest(vault.At(2))
	if err != nil {
		t.Fatal(err)
	}
	out := correct(t, g, 2, ruled("set Hood superstructure 7"), turn.Later{})
	if !out.Done || len(out.Outcomes) != 1 || len(out.Outcomes[0].Mails) != 1 {
		t.Fatalf("%+v", out)
	}
	mail := out.Outcomes[0].Mails[0]
	if mail.To != "kirk@example.org" {
		t.Errorf("the mail goes to %s", mail.To)
	}
	raw := string(posted(t, g, vault.Stage{Turn: 2}, mail.Name))
	id := first.Mails["hood.eml"].MessageID
	for name, env := range first.Mails {
		if env.To == "kirk@example.org" {
			id = first.Mails[name].MessageID
		}
	}
	for _, want := range []string{"CORRECTED, revision 2", "In-Reply-To: " + id, "superstructure"} {
		if !strings.Contains(raw, want) {
			t.Errorf("the mail lacks %q", want)
		}
	}
	if mail.MessageID == id || !strings.Contains(raw, "Message-ID: "+mail.MessageID) && !strings.Contains(raw, "Message-Id: "+mail.MessageID) {
		t.Errorf("Message-ID %s", mail.MessageID)
	}
	m, err := g.Stages.Manifest(vault.At(2))
	if err != nil || m.Revision != 2 || !m.Deadline.Equal(first.Deadline) || filepath.Base(g.Stages.Dir(vault.At(2))) != "0002.r2" {
		t.Errorf("%+v, %v", m, err)
	}
	state, err := g.Stages.State(vault.At(2))
	if err != nil {
		t.Fatal(err)
	}
	if hood, _ := state.Ship("hood"); hood.System.(ruling.Editable).Fields()[0].Now != "7" {
		t.Error("the ruling is not in the state")
	}
	rulings, err := turn.RulingsIn(g, 2, 0)
	if err != nil || len(rulings) != 1 || rulings[0].By != "Rita" {
		t.Errorf("%+v, %v", rulings, err)
	}
	clean(t, g)
	robots(t, g, 1) // and on it goes
	clean(t, g)
	// An altered ruling is detected.
	path := filepath.Join(g.Stages.Dir(vault.At(2)), vault.RulingsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte("superstructure 7"), []byte("superstructure 9"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	found, err := proof.Verify(g, nil)
	if err != nil || len(found) == 0 || !strings.Contains(found[0].String(), "turns/0002.r2/rulings.jsonl") {
		t.Errorf("%v, %v", found, err)
	}
}

// TestLaterTurns: later turns are resolved again, set aside, or prevent the change.
func TestLaterTurns(t *testing.T) {
	g := newWolf(t, 7)
	robots(t, g, 4)
	_, err := turn.Correct(g, 2, ruled("move Hood 0505 A"), turn.Later{}, nil, turn.Options{})
	if err == nil || !strings.Contains(err.Error(), "turns up to 4 were played on top of it") {
		t.Errorf("got %v", err)
	}
	out := correct(t, g, 2, ruled("move Hood 0505 A"), turn.Later{Rerun: true})
	if len(out.Outcomes) != 3 || g.Turn() != 4 {
		t.Fatalf("%d turns, the last is %d", len(out.Outcomes), g.Turn())
	}
	for i, o := range out.Outcomes {
		for _, m := range o.Mails {
			if past := i < 2; o.State.Result == nil && past == strings.Contains(string(posted(t, g, vault.Stage{Turn: o.Turn}, m.Name)), "#orders wolf turn") {
				t.Errorf("turn %d: a report of a turn that was played asks for orders, or the last does not", o.Turn)
			}
		}
	}
	clean(t, g)
	out = correct(t, g, 1, ruled("set Riskadh superstructure 15"), turn.Later{Aside: true, Keep: true})
	if out.Aside != 4 || g.Turn() != 1 {
		t.Errorf("aside %d, turn %d", out.Aside, g.Turn())
	}
	clean(t, g)
	if files, err := g.Orders.For(vault.At(2)); err != nil || len(files) != 0 {
		t.Errorf("robots' orders are kept: %v, %v", files, err)
	}
	robots(t, g, 3)
	clean(t, g)
	if got := revisions(g); !strings.HasPrefix(got, "0.1* 1.1 1.2* 2.1 2.2 2.3* 3.1 3.2") {
		t.Errorf("revisions %s", got)
	}
}

func revisions(g *vault.Game) string {
	var out []string
	for _, r := range g.Stages.Revisions() {
		s := fmt.Sprintf("%d.%d", r.Turn, r.Revision)
		if r.Current {
			s += "*"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// TestAmendedOrders: amended orders replace a captain's in a resolved turn.
func TestAmendedOrders(t *testing.T) {
	g := newWolf(t, 7)
	robots(t, g, 3)
	read, err := turn.Amended(g, 2, []byte("#orders wolf turn 2 ship Hood\npower\n  move 4\nphase 2\n  move F\n#end\n"))
	if err != nil || len(read.Sets) != 1 || !read.Sets[0].OK() {
		t.Fatalf("%+v, %v", read.Diagnostics, err)
	}
	c := ruled()
	c.Orders = read.Sets
	out := correct(t, g, 2, c, turn.Later{Rerun: true})
	stored, err := g.Stages.File(vault.At(2), "orders/Hood.txt")
	if err != nil || string(stored) != read.Sets[0].Text {
		t.Errorf("%s, %v", stored, err)
	}
	if m, err := g.Stages.Manifest(vault.At(2)); err != nil || m.Missing[engine.Seat{Ship: "hood"}] != "" || m.Missing[engine.Seat{Ship: "riskadh"}] != vault.PolicyRobot {
		t.Errorf("%v, %v", m.Missing, err)
	}
	ruled := slices.IndexFunc(out.Turns[0].Is.Events, func(e engine.Event) bool { b, ok := e.Body.(*ruling.Ruled); return ok && b.What == "orders Hood" })
	if ruled < 0 || !slices.Equal(out.Turns[0].Is.Events[ruled].See.Whole, engine.CaptainSeats("hood")) {
		t.Errorf("event %d", ruled)
	}
	clean(t, g)
	for _, bad := range []int{0, 9, -1} {
		if _, err := turn.Amended(g, bad, nil); !errors.Is(err, vault.ErrNoTurn) {
			t.Errorf("turn %d: %v", bad, err)
		}
	}
	read, err = turn.Amended(g, 2, []byte("#orders wolf turn 2 ship Hood\npower\n  move 3000\n#end\n"))
	if err != nil || read.Sets[0].OK() {
		t.Errorf("impossible orders: %v, %v", read.Diagnostics, err)
	}
}

// TestTheSetUpCanBeRuledOn: a ruling on the set-up is possible before anything was played.
func TestTheSetUpCanBeRuledOn(t *testing.T) {
	g := newWolf(t, 7)
	out := correct(t, g, 0, ruled("move Hood 0505 A"), turn.Later{})
	if len(out.Outcomes[0].Mails) != 2 {
		t.Errorf("%d mails", len(out.Outcomes[0].Mails))
	}
	clean(t, g)
	robots(t, g, 2)
	clean(t, g)
	if _, err := turn.Redo(g, 0, ruled("roll t0.x 3"), false); err == nil {
		t.Error("a die of the set-up")
	}
	if _, err := turn.Redo(g, 9, ruled(), false); !errors.Is(err, vault.ErrNoTurn) {
		t.Errorf("got %v", err)
	}
}

// TestARevivedShip: a revived ship has no orders in later turns, so its standing orders are used.
func TestARevivedShip(t *testing.T) {
	g := newWolf(t, 7)
	for g.Turn() == 0 || func() bool { s, err := g.Stages.State(vault.At(g.Turn())); return err == nil && s.Result == nil }() {
		robots(t, g, 1)
	}
	last := g.Turn()
	out := correct(t, g, 1, ruled("kill Hood"), turn.Later{Rerun: true})
	if len(out.Turns) != 1 || out.Aside != last || g.Turn() != 1 {
		t.Fatalf("%d turns, aside %d, turn %d", len(out.Turns), out.Aside, g.Turn())
	}
	if due, err := g.Due(); err != nil || due != 0 {
		t.Errorf("due %d, %v", due, err)
	}
	run, err := turn.Redo(g, 1, ruled("revive Hood"), true)
	if err != nil || !run.Exposed() {
		t.Errorf("exposed %v, %v", run, err)
	}
	correct(t, g, 1, ruled("revive Hood"), turn.Later{})
	clean(t, g)
	m, err := g.Stages.Manifest(vault.At(1))
	if err != nil || m.Deadline.IsZero() {
		t.Errorf("no deadline: %+v, %v", m, err)
	}
	robots(t, g, 1)
	clean(t, g)
}

func TestCompareLines(t *testing.T) {
	for _, tc := range []struct{ was, is, want string }{
		{"a b c", "a b c", "=a =b =c"},
		{"a b c", "a x c", "=a b>x =c"},
		{"a b c", "a c", "=a b> =c"},
		{"a c", "a b c d", "=a >b =c >d"},
		{"", "a", ">a"},
		{"a", "", "a>"},
		{"a b c d", "c d a b", ">c >d =a =b c> d>"},
	} {
		var got []string
		for _, e := range turn.CompareLines(strings.Fields(tc.was), strings.Fields(tc.is)) {
			if e.Same {
				got = append(got, "="+e.Is)
			} else {
				got = append(got, e.Was+">"+e.Is)
			}
		}
		if len(got) != len(strings.Fields(tc.want)) || tc.was != "a b c d" && strings.Join(got, " ") != tc.want {
			t.Errorf("%q and %q: %v", tc.was, tc.is, got)
		}
	}
}
