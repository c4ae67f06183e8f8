package report

import (
	"bytes"
	_ "embed" // the schema

	"starpost/engine"
	"starpost/templates"
)

// Rendered is one report. What is stored of it is its text and the view; the page and
// the picture are drawn when they are asked for or sent.
type Rendered struct {
	Text      []byte
	View      ViewJSON
	HTML, SVG []byte // nil until they are drawn
	Headline  string // the turn in one line, for subjects
}

// Renderer makes reports one after the other in the same memory, which is most of
// what making many costs.
type Renderer struct {
	Templates *templates.Set // nil for those built in

	forms templates.Forms
	data  []byte
}

// Write makes what is stored of a report, its text and its view, which are the caller's. Cache may be nil.
func (p *Renderer) Write(r *engine.Rules, v *engine.View, f Meta, c *Cache) (Rendered, error) {
	rep, err := p.render(r, v, f, c, (*templates.Forms).RenderText)
	rep.View.Around = bytes.Clone(rep.View.Around)
	return rep, err
}

// Render makes all four forms of a report; they last until the next. Cache may
// be nil.
func (p *Renderer) Render(r *engine.Rules, v *engine.View, f Meta, c *Cache) (Rendered, error) {
	return p.render(r, v, f, c, (*templates.Forms).RenderAll)
}

// Draw makes the page of a report that is written, or its picture, and its view, by which to know that it is the
// same; they last until the next. Cache may be nil.
func (p *Renderer) Draw(r *engine.Rules, v *engine.View, f Meta, c *Cache, picture bool) (Rendered, error) {
	draw := (*templates.Forms).RenderHTML
	if picture {
		draw = (*templates.Forms).RenderSVG
	}
	rep, err := p.render(r, v, f, c, draw)
	if picture {
		rep.HTML = nil // of an earlier report
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

// ASCII is the map of a view as text, for `starpost map`.
func ASCII(r *engine.Rules, v *engine.View) string {
	return templates.ASCIIMap(BuildMap(r, v, r.Present(v)))
}

//go:embed schema/view.schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of the JSON report.
func Schema() []byte { return bytes.Clone(schema) }
