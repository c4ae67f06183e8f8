package main

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/campaign"
	"starpost/pbem/fault"
)

func campaignRotate() *cobra.Command {
	var seed uint64
	cmd := &cobra.Command{
		Use:   "rotate ROSTER SHIP POST=NAME...",
		Short: "Change the posts of a ship's officers",
		Long: `Gives officers of a ship, or officers ashore, new posts on her, all at once: captain,
engineer, helm, science or weapons; ashore=NAME takes one off her. Officers you do not
name keep their posts. Ratings for a post that is new to an officer are rolled; existing
ratings are kept.`,
		Example: "  starpost campaign rotate war.toml Hood captain=Scott engineer=Kirk",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 3 {
				return exactly("a roster", "a ship", "a post and an officer, such as helm=Sulu")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeRoster(cmd, args[0], func(r *campaign.Roster) (string, error) {
				var to []campaign.Posting
				for _, text := range args[2:] {
					p, err := campaign.ParsePosting(text, campaignRules(), true)
					if err != nil {
						return "", usage(wayOut(err), "%s", err)
					}
					to = append(to, p)
				}
				if err := r.Rotate(args[1], to); err != nil {
					return "", err
				}
				from, err := campaignDice(cmd, r, seed)
				if err != nil {
					return "", err
				}
				return strings.Join(append(train(r, from, args[1]), manned(r, args[1])), "\n"), nil
			})
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 0, "derive the dice from a `NUMBER`: for tests and demonstrations only")
	return cmd
}

// manned lists the officers at the posts of a ship.
func manned(r *campaign.Roster, ship string) string {
	var all []string
	for _, c := range r.Aboard(ship, campaignRules().Posts) {
		all = append(all, cmp.Or(c.Post, "captain")+" "+string(c.Name))
	}
	return r.Ship(ship).Name + ": " + cmp.Or(strings.Join(all, ", "), "no one aboard")
}

func campaignTransfer() *cobra.Command {
	return &cobra.Command{
		Use:   "transfer ROSTER SHIP TO",
		Short: "Move the survivors of a lost ship to another together",
		Long: `Gives the survivors of a lost ship the same posts on another. They must be in service
and waiting for a ship: see record --rescued, and free for prisoners. Anyone who has
found another ship since stays there. enter adds a new ship.`,
		Example: `  starpost campaign enter war.toml Hood-A --class constitution-ii
  starpost campaign transfer war.toml Hood Hood-A`,
		Args: exactly("a roster", "the ship that is gone", "the other ship"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeRoster(cmd, args[0], func(r *campaign.Roster) (string, error) {
				if err := r.Transfer(args[1], args[2]); err != nil {
					return "", err
				}
				return manned(r, args[2]), nil
			})
		},
	}
}

func campaignLearn() *cobra.Command {
	return &cobra.Command{
		Use:   "learn ROSTER OFFICER SKILL",
		Short: "Choose the skill that an officer's points go to",
		Long: `Officers' victory points go to a skill of their post. They name it in their orders
(learn, under standing), or you name it here. Waiting points are added at once.`,
		Example: "  starpost campaign learn war.toml Scott warp-drive",
		Args:    exactly("a roster", "an officer", "a skill"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeRoster(cmd, args[0], func(r *campaign.Roster) (string, error) {
				name := engine.CaptainName(args[1])
				rating, err := r.Learn(name, args[2], campaignRules())
				if err != nil {
					return "", err
				}
				c := r.Captain(name)
				return fmt.Sprintf("%s learns %s, which is %d; points to spend: %d", c.Name, c.Learns, rating, c.Spare), nil
			})
		},
	}
}

// changeRoster changes a roster's file, and prints what change says.
func changeRoster(cmd *cobra.Command, file string, change func(r *campaign.Roster) (said string, err error)) error {
	r, err := readRoster(file)
	if err != nil {
		return err
	}
	said, err := change(r)
	if err != nil {
		return err
	}
	if err := r.Write(file); err != nil {
		return err
	}
	fmt.Fprintln(cmd.OutOrStdout(), said)
	return nil
}

// readRoster reads a roster; invalid contents are the user's mistakes.
func readRoster(file string) (*campaign.Roster, error) {
	r, err := campaign.Read(file, campaignRules())
	if err == nil {
		err = knownShares(r.Shares)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage("make one: starpost campaign new "+file, "%s", err)
	}
	if _, ok := errors.AsType[*campaign.Error](err); ok {
		return nil, mistakes(nil, wayOut(err), "%s", err)
	}
	return r, err
}

// knownShares returns an error if a way to share points is not known.
func knownShares(way string) error {
	var ways []string
	for _, s := range campaignRules().Shares {
		if way == "" || way == s.Name {
			return nil
		}
		ways = append(ways, s.Name+", "+s.Text)
	}
	return &campaign.Error{Fault: *fault.New(strings.Join(ways, ", or "), "shares %q is not known", way)}
}

// percentFlag returns the value of a flag, nil if it was not set.
func percentFlag(cmd *cobra.Command, name string, value *int) *int {
	if !cmd.Flags().Changed(name) {
		return nil
	}
	return value
}

// campaignDice returns dice for ratings, seeded if the flag is set.
func campaignDice(cmd *cobra.Command, r *campaign.Roster, seed uint64) (dice.Source, error) {
	secret := dice.FromSeed(seed)
	if !cmd.Flags().Changed("seed") {
		var err error
		if secret, err = dice.NewSecret(rand.Reader); err != nil {
			return nil, fmt.Errorf("roll ratings: %w", err)
		}
	}
	return dice.ForTurn(secret, r.Name, 0, nil), nil
}

// train rolls the ratings that the officers aboard a ship lack.
func train(r *campaign.Roster, from dice.Source, ship string) []string {
	return r.Train(ship, campaignRules(), func(name string, base int) campaign.Rating {
		return newRating(from, "officer."+name, base, 0)
	})
}

// newRating rolls a rating unless one is given.
func newRating(from dice.Source, name string, base, given int) campaign.Rating {
	if given != 0 {
		return campaign.Rating{Value: given}
	}
	value, rolls := campaignRules().NewRating(from, strings.ToLower(name), base)
	return campaign.Rating{Value: value, Rolls: rolls[:]}
}
