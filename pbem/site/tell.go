package site

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/engine/scenario"
	"starpost/pbem/chain"
	"starpost/pbem/publicdice"
	"starpost/pbem/rating"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
	"starpost/templates/pages"
)

// The states of a game, as lists group them.
const (
	stateOpen    = "open"
	stateRunning = "running"
	statePaused  = "paused"
	stateOver    = "over"
)

// darkly replaces the sides of a blind battle.
const darkly = "In the dark: the sides are revealed at the end"

// mapRows keeps the map of a game within a screen.
const mapRows = 20

// newsKept limits the news of one game in the feed.
const newsKept = 4

// tell gathers the public information on a game.
func tell(g *vault.Game) (*record, pages.GamePage, error) {
	s := g.SharedSettings()
	state, err := g.Stages.State(g.Newest())
	if err != nil {
		return nil, pages.GamePage{}, err
	}
	timing, err := g.Timing()
	if err != nil {
		return nil, pages.GamePage{}, err
	}
	r := &record{brief: brief{ID: s.ID, Robot: s.Mail.Robot}, told: &told{}}
	game := &r.Game
	*game = pages.SiteGame{ID: s.ID, Title: s.Title, RulesTitle: g.Rules().Title, Robot: s.Mail.Robot, State: stateRunning}
	game.Dice = publicdice.Beacons(nil).Words(g.SharedSettings(), 0)
	dark, withheld := turn.InTheDark(state), false // withheld: observers may not see the current state
	var view *engine.View
	var replay templates.Replay
	game.Who = darkly
	if !dark {
		if view, replay, err = turn.Public(g); err != nil {
			return nil, pages.GamePage{}, err
		}
		game.Who = sides(state)
		rule := s.Watched()
		if withheld = rule.Said && state.Result == nil && (!rule.May || rule.Delay > 0); withheld {
			if replay, game.Watch, err = turn.Observed(g); err != nil {
				return nil, pages.GamePage{}, err
			}
		} else {
			game.Watch = true
		}
		if game.Watch {
			r.replay = &replay
		}
	}
	if err := r.rate(g); err != nil {
		return nil, pages.GamePage{}, err
	}
	if err := r.stand(g, state, timing, view); err != nil {
		return nil, pages.GamePage{}, err
	}
	var page pages.GamePage
	game.Turn = state.Turn
	if game.Watch {
		page.Map = replay.Turns[len(replay.Turns)-1].Map
		page.Map.Rows = mapRows
		game.Thumb = templates.ThumbSVG(page.Map)
	}
	if withheld {
		page.Late = s.Watched().Delay
	}
	if !dark {
		page.Ships = ships(s, view)
		for i := range page.Ships {
			if withheld {
				page.Ships[i].State, page.Ships[i].Out = "hidden", false
			}
		}
		if err := tellOrders(g, state, page.Ships, withheld); err != nil {
			return nil, pages.GamePage{}, err
		}
		r.progress(view, state.Victory.LastTurn, page.Ships, withheld)
		if page.Text, err = about(g); err != nil {
			return nil, pages.GamePage{}, err
		}
	}
	page.Game, r.State, r.Watch, r.Vacant = *game, game.State, game.Watch, len(r.Seats) > 0
	page.Turns, err = r.turns(g, replay)
	return r, page, err
}

// shipsNamed limits the ships of a side named in a list of games.
const shipsNamed = 4

// progress fills in the progress of a game and, if public, the state of its sides.
func (r *record) progress(v *engine.View, last int, ships []pages.SiteShip, withheld bool) {
	game := &r.Game
	game.LastTurn = last
	for i, s := range v.Sides {
		side := pages.SiteSide{Name: s.Name, Tone: i, Told: !withheld}
		if side.Told {
			side.Points = s.Points
		}
		var names []string
		for _, ship := range ships {
			if ship.Tone != i {
				continue
			}
			side.Most++
			if !ship.Out && side.Told {
				side.Fighting++
			}
			names = append(names, ship.Name)
		}
		if len(names) > shipsNamed+1 {
			names = append(names[:shipsNamed], fmt.Sprintf("%d more", len(names)-shipsNamed))
		}
		side.Told = side.Told && side.Most > 0
		side.Ships = strings.Join(names, ", ")
		game.Sides = append(game.Sides, side)
	}
}

// ratedOnly returns the record of a game without a page.
func ratedOnly(g *vault.Game) (*record, error) {
	r := &record{brief: brief{ID: g.ID(), Robot: g.SharedSettings().Mail.Robot}}
	return r, r.rate(g)
}

func (r *record) rate(g *vault.Game) error {
	played, counts, err := rating.Of(g)
	if err != nil {
		return err
	}
	if counts {
		r.Played = &played
	}
	r.Service, err = rating.Services(g)
	return err
}

// ratingTables and records convert a book for the page of ratings.
func ratingTables(b *rating.Book) []pages.RatingTable {
	var out []pages.RatingTable
	for _, t := range b.Tables {
		one := pages.RatingTable{Title: t.Rules}
		for i, s := range t.Standings {
			one.Rows = append(one.Rows, pages.RatingRow{Place: i + 1, Name: s.Name, Link: anchor(s.Name), Rating: s.Rating, Deviation: s.Deviation, Won: s.Won, Drawn: s.Drawn, Lost: s.Lost})
		}
		out = append(out, one)
	}
	return out
}

func records(b *rating.Book, games map[string]*record) []pages.CaptainRecord {
	there := map[string]bool{}
	for _, r := range games {
		there[r.ID] = true
	}
	var out []pages.CaptainRecord
	for _, c := range b.Captains {
		one := pages.CaptainRecord{Name: c.Name, Anchor: anchor(c.Name), Conduct: report.UpperFirst(c.Conduct.Words())}
		for _, l := range c.Games {
			line := pages.RecordLine{Title: l.Title, Ended: l.Ended.Format("2 January 2006"), Result: l.Result, Side: l.Seat(), Against: strings.Join(l.Against, ", ")}
			if there[l.Game] {
				line.Link = gameFile(l.Game)
			}
			one.Games = append(one.Games, line)
		}
		out = append(out, one)
	}
	return out
}

// anchor returns a captain's name for links, whatever it contains.
func anchor(name string) string { return fmt.Sprintf("c%x", sha256.Sum256([]byte(name)))[:13] }

// stand fills in the state of the game and its seats.
func (r *record) stand(g *vault.Game, state *engine.Game, timing vault.Timing, view *engine.View) error {
	s, game := g.SharedSettings(), &r.Game
	m, err := g.Stages.Manifest(g.Newest())
	if err != nil {
		return err
	}
	r.Changed = m.Resolved.UnixNano()
	if state.Result != nil {
		game.State = stateOver
		game.Stands = fmt.Sprintf("Ended in turn %d", state.Result.Turn)
		game.Result = state.Result.Describe(state.SideName)
		game.Ended = day(m.Resolved, g.Zone())
		game.Captains = captains(s, state)
		return nil
	}
	game.Stands = report.UpperFirst(g.DueStage().String()) + " is due"
	game.Pace = report.UpperFirst(s.Pace())
	if timing.Stands() {
		game.State, game.Stands = statePaused, "Paused at "+g.DueStage().String()
	} else {
		r.Ends = timing.Ends().UTC()
		game.Due = report.FormatTime(r.Ends, g.Zone())
	}
	if s.Watched().May {
		game.Observe = "observe " + s.ID
	}
	game.Reliable = s.Mail.Reliable
	free := 0
	st, err := g.AdminState()
	if err != nil {
		return err
	}
	for _, c := range s.Captains {
		if !s.Joinable(c) {
			continue
		}
		free++
		if left := st.Vacant[c.Name]; !left.IsZero() {
			r.offer(g, c, view, left)
		}
		if view == nil {
			continue
		}
		for _, name := range c.SetNames() {
			ship, post, _ := strings.Cut(name, ".")
			if _, seen := view.Ship(engine.ShipID(strings.ToLower(ship))); seen {
				game.Free = append(game.Free, strings.TrimSpace(ship+" "+post))
			}
		}
	}
	if free > 0 {
		game.State = stateOpen
		game.Stands = fmt.Sprintf("%s free, %s is due", report.Count(free, "seat"), g.DueStage())
		game.Join = "games"
		if len(game.Free) > 0 {
			game.Join = "join " + s.ID + " as " + game.Free[0]
		}
	}
	return nil
}

// offer adds the news of a vacated seat that anyone may take.
func (r *record) offer(g *vault.Game, c vault.Captain, view *engine.View, left time.Time) {
	seat, how := "a seat", "games"
	if view != nil {
		ship, post, _ := strings.Cut(c.Seat(), ".")
		if _, seen := view.Ship(engine.ShipID(strings.ToLower(ship))); !seen {
			return
		}
		seat, how = strings.TrimSpace("the seat of "+ship+" "+post), strings.TrimSpace("join "+g.ID()+" as "+ship+" "+post)
	}
	s := g.SharedSettings()
	r.Seats = append(r.Seats, pages.News{
		ID: iri(g.ID(), s.SecretSHA256, "seat", c.Seat(), fmt.Sprint(left.Unix())), Title: r.Game.Title + ": " + seat + " is free",
		Text: fmt.Sprintf("%s is due. To take it, write to %s: %s. You lose no rating by taking over a seat in a running battle.", report.UpperFirst(g.DueStage().String()), s.Mail.Robot, how),
		Link: gameFile(g.ID()), At: left.UTC(),
	})
}

// turns returns the headlines, newest first, and adds them to the news.
func (r *record) turns(g *vault.Game, replay templates.Replay) ([]pages.SiteTurn, error) {
	var out []pages.SiteTurn
	said, err := chain.Press(g)
	if err != nil {
		return nil, err
	}
	for n := g.Newest().Turn; n >= 0; n-- {
		at := vault.At(n)
		if n == g.Newest().Turn {
			at = g.Newest()
		}
		m, err := g.Stages.Manifest(at)
		if err != nil {
			return nil, err
		}
		t := pages.SiteTurn{Turn: n, When: day(m.Resolved, g.Zone()), Stamp: m.Resolved.UTC().Format(time.RFC3339)}
		if n < len(replay.Turns) {
			t.Headline = replay.Turns[n].Headline
			for _, note := range replay.Turns[n].Messages {
				if note.Title == turn.ToAll { // after the game the views include private messages
					t.Press = append(t.Press, pages.SitePress{From: note.From, To: note.Title, Lines: strings.Split(strings.Join(note.Text, "\n"), "\n")})
				}
			}
			for _, m := range said {
				if m.Turn == n {
					t.Press = append(t.Press, pages.SitePress{From: m.From, To: "to " + m.To, Lines: strings.Split(m.Text, "\n")})
				}
			}
			out = append(out, t)
		}
		if len(r.News) < newsKept {
			r.News = append(r.News, r.news(g, at, t.Headline, m.Resolved))
		}
	}
	return out, nil
}

// news returns the news of a turn.
func (r *record) news(g *vault.Game, at vault.Stage, headline string, when time.Time) pages.News {
	title := fmt.Sprintf("%s: %s", r.Game.Title, at)
	switch {
	case at.Turn == 0:
		title = r.Game.Title + ": new game"
	case r.Game.Result != "" && at == g.Newest():
		title = r.Game.Title + ": game over"
	}
	untold := "A turn was played."
	if r.Game.Who == darkly {
		untold = "The battle is fought in the dark."
	}
	return pages.News{
		ID: iri(g.ID(), g.SharedSettings().SecretSHA256, at.String()), Title: title,
		Text: cmp.Or(headline, untold), Link: gameFile(g.ID()), At: when.UTC(),
	}
}

// iri returns a permanent name: a version 8 UUID (RFC 9562) made of the parts.
func iri(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

func day(t time.Time, zone *time.Location) string { return t.In(zone).Format("2 January 2006") }

func compareIDs(a, b string) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
}

func sides(state *engine.Game) string {
	var names []string
	for _, s := range state.Sides {
		names = append(names, s.Name)
	}
	return strings.Join(names, " against ")
}

// captains returns the captains of a finished game, with their sides.
func captains(s *vault.Settings, state *engine.Game) []string {
	var out []string
	for _, c := range s.Captains {
		ship, ok := state.Ship(engine.ShipID(strings.ToLower(c.Ship())))
		if !ok {
			continue
		}
		out = append(out, fmt.Sprintf("%s (%s)", held(s, c, true), state.SideName(ship.Side)))
	}
	return out
}

// held names the holder of a seat.
func held(s *vault.Settings, c vault.Captain, over bool) string {
	name := string(c.Name)
	switch {
	case s.Joinable(c):
		return "free seat"
	case c.Robot && c.Address == "":
		return name + ", a robot"
	case s.Person(c, over) != "":
		return name + ", played by " + s.Person(c, over)
	}
	return name
}

// ships returns the ships of a view.
func ships(s *vault.Settings, v *engine.View) []pages.SiteShip {
	states := map[engine.Status]string{
		engine.Active: "in the fight", engine.Waiting: "not here yet", engine.Crippled: "crippled", engine.Destroyed: "destroyed",
		engine.Left: "left the field", engine.Surrendered: "surrendered",
	}
	var out []pages.SiteShip
	for _, o := range v.Ships {
		if o.Kind != "" {
			continue
		}
		ship := pages.SiteShip{Name: o.Name, Class: o.Class, Side: v.SideName(o.Side), Tone: slices.IndexFunc(v.Sides, func(s engine.Side) bool { return s.ID == o.Side }), State: states[o.Status], Out: o.Status != engine.Active && o.Status != engine.Waiting}
		if o.Status == engine.Waiting {
			ship.State = fmt.Sprintf("arrives in turn %d", o.Arrives)
		}
		if c, ok := s.CaptainOf(o.Name); ok {
			ship.Captain = held(s, c, v.Result != nil)
		}
		out = append(out, ship)
	}
	return out
}

// tellOrders fills in whether each ship's orders are in, provided that captains see this too and that players and ships
// are public.
func tellOrders(g *vault.Game, state *engine.Game, ships []pages.SiteShip, withheld bool) error {
	s := g.SharedSettings()
	if withheld || state.Result != nil || !s.Mail.ShowMissing || s.Mail.Anonymous {
		return nil
	}
	pos, err := turn.Load(g)
	if err != nil {
		return err
	}
	ready, err := pos.Ready()
	if err != nil {
		return err
	}
	for _, one := range ready.Ships {
		told := "in"
		switch {
		case one.Vacant:
			told = "by a robot"
		case one.Unasked || one.Covered && !one.In:
			continue
		case !one.In:
			told = "awaited"
		}
		name, _, _ := strings.Cut(one.Name, ".")
		i := slices.IndexFunc(ships, func(o pages.SiteShip) bool { return o.Name == name })
		if i >= 0 && ships[i].Orders != "awaited" { // all posts must be in
			ships[i].Orders = told
		}
	}
	return nil
}

// about returns the scenario's description of the battle, by paragraph.
func about(g *vault.Game) ([]string, error) {
	text, err := g.Scenario()
	if err != nil {
		return nil, err
	}
	s, _ := scenario.Parse(text)
	return paragraphs(s), nil
}

// paragraphs returns a scenario's description; nil if there is no scenario or no description.
func paragraphs(s *scenario.Scenario) []string {
	if s == nil || strings.TrimSpace(s.Text) == "" {
		return nil
	}
	return strings.Split(strings.TrimSpace(s.Text), "\n\n")
}
