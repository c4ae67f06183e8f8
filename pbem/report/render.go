package report

import (
	"bytes"
	_ "embed" // the schema

	"starpost/engine"
	"starpost/templates"
)

// Rendered is one report. Only the text and the view are stored; the HTML and SVG are
// drawn on request or when they are sent.
type Rendered struct {
	Text      []byte
	View      ViewJSON
	HTML, SVG []byte // nil until they are drawn
	Headline  string // the turn in one line, for subjects
}

// Renderer renders reports one after the other and reuses its buffers, because
// allocation is most of the cost of rendering many.
type Renderer struct {
	Templates *templates.Set // nil for the built-in ones

	forms templates.Forms
	data  []byte
}

// Write renders the stored parts of a report: the text and the view. The caller may keep them. Cache may be nil.
func (p *Renderer) Write(r *engine.Rules, v *engine.View, f Meta, c *Cache) (Rendered, error) {
	rep, err := p.render(r, v, f, c, (*templates.Forms).RenderText)
	rep.View.Around = bytes.Clone(rep.View.Around)
	return rep, err
}

// Render renders all four forms of a report. They are valid until the next call.
// Cache may be nil.
func (p *Renderer) Render(r *engine.Rules, v *engine.View, f Meta, c *Cache) (Rendered, error) {
	return p.render(r, v, f, c, (*templates.Forms).RenderAll)
}

// Draw renders the HTML of a stored report, or with picture its SVG, and the view, with which to check that the
// report is the same. They are valid until the next call. Cache may be nil.
func (p *Renderer) Draw(r *engine.Rules, v *engine.View, f Meta, c *Cache, picture bool) (Rendered, error) {
	draw := (*templates.Forms).RenderHTML
	if picture {
		draw = (*templates.Forms).RenderSVG
	}
	rep, err := p.render(r, v, f, c, draw)
	if picture {
		rep.HTML = nil // it may be of an earlier report
	} else {
		rep.SVG = nil
	}
	return rep, err
}

func (p *Renderer) render(r *engine.Rules, v *engine.View, f Meta, c *Cache, draw func(*templates.Forms, templates.Report) error) (Rendered, error) {
	view, err := appendJSON(p.data[:0], v, c)
	if err != nil {
		return Rendered{}, err
	}
	p.data = view.Around
	rep := build(r, v, f, r.Present(v))
	p.forms.Set = p.Templates
	if err := draw(&p.forms, rep); err != nil {
		return Rendered{}, err
	}
	return Rendered{Text: p.forms.Text, HTML: p.forms.HTML, SVG: p.forms.SVG, View: view, Headline: rep.Headline}, nil
}

// ASCII draws the map of a view as text, for `starpost map`.
func ASCII(r *engine.Rules, v *engine.View) string {
	return templates.ASCIIMap(BuildMap(r, v, r.Present(v)))
}

//go:embed schema/view.schema.json
var schema []byte

// Schema returns the JSON Schema (draft 2020-12) of the JSON report.
func Schema() []byte { return bytes.Clone(schema) }
