package desk_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	openpgp "github.com/ProtonMail/go-crypto/openpgp/v2"

	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/pgp"
	"starpost/pbem/vault"
)

// signer returns a new key.
func signer(t *testing.T, name string) *openpgp.Entity {
	t.Helper()
	e, err := openpgp.NewEntity(name, "", name+"@example.org", at(began.AddDate(0, -1, 0)))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func at(moment time.Time) *packet.Config {
	return &packet.Config{Time: func() time.Time { return moment }}
}

// register makes a key Kirk's.
func (o *office) register(e *openpgp.Entity) {
	o.t.Helper()
	var out bytes.Buffer
	w, err := armor.Encode(&out, "PGP PUBLIC KEY BLOCK", nil)
	if err != nil {
		o.t.Fatal(err)
	}
	if err := e.Serialize(w); err != nil {
		o.t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		o.t.Fatal(err)
	}
	dir := filepath.Join(o.game.Dir(), vault.KeysDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		o.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kirk.asc"), out.Bytes(), 0o600); err != nil {
		o.t.Fatal(err)
	}
}

func clearSigned(t *testing.T, e *openpgp.Entity, text string, made time.Time) string {
	t.Helper()
	var out bytes.Buffer
	w, err := clearsign.Encode(&out, e.PrivateKey, at(made))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String() + "\n"
}

func TestOpenPGP(t *testing.T) {
	o := newOffice(t)
	o.desk.Signatures = pgp.Checker{}
	kirk, eve := signer(t, "kirk"), signer(t, "eve")
	made := began.Add(time.Minute)
	good := clearSigned(t, kirk, "Orders:\n\n"+keyless(4), made)

	if h := o.send("kirk@example.org", good, dated(1)); !hasCode(h, codes.BadSignature) || !strings.Contains(h.text(), "your OpenPGP key cannot be read here") {
		t.Errorf("the key's file is missing: %s", h.text())
	}
	o.register(kirk)
	if h := o.send("kirk@example.org", "Hi\n"+good+"Bye\n", dated(1)); h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "2:4") {
		t.Fatalf("%s\n%s", h.Reason, h.text())
	}
	later := made.Add(time.Hour)
	body := "Content-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(keyless(6), "\n", "\r\n")
	var detached bytes.Buffer
	if err := openpgp.ArmoredDetachSign(&detached, []*openpgp.Entity{kirk}, strings.NewReader(body), &openpgp.SignParams{Config: at(later)}); err != nil {
		t.Fatal(err)
	}
	mixed := func(part string) string {
		return "--b\n" + strings.ReplaceAll(part, "\r\n", "\n") + "\n--b\nContent-Type: application/pgp-signature\n\n" + detached.String() + "\n--b--\n"
	}
	header := "Content-Type: multipart/signed; protocol=\"application/pgp-signature\"; boundary=b"
	wrapped := func(part, head, tail string) handled {
		o.mail++
		raw := "From: kirk@example.org\nTo: " + robot + "\nMIME-Version: 1.0\n" + head + "\n" + part + tail
		return o.handle([]byte(raw))
	}
	for _, c := range []struct{ name, text, code string }{
		{"another's", clearSigned(t, eve, keyless(6), later), codes.BadSignature},
		{"changed", strings.Replace(clearSigned(t, kirk, keyless(8), later), "2:8", "2:6", 1), codes.BadSignature},
		{"again", good, codes.Stale},
		{"beside", keyless(6) + clearSigned(t, kirk, "Hello", later), codes.BadSignature},
	} {
		if h := o.send("kirk@example.org", c.text, dated(5)); len(h.Steps) > 0 || !hasCode(h, c.code) {
			t.Errorf("%s: %s\n%s", c.name, h.Reason, h.text())
		}
	}
	if h := wrapped(mixed(strings.Replace(body, "2:6", "2:8", 1)), header+"\n", ""); len(h.Steps) > 0 || !hasCode(h, codes.BadSignature) {
		t.Errorf("PGP/MIME, changed: %s\n%s", h.Reason, h.text())
	}
	// Orders before the signed part are not covered.
	outer := "Content-Type: multipart/mixed; boundary=a\n"
	front := "--a\nContent-Type: text/plain\n\n" + keyless(8) + "\n--a\n" + header + "\n\n" + mixed(strings.Replace(body, "#orders", "Hello", 1)) + "\n--a--\n"
	if h := wrapped(front, outer, ""); len(h.Steps) > 0 {
		t.Errorf("orders before the signed part: %s", h.Reason)
	}
	if h := wrapped(mixed(body), header+"\n", ""); h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "2:6") {
		t.Errorf("PGP/MIME: %s\n%s", h.Reason, h.text())
	}
}
