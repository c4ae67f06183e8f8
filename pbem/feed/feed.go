// Package feed records who reads reports as a personal feed, and at which secret address: for captains
// whose mail provider loses mails. Package site writes the content of the feeds.
//
// Invariants:
//
//   - The word in a feed's address gives access to everything that its owner gets. It cannot be guessed,
//     and a new one invalidates the old one.
//   - Handling the same mail again gives the same word.
package feed

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"starpost/pbem/auth"
	"starpost/pbem/disk"
	"starpost/pbem/fault"
)

// Feeds are the feeds of a host: a file in its state directory.
type Feeds struct{ file string }

// In returns the feeds of a state directory.
func In(state string) Feeds { return Feeds{filepath.Join(state, "feeds.json")} }

// most limits the number of readers.
const most = 10_000

// Reader is the reader of a feed.
type Reader struct {
	Address string `json:"address"`
	Cause   string `json:"cause"` // SHA-256 of the last mail that asked for it
	Word    string `json:"-"`     // in the feed's address
}

type list struct {
	Secret  string   `json:"secret"` // key of the words
	Readers []Reader `json:"readers"`
}

// read returns the list; an empty one if there is no file yet.
func (f Feeds) read() (l list, err error) {
	if f.file == "" {
		return l, nil
	}
	data, err := os.ReadFile(f.file)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &l)
	}
	if err != nil {
		return l, fault.System("read who has a feed", f.file, err, "no feed was changed")
	}
	for i := range l.Readers {
		l.Readers[i].Word = l.word(l.Readers[i].Address, l.Readers[i].Cause)
	}
	return l, nil
}

func (l list) word(address, cause string) string {
	mac := hmac.New(sha256.New, []byte(l.Secret))
	mac.Write([]byte("feed " + auth.Canonical(address) + " " + cause))
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil)[:20]))
}

func (l list) index(address string) int {
	return slices.IndexFunc(l.Readers, func(r Reader) bool { return auth.SameAddress(r.Address, address) })
}

// Readers returns all readers of feeds.
func (f Feeds) Readers() ([]Reader, error) {
	l, err := f.read()
	return l.Readers, err
}

// After returns the reader of an address after a mail has changed it, and the step that changes it; nil if nothing
// changes. With renew it gets a new word, otherwise it keeps an existing one.
func (f Feeds) After(address, mail string, renew bool) (Reader, *Step, error) {
	l, err := f.open()
	if err != nil {
		return Reader{}, nil, err
	}
	if i := l.index(address); i >= 0 && (!renew || l.Readers[i].Cause == mail) {
		return l.Readers[i], nil, nil
	}
	r := Reader{Address: address, Cause: mail, Word: l.word(address, mail)}
	return r, &Step{f, r, false}, nil
}

// Without returns the step that ends the feed of an address; nil if it has none.
func (f Feeds) Without(address string) (*Step, error) {
	l, err := f.read()
	if err != nil || l.index(address) < 0 {
		return nil, err
	}
	return &Step{f, Reader{Address: address}, true}, nil
}

// Step changes the feed of an address.
type Step struct {
	feeds  Feeds
	reader Reader
	end    bool
}

// Do makes the change. A second call has no effect.
func (s Step) Do() error {
	release, err := disk.LockFile(s.feeds.file)
	if err != nil {
		return err
	}
	l, err := s.feeds.read()
	if err == nil {
		i := l.index(s.reader.Address)
		switch {
		case s.end && i < 0:
		case s.end:
			l.Readers = slices.Delete(l.Readers, i, i+1)
			err = s.feeds.write(l)
		case i >= 0:
			l.Readers[i] = s.reader
			err = s.feeds.write(l)
		case len(l.Readers) >= most:
			err = fault.New("ask the host", "%d people have feeds, which is as many as there may be", most)
		default:
			l.Readers = append(l.Readers, s.reader)
			err = s.feeds.write(l)
		}
	}
	return errors.Join(err, release())
}

// open returns the list, and creates its secret if there is none.
func (f Feeds) open() (l list, err error) {
	if l, err = f.read(); err != nil || l.Secret != "" {
		return l, err
	}
	release, err := disk.LockFile(f.file)
	if err != nil {
		return l, err
	}
	if l, err = f.read(); err == nil && l.Secret == "" {
		l.Secret = rand.Text()
		err = f.write(l)
	}
	return l, errors.Join(err, release())
}

func (f Feeds) write(l list) error {
	data, err := json.Marshal(l)
	if err == nil {
		err = disk.Replace(f.file, data, 0o600)
	}
	if err != nil {
		return fault.System("note who has a feed", f.file, err, "no feed was changed")
	}
	return nil
}
