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

// Format is the version of the form of archives.
const Format = 1

// Names of the members that are not files of the game.
const (
	infoFile   = "archive.json"
	sumsFile   = "SHA256SUMS"
	readmeFile = "README.txt"
	gameDir    = "game"
	mailsDir   = "mails"
)

// Bounds of an archive.
const (
	maxFile      = 512 << 20 // of the file itself
	maxDirectory = 8 << 20   // of its table of contents
	maxMembers   = 50_000
	maxMember    = 64 << 20  // of a member, unpacked
	maxTotal     = 512 << 20 // of all of them
	maxList      = 8 << 20   // of the list of hashes and that of the contents
	maxName      = 300
)

// The kinds of trouble that callers tell apart with errors.Is.
var (
	// errNotArchive is returned for a file that is no archive, or none that can be
	// looked at safely.
	errNotArchive = errors.New("not an archive of a game")
	// ErrExists is returned when there is something under the name already.
	ErrExists = errors.New("something is already there")
	// errGoesOn is returned for a game that is not over.
	errGoesOn = errors.New("the game is not over")
	// errRules is returned for an archive whose rule set this program does not have.
	errRules = errors.New("the rule set or its version differs")
	// errUnsound is returned for a game that is not as it was played.
	errUnsound = errors.New("the game does not replay as recorded")
)

// Error is trouble with an archive: which file, what, and the way out. Err is one of the
// errors above, or the system's.
type Error = fault.Fault

// Info is archive.json: what an archive is of.
type Info struct {
	Format       int    `json:"format"`
	Game         string `json:"game"`
	Title        string `json:"title"`
	Rules        string `json:"rules"`
	Version      string `json:"version"` // of the rule set
	Turn         int    `json:"turn"`    // the last one
	Over         bool   `json:"over"`
	SecretSHA256 string `json:"secret_sha256"`
	Seeded       bool   `json:"seeded,omitempty"` // the secret was made of a number
	// Stages are the resolutions in it, with what reports said of each.
	Stages []Stage `json:"stages"`
	// Mails and LeftOut are how many order mails are in it, and which are not.
	Mails   int      `json:"mails"`
	LeftOut []string `json:"left_out,omitempty"`
	// Messages tells that the messages between captains are in it which the game publishes.
	Messages bool `json:"messages,omitempty"`
	// Telling are files of the game in which someone wrote what looks like an
	// address; they stay as they are, for the turns would not come out the same.
	Telling []string `json:"telling,omitempty"`
}

// Stage is a resolution of a turn or of a round of it.
type Stage struct {
	Turn     int       `json:"turn"`
	Round    int       `json:"round,omitempty"`
	Revision int       `json:"revision"`
	Current  bool      `json:"current"` // it counts
	Resolved time.Time `json:"resolved"`
	Seal     string    `json:"seal"` // the hash of the record so far, as the reports told it
}

// String is "turn 3", "turn 3, phase 1" or "turn 3, revision 2".
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
