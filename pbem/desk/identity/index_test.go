package identity

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/pbem/auth"
	"starpost/pbem/vault"
)

// TestIndexFindsWhatASearchFinds checks that after any additions, removals and changes the index
// returns what a search through all captains returns.
func TestIndexFindsWhatASearchFinds(t *testing.T) {
	address := rapid.SampledFrom([]string{"", "ann@example.org", "Ann+x@Example.org", "bob@example.org", "no address", "cid@example.org"})
	rapid.Check(t, func(t *rapid.T) {
		var index Index
		var all []*vault.Settings
		made := 0
		for range rapid.IntRange(1, 8).Draw(t, "rounds") {
			all = slices.Clone(all)
			switch i := rapid.IntRange(0, 3).Draw(t, "game"); {
			case i >= len(all):
				made++
				all = append(all, &vault.Settings{ID: fmt.Sprint("game", made)})
				fallthrough
			case rapid.Bool().Draw(t, "change"):
				i = min(i, len(all)-1)
				g := &vault.Settings{ID: all[i].ID}
				all[i] = g
				for n := range rapid.IntRange(0, 2).Draw(t, "referees") {
					g.Referees = append(g.Referees, vault.Referee{Name: fmt.Sprint("referee", n), Address: address.Draw(t, "address")})
				}
				for n := range rapid.IntRange(0, 3).Draw(t, "captains") {
					g.Captains = append(g.Captains, vault.Captain{
						Name: engine.CaptainName(fmt.Sprint("captain", n)), Address: address.Draw(t, "address"), Also: rapid.SliceOfN(address, 0, 2).Draw(t, "also"),
					})
				}
			default:
				all = slices.Delete(all, i, i+1)
			}
			sender := address.Draw(t, "sender")
			var want []Seat
			for _, s := range all {
				for _, c := range s.Captains {
					for _, a := range c.Addresses() {
						if auth.SameAddress(a, sender) {
							want = append(want, Seat{s.ID, c, a})
							break
						}
					}
				}
			}
			var judges []RefereeSeat
			for _, s := range all {
				for _, r := range s.Referees {
					if auth.SameAddress(r.Address, sender) {
						judges = append(judges, RefereeSeat{s.ID, r})
					}
				}
			}
			if got := index.findReferees(sender, all); !reflect.DeepEqual(got, judges) {
				t.Fatalf("referee %s: got %v, want %v", sender, got, judges)
			}
			name := fmt.Sprint("GAME", rapid.IntRange(0, 9).Draw(t, "name"))
			if got, want := len(index.named(name, all)) > 0, slices.ContainsFunc(all, func(s *vault.Settings) bool { return strings.EqualFold(s.ID, name) }); got != want {
				t.Fatalf("%s: got %v, want %v", name, got, want)
			}
			if got := index.find(sender, all); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: got %v, want %v", sender, got, want)
			}
		}
	})
}
