package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// tree copies files and directories with their modes and times: the time of an order set is when it
// came.
type tree struct {
	ctx   context.Context //nolint:containedctx // a tree lives as long as one backup
	bytes int64
}

// copy copies a game's directory, or any other, with modes and times but without its lock, and
// follows links. to must not exist.
func (t *tree) copy(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return t.file(from, to, info)
	}
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err == nil {
			err = context.Cause(t.ctx)
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if e.IsDir() {
			info, err := e.Info()
			if err != nil {
				return err
			}
			return os.Mkdir(target, info.Mode().Perm()|0o700)
		}
		info, err := os.Stat(path) // follow links
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a temporary file, or a dangling link
		}
		if err != nil {
			return err
		}
		return t.file(path, target, info)
	})
}

func (t *tree) file(from, to string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() || filepath.Ext(from) == lockSuffix {
		return nil
	}
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed since it was listed
	}
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return errors.Join(err, in.Close())
	}
	n, err := io.Copy(out, in)
	err = errors.Join(err, out.Close(), in.Close())
	if err == nil {
		err = os.Chtimes(to, info.ModTime(), info.ModTime())
	}
	if err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	t.bytes += n
	return nil
}
