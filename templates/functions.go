//go:build !js

package templates

import (
	"fmt"
	htmltemplate "html/template"
	"maps"
	"strconv"
	"sync"
	"text/template"

	"starpost/templates/clean"
)

// mostPrinted is the most bytes that one call of print, printf or println returns.
const mostPrinted = 64 << 10

// commonFuncs returns the functions of both text and HTML templates. Library functions that
// could fill memory are bounded. The others are named, because compiled templates call them.
func commonFuncs() template.FuncMap {
	return template.FuncMap{
		"print":   func(v ...any) (string, error) { return printed(fmt.Sprint(v...)) },
		"println": func(v ...any) (string, error) { return printed(fmt.Sprintln(v...)) },
		"printf":  func(format string, v ...any) (string, error) { return printed(fmt.Sprintf(format, v...)) },
		"join":    join,
		"named":   named,
		"titled":  titled,
		"turn":    turnWords,
		"counts":  countsOf,
	}
}

func printed(s string) (string, error) {
	if len(s) > mostPrinted {
		return "", errTooMuch
	}
	return s, nil
}

func countsOf(d []Diagnostic) string { return countWords(Ack{Diagnostics: d}.Counts()) }

// layoutFuncs returns the functions of text templates that produce laid-out lines.
func layoutFuncs() template.FuncMap {
	return template.FuncMap{
		"para": func(lead string, hang int, s string) laid {
			return laidOut(func(p *page) { p.clippedPara(lead, hang, s) })
		},
		"ends":     func(left, right string) laid { return laidOut(func(p *page) { p.ends(left, right) }) },
		"verbatim": func(s string) laid { return laidOut(func(p *page) { p.verbatim(s) }) },
		"quoted":   func(s string) laid { return laidOut(func(p *page) { p.quoted(s) }) },
		"barred":   func(s string) laid { return laidOut(func(p *page) { p.foreign(s) }) },
		"shown":    func(s string) laid { return laidOut(func(p *page) { p.shown(s) }) },
		"excerpt":  func(d Diagnostic) laid { return laidOut(func(p *page) { p.excerpt(&d) }) },
		"read":     func(l []AckLine) laid { return laidOut(func(p *page) { p.ackLines(l) }) },
		"phase":    func(width int, ph Phase) laid { return laidOut(func(p *page) { p.clippedPhase(width, &ph) }) },
		"panel":    func(v Panel) laid { return laidOut(func(p *page) { p.panel(&v) }) },
		"map":      func(m Map) laid { return laidOut(func(p *page) { p.asciiMap(&m) }) },
	}
}

// clippedPara is para with bounded arguments, since a host's template may pass anything.
func (p *page) clippedPara(lead string, hang int, s string) {
	p.para(clean.Clip(cleanString(lead), pageWidth/2), min(max(hang, 0), pageWidth/2), s)
}

// clippedPhase is phase with a bounded width.
func (p *page) clippedPhase(width int, ph *Phase) { p.phase(ph, min(max(width, 0), pageWidth/4)) }

func (p *page) ackLines(l []AckLine) { table(p, lineGrid{l}) }

func (p *page) asciiMap(m *Map) { p.b = appendASCII(p.b, m) }

// textFuncs returns all functions of text templates.
func textFuncs() template.FuncMap {
	all := commonFuncs()
	maps.Copy(all, layoutFuncs())
	all["clean"] = func(v any) string {
		switch v := v.(type) {
		case laid:
			return string(v)
		case string:
			return cleanString(v)
		case int:
			return strconv.Itoa(v)
		}
		return cleanString(fmt.Sprint(v))
	}
	return all
}

// htmlFuncs returns all functions of HTML templates. html/template escapes their
// results, except drawings and styles, which are our own.
func htmlFuncs() template.FuncMap {
	all := commonFuncs()
	maps.Copy(all, template.FuncMap{
		"svg":     svgOf,
		"night":   nightOf,
		"ascii":   ASCIIMap,
		"ships":   shipList,
		"prose":   prose,
		"barred":  barred,
		"quoted":  quoted,
		"excerpt": underlined,
		"cells":   cellsOf,
		"boxes":   boxGroups,
		"told":    toldOf,
		"indent":  indentOf,
		"id":      cssID,
	})
	return all
}

func svgOf(m Map) htmltemplate.HTML { return htmltemplate.HTML(appendSVG(nil, &m, nil)) }

var nightCSS = sync.OnceValue(NightCSS)

func nightOf() htmltemplate.CSS { return htmltemplate.CSS(nightCSS()) }

// toldPhases holds phases and the width of the numbers before their lines, 0 for none.
type toldPhases struct {
	Phases []Phase
	Width  int
}

func toldOf(phases []Phase, width int) toldPhases { return toldPhases{phases, width} }

// indentOf returns the indentation in pixels of a line at the given depth.
func indentOf(depth int) int { return 8 + 9*(indent(depth)-2) }

// drawnBy adapts a compiled template to views of any type. The result reports whether the view had the right type.
func drawnBy[T any](draw func(p *page, view *T)) func(p *page, view any) bool {
	return func(p *page, view any) bool {
		v, ok := view.(T)
		if ok {
			draw(p, &v)
		}
		return ok
	}
}
