package vault

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"strconv"
	"strings"
	"time"

	"starpost/engine"
)

// Names of the files of a turn.
const (
	StateFile    = "state.json"
	EventsFile   = "events.jsonl"
	RulingsFile  = "rulings.jsonl" // a referee's changes; only if there are any
	ManifestFile = "manifest.json"
	OrdersDir    = "orders"
	ReportsDir   = "reports"
	// OutboxFile holds what reports and mails need besides state and events. Package turn defines
	// its content.
	OutboxFile = "outbox.json"
	// ViewsFile holds the views of all reports, likewise.
	ViewsFile = "views.json"
	// OutboxDir holds mails in turns of an older layout, which also has pages and pictures of
	// reports as files. A mail still has its old name.
	OutboxDir = "outbox"
	// FiledFile is the referee's filing, in a turn that the referee played.
	FiledFile = "filed.txt"
)

// File is one file of a turn: a slash-separated name below the turn's directory.
type File struct {
	Name string
	Data []byte
}

// Manifest is manifest.json: the content of a turn.
type Manifest struct {
	Format   int       `json:"format"`
	Game     string    `json:"game"`
	Turn     int       `json:"turn"`
	Revision int       `json:"revision,omitempty"` // from 2; absent for the first
	Round    int       `json:"round,omitempty"`    // of a turn in progress; absent for a whole turn
	Resolved time.Time `json:"resolved"`
	// Deadline is when orders for the next turn are due, as the reports say;
	// zero when the game is over.
	Deadline time.Time `json:"deadline,omitzero"`
	// Missing is what was done for seats without orders: the policy by seat.
	Missing map[engine.Seat]string `json:"missing,omitempty"`
	// Silent is the same for the rounds after the first, by round number. The policy is empty if
	// earlier orders of the turn still apply.
	Silent map[int]map[engine.Seat]string `json:"silent,omitempty"`
	// Quiet means that nothing happened that a captain wants to be consulted about: the reports
	// were not mailed, and the next stage is played without new orders.
	Quiet bool `json:"quiet,omitempty"`
	// Breaks are the events about which captains want to be consulted, by captain.
	Breaks map[engine.CaptainName][]string `json:"breaks,omitempty"`
	// Draw lists the captains who agreed to end the game as a draw; then nothing else happened in
	// the turn.
	Draw []engine.CaptainName `json:"draw,omitempty"`
	// Filed says who filed the turn, if a referee played it.
	Filed *Filed `json:"filed,omitempty"`
	// Taken is the SHA-256 of each file of orders/ used for the turn, by file name; the turn's own
	// orders/ holds their canonical form.
	Taken map[string]string `json:"taken,omitempty"`
	// Mails are the addressees of the mails, by name ("kirk.eml").
	Mails map[string]Envelope `json:"mails,omitempty"`
	// Editions is, for a later revision, the number of reports of the turn that each captain has
	// had so far, including corrections; absent for the first.
	Editions map[engine.CaptainName]int `json:"editions,omitempty"`
	// Beacon is, for turn 0 of a game with public dice, [beacon] as of the game's creation.
	Beacon *BeaconSettings `json:"beacon,omitempty"`
	// Previous is the SHA-256 of the previous turn's manifest, so that no turn in the middle can be
	// exchanged unnoticed.
	Previous string `json:"previous,omitempty"`
	// Rounds is the SHA-256 of the manifest of each round except the last, for a turn with rounds.
	Rounds []string `json:"rounds,omitempty"`
	// Journal is the SHA-256 of the journal's last entry when the turn was committed; "" if there
	// was none.
	Journal string `json:"journal,omitempty"`
	// Record is the SHA-256 of the public form of this manifest, see package chain. It saves the
	// next turn from computing those of all earlier turns again.
	Record string `json:"record,omitempty"`
	// Base is, for turn 0, the SHA-256 of the game's fixed files: scenario.toml
	// and ships/*.toml.
	Base map[string]string `json:"base,omitempty"`
	// Files is the [Fingerprint] of every other file of the turn.
	Files map[string]string `json:"files"`
}

// Edition returns the number of the captain's report for this resolution of the turn. A revision in
// which nothing changed for the captain does not count.
func (m Manifest) Edition(captain engine.CaptainName) int {
	if n, ok := m.Editions[captain]; ok {
		return n
	}
	return max(m.Revision, 1)
}

// Filed says who filed a turn that a referee played, and why.
type Filed struct {
	By  string `json:"by"`
	Why string `json:"why,omitempty"`
}

// Envelope is the recipient and Message-ID of a mail.
type Envelope struct {
	Captain   engine.CaptainName `json:"captain"`
	To        string             `json:"to"`
	MessageID string             `json:"message_id"`
}

// Stage returns the stage of the manifest, with its revision.
func (m Manifest) Stage() Stage {
	return Stage{Turn: m.Turn, Round: m.Round, Revision: max(m.Revision, 1)}
}

// Hash returns the SHA-256 of data in hexadecimal, as in manifests.
func Hash(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// Fingerprint returns the manifest's entry for a file. For state, events and orders, which make up
// the game, it is Hash, so that they cannot be exchanged unnoticed. Reports and mails are drawn
// from these, decide nothing, and are most of a turn's bytes: for them it is length and checksum,
// "crc32c 1c291ca3 5120", which reveal a lost, cut or altered file.
func Fingerprint(name string, data []byte) string {
	if !Drawn(name) {
		return Hash(data)
	}
	b := append(make([]byte, 0, 32), "crc32c "...)
	sum := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) // computed in hardware; the table is made once
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[sum>>shift&15])
	}
	return string(strconv.AppendInt(append(b, ' '), int64(len(data)), 10))
}

// Drawn reports whether a file of a turn is drawn from the others, or is input for drawing. Such
// files decide nothing, and each is private to its recipient.
func Drawn(name string) bool {
	return name == OutboxFile || name == ViewsFile || strings.HasPrefix(name, ReportsDir+"/") || strings.HasPrefix(name, OutboxDir+"/")
}
