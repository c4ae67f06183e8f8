package chain

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/dice"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// ErrBroken is returned for a game directory whose parts do not match.
var ErrBroken = errors.New("the record of the game is broken")

// Link is a resolution of a turn, or of a round of it, in its public form.
type Link struct {
	Base     string         // the name of its directory below turns
	Manifest vault.Manifest // public
	Text     []byte         // Manifest as a file
	Sum      string         // its SHA-256
}

// Chain is the public record of a game in its present state. It is for one goroutine.
type Chain struct {
	game    *vault.Game
	entries []journal.Entry
	heads   []string // hashes of the entries as stored
	lines   [][]byte // public lines, made on demand
	sums    []string // hashes of lines
	dirs    map[int][]string
	links   map[string]*Link  // by Base
	bases   map[string]string // by the hash of the stored manifest
	noted   map[string]string // public hashes noted in manifests, by Base
}

// Read reads the record of a game.
func Read(g *vault.Game) (*Chain, error) {
	entries, err := g.Journal.Entries()
	if err != nil {
		return nil, err
	}
	head, err := g.Journal.Head()
	if err != nil {
		return nil, err
	}
	c := &Chain{game: g, entries: entries, dirs: map[int][]string{}, links: map[string]*Link{}, bases: map[string]string{}, noted: map[string]string{}}
	for i := range entries {
		if i > 0 {
			c.heads = append(c.heads, entries[i].Prev)
		}
	}
	if len(entries) > 0 {
		c.heads = append(c.heads, head)
	}
	found, err := g.Reader().ReadDir("turns")
	if err != nil {
		return nil, fmt.Errorf("read the turns of %s: %w", g.ID(), err)
	}
	for _, e := range found {
		number, _, _ := strings.Cut(e.Name(), ".")
		if n, err := strconv.Atoi(number); err == nil && e.IsDir() {
			c.dirs[n] = append(c.dirs[n], e.Name())
		}
	}
	return c, nil
}

// Journal returns the public form of the journal: its lines, each with its newline.
func (c *Chain) Journal() ([][]byte, error) {
	if err := c.upTo(len(c.entries)); err != nil {
		return nil, err
	}
	return c.lines, nil
}

// upTo makes the public form of the first n entries.
func (c *Chain) upTo(n int) error {
	for i := len(c.lines); i < n; i++ {
		all := false
		switch c.entries[i].Kind {
		case journal.Replace, journal.Invite, journal.Referee:
			first, err := c.game.Stages.State(vault.At(0))
			if err != nil {
				return err
			}
			all = first.Format > 1
		}
		e, err := mask(c.entries[i], all, func(m journal.Made) (string, error) {
			l, err := c.link(vault.Stage{Turn: m.Turn, Revision: m.Revision}.Base())
			if err != nil {
				return "", err
			}
			return l.Sum, nil
		})
		if err != nil {
			return err
		}
		e.Prev = strings.Repeat("0", 64)
		if i > 0 {
			e.Prev = c.sums[i-1]
		}
		line, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("journal entry %d of %s: %w", e.Seq, c.game.ID(), err)
		}
		c.lines, c.sums = append(c.lines, append(line, '\n')), append(c.sums, vault.Hash(line))
	}
	return nil
}

// entry returns the public hash of the entry with a stored hash; "" for "".
func (c *Chain) entry(head string) (string, error) {
	if head == "" {
		return "", nil
	}
	i := slices.Index(c.heads, head)
	if i < 0 {
		return "", fmt.Errorf("%w: the journal of %s has no entry with the hash %s", ErrBroken, c.game.ID(), head)
	}
	if err := c.upTo(i + 1); err != nil {
		return "", err
	}
	return c.sums[i], nil
}

// manifest reads the manifest in a directory.
func (c *Chain) manifest(base string) (m vault.Manifest, sum string, err error) {
	name := path.Join("turns", base, vault.ManifestFile)
	data, err := c.game.Reader().ReadFile(name)
	if err != nil {
		return m, "", fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, "", fmt.Errorf("%w: %s: %w", ErrBroken, c.game.Place(name), err)
	}
	return m, vault.Hash(data), nil
}

// link returns the public form of a directory.
func (c *Chain) link(base string) (*Link, error) {
	if l := c.links[base]; l != nil {
		return l, nil
	}
	m, _, err := c.manifest(base)
	if err != nil {
		return nil, err
	}
	l := &Link{Base: base}
	if l.Manifest, err = c.public(m); err != nil {
		return nil, err
	}
	if l.Text, err = encode(l.Manifest); err != nil {
		return nil, err
	}
	l.Sum = vault.Hash(l.Text)
	c.links[base] = l
	return l, nil
}

func encode(m vault.Manifest) ([]byte, error) {
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write a manifest: %w", err)
	}
	return append(text, '\n'), nil
}

// before returns the public hash of the manifest with a stored hash, of a turn or the one before;
// "" for "".
func (c *Chain) before(turn int, sum string) (string, error) {
	if sum == "" {
		return "", nil
	}
	if c.bases[sum] == "" {
		for _, n := range []int{turn - 1, turn} {
			for _, base := range c.dirs[n] {
				m, has, err := c.manifest(base)
				if errors.Is(err, fs.ErrNotExist) {
					continue // a leftover of a crash
				}
				if err != nil {
					return "", err
				}
				c.bases[has], c.noted[base] = base, m.Record
			}
		}
	}
	base := c.bases[sum]
	if base == "" {
		return "", fmt.Errorf("%w: %s has no turn with the manifest %s", ErrBroken, c.game.ID(), sum)
	}
	if c.noted[base] != "" {
		return c.noted[base], nil
	}
	l, err := c.link(base)
	if err != nil {
		return "", err
	}
	return l.Sum, nil
}

// public removes private parts of a manifest and replaces hashes by public ones.
func (c *Chain) public(m vault.Manifest) (vault.Manifest, error) {
	m = cut(m)
	var err error
	if m.Previous, err = c.before(m.Turn, m.Previous); err != nil {
		return m, err
	}
	if m.Journal, err = c.entry(m.Journal); err != nil {
		return m, err
	}
	m.Rounds = slices.Clone(m.Rounds)
	for i, sum := range m.Rounds {
		if m.Rounds[i], err = c.before(m.Turn, sum); err != nil {
			return m, err
		}
	}
	return m, nil
}

// cut removes from a manifest what is private, and what does not determine the turn.
func cut(m vault.Manifest) vault.Manifest {
	m.Mails, m.Editions, m.Taken, m.Record = nil, nil, nil, ""
	if m.Filed != nil {
		m.Filed = &vault.Filed{By: Mask(m.Filed.By), Why: Mask(m.Filed.Why)}
	}
	files := map[string]string{}
	for name, sum := range m.Files {
		if !vault.Drawn(name) {
			files[name] = sum
		}
	}
	m.Files = files
	return m
}

// Links returns all resolutions of all turns and their rounds, including those that no longer
// count, sorted by name.
func (c *Chain) Links() ([]*Link, error) {
	var bases []string
	for _, r := range c.game.Stages.Revisions() {
		base := vault.Stage{Turn: r.Turn, Revision: r.Revision}.Base()
		m, _, err := c.manifest(base)
		if err != nil {
			return nil, err
		}
		for k := range m.Rounds {
			bases = append(bases, vault.Stage{Turn: r.Turn, Revision: r.Revision, Round: k + 1}.Base())
		}
		bases = append(bases, base)
	}
	if at := c.game.Newest(); at.Round > 0 {
		for k := range at.Round {
			bases = append(bases, path.Base(c.game.Stages.Name(vault.Stage{Turn: at.Turn, Round: k + 1})))
		}
	}
	slices.Sort(bases)
	var out []*Link
	for _, base := range slices.Compact(bases) {
		l, err := c.link(base)
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

func (c *Chain) at(at vault.Stage) (string, error) {
	l, err := c.link(path.Base(c.game.Stages.Name(at)))
	if err != nil {
		return "", err
	}
	return l.Sum, nil
}

// Seal returns what captains are told about the record of a game up to a turn: the hash of the
// turn's public manifest, keyed with the game's secret. Without the secret a reader cannot test
// guesses about hidden facts against it; with it, when the game is over, anybody can compute it.
func Seal(secret dice.Secret, sum string) string {
	return hex.EncodeToString(dice.DeriveKey(secret, "record", sum))
}

// StageSeal returns the seal of the record of a game up to a stage, whether the stage counts or
// not.
func StageSeal(g *vault.Game, at vault.Stage) (string, error) {
	c, err := Read(g)
	if err != nil {
		return "", err
	}
	sum, err := c.at(at)
	if err != nil {
		return "", err
	}
	return Seal(g.Secret(), sum), nil
}

// NextSum returns the hash of the public form of a manifest that is about to be committed, from
// which Seal makes the seal of the record: id is the game's, m the manifest as far as known, files
// all of its files except reports and mails. g is nil while the game is being created.
func NextSum(g *vault.Game, id string, m vault.Manifest, files []vault.File) (string, error) {
	m.Format, m.Game, m.Files = vault.Format, id, map[string]string{}
	for _, f := range files {
		m.Files[f.Name] = vault.Hash(f.Data)
	}
	if g == nil {
		m = cut(m)
	} else {
		c, err := Read(g)
		if err != nil {
			return "", err
		}
		if m, err = c.public(m); err != nil {
			return "", err
		}
	}
	text, err := encode(m)
	if err != nil {
		return "", err
	}
	return vault.Hash(text), nil
}
