package turn_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/mime"
	"starpost/pbem/orderset"
	"starpost/pbem/outgoing"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
	"starpost/templates"
)

// seating prints the captains and their ships.
func seating(g *vault.Game) string {
	type seat struct {
		name, address string
		also, ships   []string
	}
	var out []seat
	for _, c := range g.Settings().Captains {
		out = append(out, seat{string(c.Name), c.Address, c.Also, c.Ships})
	}
	return fmt.Sprint(out)
}

func TestCreateAssignsCaptains(t *testing.T) {
	g := newPond(t, 1)
	got := seating(g)
	// One address for one of her ships is enough: the scenario gives her both.
	if want := "[{Ann Lee ann@example.org [] [Ada Abe]} {Bob bob@example.org [] [Bea Cyd]}]"; got != want {
		t.Errorf("got %s", got)
	}
	for name, tc := range map[string]struct {
		captains []vault.Captain
		want     string
	}{
		"none":                 {nil, "[{Ann Lee  [] [Ada Abe]} {Bob  [] [Bea Cyd]}]"},
		"one address, no name": {[]vault.Captain{{Address: "x@y", Ships: []string{"bea"}}, {Address: "X@Y", Ships: []string{"Ada"}}}, "[{Bob x@y [] [Bea Ada Cyd]} {Ann Lee  [] [Abe]}]"},
		"two for one captain":  {[]vault.Captain{{Address: "a@y", Ships: []string{"Ada"}}, {Address: "b@y", Ships: []string{"Abe"}}}, "[{Ann Lee a@y [] [Ada]} {Abe b@y [] [Abe]} {Bob  [] [Bea Cyd]}]"},
		"names":                {[]vault.Captain{{Name: "Zoe", Ships: []string{"Ada", "Bea"}}}, "[{Zoe  [] [Ada Bea]} {Ann Lee  [] [Abe]} {Bob  [] [Cyd]}]"},
	} {
		t.Run(name, func(t *testing.T) {
			s := pondSetup(1)
			s.Captains = tc.captains
			dir := filepath.Join(t.TempDir(), "g")
			if _, err := turn.Create(dir, toyCatalogue, s); err != nil {
				t.Fatal(err)
			}
			g := openPond(t, dir)
			if got := seating(g); got != tc.want {
				t.Errorf("got %s", got)
			}
			if found, err := proof.Verify(g, nil); err != nil || len(found) > 0 {
				t.Errorf("%v, %v", found, err)
			}
		})
	}
}

func TestCreateRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*turn.Setup)
		want   string
		hint   string
	}{
		"unknown ship":     {func(s *turn.Setup) { s.Captains = []vault.Captain{{Address: "a@b", Ships: []string{"Adda"}}} }, `no ship "Adda"`, `"Ada"`},
		"a ship twice":     {func(s *turn.Setup) { s.Captains = append(s.Captains, vault.Captain{Name: "X", Ships: []string{"Ada"}}) }, "twice", ""},
		"no scenario":      {func(s *turn.Setup) { s.Scenario = []byte("format = 1\nrules = 2\n") }, "E400", ""},
		"unknown rule set": {func(s *turn.Setup) { s.Scenario = bytes.Replace(s.Scenario, []byte(`"toy"`), []byte(`"toys"`), 1) }, `"toys"`, `"toy"`},
		"id":               {func(s *turn.Setup) { s.ID = "a b" }, `"a b"`, "letters"},
		"address":          {func(s *turn.Setup) { s.Captains[0].Address = "nowhere" }, `"nowhere"`, "kirk@"},
	} {
		t.Run(name, func(t *testing.T) {
			s := pondSetup(1)
			tc.change(&s)
			dir := filepath.Join(t.TempDir(), "g")
			_, err := turn.Create(dir, toyCatalogue, s)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v", err)
			}
			var h interface{ Hint() string }
			if tc.hint != "" && (!errors.As(err, &h) || !strings.Contains(h.Hint(), tc.hint)) {
				t.Errorf("no hint %q in %v", tc.hint, err)
			}
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Error("something was made")
			}
		})
	}
}

func TestNotReady(t *testing.T) {
	g := newPond(t, 1)
	var not *turn.NotReadyError
	for _, policy := range []string{"", vault.PolicyHold} {
		_, err := turn.Resolve(g, turn.Options{Missing: policy, Now: at(1)})
		if !errors.As(err, &not) || len(not.Missing) != 3 || !strings.Contains(err.Error(), "Abe, Ada, Bea") || not.Hint() == "" {
			t.Fatalf("got %v", err)
		}
	}
	sendAll(t, g)
	bad := filepath.Join(g.Dir(), "orders", "Bea.txt")
	for name, text := range map[string]string{
		"E101": "#orders pond turn 1 ship Bea\nphase 1\nfire at Nobody\n#end\n",
		"E502": "#orders pond turn 0 ship Bea\nphase 1\nmove F\n#end\n",
		"E503": "#orders pond turn 2 ship Bea\nphase 1\nmove F\n#end\n",
		"E511": "#orders pond turn 1 ship Ada\nphase 1\nmove F\n#end\n",
		"E509": "\x00\x01\x02 junk \xff",
		"E001": "\x00\x01\x02\x03\x04\x05\x06\x07\x08 junk",
	} {
		if err := os.WriteFile(bad, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		// No policy replaces bad orders.
		_, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyStanding, Now: at(1)})
		if !errors.As(err, &not) || len(not.Bad) != 1 || not.Bad[0].File != bad || not.Hint() == "" {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		if got := codes(not.Bad[0].Diagnostics); !strings.Contains(got, name) && name != "E001" && name != "E509" {
			t.Errorf("%s: got %s", name, got)
		}
	}
	if err := os.WriteFile(bad, make([]byte, 10<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := turn.Resolve(g, turn.Options{Now: at(1)}); !errors.As(err, &not) || len(not.Bad) != 1 {
		t.Errorf("10 MB: got %v", err)
	}
	if g.Turn() != 0 {
		t.Error("a turn was committed")
	}
	if _, err := turn.Resolve(g, turn.Options{Missing: "maybe"}); err == nil {
		t.Error("an unknown policy passes")
	}
}

func TestPolicies(t *testing.T) {
	for policy, want := range map[string]string{
		vault.PolicyStanding: "absent abe standing, absent bea standing",
		vault.PolicyForfeit:  "absent abe forfeit, absent bea forfeit, out abe surrendered, out bea surrendered",
		vault.PolicyRobot:    "",
	} {
		t.Run(policy, func(t *testing.T) {
			g := newPond(t, 1)
			send(t, g, "#orders pond turn 1 ship Ada\nphase 1\n move F\n#end")
			out := resolve(t, g, policy)
			var absent, gone []string
			for _, e := range out.Events {
				switch b := e.Body.(type) {
				case *engine.Absent:
					absent = append(absent, "absent "+string(b.Ship)+" "+b.Policy)
				case *engine.Out:
					gone = append(gone, "out "+string(b.Ship)+" "+string(b.Why))
				}
			}
			if got := strings.Join(append(absent, gone...), ", "); got != want {
				t.Errorf("got %s", got)
			}
			if len(out.Missing) != 2 || out.Missing[engine.Seat{Ship: "abe"}] != policy {
				t.Errorf("missing %v", out.Missing)
			}
			names, err := g.Stages.List(vault.At(1), "orders")
			if err != nil {
				t.Fatal(err)
			}
			if want := map[bool]int{true: 3, false: 1}[policy == vault.PolicyRobot]; len(names) != want {
				t.Errorf("orders %v", names)
			}
			clean(t, g)
		})
	}
}

// clean asserts that Verify finds nothing.
func clean(tb testing.TB, g *vault.Game) {
	tb.Helper()
	found, err := proof.Verify(g, nil)
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range found {
		tb.Error(f)
	}
}

func TestWholeGame(t *testing.T) {
	g := newPond(t, 3)
	for n := 1; ; n++ {
		sendAll(t, g)
		out := resolve(t, g, "")
		if out.Dir != g.Stages.Dir(vault.At(n)) || g.Turn() != n {
			t.Fatalf("turn %d in %s", n, out.Dir)
		}
		if files, err := g.Orders.For(vault.At(n + 1)); err != nil || len(files) > 0 {
			t.Fatalf("orders left: %v, %v", files, err)
		}
		if out.State.Result != nil {
			break
		}
		if want := at(n).Add(72 * time.Hour); !out.Deadline.Equal(want) {
			t.Errorf("deadline %v", out.Deadline)
		}
		if n > 60 {
			t.Fatal("no end")
		}
	}
	clean(t, g)
	p := load(t, g)
	if due, err := g.Due(); due != 0 || p.Due() != 0 || err != nil {
		t.Errorf("due %d", due)
	}
	if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyStanding, Now: at(99)}); !errors.Is(err, turn.ErrOver) {
		t.Errorf("after the end: %v", err)
	}
	read := p.Check([]byte(fmt.Sprintf("#orders pond turn %d ship Ada\n#end\n", g.Turn()+1)))
	if got := codes(read.Diagnostics); !strings.Contains(got, orderset.CodeGameOver) {
		t.Errorf("orders after the end: %s", got)
	}
	lastMails(t, g)
}

// lastMails checks the mails of a finished game: the secret, all events, and the battle as a page
// to watch, which is the same whenever the mail is made.
func lastMails(t *testing.T, g *vault.Game) {
	t.Helper()
	mails, err := g.Stages.Outbox(vault.Stage{Turn: g.Turn()})
	if err != nil || len(mails) != 2 {
		t.Fatalf("%d mails, %v", len(mails), err)
	}
	var whole bytes.Buffer
	for n := range g.Turn() + 1 {
		data, err := g.Stages.File(vault.At(n), vault.EventsFile)
		if err != nil {
			t.Fatal(err)
		}
		whole.Write(data)
	}
	for _, m := range mails {
		raw := posted(t, g, vault.Stage{Turn: g.Turn()}, m.Name)
		read, err := mime.Read(raw)
		if err != nil {
			t.Fatal(err)
		}
		if read.Automatic == "" || read.Header("X-Loop") == nil {
			t.Error("the mail does not say that a machine wrote it")
		}
		if !strings.Contains(read.Text, g.Secret().String()[:40]) {
			t.Errorf("the secret is not in\n%s", read.Text)
		}
		if strings.Contains(read.Text, "#orders") || strings.Contains(read.Text, " key ") {
			t.Error("a finished game asks for orders")
		}
		log := attachment(t, raw, "pond-events.jsonl")
		if !bytes.Equal(log, whole.Bytes()) {
			t.Errorf("the log has %d bytes, want %d", len(log), whole.Len())
		}
		battle, err := turn.Replay(g, engine.Seat{})
		if err != nil {
			t.Fatal(err)
		}
		page, err := templates.ReplayHTML(battle)
		if err != nil {
			t.Fatal(err)
		}
		if got := attachment(t, raw, "pond-replay.html"); !bytes.Equal(got, page) {
			t.Errorf("the page of the battle has %d bytes, want the %d of a replay", len(got), len(page))
		}
		c, _ := g.Settings().Captain(m.Captain)
		again, err := turn.RepeatReport(g, turn.Repeat{Turn: g.Turn(), Captain: c, ID: "<again@example.org>", Now: at(9)})
		if err != nil || !slices.ContainsFunc(again.Attachments, func(a outgoing.Attachment) bool { return bytes.Equal(a.Data, page) }) {
			t.Errorf("the report that is sent again has not that page: %v", err)
		}
	}
}

func TestMails(t *testing.T) {
	g := newPond(t, 1)
	sendAll(t, g)
	out := resolve(t, g, "")
	if len(out.Mails) != 2 {
		t.Fatalf("%d mails", len(out.Mails))
	}
	ann := out.Mails[0]
	if ann.To != "ann@example.org" || ann.Captain != "Ann Lee" || ann.Name != "ann-lee.eml" {
		t.Errorf("%+v", ann.Envelope)
	}
	id, err := turn.MessageID(g, vault.Stage{Turn: 1}, "Ann Lee")
	if want := "<pond.1.ann-lee." + g.Settings().SecretSHA256[:8] + "@localhost>"; id != want || ann.MessageID != want || err != nil {
		t.Errorf("Message-ID %s, %s, %v", id, ann.MessageID, err)
	}
	if _, err := turn.MessageID(g, vault.Stage{Turn: 1}, "Nobody"); err == nil {
		t.Error("nobody gets mail")
	}
	raw := posted(t, g, vault.Stage{Turn: 1}, ann.Name)
	text := string(raw)
	key := load(t, g).Key("Ann Lee")
	for _, want := range []string{
		"References: <pond.0.ann-lee.", "In-Reply-To: <pond.0.ann-lee.", "Subject: [pond] Turn 1: report for Abe",
		"Auto-Submitted: auto-generated", "List-Id:", "+" + strings.ReplaceAll(key, "-", "") + "@localhost",
		"#orders pond turn 2 ship Abe key " + key, "#orders pond turn 2 ship Ada key " + key, "hull ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the mail", want)
		}
	}
	if strings.Contains(text, "bob@example.org") || strings.Contains(text, load(t, g).Key("Bob")) {
		t.Error("another captain's address or key is in the mail")
	}
	if strings.Contains(text, g.Secret().String()) {
		t.Error("the secret is in the mail")
	}
	if got := attachment(t, raw, "pond-abe-1.json"); !bytes.Equal(got, out.Reports[engine.Seat{Ship: "abe"}].View.JSON()) {
		t.Errorf("JSON %s", got)
	}
	// A captain without an address gets a report, but no mail.
	s := pondSetup(1)
	s.Captains = []vault.Captain{{Name: "Bob", Address: "bob@example.org", Ships: []string{"Bea"}}}
	first, err := turn.Create(filepath.Join(t.TempDir(), "g"), toyCatalogue, s)
	if err != nil || len(first.Mails) != 1 || len(first.Reports) != 4 {
		t.Errorf("%d mails, %v", len(first.Mails), err)
	}
	if strings.Contains(string(first.Reports[engine.Seat{Ship: "ada"}].Text), "Reply to this mail") {
		t.Error("a captain without mail is told to answer one")
	}
}

func TestCaptainSpeaksForAllShips(t *testing.T) {
	g := newPond(t, 1)
	sendAll(t, g)
	send(t, g, "#orders pond turn 1 captain ann-lee\nwait\nluck of the sea\nmessage all\n#text\nAhoy.\n#endtext\n#end")
	ready, err := load(t, g).Ready()
	if err != nil || !ready.AllIn() || !ready.Wait() || ready.AllFinal() || ready.LastSet().IsZero() {
		t.Errorf("%+v, %v", ready, err)
	}
	out := resolve(t, g, "")
	luck, talk := 0, 0
	for _, e := range out.Events {
		switch e.Body.(type) {
		case *engine.Luck:
			luck++
		case *engine.Talk:
			talk++
		}
	}
	if luck != 1 || talk != 1 {
		t.Errorf("%d times luck, %d messages", luck, talk)
	}
	if !strings.Contains(string(out.Reports[engine.Seat{Ship: "bea"}].Text), "Ahoy.") {
		t.Error("the message did not arrive")
	}
	clean(t, g)
	// A captain's statements alone are no orders.
	send(t, g, "#orders pond turn 2 captain Bob\nfinal\n#end")
	ready, err = load(t, g).Ready()
	if err != nil || len(ready.Missing()) != 3 {
		t.Errorf("%+v, %v", ready.Missing(), err)
	}
}

func TestReadiness(t *testing.T) {
	g := newPond(t, 1)
	send(t, g, "#orders pond turn 1 ship Ada\nphase 1\nmove F\nfinal\n#end")
	ready, err := load(t, g).Ready()
	if err != nil || ready.Due != 1 || len(ready.Ships) != 3 || len(ready.Missing()) != 2 || ready.AllIn() || ready.AllFinal() || ready.Wait() {
		t.Fatalf("%+v, %v", ready, err)
	}
	if s := ready.Ships[1]; s.Name != "Ada" || !s.In || !s.Final || s.Set == nil || s.File == "" || s.Captain != "Ann Lee" {
		t.Errorf("%+v", s)
	}
	send(t, g, "#orders pond turn 1 ship Abe\nphase 1\nmove F\nfinal\n#end\n#orders pond turn 1 ship Bea\nphase 1\nmove F\nfinal\n#end")
	if ready, err = load(t, g).Ready(); err != nil || !ready.AllFinal() {
		t.Errorf("%+v, %v", ready, err)
	}
	// A file written by hand, with its key and a lower-case name, is accepted as well.
	if err := g.Orders.Drop(vault.At(1), "Bea"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(g.Dir(), "orders", "bea.txt"), []byte("#orders pond turn 1 ship Bea key 0000-0000\nphase 1\nmove F\n#end"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := resolve(t, g, "")
	if len(out.Missing) > 0 {
		t.Errorf("missing %v", out.Missing)
	}
	if files, err := g.Orders.For(vault.At(2)); err != nil || len(files) > 0 {
		t.Errorf("left %v, %v", files, err)
	}
	clean(t, g)
}

func TestDryRunChangesNothing(t *testing.T) {
	g := newPond(t, 1)
	sendAll(t, g)
	dry, err := turn.Resolve(g, turn.Options{Now: at(1), DryRun: true, Keep: true})
	if err != nil || dry.Dir != "" || g.Turn() != 0 {
		t.Fatalf("%+v, %v", dry, err)
	}
	if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != 3 {
		t.Errorf("orders %v, %v", files, err)
	}
	wet := resolve(t, g, "")
	if len(wet.Mails) != 2 || len(wet.Reports) != 4 {
		t.Fatalf("%d mails, %d reports", len(wet.Mails), len(wet.Reports))
	}
	if !slices.Equal(wet.Mails, dry.Mails) {
		t.Errorf("the dry run gives other mails: %v", dry.Mails)
	}
	for ship, r := range wet.Reports {
		if !bytes.Equal(r.Text, dry.Reports[ship].Text) || !bytes.Equal(r.View.JSON(), dry.Reports[ship].View.JSON()) {
			t.Errorf("the dry run gives another report for %s", ship)
		}
	}
}

func TestSentAhead(t *testing.T) {
	g := newPond(t, 1)
	sendAll(t, g)
	send(t, g, "#orders pond turn 2 ship Ada\nphase 1\n move L\n#end\n#orders pond turn 2 ship Abe\nphase 1\n move R\n#end")
	resolve(t, g, "")
	send(t, g, "#orders pond turn 2 ship Bea\nphase 1\n move H\n#end")
	resolve(t, g, "")
	got, err := g.Stages.File(vault.At(2), "orders/Ada.txt")
	if err != nil || !strings.Contains(string(got), "move L") {
		t.Errorf("%s, %v", got, err)
	}
	clean(t, g)
}

// TestSentAheadAndOvertaken: orders sent ahead that no longer fit, or are for a ship that is gone,
// must not block the turn.
func TestSentAheadAndOvertaken(t *testing.T) {
	g := newPond(t, 1)
	sendAll(t, g)
	if err := g.Orders.Put(vault.At(2), "Ada", []byte("#orders pond turn 2 ship Ada\nphase 1\nfire at Nobody\n#end"), time.Time{}); err != nil {
		t.Fatal(err)
	}
	if err := g.Orders.Drop(vault.At(1), "Abe"); err != nil {
		t.Fatal(err)
	}
	send(t, g, "#orders pond turn 2 ship Abe\nphase 1\nmove F\n#end")
	resolve(t, g, vault.PolicyForfeit) // Abe surrenders
	ready, err := load(t, g).Ready()
	if err != nil || len(ready.Bad) != 2 || !ready.Bad[0].Ahead || len(ready.Ignored) > 0 || len(ready.Missing()) != 2 {
		t.Fatalf("%+v, %v", ready, err)
	}
	if got := codes(ready.Bad[0].Diagnostics) + ", " + codes(ready.Bad[1].Diagnostics); !strings.Contains(got, "E506") || !strings.Contains(got, "E101") {
		t.Errorf("bad for %s", got)
	}
	if err := os.WriteFile(filepath.Join(g.Dir(), "orders", "Abe.txt"), []byte("#orders pond turn 2 ship Abe\nphase 1\nmove F\n#end"), 0o644); err != nil {
		t.Fatal(err)
	}
	if ready, err = load(t, g).Ready(); err != nil || len(ready.Bad) != 1 || len(ready.Ignored) != 1 {
		t.Fatalf("%+v, %v", ready, err)
	}
	resolve(t, g, vault.PolicyStanding)
	if files, err := g.Orders.For(vault.At(3)); err != nil || len(files) > 0 {
		t.Errorf("left: %v, %v", files, err)
	}
	clean(t, g)
}

func TestTwoFilesForOneShip(t *testing.T) {
	g := newPond(t, 1)
	sendAll(t, g)
	low := filepath.Join(g.Dir(), "orders", "bea.txt")
	if err := os.WriteFile(low, []byte("#orders pond turn 1 ship Bea\nphase 1\nmove L\n#end"), 0o644); err != nil {
		t.Fatal(err)
	}
	var not *turn.NotReadyError
	if _, err := turn.Resolve(g, turn.Options{Now: at(1)}); !errors.As(err, &not) || codes(not.Bad[0].Diagnostics) != "1:1 E505" {
		t.Fatalf("got %v", err)
	}
	// A set that is sent replaces both.
	send(t, g, "#orders pond turn 1 ship Bea\nphase 1\nmove R\n#end")
	resolve(t, g, "")
}

func TestCaptainsMayNotBeRenamed(t *testing.T) {
	g := newPond(t, 1)
	change(t, filepath.Join(g.Dir(), "game.toml"), `name = "Bob"`, `name = "Rob"`)
	_, err := turn.Load(openPond(t, g.Dir()))
	if !errors.Is(err, vault.ErrSettings) || !strings.Contains(err.Error(), "game.toml: the captain of Bea is Rob here, but Bob in the game") {
		t.Errorf("got %v", err)
	}
}

// TestOrderOfArrival: whatever way the sets come in, split over mails, resent or replaced, the same
// sets in force give the same turn, byte for byte.
func TestOrderOfArrival(t *testing.T) {
	enginetest.Sequential(t)
	g := newPond(t, 5)
	rapid.Check(t, func(rt *rapid.T) {
		sets := map[string]string{}
		for _, ship := range []string{"Ada", "Abe", "Bea"} {
			words := rapid.SliceOfN(rapid.SampledFrom([]string{"F", "L", "R", "H"}), 1, 4).Draw(rt, ship)
			foe := rapid.SampledFrom([]string{"Ada", "Abe", "Bea"}).Draw(rt, "target")
			sets[ship] = fmt.Sprintf("#orders pond turn 1 ship %s\nphase 1\n move %s\n fire at %s\n#end\n", ship, strings.Join(words, " "), foe)
		}
		// Written as by hand, because Orders.Put waits for the disk.
		put := func(ship, text string) {
			if err := os.WriteFile(filepath.Join(g.Dir(), "orders", ship+".txt"), []byte(text), 0o644); err != nil {
				rt.Fatal(err)
			}
		}
		play := func(order []string, resent bool) string {
			for _, ship := range order {
				if err := os.RemoveAll(filepath.Join(g.Dir(), "orders", ship+".txt")); err != nil {
					rt.Fatal(err)
				}
			}
			for _, ship := range order {
				if resent {
					put(ship, strings.Replace(sets[ship], "phase 1\n", "phase 2\n move H\nphase 1\n", 1))
				}
				put(ship, sets[ship])
			}
			out, err := turn.Resolve(g, turn.Options{Now: at(1), DryRun: true, Keep: true})
			if err != nil {
				rt.Fatal(err)
			}
			events, err := engine.EncodeEvents(out.Events)
			if err != nil {
				rt.Fatal(err)
			}
			state, err := engine.EncodeGame(out.State)
			if err != nil {
				rt.Fatal(err)
			}
			all := append(events, state...)
			for _, id := range slices.SortedFunc(maps.Keys(out.Reports), func(a, b engine.Seat) int { return strings.Compare(a.String(), b.String()) }) {
				all = append(append(all, out.Reports[id].Text...), out.Reports[id].View.JSON()...)
			}
			return string(all)
		}
		first := play([]string{"Ada", "Abe", "Bea"}, false)
		order := rapid.Permutation([]string{"Ada", "Abe", "Bea"}).Draw(rt, "order")
		if play(order, rapid.Bool().Draw(rt, "resent")) != first {
			rt.Error("another turn")
		}
	})
}

// TestPanicOfARuleSetIsAnError: a panic becomes an error and changes nothing, wherever it happens.
func TestPanicOfARuleSetIsAnError(t *testing.T) {
	g := newPond(t, 1)
	sendAll(t, g)
	broken, err := vault.Open(directory.At(g.Dir()), vault.Catalogue{"toy": func(files map[string][]byte) (*engine.Rules, error) {
		r, err := toyRules(files)
		if err == nil {
			r.Present = func(*engine.View) engine.Presentation { panic("no words") }
		}
		return r, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := turn.Resolve(broken, turn.Options{Now: at(1)}); !errors.Is(err, engine.ErrInvariant) || !strings.Contains(err.Error(), "no words") {
		t.Errorf("got %v", err)
	}
	if g.Turn() != 0 {
		t.Error("the turn was committed")
	}
	resolve(t, g, "")
}
