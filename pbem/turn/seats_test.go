package turn_test

import (
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// noted appends an entry about a captain to the journal.
func noted(t *testing.T, g *vault.Game, kind string, captain engine.CaptainName, due int, data any) {
	t.Helper()
	e := journal.NewEntry(kind, string(captain), at(1), data)
	e.Captain, e.Turn = captain, due
	if _, err := g.Append(e); err != nil {
		t.Fatal(err)
	}
}

// addressOf returns the address of a captain.
func addressOf(t *testing.T, g *vault.Game, name engine.CaptainName) string {
	t.Helper()
	c, ok := g.Settings().Captain(name)
	if !ok {
		t.Fatalf("no captain %s", name)
	}
	return c.Address
}

// mailed lists the captains with an address.
func mailed(g *vault.Game) []vault.Captain {
	return slices.DeleteFunc(slices.Clone(g.Settings().Captains), func(c vault.Captain) bool { return c.Address == "" })
}

// TestKeyGoesWithTheHolder: a captain who gave up a seat does not know its later keys.
func TestKeyGoesWithTheHolder(t *testing.T) {
	g := newPond(t, 9)
	all := mailed(g)
	c, other := all[0], all[1]
	keys := []string{turn.Key(g, 1, c.Name)}
	others := turn.Key(g, 1, other.Name)
	noted(t, g, journal.Resign, c.Name, 0, journal.ResignData{Address: c.Address})
	keys = append(keys, turn.Key(g, 1, c.Name))
	noted(t, g, journal.Join, c.Name, 0, journal.JoinData{Address: "new@example.org"})
	keys = append(keys, turn.Key(g, 1, engine.CaptainName(strings.ToUpper(string(c.Name)))))
	if keys[0] == keys[1] || keys[1] == keys[2] || keys[0] == keys[2] {
		t.Errorf("keys: %v", keys)
	}
	if turn.Key(g, 1, other.Name) != others {
		t.Error("another captain's key has changed")
	}
}

// TestVacantSeatIsPlayed: turns do not wait for a ship without a captain; the robot plays it until someone takes
// it over.
func TestVacantSeatIsPlayed(t *testing.T) {
	g := newPond(t, 9)
	all := mailed(g)
	c := all[0]
	noted(t, g, journal.Resign, c.Name, 0, journal.ResignData{Address: c.Address})
	ready, err := load(t, g).Ready()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range ready.Missing() {
		if m.Captain == c.Name || m.Vacant {
			t.Errorf("%s is waited for", m.Name)
		}
	}
	for _, s := range ready.Ships {
		if s.Captain != c.Name {
			send(t, g, "#orders pond turn 1 ship "+s.Name+"\nphase 1\n move F\nfinal\n#end")
		}
	}
	if ready, err = load(t, g).Ready(); err != nil || !ready.AllIn() || !ready.AllFinal() {
		t.Fatalf("%+v, %v", ready, err)
	}
	out := resolve(t, g, "")
	for _, s := range ready.Ships {
		if want := map[bool]string{true: vault.PolicyRobot}[s.Vacant]; out.Missing[s.Seat] != want {
			t.Errorf("%s: policy %q, want %q", s.Name, out.Missing[s.Seat], want)
		}
	}
	for _, m := range out.Mails {
		if m.Captain == c.Name {
			t.Error("who left gets a report")
		}
	}
	clean(t, g)
	noted(t, g, journal.Join, c.Name, 0, journal.JoinData{Address: "new@example.org"})
	if ready, err = load(t, g).Ready(); err != nil || ready.AllIn() || len(ready.Missing()) != len(ready.Ships) {
		t.Errorf("%+v, %v", ready, err)
	}
	sendAll(t, g)
	out = resolve(t, g, "")
	if !slices.ContainsFunc(out.Mails, func(m turn.Mail) bool { return m.Captain == c.Name && m.To == "new@example.org" }) {
		t.Error("who took over gets no report")
	}
	clean(t, g)
}

// TestAgreedDraw: when all have voted, the game ends as a draw, and Verify can replay that.
func TestAgreedDraw(t *testing.T) {
	g := newPond(t, 9)
	sendAll(t, g)
	resolve(t, g, "")
	all := mailed(g)
	for i, c := range all {
		if ready, err := load(t, g).Ready(); err != nil || ready.Draw != nil {
			t.Fatalf("after %d votes: %v, %v", i, ready.Draw, err)
		}
		noted(t, g, journal.VoteDraw, c.Name, 2, nil)
	}
	if len(all) > 1 {
		noted(t, g, journal.Unvote, all[0].Name, 2, nil)
		if ready, err := load(t, g).Ready(); err != nil || ready.Draw != nil {
			t.Fatalf("%v, %v", ready.Draw, err)
		}
		noted(t, g, journal.VoteDraw, all[0].Name, 2, nil)
	}
	send(t, g, "#orders pond turn 2 ship Ada\nphase 1\n move F\n#end") // no longer matters
	out := resolve(t, g, "")
	r := out.State.Result
	if r == nil || !r.Draw || r.Turn != 2 || len(out.Events) != 1 || !strings.Contains(r.Why, string(all[0].Name)) {
		t.Fatalf("%+v, %d events", r, len(out.Events))
	}
	if won, ok := out.Events[0].Body.(*engine.Won); !ok || !won.Draw {
		t.Errorf("%+v", out.Events[0])
	}
	if m, err := g.Stages.Manifest(vault.At(2)); err != nil || len(m.Draw) != len(all) {
		t.Errorf("%v, %v", m.Draw, err)
	}
	if files, err := g.Orders.For(vault.At(3)); err != nil || len(files) > 0 {
		t.Errorf("left over: %v, %v", files, err)
	}
	if len(out.Mails) != len(all) {
		t.Errorf("%d mails", len(out.Mails))
	}
	clean(t, g)
	noted(t, g, journal.Unvote, all[0].Name, 2, nil)
	found, err := proof.Verify(g, nil)
	if err != nil || len(found) != 1 || !strings.Contains(found[0].Problem, "which is not noted") {
		t.Errorf("without the vote: %v, %v", found, err)
	}
}

// TestADrawTakesCaptainsOfTwoSides: seats without an address are not asked, and a captain who has left has no
// vote. If only captains of one side are left, they have no one to agree with.
func TestADrawTakesCaptainsOfTwoSides(t *testing.T) {
	g := newPond(t, 9)
	all := mailed(g)
	state, err := g.Stages.State(vault.At(0))
	if err != nil {
		t.Fatal(err)
	}
	side := func(c vault.Captain) string {
		s, _ := state.Ship(engine.ShipID(strings.ToLower(c.Ships[0])))
		return s.Side
	}
	for _, c := range all {
		noted(t, g, journal.VoteDraw, c.Name, 1, nil)
	}
	sides := []string{side(all[0])}
	left := []engine.CaptainName{all[0].Name}
	for _, c := range all[1:] { // all except one of each side leave
		if !slices.Contains(sides, side(c)) {
			sides, left = append(sides, side(c)), append(left, c.Name)
			continue
		}
		noted(t, g, journal.Resign, c.Name, 0, journal.ResignData{Address: addressOf(t, g, c.Name)})
	}
	slices.Sort(left)
	if ready, err := load(t, g).Ready(); err != nil || len(left) != 2 || !slices.Equal(ready.Draw, left) {
		t.Fatalf("got %v, %v, want the draw of %v", ready.Draw, err, left)
	}
	noted(t, g, journal.Resign, left[1], 0, journal.ResignData{Address: addressOf(t, g, left[1])})
	if ready, err := load(t, g).Ready(); err != nil || ready.Draw != nil {
		t.Errorf("one captain ends the battle: %v, %v", ready.Draw, err)
	}
}
