package daemon

import "starpost/pbem/vault"

// vaultStep begins the name of a step that is taken within a game directory.
const vaultStep = "vault "

// steps are the points at which the daemon may be cut short, each before what
// it is named for, roughly in the order of their coming.
var steps = []string{
	"start",    // where the reading of a mailbox begins is noted
	"record",   // a mail is stored
	"cursor",   // ... and where reading goes on
	"store",    // a mail's order set is stored or dropped
	"queue",    // an answer or notice is put into the outbox
	"acted",    // a mail is noted as acted on
	"answered", // ... and as answered
	"move",     // mails are moved on the server
	"moved",    // ... and that is noted
	"queue turn",
	"close",  // the orders of a turn with public dice are closed
	"closed", // ... which the journal has; nothing else is done yet
	"resolve",
	"resolved", // it is committed; nothing else is done yet
	"begin",    // the clock of a game begins to run
	"cancel",   // ... or the game is called off, since seats were free
	"grace",    // the grace period is opened
	"pause",    // a game is paused because time went by unseen
	"resume",   // ... and goes on by itself
	"beat",     // the heartbeat is written
	"send",     // a mail is handed to the server
	"sent",     // ... which has answered; nothing is noted yet
	"bounce",   // a mail that came back is noted
}

// Steps names every point at which something that lasts is about to change:
// what Options.Before is asked. A process may end at any of them and nothing is
// lost or done twice.
func Steps() []string {
	all := append([]string(nil), steps...)
	for _, s := range vault.Steps {
		all = append(all, vaultStep+s)
	}
	return all
}
