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

// Book is what captains have played and how they are rated. It names no address.
type Book struct {
	Tables   []Table  `json:"ratings"`  // by rule set
	Captains []Record `json:"captains"` // by name

	conduct map[string]Conduct // by address in lower case
}

// Table is the ratings of a rule set, the strongest first.
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
	Deviation int    `json:"deviation"` // 95 of 100 times the true rating is within two of them
	Won       int    `json:"won"`
	Drawn     int    `json:"drawn"`
	Lost      int    `json:"lost"`
}

// Games is how many of his games count.
func (s Standing) Games() int { return s.Won + s.Drawn + s.Lost }

// Words is the rating as people read it.
func (s Standing) Words() string {
	return fmt.Sprintf("%d, deviation %d; won %d, drawn %d, lost %d", s.Rating, s.Deviation, s.Won, s.Drawn, s.Lost)
}

// Record is what one captain has played.
type Record struct {
	Name      string     `json:"name"`
	Standings []Standing `json:"ratings"`
	Conduct   Conduct    `json:"conduct"`
	Games     []Line     `json:"games"` // the newest first
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
	// Late tells that he took the seat over in a battle that was on.
	Late bool `json:"late,omitempty"`
}

// Seat is his side, and whether he took the seat over.
func (l Line) Seat() string {
	if l.Late {
		return l.Side + ", taken over,"
	}
	return l.Side
}

// person is a captain while a book is made.
type person struct {
	address, name string // the name that he had last
	first         int
	record        Record
	rated         map[string]*rated // by rule set
}

type rated struct {
	Rating
	standing Standing
	games    []outcome // of the period
}

// Make rates all who played, and tells of their conduct. Periods are months (UTC), the last one that of now.
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

// Strengths rates all who played and gives the rating of an address in a rule set; who has none has what everybody has
// at first.
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
					one = &person{address: p.Address, first: i, rated: map[string]*rated{}}
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
					continue // who takes over what another left is not to lose by it
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

// mean is a side as one who plays, with the ratings of the period's beginning.
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

// note adds a game to the record of one who was on a side of it.
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

// bookOf names people apart, and puts all in order.
func bookOf(people []*person, titles map[string]string) *Book {
	b := &Book{Tables: []Table{}, Captains: []Record{}}
	taken := map[string]int{}
	tables := map[string]*Table{}
	for _, p := range people { // in the order of their first games, so that names stay
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

// Find gives the records of captains of a name: all "Kirk (2)" with "Kirk".
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

// Names are those of all captains.
func (b *Book) Names() []string {
	out := make([]string, len(b.Captains))
	for i, r := range b.Captains {
		out[i] = r.Name
	}
	return out
}

// Text is the ratings in lines for a mail or a terminal.
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

// recordShown is how many games of a record its text has.
const recordShown = 20

// Text is the record in lines.
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
