package archive

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/beacon"
)

// readme is the text for people.
func readme(i Info, r *engine.Rules) []byte {
	var b strings.Builder
	state := "over"
	if !i.Over {
		state = "not over"
	}
	said, unless := "", ""
	if i.Messages {
		said, unless = "\n    messages.txt  what captains wrote to each other, as the game publishes it", " and that the game does not publish"
	}
	fmt.Fprintf(&b, `%s (%s), played by Starpost
Rule set %s, version %s. The last turn is %d; the game is %s.

What this is
  All that is needed to play this game again: the scenario, the orders that each
  turn was played with, what a referee ruled, and the secret from which all dice
  come. Nothing has to be believed: a program on any machine makes every turn and
  every die again and compares.

How to verify it
  1. Get Starpost, with version %s of the rule set %s. A later one does as well,
     but does not play the turns of this version again.
  2. Run:   starpost verify FILE.zip
  3. Hold what it prints against your own mails:
     - "hash of the secret" against the first report that you got,
     - "hash of the record so far" against any report that you got:
       starpost verify FILE.zip --head HASH
     - your own words for luck, and your own orders.
  The second is the strongest: with it nobody, not even the referee, could have
  changed anything that came before that report.

  Without Starpost: unpack the file and run  sha256sum -c %s
  and work dice out by the recipe at the end of this text.

What is where
  game/         the game, in the form in which Starpost keeps games
    secret        what the dice come from; its SHA-256 was in the first report
    journal.jsonl who joined and left, rulings, protests, moved deadlines
    turns/0003/   a turn: orders as they were played, events, the state after it
    turns/0003.r2/  the same turn as it was resolved again; the journal says why
    turns/0003.p1/  the first phase of a turn that was played a phase at a time
  mails/        the order mails as text%s
  %s  what is in here, and the hash that the reports of each turn had
  %s    the SHA-256 of every file

What is not in it
  Mail addresses, keys, reports, messages that captains sent each other outside of
  their orders%s. In the journal and in mails, "(an address)" or
  "address@left-out.invalid" stands where an address was. The mails cannot be
  proved: they are shown so that captains may find theirs in them.
`, i.Title, i.Game, i.Rules, i.Version, i.Turn, state, i.Version, i.Rules, sumsFile, said, infoFile, sumsFile, unless)
	for _, l := range i.LeftOut {
		fmt.Fprintf(&b, "  Left out: %s.\n", l)
	}
	if len(i.Telling) > 0 {
		b.WriteString(`
What somebody wrote
  In these files stands what could be a mail address. A captain or referee wrote it
  there, and it stays: the turn would not come out the same without it.
`)
		for _, f := range i.Telling {
			fmt.Fprintf(&b, "  %s\n", f)
		}
	}
	if !i.Over {
		b.WriteString(`
This game is not over
  The archive was made before its end. Whoever has it knows the secret: he can
  foresee all dice and make every captain's turn key. The game cannot go on fairly.
`)
	}
	fmt.Fprintf(&b, `
How the dice can be worked out without Starpost
-----------------------------------------------

%s
The dice of rule set %s
-----------------------%s

%s`, dice.Recipe, r.Name, strings.Repeat("-", len(r.Name)), DiceVectors(r))
	return []byte(b.String())
}

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
