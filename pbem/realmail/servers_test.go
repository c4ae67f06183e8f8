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
	prefix           string // of the users' names, see world
	imap, smtp       place  // TLS at once, and STARTTLS with a login
	plain            place  // SMTP between servers, without either
	ca               string // file; "" for servers without TLS
	roots            *x509.CertPool

	put   func(raw []byte) error // puts a mail into the robot's mailbox; nil: only IMAP does
	taken func() []taken         // mails that were thrown away; nil: unknown
	came  chan struct{}          // told after a mail was taken; nil: unknown
	stop  func()
}

// taken is a mail that a server took.
type taken struct {
	to  string
	raw []byte
}

// place is where a server listens.
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

// rootsOf reads certificates to trust.
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

// inbox is the mailbox of a user.
func (s *servers) inbox(user, folder string) mailbox.Config {
	return mailbox.Config{
		Server: transport.Server{
			Host: s.imap.host, Port: s.imap.port, TLS: mailbox.TLSImplicit, User: s.address(user), Password: s.password, RootCAs: s.roots,
		},
		Inbox: folder,
	}
}

func (s *servers) outbox(user string) outgoing.Config {
	return outgoing.Config{
		Server: transport.Server{
			Host: s.smtp.host, Port: s.smtp.port, TLS: outgoing.TLSStart, User: s.address(user), Password: s.password, RootCAs: s.roots,
		},
	}
}

// address is that of a user; an address stands as it is.
func (s *servers) address(user string) string {
	if strings.Contains(user, "@") {
		return user
	}
	return s.prefix + user + "@" + s.domain
}

// world is the servers with the users of one test, whose mailboxes are empty. It
// runs beside those of other worlds: what takes most time is that servers tell of
// new mail.
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

// folder fetches all that lies in a folder of a user.
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

// catalogue has its rule sets made once for all tests; nothing changes them.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(fasa.Family(), sfb.Family()) })

// shut closes what a measurement has no more use for; its error would change
// nothing.
func shut(c io.Closer) { _ = c.Close() }

// TestMain keeps the program for all tests, and removes it.
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

// program is the file of the program, made when it is first asked for.
var program func() (string, error)

// build gives the program as a user gets it.
func build(t *testing.T) string {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// lasting is a context that ends shortly before the tests are broken off, however busy the
// machine is: then a test can still say what it waits for.
func lasting(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	if late, ok := t.Deadline(); ok {
		return context.WithDeadline(t.Context(), late.Add(-30*time.Second))
	}
	return context.WithCancel(t.Context())
}

// run runs a command to its end and gives what it prints.
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
