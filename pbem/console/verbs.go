package console

import (
	"slices"
	"strings"
	"sync"

	"starpost/engine/ruling"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

// Verb is a command of referees. One table serves the command line ("starpost referee DIR pause
// --why TEXT") and mails ("#pause --why TEXT").
type Verb struct {
	Name        string
	Short, Long string
	Examples    []string // as on the command line, after "starpost referee wolf"
	Flags       []Flag
	// Changes means that it may change the game, and Looks that it shows what some captain may not
	// know.
	Changes, Looks bool
	// Guarded means that a mail without a key of the turn must name the turn, so that a late mail
	// does nothing.
	Guarded bool
	// Mails means that it shows captains' mails, if they are available.
	Mails bool
	// MailOnly means that the command line has another way to do the same.
	MailOnly bool
	// Input is the kind of text that it needs: on the command line a file after the arguments, in a
	// mail a block below the command. "" for none.
	Input string

	args  string   // as in the usage
	wants []string // descriptions of the required arguments
	more  int      // number of optional arguments; -1 for any number
	rest  int      // in mails, the argument, from 1, that extends to the end of the command
	turn  turnRule
	why   string              // purpose of --why; "" for no such option
	must  func(*Request) bool // whether --why is required
	read  func(*Request) error
	run   func(*job) (any, error) // nil for help, which shows the table itself
}

// Flag is an option of a command.
type Flag struct {
	Name, Doc string
	Value     string // name of its value; "" for an option without one
	Choices   []string
	Many      bool // may be repeated
	// Files means that on the command line the option has SHIP=FILE, and in a mail the order sets
	// are below the command.
	Files bool
}

// turnRule says which turn a command can name.
type turnRule uint8

const (
	noTurn    turnRule = iota // none
	dueTurn                   // the due one, to detect a late command
	lastTurn                  // the last resolved one, to detect a late command
	anyTurn                   // any; default is the last resolved one
	firstTurn                 // any, but required; it may be the first argument
)

func always(*Request) bool { return true }

// rulingForms returns the rulings, one on each line.
func rulingForms() string { return "  " + strings.Join(ruling.Forms(), "\n  ") }

const (
	toCaptains = "the reason, for all captains: `TEXT`"
	toReaders  = "the reason, for captains who see a change: `TEXT`"
)

// verbs is the table, in the order of the documentation.
var verbs = sync.OnceValue(func() []*Verb {
	revision := Flag{Name: "revision", Value: "K", Doc: "which resolution of the turn: `K` (default: the one that counts)"}
	missing := Flag{Name: "missing", Value: "POLICY", Choices: vault.Policies(), Doc: "policy for ships without orders: " + strings.Join(vault.Policies(), ", ")}
	later := Flag{Name: "later", Value: "rerun|aside", Choices: []string{"rerun", "aside"}, Doc: "resolve later turns again (rerun) or take them back (aside)"}
	keep := Flag{Name: "keep-orders", Doc: "restore the orders of the first turn that is taken back"}
	end := Flag{Name: "end", Doc: "go ahead even if this ends the game"}
	before := Flag{Name: "before", Doc: "apply rulings on ships at the beginning of the turn, not at its end"}
	force := Flag{Name: "force", Doc: "go beyond the limits of a ship's class; this is noted"}
	dry := Flag{Name: "dry-run", Doc: "show what would change, and write nothing"}
	return []*Verb{
		{
			Name: "show", args: "[TURN]", more: 1, turn: anyTurn, Looks: true, Mails: true, run: (*job).show, read: readShow,
			Flags: []Flag{
				revision,
				{Name: "as", Value: "SHIP", Doc: "compare what the captain of `SHIP` knew with the truth"},
				{Name: "phase", Value: "P", Doc: "with --as: after phase `P`, 0 for the beginning of the turn (default: its end)"},
			},
			Short: "Show the whole truth of a turn",
			Long: `Shows everything about a turn: its order sets and the errors in them, what was done for
ships without orders, every event with its rule and who may see it, every die with its
name, target number and value, rulings, the journal, and outgoing mails. With --config
also incoming mails, how their senders were identified, and what happened to the
outgoing ones.

For the turn that is due it shows whose orders are in, the errors in them, and the time
left. The output is for referees only: much of it is secret.

With --as it compares what a captain knew of each other ship with the truth, at the end
of the turn or after a phase: what the captain's sensors showed, where the ship was, how
far from the captain's nearest ship, and how far that ship's sensors reach.`,
			Examples: []string{"show --turn 3", "show --turn 4 --config starpost.toml", "show --as Hood --turn 3 --phase 2"},
		},
		{
			Name: "trace", args: "EVENT", wants: []string{"an event"}, turn: anyTurn, Looks: true, Mails: true, run: (*job).trace, read: readTrace,
			Flags: []Flag{{Name: "as", Value: "SHIP", Doc: "EVENT is the number in the report for `SHIP`"}, revision},
			Short: "Show how an event came about and what followed",
			Long: `Shows an event's causes and consequences: the order line that started it (set, line,
text and, with --config, the mail), the events it follows from, the tables and dice that
decided it, and what followed: damage, explosions, losses, points, victory.

EVENT is the event's number as "show" prints it. With --as it is the number in the
report of that ship's captain, as in protests. TURN.EVENT, such as 3.17, includes the
turn.`,
			Examples: []string{"trace 42 --turn 3", "trace 3.17 --as Hood"},
		},
		{
			Name: "preview", turn: dueTurn, Looks: true, run: (*job).preview,
			Flags: []Flag{{Name: "as", Value: "SHIP", Doc: "the report for the captain of `SHIP`"}, missing},
			Short: "Resolve the turn that is due without writing anything",
			Long: `Resolves the turn that is due with the orders that are in, shows everything that would
happen, and writes nothing. With --as it prints the report that a ship's captain would
get. Ships without orders use their standing orders unless --missing says otherwise.`,
			Examples: []string{"preview", "preview --as Hood"},
		},
		{
			Name: "amend", args: "SHIP", wants: []string{"a ship"}, turn: dueTurn, Changes: true, Input: "an order set", run: (*job).amend,
			why: "the reason: `TEXT`", must: always,
			Short: "Replace a ship's orders for the turn that is due",
			Long: `Replaces a ship's orders for the turn that is due, or with @NAME what a captain orders
for all ships at once. The set must have no errors. If the captain sends orders later,
those replace yours. FILE is - for standard input. To change the orders of a resolved
turn, use rerun.`,
			Examples: []string{`amend Hood hood.txt --why "sent by telephone"`},
		},
		{
			Name: "ruling", args: "RULING", wants: []string{"a ruling"}, more: -1, turn: lastTurn, Changes: true, Looks: true, Guarded: true, run: (*job).ruling, read: readRuling,
			why: toReaders, must: func(r *Request) bool { return !r.flag("dry-run") && !r.asksFields() },
			Flags: []Flag{dry, end, before, force, later, keep},
			Short: "Change the outcome of the last turn",
			Long: `Changes the outcome of the last resolved turn: the state of a ship, or the value of a
die. The result is the turn's next revision. Captains for whom something changed get a
corrected report; the others get no mail. A ruling is one of:

` + rulingForms() + `

"fields SHIP" lists what can be set on a ship, with its limits. To change dice or orders
of an earlier turn, use rerun. In a game played phase by phase, --later aside takes back
phases played since that turn. Everyone who sees the change also sees the reason, so put
nothing secret into it.

With --dry-run it shows the differences line by line and writes nothing. A ruling that
ends the game needs --end, because the secret and everything hidden are then sent out.`,
			Examples: []string{
				`ruling set Hood superstructure 12 --why "the hit was counted twice"`, "ruling set Hood superstructure 12 --dry-run",
				`ruling roll t3.p2.fire.hood.bank-a.hit 4 --why "as thrown at the table"`, "ruling fields Hood",
			},
		},
		{
			Name: "rerun", args: "TURN", turn: firstTurn, Changes: true, Looks: true, run: (*job).rerun,
			why: toReaders, must: func(r *Request) bool { return r.flag("commit") },
			Flags: []Flag{
				{Name: "with", Value: "RULING", Many: true, Doc: "a ruling, as for the command ruling: `RULING`"},
				{Name: "amend", Files: true, Many: true, Doc: "replace a ship's orders: `SHIP=FILE`, - for standard input"},
				later, keep, before, force,
				{Name: "commit", Doc: "make the result count"},
				end,
			},
			Short: "Resolve a turn again, with changes",
			Long: `Resolves a turn again from its stored orders and with the same dice, plus any rulings or
amended orders, and shows the differences line by line. Nothing is written without
--commit. Later turns are resolved again from their own orders (--later rerun) or taken
back (--later aside); --keep-orders then restores the orders of the first of these.`,
			Examples: []string{
				`rerun 3 --with "roll t3.p2.fire.hood.bank-a.hit 4"`,
				`rerun 3 --amend Hood=hood.txt --later rerun --commit --why "his mail was lost"`,
			},
		},
		{
			Name: "whatif", turn: anyTurn, Looks: true, run: (*job).whatif, read: readWhatIf,
			Flags: []Flag{{Name: "with", Value: "RULINGS", Many: true, Doc: "one case, of one or more rulings: `RULINGS`"}, before, force, later, keep},
			Short: "Try several changes of a turn side by side",
			Long: `Tries several changes to a turn separately and shows the results side by side. Each
--with is one case: a ruling, or several separated by semicolons. Nothing is written.`,
			Examples: []string{`whatif --turn 3 --with "roll t3.p2.fire.hood.bank-a.hit 4" --with "set Hood shield-2 6; set Hood shield-1 0" --later rerun`},
		},
		{
			Name: "rollback", args: "TURN", turn: firstTurn, Changes: true, Flags: []Flag{keep}, run: (*job).rollback, why: toCaptains, must: always,
			Short: "Undo all turns after one",
			Long: `Undoes all turns after TURN: TURN becomes the last one, and the one after it is due
again with a whole turn's time. The undone turns stay in the game's directory but no
longer count. With --keep-orders the orders of the first undone turn are in force again;
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
			Name: "file", args: "TURN", turn: firstTurn, Changes: true, Looks: true, Input: "a filing", run: (*job).file, read: readFile, why: "a note for the journal: `TEXT`",
			Flags: []Flag{
				{Name: "blank", Doc: "print a filing to fill in"},
				{Name: "dry-run", Doc: "show the dice and each captain's report, but write nothing"},
				{Name: "missing", Value: "POLICY", Doc: "`standing`: file although orders are missing and there is time left", Choices: []string{vault.PolicyStanding}},
				{Name: "again", Doc: "file a turn again that was filed before"},
				later,
			},
			Short: "File the outcome of a turn that a referee resolves",
			Long: `Files a turn of a game whose rules the program does not know (rule set manual): captains
write orders in their own words, and you write what happens. A filing has sections #all,
#side NAME and #ship NAME with text for their readers, and #rulings that move ships, set
tracks on their sheets, roll dice and set who sees whom. "starpost rules manual" lists
the rulings. FILE is - for standard input; in a mail the filing goes below the command,
up to #end.

--blank prints a filing to fill in, with the orders as comments. --dry-run writes
nothing and shows the dice and each captain's report. A die's value depends on its name,
so it stays the same when you file.

A filing with errors changes nothing. Naming the TURN makes a late command harmless.

--again replaces an earlier filing: the turn is resolved again with the same orders and
dice as its next revision, and captains for whom something changed get a corrected
report. With --dry-run you see what would change. --later resolves later turns again
(rerun) or takes them back (aside).`,
			Examples: []string{
				"file 3 --blank", "file 3 turn-3.txt --dry-run", `file 3 turn-3.txt --why "the barge moves first, as we said"`,
				`file 3 turn-3b.txt --again --why "I had forgotten the slag"`,
			},
		},
		{
			Name: "extend", args: "TIME", wants: []string{"a time"}, rest: 1, turn: dueTurn, Changes: true, Guarded: true, run: (*job).extend, read: readExtend, why: toCaptains, must: always,
			Flags: []Flag{{Name: "shorten", Doc: "allow an earlier deadline"}},
			Short: "Change the deadline of the turn that is due",
			Long: `Changes the deadline of the turn that is due. TIME is how much later, such as 12h or 2d
(whole days keep the hour), or a date and time in the game's time zone, such as
"2026-12-01 20:00", even on a day off. A deadline earlier than the announced one needs
--shorten. A grace period that has begun is not given again.`,
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
			Name: "resume", turn: dueTurn, Changes: true, Guarded: true, why: "a note to the captains: `TEXT`",
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
			Long: `Continues a game with this program's version of its rule set, from the turn that is due.

A game keeps the version it began with. A starpost with a later version reads and
verifies the game, but resolves no turn until the referee gives this command. Captains
learn of it by mail and in the next report. Turns resolved with an earlier version stay
as they are: they can be taken back, but not resolved again. Phases of the turn that is
due are taken back if an earlier version resolved them.`,
			Examples: []string{`rules 2 --why "the server has a new starpost"`},
		},
		{
			Name: "disputes", Flags: []Flag{{Name: "open", Doc: "only those waiting for you"}}, run: (*job).disputes,
			Short: "List a game's protests and their outcomes",
			Long: `Lists a game's disputes. Each protest of a captain opens one. An event is shown with its
number in the captain's report and its number in "show".`,
			Examples: []string{"disputes", "disputes --open --json"},
		},
		{
			Name: "dispute", args: "N [show | answer TEXT | uphold | reject] | open EVENT REASON", wants: []string{"the number of a dispute"}, more: 2, rest: 3, Changes: true, Looks: true,
			run: (*job).dispute, read: func(r *Request) error { _, err := readDispute(r); return err },
			Flags: []Flag{
				{Name: "why", Value: "TEXT", Doc: "your answer to the captain who protested: `TEXT`"},
				{Name: "tell", Value: "TEXT", Doc: "the notice to all others: `TEXT` (default: that a protest was upheld or rejected)"},
				{Name: "revision", Value: "TURN.K", Doc: "the revision of a turn that resulted from it: `TURN.K`"},
				{Name: "for", Value: "CAPTAIN", Doc: "with open: the `CAPTAIN` who protests, or one of their ships"},
				{Name: "force", Doc: "accept a text that names what a reader does not know"},
			},
			Short: "Show a protest, answer it, uphold or reject it, or open one",
			Long: `Shows a dispute, answers the captain who protested, or closes it. The text of --why or
answer goes to that captain only. When a dispute closes, all other captains get the text
of --tell, or learn only that a protest on the turn was upheld or rejected. Texts that
name a ship unknown to a reader, and event numbers in --tell, are refused unless you add
--force.

Upholding a protest does not change the turn. Correct the turn with ruling or rerun, and
name the new revision with --revision, such as 3.2 for revision 2 of turn 3.

"open" records a protest that did not come by mail. --for is the captain or a ship,
EVENT the number in that ship's report, such as 3.17, and REASON the captain's words;
you can also give them with --why.`,
			Examples: []string{
				"dispute 1", `dispute 1 answer "Which bank do you mean?"`, `dispute 1 reject --why "Range 11 is within chart H: it reaches 13."`,
				`dispute 2 uphold --why "The shield was up." --revision 3.2`, `dispute open 3.17 "the torpedo was out of range" --for Riskadh`,
			},
		},
		{
			Name: "tell", args: "SHIP TEXT", wants: []string{"a ship or a captain", "words"}, rest: 2, turn: dueTurn, Changes: true, run: (*job).tell, read: readTell,
			Flags: []Flag{{Name: "force", Doc: "accept a text that names what the captain does not know"}},
			Short: "Send a private note to one captain",
			Long: `Mails a text to one captain, named by name or ship, and to no one else. The journal
keeps it; the game's public record does not. A text that names a ship unknown to the
captain is refused unless you add --force. It changes nothing in the game: to change
what a captain's sensors show, use a ruling (contact, forget, echo).`,
			Examples: []string{`tell Hood "Your engineer hears a hum from the north."`},
		},
		{
			Name: "become", args: "SHIP", wants: []string{"a ship"}, turn: dueTurn, Flags: []Flag{{Name: "end", Doc: "stop commanding them"}}, Changes: true, Guarded: true, run: (*job).become, why: toCaptains,
			Short: "Command the ships of a captain as well",
			Long: `Lets a referee command a captain's ships as well, until --end: order sets for them in
the referee's mails count as the captain's, and the robot sends the referee templates
for them. All captains get a notice.`,
			Examples: []string{`become Hood --by Rita --why "Ann is ill"`, "become Hood --by Rita --end"},
		},
		{
			Name: "replace", args: "CAPTAIN ADDRESS", wants: []string{"a captain", "an address"}, turn: dueTurn, Changes: true, Guarded: true, run: (*job).replace, why: toCaptains,
			Short: "Give a captain's seat to another person",
			Long: `Gives a captain's seat, taken or vacant, to another address. The last report goes there
with a new turn key. The previous captain gets a notice that no more mails will come;
the others get one without addresses.`,
			Examples: []string{`replace Kirk carol@example.org --why "Ann has no more time"`},
		},
		{
			Name: "eject", args: "CAPTAIN", wants: []string{"a captain"}, turn: dueTurn, Changes: true, Guarded: true, run: (*job).eject, why: toCaptains, must: always,
			Short: "Remove a captain from a seat",
			Long: `Removes a captain from a seat. A robot plays it until someone takes it, by accepting an
invitation or by replace. All captains get a notice with the reason.`,
			Examples: []string{`eject Kor --why "no orders for three turns"`},
		},
		{
			Name: "invite", args: "ADDRESS | NAME=ADDRESS", wants: []string{"an address"}, turn: dueTurn, Changes: true, Guarded: true, run: (*job).invite, why: toCaptains,
			Flags: []Flag{{Name: "seat", Value: "SHIP", Doc: "the seat of the captain of `SHIP`"}},
			Short: "Offer a free seat, or register another referee",
			Long: `With --seat the robot offers a free seat to an address. Whoever answers that mail takes
the seat, even in a game that is not open.

NAME=ADDRESS registers another referee, who gets a key by mail and can then act on the
game by mail. All captains learn the name.`,
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
			Long:  `The same as help. (A captain's help lists commands for captains.)`,
		},
		{
			Name: "help", args: "[COMMAND]", more: 1, MailOnly: true,
			Short: "List these commands, or show the help of one",
			Long:  `Lists the commands of referees; help ruling shows the help of ruling.`,
		},
	}
})

// Verbs returns the commands. The list must not be changed.
func Verbs() []*Verb { return verbs() }

// verbOf returns a command by its name, ignoring case; nil if there is none.
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

// Options returns all options of the command, including those for its turn and its reason.
func (v *Verb) Options() []Flag {
	out := slices.Clone(v.Flags)
	if v.why != "" {
		out = append(out, Flag{Name: "why", Value: "TEXT", Doc: v.why})
	}
	switch v.turn {
	case dueTurn:
		out = append(out, Flag{Name: "turn", Value: "N", Doc: "do nothing unless turn `N` is due"})
	case lastTurn:
		out = append(out, Flag{Name: "turn", Value: "N", Doc: "do nothing unless turn `N` is the last resolved"})
	case anyTurn:
		out = append(out, Flag{Name: "turn", Value: "N", Doc: "the turn: `N` (default: the last resolved)"})
	case noTurn, firstTurn:
	}
	return out
}

func (v *Verb) option(name string) (Flag, bool) {
	all := v.Options()
	if v.turn == firstTurn { // mails may use this form
		all = append(all, Flag{Name: "turn", Value: "N"})
	}
	i := slices.IndexFunc(all, func(f Flag) bool { return f.Name == name })
	if i < 0 {
		return Flag{}, false
	}
	return all[i], true
}

// Usage returns the syntax of the command, for mails or with dir after its name for the command
// line.
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

// Wants returns the number of required arguments.
func (v *Verb) Wants() int {
	if v.turn == firstTurn {
		return len(v.wants) + 1
	}
	return len(v.wants)
}
