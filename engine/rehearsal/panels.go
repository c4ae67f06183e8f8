package rehearsal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
)

// Panels returns the result as tables: what was played, one table for each ship, and what was assumed.
func (b *Bands) Panels() []engine.Panel {
	head := engine.Panel{Key: "rehearsal", Title: fmt.Sprintf("Rehearsal of turn %d", b.Turn), Notes: []string{b.played()}}
	if b.Phase > 0 {
		head.Title += fmt.Sprintf(", phase %d", b.Phase)
	}
	head.Notes = append(head.Notes, "Least and most are the extremes; in 80 of 100 battles the figure is between low and high.")
	if len(b.Ends) > 0 {
		head.Notes = append(head.Notes, "The battle ended: "+times(b.Ends, b.Played))
	}
	for _, o := range b.Undone {
		head.Notes = append(head.Notes, fmt.Sprintf("Not carried out in %d of %d: %s", o.Times, b.Played, o.What))
	}
	out := []engine.Panel{head}
	for _, s := range b.Ships {
		out = append(out, s.panel(b.Played))
	}
	if len(b.Assumed) > 0 {
		out = append(out, engine.Panel{Key: "assumed", Title: "Assumed, because you cannot know it", Notes: slices.Clone(b.Assumed)})
	}
	return out
}

// played says how many battles there were.
func (b *Bands) played() string {
	text := fmt.Sprintf("Played %d times with other dice, from what you know.", b.Played)
	if b.Played < b.Asked {
		text = fmt.Sprintf("Played %d times with other dice, from what you know; you asked for %d, but a battle of this size cannot be played more often.", b.Played, b.Asked)
	}
	return text
}

// panel returns the table of a ship.
func (s *shipBands) panel(battles int) engine.Panel {
	p := engine.Panel{Key: "rehearsal-" + string(s.Ship), Title: s.Name + ": " + s.By, Notes: []string{"fate: " + times(s.Fates, battles)}}
	if len(s.Places) > 0 {
		p.Notes = append(p.Notes, "ends at: "+times(s.Places, battles))
	}
	if len(s.Figures) == 0 {
		p.Notes = append(p.Notes, "neither fires nor is hit")
		return p
	}
	p.Columns = []engine.Column{{Name: ""}}
	for _, name := range []string{"least", "low", "middle", "high", "most"} {
		p.Columns = append(p.Columns, engine.Column{Name: name, Right: true})
	}
	for _, f := range s.Figures {
		row := []string{f.Name}
		for _, n := range []int{f.Least, f.Low, f.Middle, f.High, f.Most} {
			row = append(row, strconv.Itoa(n))
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

// times returns a list in words.
func times(all []Times, battles int) string {
	words := make([]string, len(all))
	for i, t := range all {
		if words[i] = fmt.Sprintf("%s in %d", t.What, t.Times); t.Times == battles {
			words[i] = t.What + " each time"
		}
	}
	return strings.Join(words, ", ")
}
