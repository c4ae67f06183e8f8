package rehearse

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"starpost/engine"
	"starpost/engine/rehearsal"
	"starpost/pbem/fault"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Mail is a captain's request by mail: with the order sets in it, or else with those in force. Words
// are such as "times", "50" and "Riskadh=keep".
type Mail struct {
	Game     *vault.Game
	Captain  engine.CaptainName
	Sent     orderset.Reading
	Words    []string
	Seed     uint64
	SHA256   string // of the mail
	Received time.Time
}

// Limits of an answer by mail: ships in all battles together, events, and answers for one captain in an
// hour. One answer takes at most some tenths of a second, while other mails wait.
const (
	mailShips  = 1000
	mailBudget = rehearsal.UsualBudget / 4
	mailsHour  = 20
)

// Limit counts the rehearsals by mail of each captain within the last hour. It is in memory only: a restart of the daemon
// resets it.
type Limit struct {
	mu     sync.Mutex
	lately map[string][]asked
}

// asked is a mail that was rehearsed.
type asked struct {
	sha256 string
	at     time.Time
}

// takes reports whether a mail is within the limit of its captain, and counts it, the same mail once. A nil limit
// allows all.
func (l *Limit) takes(m *Mail) bool {
	if l == nil {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lately == nil {
		l.lately = map[string][]asked{}
	}
	who := m.Game.ID() + "/" + string(m.Captain)
	l.lately[who] = slices.DeleteFunc(l.lately[who], func(a asked) bool { return !a.at.After(m.Received.Add(-time.Hour)) })
	if slices.ContainsFunc(l.lately[who], func(a asked) bool { return a.sha256 == m.SHA256 }) {
		return true
	}
	if len(l.lately[who]) >= mailsHour {
		return false
	}
	l.lately[who] = append(l.lately[who], asked{m.SHA256, m.Received})
	return true
}

// ByMail plays the requested rehearsal, and returns the text of the answer, or why it was refused.
func (l *Limit) ByMail(p *turn.Position, m Mail) (text string, refused *rehearsal.Refusal, err error) {
	task := rehearsal.Task{Rules: m.Game.Rules(), Seed: m.Seed, Budget: mailBudget}
	if refused = m.read(&task); refused != nil {
		return "", refused, nil
	}
	if task.Sets = m.Sent.Rehearsed(); len(task.Sets) == 0 && len(m.Sent.Sets) > 0 {
		return "", &rehearsal.Refusal{Problem: "the order sets in the mail have mistakes", Way: "correct them, or leave them out to play those in force"}, nil
	}
	if len(task.Sets) == 0 {
		if task.Sets, err = InForce(m.Game, p, m.Captain); err != nil {
			return "", nil, err
		}
	}
	if task.View, err = p.View(turn.SeatOfCaptain(p, m.Captain)); err != nil {
		return "", nil, err
	}
	if !l.takes(&m) {
		return "", &rehearsal.Refusal{Problem: fmt.Sprintf("the limit is %d rehearsals an hour", mailsHour), Way: "send it again later, or rehearse in the composer"}, nil
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
	return Text(bands) + "\nNothing was stored, and the dice are not those of the game.\n", nil, nil
}

// read parses the words of a mail into a task.
func (m *Mail) read(task *rehearsal.Task) *rehearsal.Refusal {
	for i := 0; i < len(m.Words); i++ {
		word := m.Words[i]
		if strings.EqualFold(word, "times") {
			if i++; i == len(m.Words) {
				return &rehearsal.Refusal{Problem: "how many times?", Way: "such as times 50"}
			}
			n, err := strconv.Atoi(m.Words[i])
			if err != nil || n < 1 {
				return &rehearsal.Refusal{Problem: fmt.Sprintf("%.40q is not a number of times", m.Words[i]), Way: "such as times 50"}
			}
			task.Times = n
			continue
		}
		other, rest, err := Other(word)
		switch {
		case err != nil:
			return &rehearsal.Refusal{Problem: err.Error(), Way: fault.Hint(err)}
		case rest != "":
			return &rehearsal.Refusal{Problem: fmt.Sprintf("%.40q cannot act as %.40q in a mail", other.Ship, rest), Way: "write robot or keep"}
		}
		task.Others = append(task.Others, other)
	}
	return nil
}
