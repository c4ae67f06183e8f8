package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"starpost/pbem/fault"
)

// Self returns what a process writes into the lock file that it holds: "starpost serve, pid 4711 on mars" and a
// newline.
func Self() string {
	host, err := os.Hostname()
	if err != nil {
		host = "a host without a name"
	}
	return fmt.Sprintf("%s, pid %d on %s\n", command(os.Args), os.Getpid(), host)
}

// command returns the program and its subcommand; other arguments may be private.
func command(args []string) string {
	if len(args) == 0 {
		return "a process"
	}
	name := filepath.Base(args[0])
	if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		name += " " + args[1]
	}
	return name
}

// Holder returns who wrote a lock file, from its first line, and when.
func Holder(path string) string {
	text, err := os.ReadFile(path)
	who, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if err != nil || who == "" || len(who) > 300 {
		return "another process"
	}
	if info, err := os.Stat(path); err == nil {
		return fmt.Sprintf("%s, since %s", who, info.ModTime().UTC().Format(time.DateTime+" UTC"))
	}
	return who
}

// ErrLocked is returned by Lock when another process holds the directory.
var ErrLocked = errors.New("another daemon is using the directory")

// Lock makes this process the only user of the state directory dir, until release is called or the process ends. It
// does not wait: if another process has it, the error (ErrLocked) says which, where and since when. The file of a
// dead process does not block it.
func Lock(dir string) (release func() error, err error) {
	path := filepath.Join(dir, "daemon.lock")
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	if !ok {
		return nil, &fault.Fault{
			Way: "one daemon at a time: stop that one, or let a run from cron end; a second daemon needs a state directory and a mailbox of its own",
			Err: fmt.Errorf("lock %s: %w: %s", dir, ErrLocked, Holder(path)),
		}
	}
	if err := os.WriteFile(path, []byte(Self()), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", dir, err), l.Unlock())
	}
	return l.Unlock, nil
}

// lockPatience is how long [LockFile] waits; the lock is usually held for milliseconds.
const lockPatience = 10 * time.Second

// LockFile locks a file against other processes while a few lines are added to it, until release is called or the
// process ends. It waits for another holder, but not for ever (ErrLocked). The lock is a separate file next to it.
func LockFile(path string) (release func() error, err error) {
	l := flock.New(path+".lock", flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ctx, stop := context.WithTimeout(context.Background(), lockPatience)
	defer stop()
	ok, err := l.TryLockContext(ctx, 5*time.Millisecond)
	switch {
	case ok:
		return l.Unlock, nil
	case err == nil || errors.Is(err, context.DeadlineExceeded):
		return nil, &fault.Fault{Path: path, Problem: "another process is changing it", Way: "try again", Err: ErrLocked}
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}
