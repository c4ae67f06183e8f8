// Package metrics exports the daemon's figures to Prometheus. It counts the daemon's events, asks for its status on
// each request, and changes nothing.
package metrics

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"starpost/pbem/daemon"
	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
)

// Metrics are the daemon's figures for Prometheus: counts of events, and the status at the time of a request.
type Metrics struct {
	registry *prometheus.Registry
	in, out  *prometheus.CounterVec
	turns    prometheus.Counter
	troubles *prometheus.CounterVec
}

// Names of labels.
const (
	labelMailbox = "mailbox"
	labelOutcome = "outcome"
	labelKind    = "kind"
	labelGame    = "game"
	labelState   = "state"
)

// New returns figures with all counts at zero, for a program of the given version.
func New(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		in: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "starpost_mails_in_total", Help: "Mails that were dealt with, by what they were taken for: done, refused or ignored.",
		}, []string{labelMailbox, labelOutcome}),
		out: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "starpost_mails_out_total", Help: "Attempts to send a mail, by outcome: delivered, temporary failure, permanent failure or ambiguous.",
		}, []string{labelMailbox, labelOutcome}),
		turns: prometheus.NewCounter(prometheus.CounterOpts{Name: "starpost_turns_resolved_total", Help: "Turns that were resolved."}),
		troubles: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "starpost_errors_total", Help: "Trouble, by kind: of a server at each try, of a game or a mail when it is new.",
		}, []string{labelMailbox, labelKind}),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "starpost_info", Help: "The program that runs.", ConstLabels: prometheus.Labels{"version": version},
	})
	info.Set(1)
	m.registry.MustRegister(m.in, m.out, m.turns, m.troubles, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Watch counts an event of the daemon.
func (m *Metrics) Watch(e process.Event) {
	switch e.Kind {
	case process.Handled:
		m.in.WithLabelValues(e.Mailbox, e.Outcome).Inc()
	case process.Sent, process.Unsent:
		m.out.WithLabelValues(e.Mailbox, e.Outcome).Inc()
	case process.Resolved, process.Over:
		m.turns.Inc()
	case process.Down:
		m.troubles.WithLabelValues(e.Mailbox, e.Outcome).Inc()
	case process.Trouble:
		m.troubles.WithLabelValues(e.Mailbox, "trouble").Inc()
	}
}

// Ask adds the daemon's status, read on every request, and the status of each game unless games is nil.
func (m *Metrics) Ask(status func() daemon.Status, games func() []games.GameStatus) {
	m.registry.MustRegister(&figures{status, games})
}

// figures collects the daemon's status.
type figures struct {
	status func() daemon.Status
	games  func() []games.GameStatus // nil: no figures by game
}

var (
	descWaiting  = prometheus.NewDesc("starpost_mails_waiting", "Mails waiting to be sent.", nil, nil)
	descLooked   = prometheus.NewDesc("starpost_mailbox_last_look_timestamp_seconds", "When a mailbox was last read; 0: never.", []string{labelMailbox}, nil)
	descGames    = prometheus.NewDesc("starpost_games", "Games by state: running, paused, over, trouble.", []string{labelState}, nil)
	descOwed     = prometheus.NewDesc("starpost_orders_missing", "Ships whose orders for the turn that is due are missing, in all games.", nil, nil)
	descTurn     = prometheus.NewDesc("starpost_game_turn", "The turn that is due; 0 when the game is over.", []string{labelGame, labelMailbox}, nil)
	descDeadline = prometheus.NewDesc("starpost_game_deadline_timestamp_seconds", "Until when orders are waited for, grace included.", []string{labelGame, labelMailbox}, nil)
	descMissing  = prometheus.NewDesc("starpost_game_orders_missing", "Ships whose orders for the turn that is due are missing.", []string{labelGame, labelMailbox}, nil)
)

// Describe implements prometheus.Collector.
func (*figures) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descWaiting, descLooked, descGames, descOwed, descTurn, descDeadline, descMissing} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (f *figures) Collect(out chan<- prometheus.Metric) {
	status := f.status()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	gauge(descWaiting, float64(status.Waiting))
	for _, b := range status.Mailboxes {
		gauge(descLooked, seconds(b.Looked), b.Address)
	}
	for state, n := range map[string]int{"running": status.Games.Running, "paused": status.Games.Paused, "over": status.Games.Over, "trouble": status.Games.Trouble} {
		gauge(descGames, float64(n), state)
	}
	gauge(descOwed, float64(status.Games.Missing))
	if f.games == nil {
		return
	}
	for _, g := range f.games() {
		gauge(descTurn, float64(g.Turn), g.ID, g.Mailbox)
		gauge(descMissing, float64(g.Missing), g.ID, g.Mailbox)
		if !g.Deadline.IsZero() {
			gauge(descDeadline, seconds(g.Deadline), g.ID, g.Mailbox)
		}
	}
}

// seconds returns a time as Prometheus writes it, 0 for none.
func seconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}

// patience is how long a client may take to send its request; it has twice as long to read the answer.
const patience = 5 * time.Second

// Listen serves the figures over HTTP at addr until end is called.
func (m *Metrics) Listen(addr string, log *slog.Logger) (end func(), err error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fault.New("choose another port in [metrics] listen, or leave the section out", "listen for those who ask for metrics: %v", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, ErrorHandling: promhttp.ContinueOnError}))
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
