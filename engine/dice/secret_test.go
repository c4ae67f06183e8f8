package dice

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
)

func TestSecretText(t *testing.T) {
	s := FromSeed(7)
	if len(s) != secretSize {
		t.Fatalf("%d bytes", len(s))
	}
	for _, text := range []string{s.String(), strings.ToUpper(s.String())} {
		if got, err := ParseSecret(text); err != nil || !bytes.Equal(got, s) {
			t.Errorf("%s read as %s, %v", text, got, err)
		}
	}
	data, err := json.Marshal(map[string]Secret{"secret": s})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"secret":"` + s.String() + `"}`; string(data) != want {
		t.Errorf("JSON is %s", data)
	}
	var back map[string]Secret
	if err := json.Unmarshal(data, &back); err != nil || !bytes.Equal(back["secret"], s) {
		t.Errorf("JSON read as %v, %v", back, err)
	}
	for _, bad := range []string{"", "00", s.String()[1:], s.String() + "0", "x" + s.String()[1:]} {
		if got, err := ParseSecret(bad); err == nil {
			t.Errorf("%q read as %s", bad, got)
		} else if len(bad) > 2 && strings.Contains(err.Error(), bad[4:]) {
			t.Errorf("the error tells the secret: %v", err)
		}
		if err := new(Secret).UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q unmarshalled", bad)
		}
	}
	if text, err := Secret("short").MarshalText(); err == nil {
		t.Errorf("short secret written as %s", text)
	}
}

func TestNewSecret(t *testing.T) {
	s, err := NewSecret(bytes.NewReader(bytes.Repeat([]byte{9}, 40)))
	if err != nil || s.String() != strings.Repeat("09", 32) {
		t.Errorf("secret %s, %v", s, err)
	}
	if s, err := NewSecret(strings.NewReader("too little")); err == nil || s != nil {
		t.Errorf("secret %s of too little, %v", s, err)
	}
}

func TestCommitIsPlainSHA256(t *testing.T) {
	s := FromSeed(7)
	sum := sha256.Sum256(s)
	if got := Commit(s); got != hex.EncodeToString(sum[:]) {
		t.Errorf("commitment %s", got)
	}
}

func TestDomainsAreApart(t *testing.T) {
	s := FromSeed(1)
	seen := make(map[string]string)
	for name, value := range map[string]string{
		"secret":      s.String(),
		"seed 0":      FromSeed(0).String(),
		"commit":      Commit(s),
		"luck":        LuckHash("turn"),
		"luck, bytes": LuckHash(string(s)),
		"key":         hex.EncodeToString(DeriveKey(s, "turn")),
		"key, part":   hex.EncodeToString(DeriveKey(s, "turn", "")),
		"key, ab c":   hex.EncodeToString(DeriveKey(s, "turn", "ab", "c")),
		"key, a bc":   hex.EncodeToString(DeriveKey(s, "turn", "a", "bc")),
		"key, turnab": hex.EncodeToString(DeriveKey(s, "turnab", "c")),
		"other":       hex.EncodeToString(DeriveKey(FromSeed(2), "turn")),
	} {
		if len(value) != 64 {
			t.Errorf("%s is %s", name, value)
		}
		if other, found := seen[value]; found {
			t.Errorf("%s equals %s", name, other)
		}
		seen[value] = name
	}
}
