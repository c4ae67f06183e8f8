package site

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/cup"
	"starpost/pbem/feed"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// TestPersonalFeed checks that a feed holds only its owner's reports, at an address that only a new mail changes; the
// old one is then removed.
func TestPersonalFeed(t *testing.T) {
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	dir, now := t.TempDir(), time.Now().Add(time.Hour)
	mail := vault.DefaultMail()
	mail.Robot = "battles@example.org"
	game := filepath.Join(dir, "games", "wolf")
	_, err = turn.Create(game, vault.CatalogueOf(fasa.Family()), turn.Setup{
		Scenario: all["big-bad-wolf"], ID: "wolf", Mail: mail, Secret: dice.FromSeed(1), Options: turn.Options{Now: time.Now()},
		Captains: []vault.Captain{{Name: "Kirk", Address: "kirk@example.org", Ships: []string{"Hood"}}, {Name: "Kor", Address: "kor@example.org", Ships: []string{"Riskadh"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(game), vault.CatalogueOf(fasa.Family()))
	if err != nil {
		t.Fatal(err)
	}
	feeds := feed.In(dir)
	asks := func(address, mail string, renew bool) string {
		t.Helper()
		r, step, err := feeds.After(address, mail, renew)
		if err != nil {
			t.Fatal(err)
		}
		if step != nil {
			for range 2 { // a second call changes nothing
				if err := step.Do(); err != nil {
					t.Fatal(err)
				}
			}
		}
		return r.Word
	}
	word := asks("kirk@example.org", "mail 1", false)
	if again := asks("KIRK@example.org", "mail 2", false); again != word || len(word) != 32 {
		t.Errorf("asked again the word is %q, was %q", again, word)
	}
	site := filepath.Join(dir, "www")
	written := func() int {
		t.Helper()
		sum, err := Write(t.Context(), Options{
			Dirs: []string{game}, Cups: cup.In(dir), Feeds: feeds, Catalogue: vault.CatalogueOf(fasa.Family()), Folder: site, Cache: filepath.Join(dir, "site.json"), Name: "Here", Now: now,
		})
		if err != nil || len(sum.Problems) > 0 {
			t.Fatal(err, sum.Problems)
		}
		return sum.Written + sum.Removed
	}
	written()
	file := func(word string) string { return filepath.Join(site, "feeds", word+".xml") }
	text, err := os.ReadFile(file(word))
	if err != nil {
		t.Fatal(err)
	}
	for want, there := range map[string]bool{turn.Key(g, 1, "Kirk"): true, "#orders wolf turn 1 ship Hood": true, turn.Key(g, 1, "Kor"): false, "kor@example.org": false, "kirk@example.org": false, "ship Riskadh key": false} {
		if strings.Contains(string(text), want) != there {
			t.Errorf("%q is in the feed: %t, want %t\n%s", want, !there, there, text)
		}
	}
	if list, err := os.ReadFile(filepath.Join(site, markerName)); err != nil || strings.Contains(string(list), word) {
		t.Errorf("the list of files, which anyone may read, names the feed: %v", err)
	}
	if n := written(); n != 0 {
		t.Errorf("%d files were written though nothing had changed", n)
	}
	renewed := asks("kirk@example.org", "mail 3", true)
	if renewed == word {
		t.Error("the address was not renewed")
	}
	written()
	if _, err := os.Stat(file(word)); !os.IsNotExist(err) {
		t.Errorf("the old feed: %v", err)
	}
	if _, err := os.Stat(file(renewed)); err != nil {
		t.Error(err)
	}
	step, err := feeds.Without("kirk@example.org")
	if err != nil || step.Do() != nil {
		t.Fatal(err)
	}
	written()
	if _, err := os.Stat(file(renewed)); !os.IsNotExist(err) {
		t.Errorf("the feed that was ended: %v", err)
	}
}
