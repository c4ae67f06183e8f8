package site

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/scenario"
	"starpost/pbem/rating"
	"starpost/pbem/report"
	"starpost/pbem/trial"
	"starpost/templates/composer"
	"starpost/templates/pages"
)

// scenarios writes a page for each scenario that comes with the program, and the list of them. They are drawn again
// after new measurements or games.
func (w *writer) scenarios(played []rating.Game) error {
	measured, err := w.o.Scores.All()
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	for _, f := range w.o.Families {
		own, err := f.ScenarioFiles()
		if err != nil {
			return err
		}
		maps.Copy(files, own)
	}
	fought := map[string][]rating.Game{}
	for _, g := range played {
		if _, ok := files[g.Scenario]; ok {
			fought[g.Scenario] = append(fought[g.Scenario], g)
		}
	}
	names := slices.Sorted(maps.Keys(files))
	lines := make(map[string][]string, len(names))
	var mark strings.Builder
	fmt.Fprintf(&mark, "%v", measured)
	for _, name := range names {
		lines[name] = ended(fought[name])
		fmt.Fprintf(&mark, "%s %q", name, lines[name])
	}
	there := []string{scenariosFile}
	for _, name := range names {
		there = append(there, scenarioFile(name))
	}
	if w.current("scenarios", mark.String(), there...) {
		return nil
	}
	design := ""
	if _, err := composer.Edition(); err == nil {
		design = composer.Folder(w.o.Version) + composer.DesignFile
	}
	var list []pages.Scenario
	for _, name := range names {
		page, err := w.scenario(name, files[name])
		if err != nil {
			return err
		}
		page.Fought, page.Design = lines[name], design
		for _, m := range measured {
			if m.Scenario == name {
				score := scoreOf(m)
				score.Side = page.SideNames[m.Side]
				page.Scores = append(page.Scores, score)
			}
		}
		list = append(list, page)
		if err := w.put(page.Link, func() ([]byte, error) { return w.site.Scenario(page) }); err != nil {
			return err
		}
	}
	var others []pages.Score // of scenarios that the host has measured but the program does not know
	for _, m := range measured {
		if files[m.Scenario] == nil {
			others = append(others, scoreOf(m))
		}
	}
	return w.put(scenariosFile, func() ([]byte, error) { return w.site.Scenarios(list, others, design) })
}

const scenariosFile = "scenarios.html"

func scenarioFile(name string) string { return "scenarios/" + name + ".html" }

// scoreOf describes a measurement, with its 95% confidence interval.
func scoreOf(m rating.Measurement) pages.Score {
	low, high := trial.Interval(int(math.Round(m.Score/100*float64(m.Battles))), m.Battles)
	return pages.Score{Scenario: m.Scenario, Rules: m.Rules, Side: m.Side, Score: fmt.Sprintf("%.0f", m.Score), Sure: fmt.Sprintf("%.0f to %.0f", low, high), Battles: fmt.Sprint(m.Battles)}
}

// ended counts the results of games between people, one line for each rule set.
func ended(games []rating.Game) (lines []string) {
	bySet := map[string][]rating.Game{}
	for _, g := range games {
		bySet[g.Rules] = append(bySet[g.Rules], g)
	}
	for _, set := range slices.Sorted(maps.Keys(bySet)) {
		var won [2]int
		drawn := 0
		for _, g := range bySet[set] {
			if g.Won < 0 {
				drawn++
			} else {
				won[g.Won]++
			}
		}
		sides := bySet[set][0].Sides
		lines = append(lines, fmt.Sprintf("%s: %s won %d, %s %d, drawn %d", set, sides[0].Name, won[0], sides[1].Name, won[1], drawn))
	}
	return lines
}

// scenario returns the page of a scenario without measurements and results.
func (w *writer) scenario(name string, file []byte) (pages.Scenario, error) {
	sc, diags := scenario.Parse(file)
	if sc == nil {
		return pages.Scenario{}, fmt.Errorf("read the scenario %s: %v", name, diags)
	}
	rules, err := w.o.Catalogue.Rules(sc.Rules, nil)
	if err != nil {
		return pages.Scenario{}, err
	}
	p := pages.Scenario{
		Name: name, Title: sc.Title, Link: scenarioFile(name), RulesTitle: rules.Title, Rules: sc.Rules, Text: paragraphs(sc),
		LastTurn: sc.LastTurn, Dark: sc.Blind != nil, Robots: rules.Robot != nil, SideNames: map[string]string{},
	}
	if !p.Dark { // in a blind game only captains know where their ships start
		p.File = string(file)
	}
	tones := map[string]int{}
	for i, s := range sc.Sides {
		tones[s.ID], p.SideNames[s.ID] = i, s.Name
		p.Sides = append(p.Sides, s.Name)
	}
	for _, s := range sc.Ships {
		at := ""
		if len(s.Hex) > 0 && len(s.Heading) > 0 && !p.Dark {
			at = fmt.Sprintf("%s, heading %s", strings.Join(s.Hex, " or "), strings.Join(s.Heading, " or "))
		}
		p.Ships = append(p.Ships, pages.ScenarioShip{Name: s.Name, Class: s.Class, Side: p.SideNames[s.Side], Tone: tones[s.Side], At: at})
	}
	if p.Dark {
		return p, nil
	}
	g, diags := sc.NewGame(rules, "scenario", nil)
	if g == nil {
		return p, fmt.Errorf("set up the scenario %s: %v", name, diags)
	}
	v, err := engine.BuildView(rules, g, nil, engine.Viewer{})
	if err != nil {
		return p, fmt.Errorf("look at the scenario %s: %w", name, err)
	}
	p.Map = report.BuildMap(rules, v, engine.Presentation{})
	return p, nil
}
