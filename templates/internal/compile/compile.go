// Package compile turns templates of the standard library into Go that gives the same bytes without reflection, as long
// as they keep to what it knows. All else is an error: nothing is drawn otherwise than by the library.
//
// A template becomes a function for each type that it is executed on. Fields, methods and functions are looked up when the
// code is generated, static text is joined, and an escaper that html/template has put into a pipeline becomes a call of
// one for the type that is printed, in package clean.
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

	// Funcs are the functions that it calls, named ones of the package, by the names that templates have for them. Writers
	// are methods of the page that write what a function of the same name gives, or a method: "type.Method".
	Funcs, Writers map[string]any
}

// Escaped gives a template of html/template as it is executed; it must have been executed before.
func Escaped(t *htmltemplate.Template) *template.Template {
	// Of a template that is called within a title or a style sheet, html/template makes a copy for that place. Only this
	// field has it.
	return (*template.Template)(reflect.ValueOf(t).Elem().FieldByName("text").UnsafePointer())
}

// Go gives the source of a file with a function for each template, and
//
//	func compiled(name string) func(p *page, view any) bool
//
// which finds the one of a name, nil for another; drawnBy makes it of a function of the package. Head is what the file begins
// with, up to the package clause.
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

// unknown is what the generator does not know.
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

// template gives the function of a template for a type, nil for none, which it writes when it is first needed.
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

// static gives what a template writes if that is always the same; callers are the templates that it is called by.
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

// typeName is a type as the package writes it.
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

// camel makes part of a Go name of a template's: "NoticePlain" of "notice-plain.txt".
func camel(name string) string {
	name, _, _ = strings.Cut(name, "$") // what html/template has added
	var b strings.Builder
	for word := range strings.SplitSeq(strings.TrimSuffix(name, path.Ext(name)), "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

func isStruct(t reflect.Type) bool { return t != nil && t.Kind() == reflect.Struct }
