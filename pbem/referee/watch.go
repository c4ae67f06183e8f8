package referee

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/pbem/record"
	reports "starpost/pbem/report"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Glance is the state of several games, for a referee who watches them.
type Glance struct {
	At      time.Time    `json:"at"`
	Games   []gameGlance `json:"games"`
	Waiting int          `json:"waiting"`           // mails to be sent
	Mails   []recentMail `json:"mails,omitempty"`   // the last ones, newest first
	Trouble string       `json:"trouble,omitempty"` // why nothing could be read
}

// gameGlance is the state of one game.
type gameGlance struct {
	Dir      string    `json:"dir"`
	ID       string    `json:"game,omitempty"`
	Title    string    `json:"title,omitempty"`
	Due      int       `json:"due,omitempty"`       // 0 when it is over
	Phase    int       `json:"due_phase,omitempty"` // if orders are due by phase
	Deadline time.Time `json:"deadline,omitzero"`
	Left     string    `json:"left,omitempty"` // time until then, in words
	Paused   string    `json:"paused,omitempty"`
	In       int       `json:"in"`                // ships with orders
	Wanted   int       `json:"wanted"`            // ships that need orders
	Missing  []string  `json:"missing,omitempty"` // ships without orders, with captains who are away
	Bad      []string  `json:"bad,omitempty"`     // order files with errors
	Disputes []string  `json:"disputes,omitempty"`
	Result   string    `json:"result,omitempty"`
	Problem  string    `json:"problem,omitempty"` // why it cannot be read
}

// recentMail is an incoming or outgoing mail.
type recentMail struct {
	At   time.Time `json:"at"`
	Out  bool      `json:"out"`
	Game string    `json:"game,omitempty"`
	Who  string    `json:"who"`  // a captain, or what is known about the correspondent
	What string    `json:"what"` // its kind or its result
}

// Watcher looks at games repeatedly. It is for one goroutine.
type Watcher struct {
	Games     func(ctx context.Context) ([]record.Tree, error)
	Bag       Postbag
	Catalogue vault.Catalogue

	known map[string]recentMail // mails already read, by hash and game
}

// shownMails is the number of mails in a glance.
const shownMails = 8

// Look looks at all games. A game that cannot be read is listed with its problem.
func (w *Watcher) Look(ctx context.Context, now time.Time) (*Glance, error) {
	trees, err := w.Games(ctx)
	if err != nil && len(trees) == 0 {
		return nil, err
	}
	l := &Glance{At: now.UTC(), Games: []gameGlance{}}
	var games []*vault.Game
	for _, tree := range trees {
		dir := tree.Place("")
		g, err := vault.Open(tree, w.Catalogue)
		one := gameGlance{Dir: dir}
		if err == nil {
			games = append(games, g)
			one, err = glance(g, now)
		}
		if err != nil {
			one = gameGlance{Dir: dir, ID: one.ID, Problem: err.Error()}
		}
		l.Games = append(l.Games, one)
	}
	if err := w.mails(ctx, l, games, now); err != nil {
		return nil, err
	}
	return l, nil
}

func glance(g *vault.Game, now time.Time) (gameGlance, error) {
	s := g.Settings()
	one := gameGlance{Dir: g.Dir(), ID: s.ID, Title: s.Title}
	st, err := g.AdminState()
	if err != nil {
		return one, err
	}
	for _, d := range st.OpenDisputes() {
		one.Disputes = append(one.Disputes, fmt.Sprintf("%d: %s against event %d.%d", d.Number, d.Captain, d.Turn, d.Event))
	}
	p, err := turn.Load(g)
	if err != nil {
		return one, err
	}
	if one.Result = ended(p.State()); one.Result != "" {
		return one, nil
	}
	t, err := g.Timing()
	if err != nil {
		return one, err
	}
	ready, err := p.Ready()
	if err != nil {
		return one, err
	}
	missing := ready.Missing()
	away, err := turn.Away(g, missing, now)
	if err != nil {
		return one, err
	}
	one.Due, one.Phase, one.Deadline = t.Turn, t.Round, t.Ends()
	one.Wanted, one.In = len(ready.Ships), len(ready.Ships)-len(missing)
	one.Missing = turn.NamesAway(missing, away)
	for _, b := range ready.Bad {
		one.Bad = append(one.Bad, filepath.Base(b.File))
	}
	switch {
	case t.Waits != nil:
		one.Paused = fmt.Sprintf("until the referee has it go on by version %s of the rules", t.Waits.Is)
	case t.Opening != nil && t.Opening.Cancelled.IsZero():
		one.Paused = "until it begins"
	case t.Opening != nil:
		one.Paused = "for good: it was called off"
	case t.Paused != nil:
		one.Paused = "by " + vault.Who(t.Paused.By)
		if t.Paused.Why != "" {
			one.Paused += ": " + t.Paused.Why
		}
	case now.Before(one.Deadline):
		one.Left = reports.TimeLeft(now, one.Deadline)
	default:
		one.Left = "past"
	}
	return one, nil
}

// mails fills in the last mails from the daemon's store.
func (w *Watcher) mails(ctx context.Context, into *Glance, games []*vault.Game, now time.Time) error {
	if w.known == nil {
		w.known = map[string]recentMail{}
	}
	return w.Bag.look(ctx, func(l *sqlstore.Store) error {
		var err error
		if into.Waiting, err = l.Waiting(ctx); err != nil {
			return err
		}
		came, err := l.Received(ctx, now.Add(-7*24*time.Hour), time.Time{})
		if err != nil {
			return err
		}
		for _, m := range came[max(0, len(came)-shownMails):] {
			p, err := w.came(ctx, l, m, games)
			if err != nil {
				return err
			}
			into.Mails = append(into.Mails, p)
		}
		went, err := l.Recent(ctx, shownMails)
		if err != nil {
			return err
		}
		for _, o := range went {
			into.Mails = append(into.Mails, sentPast(o, games))
		}
		slices.SortStableFunc(into.Mails, func(a, b recentMail) int { return b.At.Compare(a.At) })
		into.Mails = into.Mails[:min(len(into.Mails), shownMails)]
		return nil
	})
}

// came returns an incoming mail, from the cache if possible.
func (w *Watcher) came(ctx context.Context, l *sqlstore.Store, m store.Mail, games []*vault.Game) (recentMail, error) {
	p, ok := w.known[m.SHA256]
	if !ok {
		p = recentMail{At: m.ReceivedAt, Who: "somebody"}
		raw, err := l.LoadRaw(ctx, m.SHA256)
		for _, g := range games {
			if err != nil {
				break // it no longer exists, and its game is unknown
			}
			r, err := newReader(g)
			if err != nil {
				return p, err
			}
			var one Mail
			if r.read(raw, &one) {
				p.Game = g.ID()
				if one.Captain != "" {
					p.Who = string(one.Captain)
				}
				break
			}
		}
		w.known[m.SHA256] = p
	}
	p.What = m.Outcome
	p.What = cmp.Or(p.What, "waits")
	return p, nil
}

// sentPast returns a mail that was sent or is queued.
func sentPast(o store.OutboxMessage, games []*vault.Game) recentMail {
	p := recentMail{At: o.QueuedAt, Out: true, Game: o.Game, Who: "somebody", What: string(o.Kind) + ", " + string(o.State)}
	if !o.SettledAt.IsZero() {
		p.At = o.SettledAt
	}
	for _, g := range games {
		s := g.Settings()
		if o.Game != "" && !slices.ContainsFunc(storeKeys(s), func(key string) bool { return strings.EqualFold(o.Game, key) }) {
			continue
		}
		if o.Game != "" {
			p.Game = s.ID
		}
		if who := captainAt(s, o.To); who != "" {
			p.Who = string(who)
		}
	}
	return p
}

// Mark returns a string that changes when anything in a glance changes: it contains names, sizes
// and times of the files of the games and of the store, or a database's versions of games.
func (w *Watcher) Mark(ctx context.Context) string {
	trees, err := w.Games(ctx)
	var mark strings.Builder
	fmt.Fprintln(&mark, err)
	note := func(path string, info fs.FileInfo, err error) {
		if err == nil {
			fmt.Fprintln(&mark, path, info.Size(), info.ModTime().UnixNano())
		}
	}
	for _, game := range trees {
		fmt.Fprintln(&mark, game.Place(""))
		if m, ok := game.(interface{ Mark() string }); ok {
			fmt.Fprintln(&mark, m.Mark())
			continue
		}
		files, err := fs.Glob(game, vault.OrdersDir+"/*.txt")
		if err != nil {
			continue // the pattern is valid
		}
		for _, name := range append([]string{"game.toml", vault.JournalFile, vault.OrdersDir, "turns"}, files...) {
			info, err := game.Stat(name)
			note(game.Place(name), info, err)
		}
	}
	if w.Bag.Host != nil {
		for _, name := range []string{"ledger.db", "ledger.db-wal"} {
			path := filepath.Join(w.Bag.Host.State, name)
			info, err := os.Stat(path)
			note(path, info, err)
		}
	}
	return mark.String()
}

// Print writes a glance as plain text, in lines of at most width columns; 0 for no limit.
func (l *Glance) Print(out io.Writer, width int, zone *time.Location) error {
	var b strings.Builder
	line := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		if r := []rune(text); width > 3 && len(r) > width {
			text = string(r[:width-3]) + "..."
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	line("starpost, %s; %s, %s open", reports.FormatTime(l.At, zone), reports.Count(len(l.Games), "game"), reports.Count(l.disputes(), "dispute"))
	if l.Trouble != "" {
		line("trouble: %s", l.Trouble)
	}
	for _, g := range l.Games {
		line("")
		switch {
		case g.Problem != "":
			line("%s: cannot be looked at: %s", g.Dir, g.Problem)
			continue
		case g.Due == 0:
			line("%s  over. %s", g.ID, g.Result)
		case g.Paused != "":
			line("%s  %s, paused %s", g.ID, vault.Stage{Turn: g.Due, Round: g.Phase}, g.Paused)
		default:
			line("%s  %s by %s (%s)", g.ID, vault.Stage{Turn: g.Due, Round: g.Phase}, reports.FormatTime(g.Deadline, zone), leftWords(g.Left))
		}
		if g.Due > 0 {
			line("  orders: %d of %d in", g.In, g.Wanted)
		}
		if len(g.Missing) > 0 {
			line("  missing: %s", strings.Join(g.Missing, ", "))
		}
		if len(g.Bad) > 0 {
			line("  with errors: %s", strings.Join(g.Bad, ", "))
		}
		for _, d := range g.Disputes {
			line("  dispute %s", d)
		}
	}
	if len(l.Mails) > 0 || l.Waiting > 0 {
		line("")
		line("mails: %d to be sent", l.Waiting)
	}
	for _, m := range l.Mails {
		way := "from"
		if m.Out {
			way = "to"
		}
		line("  %s  %-8s %s %s: %s", m.At.In(zone).Format("2 Jan 15:04"), m.Game, way, m.Who, m.What)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func leftWords(left string) string {
	if left == "past" {
		return left
	}
	return left + " left"
}

func (l *Glance) disputes() int {
	n := 0
	for _, g := range l.Games {
		n += len(g.Disputes)
	}
	return n
}
