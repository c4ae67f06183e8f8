package report

import (
	"bytes"
	_ "embed" // the schema

	"starpost/engine"
	"starpost/templates"
)

// Rendered is one report in its four forms.
type Rendered struct {
	Text, HTML, SVG, JSON []byte
	Headline              string // the turn in one line, for subjects
}

// Render makes all four forms of a report. Cache may be nil.
func Render(r *engine.Rules, v *engine.View, f Facts, c *Cache) (Rendered, error) {
	data, err := JSON(v, c)
	if err != nil {
		return Rendered{}, err
	}
	rep := Build(r, v, f)
	forms := templates.Draw(rep)
	return Rendered{Text: forms.Text, HTML: forms.HTML, SVG: forms.SVG, JSON: data, Headline: rep.Headline}, nil
}

// ASCII is the map of a view as text, for `starpost map`.
func ASCII(r *engine.Rules, v *engine.View) string {
	return templates.ASCIIMap(Chart(v, r.Present(v)))
}

//go:embed schema/view.schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of the JSON report.
func Schema() []byte { return bytes.Clone(schema) }
