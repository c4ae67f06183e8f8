package compose_test

import (
	"net/url"
	"strings"
	"testing"

	"starpost/engine/rules/fasa"
	"starpost/pbem/compose"
)

// aView is the data of some report, and the orders of a robot by it.
func aView(t *testing.T) (view []byte, text string) {
	t.Helper()
	battles(t, fasa.Family(), "stcs-basic", 1, func(_ *testing.T, s seat) { view, text = s.view, s.text })
	if view == nil {
		t.Fatal("no battle was played")
	}
	return view, text
}

// TestMailBringsTheOrders: the mail and the address that opens it hold the text as it is; what is too long, or goes to no
// address, is in no such address.
func TestMailBringsTheOrders(t *testing.T) {
	view, _ := aView(t)
	text := "#orders game turn 1 ship X key 7K4Q-92FM\npower\n  move 8 ; 100% & more?\n#end"
	for _, test := range []struct {
		to, text string
		link     bool
	}{
		{"robot+wolf@example.org", text, true},
		{"robot@example.org", text + strings.Repeat("\n; a remark", 200), false},
		{"", text, false},
		{"robot@example.org?bcc=all@example.org", text, false},
		{"a@b\r\nBcc: c@d", text, false},
		{"robot", text, false},
	} {
		d := compose.New(families())
		ask(t, d, map[string]any{"do": "open", "view": string(view), "to": test.to})
		a := ask(t, d, map[string]any{"do": "mail", "text": test.text})
		if !a.OK || strings.TrimSpace(a.Body) != test.text || (a.Mailto != "") != test.link {
			t.Errorf("%q: got %+v", test.to, a)
			continue
		}
		if !test.link {
			continue
		}
		u, err := url.Parse(a.Mailto)
		if err != nil {
			t.Fatal(err)
		}
		to, err := url.PathUnescape(u.Opaque)
		if err != nil {
			t.Fatal(err)
		}
		if body := strings.ReplaceAll(u.Query().Get("body"), "\r\n", "\n"); to != test.to || body != a.Body || len(u.Query()) != 2 {
			t.Errorf("%s opens a mail to %q with %q", a.Mailto, to, body)
		}
	}
}
