package vault

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
)

// A game may take its turns in rounds. What a round came to is committed like a
// turn, in a directory beside that of the turn it belongs to:
//
//	turns/0003.p1/   after the first round of turn 3
//	turns/0003.p2/   after the second
//	turns/0003/      the whole turn, after the last
//
// The rounds of the turn in progress count as long as each was made after the one
// before it, and the first after the turn before: when a referee changes that
// turn, they are leftovers, and are replaced when their numbers are needed.

// Cadences, as game.toml has them: what one exchange of mails resolves.
const (
	CadenceTurn  = "turn"  // a whole turn
	CadencePhase = "phase" // a phase of it
)

// Cadences lists the cadences.
func Cadences() []string { return []string{CadenceTurn, CadencePhase} }

// Stage is a point of a game: the end of a turn, or of a round of it.
type Stage struct {
	Turn  int
	Round int // 0: the whole turn
}

// String is "turn 3" or "turn 3, phase 2".
func (s Stage) String() string {
	if s.Round == 0 {
		return fmt.Sprintf("turn %d", s.Turn)
	}
	return fmt.Sprintf("turn %d, phase %d", s.Turn, s.Round)
}

// Slug is "3" or "3.p2", as names of files and mails have it.
func (s Stage) Slug() string {
	if s.Round == 0 {
		return strconv.Itoa(s.Turn)
	}
	return fmt.Sprintf("%d.p%d", s.Turn, s.Round)
}

// first is the stage with its round counted from 1.
func (s Stage) first() Stage { return Stage{s.Turn, max(s.Round, 1)} }

// before tells whether a stage that is due comes earlier than another.
func (s Stage) before(o Stage) bool {
	s, o = s.first(), o.first()
	return s.Turn < o.Turn || s.Turn == o.Turn && s.Round < o.Round
}

// RoundBase is the name below turns of the directory of a round of a turn's
// revision.
func RoundBase(turn, revision, round int) string {
	return TurnBase(turn, revision) + ".p" + strconv.Itoa(round)
}

// rounds is what is known of the rounds of the turn in progress.
type rounds struct {
	after string // which turn and revision they are of, and after which
	n     int
	// Of the newest of them.
	manifest Manifest
	state    *engine.Game
	events   []engine.Event
}

// Rounds is how many rounds a turn of the game has; 0 when turns are resolved at
// one go.
func (g *Game) Rounds() int {
	if g.settings.Cadence != CadencePhase {
		return 0
	}
	return g.rules.Rounds()
}

// Newest is the stage that was reached last.
func (g *Game) Newest() Stage {
	if g.rounds.n > 0 {
		return Stage{g.turns, g.rounds.n}
	}
	return Stage{Turn: g.Turn()}
}

// DueStage is the stage that orders are wanted for, as far as that is for turns and
// rounds to say; it is one also when the game is over.
func (g *Game) DueStage() Stage {
	if g.Rounds() == 0 {
		return Stage{Turn: g.turns}
	}
	return Stage{g.turns, g.rounds.n + 1}
}

// readRounds looks which rounds of the turn in progress there are.
func (g *Game) readRounds() error {
	if g.Rounds() == 0 {
		return nil
	}
	base := TurnBase(g.turns, g.revision(g.turns))
	after := fmt.Sprintf("%s after %s by version %s", base, TurnBase(g.Turn(), g.revision(g.Turn())), g.effective.Version)
	there := func(n int) bool {
		_, err := os.Lstat(g.path("turns", fmt.Sprintf("%s.p%d", base, n), ManifestFile))
		return err == nil
	}
	if g.rounds.after == after && (g.rounds.n == 0 || there(g.rounds.n)) && !there(g.rounds.n+1) {
		return nil
	}
	now := rounds{after: after}
	previous, err := g.manifestHash(g.Turn(), g.revision(g.Turn()))
	if err != nil {
		return err
	}
	for n := 1; n < g.Rounds() && there(n); n++ {
		m, hash, err := g.roundManifest(g.turns, g.revision(g.turns), n)
		if err != nil {
			return err
		}
		if m.Previous != previous || g.VersionAt(m.Journal) != g.effective.Version {
			break // it follows something that is not so any more
		}
		now.n, now.manifest, previous = n, m, hash
	}
	if g.rounds.after != now.after || g.rounds.n != now.n || g.rounds.manifest.Previous != now.manifest.Previous {
		g.kept = nil
		g.swept = swept{}
	}
	g.rounds = now
	return nil
}

// roundManifest reads the manifest of a round, and gives its hash too.
func (g *Game) roundManifest(turn, revision, round int) (Manifest, string, error) {
	p := g.path("turns", RoundBase(turn, revision, round), ManifestFile)
	data, err := os.ReadFile(p)
	if err != nil {
		return Manifest{}, "", missing(p, err)
	}
	m, err := readManifest(p, data)
	if err != nil {
		return m, "", err
	}
	if m.Turn != turn || m.Round != round || m.Game != g.settings.ID || max(m.Revision, 1) != revision {
		return m, "", damaged(p, "the manifest is that of game %q %s", m.Game, Stage{m.Turn, m.Round})
	}
	return m, Hash(data), nil
}

// CommitRound makes a round of the turn that is due part of the game, as Commit
// does for a turn. Round m.Round must be the next one.
func (g *Game) CommitRound(m Manifest, fill FileWriter, state *engine.Game) error {
	return g.locked(func() error {
		due := g.DueStage()
		switch at := (Stage{m.Turn, m.Round}); {
		case at.before(due):
			return &Error{
				Path: g.StageDir(at), Problem: fmt.Sprintf("%s is already committed", at),
				Way: fmt.Sprintf("%s is due", due), Err: ErrCommitted,
			}
		case at != due || m.Round < 1 || m.Round >= g.Rounds():
			return fmt.Errorf("commit %s of %s: %s is due: %w", at, g.ID(), due, ErrNoTurn)
		}
		m, err := g.Linked(m)
		if err != nil {
			return err
		}
		if m, err = g.commit(m, max(m.Revision, 1), fill); err != nil {
			return err
		}
		g.rounds = rounds{after: g.rounds.after, n: m.Round, manifest: m, state: state}
		g.kept = nil
		return g.clean()
	})
}

// InProgress names the newest round of the turn in progress, whatever else was in its
// place before; "" where there is none.
func (g *Game) InProgress() string {
	if g.rounds.n == 0 {
		return ""
	}
	return fmt.Sprintf("%s, %d", g.rounds.after, g.rounds.n)
}

// RoundMark names a stage among all that were ever reported: a round that is played
// after turns or rounds were taken back, so that it may have been played before, has
// another one than the first time. It tells of nothing that captains are not told.
func (g *Game) RoundMark(at Stage) string {
	times := 1
	for _, due := range g.past.dues {
		if due <= at.Turn {
			times++
		}
	}
	if at.Round > 0 && times > 1 {
		return fmt.Sprintf("%s-%d", at.Slug(), times)
	}
	return at.Slug()
}

// roundSums are the hashes of the manifests of the rounds of the turn in progress.
func (g *Game) roundSums() ([]string, error) {
	var sums []string
	for n := 1; n <= g.rounds.n; n++ {
		_, hash, err := g.roundManifest(g.turns, g.revision(g.turns), n)
		if err != nil {
			return nil, err
		}
		sums = append(sums, hash)
	}
	return sums, nil
}

// StageDir is the directory of a stage.
func (g *Game) StageDir(at Stage) string {
	if at.Round == 0 {
		return g.TurnDir(at.Turn)
	}
	return g.path("turns", RoundBase(at.Turn, g.revision(at.Turn), at.Round))
}

// Stages lists the stages of a turn that was played, or is in progress, in order:
// its rounds, then the turn itself if it is over.
func (g *Game) Stages(turn int) ([]Stage, error) {
	var out []Stage
	if turn == g.turns {
		for n := 1; n <= g.rounds.n; n++ {
			out = append(out, Stage{turn, n})
		}
		return out, nil
	}
	m, err := g.Manifest(turn)
	if err != nil {
		return nil, err
	}
	for n := range m.Rounds {
		out = append(out, Stage{turn, n + 1})
	}
	return append(out, Stage{Turn: turn}), nil
}

// StageManifest is Manifest for any stage.
func (g *Game) StageManifest(at Stage) (Manifest, error) {
	if at.Round == 0 {
		return g.Manifest(at.Turn)
	}
	if at == g.Newest() {
		return g.rounds.manifest, nil
	}
	if at.Turn < g.turns {
		whole, err := g.Manifest(at.Turn)
		if err != nil {
			return Manifest{}, err
		}
		if at.Round > len(whole.Rounds) {
			return Manifest{}, g.noStage(at)
		}
	} else if at.Turn > g.turns || at.Round > g.rounds.n {
		return Manifest{}, g.noStage(at)
	}
	m, _, err := g.roundManifest(at.Turn, g.revision(at.Turn), at.Round)
	return m, err
}

func (g *Game) noStage(at Stage) error {
	return &Error{Path: g.dir, Problem: fmt.Sprintf("the game has no %s", at), Way: fmt.Sprintf("the last is %s", g.Newest()), Err: ErrNoTurn}
}

// StageFile is ReadFile for any stage.
func (g *Game) StageFile(at Stage, name string) ([]byte, error) {
	m, err := g.StageManifest(at)
	if err != nil {
		return nil, err
	}
	return g.readFile(m, name)
}

// StageState is State for any stage.
func (g *Game) StageState(at Stage) (*engine.Game, error) {
	if at.Round == 0 {
		return g.State(at.Turn)
	}
	newest := at == g.Newest()
	if newest && g.rounds.state != nil {
		return g.rounds.state, nil
	}
	data, err := g.StageFile(at, StateFile)
	if err != nil {
		return nil, err
	}
	s, err := engine.DecodeGame(data, g.rules)
	if err != nil {
		return nil, damaged(filepath.Join(g.StageDir(at), StateFile), "%v", err)
	}
	if newest {
		g.rounds.state = s
	}
	return s, nil
}

// StageEvents is Events for any stage: those of its turn so far.
func (g *Game) StageEvents(at Stage) ([]engine.Event, error) {
	if at.Round == 0 {
		return g.Events(at.Turn)
	}
	newest := at == g.Newest()
	if newest && g.rounds.events != nil {
		return g.rounds.events, nil
	}
	data, err := g.StageFile(at, EventsFile)
	if err != nil {
		return nil, err
	}
	events, err := engine.DecodeEvents(data, g.rules)
	if err != nil {
		return nil, damaged(filepath.Join(g.StageDir(at), EventsFile), "%v", err)
	}
	if newest {
		g.rounds.events = events
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
	told, err := g.StageEvents(Stage{at.Turn, at.Round - 1})
	if err != nil {
		return nil, err
	}
	if len(told) > len(events) {
		return nil, damaged(filepath.Join(g.StageDir(at), EventsFile), "the round before has more events")
	}
	return events[len(told):], nil
}

// StageOutbox is Outbox for any stage.
func (g *Game) StageOutbox(at Stage) ([]OutMail, error) {
	m, err := g.StageManifest(at)
	if err != nil {
		return nil, err
	}
	var mails []OutMail
	for name := range m.Files {
		if !strings.HasPrefix(name, OutboxDir+"/") {
			continue
		}
		env, ok := m.Mails[path.Base(name)]
		if !ok {
			return nil, damaged(filepath.Join(g.StageDir(at), ManifestFile), "no envelope for %s", name)
		}
		mails = append(mails, OutMail{Envelope: env, Name: name, File: filepath.Join(g.StageDir(at), filepath.FromSlash(name))})
	}
	slices.SortFunc(mails, func(a, b OutMail) int { return strings.Compare(a.Name, b.Name) })
	return mails, nil
}

// DueRevision is the number that the turn which is due will have as its revision.
func (g *Game) DueRevision() int { return g.revision(g.turns) }

// RoundAudit is Audit for a round of a turn's revision.
func (g *Game) RoundAudit(at Stage, revision int) (Audit, error) {
	return g.auditIn(g.path("turns", RoundBase(at.Turn, revision, at.Round)), func(m Manifest, _ []byte) string {
		if m.Turn != at.Turn || m.Round != at.Round || max(m.Revision, 1) != revision || m.Game != g.settings.ID {
			return fmt.Sprintf("the manifest is that of game %q %s", m.Game, Stage{m.Turn, m.Round})
		}
		return ""
	})
}

// laterDir is the name below orders/later of the directory for what was sent ahead
// for a stage.
func laterDir(at Stage) string {
	if at.Round > 1 {
		return fmt.Sprintf("%s.p%d", turnName(at.Turn), at.Round)
	}
	return turnName(at.Turn)
}

// laterName is the form of its names.
var laterName = regexp.MustCompile(`^([0-9]{4,})(?:\.p([0-9]+))?$`)

// laterStage reads such a name.
func laterStage(name string) (Stage, bool) {
	m := laterName.FindStringSubmatch(name)
	if m == nil {
		return Stage{}, false
	}
	turn, ok := turnNumber(m[1])
	round := 1
	if m[2] != "" {
		var err error
		if round, err = strconv.Atoi(m[2]); err != nil {
			return Stage{}, false
		}
	}
	return Stage{turn, round}, ok
}

// ahead is where the sets lie that were sent ahead for a stage.
func (g *Game) ahead(at Stage) string {
	if due := g.DueStage(); at.Turn == due.Turn && at.Round == 0 {
		at = due
	}
	return g.path("orders", "later", laterDir(at))
}

// stageOrders is where the sets for a stage lie. Round 0 of the turn that is due is
// the round that is due, and of a later turn its first.
func (g *Game) stageOrders(at Stage) (string, error) {
	due := g.DueStage()
	if at.Turn == due.Turn && at.Round == 0 {
		at = due
	}
	switch {
	case at.before(due):
		return "", &Error{Path: g.dir, Problem: fmt.Sprintf("%s is already resolved", at), Way: fmt.Sprintf("%s is due", due), Err: ErrCommitted}
	case !due.before(at):
		return g.path("orders"), nil
	}
	return g.path("orders", "later", laterDir(at)), nil
}
