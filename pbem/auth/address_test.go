package auth

import (
	"strings"
	"testing"

	"golang.org/x/net/idna"
	"pgregory.net/rapid"
)

func TestSameAddress(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"itself", "ann@example.org", "ann@example.org", true},
		{"case", "Ann@Example.ORG", "aNN@example.org", true},
		{"brackets and space", " <ann@example.org> ", "ann@example.org", true},
		{"a plus tag", "ann+games@example.org", "ann@example.org", true},
		{"two plus tags", "ann+a@example.org", "ann+b+c@example.org", true},
		{"only a tag is a name", "+ann@example.org", "+bob@example.org", false},
		{"a dot at the end of the domain", "ann@example.org.", "ann@example.org", true},
		{"another domain", "ann@example.org", "ann@example.com", false},
		{"another name", "ann@example.org", "anne@example.org", false},
		{"dots count", "a.nn@example.org", "ann@example.org", false},
		{"a domain in letters and in code", "ann@BÜCHER.example", "ann@xn--bcher-kva.example", true},
		{"accents in two spellings", "re\u0301ne\u0301@example.org", "RÉNÉ@example.org", true},
		{"accents count", "réné@example.org", "rene@example.org", false},
		{"the Kelvin sign is no k", "\u212airk@example.org", "kirk@example.org", false},
		{"the dotted I is no i", "\u0130an@example.org", "ian@example.org", false},
		{"Cyrillic a", "\u0430nn@example.org", "ann@example.org", false},
		{"an @ in the name", `"a@b"@example.org`, `"A@B"@example.org`, true},
		{"an address literal", "ann@[192.0.2.1]", "ann@[192.0.2.1]", true},
		{"an underscore in the domain", "ann@my_host.example", "ann@MY_host.example", true},
		{"no address", "ann", "ann", false},
		{"nothing", "", "", false},
		{"no name", "@example.org", "@example.org", false},
		{"no domain", "ann@", "ann@", false},
		{"a space inside", "a nn@example.org", "a nn@example.org", false},
		{"a line end inside", "ann@example.org\nx", "ann@example.org\nx", false},
	} {
		if got := SameAddress(c.a, c.b); got != c.same {
			t.Errorf("%s: SameAddress(%q, %q) = %v", c.name, c.a, c.b, got)
		}
		if got := SameAddress(c.b, c.a); got != c.same {
			t.Errorf("%s: SameAddress(%q, %q) = %v", c.name, c.b, c.a, got)
		}
	}
}

func TestCanonicalIsAFixpoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		address := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-zA-Z+.]{1,9}@[a-zA-Z.ü-]{1,9}`)).Draw(t, "address")
		once := Canonical(address)
		if once == "" {
			return
		}
		if twice := Canonical(once); twice != once {
			t.Fatalf("%q gives %q, which gives %q", address, once, twice)
		}
	})
}

// TestPlainDomains checks that the shortcut for ASCII gives the same result as the library.
func TestPlainDomains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		domain := rapid.StringMatching(`[ -~]{1,20}|[a-zA-Z0-9.-]{1,70}`).Draw(t, "domain")
		_, got, ok := split("a@" + domain)
		if !ok || strings.Contains(domain, "@") {
			return
		}
		trimmed := strings.TrimRight(strings.TrimSpace(domain), ".")
		want, err := idna.Lookup.ToASCII(trimmed)
		if err != nil {
			want = lower(trimmed)
		}
		if got != want {
			t.Fatalf("%q gives %q, want %q", domain, got, want)
		}
	})
}

func TestTurnKeyFromAddress(t *testing.T) {
	const robot = "battles@example.org"
	for _, c := range []struct {
		name string
		to   []string
		want string
	}{
		{"none", []string{"battles@example.org"}, ""},
		{"one", []string{"x@example.com", "Battles+7k4q92fm@EXAMPLE.org"}, "7K4Q-92FM"},
		{"with a dash", []string{"battles+7K4Q-92FM@example.org"}, "7K4Q-92FM"},
		{"the first that is a key", []string{"battles+help@example.org", "battles+7K4Q92FM@example.org"}, "7K4Q-92FM"},
		{"another's address", []string{"ann+7K4Q92FM@example.org"}, ""},
		{"no address at all", nil, ""},
	} {
		got, ok := TurnKeyFromAddress(c.to, robot)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", c.name, got, ok, c.want)
		}
	}
}

func TestWithKeyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := drawKey(t, "a")
		address := WithKey("battles@example.org", key)
		if strings.Count(address, "@") != 1 {
			t.Fatalf("made %q", address)
		}
		if got, ok := TurnKeyFromAddress([]string{address}, "battles@example.org"); !ok || got != key {
			t.Fatalf("%q gives %q", address, got)
		}
	})
	if got := WithKey("battles", "7K4Q-92FM"); got != "battles" {
		t.Errorf("made %q", got)
	}
}
