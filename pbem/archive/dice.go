package archive

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/beacon"
)

// DiceVectors are the dice of a rule set, each with its name and what it is thrown for,
// and with the values that it has in an example. So that anyone who follows
// [dice.Recipe] can see whether he does it right.
func DiceVectors(r *engine.Rules) string {
	const game, turn = "demo", 3
	secret := dice.FromSeed(1)
	words := dice.Words(dice.Words("", 1, "hood", "fair winds"), turn, "wolf", "grr")
	round := dice.Beacon{Chain: beacon.Quicknet().Hash, Round: 1000, Randomness: "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"}
	plain, lucky := dice.ForGame(secret, game, turn, ""), dice.ForGame(secret, game, turn, words)
	public := dice.ForBeacon(secret, game, turn, words, round)
	var b strings.Builder
	fmt.Fprintf(&b, `Every name begins with the turn, and in a phase with that: t3.p2. stands for
turn 3, phase 2. What is in capitals is an id or a number, what is in brackets
may be missing.

The values are those of an example: the game %q, with the secret
  %s
  (its hash: %s)
first if nobody sent words; then if hood sent "fair winds" in turn 1 and wolf
"grr" in turn 3. W is then, after turn 3,
  %s
and last with these words and a beacon: round %d of the chain
  %s
whose randomness is
  %s

`, game, secret, dice.Commit(secret), words, round.Round, round.Chain, round.Randomness)
	for _, n := range r.Dice {
		kinds := []dice.Die{n.Die}
		if n.Die == 0 {
			kinds = []dice.Die{dice.D6, dice.TwoD6, dice.D10, dice.D100}
		}
		fmt.Fprintf(&b, "%s\n  %s\n", n.Name, n.What)
		for _, d := range kinds {
			fmt.Fprintf(&b, "  %s %s: %d, %d, %d\n", d, n.Example, plain.Roll(n.Example, d), lucky.Roll(n.Example, d), public.Roll(n.Example, d))
		}
	}
	return b.String()
}
