package crash_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/pbem/config"
	"starpost/pbem/mailbox"
	"starpost/pbem/referee"
	"starpost/pbem/store/hosted"
	"starpost/pbem/transport"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// history holds the results of battles that must not depend on disturbances:
// the events, states and orders of every turn, by file.
type history map[string]string

// of returns the history of some of the games.
func (h history) of(ids []string) history {
	h = maps.Clone(h)
	maps.DeleteFunc(h, func(name, _ string) bool {
		id, _, _ := strings.Cut(name, "/")
		return !slices.Contains(ids, id)
	})
	return h
}

// history reads the history of all games.
func (w *world) history() history {
	w.t.Helper()
	h := history{}
	for id, b := range w.games {
		g, err := b.open()
		if err != nil {
			w.t.Fatal(err)
		}
		for n := range g.Turn() + 1 {
			names := []string{vault.StateFile, vault.EventsFile}
			sets, err := g.Stages.List(vault.At(n), vault.OrdersDir)
			if err != nil {
				w.t.Fatal(err)
			}
			for _, name := range append(names, sets...) {
				data, err := g.Stages.File(vault.At(n), name)
				if err != nil {
					w.t.Fatal(err)
				}
				h[fmt.Sprintf("%s/%d/%s", id, n, name)] = string(data)
			}
		}
	}
	return h
}

// check checks everything against what it should be. With lost, the store was
// lost during the battles and may lack some mails.
func (w *world) check(want history, lost bool) {
	w.t.Helper()
	w.checkGames(want)
	sent := w.checkCopies()
	w.checkAnswers()
	w.checkPast()
	w.checkFolders()
	w.checkStore(sent, lost)
	if w.t.Failed() {
		w.t.Logf("log of the processes:\n%s", tail(w.log.String(), 20000))
	}
}

func tail(s string, n int) string {
	if len(s) > n {
		return "..." + s[len(s)-n:]
	}
	return s
}

// checkGames checks that every turn was played once, with the last valid sets,
// and with the results in want.
func (w *world) checkGames(want history) {
	w.t.Helper()
	got := w.history()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			w.t.Errorf("%s is\n%s\ninstead of\n%s", name, tail(got[name], 500), tail(want[name], 500))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			w.t.Errorf("%s should not be", name)
		}
	}
	for id, b := range w.games {
		g, err := b.open()
		if err != nil {
			w.t.Fatal(err)
		}
		if found, err := proof.Verify(g, nil); err != nil || len(found) > 0 {
			w.t.Errorf("verify %s: %v %v", id, found, err)
		}
		for _, c := range b.captains {
			if !c.done || len(c.answered) != g.Turn() {
				w.t.Errorf("game %s: %s sent orders for %d of %d turns", id, c.name, len(c.answered), g.Turn())
			}
			for n, text := range c.inForce {
				if got := got[fmt.Sprintf("%s/%d/orders/%s.txt", id, n, c.ship)]; got != text {
					w.t.Errorf("game %s turn %d was played with\n%sfor %s, whose last valid set was\n%s", id, n, got, c.ship, text)
				}
			}
		}
		if left, err := filepath.Glob(filepath.Join(b.dir, "*", ".*")); err != nil || len(left) > 0 {
			w.t.Errorf("game %s: left over: %v %v", id, left, err)
		}
	}
}

// checkCopies checks that all mails with one Message-ID were the same, that every
// report went out, and that nothing was sent without a reason. It returns the
// Message-IDs of all mails sent.
func (w *world) checkCopies() map[string]bool {
	w.t.Helper()
	for id, copies := range w.copies {
		for _, c := range copies[1:] {
			if c.raw != copies[0].raw || c.to != copies[0].to {
				w.t.Errorf("two mails with the id %s, to %s and %s:\n%s\n\n%s", id, c.to, copies[0].to, c.raw, copies[0].raw)
			}
		}
	}
	sent, told := map[string]bool{}, 0
	for id, copies := range w.copies {
		m := copies[0]
		sent[id] = w.byID[m.InReplyTo] != nil || w.closings[id] || strings.HasPrefix(id, "letter.")
		if w.shared != nil && m.to == refAddress && strings.HasPrefix(id, "down.") {
			sent[id] = true // servers were unreachable for so long that the referee was told
		}
		if m.to == refAddress && strings.HasPrefix(id, "bounce.") {
			for address := range w.lost {
				sent[id] = sent[id] || strings.Contains(m.Subject, address)
			}
			told++
		}
	}
	if told != len(w.lost) {
		w.t.Errorf("the referee is told of %d addresses that fail, there are %d", told, len(w.lost))
	}
	for words, n := range w.relays {
		if n != 1 {
			w.t.Errorf("%q came %d times", words, n)
		}
	}
	for gid, b := range w.games {
		g, err := b.open()
		if err != nil {
			w.t.Fatal(err)
		}
		for n := range g.Turn() + 1 {
			mails, err := g.Stages.Outbox(vault.Stage{Turn: n})
			if err != nil {
				w.t.Fatal(err)
			}
			for _, m := range mails {
				id := strings.Trim(m.MessageID, "<>")
				if _, ok := sent[id]; !ok {
					w.t.Errorf("game %s: the report of turn %d to %s was never sent", gid, n, m.Captain)
					continue
				}
				sent[id] = true
				if to := w.copies[id][0].to; to != m.To {
					w.t.Errorf("game %s: the report of turn %d for %s went to %s", gid, n, m.To, to)
				}
			}
		}
	}
	for id, known := range sent {
		if !known {
			w.t.Errorf("who asked for this mail?\n%s", tail(w.copies[id][0].raw, 2000))
		}
	}
	return sent
}

// checkAnswers checks that each mail that asks for an answer got one, and the right one.
func (w *world) checkAnswers() {
	w.t.Helper()
	answers := map[string]delivery{}
	for _, copies := range w.copies {
		answers[copies[0].InReplyTo] = copies[0]
	}
	for _, m := range w.byID {
		n := 0
		if m.want.answered() {
			n = 1
		}
		if m.answers != n {
			w.t.Errorf("%s: %d answers, want %d", m.to, m.answers, n)
		}
		if n == 0 || m.answers == 0 {
			continue
		}
		subject := answers[m.id].Subject
		// A late set equal to the one that was played is not refused: the answer says so.
		late := m.want == refused && strings.Contains(subject, "played already")
		if good := !strings.Contains(subject, "not accepted"); good != (m.want != refused) && !late {
			w.t.Errorf("%s: answered with %q", m.to, subject)
		}
	}
}

// checkFolders checks that the inbox is empty and that each mail is in the folder of its outcome.
func (w *world) checkFolders() {
	w.t.Helper()
	if left := w.folder("INBOX"); len(left) > 0 {
		w.t.Errorf("%d mails are left in the inbox, the first:\n%s", len(left), left[0])
	}
	want := map[string][]string{}
	for _, m := range w.mails {
		want[m.folder] = append(want[m.folder], m.raw)
	}
	for _, name := range []string{"Done", "Refused", "Ignored"} {
		got := w.folder("Starpost/" + name)
		slices.Sort(got)
		slices.Sort(want[name])
		if !slices.Equal(got, want[name]) {
			w.t.Errorf("%d mails are in %s, want %d, or they are others", len(got), name, len(want[name]))
		}
	}
}

// folder returns the mails in a mailbox, without the header fields that the server added.
func (w *world) folder(name string) []string {
	w.t.Helper()
	host, port, err := net.SplitHostPort(w.server.IMAPAddr())
	if err != nil {
		w.t.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx := w.t.Context()
	c, err := mailbox.Dial(ctx, mailbox.Config{Server: transport.Server{Host: host, Port: n, TLS: transport.TLSNone, User: robot, Password: password}, Inbox: name}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	defer c.Close()
	if _, _, err := c.Select(ctx); err != nil {
		if strings.Contains(err.Error(), "No such mailbox") || strings.Contains(err.Error(), "no such mailbox") {
			return nil
		}
		w.t.Fatal(err)
	}
	uids, err := c.List(ctx, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	var found []string
	if err := c.Fetch(ctx, uids, func(m mailbox.Mail) error {
		_, raw, _ := bytes.Cut(m.Raw, []byte("\r\nDelivered-To: "))
		_, raw, _ = bytes.Cut(raw, []byte("\r\n"))
		found = append(found, string(raw))
		return nil
	}); err != nil {
		w.t.Fatal(err)
	}
	return found
}

// checkStore checks that all mails are handled and sent, and that the store knows
// and holds all mails, in and out, unless it was lost.
func (w *world) checkStore(sent map[string]bool, lost bool) {
	w.t.Helper()
	ctx := w.t.Context()
	host := &config.Config{State: w.state}
	kind, at := "sqlite", "file:"+hosted.File(host)+"?mode=ro"
	if w.shared != nil {
		host.Store = &config.Store{URL: w.at.URL}
		kind, at = "pgx", w.at.URL
	}
	if o, err := hosted.Inspect(ctx, host); err != nil || o.Waiting != 0 {
		w.t.Errorf("store: %d letters wait, %v", o.Waiting, err)
	}
	db, err := sql.Open(kind, at)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			w.t.Error(err)
		}
	}()
	letters := column(ctx, w.t, db, "SELECT message_id FROM outbox WHERE state = 'sent'")
	for id := range letters {
		if !sent[strings.Trim(id, "<>")] {
			w.t.Errorf("the store says that %s was sent", id)
		}
	}
	if n := column(ctx, w.t, db, "SELECT message_id FROM outbox WHERE state <> 'sent'"); len(n) > 0 {
		w.t.Errorf("letters that are not sent: %v", n)
	}
	if n := column(ctx, w.t, db, "SELECT sha256 FROM mails WHERE state <> 4"); len(n) > 0 {
		w.t.Errorf("mails that are not done: %v", n)
	}
	stored := column(ctx, w.t, db, "SELECT sha256 FROM mails")
	if !lost {
		if len(letters) != len(sent) {
			w.t.Errorf("the store knows of %d letters, %d went out", len(letters), len(sent))
		}
		if n := column(ctx, w.t, db, "SELECT uid FROM mails"); len(n) != len(w.mails) {
			w.t.Errorf("the store knows of %d mails, %d came in", len(n), len(w.mails))
		}
	}
	bag := referee.Postbag{Host: host}
	for sha := range stored {
		if _, err := bag.Load(ctx, sha); err != nil {
			w.t.Error(err)
		}
	}
	if err := filepath.WalkDir(w.state, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".") {
			w.t.Errorf("left over: %s", path)
		}
		return err
	}); err != nil {
		w.t.Fatal(err)
	}
}

// column returns the values of a query with one column.
func column(ctx context.Context, t *testing.T, db *sql.DB, query string) map[string]bool {
	t.Helper()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := map[string]bool{}
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			t.Fatal(err)
		}
		found[v] = true
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}
