package outgoing_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"starpost/pbem/outgoing"
)

// world is an SMTP server for checking the contract.
type world struct {
	config   outgoing.Config
	from, to string // the server takes mail between them
	unknown  string // an address that the server refuses
	// arrived returns the first n mails that the server accepted; nil if the server does not show
	// them.
	arrived func(n int) [][]byte
}

// contract is what every SMTP server must fulfil with the adapter. It always runs on the loopback
// server, and on a real one if the environment names it.
func contract(t *testing.T, open func(t *testing.T) world) {
	t.Helper()
	t.Run("delivered", func(t *testing.T) {
		w := open(t)
		s, ctx := session(t, w.config)
		raw := render(t, report())
		for range 3 {
			delivered(ctx, t, s, outgoing.Envelope{From: w.from, To: w.to, Data: raw})
		}
		delivered(ctx, t, s, outgoing.Envelope{From: "", To: w.to, Data: raw})
		if w.arrived == nil {
			return
		}
		got := w.arrived(4)
		if len(got) != 4 {
			t.Fatalf("%d mails arrived, want 4", len(got))
		}
		for _, g := range got {
			if !bytes.Equal(g, raw) {
				t.Errorf("arrived:\n%q\nsent:\n%q", g, raw)
			}
		}
	})

	t.Run("dots and large", func(t *testing.T) {
		w := open(t)
		s, ctx := session(t, w.config)
		raw := append(render(t, report()), bytes.Repeat([]byte(".\r\n..\r\n. \r\nQUIT\r\n"), 20_000)...)
		delivered(ctx, t, s, outgoing.Envelope{From: w.from, To: w.to, Data: raw})
		if w.arrived != nil && !bytes.Equal(w.arrived(1)[0], raw) {
			t.Error("the mail was changed on the way")
		}
	})

	t.Run("a run of mails", func(t *testing.T) {
		w := open(t)
		s, ctx := session(t, w.config)
		raw := render(t, report())
		all := make([]outgoing.Envelope, 20)
		for i := range all {
			all[i] = outgoing.Envelope{From: w.from, To: w.to, Data: raw}
			if i == 7 {
				all[i].To = w.unknown
			}
			if i > 0 {
				all[i-1].Next = &all[i]
			}
		}
		for i, env := range all {
			if i == 7 {
				if e := failed(ctx, t, s, env, outgoing.PermanentFailure); e.Stage != outgoing.StageRcpt {
					t.Errorf("%v at %s", e, e.Stage)
				}
				continue
			}
			delivered(ctx, t, s, env)
		}
		if w.arrived == nil {
			return
		}
		got := w.arrived(len(all) - 1)
		if len(got) != len(all)-1 {
			t.Fatalf("%d mails arrived, want %d", len(got), len(all)-1)
		}
		for _, g := range got {
			if !bytes.Equal(g, raw) {
				t.Errorf("arrived:\n%q\nsent:\n%q", g, raw)
			}
		}
	})

	t.Run("unknown recipient", func(t *testing.T) {
		w := open(t)
		s, ctx := session(t, w.config)
		raw := render(t, report())
		err := failed(ctx, t, s, outgoing.Envelope{From: w.from, To: w.unknown, Data: raw}, outgoing.PermanentFailure)
		if err.Stage != outgoing.StageRcpt || err.Code/100 != 5 || err.Temporary() || err.Hint() == "" {
			t.Errorf("%v: stage %s, code %d", err, err.Stage, err.Code)
		}
		delivered(ctx, t, s, outgoing.Envelope{From: w.from, To: w.to, Data: raw})
	})

	t.Run("bad envelope", func(t *testing.T) {
		w := open(t)
		s, ctx := session(t, w.config)
		raw := render(t, report())
		for _, env := range []outgoing.Envelope{
			{From: w.from, To: "", Data: raw},
			{From: w.from, To: w.to + "> <" + w.to, Data: raw},
			{From: w.from, To: w.to + "\r\nRCPT TO:<" + w.to + ">", Data: raw},
			{From: w.from + "> SIZE=1", To: w.to, Data: raw},
			{From: w.from, To: w.to},
		} {
			if err := failed(ctx, t, s, env, outgoing.PermanentFailure); err.Stage != outgoing.StageEnvelope {
				t.Errorf("%v at %s", err, err.Stage)
			}
		}
		delivered(ctx, t, s, outgoing.Envelope{From: w.from, To: w.to, Data: raw})
	})

	t.Run("login refused", func(t *testing.T) {
		w := open(t)
		if w.config.User == "" {
			t.Skip("this server is used without a login")
		}
		w.config.Password += "x"
		err := refused(t, w.config)
		if err.Stage != outgoing.StageAuth || err.Temporary() || err.Hint() == "" {
			t.Errorf("%v at %s", err, err.Stage)
		}
	})

	t.Run("closed", func(t *testing.T) {
		w := open(t)
		s, ctx := session(t, w.config)
		s.Close()
		s.Close()
		err := failed(ctx, t, s, outgoing.Envelope{From: w.from, To: w.to, Data: []byte("x")}, outgoing.TemporaryFailure)
		if err.Stage != outgoing.StageConfig {
			t.Errorf("%v at %s", err, err.Stage)
		}
	})
}

func sender(t *testing.T, cfg outgoing.Config) *outgoing.Sender {
	t.Helper()
	s, err := outgoing.NewSender(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func session(t *testing.T, cfg outgoing.Config) (*outgoing.Session, context.Context) {
	t.Helper()
	ctx := t.Context()
	s, err := sender(t, cfg).Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, ctx
}

// delivered sends a mail that must be delivered.
func delivered(ctx context.Context, t *testing.T, s *outgoing.Session, env outgoing.Envelope) {
	t.Helper()
	if got, err := s.Send(ctx, env); got != outgoing.Delivered || err != nil {
		t.Fatalf("%v: %v, want %v", got, err, outgoing.Delivered)
	}
}

// failed sends a mail that must fail with the given outcome, and returns the error.
func failed(ctx context.Context, t *testing.T, s *outgoing.Session, env outgoing.Envelope, want outgoing.Outcome) *outgoing.Error {
	t.Helper()
	got, err := s.Send(ctx, env)
	if got != want {
		t.Fatalf("%v: %v, want %v", got, err, want)
	}
	return asError(t, err, want)
}

// refused opens a session and expects that to fail.
func refused(t *testing.T, cfg outgoing.Config) *outgoing.Error {
	t.Helper()
	s, err := sender(t, cfg).Open(t.Context())
	if s != nil {
		t.Fatal("the session opened")
	}
	return asError(t, err, outgoing.TemporaryFailure)
}

func asError(t *testing.T, err error, want outgoing.Outcome) *outgoing.Error {
	t.Helper()
	var e *outgoing.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v is not an *Error", err)
	}
	if e.Outcome != want {
		t.Errorf("%v: outcome %v, want %v", e, e.Outcome, want)
	}
	return e
}
