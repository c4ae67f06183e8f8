package examples_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"starpost/templates"
)

const templatesPage = "../docs/templates.md"

// TestTemplatesPage checks the examples' folder and the views shown in the page about templates.
func TestTemplatesPage(t *testing.T) {
	made(t, templatesPage, "example", fenced(string(read(t, "templates/parts.txt"))))
	set, wrong := templates.Load(os.DirFS("templates"), "examples/templates")
	for _, m := range wrong {
		t.Error(m)
	}
	text, err := set.NoticeText(templates.Notice{
		Kind: templates.Reminder, Game: "wolf", Title: "The Big Bad Wolf", Turn: 4, Ship: "Hood", Captain: "Kirk",
		Deadline: "Tue 12 May 2026, 20:00 CEST", Left: "4 hours", Missing: []string{"Hood"},
	})
	if err != nil {
		t.Fatal(err)
	}
	made(t, templatesPage, "example mail", "A reminder then reads:\n\n"+fenced(text))

	var views strings.Builder
	for _, name := range []string{"Report", "OrdersDue", "Phase", "Line", "Note", "Ack", "AckLine", "Diagnostic", "Reply", "CommandResult", "RelayedMessage", "Notice", "Panel", "Column", "BoxRow", "Map"} {
		views.WriteString(declared(t, name) + "\n\n")
	}
	made(t, templatesPage, "views", "```go\n"+strings.TrimSpace(views.String())+"\n```")
}

// declared returns the source of a type declaration in package templates.
func declared(t *testing.T, name string) string {
	t.Helper()
	for _, file := range []string{"report", "ack", "notice", "map"} {
		source := read(t, "../templates/"+file+".go")
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			d, ok := d.(*ast.GenDecl)
			if !ok || d.Tok != token.TYPE || d.Specs[0].(*ast.TypeSpec).Name.Name != name {
				continue
			}
			return string(source[set.Position(d.Pos()).Offset:set.Position(d.End()).Offset])
		}
	}
	t.Fatalf("there is no type %s", name)
	return ""
}
