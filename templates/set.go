package templates

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed files
var embedded embed.FS

// drawer draws views with a template file, on an empty page.
type drawer interface {
	draw(to *page, view any) error
}

// Set is a set of templates for mails and pages. A nil Set is the built-in set. A Set
// may be used by several goroutines.
type Set struct {
	// Warn is called when a template of the host fails; the built-in template is drawn
	// instead. If Warn is nil, drawing returns the error.
	Warn func(error)

	drawers map[string]func() (drawer, error) // by name, for the pages that the host has changed
}

// Files returns the names of all template files, sorted.
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

// pageFiles returns the names of the template files that are pages, not only parts of pages.
func pageFiles() []string {
	return slices.DeleteFunc(Files(), func(name string) bool { return strings.HasPrefix(name, "parts.") })
}

// File returns the built-in template file of that name, or nil if there is none.
func File(name string) []byte {
	text, err := embedded.ReadFile("files/" + path.Base(name))
	if err != nil {
		return nil
	}
	return text
}

// source is a template file: its text, and its name in error messages.
type source struct{ name, text string }

// page reports whether the file is a page, not a file of shared parts.
func (s source) page() bool { return !strings.HasPrefix(path.Base(s.name), "parts.") }
