package metrics

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/daemon"
	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
)

// asked returns the lines that Prometheus would read, without comments.
func asked(t *testing.T, m *Metrics, method, path string) (code int, lines map[string]bool) {
	t.Helper()
	var logged bytes.Buffer
	end, err := m.Listen("127.0.0.1:0", slog.New(slog.NewTextHandler(&logged, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	_, rest, _ := strings.Cut(logged.String(), "listen=")
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+strings.TrimSpace(rest)+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		t.Fatal(err)
	}
	lines = map[string]bool{}
	for line := range strings.Lines(string(text)) {
		lines[strings.TrimSpace(line)] = true
	}
	return resp.StatusCode, lines
}

func TestMetrics(t *testing.T) {
	m := New("v1.2.3")
	for _, e := range []process.Event{
		{Kind: process.Handled, Mailbox: "a@x", Outcome: "done"},
		{Kind: process.Handled, Mailbox: "a@x", Outcome: "done"},
		{Kind: process.Handled, Mailbox: "b@x", Outcome: "refused"},
		{Kind: process.Sent, Mailbox: "a@x", Outcome: "delivered"},
		{Kind: process.Unsent, Mailbox: "a@x", Outcome: "ambiguous"},
		{Kind: process.Resolved, Game: "wolf"},
		{Kind: process.Over, Game: "wolf"},
		{Kind: process.Down, Mailbox: "b@x", Outcome: "imap login refused"},
		{Kind: process.Trouble, Game: "wolf"},
		{Kind: process.Idle},
		{Kind: process.Looked, Mailbox: "a@x"},
	} {
		m.Watch(e)
	}
	m.Ask(func() daemon.Status {
		return daemon.Status{
			Waiting:   3,
			Mailboxes: []daemon.MailboxStatus{{Address: "a@x", Looked: time.Unix(1_800_000_000, 500_000_000)}, {Address: "b@x"}},
			Games:     games.GameCounts{Running: 7, Over: 2, Paused: 3, Trouble: 1, Missing: 5},
		}
	}, func() []games.GameStatus {
		return []games.GameStatus{
			{ID: "wolf", Mailbox: "a@x", Turn: 2, Deadline: time.Unix(1_800_000_060, 0), Missing: 1},
			{ID: "cub", Mailbox: "b@x"},
		}
	})
	code, lines := asked(t, m, http.MethodGet, "/metrics")
	if code != http.StatusOK {
		t.Errorf("code %d", code)
	}
	for _, want := range []string{
		`starpost_info{version="v1.2.3"} 1`,
		`starpost_mails_in_total{mailbox="a@x",outcome="done"} 2`,
		`starpost_mails_in_total{mailbox="b@x",outcome="refused"} 1`,
		`starpost_mails_out_total{mailbox="a@x",outcome="delivered"} 1`,
		`starpost_mails_out_total{mailbox="a@x",outcome="ambiguous"} 1`,
		`starpost_turns_resolved_total 2`,
		`starpost_errors_total{kind="imap login refused",mailbox="b@x"} 1`,
		`starpost_errors_total{kind="trouble",mailbox=""} 1`,
		`starpost_mails_waiting 3`,
		`starpost_mailbox_last_look_timestamp_seconds{mailbox="a@x"} 1.8000000005e+09`,
		`starpost_mailbox_last_look_timestamp_seconds{mailbox="b@x"} 0`,
		`starpost_games{state="running"} 7`, `starpost_games{state="paused"} 3`, `starpost_games{state="over"} 2`, `starpost_games{state="trouble"} 1`,
		`starpost_orders_missing 5`,
		`starpost_game_turn{game="wolf",mailbox="a@x"} 2`,
		`starpost_game_deadline_timestamp_seconds{game="wolf",mailbox="a@x"} 1.80000006e+09`,
		`starpost_game_orders_missing{game="wolf",mailbox="a@x"} 1`,
	} {
		if !lines[want] {
			t.Errorf("missing: %s", want)
		}
	}
	told, err := os.ReadFile(filepath.Join("..", "..", "docs", "operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if name := f.GetName(); strings.HasPrefix(name, "starpost_") && !strings.Contains(string(told), "| `"+name+"` |") {
			t.Errorf("docs/operating.md does not tell %s", name)
		}
	}
	if code, _ := asked(t, m, http.MethodGet, "/"); code != http.StatusNotFound {
		t.Errorf("another path: %d", code)
	}
	if code, _ := asked(t, m, http.MethodPost, "/metrics"); code != http.StatusMethodNotAllowed {
		t.Errorf("another method: %d", code)
	}
}

func TestMetricsPortInUse(t *testing.T) {
	m := New("v1")
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, nil))
	end, err := m.Listen("127.0.0.1:0", log)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	_, addr, _ := strings.Cut(logged.String(), "listen=")
	if _, err := New("v1").Listen(strings.TrimSpace(addr), log); fault.Hint(err) == "" {
		t.Errorf("error %v", err)
	}
}
