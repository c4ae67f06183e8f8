package rating

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"starpost/pbem/vault"
)

// Book holds captains' records and ratings. It has no addresses.
type Book struct {
	Tables   []Table  `json:"ratings"`  // by rule set
	Captains []Record `json:"captains"` // by name

	conduct map[string]Conduct // by address in lower case
}

// Table is the ratings of a rule set, strongest first.
type Table struct {
	Set       string     `json:"set"`
	Rules     string     `json:"rules"`
	Standings []Standing `json:"standings"`
}

// Standing is one captain in a rule set.
type Standing struct {
	Name      string `json:"name"`
	Set       string `json:"set"`
	Rating    int    `json:"rating"`
	Deviation int    `json:"deviation"` // with 95% probability the true rating is within two deviations
	Won       int    `json:"won"`
	Drawn     int    `json:"drawn"`
	Lost      int    `json:"lost"`
}

// Words describes the rating.
func (s Standing) Words() string {
	return fmt.Sprintf("%d, deviation %d; won %d, drawn %d, lost %d", s.Rating, s.Deviation, s.Won, s.Drawn, s.Lost)
}

// Record is the record of one captain.
type Record struct {
	Name      string     `json:"name"`
	Standings []Standing `json:"ratings"`
	Conduct   Conduct    `json:"conduct"`
	Games     []Line     `json:"games"` // newest first
}

// Line is a game in a record.
type Line struct {
	Game    string    `json:"game"`
	Title   string    `json:"title"`
	Set     string    `json:"set"`
	Ended   time.Time `json:"ended"`
	Side    string    `json:"side"`
	Against []string  `json:"against"` // names
	Result  string    `json:"result"`  // "won", "lost" or "drawn"
	// Late means that the captain took over the seat in a running battle.
	Late bool `json:"late,omitempty"`
}

// Seat returns the captain's side, and whether the seat was taken over.
func (l Line) Seat() string {
	if l.Late {
		return l.Side + ", taken over,"
	}
	return l.Side
}

// person is a captain while a book is made.
type person struct {
	address, name string // name is the most recent one
	record        Record
	rated         map[string]*rated // by rule set
}

type rated struct {
	Rating
	standing Standing
	games    []outcome // of the period
}

// Make rates all players, and includes their conduct. Periods are months (UTC), up to that of now.
func Make(games []Game, services []Service, now time.Time) *Book {
	order, titles := rate(games, now)
	conduct := conductOf(services)
	for _, p := range order {
		p.record.Conduct = conduct[p.address]
	}
	b := bookOf(order, titles)
	b.conduct = conduct
	return b
}

// Strengths rates all players and returns a function for the rating of an address in a rule set; without games it is the
// initial rating.
func Strengths(games []Game, now time.Time) func(set, address string) int {
	all := map[[2]string]int{}
	order, _ := rate(games, now)
	for _, p := range order {
		for set, r := range p.rated {
			all[[2]string{set, p.address}] = int(math.Round(r.Rating.Rating))
		}
	}
	return func(set, address string) int {
		return cmp.Or(all[[2]string{set, strings.ToLower(address)}], int(unrated.Rating))
	}
}

func rate(games []Game, now time.Time) (order []*person, titles map[string]string) {
	games = slices.Clone(games)
	slices.SortFunc(games, func(a, b Game) int { return cmp.Or(a.Ended.Compare(b.Ended), strings.Compare(a.ID, b.ID)) })
	people := map[string]*person{}
	titles = map[string]string{}
	period := 0
	for i, g := range games {
		if titles[g.Set] = g.Rules; i == 0 {
			period = month(g.Ended)
		}
		for ; period < month(g.Ended); period++ {
			closePeriod(order)
		}
		for at, side := range g.Sides {
			for _, p := range side.Players {
				one := people[p.Address]
				if one == nil {
					one = &person{address: p.Address, rated: map[string]*rated{}}
					people[p.Address], order = one, append(order, one)
				}
				one.name = p.Name
				if one.rated[g.Set] == nil {
					one.rated[g.Set] = &rated{Rating: unrated, standing: Standing{Set: g.Set}}
				}
				one.note(g, at, p.Late)
			}
		}
		for at := range g.Sides {
			against := mean(people, g, 1-at)
			for _, p := range g.Sides[at].Players {
				if p.Late && g.Won != at {
					continue // a captain who took over a seat must not lose rating by it
				}
				r := people[p.Address].rated[g.Set]
				r.games = append(r.games, outcome{against: against, score: g.score(at), odds: g.odds(at)})
			}
		}
	}
	for last := max(period, month(now)); period <= last && len(games) > 0; period++ {
		closePeriod(order)
	}
	return order, titles
}

func month(t time.Time) int { t = t.UTC(); return t.Year()*12 + int(t.Month()) - 1 }

func closePeriod(people []*person) {
	for _, p := range people {
		for _, r := range p.rated {
			r.Rating, r.games = r.after(r.games), nil
		}
	}
}

func (g Game) score(side int) float64 {
	switch g.Won {
	case side:
		return 1
	case -1:
		return 0.5
	}
	return 0
}

func (g Game) odds(side int) float64 {
	if side == 0 {
		return g.Odds
	}
	return 1 - g.Odds
}

// mean returns a side as one player, with the ratings of the beginning of the period.
func mean(people map[string]*person, g Game, side int) Rating {
	var sum, squares float64
	players := g.Sides[side].Players
	for _, p := range players {
		r := people[p.Address].rated[g.Set]
		sum += r.Rating.Rating
		squares += r.Deviation * r.Deviation
	}
	n := float64(len(players))
	return Rating{Rating: sum / n, Deviation: math.Sqrt(squares / n)}
}

// note adds a game to the record of a player of one side.
func (p *person) note(g Game, side int, late bool) {
	l := Line{Late: late, Game: g.ID, Title: g.Title, Set: g.Set, Ended: g.Ended, Side: g.Sides[side].Name, Result: "drawn"}
	s := &p.rated[g.Set].standing
	switch g.Won {
	case side:
		l.Result = "won"
		s.Won++
	case -1:
		s.Drawn++
	default:
		l.Result = "lost"
		s.Lost++
	}
	for _, o := range g.Sides[1-side].Players {
		l.Against = append(l.Against, o.Name)
	}
	p.record.Games = append(p.record.Games, l)
}

// bookOf gives people distinct names, and sorts everything.
func bookOf(people []*person, titles map[string]string) *Book {
	b := &Book{Tables: []Table{}, Captains: []Record{}}
	taken := map[string]int{}
	tables := map[string]*Table{}
	for _, p := range people { // in the order of their first games, so that names stay the same
		name := p.name
		key := cmp.Or(vault.NameKey(p.name), p.name)
		if taken[key]++; taken[key] > 1 {
			name = fmt.Sprintf("%s (%d)", p.name, taken[key])
		}
		p.record.Name = name
		slices.Reverse(p.record.Games)
		for set, r := range p.rated {
			s := r.standing
			s.Name, s.Rating, s.Deviation = name, int(math.Round(r.Rating.Rating)), int(math.Round(r.Deviation))
			p.record.Standings = append(p.record.Standings, s)
			if tables[set] == nil {
				tables[set] = &Table{Set: set, Rules: titles[set]}
			}
			tables[set].Standings = append(tables[set].Standings, s)
		}
		slices.SortFunc(p.record.Standings, func(a, b Standing) int { return strings.Compare(a.Set, b.Set) })
		b.Captains = append(b.Captains, p.record)
	}
	for _, t := range tables {
		slices.SortFunc(t.Standings, func(a, b Standing) int {
			return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.Deviation, b.Deviation), strings.Compare(a.Name, b.Name))
		})
		b.Tables = append(b.Tables, *t)
	}
	slices.SortFunc(b.Tables, func(a, b Table) int { return strings.Compare(a.Set, b.Set) })
	slices.SortFunc(b.Captains, func(a, b Record) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
	})
	return b
}

// Find returns the records of captains of a name: "Kirk" also finds "Kirk (2)".
func (b *Book) Find(name string) []Record {
	var out []Record
	for _, r := range b.Captains {
		plain, _, _ := strings.Cut(r.Name, " (")
		if strings.EqualFold(r.Name, name) || strings.EqualFold(plain, name) {
			out = append(out, r)
		}
	}
	return out
}

// Names returns the names of all captains.
func (b *Book) Names() []string {
	out := make([]string, len(b.Captains))
	for i, r := range b.Captains {
		out[i] = r.Name
	}
	return out
}

// Text returns the ratings as lines for a mail or a terminal.
func (b *Book) Text() string {
	var out strings.Builder
	for _, t := range b.Tables {
		fmt.Fprintf(&out, "%s (%s):\n", t.Rules, t.Set)
		for i, s := range t.Standings {
			fmt.Fprintf(&out, "  %d. %s: %s\n", i+1, s.Name, s.Words())
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// recordShown limits the games in the text of a record.
const recordShown = 20

// Text returns the record as lines.
func (r Record) Text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n  %s\n", r.Name, r.Conduct.Words())
	for _, s := range r.Standings {
		fmt.Fprintf(&out, "  %s: %s\n", s.Set, s.Words())
	}
	for i, l := range r.Games {
		if i == recordShown {
			fmt.Fprintf(&out, "  and %d earlier games\n", len(r.Games)-i)
			break
		}
		fmt.Fprintf(&out, "  %s %s: %s as %s against %s (%s)\n", l.Ended.Format(time.DateOnly), l.Title, l.Result, l.Seat(), strings.Join(l.Against, ", "), l.Set)
	}
	return out.String()
}
