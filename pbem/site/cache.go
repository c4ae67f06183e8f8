package site

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"starpost/pbem/rating"
	gamerecord "starpost/pbem/record"
	"starpost/templates"
	"starpost/templates/pages"
)

// record caches what all lists need of a game, so that an unchanged game need not be opened.
type record struct {
	Mark    string         `json:"mark"` // of its files, see markOf
	Game    pages.SiteGame `json:"game"`
	Changed time.Time      `json:"changed"`         // when its newest turn was resolved
	News    []pages.News   `json:"news"`            // newest first
	Seats   []pages.News   `json:"seats,omitempty"` // vacated seats that anyone may take
	Ends    time.Time      `json:"ends,omitzero"`   // deadline of the due turn
	Played  *rating.Game   `json:"played,omitempty"`
	// Service is the conduct of its captains.
	Service  []rating.Service `json:"service,omitempty"`
	Captains []string         `json:"captains,omitempty"` // addresses of its captains, never published

	replay *templates.Replay // drawn in this run; nil for none
}

// newer sorts games by their last turn, newest first.
func (r record) newer(o record) int {
	if c := o.Changed.Compare(r.Changed); c != 0 {
		return c
	}
	return compareIDs(r.Game.ID, o.Game.ID)
}

// private reports whether a game has no page and is in no list.
func (r record) private() bool { return r.Game.State == "" }

// pages returns the files of the game.
func (r record) pages() []string {
	if r.private() {
		return nil
	}
	out := []string{gameFile(r.Game.ID)}
	if r.Game.Watch {
		out = append(out, replayFile(r.Game.ID))
	}
	return out
}

// cache is the file with the records. Without it all pages are drawn again.
type cache struct {
	Of    string            `json:"of"`    // program and folder
	Games map[string]record `json:"games"` // by directory
	Feeds map[string]string `json:"feeds"` // personal ones, by word: a hash of the games in each and their marks
	Drawn map[string]string `json:"drawn"` // hashes of what other pages show: see writer.current
	// Others are games of other communities, which are not shown.
	Others map[string]other `json:"others,omitempty"`
}

// other is a game of another community.
type other struct {
	Mark  string `json:"mark"` // of its files
	Robot string `json:"robot"`
}

// readCache reads the file. A damaged one, or one of another program or folder, counts as empty.
func readCache(file, of string) *cache {
	c := &cache{}
	if data, err := os.ReadFile(file); file == "" || err != nil || json.Unmarshal(data, c) != nil || c.Of != of {
		c = &cache{Of: of}
	}
	if c.Games == nil {
		c.Games = map[string]record{}
	}
	if c.Others == nil {
		c.Others = map[string]other{}
	}
	if c.Drawn == nil {
		c.Drawn = map[string]string{}
	}
	return c
}

func (c *cache) write(file string) error {
	if file == "" {
		return nil
	}
	data, err := json.Marshal(c)
	if err == nil {
		if err = os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
			// The next run overwrites what a kill leaves.
			if err = os.WriteFile(file+".new", data, 0o600); err == nil {
				err = os.Rename(file+".new", file)
			}
		}
	}
	if err != nil {
		return fmt.Errorf("record what was written to the site: %w", err)
	}
	return nil
}

// settling is longer than any file system's clock tick: a file may change twice within one
// tick without a trace.
const settling = 3 * time.Second

// markOf returns a mark of a game's files: a different mark means that the game may have changed.
// It is "" if there is no game, and never the same twice while the files are new.
func markOf(tree gamerecord.Tree, now time.Time) string {
	if t, ok := tree.(interface{ Mark() string }); ok { // the record counts its changes
		return t.Mark()
	}
	var facts []byte
	for _, name := range []string{"game.toml", "journal.jsonl", "turns", "orders"} {
		info, err := tree.Stat(name)
		switch {
		case err == nil:
			facts = fmt.Appendln(facts, name, info.Size(), info.ModTime().UnixNano())
			if age := now.Sub(info.ModTime()); age < settling {
				facts = fmt.Appendln(facts, rand.Text())
			}
		case name == "game.toml" && errors.Is(err, fs.ErrNotExist):
			return ""
		default:
			facts = fmt.Appendln(facts, name, "not read")
		}
	}
	sum := sha256.Sum256(facts)
	return fmt.Sprintf("%x", sum[:16])
}

func newName() string { return rand.Text() }
