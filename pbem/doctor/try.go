package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"starpost/pbem/daemon/watch"
	"starpost/pbem/fault"
	"starpost/pbem/record/directory"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// Try reports whether this program can continue with the content of a folder, such as a backup: each game is played
// again and compared, and the store is read. Nothing is changed. Try calls tell after each check.
func Try(ctx context.Context, dir string, cat vault.Catalogue, tell func(watch.Check)) error {
	games, stores, err := inFolder(dir)
	if err != nil {
		return err
	}
	if len(games)+len(stores) == 0 {
		return fault.New("name a backup or the folder with your games", "there is no game or store in %s", dir)
	}
	for _, path := range stores {
		o, err := sqlite.Inspect(ctx, path)
		tell(watch.Checked("store "+path, fmt.Sprintf("can be read; %d mails waiting to be sent", o.Waiting), err))
	}
	for _, game := range games {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		found, err := playAgain(game, cat)
		tell(watch.Checked("game "+game, found, err))
	}
	return nil
}

// inFolder finds games and stores in a folder and up to two levels below it.
func inFolder(dir string) (games, stores []string, err error) {
	for _, at := range []string{".", "*", "*/*"} {
		for what, into := range map[string]*[]string{"game.toml": &games, "ledger.db": &stores} {
			found, err := fs.Glob(os.DirFS(dir), filepath.ToSlash(filepath.Join(at, what)))
			if err != nil {
				return nil, nil, fmt.Errorf("look into %s: %w", dir, err)
			}
			for _, file := range found {
				path := filepath.Join(dir, filepath.FromSlash(file))
				if into == &games {
					path = filepath.Dir(path)
				}
				*into = append(*into, path)
			}
		}
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, nil, fmt.Errorf("look into %s: %w", dir, err)
	}
	slices.Sort(games)
	slices.Sort(stores)
	return games, stores, nil
}

// playAgain plays a game again. A game with another version of its rules is read, and waits for its referee.
func playAgain(dir string, cat vault.Catalogue) (string, error) {
	g, err := vault.Open(directory.At(dir), cat)
	if err != nil {
		return "", err
	}
	findings, err := proof.Verify(g, func(int) {})
	if err != nil {
		return "", err
	}
	if len(findings) > 0 {
		return "", fault.New("do not use this program with it; if the previous version finds nothing wrong (starpost verify), report it, otherwise restore the file from a backup",
			"%s does not replay as recorded: %s, %d findings in all", g.ID(), findings[0], len(findings))
	}
	spans, err := proof.Versions(g)
	if err != nil {
		return "", err
	}
	if len(spans) == 0 {
		return "", errors.New("there are no turns")
	}
	if last := spans[len(spans)-1]; last.Version != g.Rules().Version {
		return "", fault.New("keep the old program until the game is over, or have its referee accept the new rules: "+g.CommandLine("referee", "rules", g.Rules().Version, "--why TEXT"),
			"it uses version %s of rule set %s, and this program has version %s: the game would wait for its referee", last.Version, g.Rules().Name, g.Rules().Version)
	}
	return fmt.Sprintf("turn %d played, replays as recorded", g.Turn()), nil
}
