package site

import (
	"fmt"

	"starpost/pbem/cup"
	"starpost/templates/pages"
)

// cups returns the host's cups. A cup that cannot be read keeps its old page.
func (w *writer) cups(names []string) (out []*cup.Cup) {
	for _, name := range names {
		c, err := w.o.Cups.Read(name)
		if err != nil {
			w.problems = append(w.problems, fmt.Errorf("draw the page of the cup %s: %w", name, err))
			w.folder.kept([]string{cupFile(name)})
			continue
		}
		out = append(out, c)
	}
	return out
}

// drawCups writes a page for each cup, and the list of them.
func (w *writer) drawCups(cups []*cup.Cup) error {
	if !w.site.Cups {
		return nil
	}
	known := map[string]bool{}
	for _, r := range w.known.Games {
		known[r.ID] = true
	}
	var list []pages.Cup
	for _, c := range cups {
		page := cupPage(c, known)
		list = append(list, page)
		if err := w.put(page.Link, func() ([]byte, error) { return w.site.Cup(page) }); err != nil {
			return err
		}
	}
	return w.put("cups.html", func() ([]byte, error) { return w.site.CupList(list) })
}

func cupFile(name string) string { return "cups/" + name + ".html" }

// cupPage returns the public information on a cup. Games in known have pages.
func cupPage(c *cup.Cup, known map[string]bool) pages.Cup {
	s := c.Settings
	page := pages.Cup{Name: s.Name, Title: s.Title, Link: cupFile(s.Name), How: s.How(), State: c.State(), Join: c.Joinable(), Columns: s.Columns()}
	for _, r := range c.Standings() {
		row := pages.CupRow{Place: r.Place, Name: r.Name, Note: r.Note()}
		for i, cell := range r.Cells() {
			row.Cells = append(row.Cells, pages.CupCell{Title: page.Columns[i], Value: cell})
		}
		page.Rows = append(page.Rows, row)
	}
	for n := c.Paired; n > 0; n-- {
		round := pages.CupRound{Round: n}
		for _, p := range c.Pairings(n) {
			match := pages.CupMatch{Text: p.Text}
			for _, g := range p.Games {
				one := pages.CupGame{ID: g.ID, Text: g.Text}
				if known[g.ID] {
					one.Link = gameFile(g.ID)
				}
				match.Games = append(match.Games, one)
			}
			round.Matches = append(round.Matches, match)
		}
		page.Rounds = append(page.Rounds, round)
	}
	return page
}
