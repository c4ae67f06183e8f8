package templates

// Forms are the drawings of a report: what Text, HTML and SVG write.
type Forms struct{ Text, HTML, SVG []byte }

// Draw makes all forms of a report at once; the maps in them are drawn once.
func Draw(r Report) Forms {
	f := Forms{SVG: appendFile(&r.Map)}
	m := drawings{ascii: appendASCII(nil, &r.Map), svg: f.SVG[len(svgProlog) : len(f.SVG)-1]}
	text, markup := r.weigh()
	f.Text = appendReport(make([]byte, 0, text+len(m.ascii)), &r, m)
	f.HTML = appendHTML(make([]byte, 0, markup+len(m.ascii)+len(m.svg)), &r, m)
	return f
}

// drawings are a map as characters and as an SVG element.
type drawings struct{ ascii, svg []byte }

func drawn(m *Map) drawings { return drawings{appendASCII(nil, m), appendSVG(nil, m)} }

// weigh guesses how long a report becomes without its maps, as text and as
// HTML, rather too long than too short.
func (r *Report) weigh() (text, markup int) {
	const row, part, overhead = pageWidth + 1, 200, 6000
	text, markup = overhead+len(r.Orders), overhead+len(r.Orders)
	for i := range r.Phases {
		text, markup = text+part, markup+part
		for j := range r.Phases[i].Lines {
			l := &r.Phases[i].Lines[j]
			text += row + row*(len(l.Text)+len(l.Cite))/(pageWidth-6)
			markup += len(l.Text) + len(l.Cite) + 60
		}
	}
	for i := range r.Panels {
		p := &r.Panels[i]
		text, markup = text+part, markup+2*part
		for _, n := range p.Notes {
			text, markup = text+len(n)+row, markup+len(n)+20
		}
		text += row * len(p.Rows)
		for _, cells := range p.Rows {
			markup += 20
			for _, c := range cells {
				markup += len(c) + 20
			}
		}
	}
	return text, markup
}
