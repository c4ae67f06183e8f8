package docs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// files are the packages of pbem that access files through the operating system, and what for. All others access a
// game by the names in its record, so that it can be kept elsewhere than in a directory.
var files = map[string]string{
	"archive":              "archives, and the games that are unpacked to verify them",
	"backup":               "copies of games and of the store",
	"campaign":             "rosters",
	"config":               "the configuration, and which directories hold games",
	"connect":              "certificates and passwords",
	"cup":                  "cups",
	"daemon":               "its state, and temporary copies of games",
	"daemon/games":         "whether the program is another one",
	"daemon/process":       "its state directory",
	"daemon/sender":        "mails of turns in an old layout",
	"daemon/watch":         "the heartbeat, and what the process is called",
	"demo":                 "the folder that it plays in",
	"dkim":                 "keys to sign with",
	"disk":                 "durable writes",
	"doctor":               "whether folders can be written to, and which hold games",
	"feed":                 "who reads his reports as a feed",
	"incoming":             "mails that were handed over",
	"lmtp":                 "its socket",
	"lobby":                "who waits for a game",
	"notify":               "what channels were told",
	"outgoing":             "none: a deadline that passed",
	"rating":               "scores that were measured on a host",
	"record/directory":     "games",
	"referee":              "whether the store has changed",
	"site":                 "the pages, and what it remembers",
	"spare":                "games and mails that are removed as a whole",
	"store/sqlite":         "the store",
	"testkit/postgrestest": "which server tests may use",
	"token":                "tokens",
}

// TestGamesAreReachedByTheirRecord: code that works on games uses their record, not the operating system.
func TestGamesAreReachedByTheirRecord(t *testing.T) {
	for _, line := range pastTheRecord(packages(t), files) {
		t.Error(line)
	}
}

// pastTheRecord lists the packages of pbem that import os and are not in the list, and those in the list that do not.
func pastTheRecord(pkgs []listed, allowed map[string]string) (found []string) {
	left := maps.Clone(allowed)
	for _, p := range pkgs {
		name, ok := strings.CutPrefix(p.ImportPath, module+"/pbem/")
		if !ok || !slices.Contains(p.Imports, "os") {
			continue
		}
		if _, ok := left[name]; !ok {
			found = append(found, fmt.Sprintf("%s imports os: read and change games by their record (vault.Game.Reader), or say in docs/record_test.go which other files it is about", p.ImportPath))
		}
		delete(left, name)
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		found = append(found, fmt.Sprintf("pbem/%s does not import os any more: take it out of docs/record_test.go", name))
	}
	return found
}

func TestPastTheRecordIsFound(t *testing.T) {
	got := pastTheRecord([]listed{
		{ImportPath: "starpost/pbem/vault", Imports: []string{"io/fs", "os"}},
		{ImportPath: "starpost/pbem/turn", Imports: []string{"io/fs"}, TestImports: []string{"os"}},
		{ImportPath: "starpost/pbem/disk", Imports: []string{"os"}},
		{ImportPath: "starpost/cmd/starpost", Imports: []string{"os"}},
	}, map[string]string{"disk": "durable writes", "site": "the pages"})
	if len(got) != 2 || !strings.Contains(got[0], "pbem/vault imports os") || !strings.Contains(got[1], "pbem/site does not") {
		t.Errorf("got %q", got)
	}
}
