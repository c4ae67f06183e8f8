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
	RulingsFile  = "rulings.jsonl" // what a referee changed; only where there is something
	ManifestFile = "manifest.json"
	OrdersDir    = "orders"
	ReportsDir   = "reports"
	// OutboxFile is what reports and mails are drawn from beside state and events: what
	// they say in addition. What is in it is package turn's to know.
	OutboxFile = "outbox.json"
	// ViewsFile holds the views of all reports, likewise.
	ViewsFile = "views.json"
	// OutboxDir holds mails in turns of an older layout, in which pages and pictures of
	// reports are files too. A mail still has the name that it had there.
	OutboxDir = "outbox"
	// FiledFile is what the referee filed, of a turn that he played.
	FiledFile = "filed.txt"
)

// File is one file of a turn: a slash-separated name below the turn's directory.
type File struct {
	Name string
	Data []byte
}

// Manifest is manifest.json: what a turn consists of.
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
	// Missing is what was done for seats without orders: policy by seat.
	Missing map[engine.Seat]string `json:"missing,omitempty"`
	// Silent is the same for the rounds after the first, by the number of the round.
	// The policy is blank where what was said earlier in the turn holds.
	Silent map[int]map[engine.Seat]string `json:"silent,omitempty"`
	// Quiet tells that nothing happened that a captain wants to be asked at: the reports were
	// not mailed, and the next stage is played without new orders.
	Quiet bool `json:"quiet,omitempty"`
	// Breaks are what captains want to be asked at who said so, by captain.
	Breaks map[engine.CaptainName][]string `json:"breaks,omitempty"`
	// Draw are the captains who agreed to end the game as a draw; then nothing
	// else happened in the turn.
	Draw []engine.CaptainName `json:"draw,omitempty"`
	// Filed is who filed the turn, of one that a referee played.
	Filed *Filed `json:"filed,omitempty"`
	// Taken is the SHA-256 of each file of orders/ that the turn was played
	// with, as it lay there, by file name; orders/ of the turn holds the
	// canonical form of the same.
	Taken map[string]string `json:"taken,omitempty"`
	// Mails is whom the mails are for, by name ("kirk.eml").
	Mails map[string]Envelope `json:"mails,omitempty"`
	// Editions is, of a later revision, how many reports of the turn each captain
	// has had by then, those corrected for him included; absent for the first.
	Editions map[engine.CaptainName]int `json:"editions,omitempty"`
	// Beacon is, of turn 0 of a game with public dice, what the game was made with of [beacon].
	Beacon *BeaconSettings `json:"beacon,omitempty"`
	// Previous is the SHA-256 of the manifest of the turn before, so that no
	// turn in the middle can be exchanged unseen.
	Previous string `json:"previous,omitempty"`
	// Rounds is the SHA-256 of the manifest of each round before the last, of a turn
	// that was played in rounds.
	Rounds []string `json:"rounds,omitempty"`
	// Journal is the SHA-256 of the journal's last entry when the turn was
	// committed, "" when there was none.
	Journal string `json:"journal,omitempty"`
	// Record is the SHA-256 of the public form of this manifest, see package chain; so the
	// next turn need not make those of all turns before again.
	Record string `json:"record,omitempty"`
	// Base is, for turn 0, the SHA-256 of the game's fixed files: scenario.toml
	// and ships/*.toml.
	Base map[string]string `json:"base,omitempty"`
	// Files is the [Fingerprint] of every other file of the turn.
	Files map[string]string `json:"files"`
}

// Edition is which report of the turn the captain has with this resolution of it,
// counted for him alone: a revision in which nothing changed for him is none.
func (m Manifest) Edition(captain engine.CaptainName) int {
	if n, ok := m.Editions[captain]; ok {
		return n
	}
	return max(m.Revision, 1)
}

// Filed is who filed a turn that a referee played, and what he said of it.
type Filed struct {
	By  string `json:"by"`
	Why string `json:"why,omitempty"`
}

// Envelope is where a mail goes and the Message-ID it bears.
type Envelope struct {
	Captain   engine.CaptainName `json:"captain"`
	To        string             `json:"to"`
	MessageID string             `json:"message_id"`
}

// Stage is what the manifest is of, its revision given.
func (m Manifest) Stage() Stage {
	return Stage{Turn: m.Turn, Round: m.Round, Revision: max(m.Revision, 1)}
}

// Hash is the SHA-256 of data in hexadecimal, as manifests have it.
func Hash(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// Fingerprint is what the manifest of a turn tells of a file: for what the
// game consists of (state, events, orders) its Hash, so that no one can exchange
// it unseen. Reports and mails are drawn from these and decide nothing. They are
// most of a turn's bytes, so of them the manifest has the length and a checksum,
// "crc32c 1c291ca3 5120", by which a lost, cut or altered file is found.
func Fingerprint(name string, data []byte) string {
	if !Drawn(name) {
		return Hash(data)
	}
	b := append(make([]byte, 0, 32), "crc32c "...)
	sum := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) // what processors compute; made once
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[sum>>shift&15])
	}
	return string(strconv.AppendInt(append(b, ' '), int64(len(data)), 10))
}

// Drawn tells the files of a turn that are drawn from the others, or to draw with: they
// decide nothing, and are for those whose they are.
func Drawn(name string) bool {
	return name == OutboxFile || name == ViewsFile || strings.HasPrefix(name, ReportsDir+"/") || strings.HasPrefix(name, OutboxDir+"/")
}
