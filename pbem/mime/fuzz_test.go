package mime

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// seeds are the start of fuzzing.
func seeds(f *testing.F) {
	f.Helper()
	for _, c := range corpus {
		f.Add([]byte(crlf(c.raw)))
	}
	for _, raw := range files(f) {
		if len(raw) < 8<<10 {
			f.Add(raw)
		}
	}
}

func FuzzRead(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := Read(raw)
		if err != nil && !errors.Is(err, errNoText) && !errors.Is(err, ErrTooLarge) {
			t.Errorf("error %v", err)
		}
		if (err == nil) != (m.Text != "") {
			t.Errorf("error %v with a text of %d bytes", err, len(m.Text))
		}
		check(t, m)
		for _, s := range m.Signed {
			if len(s.Content) > 3*maxSignedBytes || len(s.Signature) > maxSignature || !utf8.ValidString(s.Text) {
				t.Errorf("signed part of %d bytes, signature of %d", len(s.Content), len(s.Signature))
			}
			if s.Signature != nil && strings.Contains(strings.ReplaceAll(string(s.Content), "\r\n", ""), "\n") {
				t.Errorf("signed content with a bare line end")
			}
		}
		for _, field := range m.Fields() {
			for _, v := range m.Header(field.Name) {
				if !utf8.ValidString(v) || strings.ContainsAny(v, "\r\n\x00") {
					t.Errorf("field %s is %q", field.Name, v)
				}
			}
		}
		if shown := m.HTMLText(); !utf8.ValidString(shown) || len(shown) > MaxText {
			t.Errorf("shown text of %d bytes", len(shown))
		}
	})
}

func FuzzReadBounce(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, ok := ReadBounce(raw)
		if !ok {
			if b != (Bounce{}) {
				t.Errorf("no bounce, and %+v", b)
			}
			return
		}
		for _, s := range []string{b.Recipient, b.Status, b.Action, b.Diagnostic, b.MessageID} {
			if !utf8.ValidString(s) || strings.ContainsAny(s, "\r\n\x00") || len(s) > 1000 {
				t.Errorf("%q is not one line of clean text", s)
			}
		}
		if b.Action != BounceFailed && b.Action != BounceDelayed {
			t.Errorf("action %q", b.Action)
		}
		if len(b.Status) < 5 || b.Permanent != (b.Action == BounceFailed && b.Status[0] == '5') {
			t.Errorf("status %q, %s, permanent %v", b.Status, b.Action, b.Permanent)
		}
	})
}
