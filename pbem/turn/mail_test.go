package turn_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"os"
	"testing"
)

// attachment extracts a file from a mail with the standard library.
func attachment(t *testing.T, raw []byte, name string) []byte {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for {
		p, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			t.Fatalf("no attachment %s", name)
		}
		if err != nil {
			t.Fatal(err)
		}
		if p.FileName() != name {
			continue
		}
		// JSON is sent as text if possible, with the line ends of mail.
		if p.Header.Get("Content-Transfer-Encoding") == "7bit" {
			data, err := io.ReadAll(p)
			if err != nil {
				t.Fatal(err)
			}
			return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
		}
		data, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, p))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
}

func copyTree(to, from string) error { return os.CopyFS(to, os.DirFS(from)) }
