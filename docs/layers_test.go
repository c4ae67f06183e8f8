package docs

import (
	"fmt"
	"slices"
	"strings"
)

// module is the prefix of the import paths of this module's packages.
const module = "starpost"

// A layer is a folder of packages with one job and one list of what it may use.
type layer struct {
	path string // import path of the folder; the longest match determines a package's layer
	job  string // for the message about a violation

	layers    []string // other layers that it may use, directly or indirectly
	libraries []string // libraries that its non-test code may use, likewise; nil is none

	testLayers []string // further layers that its tests may use

	without []string // parts of the standard library that its non-test code may not import

	// apart makes each subfolder its own layer: rule sets must not know each other.
	apart bool
}

// anything, as an entry of libraries, leaves the decision to the table of adapters.
const anything = "*"

// machine is the part of the standard library that reaches outside the process or makes two runs differ. A pure layer
// gets such things as parameters.
var machine = []string{
	"os", "io/ioutil", "path/filepath", "syscall", "net", "log", "plugin",
	"math/rand$", "crypto/rand", "time",
}

// layers are all layers. Imports go one way: cmd -> pbem -> engine -> orders; templates is a separate leaf.
var layers = []layer{
	{
		path:    module + "/orders",
		job:     "turns text into a tree and back and knows no rule",
		without: machine,
	},
	{
		path:    module + "/templates",
		job:     "draws what it is handed",
		without: []string{"os", "io/ioutil", "syscall", "net", "log", "plugin", "math/rand$", "crypto/rand"},
	},
	{
		path:       module + "/engine",
		job:        "is the game as pure functions and knows no rule set by name",
		layers:     []string{module + "/orders"},
		libraries:  []string{"github.com/BurntSushi/toml"},
		testLayers: []string{module + "/engine/rules", module + "/engine/testkit"},
		without:    machine,
	},
	{
		path:       module + "/engine/rules",
		job:        "holds one rule set a package, each a value that knows no other",
		layers:     []string{module + "/engine", module + "/orders"},
		libraries:  []string{"github.com/BurntSushi/toml"},
		testLayers: []string{module + "/engine/testkit"},
		without:    machine,
		apart:      true,
	},
	{
		path:      module + "/engine/testkit",
		job:       "tries the engine and its rule sets; tests alone import it",
		layers:    []string{module + "/engine", module + "/engine/rules", module + "/orders"},
		libraries: []string{"github.com/BurntSushi/toml"},
		without:   machine,
	},
	{
		path:       module + "/pbem",
		job:        "is the shell around the engine: mail, files, time; it is handed its rule sets",
		layers:     []string{module + "/engine", module + "/orders", module + "/templates"},
		libraries:  []string{anything},
		testLayers: []string{module + "/engine/rules", module + "/engine/testkit"},
	},
	{
		path: module + "/cmd",
		job:  "wires the layers together",
		layers: []string{
			module + "/pbem", module + "/templates", module + "/engine",
			module + "/engine/rules", module + "/orders", module + "/docs", module + "/examples",
		},
		libraries:  []string{anything},
		testLayers: []string{module + "/engine/testkit"},
	},
	{
		path:       module + "/examples",
		job:        "holds games and configurations that run",
		testLayers: []string{module + "/cmd", module + "/pbem", module + "/engine", module + "/engine/rules", module + "/orders", module + "/templates"},
	},
	{
		path:       module + "/docs",
		job:        "keeps these rules, and holds the documents that the program sends",
		testLayers: []string{module + "/engine", module + "/engine/rules", module + "/orders"},
	},
}

// listed is what the tests need to know about a package, from "go list -json".
type listed struct {
	ImportPath   string
	Name         string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Deps         []string // everything it uses, directly or indirectly, without tests
}

// layerOf returns the layer of one of the module's packages.
func layerOf(path string) (layer, bool) {
	var found layer
	for _, r := range layers {
		if within(path, r.path) && len(r.path) > len(found.path) {
			found = r
		}
	}
	return found, found.path != ""
}

// within reports whether path is folder or below it.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

// ours reports whether a package belongs to this module, standard whether it belongs to Go: its first element has no
// dot, unlike a host name.
func ours(path string) bool { return within(path, module) }

func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && !ours(path)
}

// trespasses lists everything in pkgs that violates the table of layers, one sentence each.
func trespasses(pkgs []listed) []string {
	var found []string
	for _, p := range pkgs {
		found = append(found, p.trespasses(pkgs)...)
	}
	return found
}

func (p listed) trespasses(all []listed) []string {
	r, ok := layerOf(p.ImportPath)
	if !ok {
		return []string{fmt.Sprintf("%s stands in no layer: give it a row in docs, or move it", p.ImportPath)}
	}
	var found []string
	for _, dep := range p.Deps {
		if !r.mayUse(p.ImportPath, dep, r.layers) {
			found = append(found, fmt.Sprintf("%s uses %s%s, but %s %s; it may use %s",
				p.ImportPath, dep, p.way(dep, all), r.path, r.job, r.allowance()))
		}
	}
	for _, imp := range p.Imports {
		if standard(imp) && forbidden(imp, r.without) {
			found = append(found, fmt.Sprintf("%s imports %s, but %s %s; what comes from outside is a parameter",
				p.ImportPath, imp, r.path, r.job))
		}
	}
	inTests := append(slices.Clone(r.layers), r.testLayers...)
	for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
		// The table of adapters covers libraries used only by tests.
		if ours(imp) && !r.mayUse(p.ImportPath, imp, inTests) {
			found = append(found, fmt.Sprintf("the tests of %s import %s, but %s %s",
				p.ImportPath, imp, r.path, r.job))
		}
	}
	return found
}

// mayUse reports whether a package in layer r may use a dependency; others are the layers that it may use.
func (r layer) mayUse(from, dep string, others []string) bool {
	switch {
	case standard(dep):
		return true // direct imports are checked separately: fmt itself uses os
	case ours(dep):
		target, ok := layerOf(dep)
		if !ok {
			return false
		}
		if target.path == r.path {
			return !r.apart || sublayer(from, r.path) == sublayer(dep, r.path)
		}
		return slices.Contains(others, target.path)
	default:
		// The dependencies of an allowed library are not checked.
		return slices.ContainsFunc(r.libraries, func(lib string) bool {
			return lib == anything || within(dep, lib)
		})
	}
}

// sublayer returns the first folder of path below folder: the name of the rule set.
func sublayer(path, folder string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, folder), "/"), "/")
	return name
}

// forbidden reports whether a package of the standard library is on the list. An entry includes what is below it,
// unless it ends in $.
func forbidden(path string, list []string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		if exact, ok := strings.CutSuffix(entry, "$"); ok {
			return path == exact
		}
		return within(path, entry)
	})
}

// way says through which import a package uses dep, if not directly.
func (p listed) way(dep string, all []listed) string {
	if slices.Contains(p.Imports, dep) {
		return ""
	}
	for _, q := range all {
		if slices.Contains(p.Imports, q.ImportPath) && slices.Contains(q.Deps, dep) {
			return " through " + q.ImportPath
		}
	}
	return " through another"
}

func (r layer) allowance() string {
	allowed := append([]string{"the standard library"}, r.layers...)
	for _, lib := range r.libraries {
		if lib != anything {
			allowed = append(allowed, lib)
		}
	}
	return strings.Join(allowed, ", ")
}

// vague are names that do not describe a package's job.
var vague = []string{"util", "utils", "common", "helper", "helpers", "misc", "shared", "base"}

// vagueNames lists the packages with a vague folder or name.
func vagueNames(pkgs []listed) []string {
	var found []string
	for _, p := range pkgs {
		for _, name := range append(strings.Split(p.ImportPath, "/"), p.Name) {
			if slices.Contains(vague, strings.TrimSuffix(name, "_test")) {
				found = append(found, fmt.Sprintf("%s: %q does not say what the package is for", p.ImportPath, name))
				break
			}
		}
	}
	return found
}
