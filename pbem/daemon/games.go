package daemon

import "starpost/pbem/beacon/relay"

// newKeeper keeps the games that the configuration names.
func newKeeper(p *process, w *guard, holder string) *keeper {
	k := &keeper{process: p, guard: w, holder: holder}
	k.steps = &stepper{teller: &teller{p}, relays: relay.NewAsker(p.o.Beacons, p.clock.Now), waking: k.waking}
	k.games = newGameSet(k)
	return k
}

// waking has a game looked at soon. No lock of a game may be held when it is called.
func (d *keeper) waking(g *game) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g.worker.agenda.now(g)
	nudge(g.worker.wake)
}
