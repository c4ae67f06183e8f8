package daemon_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/scenario"
	"starpost/pbem/beacon"
	"starpost/pbem/beacon/fakerelay"
	"starpost/pbem/beacon/relay"
	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/doctor"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// newKey returns the key of a test beacon with a round every 10 seconds.
func newKey(t *testing.T, since time.Time) *fakerelay.Key {
	t.Helper()
	key, err := fakerelay.NewKey("daemon", since)
	if err != nil {
		t.Fatal(err)
	}
	key.Period = 10
	return key
}

// publicWorld returns a world with relays of a beacon.
func publicWorld(t *testing.T, modes ...fakerelay.Mode) (*world, *fakerelay.Key, []*fakerelay.Relay) {
	t.Helper()
	w, key := newWorld(t), newKey(t, began.Add(-24*time.Hour))
	var all []*fakerelay.Relay
	var urls relay.Relays
	for _, mode := range modes {
		r := fakerelay.Start(key, w.clock.Now)
		t.Cleanup(r.Close)
		r.Set(mode, 0)
		all, urls = append(all, r), append(urls, r.URL)
	}
	w.beacons = urls
	return w, key, all
}

// public creates The Big Bad Wolf with public dice.
func (w *world) public(id, cadence string, s *fakerelay.Key, b vault.BeaconSettings) *vault.Game {
	w.t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		w.t.Fatal(err)
	}
	b.Chain, b.Key, b.Genesis, b.Period = s.Hash, s.Key, s.Genesis, s.Period
	seed := uint64(1)
	_, err = turn.Create(filepath.Join(w.dir, "games", id), catalogue(), turn.Setup{
		Scenario: scenario.ForRules(all["big-bad-wolf"], "stcs-advanced"), ID: id, Mail: schedule(), Cadence: cadence,
		Captains: []vault.Captain{{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, {Name: "Kor", Address: kor, Ships: []string{"Riskadh"}}},
		Secret:   dice.FromSeed(seed), Seed: &seed, Dice: vault.DiceBeacon, Beacon: b, Options: turn.Options{Now: w.clock.Now()},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return w.load(id)
}

// TestPublicDiceByMail: the orders are closed when all are in. All captains have the hash before the beacon exists, a
// late set is refused, and the turn is played with the beacon from an honest relay.
func TestPublicDiceByMail(t *testing.T) {
	w, source, relays := publicWorld(t, fakerelay.BadSignature, fakerelay.Broken, fakerelay.Honest)
	var logged bytes.Buffer
	w.log = slog.New(slog.NewTextHandler(&logged, nil))
	g := w.public("wolf", "", source, vault.BeaconSettings{})
	w.run()
	for n := 1; n <= 2; n++ {
		w.box.put(w.order(g, "Kirk", "power", "  shields 2:4", "final"))
		w.box.put(w.order(g, "Kor", "power", "  shields 2:5", "final"))
		sent := w.run()
		closing, err := vault.ClosingOf(w.load("wolf"))
		if err != nil || closing == nil {
			t.Fatalf("not closed (%v); sent:\n%s", err, sent)
		}
		for _, c := range []string{kirk, kor} {
			told := sent.to(c, "the orders are closed")
			if len(told) != 1 || !strings.Contains(told[0].Text, closing.Sets) || !strings.Contains(flat(told[0].Text), fmt.Sprint("round ", closing.CloseData.Round)) {
				t.Fatalf("%s is not told:\n%s\n%v", c, sent, told)
			}
		}
		w.box.put(w.order(g, "Kor", "power", "  shields 2:1", "final"))
		w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#cancel\n"))
		w.box.put(w.command(kor, w.keyed(g, "Kor"), "#status\n"))
		sent = w.run()
		if late := sent.to(kor, fmt.Sprintf("Turn %d", n)); len(late) != 1 || !strings.Contains(late[0].Text, orderset.CodeClosed) {
			t.Errorf("a late set:\n%s", sent)
		}
		if late := sent.to(kirk, "cancel not done"); len(late) != 1 || !strings.Contains(late[0].Text, orderset.CodeClosed) {
			t.Errorf("a late cancel:\n%s", sent)
		}
		if s := sent.to(kor, "Status"); len(s) != 1 || !strings.Contains(s[0].Text, closing.Sets) {
			t.Errorf("status:\n%s", sent)
		}
		w.clock.Advance(80 * time.Second)
		sent = w.run()
		if w.turnOf(g) != n || len(sent.to(kirk, fmt.Sprintf("Turn %d: report", n))) != 1 {
			t.Fatalf("turn %d, sent:\n%s", w.turnOf(g), sent)
		}
		if text := flat(sent.to(kor, "report")[0].Text); !strings.Contains(text, fmt.Sprintf("Dice: public, round %d of the beacon %s", closing.CloseData.Round, source.Hash)) {
			t.Errorf("the report says nothing of the dice:\n%s", text)
		}
		if strings.Contains(sent.to(kor, "report")[0].Text, "shields 2:1") {
			t.Error("the late set counts")
		}
	}
	for i, r := range relays { // each turn
		if n, want := strings.Count(logged.String(), "relay "+strings.TrimPrefix(r.URL, "http://")), []int{2, 2, 0}[i]; n != want {
			t.Errorf("relay %d is logged %d times, not %d:\n%s", i, n, want, logged.String())
		}
	}
	w.verified(g)
}

// TestPublicDiceKilled kills the daemon before each of its steps, from the closing to the report. The result is
// always the same sets, the same round and the same turn, and no two mails differ under one Message-ID.
func TestPublicDiceKilled(t *testing.T) {
	base, source, _ := publicWorld(t, fakerelay.Honest, fakerelay.Honest)
	g := base.public("wolf", "", source, vault.BeaconSettings{})
	base.run()
	base.box.put(base.order(g, "Kirk", "power", "  shields 2:4", "final"))
	base.box.put(base.order(g, "Kor", "power", "  shields 2:5", "final"))
	play := func(w *world) (sent sentMails, err error) {
		_, err = w.once()
		if sent = w.delivered(); err != nil {
			return sent, err
		}
		w.clock.Advance(80 * time.Second)
		_, err = w.once()
		return append(sent, w.delivered()...), err
	}
	steps := 0
	ref := base.again(t)
	relayTo(t, ref, source)
	ref.before = func(string) error { steps++; return nil }
	if _, err := play(ref); err != nil {
		t.Fatal(err)
	}
	want, err := ref.load("wolf").Stages.File(vault.At(1), vault.StateFile)
	if err != nil {
		t.Fatal(err)
	}
	for kill := range steps {
		t.Run(fmt.Sprint(kill), func(t *testing.T) {
			t.Parallel()
			w := base.again(t)
			relayTo(t, w, source)
			n, at := 0, ""
			w.before = func(step string) error {
				if n++; n == kill+1 {
					at = step
				}
				if n > kill {
					return errKill
				}
				return nil
			}
			sent, err := play(w)
			if !errors.Is(err, errKill) {
				t.Fatalf("killed before %q: %v", at, err)
			}
			w.before = nil
			more, err := play(w)
			if err != nil {
				t.Fatalf("killed before %q: %v", at, err)
			}
			byID := map[string]string{}
			for _, m := range append(sent, more...) {
				if old, ok := byID[m.MessageID]; ok && old != m.raw {
					t.Errorf("killed before %q: two mails with the id %s", at, m.MessageID)
				}
				byID[m.MessageID] = m.raw
			}
			got, err := w.load("wolf").Stages.File(vault.At(1), vault.StateFile)
			if err != nil {
				t.Fatalf("killed before %q: %v", at, err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("killed before %q: another turn", at)
			}
			entries, err := w.load("wolf").Journal.Entries()
			if err != nil || strings.Count(fmt.Sprint(entries), journal.Close) != 1 {
				t.Errorf("killed before %q: %v (%v)", at, entries, err)
			}
			w.verified(w.load("wolf"))
		})
	}
}

// relayTo gives a world honest relays that use its own clock.
func relayTo(t *testing.T, w *world, s *fakerelay.Key) {
	t.Helper()
	var urls relay.Relays
	for range 2 {
		r := fakerelay.Start(s, w.clock.Now)
		t.Cleanup(r.Close)
		urls = append(urls, r.URL)
	}
	w.beacons = urls
}

// TestBeaconByMail: without relays the turn waits. Any captain may supply the beacon by mail, and a wrong beacon does
// no harm.
func TestBeaconByMail(t *testing.T) {
	w, source, relays := publicWorld(t, fakerelay.BadSignature, fakerelay.Infinity)
	g := w.public("wolf", "", source, vault.BeaconSettings{})
	w.run()
	w.box.put(w.command(kirk, robot, "beacon 5 "+strings.Repeat("0", 96)+"\n"))
	if sent := w.run(); len(sent.to(kirk, "beacon not done")) != 1 || !strings.Contains(sent[0].Text, "the orders are still open") {
		t.Errorf("sent:\n%s", sent)
	}
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	w.run()
	w.clock.Advance(10 * time.Minute)
	if _, err := w.once(); err == nil || !strings.Contains(err.Error(), "signature does not hold") {
		t.Errorf("the relay lies, and %v", err)
	}
	closing, err := vault.ClosingOf(w.load("wolf"))
	if err != nil {
		t.Fatal(err)
	}
	round := closing.CloseData.Round
	sig := func(n uint64) string { return hex.EncodeToString(source.Sign(n).Signature) }
	for text, want := range map[string]string{
		fmt.Sprintf("beacon %d %s", round+1, sig(round+1)):            "and this is round",
		fmt.Sprintf("beacon %d %s", round, sig(round+1)):              "signature does not hold",
		fmt.Sprintf("beacon %d %s", round, strings.Repeat("0", 96)):   "not in the compressed form",
		fmt.Sprintf("beacon %d c0%s", round, strings.Repeat("0", 94)): "infinity",
		fmt.Sprintf("beacon %d xyz", round):                           "want 96 hexadecimal digits",
		"beacon soon":                                                 "is not a beacon round",
	} {
		w.box.put(w.command(kor, robot, text+"\n"))
		if _, err := w.once(); err == nil {
			t.Fatalf("%s: it was taken", text)
		}
		if sent := w.delivered(); len(sent) != 1 || !strings.Contains(flat(sent[0].Text), want) {
			t.Errorf("%s: sent\n%s\n%s", text, sent, sent[0].Text)
		}
	}
	long := sig(round)
	w.box.put(w.command(kor, robot, fmt.Sprintf("beacon wolf %d %s %s\n", round, strings.ToUpper(long[:50]), long[50:])))
	sent := w.run()
	if len(sent.to(kor, "Beacon taken")) != 1 || len(sent.to(kor, "Turn 1: report")) != 1 || w.turnOf(g) != 1 {
		t.Errorf("turn %d, sent:\n%s", w.turnOf(g), sent)
	}
	if relays[0].Asked() == 0 {
		t.Error("the relay was not asked")
	}
	w.verified(g)
}

// TestWrongClock: no orders are closed if the relays show that the clock is behind.
func TestWrongClock(t *testing.T) {
	w, source, relays := publicWorld(t, fakerelay.Honest, fakerelay.Honest)
	for _, r := range relays {
		r.Set(fakerelay.Honest, time.Hour)
	}
	g := w.public("wolf", "", source, vault.BeaconSettings{})
	w.run()
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	if _, err := w.once(); err == nil || !strings.Contains(err.Error(), "behind") {
		t.Errorf("%v", err)
	}
	w.delivered()
	if c, err := vault.ClosingOf(w.load("wolf")); c != nil || err != nil {
		t.Errorf("closed: %+v (%v)", c, err)
	}
	for _, r := range relays {
		r.Set(fakerelay.Honest, 0)
	}
	if sent := w.run(); len(sent.to(kirk, "the orders are closed")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}

// TestOwnDiceByMail: if the game allows it, the host's own dice are used after no beacon was available for a day, and
// not before.
func TestOwnDiceByMail(t *testing.T) {
	w, source, _ := publicWorld(t, fakerelay.Broken, fakerelay.Broken)
	g := w.public("wolf", "", source, vault.BeaconSettings{Else: vault.ElseOwn})
	w.run()
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	w.run()
	for range 5 {
		w.clock.Advance(4 * time.Hour)
		if _, err := w.once(); err == nil || w.turnOf(g) != 0 {
			t.Fatalf("turn %d (%v)", w.turnOf(g), err)
		}
	}
	w.clock.Advance(5 * time.Hour)
	sent := w.run()
	if w.turnOf(g) != 1 || !strings.Contains(flat(sent.to(kor, "report")[0].Text), "Dice: the host's own, since no beacon was available") {
		t.Errorf("turn %d, sent:\n%s", w.turnOf(g), sent)
	}
	w.verified(g)
}

// TestPublicDiceAtEachCadence: each phase has its own closing and beacon, also the phases that are played without
// asking for orders.
func TestPublicDiceAtEachCadence(t *testing.T) {
	for _, cadence := range []string{vault.CadencePhase, vault.CadenceBreak} {
		w, source, _ := publicWorld(t, fakerelay.Honest, fakerelay.Honest)
		g := w.public("wolf", cadence, source, vault.BeaconSettings{})
		w.run()
		w.box.put(w.order(g, "Kirk", "final"))
		w.box.put(w.order(g, "Kor", "final"))
		stages := map[string]bool{}
		for range 12 {
			w.run()
			w.clock.Advance(80 * time.Second)
			stages[w.newest(g)] = true
		}
		if want := map[string]int{vault.CadencePhase: 2, vault.CadenceBreak: 4}[cadence]; len(stages) < want {
			t.Errorf("%s: came only to %v", cadence, stages)
		}
		w.verified(g)
	}
}

// slowSource answers after a delay.
type slowSource struct {
	*fakerelay.Key
	takes time.Duration
}

func (s slowSource) Get(ctx context.Context, _ beacon.Chain, round uint64) (relay.Answer, error) {
	select {
	case <-time.After(s.takes):
		return relay.Answer{Beacon: s.Sign(round)}, nil
	case <-ctx.Done():
		return relay.Answer{}, ctx.Err()
	}
}

func (s slowSource) CheckClock(context.Context, beacon.Chain, func() time.Time) error { return nil }

// TestServeAsksRelaysAside: a slow relay delays neither games nor mails, and its turn is played when it answers.
func TestServeAsksRelaysAside(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		w.cfg.Poll = clock.Span(10 * time.Minute)
		source := newKey(t, began.Add(-24*time.Hour))
		w.beacons = slowSource{source, 15 * time.Second}
		g := w.public("wolf", "", source, vault.BeaconSettings{})
		end := w.serve()
		defer end()
		synctest.Wait()
		w.box.put(w.order(g, "Kirk", "final"))
		w.box.put(w.order(g, "Kor", "final"))
		time.Sleep(time.Second)
		synctest.Wait()
		if sent := w.delivered(); len(sent.to(kor, "the orders are closed")) != 1 {
			t.Fatalf("sent:\n%s", sent)
		}
		time.Sleep(time.Minute + 10*time.Second) // the beacon exists, and is being requested
		synctest.Wait()
		w.box.put(w.command(kor, w.keyed(g, "Kor"), "#status\n"))
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if sent := w.delivered(); len(sent) != 1 || len(sent.to(kor, "Status")) != 1 || w.turnOf(g) != 0 {
			t.Fatalf("turn %d, sent:\n%s", w.turnOf(g), sent)
		}
		time.Sleep(16 * time.Second)
		synctest.Wait()
		if sent := w.delivered(); w.turnOf(g) != 1 || len(sent.to(kor, "Turn 1: report")) != 1 {
			t.Errorf("turn %d, sent:\n%s", w.turnOf(g), sent)
		}
	})
}

// TestPublicDiceAgainstRobots: the orders of robots are closed with those of people.
func TestPublicDiceAgainstRobots(t *testing.T) {
	w, source, _ := publicWorld(t, fakerelay.Honest, fakerelay.Honest)
	g := w.public("wolf", "", source, vault.BeaconSettings{})
	file := filepath.Join(g.Dir(), "game.toml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(strings.Replace(string(data), kor, "", 1), "missing = \"standing\"", "missing = \"robot\"", 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w.run()
	for n := 1; n <= 2; n++ {
		w.box.put(w.order(g, "Kirk", "final"))
		w.run()
		closing, err := vault.ClosingOf(w.load("wolf"))
		if err != nil || closing == nil || len(closing.Files) != 2 {
			t.Fatalf("%+v (%v)", closing, err)
		}
		w.clock.Advance(80 * time.Second)
		w.run()
		if w.turnOf(g) != n {
			t.Fatalf("turn %d, not %d", w.turnOf(g), n)
		}
	}
	w.verified(g)
}

// TestDoctorTriesRelays: each relay is asked for a round of the games' beacon, and the clock is compared with theirs.
func TestDoctorTriesRelays(t *testing.T) {
	w, _, _ := publicWorld(t)
	w.clock.Set(time.Now())
	source := newKey(t, time.Now().Add(-time.Hour))
	w.public("wolf", "", source, vault.BeaconSettings{})
	good, bad := fakerelay.Start(source, time.Now), fakerelay.Start(source, time.Now)
	bad.Set(fakerelay.BadSignature, 0)
	defer good.Close()
	defer bad.Close()
	look := func() map[string]watch.Check {
		all := map[string]watch.Check{}
		doctor.Examine(t.Context(), w.cfg, w.cat, 0, func(c watch.Check) { all[c.What] = c })
		return all
	}
	if c := look()["beacon relays"]; !c.OK() || !strings.Contains(c.Found, "none: for 1 game with public dice") {
		t.Errorf("%+v", c)
	}
	w.cfg.Beacon = &config.Beacon{Relays: []string{good.URL, bad.URL}}
	all := look()
	if c := all["beacon relay "+good.URL]; !c.OK() || !strings.Contains(c.Found, "of "+source.Hash[:8]) {
		t.Errorf("%+v", c)
	}
	if c := all["beacon relay "+bad.URL]; c.OK() || !strings.Contains(c.Problem, "signature does not hold") {
		t.Errorf("%+v", c)
	}
	if c := all["clock against the relays of "+source.Hash[:8]]; !c.OK() {
		t.Errorf("%+v", c)
	}
	good.Set(fakerelay.Honest, -time.Hour)
	bad.Set(fakerelay.Honest, -time.Hour)
	if c := look()["clock against the relays of "+source.Hash[:8]]; c.OK() || !strings.Contains(c.Problem, "ahead of") || c.Hint == "" {
		t.Errorf("%+v", c)
	}
}
