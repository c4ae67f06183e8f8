//go:build !js

package templates

import (
	htmltemplate "html/template"
	"slices"
	"text/template"
	"text/template/parse"
)

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
	return parsed{page, true}, nil
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
	return parsed{page, false}, nil
}

// tame makes each loop body, branch and template write at least an empty text, so that bounded can
// count steps. In text templates it also cleans printed values: html/template does that itself.
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

// laysOut reports whether a pipeline is a single call of a function in layoutFuncs.
func laysOut(p *parse.PipeNode) bool {
	if len(p.Cmds) != 1 {
		return false
	}
	name, ok := p.Cmds[0].Args[0].(*parse.IdentifierNode)
	return ok && layoutFuncs()[name.Ident] != nil
}
