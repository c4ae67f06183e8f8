package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/scenario"
	"starpost/pbem/campaign"
	"starpost/pbem/console"
	"starpost/pbem/fault"
	"starpost/pbem/record/directory"
	"starpost/pbem/vault"
)

type enterFlags struct {
	class, captain           string
	tables, officers         []string
	skill, efficiency, split int
	seed                     uint64
}

func campaignEnter() *cobra.Command {
	var f enterFlags
	cmd := &cobra.Command{
		Use:   "enter ROSTER SHIP [--class CLASS] [--captain NAME] [--officer POST=NAME]...",
		Short: "Add a ship to a roster, or give one a captain or officers",
		Long: `A new ship needs a class; her crew's efficiency is rolled: three dice plus 25. A new
captain's skill is rolled too: three dice plus 45. A captain already in the roster
leaves the present ship for this one. The same applies to officers and posts; missing
ratings of their post, and dexterity, are rolled.`,
		Example: `  starpost campaign enter war.toml Hood --class constitution-ii --captain Samelson
  starpost campaign enter war.toml Hood --captain Decker
  starpost campaign enter war.toml Hood --officer engineer=Scott --officer helm=Sulu`,
		Args: exactly("a roster", "a ship"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeRoster(cmd, args[0], func(r *campaign.Roster) (string, error) { return f.enter(cmd, r, args[1]) })
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.class, "class", "", "the `CLASS` of a new ship (see: starpost ships)")
	fl.StringVar(&f.captain, "captain", "", "the ship's new captain: `NAME`")
	fl.StringArrayVar(&f.officers, "officer", nil, "the new officer at a post, `POST=NAME`: engineer, helm, science or weapons (repeatable)")
	fl.StringArrayVar(&f.tables, "ships", nil, "a TOML `FILE` with ships of your own (repeatable)")
	fl.IntVar(&f.skill, "skill", 0, "the skill of a new captain, `PERCENT`, instead of a roll")
	fl.IntVar(&f.efficiency, "efficiency", 0, "the efficiency of a new crew, `PERCENT`, instead of a roll")
	fl.IntVar(&f.split, "split", 0, "`PERCENT` of a ship's points for a new captain, the rest for the crew (default: the campaign's split)")
	fl.Uint64Var(&f.seed, "seed", 0, "derive the dice from a `NUMBER`: for tests and demonstrations only")
	completeFlag(cmd, "class", once(classNames))
	completeFlag(cmd, "ships", tomlFile)
	return cmd
}

// enter makes the changes that the flags name, and says which.
func (f enterFlags) enter(cmd *cobra.Command, r *campaign.Roster, ship string) (string, error) {
	rules := campaignRules()
	from, err := campaignDice(cmd, r, f.seed)
	if err != nil {
		return "", err
	}
	var said []string
	known := r.Ship(ship)
	switch {
	case known == nil && f.class == "":
		return "", usage("give her --class", "there is no ship %q in %s yet", ship, r.Name)
	case known != nil && (f.class != "" || f.efficiency != 0):
		return "", usage("leave --class and --efficiency out", "%s is in %s already, a %s", known.Name, r.Name, known.Class)
	case known != nil && f.captain == "" && len(f.officers) == 0:
		return "", usage("give --captain or --officer", "%s is in %s already", known.Name, r.Name)
	case known == nil:
		class, err := f.design()
		if err != nil {
			return "", err
		}
		rating := newRating(from, "crew."+ship, rules.EfficiencyBase, f.efficiency)
		if err := r.Commission(ship, class, rating); err != nil {
			return "", err
		}
		said = append(said, fmt.Sprintf("%s: %s, crew efficiency %s", ship, class, rating.Told(rules.EfficiencyBase)))
	}
	captain := engine.CaptainName(f.captain)
	switch c := r.Captain(captain); {
	case f.captain == "" && f.skill != 0, c != nil && f.skill != 0:
		return "", usage("--skill is for a new captain", "whose skill? give a new --captain")
	case cmd.Flags().Changed("split") && (f.captain == "" || c != nil):
		return "", usage("--split is for a new captain; the roster can be changed by hand", "whose split? give a new --captain")
	case f.captain != "" && c == nil:
		rating := newRating(from, "captain."+f.captain, rules.SkillBase, f.skill)
		if err := r.Recruit(captain, rating, percentFlag(cmd, "split", &f.split)); err != nil {
			return "", err
		}
		said = append(said, fmt.Sprintf("captain %s: skill %s", f.captain, rating.Told(rules.SkillBase)))
	}
	if f.captain != "" {
		if err := r.Assign(captain, ship, ""); err != nil {
			return "", err
		}
		said = append(said, fmt.Sprintf("%s commands %s", r.Captain(captain).Name, r.Ship(ship).Name))
	}
	told, err := f.man(r, from, ship)
	if err != nil {
		return "", err
	}
	return strings.Join(append(said, told...), "\n"), nil
}

// man assigns officers to their posts, and rolls the ratings they lack.
func (f enterFlags) man(r *campaign.Roster, from dice.Source, ship string) (said []string, err error) {
	rules := campaignRules()
	for _, text := range f.officers {
		p, err := campaign.ParsePosting(text, rules, false)
		if err != nil {
			return nil, usage(wayOut(err), "--officer: %s", err)
		}
		if p.Post == "" {
			return nil, usage("--captain "+string(p.Officer), "--officer: the captain has a flag of his own")
		}
		if r.Captain(p.Officer) == nil {
			rating := newRating(from, "captain."+string(p.Officer), rules.SkillBase, 0)
			if err := r.Recruit(p.Officer, rating, nil); err != nil {
				return nil, err
			}
			said = append(said, fmt.Sprintf("officer %s: skill as a captain %s", p.Officer, rating.Told(rules.SkillBase)))
		}
		if err := r.Assign(p.Officer, ship, p.Post); err != nil {
			return nil, err
		}
		said = append(said, fmt.Sprintf("%s has the post %s on %s", r.Captain(p.Officer).Name, p.Post, r.Ship(ship).Name))
	}
	return append(said, train(r, from, ship)...), nil
}

// design looks up the class and returns its proper name.
func (f enterFlags) design() (string, error) {
	lists, err := shipListOf(f.tables, func(f family.Family) bool { return f.Campaign != nil })
	if err != nil {
		return "", err
	}
	d, err := findDesign(lists, f.class)
	if err == nil {
		return d.Name, nil
	}
	if all, other := shipList(f.tables); other == nil {
		if d, other := findDesign(all, f.class); other == nil {
			return "", noCampaign("class %s is of other rules", d.Name)
		}
	}
	return "", err
}

func campaignMuster() *cobra.Command {
	var set string
	cmd := &cobra.Command{
		Use:   "muster ROSTER SCENARIO",
		Short: "Print a scenario with the roster's ships in it",
		Long: `Prints a scenario, built in or a file. Each ship named in the roster gets her class from
it, and the ratings of her captain and crew, or of her officers. The scenario's rule set
must have such ratings, or --rules must name one that has:
` + ratedSets() + `.`,
		Example: `  starpost campaign muster war.toml my-battle.toml > next.toml
  starpost campaign muster war.toml my-battle.toml --rules ` + exampleSet() + ` > next.toml`,
		Args: exactly("a roster", "a scenario"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := readRoster(args[0])
			if err != nil {
				return err
			}
			file, data, err := scenarioFor(args[1], set)
			if err != nil {
				return err
			}
			if sc, _ := scenario.Parse(data); sc != nil {
				if err := rated(sc.Rules); err != nil {
					return err
				}
			}
			text, ships, diags, err := r.Muster(data, campaignRules())
			if err != nil {
				return err
			}
			if text == nil {
				return mistakes(console.Mistakes(file, diags), "", "%s cannot be played", file)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s", text)
			for _, s := range ships {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s", s.Ship, s.Class)
				for _, o := range s.Aboard {
					fmt.Fprintf(cmd.ErrOrStderr(), ", %s %s (%s)", cmp.Or(o.Post, "captain"), o.Name, ratingWords(o.Ratings))
				}
				if len(s.Crew) > 0 {
					fmt.Fprintf(cmd.ErrOrStderr(), ", crew %s", ratingWords(s.Crew))
				}
				fmt.Fprintln(cmd.ErrOrStderr())
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&set, "rules", "", "the rule `SET` to play it by (default: the scenario's own)")
	completeFlag(cmd, "rules", once(ruleSetNames))
	return cmd
}

// rated returns an error if the ships of a roster cannot have ratings under a rule set.
func rated(set string) error {
	of, err := familyOf(set)
	switch {
	case err != nil:
		return err
	case of.Campaign == nil:
		return noCampaign("the scenario is played by %s", set)
	}
	if _, ok := of.Campaign.Sets[set]; !ok {
		return fault.New("play it by another: --rules with one of "+ratedSets(), "the scenario is played by %s, which has no captains and crews with ratings", set)
	}
	return nil
}

// noCampaign makes the error for rules under which captains and crews earn nothing.
func noCampaign(format string, args ...any) error {
	return fault.New("games that a roster can record are of: "+setsWith(func(f family.Family) bool { return f.Campaign != nil }),
		format+", in which captains and crews earn nothing", args...)
}

// ratedSets lists the program's rule sets with ratings.
func ratedSets() string {
	return strings.Join(slices.DeleteFunc(ruleSetNames(), func(set string) bool {
		_, ok := campaignRules().Sets[set]
		return !ok
	}), ", ")
}

func ratingWords(all []campaign.PlacedRating) string {
	var words []string
	for _, rating := range all {
		words = append(words, fmt.Sprintf("%s %d", rating.Key, rating.Value))
	}
	return strings.Join(words, ", ")
}

func campaignRecord() *cobra.Command {
	var o campaign.FateRuling
	cmd := &cobra.Command{
		Use:   "record ROSTER DIR",
		Short: "Record a finished game in a roster",
		Long: `Awards the victory points of a finished game. Each ship that was destroyed, crippled,
captured or driven off is worth a tenth of her power at the start, shared among the
ships that damaged her. The roster's shares key sets how: evenly, with an extra share
for the one that finished her (last), or two of three to the one that did most damage
(most).

Half of a ship's points goes to her captain's skill, the rest to her crew's efficiency;
split in the roster changes that, for all or for one captain. Officers and captain share
equally where ships have officers: the captain's points go to the captain's skill, each
officer's to a chosen skill, or wait for the choice.

A ship that explodes is lost with all aboard; one that strikes is taken. A crippled ship
is saved if her side has won or has a ship left in the fight, and taken otherwise.
--rescued and --lost override this for the captain and officers of a ship that is gone,
or for one of them. Recording a game twice changes nothing.`,
		Example: `  starpost campaign record war.toml games/wolf
  starpost campaign record war.toml games/wolf --rescued Hood
  starpost campaign record war.toml games/wolf --rescued Hood/helm --rescued Hood/captain`,
		Args: exactly("a roster", "a game directory"),
		RunE: func(cmd *cobra.Command, args []string) error { return record(cmd, args[0], args[1], o) },
	}
	cmd.Flags().StringArrayVar(&o.Rescued, "rescued", nil, "those aboard this `SHIP` were saved and wait for another; SHIP/POST for one officer (repeatable)")
	cmd.Flags().StringArrayVar(&o.Lost, "lost", nil, "those aboard this `SHIP` died; SHIP/POST for one officer (repeatable)")
	return cmd
}

func record(cmd *cobra.Command, file, dir string, o campaign.FateRuling) error {
	r, err := readRoster(file)
	if err != nil {
		return err
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		return err
	}
	of, err := familyOf(g.Settings().Rules)
	if err != nil {
		return err
	}
	rules := of.Campaign
	if rules == nil {
		return noCampaign("game %s is played by %s", g.ID(), g.Settings().Rules)
	}
	p, start, err := played(g, func(start, end *engine.Game, events []engine.Event) []family.Served {
		return rules.Served(start, end, events, cmp.Or(r.Shares, rules.Shares[0].Name))
	})
	if err != nil {
		return err
	}
	keys, rated := rules.Sets[g.Settings().Rules]
	p.Crewed = rated && keys.Efficiency == ""
	var warnings []string
	for _, s := range start.Ships {
		if rated {
			warnings = append(warnings, otherRatings(r, rules, g.Settings().Rules, s)...)
		}
	}
	entered, again, err := r.Record(p, o, rules)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if again {
		fmt.Fprintf(w, "game %s was recorded before; nothing is changed\n", entered.ID)
		return nil
	}
	for _, text := range warnings {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning: "+text)
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
		if !p.Crewed {
			fmt.Fprintf(w, "; crew efficiency %d", s.Crew)
		}
		fmt.Fprintf(w, "; %s", s.Fate)
		if c := s.Captain; c != "" {
			fmt.Fprintf(w, "; captain %s: skill %d, %s", c, s.Skill, r.Captain(c).Status)
		}
		for _, of := range s.Officers {
			fmt.Fprintf(w, "; %s %s: %s, %s", of.Post, of.Name, learntWords(of, r.Captain(of.Name)), r.Captain(of.Name).Status)
		}
		fmt.Fprintln(w)
	}
	return nil
}

// otherRatings lists the ratings a ship fought with that differ from the roster's.
func otherRatings(r *campaign.Roster, rules *family.CampaignRules, set string, s *engine.Ship) []string {
	ship := r.Ship(s.Name)
	if ship == nil {
		return nil
	}
	m, ok := r.Place(ship, rules, set)
	fought := rules.Ratings(s)
	if !ok || fought == nil {
		return nil
	}
	had := m.Ratings()
	var out []string
	for _, key := range slices.Sorted(maps.Keys(had)) {
		if had[key] != fought[key] {
			out = append(out, fmt.Sprintf("%s fought with %s %d; the roster had %d", ship.Name, key, fought[key], had[key]))
		}
	}
	return out
}

// learntWords says what an officer's points were used for.
func learntWords(of campaign.OfficerRecord, c *campaign.Captain) string {
	var words []string
	if of.Learnt != "" {
		words = append(words, fmt.Sprintf("%s %d", of.Learnt, of.Rating))
	}
	if c.Spare > 0 {
		words = append(words, fmt.Sprintf("points to spend: %d", c.Spare))
	}
	return cmp.Or(strings.Join(words, ", "), "no points")
}

// played returns what a roster needs to know about a finished game, and its set-up; served computes what the game did
// to its ships.
func played(g *vault.Game, served func(start, end *engine.Game, events []engine.Event) []family.Served) (p campaign.FinishedGame, start *engine.Game, err error) {
	end, err := g.Stages.State(vault.At(g.Turn()))
	if err != nil {
		return p, nil, err
	}
	if end.Result == nil {
		return p, nil, fault.New("record it when it is: "+g.CommandLine("status"), "game %s is not over: turn %d", g.ID(), g.Turn())
	}
	if start, err = g.Stages.State(vault.At(0)); err != nil {
		return p, nil, err
	}
	p = campaign.FinishedGame{ID: g.ID(), Title: end.Title, Turns: end.Turn, Result: "a draw"}
	if side, ok := end.Side(end.Result.Side); ok {
		p.Result = side.Name + " wins"
	}
	var events []engine.Event
	sum := sha256.New()
	for n := range g.Turn() + 1 {
		text, err := g.Stages.File(vault.At(n), "events.jsonl")
		if err != nil {
			return p, nil, err
		}
		fmt.Fprintf(sum, "%d %d\n", n, len(text))
		sum.Write(text)
		of, err := g.Stages.Events(vault.At(n))
		if err != nil {
			return p, nil, err
		}
		events = append(events, of...)
	}
	p.Hash = hex.EncodeToString(sum.Sum(nil))
	p.Ships = served(start, end, events)
	return p, start, nil
}
