package vault

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/vault/journal"
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

func (g *Game) has(turn int) error {
	if turn < 0 || turn >= g.turns {
		return &Error{
			Path: g.Dir(), Problem: fmt.Sprintf("the game has no turn %d", turn),
			Way: fmt.Sprintf("its turns are 0 to %d", g.Turn()), Err: ErrNoTurn,
		}
	}
	return nil
}

// Manifest reads the manifest of a turn.
func (g *Game) Manifest(turn int) (Manifest, error) { return g.StageManifest(Stage{Turn: turn}) }

// StageManifest reads the manifest of a stage.
func (g *Game) StageManifest(at Stage) (Manifest, error) {
	at, err := g.find(at)
	if err != nil {
		return Manifest{}, err
	}
	if m, ok := g.manifests[at]; ok {
		return m, nil
	}
	m, _, err := g.readManifest(at)
	if err == nil {
		g.keepManifest(m)
	}
	return m, err
}

func (g *Game) keepManifest(m Manifest) {
	if g.manifests == nil {
		g.manifests = map[Stage]Manifest{}
	}
	g.manifests[m.Stage()] = m
}

// readManifest reads the manifest of a stage whose revision is given, and gives its
// hash too.
func (g *Game) readManifest(at Stage) (m Manifest, hash string, err error) {
	name := g.StageName(at, ManifestFile)
	p := g.path(name)
	data, err := g.tree.ReadFile(name)
	if err != nil {
		return m, "", missing(p, err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return Manifest{}, "", damaged(p, "the file is truncated or altered: %v", err)
	}
	if m.Format != Format {
		return Manifest{}, "", &Error{
			Path: p, Problem: fmt.Sprintf("format %d is not known", m.Format),
			Way: fmt.Sprintf("this program reads format %d; use the program that wrote it", Format), Err: ErrDamaged,
		}
	}
	if problem := g.foreign(at, m, data); problem != "" {
		return Manifest{}, "", damaged(p, "%s", problem)
	}
	return m, Hash(data), nil
}

// foreign says why a manifest is not that of a stage whose revision is given; "" if it
// is.
func (g *Game) foreign(at Stage, m Manifest, data []byte) string {
	switch {
	case m.Stage() != at || m.Game != g.settings.ID:
		return fmt.Sprintf("the manifest is that of game %q %s, revision %d", m.Game, m.Stage(), m.Stage().Revision)
	case at.Round == 0 && at.Revision > 1 && !g.past.sums[journal.Made{Turn: at.Turn, Revision: at.Revision, Manifest: Hash(data)}]:
		return "the file was altered: the journal has the hash of another one"
	}
	return ""
}

// manifestHash is the hash of the manifest of a stage, as the file is.
func (g *Game) manifestHash(at Stage) (string, error) {
	name := g.StageName(at, ManifestFile)
	p := g.path(name)
	data, err := g.tree.ReadFile(name)
	if err != nil {
		return "", missing(p, err)
	}
	return Hash(data), nil
}

// ReadFile reads one file of a turn and compares it with the manifest. The
// name is slash-separated: "reports/hood.txt".
func (g *Game) ReadFile(turn int, name string) ([]byte, error) {
	return g.StageFile(Stage{Turn: turn}, name)
}

// StageFile is ReadFile for any stage.
func (g *Game) StageFile(at Stage, name string) ([]byte, error) {
	m, err := g.StageManifest(at)
	if err != nil {
		return nil, err
	}
	p := g.stagePath(m.Stage(), name)
	want, ok := m.Files[name]
	if !ok {
		return nil, &Error{
			Path: p, Problem: "the turn has no such file", Err: ErrNoTurn,
			Way: "its files are listed in " + g.stagePath(m.Stage(), ManifestFile),
		}
	}
	data, err := g.tree.ReadFile(g.StageName(m.Stage(), name))
	if err != nil {
		return nil, missing(p, err)
	}
	if Fingerprint(name, data) != want {
		return nil, damaged(p, "the file is truncated or was altered after the turn was committed")
	}
	return data, nil
}

// EditionAt is the resolution of a turn from which on a captain has the report
// that he has with one of its revisions.
func (g *Game) EditionAt(turn, revision int, captain engine.CaptainName) (int, error) {
	m, err := g.StageManifest(Stage{Turn: turn, Revision: revision})
	if err != nil {
		return 0, err
	}
	for n := m.Edition(captain); revision > 1; revision-- {
		if m, err = g.StageManifest(Stage{Turn: turn, Revision: revision - 1}); err != nil {
			return 0, err
		}
		if m.Edition(captain) != n {
			break
		}
	}
	return revision, nil
}

// State is the game after a turn. The result is shared: it must not be
// changed, only cloned.
func (g *Game) State(turn int) (*engine.Game, error) { return g.StageState(Stage{Turn: turn}) }

// StageState is State for any stage.
func (g *Game) StageState(at Stage) (*engine.Game, error) {
	at, err := g.find(at)
	if err != nil {
		return nil, err
	}
	if s, ok := g.states[at]; ok {
		return s, nil
	}
	data, err := g.StageFile(at, StateFile)
	if err != nil {
		return nil, err
	}
	s, err := engine.DecodeGame(data, g.rules)
	if field, ok := errors.AsType[*engine.FieldError](err); ok {
		return nil, &Error{
			Path: g.stagePath(at, StateFile), Problem: field.Error(), Err: ErrDamaged,
			Way: fmt.Sprintf("the game is as it was: go on with the starpost that wrote it, of version %s of rule set %s", field.Was, field.Rules),
		}
	}
	if err != nil {
		return nil, damaged(g.stagePath(at, StateFile), "%v", err)
	}
	g.keep(at, s)
	return s, nil
}

// keep remembers a few states: what is asked for is the newest, or (by
// verification) each in turn.
func (g *Game) keep(at Stage, s *engine.Game) {
	if g.states == nil || len(g.states) > 3 {
		g.states = map[Stage]*engine.Game{}
	}
	g.states[at] = s
}

// Events are the events of a turn; turn 0 has none. The result is shared and
// must not be changed; those of the newest stage are read once.
func (g *Game) Events(turn int) ([]engine.Event, error) { return g.StageEvents(Stage{Turn: turn}) }

// StageEvents is Events for any stage: those of its turn so far.
func (g *Game) StageEvents(at Stage) ([]engine.Event, error) {
	at, err := g.find(at)
	if err != nil {
		return nil, err
	}
	if g.newest.events != nil && g.newest.at == at {
		return g.newest.events, nil
	}
	data, err := g.StageFile(at, EventsFile)
	if err != nil {
		return nil, err
	}
	events, err := engine.DecodeEvents(data, g.rules)
	if err != nil {
		return nil, damaged(g.stagePath(at, EventsFile), "%v", err)
	}
	if newest, err := g.find(g.Newest()); err == nil && newest == at {
		g.newest.at, g.newest.events = at, events
	}
	return events, nil
}

// RoundEvents are the events of a stage that no stage before it had: of a round its
// own, of a turn all.
func (g *Game) RoundEvents(at Stage) ([]engine.Event, error) {
	events, err := g.StageEvents(at)
	if err != nil || at.Round < 2 {
		return events, err
	}
	before := at
	before.Round--
	told, err := g.StageEvents(before)
	if err != nil {
		return nil, err
	}
	if len(told) > len(events) {
		return nil, damaged(g.stagePath(at, EventsFile), "the round before has more events")
	}
	return events[len(told):], nil
}

// List names the files of a turn below a directory ("orders"), sorted.
func (g *Game) List(turn int, dir string) ([]string, error) {
	m, err := g.Manifest(turn)
	if err != nil {
		return nil, err
	}
	return listed(m, dir), nil
}

func listed(m Manifest, dir string) []string {
	var names []string
	for name := range m.Files {
		if path.Dir(name) == dir || strings.HasPrefix(name, dir+"/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// OutMail is one mail of a turn.
type OutMail struct {
	Envelope
	Path string // where it lies, or would lie, absolute or relative as the game directory is
	Name string // "kirk.eml"
}

// StageOutbox lists the mails of a stage, sorted by file name.
func (g *Game) StageOutbox(at Stage) ([]OutMail, error) {
	m, err := g.StageManifest(at)
	if err != nil {
		return nil, err
	}
	var mails []OutMail
	for _, name := range slices.Sorted(maps.Keys(m.Mails)) {
		mails = append(mails, OutMail{Envelope: m.Mails[name], Name: name, Path: g.stagePath(m.Stage(), OutboxDir, name)})
	}
	return mails, nil
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
