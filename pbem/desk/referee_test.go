package desk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/pgp"
	"starpost/pbem/referee"
	"starpost/pbem/vault/journal"
)

// rita adds Rita as a referee of the game, with the key that register makes.
func (o *office) rita() {
	o.t.Helper()
	path := filepath.Join(o.game.Dir(), "game.toml")
	text, err := os.ReadFile(path)
	if err != nil {
		o.t.Fatal(err)
	}
	text = append(text, "\n[[referee]]\nname = \"Rita\"\naddress = \"rita@example.org\"\npgp = \"keys/kirk.asc\"\n"...)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		o.t.Fatal(err)
	}
	if err := o.game.Refresh(); err != nil {
		o.t.Fatal(err)
	}
}

// TestRefereeSigned checks that a referee's signature is as good as the key, once for each mail,
// and only over the command itself; it must name the turn of a guarded command.
func TestRefereeSigned(t *testing.T) {
	o := newOffice(t)
	o.desk.Signatures = pgp.Checker{}
	rita, eve := signer(t, "rita"), signer(t, "eve")
	o.register(rita)
	o.rita()
	made := began.Add(time.Minute)
	due := "1"
	// The last one records its proof, so that no older one is accepted afterwards.
	for _, c := range []struct{ name, text, code, want string }{
		{"no signature", "#pause turn " + due + " --why x\n", codes.NoKey, "your key as referee is missing"},
		{"somebody else's", clearSigned(t, eve, "#pause turn "+due+" --why x\n", made), codes.BadSignature, ""},
		{"over something else", "#pause turn " + due + " --why x\n\n" + clearSigned(t, rita, "Hello\n", made), codes.BadSignature, "does not cover"},
		{"no turn", clearSigned(t, rita, "#pause --why x\n", made), codes.NoTurn, "write turn " + due},
		{"another turn", clearSigned(t, rita, "#pause turn 7 --why x\n", made), codes.Referee, "turn 7 is not due"},
	} {
		if h := o.send("rita@example.org", c.text, dated(1)); !strings.Contains(h.Reason, c.code) || !strings.Contains(h.text(), c.want) {
			t.Errorf("%s: %s\n%s", c.name, h.Reason, h.text())
		}
	}
	if all, err := o.game.Journal.Entries(); err != nil || len(all) > 1 { // the record of the proof, although nothing was done
		t.Fatalf("%+v, %v", all, err)
	}
	good := clearSigned(t, rita, "#pause turn "+due+" --why x\n", made.Add(time.Second))
	if h := o.send("rita@example.org", good, dated(2)); h.Outcome != desk.Done {
		t.Fatalf("%s\n%s", h.Reason, h.text())
	}
	if h := o.send("rita@example.org", clearSigned(t, rita, "#resume turn "+due+"\n", made.Add(2*time.Second)), dated(3)); h.Outcome != desk.Done {
		t.Fatalf("%s\n%s", h.Reason, h.text())
	}
	if h := o.send("rita@example.org", good, dated(2)); !strings.Contains(h.Reason, codes.Stale) {
		t.Errorf("an old mail sent again: %s\n%s", h.Reason, h.text())
	}
	timing, err := o.game.Timing()
	if err != nil || timing.Paused != nil {
		t.Errorf("%+v, %v", timing, err)
	}
	all, err := o.game.Journal.Entries()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.By != "Rita" || e.Kind != journal.Proof && e.Kind != journal.Pause && e.Kind != journal.Resume {
			t.Errorf("%s by %s", e.Kind, e.By)
		}
	}
}

// TestRefereesKeyIsKept checks that a referee's words for others or for the record do not contain
// the referee's key.
func TestRefereesKeyIsKept(t *testing.T) {
	o := newOffice(t)
	o.rita()
	key := referee.Key(o.game, 1, "Rita")
	h := o.send("rita@example.org", "#pause turn 1 key "+key+" --why \"answer "+strings.ToLower(auth.WithKey(robot, key))+" or "+key+"\"\n")
	all := o.entries(0)
	if h.Outcome != desk.Done || len(all) == 0 || !strings.Contains(all[len(all)-1].Why, "answer ") {
		t.Fatalf("%s: %s\n%+v", h.Outcome, h.Reason, all)
	}
	for _, e := range all {
		if holds(e.Why+string(e.Data), key) {
			t.Errorf("the journal has it: %s %s", e.Why, e.Data)
		}
	}
}
