//go:build integration

package realmail_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/emersion/go-msgauth/dkim"

	"starpost/pbem/outgoing"
)

// TestRealProofs sends orders without a turn key: signed by GnuPG, or signed by the
// sender's domain, which a filter of the receiving server checks and records.
// Forgeries of either kind must fail.
func TestRealProofs(t *testing.T) {
	s := realServers(t).world(t, "proof")
	bin, dir := build(t), t.TempDir()
	game := filepath.Join(dir, "games", "wolf")
	newGame(t, s, bin, game, "starpost", "big-bad-wolf", "Hood=ann", "Riskadh=bob")
	ring := newRing(t)
	public := ring.make(t, s.address("ann"))
	ring.make(t, s.address("eve"))
	if err := os.Mkdir(filepath.Join(game, "keys"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(game, "keys", "ann.asc"), public)
	settings, err := os.ReadFile(filepath.Join(game, "game.toml"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(game, "game.toml"), strings.Replace(string(settings), "name = \"Ann\"\n", "name = \"Ann\"\npgp = \"keys/ann.asc\"\n", 1))
	d := newDaemon(t, bin, configure(t, s, dir, fmt.Sprintf("trust = { authserv_ids = [\"mail.%s\"] }", s.domain)))
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := lasting(t)
	defer cancel()
	ann, bob := person(t, s, "ann"), person(t, s, "bob")
	first, second := ann.await(ctx, t, "begins"), bob.await(ctx, t, "begins")

	// Neither another person's signature nor one over another text is accepted.
	good := ring.sign(t, s.address("ann"), first.orders(t, ""))
	ann.mail(ctx, t, s.address("starpost"), ring.sign(t, s.address("eve"), first.orders(t, "")))
	ann.mail(ctx, t, s.address("starpost"), strings.Replace(good, "ship Hood", "ship  Hood\nwait", 1))
	for range 2 {
		ann.says(ctx, t, "not accepted", "signature")
	}
	ann.mail(ctx, t, s.address("starpost"), good)
	ann.await(ctx, t, "Turn 1: orders for Hood accepted")

	// Only the Authentication-Results of our server count, not forged ones in its name.
	border, plain := placeOf(t, "STARPOST_TEST_SMTP_BORDER"), s.plain
	key := domainKey(t)
	orders := func(header string) []byte {
		raw := bob.render(t, outgoing.Message{To: outgoing.Address{Addr: s.address("starpost")}, Subject: "orders", Text: second.orders(t, "")})
		return append([]byte(header), raw...)
	}
	pass := fmt.Sprintf("Authentication-Results: mail.%[1]s; dkim=pass header.d=%[1]s; dmarc=pass header.from=%[1]s\r\n", s.domain)
	tampered := bytes.Replace(domainSigned(t, s.domain, key, orders("")), []byte("ship Riskadh"), []byte("ship  Riskadh"), 1)
	bob.drop(ctx, t, border, orders(""))
	bob.drop(ctx, t, border, orders(pass))
	bob.drop(ctx, t, plain, orders(pass))
	bob.drop(ctx, t, border, tampered)
	bob.drop(ctx, t, border, domainSigned(t, "example.org", key, orders(pass)))
	for range 5 {
		bob.await(ctx, t, "not accepted")
	}
	if files, err := filepath.Glob(filepath.Join(game, "orders", "Riskadh.txt")); err != nil || len(files) > 0 {
		t.Errorf("forged orders are in force: %v", err)
	}
	bob.drop(ctx, t, border, domainSigned(t, s.domain, key, orders("")))
	bob.await(ctx, t, "Turn 1: orders for Riskadh accepted")
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	journal, err := os.ReadFile(filepath.Join(game, "journal.jsonl"))
	if err != nil || strings.Count(string(journal), `"kind":"proof"`) != 2 {
		t.Errorf("the journal: %v\n%s", err, journal)
	}
}

// drop delivers a mail to a server as another server would.
func (c *captain) drop(ctx context.Context, t *testing.T, at place, raw []byte) {
	t.Helper()
	file := filepath.Join(c.home, "mail-"+strconv.Itoa(c.sent))
	write(t, file, string(raw))
	if _, err := run(ctx, c.home, nil, "", "swaks", "--server", at.host, "--port", strconv.Itoa(at.port), "--helo", "relay.example.org",
		"--from", c.address, "--to", c.s.address("starpost"), "--data", "@"+file); err != nil {
		t.Fatal(err)
	}
}

// domainKey returns the DKIM key of our domain.
func domainKey(t *testing.T) crypto.Signer {
	t.Helper()
	text, err := os.ReadFile(os.Getenv("STARPOST_TEST_DKIM_KEY"))
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		t.Fatal("the key of the domain is none")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return key.(crypto.Signer)
}

// domainSigned returns a mail with the DKIM signature of a domain, as the domain's server adds it.
func domainSigned(t *testing.T, domain string, key crypto.Signer, raw []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := dkim.Sign(&out, bytes.NewReader(raw), &dkim.SignOptions{Domain: domain, Selector: "border", Signer: key}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// ring is a directory with the keys of a GnuPG.
type ring string

func newRing(t *testing.T) ring {
	t.Helper()
	r, ctx := ring(t.TempDir()), context.WithoutCancel(t.Context())
	t.Cleanup(func() {
		if _, err := run(ctx, "", nil, "", "gpgconf", "--homedir", string(r), "--kill", "all"); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r ring) gpg(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	out, err := run(t.Context(), "", nil, stdin, "gpg", append([]string{"--homedir", string(r), "--batch", "--quiet", "--no-permission-warning"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// make creates a key for an address and returns its public part.
func (r ring) make(t *testing.T, address string) string {
	t.Helper()
	r.gpg(t, "", "--passphrase", "", "--quick-generate-key", address, "ed25519", "sign", "never")
	return r.gpg(t, "", "--armor", "--export", address)
}

// sign returns a clear-signed text.
func (r ring) sign(t *testing.T, address, text string) string {
	t.Helper()
	return r.gpg(t, text, "--local-user", address, "--clear-sign")
}
