package daemon

import (
	"context"
	"fmt"
	"strings"

	"starpost/pbem/auth"
	"starpost/pbem/store"
	"starpost/pbem/vault"
)

// queueObservers tells those who watch a game of a turn. A mail that is in the outbox already is not
// put there again.
func (d *teller) queueObservers(ctx context.Context, g *game, at vault.Stage) error {
	h, s := g.worker.desk.Hosting, g.vault.SharedSettings()
	if h == nil || at.Turn == 0 || at != g.vault.Newest() || !s.Watched().May {
		return nil
	}
	var to []string
	for _, o := range h.Requests.ObserversAs("") {
		if o.Watches() && strings.EqualFold(o.Game, s.ID) {
			to = append(to, o.Address)
		}
	}
	if len(to) == 0 {
		return nil
	}
	m, ok, err := g.worker.desk.WatchMail(g.vault, d.clock.Now())
	if err != nil || !ok {
		return err
	}
	_, domain, _ := strings.Cut(g.worker.box.Address, "@")
	for _, address := range to {
		m.To.Addr = address
		m.MessageID = fmt.Sprintf("<watch.%s.%d.%s@%s>", g.key, at.Turn, vault.Hash([]byte(s.SecretSHA256 + auth.Canonical(address)))[:16], domain)
		if known, err := d.store.InOutbox(ctx, m.MessageID); err != nil {
			return err
		} else if known {
			continue
		}
		if err := d.queue(ctx, store.Notice, g.key, nil, m); err != nil {
			return err
		}
	}
	d.log.Info("observers told", "game", g.vault.ID(), "turn", at.Turn, "mails", len(to))
	return nil
}
