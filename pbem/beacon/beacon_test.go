package beacon

import (
	"bytes"
	"strings"
	"testing"
)

const filedRound = `{
  "chain": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  "round": 1000,
  "signature": "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
  "randomness": "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
}
`

func TestFileHasOneForm(t *testing.T) {
	b, err := Decode([]byte(filedRound))
	if err != nil {
		t.Fatal(err)
	}
	if err := Quicknet().Verify(b, 1000); err != nil {
		t.Error(err)
	}
	if again, err := b.Encode(); err != nil || string(again) != filedRound {
		t.Errorf("written again: %s, %v", again, err)
	}
	change := func(from, to string) string { return strings.Replace(filedRound, from, to, 1) }
	for what, test := range map[string]struct{ text, want string }{
		"nothing":                {"", "end of JSON"},
		"too long":               {filedRound + strings.Repeat(" ", maxFile), "bytes, at most"},
		"more behind it":         {filedRound + "{}", "after top-level value"},
		"another key":            {change(`"round"`, `"more": 1, "round"`), "not in the form"},
		"a key twice":            {change(`"round": 1000`, `"round": 1000, "round": 1000`), "not in the form"},
		"another order":          {change("  ", "    "), "not in the form"},
		"key in capitals":        {change(`"round"`, `"Round"`), "not in the form"},
		"round as text":          {change("1000", `"1000"`), "cannot unmarshal"},
		"a negative round":       {change("1000", "-1"), "cannot unmarshal"},
		"no round":               {change("1000", "0"), "there are rounds"},
		"a round too late":       {change("1000", "1099511627777"), "there are rounds"},
		"capitals in the chain":  {change("52db", "52DB"), "chain: want 64"},
		"a short chain":          {change("52db", ""), "chain: want 64"},
		"capitals in signature":  {change("b446", "B446"), "signature: want 96"},
		"a short signature":      {change("b446", ""), "signature: want 96"},
		"another signature":      {change("b446", "b447"), "is not the SHA-256"},
		"another randomness":     {change("fe29", "fe28"), "is not the SHA-256"},
		"no randomness":          {change("fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd", ""), "is not the SHA-256"},
		"capitals in randomness": {change("fe29", "FE29"), "is not the SHA-256"},
	} {
		if _, err := Decode([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", what, err, test.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(filedRound))
	f.Add([]byte(strings.Replace(filedRound, "1000", "1e3", 1)))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Decode(data)
		if err != nil {
			return
		}
		if again, err := b.Encode(); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%q was read, and is written %q, %v", data, again, err)
		}
		if b.Round == 0 || b.Round > MaxRound || len(b.Signature) != signatureSize || len(b.Chain) != 2*hashSize {
			t.Errorf("%q was read as %v", data, b)
		}
		if err := Quicknet().Verify(b, b.Round); err == nil && b.Round < 1000 {
			t.Errorf("%q holds", data)
		}
	})
}
