package mailbox_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"strconv"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"starpost/pbem/mailbox"
	"starpost/pbem/transport"
)

// rawClient opens a plain library client on a real server, for what the adapter does not do:
// putting in mails and deleting folders.
func rawClient(t *testing.T, cfg mailbox.Config) *imapclient.Client {
	t.Helper()
	addr := net.JoinHostPort(cfg.Host, strconv.Itoa(cfg.Port))
	opts := &imapclient.Options{TLSConfig: &tls.Config{ServerName: cfg.Host, RootCAs: cfg.RootCAs}}
	var c *imapclient.Client
	var err error
	switch cfg.TLS {
	case transport.TLSNone:
		c, err = imapclient.DialInsecure(addr, opts)
	case transport.TLSStart:
		c, err = imapclient.DialStartTLS(addr, opts)
	default:
		c, err = imapclient.DialTLS(addr, opts)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Login(cfg.User, cfg.Password).Wait(); err != nil {
		t.Fatal(err)
	}
	return c
}

// hangUp closes a raw client at once: a server allows few connections.
func hangUp(t *testing.T, c *imapclient.Client) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func appendTo(t *testing.T, c *imapclient.Client, raw []byte) {
	t.Helper()
	appendAs(t, c, raw, nil)
}

func appendAs(t *testing.T, c *imapclient.Client, raw []byte, o *imap.AppendOptions) {
	t.Helper()
	cmd := c.Append("INBOX", int64(len(raw)), o)
	if _, err := cmd.Write(raw); err != nil {
		t.Error(err)
	}
	if err := cmd.Close(); err != nil {
		t.Error(err)
	}
	if _, err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// authorities returns the certificates of STARPOST_TEST_CA; nil for the system's.
func authorities(t *testing.T) *x509.CertPool {
	t.Helper()
	file := os.Getenv("STARPOST_TEST_CA")
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		t.Fatalf("no certificate in %s", file)
	}
	return pool
}

// emptied empties the INBOX and removes the contract's folder.
func emptied(t *testing.T, cfg mailbox.Config) {
	t.Helper()
	c := rawClient(t, cfg)
	defer hangUp(t, c)
	for _, name := range []string{"Starpost/Done", "Starpost.Done", "INBOX.Starpost.Done"} {
		_ = c.Delete(name).Wait() // most of them do not exist
	}
	all := imap.SeqSet{imap.SeqRange{Start: 1, Stop: 0}}
	flag := &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}
	// Mails that another connection has just put in may show only at the next look.
	for range 10 {
		box, err := c.Select("INBOX", nil).Wait()
		if err != nil {
			t.Fatal(err)
		}
		if box.NumMessages == 0 {
			return
		}
		if err := c.Store(all, flag, nil).Close(); err != nil {
			t.Fatal(err)
		}
		if err := c.Expunge().Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the mailbox does not get empty")
}
