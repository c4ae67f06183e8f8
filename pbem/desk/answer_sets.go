package desk

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/desk/submission"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// maxShown limits how many lines of a set an answer repeats, so that a mail full of rubbish does
// not cause an answer several times its size.
const maxShown = 400

// wording makes the bodies of one answer. It caches what several sets of a mail have in common:
// nothing changes in the meantime.
type wording struct {
	c      *Decision
	now    time.Time
	drawn  map[string]drawnWay // plotted courses on the maps of the answer
	stored struct {            // for the previous set
		game  *vault.Game
		stage vault.Stage
		files []vault.OrderFile
	}
	stand struct { // for the previous set
		pos     *turn.Position
		captain engine.CaptainName
		missing []string
		notices []string
		runs    bool // the turn runs now: nothing can be changed any more
		final   bool // the captain has said final, and notices do not tell when the turn runs
	}
}

// ack returns the body of the answer to one set.
func (w *wording) ack(s *submission.Set) (templates.Ack, error) {
	c, now := w.c, w.now
	a := report.AckDetails{Verdict: templates.Refused, Now: now, Notices: s.Notices}
	source := c.Body.Source
	if s.Source != "" {
		source = s.Source
	}
	if len(s.Read.Raw.Lines) > maxShown {
		s.Read.Raw.Lines = s.Read.Raw.Lines[:maxShown]
		a.Notices = append(a.Notices, fmt.Sprintf("Only the first %d lines of your orders are repeated here.", maxShown))
	}
	switch {
	case s.Game == nil:
		a.Verdict = templates.Untrusted // the sender has no seat in it: the sets in force are unknown
		return report.Ack(nil, report.SetReading{Raw: s.Read.Raw, Source: source, Diagnostics: s.Read.Diagnostics}, a), nil
	case !s.Trusted:
		a.Verdict = templates.Untrusted
		return s.Pos.Ack(s.Read, source, a), nil
	}
	settings := s.Game.Settings()
	a.Zone, a.Own = s.Game.Zone(), s.Captain.Zone
	timing, err := s.Game.Timing()
	if err != nil {
		return templates.Ack{}, err
	}
	if a.Deadline = timing.Ends(); timing.Stands() {
		a.Deadline, a.Notices = time.Time{}, append(a.Notices, strings.Join(turn.DueSentences(timing, now, a.Zone), " "))
	}
	inForce, err := w.inForce(s)
	if err != nil {
		return templates.Ack{}, err
	}
	switch {
	case s.Checked:
		a.Verdict, a.InForce = templates.Checked, "No set is in force."
		if inForce != nil {
			a.InForce = fmt.Sprintf("Not this set but your earlier one for %s, received %s.", s.Wanted(), report.FormatTime(inForce.Modified, a.Zone))
		}
	case s.Taken && s.Cancel:
		a.Verdict, a.InForce = templates.Canceled, "No set is in force."
	case s.Taken:
		a.Verdict = templates.Accepted
		a.InForce = "The set in this mail."
		if s.Word != "" {
			a.InForce = fmt.Sprintf("Your earlier set, now with the word %s.", s.Word)
		}
		if inForce != nil && string(inForce.Text) != s.Read.Text { // the answer shows s.Read.Text line by line
			a.InForce, a.Set = "The set in this mail, as changed by a command.", string(inForce.Text)
		}
	case inForce != nil:
		a.Verdict = templates.Kept
		a.InForce = fmt.Sprintf("Your earlier set for %s, received %s.", s.Wanted(), report.FormatTime(inForce.Modified, a.Zone))
		a.Set = string(inForce.Text)
	default:
		a.InForce = "No set is in force."
	}
	runs := false
	if settings.Mail.ShowMissing && s.Pos.Due() > 0 {
		if err := w.standing(s, settings, timing.Stands()); err != nil {
			return templates.Ack{}, err
		}
		a.Missing, a.Notices, runs = w.stand.missing, append(a.Notices, w.stand.notices...), w.stand.runs && s.Wanted() == s.Pos.DueStage()
	}
	if runs {
		a.Deadline = time.Time{}
	} else {
		if w.stand.final && s.Taken && s.Wanted() == s.Pos.DueStage() {
			a.Notices = append(a.Notices, "You have said final: you need no more time. The turn runs once all captains have said so, or at the deadline.")
		}
		a.HowTo = howTo(s.Pos, c.Robot.NoPlus, a.Verdict == templates.Accepted || a.Set != "", a.Set != "")
	}
	set := s.Read
	if s.Cancel {
		set.Checked.Effects = nil
	}
	if s.Cancel || !s.Taken && !(s.Checked && s.Read.OK()) {
		// The forecast of a set that is not in force would mislead.
		set.Checked.Summary, set.Checked.Path = nil, nil
	}
	if s.Taken && len(set.Checked.Path) > 0 {
		key, way := wayOf(s)
		if c.desk.Ways.known(key, way, c.In.SHA256) {
			set.Checked.Path = nil
			a.InForce += " For your course see the map in the previous answer."
		} else {
			w.drawn[key] = drawnWay{way, c.In.SHA256}
		}
	}
	return s.Pos.Ack(set, source, a), nil
}

// inForce returns the stored set for the turn that s is for, or nil.
func (w *wording) inForce(s *submission.Set) (*vault.OrderFile, error) {
	if s.Read.Name == "" || s.Pos.Due() == 0 {
		return nil, nil
	}
	if at := s.Wanted(); w.stored.game != s.Game || w.stored.stage != at {
		files, err := s.Game.Orders.For(at)
		if err != nil {
			return nil, err
		}
		w.stored.game, w.stored.stage, w.stored.files = s.Game, at, files
	}
	for i, f := range w.stored.files {
		if strings.EqualFold(f.Name, s.Read.Name) {
			return &w.stored.files[i], nil
		}
	}
	return nil, nil
}

// standing determines which orders are missing, and what the turn waits for.
func (w *wording) standing(s *submission.Set, settings vault.Settings, paused bool) error {
	out := &w.stand
	if out.pos == s.Pos && out.captain == s.Captain.Name {
		return nil
	}
	out.pos, out.captain, out.missing, out.notices, out.runs, out.final = nil, s.Captain.Name, nil, nil, false, false
	ready, err := s.Pos.Ready()
	if err != nil {
		return err
	}
	plain, err := s.Pos.Shown(s.Captain.Name)
	if err != nil {
		return err
	}
	missing := plain.Only(ready.Missing())
	away, err := turn.Away(s.Game, missing, w.now)
	if err != nil {
		return err
	}
	out.missing = turn.NamesAway(missing, away)
	switch {
	case !ready.Heard() || paused || !plain.All():
		out.final = !paused && ready.IsFinal(s.Captain.Name)
	case ready.Wait():
		out.notices = append(out.notices, fmt.Sprintf("All orders for %s are in; a captain asked to wait for the deadline.", s.Pos.DueStage()))
	case ready.AllFinal() || settings.Mail.ChangeWindow == 0:
		final := map[bool]string{true: " and final"}[ready.AllFinal()]
		out.runs = true
		out.notices = append(out.notices, fmt.Sprintf("All orders for %s are in%s: the turn runs now, and its report follows.", s.Pos.DueStage(), final))
	default:
		out.notices = append(out.notices, fmt.Sprintf(
			"All orders for %s are in: the turn runs once nothing has changed for %s or every captain has said final, or at the deadline.", s.Pos.DueStage(), settings.Mail.ChangeWindow))
	}
	out.pos = s.Pos
	return nil
}

// howTo says what may be sent next. inForce means that a set is in force, shown that the answer
// shows it in full.
func howTo(pos *turn.Position, noPlus, inForce, shown bool) []string {
	if pos.Due() == 0 {
		return nil
	}
	var out []string
	switch {
	case shown:
		out = append(out, "A complete new set, any time before the turn runs; it replaces the one in force. To change that one, copy it without its bars (|).")
	case inForce:
		out = append(out, "A complete new set, any time before the turn runs; it replaces the one in force.")
	default:
		out = append(out, "A complete set, with its first and last lines, any time before the turn runs.")
	}
	switch {
	case inForce && noPlus:
		out = append(out, "A line #final key KEY with your turn key, when you need no more time. Your orders stay as they are.")
	case inForce:
		out = append(out, "The word final, as the first line of a mail, when you need no more time. Your orders stay as they are.")
	default:
		out = append(out, "A line final among your orders, when you need no more time.")
	}
	if inForce {
		out = append(out, "A block with only the line cancel, to drop the set in force.")
	}
	if noPlus {
		return append(out, helpHint, "The first line of each set needs the word key and the turn key, as in your last report.")
	}
	return append(out, helpHint, "A reply to this mail needs no turn key.")
}

// Ways remembers which plotted courses were on the maps of answers, so that the next answer needs
// no map if nothing has changed. Losing it is harmless: a map is drawn once more. It is for one
// goroutine at a time; the zero value is ready.
type Ways struct {
	drawn map[string]drawnWay // by game and seat
}

// drawnWay is a plotted course as it was on the map of an answer.
type drawnWay struct {
	way  string // hash, with everything else that the map depends on
	mail string // hash of the answered mail
}

// wayOf returns the key under which Ways remembers the course of a set, and its value.
func wayOf(s *submission.Set) (key, way string) {
	return s.Game.ID() + "\x00" + s.Read.Seat().String(), vault.Hash(fmt.Append(nil, s.Game.Newest(), turn.StageOf(s.Read), s.Read.Checked.Path))
}

// known reports whether the answer to another mail had the course on its map.
func (w *Ways) known(key, way, mail string) bool {
	if w == nil {
		return false
	}
	was := w.drawn[key]
	return was.way == way && was.mail != mail
}

// note remembers the courses on the maps of an answer.
func (w *Ways) note(ways map[string]drawnWay) {
	if w == nil {
		return
	}
	if w.drawn == nil {
		w.drawn = map[string]drawnWay{}
	}
	maps.Copy(w.drawn, ways)
}
