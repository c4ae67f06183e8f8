package fasa

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
)

// source is the code of this family without tests, and what each function refers to.
type source struct {
	topics map[types.Object]cites.Topic           // constants
	uses   map[types.Object]map[types.Object]bool // by function or method
	byName map[string][]types.Object              // functions and methods
	lits   map[string][]string                    // strings, by file
}

// ruleFolders returns the packages that carry out rules, each after those that it imports.
func ruleFolders() []string {
	return []string{"rulebook", "verbs", "play", "crew", "forecast", "tell", "."}
}

// readSource reads the packages that carry out rules.
func readSource(t *testing.T) source {
	t.Helper()
	set := token.NewFileSet()
	trees := map[string][]*ast.File{} // by folder
	s := source{topics: map[types.Object]cites.Topic{}, uses: map[types.Object]map[types.Object]bool{}, byName: map[string][]types.Object{}, lits: map[string][]string{}}
	for _, p := range sourceFiles(t, false) {
		tree, err := parser.ParseFile(set, p, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		trees[filepath.Dir(p)] = append(trees[filepath.Dir(p)], tree)
		ast.Inspect(tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				s.lits[p] = append(s.lits[p], text)
			}
			return true
		})
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	read := map[string]*types.Package{}
	config := types.Config{Importer: readPackages{read, compiledPackages(t, set)}}
	for _, folder := range append([]string{"cites"}, ruleFolders()...) {
		pkg, err := config.Check(familyPath+folder, set, trees[folder], info)
		if err != nil {
			t.Fatal(err)
		}
		read[folder] = pkg
	}
	names := read["cites"].Scope()
	for _, name := range names.Names() {
		o, ok := names.Lookup(name).(*types.Const)
		if !ok {
			continue
		}
		text, err := strconv.Unquote(o.Val().ExactString())
		if err != nil {
			t.Fatal(err)
		}
		s.topics[o] = cites.Topic(text)
	}
	for id, o := range info.Defs {
		if _, ok := o.(*types.Func); ok {
			s.byName[id.Name] = append(s.byName[id.Name], o)
		}
	}
	for _, folder := range ruleFolders() {
		for _, tree := range trees[folder] {
			for _, d := range tree.Decls {
				if f, ok := d.(*ast.FuncDecl); ok {
					s.uses[info.Defs[f.Name]] = s.usedIn(f, info)
				}
			}
		}
	}
	return s
}

// usedIn returns the functions and topics that a function refers to. A method of an interface stands
// for all methods of its name.
func (s source) usedIn(f *ast.FuncDecl, info *types.Info) map[types.Object]bool {
	used := map[types.Object]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || info.Uses[id] == nil {
			return true
		}
		used[info.Uses[id]] = true
		m, ok := info.Uses[id].(*types.Func)
		if !ok {
			return true
		}
		used[m.Origin()] = true
		if r := m.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
			for _, o := range s.byName[m.Name()] {
				if o.(*types.Func).Signature().Recv() != nil {
					used[o] = true
				}
			}
		}
		return true
	})
	return used
}

// familyPath is the start of the import paths of the packages below this one.
const familyPath = "starpost/engine/rules/fasa/"

// readPackages imports packages read before, by folder, and others in compiled form.
type readPackages struct {
	read     map[string]*types.Package
	compiled types.Importer
}

func (p readPackages) Import(path string) (*types.Package, error) {
	folder, _ := strings.CutPrefix(path, familyPath)
	if pkg := p.read[folder]; pkg != nil {
		return pkg, nil
	}
	return p.compiled.Import(path)
}

// compiledPackages imports the compiled packages that this package uses.
func compiledPackages(t *testing.T, set *token.FileSet) types.Importer {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-trimpath", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, complaint.String())
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, export, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = export
	}
	return importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
}

// function returns a function by its name.
func (s source) function(t *testing.T, name string) types.Object {
	t.Helper()
	for _, o := range s.byName[name] {
		if o.(*types.Func).Signature().Recv() == nil || name == "rules" {
			return o
		}
	}
	t.Fatalf("there is no function %s", name)
	return nil
}

// reached returns the functions that a book refers to, directly or not, except through cut.
func (s source) reached(from []types.Object, cut map[string]bool) map[types.Object]bool {
	seen := map[types.Object]bool{}
	for todo := from; len(todo) > 0; todo = todo[1:] {
		seen[todo[0]] = true
		for o := range s.uses[todo[0]] {
			if _, isFunc := o.(*types.Func); isFunc && s.uses[todo[0]][o] && !seen[o] && !cut[o.Name()] {
				seen[o] = true
				todo = append(todo, o)
			}
		}
	}
	return seen
}

// idle returns the topics that code shared with a later course names but no battle of the course
// can reach, each with the reason.
func idle() map[string]map[cites.Topic]string {
	const (
		noCloaks  = "no ship of the course has a cloak"
		noHiding  = "every ship of the course is seen by all"
		noSensors = "no ship of the course has sensors that get locks"
		noHelm    = "no ship of the course has a helm"
		noBlast   = "no ship of the course explodes; the name of the order is compared"
		noSlim    = "the course has no slim chances"
		noCharts  = "no ship of the course has a damage chart of her own"
	)
	const (
		noShedding = "power stays where it was allotted"
		oneHit     = "a bank does one hit"
	)
	return map[string]map[cites.Topic]string{
		"book-one": {
			cites.LineOfSight: noHiding, cites.LostLocks: noSensors, cites.DamagedSensors: noSensors, cites.SensorUse: noSensors,
			cites.BlastDamage: noBlast, cites.SelfDestruction: noBlast, cites.ReverseMovement: noHelm, cites.EmergencyHeadingChange: noHelm,
			cites.SlimChance: noSlim, cites.ChartHalving: noCharts, cites.PowerShedding: noShedding, cites.SharedLocation: oneHit,
		},
		"stcs-basic": {
			cites.CloakSwitching: noCloaks, cites.CloakByMail: noCloaks, cites.CloakAnnouncement: noCloaks, cites.CloakTracking: noCloaks,
			cites.LineOfSight: noHiding, cites.LostLocks: noSensors, cites.DamagedSensors: noSensors, cites.SensorUse: noSensors,
			cites.BlastDamage: noBlast, cites.SelfDestruction: noBlast,
			cites.ReverseMovement: noHelm, cites.EmergencyHeadingChange: noHelm, cites.SlimChance: noSlim, cites.ChartHalving: noCharts,
		},
		"stcs-advanced": {
			cites.SlimChance: noSlim, cites.ChartHalving: noCharts, cites.ChartEngineering: noCharts,
			cites.JointDestruction: "of several ships each is told apart in the next course alone",
			cites.HalfPowerPlasma:  "launchers are armed whole",
			cites.CasualtyModifier: "crews have no casualties", cites.WeaponRepairs: "weapons are not repaired",
		},
		"stcs-graduate": {},
	}
}

// TestBooksCiteTheirTopics: each book says where it treats the topics that its code cites.
func TestBooksCiteTheirTopics(t *testing.T) {
	s := readSource(t)
	used := map[cites.Topic]bool{}
	for make, also := range map[string][]string{
		"bookOne": nil, "basicCourse": nil, "advancedCourse": {"basicCourse"}, "graduateCourse": {"basicCourse", "advancedCourse"},
		"commandCourse": {"basicCourse", "advancedCourse", "graduateCourse"},
	} {
		book := map[string]func() course{"bookOne": bookOne, "basicCourse": basicCourse, "advancedCourse": advancedCourse, "graduateCourse": graduateCourse, "commandCourse": commandCourse}[make]()
		cited := s.citedBy(t, make, also)
		for topic, by := range cited {
			used[topic] = true
			_, has := book.Cites[topic]
			why, excused := idle()[book.Name][topic]
			switch {
			case !has && !excused:
				t.Errorf("%s: %s cites the topic %q, of which the book says nothing", book.Name, by, topic)
			case has && excused:
				t.Errorf("%s: %q is in the book; excuse: %s", book.Name, topic, why)
			}
		}
		for topic := range idle()[book.Name] {
			if cited[topic] == "" {
				t.Errorf("%s: nothing cites %q, which needs no excuse", book.Name, topic)
			}
		}
	}
	for _, topic := range s.topics {
		if !used[topic] {
			t.Errorf("no book comes to code that cites the topic %q", topic)
		}
	}
}

// citedBy returns the topics that the code of a book cites, each with a function that does;
// also names the functions that make the books it builds on.
func (s source) citedBy(t *testing.T, maker string, also []string) map[cites.Topic]string {
	t.Helper()
	cut := map[string]bool{}
	for _, o := range []string{"bookOne", "basicCourse", "advancedCourse", "graduateCourse", "commandCourse"} {
		cut[o] = o != maker && !slices.Contains(also, o)
	}
	out := map[cites.Topic]string{}
	for f := range s.reached([]types.Object{s.function(t, maker), s.function(t, "rules")}, cut) {
		for o := range s.uses[f] {
			if topic, ok := s.topics[o]; ok {
				out[topic] = f.Name()
			}
		}
	}
	return out
}

// TestCitationsStandInTheBooks: only cites/books.go holds numbers of paragraphs or rulings.
func TestCitationsStandInTheBooks(t *testing.T) {
	s := readSource(t)
	number := regexp.MustCompile(`\b(stcs|scs) \d|^[BD]\d+$`)
	found := 0
	for file, lits := range s.lits {
		for _, text := range lits {
			switch {
			case !number.MatchString(text):
			case file == filepath.Join("cites", "books.go"):
				found++
			default:
				t.Errorf("%s: %q: name the topic; the book says where it treats it", file, text)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d citations in cites/books.go", found)
	}
}

// TestTextsCiteTheBook: the descriptions of orders cite the book that is played.
func TestTextsCiteTheBook(t *testing.T) {
	book := rulebook.Book{Cites: cites.Book{cites.Evasion: {"scs 8.4"}, cites.FireWhileEvading: {"B3", "scs 14.5"}, cites.SlimChance: {"D42"}}}
	for text, want := range map[string]string{
		"evade (" + cites.Evasion.Ref() + ").":                                                        "evade (scs 8.4).",
		"(" + cites.Evasion.Ref() + ", " + cites.FireWhileEvading.Ref() + "), " + cites.Evasion.Ref(): "(scs 8.4, 14.5), scs 8.4",
		"(" + cites.Evasion.Ref() + " to " + cites.FireWhileEvading.Ref() + ")":                       "(scs 8.4 to 14.5)",
		"a { alone": "a { alone",
		"no number: " + cites.SlimChance.Ref() + ".": "no number: .",
	} {
		if got := book.Cited(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for name, course := range Courses() {
		for _, section := range rulesOf(t, course).Language.Sections {
			docs := []string{section.Doc}
			for _, v := range section.Verbs {
				docs = append(docs, v.Doc)
			}
			for _, doc := range docs {
				if strings.ContainsAny(doc, "{}") || strings.Contains(doc, "()") || strings.Contains(doc, ", )") {
					t.Errorf("%s: a description cites a topic of which the book says nothing: %q", name, doc)
				}
			}
		}
	}
}
