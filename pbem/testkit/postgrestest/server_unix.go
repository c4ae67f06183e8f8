//go:build unix

package postgrestest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/store/postgres"
)

// folderVariable is the environment variable with the folder for servers' data. .ci/postgres sets it and cleans up.
const folderVariable = "STARPOST_TEST_POSTGRES_SERVERS"

// Server is a PostgreSQL server that belongs to one test. It can crash and have a synchronous standby. It is not safe
// for concurrent use.
type Server struct {
	dir   string // of its data
	port  int
	cmd   *exec.Cmd
	log   bytes.Buffer
	ended chan struct{}
}

// Available reports whether tests can start servers.
func Available() bool { return os.Getenv(folderVariable) != "" }

// Start starts a server with only the database "postgres", owned by the user "starpost". It stops when the test ends.
func Start(tb testing.TB) *Server {
	tb.Helper()
	if !Available() {
		tb.Skipf("no folder for servers: %s is not set; .ci/postgres makes one", folderVariable)
	}
	from, err := prepared()
	if err != nil {
		tb.Fatal(err)
	}
	s := add(tb)
	if err := run("cp", "-a", from, s.dir); err != nil {
		tb.Fatal(err)
	}
	if err := s.Restart(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	return s
}

// servers counts the servers of this process.
var servers atomic.Int64

// add returns a server without data, not yet started.
func add(tb testing.TB) *Server {
	tb.Helper()
	s := &Server{dir: filepath.Join(os.Getenv(folderVariable), fmt.Sprintf("%d-%d", os.Getpid(), servers.Add(1))), port: Port(tb)}
	tb.Cleanup(func() {
		s.Crash()
		if err := os.RemoveAll(s.dir); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// prepared returns a folder with the data of a new server. It is made once, because copying it is much faster.
var prepared = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(os.Getenv(folderVariable), fmt.Sprintf("%d-prepared", os.Getpid()))
	return dir, run("initdb", "-D", dir, "-U", "starpost", "--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust", "--no-sync")
})

// ports counts the ports tried. All are below the ephemeral ports, so that a server keeps its port in a restart.
var ports atomic.Int64

// Port returns a free port on the loopback interface. No other call in this process returns the same one.
func Port(tb testing.TB) int {
	tb.Helper()
	const first, count = 10000, 20000
	for range count {
		port := first + (os.Getpid()*97+int(ports.Add(1)))%count
		if l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			_ = l.Close()
			return port
		}
	}
	tb.Fatal("no port is free")
	return 0
}

// command returns a PostgreSQL command. Because PostgreSQL refuses to run as root, root runs it as the user "postgres".
func command(name string, args ...string) (*exec.Cmd, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = os.Getenv(folderVariable)
	if os.Geteuid() != 0 {
		return cmd, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, uerr := strconv.ParseUint(u.Uid, 10, 32)
	gid, gerr := strconv.ParseUint(u.Gid, 10, 32)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	return cmd, errors.Join(uerr, gerr)
}

func run(name string, args ...string) error {
	cmd, err := command(name, args...)
	if err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	return nil
}

// Restart starts a server that is not running, and waits until it accepts queries.
func (s *Server) Restart(ctx context.Context) (err error) {
	args := []string{"-D", s.dir}
	for _, setting := range []string{
		"port=" + strconv.Itoa(s.port), "listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=50", "autovacuum=off", "shared_buffers=8MB",
		"wal_level=replica", "max_wal_senders=4", "wal_keep_size=64MB", "wal_receiver_status_interval=1s", "wal_retrieve_retry_interval=200ms",
	} {
		args = append(args, "-c", setting)
	}
	if s.cmd, err = command("postgres", args...); err != nil {
		return err
	}
	s.log.Reset()
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	if err := s.cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	s.ended = ended
	go func(cmd *exec.Cmd) {
		_ = cmd.Wait() // the log says more
		close(ended)
	}(s.cmd)
	return s.until(ctx, "it serves", "SELECT true")
}

// until waits until a query returns true.
func (s *Server) until(ctx context.Context, what, query string) error {
	const patience = 2 * time.Minute
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		is, err := s.asks(ctx, query)
		if err == nil && is {
			return nil
		}
		select {
		case <-s.ended:
			return fmt.Errorf("waited until %s: the server of port %d ended: %s", what, s.port, s.log.String())
		default:
		}
		if time.Since(began) > patience {
			return fmt.Errorf("waited until %s: %w", what, errors.Join(err, context.DeadlineExceeded))
		}
	}
}

func (s *Server) asks(ctx context.Context, query string) (is bool, err error) {
	err = query1(ctx, s.Place(), query, &is)
	return is, err
}

// Crash stops the server at once, cutting its connections, without a checkpoint. It does nothing if none is running.
func (s *Server) Crash() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Signal(syscall.SIGQUIT) // fails only if it has ended
	<-s.ended
	s.cmd = nil
}

// Addr returns the address at which the server listens.
func (s *Server) Addr() string { return "127.0.0.1:" + strconv.Itoa(s.port) }

// URL returns a database URL that connects to the first of several servers that accepts writes.
func URL(addrs ...string) string {
	return "postgres://starpost@" + strings.Join(addrs, ",") + "/postgres?sslmode=disable&target_session_attrs=read-write"
}

// Place returns the server's database, also while the server is a standby.
func (s *Server) Place() postgres.Place {
	return postgres.Place{URL: "postgres://starpost@" + s.Addr() + "/postgres?sslmode=disable"}
}

// standby is the application name of a standby.
const standby = "standby"

// NewStandby starts a synchronous standby: when it returns, the server confirms only commits that the standby has.
func (s *Server) NewStandby(tb testing.TB) *Server {
	tb.Helper()
	other := add(tb)
	if err := other.Follow(tb.Context(), s); err != nil {
		tb.Fatal(err)
	}
	return other
}

// Follow makes the server, which must not be running, a new synchronous standby of primary. Its old data is removed.
func (s *Server) Follow(ctx context.Context, primary *Server) error {
	if err := os.RemoveAll(s.dir); err != nil {
		return err
	}
	from := fmt.Sprintf("host=127.0.0.1 port=%d user=starpost application_name=%s", primary.port, standby)
	if err := run("pg_basebackup", "-d", from, "-R", "-D", s.dir, "--checkpoint=fast", "--no-sync"); err != nil {
		return err
	}
	// A standby accepts connections once it has a consistent state of the primary.
	if err := s.Restart(ctx); err != nil {
		return err
	}
	if err := primary.set(ctx, "SET synchronous_standby_names = '"+standby+"'"); err != nil {
		return err
	}
	return primary.until(ctx, "the standby is synchronous", "SELECT EXISTS (SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync')")
}

// Promote makes a standby the primary. The old primary must have stopped.
func (s *Server) Promote(ctx context.Context) error {
	done := false
	if err := query1(ctx, s.Place(), "SELECT pg_promote(true, 120)", &done); err != nil || !done {
		return fmt.Errorf("promote the standby: %t, %w", done, err)
	}
	return s.set(ctx, "RESET synchronous_standby_names")
}

// set changes a setting with ALTER SYSTEM and reloads the configuration.
func (s *Server) set(ctx context.Context, change string) error {
	return errors.Join(Exec(ctx, s.Place(), "ALTER SYSTEM "+change), Exec(ctx, s.Place(), "SELECT pg_reload_conf()"))
}
