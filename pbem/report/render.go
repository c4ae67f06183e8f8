package report

import (
	"bytes"
	_ "embed" // the schema
	"fmt"

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
	rep := Build(r, v, f)
	out := Rendered{Headline: rep.Headline}
	var err error
	if out.JSON, err = JSON(v, c); err != nil {
		return Rendered{}, err
	}
	var text, html, svg bytes.Buffer
	if err := templates.Text(&text, rep); err != nil {
		return Rendered{}, fmt.Errorf("write the report of %s turn %d as text: %w", v.Game, v.Turn, err)
	}
	if err := templates.HTML(&html, rep); err != nil {
		return Rendered{}, fmt.Errorf("write the report of %s turn %d as HTML: %w", v.Game, v.Turn, err)
	}
	if err := templates.SVG(&svg, rep.Map); err != nil {
		return Rendered{}, fmt.Errorf("draw the map of %s turn %d: %w", v.Game, v.Turn, err)
	}
	out.Text, out.HTML, out.SVG = text.Bytes(), html.Bytes(), svg.Bytes()
	return out, nil
}

// ASCII is the map of a view as text, for `starpost map`.
func ASCII(r *engine.Rules, v *engine.View) string {
	return templates.ASCIIMap(Chart(v, r.Present(v)))
}

//go:embed schema/view.schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of the JSON report.
func Schema() []byte { return bytes.Clone(schema) }
