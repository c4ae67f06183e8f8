package compile

import (
	"fmt"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// function is the Go function of a template for one type.
type function struct {
	*generator

	name  string
	takes bool // a view

	code  strings.Builder
	text  strings.Builder // static, not written yet
	vars  []*variable     // in scope; the first is the view
	count map[string]int  // Go variables by the front of their names
}

func (g *generator) newFunction(view reflect.Type) *function {
	v := &variable{name: "$"}
	v.value = value{code: "v", typ: view, ptr: isStruct(view), path: true, from: v}
	return &function{generator: g, vars: []*variable{v}, count: map[string]int{}}
}

// emit writes a line of code, after the static text that comes before it.
func (f *function) emit(format string, args ...any) {
	f.flush()
	fmt.Fprintf(&f.code, format+"\n", args...)
}

func (f *function) flush() {
	if text := f.text.String(); text != "" {
		f.text.Reset()
		fmt.Fprintf(&f.code, "p.b = append(p.b, %s...)\n", literal(text))
	}
}

// literal returns a string as a Go constant, in its most readable form.
func literal(s string) string {
	if (strings.Contains(s, `"`) || strings.Count(s, "\n") > 1) && !strings.ContainsFunc(s, func(r rune) bool { return r == '`' || r != '\n' && !strconv.IsPrint(r) }) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// leave ends the scope of all but the first keep variables. Go requires each to be used, except the view.
func (f *function) leave(keep int) {
	f.flush()
	for _, v := range f.vars[max(keep, 1):] {
		if !v.used && v.from == v {
			f.fail(nil, "the variable %s is not used", v.name)
		}
	}
	f.vars = f.vars[:max(keep, 1)]
}

// scope writes list in a scope of its own.
func (f *function) scope(list *parse.ListNode, dot value) {
	keep := len(f.vars)
	f.list(list, dot)
	f.leave(keep)
}

// list writes the code that draws a list on some data.
func (f *function) list(list *parse.ListNode, dot value) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.TextNode:
			f.text.Write(n.Text)
		case *parse.CommentNode:
		case *parse.ActionNode:
			f.action(n, dot)
		case *parse.IfNode:
			f.flush()
			f.branch(n, dot)
		case *parse.WithNode:
			f.with(n, dot)
		case *parse.RangeNode:
			f.loop(n, dot)
		case *parse.TemplateNode:
			f.include(n, dot)
		default:
			f.fail(n, "%T is not known", n)
		}
	}
}

// branch writes an if with all its else branches.
func (f *function) branch(n *parse.IfNode, dot value) {
	condition, _ := f.isTrue(f.pipe(n.Pipe, dot), n)
	f.emit("if %s {", condition)
	f.scope(n.List, dot)
	if n.ElseList != nil {
		rest := slices.DeleteFunc(slices.Clone(n.ElseList.Nodes), func(n parse.Node) bool {
			text, ok := n.(*parse.TextNode)
			return ok && len(text.Text) == 0
		})
		if len(rest) == 1 {
			if next, ok := rest[0].(*parse.IfNode); ok {
				f.code.WriteString("} else ")
				f.branch(next, dot)
				return
			}
		}
		f.emit("} else {")
		f.scope(n.ElseList, dot)
	}
	f.emit("}")
}

func (f *function) with(n *parse.WithNode, dot value) {
	v := f.pipe(n.Pipe, dot)
	f.flush()
	switch {
	case isStruct(v.typ) && v.path: // never empty
		f.scope(n.List, v)
		return
	case v.path:
		condition, _ := f.isTrue(v, n)
		f.emit("if %s {", condition)
	default:
		code := f.expr(v, n)
		v = f.named(v.typ, "some")
		condition, _ := f.isTrue(v, n)
		f.emit("if %s := %s; %s {", v.code, code, condition)
	}
	f.scope(n.List, v)
	if n.ElseList != nil {
		f.emit("} else {")
		f.scope(n.ElseList, dot)
	}
	f.emit("}")
}

// named returns a new Go variable.
func (f *function) named(typ reflect.Type, base string) value {
	v := &variable{}
	v.value = value{code: f.fresh(base), typ: typ, path: true, from: v}
	return v.value
}

func (f *function) loop(n *parse.RangeNode, dot value) {
	v := f.commands(n.Pipe.Cmds, dot)
	if v.typ.Kind() != reflect.Slice || n.ElseList != nil || n.Pipe.IsAssign {
		f.fail(n, "what is ranged over is no slice, or there is an else")
	}
	f.flush()
	list := f.expr(v, n)
	if !v.path {
		list = f.fresh("list")
		f.emit("%s := %s", list, v.code)
	}
	i, e := f.named(reflect.TypeFor[int](), "i"), f.named(v.typ.Elem(), "e")
	e.ptr = isStruct(e.typ)
	keep := len(f.vars)
	for k, decl := range n.Pipe.Decl {
		v := e
		if k == 0 && len(n.Pipe.Decl) == 2 {
			v = i
		}
		f.vars = append(f.vars, &variable{name: decl.Ident[0], value: v})
	}
	before := f.code.String()
	f.code.Reset()
	f.list(n.List, e)
	f.leave(keep)
	body := f.code.String()
	f.code.Reset()
	f.code.WriteString(before)
	switch {
	case e.from.used && e.ptr:
		f.emit("for %s := range %s {\n%s := &%s[%s]", i.code, list, e.code, list, i.code)
	case e.from.used && i.from.used:
		f.emit("for %s, %s := range %s {", i.code, e.code, list)
	case e.from.used:
		f.emit("for _, %s := range %s {", e.code, list)
	case i.from.used:
		f.emit("for %s := range %s {", i.code, list)
	default:
		f.emit("for range %s {", list)
	}
	f.code.WriteString(body)
	f.emit("}")
}

// include writes the call of a template, or its text if that is always the same.
func (f *function) include(n *parse.TemplateNode, dot value) {
	if text, ok := f.static(n.Name); ok {
		f.text.WriteString(text)
		return
	}
	var v value
	if n.Pipe != nil {
		v = f.pipe(n.Pipe, dot)
	}
	to := f.template(n.Name, v.typ)
	switch {
	case !to.takes:
		f.emit("%s(p)", to.name)
	case isStruct(v.typ) && !v.ptr && !v.path:
		at := f.named(v.typ, "some")
		f.emit("%s := %s\n%s(p, &%s)", at.code, f.expr(v, n), to.name, at.code)
	case isStruct(v.typ):
		f.emit("%s(p, %s)", to.name, f.as(v, reflect.PointerTo(v.typ), n))
	default:
		f.emit("%s(p, %s)", to.name, f.expr(v, n))
	}
}

// action declares a variable, or prints a value.
func (f *function) action(n *parse.ActionNode, dot value) {
	if len(n.Pipe.Decl) == 0 {
		f.output(n, dot)
		return
	}
	if n.Pipe.IsAssign || len(n.Pipe.Decl) > 1 {
		f.fail(n, "a variable is assigned to")
	}
	v := f.commands(n.Pipe.Cmds, dot)
	name := n.Pipe.Decl[0].Ident[0]
	code := name[1:]
	if f.count[code]++; f.count[code] > 1 || token.IsKeyword(code) || code == "p" || code == "v" {
		f.fail(n, "a Go variable cannot be named like %s", name)
	}
	f.emit("%s := %s", code, f.expr(v, n))
	is := &variable{name: name}
	is.value = value{code: code, typ: v.typ, path: true, from: is}
	f.vars = append(f.vars, is)
}

const escaper = "_html_template_"

// output writes the code that prints the result of a pipeline.
func (f *function) output(n *parse.ActionNode, dot value) {
	cmds := n.Pipe.Cmds
	var escapers []string
	for len(cmds) > 1 {
		name, ok := cmds[len(cmds)-1].Args[0].(*parse.IdentifierNode)
		if !ok || !strings.HasPrefix(name.Ident, escaper) && (f.source.HTML || name.Ident != "clean") {
			break
		}
		escapers = append([]string{strings.TrimPrefix(name.Ident, escaper)}, escapers...)
		cmds = cmds[:len(cmds)-1]
	}
	v := f.commands(cmds, dot)
	how := strings.Join(escapers, " ")
	text := v.typ.Kind() == reflect.String && reflect.PointerTo(v.typ).NumMethod() == 0
	plain := text && v.typ.PkgPath() != "html/template"
	switch number := v.typ.Kind() == reflect.Int && reflect.PointerTo(v.typ).NumMethod() == 0; how {
	case "": // the lines of a layout
		if v.writes != "" && !f.source.HTML {
			f.emit("p.b = append(p.b, laidFrom)\n%s\np.b = append(p.b, laidTo)", v.writes)
			return
		}
	case "clean":
		switch {
		case number:
			f.emit("p.b = appendInt(p.b, %s)", f.expr(v, n))
			return
		case plain && v.writes == "":
			f.emit("p.b = clean.Append(p.b, %s, 0)", f.expr(v, n))
			return
		}
	case "htmlescaper", "attrescaper", "rcdataescaper":
		switch markup := text && v.typ.Name() == "HTML" && how == "htmlescaper"; {
		case markup && v.writes != "":
			f.emit("%s", v.writes)
			return
		case markup:
			f.emit("p.b = clean.AppendMarkup(p.b, string(%s))", f.expr(v, n))
			return
		case number:
			f.emit("p.b = appendInt(p.b, %s)", f.expr(v, n))
			return
		case plain:
			f.emit("p.b = clean.AppendHTML(p.b, %s)", asString(v, f.expr(v, n)))
			return
		}
	case "cssvaluefilter", "cssvaluefilter attrescaper":
		switch {
		case number:
			f.emit("p.b = appendInt(p.b, %s)", f.expr(v, n))
			return
		case text && v.typ.Name() == "CSS" && how == "cssvaluefilter":
			f.emit("p.b = clean.AppendMarkup(p.b, string(%s))", f.expr(v, n))
			return
		case text && v.typ.Name() == "CSS":
			f.emit("p.b = clean.AppendHTML(p.b, string(%s))", f.expr(v, n))
			return
		}
	case "urlfilter urlnormalizer attrescaper":
		if plain {
			f.emit("p.link(%s)", asString(v, f.expr(v, n)))
			return
		}
	}
	f.fail(n, "a %v is printed by way of %q", v.typ, how)
}

func asString(v value, code string) string {
	if v.typ == reflect.TypeFor[string]() {
		return code
	}
	return "string(" + code + ")"
}
