//go:build integration

package realmail_test

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/beacon/fakerelay"
)

var (
	closedSets = regexp.MustCompile(`has the hash\s+([0-9a-f]{64})`)
	setHash    = regexp.MustCompile(`Its SHA-256 is\s+([0-9a-f]{64})`)
)

// TestRealPublicDice plays a battle with dice from a beacon to its end. One relay lies, one is late and one fails during
// the game. From the archive alone, both the program and a Python script then verify every die, the closed orders
// of each turn, and the acknowledged order sets.
func TestRealPublicDice(t *testing.T) {
	s := realServers(t).world(t, "dice")
	bin, dir := build(t), t.TempDir()
	game := filepath.Join(dir, "games", "wolf")
	source, err := fakerelay.NewKey("real", time.Now().Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	source.Period = 1
	var relays []*fakerelay.Relay
	var urls []string
	for _, mode := range []fakerelay.Mode{fakerelay.BadSignature, fakerelay.Honest, fakerelay.Slow} {
		r := fakerelay.Start(source, time.Now)
		t.Cleanup(r.Close)
		r.Set(mode, 0)
		relays, urls = append(relays, r), append(urls, fmt.Sprintf("%q", r.URL))
	}
	newGame(t, s, bin, game, "starpost", "big-bad-wolf", "Hood=ann", "Riskadh=bob", "--dice=beacon", "--beacon=wait=1s", "--beacon=chain="+source.Hash,
		"--beacon=key="+source.Key, fmt.Sprintf("--beacon=genesis=%d", source.Genesis), fmt.Sprintf("--beacon=period=%d", source.Period))
	d := newDaemon(t, bin, configure(t, s, dir, "beacon = { relays = ["+strings.Join(urls, ", ")+"] }"))
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	all := captains(t, s)
	for user := range all {
		if user != "ann" && user != "bob" {
			delete(all, user)
		}
	}
	ann := all["ann"]
	ann.after = func(due int) error {
		switch due {
		case 2:
			relays[1].Close()
		case 3: // killed after orders closed, the daemon must go on with the same round
			time.Sleep(500 * time.Millisecond)
			if err := d.stop(syscall.SIGKILL); err != nil {
				return err
			}
			return d.start()
		}
		return nil
	}
	playOut(t, all)
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	var hashes []string
	closings := 0
	for _, l := range ann.letters {
		if m := closedSets.FindStringSubmatch(l.Text); m != nil {
			hashes = append(hashes, m[1])
			closings++
		}
		if m := setHash.FindStringSubmatch(l.Text); m != nil {
			hashes = append(hashes, m[1])
		}
	}
	turns := lastTurn(t, game)
	if closings != turns || len(hashes) < 2*turns {
		t.Errorf("%d closings and %d hashes in all were mailed, in %d turns", closings, len(hashes), turns)
	}

	// Verify from the archive alone.
	packed, away := filepath.Join(dir, "wolf.zip"), t.TempDir()
	if _, err := run(t.Context(), dir, nil, "", bin, "archive", game, packed); err != nil {
		t.Fatal(err)
	}
	unpack(t, packed, away)
	verify, script := []string{"verify", packed}, []string{absolute(t, "../../examples/dice.py"), filepath.Join(away, "game")}
	for _, h := range hashes {
		verify, script = append(verify, "--head", h), append(script, h)
	}
	if out, err := run(t.Context(), away, nil, "", bin, verify...); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Log("no python3 here: the script in examples was not tried")
	} else if out, err := run(t.Context(), away, nil, "", "python3", script...); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	lost := strings.Repeat("0", 64) // as if the host had dropped an acknowledged mail
	if out, err := run(t.Context(), away, nil, "", bin, "verify", packed, "--head", lost); err == nil {
		t.Errorf("a set that is not there passes:\n%s", out)
	}
	nothingSecret(t, s, dir)
	t.Logf("%d turns, %d hashes", turns, len(hashes))
}

func unpack(t *testing.T, file, dir string) {
	t.Helper()
	r, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.CopyFS(dir, r), r.Close()); err != nil {
		t.Fatal(err)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}
