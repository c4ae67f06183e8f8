package fasa

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine/rules/fasa/cites"
)

// source is the code of this package without tests: what each function refers to.
type source struct {
	topics map[types.Object]cites.Topic           // constants
	uses   map[types.Object]map[types.Object]bool // by function or method
	byName map[string][]types.Object              // functions and methods
	lits   map[string][]string                    // text in quotes, by file
}

// readSource reads the package. Packages that it imports are not looked into: what is called
// on a value of theirs stands for every method of that name.
func readSource(t *testing.T) source {
	t.Helper()
	set := token.NewFileSet()
	var trees []*ast.File
	s := source{topics: map[types.Object]cites.Topic{}, uses: map[types.Object]map[types.Object]bool{}, byName: map[string][]types.Object{}, lits: map[string][]string{}}
	for _, p := range sourceFiles(t, false) {
		tree, err := parser.ParseFile(set, p, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Dir(p) == "." {
			trees = append(trees, tree)
		}
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
	config := types.Config{Error: func(error) {}, Importer: unread{}}
	pkg, err := config.Check("fasa", set, trees, info)
	if err == nil {
		t.Error("the package imports nothing") // else an import is missing, as it should be
	}
	for _, below := range pkg.Imports() {
		for _, name := range below.Scope().Names() {
			o, ok := below.Scope().Lookup(name).(*types.Const)
			if !ok || below.Name() != "cites" {
				continue
			}
			text, err := strconv.Unquote(o.Val().ExactString())
			if err != nil {
				t.Fatal(err)
			}
			s.topics[o] = cites.Topic(text)
		}
	}
	for id, o := range info.Defs {
		if _, ok := o.(*types.Func); ok {
			s.byName[id.Name] = append(s.byName[id.Name], o)
		}
	}
	for _, tree := range trees {
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				s.uses[info.Defs[f.Name]] = s.usedIn(f, info)
			}
		}
	}
	return s
}

// usedIn are the functions and topics that a function refers to.
func (s source) usedIn(f *ast.FuncDecl, info *types.Info) map[types.Object]bool {
	used := map[types.Object]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && info.Uses[sel.Sel] == nil {
			for _, o := range s.byName[sel.Sel.Name] {
				used[o] = o.(*types.Func).Signature().Recv() != nil
			}
		}
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] != nil {
			used[info.Uses[id]] = true
		}
		return true
	})
	return used
}

// unread imports nothing but the packages below this one.
type unread struct{}

func (unread) Import(path string) (*types.Package, error) {
	below, ok := strings.CutPrefix(path, "starpost/engine/rules/fasa/")
	if !ok {
		return nil, &types.Error{Msg: path + " is not looked into"}
	}
	paths, err := filepath.Glob(filepath.Join(below, "*.go"))
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	var trees []*ast.File
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(set, p, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
	}
	config := types.Config{Error: func(error) {}, Importer: unread{}}
	pkg, _ := config.Check(path, set, trees, nil) // the errors are of what it imports in turn
	return pkg, nil
}

// function is a function by its name.
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

// reached are the functions that a book refers to, directly or not, but by way of cut.
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

// idle are the topics that code shared with a later course names, and that a battle of the
// course cannot come to, each with the reason.
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
			_, has := book.cites[topic]
			why, excused := idle()[book.name][topic]
			switch {
			case !has && !excused:
				t.Errorf("%s: %s cites the topic %q, of which the book says nothing", book.name, by, topic)
			case has && excused:
				t.Errorf("%s: %q is in the book; excuse: %s", book.name, topic, why)
			}
		}
		for topic := range idle()[book.name] {
			if cited[topic] == "" {
				t.Errorf("%s: nothing cites %q, which needs no excuse", book.name, topic)
			}
		}
	}
	for _, topic := range s.topics {
		if !used[topic] {
			t.Errorf("no book comes to code that cites the topic %q", topic)
		}
	}
}

// citedBy are the topics that the code of a book cites, each with a function that does;
// also are the makers of the books that it goes on from.
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

// TestCitationsStandInTheBooks: no other code holds the number of a paragraph or ruling.
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

// TestTextsCiteTheBook: what the orders' descriptions cite is the book that is played.
func TestTextsCiteTheBook(t *testing.T) {
	book := Book{cites: cites.Book{cites.Evasion: {"scs 8.4"}, cites.FireWhileEvading: {"B3", "scs 14.5"}, cites.SlimChance: {"D42"}}}
	for text, want := range map[string]string{
		"evade (" + cites.Evasion.Ref() + ").":                                                        "evade (scs 8.4).",
		"(" + cites.Evasion.Ref() + ", " + cites.FireWhileEvading.Ref() + "), " + cites.Evasion.Ref(): "(scs 8.4, 14.5), scs 8.4",
		"(" + cites.Evasion.Ref() + " to " + cites.FireWhileEvading.Ref() + ")":                       "(scs 8.4 to 14.5)",
		"a { alone": "a { alone",
		"no number: " + cites.SlimChance.Ref() + ".": "no number: .",
	} {
		if got := book.cited(text); got != want {
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
