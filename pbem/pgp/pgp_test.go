package pgp

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	openpgp "github.com/ProtonMail/go-crypto/openpgp/v2"

	"starpost/pbem/mime"
)

var born = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// person creates a key that is valid for a number of days, 0 for ever.
func person(tb testing.TB, name string, days int) *openpgp.Entity {
	tb.Helper()
	c := config(born)
	c.KeyLifetimeSecs = uint32(days * 24 * 3600)
	e, err := openpgp.NewEntity(name, "", strings.ToLower(name)+"@example.org", c)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// public returns the armored public key of one or several people.
func public(tb testing.TB, people ...*openpgp.Entity) []byte {
	tb.Helper()
	var out bytes.Buffer
	w, err := armor.Encode(&out, "PGP PUBLIC KEY BLOCK", nil)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range people {
		if err := e.Serialize(w); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// clearSign makes a cleartext signature.
func clearSign(tb testing.TB, e *openpgp.Entity, text string, c *packet.Config) string {
	tb.Helper()
	var out bytes.Buffer
	w, err := clearsign.Encode(&out, e.PrivateKey, c)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.String() + "\n"
}

// mail reads a mail with the given body.
func mail(tb testing.TB, body string, headers ...string) mime.Mail {
	tb.Helper()
	raw := "From: ann@example.org\n" + strings.Join(headers, "\n") + "\n\n" + body
	if len(headers) == 0 {
		raw = "From: ann@example.org\nContent-Type: text/plain; charset=utf-8\n\n" + body
	}
	m, err := mime.Read([]byte(strings.ReplaceAll(raw, "\n", "\r\n")))
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

const text = "Hello,\n\n#orders wolf turn 1 ship Hood\npower\n  move 8   \n-- dashes\nFrom here\n#end\n"

func TestClearSigned(t *testing.T) {
	ann, eve := person(t, "Ann", 0), person(t, "Eve", 0)
	made := born.AddDate(0, 0, 10)
	now := made.Add(time.Hour)
	signed := clearSign(t, ann, text, config(made))
	short := config(made)
	short.SigLifetimeSecs = 60
	old := person(t, "Ann", 20)
	revoked := person(t, "Ann", 0)
	if err := revoked.Revoke(packet.KeyCompromised, "lost", config(made)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		body string
		key  []byte
		now  time.Time
		why  string // "" for a good signature
	}{
		{"good", signed, public(t, ann), now, ""},
		{"with words around it", "Hi!\n" + signed + "\nBye\n", public(t, ann), now, ""},
		{"with spaces at the ends of lines", strings.ReplaceAll(signed, "power\n", "power  \t\n"), public(t, ann), now, ""},
		{"changed", strings.Replace(signed, "move 8", "move 9", 1), public(t, ann), now, "does not fit the text"},
		{"another's key", signed, public(t, eve), now, "not by the key that is registered"},
		{"no key", signed, nil, now, "no OpenPGP key of yours is registered"},
		{"a key that is none", signed, []byte("ann"), now, "no armored OpenPGP key"},
		{"two keys", signed, public(t, ann, eve), now, "holds 2 OpenPGP keys"},
		{"an expired key", clearSign(t, old, text, config(made)), public(t, old), born.AddDate(0, 0, 30), "has expired"},
		{"a revoked key", clearSign(t, revoked, text, config(made)), public(t, revoked), now, "revoked by its owner"},
		{"an expired signature", clearSign(t, ann, text, short), public(t, ann), now, "signature has expired"},
		{"older than its key", clearSign(t, ann, text, config(born.Add(-time.Hour))), public(t, ann), now, "OpenPGP signature"},
		{"no signature at its end", signed[:strings.Index(signed, "-----BEGIN PGP SIGNATURE")], public(t, ann), now, "cannot be read"},
		{"a broken signature", strings.Replace(signed, "SIGNATURE-----\n\n", "SIGNATURE-----\n\n!!", 1), public(t, ann), now, "cannot be read"},
		{"a header that may not be", strings.Replace(signed, "Hash:", "Charset: utf-8\nHash:", 1), public(t, ann), now, "cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mail(t, c.body)
			got := Checker{}.Signed(m, c.key, c.now)
			if len(got) != 1 {
				t.Fatalf("%d signed texts: %+v", len(got), got)
			}
			if got[0].OK() != (c.why == "") || !strings.Contains(got[0].Why, c.why) {
				t.Errorf("%+v", got[0].Signature)
			}
			if c.why != "" {
				return
			}
			if !got[0].Made.Equal(made) {
				t.Errorf("made %s", got[0].Made)
			}
			if !strings.Contains(got[0].Text, "\n  move 8\n-- dashes\nFrom here\n#end") || strings.Contains(got[0].Text, "Hi!") || strings.Contains(got[0].Text, "Bye") {
				t.Errorf("signed:\n%s", got[0].Text)
			}
		})
	}
	if got := (Checker{}).Signed(mail(t, "Hello\n"), public(t, ann), now); got != nil {
		t.Errorf("an unsigned mail: %+v", got)
	}
}

// detached makes a signature for PGP/MIME.
func detached(tb testing.TB, e *openpgp.Entity, content string, c *packet.Config) string {
	tb.Helper()
	var out bytes.Buffer
	if err := openpgp.ArmoredDetachSign(&out, []*openpgp.Entity{e}, strings.NewReader(strings.ReplaceAll(content, "\n", "\r\n")), &openpgp.SignParams{Config: c}); err != nil {
		tb.Fatal(err)
	}
	return out.String() + "\n"
}

func TestPGPMIME(t *testing.T) {
	ann, eve := person(t, "Ann", 0), person(t, "Eve", 0)
	made := born.AddDate(0, 0, 10)
	part := "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe\n#orders wolf turn 1 ship Hood\nmove 8\n#end\n"
	body := func(part, signature string) string {
		return "--b\n" + part + "\n--b\nContent-Type: application/pgp-signature; name=signature.asc\n\n" + signature + "\n--b--\n"
	}
	headers := []string{"MIME-Version: 1.0", "Content-Type: multipart/signed; micalg=pgp-sha256; protocol=\"application/pgp-signature\"; boundary=b"}
	good := detached(t, ann, part, config(made))
	for _, c := range []struct {
		name, body string
		key        []byte
		why        string
	}{
		{"good", body(part, good), public(t, ann), ""},
		{"another's", body(part, good), public(t, eve), "not by the key"},
		{"changed", body(strings.Replace(part, "move 8", "move 9", 1), good), public(t, ann), "does not fit"},
		{"a header changed", body(strings.Replace(part, "utf-8", "latin1", 1), good), public(t, ann), "does not fit"},
		{"no signature", body(part, "hello"), public(t, ann), "cannot be read"},
		{"a key in its place", body(part, string(public(t, ann))), public(t, ann), "cannot be read"},
		{"two, one of them hers", body(part, two(t, part, made, eve, ann)), public(t, ann), ""},
		{"many", body(part, two(t, part, made, eve, eve, eve, eve, ann)), public(t, ann), "cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Checker{}.Signed(mail(t, c.body, headers...), c.key, made.Add(time.Hour))
			if len(got) != 1 || got[0].OK() != (c.why == "") || !strings.Contains(got[0].Why, c.why) {
				t.Fatalf("%+v", got)
			}
			if c.why == "" && !strings.Contains(got[0].Text, "Grüße\n#orders wolf") {
				t.Errorf("signed:\n%s", got[0].Text)
			}
		})
	}
}

// two returns several signatures of one text in one armor.
func two(tb testing.TB, content string, made time.Time, people ...*openpgp.Entity) string {
	tb.Helper()
	var all bytes.Buffer
	for _, e := range people {
		if err := openpgp.DetachSign(&all, []*openpgp.Entity{e}, strings.NewReader(strings.ReplaceAll(content, "\n", "\r\n")), config(made)); err != nil {
			tb.Fatal(err)
		}
	}
	return armored(tb, all.Bytes())
}

func armored(tb testing.TB, data []byte) string {
	tb.Helper()
	var out bytes.Buffer
	w, err := armor.Encode(&out, "PGP SIGNATURE", nil)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.String() + "\n"
}

// Mails signed by mutt and GnuPG.
func TestSignedByOthers(t *testing.T) {
	key, err := os.ReadFile("../mime/testdata/keys/ann.asc")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"reply-mutt-signed-top", "reply-mutt-signed-inline", "reply-mutt-signed-only", "new-mutt-clearsigned"} {
		raw, err := os.ReadFile("../mime/testdata/corpus/" + name + ".eml")
		if err != nil {
			t.Fatal(err)
		}
		m, err := mime.Read(raw)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)
		got := Checker{}.Signed(m, key, now)
		if len(got) != 1 || !got[0].OK() || !strings.Contains(got[0].Text, "#orders wolf turn 1") {
			t.Errorf("%s: %+v", name, got)
		}
		// Nothing that is covered may be changed.
		bent := bytes.Replace(raw, []byte("move 24"), []byte("move 25"), 1)
		if m, err = mime.Read(bent); err != nil {
			t.Fatal(err)
		}
		if got := (Checker{}).Signed(m, key, now); len(got) != 1 || got[0].OK() {
			t.Errorf("%s, changed: %+v", name, got)
		}
	}
}

// GnuPG's signatures with a hash that can be forged, and with one that cannot.
func TestWeakHash(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	now := time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)
	for name, why := range map[string]string{"sha1.asc": "can be forged", "sha512.asc": ""} {
		got := Checker{}.Signed(mail(t, string(read(name))), read("bo.asc"), now)
		if len(got) != 1 || got[0].OK() != (why == "") || !strings.Contains(got[0].Why, why) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestKeys(t *testing.T) {
	ann, eve := person(t, "Ann", 30), person(t, "Eve", 0)
	var private bytes.Buffer
	w, err := armor.Encode(&private, "PGP PRIVATE KEY BLOCK", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(ann.SerializePrivate(w, config(born)), w.Close()); err != nil {
		t.Fatal(err)
	}
	disguised := bytes.ReplaceAll(private.Bytes(), []byte("PRIVATE"), []byte("PUBLIC"))
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"nothing":                {nil, "no armored OpenPGP key"},
		"text":                   {[]byte("hello"), "no armored OpenPGP key"},
		"a signature":            {[]byte(armored(t, []byte{1})), "no public key"},
		"a private key":          {private.Bytes(), "private OpenPGP key"},
		"a disguised one":        {disguised, "private OpenPGP key"},
		"two keys":               {public(t, ann, eve), "holds 2 OpenPGP keys"},
		"an empty block":         {public(t), "cannot be read"},
		"too large":              {make([]byte, MaxKey+1), "larger than"},
		"a key that was cut off": {public(t, ann)[:200], "key"},
	} {
		k, err := ParseKey(c.file)
		told, ok := errors.AsType[*KeyError](err)
		if k != nil || !ok || !strings.Contains(told.Problem, c.want) || told.Hint() == "" {
			t.Errorf("%s: %v, %v", name, k, err)
		}
	}
	k, err := ParseKey(public(t, ann))
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Usable(born.AddDate(0, 0, 29)); err != nil {
		t.Error(err)
	}
	if err := k.Usable(born.AddDate(0, 0, 31)); err == nil || !strings.Contains(err.Error(), "has expired") {
		t.Errorf("after its time: %v", err)
	}
}

// FuzzSigned: no signature and no key, however strange, does harm, and a good signature was made by
// the key.
func FuzzSigned(f *testing.F) {
	ann := person(f, "Ann", 0)
	key := public(f, ann)
	made := born.AddDate(0, 0, 10)
	signed := clearSign(f, ann, text, config(made))
	f.Add([]byte(signed), []byte(nil))
	f.Add([]byte("hello"), []byte(two(f, "hello", made, ann, ann)))
	f.Add([]byte(nil), []byte{0x88, 0x5e, 4, 0})
	f.Fuzz(func(t *testing.T, content, signature []byte) {
		for _, k := range [][]byte{key, content, signature, nil} {
			for _, s := range (Checker{}).Signed(mime.Mail{Signed: []mime.SignedPart{{Content: content, Signature: signature}}}, k, made.Add(time.Hour)) {
				if s.OK() != (s.Signature.Why == "") || s.OK() && bytes.Equal(k, key) && !s.Made.Equal(made) {
					t.Errorf("%+v", s)
				}
			}
		}
	})
}

// A text is hashed once for each of its signatures that names the key; with too many signatures,
// none is tried.
func TestManySignaturesCostLittle(t *testing.T) {
	ann := person(t, "Ann", 0)
	made := born.AddDate(0, 0, 10)
	for n, want := range map[int]string{maxSignatures: "does not fit", maxSignatures + 1: "cannot be read", 50: "cannot be read"} {
		signed := mime.SignedPart{Content: []byte("y"), Signature: []byte(two(t, "x", made, slices.Repeat([]*openpgp.Entity{ann}, n)...))}
		for _, s := range (Checker{}).Signed(mime.Mail{Signed: []mime.SignedPart{signed}}, public(t, ann), made.Add(time.Hour)) {
			if !strings.Contains(s.Signature.Why, want) {
				t.Errorf("%d signatures: %q, want %q", n, s.Signature.Why, want)
			}
		}
	}
	texts := strings.Repeat(clearSign(t, ann, "x\n", config(made)), maxClear+2)
	if got := (Checker{}).Signed(mime.Mail{Signed: []mime.SignedPart{{Content: []byte(texts)}}}, public(t, ann), made.Add(time.Hour)); len(got) != maxClear {
		t.Errorf("%d of %d texts were checked, want %d", len(got), maxClear+2, maxClear)
	}
}
