package desk

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"starpost/engine/scenario"
	"starpost/pbem/desk/codes"
	"starpost/pbem/lobby"
	"starpost/pbem/turn"
)

// text answers with a text of the library.
func textPage(c *task, d *commandResult, seats []seat) error {
	if c.services.Library == nil {
		d.refuse(codes.NoText, "there are no texts here", "")
		return nil
	}
	near, err := c.bases(seats)
	if err != nil {
		return err
	}
	page, err := c.services.Library.Page(d.cmd.Verb.Name, d.cmd.Words, near)
	if unknown, ok := errors.AsType[*lobby.Error](err); ok {
		d.refuse(codes.NoText, unknown.Error(), unknown.Hint())
		return nil
	}
	if err != nil {
		return fmt.Errorf("find a text: %w", err)
	}
	d.subject = page.Title
	if len(c.commands) > 1 { // the subject is of all
		d.say("%s.", page.Title)
	}
	if page.Lead != "" {
		d.say("%s", page.Lead)
	}
	d.out.Shown, d.out.After = page.Text, page.Next
	return nil
}

// bases are the rule sets that the sender means where he names none, each once: those of his games,
// of which the ones at play come first, else those that he can come to play here.
func (c *task) bases(seats []seat) (out []lobby.Basis, err error) {
	add := func(set, of string) {
		if set != "" && !slices.ContainsFunc(out, func(b lobby.Basis) bool { return b.Set == set }) {
			out = append(out, lobby.Basis{Set: set, Of: of})
		}
	}
	all, err := c.list(seats)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all.own, func(a, b listedGame) int {
		return cmp.Compare(a.listing.Phase/PhaseOver, b.listing.Phase/PhaseOver)
	})
	for _, g := range all.own {
		add(g.settings.Rules, "your game "+g.settings.ID)
	}
	if len(out) > 0 {
		return out, nil
	}
	for _, g := range all.open {
		add(g.settings.Rules, fmt.Sprintf("the game %s, which has free seats", g.settings.ID))
	}
	if h := c.services.Hosting; h != nil {
		for _, w := range h.Offers {
			add(c.rulesOf(w), fmt.Sprintf("the scenario %s, which is offered here", w.Scenario))
		}
	}
	if len(out) == 0 {
		add(c.rulesOf(lobby.Wish{Scenario: defaultScenario}), fmt.Sprintf("the scenario %s, with which the handbook begins", defaultScenario))
	}
	return out, nil
}

// rulesOf is the rule set of a game that may be wished for; "" where there is no such scenario.
func (c *task) rulesOf(w lobby.Wish) string {
	data, err := c.services.Library.Scenario(w.Scenario, w.Rules)
	if err != nil {
		return ""
	}
	if sc, _ := scenario.Parse(data); sc != nil {
		return sc.Rules
	}
	return ""
}

// looked is a game that is only looked at.
func (c *mailIn) looked(id string) (openGame, error) {
	g, err := c.people.Games.Look(id)
	if err != nil {
		return openGame{}, fmt.Errorf("look at game %s: %w", id, err)
	}
	pos, err := turn.Load(g)
	if err != nil {
		return openGame{}, fmt.Errorf("read game %s: %w", id, err)
	}
	return openGame{g, pos}, nil
}
