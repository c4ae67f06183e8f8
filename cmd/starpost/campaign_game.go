package main

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/campaign"
	"starpost/pbem/console"
	"starpost/pbem/fault"
	"starpost/pbem/vault"
)

type enterFlags struct {
	class, captain           string
	tables                   []string
	skill, efficiency, split int
	seed                     uint64
}

func campaignEnter() *cobra.Command {
	var f enterFlags
	cmd := &cobra.Command{
		Use:   "enter ROSTER SHIP [--class CLASS] [--captain NAME]",
		Short: "Put a ship into a roster, or give one a captain",
		Long: `A ship that is not in the roster needs her class; her crew's efficiency is rolled:
three dice and 25. The captain, if he is not in the roster, is rolled as well: three
dice and 45. One who is there takes the ship over, and leaves the one he has.`,
		Example: `  starpost campaign enter war.toml Hood --class constitution-ii --captain Samelson
  starpost campaign enter war.toml Hood --captain Decker`,
		Args: exactly("a roster", "a ship"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], args[1]) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.class, "class", "", "the `CLASS` of a new ship (see: starpost ships)")
	fl.StringVar(&f.captain, "captain", "", "the ship's captain from now on: `NAME`")
	fl.StringArrayVar(&f.tables, "ships", nil, "a TOML `FILE` with ships of your own (repeatable)")
	fl.IntVar(&f.skill, "skill", 0, "the skill of a new captain, `PERCENT`, instead of a roll")
	fl.IntVar(&f.efficiency, "efficiency", 0, "the efficiency of a new crew, `PERCENT`, instead of a roll")
	fl.IntVar(&f.split, "split", 0, "`PERCENT` of his ships' points that a new captain takes for himself (default: as the campaign says)")
	fl.Uint64Var(&f.seed, "seed", 0, "derive the dice from a `NUMBER`: for tests and demonstrations only")
	completeFlag(cmd, "class", once(classNames))
	completeFlag(cmd, "ships", tomlFile)
	return cmd
}

func (f enterFlags) run(cmd *cobra.Command, file, ship string) error {
	r, err := readRoster(file)
	if err != nil {
		return err
	}
	rules := campaignRules()
	secret := dice.FromSeed(f.seed)
	if !cmd.Flags().Changed("seed") {
		if secret, err = dice.NewSecret(rand.Reader); err != nil {
			return fmt.Errorf("roll ratings: %w", err)
		}
	}
	from := dice.ForTurn(secret, r.Name, 0, nil)
	var said []string
	known := r.Ship(ship)
	switch {
	case known == nil && f.class == "":
		return usage("give her --class", "there is no ship %q in %s yet", ship, r.Name)
	case known != nil && (f.class != "" || f.efficiency != 0):
		return usage("leave --class and --efficiency out", "%s is in %s already, a %s", known.Name, r.Name, known.Class)
	case known != nil && f.captain == "":
		return usage("give --captain", "%s is in %s already", known.Name, r.Name)
	case known == nil:
		class, err := f.design()
		if err != nil {
			return err
		}
		rating := rated(from, "crew."+ship, rules.EfficiencyBase, f.efficiency)
		if err := r.Commission(ship, class, rating); err != nil {
			return err
		}
		said = append(said, fmt.Sprintf("%s: %s, crew efficiency %s", ship, class, told(rating, rules.EfficiencyBase)))
	}
	switch c := r.Captain(f.captain); {
	case f.captain == "" && f.skill != 0, c != nil && f.skill != 0:
		return usage("--skill is for a new captain", "whose skill? give a new --captain")
	case cmd.Flags().Changed("split") && (f.captain == "" || c != nil):
		return usage("--split is for a new captain; the roster can be changed by hand", "whose split? give a new --captain")
	case f.captain != "" && c == nil:
		rating := rated(from, "captain."+f.captain, rules.SkillBase, f.skill)
		if err := r.Recruit(f.captain, rating, percentFlag(cmd, "split", &f.split)); err != nil {
			return err
		}
		said = append(said, fmt.Sprintf("captain %s: skill %s", f.captain, told(rating, rules.SkillBase)))
	}
	if f.captain != "" {
		if err := r.Assign(f.captain, ship); err != nil {
			return err
		}
		said = append(said, fmt.Sprintf("%s commands %s", r.Captain(f.captain).Name, r.Ship(ship).Name))
	}
	if err := r.Write(file); err != nil {
		return err
	}
	fmt.Fprintln(cmd.OutOrStdout(), strings.Join(said, "\n"))
	return nil
}

// design looks the class up, and gives its proper name.
func (f enterFlags) design() (string, error) {
	lists, err := shipList(f.tables)
	if err != nil {
		return "", err
	}
	d, err := findDesign(lists, f.class)
	return d.Name, err
}

// rated rolls a rating, unless it is given.
func rated(from dice.Source, name string, base, given int) campaign.Rating {
	if given != 0 {
		return campaign.Rating{Value: given}
	}
	value, rolls := campaignRules().NewRating(from, strings.ToLower(name), base)
	return campaign.Rating{Value: value, Rolls: rolls[:]}
}

func told(r campaign.Rating, base int) string {
	if len(r.Rolls) == 0 {
		return fmt.Sprint(r.Value)
	}
	return fmt.Sprintf("%d (%d and dice %s)", r.Value, base, strings.Trim(fmt.Sprint(r.Rolls), "[]"))
}

func campaignMuster() *cobra.Command {
	return &cobra.Command{
		Use:   "muster ROSTER SCENARIO",
		Short: "Print a scenario with the roster's ships in it",
		Long: `Prints the scenario, built in or a file, with every ship that has the name of one
in the roster given her class, and the ratings of her captain and crew. It must be
one of a rule set that has captains and crews: ` + strings.Join(campaignRules().Sets, ", ") + ".",
		Example: "  starpost campaign muster war.toml my-battle.toml > next.toml",
		Args:    exactly("a roster", "a scenario"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := readRoster(args[0])
			if err != nil {
				return err
			}
			file, data, err := readScenario(args[1])
			if err != nil {
				return err
			}
			text, ships, diags, err := r.Muster(data, campaign.RatingKeys{Skill: campaignRules().SkillKey, Efficiency: campaignRules().EfficiencyKey})
			if err != nil {
				return err
			}
			if text == nil {
				return mistakes(console.Mistakes(file, diags), "", "%s cannot be played", file)
			}
			if _, err := cmd.OutOrStdout().Write(text); err != nil {
				return fmt.Errorf("write the scenario: %w", err)
			}
			for _, s := range ships {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s, captain %s (skill %d), crew efficiency %d\n", s.Ship, s.Class, s.Captain, s.Skill, s.Efficiency)
			}
			return nil
		},
	}
}

func campaignRecord() *cobra.Command {
	var o campaign.FateRuling
	cmd := &cobra.Command{
		Use:   "record ROSTER DIR",
		Short: "Record a game that is over in a roster",
		Long: `Gives the victory points of a finished game: for each ship that was destroyed,
crippled, captured or driven off a tenth of her power at the start, shared among the
ships that damaged her as the roster's key shares says: evenly with a further share
for the one that finished her (last), or two of three to the one that did most damage
(most). Of a ship's points a part goes to her captain's skill, the rest to her crew's
efficiency: half, or as split says in the roster, of all or of a captain.

A ship that explodes is lost with all aboard, one that strikes is taken; one that
is crippled is saved if her side has a ship left in the fight or has won, and taken
if not. --rescued and --lost say otherwise of a captain whose ship is gone. The same
game recorded again changes nothing.`,
		Example: `  starpost campaign record war.toml games/wolf
  starpost campaign record war.toml games/wolf --rescued Hood`,
		Args: exactly("a roster", "a game directory"),
		RunE: func(cmd *cobra.Command, args []string) error { return record(cmd, args[0], args[1], o) },
	}
	cmd.Flags().StringArrayVar(&o.Rescued, "rescued", nil, "the captain of this `SHIP` was saved, and waits for another (repeatable)")
	cmd.Flags().StringArrayVar(&o.Lost, "lost", nil, "the captain of this `SHIP` died (repeatable)")
	return cmd
}

func record(cmd *cobra.Command, file, dir string, o campaign.FateRuling) error {
	r, err := readRoster(file)
	if err != nil {
		return err
	}
	g, err := vault.Open(dir, catalogue())
	if err != nil {
		return err
	}
	family, err := familyOf(g.Settings().Rules)
	if err != nil {
		return err
	}
	rules := family.Campaign
	if rules == nil {
		return fault.New("games that a roster can record are of: "+setsWith(func(f engine.Family) bool { return f.Campaign != nil }),
			"game %s is played by %s, in which captains and crews earn nothing", g.ID(), g.Settings().Rules)
	}
	p, start, err := played(g, func(start, end *engine.Game, events []engine.Event) []engine.Served {
		return rules.Served(start, end, events, cmp.Or(r.Shares, rules.Shares[0].Name))
	})
	if err != nil {
		return err
	}
	before := *r
	entered, again, err := r.Record(p, o, rules)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if again {
		fmt.Fprintf(w, "game %s was recorded before; nothing is changed\n", entered.ID)
		return nil
	}
	for _, s := range start.Ships {
		c, ship := before.Commander(s.Name), before.Ship(s.Name)
		if skill, crew, ok := rules.Ratings(s); ok && c != nil && ship != nil && (skill != c.Skill || crew != ship.Efficiency) {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s fought with skill %d and efficiency %d; the roster had %d and %d\n", ship.Name, skill, crew, c.Skill, ship.Efficiency)
		}
	}
	if err := r.Write(file); err != nil {
		return err
	}
	fmt.Fprintf(w, "game %s, over after turn %d: %s\n", entered.ID, entered.Turns, entered.Result)
	for _, s := range entered.Ships {
		fmt.Fprintf(w, "%s: %d points", s.Name, s.Points)
		if s.Against != "" {
			fmt.Fprintf(w, " against %s", s.Against)
		}
		fmt.Fprintf(w, "; crew efficiency %d; %s", s.Crew, s.Fate)
		if c := s.Captain; c != "" {
			fmt.Fprintf(w, "; captain %s: skill %d, %s", c, s.Skill, r.Captain(c).Status)
		}
		fmt.Fprintln(w)
	}
	return nil
}

// played is what a roster needs to know of a game that is over, and its set-up; served
// tells what the game did to its ships.
func played(g *vault.Game, served func(start, end *engine.Game, events []engine.Event) []engine.Served) (p campaign.FinishedGame, start *engine.Game, err error) {
	end, err := g.State(g.Turn())
	if err != nil {
		return p, nil, err
	}
	if end.Result == nil {
		return p, nil, fault.New("record it when it is: starpost status "+g.Dir(), "game %s is not over: turn %d", g.ID(), g.Turn())
	}
	if start, err = g.State(0); err != nil {
		return p, nil, err
	}
	p = campaign.FinishedGame{ID: g.ID(), Title: end.Title, Turns: end.Turn, Result: "a draw"}
	if side, ok := end.Side(end.Result.Side); ok {
		p.Result = side.Name + " wins"
	}
	var events []engine.Event
	sum := sha256.New()
	for n := range g.Turn() + 1 {
		text, err := g.ReadFile(n, "events.jsonl")
		if err != nil {
			return p, nil, err
		}
		fmt.Fprintf(sum, "%d %d\n", n, len(text))
		sum.Write(text)
		of, err := g.Events(n)
		if err != nil {
			return p, nil, err
		}
		events = append(events, of...)
	}
	p.Hash = hex.EncodeToString(sum.Sum(nil))
	p.Ships = served(start, end, events)
	return p, start, nil
}
