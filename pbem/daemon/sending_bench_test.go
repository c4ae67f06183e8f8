package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/loopback"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlite"
)

// BenchmarkSending sends 4 KB mails from the outbox to a server on this machine. The server answers at once, or after
// a delay like servers that scan mails. Each mail is recorded while the next one is being sent, as the daemon does,
// or a hundred at a time, which would send a hundred again after a kill. The store is in TMPDIR.
func BenchmarkSending(b *testing.B) {
	for _, takes := range []time.Duration{0, 5 * time.Millisecond} {
		for _, noted := range []string{"each", "hundreds"} {
			b.Run(fmt.Sprintf("server_%s/noted_%s", takes, noted), func(b *testing.B) { benchSending(b, takes, noted == "hundreds") })
		}
	}
}

func benchSending(b *testing.B, takes time.Duration, late bool) {
	b.Helper()
	taken := 0
	server, err := loopback.Start(nil, loopback.Options{Sink: "void.example", OnDelivery: func(string, string, []byte) {
		taken++
		time.Sleep(takes)
	}})
	if err != nil {
		b.Fatal(err)
	}
	host, text, err := net.SplitHostPort(server.SMTPAddr())
	if err != nil {
		b.Fatal(err)
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		b.Fatal(err)
	}
	cfg := &config.Config{State: b.TempDir(), Address: robot, Poll: clock.Span(time.Minute), SMTP: config.Server{Host: host, Port: port, TLS: config.TLSNone}}
	s, err := sqlite.Open(filepath.Join(cfg.State, "ledger.db"))
	if err != nil {
		b.Fatal(err)
	}
	raw := []byte("Subject: a mail\r\n\r\n" + strings.Repeat("Fifty-eight characters and the end of their line make it.\r\n", 70))
	all := make([]store.OutboxMessage, b.N)
	for i := range all {
		all[i] = store.OutboxMessage{Kind: store.Ack, MessageID: fmt.Sprintf("<%d@example.org>", i), From: robot, To: "kirk@void.example", Bytes: raw, QueuedAt: time.Now()}
	}
	if _, err := s.Queue(b.Context(), all...); err != nil {
		b.Fatal(err)
	}
	o := process.Options{Config: cfg, Catalogue: catalogue(), Inbox: newBox().open, Store: func() (process.Store, error) {
		if late {
			return &lateNotes{Store: s}, nil
		}
		return s, nil
	}}
	d, err := daemon.Open(o)
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	sum, err := d.Once(b.Context())
	b.StopTimer()
	if err = errors.Join(err, d.Close(), server.Close()); err != nil || sum.Sent != b.N || taken != b.N {
		b.Fatalf("%+v, %d of %d mails were taken, %v", sum, taken, b.N, err)
	}
}

// lateNotes records sent mails when it is next asked for due ones.
type lateNotes struct {
	*sqlite.Store
	notes []func(context.Context) error
}

func (s *lateNotes) MarkSent(_ context.Context, id int64, attempt int, at time.Time) error {
	s.notes = append(s.notes, func(ctx context.Context) error { return s.Store.MarkSent(ctx, id, attempt, at) })
	return nil
}

func (s *lateNotes) Due(ctx context.Context, now time.Time, limit int, from ...string) ([]store.OutboxMessage, error) {
	notes := s.notes
	s.notes = nil
	err := s.Group(ctx, func(ctx context.Context) error {
		for _, note := range notes {
			if err := note(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.Store.Due(ctx, now, limit, from...)
}
