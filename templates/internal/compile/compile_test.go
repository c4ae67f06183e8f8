package compile

import (
	"reflect"
	"strings"
	"testing"
	"text/template"
)

type view struct {
	Name   string
	Number int
	Names  []string
	Loud   loud
	Part   view2
	Any    any
}

type view2 struct{ Name string }

type loud string

func (l loud) String() string { return strings.ToUpper(string(l)) }

func upper(s string) string { return strings.ToUpper(s) }

func clean(s string) string { return s }

func compiled(t *testing.T, text string) (string, error) {
	t.Helper()
	funcs := map[string]any{"upper": upper, "clean": clean, "lower": func(s string) string { return strings.ToLower(s) }, "two": func() (string, error) { return "", nil }}
	page, err := template.New("a.txt").Funcs(funcs).Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	code, err := Go("package compile\n\n", []Source{{Name: "a.txt", Page: page, View: reflect.TypeFor[view](), Funcs: funcs}})
	return string(code), err
}

// TestUnknownIsAnError: what cannot be compiled to the same output is an error with its place, and gives no code.
func TestUnknownIsAnError(t *testing.T) {
	for text, want := range map[string]string{
		"\n{{.Nom | clean}}":                          "a.txt:2:2: compile.view has no field Nom",
		"{{.Number.X | clean}}":                       "int has no field X",
		"{{.Name}}":                                   `a string is printed by way of ""`,
		"{{.Loud | clean}}":                           `a compile.loud is printed by way of "clean"`,
		"{{.Any | clean}}":                            `a interface {} is printed`,
		"{{if .Any}}{{end}}":                          "whether a interface {} is empty is not known",
		"{{lower .Name | clean}}":                     "the value cannot be used here",
		"{{two | clean}}":                             "the function two is not known",
		"{{upper .Number | clean}}":                   "int is given where string is wanted",
		"{{print .Name .Number | clean}}":             "a int is printed",
		`{{printf "%q" .Name | clean}}`:               "the function printf is not known",
		"{{index .Names 0 | clean}}":                  "the function index is not known",
		"{{eq .Name .Number}}":                        "string is compared with int",
		"{{(or .Name .Number) | clean}}":              "the value cannot be used here",
		"{{1.5 | clean}}":                             "is not known",
		"{{range .Number}}{{end}}":                    "what is ranged over is no slice",
		"{{range .Names}}{{break}}{{end}}":            "is not known",
		"{{range .Names}}{{else}}x{{end}}":            "or there is an else",
		"{{$x := .Name}}{{$x = .Name}}{{$x | clean}}": "a variable is assigned to",
		"{{$x := .Name}}":                             "the variable $x is not used",
		"{{$type := .Name}}{{$type | clean}}":         "a Go variable cannot be named like $type",
		`{{define "b"}}{{template "b" .}}{{.Name | clean}}{{end}}{{template "b" .}}`: `the template "b" calls itself`,
		`{{define "b"}}{{.Name | clean}}{{end}}{{template "b"}}`:                     "there is no data here",
	} {
		if code, err := compiled(t, text); err == nil || !strings.Contains(err.Error(), want) || code != "" {
			t.Errorf("%s: got %v and\n%s, want %s", text, err, code, want)
		}
	}
}

// TestTypesHaveFunctionsOfTheirOwn: a template executed on two types becomes two functions, and a static one becomes
// none.
func TestTypesHaveFunctionsOfTheirOwn(t *testing.T) {
	code, err := compiled(t, `{{define "b"}}{{if .Name}}<{{.Name | clean}}>{{end}}{{end}}{{define "c"}}!{{end}}{{template "b" .}}{{template "c"}}{{template "c"}}{{template "b" .Part}}{{template "b" .}}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"func drawBText(p *page, v *view) {", "func drawBText2(p *page, v *view2) {",
		"\tdrawBText(p, v)\n\tp.b = append(p.b, \"!!\"...)\n\tdrawBText2(p, &v.Part)\n\tdrawBText(p, v)\n",
	} {
		if !strings.Contains(code, want) {
			t.Errorf("want %q in\n%s", want, code)
		}
	}
}
