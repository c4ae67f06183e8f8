package sheet

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"starpost/engine/family"
)

// Class is a ship class, or a single ship, as read from its file: the sheet, and the confidence in its figures.
type Class struct {
	Sheet
	Title   string   `json:"title"`
	Navy    string   `json:"navy,omitempty"`
	Note    string   `json:"note,omitempty"`
	Sources []Source `json:"sources,omitempty"`
	// Marks are the short names of a figure's sources, by figure: "shields", "turn_mode", "move_cost", "cloak",
	// "breakdown", "boarding", "size", or a bank's name after "banks.".
	Marks map[string][]string `json:"marks,omitempty"`
}

// Source is a source of figures. Mark is its short name in the file.
type Source struct {
	Mark       string `json:"mark"`
	Source     string `json:"source"`
	Confidence string `json:"confidence"`
}

//go:embed data/*.toml
var data embed.FS

var builtin = sync.OnceValues(func() (map[string]*Class, error) {
	names, err := fs.Glob(data, "data/*.toml")
	if err != nil {
		return nil, fmt.Errorf("list the built-in sheets: %w", err)
	}
	all := map[string]*Class{}
	for _, name := range names {
		text, err := fs.ReadFile(data, name)
		if err != nil {
			return nil, fmt.Errorf("read a built-in sheet: %w", err)
		}
		c, err := Read(path.Base(name), text)
		if err != nil {
			return nil, fmt.Errorf("built-in sheets: %w", err)
		}
		all[c.Class] = c
	}
	return all, nil
})

// maxSheetFiles is the most sheet files a game may have.
const maxSheetFiles = 64

// Classes returns the built-in classes by name, with a game's own files overriding them. All mistakes are returned
// together, each an *family.TableError.
func Classes(files map[string][]byte) (map[string]*Class, error) {
	all, err := builtin()
	if err != nil || len(files) == 0 {
		return all, err
	}
	if len(files) > maxSheetFiles {
		return nil, fmt.Errorf("%d files of sheets, more than %d", len(files), maxSheetFiles)
	}
	all = maps.Clone(all)
	in := map[string]string{}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		c, err := Read(name, files[name])
		switch {
		case err != nil:
			errs = append(errs, err)
		case in[c.Class] != "":
			errs = append(errs, &family.TableError{File: name, Message: fmt.Sprintf("class %s stands in %s already", c.Class, in[c.Class])})
		default:
			all[c.Class], in[c.Class] = c, name
		}
	}
	return all, errors.Join(errs...)
}

// Called finds a class by its name, ignoring case, or by its title if no name is given.
func Called(classes map[string]*Class, name, title string) (*Class, bool) {
	if name != "" || title == "" {
		c, ok := classes[strings.ToLower(name)]
		return c, ok
	}
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		if c := classes[name]; c.Title == title {
			return c, true
		}
	}
	return nil, false
}

// text returns a figure's text followed by the marks of its sources.
func (c *Class) text(figure, value string) string {
	if marks := c.Marks[figure]; len(marks) > 0 {
		return value + " [" + strings.Join(marks, " ") + "]"
	}
	return value
}

// classFigure is a number of a class with its own key in the file.
type classFigure struct {
	key   string
	of    *int
	most  int
	means string // for mistakes, after "expected"
	words string // for lists of her figures, with the number
}

// figures returns those numbers of a class.
func (c *Class) figures() []classFigure {
	return []classFigure{
		{"cloak", &c.Cloak, maxBoxes, "the energy it takes a turn", "%d energy a turn"},
		{"breakdown", &c.Breakdown, 6, "the lowest die on which a high energy turn breaks her engines", "engines break in a high energy turn on a die of %d or more"},
		{"boarding", &c.Boarding, maxBoxes, "her boarding parties", "%d boarding parties"},
		{"size", &c.Size, 5, "her size", "class %d, of which 4 are the smallest ships and 2 the largest"},
	}
}

// toml returns the class as a file for [Read], with the boxes that are left.
func (c *Class) toml() string {
	var b strings.Builder
	put := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s = %s\n", key, quoted(value))
		}
	}
	put("name", c.Class)
	put("title", c.Title)
	put("navy", c.Navy)
	put("note", c.Note)
	put("shields", c.text("shields", c.shieldText()))
	put("turn_mode", c.text("turn_mode", c.turnText()))
	if c.MoveCost > 0 {
		put("move_cost", c.text("move_cost", Fraction(c.MoveCost)))
	}
	for _, f := range c.figures() {
		if *f.of > 0 {
			put(f.key, c.text(f.key, fmt.Sprint(*f.of)))
		}
	}
	b.WriteString("\n[banks]\n")
	for _, bank := range c.Banks {
		put(bank.Name, c.text("banks."+bank.Name, bank.String()))
	}
	for _, s := range c.Sources {
		fmt.Fprintf(&b, "\n[marks.%s]\n", s.Mark)
		put("source", s.Source)
		put("confidence", s.Confidence)
	}
	return b.String()
}

// String returns the boxes as in files: all of them, or "2/6" for two left of six.
func (b Boxes) String() string {
	if b.Left == b.All {
		return fmt.Sprint(b.All)
	}
	return fmt.Sprintf("%d/%d", b.Left, b.All)
}

// String returns the bank as in files, without its name.
func (b Bank) String() string {
	text := b.Boxes.String()
	if len(b.Track) > 0 {
		text = strings.Trim(strings.ReplaceAll(fmt.Sprint(b.Track), " ", "-"), "[]")
		if b.Left < b.All {
			text = fmt.Sprintf("%d/%s", b.Left, text)
		}
	}
	text += " " + string(b.Kind)
	if b.Arcs != 0 {
		text += " " + b.Arcs.String()
	}
	if b.Reach > 0 {
		text += fmt.Sprintf(" r%d", b.Reach)
	}
	return text
}
