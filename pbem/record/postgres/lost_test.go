package postgres_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"

	"starpost/pbem/record"
	"starpost/pbem/record/postgres"
	store "starpost/pbem/store/postgres"
)

// commit is in the message by which the driver has a server run a COMMIT: it prepares each statement once, under a name.
var commit = fmt.Appendf(nil, "\x00stmtcache_%.24x\x00", sha256.Sum256([]byte("COMMIT")))

// between starts a proxy in front of a server and returns its address. When lose is set, the next COMMIT reaches the server, but
// the connection is cut before its answer.
func between(t *testing.T, server string, lose *atomic.Bool) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	go func() {
		for {
			host, err := l.Accept()
			if err != nil {
				return
			}
			go relay(host, server, lose)
		}
	}()
	return l.Addr().String()
}

func relay(host net.Conn, server string, lose *atomic.Bool) {
	defer func() { _ = host.Close() }()
	to, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer func() { _ = to.Close() }()
	var deaf atomic.Bool
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		defer func() { _ = host.Close() }()
		buf := make([]byte, 1<<16)
		for {
			n, err := to.Read(buf)
			if err != nil || deaf.Load() {
				return
			}
			if _, err := host.Write(buf[:n]); err != nil {
				return
			}
		}
	}()
	buf := make([]byte, 1<<16)
	for {
		n, err := host.Read(buf)
		if err != nil {
			return
		}
		last := bytes.Contains(buf[:n], commit) && lose.CompareAndSwap(true, false)
		if last {
			deaf.Store(true)
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
		if last {
			<-answered
			return
		}
	}
}

// If the answer to a COMMIT is lost after the server carried it out, the change counts once, and Commit returns no error.
func TestPostgresAnswerIsLost(t *testing.T) {
	at := newPlace(t)
	u, err := url.Parse(at.URL)
	if err != nil {
		t.Fatal(err)
	}
	var lose atomic.Bool
	u.Host = between(t, u.Host, &lose)
	games, err := postgres.Open(t.Context(), store.Place{URL: u.String()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := games.Close(); err != nil && !errors.Is(err, io.EOF) {
			t.Error(err)
		}
	}()
	tree, err := games.At("wolf")
	if err != nil {
		t.Fatal(err)
	}
	lost := func(what string, do func() error) {
		t.Helper()
		lose.Store(true)
		if err := do(); err != nil || lose.Load() {
			t.Fatalf("%s: %v; no answer was lost: %v", what, err, lose.Load())
		}
	}
	lost("create", func() error { return tree.Create([]record.File{{Name: "game.toml", Data: []byte("id")}}) })
	f, err := tree.Lock()
	if err != nil {
		t.Fatal(err)
	}
	line := []byte("{\"a\":1}\n")
	lost("a line", func() error {
		return tree.Commit(f, &record.Version{}, record.Change{Add: []record.File{{Name: record.Journal, Data: line}}})
	})
	folder := record.Change{Dir: "turns/0001", Put: []record.File{{Name: "turns/0001/state.json", Data: []byte("{}")}}}
	lost("a folder", func() error { return tree.Commit(f, nil, folder) })
	if data, err := tree.ReadFile(record.Journal); err != nil || !bytes.Equal(data, line) {
		t.Errorf("%q, %v", data, err)
	}
	folder.Put[0].Data = []byte("{2}")
	if err := tree.Commit(f, nil, folder); !errors.Is(err, record.ErrCommitted) {
		t.Errorf("another one: %v", err)
	}
	lost("erase", func() error { return tree.Erase(f) })
	if err := tree.Create([]record.File{{Name: "game.toml", Data: []byte("id")}}); err != nil {
		t.Error(err)
	}
}
