package incoming

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/mailbox"
)

const (
	newDir   = "new"
	suffix   = ".eml"
	dirMode  = 0o700
	fileMode = 0o600
)

// Box is the folder for mails to one address.
type Box struct {
	dir      string
	address  string
	bell     chan struct{} // cap 1
	validity uint32        // as of the last look
}

// Open opens the folder of an address in a state directory, and creates it if it is missing.
func Open(state, address string) (*Box, error) {
	b := &Box{dir: Dir(state, address), address: address, bell: make(chan struct{}, 1)}
	if err := disk.MakeDir(filepath.Join(b.dir, newDir), dirMode); err != nil {
		return nil, fmt.Errorf("make the folder of mails that are handed over: %w", err)
	}
	return b, nil
}

// Folder contains the folders of all addresses in a state directory.
const Folder = "incoming"

// Dir returns the folder of an address in a state directory.
func Dir(state, address string) string {
	return filepath.Join(state, Folder, strings.ToLower(strings.ReplaceAll(address, string(filepath.Separator), "_")))
}

// Name returns the name of an address's folder in the store.
func Name(address string) string { return "incoming/" + strings.ToLower(address) }

// WithoutTag returns an address without its plus tag.
func WithoutTag(address string) string {
	local, domain, _ := strings.Cut(address, "@")
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + domain
}

// Look returns the validity of the folder and the UIDs above after. It ignores after if the validity has changed.
func (b *Box) Look(_ context.Context, validity, after uint32) (now uint32, uids []uint32, err error) {
	unlock, err := b.lock()
	if err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	n, err := b.numbers()
	if err != nil {
		return 0, nil, err
	}
	if n.validity != validity {
		after = 0
	}
	b.validity = n.validity
	all, err := b.uids()
	return n.validity, slices.DeleteFunc(all, func(uid uint32) bool { return uid <= after }), err
}

// uids returns those of the mails that are not handled yet.
func (b *Box) uids() ([]uint32, error) {
	entries, err := os.ReadDir(filepath.Join(b.dir, newDir))
	if err != nil {
		return nil, fault.System("read the folder of mails", filepath.Join(b.dir, newDir), err, "")
	}
	var all []uint32
	for _, e := range entries {
		digits, ok := strings.CutSuffix(e.Name(), suffix)
		if uid, err := strconv.ParseUint(digits, 10, 32); ok && err == nil && uid > 0 && e.Name() == fileName(uint32(uid)) {
			all = append(all, uint32(uid))
		}
	}
	return all, nil // by name, so in ascending order
}

func fileName(uid uint32) string { return fmt.Sprintf("%010d%s", uid, suffix) }

func (b *Box) file(uid uint32) string { return filepath.Join(b.dir, newDir, fileName(uid)) }

// Infos returns when mails arrived. No one reads them here, so none has been seen.
func (b *Box) Infos(_ context.Context, uids []uint32) (map[uint32]mailbox.Info, error) {
	all := map[uint32]mailbox.Info{}
	for _, uid := range uids {
		switch info, err := os.Stat(b.file(uid)); {
		case err == nil:
			all[uid] = mailbox.Info{Size: info.Size(), Arrived: info.ModTime()}
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fault.System("look at a mail", b.file(uid), err, "")
		}
	}
	return all, nil
}

// Fetch calls take for each mail that is still there.
func (b *Box) Fetch(ctx context.Context, uids []uint32, take func(mailbox.Mail) error) error {
	infos, err := b.Infos(ctx, uids)
	if err != nil {
		return err
	}
	for _, uid := range uids {
		info, there := infos[uid]
		if !there {
			continue
		}
		m := mailbox.Mail{Ref: mailbox.Ref{Mailbox: b.address, UIDValidity: b.validity, UID: uid}, Size: info.Size, Arrived: info.Arrived}
		if m.Raw, err = os.ReadFile(b.file(uid)); err != nil {
			return fault.System("read a mail", b.file(uid), err, "")
		}
		if err := take(m); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Move moves mails into a folder, named by the last element of its path. Missing mails are not an error.
func (b *Box) Move(_ context.Context, uids []uint32, folder string) error {
	to := filepath.Join(b.dir, path.Base(folder))
	if err := disk.MakeDir(to, dirMode); err != nil {
		return fault.System("make a folder of mails", to, err, "")
	}
	for _, uid := range uids {
		if err := os.Rename(b.file(uid), filepath.Join(to, fileName(uid))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fault.System("move a mail", b.file(uid), err, "")
		}
	}
	return errors.Join(disk.SyncDir(to), disk.SyncDir(filepath.Join(b.dir, newDir)))
}

// Tidy deletes files of interrupted deliveries after a day, and handled mails after keep; 0 keeps them for ever. It
// returns the number of deleted mails.
func (b *Box) Tidy(now time.Time, keep time.Duration) (mails int, err error) {
	if _, err := b.deleteOld(partial+"*", now.Add(-24*time.Hour)); err != nil || keep <= 0 {
		return 0, err
	}
	return b.deleteOld("[A-Z]*/*"+suffix, now.Add(-keep))
}

func (b *Box) deleteOld(pattern string, before time.Time) (n int, err error) {
	names, err := fs.Glob(os.DirFS(b.dir), pattern)
	if err != nil {
		return 0, fault.System("look for old mails", b.dir, err, "")
	}
	for _, name := range names {
		name = filepath.Join(b.dir, filepath.FromSlash(name))
		info, err := os.Stat(name)
		if err == nil && info.ModTime().Before(before) {
			err = os.Remove(name)
			n++
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return n, fault.System("delete an old mail", name, err, "")
		}
	}
	return n, nil
}

// Changed returns when a mail last arrived or left, for detecting changes by other processes.
func (b *Box) Changed() (time.Time, error) {
	info, err := os.Stat(filepath.Join(b.dir, newDir))
	if err != nil {
		return time.Time{}, fault.System("look at the folder of mails", b.dir, err, "")
	}
	return info.ModTime(), nil
}

// Wait returns after most, or when [Box.Wake] is called. It returns an error when ctx ends.
func (b *Box) Wait(ctx context.Context, most time.Duration) error {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-b.bell:
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// Wake ends the current Wait, or the next one.
func (b *Box) Wake() {
	select {
	case b.bell <- struct{}{}:
	default:
	}
}

// Close does nothing, because there is no connection.
func (*Box) Close() {}
