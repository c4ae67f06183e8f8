package desk

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"starpost/pbem/auth"
	"starpost/pbem/vault"
)

// TestRollFindsWhatASearchFinds: whatever comes, goes or changes, the roll gives
// what looking through all captains gives.
func TestRollFindsWhatASearchFinds(t *testing.T) {
	address := rapid.SampledFrom([]string{"", "ann@example.org", "Ann+x@Example.org", "bob@example.org", "no address", "cid@example.org"})
	rapid.Check(t, func(t *rapid.T) {
		var roll SenderIndex
		var all []vault.Settings
		made := 0
		for range rapid.IntRange(1, 8).Draw(t, "rounds") {
			all = slices.Clone(all)
			switch i := rapid.IntRange(0, 3).Draw(t, "game"); {
			case i >= len(all):
				made++
				all = append(all, vault.Settings{ID: fmt.Sprint("game", made)})
				fallthrough
			case rapid.Bool().Draw(t, "change"):
				g := &all[min(i, len(all)-1)]
				g.Captains = nil
				for n := range rapid.IntRange(0, 3).Draw(t, "captains") {
					g.Captains = append(g.Captains, vault.Captain{
						Name: fmt.Sprint("captain", n), Address: address.Draw(t, "address"), Also: rapid.SliceOfN(address, 0, 2).Draw(t, "also"),
					})
				}
			default:
				all = slices.Delete(all, i, i+1)
			}
			sender := address.Draw(t, "sender")
			var want []seat
			for _, s := range all {
				for _, c := range s.Captains {
					for _, a := range c.Addresses() {
						if auth.SameAddress(a, sender) {
							want = append(want, seat{s.ID, c, a})
							break
						}
					}
				}
			}
			if got := roll.find(sender, all); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: got %v, want %v", sender, got, want)
			}
		}
	})
}
