// Package metrics gives the daemon's figures to Prometheus. It counts what the daemon tells of, asks it how it stands when
// someone wants to know, and changes nothing.
//
// The page is of the text format 0.0.4, which every version of Prometheus reads: a line of help, a line with the type, and a line for each
// figure, with its labels. With its own library eight modules are set up by each process, a seventh of what a command takes to start.
package metrics

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"sync"
	"syscall"
	"time"

	"starpost/pbem/daemon"
	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
)

// Metrics are the daemon's figures as Prometheus reads them: counts of what it
// told of, and how it stands when someone asks.
type Metrics struct {
	version string
	started time.Time
	status  func() daemon.Status
	games   func() []games.GameStatus // nil: no game is told of by name

	mu     sync.Mutex
	counts map[string]map[string]float64 // by figure and labels
}

// The names of labels.
const (
	labelMailbox = "mailbox"
	labelOutcome = "outcome"
	labelKind    = "kind"
	labelGame    = "game"
	labelState   = "state"
)

// What is counted.
const (
	mailsIn  = "starpost_mails_in_total"
	mailsOut = "starpost_mails_out_total"
	turns    = "starpost_turns_resolved_total"
	troubles = "starpost_errors_total"
)

// New makes figures without any count, for a program of that version.
func New(version string) *Metrics {
	return &Metrics{version: version, started: time.Now(), counts: map[string]map[string]float64{turns: {"": 0}}}
}

// Watch counts what the daemon tells of.
func (m *Metrics) Watch(e process.Event) {
	switch e.Kind {
	case process.Handled:
		m.count(mailsIn, labelMailbox, e.Mailbox, labelOutcome, e.Outcome)
	case process.Sent, process.Unsent:
		m.count(mailsOut, labelMailbox, e.Mailbox, labelOutcome, e.Outcome)
	case process.Resolved, process.Over:
		m.count(turns)
	case process.Down:
		m.count(troubles, labelKind, e.Outcome, labelMailbox, e.Mailbox)
	case process.Trouble:
		m.count(troubles, labelKind, "trouble", labelMailbox, e.Mailbox)
	}
}

// count adds one to a figure.
func (m *Metrics) count(name string, of ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counts[name] == nil {
		m.counts[name] = map[string]float64{}
	}
	m.counts[name][labels(of...)]++
}

// Ask has the figures tell how the daemon stands whenever they are asked for; games tells
// of each game, nil for not.
func (m *Metrics) Ask(status func() daemon.Status, games func() []games.GameStatus) {
	m.status, m.games = status, games
}

// text is the page.
func (m *Metrics) text() []byte {
	var p page
	p.figure("starpost_info", "gauge", "The program that runs.")
	p.value(labels("version", m.version), 1)
	m.mu.Lock()
	for _, c := range [][2]string{
		{mailsIn, "Mails that were dealt with, by what they were taken for: done, refused or ignored."},
		{mailsOut, "Attempts to send a mail, by outcome: delivered, temporary failure, permanent failure or ambiguous."},
		{turns, "Turns that were resolved."},
		{troubles, "Trouble, by kind: of a server at each try, of a game or a mail when it is new."},
	} {
		p.figure(c[0], "counter", c[1])
		p.values(m.counts[c[0]])
	}
	m.mu.Unlock()
	if m.status != nil {
		m.standing(&p)
	}
	p.figure("go_goroutines", "gauge", "Goroutines that there are.")
	p.value("", float64(runtime.NumGoroutine()))
	p.figure("process_start_time_seconds", "gauge", "When the process began.")
	p.value("", seconds(m.started))
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) == nil {
		p.figure("process_cpu_seconds_total", "counter", "Processor time that the process has taken.")
		p.value("", time.Duration(used.Utime.Nano()+used.Stime.Nano()).Seconds())
	}
	if bytes, ok := resident(); ok {
		p.figure("process_resident_memory_bytes", "gauge", "Memory that the process has.")
		p.value("", bytes)
	}
	return p.b
}

// standing tells how the daemon stands.
func (m *Metrics) standing(p *page) {
	status := m.status()
	p.figure("starpost_mails_waiting", "gauge", "Mails waiting to be sent.")
	p.value("", float64(status.Waiting))
	p.figure("starpost_mailbox_last_look_timestamp_seconds", "gauge", "When a mailbox was last read; 0: never.")
	for _, b := range status.Mailboxes {
		p.value(labels(labelMailbox, b.Address), seconds(b.Looked))
	}
	p.figure("starpost_games", "gauge", "Games by state: running, paused, over, trouble.")
	p.values(map[string]float64{
		labels(labelState, "running"): float64(status.Games.Running), labels(labelState, "paused"): float64(status.Games.Paused),
		labels(labelState, "over"): float64(status.Games.Over), labels(labelState, "trouble"): float64(status.Games.Trouble),
	})
	p.figure("starpost_orders_missing", "gauge", "Ships whose orders for the turn that is due are missing, in all games.")
	p.value("", float64(status.Games.Missing))
	if m.games == nil {
		return
	}
	all := m.games()
	p.figure("starpost_game_turn", "gauge", "The turn that is due; 0 when the game is over.")
	for _, g := range all {
		p.value(ofGame(g), float64(g.Turn))
	}
	p.figure("starpost_game_orders_missing", "gauge", "Ships whose orders for the turn that is due are missing.")
	for _, g := range all {
		p.value(ofGame(g), float64(g.Missing))
	}
	p.figure("starpost_game_deadline_timestamp_seconds", "gauge", "Until when orders are waited for, grace included.")
	for _, g := range all {
		if !g.Deadline.IsZero() {
			p.value(ofGame(g), seconds(g.Deadline))
		}
	}
}

func ofGame(g games.GameStatus) string { return labels(labelGame, g.ID, labelMailbox, g.Mailbox) }

// patience is how long a client may take to send its request, and to read the answer.
const patience = 5 * time.Second

// Listen serves the figures over HTTP at addr until end is called.
func (m *Metrics) Listen(addr string, log *slog.Logger) (end func(), err error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fault.New("choose another port in [metrics] listen, or leave the section out", "listen for those who ask for metrics: %v", err)
	}
	mux := http.NewServeMux()
	asking := make(chan struct{}, 4)
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		select {
		case asking <- struct{}{}:
			defer func() { <-asking }()
		default:
			http.Error(w, "others are asking, try again", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		if _, err := w.Write(m.text()); err != nil {
			log.Debug("telling figures failed", "err", err)
		}
	})
	server := &http.Server{
		Handler: mux, ReadTimeout: patience, WriteTimeout: 2 * patience, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics server failed", "err", err)
		}
	}()
	log.Info("metrics server started", "listen", l.Addr().String())
	return func() {
		if err := server.Close(); err != nil {
			log.Debug("metrics closed", "err", err)
		}
		<-done
	}, nil
}
