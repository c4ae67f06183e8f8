package desk

import (
	"errors"
	"fmt"
	"slices"

	"starpost/pbem/lobby"
	"starpost/pbem/turn"
)

// text answers with a text of the library.
func (c *Decision) text(d *commandResult, seats []seat) error {
	if c.desk.Library == nil {
		d.refuse(CodeNoText, "there are no texts here", "")
		return nil
	}
	var sets []string
	for _, s := range c.desk.Games.Settings() {
		if slices.ContainsFunc(seats, func(o seat) bool { return o.game == s.ID }) && !slices.Contains(sets, s.Rules) {
			sets = append(sets, s.Rules)
		}
	}
	page, err := c.desk.Library.Page(d.cmd.Verb.Name, d.cmd.Words, sets)
	if unknown, ok := errors.AsType[*lobby.Error](err); ok {
		d.refuse(CodeNoText, unknown.Error(), unknown.Hint())
		return nil
	}
	if err != nil {
		return fmt.Errorf("find a text: %w", err)
	}
	d.subject = page.Title
	d.say("%s. %s", page.Title, page.Next)
	d.out.Shown = page.Text
	return nil
}

// looked is a game that is only looked at.
func (c *Decision) looked(id string) (openGame, error) {
	g, err := c.desk.Games.Look(id)
	if err != nil {
		return openGame{}, fmt.Errorf("look at game %s: %w", id, err)
	}
	pos, err := turn.Load(g)
	if err != nil {
		return openGame{}, fmt.Errorf("read game %s: %w", id, err)
	}
	return openGame{g, pos}, nil
}
