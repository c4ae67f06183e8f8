package referee

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"starpost/engine"
	"starpost/pbem/pattern"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// ByProtest is the author, in the journal and in messages, of a stop of the clock for open
// disputes.
const ByProtest = "rule on protests"

// The kinds of refusals about disputes.
var (
	errNoDispute = errors.New("the game has no such dispute")
	errSettled   = errors.New("the dispute is decided")
	errWords     = errors.New("the words cannot be used")
)

// Decision is a referee's step in a dispute.
type Decision struct {
	Step string // journal.DisputeAnswer, DisputeUphold or DisputeReject
	Text string // for the captain who protested
	Tell string // for all others; if "", they are told only the decision
	// Turn and Revision are where the outcome was changed because of it; zero if it was not.
	Turn, Revision int
	Force          bool // allow words that name what a reader does not know
}

// Settle adds a step to a dispute. A final step resumes a game that waited for it. The error is
// errNoDispute, errSettled, or errWords for words that would reveal hidden information.
func Settle(g *vault.Game, a Act, number int, d Decision) (out vault.Dispute, err error) {
	err = locked(g, func() error {
		st, err := g.AdminState()
		if err != nil {
			return err
		}
		known, ok := st.Dispute(number)
		if !ok {
			way := "there was no protest yet"
			if n := len(st.Disputes); n > 0 {
				way = fmt.Sprintf("its disputes are 1 to %d: %s", n, g.CommandLine("referee", "disputes"))
			}
			return &Error{Problem: fmt.Sprintf("game %s has no dispute %d", g.ID(), number), Way: way, Err: errNoDispute}
		}
		if !known.Open() {
			return &Error{
				Problem: fmt.Sprintf("dispute %d is decided: the protest was %s", number, Verdict(known.Outcome())),
				Way:     "see: " + g.CommandLine("referee", "dispute", number), Err: errSettled,
			}
		}
		if err := fits(g, known, d); err != nil {
			return err
		}
		if err := note(g, a, known, d); err != nil {
			return err
		}
		if st, err = g.AdminState(); err != nil {
			return err
		}
		out, _ = st.Dispute(number)
		return nil
	})
	if err != nil {
		return out, err
	}
	return out, UpdateDisputeClock(g, a.Now)
}

// maxReason limits the reason of a protest, in bytes.
const maxReason = 8000

// OpenDispute records a protest, made other than by mail, for the captain of a seat, who is named
// by captain or ship, against an event of a turn. The event has the number of the report for the
// captain's first ship. It returns the dispute's number. The error is errNoEvent if there is no
// such event.
func OpenDispute(g *vault.Game, a Act, seat string, n, event int, reason string) (number int, err error) {
	reason = strings.Join(strings.Fields(reason), " ")
	if reason == "" || len(reason) > maxReason || !utf8.ValidString(reason) {
		return 0, &Error{Problem: "a dispute wants the captain's reason", Way: fmt.Sprintf("in words, at most %d bytes", maxReason), Err: errWords}
	}
	err = locked(g, func() error {
		c, err := captainOf(g, seat)
		if err != nil {
			return err
		}
		if n < 1 || n > g.Turn() {
			return &Error{Problem: fmt.Sprintf("turn %d of %s was not resolved", n, g.ID()), Way: fmt.Sprintf("turns 1 to %d were", g.Turn()), Err: errNoEvent}
		}
		seq, err := EventOf(g, n, c.Seat(), event)
		if err != nil {
			return err
		}
		revision, err := g.Stages.Current(n)
		if err != nil {
			return err
		}
		if err := entry(g, a, journal.Protest, c.Name, journal.ProtestData{Turn: n, Event: event, Reason: reason, Seq: seq, Revision: revision}); err != nil {
			return err
		}
		entries, err := g.Journal.Entries()
		for _, e := range entries {
			if e.Kind != journal.Protest {
				continue
			}
			if number++; a.Cause != "" && e.Cause == a.Cause { // even if it was recorded before
				break
			}
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return number, UpdateDisputeClock(g, a.Now)
}

// Verdict returns the outcome of a dispute in a word.
func Verdict(outcome string) string {
	switch outcome {
	case journal.DisputeUphold:
		return "upheld"
	case journal.DisputeReject:
		return "rejected"
	}
	return "open"
}

// Public returns what all captains are told about a decided dispute.
func Public(d vault.Dispute, s vault.DisputeStep) string {
	if s.Tell != "" {
		return s.Tell
	}
	return fmt.Sprintf("A protest on turn %d was %s.", d.Turn, Verdict(s.Step))
}

// note records a step.
func note(g *vault.Game, a Act, of vault.Dispute, d Decision) error {
	_, err := g.Append(a.Entry(journal.Dispute, g.Turn()+1, of.Captain, journal.DisputeData{
		Dispute: of.Number, Step: d.Step, Text: d.Text, Tell: d.Tell, Turn: d.Turn, Revision: d.Revision,
	}))
	return err
}

// fits checks the words of a decision: their readers must know about everything that they name.
func fits(g *vault.Game, of vault.Dispute, d Decision) error {
	refused := func(way, format string, args ...any) error {
		return &Error{Problem: fmt.Sprintf(format, args...), Way: way, Err: errWords}
	}
	switch {
	case strings.TrimSpace(d.Text) == "":
		return refused("say it in a sentence or two", "the captain who protested is to get an answer, and there is none")
	case d.Step == journal.DisputeAnswer && d.Tell != "":
		return refused("give it when you uphold or reject the protest", "an answer goes to the captain who protested alone")
	case d.Revision > 0 && d.Turn == 0:
		return refused("such as 3.2 for revision 2 of turn 3", "a revision is one of a turn")
	case d.Turn > g.Turn():
		return refused(fmt.Sprintf("the last turn that was resolved is turn %d", g.Turn()), "turn %d was not resolved", d.Turn)
	case d.Revision > 0:
		if _, err := g.Stages.Manifest(vault.Stage{Turn: d.Turn, Revision: d.Revision}); err != nil {
			return err
		}
	}
	if d.Force {
		return nil
	}
	if d.Tell != "" {
		if m := eventNumber().FindString(d.Tell); m != "" {
			return refused("each captain's report has other numbers: leave it out, or add --force", "the words for all name an event, %s", m)
		}
	}
	settings := g.Settings()
	for _, c := range settings.Captains {
		text := d.Tell
		if c.Name == of.Captain {
			text = d.Text
		}
		if text == "" {
			continue
		}
		hidden, err := unknownTo(g, c, text)
		if err != nil {
			return err
		}
		if len(hidden) > 0 {
			return refused("say it without the name, or add --force",
				"the words for %s name %s, which this captain does not know about", c.Name, strings.Join(hidden, " and "))
		}
	}
	return nil
}

// eventNumber matches captains' event numbers: turn.event.
var eventNumber = pattern.New(`\b[0-9]{1,4}\.[0-9]{1,5}\b`)

// unknownTo returns the ships and captains that a text names and a captain has never seen in a
// report.
func unknownTo(g *vault.Game, c vault.Captain, text string) ([]string, error) {
	state, err := g.Stages.State(vault.At(g.Turn()))
	if err != nil || state.Result != nil {
		return nil, err // when the game is over everything is public
	}
	v, err := turn.ViewAt(g, vault.At(g.Turn()), c.Seat())
	if err != nil {
		return nil, err
	}
	var out []string
	for _, s := range state.Ships {
		if known, ok := v.Ship(s.ID); ok && known.Name == s.Name {
			continue
		}
		for _, name := range []string{s.Name, s.Title} {
			if name != "" && named(text, name) && !slices.Contains(out, s.Name) {
				out = append(out, s.Name)
			}
		}
	}
	return out, nil
}

// named reports whether a text contains a name as separate words.
func named(text, name string) bool {
	return regexp.MustCompile(`(?i)(^|[^\pL\pN])` + regexp.QuoteMeta(name) + `($|[^\pL\pN])`).MatchString(text)
}

// UpdateDisputeClock adjusts the clock of a game to its disputes, if the game waits for them: each
// open one stops it once, and when none is open it resumes. A resume in the meantime has priority.
func UpdateDisputeClock(g *vault.Game, now time.Time) error {
	st, err := g.AdminState()
	if err != nil {
		return err
	}
	t, err := g.Timing()
	if err != nil || t.Turn == 0 {
		return err
	}
	stopped := t.Paused != nil && t.Paused.By == ByProtest
	open := st.OpenDisputes()
	switch {
	case stopped && (len(open) == 0 || !g.Settings().Mail.DisputesWait):
		_, err = Resume(g, Act{By: ByProtest, Why: "no protest is open any more", Now: now})
		if errors.Is(err, errNotPaused) {
			err = nil // another process was first
		}
		return err
	case !g.Settings().Mail.DisputesWait || t.Paused != nil && t.Paused.Until.IsZero():
		return nil
	}
	entries, err := g.Journal.Entries()
	if err != nil {
		return err
	}
	for _, d := range open {
		cause := fmt.Sprintf("protest-%d", d.Seq)
		if slices.ContainsFunc(entries, func(e journal.Entry) bool { return e.Kind == journal.Pause && e.Cause == cause }) {
			continue
		}
		_, err := Pause(g, Act{By: ByProtest, Why: "a protest waits for the referee", Cause: cause, Now: now})
		if errors.Is(err, ErrPaused) {
			err = nil
		}
		return err
	}
	return nil
}

// Case is a dispute as shown to a referee.
type Case struct {
	Number  int                `json:"dispute"`
	State   string             `json:"state"` // open, upheld, rejected
	Captain engine.CaptainName `json:"captain"`
	Ships   []string           `json:"ships"` // the captain's seats: ships, and posts such as Hood.helm
	At      time.Time          `json:"at"`
	Turn    int                `json:"turn"`
	Event   int                `json:"event"` // by the captain's own report
	// Revision is the resolution of the turn in the captain's report, and Seq the number of the
	// event in its full record; 0 if it no longer exists.
	Revision int      `json:"revision,omitempty"`
	Seq      int      `json:"seq,omitempty"`
	Reason   string   `json:"reason"`
	What     []string `json:"what,omitempty"` // the event in words
	Steps    []Step   `json:"steps,omitempty"`
}

// Step is a step of a Case.
type Step struct {
	By       string    `json:"by"`
	At       time.Time `json:"at"`
	Step     string    `json:"step"`
	Text     string    `json:"text"`
	Tell     string    `json:"tell,omitempty"`
	Turn     int       `json:"turn,omitempty"`
	Revision int       `json:"revision,omitempty"`
}

// Disputes returns the disputes of a game in order.
func Disputes(g *vault.Game) ([]Case, error) {
	st, err := g.AdminState()
	if err != nil {
		return nil, err
	}
	out := []Case{}
	for _, d := range st.Disputes {
		c, err := caseOf(g, d)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// Dispute returns one dispute of a game. The error is errNoDispute.
func Dispute(g *vault.Game, number int) (Case, error) {
	all, err := Disputes(g)
	if err != nil {
		return Case{}, err
	}
	if number < 1 || number > len(all) {
		way := "there was no protest yet"
		if len(all) > 0 {
			way = fmt.Sprintf("its disputes are 1 to %d: %s", len(all), g.CommandLine("referee", "disputes"))
		}
		return Case{}, &Error{Problem: fmt.Sprintf("game %s has no dispute %d", g.ID(), number), Way: way, Err: errNoDispute}
	}
	return all[number-1], nil
}

func caseOf(g *vault.Game, d vault.Dispute) (Case, error) {
	c := Case{
		Number: d.Number, State: Verdict(d.Outcome()), Captain: d.Captain, At: d.At, Turn: d.Turn, Event: d.Event, Seq: d.ProtestData.Seq, Reason: d.Reason,
	}
	if who, ok := g.Settings().Captain(d.Captain); ok {
		c.Ships = who.SetNames()
	}
	for _, s := range d.Steps {
		c.Steps = append(c.Steps, Step{By: s.By, At: s.At, Step: s.Step, Text: s.Text, Tell: s.Tell, Turn: s.Turn, Revision: s.Revision})
	}
	c.Revision = max(d.Revision, 1)
	if d.Turn > g.Turn() && d.ProtestData.Seq == 0 {
		return c, nil // the turn has been rolled back since
	}
	if c.Seq == 0 && len(c.Ships) > 0 {
		seq, err := EventOf(g, d.Turn, c.Ships[0], d.Event)
		if err != nil && !errors.Is(err, errNoEvent) {
			return c, err
		}
		c.Seq = seq
	}
	m, err := g.Stages.Manifest(vault.Stage{Turn: d.Turn, Revision: c.Revision})
	if err != nil {
		return c, err
	}
	s, err := story(g, m, false)
	if err != nil {
		return c, err
	}
	i := slices.IndexFunc(s.Events, func(e engine.Event) bool { return e.Seq == c.Seq })
	if i < 0 {
		c.Seq = 0
		return c, nil
	}
	c.What = told(s.Story, i).Text
	return c, nil
}

// Protested returns the event of a dispute with the words and number of the captain's report; "" if
// that resolution no longer exists.
func Protested(g *vault.Game, d vault.Dispute) (string, error) {
	who, ok := g.Settings().Captain(d.Captain)
	if !ok || len(who.SetNames()) == 0 {
		return "", nil
	}
	revision := max(d.Revision, 1)
	if !slices.ContainsFunc(g.Stages.Revisions(), func(r vault.Revision) bool { return r.Turn == d.Turn && r.Revision == revision }) {
		return "", nil
	}
	v, err := turn.ViewOf(g, d.Turn, revision, who.Seat())
	if err != nil || d.Event < 1 || d.Event > len(v.Events) {
		return "", err
	}
	return report.EventLine(g.Rules(), v, d.Event), nil
}

// locked runs act under the game's lock, with its present state.
func locked(g *vault.Game, act func() error) (err error) {
	if err := g.LockFresh(); err != nil {
		return err
	}
	defer g.Release(&err)
	return act()
}
