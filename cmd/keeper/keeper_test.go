package keeper_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/cmd/keeper"
	"starpost/cmd/rulesets"
	"starpost/pbem/cup"
	"starpost/pbem/cup/play"
	"starpost/pbem/lobby"
	"starpost/pbem/rating"
	"starpost/pbem/site"
	"starpost/pbem/vault"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func host(tb testing.TB) play.Host {
	tb.Helper()
	games := filepath.Join(tb.TempDir(), "games")
	if err := os.MkdirAll(games, 0o755); err != nil {
		tb.Fatal(err)
	}
	return play.Host{
		Cups: cup.In(tb.TempDir()), Library: &lobby.Library{Families: rulesets.Families()}, Catalogue: vault.CatalogueOf(rulesets.Families()...), Folder: games,
		Robot: "battles@example.org", Now: noon,
	}
}

// made makes a cup with the given number of entrants.
func made(tb testing.TB, h play.Host, name, keys string, entrants int) {
	tb.Helper()
	if _, err := h.New(fmt.Sprintf("name = %q\ntitle = \"A cup\"\nscenario = \"big-bad-wolf\"\n%s", name, keys)); err != nil {
		tb.Fatal(err)
	}
	_, err := h.Cups.Change(name, func(c *cup.Cup) (entries []cup.Entry, err error) {
		for i := range entrants {
			e, err := c.Enter(cup.Source{By: cup.ByReferee, Now: noon}, fmt.Sprintf("Player %d", i), []cup.Member{{Address: fmt.Sprintf("p%d@home.example", i)}})
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
		return entries, nil
	})
	if err != nil {
		tb.Fatal(err)
	}
}

func unrated(string, string) int { return 1500 }

// TestRoundsAreDueWhenGamesAreOver checks that a cup paired by the daemon continues exactly when its round is over,
// that a cup paired by its referee waits, and that a damaged cup does not affect others.
func TestRoundsAreDueWhenGamesAreOver(t *testing.T) {
	h := host(t)
	for name, pairs := range map[string]string{"by-itself": "daemon", "by-hand": "referee", "spoilt": "daemon"} {
		made(t, h, name, "format = \"round-robin\"\nsides = \"once\"\npairs = \""+pairs+"\"\n", 4)
		if _, err := h.Pair(t.Context(), name, cup.Source{By: cup.ByReferee, Now: noon}, unrated); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(h.Cups.Folder, "spoilt", "journal.jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	written := 0
	k := keeper.New(keeper.Work{
		Write: func(context.Context, time.Time) (site.Summary, error) {
			written++
			return site.Summary{Book: rating.Make(nil, nil, noon)}, nil
		},
		Cups: func(time.Time) (play.Host, bool) { return h, true }, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	stands := func(name string, round int) {
		t.Helper()
		c, err := h.Cups.Read(name)
		if err != nil || c.Paired != round {
			t.Fatalf("%s is in round %d, want %d: %v", name, c.Paired, round, err)
		}
	}
	k.Write(t.Context())
	stands("by-itself", 1)
	for _, name := range []string{"by-itself", "by-hand"} {
		_, err := h.Cups.Change(name, func(c *cup.Cup) (entries []cup.Entry, err error) {
			for _, o := range c.Open() {
				e, err := c.Rule(cup.Source{By: cup.ByReferee, Why: "x", Now: noon}, o.Game.ID, "draw")
				if err != nil {
					return nil, err
				}
				entries = append(entries, e)
			}
			return entries, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	before := written
	k.Write(t.Context())
	stands("by-itself", 2)
	stands("by-hand", 1)
	if written != before+2 {
		t.Errorf("the pages were written %d times, want once more after the round was paired", written-before)
	}
	if found, err := filepath.Glob(filepath.Join(h.Folder, "by-itself-r2-*")); err != nil || len(found) != 2 {
		t.Errorf("the games of round 2 are %v, %v", found, err)
	}
	if !strings.Contains(log.String(), "cup=spoilt") || strings.Contains(log.String(), "cup=by-hand") {
		t.Errorf("the log says\n%s", log.String())
	}
}

// BenchmarkCupOf1000 pairs a round of a Swiss cup of 1,000 captains and makes its 500 games.
func BenchmarkCupOf1000(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		h := host(b)
		made(b, h, "big", "format = \"swiss\"\nsides = \"once\"\n", 1000)
		b.StartTimer()
		if _, err := h.Pair(b.Context(), "big", cup.Source{By: cup.ByReferee, Now: noon}, unrated); err != nil {
			b.Fatal(err)
		}
	}
}
