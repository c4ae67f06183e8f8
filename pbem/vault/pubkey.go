package vault

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"starpost/pbem/fault"
)

// KeysDir is the folder for captains' OpenPGP keys in a game directory.
const KeysDir = "keys"

// maxKey bounds the file of a public key, in bytes.
const maxKey = 256 << 10

// keyPath tells whether a name can be a key's file: below the game directory,
// written with slashes, and none of the game's own files.
func keyPath(name string) bool {
	return filepath.IsLocal(filepath.FromSlash(name)) && path.Clean(name) == name && !strings.ContainsAny(name, "\\\x00\n") &&
		name != "." && name != "secret" && !strings.HasPrefix(name, "turns/")
}

// PublicKey reads the file with a captain's or referee's OpenPGP key, as PGP names it; nil for "".
// What is in it is not looked at. The error is an *Error, and says whose the key is.
func (g *Game) PublicKey(file, whose string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	name := g.path(file)
	trouble := func(problem string, err error) error {
		return &Error{
			Path: name, Problem: fmt.Sprintf("the OpenPGP key of %s %s", whose, problem), Err: err,
			Way: "put the captain's armored public key there, or take pgp out of game.toml",
		}
	}
	if !keyPath(file) {
		return nil, trouble("is not in the game directory", ErrSettings)
	}
	f, err := g.tree.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, trouble("is missing", err)
	}
	if err != nil {
		return nil, trouble(fmt.Sprintf("cannot be read: %v", fault.Cause(err)), err)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, trouble(fmt.Sprintf("cannot be read: %v", fault.Cause(err)), err)
	}
	if len(data) > maxKey {
		return nil, trouble(fmt.Sprintf("is larger than %d bytes", maxKey), ErrSettings)
	}
	return data, nil
}
