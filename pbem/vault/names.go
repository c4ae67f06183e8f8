package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"

	"starpost/pbem/fault"
	"starpost/pbem/record"
)

// MovedFile is where a game that was moved to another place says so.
const MovedFile = "MOVED"

// CheckedOutFile is in a directory with a game that was checked out of a database; it says of which.
const CheckedOutFile = "CHECKED_OUT"

// Names of a game's files beside those of turns, and of its folders.
const (
	settingsFile = "game.toml"
	scenarioFile = "scenario.toml"
	secretFile   = "secret"
	tablesDir    = "ships"
	turnsDir     = "turns"
	ordersDir    = record.Orders
	laterDir     = ordersDir + "/later"
)

// JournalFile is the name of the journal in a game directory.
const JournalFile = record.Journal

func turnName(n int) string { return fmt.Sprintf("%04d", n) }

func turnNumber(name string) (int, bool) {
	n, err := strconv.Atoi(name)
	return n, err == nil && n >= 0 && turnName(n) == name
}

// files is the record of a game, with where its files are kept.
type files struct{ record.Tree }

// path is where a file of the game is kept, for messages.
func (f files) path(parts ...string) string { return f.Place(path.Join(parts...)) }

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

const wayDamaged = "restore the file from a backup of the game directory; `starpost verify` checks the whole directory"

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
	return fault.System(doing, path, err, "the game is unchanged")
}

// ClosingDir is the directory with what the stage that is due is played with once its orders are closed. What
// it holds counts when the journal has the [journal.CloseData] of it.
const ClosingDir = "closing"
