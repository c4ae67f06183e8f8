package auth

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestAssess(t *testing.T) {
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
		got := Assess(c.evidence)
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

func TestAssessLaws(t *testing.T) {
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
		if !Assess(e).OK() {
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
		if Assess(e).OK() {
			t.Fatal("trusted without a key")
		}
	})
}

func TestAssessProofs(t *testing.T) {
	const key = "7K4Q-92FM"
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return began.Add(time.Duration(minutes) * time.Minute) }
	results := Results{Domain: "example.org", Method: "DKIM", ID: "mx.example.net"}
	ann := []string{"ann@example.org"}
	base := Evidence{From: ann, Registered: ann, Want: key, Began: began, Received: at(60)}
	with := func(f func(*Evidence)) Evidence {
		e := base
		f(&e)
		return e
	}
	for _, c := range []struct {
		name  string
		e     Evidence
		want  Verdict
		proof Proof
		made  time.Time
		say   string
	}{
		{"results", with(func(e *Evidence) { e.Results, e.Date = results, at(50) }), Trusted, ByResults, at(50), "mx.example.net found by DKIM"},
		{"a signature", with(func(e *Evidence) { e.Signed = Signature{Made: at(40)} }), Trusted, BySignature, at(40), "OpenPGP"},
		{"a signature goes before results", with(func(e *Evidence) {
			e.Results, e.Date, e.Signed = results, at(50), Signature{Made: at(40)}
		}), Trusted, BySignature, at(40), ""},
		{"the key goes before all", with(func(e *Evidence) {
			e.Results, e.Date, e.Signed, e.Given, e.Newest = results, at(50), Signature{Made: at(40)}, []string{key}, at(55)
		}), Trusted, ByKey, at(60), ""},
		{"results help a wrong key", with(func(e *Evidence) { e.Results, e.Date, e.Given = results, at(50), []string{"AAAA-AAAA"} }), Trusted, ByResults, at(50), ""},
		{"a bad signature and no key", with(func(e *Evidence) { e.Signed = Signature{Why: "It is bad."} }), BadSignature, "", time.Time{}, "It is bad."},
		{"a bad signature and the key", with(func(e *Evidence) { e.Signed, e.Given = Signature{Why: "It is bad."}, []string{key} }), Trusted, ByKey, at(60), ""},
		{"a bad signature and results", with(func(e *Evidence) { e.Signed, e.Results, e.Date = Signature{Why: "It is bad."}, results, at(50) }), Trusted, ByResults, at(50), ""},
		{"a signature with a flaw proves nothing", with(func(e *Evidence) { e.Signed = Signature{Made: at(40), Why: "It is bad."} }), BadSignature, "", time.Time{}, ""},
		{"results that prove nothing", with(func(e *Evidence) { e.Results, e.Date = Results{Why: "x"}, at(50) }), MissingKey, "", time.Time{}, "missing"},
		{"as old as the newest", with(func(e *Evidence) { e.Signed, e.Newest = Signature{Made: at(40)}, at(40) }), Stale, "", time.Time{}, "already accepted"},
		{"older than the newest", with(func(e *Evidence) { e.Results, e.Date, e.Newest = results, at(50), at(51) }), Stale, "", time.Time{}, "The mail is dated 1 Mar 2026, 12:50:00 UTC"},
		{"newer than the newest", with(func(e *Evidence) { e.Signed, e.Newest = Signature{Made: at(40)}, at(39) }), Trusted, BySignature, at(40), ""},
		{"before the game", with(func(e *Evidence) { e.Signed = Signature{Made: at(-1)} }), Stale, "", time.Time{}, "before the game"},
		{"a clock without summer time", with(func(e *Evidence) { e.Signed = Signature{Made: at(121)} }), Trusted, BySignature, at(121), ""},
		{"the far future", with(func(e *Evidence) { e.Signed = Signature{Made: at(60 + 91)} }), Stale, "", time.Time{}, "in the future"},
		{"results without a date", with(func(e *Evidence) { e.Results = results }), Stale, "", time.Time{}, "no date"},
		{"a signature from elsewhere", with(func(e *Evidence) { e.Signed, e.From = Signature{Made: at(40)}, []string{"eve@evil.example"} }), UnknownAddress, "", time.Time{}, ""},
		{"results for a second author", with(func(e *Evidence) {
			e.Results, e.Date, e.From = results, at(50), []string{"ann@example.org", "eve@example.org"}
		}), UnknownAddress, "", time.Time{}, ""},
	} {
		got := Assess(c.e)
		if got.Verdict != c.want || got.Proof != c.proof || !got.Made.Equal(c.made) || !strings.Contains(got.Reason, c.say) || !strings.HasSuffix(got.Reason, ".") {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestVerdictNames(t *testing.T) {
	for v, want := range map[Verdict]string{
		UnknownAddress: "unknown address", MissingKey: "missing key", WrongKey: "wrong key", Trusted: "trusted",
		BadSignature: "bad signature", Stale: "older than what is in force", 7: "verdict 7",
	} {
		if got := v.String(); got != want {
			t.Errorf("verdict is called %q, want %q", got, want)
		}
	}
}

func TestReasonIsBounded(t *testing.T) {
	got := Assess(Evidence{From: []string{strings.Repeat("é", 5000) + "@x"}, Registered: []string{"a@b"}})
	if len(got.Reason) > 500 {
		t.Errorf("a reason of %d bytes", len(got.Reason))
	}
}
