package templates

import (
	"bytes"
	htmltemplate "html/template"
	"io"
	"os"
	"path"
	"reflect"
	"strings"
	"testing"
	"text/template"

	"pgregory.net/rapid"

	"starpost/templates/internal/compile"
)

//go:generate go test -tags=uncompiled -run=^TestCompiledIsCurrent$ . -update

const compiledHead = `// Code generated from the files of templates by "go generate"; DO NOT EDIT.

//go:build !js && !uncompiled

package templates

`

// TestCompiledIsCurrent: compiled.go is what the template files generate.
func TestCompiledIsCurrent(t *testing.T) {
	code, err := compile.Go(compiledHead, sources(t))
	if err != nil {
		t.Fatal(err)
	}
	const file = "compiled.go"
	if *update {
		if err := os.WriteFile(file, code, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, code) {
		t.Errorf("%s is not what the files of templates give (%v): run go generate", file, err)
	}
}

// sources returns all built-in templates.
func sources(t *testing.T) (all []compile.Source) {
	t.Helper()
	libraries := uncompiled(t)
	for _, name := range pageFiles() {
		s := compile.Source{Name: name, View: reflect.TypeOf(samples(name)[0])}
		d, err := libraries.drawer(name)
		if err != nil {
			t.Fatal(err)
		}
		switch page := d.(parsed).executed.(type) {
		case *template.Template:
			s.Page, s.Funcs, s.Writers = page, textFuncs(), textWriters
		case *htmltemplate.Template:
			if err := page.Execute(io.Discard, samples(name)[0]); err != nil {
				t.Fatal(err)
			}
			s.Page, s.HTML, s.Funcs, s.Writers = compile.Escaped(page), true, htmlFuncs(), htmlWriters
		}
		all = append(all, s)
	}
	return all
}

// textWriters holds the methods that write the results of layoutFuncs.
var textWriters = map[string]any{
	"para": (*page).clippedPara, "ends": (*page).ends, "verbatim": (*page).verbatim, "quoted": (*page).quoted, "barred": (*page).foreign, "shown": (*page).shown,
	"excerpt": (*page).excerpt, "read": (*page).ackLines, "phase": (*page).clippedPhase, "panel": (*page).panel, "map": (*page).asciiMap,
}

var htmlWriters = map[string]any{"svg": (*page).svg, "cells.Drawn": (*page).cells}

// uncompiled returns the built-in Set as drawn by the template libraries.
func uncompiled(t *testing.T) *Set {
	t.Helper()
	s := &Set{drawers: map[string]func() (drawer, error){}}
	for _, name := range pageFiles() {
		d, err := parsePage("", []string{"parts" + path.Ext(name), name}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.drawers[name] = func() (drawer, error) { return d, nil }
	}
	return s
}

// checkAlike checks that a library and the code generated from the template draw the same bytes.
func checkAlike(tb testing.TB, libraries *Set, name string, view any) {
	tb.Helper()
	var want, got page
	if err := libraries.draw(name, view, &want); err != nil {
		tb.Fatal(err)
	}
	if err := (*Set)(nil).draw(name, view, &got); err != nil {
		tb.Fatal(err)
	}
	if bytes.Equal(got.b, want.b) {
		return
	}
	at := 0
	for at < min(len(got.b), len(want.b)) && got.b[at] == want.b[at] {
		at++
	}
	tb.Fatalf("%s, byte %d:\n got %.300q\nwant %.300q", name, at, got.b[max(at-80, 0):], want.b[max(at-80, 0):])
}

// TestCompiledAreAlike: compiled templates draw the same as the libraries.
func TestCompiledAreAlike(t *testing.T) {
	libraries := uncompiled(t)
	for _, name := range pageFiles() {
		for _, view := range samples(name) {
			checkAlike(t, libraries, name, view)
		}
	}
	for _, r := range reports() {
		checkAlike(t, libraries, "report.txt", r)
		checkAlike(t, libraries, "report.html", r)
	}
	for _, a := range acks() {
		checkAlike(t, libraries, "ack.txt", a)
		checkAlike(t, libraries, "ack.html", a)
	}
	checkAlike(t, libraries, "reply.txt", sampleReply())
	for _, kind := range noticeKinds {
		checkAlike(t, libraries, "notice-"+string(kind)+".txt", sampleNotice())
	}
}

// TestHostileViewsAreAlike checks the same with random views and text that is special in any language of a page.
func TestHostileViewsAreAlike(t *testing.T) {
	libraries, names := uncompiled(t), pageFiles()
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(names).Draw(rt, "name")
		view := reflect.New(reflect.TypeOf(samples(name)[0]))
		fillRandom(rt, view.Elem(), 0)
		checkAlike(t, libraries, name, view.Elem().Interface())
	})
}

var hostile = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
		"", " ", "\n", "Hood", "<script>", "</style>", "-->", `"`, "'", "&", "&amp;", "+", "\x00", "\x01", "\x02", "\x1b[1m", "\x7f", "\t", "\r\n", "\xff", "\xc3", "\xa9", "é", "艦",
		"\u202e", "\ufdd0", "\ufffd", "\U0001f680", "== ", "- ", "#orders wolf turn 1 ship Hood", "#end", "| ", "javascript:alert(1)", "https://host.example/compose?a=1&b=(2)#x%20%zz", ":",
		"accepted", "refused", "kept", "warning", "error", "{{.}}", "`", "\\", "/*", "expression(", strings.Repeat("long ", 30), strings.Repeat("wide", 30),
	}), 0, 4).Draw(t, "pieces"), "")
})

// fillRandom fills a view at random, with fewer elements at greater depth.
func fillRandom(t *rapid.T, v reflect.Value, depth int) {
	switch v.Kind() { //nolint:exhaustive // views have no others
	case reflect.String:
		v.SetString(hostile.Draw(t, "text"))
	case reflect.Int:
		v.SetInt(int64(rapid.OneOf(rapid.IntRange(-2, 30), rapid.Int()).Draw(t, "number")))
	case reflect.Uint8:
		v.SetUint(uint64(rapid.SampledFrom([]byte("\x00?~")).Draw(t, "sign")))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "truth"))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "there") {
			v.Set(reflect.New(v.Type().Elem()))
			fillRandom(t, v.Elem(), depth)
		}
	case reflect.Slice:
		n := rapid.IntRange(0, max(3-depth, 1)).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fillRandom(t, v.Index(i), depth+1)
		}
	case reflect.Struct:
		for _, f := range v.Fields() {
			fillRandom(t, f, depth)
		}
		if m, ok := reflect.TypeAssert[*Map](v.Addr()); ok {
			m.Step = rapid.SampledFrom([]string{"", "impulse"}).Draw(t, "step") // a word of a rule set, not of a captain
		}
	default:
		t.Fatalf("a view has a %v", v.Type())
	}
}
