package orderset

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/orders"
)

// NameHead puts the correct first line into the hints of remarks on an unreadable head, for a captain, or with "" for
// any.
func (g *Game) NameHead(diags []orders.Diagnostic, h orders.Head, captain engine.CaptainName) {
	ship := "NAME"
	var names []string
	for _, s := range g.Ships {
		if captain != "" && len(s.MannedBy(captain)) == 0 {
			continue
		}
		if names = append(names, s.Name); strings.EqualFold(s.Name, h.Name) {
			ship = s.Name
		}
	}
	switch {
	case ship != "NAME":
	case len(names) == 1:
		ship = names[0]
	case len(names) <= 8:
		ship += ", one of: " + strings.Join(names, ", ")
	}
	line := fmt.Sprintf("write: #orders %s %s ship %s", g.ID, g.HeadWords(), ship)
	for i := range diags {
		if diags[i].Hint == orders.HeadUsage {
			diags[i].Hint = line
		}
	}
}

type sayFunc func(pos orders.Pos, sev orders.Severity, code, hint, format string, args ...any)

// checkPlace checks game and turn of a head. The parser has reported missing parts.
func (g *Game) checkPlace(h orders.Head, say sayFunc) {
	if h.Game != "" && !strings.EqualFold(h.Game, g.ID) {
		say(h.GamePos, orders.Error, CodeOtherGame, fmt.Sprintf("write %s", g.ID), "this is game %s, not %q", g.ID, h.Game)
	}
	due := g.due()
	wrong, why, way := WrongTurn(h.Turn, due, MaxAhead)
	switch {
	case due == 0:
		say(h.Pos, orders.Error, CodeGameOver, "", "the game is over since turn %d; no more orders are wanted", g.Over)
	case h.Turn == 0:
		if h.TurnPos != (orders.Pos{}) {
			say(h.TurnPos, orders.Error, wrong, way, "%s", why)
		}
	case wrong != "":
		if h.Turn < due {
			way += ", or take the orders at the end of your last report"
		}
		say(h.TurnPos, orders.Error, wrong, way, "%s", why)
	case h.Turn == due && g.Closed != nil && g.roundOf(h) <= g.Round:
		code, why, way := g.Closed()
		say(h.TurnPos, orders.Error, code, way, "%s; no more are accepted", why)
	case h.Turn > due:
		say(h.TurnPos, orders.Warning, CodeLaterTurn, "", "these orders are for turn %d; turn %d is due. They are kept and checked again when their turn comes", h.Turn, due)
	}
	if due > 0 && h.Turn > 0 {
		g.checkPhase(h, say)
	}
}

// WrongTurn returns the code, reason and hint for a turn that takes no orders, if due is the due turn and orders may be
// sent ahead turns in advance; all are "" for a valid turn.
func WrongTurn(turn, due, ahead int) (code, why, way string) {
	switch way = fmt.Sprintf("write turn %d", due); {
	case turn == 0:
		return CodePastTurn, fmt.Sprintf("turn 0 is the set-up; turn %d is due", due), way
	case turn < due:
		return CodePastTurn, fmt.Sprintf("turn %d is already resolved; turn %d is due", turn, due), way
	case turn > due+ahead:
		return CodeFarTurn, fmt.Sprintf("turn %d is too far ahead; turn %d is due", turn, due), way
	}
	return "", "", ""
}

// checkPhase checks the phase of a head.
func (g *Game) checkPhase(h orders.Head, say sayFunc) {
	rounds, due, round := g.Rounds, g.due(), g.Round
	at := g.roundOf(h)
	switch {
	case rounds == 0 && h.Phase > 0:
		say(h.PhasePos, orders.Warning, CodeNoPhase, "leave out phase", "this game takes orders for a whole turn at a time; phase %d is skipped", h.Phase)
	case rounds == 0:
	case at > rounds:
		say(h.PhasePos, orders.Error, CodeOtherPhase, fmt.Sprintf("1 to %d", rounds), "a turn has no phase %d", h.Phase)
	case h.Turn != due:
	case at < round && h.Phase == 0:
		say(h.TurnPos, orders.Error, CodePastTurn, "write "+g.HeadWords(), "without a phase these orders are for phase 1 of turn %d, which is already resolved; phase %d is due", due, round)
	case at < round:
		say(h.PhasePos, orders.Error, CodePastTurn, "write "+g.HeadWords(), "phase %d of turn %d is already resolved; phase %d is due", at, due, round)
	case at > round:
		say(h.PhasePos, orders.Warning, CodeLaterTurn, "", "these orders are for phase %d of turn %d; phase %d is due. They are kept and checked again when their time comes", at, due, round)
	}
}
