package site

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/rating"
	"starpost/templates/pages"
)

// TestListsOfManyGamesStayLight checks that the list has all games, with sides and ships only for the first ones
// of each group.
func TestListsOfManyGamesStayLight(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "www")
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := writer{folder: f, known: readCache("", "test")}
	const games = fieldsShown + 7
	for i := range games {
		id := fmt.Sprintf("g%d", i)
		game := pages.SiteGame{ID: id, Title: id, State: stateRunning, Who: "Red against Blue", Thumb: `<svg class="thumb"/>`, Sides: []pages.SiteSide{{Name: "Red", Ships: "Hood"}}}
		cards, err := pages.CardsOf(game)
		if err != nil {
			t.Fatal(err)
		}
		w.known.Games[id] = &record{brief: brief{ID: id, Changed: int64(i), State: stateRunning}, Cards: cards, told: &told{Game: game}}
	}
	if err := w.lists(rating.Make(nil, nil, time.Unix(0, 0))); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]int{`class="thumb"`: fieldsShown, "Hood": fieldsShown, "Red against Blue": games - fieldsShown, `href="games/g`: games, `unseen"`: 0} {
		if got := strings.Count(string(page), what); got != want {
			t.Errorf("%s stands %d times in the list, want %d", what, got, want)
		}
	}
	if _, err := f.finish(); err != nil {
		t.Fatal(err)
	}
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
}
