package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"errors"
	"hash/crc32"
	"io"
	"slices"
	"strings"
)

// header returns the standard header of a member: no comments, and the same time and mode for all.
func header(name string) *zip.FileHeader {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: epoch}
	h.SetMode(0o644)
	return h
}

// container writes the ZIP file again around its packed data, in the only form that archives have,
// and compares: this proves that no header, no gap and no end of the file was altered. order is the
// names below game/ in order. It returns the offset of the first difference; -1 for none.
func (r *reader) container(order []string) (differs int64, err error) {
	rest := slices.DeleteFunc(r.list(), func(name string) bool { return !strings.HasPrefix(name, mailsDir+"/") })
	rest = append(rest, infoFile, readmeFile, sumsFile)
	c := &comparer{file: bufio.NewReader(io.NewSectionReader(r.file, 0, maxFile)), first: -1}
	z, headers := zip.NewWriter(c), zip.NewWriter(io.Discard)
	headers.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return unpacked{w}, nil })
	for _, name := range append(slices.Clone(order), rest...) {
		f := r.names[name]
		if f == nil { // already reported
			continue
		}
		whole, err := r.repack(z, headers, f)
		if err != nil {
			return 0, err
		}
		if !whole && c.first < 0 {
			c.first = c.at
		}
	}
	if err := z.Close(); err != nil {
		return 0, system("compare", r.path, err)
	}
	if _, err := c.file.ReadByte(); err == nil && c.first < 0 {
		c.first = c.at
	}
	return c.first, nil
}

// unpacked replaces a compressor if only headers are needed: a compressor takes a megabyte.
type unpacked struct{ io.Writer }

func (unpacked) Close() error { return nil }

// repack writes one member with its standard header. whole reports that its packed data ends where
// it should.
func (r *reader) repack(z, headers *zip.Writer, f *zip.File) (whole bool, err error) {
	sum := crc32.NewIEEE()
	if err := r.copy(f, sum); err != nil {
		return false, err
	}
	filled := header(f.Name)
	// The library fills in the header as it would write it, and later the packed size, which is
	// zero.
	if _, err := headers.CreateHeader(filled); err != nil {
		return false, system("compare", r.path, err)
	}
	h := new(zip.FileHeader)
	*h = *filled
	h.CRC32, h.CompressedSize64, h.UncompressedSize64 = sum.Sum32(), f.CompressedSize64, f.UncompressedSize64
	raw, err := f.OpenRaw()
	if err != nil {
		return false, bad(r.path, "%s is damaged: %v", f.Name, err)
	}
	to, err := z.CreateRaw(h)
	if err != nil {
		return false, system("compare", r.path, err)
	}
	if _, err := io.Copy(to, raw); err != nil {
		return false, system("compare", r.path, err)
	}
	if f.Method != zip.Deflate {
		return false, nil
	}
	if raw, err = f.OpenRaw(); err != nil {
		return false, bad(r.path, "%s is damaged: %v", f.Name, err)
	}
	packed := bufio.NewReader(raw) // flate reads no more of it than it needs
	if _, err := io.Copy(io.Discard, flate.NewReader(packed)); err != nil {
		return false, bad(r.path, "%s is damaged: %v", f.Name, err)
	}
	_, err = packed.ReadByte()
	return errors.Is(err, io.EOF), nil
}

// comparer compares what is written to it with a file.
type comparer struct {
	file  *bufio.Reader
	at    int64 // number of bytes written
	first int64 // the first byte that differs; -1 for none
	have  []byte
}

func (c *comparer) Write(p []byte) (int, error) {
	c.have = slices.Grow(c.have[:0], len(p))[:len(p)]
	have := c.have
	n, err := io.ReadFull(c.file, have)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, err
	}
	if c.first < 0 && !bytes.Equal(have[:n], p) {
		i := 0
		for i < n && have[i] == p[i] {
			i++
		}
		c.first = c.at + int64(i)
	}
	c.at += int64(len(p))
	return len(p), nil
}
