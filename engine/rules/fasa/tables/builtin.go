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

// Builtin returns the library that ships with the program, read and checked once in a process.
// Callers must not change it.
func Builtin() (*Library, error) { return builtin() }

// Core is like Builtin at a tenth of the cost, for processes that may not need all of it: it
// reads only charts, arcs, locations and shields. A game holds the figures of its ships, so that
// a turn of the Basic Course resolves with these. The rest is read when a method first needs it;
// the fields Weapons, Designs, Families and those of later courses stay nil.
func Core() (*Library, error) { return core() }

func loadCore() (*Library, error) {
	l, err := load("data/charts.toml")
	if err != nil {
		return nil, err
	}
	l.Weapons, l.Designs, l.Families = nil, nil, nil
	return l, nil
}

// load reads the embedded files that match the patterns.
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
	// Reading takes most of the start of a process, so files are read in parallel.
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

// With returns this library with a game's own table files, by name, on top. Each may hold
// charts, arcs, families, weapons and designs in the form of the built-in files; an entry
// replaces one of the same name here. Sources may be left out. All mistakes are returned
// together, each a *family.TableError with file and, where known, line and column: broken
// TOML, unknown keys, duplicates in two files, unknown names, figures out of range. The
// receiver is unchanged.
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
	// While a file is missing, errors about references to it would only be noise.
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
