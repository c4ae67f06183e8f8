package games

import (
	"context"
	"fmt"
	"slices"

	"starpost/engine/dice"
	"starpost/pbem/auth"
	"starpost/pbem/desk/effect"
	"starpost/pbem/lobby"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault/journal"
)

// eventOffered records that a seat was offered which its captain gave up. The subject is the number of the entry.
const eventOffered = "offered"

// offerSeat offers a seat that a captain gave up or lost to the people who asked for such offers, if anyone may join
// it.
func (d *teller) offerSeat(ctx context.Context, g *Game, e journal.Entry) error {
	h, s := g.Worker.Desk.Hosting, g.Vault.SharedSettings()
	seat, ok := s.Captain(e.Captain)
	if h == nil || !ok || !s.Joinable(seat) {
		return nil
	}
	pos, err := turn.Load(g.Vault)
	if err != nil || pos.Due() == 0 {
		return err
	}
	l, err := lobby.List(g.Vault, pos)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(l.Free, func(f lobby.FreeSeat) bool { return f.Captain == seat.Name })
	if i < 0 {
		return nil // of a ship that may not be known yet
	}
	free := l.Free[i]
	text := []string{fmt.Sprintf("A captain has left %s. The seat of %s is free: %s.", s.Title, free.Name, l.Describe(s))}
	if free.Hull >= 0 {
		text = append(text, fmt.Sprintf("The ship has %d %% of her hull left.", free.Hull))
	}
	text = append(text, fmt.Sprintf("To take it, send a mail with the line: join %s as %s", s.ID, free.Name), "Taking over a seat in a battle under way costs no rating.")
	if page := g.Worker.Desk.PageOf(s.ID); page != "" {
		text = append(text, "The page of the game: "+page)
	}
	m, err := g.Worker.Desk.OfferMail(s, free.Name, d.Clock.Now(), text...)
	if err != nil {
		return err
	}
	for _, o := range h.Requests.ObserversAs("") {
		if !o.Watches() || o.Game != lobby.SeatOffers || effect.Plays(*s, o.Address) {
			continue
		}
		m.To.Addr = o.Address
		m.MessageID = g.messageID(fmt.Sprintf("offer.%x", dice.DeriveKey(g.Vault.Secret(), "offer "+auth.Canonical(o.Address), fmt.Sprint(e.Seq))[:6]))
		if err := d.Queue(ctx, store.Notice, g.Key, nil, m); err != nil {
			return err
		}
	}
	return nil
}
