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

// Clone copies the forms.
func (r Rendered) Clone() Rendered {
	r.Text, r.HTML, r.SVG, r.JSON = bytes.Clone(r.Text), bytes.Clone(r.HTML), bytes.Clone(r.SVG), bytes.Clone(r.JSON)
	return r
}

// Renderer makes reports one after the other in the same memory, which is most of
// what making many costs.
type Renderer struct {
	forms templates.Forms
	data  []byte
}

// Render makes all four forms of a report; they last until the next. Cache may
// be nil.
func (p *Renderer) Render(r *engine.Rules, v *engine.View, f Meta, c *Cache) (Rendered, error) {
	var err error
	if p.data, err = appendJSON(p.data[:0], v, c); err != nil {
		return Rendered{}, err
	}
	rep := Build(r, v, f)
	p.forms.RenderAll(rep)
	return Rendered{Text: p.forms.Text, HTML: p.forms.HTML, SVG: p.forms.SVG, JSON: p.data, Headline: rep.Headline}, nil
}

// ASCII is the map of a view as text, for `starpost map`.
func ASCII(r *engine.Rules, v *engine.View) string {
	return templates.ASCIIMap(BuildMap(r, v, r.Present(v)))
}

//go:embed schema/view.schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of the JSON report.
func Schema() []byte { return bytes.Clone(schema) }
