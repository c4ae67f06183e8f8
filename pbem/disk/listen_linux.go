package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"

	"starpost/pbem/fault"
)

// Listener hears from the system in which folders something changed, so that not each has to be asked. It is for one
// goroutine. What others write through another name of a file (a link), or from another machine, it may not hear:
// who listens still asks from time to time.
type Listener struct {
	fd  int
	buf [16 << 10]byte
}

// Listen begins to listen, to no folder yet.
func Listen() (*Listener, error) {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return nil, listenError("fs.inotify.max_user_instances", err)
	}
	return &Listener{fd: fd}, nil
}

func listenError(limit string, err error) error {
	f := &fault.Fault{Problem: fmt.Sprintf("listening for changed files: %v", err), Err: err}
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EMFILE) {
		f.Problem, f.Way = "listening for changed files: the system's limit "+limit+" is reached", "raise it with sysctl; it needs two watches a game"
	}
	return f
}

// heardOn are file systems on which the kernel makes every change itself. On others, such as NFS, another
// machine may make one, of which no one hears.
var heardOn = []uint32{
	unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.BCACHEFS_SUPER_MAGIC,
	unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, 0x2fc12fc1, // ZFS
}

// heard are the changes that count: a file that is being written counts when it is closed.
const heard = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_CLOSE_WRITE | unix.IN_ATTRIB |
	unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR

// Add listens to a folder, under the number that it gives; to one already listened to, under the same. The error is
// ErrUnheard on a file system that does not tell of every change.
func (l *Listener) Add(dir string) (id int32, err error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, fmt.Errorf("listen to %s: %w", dir, err)
	}
	if !slices.Contains(heardOn, uint32(fs.Type)) { //nolint:gosec // the kernel's are of 32 bits
		return 0, ErrUnheard
	}
	wd, err := unix.InotifyAddWatch(l.fd, dir, heard)
	if errors.Is(err, unix.ENOENT) {
		return 0, fmt.Errorf("listen to %s: %w", dir, err)
	}
	if err != nil {
		return 0, listenError("fs.inotify.max_user_watches", err)
	}
	return int32(wd), nil //nolint:gosec // the kernel's are of 32 bits
}

// Remove no longer listens to a folder.
func (l *Listener) Remove(id int32) error {
	// One that was removed is listened to no more: EINVAL.
	if _, err := unix.InotifyRmWatch(l.fd, uint32(id)); err != nil && !errors.Is(err, unix.EINVAL) { //nolint:gosec // it is positive
		return listenError("", err)
	}
	return nil
}

// Changes tells of all changes since it was last called: the number of the folder, and the name of what changed in it, "" for
// the folder itself. It does not wait. With missed there were more than the system keeps.
func (l *Listener) Changes(tell func(id int32, name string)) (missed bool, err error) {
	for {
		n, err := unix.Read(l.fd, l.buf[:])
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			return missed, nil
		case err != nil:
			return true, listenError("", err)
		}
		for rest := l.buf[:n]; len(rest) >= unix.SizeofInotifyEvent; {
			id := int32(binary.NativeEndian.Uint32(rest)) //nolint:gosec // it is the kernel's
			mask, length := binary.NativeEndian.Uint32(rest[4:]), int(binary.NativeEndian.Uint32(rest[12:]))
			end := unix.SizeofInotifyEvent + length
			if mask&unix.IN_Q_OVERFLOW != 0 {
				missed = true
			} else {
				tell(id, unix.ByteSliceToString(rest[unix.SizeofInotifyEvent:end]))
			}
			rest = rest[end:]
		}
	}
}

// Close ends it.
func (l *Listener) Close() error { return unix.Close(l.fd) }
