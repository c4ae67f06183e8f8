package incoming

import (
	"bufio"
	"bytes"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
)

// MaxBytes limits a mail, like one fetched by IMAP.
const MaxBytes = 10 << 20

// Why a mail is refused for good.
var (
	ErrTooLarge = errors.New("mail is too large")
	ErrEmpty    = errors.New("there is no mail: nothing came")
)

// partial is the prefix of files for mails that are being written.
const partial = ".mail-"

// Envelope is what the mail server knows about a mail in addition to its content.
type Envelope struct {
	ReturnPath string   // "<ann@example.net>", "<>" for a bounce; "" if unknown
	To         []string // recipients, all with the same box
}

// Put takes in a mail from r. Lines may end in CRLF or LF, and the mail may start with the "From " line of a Unix
// mailbox.
func (b *Box) Put(e Envelope, r io.Reader) (err error) {
	f, err := os.CreateTemp(b.dir, partial)
	if err != nil {
		return fault.System("take a mail over", b.dir, err, notTaken)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreGone(os.Remove(f.Name())))
		}
	}()
	if err := errors.Join(write(f, e, r), f.Close()); err != nil {
		return fmt.Errorf("take a mail over: %w", err)
	}
	unlock, err := b.lock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	n, err := b.numbers()
	if err != nil {
		return err
	}
	uid := n.next
	if n.next++; n.next == 0 {
		return fmt.Errorf("take a mail over: %s has given out all its numbers", b.dir)
	}
	// The number is used up before the mail has it, and both are durable before the mail is visible: after a loss of
	// power no number is used twice.
	var batch disk.Batch
	batch.FileWritten(f.Name())
	if err := b.setNumbers(&batch, n); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), b.file(uid)); err != nil {
		return fault.System("take a mail over", b.file(uid), err, notTaken)
	}
	return fault.System("take a mail over", b.dir, disk.SyncDir(filepath.Join(b.dir, newDir)), notTaken)
}

// notTaken says what happens to a mail that could not be taken in.
const notTaken = "the mail server keeps the mail and tries again"

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// write writes a mail with the headers of final delivery (RFC 5321 section 4.4) and CRLF line ends.
func write(w io.Writer, e Envelope, r io.Reader) error {
	out, in := bufio.NewWriter(w), bufio.NewReader(io.LimitReader(r, MaxBytes+1))
	if e.ReturnPath != "" {
		out.WriteString("Return-Path: " + printable(e.ReturnPath) + "\r\n")
	}
	for _, t := range e.To {
		out.WriteString("Delivered-To: " + printable(t) + "\r\n")
	}
	size, begun := 0, false // within a line
	for {
		part, err := in.ReadSlice('\n')
		if size == 0 && bytes.HasPrefix(part, []byte("From ")) {
			part = nil
		}
		size += len(part)
		if size > MaxBytes {
			return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, MaxBytes)
		}
		if line, ends := bytes.CutSuffix(part, []byte("\n")); ends {
			line, _ = bytes.CutSuffix(line, []byte("\r"))
			out.Write(line)
			out.WriteString("\r\n")
		} else {
			out.Write(part)
		}
		if len(part) > 0 {
			begun = part[len(part)-1] != '\n'
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && size == 0:
			return ErrEmpty
		case errors.Is(err, io.EOF):
			if begun {
				out.WriteString("\r\n")
			}
			return out.Flush() // with the first error of any write
		case err != nil:
			return err
		}
	}
}

// printable keeps an address within one header line.
func printable(address string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, address)
}

// numbers is the content of the file next.
type numbers struct {
	validity uint32
	next     uint32 // the UID of the next mail
}

const nextFile = "next"

// numbers reads the file. If it is missing or unreadable, the folder gets a new validity.
func (b *Box) numbers() (n numbers, err error) {
	name := filepath.Join(b.dir, nextFile)
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return n, fault.System("read the numbers of mails", name, err, notTaken)
	}
	if _, err := fmt.Sscanf(string(text), "%d %d\n", &n.validity, &n.next); err == nil && n.validity > 0 {
		return n, nil
	}
	var random [4]byte
	crand.Read(random[:])
	n = numbers{validity: binary.BigEndian.Uint32(random[:]) | 1, next: 1}
	all, err := b.uids()
	if err != nil {
		return n, err
	}
	if len(all) > 0 {
		n.next = all[len(all)-1] + 1
	}
	return n, b.setNumbers(new(disk.Batch), n)
}

// setNumbers writes the numbers to stable storage, together with the rest of batch.
func (b *Box) setNumbers(batch *disk.Batch, n numbers) error {
	name := filepath.Join(b.dir, nextFile)
	err := batch.Write(name, b.dir, fmt.Appendf(nil, "%d %d\n", n.validity, n.next), fileMode, time.Time{})
	if err == nil {
		err = batch.Sync()
	}
	return fault.System("write the numbers of mails", name, err, notTaken)
}

// lock makes sure that only one process allots numbers.
func (b *Box) lock() (unlock func() error, err error) {
	name := filepath.Join(b.dir, "incoming.lock")
	l := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(fileMode))
	if err := l.Lock(); err != nil {
		return nil, fault.System("lock the folder of mails", name, err, notTaken)
	}
	return l.Unlock, nil
}
