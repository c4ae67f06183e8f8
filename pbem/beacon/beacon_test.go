package beacon_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"pgregory.net/rapid"

	"starpost/pbem/beacon"
	"starpost/pbem/beacon/standin"
)

// Rounds as drand published them. Round 1000 stands in many places, such as the tests of drand's clients for other
// languages; 1001 to 1003 in those of ideal-lab5/idn-sdk; 657413 in the README of mcdcam/python-drand-verify.
var published = []struct {
	round                 uint64
	signature, randomness string
}{
	{1000, "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39", "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"},
	{1001, "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41", ""},
	{1002, "ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9eb05843c6308ce2530b53a99c0281a6e", ""},
	{1003, "b104c82771698f45fd8dcfead083d482694c31ab519bcef077f126f3736fe98c8392fd5d45d88aeb76b56ccfcb0296d7", ""},
	{657413, "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b", "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"},
}

func quicknet(t testing.TB, round uint64, signature string) *beacon.Beacon {
	t.Helper()
	sig, err := hex.DecodeString(signature)
	if err != nil {
		t.Fatal(err)
	}
	return &beacon.Beacon{Chain: beacon.Quicknet.Hash, Round: round, Signature: sig}
}

func TestPublishedRounds(t *testing.T) {
	for _, p := range published {
		b := quicknet(t, p.round, p.signature)
		if err := beacon.Quicknet.Verify(b); err != nil {
			t.Errorf("round %d: %v", p.round, err)
		}
		if err := witness(beacon.Quicknet, b); err != nil {
			t.Errorf("round %d: the other library: %v", p.round, err)
		}
		if p.randomness != "" && b.Randomness() != p.randomness {
			t.Errorf("round %d: randomness %s", p.round, b.Randomness())
		}
		b.Round++
		if err := beacon.Quicknet.Verify(b); err == nil || !strings.Contains(err.Error(), "does not fit the round") {
			t.Errorf("the signature of round %d for the next one: %v", p.round, err)
		}
	}
}

// TestRefused: each kind of false beacon has its check.
func TestRefused(t *testing.T) {
	s, other := standin.New("a", time.Unix(1_700_000_000, 0), 3), standin.New("b", time.Unix(1_700_000_000, 0), 3)
	good := s.Round(7)
	for _, c := range []struct {
		name      string
		chain     string
		round     uint64
		signature []byte
		want      string
	}{
		{"infinity", s.Hash, 7, standin.Infinity(), "the point at infinity"},
		{"infinity with another sign", s.Hash, 7, append([]byte{0xe0}, make([]byte, 47)...), "the point at infinity"},
		{"not on the curve", s.Hash, 7, offCurve(), "no compressed point of G1"},
		{"outside the subgroup", s.Hash, 7, outside(t), "no compressed point of G1"},
		{"uncompressed", s.Hash, 7, uncompressed(t, good.Signature), "no compressed point of G1"},
		{"half of it without the mark", s.Hash, 7, uncompressed(t, good.Signature)[:48], "no compressed point of G1"},
		{"cut off", s.Hash, 7, good.Signature[:47], "no compressed point of G1"},
		{"longer", s.Hash, 7, append(bytes.Clone(good.Signature), 0), "no compressed point of G1"},
		{"none", s.Hash, 7, nil, "no compressed point of G1"},
		{"beyond the field", s.Hash, 7, append([]byte{0x9f}, bytes.Repeat([]byte{0xff}, 47)...), "no compressed point of G1"},
		{"the other of the two points", s.Hash, 7, flipped(good.Signature), "does not fit the round"},
		{"another chain's for the same round", s.Hash, 7, other.Round(7).Signature, "does not fit the round"},
		{"another chain's, and says so", other.Hash, 7, other.Round(7).Signature, "of another chain"},
		{"another round's", s.Hash, 7, s.Round(8).Signature, "does not fit the round"},
		{"round 0", s.Hash, 0, good.Signature, "count from 1"},
	} {
		err := s.Verify(&beacon.Beacon{Chain: c.chain, Round: c.round, Signature: c.signature})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %v", c.name, err, c.want)
		}
	}
	// What held is known, and no more than that.
	for range 2 {
		if err := s.Verify(good); err != nil {
			t.Error(err)
		}
	}
	good.Round++
	if err := s.Verify(good); err == nil {
		t.Error("another round is taken for one that was verified")
	}
}

// TestWitness: two libraries agree on signatures that are made up, whole and damaged.
func TestWitness(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := standin.New(rapid.StringN(0, 4, 8).Draw(t, "seed"), time.Unix(1_700_000_000, 0), 3)
		b := s.Round(rapid.Uint64Min(1).Draw(t, "round"))
		if at := rapid.IntRange(-1, 47).Draw(t, "damaged"); at >= 0 {
			b.Signature[at] ^= byte(rapid.IntRange(0, 255).Draw(t, "by"))
		}
		one, two := s.Verify(b), witness(s.Chain, b)
		if (one == nil) != (two == nil) {
			t.Fatalf("%x: %v, and %v", b.Signature, one, two)
		}
	})
}

// witness verifies a beacon with another library.
func witness(c beacon.Chain, b *beacon.Beacon) error {
	var sig bls12381.G1Affine
	var key bls12381.G2Affine
	if _, err := sig.SetBytes(b.Signature); err != nil {
		return err
	}
	if _, err := key.SetBytes(c.Key); err != nil {
		return err
	}
	if sig.IsInfinity() {
		return errors.New("infinity")
	}
	message, err := bls12381.HashToG1(beacon.Message(b.Round), []byte(beacon.Domain))
	if err != nil {
		return err
	}
	var back bls12381.G1Affine
	back.Neg(&sig)
	_, _, _, g2 := bls12381.Generators()
	ok, err := bls12381.PairingCheck([]bls12381.G1Affine{message, back}, []bls12381.G2Affine{key, g2})
	if err == nil && !ok {
		err = errors.New("it does not fit")
	}
	return err
}

// offCurve has a coordinate for which the curve has no point.
func offCurve() []byte {
	for x := byte(0); ; x++ {
		b := append([]byte{0x80}, make([]byte, 47)...)
		b[47] = x
		var p bls12381.G1Affine
		if _, err := p.SetBytes(b); err != nil && strings.Contains(err.Error(), "square root") {
			return b
		}
	}
}

// outside is a point of the curve that is not in the subgroup.
func outside(t *testing.T) []byte {
	t.Helper()
	for x := byte(0); x < 255; x++ {
		b := append([]byte{0x80}, make([]byte, 47)...)
		b[47] = x
		var p bls12381.G1Affine
		if _, err := p.SetBytes(b); err != nil && strings.Contains(err.Error(), "subgroup") {
			return b
		}
	}
	t.Fatal("all small points are in the subgroup")
	return nil
}

func uncompressed(t *testing.T, sig []byte) []byte {
	t.Helper()
	var p bls12381.G1Affine
	if _, err := p.SetBytes(sig); err != nil {
		t.Fatal(err)
	}
	raw := p.RawBytes()
	return raw[:]
}

func flipped(sig []byte) []byte {
	out := bytes.Clone(sig)
	out[0] ^= 0x20
	return out
}

// TestTimes: a round is the first at or after a moment, and no earlier one is.
func TestTimes(t *testing.T) {
	if got := beacon.Quicknet.RoundFrom(time.Unix(1692806364, 0)); got != 1000 {
		t.Errorf("round %d at the moment of round 1000", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := beacon.Chain{Genesis: rapid.Int64Range(1, 1<<34).Draw(t, "genesis"), Period: rapid.Int64Range(1, 86400).Draw(t, "period")}
		at := time.Unix(rapid.Int64Range(-1<<36, 1<<36).Draw(t, "at"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns"))
		n := c.RoundFrom(at)
		if n < 1 || c.TimeOf(n).Before(at) || n > 1 && !c.TimeOf(n-1).Before(at) {
			t.Fatalf("round %d, at %s, for %s", n, c.TimeOf(n), at)
		}
	})
	for _, n := range []uint64{0, 1, 1 << 40, 1<<64 - 1} {
		if at := beacon.Quicknet.TimeOf(n); at.Year() > 9999 {
			t.Errorf("round %d at %s", n, at)
		}
	}
}

func TestChainCheck(t *testing.T) {
	if err := beacon.Quicknet.Check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*beacon.Chain){
		"no hash":      func(c *beacon.Chain) { c.Hash = "" },
		"half a hash":  func(c *beacon.Chain) { c.Hash = c.Hash[:32] },
		"no period":    func(c *beacon.Chain) { c.Period = 0 },
		"no genesis":   func(c *beacon.Chain) { c.Genesis = 0 },
		"no key":       func(c *beacon.Chain) { c.Key = nil },
		"a key in G1":  func(c *beacon.Chain) { c.Key = standin.New("a", time.Unix(1, 0), 1).Round(1).Signature },
		"infinity":     func(c *beacon.Chain) { c.Key = append([]byte{0xc0}, make([]byte, 95)...) },
		"key altered":  func(c *beacon.Chain) { c.Key = bytes.Clone(c.Key); c.Key[95] ^= 1 },
		"far in years": func(c *beacon.Chain) { c.Genesis = 1 << 60 },
	} {
		c := beacon.Quicknet
		if change(&c); c.Check() == nil {
			t.Errorf("%s: it passes", name)
		}
	}
}

func TestWritten(t *testing.T) {
	b := standin.New("a", time.Unix(1_700_000_000, 0), 3).Round(7)
	again, err := beacon.Decode(b.Encode())
	if err != nil || again.Chain != b.Chain || again.Round != b.Round || !bytes.Equal(again.Signature, b.Signature) {
		t.Errorf("%+v (%v)", again, err)
	}
	text := string(b.Encode())
	for name, bad := range map[string]string{
		"another randomness": strings.Replace(text, b.Randomness(), strings.Repeat("0", 64), 1),
		"a field more":       strings.Replace(text, "{", `{"luck":1,`, 1),
		"more behind":        text + text,
		"spaces":             strings.Replace(text, ":", ": ", 1),
		"capitals":           strings.ToUpper(text),
		"no line end":        strings.TrimSuffix(text, "\n"),
		"cut off":            text[:len(text)/2],
		"round 0":            strings.Replace(text, `"round":7`, `"round":0`, 1),
		"a negative round":   strings.Replace(text, `"round":7`, `"round":-7`, 1),
		"too long":           text + strings.Repeat(" ", beacon.MaxSize),
		"nothing":            "",
	} {
		if _, err := beacon.Decode([]byte(bad)); err == nil {
			t.Errorf("%s: it is read", name)
		}
	}
}

func FuzzDecode(f *testing.F) {
	b := standin.New("a", time.Unix(1_700_000_000, 0), 3).Round(7)
	f.Add(b.Encode())
	f.Add([]byte(`{"round":7,"signature":"` + hex.EncodeToString(b.Signature) + `","randomness":"","previous_signature":"00"}`))
	f.Add([]byte(`{"round":1e99}`))
	f.Add([]byte(`[[[[[[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := beacon.Decode(data); err == nil && !bytes.Equal(got.Encode(), data) {
			t.Errorf("%q is read and written as %q", data, got.Encode())
		}
		got, err := beacon.ReadRelay(beacon.Quicknet, data)
		if err != nil {
			return
		}
		if !json.Valid(data) || got.Round < 1 || len(got.Signature) != 48 || got.Chain != beacon.Quicknet.Hash {
			t.Errorf("%q is read as %+v", data, got)
		}
		_ = beacon.Quicknet.Verify(got) // it ends
	})
}

func BenchmarkVerify(b *testing.B) {
	s := standin.New("bench", time.Unix(1_700_000_000, 0), 3)
	var all []*beacon.Beacon
	for n := range uint64(16) {
		all = append(all, s.Round(n+1))
	}
	for i := 0; b.Loop(); i++ {
		fresh := *all[i%len(all)] // what was verified is known
		if err := s.Verify(&beacon.Beacon{Chain: fresh.Chain, Round: fresh.Round, Signature: fresh.Signature}); err != nil {
			b.Fatal(err)
		}
	}
}
