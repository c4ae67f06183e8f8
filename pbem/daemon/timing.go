package daemon

import (
	"fmt"
	"time"

	"starpost/pbem/vault"
)

// byDaemon is who does what nobody asked for.
const byDaemon = "daemon"

// openGrace notes in the journal that the grace period of the turn is open.
func (d *Daemon) openGrace(g *game, st *standing, until time.Time) error {
	if err := d.before("grace"); err != nil {
		return err
	}
	e, err := vault.NewEntry(vault.JournalGrace, byDaemon, d.clock.Now(), vault.GraceData{Ends: until.UTC()})
	if err != nil {
		return err
	}
	e.Turn, e.Why = st.ready.Due, "orders are missing at the deadline"
	if _, err := g.vault.Append(e); err != nil {
		return fmt.Errorf("open the grace period of %s: %w", g.vault.ID(), err)
	}
	d.log.Info("grace period opened", "game", g.vault.ID(), "turn", st.ready.Due, "until", until)
	return nil
}
