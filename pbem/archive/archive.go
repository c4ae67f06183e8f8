package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"starpost/pbem/fault"
	"starpost/pbem/vault"
)

// Format is the version of the archive format.
const Format = 1

// Names of the members outside the game directory.
const (
	infoFile   = "archive.json"
	sumsFile   = "SHA256SUMS"
	readmeFile = "README.txt"
	gameDir    = "game"
	mailsDir   = "mails"
)

// Limits of an archive.
const (
	maxFile      = 512 << 20 // bytes of the file itself
	maxDirectory = 8 << 20   // bytes of its central directory
	maxMembers   = 50_000
	maxMember    = 64 << 20  // bytes of a member, unpacked
	maxTotal     = 512 << 20 // bytes of all members, unpacked
	maxList      = 8 << 20   // bytes of the list of hashes, and of archive.json
	maxName      = 300
)

// The kinds of errors that callers distinguish with errors.Is.
var (
	// errNotArchive is returned for a file that is not an archive, or that cannot be read safely.
	errNotArchive = errors.New("not an archive of a game")
	// ErrExists is returned if the output file already exists.
	ErrExists = errors.New("something is already there")
	// errGoesOn is returned for a game that is not over.
	errGoesOn = errors.New("the game is not over")
	// errRules is returned for an archive whose rule set this program does not have.
	errRules = errors.New("the rule set or its version differs")
	// errUnsound is returned for a game that does not match its record.
	errUnsound = errors.New("the game does not replay as recorded")
)

// Error is a problem with an archive: which file, what, and what to do. Err is one of the errors
// above, or the system's.
type Error = fault.Fault

// Info is archive.json: a description of the archive.
type Info struct {
	Format       int    `json:"format"`
	Game         string `json:"game"`
	Title        string `json:"title"`
	Rules        string `json:"rules"`
	Version      string `json:"version"` // of the rule set
	Turn         int    `json:"turn"`    // the last one
	Over         bool   `json:"over"`
	SecretSHA256 string `json:"secret_sha256"`
	Seeded       bool   `json:"seeded,omitempty"` // the secret was derived from a number
	// Stages are the resolutions in it, with the hash that reports gave for each.
	Stages []Stage `json:"stages"`
	// Mails is the number of order mails in it, and LeftOut lists those that are not.
	Mails   int      `json:"mails"`
	LeftOut []string `json:"left_out,omitempty"`
	// Messages means that it has the messages between captains that the game publishes.
	Messages bool `json:"messages,omitempty"`
	// Telling are files of the game that contain something like an address; they stay unchanged,
	// because otherwise the turns would not replay.
	Telling []string `json:"telling,omitempty"`
}

// Stage is a resolution of a turn or of a round of it.
type Stage struct {
	Turn     int       `json:"turn"`
	Round    int       `json:"round,omitempty"`
	Revision int       `json:"revision"`
	Current  bool      `json:"current"` // it counts
	Resolved time.Time `json:"resolved"`
	Seal     string    `json:"seal"` // the hash of the record so far, as in the reports
}

// String returns "turn 3", "turn 3, phase 1" or "turn 3, revision 2".
func (s Stage) String() string {
	out := vault.Stage{Turn: s.Turn, Round: s.Round}.String()
	if s.Revision > 1 {
		out += fmt.Sprintf(", revision %d", s.Revision)
	}
	return out
}

func (i Info) encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(i); err != nil {
		return nil, fmt.Errorf("write %s: %w", infoFile, err)
	}
	return b.Bytes(), nil
}
