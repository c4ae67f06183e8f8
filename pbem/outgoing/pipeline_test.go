package outgoing

import (
	"bufio"
	"bytes"
	"net/textproto"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLeadingDotsAreStuffed: the result equals that of the standard library's writer, except for a
// lone CR, which that leaves unchanged too.
func TestLeadingDotsAreStuffed(t *testing.T) {
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
		if got := string(appendDotted(nil, data)) + ".\r\n"; got != want.String() {
			t.Fatalf("%q is said as %q, want %q", data, got, want.String())
		}
	})
}

// TestDottedTakesNoMemory: a session that sends one mail after the other reuses its memory.
func TestDottedTakesNoMemory(t *testing.T) {
	data := []byte("Subject: x\r\n\r\n.a { color: red }\r\nline\r\n")
	memory := make([]byte, 0, 2*len(data))
	if n := testing.AllocsPerRun(10, func() { memory = appendDotted(memory[:0], data) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
