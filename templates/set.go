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

// drawer draws views with a template file, on a page that is empty.
type drawer interface {
	draw(to *page, view any) error
}

// Set is the templates that mails and pages are drawn with. A nil Set is the one that
// is built in. It may be used by several goroutines.
type Set struct {
	// Warn is told when a template of the host fails on what it is given; what is built
	// in is drawn then. With nil the drawing fails.
	Warn func(error)

	drawers map[string]func() (drawer, error) // of the files that the host has changed
}

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

// pageFiles are the names of the template files that are not only parts of others.
func pageFiles() []string {
	return slices.DeleteFunc(Files(), func(name string) bool { return strings.HasPrefix(name, "parts.") })
}

// File is the template file of that name as it is built in; nil if there is none.
func File(name string) []byte {
	text, err := embedded.ReadFile("files/" + path.Base(name))
	if err != nil {
		return nil
	}
	return text
}

// source is the text of a template file; errors name it so.
type source struct{ name, text string }

// page tells whether it is more than what others share.
func (s source) page() bool { return !strings.HasPrefix(path.Base(s.name), "parts.") }
