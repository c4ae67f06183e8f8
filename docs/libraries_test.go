package docs

import (
	"fmt"
	"slices"
	"strings"
)

// A library is a module that this module's code imports directly, and the only layers that may do so: its types must
// not leave them.
type library struct {
	path  string   // prefix of the import paths of its packages
	homes []string // folders with non-test code that may import it; nil: tests only
}

// libraries is the table of adapters. Tests may import any of them.
var libraries = []library{
	{"github.com/BurntSushi/toml", []string{"engine", "pbem/campaign", "pbem/config", "pbem/vault"}},
	{"github.com/ProtonMail/go-crypto", []string{"pbem/pgp"}},
	{"github.com/Shopify/toxiproxy/v2", nil},
	{"github.com/anishathalye/porcupine", nil},
	{"github.com/chromedp/cdproto", nil},
	{"github.com/chromedp/chromedp", nil},
	{"github.com/cloudflare/circl", []string{"pbem/beacon/fakerelay"}},
	{"github.com/consensys/gnark-crypto", []string{"pbem/beacon"}},
	{"github.com/emersion/go-imap/v2", []string{"pbem/mailbox", "pbem/loopback"}},
	{"github.com/emersion/go-message", []string{"pbem/mime", "pbem/outgoing"}},
	{"github.com/emersion/go-msgauth", []string{"pbem/auth", "pbem/dkim"}},
	{"github.com/emersion/go-sasl", []string{"pbem/mailbox", "pbem/transport", "pbem/loopback"}},
	{"github.com/emersion/go-smtp", []string{"pbem/lmtp", "pbem/loopback"}},
	{"github.com/gofrs/flock", []string{"pbem/backup", "pbem/disk", "pbem/incoming", "pbem/record/directory", "pbem/store/sqlite"}},
	{"github.com/google/go-cmp", nil},
	{"github.com/rickar/cal/v2", []string{"pbem/clock"}},
	{"github.com/jackc/pgx/v5", []string{"pbem/store/postgres", "pbem/testkit/postgrestest"}},
	{"github.com/prometheus/client_golang", []string{"cmd"}},
	{"github.com/rogpeppe/go-internal", nil},
	{"github.com/santhosh-tekuri/jsonschema/v6", nil},
	{"github.com/schollz/progressbar/v3", []string{"cmd"}},
	{"github.com/spf13/cobra", []string{"cmd"}},
	{"github.com/wneessen/go-mail", []string{"pbem/outgoing"}},
	{"golang.org/x/net", []string{"pbem/mime", "pbem/auth"}},
	{"golang.org/x/oauth2", []string{"pbem/token"}},
	{"golang.org/x/sys", []string{"pbem/clock", "pbem/disk"}},
	{"golang.org/x/term", []string{"cmd"}},
	{"golang.org/x/text", []string{"pbem/mime", "pbem/auth"}},
	{"github.com/miekg/dns", []string{"pbem/dnscheck"}},
	{"modernc.org/sqlite", []string{"pbem/store/sqlite"}},
	{"pgregory.net/rapid", nil},
}

// strays lists imports of a library outside its adapter, and of libraries missing from the table.
func strays(pkgs []listed) []string {
	var found []string
	for _, p := range pkgs {
		for _, imp := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if standard(imp) || ours(imp) {
				continue
			}
			lib, ok := libraryOf(imp)
			if !ok {
				found = append(found, fmt.Sprintf("%s imports %s: a new library needs a row in docs and in docs/dependencies.md", p.ImportPath, imp))
				continue
			}
			if slices.Contains(p.Imports, imp) && !lib.livesIn(p.ImportPath) {
				found = append(found, fmt.Sprintf("%s imports %s, which only %s may", p.ImportPath, imp, lib.where()))
			}
		}
	}
	return found
}

func libraryOf(path string) (library, bool) {
	i := slices.IndexFunc(libraries, func(l library) bool { return within(path, l.path) })
	if i < 0 {
		return library{}, false
	}
	return libraries[i], true
}

func (l library) livesIn(path string) bool {
	return slices.ContainsFunc(l.homes, func(home string) bool { return within(path, module+"/"+home) })
}

func (l library) where() string {
	if len(l.homes) == 0 {
		return "tests"
	}
	return strings.Join(l.homes, ", ")
}
