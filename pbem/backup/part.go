package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
)

// A backup is made in DIR.part, with a lock on DIR.part.lock: a leftover of a process that was
// killed is not locked.
const (
	partSuffix = ".part"
	lockSuffix = ".lock" // also of the file that says who uses a game or a cup: a copy is not in use
)

// errBusy is returned if another process is making a backup there.
var errBusy = errors.New("another backup is being made there")

// hold is the lock of an unfinished backup.
type hold struct{ lock *flock.Flock }

// begin takes the lock of an unfinished backup, and removes leftovers there, and those of other
// backups next to it that are no longer being made.
func begin(part string) (hold, error) {
	h, ok, err := take(part)
	switch {
	case err != nil:
		return h, err
	case !ok:
		return h, &fault.Fault{Problem: "another backup is being made there, by " + disk.Holder(part+lockSuffix), Way: "wait for it to end, or name another directory", Err: errBusy}
	}
	if err := sweep(part); err != nil {
		return h, errors.Join(err, h.end())
	}
	entries, err := os.ReadDir(filepath.Dir(part))
	if err != nil {
		return h, errors.Join(err, h.end())
	}
	for _, e := range entries {
		other, is := strings.CutSuffix(filepath.Join(filepath.Dir(part), e.Name()), lockSuffix)
		if !is || !strings.HasSuffix(other, partSuffix) || other == part {
			continue
		}
		if o, ok, err := take(other); err == nil && ok {
			// A leftover that cannot be removed does no harm; the next backup tries again.
			_ = errors.Join(sweep(other), o.end())
		}
	}
	return h, nil
}

// take takes the lock, if it is free.
func take(part string) (h hold, ok bool, err error) {
	path := part + lockSuffix
	for {
		h.lock = flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
		if ok, err = h.lock.TryLock(); err != nil || !ok {
			return h, false, err
		}
		mine, merr := h.lock.Stat()
		there, terr := os.Stat(path)
		if merr == nil && terr == nil && os.SameFile(mine, there) {
			if err := os.WriteFile(path, []byte(disk.Self()), 0o600); err != nil {
				return h, false, errors.Join(err, h.end())
			}
			return h, true, nil
		}
		// The previous holder has removed the file meanwhile.
		if err := h.lock.Unlock(); err != nil {
			return h, false, err
		}
	}
}

// end removes and releases the lock.
func (h hold) end() error {
	err := os.Remove(h.lock.Path())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, h.lock.Unlock())
}

// sweep removes the leftovers of a backup, if they are that.
func sweep(part string) error {
	entries, err := os.ReadDir(part)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if !slices.Contains([]string{GamesDir, StateDir, ConfigFile, ManifestFile}, name) && !strings.HasPrefix(name, "."+ManifestFile) {
			return fmt.Errorf("%s: %w, and it is no backup that was broken off: %s lies in it", part, ErrExists, name)
		}
	}
	return os.RemoveAll(part)
}
