package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// reader is an open archive. Its central directory has been checked, but not the content of
// members.
type reader struct {
	path  string
	file  *os.File
	zip   *zip.Reader
	names map[string]*zip.File
}

func bad(path, format string, args ...any) error {
	return &Error{
		Path: path, Problem: fmt.Sprintf(format, args...), Err: errNotArchive,
		Way: "get the archive again from its maker, who can recreate it with: starpost archive DIR FILE.zip",
	}
}

// open opens an archive and checks its central directory. The reader must be closed.
func open(path string) (*reader, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Path: path, Problem: "there is no such file", Way: "correct the name; to make an archive: starpost archive DIR FILE.zip", Err: err}
	}
	if err != nil {
		return nil, system("read", path, err)
	}
	r := &reader{path: path, file: f, names: map[string]*zip.File{}}
	if err := r.look(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

func (r *reader) close() error {
	return system("read", r.path, r.file.Close())
}

// look checks the size of the file and of its central directory before reading it, and then each
// entry.
func (r *reader) look() error {
	info, err := r.file.Stat()
	if err != nil {
		return system("read", r.path, err)
	}
	switch {
	case !info.Mode().IsRegular():
		return bad(r.path, "this is not a file")
	case info.Size() > maxFile:
		return bad(r.path, "the file has %d bytes, more than the limit of %d", info.Size(), maxFile)
	}
	if err := r.ending(info.Size()); err != nil {
		return err
	}
	if r.zip, err = zip.NewReader(r.file, info.Size()); err != nil {
		return bad(r.path, "this is not a ZIP file, or it is damaged: %v", err)
	}
	if len(r.zip.File) > maxMembers {
		return bad(r.path, "it contains %d files, more than the limit of %d", len(r.zip.File), maxMembers)
	}
	return r.members()
}

// ending reads the end record of a ZIP file, which has the size of the central directory.
func (r *reader) ending(size int64) error {
	const length = 22
	if size < length {
		return bad(r.path, "this is not a ZIP file")
	}
	end := make([]byte, length)
	if _, err := r.file.ReadAt(end, size-length); err != nil {
		return system("read", r.path, err)
	}
	if !bytes.HasPrefix(end, []byte("PK\x05\x06")) {
		return bad(r.path, "this is not a ZIP file, or it was cut off or added to")
	}
	le := binary.LittleEndian
	disks := le.Uint32(end[4:])
	here, all := le.Uint16(end[8:]), le.Uint16(end[10:])
	table, at := int64(le.Uint32(end[12:])), int64(le.Uint32(end[16:]))
	if disks != 0 || here != all || le.Uint16(end[20:]) != 0 || at+table != size-length {
		return bad(r.path, "this ZIP file is not an archive, or it is damaged")
	}
	if table > maxDirectory || all > maxMembers {
		return bad(r.path, "its table of contents is too large, with %d bytes and %d files", table, all)
	}
	return nil
}

// members checks each entry of the central directory.
func (r *reader) members() error {
	folded, dirs := map[string]bool{}, map[string]bool{}
	var total uint64
	for _, f := range r.zip.File {
		if problem := entryProblem(f); problem != "" {
			return bad(r.path, "%s", problem)
		}
		if total += f.UncompressedSize64; total > maxTotal {
			return bad(r.path, "it would unpack to more than %d bytes", maxTotal)
		}
		low := strings.ToLower(f.Name)
		if folded[low] {
			return bad(r.path, "%q is in it twice", f.Name)
		}
		folded[low], r.names[f.Name] = true, f
		for d := path.Dir(low); d != "."; d = path.Dir(d) {
			dirs[d] = true
		}
	}
	for name := range r.names {
		if dirs[strings.ToLower(name)] {
			return bad(r.path, "%q is both a file and a directory in it", name)
		}
	}
	return nil
}

// entryProblem says what is wrong with an entry; "" for nothing.
func entryProblem(f *zip.File) string {
	name := f.Name
	inside := strings.HasPrefix(name, gameDir+"/") || strings.HasPrefix(name, mailsDir+"/")
	switch {
	case len(name) > maxName, !fs.ValidPath(name), strings.ContainsAny(name, `\:`), strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Sprintf("%.60q cannot be a file name in an archive", name)
	case !f.Mode().IsRegular():
		return fmt.Sprintf("%q is not a regular file", name)
	case f.Flags&1 != 0:
		return fmt.Sprintf("%q is encrypted", name)
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return fmt.Sprintf("%q is compressed with an unknown method", name)
	case f.UncompressedSize64 > maxMember:
		return fmt.Sprintf("%q has %d bytes, more than the limit of %d", name, f.UncompressedSize64, maxMember)
	case !inside && name != infoFile && name != sumsFile && name != readmeFile:
		return fmt.Sprintf("%q does not belong in a game archive", name)
	}
	return ""
}

// read returns the content of a small member; nil if it does not exist.
func (r *reader) read(name string) ([]byte, error) {
	f := r.names[name]
	if f == nil {
		return nil, nil
	}
	if f.UncompressedSize64 > maxList {
		return nil, bad(r.path, "%s has %d bytes, more than the limit of %d", name, f.UncompressedSize64, maxList)
	}
	var b bytes.Buffer
	if err := r.copy(f, &b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// copy unpacks a member, up to the size in its entry.
func (r *reader) copy(f *zip.File, to io.Writer) error {
	in, err := f.Open()
	if err != nil {
		return bad(r.path, "%s is damaged: %v", f.Name, err)
	}
	n, err := io.Copy(to, io.LimitReader(in, int64(f.UncompressedSize64)+1)) //nolint:gosec // bounded by maxMember
	err = errors.Join(err, in.Close())
	switch {
	case errors.Is(err, errWrite):
		return system("unpack", r.path, err)
	case err != nil:
		return bad(r.path, "%s is damaged: %v", f.Name, err)
	case n != int64(f.UncompressedSize64): //nolint:gosec // bounded by maxMember
		return bad(r.path, "%s is damaged: its length differs from the table of contents", f.Name)
	}
	return nil
}

// errWrite marks errors of this machine rather than of the archive.
var errWrite = errors.New("write")

// sink marks the errors of a writer.
type sink struct{ w io.Writer }

func (s sink) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	if err != nil {
		err = fmt.Errorf("%w: %w", errWrite, err)
	}
	return n, err
}

// unpack writes all members below a directory and returns the hash of each.
func (r *reader) unpack(ctx context.Context, dir string) (map[string]string, error) {
	sums := map[string]string{}
	for _, name := range r.list() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return nil, system("unpack", to, err)
		}
		out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, system("unpack", to, err)
		}
		h := sha256.New()
		err = r.copy(r.names[name], io.MultiWriter(h, sink{out}))
		if cerr := out.Close(); cerr != nil && err == nil {
			err = system("unpack", to, cerr)
		}
		if err != nil {
			return nil, err
		}
		sums[name] = hex.EncodeToString(h.Sum(nil))
	}
	return sums, nil
}

// list returns the names of the members, sorted.
func (r *reader) list() []string { return slices.Sorted(maps.Keys(r.names)) }
