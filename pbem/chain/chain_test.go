package chain_test

import (
	"strings"
	"testing"

	"starpost/engine/dice"
	"starpost/pbem/chain"
)

func TestMask(t *testing.T) {
	for text, want := range map[string]string{
		"write to kirk@example.org, please":      "write to (an address), please",
		"<kirk+7K4Q92FM@example.org>":            "<(an address)>",
		`"James T. Kirk"@example.org is he`:      "(an address) is he",
		"@Kirk says so":                          "@Kirk says so",
		"kor@räuber.example and k@localhost.":    "(an address) and (an address)",
		"mailto:a@b.c and (x@y.z) and 'q@r.s'":   "mailto:(an address) and ((an address)) and '(an address)'",
		"no address at all, 3 @ 4, and nothing@": "no address at all, 3 @ 4, and nothing@",
	} {
		if got := chain.Mask(text); got != want {
			t.Errorf("Mask(%q) = %q, want %q", text, got, want)
		}
		if chain.HasAddress([]byte(text)) != (text != want) {
			t.Errorf("HasAddress(%q) is wrong", text)
		}
	}
}

// TestSeal checks that the seal of a guessed record cannot be made without the secret, and that
// with it the seal is always the same, and differs for another record.
func TestSeal(t *testing.T) {
	one, other := dice.FromSeed(1), dice.FromSeed(2)
	sum := strings.Repeat("ab", 32)
	if again := chain.Seal(dice.FromSeed(1), sum); chain.Seal(one, sum) != again || len(again) != 64 {
		t.Error("the seal is not always the same 64 digits")
	}
	if chain.Seal(one, sum) == chain.Seal(other, sum) || chain.Seal(one, sum) == chain.Seal(one, strings.Repeat("ac", 32)) {
		t.Error("the seal does not hang on secret and record")
	}
	if strings.Contains(chain.Seal(one, sum), sum) {
		t.Error("the seal shows the hash")
	}
}
