package mime

import (
	"testing"
)

func TestReadPlain(t *testing.T) {
	m, err := Read([]byte("From: Ann <ann@example.org>\r\nTo: robot+7K4Q92FM@example.org\r\nSubject: =?utf-8?q?orders_=E2=9C=93?=\r\nMessage-ID: <1@example.org>\r\nReferences: <a@b>\r\n <c@d>\r\n\r\n#orders wolf turn 3 ship Hood key 7K4Q-92FM\r\npower\r\n#end\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "#orders wolf turn 3 ship Hood key 7K4Q-92FM\npower\n#end\n"; m.Text != want {
		t.Errorf("text %q, want %q", m.Text, want)
	}
	if m.Subject != "orders ✓" || m.MessageID != "1@example.org" || len(m.References) != 2 || m.From[0].Name != "Ann" || len(m.Warnings) > 0 {
		t.Errorf("%+v", m)
	}
}
