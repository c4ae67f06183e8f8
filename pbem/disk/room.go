package disk

import (
	"errors"
	"syscall"
)

// IsUnwritable tells that the disk keeps something from being written: it is full,
// read-only or broken. That is over when someone mends it, so anyone who meets it
// tries again soon.
func IsUnwritable(err error) bool {
	for _, e := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
