package examples_test

import (
	"crypto/sha256"
	bytesof "encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/manual"
	"starpost/pbem/archive"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// The code down to the tests is written from the recipe in docs/reference/formats.md and uses no package of the
// program.

// framed is frame(a, b, ...) in the recipe.
func framed(texts ...string) []byte {
	var out []byte
	for _, s := range texts {
		out = append(bytesof.BigEndian.AppendUint64(out, uint64(len(s))), s...)
	}
	return out
}

func hexSum(texts ...string) string {
	sum := sha256.Sum256(framed(texts...))
	return hex.EncodeToString(sum[:])
}

// keyOf is step 2 of a turn without a beacon, publicKeyOf of one with a beacon, and oldKeyOf the old step of games
// with states in format 1.
func keyOf(secret, game string, turn int, words string) string {
	if words == "" {
		return secret
	}
	sum := sha256.Sum256(framed("starpost dice turn 2", secret, game, strconv.Itoa(turn), words))
	return string(sum[:])
}

func publicKeyOf(secret, game string, turn int, words, chain, round, randomness string) string {
	sum := sha256.Sum256(framed("starpost dice turn 3", secret, game, strconv.Itoa(turn), words, chain, round, randomness))
	return string(sum[:])
}

func oldKeyOf(secret, game string, turn int, luck [][2]string) string {
	if len(luck) == 0 {
		return secret
	}
	texts := []string{"starpost dice turn 1", secret, game, strconv.Itoa(turn)}
	for _, l := range luck {
		texts = append(texts, l[0], l[1])
	}
	sum := sha256.Sum256(framed(texts...))
	return string(sum[:])
}

// numbers is step 4: the first numbers of a seed.
func numbers(seed [32]byte) []uint64 {
	var blocks [4][16]uint32
	for c := range blocks {
		w := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}
		for i := range 8 {
			w[4+i] = bytesof.LittleEndian.Uint32(seed[4*i:])
		}
		w[12] = uint32(c)
		quarter := func(a, b, c, d int) {
			w[a] += w[b]
			w[d] = bits.RotateLeft32(w[d]^w[a], 16)
			w[c] += w[d]
			w[b] = bits.RotateLeft32(w[b]^w[c], 12)
			w[a] += w[b]
			w[d] = bits.RotateLeft32(w[d]^w[a], 8)
			w[c] += w[d]
			w[b] = bits.RotateLeft32(w[b]^w[c], 7)
		}
		for range 4 {
			quarter(0, 4, 8, 12)
			quarter(1, 5, 9, 13)
			quarter(2, 6, 10, 14)
			quarter(3, 7, 11, 15)
			quarter(0, 5, 10, 15)
			quarter(1, 6, 11, 12)
			quarter(2, 7, 8, 13)
			quarter(3, 4, 9, 14)
		}
		for i := range 8 {
			w[4+i] += bytesof.LittleEndian.Uint32(seed[4*i:])
		}
		blocks[c] = w
	}
	var text []byte
	for i := range 16 {
		for c := range blocks {
			text = bytesof.LittleEndian.AppendUint32(text, blocks[c][i])
		}
	}
	var out []uint64
	for i := 0; i < len(text); i += 8 {
		out = append(out, bytesof.LittleEndian.Uint64(text[i:]))
	}
	return out
}

// thrown is steps 3 and 5.
func thrown(key, game, die, name string) int {
	all := numbers(sha256.Sum256(framed("starpost dice roll 1", key, game, die, name)))
	times, sides := 1, uint64(0)
	switch die {
	case "2d6":
		times, sides = 2, 6
	default:
		n, err := strconv.Atoi(strings.TrimPrefix(die, "d"))
		if err != nil {
			panic(err)
		}
		sides = uint64(n)
	}
	total := 0
	for range times {
		// The largest multiple of sides that is at most 2^64 is 2^64 minus rest.
		rest := (^uint64(0)%sides + 1) % sides
		for rest > 0 && all[0] >= -rest {
			all = all[1:]
		}
		total += int(all[0]%sides) + 1
		all = all[1:]
	}
	return total
}

// TestRecipe: the recipe and the names of all dice are in the documents, and following the recipe gives the
// documented values.
func TestRecipe(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	graduate, err := fasa.Graduate(lib)
	if err != nil {
		t.Fatal(err)
	}
	command, err := fasa.Command(lib)
	if err != nil {
		t.Fatal(err)
	}
	command.Dice = slices.DeleteFunc(command.Dice, func(d engine.NamedDie) bool { return slices.Contains(graduate.Dice, d) })
	reference(t, "dice", "Dice", strings.Join([]string{
		"How to compute the dice of a game; the `README.txt` of every archive has it too.", fenced(dice.Recipe),
		"The dice of the tactical courses:", fenced(archive.DiceVectors(graduate)),
		"More dice, thrown by officers of `stcs-command`:", fenced(archive.DiceVectors(command)),
		"The dice of `manual`:", fenced(archive.DiceVectors(manual.Rules())),
	}, "\n\n"))
	text := string(read(t, document("reference/dice")))
	secret, err := hex.DecodeString(regexp.MustCompile(`secret\n  ([0-9a-f]{64})\n`).FindStringSubmatch(text)[1])
	if err != nil {
		t.Fatal(err)
	}
	words := hexSum("starpost dice words 2", hexSum("starpost dice words 2", "", "1", "hood", "fair winds"), "3", "wolf", "grr")
	if sum := sha256.Sum256(secret); !strings.Contains(text, "its hash: "+hex.EncodeToString(sum[:])) || !strings.Contains(text, "\n  "+words+"\n") {
		t.Errorf("the hash of the secret, or W (%s), is another one", words)
	}
	b := regexp.MustCompile(`round (\d+) of the chain\n  ([0-9a-f]{64})\nwith the randomness\n  ([0-9a-f]{64})\n`).FindStringSubmatch(text)
	vectors := regexp.MustCompile(`(?m)^  (2?d[0-9]+) (t[0-9]+\.\S+): (\d+), (\d+), (\d+)$`).FindAllStringSubmatch(text, -1)
	if len(vectors) != len(graduate.Dice)+len(command.Dice)+len(manual.Rules().Dice)+3 { // a referee rolls four kinds
		t.Fatalf("%d dice in the document, %d in the rule set", len(vectors), len(graduate.Dice))
	}
	for _, v := range vectors {
		plain := thrown(string(secret), "demo", v[1], v[2])
		lucky := thrown(keyOf(string(secret), "demo", 3, words), "demo", v[1], v[2])
		public := thrown(publicKeyOf(string(secret), "demo", 3, words, b[2], b[1], b[3]), "demo", v[1], v[2])
		if v[3] != strconv.Itoa(plain) || v[4] != strconv.Itoa(lucky) || v[5] != strconv.Itoa(public) {
			t.Errorf("%s of %s: %d, %d, %d; the document says %s, %s, %s", v[2], v[1], plain, lucky, public, v[3], v[4], v[5])
		}
	}
	for _, n := range slices.Concat(graduate.Dice, command.Dice, manual.Rules().Dice) {
		if die := n.Die; die != 0 && !n.Fits(n.Example, die) || die == 0 && !n.Fits(n.Example, dice.D6) {
			t.Errorf("%s is no example of %s", n.Example, n.Name)
		}
	}
}

// TestRecipeOfAGame computes all dice of a game from its files, including words for luck.
func TestRecipeOfAGame(t *testing.T) {
	for _, format := range []int{1, 2} {
		t.Run(fmt.Sprint("format ", format), func(t *testing.T) {
			g := lucky(t, format)
			text, err := os.ReadFile(filepath.Join(g.Dir(), "secret"))
			if err != nil {
				t.Fatal(err)
			}
			secret, err := hex.DecodeString(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			words, rolls, wishes := "", 0, 0
			for n := 1; n <= g.Turn(); n++ {
				type event struct {
					Type, Name, Dice, Ship, Words, Hash string
					Value                               int
				}
				var all []event
				for line := range strings.Lines(string(read(t, g.Dir(), "turns", fmt.Sprintf("%04d", n), "events.jsonl"))) {
					var e event
					if err := json.Unmarshal([]byte(line), &e); err != nil && !strings.Contains(err.Error(), "cannot unmarshal") {
						t.Fatal(err)
					}
					all = append(all, e)
				}
				var luck [][2]string
				for _, e := range all {
					if e.Type == "luck" {
						wishes++
						luck = append(luck, [2]string{e.Ship, e.Words})
						words = hexSum("starpost dice words 2", words, strconv.Itoa(n), e.Ship, e.Words)
						if hexSum("starpost dice luck 1", e.Words) != e.Hash {
							t.Errorf("turn %d: the hash of %q is %s", n, e.Words, e.Hash)
						}
					}
				}
				key := keyOf(string(secret), g.ID(), n, words)
				if format == 1 {
					key = oldKeyOf(string(secret), g.ID(), n, luck)
				}
				for _, e := range all {
					if e.Type != "roll" {
						continue
					}
					rolls++
					if v := thrown(key, g.ID(), e.Dice, e.Name); v != e.Value {
						t.Errorf("%s of %s is %d by the recipe, %d in the game", e.Name, e.Dice, v, e.Value)
					}
				}
			}
			if rolls < 20 || wishes != 2 {
				t.Fatalf("%d dice, %d wishes", rolls, wishes)
			}
		})
	}
}

// lucky returns a game of four turns, with words for luck in the first and the third.
func lucky(t *testing.T, format int) *vault.Game {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "wolf")
	scenarios, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: scenarios["big-bad-wolf"], ID: "wolf", Mail: vault.DefaultMail(), Secret: dice.FromSeed(wolfSeed), Options: turn.Options{Now: began},
	}); err != nil {
		t.Fatal(err)
	}
	if format == 1 {
		state := filepath.Join(dir, "turns", "0000", "state.json")
		old := strings.Replace(string(read(t, state)), `"format": 2`, `"format": 1`, 1)
		manifest := filepath.Join(dir, "turns", "0000", "manifest.json")
		sum := vault.Hash(read(t, state))
		if err := os.WriteFile(state, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(manifest, []byte(strings.Replace(string(read(t, manifest)), sum, vault.Hash([]byte(old)), 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 4; n++ {
		p, err := turn.Load(g)
		if err != nil {
			t.Fatal(err)
		}
		set, err := p.Robot("hood")
		if err != nil {
			t.Fatal(err)
		}
		if n%2 == 1 {
			set = strings.Replace(set, "#end", fmt.Sprintf("luck wind %d\n#end", n), 1)
		}
		if err := os.WriteFile(filepath.Join(dir, "orders", "Hood.txt"), []byte(set), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: began}); err != nil {
			t.Fatal(err)
		}
	}
	found, err := proof.Verify(g, nil)
	if err != nil || len(found) > 0 {
		t.Fatal(found, err)
	}
	return g
}
