package console

import (
	"slices"
	"strings"
	"sync"

	"starpost/engine/ruling"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

// Verb is a command of referees. One table of them serves both doors: the command
// line ("starpost referee DIR pause --why TEXT") and mails ("#pause --why TEXT").
type Verb struct {
	Name        string
	Short, Long string
	Examples    []string // as the command line has them, behind "starpost referee wolf"
	Flags       []Flag
	// Changes tells that it may change the game, and Looks that it shows what some
	// captain may not know.
	Changes, Looks bool
	// Guarded tells that a mail without a key of the turn has to name the turn, so
	// that a mail that comes late does nothing.
	Guarded bool
	// Mails tells that it shows mails of captains, where they are known.
	Mails bool
	// MailOnly tells that the command line has its own way to do the same.
	MailOnly bool
	// Input is what text it wants: on the command line a file behind the arguments,
	// in a mail a block below the command. "" for none.
	Input string

	args  string   // as the usage shows them
	wants []string // what they are, in words
	more  int      // how many may follow; -1 for any number
	rest  int      // in mails that argument, from 1, goes on to the end of the command
	turn  turnRule
	why   string              // what --why is for; "" for no such option
	must  func(*Request) bool // whether --why has to be there
	read  func(*Request) error
	run   func(*job) (any, error) // nil for help, which shows the table itself
}

// Flag is an option of a command.
type Flag struct {
	Name, Doc string
	Value     string // what stands behind it; "" for an option that stands alone
	Choices   []string
	Many      bool // it may be given again
	// Files tells that the command line has SHIP=FILE behind it, where a mail has
	// the option alone and order sets below the command.
	Files bool
}

// turnRule is which turn a command can name.
type turnRule uint8

const (
	noTurn    turnRule = iota // none
	dueTurn                   // the one that is due, lest it come late
	lastTurn                  // the last that was resolved, lest it come late
	anyTurn                   // any, and the last that was resolved without
	firstTurn                 // any, which it must name; it may be the first argument
)

func always(*Request) bool { return true }

// RefereeForms are the rulings, one a line.
func rulingForms() string { return "  " + strings.Join(ruling.Forms(), "\n  ") }

const (
	toCaptains = "the reason, which the captains are told: `TEXT`"
	toReaders  = "the reason, which those are told who see a change: `TEXT`"
)

// verbs is the table, in the order of the documentation.
var verbs = sync.OnceValue(func() []*Verb {
	revision := Flag{Name: "revision", Value: "K", Doc: "which resolution of the turn: `K`; without, the one that counts"}
	missing := Flag{Name: "missing", Value: "POLICY", Choices: vault.Policies(), Doc: "policy for ships without orders: " + strings.Join(vault.Policies(), ", ")}
	later := Flag{Name: "later", Value: "rerun|aside", Choices: []string{"rerun", "aside"}, Doc: "what becomes of later turns: rerun or aside"}
	keep := Flag{Name: "keep-orders", Doc: "of turns that are taken back, the first one's orders are in force again"}
	end := Flag{Name: "end", Doc: "do it although it ends the game"}
	before := Flag{Name: "before", Doc: "rulings on ships apply from the beginning of the turn, not from its end"}
	force := Flag{Name: "force", Doc: "go beyond what a ship's class allows; that is noted"}
	dry := Flag{Name: "dry-run", Doc: "show what would change, and write nothing"}
	return []*Verb{
		{
			Name: "show", args: "[TURN]", more: 1, turn: anyTurn, Looks: true, Mails: true, run: (*job).show, read: readShow,
			Flags: []Flag{
				revision,
				{Name: "as", Value: "SHIP", Doc: "what the captain of `SHIP` knew, beside the truth"},
				{Name: "phase", Value: "P", Doc: "with --as: after phase `P`, 0 for the beginning of the turn; without, its end"},
			},
			Short: "Show the whole truth of a turn",
			Long: `Shows all that is known of a turn: the order sets that it was played with and what
was wrong with them, what was done for ships without one, every event in words with
its rule and who may see it, every die with its name, the number that it was thrown
against and its value, rulings, the journal, and the mails that went out. Where the
daemon's records are known (--config) also the mails that came, by what proof, and
what became of those that went out.

The turn that is due is shown as it stands: whose orders are in, what is wrong with
them, and the time. Everything is for referees only: there is much in it that no
captain may know.

With --as it lays what a captain knew of each other ship beside the truth, at the end
of the turn or after a phase of it: what his sensors had, where she was, how far that
is from his nearest ship, and how far that one's sensors reach.`,
			Examples: []string{"show --turn 3", "show --turn 4 --config starpost.toml", "show --as Hood --turn 3 --phase 2"},
		},
		{
			Name: "trace", args: "EVENT", wants: []string{"an event"}, turn: anyTurn, Looks: true, Mails: true, run: (*job).trace, read: readTrace,
			Flags: []Flag{{Name: "as", Value: "SHIP", Doc: "EVENT is as the report for `SHIP` numbers it"}, revision},
			Short: "Show how an event came about and what followed",
			Long: `Shows the chain to which an event belongs: the line of the orders that began it
(set, line, text, and where the daemon's records are known the mail that it came by),
what it follows from, the tables and dice that decided it, and what followed from it:
damage, explosions, losses, points, victory.

EVENT is the event's number in the truth of the turn, as "show" gives it. With --as it
is the number that the report of that ship's captain gives it, as in his protests.
TURN.EVENT, such as 3.17, names the turn too.`,
			Examples: []string{"trace 42 --turn 3", "trace 3.17 --as Hood"},
		},
		{
			Name: "preview", turn: dueTurn, Looks: true, run: (*job).preview,
			Flags: []Flag{{Name: "as", Value: "SHIP", Doc: "the report for the captain of `SHIP`"}, missing},
			Short: "Resolve the turn that is due without writing anything",
			Long: `Resolves the turn that is due with the orders that are in, tells all that would happen,
and writes nothing. With --as it prints the report that the captain of a ship would
get. For ships without orders the standing ones serve, unless --missing says otherwise.`,
			Examples: []string{"preview", "preview --as Hood"},
		},
		{
			Name: "amend", args: "SHIP", wants: []string{"a ship"}, turn: dueTurn, Changes: true, Input: "an order set", run: (*job).amend,
			why: "the reason: `TEXT`", must: always,
			Short: "Replace a ship's orders for the turn that is due",
			Long: `Replaces the orders of a ship, or with @NAME what a captain says for all his ships,
for the turn that is due. They must be in order, as a captain's own. What the captain
sends later replaces them in turn. FILE is - for standard input. Orders of a turn that
was resolved are for rerun.`,
			Examples: []string{`amend Hood hood.txt --why "sent by telephone"`},
		},
		{
			Name: "ruling", args: "RULING", wants: []string{"a ruling"}, more: -1, turn: lastTurn, Changes: true, Looks: true, Guarded: true, run: (*job).ruling, read: readRuling,
			why: toReaders, must: func(r *Request) bool { return !r.flag("dry-run") && !r.asksFields() },
			Flags: []Flag{dry, end, before, force, later, keep},
			Short: "Change the outcome of the last turn",
			Long: `Changes what came of the last turn that was resolved: how a ship stands, or the value
of a die. The turn becomes its next revision; captains for whom something changed are
sent a corrected report, the others hear nothing. A ruling is one of:

` + rulingForms() + `

"fields SHIP" lists what can be set on a ship, and its bounds. Dice and orders of an
earlier turn are for rerun. In a game that is played a phase at a time, phases that
were played since the turn are taken back, if --later aside says so. The reason is told
to those who may see the change: write nothing into it that they may not know.

With --dry-run it shows line by line what would be otherwise, and writes nothing. A
ruling that ends the game wants --end: the secret and all that was hidden go out then.`,
			Examples: []string{
				`ruling set Hood superstructure 12 --why "the hit was counted twice"`, "ruling set Hood superstructure 12 --dry-run",
				`ruling roll t3.p2.fire.hood.bank-a.hit 4 --why "as thrown at the table"`, "ruling fields Hood",
			},
		},
		{
			Name: "rerun", args: "TURN", turn: firstTurn, Changes: true, Looks: true, run: (*job).rerun,
			why: toReaders, must: func(r *Request) bool { return r.flag("commit") },
			Flags: []Flag{
				{Name: "with", Value: "RULING", Many: true, Doc: "a ruling, as the command ruling takes it: `RULING`"},
				{Name: "amend", Files: true, Many: true, Doc: "orders that replace a ship's: `SHIP=FILE`, - for standard input"},
				later, keep, before, force,
				{Name: "commit", Doc: "have it count"},
				end,
			},
			Short: "Resolve a turn again, with changes",
			Long: `Resolves a turn again from its stored orders and with the same dice, with rulings or
amended orders if there are any, and shows line by line what is otherwise. Nothing is
written without --commit. Later turns are resolved again after it from their own orders
(--later rerun) or taken back (--later aside); with --keep-orders the orders of the
first of these are in force again.`,
			Examples: []string{
				`rerun 3 --with "roll t3.p2.fire.hood.bank-a.hit 4"`,
				`rerun 3 --amend Hood=hood.txt --later rerun --commit --why "his mail was lost"`,
			},
		},
		{
			Name: "whatif", turn: anyTurn, Looks: true, run: (*job).whatif, read: readWhatIf,
			Flags: []Flag{{Name: "with", Value: "RULINGS", Many: true, Doc: "a case, one ruling or several: `RULINGS`"}, before, force, later, keep},
			Short: "Try several changes of a turn side by side",
			Long: `Tries several changes of a turn, each by itself, and shows what comes of them side by
side. Each --with is one case: a ruling, or several, parted by semicolons. Nothing is
written.`,
			Examples: []string{`whatif --turn 3 --with "roll t3.p2.fire.hood.bank-a.hit 4" --with "set Hood shield-2 6; set Hood shield-1 0" --later rerun`},
		},
		{
			Name: "rollback", args: "TURN", turn: firstTurn, Changes: true, Flags: []Flag{keep}, run: (*job).rollback, why: toCaptains, must: always,
			Short: "Undo all turns after one",
			Long: `Undoes all turns after TURN: TURN becomes the last one, and the one after it is due again
with a whole turn's time. The undone turns stay in the game's directory but no longer
count. With --keep-orders the orders of the first undone turn are in force again;
captains may change them.`,
			Examples: []string{`rollback 3 --why "the mail server had lost two mails"`},
		},
		{
			Name: "process", args: "TURN", turn: firstTurn, Changes: true, Looks: true, run: (*job).process,
			why:   "the reason, if a paused game is resumed: `TEXT`",
			Flags: []Flag{missing, {Name: "force", Doc: "with the game's policy for missing orders, even if it is paused"}},
			Short: "Resolve a turn now",
			Long: `Resolves a turn now, before its deadline. Naming the turn makes a late command harmless:
if it was already resolved, the command says so and does not fail. Ships without orders
need --missing or --force, which uses the game's own policy and also resumes a paused
game.`,
			Examples: []string{"process 4"},
		},
		{
			Name: "file", args: "TURN", turn: firstTurn, Changes: true, Looks: true, Input: "a filing", run: (*job).file, read: readFile, why: "a word for the record: `TEXT`",
			Flags: []Flag{
				{Name: "blank", Doc: "give a filing to be filled in"},
				{Name: "dry-run", Doc: "show the dice and each captain's report, but write nothing"},
				{Name: "missing", Value: "POLICY", Doc: "`standing`: file although orders are missing and the time is not up", Choices: []string{vault.PolicyStanding}},
				{Name: "again", Doc: "file a turn that is played already in another way"},
				later,
			},
			Short: "File the outcome of a turn that a referee plays",
			Long: `Files a turn of a game whose rules the program does not know (rule set manual): the
captains write orders in their own words, and you write what came of them. A filing is
a text of sections: #all, #side NAME and #ship NAME with words for those who are to
read them, and #rulings that move ships, set tracks of their sheets, roll dice and
say who sees whom. starpost rules manual lists the rulings. FILE is - for standard
input; a mail has the filing below the command, to #end.

--blank gives a filing to be filled in, with the orders in it as remarks. With
--dry-run nothing is written: you get the dice, and each captain's report as it
would go out. The value of a die depends on its name, so it stays what you saw.

With mistakes in the filing nothing is changed. TURN is named so that a late command
does nothing.

--again files a turn that was filed before in another way: it is resolved again with
the same orders and dice as its next revision, and a captain for whom something
changed gets a corrected report. With --dry-run you see what would change. Of turns
after it --later says whether they are resolved again too (rerun) or taken back
(aside).`,
			Examples: []string{
				"file 3 --blank", "file 3 turn-3.txt --dry-run", `file 3 turn-3.txt --why "the barge moves first, as we said"`,
				`file 3 turn-3b.txt --again --why "I had forgotten the slag"`,
			},
		},
		{
			Name: "extend", args: "TIME", wants: []string{"a time"}, rest: 1, turn: dueTurn, Changes: true, Guarded: true, run: (*job).extend, read: readExtend, why: toCaptains, must: always,
			Flags: []Flag{{Name: "shorten", Doc: "take an earlier deadline too"}},
			Short: "Change the deadline of the turn that is due",
			Long: `Changes the deadline of the turn that is due. TIME is how much later, such as 12h or 2d
(whole days keep the hour), or a date and time in the game's time zone, such as
"2026-12-01 20:00", used as it is even on a day off. A deadline earlier than the one the
captains know needs --shorten. A grace period that was opened is not given again.`,
			Examples: []string{`extend 2d --why "the mail server was down"`, `extend 2026-12-01T20:00 --why "so that all have the week-end"`},
		},
		{
			Name: "pause", turn: dueTurn, Changes: true, Guarded: true, why: toCaptains, must: always,
			run:   func(j *job) (any, error) { return j.time(referee.Pause(j.g, j.act())) },
			Short: "Stop a game's clock",
			Long: `Stops a game's clock. No turn is resolved and no reminder is sent until resume. The time
left in the turn is kept, with at least a day (less where turns are shorter). Orders are
accepted meanwhile.`,
			Examples: []string{`pause --why "the referee is ill"`},
		},
		{
			Name: "resume", turn: dueTurn, Changes: true, Guarded: true, why: "a word to the captains: `TEXT`",
			run:   func(j *job) (any, error) { return j.time(referee.Resume(j.g, j.act())) },
			Short: "Resume a paused game",
			Long: `Resumes a paused game, whether you paused it, or the daemon after an outage or a clock
jump. The captains have the time that was left in the turn, or the deadline set
meanwhile.`,
			Examples: []string{"resume"},
		},
		{
			Name: "rules", args: "VERSION", wants: []string{"a version of its rule set"}, turn: dueTurn, Changes: true, Guarded: true, why: toCaptains, must: always,
			run:   func(j *job) (any, error) { return j.time(referee.Rules(j.g, j.act(), j.r.Args[0])) },
			Short: "Switch a game to another version of its rules",
			Long: `Has a game go on by the program's version of its rule set, from the turn that is due.

A game keeps the version that it was begun with. A starpost with a later one reads the
game and verifies it, but plays no turn of it before its referee says so with this
command: the captains are told, and the next report tells it too. Turns that an earlier
version played stay as they are; they cannot be resolved again, but they can be taken
back. Phases of the turn that is due which an earlier version played are taken back.`,
			Examples: []string{`rules 2 --why "the server has a new starpost"`},
		},
		{
			Name: "disputes", Flags: []Flag{{Name: "open", Doc: "only those that wait for you"}}, run: (*job).disputes,
			Short: "List a game's protests and their outcomes",
			Long: `Lists the disputes of a game: each protest of a captain opens one. The event is given
as the captain's report numbers it, and by its number in the truth of the turn.`,
			Examples: []string{"disputes", "disputes --open --json"},
		},
		{
			Name: "dispute", args: "N [show | answer TEXT | uphold | reject] | open EVENT REASON", wants: []string{"the number of a dispute"}, more: 2, rest: 3, Changes: true, Looks: true,
			run: (*job).dispute, read: func(r *Request) error { _, err := readDispute(r); return err },
			Flags: []Flag{
				{Name: "why", Value: "TEXT", Doc: "what the captain who protested is told: `TEXT`"},
				{Name: "tell", Value: "TEXT", Doc: "what all others are told: `TEXT`; without, that a protest on the turn was upheld or rejected"},
				{Name: "revision", Value: "TURN.K", Doc: "the revision of a turn that was made because of it: `TURN.K`"},
				{Name: "for", Value: "CAPTAIN", Doc: "with open: whose protest it is, `CAPTAIN` or a ship of his"},
				{Name: "force", Doc: "take words that name what a reader does not know"},
			},
			Short: "Show a protest, answer it, uphold or reject it, or open one",
			Long: `Shows a dispute, answers the captain who protested, or ends it. What --why or answer
says is mailed to him alone. When it ends all other captains are told that a protest
on the turn was upheld or rejected, and nothing else, or what --tell says. Words that
name a ship of which a reader does not know are refused, and so are event numbers in
--tell, unless --force is given.

To uphold a protest changes nothing in the turn by itself: correct it with ruling or
rerun, and name the revision that came of it with --revision, such as 3.2 for revision
2 of turn 3.

"open" notes the protest of a captain who told it otherwise than by mail, or plays from
files: --for is his name or a ship's, EVENT is as the report for his ship numbers it,
such as 3.17, and REASON are his words; they may stand behind --why too.`,
			Examples: []string{
				"dispute 1", `dispute 1 answer "Which bank do you mean?"`, `dispute 1 reject --why "Range 11 is within chart H: it reaches 13."`,
				`dispute 2 uphold --why "The shield was up." --revision 3.2`, `dispute open 3.17 "the torpedo was out of range" --for Riskadh`,
			},
		},
		{
			Name: "tell", args: "SHIP TEXT", wants: []string{"a ship or a captain", "words"}, rest: 2, turn: dueTurn, Changes: true, run: (*job).tell, read: readTell,
			Flags: []Flag{{Name: "force", Doc: "take words that name what the captain does not know"}},
			Short: "Tell one captain something",
			Long: `Mails words to one captain, named by his name or a ship's, and to no one else: what
a referee at the table would say into one ear. The journal keeps them; the public
record of the game does not. Words that name a ship of which the captain does not
know are refused, unless --force is given. They change nothing in the game: what a
captain's sensors have is changed by a ruling (contact, forget, echo).`,
			Examples: []string{`tell Hood "Your engineer hears a hum from the north."`},
		},
		{
			Name: "become", args: "SHIP", wants: []string{"a ship"}, turn: dueTurn, Flags: []Flag{{Name: "end", Doc: "end this"}}, Changes: true, Guarded: true, run: (*job).become, why: toCaptains,
			Short: "Command the ships of a captain as well",
			Long: `Lets a referee command a captain's ships as well, until --end: order sets for them in the
referee's mails count as the captain's, and the robot sends the referee templates for
them. All captains are told.`,
			Examples: []string{`become Hood --by Rita --why "Ann is ill"`, "become Hood --by Rita --end"},
		},
		{
			Name: "replace", args: "CAPTAIN ADDRESS", wants: []string{"a captain", "an address"}, turn: dueTurn, Changes: true, Guarded: true, run: (*job).replace, why: toCaptains,
			Short: "Give a captain's seat to another person",
			Long: `Gives a captain's seat, taken or vacant, to another address. The last report goes there
with a new turn key; the previous captain is told that no more mails will come. The other
captains are told too, without addresses.`,
			Examples: []string{`replace Kirk carol@example.org --why "Ann has no more time"`},
		},
		{
			Name: "eject", args: "CAPTAIN", wants: []string{"a captain"}, turn: dueTurn, Changes: true, Guarded: true, run: (*job).eject, why: toCaptains, must: always,
			Short: "Remove a captain from a seat",
			Long: `Removes a captain from a seat. A robot plays it until it is taken, by an answer to invite
or by replace. All captains are told, with the reason.`,
			Examples: []string{`eject Kor --why "no orders for three turns"`},
		},
		{
			Name: "invite", args: "ADDRESS | NAME=ADDRESS", wants: []string{"an address"}, turn: dueTurn, Changes: true, Guarded: true, run: (*job).invite, why: toCaptains,
			Flags: []Flag{{Name: "seat", Value: "SHIP", Doc: "the seat of the captain of `SHIP`"}},
			Short: "Offer a free seat, or register another referee",
			Long: `With --seat the robot asks an address whether it takes the seat of a captain that is
free; it is his when he answers that mail, also in a game that is not open.

NAME=ADDRESS registers another referee. The robot mails him his key, and he may act on
the game by mail. All captains are told his name.`,
			Examples: []string{"invite carol@example.org --seat Hood", "invite Rita=rita@example.org"},
		},
		{
			Name: "renew", turn: dueTurn, Changes: true, run: (*job).renew,
			Short: "Replace a referee's key",
			Long: `Replaces your key as referee: the robot mails the new one to you. The old one no longer
works.`,
			Examples: []string{"renew --by Rita"},
		},
		{
			Name: "commands", args: "[COMMAND]", more: 1, MailOnly: true,
			Short: "List these commands, or show the help of one",
			Long:  `The same as help, which a captain gets for captains.`,
		},
		{
			Name: "help", args: "[COMMAND]", more: 1, MailOnly: true,
			Short: "List these commands, or show the help of one",
			Long:  `Lists the commands of referees; help ruling shows the help of ruling.`,
		},
	}
})

// Verbs lists the commands. The list must not be changed.
func Verbs() []*Verb { return verbs() }

// verbOf finds a command by its word, upper and lower case alike; nil if there is
// none.
func verbOf(word string) *Verb {
	all := Verbs()
	if i := slices.IndexFunc(all, func(v *Verb) bool { return strings.EqualFold(v.Name, word) }); i >= 0 {
		return all[i]
	}
	return nil
}

func names() []string {
	var out []string
	for _, v := range Verbs() {
		out = append(out, v.Name)
	}
	return out
}

// Options are all options of the command, those of its turn and its reason included.
func (v *Verb) Options() []Flag {
	out := slices.Clone(v.Flags)
	if v.why != "" {
		out = append(out, Flag{Name: "why", Value: "TEXT", Doc: v.why})
	}
	switch v.turn {
	case dueTurn:
		out = append(out, Flag{Name: "turn", Value: "N", Doc: "do nothing unless turn `N` is due"})
	case lastTurn:
		out = append(out, Flag{Name: "turn", Value: "N", Doc: "do nothing unless turn `N` was resolved last"})
	case anyTurn:
		out = append(out, Flag{Name: "turn", Value: "N", Doc: "the turn: `N`; without, the last that was resolved"})
	case noTurn, firstTurn:
	}
	return out
}

func (v *Verb) option(name string) (Flag, bool) {
	all := v.Options()
	if v.turn == firstTurn { // mails may write it so
		all = append(all, Flag{Name: "turn", Value: "N"})
	}
	i := slices.IndexFunc(all, func(f Flag) bool { return f.Name == name })
	if i < 0 {
		return Flag{}, false
	}
	return all[i], true
}

// Usage is how the command is written, by mail or with dir behind its name on the
// command line.
func (v *Verb) Usage(dir string) string {
	words := []string{v.Name}
	for _, w := range []string{dir, v.args} {
		if w != "" {
			words = append(words, w)
		}
	}
	if v.Input != "" && dir != "" {
		words = append(words, "FILE")
	}
	for _, f := range v.Options() {
		text := "--" + f.Name
		switch {
		case f.Files && dir != "":
			text += " SHIP=FILE"
		case f.Value != "":
			text += " " + f.Value
		}
		switch {
		case f.Name == "why" && v.must != nil && v.must(&Request{}):
		case f.Many && (dir != "" || !f.Files):
			text = "[" + text + "]..."
		default:
			text = "[" + text + "]"
		}
		words = append(words, text)
	}
	text := strings.Join(words, " ")
	if v.Input != "" && dir == "" {
		text += ", with " + v.Input + " below it"
	}
	return text
}

// Wants is how many arguments the command has to have.
func (v *Verb) Wants() int {
	if v.turn == firstTurn {
		return len(v.wants) + 1
	}
	return len(v.wants)
}
