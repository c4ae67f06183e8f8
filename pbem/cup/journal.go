package cup

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
)

// Kinds of entries.
const (
	kindOpen      = "open"      // the first: Settings
	kindEnter     = "enter"     // enterData
	kindWithdraw  = "withdraw"  // numberData
	kindRate      = "rate"      // rateData
	kindPair      = "pair"      // a round: pairData
	kindMember    = "member"    // a captain of a team, new or as a replacement: memberData
	kindChallenge = "challenge" // challengeData
	kindDispute   = "dispute"   // disputeData
	kindResult    = "result"    // a game ended: resultData
	kindRule      = "rule"      // a referee decided a game: resultData
	kindClose     = "close"     // nothing more will be played
)

// Entry is one line of a cup's journal.
type Entry struct {
	Seq   int             `json:"seq"` // from 1, without gaps
	Time  time.Time       `json:"time"`
	Kind  string          `json:"kind"`
	By    string          `json:"by"` // referee, game or mail
	Why   string          `json:"why,omitempty"`
	Cause string          `json:"cause,omitempty"`
	Data  json.RawMessage `json:"data"`
	Prev  string          `json:"prev"` // SHA-256 of the line before, 64 zeros for the first
}

type enterData struct {
	Name    string   `json:"name"`
	Members []Member `json:"members"`
}

type numberData struct {
	Entrant int `json:"entrant"`
}

type rateData struct {
	Ratings map[int]int `json:"ratings"` // by number of the entrant
}

type challengeData struct {
	From int `json:"from"`
	To   int `json:"to"`
}

type pairData struct {
	Round   int     `json:"round"`
	Matches []Match `json:"matches"`
}

type resultData struct {
	Game   string `json:"game"`
	Result string `json:"result"` // one of the outcomes
}

// Limits of a journal.
const (
	journalFile = "journal.jsonl"
	maxJournal  = 64 << 20
)

// ErrNone is returned if there is no cup of a name.
var ErrNone = errors.New("there is no such cup")

// Cups are the cups of a host: a directory for each in a folder.
type Cups struct{ Folder string }

// In returns the cups of a state directory.
func In(state string) Cups { return Cups{filepath.Join(state, "cups")} }

// Names returns the names of all cups, sorted.
func (c Cups) Names() (out []string, err error) {
	found, err := os.ReadDir(c.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the cups: %w", err)
	}
	for _, e := range found {
		if e.IsDir() && checkName(e.Name()) == nil {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

func (c Cups) file(name string) string { return filepath.Join(c.Folder, name, journalFile) }

// New creates a cup. An existing one is left alone.
func (c Cups) New(s Settings, now time.Time) error {
	if _, err := s.check(); err != nil {
		return err
	}
	if s.Secret || s.Boards > 1 {
		s.Aliases = rand.Text()
	}
	e, err := Source{By: ByReferee, Now: now}.entry(kindOpen, s)
	if err != nil {
		return err
	}
	dir := filepath.Join(c.Folder, s.Name)
	if err := disk.MakeDir(dir, 0o700); err != nil {
		return fault.System("make the cup", dir, err, "nothing was made")
	}
	return c.locked(s.Name, func(text []byte) ([]byte, error) {
		if len(text) > 0 {
			return nil, fail("choose another name", "there is already a cup %s", s.Name)
		}
		return appended(&Cup{}, nil, []Entry{e})
	})
}

// Size returns the size of a cup's journal, in bytes: while it is the same, nothing has happened.
func (c Cups) Size(name string) (int64, error) {
	info, err := os.Stat(c.file(name))
	if err != nil {
		return 0, fmt.Errorf("look at the cup %s: %w", name, err)
	}
	return info.Size(), nil
}

// Read returns a cup. An error other than [ErrNone] names the wrong line.
func (c Cups) Read(name string) (*Cup, error) {
	text, err := c.text(name)
	if err != nil {
		return nil, err
	}
	return c.replay(name, text)
}

func (c Cups) text(name string) ([]byte, error) {
	none := &fault.Fault{Problem: fmt.Sprintf("there is no cup %q", name), Way: "create one: starpost cup new FILE", Err: ErrNone}
	if checkName(name) != nil {
		return nil, none
	}
	f, err := os.Open(c.file(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, none
	}
	if err != nil {
		return nil, fmt.Errorf("read the cup %s: %w", name, err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxJournal+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the cup %s: %w", name, err)
	case len(text) > maxJournal:
		return nil, fail("it is damaged: restore it from a backup", "%s has more than %d bytes", c.file(name), maxJournal)
	}
	return text[:bytes.LastIndexByte(text, '\n')+1], nil // a torn line after a crash was never reported as written
}

// replay applies the lines of a journal.
func (c Cups) replay(name string, text []byte) (cup *Cup, err error) {
	cup, n, last := &Cup{}, 0, hashOf(nil)
	damaged := func(format string, args ...any) error {
		return &fault.Fault{Path: fmt.Sprintf("%s:%d", c.file(name), n), Problem: fmt.Sprintf(format, args...), Way: "restore the file from a backup; its lines never change"}
	}
	for line := range bytes.Lines(text) {
		n++
		line = bytes.TrimSuffix(line, []byte("\n"))
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, damaged("the line is not an entry: %v", err)
		}
		if e.Seq != n || e.Prev != last {
			return nil, damaged("it does not follow the line before")
		}
		if err := cup.apply(e); err != nil {
			return nil, damaged("%v", err)
		}
		last = hashOf(line)
	}
	if n == 0 {
		return nil, damaged("the cup has no entries")
	}
	if cup.Settings.Name != name {
		return nil, damaged("it is the cup %q", cup.Settings.Name)
	}
	return cup, nil
}

func hashOf(line []byte) string {
	if line == nil {
		return strings.Repeat("0", 64)
	}
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// appended returns entries as lines to append to a text, after applying them.
func appended(cup *Cup, last []byte, entries []Entry) ([]byte, error) {
	var out []byte
	prev, seq := hashOf(last), 0
	if last != nil {
		var before Entry
		if err := json.Unmarshal(last, &before); err != nil {
			return nil, fmt.Errorf("read the last entry of a cup: %w", err)
		}
		seq = before.Seq
	}
	for _, e := range entries {
		if e.Cause != "" && cup.causes[e.Kind+" "+e.Cause] {
			continue
		}
		seq++
		e.Seq, e.Prev = seq, prev
		if err := cup.apply(e); err != nil {
			return nil, err
		}
		line, err := json.Marshal(e)
		if err != nil {
			return nil, fmt.Errorf("write an entry of a cup: %w", err)
		}
		out, prev = append(append(out, line...), '\n'), hashOf(line)
	}
	return out, nil
}

// Change changes a cup by entries derived from its present state, and returns the new state. It excludes other
// changes meanwhile. All entries are written, or none.
func (c Cups) Change(name string, entries func(*Cup) ([]Entry, error)) (cup *Cup, err error) {
	if _, err := c.text(name); err != nil {
		return nil, err
	}
	err = c.locked(name, func(text []byte) ([]byte, error) {
		if cup, err = c.replay(name, text); err != nil {
			return nil, err
		}
		more, err := entries(cup)
		if err != nil {
			return nil, err
		}
		lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
		return appended(cup, lines[len(lines)-1], more)
	})
	if err != nil {
		return nil, err
	}
	return cup, nil
}

// locked appends lines to a journal under its lock.
func (c Cups) locked(name string, more func(text []byte) ([]byte, error)) (err error) {
	path := c.file(name)
	release, err := disk.LockFile(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fault.System("change the cup", path, err, "nothing was changed")
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err := c.text(name)
	if err != nil {
		return err
	}
	lines, err := more(text)
	if err != nil || len(lines) == 0 {
		return err
	}
	if len(text)+len(lines) > maxJournal {
		return fail("close it and create a new one", "the cup %s has grown too long", name)
	}
	if err = f.Truncate(int64(len(text))); err == nil {
		if _, err = f.WriteAt(lines, int64(len(text))); err == nil {
			err = f.Sync()
		}
	}
	if err != nil {
		return fault.System("change the cup", path, errors.Join(err, f.Truncate(int64(len(text)))), "nothing was changed")
	}
	return disk.SyncDir(filepath.Dir(path))
}

// applier changes a cup by one entry.
type applier struct{ *Cup }

// apply applies an entry. The error says what is wrong with it.
func (c *Cup) apply(e Entry) error {
	if (e.Kind == kindOpen) != (c.Settings.Name == "") {
		return errors.New("a cup must be opened first, and only once")
	}
	if c.causes == nil {
		c.causes = map[string]bool{}
	}
	if e.Cause != "" {
		c.causes[e.Kind+" "+e.Cause] = true
	}
	open, a := len(c.Open()), applier{c}
	defer func() { a.note(e, open) }()
	switch e.Kind {
	case kindOpen:
		if err := json.Unmarshal(e.Data, &c.Settings); err != nil {
			return err
		}
		_, err := c.Settings.check()
		return err
	case kindClose:
		c.Closed, c.Why = true, e.Why
		return nil
	case kindEnter:
		return a.applyEnter(e.Data)
	case kindWithdraw:
		return a.applyWithdraw(e)
	case kindRate:
		return a.applyRatings(e.Data)
	case kindMember:
		return a.applyMember(e.Data)
	case kindPair:
		return a.applyRound(e.Data)
	case kindDispute:
		return a.applyDispute(e)
	case kindChallenge:
		return a.applyChallenge(e.Data)
	case kindResult, kindRule:
		return a.applyResult(e)
	}
	return fmt.Errorf("an entry of the kind %q is not known", e.Kind)
}

func (c applier) applyEnter(data []byte) error {
	var d enterData
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	if len(d.Members) == 0 || len(d.Members) > c.Settings.boards() || len(c.Entrants) >= 2*maxPlaces {
		return fmt.Errorf("entrant %s has %d members", d.Name, len(d.Members))
	}
	if c.Settings.Secret {
		c.aliases = append(c.aliases, c.alias(d.Members[0].Address))
	}
	c.Entrants = append(c.Entrants, Entrant{Name: d.Name, Members: d.Members, Since: c.Paired})
	return nil
}

func (c applier) applyWithdraw(e Entry) error {
	var d numberData
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return err
	}
	if err := c.known(d.Entrant); err != nil {
		return err
	}
	c.entrant(d.Entrant).Withdrawn = true
	c.Challenges = slices.DeleteFunc(c.Challenges, func(o Challenge) bool { return o.From == d.Entrant || o.To == d.Entrant })
	m := moment{kind: e.Kind, seq: e.Seq, at: e.Time, who: d.Entrant}
	for _, o := range c.Open() {
		outcome := wonBySecond
		switch d.Entrant {
		case o.Match.First:
		case o.Match.Second:
			outcome = wonByFirst
		default:
			continue
		}
		c.settle(o.Game, Result{Outcome: outcome, Ruled: true, Why: cmp.Or(e.Why, "withdrawn")})
		if other := o.Match.First + o.Match.Second - d.Entrant; !slices.Contains(m.met, other) {
			m.met = append(m.met, other)
		}
	}
	c.times.moments = append(c.times.moments, m)
	return nil
}

func (c applier) settle(g *Game, r Result) {
	c.settled++
	if r.order = c.settled; g.Result != nil {
		r.order = g.Result.order // a revised result keeps its place
	}
	g.Result = &r
}

func (c applier) known(entrants ...int) error {
	for _, n := range entrants {
		if n < 1 || n > len(c.Entrants) {
			return fmt.Errorf("there is no entrant %d", n)
		}
	}
	return nil
}

func (c applier) applyRatings(data []byte) error {
	var d rateData
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	for n, rating := range d.Ratings {
		if err := c.known(n); err != nil {
			return err
		}
		c.entrant(n).Rating = rating
	}
	return nil
}

func (c applier) applyRound(data []byte) error {
	var d pairData
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	if d.Round != c.Paired+1 {
		return fmt.Errorf("round %d follows round %d", d.Round, c.Paired)
	}
	taken := map[string]bool{}
	for _, m := range c.Matches {
		for _, g := range m.Games {
			taken[g.ID] = true
		}
	}
	for _, m := range d.Matches {
		if err := c.known(m.entrants()...); err != nil {
			return err
		}
		if odd := m.Second == 0 && len(m.Games) > 0 || m.First == 0 && m.Second != 0; odd || m.Round != d.Round {
			return fmt.Errorf("round %d has an impossible match", d.Round)
		}
		for _, g := range m.Games {
			if taken[g.ID] || g.Board < 0 || g.Board >= c.Settings.boards() {
				return fmt.Errorf("game %q is impossible", g.ID)
			}
			taken[g.ID] = true
		}
		c.Challenges = slices.DeleteFunc(c.Challenges, func(o Challenge) bool { return o.From == m.First && o.To == m.Second })
	}
	c.Matches, c.Paired = append(c.Matches, d.Matches...), d.Round
	return nil
}

func (c applier) applyChallenge(data []byte) error {
	var d challengeData
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	c.Challenges = append(c.Challenges, Challenge(d))
	return c.known(d.From, d.To)
}

func (c applier) applyResult(e Entry) error {
	var d resultData
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return err
	}
	o, ok := c.Game(d.Game)
	if !ok || !slices.Contains([]string{wonByFirst, wonBySecond, resultDraw, resultNone}, d.Result) {
		return fmt.Errorf("game %q cannot have that result", d.Game)
	}
	if e.Kind == kindResult && o.Game.Result != nil {
		return nil // a referee was faster
	}
	if e.Kind == kindRule {
		o.Game.Dispute = nil
		c.times.moments = append(c.times.moments, moment{kind: e.Kind, seq: e.Seq, at: e.Time, game: d.Game})
	}
	c.settle(o.Game, Result{Outcome: d.Result, Ruled: e.Kind == kindRule, Why: e.Why})
	return nil
}
