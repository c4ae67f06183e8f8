package site

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"starpost/pbem/rating"
	gamerecord "starpost/pbem/record"
	"starpost/pbem/vault"
	"starpost/templates"
	"starpost/templates/pages"
)

// record caches what lists, feeds and ratings need of a game, so that an unchanged game need not be opened.
type record struct {
	brief
	Cards pages.Cards
	*told        // see open
	raw   string // told as JSON

	replay *templates.Replay // drawn in this run; nil for none
}

// brief is what a run needs in which no game changed.
type brief struct {
	Dir, Mark string // Mark is of its files, see markOf
	ID, Robot string
	State     string // as in lists; "" if it has no page and is in no list
	Changed   int64  // when its newest turn was resolved, in nanoseconds since 1970
	Watch     bool   // it has a replay
	Vacant    bool   // it has Seats
	Played    *rating.Game
	Service   []rating.Service // the conduct of its captains
	Captains  []string         // addresses of its captains, never published
}

// told is what lists need only of some games.
type told struct {
	Game  pages.SiteGame // without what only its cards show
	News  []pages.News   // newest first
	Seats []pages.News   // vacated seats that anyone may take
	Ends  time.Time      // deadline of the due turn
}

// open reads what is told of the game, and returns the record. If it cannot be read, the game is opened in the next run.
func (r *record) open() *record {
	if r.told == nil {
		r.told = &told{}
		if json.Unmarshal([]byte(r.raw), r.told) != nil {
			r.Mark = ""
		}
	}
	return r
}

// newer sorts games by their last turn, newest first.
func (r *record) newer(o *record) int {
	return cmp.Or(cmp.Compare(o.Changed, r.Changed), compareIDs(r.ID, o.ID))
}

// private reports whether a game has no page and is in no list.
func (b brief) private() bool { return b.State == "" }

// pages returns the files of the game.
func (b brief) pages() []string {
	switch {
	case b.private():
		return nil
	case b.Watch:
		return []string{gameFile(b.ID), replayFile(b.ID)}
	}
	return []string{gameFile(b.ID)}
}

// cache is what is known from the last run. It is kept in two files, since most runs need only the index. Without them all pages are
// drawn again.
type cache struct {
	file  string             // "" for none
	Games map[string]*record // by directory
	index
	last []record // as in the files
	read bool     // what lists need is there
}

// How the names of the two files end, after cache.file.
const (
	indexFile = ".games"
	listsFile = ".lists"
)

// index is the content of the first file.
type index struct {
	Of     string // program and folder
	Games  []brief
	Lists  uint32            // checksum of the second file
	Feeds  map[string]string // personal ones, by word: a hash of the games in each and their marks
	Drawn  map[string]string // hashes of what other pages show: see writer.current
	Others []other
}

// other is a game of another community, which is not shown.
type other struct {
	Dir, Mark string // Mark is of its files
	Robot     string
}

// readCache reads the index. A damaged one, or one of another program or folder, counts as empty.
func readCache(file, of string) *cache {
	c := &cache{file: file}
	if _, err := unpack(file+indexFile, func(d *coder) { d.index(&c.index) }); file == "" || err != nil || c.Of != of {
		c.index, c.read = index{Of: of, Drawn: map[string]string{}}, true
	}
	c.Games = make(map[string]*record, len(c.index.Games))
	c.last = make([]record, len(c.index.Games))
	for i, b := range c.index.Games {
		c.last[i].brief = b
		c.Games[b.Dir] = &c.last[i]
	}
	return c
}

// lists reads what lists need; false if that is damaged.
func (c *cache) lists() bool {
	if c.read {
		return true
	}
	sum, err := unpack(c.file+listsFile, func(d *coder) {
		for i := range c.last {
			d.record(&c.last[i])
		}
	})
	c.read = err == nil && sum == c.Lists
	return c.read
}

// record reads or writes what lists need of a game.
func (c *coder) record(r *record) {
	full, brief := string(r.Cards.Full), string(r.Cards.Brief)
	c.strings(&full, &brief, &r.raw)
	r.Cards = pages.Cards{Full: template.HTML(full), Brief: template.HTML(brief)}
}

// write writes the index, and the other file if a game has changed.
func (c *cache) write(changed bool) (err error) {
	if c.file == "" {
		return nil
	}
	if err = os.MkdirAll(filepath.Dir(c.file), 0o700); err == nil && changed {
		c.index.Games = nil
		c.Lists, err = pack(c.file+listsFile, func(e *coder) {
			for _, dir := range slices.Sorted(maps.Keys(c.Games)) {
				r := c.Games[dir]
				if r.raw == "" && r.told != nil {
					raw, _ := json.Marshal(r.told) // strings, numbers and times
					r.raw = string(raw)
				}
				c.index.Games = append(c.index.Games, r.brief)
				e.record(r)
			}
		})
	}
	if err == nil {
		_, err = pack(c.file+indexFile, func(e *coder) { e.index(&c.index) })
	}
	if err == nil {
		err = ignoreAbsent(os.Remove(c.file + ".json")) // of earlier versions
	}
	if err != nil {
		return fmt.Errorf("record what was written to the site: %w", err)
	}
	return nil
}

// markOf returns a mark of a game's files: a different mark means that the game may have changed.
// It is "" if there is no game, and never the same twice while the files are new.
func markOf(watch *vault.Watcher, tree gamerecord.Tree, now time.Time) string {
	if t, ok := tree.(interface{ Mark() string }); ok { // the record counts its changes
		return t.Mark()
	}
	switch mark, err := watch.Record(tree); {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return ""
	case err != nil || !mark.Settled(now):
		return rand.Text()
	default:
		return mark.String()
	}
}

func newName() string { return rand.Text() }
