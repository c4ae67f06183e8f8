package dkim_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	theirs "github.com/emersion/go-msgauth/dkim"

	"starpost/pbem/dkim"
)

const mail = "From: Club <battles@example.org>\r\nTo: ann@example.net\r\nSubject: Turn 3\r\n" +
	"Message-ID: <1@example.org>\r\nDate: Mon, 5 Jan 2026 12:00:00 +0000\r\n\r\nHello,\r\n\r\n.dot and  spaces\r\n"

// verify checks a mail like a receiver who finds that record.
func verify(t *testing.T, raw []byte, at, record string) error {
	t.Helper()
	found, err := theirs.VerifyWithOptions(bytes.NewReader(raw), &theirs.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
		if name != at {
			return nil, errors.New("no such record: " + name)
		}
		return []string{record}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 {
		t.Fatalf("%d signatures", len(found))
	}
	return found[0].Err
}

func sameRecord(t *testing.T, a, b dkim.Key) bool {
	t.Helper()
	first, err := a.Record()
	second, err2 := b.Record()
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return first == second
}

func edKey(t *testing.T) dkim.Key {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, private)
}

func parsed(t *testing.T, private any) dkim.Key {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	k, err := dkim.ParseKey(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A signed mail verifies with the record to publish, and no longer after a word was changed or a sender added.
func TestSignatureHolds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys", "dkim")
	ours, made, err := dkim.KeyIn(file)
	if err != nil || !made {
		t.Fatal(made, err)
	}
	if again, made, err := dkim.KeyIn(file); err != nil || made || !sameRecord(t, again, ours) {
		t.Fatalf("the key that is there is not read: %v, %v", made, err)
	}
	for name, key := range map[string]dkim.Key{"rsa": ours, "ed25519": edKey(t)} {
		t.Run(name, func(t *testing.T) {
			record, err := key.Record()
			if err != nil {
				t.Fatal(err)
			}
			raw, err := dkim.Signer{Domain: "example.org", Selector: "sp", Key: key}.Sign([]byte(mail))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(raw, []byte("DKIM-Signature: ")) || !bytes.HasSuffix(raw, []byte(mail)) {
				t.Fatalf("the mail is not what was signed, with a field on top:\n%s", raw)
			}
			const at = "sp._domainkey.example.org"
			if err := verify(t, raw, at, record); err != nil {
				t.Error("as it was signed:", err)
			}
			if err := verify(t, bytes.Replace(raw, []byte("Turn 3"), []byte("Turn 4"), 1), at, record); err == nil {
				t.Error("another subject passes")
			}
			if err := verify(t, bytes.Replace(raw, []byte("Hello"), []byte("Fire"), 1), at, record); err == nil {
				t.Error("another text passes")
			}
			if err := verify(t, append([]byte("From: eve@example.net\r\n"), raw...), at, record); err == nil {
				t.Error("a second sender passes")
			}
		})
	}
}

// A short key, and a text that is no key, are refused.
func TestKeysThatAreRefused(t *testing.T) {
	t.Setenv("GODEBUG", "rsa1024min=0")
	short, err := rsa.GenerateKey(rand.Reader, 768)
	if err != nil {
		t.Fatal(err)
	}
	weak := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(short)})
	if _, err := dkim.ParseKey(weak); err == nil || !strings.Contains(err.Error(), "768 bits") {
		t.Errorf("a short key: %v", err)
	}
	for _, text := range []string{"", "sesame", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		if _, err := dkim.ParseKey([]byte(text)); err == nil || !strings.Contains(err.Error(), "no private key in PEM form") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if raw, err := (dkim.Signer{}).Sign([]byte(mail)); err != nil || string(raw) != mail {
		t.Errorf("without a key a mail is not left as it is: %v", err)
	}
}
