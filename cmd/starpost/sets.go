package main

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"starpost/cmd/rulesets"
	"starpost/docs"
	"starpost/engine/family"
	"starpost/orders"
	"starpost/pbem/lobby"
	"starpost/pbem/vault"
)

// families returns the rule families that this program plays. All commands use it.
var families = sync.OnceValue(rulesets.Families)

// catalogue returns the rule sets of all families by name.
func catalogue() vault.Catalogue { return vault.CatalogueOf(families()...) }

// ruleSetNames lists the rule sets, sorted.
func ruleSetNames() []string { return slices.Sorted(maps.Keys(catalogue())) }

// exampleSet returns a rule set for examples in help: the last of the first family.
func exampleSet() string {
	sets := families()[0].Sets
	return sets[len(sets)-1].Name
}

// knownRules returns an error if no rule set has the name.
func knownRules(name string) error {
	known := ruleSetNames()
	if slices.Contains(known, name) {
		return nil
	}
	return usage(nearest(name, known, "one of: "), "there is no rule set %q", name)
}

// nearest returns a hint for an unknown name: the closest known name, or else all of them, preceded by the text all.
func nearest(name string, known []string, all string) string {
	return orders.DidYouMean("%q", name, known, all+strings.Join(known, ", "))
}

// familyOf returns the family of a rule set.
func familyOf(set string) (family.Family, error) {
	for _, f := range families() {
		if slices.ContainsFunc(f.Sets, func(s family.RuleSet) bool { return s.Name == set }) {
			return f, nil
		}
	}
	return family.Family{}, knownRules(set)
}

// setsWith lists the rule sets of the families for which has is true.
func setsWith(has func(family.Family) bool) string {
	var names []string
	for _, f := range families() {
		for _, s := range f.Sets {
			if has(f) {
				names = append(names, s.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}

// builtinScenarios returns the scenarios of all families by name.
func builtinScenarios() (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, f := range families() {
		files, err := f.ScenarioFiles()
		if err != nil {
			return nil, err
		}
		maps.Copy(all, files)
	}
	return all, nil
}

// shipList returns the ship classes of all families, in order. Files are the user's own tables, which go to the
// families that can read them.
func shipList(files []string) ([]*family.Designs, error) {
	return shipListOf(files, func(family.Family) bool { return true })
}

// shipListOf is shipList for some families.
func shipListOf(files []string, of func(family.Family) bool) ([]*family.Designs, error) {
	tables, err := readTables(files)
	if err != nil {
		return nil, err
	}
	var lists []*family.Designs
	var refused error
	for _, f := range families() {
		if f.Designs == nil || !of(f) {
			continue
		}
		switch list, err := f.Designs(tables); {
		case err == nil:
			lists = append(lists, list)
		case len(files) == 0:
			return nil, err
		default:
			refused = cmp.Or(refused, tablesError(err, files, ""))
		}
	}
	if len(lists) == 0 {
		return nil, refused
	}
	return lists, nil
}

// findDesign finds a class by name, ignoring case.
func findDesign(lists []*family.Designs, name string) (family.Design, error) {
	var known []string
	for _, l := range lists {
		for _, d := range l.All {
			if strings.EqualFold(d.Name, name) {
				return d, nil
			}
			known = append(known, d.Name)
		}
	}
	msg := fmt.Sprintf("unknown ship design %q", name)
	if near := orders.Suggest(name, known); near != "" {
		msg += ", did you mean " + near + "?"
	}
	return family.Design{}, usage("see: starpost ships", "%s", msg)
}

// classNames lists the built-in ship classes.
func classNames() []string {
	lists, err := shipList(nil)
	if err != nil {
		return nil
	}
	var names []string
	for _, l := range lists {
		for _, d := range l.All {
			names = append(names, d.Name)
		}
	}
	return names
}

// library returns what people can look up by mail.
func library() *lobby.Library {
	return &lobby.Library{Families: families(), Texts: docs.Texts}
}

// campaignRules returns the rules for rosters: those of the first family that has any.
func campaignRules() *family.CampaignRules {
	for _, f := range families() {
		if f.Campaign != nil {
			return f.Campaign
		}
	}
	return &family.CampaignRules{}
}

func readTables(files []string) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, file := range files {
		data, err := readFile("a table of ships", file, maxScenario)
		if err != nil {
			return nil, err
		}
		out[tableName(file)] = data
	}
	return out, nil
}

// tableName returns a table's name in the game directory.
func tableName(file string) string { return "ships/" + filepath.Base(file) }

// tablesError turns errors in the user's own tables into a list of mistakes, and returns other errors unchanged.
// Files are the tables' paths; so completes the last line of the message.
func tablesError(err error, files []string, so string) error {
	found := tableMistakes(err, files)
	if len(found) == 0 {
		return err
	}
	return mistakes(found, "tables that can, to compare with: examples/raiders-ships.toml", "these tables cannot be used%s", so)
}

// tableMistakes returns lines for the table mistakes in an error.
func tableMistakes(err error, files []string) []string {
	if t, ok := err.(*family.TableError); ok { //nolint:errorlint // every node of the tree is looked at
		name := t.File
		if i := slices.IndexFunc(files, func(file string) bool { return tableName(file) == t.File }); i >= 0 {
			name = files[i]
		}
		return []string{fmt.Sprintf("%s:%d:%d: E409 %s", name, max(1, t.Line), max(1, t.Col), t.Message)}
	}
	var lines []string
	switch e := err.(type) { //nolint:errorlint // every node of the tree is looked at
	case interface{ Unwrap() []error }:
		for _, below := range e.Unwrap() {
			lines = append(lines, tableMistakes(below, files)...)
		}
	case interface{ Unwrap() error }:
		lines = tableMistakes(e.Unwrap(), files)
	}
	return lines
}

func scenarioNamed(files map[string][]byte, name string) ([]byte, error) {
	if data, ok := files[name]; ok {
		return data, nil
	}
	return nil, usage(nearest(name, slices.Sorted(maps.Keys(files)), "built in: "), "there is no scenario %q", name)
}

// readScenario reads a file if the name looks like a path, or else a built-in scenario.
func readScenario(name string) (file string, data []byte, err error) {
	if strings.ContainsAny(name, "./\\") {
		data, err = readFile("the scenario", name, maxScenario)
		return name, data, err
	}
	files, err := builtinScenarios()
	if err != nil {
		return "", nil, err
	}
	data, err = scenarioNamed(files, name)
	return name + ".toml", data, err
}

func scenarioNames() []string {
	files, err := builtinScenarios()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(files))
}
