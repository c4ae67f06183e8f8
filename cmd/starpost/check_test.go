package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"starpost/cmd/rulesets"
	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/compose"
	"starpost/pbem/orderset"
	views "starpost/pbem/report"
)

// compiled compiles a schema that a command prints.
func compiled(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:schema", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("urn:schema")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// holds checks a value, as JSON, against a schema.
func holds(t *testing.T, s *jsonschema.Schema, what string, value any) {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// Views, and the results of checking orders with a view alone, match their schemas: in each rule set, in the open and
// in the dark, for the orders that reports offer and for the same orders given to a ship that does not exist.
func TestSchemasHoldInAllRuleSets(t *testing.T) {
	enginetest.Sequential(t)
	seen, checks := compiled(t, views.Schema()), compiled(t, orderset.Schema())
	for _, f := range rulesets.Families() {
		files, err := f.ScenarioFiles()
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range f.Sets {
			good, bad := 0, 0
			for _, name := range slices.Sorted(maps.Keys(files)) {
				sc, diags := scenario.Parse(files[name])
				if sc == nil {
					t.Fatal(diags)
				}
				if sc.Rules != set.Name && (good > 0 || sc.Blind != nil) {
					continue
				}
				sc.Rules = set.Name
				r, err := set.Rules(nil)
				if err != nil {
					t.Fatal(err)
				}
				g, diags := sc.Drawn(dice.FromSeed(1), "game").NewGame(r, "game", nil)
				if g == nil || len(diags) > 0 {
					continue
				}
				look := func(g *engine.Game, events []engine.Event) {
					for _, c := range g.Captains() {
						who, err := r.SeatViewer(g, c.Seats[0])
						if err != nil {
							t.Fatal(err)
						}
						v, err := engine.BuildView(r, g, events, who)
						if err != nil {
							t.Fatal(err)
						}
						data, err := json.Marshal(v)
						if err != nil {
							t.Fatal(err)
						}
						holds(t, seen, set.Name+" "+name, json.RawMessage(data))
						if v.Due == 0 {
							continue
						}
						known, _, err := compose.New(rulesets.Families()).Known(data)
						if err != nil {
							t.Fatalf("%s %s: %v", set.Name, name, err)
						}
						text := views.Template(r, v, "", false)
						if r.Robot == nil { // the orders are prose for a referee, and must not be empty
							text = strings.Replace(text, "#end", "go ahead\n#end", 1)
						}
						c1 := known.Check([]byte(text), c.Name).Data("-")
						c2 := known.Check([]byte(strings.Replace(text, " ship ", " ship No", 1)), c.Name).Data("-")
						holds(t, checks, set.Name+" "+name, []orderset.File{c1, c2})
						if c1.OK && len(c1.Sets) > 0 {
							good++
						}
						if !c2.OK {
							bad++
						}
					}
				}
				look(g, nil)
				if r.Robot == nil {
					continue
				}
				sheets, err := robots.Orders(r, g, nil)
				if err != nil {
					t.Fatal(err)
				}
				after, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(1))
				if err != nil {
					t.Fatal(err)
				}
				look(after, events)
			}
			if good == 0 || bad == 0 {
				t.Errorf("%s: %d good order sets and %d with mistakes were looked at", set.Name, good, bad)
			}
		}
	}
}
