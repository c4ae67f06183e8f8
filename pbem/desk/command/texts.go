package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/identity"
	"starpost/pbem/lobby"
)

// help lists what may be sent, or explains a word.
func help(c *Task, d *Result, seats []identity.Seat) error {
	if len(d.Cmd.Words) > 0 {
		return textPage(c, d, seats)
	}
	return commandHelp(c, d, seats)
}

// plainHelp distinguishes a request for a text from a sentence such as "help me please".
func plainHelp(f *Finder, cmd *Command) bool {
	return f.plain(cmd) && (len(cmd.Words) < 2 || strings.Contains(cmd.Words[1], "-") || f.Cited(cmd.Words))
}

// topic reads the words that say which text or scenario is wanted.
func (r *commandReader) topic() { r.most(maxAsked) }

// maxAsked limits the words that say which text is wanted: a longer line is a sentence.
const maxAsked = 4

// textPage answers with a text from the library.
func textPage(c *Task, d *Result, seats []identity.Seat) error {
	if c.Services.Library == nil {
		d.Refuse(codes.NoText, "there are no texts here", "")
		return nil
	}
	near, err := c.bases(seats)
	if err != nil {
		return err
	}
	page, err := c.Services.Library.Page(d.Cmd.Verb.Name, d.Cmd.Words, near)
	if unknown, ok := errors.AsType[*lobby.Error](err); ok {
		d.Refuse(codes.NoText, unknown.Error(), unknown.Hint())
		return nil
	}
	if err != nil {
		return fmt.Errorf("find a text: %w", err)
	}
	d.Subject = page.Title
	if len(c.Commands) > 1 { // the subject of the answer covers all commands
		d.Say("%s.", page.Title)
	}
	if page.Lead != "" {
		d.Say("%s", page.Lead)
	}
	d.Out.Shown, d.Out.After = page.Text, page.Next
	return nil
}

// bases returns the rule sets that the sender may mean without naming one, each once: those of
// their games, current ones first, or else those of the games that they can join here.
func (c *Task) bases(seats []identity.Seat) (out []lobby.Basis, err error) {
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
		return cmp.Compare(a.listing.Phase/lobby.PhaseOver, b.listing.Phase/lobby.PhaseOver)
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
	if h := c.Services.Hosting; h != nil {
		for _, w := range h.Offers {
			add(c.rulesOf(w), fmt.Sprintf("the scenario %s, which is offered here", w.Scenario))
		}
	}
	if len(out) == 0 {
		add(c.rulesOf(lobby.Wish{Scenario: lobby.DefaultScenario}), fmt.Sprintf("the scenario %s, which the handbook starts with", lobby.DefaultScenario))
	}
	return out, nil
}

// rulesOf returns the rule set of a game that can be wished for; "" if there is no such scenario.
func (c *Task) rulesOf(w lobby.Wish) string {
	data, err := c.Services.Library.Scenario(w.Scenario, w.Rules)
	if err != nil {
		return ""
	}
	if sc, _ := scenario.Parse(data); sc != nil {
		return sc.Rules
	}
	return ""
}

// commandHelp says what a novice needs, and lists the sender's games and the commands.
func commandHelp(c *Task, d *Result, seats []identity.Seat) error {
	d.Subject = "What you can send"
	first, err := firstSteps(c, seats)
	if err != nil {
		return err
	}
	d.Out.Text = append(d.Out.Text, first...)
	for _, s := range seats {
		t, err := c.Opened(s.Game)
		if err != nil {
			return err
		}
		line := fmt.Sprintf("You play %s as %s.", t.Game.ID(), titled(s.Captain))
		if t.Pos.Due() > 0 {
			line = strings.TrimSuffix(line, ".") + fmt.Sprintf("; %s is due.", t.Pos.DueStage())
		}
		d.Say("%s", line)
	}
	d.Say("All commands are below. Send one as the first line of a mail, or as its subject; send several each on a separate line with a # in front, as in \"#status\".")
	for _, v := range c.all {
		if len(seats) == 0 && !v.Anybody {
			continue
		}
		d.Out.List = append(d.Out.List, strings.Join(v.Usage, ", or ")+": "+strings.ReplaceAll(v.Doc, "`", ""))
	}
	if len(seats) > 0 {
		d.Out.After = "Commands that change something need your turn key, as orders do: reply to your last report, or add key and the turn key to the command. You may leave out the name of the game if you play only one."
	}
	return nil
}

// firstSteps returns the five lines that a novice needs: for captains how to play, for others how
// to begin.
func firstSteps(c *Task, seats []identity.Seat) ([]string, error) {
	verb, cite := "orders", ""
	if c.Services.Library != nil {
		near, err := c.bases(seats)
		if err != nil {
			return nil, err
		}
		if len(near) > 0 {
			r, err := c.Services.Library.RuleSet(near[0].Set)
			if err != nil {
				return nil, err
			}
			verb = exampleVerb(r.Language)
			if cite, err = c.Services.Library.CitationOf(r.Name); err != nil {
				return nil, err
			}
		}
	}
	if len(seats) > 0 {
		return []string{
			"To play: reply to your last report with the orders at its end, edited as you like.",
			"To see what is due and whose orders are in: status",
			fmt.Sprintf("To learn what an order does: help %s. All orders: help orders", verb),
			"To learn what an error or a rule in brackets means: " + strings.Join(slices.DeleteFunc([]string{"help " + orders.CodeUnknownOrder, cite}, func(s string) bool { return s == "" }), ", "),
			"To write to another captain: message SHIP: your words",
		}, nil
	}
	robots := "To watch a battle: observe and its name"
	if h := c.Services.Hosting; h != nil && h.Practice > 0 {
		robots = fmt.Sprintf("To play against robots at any time: practice. For a first time: practice %s, one ship against one", lobby.DefaultScenario)
	}
	return []string{
		robots,
		"To play against people: games lists what you can join",
		"To read what the battles are about: scenarios",
		"To learn how to play: handbook 1",
		fmt.Sprintf("To learn what an order does: help %s. All orders: help orders", verb),
	}, nil
}

// exampleVerb returns an order for examples: fire, if there is one.
func exampleVerb(l *orders.Language) string {
	first := ""
	for _, s := range l.Sections {
		for _, v := range s.Verbs {
			if v.Name == "fire" {
				return v.Name
			}
			first = cmp.Or(first, v.Name)
		}
	}
	return cmp.Or(first, "orders")
}
