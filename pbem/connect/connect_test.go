package connect_test

import (
	"bytes"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	msgauth "github.com/emersion/go-msgauth/dkim"

	"starpost/pbem/config"
	"starpost/pbem/connect"
	"starpost/pbem/dkim"
	"starpost/pbem/loopback"
	"starpost/pbem/outgoing"
)

// TestMailsAreSignedAsConfigured: what a mailbox with [dkim] sends verifies with the record for its key. A key that
// has been lost since is reported before anything is sent.
func TestMailsAreSignedAsConfigured(t *testing.T) {
	var got [][]byte
	servers, err := loopback.Start([]loopback.User{{Address: "ann@example.net"}}, loopback.Options{OnDelivery: func(_, _ string, raw []byte) { got = append(got, bytes.Clone(raw)) }})
	if err != nil {
		t.Fatal(err)
	}
	host, port, err := net.SplitHostPort(servers.SMTPAddr())
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "key")
	key, _, err := dkim.KeyIn(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	box := config.Mailbox{
		Address: "battles@example.org", SMTP: config.Server{Host: host, Port: number, TLS: config.TLSNone},
		DKIM: &config.DKIM{Domain: "example.org", Selector: "sp", KeyFile: file, Key: config.NewSecret(string(text))},
	}
	w := connect.New(slog.New(slog.DiscardHandler))
	session, err := w.Sender(t.Context(), box)
	if err != nil {
		t.Fatal(err)
	}
	mail := outgoing.Envelope{From: box.Address, To: "ann@example.net", Data: []byte("From: battles@example.org\r\nSubject: a\r\n\r\nText\r\n")}
	if _, err := session.Send(t.Context(), mail); err != nil {
		t.Fatal(err)
	}
	session.Close()
	if err := servers.Close(); err != nil {
		t.Fatal(err)
	}
	record, err := key.Record()
	if err != nil || len(got) != 1 {
		t.Fatal(err, got)
	}
	asked := ""
	found, err := msgauth.VerifyWithOptions(bytes.NewReader(got[0]), &msgauth.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
		asked = name
		return []string{record}, nil
	}})
	if err != nil || len(found) != 1 || found[0].Err != nil || asked != "sp._domainkey.example.org" {
		t.Errorf("%+v, %v, asked %q of\n%s", found, err, asked, got[0])
	}
	box.DKIM.Key = config.NewSecret("")
	if _, err := w.Sender(t.Context(), box); err == nil {
		t.Error("a mailbox without its key sends")
	}
}
