package simulate_test

import (
	"context"
	"strings"

	"starpost/pbem/record/directory"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// check compares the final state with what it must be.
func (w *world) check(ctx context.Context) {
	g, err := vault.Open(directory.At(w.game), catalogue())
	if err != nil {
		w.broke("open the game: %w", err)
		return
	}
	if found, err := proof.Verify(g, nil); err != nil || len(found) > 0 {
		w.broke("verify: %v %v", found, err)
	}
	w.checkReports(g)
	for _, c := range w.captains {
		w.checkAnswers(c)
		w.checkSets(g, c)
	}
	if n := len(w.post.inbox); n > 0 {
		w.broke("%d mails are left in the inbox", n)
	}
	if w.shared != nil {
		if err := w.shared.Close(); err != nil {
			w.broke("close the store: %w", err)
		}
	}
	switch o, err := sqlite.Inspect(ctx, w.storeOf("A")); {
	case err != nil:
		w.broke("look into the store: %w", err)
	case o.Waiting != 0:
		w.broke("%d mails wait to be sent", o.Waiting)
	}
}

// checkReports checks that each captain got all their reports, and under each Message-ID only the
// same bytes.
func (w *world) checkReports(g *vault.Game) {
	for n := range g.Turn() + 1 {
		mails, err := g.Stages.Outbox(vault.Stage{Turn: n})
		if err != nil {
			w.broke("reports of turn %d: %w", n, err)
			continue
		}
		for _, m := range mails {
			for _, c := range w.captains {
				if c.address == m.To && len(c.copies[strings.Trim(m.MessageID, "<>")]) == 0 {
					w.broke("the report of turn %d for %s did not come", n, c.ship)
				}
			}
		}
	}
	for _, c := range w.captains {
		for id, copies := range c.copies {
			for _, raw := range copies[1:] {
				if raw != copies[0] {
					w.broke("two mails with the id %s", id)
				}
			}
		}
	}
}

// checkAnswers checks that each mail has one answer.
func (w *world) checkAnswers(c *captain) {
	for _, s := range c.sent {
		if len(s.answers) != 1 {
			w.broke("%d answers to %s of %s: %q", len(s.answers), s.id, c.ship, s.answers)
		}
	}
}

// checkSets checks that the last acknowledged set for each turn was played.
func (w *world) checkSets(g *vault.Game, c *captain) {
	inForce, at := map[int]*sent{}, map[int]int{}
	for _, s := range c.sent {
		place := w.post.place(s.raw)
		for _, subject := range s.answers {
			if strings.HasSuffix(subject, "accepted") && !strings.HasSuffix(subject, "not accepted") && place > at[s.turn] {
				inForce[s.turn], at[s.turn] = s, place
			}
		}
	}
	for n, s := range inForce {
		if n > g.Turn() {
			w.broke("a set for turn %d was acknowledged, %d were played", n, g.Turn())
			continue
		}
		played, err := g.Stages.File(vault.At(n), vault.OrdersDir+"/"+c.ship+".txt")
		if err != nil || inside(string(played)) != inside(s.lines) {
			w.broke("turn %d was played for %s with\n%s instead of\n%s (%v)", n, c.ship, played, s.lines, err)
		}
	}
}

// inside returns an order set without its first and last line.
func inside(set string) string {
	_, set, _ = strings.Cut(set, "\n")
	set, _, _ = strings.Cut(set, "#end")
	return set
}
