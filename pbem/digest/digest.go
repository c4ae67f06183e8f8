// Package digest tells a host the state of all games: what needs attention, who is late, and
// whether mails are received and sent, each with the commands to act. It only reads.
package digest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/console"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/record"
	"starpost/pbem/record/postgres"
	"starpost/pbem/report"
	"starpost/pbem/store/hosted"
	"starpost/pbem/vault"
)

// Overview is the state of all games.
type Overview struct {
	At       time.Time `json:"at"`
	Games    Counts    `json:"games"`
	Each     []Entry   `json:"each,omitempty"` // current games, sorted by ID, without practice; none if they are too many for a page
	Sections []Section `json:"sections"`       // only those with lines
	// Urgent means that something needs the host: the first section has lines.
	Urgent bool `json:"urgent"`
}

// Counts counts games by state. Each is counted once.
type Counts struct {
	Running  int `json:"running"`
	Opening  int `json:"opening"` // not begun
	Paused   int `json:"paused"`
	Over     int `json:"over"`
	Trouble  int `json:"trouble"`  // cannot be read
	Practice int `json:"practice"` // of one person against robots, and not over
}

// mostEach is how many games an overview lists individually.
const mostEach = 20

// Section contains lines of one kind.
type Section struct {
	Key   string `json:"key"` // "needed", "late", "due", "waiting", "practice", "mail" or "disk"
	Title string `json:"title"`
	Lines []Line `json:"lines"`
}

// Line is one item, and what can be done about it.
type Line struct {
	Game string   `json:"game,omitempty"`
	Text string   `json:"text"`
	Do   []string `json:"do,omitempty"`
}

var sections = []Section{
	{Key: "needed", Title: "Needs you"},
	{Key: "late", Title: "Late"},
	{Key: "due", Title: "Due within a day"},
	{Key: "waiting", Title: "Waiting to begin"},
	{Key: "practice", Title: "Practice"},
	{Key: "mail", Title: "Mail"},
	{Key: "disk", Title: "Disk"},
}

// Gather examines all games of a configuration, the store and the disk.
func Gather(ctx context.Context, c *config.Config, cat vault.Catalogue, now time.Time) (o *Overview, err error) {
	o = &Overview{At: now.UTC()}
	found := map[string][]Line{}
	trees, end, err := hosted.Trees(ctx, c)
	defer func() { err = errors.Join(err, end()) }()
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			found["needed"] = append(found["needed"], Line{Text: strings.TrimSpace(line), Do: []string{"correct games in " + c.File}})
		}
	}
	each := make([]gameLines, len(trees))
	if err := sideBySide(ctx, len(trees), func(i int) { each[i].look(trees[i], cat, now) }); err != nil {
		return nil, err
	}
	for _, g := range each {
		o.Games.add(g.counts)
		for key, lines := range g.found {
			found[key] = append(found[key], lines...)
		}
		if g.entry.Game != "" {
			o.Each = append(o.Each, g.entry)
		}
	}
	slices.SortFunc(o.Each, func(a, b Entry) int { return strings.Compare(a.Game, b.Game) })
	if len(o.Each) > mostEach {
		o.Each = nil
	}
	if found["mail"], err = mailLines(ctx, c, now); err != nil {
		return nil, err
	}
	found["disk"] = diskLines(c, trees)
	for _, s := range sections {
		if s.Lines = found[s.Key]; len(s.Lines) > 0 {
			o.Sections = append(o.Sections, s)
		}
	}
	o.Urgent = len(found["needed"]) > 0
	return o, nil
}

// sideBySide calls f for each number below n, on as many goroutines as there are processors.
func sideBySide(ctx context.Context, n int, f func(i int)) error {
	var group sync.WaitGroup
	var begun atomic.Int64
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			for i := int(begun.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(begun.Add(1)) - 1 {
				f(i)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

func (c *Counts) add(o Counts) {
	c.Practice += o.Practice
	c.Running += o.Running
	c.Opening += o.Opening
	c.Paused += o.Paused
	c.Over += o.Over
	c.Trouble += o.Trouble
}

// gameLines is the result for one game.
type gameLines struct {
	counts Counts
	found  map[string][]Line
	id     string
	tree   record.Tree
	entry  Entry // of a current game; otherwise it has no name
}

func (l *gameLines) tell(key, text string, do ...string) {
	l.found[key] = append(l.found[key], Line{Game: l.id, Text: text, Do: do})
}

func (l *gameLines) look(tree record.Tree, cat vault.Catalogue, now time.Time) {
	l.found, l.tree, l.id = map[string][]Line{}, tree, filepath.Base(tree.Place(""))
	st, settings, err := stands(tree, cat, now)
	if err != nil {
		l.counts.Trouble++
		hint := fault.Hint(err)
		if hint != "" {
			hint = "; " + hint
		}
		l.tell("needed", fmt.Sprintf("the game cannot be read: %v%s", err, hint), l.command("status"))
		return
	}
	l.id = st.Game
	if st.Result != nil {
		l.counts.Over++
		return
	}
	if st.Elsewhere.Locked {
		l.tell("needed", "checked out "+st.CheckedOut, st.Elsewhere.Ways...)
	} else {
		l.referee(st)
	}
	if settings.Origin == vault.OriginPractice {
		// Whether its only person plays on does not concern the host.
		l.counts.Practice++
		if st.Paused == nil {
			l.missing(st, now, "practice")
		}
		return
	}
	l.entry = entryOf(tree, st, settings, now)
	switch {
	case st.Opening != "":
		l.counts.Opening++
		l.tell("waiting", st.Opening)
	case st.Paused != nil:
		l.counts.Paused++
		if !st.Elsewhere.Locked { // it stands until its return
			l.paused(st)
		}
	default:
		l.counts.Running++
		l.due(st, now)
	}
}

// referee reports what waits for the referee.
func (l *gameLines) referee(st *console.StatusReport) {
	for _, n := range st.Disputes {
		l.tell("needed", fmt.Sprintf("protest %d is waiting for you", n), l.command("referee", "dispute", n))
	}
	check := func(file string) string { return l.command("check", record.Quote(file)) }
	if postgres.Is(l.tree.Place("")) {
		check = func(string) string { return l.command("status") } // shows its errors
	}
	for _, file := range slices.Sorted(maps.Keys(st.Bad)) {
		l.tell("needed", "the order file "+filepath.Base(file)+" has errors, and the turn waits", check(file))
	}
	if st.Waits != "" {
		l.tell("needed", st.Waits)
	}
}

// due reports what the turn that is due waits for, while the clock runs.
func (l *gameLines) due(st *console.StatusReport, now time.Time) {
	if !st.Ready.IsZero() {
		l.tell("needed", fmt.Sprintf("turn %d has been waiting for you to play it since %s", st.Due, report.FormatTime(st.Ready, st.Zone)), l.command("referee", "file", st.Due, "--blank"))
		return
	}
	if st.Closed == nil {
		l.missing(st, now, "due")
	}
}

func (l *gameLines) command(command string, words ...any) string {
	return record.CommandLine(l.tree, command, words...)
}

func stands(tree record.Tree, cat vault.Catalogue, now time.Time) (*console.StatusReport, vault.Settings, error) {
	g, err := vault.Open(tree, cat)
	if err != nil {
		return nil, vault.Settings{}, err
	}
	st, _, err := console.Look(g, now)
	return st, g.Settings(), err
}

func (l *gameLines) paused(st *console.StatusReport) {
	text := fmt.Sprintf("paused since %s", report.FormatTime(st.Paused.Since, st.Zone))
	if st.Paused.Why != "" {
		text += ": " + st.Paused.Why
	}
	if !st.Paused.Until.IsZero() {
		text += "; it goes on by itself " + report.FormatTime(st.Paused.Until, st.Zone)
	}
	l.tell("needed", text, l.command("referee", "resume"))
}

// missing reports missing orders; as is the section for those that are not late.
func (l *gameLines) missing(st *console.StatusReport, now time.Time, as string) {
	if len(st.Missing) == 0 || st.Deadline.IsZero() {
		return
	}
	ends := ends(st)
	text := fmt.Sprintf("turn %d: orders are missing for %s, due by %s", st.Due, strings.Join(st.Missing, ", "), report.FormatTime(ends, st.Zone))
	var silent []string
	for _, captain := range slices.Sorted(maps.Keys(st.Missed)) {
		silent = append(silent, fmt.Sprintf("%s has missed %s in a row", captain, report.Count(st.Missed[captain], "turn")))
	}
	if len(silent) > 0 {
		text += "; " + strings.Join(silent, ", ")
	}
	do := []string{
		l.command("referee", "extend 2d --why TEXT"),
		l.command("referee", "process", st.Due, "--force"),
	}
	for _, captain := range slices.Sorted(maps.Keys(st.Missed)) {
		do = append(do, l.command("referee", "replace", record.Quote(string(captain)), "ADDRESS"))
	}
	switch {
	case as == "practice":
		l.tell(as, text)
	case !now.Before(ends):
		l.tell("late", text, do...)
	case ends.Sub(now) <= 24*time.Hour || len(silent) > 0:
		l.tell(as, text, do...)
	}
}

// mailLines reports the state of mailboxes and outgoing mails.
func mailLines(ctx context.Context, c *config.Config, now time.Time) ([]Line, error) {
	var out []Line
	for _, check := range watch.Health(c, now) {
		if !check.OK() {
			one := Line{Text: check.What + ": " + check.Problem}
			if check.Hint != "" {
				one.Do = []string{check.Hint}
			}
			out = append(out, one)
		}
	}
	o, err := hosted.Inspect(ctx, c)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	if o.Waiting > 0 {
		out = append(out, Line{Text: report.Count(o.Waiting, "mail") + " to be sent"})
	}
	if o.GivenUp > 0 {
		out = append(out, Line{Text: report.Count(o.GivenUp, "mail") + " could not be delivered", Do: []string{"starpost doctor --config " + record.Quote(c.File) + " --resend"}})
	}
	for _, b := range o.Bouncing {
		if b.Mails > 0 {
			out = append(out, Line{Text: fmt.Sprintf("mails to %s come back: %d, the last %s (%s)", b.Address, b.Mails, report.FormatTime(b.Last, time.UTC), b.Why), Do: []string{"ask for another address by other means, and put it into game.toml"}})
		}
	}
	return out, nil
}

// tight is the free space that counts as little: less than this and less than a twentieth of the
// disk.
const tight = 1 << 30

func diskLines(c *config.Config, trees []record.Tree) []Line {
	where := []string{c.State}
	if len(trees) > 0 { // a directory, if there is one
		where = append(where, filepath.Dir(trees[0].Place("")))
	}
	var out []Line
	told := map[string]bool{}
	for _, dir := range where {
		free, all, err := disk.Room(dir)
		if err != nil || free >= tight && free >= all/20 {
			continue
		}
		text := fmt.Sprintf("%d MB of %d MB are free", free>>20, all>>20)
		if !told[text] {
			told[text] = true
			out = append(out, Line{Text: text + " where " + dir + " lies", Do: []string{"free some space, or delete old mails: keep_raw in the configuration"}})
		}
	}
	return out
}

// Print writes the overview for people.
func (o *Overview) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s running, %d not begun, %d paused, %d over", report.Count(o.Games.Running, "game"), o.Games.Opening, o.Games.Paused, o.Games.Over)
	if o.Games.Practice > 0 {
		fmt.Fprintf(&b, ", %d for practice", o.Games.Practice)
	}
	if o.Games.Trouble > 0 {
		fmt.Fprintf(&b, ", %d in trouble", o.Games.Trouble)
	}
	b.WriteByte('\n')
	if len(o.Each) > 0 {
		b.WriteByte('\n')
		if err := table(&b, o.Each); err != nil {
			return err
		}
	}
	for _, s := range o.Sections {
		fmt.Fprintf(&b, "\n%s:\n", s.Title)
		for _, l := range s.Lines {
			b.WriteString("  ")
			if l.Game != "" {
				b.WriteString(l.Game + ": ")
			}
			b.WriteString(l.Text + "\n")
			for _, do := range l.Do {
				b.WriteString("      " + do + "\n")
			}
		}
	}
	if len(o.Sections) == 0 {
		b.WriteString("\nNothing needs your attention.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Subject returns a one-line summary for a mail.
func (o *Overview) Subject() string {
	for _, s := range o.Sections {
		if s.Key == "needed" {
			return fmt.Sprintf("%s, %s for you", report.Count(o.Games.Running, "game"), report.Count(len(s.Lines), "thing"))
		}
	}
	return report.Count(o.Games.Running, "game") + ", all is well"
}
