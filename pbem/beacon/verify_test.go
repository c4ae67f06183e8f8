package beacon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cloudflare/circl/ecc/bls12381"
	"github.com/cloudflare/circl/sign/bls"
)

// published are rounds of quicknet published by others: 1000 to 1003 in the tests of ideal-lab5/idn-sdk (verifiers
// of pulses), 657413 in the readme of mcdcam/python-drand-verify. The randomness of 1000 is in many places.
var published = []struct {
	round                 uint64
	signature, randomness string // randomness: where it is published too
}{
	{1000, "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39", "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"},
	{1001, "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41", ""},
	{1002, "ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9eb05843c6308ce2530b53a99c0281a6e", ""},
	{1003, "b104c82771698f45fd8dcfead083d482694c31ab519bcef077f126f3736fe98c8392fd5d45d88aeb76b56ccfcb0296d7", ""},
	{657413, "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b", "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"},
}

func quick(tb testing.TB, round uint64, signature string) Beacon {
	tb.Helper()
	b, err := Parse(Quicknet().Hash, round, signature)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func TestPublishedRounds(t *testing.T) {
	for _, p := range published {
		b := quick(t, p.round, p.signature)
		if err := Quicknet().Verify(b, p.round); err != nil {
			t.Errorf("round %d: %v", p.round, err)
		}
		if p.randomness != "" && b.Randomness() != p.randomness {
			t.Errorf("round %d gives %s, published is %s", p.round, b.Randomness(), p.randomness)
		}
	}
}

// TestRefusals checks each way in which a beacon can be invalid, with its own error.
func TestRefusals(t *testing.T) {
	good := quick(t, 1000, published[0].signature)
	uncompressed := func() []byte {
		var p bls12381.G1
		if err := p.SetBytes(good.Signature); err != nil {
			t.Fatal(err)
		}
		return p.Bytes()
	}()
	point := func(first, last byte) []byte {
		b := make([]byte, signatureSize)
		b[0], b[signatureSize-1] = first, last
		return b
	}
	order, err := hex.DecodeString("1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab")
	if err != nil {
		t.Fatal(err)
	}
	order[0] |= compressed
	negative := bytes.Clone(good.Signature)
	negative[0] ^= larger
	other := Quicknet()
	other.Hash = strings.Repeat("ab", 32)
	sign := func(name string) []byte {
		key, err := bls.KeyGen[bls.KeyG2SigG1](bytes.Repeat([]byte(name), 32), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return bls.Sign(key, Message(1000))
	}
	for _, test := range []struct {
		what  string
		chain Chain
		b     Beacon
		round uint64
		want  error
	}{
		{"another chain", other, good, 1000, errChain},
		{"another round asked for", Quicknet(), good, 1001, errRound},
		{"round 0", Quicknet(), Beacon{good.Chain, 0, good.Signature}, 0, errRound},
		{"a round too late to be", Quicknet(), Beacon{good.Chain, MaxRound + 1, good.Signature}, MaxRound + 1, errRound},
		{"another round's signature", Quicknet(), Beacon{good.Chain, 1001, good.Signature}, 1001, errSignature},
		{"another chain's signature", Quicknet(), Beacon{good.Chain, 1000, sign("x")}, 1000, errSignature},
		{"the other point with that x", Quicknet(), Beacon{good.Chain, 1000, negative}, 1000, errSignature},
		{"no signature", Quicknet(), Beacon{good.Chain, 1000, nil}, 1000, errLength},
		{"a byte short", Quicknet(), Beacon{good.Chain, 1000, good.Signature[1:]}, 1000, errLength},
		{"a byte more", Quicknet(), Beacon{good.Chain, 1000, append(bytes.Clone(good.Signature), 0)}, 1000, errLength},
		{"uncompressed", Quicknet(), Beacon{good.Chain, 1000, uncompressed}, 1000, errLength},
		{"half of uncompressed", Quicknet(), Beacon{good.Chain, 1000, uncompressed[:signatureSize]}, 1000, errForm},
		{"infinity", Quicknet(), Beacon{good.Chain, 1000, point(compressed|infinity, 0)}, 1000, errInfinity},
		{"infinity with more", Quicknet(), Beacon{good.Chain, 1000, point(compressed|infinity|larger, 1)}, 1000, errInfinity},
		{"x is the order of the field", Quicknet(), Beacon{good.Chain, 1000, order}, 1000, errField},
		{"not on the curve", Quicknet(), Beacon{good.Chain, 1000, point(compressed, 1)}, 1000, errCurve},
		{"on the curve, of order 3", Quicknet(), Beacon{good.Chain, 1000, point(compressed, 0)}, 1000, errSubgroup},
	} {
		t.Run(test.what, func(t *testing.T) {
			if err := test.chain.Verify(test.b, test.round); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if holds(t, test.chain, test.b, test.round) && !errors.Is(test.want, errChain) && !errors.Is(test.want, errRound) {
				t.Error("the second library takes it")
			}
		})
	}
	for _, key := range []string{"", "83", strings.ToUpper(other.Key), "c0" + strings.Repeat("00", keySize-1), other.Key[2:] + "00"} {
		bad := Quicknet()
		bad.Key = key
		if err := bad.Verify(good, 1000); err == nil || !strings.Contains(err.Error(), "key of the chain") {
			t.Errorf("key %.20q: %v", key, err)
		}
	}
}

// holds verifies a beacon with another author's library.
func holds(tb testing.TB, c Chain, b Beacon, round uint64) bool {
	tb.Helper()
	raw, err := hex.DecodeString(c.Key)
	if err != nil {
		tb.Fatal(err)
	}
	key := new(bls.PublicKey[bls.KeyG2SigG1])
	if err := key.UnmarshalBinary(raw); err != nil {
		tb.Fatal(err)
	}
	return len(b.Signature) == signatureSize && bls.Verify(key, Message(round), b.Signature) // it also accepts uncompressed signatures
}

// TestTwoLibrariesAgree asks two libraries about published rounds and generated ones, unchanged and with one bit
// flipped.
func TestTwoLibrariesAgree(t *testing.T) {
	key, err := bls.KeyGen[bls.KeyG2SigG1](bytes.Repeat([]byte{7}, 32), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	own := Chain{Hash: strings.Repeat("07", 32), Key: hex.EncodeToString(public), Genesis: 1, Period: 1}
	type asked struct {
		chain Chain
		b     Beacon
	}
	var all []asked
	for _, p := range published {
		all = append(all, asked{Quicknet(), quick(t, p.round, p.signature)})
	}
	for round := uint64(1); round <= MaxRound; round *= 37 {
		all = append(all, asked{own, Beacon{own.Hash, round, bls.Sign(key, Message(round))}})
	}
	good, bad := 0, 0
	for i, a := range all {
		for turned := -1; turned < 3; turned++ {
			b := a.b
			b.Signature = bytes.Clone(b.Signature)
			if turned >= 0 {
				bit := (i*131 + turned*197) % (8 * signatureSize)
				b.Signature[bit/8] ^= 1 << (bit % 8)
			}
			ours, theirs := a.chain.Verify(b, b.Round), holds(t, a.chain, b, b.Round)
			if (ours == nil) != theirs {
				t.Errorf("round %d, %x: ours says %v, the other %v", b.Round, b.Signature, ours, theirs)
			}
			if theirs != (turned < 0) {
				t.Errorf("round %d, turned %d: the other says %v", b.Round, turned, theirs)
			}
			if theirs {
				good++
			} else {
				bad++
			}
		}
	}
	if good != len(all) || bad != 3*len(all) || len(all) < 12 {
		t.Errorf("%d good ones and %d bad ones of %d", good, bad, len(all))
	}
}

func TestRoundsHaveTheirTimes(t *testing.T) {
	c := Quicknet()
	first := time.Unix(c.Genesis, 0)
	for _, test := range []struct {
		after     time.Duration
		at, first uint64
	}{
		{-time.Hour, 0, 1},
		{-1, 0, 1},
		{0, 1, 1},
		{1, 1, 2},
		{3*time.Second - 1, 1, 2},
		{3 * time.Second, 2, 2},
		{2997 * time.Second, 1000, 1000},
		{2998 * time.Second, 1000, 1001},
	} {
		now := first.Add(test.after)
		if at, next := c.RoundAt(now), c.FirstRound(now); at != test.at || next != test.first {
			t.Errorf("%v after the first round: the newest is %d, the next %d; want %d, %d", test.after, at, next, test.at, test.first)
		}
		if c.TimeOf(test.first).Before(now) {
			t.Errorf("round %d comes before %v", test.first, now)
		}
	}
	// The explorer of the chain shows this time for round 1000.
	if got := c.TimeOf(1000); !got.Equal(time.Date(2023, 8, 23, 15, 59, 24, 0, time.UTC)) {
		t.Errorf("round 1000 comes at %v", got)
	}
	if got := c.TimeOf(MaxRound); got.Year() < 30_000 || c.RoundAt(got) != MaxRound {
		t.Errorf("the last round comes at %v", got)
	}
}

func BenchmarkVerify(b *testing.B) {
	good := quick(b, 657413, published[4].signature)
	for b.Loop() {
		held = memo[bool]{} // forget earlier results
		if err := Quicknet().Verify(good, 657413); err != nil {
			b.Fatal(err)
		}
	}
}

// TestHeld: a verified beacon is accepted again, and nothing else is accepted because of it.
func TestHeld(t *testing.T) {
	good := quick(t, 657413, published[4].signature)
	for range 2 {
		if err := Quicknet().Verify(good, 657413); err != nil {
			t.Fatal(err)
		}
	}
	other := Quicknet()
	other.Key = other.Key[:len(other.Key)-1] + "b"
	later, flipped := good, good
	later.Round++
	flipped.Signature = bytes.Clone(good.Signature)
	flipped.Signature[0] ^= larger
	for name, err := range map[string]error{
		"another round": Quicknet().Verify(later, later.Round), "another signature": Quicknet().Verify(flipped, 657413), "another key": other.Verify(good, 657413),
	} {
		if err == nil {
			t.Errorf("%s is taken for what held", name)
		}
	}
	for n := range 2 * maxMemo {
		held.put(sha256.Sum256([]byte{byte(n), byte(n >> 8)}), true)
	}
	if len(held.all) > maxMemo {
		t.Errorf("%d are kept", len(held.all))
	}
}
