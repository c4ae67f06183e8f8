package vault

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"starpost/pbem/record"
	"starpost/pbem/vault/journal"
)

// Append adds an entry to the journal. It sets Seq and Prev, and converts Time to UTC. When it
// returns nil the entry is on stable storage. If there is already an entry of the same kind and
// Cause, Append does nothing, so that a step may be repeated; added reports whether it added the
// entry.
func (g *Game) Append(e journal.Entry) (added bool, err error) {
	e.Time = e.Time.UTC()
	if p := entryProblem(e); p != "" {
		return false, fmt.Errorf("note in the journal of %s: a %s entry: %s", g.ID(), e.Kind, p)
	}
	if e.Captain != "" {
		c, ok := g.conf.file.Captain(e.Captain)
		if !ok {
			return false, fmt.Errorf("note in the journal of %s: a %s entry: the game has no captain %q", g.ID(), e.Kind, e.Captain)
		}
		e.Captain = c.Name
	}
	err = g.locked(func() error {
		if err := g.Journal.read(); err != nil {
			return err
		}
		if e.Cause != "" && g.Journal.known.seen[e.Kind+"\x00"+e.Cause] {
			return nil
		}
		if at := g.DueStage(); e.Turn == at.Turn && journal.Timed(e.Kind) {
			e.Round = at.Round
		}
		e.Seq, e.Prev = len(g.Journal.known.entries)+1, g.Journal.known.head
		line, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("note in the journal of %s: %w", g.ID(), err)
		}
		if len(line) >= maxEntry {
			return fmt.Errorf("note in the journal of %s: the entry has %d bytes, more than %d", g.ID(), len(line), maxEntry)
		}
		if g.Journal.known.good+int64(len(line))+1 > maxJournal {
			return &Error{Path: g.tree.path(JournalFile), Problem: "the journal is full", Way: "end the game: it has run longer than the journal allows", Err: fs.ErrInvalid}
		}
		added = true
		g.Journal.current = false // even if the write fails
		if err := g.write(record.Change{Doing: "note in the journal", Add: []record.File{{Name: JournalFile, Data: append(line, '\n')}}}); err != nil {
			return err
		}
		g.Journal.again()
		return g.Journal.read()
	})
	return added && err == nil, err
}

// Disregard makes [Game.Settings] and [Game.AdminState] ignore the entries that a mail caused: a
// mail that is decided a second time, after the process was killed, gets the same decision. mail is
// the cause up to "#"; "" ignores none.
func (g *Game) Disregard(mail string) {
	if g.conf.disregard == mail {
		return
	}
	touched := g.Journal.known.causes[g.conf.disregard] || g.Journal.known.causes[mail]
	g.conf.disregard = mail
	if touched {
		g.overlay()
	}
}
