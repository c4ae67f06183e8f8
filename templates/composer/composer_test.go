package composer_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"starpost/templates/composer"
)

// unpacked returns what a page reads from an address.
func unpacked(t *testing.T, address string) (to string, view map[string]any) {
	t.Helper()
	m := regexp.MustCompile(`^https://x\.example/c/#1\.([\w-]*)\.([\w-]+)$`).FindStringSubmatch(address)
	if m == nil {
		t.Fatalf("the address is %s", address)
	}
	name, err := base64.RawURLEncoding.DecodeString(m[1])
	if err != nil {
		t.Fatal(err)
	}
	packed, err := base64.RawURLEncoding.DecodeString(m[2])
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &view); err != nil {
		t.Fatal(err)
	}
	return string(name), view
}

// An address holds the address for orders, and the view.
func TestAnAddressHoldsTheView(t *testing.T) {
	way := composer.WayTo("https://x.example/c/", "battles@example.org", "wolf-hood-1.json", []byte(`{"game":"wolf","ships":[{"id":"hood"}],"events":[]}`+"\n"))
	if way.File != "" {
		t.Fatal(way)
	}
	to, view := unpacked(t, way.Address)
	if events, ok := view["events"].([]any); to != "battles@example.org" || view["game"] != "wolf" || view["ships"] == nil || !ok || len(events) != 0 {
		t.Errorf("to %s, %v", to, view)
	}
	if text := way.Below("Your report.\n\n"); text != "Your report.\n\nCompose your orders: "+way.Address+"\n" {
		t.Errorf("%q", text)
	}
}

// A view that would make the address too long is an attachment.
func TestALongViewIsAFile(t *testing.T) {
	noise := make([]byte, 20_000)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = 'a' + byte(random.UintN(26))
	}
	way := composer.WayTo("https://x.example/c/", "", "wolf-hood-1.json", []byte(`{"title":"`+string(noise)+`"}`))
	if want := (composer.Way{Address: "https://x.example/c/", File: "wolf-hood-1.json"}); way != want {
		t.Fatal(way)
	}
	if text := way.Below("Report"); !strings.HasSuffix(text, "\n\nCompose your orders: https://x.example/c/\nOpen the attachment wolf-hood-1.json on that page.\n") {
		t.Errorf("%q", text)
	}
	const report = "Report.\n\n== Due\nNow.\n\n== Map\n"
	if text := way.In(report); !strings.HasPrefix(text, "Report.\n\nTo compose your orders by clicking on a map, open the link at the end.\n\n== Due\nNow.\n\n== Map\n\nCompose") {
		t.Errorf("%q", text)
	}
	if text := (composer.Way{}).In(report); text != report {
		t.Errorf("where there is no page: %q", text)
	}
}

// A version becomes a folder that is safe in addresses and on disks.
func TestFolders(t *testing.T) {
	for version, want := range map[string]string{
		"v1.4.0": "compose/v1.4.0/", "v0.0.0-20261128+dirty": "compose/v0.0.0-20261128-dirty/", "(devel)": "compose/devel/",
		"../../etc": "compose/etc/", "": "compose/unknown/", "..": "compose/unknown/",
	} {
		if got := composer.Folder(version); got != want {
			t.Errorf("%q is in %s, want %s", version, got, want)
		}
	}
	if got := composer.Address("", "v1"); got != "" {
		t.Errorf("without a site the page is at %s", got)
	}
}

// The page in the folder of another version redirects and keeps what follows the #.
func TestForward(t *testing.T) {
	page, err := composer.Forward("compose/v2/")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`href="../v2/"`, "location.hash", "default-src"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("%q is missing in\n%s", want, page)
		}
	}
}

// Text from a view is escaped in the page: a title has no markup, and JSON does not end its script.
func TestRealPagesReadNothingAsMarkup(t *testing.T) {
	drawn, err := composer.Page{
		Version: "v1", Title: "<b>bold</b>", Text: "</textarea><script>1", MapText: "</pre><script>2", View: []byte(`{"title":"</script><script>3"}`), To: "a@b</script>",
	}.HTML()
	if errors.Is(err, composer.ErrNotBuilt) {
		t.Skip("the composer is not built: make composer")
	}
	if err != nil {
		t.Fatal(err)
	}
	page := string(drawn)
	for _, bad := range []string{"<b>bold", "</textarea><script>", "</pre><script>2", "<script>3", "b</script>"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, want := range []string{"&lt;b&gt;bold", `rows="1"`, "connect-src &#39;self&#39;", `id="view"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	alone, err := composer.Page{Alone: true}.HTML()
	if err != nil {
		t.Fatal(err)
	}
	if page := string(alone); strings.Contains(page, "connect-src") || !strings.Contains(page, `id="wasm"`) {
		t.Error("a page that stands alone asks for more, or holds no program")
	}
}

// The policy of a page allows only its own style and scripts, by hash, and what they need to run.
func TestRealPolicyLetsNothingInFromElsewhere(t *testing.T) {
	for _, p := range []composer.Page{{Alone: true, Title: "t", View: []byte("{}")}, {}} {
		page, err := p.HTML()
		if errors.Is(err, composer.ErrNotBuilt) {
			t.Skip("the composer is not built: make composer")
		}
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindSubmatch(page)
		if m == nil {
			t.Fatal("there is no policy")
		}
		policy := html.UnescapeString(string(m[1]))
		if !strings.HasPrefix(policy, "default-src 'none';") {
			t.Errorf("the policy is %s", policy)
		}
		for rule := range strings.SplitSeq(policy, ";") {
			what, sources, _ := strings.Cut(strings.TrimSpace(rule), " ")
			for source := range strings.FieldsSeq(sources) {
				own := source == "'none'" || what == "worker-src" && source == "blob:" || what == "connect-src" && source == "'self'" && !p.Alone ||
					what == "script-src" && source == "'wasm-unsafe-eval'" || (what == "script-src" || what == "style-src") && strings.HasPrefix(source, "'sha256-")
				if !own {
					t.Errorf("%s lets %s in", what, source)
				}
			}
		}
	}
}
