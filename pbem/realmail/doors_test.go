//go:build integration

package realmail_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/outgoing"
)

// TestRealDoors has Postfix deliver mails for one address by LMTP, and for another by "starpost deliver"; neither has a
// mailbox. While the daemon is down, mails wait in the queue of Postfix or in the folder. A third address also has a
// mailbox: a mail that arrives both ways is answered once.
func TestRealDoors(t *testing.T) {
	s := realServers(t).world(t, "doors")
	piped := os.Getenv("STARPOST_TEST_PIPED")
	dir := filepath.Join(filepath.Dir(piped), "doors")
	bin := filepath.Join(dir, "starpost")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if _, err := run(t.Context(), "", nil, "", "cp", build(t), bin); err != nil {
		t.Fatal(err)
	}
	const handedTo, pipedTo = "battles@handed.test", "club@piped.test"
	robots := map[string]string{"wolf": handedTo, "cub": pipedTo, "pup": s.address("starpost")}
	for game, robot := range robots {
		newGame(t, s, bin, filepath.Join(dir, "games", game), robot, "big-bad-wolf", "Hood=ann", "Riskadh=bob", "--mail=change_window=0s")
	}
	file := filepath.Join(dir, "starpost.toml")
	byPassword := s.byPassword(t, dir)
	door := fmt.Sprintf("[mailbox.lmtp]\nlisten = %q\n", os.Getenv("STARPOST_TEST_LMTP"))
	write(t, file, fmt.Sprintf("referee = %q\nstate = \"state\"\ngames = [\"games/*\"]\npoll = \"5s\"\nchange_window = \"0s\"\n[log]\nlevel = \"debug\"\nformat = \"json\"\n"+
		"[[mailbox]]\naddress = %q\n%s%s[[mailbox]]\naddress = %q\n[mailbox.lmtp]\n%s[[mailbox]]\naddress = %q\n%s%s", s.address("umpire"),
		handedTo, door, s.section("mailbox.smtp", "starpost", byPassword), pipedTo, s.section("mailbox.smtp", "starpost", byPassword),
		robots["pup"], door, s.sections("mailbox.", "starpost", byPassword)))
	d := newDaemon(t, bin, file)
	d.user = &syscall.Credential{Uid: 65534, Gid: 65534} // as "starpost deliver"
	if err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, int(d.user.Uid), int(d.user.Gid))
	}); err != nil {
		t.Fatal(err)
	}
	pipe := piped + ".new"
	write(t, pipe, fmt.Sprintf("exec %s deliver --config %s --from \"$1\" --to \"$2\"\n", bin, file))
	if err := os.Chmod(pipe, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(pipe, piped); err != nil {
		t.Fatal(err)
	}
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := lasting(t)
	defer cancel()
	ann, bob := person(t, s, "ann"), person(t, s, "bob")
	first := map[string]letter{}
	for game := range robots {
		first["ann "+game], first["bob "+game] = ann.await(ctx, t, "["+game+"] The Big Bad Wolf begins"), bob.await(ctx, t, "["+game+"] The Big Bad Wolf begins")
	}
	for _, game := range []string{"wolf", "cub"} {
		ann.reply(ctx, t, first["ann "+game], first["ann "+game].orders(t, ""))
		ann.await(ctx, t, "["+game+"] Turn 1: orders for Hood accepted")
	}
	ann.hand(ctx, t, "clubs@piped.test", ann.render(t, outgoing.Message{To: outgoing.Address{Addr: "clubs@piped.test"}, Subject: "Lost", Text: "Hello\n"}))
	ann.await(ctx, t, "Undelivered Mail")
	ann.hand(ctx, t, "battle@handed.test", ann.render(t, outgoing.Message{To: outgoing.Address{Addr: "battle@handed.test"}, Subject: "Lost", Text: "Hello\n"}))
	ann.await(ctx, t, "Undelivered Mail")

	if err := d.stop(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for _, game := range []string{"wolf", "cub"} {
		bob.reply(ctx, t, first["bob "+game], first["bob "+game].orders(t, ""))
	}
	folder := filepath.Join(dir, "state", "incoming")
	eventually(ctx, t, "the mail that was piped lies in the folder", func() bool { return count(t, filepath.Join(folder, pipedTo, "new")) == 1 })
	eventually(ctx, t, "Postfix keeps the other one", func() bool { return strings.Contains(s.queue(t, "-j"), "Connection refused") })
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	bob.await(ctx, t, "[cub] Turn 1: orders for Riskadh accepted")
	kept := queueID.FindStringSubmatch(s.queue(t, "-j")) // only this one, because other tests have mails in the queue
	if kept == nil {
		t.Fatal("no mail is kept")
	}
	s.queue(t, "-i", kept[1])
	bob.await(ctx, t, "[wolf] Turn 1: orders for Riskadh accepted")
	for _, game := range []string{"wolf", "cub"} {
		ann.await(ctx, t, "["+game+"] Turn 1: report")
		bob.await(ctx, t, "["+game+"] Turn 1: report")
	}

	// The same mail by LMTP and by mailbox.
	raw := ann.render(t, outgoing.Message{To: outgoing.Address{Addr: robots["pup"]}, Subject: "orders", Text: first["ann pup"].keyed(t, "")})
	if err := byLMTP("tcp", os.Getenv("STARPOST_TEST_LMTP"), robots["pup"], raw); err != nil {
		t.Fatal(err)
	}
	ann.hand(ctx, t, robots["pup"], raw)
	ann.await(ctx, t, "[pup] Turn 1: orders for Hood accepted")
	eventually(ctx, t, "both are dealt with", func() bool {
		return count(t, filepath.Join(folder, robots["pup"], "new")) == 0 && len(s.folder(t, "starpost", "INBOX")) == 0
	})
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	seen := map[string]bool{}
	for _, l := range ann.letters {
		if seen[l.MessageID] {
			t.Errorf("ann got %q twice", l.Subject)
		}
		seen[l.MessageID] = true
	}
	if got := ann.acknowledged(); got != 3 {
		t.Errorf("%d sets of ann were acknowledged, want 3", got)
	}
	for game, robot := range robots {
		if out, err := run(t.Context(), dir, nil, "", bin, "verify", filepath.Join(dir, "games", game)); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		if game != "pup" && (count(t, filepath.Join(folder, robot, "new")) != 0 || count(t, filepath.Join(folder, robot, "Done")) != 2) {
			t.Errorf("mails to %s: %d are left and %d done, want none and 2", robot, count(t, filepath.Join(folder, robot, "new")), count(t, filepath.Join(folder, robot, "Done")))
		}
	}
	if out, err := run(t.Context(), dir, nil, "", bin, "doctor", "--config", file); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	nothingSecret(t, s, dir)
}

// queueID matches the queue ID of a mail for the LMTP address, in a listing of the queue.
var queueID = regexp.MustCompile(`"queue_id": "(\w+)"[^\n]*handed\.test`)

// queue runs postqueue, which lists or flushes the queue of Postfix.
func (s *servers) queue(t *testing.T, flags ...string) string {
	t.Helper()
	out, err := run(t.Context(), "", nil, "", "postqueue", append([]string{"-c", os.Getenv("STARPOST_TEST_POSTFIX")}, flags...)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// eventually polls until done returns true.
func eventually(ctx context.Context, t *testing.T, what string, done func() bool) {
	t.Helper()
	for !done() {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			t.Fatalf("not so: %s", what)
		}
	}
}

// count returns the number of files in a directory, which may be missing.
func count(t *testing.T, dir string) int {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}
