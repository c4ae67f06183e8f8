package report

import (
	"starpost/engine"
	"starpost/templates"
)

// JSON returns a view as the JSON report.
func JSON(v *engine.View, c *Cache) ([]byte, error) {
	view, err := appendJSON(nil, v, c)
	return view.JSON(), err
}

// Render renders all four forms of a report with a new Renderer.
func Render(r *engine.Rules, v *engine.View, f Meta, c *Cache) (Rendered, error) {
	return new(Renderer).Render(r, v, f, c)
}

// Build builds the report of a view.
func Build(r *engine.Rules, v *engine.View, f Meta) templates.Report {
	return build(r, v, f, r.Present(v))
}

// ForecastMap is forecastMap.
var ForecastMap = forecastMap
