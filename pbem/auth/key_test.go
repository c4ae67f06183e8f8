package auth

import (
	"strings"
	"testing"

	"starpost/engine"

	"pgregory.net/rapid"
)

// The vector was computed independently of the code: HMAC-SHA-256 over "starpost turn key 1\0",
// then each of game and captain with its length as eight bytes, big-endian, and the turn as eight
// bytes between them.
func TestTurnKeyVector(t *testing.T) {
	const want = "VEPM-R6KP"
	if got := TurnKey([]byte("a secret of the game"), "wolf", 3, "Hood", 0); got != want {
		t.Errorf("key %q, want %q", got, want)
	}
}

func TestTurnKeyDiffers(t *testing.T) {
	secret := []byte("s")
	base := TurnKey(secret, "wolf", 3, "hood", 0)
	for name, other := range map[string]string{
		"secret":              TurnKey([]byte("t"), "wolf", 3, "hood", 0),
		"game":                TurnKey(secret, "wolg", 3, "hood", 0),
		"turn":                TurnKey(secret, "wolf", 4, "hood", 0),
		"captain":             TurnKey(secret, "wolf", 3, "hoop", 0),
		"count of changes":    TurnKey(secret, "wolf", 3, "hood", 1),
		"where a name breaks": TurnKey(secret, "wol", 3, "fhood", 0),
	} {
		if other == base {
			t.Errorf("another %s gives the same key %s", name, base)
		}
	}
	if got := TurnKey(secret, "WOLF", 3, "HOOD", 0); got != base {
		t.Errorf("case changes the key: %s and %s", got, base)
	}
}

func TestNormalise(t *testing.T) {
	for _, c := range []struct {
		typed, want string
		ok          bool
	}{
		{"7K4Q-92FM", "7K4Q-92FM", true},
		{"7k4q-92fm", "7K4Q-92FM", true},
		{"7K4Q92FM", "7K4Q-92FM", true},
		{" 7K4Q 92FM ", "7K4Q-92FM", true},
		{"7K4Q–92FM", "7K4Q-92FM", true},
		{"7K4Q\u00a092FM", "7K4Q-92FM", true},
		{"oOiI-lLzZ", "0011-11ZZ", true},
		{"7K4Q-92F", "", false},
		{"7K4Q-92FMX", "", false},
		{"7K4Q-92FU", "", false},
		{"7K4Q_92FM", "", false},
		{"", "", false},
		{"7\u212a4Q-92FM", "", false}, // the Kelvin sign
		{"７K4Q-92FM", "", false},
	} {
		got, ok := Normalise(c.typed)
		if got != c.want || ok != c.ok {
			t.Errorf("Normalise(%q) = %q, %v; want %q, %v", c.typed, got, ok, c.want, c.ok)
		}
	}
}

func drawKey(t *rapid.T, name string) string {
	return TurnKey(rapid.SliceOf(rapid.Byte()).Draw(t, name+" secret"),
		rapid.String().Draw(t, name+" game"), rapid.IntRange(0, 999).Draw(t, name+" turn"), engine.CaptainName(rapid.String().Draw(t, name+" captain")), 0)
}

// retype writes a key like a hurried captain.
func retype(t *rapid.T, key string) string {
	var b strings.Builder
	for _, c := range key {
		switch s := string(c); rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			b.WriteString(strings.ToLower(s))
		case 1:
			b.WriteString(map[string]string{"0": "O", "1": "l", "-": " "}[s])
			if !strings.Contains("01-", s) {
				b.WriteString(s)
			}
		case 2:
			if s != "-" {
				b.WriteString(s)
			}
		default:
			b.WriteString(s)
		}
	}
	return b.String()
}

func TestKeyLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := drawKey(t, "a")
		if again, ok := Normalise(key); !ok || again != key || len(key) != 9 || strings.ContainsAny(key, "ILOU") {
			t.Fatalf("key %q is not canonical (%q, %v)", key, again, ok)
		}
		typed := retype(t, key)
		if !EqualKeys(key, typed) || !EqualKeys(typed, key) {
			t.Fatalf("%q is not taken for %q", typed, key)
		}
		if other := drawKey(t, "b"); other != key && EqualKeys(other, typed) {
			t.Fatalf("%q is taken for %q", typed, other)
		}
		text := rapid.StringMatching(`[ -~\n]{0,40}`).Draw(t, "text")
		masked := Mask(text+typed+text, []string{key})
		if strings.Contains(masked, typed) || !strings.Contains(masked, Redacted) {
			t.Fatalf("%q is left in %q", typed, masked)
		}
		if again := Mask(masked, []string{key}); again != masked {
			t.Fatalf("masking twice changes %q to %q", masked, again)
		}
	})
}

func TestEqualKeysRefusesInvalidKeys(t *testing.T) {
	for _, pair := range [][2]string{{"", ""}, {"x", "x"}, {"7K4Q-92FM", ""}, {"", "7K4Q-92FM"}} {
		if EqualKeys(pair[0], pair[1]) {
			t.Errorf("%q equals %q", pair[0], pair[1])
		}
	}
}

func TestMask(t *testing.T) {
	keys := []string{"7K4Q-92FM", "no key", "0011-22AB"}
	for _, c := range []struct{ name, text, want string }{
		{"a head", "#orders wolf turn 3 ship Hood key 7K4Q-92FM", "#orders wolf turn 3 ship Hood key ****-****"},
		{"a quoted head with another key", "> #orders wolf key ABCD-EFGH\n", "> #orders wolf key ****-****\n"},
		{"a mistyped key in a head", "#Orders wolf KEY: 7K4Q-92F luck x", "#Orders wolf KEY: ****-**** luck x"},
		{"a key in two words in a head", "#orders wolf key ABCD efgh ; my key", "#orders wolf key ****-**** ; my key"},
		{"typed forms", "it is 7k4q92fm, or 7K4Q 92FM, or OOll 22ab", "it is ****-****, or ****-****, or ****-****"},
		{"an unknown key in prose", "my key ABCD-EFGH fails, key 7777AAAA too", "my key ****-**** fails, key ****-**** too"},
		{"two in a row", "key ABCD-EFG1 key ABCD-EFG2", "key ****-**** key ****-****"},
		{"prose about keys", "the key question remains; a key releases it", "the key question remains; a key releases it"},
		{"a plus address", "to robot+7K4Q92FM@x.org and r+abcd1234@x.org", "to robot+****-****@x.org and r+****-****@x.org"},
		{"over a line end", "it is 7K4Q-\r\n  92FM, yes", "it is ****-****, yes"},
		{"nothing", "power\n  move 16\n", "power\n  move 16\n"},
	} {
		if got := Mask(c.text, keys); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzNormalise(f *testing.F) {
	f.Add("7k4q 92fm")
	f.Fuzz(func(t *testing.T, s string) {
		key, ok := Normalise(s)
		if !ok {
			return
		}
		if again, ok := Normalise(key); !ok || again != key {
			t.Errorf("%q gives %q, which gives %q", s, key, again)
		}
		if got := Mask(s, []string{key}); got == s {
			t.Errorf("%q is not masked", s)
		}
	})
}
