package site

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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
	told

	replay *templates.Replay // drawn in this run; nil for none
}

// brief is what a run needs in which no game changed.
type brief struct {
	Dir, Mark string // Mark is of its files, see markOf
	ID, Robot string
	Changed   int64 // when its newest turn was resolved, in nanoseconds since 1970
	Private   bool  // it has no page and is in no list
	Watch     bool  // it has a replay
	Played    *rating.Game
	Service   []rating.Service // the conduct of its captains
	Captains  []string         // addresses of its captains, never published
}

// told is what lists need besides.
type told struct {
	Game  pages.SiteGame // without what only its cards show
	Cards pages.Cards
	News  []pages.News // newest first
	Seats []pages.News // vacated seats that anyone may take
	Ends  time.Time    // deadline of the due turn
}

// newer sorts games by their last turn, newest first.
func (r *record) newer(o *record) int {
	return cmp.Or(cmp.Compare(o.Changed, r.Changed), compareIDs(r.ID, o.ID))
}

// pages returns the files of the game.
func (b brief) pages() []string {
	switch {
	case b.Private:
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
	Others map[string]other  // games of other communities, which are not shown
}

// other is a game of another community.
type other struct {
	Mark  string // of its files
	Robot string
}

// readCache reads the index. A damaged one, or one of another program or folder, counts as empty.
func readCache(file, of string) *cache {
	c := &cache{file: file}
	if _, err := unpack(file+indexFile, func(d *gob.Decoder) error { return d.Decode(&c.index) }); file == "" || err != nil || c.Of != of {
		c.index, c.read = index{Of: of}, true
	}
	c.Games = make(map[string]*record, len(c.index.Games))
	if c.Drawn == nil {
		c.Drawn = map[string]string{}
	}
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
	sum, err := unpack(c.file+listsFile, func(d *gob.Decoder) error {
		for i := range c.last {
			if err := d.Decode(&c.last[i].told); err != nil {
				return err
			}
		}
		return nil
	})
	c.read = err == nil && sum == c.Lists
	return c.read
}

// write writes the index, and the other file if a game has changed.
func (c *cache) write(changed bool) (err error) {
	if c.file == "" {
		return nil
	}
	if err = os.MkdirAll(filepath.Dir(c.file), 0o700); err == nil && changed {
		dirs := slices.Sorted(maps.Keys(c.Games))
		c.index.Games = nil
		c.Lists, err = pack(c.file+listsFile, func(e *gob.Encoder) error {
			for _, dir := range dirs {
				c.index.Games = append(c.index.Games, c.Games[dir].brief)
				if err := e.Encode(&c.Games[dir].told); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err == nil {
		_, err = pack(c.file+indexFile, func(e *gob.Encoder) error { return e.Encode(&c.index) })
	}
	if err == nil {
		err = ignoreAbsent(os.Remove(c.file + ".json")) // of earlier versions
	}
	if err != nil {
		return fmt.Errorf("record what was written to the site: %w", err)
	}
	return nil
}

// sumSize is the size of the checksum before what pack writes.
const sumSize = 4

var errDamaged = errors.New("the file is damaged")

// pack writes values to a file, and returns their checksum.
func pack(file string, write func(*gob.Encoder) error) (sum uint32, err error) {
	var b bytes.Buffer
	b.Write(make([]byte, sumSize))
	if err := write(gob.NewEncoder(&b)); err != nil {
		return 0, err
	}
	sum = checksum(b.Bytes()[sumSize:])
	binary.LittleEndian.PutUint32(b.Bytes(), sum)
	// The next run overwrites what a kill leaves.
	if err := os.WriteFile(file+".new", b.Bytes(), 0o600); err != nil {
		return 0, err
	}
	return sum, os.Rename(file+".new", file)
}

// unpack reads a file that pack wrote, and returns its checksum. Nothing of a damaged file is decoded: gob would believe the
// lengths in it, and fill the memory.
func unpack(file string, read func(*gob.Decoder) error) (sum uint32, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	if len(data) < sumSize || binary.LittleEndian.Uint32(data) != checksum(data[sumSize:]) {
		return 0, errDamaged
	}
	return binary.LittleEndian.Uint32(data), read(gob.NewDecoder(bytes.NewReader(data[sumSize:])))
}

func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// markOf returns a mark of a game's files: a different mark means that the game may have changed.
// It is "" if there is no game, and never the same twice while the files are new.
func markOf(watch *vault.Watcher, tree gamerecord.Tree, now time.Time) string {
	if t, ok := tree.(interface{ Mark() string }); ok { // the record counts its changes
		return t.Mark()
	}
	switch mark, err := watch.Record(tree); {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil || !mark.Settled(now):
		return rand.Text()
	default:
		return mark.String()
	}
}

func newName() string { return rand.Text() }
