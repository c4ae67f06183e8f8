//go:build integration

package realmail_test

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/engine/rules/fasa"
	"starpost/engine/rules/sfb"
	"starpost/pbem/mailbox"
	"starpost/pbem/outgoing"
	"starpost/pbem/transport"
	"starpost/pbem/vault"
)

// servers are the mail servers that .ci/servers has started.
type servers struct {
	domain, password string
	prefix           string // of user names, see world
	imap, smtp       place  // implicit TLS; STARTTLS and a login
	plain            place  // SMTP between servers, without TLS and login
	ca               string // file; "" for servers without TLS
	roots            *x509.CertPool

	put   func(raw []byte) error // puts a mail into the robot's mailbox; nil: use IMAP
	taken func() []taken         // accepted mails; nil: unknown
	came  chan struct{}          // signalled after a mail was accepted; nil: unknown
	stop  func()
}

// taken is a mail that a server accepted.
type taken struct {
	to  string
	raw []byte
}

// place is the address that a server listens on.
type place struct {
	host string
	port int
}

func (p place) String() string { return net.JoinHostPort(p.host, strconv.Itoa(p.port)) }

func realServers(t *testing.T) *servers {
	t.Helper()
	s := &servers{
		domain: os.Getenv("STARPOST_TEST_DOMAIN"), password: os.Getenv("STARPOST_TEST_PASSWORD"),
		ca: os.Getenv("STARPOST_TEST_CA"),
	}
	if s.domain == "" {
		t.Skip("no real servers: run this beside .ci/servers")
	}
	s.imap, s.smtp, s.plain = placeOf(t, "STARPOST_TEST_IMAP"), placeOf(t, "STARPOST_TEST_SMTP"), placeOf(t, "STARPOST_TEST_SMTP_PLAIN")
	var err error
	if s.roots, err = rootsOf(s.ca); err != nil {
		t.Fatal(err)
	}
	return s
}

// rootsOf reads a file of trusted certificates.
func rootsOf(file string) (*x509.CertPool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("no certificate in %s", file)
	}
	return roots, nil
}

func placeOf(t *testing.T, variable string) place {
	t.Helper()
	return parsePlace(t, os.Getenv(variable))
}

func parsePlace(t *testing.T, addr string) place {
	t.Helper()
	p, err := splitPlace(addr)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func splitPlace(addr string) (place, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return place{}, err
	}
	n, err := strconv.Atoi(port)
	return place{host, n}, err
}

// inbox returns the configuration for the mailbox of a user.
func (s *servers) inbox(user, folder string) mailbox.Config {
	return mailbox.Config{
		Server: transport.Server{
			Host: s.imap.host, Port: s.imap.port, TLS: transport.TLSImplicit, User: s.address(user), Password: s.password, RootCAs: s.roots,
		},
		Inbox: folder,
	}
}

func (s *servers) outbox(user string) outgoing.Config {
	return outgoing.Config{
		Server: transport.Server{
			Host: s.smtp.host, Port: s.smtp.port, TLS: transport.TLSStart, User: s.address(user), Password: s.password, RootCAs: s.roots,
		},
	}
}

// address returns the address of a user. An address is returned as it is.
func (s *servers) address(user string) string {
	if strings.Contains(user, "@") {
		return user
	}
	return s.prefix + user + "@" + s.domain
}

// world returns the servers with users for one test, which have empty mailboxes. The
// test then runs in parallel with others, since most time goes into waiting for new
// mail.
func (s *servers) world(t *testing.T, name string) *servers {
	t.Helper()
	t.Parallel()
	w := *s
	if name != "" {
		w.prefix = name + "."
	}
	emptyAll(t, &w)
	return &w
}

// folder fetches all mails in a folder of a user.
func (s *servers) folder(t *testing.T, user, name string) [][]byte {
	t.Helper()
	c, err := mailbox.Dial(t.Context(), s.inbox(user, name), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, _, err := c.Select(t.Context()); err != nil {
		t.Fatal(err)
	}
	uids, err := c.List(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var mails [][]byte
	if err := c.Fetch(t.Context(), uids, func(m mailbox.Mail) error {
		mails = append(mails, m.Raw)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return mails
}

// catalogue returns rule sets that are built once and shared, as no test changes them.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(fasa.Family(), sfb.Family()) })

// shut closes c and ignores the error, which does not matter to a measurement or
// test.
func shut(c io.Closer) { _ = c.Close() }

// TestMain keeps the built program for all tests, and removes it afterwards.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "realmail")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	program = sync.OnceValues(func() (string, error) {
		bin := filepath.Join(dir, "starpost")
		if out, err := exec.Command("go", "build", "-o", bin, "starpost/cmd/starpost").CombinedOutput(); err != nil {
			return "", fmt.Errorf("build: %w\n%s", err, out)
		}
		return bin, nil
	})
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// program returns the path of the program, which its first call builds.
var program func() (string, error)

// build returns the path of the program, built as for users.
func build(t *testing.T) string {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// lasting returns a context that ends shortly before the test deadline, so that a test that
// hangs can still say what it waits for.
func lasting(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	if late, ok := t.Deadline(); ok {
		return context.WithDeadline(t.Context(), late.Add(-30*time.Second))
	}
	return context.WithCancel(t.Context())
}

// run runs a command to its end and returns its output.
func run(ctx context.Context, dir string, env []string, stdin, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out), nil
}
