package turn_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"starpost/engine/dice"
	"starpost/pbem/chain"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

const hunt = `format = 1
name = "hunt"
title = "Hunt"
rules = "stcs-advanced"
[bounds]
columns = 22
rows = 33
[[side]]
id = "one"
name = "One"
[[side]]
id = "two"
name = "Two"
[[ship]]
name = "Hood"
side = "one"
class = "constitution-hood"
hex = "1030"
heading = "A"
[[ship]]
name = "Kite"
side = "two"
class = "v-7"
hex = "0404"
heading = "D"
[[ship]]
name = "Wren"
side = "two"
class = "v-7"
hex = "1204"
heading = "D"
state = { cloak = "on" }
`

// newHunt creates a game in which the Wren begins under her cloak.
func newHunt(tb testing.TB) *vault.Game {
	tb.Helper()
	seed := uint64(11)
	dir := filepath.Join(tb.TempDir(), "hunt")
	_, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: []byte(hunt), ID: "hunt", Mail: vault.DefaultMail(),
		Captains: []vault.Captain{
			{Address: "ann@example.org", Ships: []string{"Hood"}}, {Address: "dan@example.org", Ships: []string{"Kite"}}, {Address: "ben@example.org", Ships: []string{"Wren"}},
		},
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: noon(0)},
	})
	if err != nil {
		tb.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// TestMailsTellNothingOfCloakedShips plays the same two turns with a cloaked ship that stays and
// with one that moves away. Her enemy is sent the same mails, and is never told whether her orders
// are in.
func TestMailsTellNothingOfCloakedShips(t *testing.T) {
	var sent [][]byte
	for _, deeds := range [][2]string{
		{"power\n  move 20\n  cloak on\nphase 1\n  move FF F\n", "power\n  cloak on\n"},
		{"warp +1\npower\n  move 4\n  cloak on\nphase 2\n  move R\n", ""},
	} {
		g := newHunt(t)
		var seen bytes.Buffer
		for n := 1; n <= 2; n++ {
			for ship, text := range map[string]string{
				"Hood": "power\n  move 12\nphase 1\n  scan 2\n  move F\n", "Kite": "power\n  move 4\nphase 2\n  move F\n", "Wren": deeds[n-1],
			} {
				if text == "" {
					continue
				}
				if err := g.Orders.Put(vault.At(n), ship, fmt.Appendf(nil, "#orders hunt turn %d ship %s\n%s#end\n", n, ship, text), time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
			out, err := turn.Resolve(g, turn.Options{Now: noon(n), Keep: true, Missing: vault.PolicyStanding})
			if err != nil {
				t.Fatal(err)
			}
			mails := 0
			// The seal of the record depends on everything that happened. It is keyed with the
			// secret, so it reveals nothing; TestSeal checks that.
			seal, err := chain.StageSeal(g, vault.Stage{Turn: n})
			if err != nil {
				t.Fatal(err)
			}
			sealed := regexp.MustCompile(strings.Join(strings.Split(seal, ""), `(?:=\r?\n|\s+)?`))
			for _, m := range out.Mails {
				if m.Captain == "Hood" {
					raw := posted(t, g, vault.Stage{Turn: n}, m.Name)
					mails += min(1, len(raw)/1000)
					if !sealed.Match(raw) {
						t.Fatalf("turn %d: the report does not have the seal %s", n, seal)
					}
					seen.Write(sealed.ReplaceAll(raw, []byte("SEAL")))
				}
			}
			if mails != 1 {
				t.Fatalf("%d mails to the Hood of %d", mails, len(out.Mails))
			}
			p, err := turn.Load(g)
			if err != nil {
				t.Fatal(err)
			}
			ready, err := p.Ready()
			if err != nil {
				t.Fatal(err)
			}
			plain, err := p.Shown("Hood")
			if err != nil {
				t.Fatal(err)
			}
			if told := plain.Only(ready.Missing()); plain.All() || len(told) != 2 {
				t.Errorf("turn %d: the Hood is told of the orders of %v, of all: %v", n, told, plain.All())
			}
			if plain, err = p.Shown("Kite"); err != nil || n == 1 && deeds[1] != "" && !plain.All() {
				t.Errorf("turn %d: the Kite does not see her own side: %v", n, err)
			}
		}
		sent = append(sent, seen.Bytes())
	}
	if !bytes.Equal(sent[0], sent[1]) {
		for i, line := range bytes.Split(sent[0], []byte("\n")) {
			if other := bytes.Split(sent[1], []byte("\n")); i >= len(other) || !bytes.Equal(line, other[i]) {
				t.Fatalf("the mails differ in line %d:\n%s", i+1, line)
			}
		}
		t.Fatal("one of the mails is longer")
	}
}
