package outgoing_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	msgauth "github.com/emersion/go-msgauth/dkim"

	"starpost/pbem/dkim"
	"starpost/pbem/loopback"
	"starpost/pbem/outgoing"
)

// opened returns a session that lasts until the end of the test.
func opened(t *testing.T, cfg outgoing.Config) *outgoing.Session {
	t.Helper()
	sender, err := outgoing.NewSender(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := sender.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(session.Close)
	return session
}

// TestMailsAreSigned: sent mails have a signature that a receiver can verify. A bad key holds a mail back and loses
// nothing.
func TestMailsAreSigned(t *testing.T) {
	key, _, err := dkim.KeyIn(filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	record, err := key.Record()
	if err != nil {
		t.Fatal(err)
	}
	_, box, cfg := serve(t, loopback.Options{})
	cfg.Sign = dkim.Signer{Domain: "example.org", Selector: "sp", Key: key}.Sign
	env := outgoing.Envelope{From: host, To: captain, Data: []byte("From: " + host + "\r\nTo: " + captain + "\r\nSubject: a\r\n\r\n.hello\r\n")}
	session := opened(t, cfg)
	for range 2 {
		if outcome, err := session.Send(t.Context(), env); outcome != outgoing.Delivered {
			t.Fatal(outcome, err)
		}
	}
	mails := box.all()
	if len(mails) != 2 {
		t.Fatalf("%d mails came", len(mails))
	}
	for _, raw := range mails {
		found, err := msgauth.VerifyWithOptions(bytes.NewReader(raw), &msgauth.VerifyOptions{LookupTXT: func(string) ([]string, error) { return []string{record}, nil }})
		if err != nil || len(found) != 1 || found[0].Err != nil || found[0].Domain != "example.org" {
			t.Errorf("signatures %+v, %v of\n%s", found, err, raw)
		}
	}
	cfg.Sign = func([]byte) ([]byte, error) { return nil, errors.New("no key") }
	if outcome, err := opened(t, cfg).Send(t.Context(), env); outcome != outgoing.TemporaryFailure || !strings.Contains(fmt.Sprint(err), "no key") {
		t.Errorf("without a key: %v, %v", outcome, err)
	}
}
