package turn_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/fault"
	"starpost/pbem/mime"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// TestDrawnTheSameAgain: another process draws the same page, picture and mail from the same directory, in any order.
func TestDrawnTheSameAgain(t *testing.T) {
	g := newPond(t, 1)
	sendAll(t, g)
	resolve(t, g, "")
	other := openPond(t, g.Dir())
	for _, form := range []turn.Form{turn.SVG, turn.HTML} {
		for _, ship := range []string{"ada", "bea", "ada"} {
			one, again := drawn(t, g, 1, ship, form), drawn(t, other, 1, ship, form)
			if len(one) == 0 || !bytes.Equal(one, again) {
				t.Errorf("%s of %s: got %d bytes, then %d others", form, ship, len(one), len(again))
			}
		}
	}
	if one, again := posted(t, g, vault.Stage{Turn: 1}, "bob.eml"), posted(t, other, vault.Stage{Turn: 1}, "bob.eml"); !bytes.Equal(one, again) {
		t.Errorf("the mail is drawn otherwise:\n%s\n%s", one, again)
	}
}

// TestPageOfAnotherViewIsNotDrawn: if this program makes a view that differs from the stored one, it does not present
// it as what the captain has. The mail is still sent, without a page.
func TestPageOfAnotherViewIsNotDrawn(t *testing.T) {
	g := newPond(t, 1)
	sendAll(t, g)
	resolve(t, g, "")
	sound, err := mime.Read(posted(t, g, vault.Stage{Turn: 1}, "bob.eml"))
	if err != nil || sound.HTMLText() == "" {
		t.Fatalf("the mail has no page: %v", err)
	}
	other := rewrite(t, g, 1, vault.ViewsFile, func(views []byte) []byte {
		at := bytes.Index(views, []byte(`{"view":"bea"`))
		return append(bytes.Clone(views[:at]), bytes.Replace(views[at:], []byte(`"title":"The Pond"`), []byte(`"title":"The Lake"`), 1)...)
	})
	d, err := turn.Draw(other, vault.Stage{Turn: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []turn.Form{turn.HTML, turn.SVG} {
		_, err := d.Report(engine.Seat{Ship: "bea"}, form)
		if !errors.Is(err, turn.ErrNotDrawn) || !strings.Contains(fmt.Sprint(err), vault.ViewsFile) || !strings.Contains(fmt.Sprint(err), "bea") || fault.Hint(err) == "" {
			t.Errorf("%s: got %v, hint %q", form, err, fault.Hint(err))
		}
		if _, err := d.Report(engine.Seat{Ship: "ada"}, form); err != nil {
			t.Errorf("the page of another captain: %v", err)
		}
	}
	if text, err := d.Report(engine.Seat{Ship: "bea"}, turn.Text); err != nil || !strings.Contains(string(text), "The Pond") {
		t.Errorf("got %q, %v", text, err)
	}
	raw, without, err := d.Mail("bob.eml")
	if err != nil || !errors.Is(without, turn.ErrNotDrawn) {
		t.Fatalf("got %v, %v", without, err)
	}
	read, err := mime.Read(raw)
	if err != nil || read.HTMLText() != "" || read.Text != sound.Text || read.MessageID != sound.MessageID || !bytes.Contains(raw, []byte("The Lake")) {
		t.Errorf("got the mail\n%s\n%v", raw, err)
	}
}

// TestUnreadableOutbox: a damaged or unknown outbox.json is reported, and the text stays available.
func TestUnreadableOutbox(t *testing.T) {
	g := newPond(t, 1)
	for what, text := range map[string]string{
		"format 9 is not known":     `{"format":9}`,
		"it cannot be read":         `{`,
		"unknown time zone Mars/Up": `{"format":1,"zone":"Mars/Up"}`,
		"has no report for ada":     `{"format":1,"zone":"UTC"}`,
		"there is no mail bob.eml":  `{"format":1,"zone":"UTC"}`,
	} {
		other := rewrite(t, g, 0, vault.OutboxFile, func([]byte) []byte { return []byte(text) })
		d, err := turn.Draw(other, vault.Stage{})
		if err != nil {
			t.Fatal(err)
		}
		_, page := d.Report(engine.Seat{Ship: "ada"}, turn.HTML)
		_, _, mail := d.Mail("bob.eml")
		if got := fmt.Sprint(page, mail); page == nil || mail == nil || !strings.Contains(got, what) || fault.Hint(mail) == "" {
			t.Errorf("%s: got %s, hint %q", what, got, fault.Hint(mail))
		}
		if _, err := d.Report(engine.Seat{Ship: "ada"}, turn.Text); err != nil {
			t.Errorf("%s: the text: %v", what, err)
		}
	}
}

// TestUnreadableViews: so is a damaged file of views, with the place of the damage.
func TestUnreadableViews(t *testing.T) {
	g := newPond(t, 1)
	sendAll(t, g)
	resolve(t, g, "")
	for what, text := range map[string]string{
		"record 1, byte 0: it does not end":            `{`,
		"record 2, byte 13: it is neither an event":    `{"event":{}} {}`,
		"no view of ada":                               `{"event":{}}`,
		"the view of ada has no events \"1-2\"":        `{"event":{"x":1}} {"view":"ada","at":1,"sees":"1-2","of":{"x":[]}}`,
		"the view of ada has no events \"2-1\"":        `{"event":{"x":1}} {"view":"ada","at":1,"sees":"2-1","of":{"x":[]}}`,
		"the view of ada has no events \"1-9999999":    `{"view":"ada","at":1,"sees":"1-99999999999999999999","of":{"x":[]}}`,
		"the view of ada has no place 100":             `{"view":"ada","at":100,"of":{}}`,
		"record 1, byte 0: it is neither an event nor": `{"n":"o"}`,
	} {
		other := rewrite(t, g, 1, vault.ViewsFile, func([]byte) []byte { return []byte(text) })
		d, err := turn.Draw(other, vault.Stage{Turn: 1})
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Report(engine.Seat{Ship: "ada"}, turn.JSON)
		if !errors.Is(err, turn.ErrNotDrawn) || !strings.Contains(fmt.Sprint(err), what) || fault.Hint(err) == "" {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// TestFilesOfATurn: a fleet's turn has few files, and none of them repeats another.
func TestFilesOfATurn(t *testing.T) {
	enginetest.Sequential(t)
	g := newFleets(t, 20)
	if _, err := turn.Resolve(g, turn.Options{Now: noon(3)}); err != nil {
		t.Fatal(err)
	}
	m, err := g.Stages.Manifest(vault.At(3))
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for name := range m.Files {
		data, err := g.Stages.File(vault.At(3), name)
		if err != nil {
			t.Fatal(err)
		}
		size += len(data)
	}
	if len(m.Mails) != 20 || len(m.Files)+1 > mostFiles || size > 2500<<10 {
		t.Errorf("got %d mails, %d files and %d KB, want 20, at most %d and 2500", len(m.Mails), len(m.Files)+1, size>>10, mostFiles)
	}
}

// mostFiles is for a turn of twenty captains.
const mostFiles = 50

func drawn(tb testing.TB, g *vault.Game, n int, ship string, form turn.Form) []byte {
	tb.Helper()
	d, err := turn.Draw(g, vault.Stage{Turn: n})
	if err != nil {
		tb.Fatal(err)
	}
	data, err := d.Report(engine.Seat{Ship: engine.ShipID(ship)}, form)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// rewrite changes a file of a turn and its hash in a copy of a game, as another program would have written them.
func rewrite(tb testing.TB, g *vault.Game, n int, name string, change func([]byte) []byte) *vault.Game {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "copy")
	if err := copyTree(dir, g.Dir()); err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(dir, "turns", vault.Stage{Turn: n}.Base(), filepath.FromSlash(name))
	was, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	is := change(bytes.Clone(was))
	if bytes.Equal(was, is) {
		tb.Fatalf("%s was not changed:\n%s", name, was)
	}
	if err := os.WriteFile(path, is, 0o600); err != nil {
		tb.Fatal(err)
	}
	manifest := filepath.Join(filepath.Dir(path), vault.ManifestFile)
	if strings.Contains(name, "/") {
		manifest = filepath.Join(filepath.Dir(filepath.Dir(path)), vault.ManifestFile)
	}
	text, err := os.ReadFile(manifest)
	if err != nil {
		tb.Fatal(err)
	}
	text = bytes.Replace(text, []byte(vault.Fingerprint(name, was)), []byte(vault.Fingerprint(name, is)), 1)
	if err := os.WriteFile(manifest, text, 0o600); err != nil {
		tb.Fatal(err)
	}
	return openPond(tb, dir)
}

// TestMailsLeadToTheComposer: if there is a page for composing orders, the mail of a turn links to it, with the
// attached view. The text stays as stored.
func TestMailsLeadToTheComposer(t *testing.T) {
	g := newPond(t, 1)
	sendAll(t, g)
	resolve(t, g, "")
	plain, err := mime.Read(posted(t, g, vault.Stage{Turn: 1}, "bob.eml"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := turn.Draw(g, vault.Stage{Turn: 1})
	if err != nil {
		t.Fatal(err)
	}
	d.Composer, d.House = "https://club.example/compose/v1/", "The Tuesday Club"
	raw, without, err := d.Mail("bob.eml")
	if err != nil || without != nil {
		t.Fatal(err, without)
	}
	read, err := mime.Read(raw)
	if err != nil {
		t.Fatal(err)
	}
	const link = "Compose your orders: https://club.example/compose/v1/#1."
	const above = "To compose your orders by clicking on a map, open the link at the end.\n\n"
	text, way, ok := strings.Cut(read.Text, link)
	if !ok || strings.TrimSpace(strings.Replace(text, above, "", 1)) != strings.TrimSpace(plain.Text) || !strings.Contains(text, above+"== Orders due") || strings.Contains(strings.TrimSpace(way), "\n") {
		t.Errorf("the mail does not lead to the page by a line of its own:\n%s", read.Text)
	}
	_, packed, _ := strings.Cut(strings.TrimSpace(way), ".")
	small, err := base64.RawURLEncoding.DecodeString(packed)
	if err != nil {
		t.Fatal(err)
	}
	if small, err = io.ReadAll(flate.NewReader(bytes.NewReader(small))); err != nil || !json.Valid(small) || !bytes.Contains(small, []byte(`"events":[]`)) {
		t.Errorf("the link does not hold the view without events, but, %v:\n%s", err, small)
	}
	if !bytes.Contains(raw, []byte(`{"n":1,`)) {
		t.Error("the attached view has no events, so the link's shows nothing")
	}
	const words = "Compose your orders on the map"
	if !strings.Contains(read.HTMLText(), words) || strings.Contains(plain.HTMLText(), words) || strings.Contains(plain.Text, link) {
		t.Error("the page of the report does not lead there, or does without a site")
	}
	if house := ": The Tuesday Club " + g.Settings().Title + " <"; bytes.Count(raw, []byte(house)) != 2 {
		t.Errorf("the mail is not from %s, or replies go elsewhere:\n%s", house, raw)
	}
}
