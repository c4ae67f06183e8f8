package vault

import (
	"errors"
	"fmt"
	"io/fs"

	"starpost/pbem/fault"
	"starpost/pbem/record"
)

// The kinds of trouble that callers tell apart with errors.Is.
var (
	ErrNotAGame  = errors.New("not a game directory")
	ErrExists    = record.ErrExists
	ErrDamaged   = errors.New("the game directory is damaged")
	ErrLocked    = record.ErrLocked
	ErrFenced    = record.ErrFenced
	ErrStale     = record.ErrStale
	ErrCommitted = record.ErrCommitted
	ErrNoTurn    = errors.New("the game has no such turn")
	ErrSettings  = errors.New("the settings are wrong")
)

// Error is trouble with a file of a game: which, what, and the way out. Err is one of the
// errors above, or the system's.
type Error = fault.Fault

const wayDamaged = "restore the file from a backup of the game directory; `starpost verify` checks the whole of it"

// missing says that a file which must be there is not, or cannot be read.
func missing(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{Path: path, Problem: "the file is missing", Way: wayDamaged, Err: ErrDamaged}
	}
	return system("read", path, err)
}

func damaged(path, format string, args ...any) error {
	return &Error{Path: path, Problem: fmt.Sprintf(format, args...), Way: wayDamaged, Err: ErrDamaged}
}

// system puts an operating system's error into words with a way out; nil for nil.
func system(doing, path string, err error) error {
	if told, ok := errors.AsType[*Error](err); ok {
		return told
	}
	return fault.System(doing, path, err, "nothing of the game was changed")
}
