package tables

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"

	"starpost/engine/hex"
)

//go:embed data/*.toml
var data embed.FS

// maxTableFiles is the most table files that a game may bring.
const maxTableFiles = 64

var (
	builtin = sync.OnceValues(func() (*Library, error) { return load("data/*.toml") })
	core    = sync.OnceValues(loadCore)
	later   = sync.OnceValues(func() (*Library, error) { return load("data/courses.toml") })
)

// Builtin is the library that ships with the program, read and checked once in
// a process. It must not be changed.
func Builtin() (*Library, error) { return builtin() }

// Core is Builtin for processes that may not need all of it, at a tenth of the
// cost: charts, arcs, locations and shields. A game holds the figures of its ships, so that a turn
// of the Basic Course resolves on these. What else there is is read when a method
// first asks for it; the fields Weapons, Designs, Families and those of later courses stay nil.
func Core() (*Library, error) { return core() }

func loadCore() (*Library, error) {
	l, err := load("data/charts.toml")
	if err != nil {
		return nil, err
	}
	l.Weapons, l.Designs, l.Families = nil, nil, nil
	return l, nil
}

// load reads the embedded files that match.
func load(patterns ...string) (*Library, error) {
	var names []string
	for _, pattern := range patterns {
		match, err := fs.Glob(data, pattern)
		if err != nil {
			return nil, fmt.Errorf("built-in tables: %w", err)
		}
		names = append(names, match...)
	}
	files := make([]*tableFile, len(names))
	errs := make([]error, len(names))
	// Reading is most of the start of a process, so files share the cores.
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() {
			text, err := fs.ReadFile(data, name)
			if err == nil {
				files[i], err = readTables(path.Base(name), text)
			}
			errs[i] = err
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("built-in tables: %w", err)
	}
	l := &Library{
		Charts: map[string][]int{}, Weapons: map[string]WeaponType{}, Designs: map[string]Design{},
		Arcs: map[string][]hex.Arc{}, Families: map[string]weaponFamily{},
	}
	if err := l.merge(files, true); err != nil {
		return nil, fmt.Errorf("built-in tables: %w", err)
	}
	return l, nil
}

// With is this library with a game's own table files over it, by name. Each
// may hold charts, arcs, families, weapons and designs in the form of the
// built-in files; what has the same name as something here replaces it.
// Sources may be left out. All mistakes come back together, each a *family.TableError
// with file and, where it can be found, line and column: broken TOML, unknown
// keys, the same thing in two files, names that nothing has, figures out of
// reason. The receiver stays as it is.
func (l *Library) With(files map[string][]byte) (*Library, error) {
	if len(files) > maxTableFiles {
		return nil, fmt.Errorf("%d table files, more than %d", len(files), maxTableFiles)
	}
	l, err := l.whole()
	if err != nil {
		return nil, err
	}
	var read []*tableFile
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		t, err := readTables(name, files[name])
		if err != nil {
			errs = append(errs, err)
			continue
		}
		read = append(read, t)
	}
	// With a file missing, references to it would only add noise.
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	own := *l
	own.Charts, own.Weapons, own.Designs = maps.Clone(l.Charts), maps.Clone(l.Weapons), maps.Clone(l.Designs)
	own.Arcs, own.Families = maps.Clone(l.Arcs), maps.Clone(l.Families)
	own.Origins = slices.Clone(l.Origins)
	if err := own.merge(read, false); err != nil {
		return nil, err
	}
	return &own, nil
}
