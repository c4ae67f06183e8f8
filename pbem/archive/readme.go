package archive

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/beacon"
)

// readme returns the readme.
func readme(i Info, r *engine.Rules) []byte {
	var b strings.Builder
	state := "over"
	if !i.Over {
		state = "not over"
	}
	said, unless := "", ""
	if i.Messages {
		said, unless = "\n    messages.txt  messages between captains, as far as the game publishes them", " that the game does not publish"
	}
	fmt.Fprintf(&b, `%s (%s), played by Starpost
Rule set %s, version %s. The last turn is %d; the game is %s.

What this is
  Everything you need to replay this game: the scenario, the orders of each turn,
  the referee's rulings, and the secret behind all dice. You need not trust anyone:
  a program on any machine can recompute every turn and every die, and compare.

How to verify it
  1. Get Starpost, with version %s of the rule set %s. A later version also works,
     but does not replay the turns of this one.
  2. Run:   starpost verify FILE.zip
  3. Compare its output with your own mails:
     - "hash of the secret" with your first report,
     - "hash of the record so far" with any of your reports:
       starpost verify FILE.zip --head HASH
     - your own luck words and orders.
  The second check is the strongest: if it succeeds, no one, not even the referee,
  can have changed anything from before that report.

  Without Starpost: unpack the file, run  sha256sum -c %s
  and compute dice by the recipe at the end of this text.

Contents
  game/         the game, in the format in which Starpost keeps games
    secret        the source of the dice; its SHA-256 was in the first report
    journal.jsonl joining and leaving, rulings, protests, moved deadlines
    turns/0003/   a turn: orders as played, events, the state after it
    turns/0003.r2/  the same turn resolved again; the journal gives the reason
    turns/0003.p1/  the first phase of a turn played phase by phase
  mails/        the order mails as text%s
  %s  a list of contents, and the hash in the reports of each turn
  %s    the SHA-256 of every file

Left out
  Mail addresses, keys, reports, and messages between captains outside their
  orders%s. In the journal and in mails, "(an address)" or
  "address@left-out.invalid" replaces each address. The mails cannot be proved:
  they are there for captains to find their own.
`, i.Title, i.Game, i.Rules, i.Version, i.Turn, state, i.Version, i.Rules, sumsFile, said, infoFile, sumsFile, unless)
	for _, l := range i.LeftOut {
		fmt.Fprintf(&b, "  Left out: %s.\n", l)
	}
	if len(i.Telling) > 0 {
		b.WriteString(`
Possible addresses
  These files contain text that could be a mail address. A captain or referee wrote
  it, and it stays: without it the turn would have a different result.
`)
		for _, f := range i.Telling {
			fmt.Fprintf(&b, "  %s\n", f)
		}
	}
	if !i.Over {
		b.WriteString(`
This game is not over
  The archive was made before its end. Anyone who has it knows the secret, and can
  foresee all dice and make every turn key. The game cannot continue fairly.
`)
	}
	fmt.Fprintf(&b, `
How to compute the dice without Starpost
----------------------------------------

%s
The dice of rule set %s
-----------------------%s

%s`, dice.Recipe, r.Name, strings.Repeat("-", len(r.Name)), DiceVectors(r))
	return []byte(b.String())
}

// DiceVectors lists the dice of a rule set, with their names, uses and example values, so that
// anyone can check their use of [dice.Recipe].
func DiceVectors(r *engine.Rules) string {
	const game, turn = "demo", 3
	secret := dice.FromSeed(1)
	words := dice.Words(dice.Words("", 1, "hood", "fair winds"), turn, "wolf", "grr")
	round := dice.Beacon{Chain: beacon.Quicknet().Hash, Round: 1000, Randomness: "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"}
	plain, lucky := dice.ForGame(secret, game, turn, ""), dice.ForGame(secret, game, turn, words)
	public := dice.ForBeacon(secret, game, turn, words, round)
	var b strings.Builder
	fmt.Fprintf(&b, `Every name begins with the turn and, if any, the phase: t3.p2. means turn 3,
phase 2. Words in capitals are ids or numbers; parts in brackets are optional.

The values are from an example: the game %q, with the secret
  %s
  (its hash: %s)
The first value is without luck words. The second is with "fair winds" from hood
in turn 1 and "grr" from wolf in turn 3. After turn 3, W is then
  %s
The last is with these words and a beacon: round %d of the chain
  %s
with the randomness
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
