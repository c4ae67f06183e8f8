package compile

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// value is an expression.
type value struct {
	code string       // in Go; "" if only truth or only writes is known
	typ  reflect.Type // nil for no data
	ptr  bool         // code is a pointer to a struct of the type
	path bool         // code names a variable or field: it may be repeated, and its address may be taken
	from *variable    // the variable that code begins with

	truth string // the condition that it is not empty; "" if that follows from code
	binds int    // how strongly the operator of truth binds: one of the constants below

	writes string // a statement that writes the value
}

// How strongly an operator binds.
const (
	bindsOr = iota + 1
	bindsAnd
	bindsCompare
	bindsAll
)

// variable is a variable of the template.
type variable struct {
	value

	name string // "$", "$width"
	used bool
}

// expr returns the Go expression of a value, and marks its variable as used.
func (f *function) expr(v value, at parse.Node) string {
	if v.code == "" {
		f.fail(at, "the value cannot be used here")
	}
	if v.from != nil {
		v.from.used = true
	}
	return v.code
}

// as returns the expression of a value as an argument of a type.
func (f *function) as(v value, typ reflect.Type, at parse.Node) string {
	code := f.expr(v, at)
	switch {
	case v.typ == typ && v.ptr:
		return "*" + code
	case v.typ == typ:
		return code
	case isStruct(v.typ) && typ == reflect.PointerTo(v.typ) && v.ptr:
		return code
	case isStruct(v.typ) && typ == reflect.PointerTo(v.typ) && v.path:
		return "&" + code
	}
	f.fail(at, "%v is given where %v is wanted", v.typ, typ)
	return ""
}

// isTrue returns the condition that a value is not empty, and how strongly its operator binds.
func (f *function) isTrue(v value, at parse.Node) (code string, binds int) {
	if v.truth != "" {
		return v.truth, v.binds
	}
	if isStruct(v.typ) {
		return "true", bindsAll
	}
	code = f.expr(v, at)
	switch v.typ.Kind() { //nolint:exhaustive // views have no others
	case reflect.Bool:
		return code, bindsAll
	case reflect.String:
		return code + ` != ""`, bindsCompare
	case reflect.Int:
		return code + " != 0", bindsCompare
	case reflect.Slice:
		return "len(" + code + ") > 0", bindsCompare
	case reflect.Pointer:
		return code + " != nil", bindsCompare
	}
	f.fail(at, "whether a %v is empty is not known", v.typ)
	return "", 0
}

// within puts a condition into parentheses if it binds less strongly than least.
func within(code string, binds, least int) string {
	if binds < least {
		return "(" + code + ")"
	}
	return code
}

// pipe evaluates a pipeline that declares nothing.
func (f *function) pipe(p *parse.PipeNode, dot value) value {
	if len(p.Decl) > 0 {
		f.fail(p, "a variable is declared here")
	}
	return f.commands(p.Cmds, dot)
}

func (f *function) commands(cmds []*parse.CommandNode, dot value) value {
	var v value
	for i, c := range cmds {
		var last []value
		if i > 0 {
			last = []value{v}
		}
		v = f.command(c, dot, last)
	}
	return v
}

func (f *function) command(c *parse.CommandNode, dot value, last []value) value {
	name, ok := c.Args[0].(*parse.IdentifierNode)
	if !ok {
		if len(c.Args) > 1 || len(last) > 0 {
			f.fail(c, "a value is called like a function")
		}
		return f.operand(c.Args[0], dot)
	}
	var args []value
	for _, a := range c.Args[1:] {
		args = append(args, f.operand(a, dot))
	}
	return f.call(name, append(args, last...))
}

// operand evaluates a node that may be an argument.
func (f *function) operand(n parse.Node, dot value) value {
	switch n := n.(type) {
	case *parse.DotNode:
		return dot
	case *parse.FieldNode:
		return f.fields(dot, n.Ident, n)
	case *parse.ChainNode:
		return f.fields(f.operand(n.Node, dot), n.Field, n)
	case *parse.VariableNode:
		for _, v := range slices.Backward(f.vars) {
			if v.name == n.Ident[0] {
				return f.fields(v.value, n.Ident[1:], n)
			}
		}
		f.fail(n, "there is no variable %s", n.Ident[0])
	case *parse.PipeNode:
		return f.pipe(n, dot)
	case *parse.IdentifierNode:
		return f.call(n, nil)
	case *parse.StringNode:
		return value{code: strconv.Quote(n.Text), typ: reflect.TypeFor[string]()}
	case *parse.NumberNode:
		if n.IsInt {
			return value{code: strconv.FormatInt(n.Int64, 10), typ: reflect.TypeFor[int]()}
		}
	}
	f.fail(n, "%T is not known", n)
	return value{}
}

// fields looks up fields and methods, one after the other.
func (f *function) fields(v value, names []string, at parse.Node) value {
	for _, name := range names {
		v = f.field(v, name, at)
	}
	return v
}

func (f *function) field(v value, name string, at parse.Node) value {
	of := v.typ
	if of == nil {
		f.fail(at, "there is no data here")
	}
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if m, ok := reflect.PointerTo(of).MethodByName(name); ok {
		if m.Type.NumIn() != 1 || m.Type.NumOut() != 1 {
			f.fail(at, "the method %s has arguments, or an error", name)
		}
		out := value{code: f.expr(v, at) + "." + name + "()", typ: m.Type.Out(0)}
		if w, ok := f.source.Writers[of.Name()+"."+name]; ok {
			out.writes = f.invoke(w, []value{v}, at)
		}
		return out
	}
	if of.Kind() != reflect.Struct {
		f.fail(at, "%v has no field %s", v.typ, name)
	}
	field, ok := of.FieldByName(name)
	if !ok || !field.IsExported() {
		f.fail(at, "%v has no field %s", v.typ, name)
	}
	return value{code: v.code + "." + name, typ: field.Type, path: v.ptr || v.path || v.typ != of, from: v.from}
}

// call returns the result of a function of the library or of the package.
func (f *function) call(name *parse.IdentifierNode, args []value) value {
	switch name.Ident {
	case "and", "or":
		return f.choice(name, args)
	case "not":
		if len(args) == 1 {
			code, binds := f.isTrue(args[0], name)
			return truth("!"+within(code, binds, bindsAll), bindsAll)
		}
	case "eq":
		return f.equal(name, args)
	case "len":
		if len(args) == 1 && args[0].typ != nil && args[0].typ.Kind() == reflect.Slice {
			return value{code: "len(" + f.expr(args[0], name) + ")", typ: reflect.TypeFor[int]()}
		}
	case "print":
		return f.print(name, args)
	}
	fn, ok := f.source.Funcs[name.Ident]
	if !ok || reflect.TypeOf(fn).NumOut() != 1 {
		f.fail(name, "the function %s is not known", name.Ident)
	}
	out := value{typ: reflect.TypeOf(fn).Out(0)}
	if goName(fn) != "" {
		out.code = f.invoke(fn, args, name)
	}
	if w, ok := f.source.Writers[name.Ident]; ok {
		out.writes = f.invoke(w, args, name)
	}
	return out
}

func truth(code string, binds int) value {
	return value{code: code, typ: reflect.TypeFor[bool](), truth: code, binds: binds}
}

// choice is "and" or "or": the first argument that decides, or the last one. If the arguments have different types,
// only its truth can be used.
func (f *function) choice(name *parse.IdentifierNode, args []value) value {
	operator, binds := " || ", bindsOr
	if name.Ident == "and" {
		operator, binds = " && ", bindsAnd
	}
	var out value
	var conditions, values []string
	alike := true
	for i, a := range args {
		if i > 0 && a.typ != out.typ || a.code == "" {
			alike = false
		}
		out.typ = a.typ
		code, least := f.isTrue(a, name)
		conditions = append(conditions, within(code, least, binds+1))
		values = append(values, a.code)
	}
	out.truth, out.binds = strings.Join(conditions, operator), binds
	switch kind := out.typ.Kind(); {
	case !alike:
	case kind == reflect.Bool:
		out.code = out.truth
	case name.Ident == "or" && (kind == reflect.String || kind == reflect.Int):
		out.code = "cmp.Or(" + strings.Join(values, ", ") + ")"
	}
	return out
}

// equal is the condition that the first argument equals one of the others.
func (f *function) equal(name *parse.IdentifierNode, args []value) value {
	if len(args) < 2 {
		f.fail(name, "eq has %d arguments", len(args))
	}
	var all []string
	for _, a := range args[1:] {
		if kind := a.typ.Kind(); kind != args[0].typ.Kind() || kind != reflect.String && kind != reflect.Int {
			f.fail(name, "%v is compared with %v", args[0].typ, a.typ)
		}
		all = append(all, f.expr(args[0], name)+" == "+f.expr(a, name))
	}
	if len(all) > 1 {
		return truth(strings.Join(all, " || "), bindsOr)
	}
	return truth(all[0], bindsCompare)
}

// print joins strings. Other arguments are errors: the spaces that the library puts between them are not supported.
func (f *function) print(name *parse.IdentifierNode, args []value) value {
	var all []string
	for _, a := range args {
		if a.typ != reflect.TypeFor[string]() {
			f.fail(name, "a %v is printed", a.typ)
		}
		all = append(all, f.expr(a, name))
	}
	return value{code: strings.Join(all, " + "), typ: reflect.TypeFor[string]()}
}

// invoke returns the call of a function of the package, or of a method of its page.
func (f *function) invoke(fn any, args []value, at parse.Node) string {
	name, t, first := goName(fn), reflect.TypeOf(fn), 0
	if method, ok := strings.CutPrefix(name, "(*page)."); ok {
		name, first = "p."+method, 1
	}
	if name == "" || t.IsVariadic() || t.NumIn() != first+len(args) {
		f.fail(at, "%s has %d arguments, or is no named function", name, len(args))
	}
	var all []string
	for i, a := range args {
		all = append(all, f.as(a, t.In(first+i), at))
	}
	return name + "(" + strings.Join(all, ", ") + ")"
}

// goName returns the name of a function within its package; "" for one without a name.
func goName(fn any) string {
	name := runtime.FuncForPC(reflect.ValueOf(fn).Pointer()).Name()
	name = name[strings.LastIndexByte(name, '/')+1:]
	_, name, _ = strings.Cut(name, ".")
	if strings.Contains(strings.TrimPrefix(name, "(*page)."), ".") {
		return "" // a function literal
	}
	return name
}

// fresh returns the name of a new Go variable.
func (f *function) fresh(base string) string {
	f.count[base]++
	if f.count[base] == 1 {
		return base
	}
	return fmt.Sprint(base, f.count[base])
}
