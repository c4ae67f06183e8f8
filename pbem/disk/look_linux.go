//go:build linux

package disk

import (
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// root is an open folder: resolving a path from it is cheaper than resolving the whole path.
type root struct {
	dir  string
	fd   int
	open bool
}

// Close closes the open folder.
func (l *Looker) Close() error {
	if !l.open {
		return nil
	}
	l.open = false
	return unix.Close(l.fd)
}

// enter opens a folder.
func (l *Looker) enter(dir string) error {
	if l.open && l.dir == dir {
		return nil
	}
	if err := l.Close(); err != nil {
		return err
	}
	fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	l.dir, l.fd, l.open = dir, fd, true
	return nil
}

// Look checks a file below a directory.
func (l *Looker) Look(dir, name string) (Facts, error) {
	if err := l.enter(filepath.Dir(dir)); err != nil {
		return Facts{}, fmt.Errorf("look into %s: %w", filepath.Dir(dir), err)
	}
	l.path = append(append(append(l.path[:0], filepath.Base(dir)...), '/'), name...)
	var st unix.Stat_t
	if err := uninterrupted(func() error { return unix.Fstatat(l.fd, string(l.path), &st, 0) }); err != nil {
		return Facts{}, err //nolint:wrapcheck // one who asks for a hundred thousand files wants no words made
	}
	return Facts{Inode: st.Ino, Size: st.Size, Modified: st.Mtim.Nano(), Changed: st.Ctim.Nano()}, nil
}
