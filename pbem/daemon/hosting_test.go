package daemon_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/pbem/vault"
	"starpost/templates"
)

// A host's own templates are used in the text of the next turn's report, which is stored with it, and in
// its page, which is drawn when the mail is sent.
func TestHostTemplatesInReportMails(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	page, err := os.ReadFile(filepath.Join("..", "..", "templates", "files", "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	host, mistakes := templates.Load(fstest.MapFS{
		"report.txt":  {Data: []byte("The fleet of the blue lamp, turn {{.Turn}}, for {{.Captain}}.\n")},
		"report.html": {Data: []byte(strings.Replace(string(page), `{{template "top" .}}`, `{{template "top" .}}<p>Page of the blue lamp</p>`, 1))},
	}, "mails")
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	w.cfg.Templates = host
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	sent := w.run()
	for to, captain := range map[string]string{kirk: "Kirk", kor: "Kor"} {
		got := sent.to(to, "Turn 1: report")
		if len(got) != 1 || !strings.Contains(got[0].Text, "The fleet of the blue lamp, turn 1, for "+captain+".") || !strings.Contains(got[0].HTMLText(), "Page of the blue lamp") {
			t.Errorf("%s got\n%s\n%v", captain, sent, got)
		}
	}
}

// Each mail ends with the host's footer, and reports also with the line on help. The game directory is
// unchanged.
func TestFooter(t *testing.T) {
	w := newWorld(t)
	w.cfg.Mail.Footer = "Run by the <Tuesday> club"
	g := w.game("wolf", schedule())
	first := w.run().to(kirk, "begins")
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.mail(kirk, "#report"))
	sent := append(first, w.run().to(kirk, "")...)
	if len(sent) != 4 {
		t.Fatalf("sent:\n%s", sent)
	}
	for _, m := range sent {
		tag, domain, _ := strings.Cut(strings.TrimPrefix(m.ReplyTo[0].Addr, "starpost+"), "@")
		if !slices.Contains(m.References, tag+".reply@"+domain) {
			t.Errorf("%s does not bring its key to programs that answer to From: %q", m.Subject, m.References)
		}
		report := strings.Contains(m.Subject, "begins")
		foot := "\n--\nRun by the <Tuesday> club\n"
		if report {
			foot = "\n--\nFor a list of commands, send help as the first line of a mail.\n" +
				"To ask the referee, send #message to referee, then your question, then #end.\nOr write to " + refAddress + ".\nRun by the <Tuesday> club\n"
		}
		if !strings.HasSuffix(m.Text, foot) || m.HTMLText() != "" && !strings.Contains(m.HTMLText(), "Run by the <Tuesday> club") {
			t.Errorf("%s ends otherwise:\n%s\n%s", m.Subject, m.Text[max(0, len(m.Text)-300):], m.HTMLText()[max(0, len(m.HTMLText())-200):])
		}
	}
	text, err := g.Stages.File(vault.At(0), "reports/hood.txt")
	if err != nil || strings.Contains(string(text), "Tuesday") {
		t.Errorf("%v: the turn holds the host's line", err)
	}
}

// Of many games some are broken, each in a different way. The others play.
func TestBrokenGamesAmongMany(t *testing.T) {
	cut := func(name string, to int64) func(dir string) error {
		return func(dir string) error { return os.Truncate(filepath.Join(dir, name), to) }
	}
	write := func(name, text string) func(dir string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) }
	}
	ways := []func(dir string) error{
		cut("game.toml", 0), cut("game.toml", 200), write("game.toml", "format = 99\n"), write("secret", "none\n"), write("journal.jsonl", "{}\n{}\n"),
		cut("turns/0000/state.json", 100), cut("turns/0000/manifest.json", 9), cut("secret", 0),
		func(dir string) error { return os.RemoveAll(filepath.Join(dir, "turns")) },
		func(dir string) error {
			return os.Rename(filepath.Join(dir, "turns", "0000"), filepath.Join(dir, "turns", "0003"))
		},
	}
	w := newWorld(t)
	var games []*vault.Game
	for i := range 2 * len(ways) {
		games = append(games, w.game(fmt.Sprintf("game%02d", i), schedule()))
	}
	broken := func(i int) bool { return i%2 == 1 }
	for i, g := range games {
		if broken(i) {
			if err := ways[i/2](g.Dir()); err != nil {
				t.Fatal(err)
			}
			continue
		}
		w.box.put(w.order(g, "Kirk", "final"))
		w.box.put(w.order(g, "Kor", "final"))
	}
	_, err := w.once()
	for i, g := range games {
		switch {
		case broken(i) && (err == nil || !strings.Contains(err.Error(), filepath.Base(g.Dir()))):
			t.Errorf("nothing is said of %s: %v", g.ID(), err)
		case !broken(i) && w.turnOf(g) != 1:
			t.Errorf("%s stands at turn %d", g.ID(), g.Turn())
		}
	}
	if n := len(w.delivered().to(kirk, "Turn 1: report")); n != len(ways) || w.box.left() != 0 {
		t.Errorf("%d reports for Kirk, %d mails left", n, w.box.left())
	}
}

// A store of a newer version is left unchanged, and the error says so.
func TestNewerStore(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	w.run()
	path := filepath.Join(w.cfg.State, "ledger.db")
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	// The format is SQLite's user_version, bytes 60 to 63: https://www.sqlite.org/fileformat2.html
	if _, err := f.WriteAt([]byte{0, 0, 0, 99}, 60); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = daemon.Open(process.Options{Config: w.cfg, Catalogue: w.cat})
	if !errors.Is(err, store.ErrNewer) || !strings.Contains(fault.Hint(err), "version of starpost that wrote it") {
		t.Errorf("error %v, hint %q", err, fault.Hint(err))
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the store was changed (%v)", err)
	}
}
