package console

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/move"
	"starpost/pbem/report"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// StatusReport is the output of status for a game.
type StatusReport struct {
	Game  string `json:"game"`
	Title string `json:"title"`
	Rules string `json:"rules"`
	Turn  int    `json:"turn"`            // the last resolved turn, or the one in progress
	Phase int    `json:"phase,omitempty"` // last resolved phase of a turn in progress
	Timing
	Ships   []Ship                         `json:"ships"`
	Missing []string                       `json:"missing"`
	Bad     map[string][]orders.Diagnostic `json:"bad,omitempty"` // by file
	Result  *engine.Result                 `json:"result,omitempty"`
	// Missed is the number of consecutive turns without orders, by captain.
	Missed map[engine.CaptainName]int `json:"missed,omitempty"`
	// Disputes are the numbers of the disputes that wait for the referee.
	Disputes []int                                 `json:"disputes,omitempty"`
	Bounces  map[engine.CaptainName]store.Bouncing `json:"bounces,omitempty"` // by captain

	// CheckedOut names the other place of the game if it was checked out of a database: the target, or the
	// database.
	CheckedOut string         `json:"checked_out,omitempty"`
	Elsewhere  move.Elsewhere `json:"-"` // the same, and how to end it

	Zone  *time.Location `json:"-"` // of the game
	bad   []string       // files of Bad, sorted
	Lines []string       `json:"-"` // diagnostics of Bad, one on each line

	filed   bool // a referee plays the turns
	command func(command string, words ...any) string
}

// Ship is the state of a ship and her orders.
type Ship struct {
	Ship    string             `json:"ship"`
	Captain engine.CaptainName `json:"captain"`
	Side    string             `json:"side"`
	Status  string             `json:"status"`
	Arrives int                `json:"arrives,omitempty"`
	In      bool               `json:"in"`
	Errors  bool               `json:"errors,omitempty"` // there is a file, with errors
	Final   bool               `json:"final,omitempty"`
	Wait    bool               `json:"wait,omitempty"`
	Away    string             `json:"away,omitempty"`    // until when the captain is away
	Covered bool               `json:"covered,omitempty"` // an earlier set of the turn covers this stage
	Vacant  bool               `json:"vacant,omitempty"`  // the captain's seat is vacant: the robot gives the orders
}

// Look determines the state of a game.
func Look(g *vault.Game, now time.Time) (*StatusReport, *engine.Game, error) {
	p, err := turn.Load(g)
	if err != nil {
		return nil, nil, err
	}
	ready, err := p.Ready()
	if err != nil {
		return nil, nil, err
	}
	t, err := g.Timing()
	if err != nil {
		return nil, nil, err
	}
	noted, err := g.AdminState()
	if err != nil {
		return nil, nil, err
	}
	state := p.State()
	st := &StatusReport{
		Game: state.ID, Title: state.Title, Rules: state.Rules, Turn: state.Turn, Phase: state.Round,
		filed: p.PlayedByReferee(), command: g.CommandLine,
		Timing: timingOf(t), Missing: []string{}, Result: state.Result, Zone: g.Zone(),
	}
	for _, d := range noted.OpenDisputes() {
		st.Disputes = append(st.Disputes, d.Number)
	}
	if st.Due > 0 {
		missed, err := turn.CaptainsMissing(g)
		if err != nil {
			return nil, nil, err
		}
		for _, a := range missed {
			if st.Missed == nil {
				st.Missed = map[engine.CaptainName]int{}
			}
			st.Missed[a.Captain] = a.Turns
		}
	}
	if st.Elsewhere, err = move.Find(g.Reader()); err != nil {
		return nil, nil, err
	}
	st.CheckedOut = st.Elsewhere.Where
	in, absent := map[engine.Seat]turn.ShipState{}, map[engine.Seat]bool{}
	for _, s := range ready.Ships {
		in[s.Seat] = s
	}
	for _, s := range ready.Absent() {
		st.Missing, absent[s.Seat] = append(st.Missing, s.Name), true
	}
	away, err := turn.Away(g, ready.Ships, now)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range state.Ships {
		if s.Small() {
			continue
		}
		for _, seat := range g.Rules().Seats(s) {
			due, owed := in[seat]
			if seat.Post != "" && s.Crew[seat.Post] == "" && !owed {
				continue // the captain gives its orders
			}
			ship := Ship{
				Ship: engine.OrderSetName(s.Name, seat.Post), Captain: s.Officer(seat.Post), Side: s.Side, Status: string(s.Status),
				In: due.In, Final: due.Final, Wait: due.Wait, Away: away[seat],
			}
			if s.Status == engine.Waiting {
				ship.Arrives = s.Arrives
			}
			if owed {
				ship.Vacant, ship.Covered = due.Vacant, due.Covered
				ship.Errors = !due.In && !due.Vacant && !due.Covered && !absent[seat]
			}
			st.Ships = append(st.Ships, ship)
		}
	}
	for _, b := range ready.Bad {
		if st.Bad == nil {
			st.Bad = map[string][]orders.Diagnostic{}
		}
		st.Bad[b.File] = b.Diagnostics
		st.bad = append(st.bad, b.File)
		st.Lines = append(st.Lines, Mistakes(b.File, b.Diagnostics)...)
	}
	return st, state, nil
}

// Print prints it for people.
func (st *StatusReport) Print(w io.Writer, state *engine.Game, now time.Time) error {
	fmt.Fprintf(w, "%s (%s), %s\n", st.Title, st.Game, st.Rules)
	side := state.SideName
	switch {
	case st.Result != nil:
		fmt.Fprintf(w, "over since turn %d. %s\n", st.Result.Turn, st.Result.Describe(side))
	default:
		fmt.Fprintln(w, st.Words(now, st.Zone))
	}
	if st.CheckedOut != "" {
		fmt.Fprintf(w, "checked out %s\n", st.CheckedOut)
		for _, way := range st.Elsewhere.Ways {
			fmt.Fprintf(w, "  %s\n", way)
		}
	}
	if len(st.bad) > 0 {
		fmt.Fprintf(w, "errors in %s\n", strings.Join(st.bad, ", "))
	}
	switch {
	case st.Result != nil, st.Elsewhere.Locked:
	case st.Closed != nil:
	case !st.Ready.IsZero():
		fmt.Fprintf(w, "waiting for the referee since %s: %s\n", report.FormatTime(st.Ready, st.Zone), st.command("referee", "file", st.Due, "--blank"))
		if len(st.Missing) > 0 {
			fmt.Fprintf(w, "no orders came for %s\n", strings.Join(st.Missing, ", "))
		}
	case len(st.Missing) > 0:
		fmt.Fprintf(w, "orders are missing for %s\n", strings.Join(st.Missing, ", "))
	case len(st.bad) > 0:
	case st.filed:
		fmt.Fprintf(w, "all orders are in, and wait for the referee: %s\n", st.command("referee", "file", st.Due, "--blank"))
	default:
		fmt.Fprintf(w, "all orders are in: %s\n", st.command("turn"))
	}
	for _, captain := range slices.Sorted(maps.Keys(st.Missed)) {
		if n := st.Missed[captain]; n > 1 {
			fmt.Fprintf(w, "captain %s has sent no orders for %d turns in a row\n", captain, n)
		}
	}
	for _, n := range st.Disputes {
		fmt.Fprintf(w, "a protest is waiting for you: %s\n", st.command("referee", "dispute", n))
	}
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "SHIP\tCAPTAIN\tSIDE\tSTATE\tORDERS")
	for _, s := range st.Ships {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", s.Ship, s.Captain, side(s.Side), s.Status, orderState(s, st.Result != nil, st.filed))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, captain := range slices.Sorted(maps.Keys(st.Bounces)) {
		b := st.Bounces[captain]
		if b.Mails == 0 {
			continue
		}
		fails := ""
		if b.Mails >= store.FailingAfter {
			fails = "; the address does not work"
		}
		fmt.Fprintf(w, "mails to %s (%s) come back: %d since anything was heard from there, the last %s%s (%s)\n",
			captain, b.Address, b.Mails, report.FormatTime(b.Last, st.Zone), fails, b.Why)
	}
	return nil
}

func orderState(s Ship, over, filed bool) string {
	switch {
	case !over && s.Status == string(engine.Waiting):
		return fmt.Sprintf("not before turn %d", s.Arrives)
	case over || s.Status != string(engine.Active):
		return "-"
	case s.In && s.Final:
		return "in, final"
	case s.In && s.Wait:
		return "in, waits"
	case s.In:
		return "in"
	case s.Covered:
		return "as sent earlier in the turn"
	case s.Vacant && filed:
		return "none, the seat is vacant"
	case s.Vacant:
		return "robot, the seat is vacant"
	case s.Errors:
		return "errors"
	case s.Away != "":
		return "missing, away until " + s.Away
	}
	return "missing"
}
