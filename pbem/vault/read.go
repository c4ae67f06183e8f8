package vault

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/pbem/vault/journal"
)

// Manifest reads the manifest of a stage.
func (s *Stages) Manifest(at Stage) (Manifest, error) {
	at, err := s.find(at)
	if err != nil {
		return Manifest{}, err
	}
	if m, ok := s.manifests[at]; ok {
		return m, nil
	}
	m, _, err := s.readManifest(at)
	if err == nil {
		s.keepManifest(m)
	}
	return m, err
}

func (s *Stages) keepManifest(m Manifest) {
	if s.manifests == nil {
		s.manifests = map[Stage]Manifest{}
	}
	s.manifests[m.Stage()] = m
}

// readManifest reads the manifest of a stage with a given revision, and returns its hash too.
func (s *Stages) readManifest(at Stage) (m Manifest, hash string, err error) {
	name := s.Name(at, ManifestFile)
	p := s.tree.path(name)
	data, err := s.tree.ReadFile(name)
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
			Way: fmt.Sprintf("use the program that wrote it; this one reads format %d", Format), Err: ErrDamaged,
		}
	}
	if problem := s.foreign(at, m, data); problem != "" {
		return Manifest{}, "", damaged(p, "%s", problem)
	}
	return m, Hash(data), nil
}

// foreign says why a manifest does not belong to a stage with a given revision; "" if it does.
func (s *Stages) foreign(at Stage, m Manifest, data []byte) string {
	switch {
	case m.Stage() != at || m.Game != s.conf.file.ID:
		return fmt.Sprintf("the manifest belongs to game %q %s, revision %d", m.Game, m.Stage(), m.Stage().Revision)
	case at.Round == 0 && at.Revision > 1 && !s.past.sums[journal.Made{Turn: at.Turn, Revision: at.Revision, Manifest: Hash(data)}]:
		return "the file was altered: the journal has a different hash"
	}
	return ""
}

// manifestHash returns the hash of a stage's manifest file.
func (s *Stages) manifestHash(at Stage) (string, error) {
	name := s.Name(at, ManifestFile)
	p := s.tree.path(name)
	data, err := s.tree.ReadFile(name)
	if err != nil {
		return "", missing(p, err)
	}
	return Hash(data), nil
}

// File reads one file of a stage and compares it with the manifest. The
// name is slash-separated: "reports/hood.txt".
func (s *Stages) File(at Stage, name string) ([]byte, error) {
	m, err := s.Manifest(at)
	if err != nil {
		return nil, err
	}
	p := s.path(m.Stage(), name)
	want, ok := m.Files[name]
	if !ok {
		return nil, &Error{
			Path: p, Problem: "the turn has no such file", Err: ErrNoTurn,
			Way: "see the list of its files in " + s.path(m.Stage(), ManifestFile),
		}
	}
	data, err := s.tree.ReadFile(s.Name(m.Stage(), name))
	if err != nil {
		return nil, missing(p, err)
	}
	if Fingerprint(name, data) != want {
		return nil, damaged(p, "the file is truncated or was altered after the turn was committed")
	}
	return data, nil
}

// EditionAt returns the earliest resolution of a turn that gave a captain the same report as the
// given revision.
func (s *Stages) EditionAt(turn, revision int, captain engine.CaptainName) (int, error) {
	m, err := s.Manifest(Stage{Turn: turn, Revision: revision})
	if err != nil {
		return 0, err
	}
	for n := m.Edition(captain); revision > 1; revision-- {
		if m, err = s.Manifest(Stage{Turn: turn, Revision: revision - 1}); err != nil {
			return 0, err
		}
		if m.Edition(captain) != n {
			break
		}
	}
	return revision, nil
}

// State returns the game after a stage. The result is shared: it may be cloned but not changed.
func (s *Stages) State(at Stage) (*engine.Game, error) {
	at, err := s.find(at)
	if err != nil {
		return nil, err
	}
	if state, ok := s.states[at]; ok {
		return state, nil
	}
	data, err := s.File(at, StateFile)
	if err != nil {
		return nil, err
	}
	state, err := engine.DecodeGame(data, s.rules)
	if field, ok := errors.AsType[*engine.FieldError](err); ok {
		return nil, &Error{
			Path: s.path(at, StateFile), Problem: field.Error(), Err: ErrDamaged,
			Way: fmt.Sprintf("use the starpost that wrote it, with version %s of rule set %s; the game is unchanged", field.Was, field.Rules),
		}
	}
	if err != nil {
		return nil, damaged(s.path(at, StateFile), "%v", err)
	}
	s.keep(at, state)
	return state, nil
}

// keep caches a few states: callers usually want the newest, or (for verification) each in turn.
func (s *Stages) keep(at Stage, state *engine.Game) {
	if s.states == nil || len(s.states) > 3 {
		s.states = map[Stage]*engine.Game{}
	}
	s.states[at] = state
}

// Events returns the events of the stage's turn up to it; turn 0 has none. The result is shared and
// must not be changed. Those of the newest stage are cached.
func (s *Stages) Events(at Stage) ([]engine.Event, error) {
	at, err := s.find(at)
	if err != nil {
		return nil, err
	}
	if s.newest.events != nil && s.newest.at == at {
		return s.newest.events, nil
	}
	data, err := s.File(at, EventsFile)
	if err != nil {
		return nil, err
	}
	events, err := engine.DecodeEvents(data, s.rules)
	if err != nil {
		return nil, damaged(s.path(at, EventsFile), "%v", err)
	}
	if newest, err := s.find(s.Newest()); err == nil && newest == at {
		s.newest.at, s.newest.events = at, events
	}
	return events, nil
}

// NewEvents returns the events that are new with a stage: those of the round only, or all of a
// whole turn.
func (s *Stages) NewEvents(at Stage) ([]engine.Event, error) {
	events, err := s.Events(at)
	if err != nil || at.Round < 2 {
		return events, err
	}
	before := at
	before.Round--
	told, err := s.Events(before)
	if err != nil {
		return nil, err
	}
	if len(told) > len(events) {
		return nil, damaged(s.path(at, EventsFile), "the previous round has more events")
	}
	return events[len(told):], nil
}

// List returns the files of a stage below a directory ("orders"), sorted.
func (s *Stages) List(at Stage, dir string) ([]string, error) {
	m, err := s.Manifest(at)
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
	Path string // location of its file, if it has one, absolute or relative like the game directory
	Name string // "kirk.eml"
}

// Outbox returns the mails of a stage, sorted by file name.
func (s *Stages) Outbox(at Stage) ([]OutMail, error) {
	m, err := s.Manifest(at)
	if err != nil {
		return nil, err
	}
	var mails []OutMail
	for _, name := range slices.Sorted(maps.Keys(m.Mails)) {
		mails = append(mails, OutMail{Envelope: m.Mails[name], Name: name, Path: s.path(m.Stage(), OutboxDir, name)})
	}
	return mails, nil
}

// find fills in the current revision of a stage, and refuses a stage that the game does not have.
func (s *Stages) find(at Stage) (Stage, error) {
	turn := Stage{Turn: at.Turn, Revision: at.Revision}
	switch {
	case at.Round > 0 && at.Turn == s.turns && (at.Revision == 0 || at.Revision == s.revision(at.Turn)): // in progress
		if at.Round > s.rounds.n {
			return at, s.noStage(at)
		}
	case at.Round > 0:
		if at.Revision == 0 && at.Turn > s.turns {
			return at, s.noStage(at)
		}
		whole, err := s.Manifest(turn)
		if err != nil {
			return at, err
		}
		if at.Round > len(whole.Rounds) {
			return at, s.noStage(at)
		}
	case at.Revision != 0:
		return at, s.hasRevision(at.Turn, at.Revision)
	default:
		if err := s.has(at.Turn); err != nil {
			return at, err
		}
	}
	at.Revision = cmp.Or(at.Revision, s.revision(at.Turn))
	return at, nil
}

func (s *Stages) noStage(at Stage) error {
	return &Error{Path: s.tree.Place(""), Problem: fmt.Sprintf("the game has no %s", at), Way: fmt.Sprintf("the last is %s", s.Newest()), Err: ErrNoTurn}
}
