package docs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// house is the module's own packages without their tests, parsed and type-checked.
type house struct {
	fset    *token.FileSet
	rooms   []*room
	used    map[string]bool            // "path name": names used by another package
	selects map[string]map[string]bool // by folder: names selected in tests, without type; those of templates under ""
	asked   map[string]bool            // methods of interfaces: methods with these names may be used through them
	places  map[string][]string        // what a figure consists of, for messages
}

// room is one package. Folder is its path below the top of the checkout.
type room struct {
	folder string
	name   string
	files  []*ast.File
	pkg    *types.Package
	info   *types.Info
}

// found is a package as listed by "go list".
type found struct {
	ImportPath, Name, Dir, Export string
	Standard                      bool
	Module                        *struct{ Main bool }
	GoFiles                       []string
}

func readHouse(t *testing.T) *house {
	t.Helper()
	t.Setenv("CGO_ENABLED", "0") // as the program is built, so that it is not compiled again
	h := &house{fset: token.NewFileSet(), used: map[string]bool{}, selects: map[string]map[string]bool{}, asked: map[string]bool{"Error": true, "Unwrap": true}, places: map[string][]string{}}
	var ours []found
	var others []string
	for _, f := range goList(t, "-deps", "-json=ImportPath,Name,Dir,Standard,Module,GoFiles", "./...") {
		switch {
		case f.Module != nil && f.Module.Main:
			ours = append(ours, f)
		case f.ImportPath != "unsafe":
			others = append(others, f.ImportPath)
		}
	}
	exports := map[string]string{}
	for _, f := range goList(t, append([]string{"-export", "-trimpath", "-json=ImportPath,Export"}, others...)...) {
		exports[f.ImportPath] = f.Export
	}
	library := importer.ForCompiler(h.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	checked := map[string]*types.Package{}
	config := types.Config{Importer: importerFunc(func(path string) (*types.Package, error) {
		if p := checked[path]; p != nil {
			return p, nil
		}
		p, err := library.Import(path)
		if err == nil {
			h.ask(p)
		}
		return p, err
	})}
	for _, f := range ours { // a package comes after its imports
		r := &room{
			folder: strings.TrimPrefix(strings.TrimPrefix(f.ImportPath, module), "/"), name: f.Name,
			info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}},
		}
		for _, name := range f.GoFiles {
			file, err := parser.ParseFile(h.fset, filepath.Join(f.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			r.files = append(r.files, file)
		}
		pkg, err := config.Check(f.ImportPath, h.fset, r.files, r.info)
		if err != nil {
			t.Fatal(err)
		}
		r.pkg = pkg
		checked[f.ImportPath] = pkg
		h.ask(pkg)
		h.rooms = append(h.rooms, r)
	}
	h.readSelections(t)
	return h
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

func goList(t *testing.T, args ...string) (all []found) {
	t.Helper()
	for dec := json.NewDecoder(bytes.NewReader(goTool(t, append([]string{"list"}, args...)...))); ; {
		var f found
		if err := dec.Decode(&f); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("read what go list says: %v", err)
		}
		all = append(all, f)
	}
}

// ask records the methods of a package's interfaces.
func (h *house) ask(p *types.Package) {
	for _, name := range p.Scope().Names() {
		if i, ok := p.Scope().Lookup(name).Type().Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				h.asked[m.Name()] = true
			}
		}
	}
}

var selected = regexp.MustCompile(`\.([A-Z]\w*)`)

// readSelections records which exported names are used elsewhere: by type in packages, by name alone in tests and
// templates.
func (h *house) readSelections(t *testing.T) {
	t.Helper()
	for _, r := range h.rooms {
		for _, o := range r.info.Uses {
			if o.Pkg() != nil && o.Pkg() != r.pkg && o.Exported() {
				h.used[o.Pkg().Path()+" "+o.Name()] = true
				h.useType(o.Type())
			}
		}
	}
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && path != root && strings.HasPrefix(e.Name(), ".") {
			return filepath.SkipDir
		}
		folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), root+"/")
		if strings.HasPrefix(folder, "templates/files") {
			folder = "" // a template may select names of any package
		} else if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if h.selects[folder] == nil {
			h.selects[folder] = map[string]bool{}
		}
		for _, m := range selected.FindAllSubmatch(text, -1) {
			h.selects[folder][string(m[1])] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// useType marks the named types in the type of a used name: code that reads a field also has its type.
func (h *house) useType(t types.Type) {
	switch t := t.(type) {
	case *types.Named:
		if o := t.Obj(); o.Pkg() != nil {
			h.used[o.Pkg().Path()+" "+o.Name()] = true
		}
	case interface{ Elem() types.Type }: // pointers, slices, arrays, maps
		h.useType(t.Elem())
	case *types.Signature:
		for _, vars := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range vars.Variables() {
				h.useType(v.Type())
			}
		}
	}
}

// usedElsewhere reports whether an exported name of a package is used outside its folder.
func (h *house) usedElsewhere(r *room, name string) bool {
	if h.used[r.pkg.Path()+" "+name] {
		return true
	}
	for folder, names := range h.selects {
		if folder != r.folder && names[name] {
			return true
		}
	}
	return false
}

// breaches finds everything that violates a law.
func (h *house) breaches() breaches {
	all := breaches{}
	note := func(name, subject string, figure int, places ...string) {
		i := slices.IndexFunc(laws, func(l law) bool { return l.name == name })
		if figure > laws[i].most {
			all[name+" "+subject] = figure
			h.places[name+" "+subject] = places
		}
	}
	for _, r := range h.rooms {
		lines, short := 0, []string(nil)
		for _, f := range r.files {
			if ast.IsGenerated(f) {
				continue // what it was made of is read in its place
			}
			n := h.lines(f)
			lines += n
			note("file-lines", h.path(r, f), n)
			if n < 60 && !mayBeShort(f) {
				short = append(short, h.path(r, f))
			}
		}
		note("package-lines", r.folder, lines)
		note("short-files", r.folder, len(short), short...)
		if len(r.files) > 15 {
			up := h.arrows(r).up()
			note("arrows-up", r.folder, len(up), up...)
		}
		for name, n := range r.methods() {
			note("type-methods", r.folder+"."+name, n)
		}
		for name, n := range r.fields() {
			note("struct-fields", r.folder+"."+name, n)
		}
		idle := h.idle(r)
		note("idle-exports", r.folder, len(idle), idle...)
		if strings.HasSuffix(r.name, "test") && !within(r.folder, "engine/testkit") && !within(r.folder, "pbem/testkit") {
			note("stray-kits", r.folder, 1)
		}
	}
	return all
}

func (h *house) lines(f *ast.File) int { return h.fset.File(f.Pos()).LineCount() }

func (h *house) path(r *room, f *ast.File) string {
	return r.folder + "/" + filepath.Base(h.fset.Position(f.Pos()).Filename)
}

// mayBeShort reports whether a file is short for a reason: it documents its package, is built only on some systems,
// or is a table.
func mayBeShort(f *ast.File) bool {
	if f.Doc != nil {
		return true
	}
	for _, c := range f.Comments {
		if c.Pos() < f.Package && strings.HasPrefix(c.List[0].Text, "//go:build") {
			return true
		}
	}
	return !slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return !ok || g.Tok == token.TYPE
	})
}

// methods counts the methods of each type.
func (r *room) methods() map[string]int {
	n := map[string]int{}
	for _, f := range r.files {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				n[strings.TrimSuffix(receiver(f), ".")]++
			}
		}
	}
	return n
}

// fields counts the fields of each struct; an embedded one counts as one.
func (r *room) fields() map[string]int {
	n := map[string]int{}
	for _, name := range r.pkg.Scope().Names() {
		if o, ok := r.pkg.Scope().Lookup(name).(*types.TypeName); ok {
			if s, ok := o.Type().Underlying().(*types.Struct); ok {
				n[name] = s.NumFields()
			}
		}
	}
	return n
}

// idle lists the exported functions, types, variables and methods used only by their own package.
func (h *house) idle(r *room) (names []string) {
	if r.name == "main" {
		return nil
	}
	listed := h.enumerated(r)
	for _, o := range r.info.Defs {
		if f, ok := o.(*types.Func); ok && f.Exported() && h.usedElsewhere(r, f.Name()) {
			h.useType(f.Type())
		}
	}
	for id, o := range r.info.Defs {
		if o == nil || !o.Exported() || listed[o] || h.usedElsewhere(r, o.Name()) {
			continue
		}
		f, isFunc := o.(*types.Func)
		method := isFunc && f.Signature().Recv() != nil
		if method && !h.asked[o.Name()] || !method && o.Parent() == r.pkg.Scope() {
			names = append(names, fmt.Sprintf("%s (%s)", o.Name(), filepath.Base(h.fset.Position(id.Pos()).Filename)))
		}
	}
	slices.Sort(names)
	return names
}

// enumerated returns the constants declared in one group with a constant used elsewhere: such a group is a list that
// is needed as a whole.
func (h *house) enumerated(r *room) map[types.Object]bool {
	all := map[types.Object]bool{}
	for _, f := range r.files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			var names []*ast.Ident
			for _, spec := range g.Specs {
				names = append(names, spec.(*ast.ValueSpec).Names...)
			}
			if slices.ContainsFunc(names, func(id *ast.Ident) bool { return h.usedElsewhere(r, id.Name) }) {
				for _, id := range names {
					all[r.info.Defs[id]] = true
				}
			}
		}
	}
	return all
}

// arrows says which files of a package use which others, and what they use.
type arrows map[string]map[string][]string

func (a arrows) add(from, to, name string) {
	if a[from] == nil {
		a[from] = map[string][]string{}
	}
	if !slices.Contains(a[from][to], name) {
		a[from][to] = append(a[from][to], name)
	}
}

func (a arrows) has(from, to string) bool { return a[from][to] != nil }

func (h *house) arrows(r *room) arrows {
	a := arrows{}
	for id, o := range r.info.Uses {
		if o.Pkg() != r.pkg || !packageLevel(r, o) {
			continue
		}
		from, to := h.fset.Position(id.Pos()).Filename, h.fset.Position(o.Pos()).Filename
		if from != to {
			a.add(filepath.Base(from), filepath.Base(to), o.Name())
		}
	}
	return a
}

// packageLevel reports whether an object may be used by other files of its package: package-level names, methods and
// fields, but nothing local to a function.
func packageLevel(r *room, o types.Object) bool {
	switch o := o.(type) {
	case *types.Func:
		return true
	case *types.Var:
		return o.IsField() || o.Parent() == r.pkg.Scope()
	default:
		return o.Parent() == r.pkg.Scope()
	}
}

// up returns the backward arrows in the best order of files it finds: each file is moved to where the fewest point
// back, until nothing improves.
func (a arrows) up() (back []string) {
	files := map[string]bool{}
	for from, tos := range a {
		files[from] = true
		for to := range tos {
			files[to] = true
		}
	}
	order := a.begin(slices.Sorted(maps.Keys(files)))
	for better := true; better; {
		better = false
		for _, file := range slices.Clone(order) {
			i := slices.Index(order, file)
			rest := slices.Delete(slices.Clone(order), i, i+1)
			cost, least, at := 0, 0, 0 // relative to being first
			for j, other := range rest {
				if a.has(file, other) {
					cost++
				}
				if a.has(other, file) {
					cost--
				}
				if cost < least {
					least, at = cost, j+1
				}
			}
			was := 0
			for _, other := range rest[:i] {
				if a.has(file, other) {
					was++
				}
				if a.has(other, file) {
					was--
				}
			}
			if least < was {
				order, better = slices.Insert(rest, at, file), true
			}
		}
	}
	for i, to := range order {
		for _, from := range order[i+1:] {
			if a.has(from, to) {
				back = append(back, fmt.Sprintf("%s -> %s: %s", from, to, strings.Join(slices.Sorted(slices.Values(a[from][to])), ", ")))
			}
		}
	}
	slices.Sort(back)
	return back
}

// begin repeatedly puts files used by no other first, and files that use no other last. If there are none, the file
// that uses the most others, less those that use it, comes next (Eades, Lin and Smyth, 1993). Files without cycles
// thus get an order without backward arrows.
func (a arrows) begin(files []string) []string {
	var first, last []string
	for len(files) > 0 {
		best, most := 0, -len(files)
		source, sink := -1, -1
		for i, file := range files {
			uses, users := 0, 0
			for _, other := range files {
				if a.has(file, other) {
					uses++
				}
				if a.has(other, file) {
					users++
				}
			}
			if users == 0 {
				source = i
			}
			if uses == 0 {
				sink = i
			}
			if uses-users > most {
				best, most = i, uses-users
			}
		}
		switch {
		case sink >= 0:
			last = append(last, files[sink])
			best = sink
		case source >= 0:
			best = source
			fallthrough
		default:
			first = append(first, files[best])
		}
		files = slices.Delete(files, best, best+1)
	}
	slices.Reverse(last)
	return append(first, last...)
}
