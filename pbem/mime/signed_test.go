package mime

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// What mutt and GnuPG signed can be verified with the returned bytes, from a file and from the
// wire.
func TestSignedBytes(t *testing.T) {
	armored, err := os.ReadFile("testdata/keys/ann.asc")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := openpgp.ReadArmoredKeyRing(bytes.NewReader(armored))
	if err != nil {
		t.Fatal(err)
	}
	cfg := &packet.Config{Time: func() time.Time { return time.Date(2026, 3, 2, 20, 0, 0, 0, time.UTC) }}
	mails := files(t)
	for _, name := range []string{"reply-mutt-signed-only", "reply-mutt-signed-top", "reply-mutt-signed-inline", "new-mutt-clearsigned"} {
		for ends, raw := range map[string][]byte{"file": mails[name], "wire": []byte(crlf(string(mails[name])))} {
			m, err := Read(raw)
			if err != nil || len(m.Signed) != 1 {
				t.Fatalf("%s, %s: %d signed parts, %v", name, ends, len(m.Signed), err)
			}
			s := m.Signed[0]
			if s.Signature == nil {
				block, _ := clearsign.Decode(s.Content)
				if block == nil {
					t.Fatalf("%s, %s: no clear-signed text", name, ends)
				}
				if _, err := block.VerifySignature(keys, cfg); err != nil {
					t.Errorf("%s, %s: %v", name, ends, err)
				}
				if text := NormaliseText(string(block.Plaintext)); !strings.HasPrefix(text, "#orders ") || !strings.Contains(m.Text, strings.TrimSpace(text)) {
					t.Errorf("%s, %s: signed is %q, read was %q", name, ends, text, m.Text)
				}
				continue
			}
			if !strings.Contains(m.Text, s.Text) || !strings.Contains(s.Text, "#orders wolf turn 1 ship Hood") {
				t.Errorf("%s, %s: the text of the signed part is %q", name, ends, s.Text)
			}
			if _, err := openpgp.CheckArmoredDetachedSignature(keys, bytes.NewReader(s.Content), bytes.NewReader(s.Signature), cfg); err != nil {
				t.Errorf("%s, %s: %v", name, ends, err)
			}
			forged := bytes.Replace(s.Content, []byte("move 24"), []byte("move 25"), 1)
			if _, err := openpgp.CheckArmoredDetachedSignature(keys, bytes.NewReader(forged), bytes.NewReader(s.Signature), cfg); err == nil && !bytes.Equal(forged, s.Content) {
				t.Errorf("%s, %s: a changed text verifies", name, ends)
			}
		}
	}
}

func TestSignedByOthers(t *testing.T) {
	const part = "--b\nContent-Type: text/plain\n\nhello\n"
	sig := func(media string) string {
		return "--b\nContent-Type: " + media + "\nContent-Transfer-Encoding: base64\n\nAAAA\n--b--\n"
	}
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"OpenPGP":      {part + sig("application/pgp-signature; name=signature.asc"), 1},
		"S/MIME":       {part + sig("application/pkcs7-signature; name=smime.p7s"), 0},
		"no signature": {part + "--b--\n", 0},
		"too long":     {"--b\n\n" + strings.Repeat("x\n", maxSignedBytes) + sig("application/pgp-signature"), 0},
		"too many":     {strings.Repeat("--b\nContent-Type: multipart/signed; boundary=c\n\n"+strings.ReplaceAll(part+sig("application/pgp-signature"), "--b", "--c"), maxSigned+2) + "--b--\n", maxSigned},
	} {
		kind := "signed"
		if name == "too many" {
			kind = "mixed"
		}
		m, _ := Read([]byte(person + "Content-Type: multipart/" + kind + "; boundary=b\n\n" + c.body))
		if len(m.Signed) != c.want {
			t.Errorf("%s: %d signed parts, want %d", name, len(m.Signed), c.want)
		}
		if c.want == 1 && (string(m.Signed[0].Content) != "Content-Type: text/plain\r\n\r\nhello" || string(m.Signed[0].Signature) != "\x00\x00\x00" || m.Signed[0].Text != "hello") {
			t.Errorf("%s: %+v", name, m.Signed[0])
		}
	}
}
