package dkim

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"starpost/pbem/fault"
)

// maxKey limits a key's file in bytes.
const maxKey = 16 << 10

// KeyIn reads the key in a file. If there is no file, it creates one, with its folder, that only its owner may read.
func KeyIn(file string) (key Key, made bool, err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return key, false, fmt.Errorf("write the key: %w", err)
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		key, err = readKey(file)
		return key, false, err
	}
	if err != nil {
		return key, false, fmt.Errorf("write the key: %w", err)
	}
	if key, err = newKey(); err == nil {
		err = key.write(f)
	}
	return key, true, errors.Join(err, f.Close())
}

func readKey(file string) (key Key, err error) {
	f, err := os.Open(file)
	if err != nil {
		return key, fmt.Errorf("read the key: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err := io.ReadAll(io.LimitReader(f, maxKey))
	if err != nil {
		return key, fmt.Errorf("read the key: %w", err)
	}
	if key, err = ParseKey(text); err != nil {
		return key, fault.New("name another file for a new key; nothing was changed", "%s: %s", file, err)
	}
	return key, nil
}

func (k Key) write(f *os.File) error {
	text, err := k.pem()
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return fmt.Errorf("write the key: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("write the key: %w", err)
	}
	return nil
}

// ZoneText returns a record as in zone files: in parts of at most 255 bytes (RFC 1035, 3.3.14).
func ZoneText(record string) string {
	var b strings.Builder
	for part := range slices.Chunk([]byte(record), 255) {
		fmt.Fprintf(&b, "%q ", part)
	}
	return "( " + b.String() + ")"
}
