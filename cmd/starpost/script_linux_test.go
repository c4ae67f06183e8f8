package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// condition implements [mount], whether a small file system can be mounted, and [root], whether permissions have no
// effect.
func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "mount":
		dir, err := os.MkdirTemp("", "starpost-mount-")
		if err != nil {
			return false, err
		}
		defer func() { _ = os.Remove(dir) }()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
			return false, nil //nolint:nilerr // that it cannot be done is the answer
		}
		return true, syscall.Unmount(dir, 0)
	}
	return false, fmt.Errorf("no condition %q", name)
}

// mount SIZE DIR mounts a file system of SIZE bytes at DIR.
func mount(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "mount SIZE DIR")
	dir := ts.MkAbs(args[1])
	ts.Check(os.MkdirAll(dir, 0o755))
	ts.Check(syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size(ts, args[0]))))
	ts.Defer(func() { ts.Check(syscall.Unmount(dir, 0)) })
}

// remountReadOnly DIR makes a file system mounted by mount read-only.
func remountReadOnly(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "remount-ro DIR")
	ts.Check(syscall.Mount("", filepath.Clean(ts.MkAbs(args[0])), "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
}
