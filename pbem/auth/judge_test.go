package auth

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestJudge(t *testing.T) {
	const key, old, other = "7K4Q-92FM", "0000-1111", "ABCD-EFGH"
	ann := []string{"ann@example.org", "ann@work.example"}
	for _, c := range []struct {
		name     string
		evidence Evidence
		want     Verdict
		say      string
	}{
		{"all well", Evidence{From: []string{"Ann@example.org"}, Registered: ann, Want: key, Given: []string{"7k4q92fm"}}, Trusted, ""},
		{"from the second address", Evidence{From: []string{"ann+sf@work.example"}, Registered: ann, Want: key, Given: []string{key}}, Trusted, ""},
		{"a wrong key in the block, the right one in the address", Evidence{From: ann[:1], Registered: ann, Want: key, Given: []string{other, key}}, Trusted, ""},
		{"no key", Evidence{From: ann[:1], Registered: ann, Want: key}, MissingKey, "missing"},
		{"a wrong key", Evidence{From: ann[:1], Registered: ann, Want: key, Given: []string{other}}, WrongKey, "not yours"},
		{"the key of an earlier turn", Evidence{From: ann[:1], Registered: ann, Want: key, Given: []string{"oooo-iiii"}, Earlier: []string{other, old}}, WrongKey, "earlier turn"},
		{"not the form of a key", Evidence{From: ann[:1], Registered: ann, Want: key, Given: []string{"7K4Q-92F"}}, WrongKey, "form"},
		{"the right key after too many wrong ones", Evidence{From: ann[:1], Registered: ann, Want: key, Given: []string{other, other, other, other, key}}, WrongKey, "not yours"},
		{"the right key from elsewhere", Evidence{From: []string{"eve@example.com"}, Registered: ann, Want: key, Given: []string{key}}, UnknownAddress, "eve@example.com"},
		{"a second author", Evidence{From: []string{"ann@example.org", "eve@example.com"}, Registered: ann, Want: key, Given: []string{key}}, UnknownAddress, "eve@example.com"},
		{"no sender", Evidence{Registered: ann, Want: key, Given: []string{key}}, UnknownAddress, "no sender"},
		{"nobody is registered", Evidence{From: ann[:1], Want: key, Given: []string{key}}, UnknownAddress, "not registered"},
		{"no key exists", Evidence{From: ann[:1], Registered: ann, Given: []string{""}}, WrongKey, "no turn key"},
	} {
		got := Judge(c.evidence)
		if got.Verdict != c.want || got.OK() != (c.want == Trusted) || !strings.Contains(got.Reason, c.say) || got.Reason == "" {
			t.Errorf("%s: %v (%s)", c.name, got.Verdict, got.Reason)
		}
		for _, k := range []string{key, old, other} {
			if strings.Contains(got.Reason, k) {
				t.Errorf("%s: the reason names a key: %s", c.name, got.Reason)
			}
		}
	}
}

func TestJudgeLaws(t *testing.T) {
	addresses := []string{"ann@example.org", "bob@example.org", "eve@example.com", "", "x"}
	keys := []string{"7K4Q-92FM", "ABCD-EFGH", "", "x"}
	rapid.Check(t, func(t *rapid.T) {
		some := func(name string, from []string) []string {
			return rapid.SliceOfN(rapid.SampledFrom(from), 0, 5).Draw(t, name)
		}
		e := Evidence{
			From: some("from", addresses), Registered: some("registered", addresses),
			Want:  rapid.SampledFrom(keys).Draw(t, "want"),
			Given: some("given", keys), Earlier: some("earlier", keys),
		}
		if !Judge(e).OK() {
			return
		}
		for _, f := range e.From {
			known := false
			for _, r := range e.Registered {
				known = known || SameAddress(f, r)
			}
			if !known {
				t.Fatalf("trusted %q", f)
			}
		}
		e.Given = nil
		if Judge(e).OK() {
			t.Fatal("trusted without a key")
		}
	})
}

func TestVerdictNames(t *testing.T) {
	for v, want := range map[Verdict]string{
		UnknownAddress: "unknown address", MissingKey: "missing key", WrongKey: "wrong key", Trusted: "trusted", 7: "verdict 7",
	} {
		if got := v.String(); got != want {
			t.Errorf("verdict is called %q, want %q", got, want)
		}
	}
}

func TestReasonIsBounded(t *testing.T) {
	got := Judge(Evidence{From: []string{strings.Repeat("é", 5000) + "@x"}, Registered: []string{"a@b"}})
	if len(got.Reason) > 500 {
		t.Errorf("a reason of %d bytes", len(got.Reason))
	}
}
