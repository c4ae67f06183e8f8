// Package conformance tests engines with cases: small situations in plain text, each with its expected results.
//
// [Load] reads a suite, [Case.Question] turns a case into a question for an engine, [Play] answers it with a rule
// set of this program, [Engine] lets another program answer it, and [Case.Compare] lists the differences.
// docs/cases.md describes the formats of cases, questions and answers. The package knows no rule set.
package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Cases reads every case (*.txt) of a folder and those below it.
func Cases(fsys fs.FS) ([]*Case, error) {
	var all []*Case
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".txt" {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		c, err := Parse(name, data)
		if err != nil {
			return err
		}
		all = append(all, c)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the cases: %w", err)
	}
	if len(all) == 0 {
		return nil, errors.New("there are no cases")
	}
	return all, nil
}

// Suite has the cases of rule sets, in one folder for each, named after it. Files ships/*.toml in it are classes of
// the suite's own, in addition to the rule set's.
type Suite struct {
	Cases []*Case

	tables map[string]map[string]string // by rule set and name
}

// Load reads a suite.
func Load(fsys fs.FS) (*Suite, error) {
	cases, err := Cases(fsys)
	if err != nil {
		return nil, err
	}
	s := &Suite{Cases: cases, tables: map[string]map[string]string{}}
	names, err := fs.Glob(fsys, "*/ships/*.toml")
	if err != nil {
		return nil, fmt.Errorf("read the ships of the suite: %w", err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("read the ships of the suite: %w", err)
		}
		set, _, _ := strings.Cut(name, "/")
		if s.tables[set] == nil {
			s.tables[set] = map[string]string{}
		}
		s.tables[set][path.Base(name)] = string(data)
	}
	return s, nil
}

// RuleSet returns the rule set of a case of a suite: its folder.
func (c *Case) RuleSet() string {
	set, _, _ := strings.Cut(c.Name, "/")
	return set
}

// Tables returns those of the suite's own classes that a question needs.
func (s *Suite) Tables(q Question) map[string]string {
	out := map[string]string{}
	for _, class := range q.ShipClasses() {
		if text, own := s.tables[q.Rules][class+".toml"]; own {
			out[class+".toml"] = text
		}
	}
	return out
}

// ShipClasses returns the classes of the ships in a question's scenario, sorted.
func (q Question) ShipClasses() []string {
	var out []string
	ships, _ := q.Scenario["ship"].([]table)
	for _, ship := range ships {
		out = append(out, fmt.Sprint(ship["class"]))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// About reports whether a word selects a case: its rule set, a paragraph that it cites, or its name, which may lack
// its last part or have * and ? in it.
func (c *Case) About(word string) bool {
	name := strings.TrimSuffix(c.Name, ".txt")
	fits, err := path.Match(word, name)
	return err == nil && fits || strings.HasPrefix(name, strings.TrimSuffix(word, "/")+"/") || word == name || slices.Contains(c.Cite, word)
}
