package cup

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"
)

// Row is an entrant's row in the standings. Entrants who are tied in everything share a place.
type Row struct {
	Place     int     `json:"place"`
	Entrant   int     `json:"entrant"` // the entrant's number
	Name      string  `json:"name"`
	Points    float64 `json:"points"`
	Won       int     `json:"won"` // matches
	Drawn     int     `json:"drawn"`
	Lost      int     `json:"lost"`
	Byes      int     `json:"byes,omitempty"` // and walkovers
	Withdrawn bool    `json:"withdrawn,omitempty"`
	Missing   int     `json:"missing,omitempty"` // missing captains of a team
	// Breaks are the tie-breaks in the order of the settings. Sonneborn-Berger counts the part of a match's points that
	// was won; head to head is 0 unless all tied entrants have met.
	Breaks []float64 `json:"tie_breaks,omitempty"`
}

// sums are the figures for standings, by number of the entrant.
type sums struct {
	rows   []Row
	points []points
	breaks []map[string]points // Sonneborn-Berger times the maximum of a match
}

func (c *Cup) sums() sums {
	s := sums{rows: make([]Row, len(c.Entrants)+1), points: c.points(), breaks: make([]map[string]points, len(c.Entrants)+1)}
	for n := range s.breaks {
		s.breaks[n] = map[string]points{}
	}
	for i := range c.Matches {
		m := &c.Matches[i]
		a, b := c.score(m)
		if m.Walkover != 0 || m.Second == 0 {
			for _, n := range m.entrants() {
				if n != m.Walkover { // counts like an opponent who ends with the same points
					s.rows[n].Byes++
					s.breaks[n][buchholz] += s.points[n]
					s.breaks[n][sonnebornBerger] += c.most() * s.points[n]
				}
			}
			continue
		}
		s.meet(m.First, m.Second, a, m.done() && a > b, m.done() && a < b, m.done() && a == b)
		s.meet(m.Second, m.First, b, m.done() && b > a, m.done() && b < a, m.done() && a == b)
	}
	return s
}

// meet counts a match for one of its two entrants.
func (s *sums) meet(n, other int, got points, won, lost, drawn bool) {
	s.breaks[n][buchholz] += s.points[other]
	s.breaks[n][sonnebornBerger] += got * s.points[other]
	for _, of := range []struct {
		happened bool
		count    *int
	}{{won, &s.rows[n].Won}, {lost, &s.rows[n].Lost}, {drawn, &s.rows[n].Drawn}} {
		if of.happened {
			*of.count++
		}
	}
}

// Standings returns all entrants in order: by points and tie-breaks, in a knock-out by rounds survived, on a
// ladder by rungs, without those who withdrew.
func (c *Cup) Standings() []Row {
	s := c.sums()
	var all []int
	for n := range c.Entrants {
		all = append(all, n+1)
	}
	var groups [][]int
	switch c.Settings.Format {
	case ladderCup:
		for _, n := range c.rungs() {
			groups = append(groups, []int{n})
		}
	case knockOutCup:
		reached := c.reached()
		groups = split([][]int{c.seeded(all)}, func([]int) func(int) points { return func(n int) points { return reached[n] } })
	default:
		groups = split([][]int{c.seeded(all)}, func([]int) func(int) points { return func(n int) points { return s.points[n] } })
		for _, b := range c.Settings.Breaks {
			groups = split(groups, func(group []int) func(int) points {
				if b == headToHead {
					among := c.among(group)
					for n, p := range among {
						s.breaks[n][b] = p
					}
					return func(n int) points { return among[n] }
				}
				return func(n int) points { return s.breaks[n][b] }
			})
		}
	}
	var out []Row
	for _, group := range groups {
		place := len(out) + 1
		for _, n := range group {
			r := s.rows[n]
			r.Place, r.Entrant, r.Name, r.Points, r.Withdrawn, r.Missing = place, n, c.Name(n), float64(s.points[n])/float64(point), c.entrant(n).Withdrawn, c.Missing(n)
			if c.Settings.scored() {
				for _, b := range c.Settings.Breaks {
					value := float64(s.breaks[n][b]) / float64(point)
					if b == sonnebornBerger {
						value /= float64(c.most())
					}
					r.Breaks = append(r.Breaks, value)
				}
			}
			out = append(out, r)
		}
	}
	return out
}

// scored reports whether points decide.
func (s *Settings) scored() bool { return s.Format == swissCup || s.Format == roundRobinCup }

// split splits groups of tied entrants by a figure, largest first.
func split(groups [][]int, figure func(group []int) func(int) points) (out [][]int) {
	for _, group := range groups {
		of := figure(group)
		slices.SortStableFunc(group, func(a, b int) int { return cmp.Compare(of(b), of(a)) })
		for i := 0; i < len(group); {
			k := i + 1
			for k < len(group) && of(group[k]) == of(group[i]) {
				k++
			}
			out = append(out, group[i:k])
			i = k
		}
	}
	return out
}

// among returns the points of a group from the matches between its members; none unless all of them met.
func (c *Cup) among(group []int) map[int]points {
	in := map[int]bool{}
	for _, n := range group {
		in[n] = true
	}
	got, met := map[int]points{}, map[[2]int]bool{}
	for i := range c.Matches {
		m := &c.Matches[i]
		if !in[m.First] || !in[m.Second] || m.Walkover != 0 {
			continue
		}
		a, b := c.score(m)
		got[m.First] += a
		got[m.Second] += b
		met[[2]int{min(m.First, m.Second), max(m.First, m.Second)}] = true
	}
	if len(met) < len(group)*(len(group)-1)/2 {
		return nil
	}
	return got
}

// reached returns the number of knock-out rounds that entrants survived, by number.
func (c *Cup) reached() map[int]points {
	out := map[int]points{}
	for i := range c.Matches {
		m := &c.Matches[i]
		for _, n := range m.entrants() {
			out[n] = max(out[n], points(m.Round-1))
		}
		if w := c.winner(m); w != 0 && m.done() {
			out[w] = max(out[w], points(m.Round))
		}
	}
	return out
}

// Name returns an entrant's name: in an anonymous cup an alias, until it is over.
func (c *Cup) Name(n int) string {
	if c.Settings.Secret && !c.Over() {
		return c.aliases[n-1]
	}
	return c.entrant(n).Name
}

// alias is an unused name that does not reveal its owner.
func (c *Cup) alias(address string) string {
	for try := 0; ; try++ {
		mac := hmac.New(sha256.New, []byte(c.Settings.Aliases))
		mac.Write(fmt.Appendf(nil, "%d %d %s", try, len(c.aliases), address))
		if name := "Captain " + base32.StdEncoding.EncodeToString(mac.Sum(nil))[:4]; !slices.Contains(c.aliases, name) {
			return name
		}
	}
}

// Find returns the number of an entrant by name or address; 0 for none. While names are hidden, an alias counts as a
// name.
func (c *Cup) Find(who string) int {
	if n := c.Of(who); n > 0 {
		return n
	}
	if n := c.Named(who); n > 0 {
		return n
	}
	for i, e := range slices.Backward(c.Entrants) {
		if sameName(e.Name, who) {
			return i + 1
		}
	}
	return 0
}

// Named returns the number of an entrant by its public name; 0 for none.
func (c *Cup) Named(who string) int {
	for i := range slices.Backward(c.Entrants) {
		if sameName(c.Name(i+1), who) {
			return i + 1
		}
	}
	return 0
}

// Names returns the public names of all entrants.
func (c *Cup) Names() (out []string) {
	for n := range c.Entrants {
		out = append(out, c.Name(n+1))
	}
	return out
}

// State describes the progress of the cup in a line.
func (c *Cup) State() string {
	people := count(len(c.active()), "entrant")
	if c.Settings.Boards > 1 {
		people = fmt.Sprintf("%s of %d", count(len(c.active()), "team"), c.Settings.Boards)
	}
	switch open := len(c.Open()); {
	case c.Over() && c.Why != "":
		return fmt.Sprintf("over: %s", c.Why)
	case c.Over():
		return "over after " + count(c.Paired, "round")
	case c.Settings.Format == ladderCup:
		return fmt.Sprintf("%s, %s being played, %s waiting", people, count(open, "game"), count(len(c.Challenges), "challenge"))
	case c.Paired == 0:
		return people + ", not begun"
	default:
		return fmt.Sprintf("%s, round %d of %d, %s being played", people, c.Paired, c.Last(), count(open, "game"))
	}
}

// count returns a number of things: "1 game", "2 games".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// breakTitles are the column titles of tie-breaks.
var breakTitles = map[string]string{buchholz: "Buchholz", sonnebornBerger: "S.-Berger", headToHead: "Direct"}

// Columns returns the titles of a row's figures, from its points on.
func (s *Settings) Columns() []string {
	out := []string{"Points", "Won", "Drawn", "Lost"}
	if s.scored() {
		for _, b := range s.Breaks {
			out = append(out, breakTitles[b])
		}
	}
	return out
}

// Cells returns the figures of a row as text.
func (r Row) Cells() []string {
	out := []string{short(r.Points), fmt.Sprint(r.Won), fmt.Sprint(r.Drawn), fmt.Sprint(r.Lost)}
	for _, b := range r.Breaks {
		out = append(out, short(b))
	}
	return out
}

// Note returns a remark about an entrant; "" for none.
func (r Row) Note() string {
	switch {
	case r.Withdrawn:
		return "withdrawn"
	case r.Missing > 0:
		return count(r.Missing, "captain") + " still to come"
	}
	return ""
}

func short(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
}

// rowsShown and gamesShown limit the text of a cup in a mail.
const (
	rowsShown  = 100
	gamesShown = 30
)

// Text returns the state of the cup, in lines. If of is the number of an entrant, it includes that entrant's place,
// however long the table is.
func (c *Cup) Text(of int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %s): %s.\n\n", c.Settings.Title, c.Settings.Name, c.Settings.Format, c.State())
	rows := c.Standings()
	width := len("Entrant")
	for _, r := range rows {
		width = max(width, len([]rune(r.Name)))
	}
	line := func(place, name string, cells []string) {
		fmt.Fprintf(&b, "%4s  %s%s", place, name, strings.Repeat(" ", width-len([]rune(name))))
		for i, cell := range cells {
			fmt.Fprintf(&b, "  %*s", len(c.Settings.Columns()[i]), cell)
		}
		b.WriteByte('\n')
	}
	if len(rows) > 0 {
		line("", "Entrant", c.Settings.Columns())
	}
	for i, r := range rows {
		if i >= rowsShown && r.Entrant != of {
			continue
		}
		cells := r.Cells()
		if note := r.Note(); note != "" {
			cells[len(cells)-1] += "  " + note
		}
		line(fmt.Sprint(r.Place), r.Name, cells)
	}
	if len(rows) > rowsShown {
		fmt.Fprintf(&b, "      %d in all\n", len(rows))
	}
	if open := c.Open(); len(open) > 0 {
		b.WriteString("\nBeing played:\n")
		for i, o := range open {
			if i == gamesShown {
				fmt.Fprintf(&b, "  and %d more\n", len(open)-i)
				break
			}
			fmt.Fprintf(&b, "  %s: %s\n", o.Game.ID, c.against(o))
		}
	}
	for _, o := range c.disputed() {
		fmt.Fprintf(&b, "%s disputes the result of %s.\n", c.Name(o.Game.Dispute.By), o.Game.ID)
	}
	for _, ch := range c.Challenges {
		fmt.Fprintf(&b, "%s has challenged %s.\n", c.Name(ch.From), c.Name(ch.To))
	}
	return b.String()
}

// against names the players of a game, the scenario's first side first.
func (c *Cup) against(o OpenGame) string {
	a, b := c.Name(o.Match.First), c.Name(o.Match.Second)
	if o.Game.Swapped {
		a, b = b, a
	}
	if c.Settings.Boards > 1 {
		return fmt.Sprintf("%s against %s, board %d", a, b, o.Game.Board+1)
	}
	return a + " against " + b
}

// Pairing is a match as text, with its games.
type Pairing struct {
	Text  string
	Games []PairedGame
}

// PairedGame is a game of a match as text.
type PairedGame struct{ ID, Text string }

// Pairings describes the matches of a round, and their results.
func (c *Cup) Pairings(round int) (out []Pairing) {
	matches := c.round(round)
	for i := range matches {
		m := &matches[i]
		switch there := m.entrants(); {
		case m.First == 0:
		case m.Walkover != 0:
			text := c.Name(c.winner(m)) + " need not play"
			if m.Walkover > 0 {
				text += fmt.Sprintf(": %s has withdrawn", c.Name(m.Walkover))
			}
			out = append(out, Pairing{Text: text})
		case len(there) == 1:
			out = append(out, Pairing{Text: c.Name(m.First) + " sits out"})
		default:
			p := Pairing{Text: fmt.Sprintf("%s against %s", c.Name(m.First), c.Name(m.Second))}
			if a, b := c.score(m); m.done() {
				p.Text += fmt.Sprintf(": %s to %s", short(float64(a)/float64(point)), short(float64(b)/float64(point)))
			}
			for k := range m.Games {
				g := &m.Games[k]
				text := c.against(OpenGame{m, g})
				if r := g.Result; r != nil {
					text += ": " + c.outcome(m, r)
				}
				if g.Dispute != nil {
					text += " (disputed)"
				}
				p.Games = append(p.Games, PairedGame{g.ID, text})
			}
			out = append(out, p)
		}
	}
	return out
}

// outcome describes a result.
func (c *Cup) outcome(m *Match, r *Result) string {
	text := map[string]string{
		wonByFirst: c.Name(m.First) + " won", wonBySecond: c.Name(m.Second) + " won", resultDraw: "a draw", resultNone: "counts for neither",
	}[r.Outcome]
	if r.Ruled {
		text += fmt.Sprintf(" (decided: %s)", r.Why)
	}
	return text
}

// How describes how the cup is played.
func (s *Settings) How() string {
	text := fmt.Sprintf("%s, %s by %s", map[string]string{swissCup: "Swiss system", roundRobinCup: "Round robin", knockOutCup: "Knock-out", ladderCup: "Ladder"}[s.Format], s.Scenario, s.Rules)
	if s.Sides == SidesBoth {
		text += ", each pair plays both sides"
	}
	if s.Boards > 1 {
		text += fmt.Sprintf(", teams of %d", s.Boards)
	}
	return text
}

// Joinable reports whether the cup accepts entries by mail now.
func (c *Cup) Joinable() bool {
	return c.Settings.Entry == EntryMail && (c.Settings.Boards <= 1 || c.Settings.Aliases != "") && !c.Over() && (c.Settings.Format == ladderCup || c.Paired <= c.Settings.Late) && c.inside() < c.Settings.Places
}
