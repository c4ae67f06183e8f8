package auth

import (
	"strings"
	"testing"
	"time"

	"starpost/engine"

	"pgregory.net/rapid"
)

var someday = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestToken(t *testing.T) {
	secret := []byte("a secret of thirty-two bytes ....")
	claim := Claim{Kind: "join", Game: "wolf", Captain: "Kirk", Changes: 1, Old: "kirk@example.org", Address: "New@example.org"}
	week := someday.Add(7 * 24 * time.Hour)
	token := Token(secret, claim, week)
	if len(token) != 19 || strings.Count(token, "-") != 3 {
		t.Fatalf("token %q", token)
	}
	for _, typed := range []string{token, strings.ToLower(token), strings.ReplaceAll(token, "-", ""), " " + strings.ReplaceAll(token, "-", " ")} {
		if !claim.Confirms(secret, typed, someday) {
			t.Errorf("%q does not confirm", typed)
		}
	}
	if at := time.Date(2026, 3, 8, 23, 59, 0, 0, time.UTC); !claim.Confirms(secret, token, at) || claim.Confirms(secret, token, at.Add(time.Minute)) {
		t.Error("it does not expire at the end of its day")
	}
	for name, other := range map[string]Claim{
		"kind":    {"address", claim.Game, claim.Captain, claim.Request, claim.Changes, claim.Old, claim.Address},
		"game":    {claim.Kind, "wulf", claim.Captain, claim.Request, claim.Changes, claim.Old, claim.Address},
		"captain": {claim.Kind, claim.Game, "Kor", "", claim.Changes, claim.Old, claim.Address},
		"request": {claim.Kind, claim.Game, claim.Captain, "Kor", claim.Changes, claim.Old, claim.Address},
		"changes": {claim.Kind, claim.Game, claim.Captain, "", 2, claim.Old, claim.Address},
		"old":     {claim.Kind, claim.Game, claim.Captain, claim.Request, claim.Changes, "", claim.Address},
		"address": {claim.Kind, claim.Game, claim.Captain, claim.Request, claim.Changes, claim.Old, "eve@example.org"},
		"none":    {claim.Kind, claim.Game, claim.Captain, claim.Request, claim.Changes, claim.Old, ""},
	} {
		if other.Confirms(secret, token, someday) {
			t.Errorf("it confirms another %s", name)
		}
	}
	same := claim
	same.Address = "new+tag@EXAMPLE.org"
	if !same.Confirms(secret, token, someday) {
		t.Error("another spelling of the address does not confirm")
	}
	if claim.Confirms([]byte("another"), token, someday) {
		t.Error("it confirms under another secret")
	}
	for _, bad := range []string{"", "7K4Q-92FM", token + "0", token[1:], strings.Replace(token, "-", "!", 1)} {
		if claim.Confirms(secret, bad, someday) {
			t.Errorf("%q confirms", bad)
		}
	}
	if got := TokenFromAddress([]string{"x@example.com", WithKey("starpost@example.org", token)}, "starpost@example.org"); got != token {
		t.Errorf("from the address: %q", got)
	}
	if got := TokenFromAddress([]string{"starpost+7K4Q92FM@example.org", "starpost@example.org"}, "starpost@example.org"); got != "" {
		t.Errorf("from the address: %q", got)
	}
	if _, ok := TurnKeyFromAddress([]string{WithKey("starpost@example.org", token)}, "starpost@example.org"); ok {
		t.Error("a token passes for a turn key")
	}
}

func TestTokenRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "secret")
		c := Claim{
			Kind: rapid.String().Draw(t, "kind"), Game: rapid.String().Draw(t, "game"), Captain: engine.CaptainName(rapid.String().Draw(t, "captain")),
			Changes: rapid.IntRange(0, 9).Draw(t, "changes"), Address: "ann@example.org",
		}
		now := time.Unix(rapid.Int64Range(30*24*60*60, 5e9).Draw(t, "now"), 0)
		days := rapid.IntRange(-3, 9).Draw(t, "days")
		token := Token(secret, c, now.Add(time.Duration(days)*24*time.Hour))
		if got := c.Confirms(secret, token, now); got != (days >= 0) {
			t.Fatalf("%s in %d days: %v", token, days, got)
		}
		i := rapid.IntRange(0, len(token)-1).Draw(t, "at")
		harmed := []byte(token)
		if harmed[i] == '-' {
			return
		}
		harmed[i] = alphabet[(strings.IndexByte(alphabet, harmed[i])+1)%32]
		if c.Confirms(secret, string(harmed), now) {
			t.Fatalf("%s confirms like %s", harmed, token)
		}
	})
}
