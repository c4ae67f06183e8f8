// Package rehearse brings captains' order sets and wishes to package rehearsal, for the command line and the mail.
//
// It plays nothing, and changes nothing of a game. What a captain may know stands in his view: the game itself is asked
// for no more than that, and for his own order sets.
package rehearse

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/rehearsal"
	"starpost/pbem/fault"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// InForce are the sets that are in force for a captain.
func InForce(g *vault.Game, p *turn.Position, captain engine.CaptainName) (out []rehearsal.Set, err error) {
	c, ok := g.SharedSettings().Captain(captain)
	if !ok {
		return nil, fmt.Errorf("game %s has no captain %q", g.ID(), captain)
	}
	files, err := g.StageOrders(p.DueStage())
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if slices.ContainsFunc(p.SetNames(c), func(name string) bool { return strings.EqualFold(name, f.Name) }) {
			out = append(out, p.CheckFile(f).Rehearsed()...)
		}
	}
	return out, nil
}

// Other reads SHIP=robot or SHIP=keep; what else stands behind the sign comes back as it is, to be orders or the name of
// a file with some.
func Other(word string) (other rehearsal.Other, rest string, err error) {
	ship, by, ok := strings.Cut(word, "=")
	if !ok || ship == "" || by == "" {
		return other, "", fault.New("such as riskadh=keep", "%.40q does not say how a ship acts", word)
	}
	other = rehearsal.Other{Ship: engine.ShipID(ship), By: strings.ToLower(by)}
	if other.By != rehearsal.ByRobot && other.By != rehearsal.ByKeep {
		other.By, rest = rehearsal.ByOrders, by
	}
	return other, rest, nil
}

// Text is what came of a rehearsal as plain text.
func Text(b *rehearsal.Bands) string { return report.PanelsText(b.Panels()) }

// Mail is a captain's wish by mail: by the order sets that he sent with it, if there are any, else by those in force. Words
// are such as "times", "50" and "Riskadh=keep".
type Mail struct {
	Game    *vault.Game
	Captain engine.CaptainName
	Sent    orderset.Reading
	Words   []string
	Seed    uint64
}

// What an answer by mail plays: no more ships in all battles, and no more events.
const (
	mailShips  = 1000
	mailBudget = rehearsal.UsualBudget / 4
)

// ByMail rehearses what a captain wishes, and gives the text of the answer, or why there is none.
func ByMail(p *turn.Position, m Mail) (text string, refused *rehearsal.Refusal, err error) {
	task := rehearsal.Task{Rules: m.Game.Rules(), Seed: m.Seed, Budget: mailBudget}
	if refused = m.read(&task); refused != nil {
		return "", refused, nil
	}
	if task.Sets = m.Sent.Rehearsed(); len(task.Sets) == 0 && len(m.Sent.Sets) > 0 {
		return "", &rehearsal.Refusal{Problem: "the order sets in the mail have mistakes", Way: "mend them, or leave them out: those in force are played then"}, nil
	}
	if len(task.Sets) == 0 {
		if task.Sets, err = InForce(m.Game, p, m.Captain); err != nil {
			return "", nil, err
		}
	}
	if task.View, err = p.View(turn.SeatOfCaptain(p, m.Captain)); err != nil {
		return "", nil, err
	}
	fighting := slices.DeleteFunc(slices.Clone(task.View.Ships), func(s *engine.ShipView) bool { return s.Status != engine.Active || s.Kind.Small() })
	task.Most = max(1, mailShips/max(1, len(fighting)))
	bands, err := rehearsal.Run(task)
	if refused, ok := errors.AsType[*rehearsal.Refusal](err); ok {
		return "", refused, nil
	}
	if err != nil {
		return "", nil, err
	}
	return Text(bands), nil, nil
}

// read takes the words of a mail into a task.
func (m *Mail) read(task *rehearsal.Task) *rehearsal.Refusal {
	for i := 0; i < len(m.Words); i++ {
		word := m.Words[i]
		if strings.EqualFold(word, "times") {
			if i++; i == len(m.Words) {
				return &rehearsal.Refusal{Problem: "how many times?", Way: "such as times 50"}
			}
			n, err := strconv.Atoi(m.Words[i])
			if err != nil || n < 1 {
				return &rehearsal.Refusal{Problem: fmt.Sprintf("%.40q is no number of times", m.Words[i]), Way: "such as times 50"}
			}
			task.Times = n
			continue
		}
		other, rest, err := Other(word)
		switch {
		case err != nil:
			return &rehearsal.Refusal{Problem: err.Error(), Way: fault.Hint(err)}
		case rest != "":
			return &rehearsal.Refusal{Problem: fmt.Sprintf("%.40q cannot act by %.40q in a mail", other.Ship, rest), Way: "write robot or keep"}
		}
		task.Others = append(task.Others, other)
	}
	return nil
}
