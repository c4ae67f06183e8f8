package templates

import (
	"bytes"
	"fmt"
	htmltemplate "html/template"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"
)

// drawer is a template of either library.
type drawer interface {
	Execute(to io.Writer, view any) error
}

// source is the text of a template file; errors name it so.
type source struct{ name, text string }

// page tells whether it is more than what others share.
func (s source) page() bool { return !strings.HasPrefix(path.Base(s.name), "parts.") }

func parseText(files []source) (drawer, error) {
	all := template.New("").Funcs(textFuncs())
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

// Bounds of a drawing.
const (
	mostDrawnBytes  = 16 << 20
	mostDrawnPieces = 512 << 10
)

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

func parseHTML(files []source) (drawer, error) {
	all := htmltemplate.New("").Funcs(htmlFuncs())
	var page *htmltemplate.Template
	for _, f := range files {
		t, err := all.New(f.name).Parse(f.text)
		if err != nil {
			return nil, err
		}
		if f.page() && !parse.IsEmptyTree(t.Tree.Root) {
			page = t
		}
	}
	for _, t := range all.Templates() {
		if t.Tree != nil {
			tame(t.Tree.Root, false)
		}
	}
	return page, nil
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
	return ok && layoutFuncs()[name.Ident] != nil
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
