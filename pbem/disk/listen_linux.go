package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"

	"starpost/pbem/fault"
)

// Listener receives notifications from the system about changed folders, so that not every one has to be polled. It
// must be used by one goroutine only. It may miss changes through another name of a file (a link), or from another
// machine: its users still poll from time to time.
type Listener struct {
	fd  int
	buf [16 << 10]byte
}

// Listen returns a listener without folders.
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

// heardOn are file systems on which the local kernel makes every change. On others, such as NFS, another machine may
// change files without a notification.
var heardOn = []uint32{
	unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.BCACHEFS_SUPER_MAGIC,
	unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, 0x2fc12fc1, // ZFS
}

// heard are the relevant changes: a file that is being written counts when it is closed.
const heard = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_CLOSE_WRITE | unix.IN_ATTRIB |
	unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR

// Add starts to watch a folder and returns its ID. For a watched folder it returns the same ID. The error is
// ErrUnheard on a file system that does not notify of every change.
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

// Remove stops watching a folder.
func (l *Listener) Remove(id int32) error {
	// A removed folder is no longer watched: EINVAL.
	if _, err := unix.InotifyRmWatch(l.fd, uint32(id)); err != nil && !errors.Is(err, unix.EINVAL) { //nolint:gosec // it is positive
		return listenError("", err)
	}
	return nil
}

// Changes reports all changes since the last call: the ID of the folder, and the name of what changed in it, "" for
// the folder itself. It does not wait. missed means that there were more changes than the system queues.
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

// Close closes the listener.
func (l *Listener) Close() error { return unix.Close(l.fd) }
