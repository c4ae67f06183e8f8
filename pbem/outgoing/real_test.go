package outgoing_test

import (
	"bytes"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"starpost/pbem/mailbox"
	"starpost/pbem/outgoing"
	"starpost/pbem/transport"
)

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

// realArrivals empties the INBOX of a user on a real server. It returns a plus address of that user
// for one test only, and a function that waits for the first n mails to it, without the headers
// that servers add at the top.
func realArrivals(t *testing.T, addr, user string, cfg outgoing.Config) (to string, arrived func(n int) [][]byte) {
	t.Helper()
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	box, err := mailbox.Dial(ctx, mailbox.Config{
		Server: transport.Server{
			Host: host, Port: number, TLS: os.Getenv("STARPOST_TEST_IMAP_TLS"), User: user, Password: cfg.Password, RootCAs: cfg.RootCAs,
		},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	list := func() []uint32 {
		if _, _, err := box.Select(ctx); err != nil {
			t.Fatal(err)
		}
		uids, err := box.List(ctx, 0)
		if err != nil {
			t.Fatal(err)
		}
		return uids
	}
	if err := box.Move(ctx, list(), "Earlier"); err != nil {
		t.Fatal(err)
	}
	local, domain, _ := strings.Cut(user, "@")
	to = fmt.Sprintf("%s+%d@%s", local, time.Now().UnixNano(), domain)
	return to, func(n int) [][]byte {
		for {
			var mails [][]byte
			if err := box.Fetch(ctx, list(), func(m mailbox.Mail) error {
				if bytes.Contains(m.Raw, []byte("Delivered-To: "+to+"\r\n")) {
					mails = append(mails, withoutTrace(m.Raw))
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if len(mails) >= n {
				return mails
			}
			if err := box.Wait(ctx, time.Minute); err != nil {
				t.Fatalf("%d mails arrived, want %d: %v", len(mails), n, err)
			}
		}
	}
}

// withoutTrace removes the header fields that servers add at the top of a mail.
func withoutTrace(raw []byte) []byte {
	for {
		line, rest, ok := bytes.Cut(raw, []byte("\r\n"))
		name, _, _ := bytes.Cut(line, []byte(":"))
		switch {
		case !ok:
			return raw
		case bytes.HasPrefix(line, []byte(" ")), bytes.HasPrefix(line, []byte("\t")):
		case bytes.EqualFold(name, []byte("Received")), bytes.EqualFold(name, []byte("Return-Path")), bytes.EqualFold(name, []byte("Delivered-To")):
		default:
			return raw
		}
		raw = rest
	}
}
