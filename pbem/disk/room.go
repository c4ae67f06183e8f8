package disk

import (
	"errors"
	"slices"
	"syscall"
)

// IsUnwritable tells that the disk keeps something from being written: it is full,
// read-only or broken. That is over when someone mends it, so anyone who meets it
// tries again soon.
func IsUnwritable(err error) bool {
	return slices.ContainsFunc([]syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO}, func(e syscall.Errno) bool { return errors.Is(err, e) })
}
