package post

import (
	"bufio"
	"bytes"
	"net/textproto"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestDotted: what is said is what the standard library's writer says, but for a
// lone CR, which it leaves alone too.
func TestDotted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{".", "..", "a", "line", "\r\n", "\r\n", "\n", "\r\n.", ""})).Draw(t, "pieces")
		data := []byte(strings.Join(pieces, ""))
		if len(data) == 0 {
			return
		}
		var want bytes.Buffer
		buffer := bufio.NewWriter(&want)
		w := textproto.NewWriter(buffer).DotWriter()
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := string(dotted(data)) + ".\r\n"; got != want.String() {
			t.Fatalf("%q is said as %q, want %q", data, got, want.String())
		}
	})
}

func TestDottedCopiesNothing(t *testing.T) {
	data := []byte("Subject: x\r\n\r\nline\r\n")
	if got := dotted(data); &got[0] != &data[0] || len(got) != len(data) {
		t.Error("a plain mail was copied")
	}
}
