package digest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/console"
	"starpost/pbem/record"
	"starpost/pbem/record/postgres"
	"starpost/pbem/report"
	"starpost/pbem/store/hosted"
	"starpost/pbem/vault"
)

// List is all games of a host. Practice games against robots are separate.
type List struct {
	At       time.Time `json:"at"`
	Games    []Entry   `json:"games"`
	Practice []Entry   `json:"practice"`
}

// Entry is one game.
type Entry struct {
	Game  string `json:"game"`           // its ID
	Name  string `json:"name,omitempty"` // in the database, where commands find it by this name, if that is not its ID
	Dir   string `json:"dir"`
	Title string `json:"title,omitempty"`
	Rules string `json:"rules,omitempty"`
	State string `json:"state"` // see the constants
	// Due is the turn that orders are due for, and Phase the phase, if orders are due for a phase at a
	// time; 0 for none. For a game that is over, Turn is its last.
	Turn  int       `json:"turn"`
	Due   int       `json:"due,omitempty"`
	Phase int       `json:"due_phase,omitempty"`
	Ends  time.Time `json:"ends,omitzero"` // when they must be in, including grace, while the clock runs
	Seats Seats     `json:"seats"`
	// Owing are the seats with missing orders. Late means that their time is up.
	Owing   []string `json:"owing,omitempty"`
	Late    bool     `json:"late,omitempty"`
	Problem string   `json:"problem,omitempty"` // why it cannot be read
}

// Seats counts the captains of a game, and how many have an address.
type Seats struct {
	Taken int `json:"taken"`
	All   int `json:"all"`
}

// The states of a game.
const (
	Running = "running"
	Opening = "opening" // not begun
	Paused  = "paused"
	Waiting = "waiting" // for its referee
	Over    = "over"
	Away    = "checked out"
	Trouble = "trouble" // it cannot be read
)

// ListGames lists all games of a configuration, sorted by ID.
func ListGames(ctx context.Context, c *config.Config, cat vault.Catalogue, now time.Time) (l *List, err error) {
	l = &List{At: now.UTC(), Games: []Entry{}, Practice: []Entry{}}
	trees, end, err := hosted.Trees(ctx, c)
	defer func() { err = errors.Join(err, end()) }()
	if err != nil {
		return nil, err
	}
	all, practice := make([]Entry, len(trees)), make([]bool, len(trees))
	if err := sideBySide(ctx, len(trees), func(i int) { all[i], practice[i] = entry(trees[i], cat, now) }); err != nil {
		return nil, err
	}
	for i, e := range all {
		if practice[i] {
			l.Practice = append(l.Practice, e)
		} else {
			l.Games = append(l.Games, e)
		}
	}
	for _, list := range [][]Entry{l.Games, l.Practice} {
		slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Game, b.Game) })
	}
	return l, nil
}

func entry(tree record.Tree, cat vault.Catalogue, now time.Time) (e Entry, practice bool) {
	dir := tree.Place("")
	st, settings, err := stands(tree, cat, now)
	if err != nil {
		return Entry{Game: filepath.Base(dir), Dir: dir, State: Trouble, Problem: err.Error()}, false
	}
	return entryOf(tree, st, settings, now), settings.Origin == vault.OriginPractice
}

// entryOf returns the entry of a game.
func entryOf(tree record.Tree, st *console.StatusReport, settings vault.Settings, now time.Time) Entry {
	e := Entry{Game: st.Game, Dir: tree.Place(""), Title: st.Title, Rules: st.Rules, Turn: st.Turn, State: stateOf(st)}
	for _, c := range settings.Captains {
		if e.Seats.All++; c.Address != "" {
			e.Seats.Taken++
		}
	}
	if e.State != Over {
		e.Due, e.Phase, e.Owing = st.Due, st.DuePhase, st.Missing
	}
	if e.State == Running {
		e.Ends = ends(st).UTC()
		e.Late = len(e.Owing) > 0 && !e.Ends.IsZero() && !now.Before(e.Ends)
	}
	if name := filepath.Base(e.Dir); postgres.Is(e.Dir) && name != e.Game {
		e.Name = name
	}
	return e
}

// label names the game for people.
func (e Entry) label() string {
	if e.Name != "" {
		return e.Name + " (id " + e.Game + ")"
	}
	return e.Game
}

func stateOf(st *console.StatusReport) string {
	switch {
	case st.Result != nil:
		return Over
	case st.Elsewhere.Locked:
		return Away
	case st.Opening != "":
		return Opening
	case st.Paused != nil:
		return Paused
	case st.Waits != "", !st.Ready.IsZero():
		return Waiting
	}
	return Running
}

// ends returns when the due orders must be in.
func ends(st *console.StatusReport) time.Time {
	if st.GraceEnds.After(st.Deadline) {
		return st.GraceEnds
	}
	return st.Deadline
}

// Print writes the list for people.
func (l *List) Print(w io.Writer) error {
	if len(l.Games)+len(l.Practice) == 0 {
		_, err := fmt.Fprintln(w, "There are no games.")
		return err
	}
	if err := table(w, l.Games); err != nil || len(l.Practice) == 0 {
		return err
	}
	if _, err := fmt.Fprintln(w, "\nPractice:"); err != nil {
		return err
	}
	return table(w, l.Practice)
}

func table(w io.Writer, list []Entry) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	_, _ = fmt.Fprintln(tw, "GAME\tSTATE\tTURN\tDUE BY\tSEATS\tORDERS MISSING")
	for _, e := range list {
		_, _ = fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%d of %d\t%s\n", e.label(), e.State, e.turn(), e.by(), e.Seats.Taken, e.Seats.All, e.owing())
	}
	return tw.Flush()
}

func (e Entry) turn() string {
	switch {
	case e.State == Trouble:
		return "-"
	case e.Due == 0:
		return fmt.Sprint(e.Turn)
	case e.Phase > 0:
		return fmt.Sprintf("%d.%d", e.Due, e.Phase)
	}
	return fmt.Sprint(e.Due)
}

func (e Entry) by() string {
	if e.Ends.IsZero() {
		return "-"
	}
	return report.FormatTime(e.Ends, time.UTC)
}

func (e Entry) owing() string {
	switch {
	case e.Problem != "":
		return e.Problem
	case len(e.Owing) == 0:
		return "-"
	case e.Late:
		return strings.Join(e.Owing, ", ") + " (late)"
	}
	return strings.Join(e.Owing, ", ")
}
