package archive

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/pbem/chain"
	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

// Options say which game to archive, and where.
type Options struct {
	Game      *vault.Game
	Bag       referee.Postbag // source of the mails; the zero value for none
	To        string          // the output file
	Early     bool            // also archive a game that is not over
	Catalogue vault.Catalogue // for the verification
	Progress  func(turn int)  // called for each turn before it is verified; may be nil
}

// Result describes the archive.
type Result struct {
	Info
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
	Sum   string `json:"sum"` // SHA-256 of the list of hashes
	Files int    `json:"files"`
}

// Make writes an archive of a game to a temporary file, verifies it, and renames it.
func Make(ctx context.Context, o Options) (made Result, err error) {
	due, err := o.Game.Due()
	if err != nil {
		return made, err
	}
	if due > 0 && !o.Early {
		return made, &Error{
			Path: o.Game.Dir(), Problem: fmt.Sprintf("%s is not over: turn %d is due", o.Game.ID(), due), Err: errGoesOn,
			Way: "wait for its end; --before-the-end makes an archive anyway, but shows all orders, all future dice and all turn keys to everyone",
		}
	}
	to, err := filepath.Abs(o.To)
	if err != nil {
		return made, fmt.Errorf("find %s: %w", o.To, err)
	}
	if _, err := os.Lstat(to); err == nil {
		return made, &Error{Path: o.To, Problem: "something is already there", Way: "name a file that does not exist yet", Err: ErrExists}
	}
	part := filepath.Join(filepath.Dir(to), "."+filepath.Base(to)+".part")
	defer func() {
		if rerr := os.Remove(part); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
			err = errors.Join(err, system("remove", part, rerr))
		}
	}()
	if made, err = write(ctx, o, part); err != nil {
		return made, err
	}
	verdict, err := Verify(ctx, part, VerifyOptions{Catalogue: o.Catalogue, Progress: o.Progress})
	if err != nil {
		return made, err
	}
	if len(verdict.Findings) > 0 {
		return made, &Error{
			Path: o.Game.Dir(), Problem: fmt.Sprintf("%s does not replay as recorded: %s", o.Game.ID(), verdict.Findings[0]), Err: errUnsound,
			Way: o.Game.CommandLine("verify") + " lists what was altered; restore it from a backup",
		}
	}
	if err := os.Rename(part, to); err != nil {
		return made, system("write", o.To, err)
	}
	if err := disk.SyncDir(filepath.Dir(to)); err != nil {
		return made, system("write", o.To, err)
	}
	made.File = o.To
	return made, nil
}

// epoch is the modification time of all members.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// write writes an archive to stable storage.
func write(ctx context.Context, o Options, path string) (made Result, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return made, system("write", path, err)
	}
	defer func() {
		if cerr := f.Close(); cerr != nil && err == nil {
			err = system("write", path, cerr)
		}
	}()
	z := zip.NewWriter(f)
	var sums []string
	put := func(m member) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		w, err := z.CreateHeader(header(m.name))
		if err == nil {
			_, err = w.Write(m.data)
		}
		if err != nil {
			return system("write", path, err)
		}
		if m.name != sumsFile {
			sums = append(sums, vault.Hash(m.data)+"  "+m.name+"\n")
		}
		return nil
	}
	if made.Info, err = contents(o.Game, put); err != nil {
		return made, unsound(o.Game, err)
	}
	letters, left, err := mails(ctx, o.Game, o.Bag)
	if err != nil {
		return made, err
	}
	for _, m := range letters {
		if err := put(m); err != nil {
			return made, err
		}
	}
	said, err := press(o.Game)
	if err != nil {
		return made, err
	}
	if made.Messages = len(said.data) > 0; made.Messages {
		if err := put(said); err != nil {
			return made, err
		}
	}
	made.Mails, made.LeftOut = len(letters), left
	info, err := made.encode()
	if err != nil {
		return made, err
	}
	if err := put(member{infoFile, info}); err != nil {
		return made, err
	}
	if err := put(member{readmeFile, readme(made.Info, o.Game.Rules())}); err != nil {
		return made, err
	}
	slices.SortFunc(sums, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	list := []byte(strings.Join(sums, ""))
	if err := put(member{sumsFile, list}); err != nil {
		return made, err
	}
	made.Sum, made.Files = vault.Hash(list), len(sums)+1
	if err := z.Close(); err != nil {
		return made, system("write", path, err)
	}
	if err := f.Sync(); err != nil {
		return made, system("write", path, err)
	}
	at, err := f.Stat()
	if err != nil {
		return made, system("write", path, err)
	}
	made.Bytes = at.Size()
	return made, nil
}

// unsound adds a hint to the error for a game that cannot be assembled.
func unsound(g *vault.Game, err error) error {
	if errors.Is(err, errUnsound) || errors.Is(err, chain.ErrBroken) || errors.Is(err, fs.ErrNotExist) {
		return &Error{
			Path: g.Dir(), Problem: err.Error(), Err: errUnsound,
			Way: g.CommandLine("verify") + " lists what was altered; restore it from a backup",
		}
	}
	return err
}

// system explains an operating system's error and adds advice.
func system(doing, path string, err error) error {
	return fault.System(doing, path, err, "nothing was left behind")
}
