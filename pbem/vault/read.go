package vault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
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
	OutboxDir    = "outbox"
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
	// Missing is what was done for ships without orders: policy by ship.
	Missing map[string]string `json:"missing,omitempty"`
	// Silent is the same for the rounds after the first, by the number of the round.
	// The policy is blank where what was said earlier in the turn holds.
	Silent map[int]map[string]string `json:"silent,omitempty"`
	// Draw are the captains who agreed to end the game as a draw; then nothing
	// else happened in the turn.
	Draw []string `json:"draw,omitempty"`
	// Filed is who filed the turn, of one that a referee played.
	Filed *Filed `json:"filed,omitempty"`
	// Taken is the SHA-256 of each file of orders/ that the turn was played
	// with, as it lay there, by file name; orders/ of the turn holds the
	// canonical form of the same.
	Taken map[string]string `json:"taken,omitempty"`
	// Mails is whom the files of the outbox are for, by file name ("kirk.eml").
	Mails map[string]Envelope `json:"mails,omitempty"`
	// Editions is, of a later revision, how many reports of the turn each captain
	// has had by then, those corrected for him included; absent for the first.
	Editions map[string]int `json:"editions,omitempty"`
	// Previous is the SHA-256 of the manifest of the turn before, so that no
	// turn in the middle can be exchanged unseen.
	Previous string `json:"previous,omitempty"`
	// Rounds is the SHA-256 of the manifest of each round before the last, of a turn
	// that was played in rounds.
	Rounds []string `json:"rounds,omitempty"`
	// Journal is the SHA-256 of the journal's last entry when the turn was
	// committed, "" when there was none.
	Journal string `json:"journal,omitempty"`
	// Base is, for turn 0, the SHA-256 of the game's fixed files: scenario.toml
	// and ships/*.toml.
	Base map[string]string `json:"base,omitempty"`
	// Files is the [Fingerprint] of every other file of the turn.
	Files map[string]string `json:"files"`
}

// Edition is which report of the turn the captain has with this resolution of it,
// counted for him alone: a revision in which nothing changed for him is none.
func (m Manifest) Edition(captain string) int {
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
	Captain   string `json:"captain"`
	To        string `json:"to"`
	MessageID string `json:"message_id"`
}

func (g *Game) has(turn int) error {
	if turn < 0 || turn >= g.turns {
		return &Error{
			Path: g.dir, Problem: fmt.Sprintf("the game has no turn %d", turn),
			Way: fmt.Sprintf("its turns are 0 to %d", g.Turn()), Err: ErrNoTurn,
		}
	}
	return nil
}

// Manifest reads the manifest of a turn.
func (g *Game) Manifest(turn int) (Manifest, error) {
	if err := g.has(turn); err != nil {
		return Manifest{}, err
	}
	if m, ok := g.manifests[turn]; ok {
		return m, nil
	}
	m, err := g.manifest(turn, g.revision(turn))
	if err == nil {
		g.manifests[turn] = m
	}
	return m, err
}

// manifest reads the manifest of a turn's revision.
func (g *Game) manifest(turn, revision int) (Manifest, error) {
	p := g.revisionPath(turn, revision, ManifestFile)
	data, err := os.ReadFile(p)
	if err != nil {
		return Manifest{}, missing(p, err)
	}
	m, err := readManifest(p, data)
	if err != nil {
		return m, err
	}
	if m.Turn != turn || m.Round != 0 || m.Game != g.settings.ID || max(m.Revision, 1) != revision {
		return Manifest{}, damaged(p, "the manifest is that of game %q turn %d, revision %d", m.Game, m.Turn, max(m.Revision, 1))
	}
	if !g.committed(turn, revision, data) {
		return Manifest{}, damaged(p, "the file is not the one that the journal has the hash of")
	}
	return m, nil
}

// readManifest reads the text of a manifest; p is for messages.
func readManifest(p string, data []byte) (m Manifest, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return Manifest{}, damaged(p, "the file is truncated or altered: %v", err)
	}
	if m.Format != Format {
		return Manifest{}, &Error{
			Path: p, Problem: fmt.Sprintf("format %d is not known", m.Format),
			Way: fmt.Sprintf("this program reads format %d; use the program that wrote it", Format), Err: ErrDamaged,
		}
	}
	return m, nil
}

// ReadFile reads one file of a turn and compares it with the manifest. The
// name is slash-separated: "reports/hood.txt".
func (g *Game) ReadFile(turn int, name string) ([]byte, error) {
	m, err := g.Manifest(turn)
	if err != nil {
		return nil, err
	}
	return g.readFile(m, name)
}

// manifestDir is the directory of the turn, or the round of one, that a manifest
// is of.
func (g *Game) manifestDir(m Manifest) string {
	if m.Round > 0 {
		return g.path("turns", RoundBase(m.Turn, max(m.Revision, 1), m.Round))
	}
	return g.revisionPath(m.Turn, max(m.Revision, 1))
}

// readFile reads one file of the turn that a manifest is of.
func (g *Game) readFile(m Manifest, name string) ([]byte, error) {
	path := func(name string) string {
		return filepath.Join(g.manifestDir(m), filepath.FromSlash(name))
	}
	want, ok := m.Files[name]
	if !ok {
		return nil, &Error{
			Path: path(name), Problem: "the turn has no such file", Err: ErrNoTurn,
			Way: "its files are listed in " + path(ManifestFile),
		}
	}
	p := path(name)
	data, err := os.ReadFile(p)
	if err != nil {
		return nil, missing(p, err)
	}
	if Fingerprint(name, data) != want {
		return nil, damaged(p, "the file is truncated or was altered after the turn was committed")
	}
	return data, nil
}

// ManifestOf reads the manifest of a turn's revision, whether it counts or not.
func (g *Game) ManifestOf(turn, revision int) (Manifest, error) {
	if err := g.hasRevision(turn, revision); err != nil {
		return Manifest{}, err
	}
	return g.manifest(turn, revision)
}

// EditionAt is the resolution of a turn from which on a captain has the report
// that he has with one of its revisions.
func (g *Game) EditionAt(turn, revision int, captain string) (int, error) {
	m, err := g.ManifestOf(turn, revision)
	if err != nil {
		return 0, err
	}
	for n := m.Edition(captain); revision > 1; revision-- {
		if m, err = g.ManifestOf(turn, revision-1); err != nil {
			return 0, err
		}
		if m.Edition(captain) != n {
			break
		}
	}
	return revision, nil
}

// ReadFileOf is ReadFile for a turn's revision, whether it counts or not.
func (g *Game) ReadFileOf(turn, revision int, name string) ([]byte, error) {
	m, err := g.ManifestOf(turn, revision)
	if err != nil {
		return nil, err
	}
	return g.readFile(m, name)
}

// StateOf is State for a turn's revision, whether it counts or not.
func (g *Game) StateOf(turn, revision int) (*engine.Game, error) {
	if turn < g.turns && revision == g.revision(turn) {
		return g.State(turn)
	}
	data, err := g.ReadFileOf(turn, revision, StateFile)
	if err != nil {
		return nil, err
	}
	s, err := engine.DecodeGame(data, g.rules)
	if err != nil {
		return nil, damaged(g.revisionPath(turn, revision, StateFile), "%v", err)
	}
	return s, nil
}

// EventsOf is Events for a turn's revision, whether it counts or not.
func (g *Game) EventsOf(turn, revision int) ([]engine.Event, error) {
	if turn < g.turns && revision == g.revision(turn) {
		return g.Events(turn)
	}
	data, err := g.ReadFileOf(turn, revision, EventsFile)
	if err != nil {
		return nil, err
	}
	events, err := engine.DecodeEvents(data, g.rules)
	if err != nil {
		return nil, damaged(g.revisionPath(turn, revision, EventsFile), "%v", err)
	}
	return events, nil
}

// State is the game after a turn. The result is shared: it must not be
// changed, only cloned.
func (g *Game) State(turn int) (*engine.Game, error) {
	if err := g.has(turn); err != nil {
		return nil, err
	}
	if s, ok := g.states[turn]; ok {
		return s, nil
	}
	data, err := g.ReadFile(turn, StateFile)
	if err != nil {
		return nil, err
	}
	s, err := engine.DecodeGame(data, g.rules)
	if err != nil {
		return nil, damaged(g.turnPath(turn, StateFile), "%v", err)
	}
	g.keep(turn, s)
	return s, nil
}

// keep remembers a few states: what is asked for is the newest, or (by
// verification) each in turn.
func (g *Game) keep(turn int, s *engine.Game) {
	if len(g.states) > 3 {
		clear(g.states)
	}
	g.states[turn] = s
}

// Events are the events of a turn; turn 0 has none. The result is shared and
// must not be changed; the newest turn's is read once.
func (g *Game) Events(turn int) ([]engine.Event, error) {
	if err := g.has(turn); err != nil {
		return nil, err
	}
	if g.newest.events != nil && g.newest.turn == turn {
		return g.newest.events, nil
	}
	data, err := g.ReadFile(turn, EventsFile)
	if err != nil {
		return nil, err
	}
	events, err := engine.DecodeEvents(data, g.rules)
	if err != nil {
		return nil, damaged(g.turnPath(turn, EventsFile), "%v", err)
	}
	if turn == g.Turn() {
		g.newest.turn, g.newest.events = turn, events
	}
	return events, nil
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

// OutMail is one stored mail of a turn.
type OutMail struct {
	Envelope
	File string // absolute or relative as the game directory is
	Name string // "outbox/kirk.eml"
}

// Outbox lists the mails of a turn, sorted by file name.
func (g *Game) Outbox(turn int) ([]OutMail, error) {
	if err := g.has(turn); err != nil {
		return nil, err
	}
	return g.OutboxOf(turn, g.revision(turn))
}

// OutboxOf is Outbox for a turn's revision, whether it counts or not.
func (g *Game) OutboxOf(turn, revision int) ([]OutMail, error) {
	m, err := g.ManifestOf(turn, revision)
	if err != nil {
		return nil, err
	}
	var mails []OutMail
	for _, name := range listed(m, OutboxDir) {
		env, ok := m.Mails[path.Base(name)]
		if !ok {
			return nil, damaged(g.revisionPath(turn, revision, ManifestFile), "no envelope for %s", name)
		}
		mails = append(mails, OutMail{Envelope: env, Name: name, File: g.revisionPath(turn, revision, filepath.FromSlash(name))})
	}
	return mails, nil
}
