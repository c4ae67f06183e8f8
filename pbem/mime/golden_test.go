package mime

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// files returns the raw mails of testdata/corpus, by name. All are our own: replies and mails with
// a name that starts with a client's were written by that client if the README.md there says so,
// and otherwise imitate it.
func files(tb testing.TB) map[string][]byte {
	tb.Helper()
	list, err := filepath.Glob("testdata/corpus/*.eml")
	if err != nil || len(list) < 150 {
		tb.Fatalf("%d mails in the corpus, %v", len(list), err)
	}
	out := map[string][]byte{}
	for _, f := range list {
		raw, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(f), ".eml")] = raw
	}
	return out
}

// outcome describes the result of reading a mail.
func outcome(raw []byte) string {
	var b strings.Builder
	say := func(name string, value any) {
		if s := fmt.Sprint(value); s != "" && s != "[]" {
			fmt.Fprintf(&b, "%s: %s\n", name, s)
		}
	}
	m, err := Read(raw)
	say("from", m.From)
	say("to", m.To)
	say("cc", m.Cc)
	say("reply-to", m.ReplyTo)
	say("subject", m.Subject)
	say("id", m.MessageID)
	say("answers", m.InReplyTo)
	say("automatic", m.Automatic)
	if m.Uncertain {
		say("uncertain", true)
	}
	if bounce, ok := ReadBounce(raw); ok {
		fmt.Fprintf(&b, "bounce: %+v\n", bounce)
	}
	if err != nil {
		say("error", err)
	}
	say("source", m.Source)
	say("attached", m.AttachedName)
	for _, s := range m.Signed {
		fmt.Fprintf(&b, "signed: %d bytes, signature of %d, text of %d\n", len(s.Content), len(s.Signature), len(s.Text))
	}
	for _, w := range m.Warnings {
		say("warning", w)
	}
	section := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "--- %s\n%s", name, text)
			if !strings.HasSuffix(text, "\n") {
				b.WriteString("\\ no line end\n")
			}
		}
	}
	section("text", m.Text)
	if m.Attached != m.Text {
		section("attached", m.Attached)
	}
	section("shown", m.HTMLText())
	return b.String()
}

func TestGolden(t *testing.T) {
	for name, raw := range files(t) {
		t.Run(name, func(t *testing.T) {
			golden := filepath.Join("testdata", "corpus", name+".golden")
			got := outcome(raw)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v (go test -run TestGolden -update writes it)", err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			m, _ := Read(raw)
			check(t, m)
			// The same mail with the line ends of the wire and of a file.
			if bytes.Contains(raw, []byte("\r")) {
				return
			}
			if wire := outcome([]byte(crlf(string(raw)))); wire != got && len(m.Signed) == 0 {
				t.Errorf("with the line ends of the wire:\n%s\nwith those of files:\n%s", wire, got)
			}
		})
	}
}

func TestGoldensCoverEveryFile(t *testing.T) {
	list, err := filepath.Glob("testdata/corpus/*.golden")
	if err != nil {
		t.Fatal(err)
	}
	mails := files(t)
	for _, f := range list {
		if name := strings.TrimSuffix(filepath.Base(f), ".golden"); mails[name] == nil {
			t.Errorf("%s has no mail", f)
		}
	}
}
