package cup

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// times are the times of the events that entrants are told about.
type times struct {
	paired, over []time.Time // by round, from 0: when it was paired, and when its last game had a result
	closed       time.Time
	moments      []moment
}

// moment is an event that the players of one game, or the referee, are told about.
type moment struct {
	kind string // kindDispute, kindRule or kindWithdraw
	seq  int    // of its entry
	at   time.Time
	game string // "" for a withdrawal
	who  int    // who disputes or withdraws
	met  []int  // opponents in games that a withdrawal decided
}

// note records when an entry was written, after it was applied; open is the number of games without a result before.
func (c applier) note(e Entry, open int) {
	t := &c.times
	left := len(c.Open())
	switch e.Kind {
	case kindPair:
		t.paired, t.over = append(t.paired, e.Time), append(t.over, time.Time{})
		if left == 0 {
			t.over[len(t.over)-1] = e.Time
		}
	case kindClose:
		t.closed = e.Time
	}
	if open > 0 && left < open {
		for r := range t.over {
			if t.over[r].IsZero() && !slices.ContainsFunc(c.round(r+1), func(m Match) bool { return !m.done() }) {
				t.over[r] = e.Time
			}
		}
	}
}

// Mail is a mail about a cup to one address. Word identifies it among all mails about this cup.
type Mail struct {
	Word      string
	To        Member
	ToReferee bool // goes to the referee instead; the address is not known here
	Subject   string
	Text      []string // paragraphs
	Table     string   // the standings, in lines; "" for none
}

// News returns the mails of the cup since a given time: each round as it begins and as it ends, disputes, decisions, and
// withdrawals. They are the same bytes each time. commands means that the host accepts the command cup by mail.
func (c *Cup) News(since time.Time, commands bool) (out []Mail) {
	w := newsWriter{Cup: c, commands: commands}
	ladder := c.Settings.Format == ladderCup
	for r := range c.times.paired {
		if r+1 == c.Paired || ladder {
			if !c.times.paired[r].Before(since) && !c.Over() {
				w.begins(r + 1)
			}
			if over := c.times.over[r]; !over.IsZero() && !over.Before(since) && (ladder || !c.Over()) {
				w.ends(r + 1)
			}
		}
	}
	for _, m := range c.times.moments {
		if !m.at.Before(since) {
			w.tell(m)
		}
	}
	end := c.times.closed
	if n := len(c.times.over); n > 0 && end.IsZero() {
		end = c.times.over[n-1]
	}
	if c.Over() && !end.Before(since) {
		w.over()
	}
	return w.out
}

type newsWriter struct {
	*Cup
	commands bool
	table    string // made once if it is the same for all
	out      []Mail
}

// to adds mails to all captains of an entrant.
func (w *newsWriter) to(n int, word, subject, table string, text ...string) {
	e := w.entrant(n)
	if e.Withdrawn {
		return
	}
	if w.commands && !w.Over() {
		text = append(text, fmt.Sprintf("Standings: cup status %s. To leave the cup: cup leave %s", w.Settings.Name, w.Settings.Name))
	}
	for board, m := range e.Members {
		w.out = append(w.out, Mail{
			Word: fmt.Sprintf("%s.%s.e%d-%d", w.Settings.Name, word, n, board+1), To: m, Table: table, Text: text,
			Subject: fmt.Sprintf("[%s] %s", w.Settings.Name, subject),
		})
	}
}

// standings returns the standings for one entrant. Long ones are made for each, because they show the entrant's own
// place.
func (w *newsWriter) standings(n int) string {
	if len(w.Entrants) > rowsShown {
		return w.Text(n)
	}
	if w.table == "" {
		w.table = w.Text(0)
	}
	return w.table
}

func (w *newsWriter) begins(round int) {
	matches := w.round(round)
	for i := range matches {
		m := &matches[i]
		for _, n := range m.entrants() {
			var text string
			switch {
			case m.Walkover != 0:
				text = fmt.Sprintf("You need not play in round %d: no opponent is left.", round)
			case m.Second == 0:
				text = fmt.Sprintf("You sit out round %d, with a full score.", round)
			default:
				text = fmt.Sprintf("In round %d you meet %s. The first report of each game comes in a separate mail: %s.", round, w.Name(m.First+m.Second-n), strings.Join(m.gameNames(), ", "))
			}
			w.to(n, fmt.Sprintf("begins-%d", round), fmt.Sprintf("Round %d is paired", round), w.standings(n), text)
		}
	}
}

func (m *Match) gameNames() (out []string) {
	for _, g := range m.Games {
		out = append(out, g.ID)
	}
	return out
}

// ends tells everyone how a round ended, or on a ladder its players.
func (w *newsWriter) ends(round int) {
	told := w.active()
	if w.Settings.Format == ladderCup {
		told = nil
		for _, m := range w.round(round) {
			told = append(told, m.entrants()...)
		}
	}
	for _, n := range told {
		w.to(n, fmt.Sprintf("ends-%d", round), fmt.Sprintf("Round %d is over", round), w.standings(n), fmt.Sprintf("All games of round %d are over.", round))
	}
}

func (w *newsWriter) over() {
	for _, n := range w.active() {
		w.to(n, "over", w.Settings.Title+" is over", w.standings(n), "The cup is over. Thank you for playing.")
	}
}

// tell tells the people concerned about a dispute, a decision or a withdrawal.
func (w *newsWriter) tell(m moment) {
	word := fmt.Sprintf("%s-%d", m.kind, m.seq)
	o, _ := w.Game(m.game)
	switch m.kind {
	case kindDispute:
		text := fmt.Sprintf("%s disputes the result of %s.", w.Name(m.who), o.Game.ID)
		referee := Mail{
			Word: w.Settings.Name + "." + word + ".referee", ToReferee: true, Subject: fmt.Sprintf("[%s] The result of %s is disputed", w.Settings.Name, o.Game.ID), Text: []string{text},
		}
		if d := o.Game.Dispute; d != nil {
			referee.Text = append(referee.Text, "The reason given: "+d.Why)
		}
		referee.Text = append(referee.Text, fmt.Sprintf("The result now: %s. To decide it: starpost cup rule %s %s RESULT --why TEXT, where RESULT is %s, %s, draw or none.",
			w.stands(o), w.Settings.Name, o.Game.ID, w.Name(o.Match.First), w.Name(o.Match.Second)))
		w.out = append(w.out, referee)
		for _, n := range o.Match.entrants() {
			w.to(n, word, "The result of "+o.Game.ID+" is disputed", "", text+" The referee decides. If the game is over, the next round does not wait for that.")
		}
	case kindRule:
		for _, n := range o.Match.entrants() {
			w.to(n, word, o.Game.ID+" was decided", w.standings(n), fmt.Sprintf("The referee has decided %s: %s. Paired rounds stay as they are; the standings change accordingly.", o.Game.ID, w.stands(o)))
		}
	case kindWithdraw:
		for _, n := range m.met {
			w.to(n, word, w.Name(m.who)+" has left", "", w.Name(m.who)+" has left the cup. Your remaining games against this entrant count as won in the cup. A battle under way continues by its own rules.")
		}
	}
}

// stands describes the state of a game.
func (c *Cup) stands(o OpenGame) string {
	if o.Game.Result == nil {
		return "no result yet"
	}
	return c.outcome(o.Match, o.Game.Result)
}

// Disputed lists the games with disputed results, each with the captain's reason. It is for the referee only.
func (c *Cup) Disputed() (out []string) {
	for _, o := range c.disputed() {
		out = append(out, fmt.Sprintf("%s disputes the result of %s: %s", c.Name(o.Game.Dispute.By), o.Game.ID, o.Game.Dispute.Why))
	}
	return out
}
