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

// MovedFile marks a game that was moved, and says where to.
const MovedFile = "MOVED"

// CheckedOutFile marks a directory with a game checked out of a database, and names the database.
const CheckedOutFile = "CHECKED_OUT"

// Names of a game's files outside turns, and of its folders.
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

// files is the record of a game, which knows where its files are stored.
type files struct{ record.Tree }

// path returns the location of a file of the game, for messages.
func (f files) path(parts ...string) string { return f.Place(path.Join(parts...)) }

// The kinds of errors that callers distinguish with errors.Is.
var (
	ErrNotAGame  = errors.New("not a game directory")
	ErrDamaged   = errors.New("the game directory is damaged")
	ErrLocked    = record.ErrLocked
	ErrFenced    = record.ErrFenced
	ErrStale     = record.ErrStale
	ErrCommitted = record.ErrCommitted
	ErrNoTurn    = errors.New("the game has no such turn")
	ErrSettings  = errors.New("the settings are wrong")
)

// Error is a problem with a file of a game: which file, what, and what to do. Err is one of the errors above,
// or the system's.
type Error = fault.Fault

const wayDamaged = "restore the file from a backup of the game directory; `starpost verify` checks the whole directory"

// missing returns the error for a required file that is missing or cannot be read.
func missing(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{Path: path, Problem: "the file is missing", Way: wayDamaged, Err: ErrDamaged}
	}
	return system("read", path, err)
}

func damaged(path, format string, args ...any) error {
	return &Error{Path: path, Problem: fmt.Sprintf(format, args...), Way: wayDamaged, Err: ErrDamaged}
}

// system explains an operating system's error and adds advice; nil for nil.
func system(doing, path string, err error) error {
	if told, ok := errors.AsType[*Error](err); ok {
		return told
	}
	return fault.System(doing, path, err, "the game is unchanged")
}

// ClosingDir is the directory with the input of the due stage once its orders are closed. It counts when the
// journal has its [journal.CloseData].
const ClosingDir = "closing"
