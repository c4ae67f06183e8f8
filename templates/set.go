package templates

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"text/template/parse"
)

//go:embed files
var embedded embed.FS

// Set is the templates that mails and pages are drawn with. A nil Set is the one that
// is built in. It may be used by several goroutines.
type Set struct {
	// Warn is told when a template of the host fails on what it is given; what is built
	// in is drawn then. With nil the drawing fails.
	Warn func(error)

	drawers map[string]func() (drawer, error)
}

// drawer is a template of either library.
type drawer interface {
	Execute(to io.Writer, view any) error
}

// builtIn is the Set without a host's files, each parsed when first drawn.
var builtIn = sync.OnceValue(func() *Set { return newSet("", nil) })

// Files are the names of all template files in order.
func Files() []string {
	list, err := fs.ReadDir(embedded, "files")
	if err != nil {
		panic(err) // they are part of the program
	}
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.Name()
	}
	return names
}

// File is the template file of that name as it is built in; nil if there is none.
func File(name string) []byte {
	text, err := embedded.ReadFile("files/" + path.Base(name))
	if err != nil {
		return nil
	}
	return text
}

// newSet lays a host's files, by name, over those built in. Each page sees the parts of
// its kind and itself, ours first, so that a host's definition replaces ours.
func newSet(dir string, host map[string]string) *Set {
	s := &Set{drawers: map[string]func() (drawer, error){}}
	for _, name := range Files() {
		kind := path.Ext(name)
		if name == "parts"+kind {
			continue
		}
		s.drawers[name] = sync.OnceValues(func() (drawer, error) {
			var all []source
			for _, part := range []string{"parts" + kind, name} {
				all = append(all, source{part, string(File(part))})
			}
			for _, part := range []string{"parts" + kind, name} {
				if text, ok := host[part]; ok {
					all = append(all, source{path.Join(dir, part), text})
				}
			}
			if kind == ".html" {
				return parseHTML(all)
			}
			return parseText(all)
		})
	}
	return s
}

// source is the text of a template file; errors name it so.
type source struct{ name, text string }

// page tells whether it is more than what others share.
func (s source) page() bool { return !strings.HasPrefix(path.Base(s.name), "parts.") }

func parseText(files []source) (drawer, error) {
	all := template.New("").Funcs(textFuncs)
	var page *template.Template
	for _, f := range files {
		t, err := all.New(f.name).Parse(f.text)
		if err != nil {
			return nil, err
		}
		if f.page() && !parse.IsEmptyTree(t.Root) {
			page = t
		}
	}
	for _, t := range all.Templates() {
		tame(t.Root, true)
	}
	return page, nil
}

// Bounds of a drawing and of a host's file.
const (
	mostDrawnBytes  = 16 << 20
	mostDrawnPieces = 512 << 10
	mostFileBytes   = 256 << 10
	mostPrinted     = 64 << 10 // by one call of print, printf or println
)

var errTooMuch = errors.New("it draws too much, or never ends")

// bounded collects what a template writes, up to a bound. Each turn of a loop and each
// template writes something, be it nothing, see tame: so it bounds the steps too.
type bounded struct {
	bytes.Buffer
	pieces int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.pieces++; b.pieces > mostDrawnPieces || b.Len()+len(p) > mostDrawnBytes {
		return 0, errTooMuch
	}
	return b.Buffer.Write(p)
}

// tame has each loop and template write something at each turn, and, in text, what is
// printed cleaned: html/template does that by itself.
func tame(list *parse.ListNode, text bool) {
	if list == nil {
		return
	}
	list.Nodes = slices.Insert(list.Nodes, 0, parse.Node(&parse.TextNode{NodeType: parse.NodeText, Pos: list.Pos}))
	for _, n := range list.Nodes {
		var branch *parse.BranchNode
		switch n := n.(type) {
		case *parse.IfNode:
			branch = &n.BranchNode
		case *parse.RangeNode:
			branch = &n.BranchNode
		case *parse.WithNode:
			branch = &n.BranchNode
		case *parse.ActionNode:
			if text && len(n.Pipe.Decl) == 0 && !laysOut(n.Pipe) {
				name := parse.NewIdentifier("clean").SetPos(n.Pos)
				n.Pipe.Cmds = append(n.Pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos, Args: []parse.Node{name}})
			}
		}
		if branch != nil {
			tame(branch.List, text)
			tame(branch.ElseList, text)
		}
	}
}

// laysOut tells whether a pipeline is one call of a function whose result is lines.
func laysOut(p *parse.PipeNode) bool {
	if len(p.Cmds) != 1 {
		return false
	}
	name, ok := p.Cmds[0].Args[0].(*parse.IdentifierNode)
	return ok && layouts[name.Ident] != nil
}

var buffers = sync.Pool{New: func() any { return new(bounded) }}

// draw executes a template file on a view and finishes what it gives.
func (s *Set) draw(name string, view any, finish func([]byte) []byte) ([]byte, error) {
	if s == nil {
		s = builtIn()
	}
	parsed, ok := s.drawers[name]
	if !ok {
		return nil, fmt.Errorf("draw a mail: there is no template file %q", name)
	}
	b := buffers.Get().(*bounded)
	b.Reset()
	b.pieces = 0
	defer buffers.Put(b)
	t, err := parsed()
	if err == nil {
		err = t.Execute(b, view)
	}
	if err != nil {
		err = fmt.Errorf("draw a mail: %w", mistakeOf(name, err))
		if s.Warn == nil {
			return nil, err
		}
		s.Warn(err)
		return builtIn().draw(name, view, finish)
	}
	return finish(b.Bytes()), nil
}

// Mistake is something wrong with a template file. Line and Col count from 1; 0 is the
// file as a whole.
type Mistake struct {
	File      string
	Line, Col int
	Message   string
}

func (m *Mistake) Error() string {
	if m.Line == 0 {
		return m.File + ": " + m.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, max(m.Col, 1), m.Message)
}

// mistakeOf reads the place out of an error of either library: "template: FILE:LINE:COLUMN:
// executing "FILE" at <.X>: MESSAGE", the column and the third part not always.
func mistakeOf(name string, err error) *Mistake {
	m := &Mistake{File: name, Message: err.Error()}
	_, rest, ok := strings.Cut(m.Message, "template:")
	at := strings.Index(rest, ".txt:")
	if html := strings.Index(rest, ".html:"); at < 0 || 0 <= html && html < at {
		at = html + 1
	}
	if !ok || at <= 0 {
		return m
	}
	m.File, rest = strings.TrimSpace(rest[:at+4]), rest[at+5:]
	number := func() (n int, ok bool) {
		word, after, _ := strings.Cut(rest, ":")
		n, err := strconv.Atoi(word)
		if err == nil {
			rest = after
		}
		return n, err == nil
	}
	m.Line, _ = number()
	if col, ok := number(); ok {
		m.Col = col + 1
	}
	m.Message = strings.TrimSpace(rest)
	if _, after, ok := strings.Cut(m.Message, `" at <`); ok && strings.HasPrefix(m.Message, "executing ") {
		m.Message = "at <" + after
	}
	return m
}

// Load is the Set with a host's folder laid over it; dir is its name for messages. Each
// page is drawn with sample views, so that mistakes come out at once: all there are, one
// a file at most.
func Load(folder fs.FS, dir string) (*Set, []*Mistake) {
	host, found := readFolder(folder, dir)
	s := newSet(dir, host)
	for _, name := range slices.Sorted(maps.Keys(s.drawers)) {
		if m := s.try(name); m != nil && !slices.ContainsFunc(found, func(o *Mistake) bool { return *o == *m }) {
			found = append(found, m)
		}
	}
	return s, found
}

// readFolder reads a host's files by name.
func readFolder(folder fs.FS, dir string) (map[string]string, []*Mistake) {
	list, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, []*Mistake{{File: dir, Message: "cannot be read: " + cmp.Or(errors.Unwrap(err), err).Error()}}
	}
	files, known := map[string]string{}, Files()
	var found []*Mistake
	for _, f := range list {
		name := f.Name()
		if strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") {
			continue // of editors and of version control
		}
		text, err := readFile(folder, name)
		switch {
		case !slices.Contains(known, name):
			err = errors.New("there is no template of that name; there are " + strings.Join(known, ", "))
		case err == nil:
			files[name] = text
			continue
		}
		found = append(found, &Mistake{File: path.Join(dir, name), Message: err.Error()})
	}
	return files, found
}

func readFile(folder fs.FS, name string) (string, error) {
	f, err := folder.Open(name)
	if err != nil {
		return "", fmt.Errorf("cannot be read: %w", cmp.Or(errors.Unwrap(err), err))
	}
	text, err := io.ReadAll(io.LimitReader(f, mostFileBytes+1))
	if err = errors.Join(err, f.Close()); err == nil && len(text) > mostFileBytes {
		err = fmt.Errorf("the file is too long (more than %d bytes)", mostFileBytes)
	}
	return string(text), err
}

// common are the functions of text and HTML: those of the library that could fill
// memory are bounded.
var common = template.FuncMap{
	"print":   func(v ...any) (string, error) { return printed(fmt.Sprint(v...)) },
	"println": func(v ...any) (string, error) { return printed(fmt.Sprintln(v...)) },
	"printf":  func(format string, v ...any) (string, error) { return printed(fmt.Sprintf(format, v...)) },
	"join":    join,
	"named":   named,
	"titled":  titled,
	"turn":    turnWords,
	"counts":  func(d []Diagnostic) string { return countWords(Ack{Diagnostics: d}.Counts()) },
}

func printed(s string) (string, error) {
	if len(s) > mostPrinted {
		return "", errTooMuch
	}
	return s, nil
}

// try draws a page with sample views.
func (s *Set) try(name string) *Mistake {
	for _, view := range samples(name) {
		if _, err := s.draw(name, view, func(b []byte) []byte { return b }); err != nil {
			var m *Mistake
			errors.As(err, &m)
			return m
		}
	}
	return nil
}
