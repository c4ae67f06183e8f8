package console

import (
	"slices"
	"strings"
)

// Verb is a command of referees, as mails have it: what stands behind "starpost
// referee DIR" on the command line, but for files.
type Verb struct {
	Name  string
	Usage string
	Doc   string
	// Changes tells that it may change the game, and Looks that it shows what some
	// captain may not know.
	Changes, Looks bool
	// Guarded tells that, where no key of the turn comes with it, the turn has to be
	// named, so that a mail that comes late does nothing.
	Guarded bool

	flags []string // options that stand alone
	words []string // options that are followed by words
}

// Verbs lists the commands in the order of the documentation.
func Verbs() []Verb {
	return []Verb{
		{Name: "show", Usage: "show [turn N] [--revision K]", Doc: "The whole truth of a turn: sets, mails, events, dice, rulings. Of the turn that is due: who is in.", Looks: true, words: []string{"revision"}},
		{Name: "trace", Usage: "trace TURN.EVENT [--as SHIP] [--revision K]", Doc: "How an event came about, and what followed from it.", Looks: true, words: []string{"as", "revision"}},
		{Name: "preview", Usage: "preview [--as SHIP] [--missing POLICY]", Doc: "What would happen if the turn that is due were resolved now. Nothing is changed.", Looks: true, words: []string{"as", "missing"}},
		{Name: "amend", Usage: "amend SHIP --why REASON, with the order set in the same mail", Doc: "Replaces a ship's orders for the turn that is due.", Changes: true, words: []string{"why"}},
		{Name: "ruling", Usage: "ruling RULING --why REASON [--dry-run] [--end] [--before] [--force] [--later rerun|aside] [--keep-orders]", Doc: "Changes what came of the last turn, such as `ruling set Hood superstructure 12 --why the hit was counted twice`. `ruling fields SHIP` lists what can be set. With --dry-run nothing is changed; one that ends the game wants --end.", Changes: true, Looks: true, Guarded: true, flags: []string{"dry-run", "end", "before", "force", "keep-orders"}, words: []string{"later", "why"}},
		{Name: "rerun", Usage: "rerun TURN [--with RULING]... [--amend] [--later rerun|aside] [--keep-orders] [--before] [--force] [--commit [--end] --why REASON]", Doc: "Resolves a turn again with the same dice and shows what is otherwise; with --amend by the order sets in the mail. It counts with --commit only.", Changes: true, Looks: true, flags: []string{"amend", "keep-orders", "before", "force", "commit", "end"}, words: []string{"with", "later", "why"}},
		{Name: "whatif", Usage: "whatif [turn N] --with RULINGS [--with RULINGS]...", Doc: "Several changes of a turn side by side. Nothing is changed.", Looks: true, flags: []string{"before", "force", "keep-orders"}, words: []string{"with", "later"}},
		{Name: "rollback", Usage: "rollback TURN --why REASON [--keep-orders]", Doc: "Takes all turns after TURN back.", Changes: true, flags: []string{"keep-orders"}, words: []string{"why"}},
		{Name: "process", Usage: "process TURN [--missing POLICY] [--force]", Doc: "Resolves the turn that is named, now; if it was resolved before, nothing is done.", Changes: true, Looks: true, flags: []string{"force"}, words: []string{"missing", "why"}},
		{Name: "file", Usage: "file TURN [--dry-run] [--missing standing] [--again [--later rerun|aside]] [--why WORDS], with the filing below it, to #end", Doc: "Files a turn of a game that you play by rules of your own; `file TURN --blank` sends a filing to be filled in.", Changes: true, Looks: true, flags: []string{"blank", "dry-run", "again"}, words: []string{"missing", "later", "why"}},
		{Name: "extend", Usage: "extend TIME --why REASON [--shorten]", Doc: "Another deadline for the turn that is due: `2d`, or `2026-12-01 20:00`.", Changes: true, Guarded: true, flags: []string{"shorten"}, words: []string{"why"}},
		{Name: "pause", Usage: "pause --why REASON", Doc: "Stops the game's clock.", Changes: true, Guarded: true, words: []string{"why"}},
		{Name: "resume", Usage: "resume [--why WORDS]", Doc: "Lets a paused game go on.", Changes: true, Guarded: true, words: []string{"why"}},
		{Name: "rules", Usage: "rules VERSION --why REASON", Doc: "Has the game go on by another version of its rule set, from the turn that is due.", Changes: true, Guarded: true, words: []string{"why"}},
		{Name: "disputes", Usage: "disputes [--open]", Doc: "The protests of the game.", flags: []string{"open"}},
		{Name: "dispute", Usage: "dispute N [answer WORDS | uphold --why REASON | reject --why REASON] [--tell WORDS] [--revision TURN.K] [--force], or: dispute open EVENT --for CAPTAIN --why REASON", Doc: "Shows a protest, answers the captain, or ends it; open notes one for a captain who told it otherwise than by mail.", Changes: true, Looks: true, flags: []string{"force"}, words: []string{"why", "tell", "revision", "for"}},
		{Name: "become", Usage: "become SHIP [--end] [--why REASON]", Doc: "You command the ships of that captain besides him: order sets in your mails count as his, until --end.", Changes: true, Guarded: true, flags: []string{"end"}, words: []string{"why"}},
		{Name: "replace", Usage: "replace CAPTAIN ADDRESS [--why REASON]", Doc: "Gives a captain's seat to somebody else.", Changes: true, Guarded: true, words: []string{"why"}},
		{Name: "eject", Usage: "eject CAPTAIN --why REASON", Doc: "Takes a captain's seat from him; a robot plays it.", Changes: true, Guarded: true, words: []string{"why"}},
		{Name: "invite", Usage: "invite ADDRESS --seat SHIP, or: invite NAME=ADDRESS", Doc: "Asks somebody to take a free seat; or registers another referee.", Changes: true, Guarded: true, words: []string{"seat", "why"}},
		{Name: "renew", Usage: "renew", Doc: "Makes your key another one: you are sent it.", Changes: true},
		{Name: "commands", Usage: "commands", Doc: "Lists these commands; so does `help`, in a mail of who is no captain too."},
		{Name: "help", Usage: "help", Doc: "The same."},
	}
}

// VerbOf finds a command by its word, upper and lower case alike.
func VerbOf(word string) (Verb, bool) {
	all := Verbs()
	i := slices.IndexFunc(all, func(v Verb) bool { return strings.EqualFold(v.Name, word) })
	if i < 0 {
		return Verb{}, false
	}
	return all[i], true
}

func names() []string {
	var out []string
	for _, v := range Verbs() {
		out = append(out, v.Name)
	}
	return out
}
