package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"starpost/pbem/disk"
)

// ErrLocked is returned by Lock when another process holds the directory.
var ErrLocked = errors.New("another daemon is using the directory")

// Lock makes this process the only one to work with the store and spool in
// dir, until release is called or the process ends. It does not wait: when
// another process has it, the error (ErrLocked) says which, where and since
// when. What a process that died left in the file hinders no one.
func Lock(dir string) (release func() error, err error) {
	path := filepath.Join(dir, "daemon.lock")
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	if !ok {
		return nil, &Error{
			Way: "one daemon at a time: stop that one, or let a run from cron end; a second daemon needs a state directory and a mailbox of its own",
			Err: fmt.Errorf("lock %s: %w: %s", dir, ErrLocked, disk.Holder(path)),
		}
	}
	if err := os.WriteFile(path, []byte(disk.Self()), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", dir, err), l.Unlock())
	}
	return l.Unlock, nil
}
