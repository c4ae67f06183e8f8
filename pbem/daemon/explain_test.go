package daemon_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/desk"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/lobby"
	"starpost/pbem/mime"
	"starpost/pbem/store/hosted"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/vault"
)

// explained returns Explain's result for a mail.
func (w *world) explained(raw string) desk.Explanation {
	w.t.Helper()
	m, err := mime.Read([]byte(raw))
	e, err := daemon.Explain(w.t.Context(), process.Options{Config: w.cfg, Catalogue: w.cat, Library: w.library},
		identity.Incoming{Mail: m, Err: err, SHA256: vault.Hash([]byte(raw)), Received: w.clock.Now()}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// sameAnswer explains a mail and lets the daemon handle it. The answer must equal the explained one to the byte, and
// mails must go only to those named. It reports whether there was an answer.
func (w *world) sameAnswer(name, raw string) bool {
	w.t.Helper()
	e := w.explained(raw)
	w.box.put(raw)
	var answer *sentMail
	var others []string
	for _, m := range w.run() {
		switch id := strings.Trim(m.MessageID, "<>"); {
		case strings.HasPrefix(id, desk.KindAck+"."), strings.HasPrefix(id, desk.KindHelp+"."), strings.HasPrefix(id, desk.KindStranger+"."), strings.HasPrefix(id, desk.KindText+"."):
			answer = &m
		case strings.HasPrefix(id, effect.KindMessage+"."), strings.HasPrefix(id, effect.KindReport+"."), strings.HasPrefix(id, effect.KindTold+"."), strings.HasPrefix(id, effect.KindConfirm+"."), strings.HasPrefix(id, command.KindAsk+"."):
			others = append(others, m.to+": "+m.Subject)
		}
	}
	var told []string
	for _, m := range e.Mails {
		told = append(told, m.To+": "+m.Subject)
	}
	slices.Sort(others)
	slices.Sort(told)
	if !slices.Equal(others, told) {
		w.t.Errorf("%s: mails went to\n%s\nexplained were those to\n%s", name, strings.Join(others, "\n"), strings.Join(told, "\n"))
	}
	switch {
	case (answer == nil) != (e.Answer == nil):
		w.t.Errorf("%s: answered %t, explained %t (%s: %s)", name, answer != nil, e.Answer != nil, e.Outcome, e.Reason)
	case answer == nil:
	case answer.Text != e.Answer.Text || answer.Subject != e.Answer.Subject || answer.to != e.Answer.To:
		w.t.Errorf("%s: the answer is\nTo: %s\nSubject: %s\n%s\nexplained was\nTo: %s\nSubject: %s\n%s", name, answer.to, answer.Subject, answer.Text, e.Answer.To, e.Answer.Subject, e.Answer.Text)
	}
	return answer != nil
}

// openStore is a store that stays open when a daemon closes it.
type openStore struct{ process.Store }

func (openStore) Close() error { return nil }

// keepStore gives all daemons of the world one store: opening it for each of hundreds of mails takes longer than the
// mails do.
func (w *world) keepStore() {
	w.t.Helper()
	if err := os.MkdirAll(w.cfg.State, 0o700); err != nil {
		w.t.Fatal(err)
	}
	s, err := sqlite.Open(hosted.File(w.cfg))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			w.t.Error(err)
		}
	})
	w.store = func() (process.Store, error) { return openStore{s}, nil }
}

// slow returns a schedule by which no turn falls due while mails come day by day.
func slow(robot string) vault.MailSettings {
	m := vault.DefaultMail()
	m.Robot, m.Deadline, m.ChangeWindow, m.Open = robot, 365*clock.Day, 30*clock.Day, true
	return m
}

// TestExplainTellsTheAnswer explains every raw mail in the testdata before the daemon gets it.
func TestExplainTellsTheAnswer(t *testing.T) {
	enginetest.Sequential(t)
	for _, c := range []struct {
		pattern, robot, hood, riskadh string
		captains                      [2]engine.CaptainName
	}{
		{"../mime/testdata/corpus/*.eml", "battles@example.org", "ann@example.org", "bo@example.net", [2]engine.CaptainName{"Hood", "Riskadh"}},
		{"../desk/testdata/replies/*/*.eml", robot, kirk, kor, [2]engine.CaptainName{"Kirk", "Kor"}},
	} {
		files, err := filepath.Glob(c.pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(c.pattern, err)
		}
		w := newWorld(t)
		w.keepStore()
		w.cfg.Address, w.cfg.AnswersPerHour, w.cfg.StrangersPerDay, w.cfg.Mail.Footer = c.robot, 1000, 1000, "The host's own line."
		g := w.made("wolf", "big-bad-wolf", slow(c.robot), vault.Captain{Name: c.captains[0], Address: c.hood, Ships: []string{"Hood"}},
			vault.Captain{Name: c.captains[1], Address: c.riskadh, Ships: []string{"Riskadh"}})
		answered := 0
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			w.clock.Set(w.clock.Now().Add(25 * time.Hour)) // some answers go out once a day
			if w.sameAnswer(f, strings.ReplaceAll(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\n", "\r\n")) {
				answered++
			} else { // the next answer mentions an unanswered mail, which only the daemon knows
				w.box.put(w.mail(c.hood, "status"))
				w.run()
			}
			if err := g.Orders.Drop(vault.At(1), "Hood"); err != nil {
				t.Fatal(err)
			}
		}
		if answered < len(files)/2 {
			t.Errorf("%s: %d of %d mails were answered", c.pattern, answered, len(files))
		}
	}
}

// TestExplainTellsTheAnswerToCommands does the same with commands of captains, strangers and the referee, each of
// which changes the games.
func TestExplainTellsTheAnswerToCommands(t *testing.T) {
	w := newWorld(t)
	w.keepStore()
	w.cfg.AnswersPerHour, w.cfg.StrangersPerDay = 1000, 1000
	w.cfg.Lobby = &config.Lobby{AnswersPerDay: 1000, Create: config.CreateAnyone, Practice: 2, Games: 20, Offer: []string{"convoy"}}
	w.library = &lobby.Library{Families: []family.Family{fasa.Family()}, Texts: os.DirFS("../../docs")}
	g := w.game("wolf", slow(robot))
	set := func(lines ...string) string {
		_, text, _ := strings.Cut(w.order(g, "Kirk", lines...), "\r\n\r\n")
		return strings.ReplaceAll(text, "\r\n", "\n")
	}
	const sam = "sam@example.org"
	key := strings.Fields(set())[7]
	for _, c := range [][2]string{
		{kirk, "hello there"},
		{kirk, "help"},
		{kirk, "help pursue"},
		{kirk, "games"},
		{kirk, "status"},
		{kirk, "report"},
		{kirk, "replay"},
		{kirk, set("power", "  move 8", "phase 1", "  move F")},
		{kirk, set("power", "  mvoe 8")},
		{kirk, "check\n" + set("power", "  move 4")},
		{kirk, set("power", "  move 12", "phase 1", "  move FF") + "#final\n#status\n"},
		{kirk, "#wait key " + key},
		{kirk, "#final key " + key},
		{kirk, "power\n  move 12\n"},
		{kirk, "#message to Riskadh key " + key + "\nYield!\n#end\n"},
		{kirk, "#away 2026-04-01 2026-04-03 key " + key},
		{kirk, "#back key " + key},
		{kirk, "#vote draw key " + key},
		{kirk, "#vote continue key " + key},
		{kirk, "#name Jim key " + key},
		{kirk, "#cancel key " + key},
		{kirk, "#protest 0 key " + key},
		{kirk, "#address jim@example.org key " + key},
		{kirk, "#invite bess@example.org key " + key},
		{sam, "hello there"},
		{sam, "help"},
		{sam, "games"},
		{sam, "rules"},
		{sam, "join wolf"},
		{sam, "join convoy"},
		{sam, "practice"},
		{sam, "create convoy"},
		{sam, "observe wolf"},
		{sam, "confirm abcd"},
		{refAddress, "help"},
		{refAddress, "status"},
		{refAddress, "#pause wolf"},
		{kirk, "#resign key " + key},
		{sam, "games"},
		{sam, "join wolf as Hood"},
	} {
		w.clock.Set(w.clock.Now().Add(25 * time.Hour))
		w.sameAnswer(c[0]+": "+c[1], w.mail(c[0], c[1]))
	}
}
