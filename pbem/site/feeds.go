package site

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"starpost/pbem/auth"
	"starpost/pbem/feed"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates/pages"
)

// feedsIndex keeps web servers from listing the folder of personal feeds.
const feedsIndex = "feeds/index.html"

// Limits of a personal feed.
const (
	reportsOf   = 3  // of each game
	reportsRead = 20 // in total
)

// feeds writes personal feeds of reports, without those of a game's other captains. Feeds without a changed game are left
// alone, and feeds without a reader are removed. The folder's public list of files does not name them.
func (w *writer) feeds(readers []feed.Reader) error {
	before := w.known.Feeds
	w.known.Feeds = map[string]string{}
	if len(readers) > 0 {
		if err := w.folder.put(feedsIndex, []byte("<!doctype html>\n<title>Feeds</title>\n<p>Nothing to see here.</p>\n")); err != nil {
			return err
		}
	}
	for _, r := range readers {
		mine := map[string]*record{} // by directory
		for dir, rec := range w.known.Games {
			if slices.Contains(rec.Captains, auth.Canonical(r.Address)) {
				mine[dir] = rec
			}
		}
		sum := sha256.New()
		for _, dir := range slices.Sorted(maps.Keys(mine)) {
			sum.Write([]byte(dir + " " + mine[dir].Mark + "\n"))
		}
		file, mark := feedFile(r.Word), hex.EncodeToString(sum.Sum(nil)[:16])
		if before[r.Word] != mark || !w.folder.there[file] {
			text, err := w.reports(r, mine)
			if err != nil {
				w.problems = append(w.problems, fmt.Errorf("write a personal feed: %w", err))
				mark = "" // try again next time
			} else if err := w.folder.replace(file, text); err != nil {
				return fmt.Errorf("write a personal feed: %w", err)
			}
		}
		w.known.Feeds[r.Word] = mark
	}
	w.changed = w.changed || !maps.Equal(before, w.known.Feeds)
	return w.folder.onlyFeeds(w.known.Feeds)
}

func feedFile(word string) string { return "feeds/" + word + ".xml" }

// onlyFeeds removes all feeds except those with these words.
func (f *folder) onlyFeeds(words map[string]string) error {
	dir, err := f.root.Open("feeds")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("list the personal feeds: %w", err)
	}
	names, err := dir.Readdirnames(-1)
	if err = errors.Join(err, dir.Close()); err != nil {
		return fmt.Errorf("list the personal feeds: %w", err)
	}
	for _, name := range names {
		word, isFeed := strings.CutSuffix(name, ".xml")
		if _, known := words[word]; isFeed && !known {
			if err := ignoreAbsent(f.root.Remove("feeds/" + name)); err != nil {
				return fmt.Errorf("remove a personal feed: %w", err)
			}
		}
	}
	return nil
}

// reports draws the feed of one reader.
func (w *writer) reports(r feed.Reader, games map[string]*record) ([]byte, error) {
	entries, err := reportsFor(r.Address, games, w.o)
	if err != nil {
		return nil, err
	}
	return w.site.Reports(iri("feed", r.Word), feedFile(r.Word), entries)
}

// reportsFor returns the last reports that went to an address, newest first.
func reportsFor(address string, games map[string]*record, o Options) (out []pages.News, err error) {
	dirs := slices.SortedFunc(maps.Keys(games), func(a, b string) int { return games[a].newer(games[b]) })
	for _, dir := range dirs[:min(len(dirs), reportsRead)] {
		g, err := vault.Open(o.at(dir), o.Catalogue)
		if err != nil {
			return nil, err
		}
		newest := g.Newest()
		stages := []vault.Stage{newest}
		for n := newest.Turn - 1; n >= 0 && len(stages) < reportsOf; n-- {
			stages = append(stages, vault.At(n))
		}
		for _, c := range g.Settings().Captains {
			if !auth.HasAddress(c.Addresses(), address) {
				continue
			}
			for _, at := range stages {
				m, err := turn.RepeatReport(g, turn.Repeat{Turn: at.Turn, Round: at.Round, Captain: c, Changes: g.Changes(c.Name), Now: o.Now})
				if err != nil {
					return nil, err
				}
				manifest, err := g.Stages.Manifest(at)
				if err != nil {
					return nil, err
				}
				out = append(out, pages.News{ID: iri("report", g.ID(), at.Slug(), string(c.Name), o.URL), Title: m.Subject, At: manifest.Resolved, Text: m.Text})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b pages.News) int { return b.At.Compare(a.At) })
	return out[:min(len(out), reportsRead)], nil
}
