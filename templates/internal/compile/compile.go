// Package compile turns templates of the standard library into Go code that gives the same bytes without reflection. It
// supports only a part of the template language. Anything else is an error, so that nothing is drawn differently.
//
// A template becomes a function for each type that it is executed on. Fields, methods and functions are looked up
// when the code is generated, and static text is joined. An escaper that html/template has put into a pipeline
// becomes a call of the function in package clean for the type that is printed.
package compile

import (
	"bytes"
	"fmt"
	"go/format"
	htmltemplate "html/template"
	"path"
	"reflect"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
)

// Source is a template with the type that it is executed on, which is a struct of the package that the code is for.
type Source struct {
	Name string             // of the file: "report.html"
	Page *template.Template // with all templates that it calls
	View reflect.Type
	HTML bool // html/template has escaped it

	// Funcs are the named functions of the package that the template calls, by their names in templates. Writers are
	// methods of the page that write the result of the function of the same name, or of a method ("type.Method").
	Funcs, Writers map[string]any
}

// Escaped returns a template of html/template as it is executed; it must have been executed before.
func Escaped(t *htmltemplate.Template) *template.Template {
	// html/template makes copies of templates that are called within a title or a style sheet. Only this field has
	// them.
	return (*template.Template)(reflect.ValueOf(t).Elem().FieldByName("text").UnsafePointer())
}

// Go returns the source of a file with a function for each template, and
//
//	func compiled(name string) func(p *page, view any) bool
//
// which returns the function of a name, made by drawnBy, which the package must define; nil for other names. head is
// the beginning of the file, up to the package clause.
func Go(head string, sources []Source) (code []byte, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			u, ok := problem.(unknown)
			if !ok {
				panic(problem)
			}
			err = u
		}
	}()
	g := &generator{drawn: map[string]*function{}, known: map[string]string{}, names: map[string]bool{}}
	var find bytes.Buffer
	for _, s := range sources {
		g.source = s
		name := g.template(s.Page.Name(), s.View).name
		fmt.Fprintf(&find, "case %q:\nreturn drawnBy(%s)\n", s.Name, name)
	}
	var out bytes.Buffer
	out.WriteString(head)
	out.WriteString("import (\n")
	for _, pkg := range []string{"cmp", "", path.Join(g.source.View.PkgPath(), "clean")} {
		if pkg == "" { // between the library and ours
			out.WriteByte('\n')
		} else if bytes.Contains(g.out.Bytes(), []byte(path.Base(pkg)+".")) {
			fmt.Fprintf(&out, "%q\n", pkg)
		}
	}
	out.WriteString(")\n\n")
	out.WriteString("// compiled finds the function that draws the template of a name, nil if there is none.\nfunc compiled(name string) func(p *page, view any) bool {\nswitch name {\n")
	out.Write(find.Bytes())
	out.WriteString("}\nreturn nil\n}\n")
	out.Write(g.out.Bytes())
	return format.Source(out.Bytes())
}

// unknown is the error for what the generator does not support.
type unknown struct{ message string }

func (u unknown) Error() string { return u.message }

// generator writes functions one after the other.
type generator struct {
	source Source
	out    bytes.Buffer
	drawn  map[string]*function // by template and type; nil for one that is being written
	known  map[string]string    // names of functions by their text: pages share most of their parts
	names  map[string]bool
}

func (g *generator) fail(at parse.Node, problem string, args ...any) {
	where := g.source.Name
	if at != nil {
		where, _ = g.source.Page.ErrorContext(at)
	}
	panic(unknown{where + ": " + fmt.Sprintf(problem, args...)})
}

// template returns the function of a template for a type, nil for no data, and writes it on first use.
func (g *generator) template(name string, typ reflect.Type) *function {
	key := fmt.Sprintf("%s %s %v", g.source.Name, name, typ)
	f, ok := g.drawn[key]
	if ok {
		if f == nil {
			g.fail(nil, "the template %q calls itself", name)
		}
		return f
	}
	g.drawn[key] = nil
	f = g.newFunction(typ)
	f.list(g.tree(name), f.vars[0].value)
	f.leave(0)
	kind, param := "Text", ""
	if g.source.HTML {
		kind = "HTML"
	}
	if f.vars[0].used {
		f.takes = true
		param = ", v " + g.typeName(typ)
		if isStruct(typ) {
			param = ", v *" + g.typeName(typ)
		}
	}
	text := kind + param + f.code.String()
	if f.name = g.known[text]; f.name == "" {
		f.name = g.unusedName("draw" + camel(name) + kind)
		g.known[text] = f.name
		fmt.Fprintf(&g.out, "\nfunc %s(p *page%s) {\n%s}\n", f.name, param, f.code.String())
	}
	g.drawn[key] = f
	return f
}

func (g *generator) unusedName(base string) string {
	name := base
	for n := 2; g.names[name]; n++ {
		name = fmt.Sprint(base, n)
	}
	g.names[name] = true
	return name
}

func (g *generator) tree(name string) *parse.ListNode {
	t := g.source.Page.Lookup(name)
	if t == nil || t.Tree == nil {
		g.fail(nil, "there is no template %q", name)
	}
	return t.Root
}

// static returns what a template writes if that is always the same; callers are the templates that it is called by.
func (g *generator) static(name string, callers ...string) (text string, ok bool) {
	if slices.Contains(callers, name) {
		return "", false
	}
	var b strings.Builder
	for _, n := range g.tree(name).Nodes {
		switch n := n.(type) {
		case *parse.TextNode:
			b.Write(n.Text)
		case *parse.TemplateNode:
			inner, ok := g.static(n.Name, append(callers, name)...)
			if !ok {
				return "", false
			}
			b.WriteString(inner)
		case *parse.CommentNode:
		default:
			return "", false
		}
	}
	return b.String(), true
}

// typeName returns the name of a type within the package.
func (g *generator) typeName(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Slice && t.Name() == "":
		return "[]" + g.typeName(t.Elem())
	case t.Kind() == reflect.Pointer:
		return "*" + g.typeName(t.Elem())
	case t.Name() != "" && (t.PkgPath() == "" || t.PkgPath() == g.source.View.PkgPath()):
		return t.Name()
	}
	g.fail(nil, "a template is called with %v", t)
	return ""
}

// camel returns a template's name as part of a Go name: "NoticePlain" for "notice-plain.txt".
func camel(name string) string {
	name, _, _ = strings.Cut(name, "$") // what html/template has added
	var b strings.Builder
	for word := range strings.SplitSeq(strings.TrimSuffix(name, path.Ext(name)), "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

func isStruct(t reflect.Type) bool { return t != nil && t.Kind() == reflect.Struct }
