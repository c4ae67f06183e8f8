package templates

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file under testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update to write it)", err)
	}
	if bytes.Equal(got, want) {
		return
	}
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			at := 0
			for at < min(len(g[i]), len(w[i])) && g[i][at] == w[i][at] {
				at++
			}
			t.Fatalf("%s, line %d, byte %d:\n got %.200s\nwant %.200s", path, i+1, at+1, g[i][max(at-40, 0):], w[i][max(at-40, 0):])
		}
	}
	t.Fatalf("%s: %d lines, want %d", path, len(g), len(w))
}

// render runs a renderer into memory.
func render[T any](tb testing.TB, draw func(io.Writer, T) error, v T) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := draw(&b, v); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// said returns the text of a mail drawn with the built-in templates.
func said[T any](tb testing.TB, draw func(*Set, T) (string, error), view T) string {
	tb.Helper()
	text, err := draw(nil, view)
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

func reports() map[string]Report {
	return map[string]Report{"duel": duel(), "fleet": fleet(), "tiny": tiny(), "odd": odd(), "empty": {}}
}

func acks() map[string]Ack {
	return map[string]Ack{"kept": keptAck(), "accepted": acceptedAck(), "odd": oddAck(), "empty": {}}
}

func TestReportGoldens(t *testing.T) {
	for name, r := range reports() {
		if name == "empty" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			golden(t, name+".txt", render(t, Text, r))
			golden(t, name+".html", render(t, HTML, r))
			golden(t, name+".svg", render(t, SVG, r.Map))
		})
	}
}

func TestAckGoldens(t *testing.T) {
	for name, a := range acks() {
		if name == "empty" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			golden(t, "ack-"+name+".txt", []byte(said(t, (*Set).AckText, a)))
			golden(t, "ack-"+name+".html", []byte(said(t, (*Set).AckHTML, a)))
		})
	}
}

func TestNoticeGoldens(t *testing.T) {
	for _, kind := range noticeKinds {
		t.Run(string(kind), func(t *testing.T) {
			n := sampleNotice()
			n.Kind = kind
			golden(t, "notice-"+string(kind)+".txt", []byte(said(t, (*Set).NoticeText, n)))
		})
	}
}

// TestOverviews checks the maps that do not fit a page hex by hex.
func TestOverviews(t *testing.T) {
	for name, m := range map[string]Map{"far": farMap(), "farther": fartherMap(), "edge": edgeMap()} {
		t.Run(name, func(t *testing.T) {
			golden(t, "map-"+name+".txt", []byte(ASCIIMap(m)))
			golden(t, "map-"+name+".svg", render(t, SVG, m))
		})
	}
}
