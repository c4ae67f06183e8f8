// Package pages draws the pages about a host's games for a web server: lists, a page for each game, and
// a feed. Package templates draws mails and replays. All input here is public.
package pages

import (
	"bytes"
	"embed"
	"encoding/xml"
	"fmt"
	"html"
	"html/template"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"starpost/templates"
)

// Site is what all pages of a site have in common.
type Site struct {
	Name    string
	Address string // where people ask for games; "" for none
	// Practice is set when that address offers battles against robots.
	Practice bool
	Cups     bool // the site has cups
}

// SiteGame is a game as lists of games show it. All of it is public.
type SiteGame struct {
	ID, Title, RulesTitle string
	State                 string // how lists draw it: "open", "waiting", "running", "paused", "over"
	Stands                string // the same in words: "turn 4 is due", "2 seats are free"
	Who                   string // "Federation against Klingon", "In the dark"
	Dice                  string // where the dice come from, in a game with public dice
	Pace                  string // "a turn in 3 days"; "" when it is over
	Due, Ended            string // moments in words; "" for none
	Result                string // "" while it is running
	Captains              []string
	Robot                 string   // the address to write to about the game
	Join                  string   // the command that takes a seat; "" when none is free
	Reliable              int      // the reliability that a seat requires, in percent; 0: none
	Observe               string   // the command to watch by mail; "" if that is not allowed
	Free                  []string // free seats, if public
	Watch                 bool     // there is a replay
	Turn, LastTurn        int      // turns played; the turn after which points decide, 0 for none
	Sides                 []SiteSide
	Thumb                 string // the field as templates.ThumbSVG draws it; "" for none
	Brief                 bool   // too far down a list to show the field and the sides with ships
}

// SiteSide is a side with its ships, as lists of games show it. Told is set when their state is shown.
type SiteSide struct {
	Name, Ships            string
	Tone                   int // as on the maps of its game
	Told                   bool
	Points, Fighting, Most int
}

// SiteShip is a ship as the public sees her.
type SiteShip struct {
	Name, Class, Side, Captain, State string
	Orders                            string // whether they are in; "" if that is hidden
	Tone                              int
	Out                               bool // of the fight
}

// SiteTurn is a turn in a line, with the public messages.
type SiteTurn struct {
	Turn        int
	When, Stamp string // in words, and by RFC 3339
	Headline    string
	Press       []SitePress
}

// SitePress is a public message.
type SitePress struct {
	From, To string
	Lines    []string
}

// GamePage is the page of one game.
type GamePage struct {
	Game  SiteGame
	Text  []string // what the battle is about, by paragraph
	Map   templates.Map
	Late  int // how many turns old the map is
	Ships []SiteShip
	Turns []SiteTurn // the newest first
}

// GameGroup is a part of the list of games; More links to the rest, "" for none.
type GameGroup struct {
	ID, Title, None string
	Cards           []template.HTML
	More, MoreTitle string
}

// Cards are a game as a list draws it. Brief leaves out the field and the sides with ships.
type Cards struct{ Full, Brief template.HTML }

// Add adds a game. Those after the first full ones are brief, which keeps long lists light.
func (g *GameGroup) Add(c Cards, full int) {
	if len(g.Cards) < full {
		g.Cards = append(g.Cards, c.Full)
	} else {
		g.Cards = append(g.Cards, c.Brief)
	}
}

// CardsOf draws a game for lists, once for all lists until the game changes.
func CardsOf(g SiteGame) (c Cards, err error) {
	pages, err := readSite()
	if err != nil {
		return c, fmt.Errorf("read the pages of sites: %w", err)
	}
	draw := func(g SiteGame) (template.HTML, error) {
		var b strings.Builder
		err := pages.ExecuteTemplate(&b, "card", g)
		return template.HTML(b.String()), err
	}
	if c.Full, err = draw(g); err == nil {
		g.Thumb, g.Sides, g.Brief = "", nil, true
		c.Brief, err = draw(g)
	}
	if err != nil {
		return c, fmt.Errorf("draw the card of %s: %w", g.ID, err)
	}
	return c, nil
}

//go:embed *.html site.css
var siteFiles embed.FS

type sitePages struct {
	*template.Template
	style  template.CSS
	policy string
}

var readSite = sync.OnceValues(func() (pages sitePages, err error) {
	style, err := siteFiles.ReadFile("site.css")
	if err != nil {
		return pages, err
	}
	style = append(style, "@media (prefers-color-scheme:dark){\n"+templates.NightCSS()+"}\n"...)
	pages.style = template.CSS(style)
	pages.policy = fmt.Sprintf("default-src 'none'; style-src '%s'; base-uri 'none'; form-action 'none'", templates.SourceHash(style))
	pages.Template, err = template.New("site").Funcs(template.FuncMap{
		"clean": templates.CleanText,
		"hull":  func(side int) template.HTML { return template.HTML(templates.HullSVG(side)) },
		"drawn": func(g SiteGame) template.HTML { return template.HTML(g.Thumb) },
	}).ParseFS(siteFiles, "*.html")
	return pages, err
})

// SiteEdition returns a value that changes with the form of pages and replays: see [templates.Edition].
func SiteEdition() (string, error) {
	replay, err := templates.ReplayEdition()
	if err != nil {
		return "", err
	}
	own, err := templates.Edition(siteFiles)
	return replay + own, err
}

type navLink struct {
	Link, Title string
	Here        bool
}

// siteHead is what the frame of a page shows; Up is the path from the page to the first page.
type siteHead struct {
	Site, Address, Title, Up, Policy string
	Practice                         bool
	Style                            template.CSS
	Nav                              []navLink
}

// page draws a page: own makes the template's data from the frame.
func (s Site) page(file, title, up, here string, own func(siteHead) any) ([]byte, error) {
	pages, err := readSite()
	if err != nil {
		return nil, fmt.Errorf("read the pages of sites: %w", err)
	}
	head := siteHead{Site: s.Name, Address: s.Address, Practice: s.Practice, Title: title, Up: up, Policy: pages.policy, Style: pages.style}
	links := []navLink{{Link: "index.html", Title: "Games"}, {Link: "results.html", Title: "Results"}, {Link: "ratings.html", Title: "Ratings"}, {Link: "scenarios.html", Title: "Scenarios"}}
	if s.Cups {
		links = append(links, navLink{Link: "cups.html", Title: "Cups"})
	}
	for _, l := range links {
		l.Here = l.Link == here
		head.Nav = append(head.Nav, l)
	}
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, file, own(head)); err != nil {
		return nil, fmt.Errorf("draw the page %s: %w", title, err)
	}
	return b.Bytes(), nil
}

// Index draws the first page: the list of games.
func (s Site) Index(groups []GameGroup) ([]byte, error) {
	return s.page("index.html", s.Name, "", "index.html", func(h siteHead) any {
		return struct {
			siteHead
			Groups []GameGroup
		}{h, groups}
	})
}

// Results draws the page of games that are over.
func (s Site) Results(games []SiteGame) ([]byte, error) {
	return s.page("results.html", "Results", "", "results.html", func(h siteHead) any {
		return struct {
			siteHead
			Results []SiteGame
		}{h, games}
	})
}

// Game draws the page of a game, which lies a folder below the first page.
func (s Site) Game(g GamePage) ([]byte, error) {
	return s.page("game.html", g.Game.Title, "../", "", func(h siteHead) any {
		return struct {
			siteHead
			Game  SiteGame
			Text  []string
			Map   template.HTML
			Late  int
			Ships []SiteShip
			Due   bool // ships show whether their orders are in
			Turns []SiteTurn
		}{h, g.Game, g.Text, template.HTML(templates.PlainSVG(g.Map)), g.Late, g.Ships, slices.ContainsFunc(g.Ships, func(s SiteShip) bool { return s.Orders != "" }), g.Turns}
	})
}

// News is an entry of a feed: something that happened in a game. ID is a permanent IRI.
type News struct {
	ID, Title, Text, Link string
	At                    time.Time
}

// Feed writes an Atom feed (RFC 4287) of news, which are sorted newest first. base is the address that links
// start with; "" makes them relative to the feed. id is a permanent IRI, and file the feed's own name.
func (s Site) Feed(file, id, base, title string, news []News) ([]byte, error) {
	return s.atom(id, title, base, file, base+"index.html", news)
}

// Reports writes the Atom feed of one person, with full reports. file is its path below the first page.
func (s Site) Reports(id, file string, reports []News) ([]byte, error) {
	return s.atom(id, s.Name+": your reports", "", path.Base(file), "", reports)
}

// atom writes a feed; index is its page for people, "" for none. Entries with a link are short, those without hold the full text.
func (s Site) atom(id, title, base, file, index string, news []News) ([]byte, error) {
	type link struct {
		Rel  string `xml:"rel,attr,omitempty"`
		Type string `xml:"type,attr,omitempty"`
		Href string `xml:"href,attr"`
	}
	type text struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	}
	type entry struct {
		ID      string `xml:"id"`
		Title   string `xml:"title"`
		Updated string `xml:"updated"`
		Link    *link  `xml:"link"`
		Summary string `xml:"summary,omitempty"`
		Content *text  `xml:"content"`
	}
	type author struct {
		Name string `xml:"name"`
	}
	feed := struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string   `xml:"id"`
		Title   string   `xml:"title"`
		Updated string   `xml:"updated"`
		Author  author   `xml:"author"`
		Links   []link   `xml:"link"`
		Entries []entry  `xml:"entry"`
	}{
		ID: id, Title: templates.CleanText(title), Updated: stamp(time.Unix(0, 0)), Author: author{templates.CleanText(s.Name)},
		Links: []link{{Rel: "self", Type: "application/atom+xml", Href: base + file}},
	}
	if index != "" {
		feed.Links = append(feed.Links, link{Rel: "alternate", Type: "text/html", Href: index})
	}
	for i, n := range news {
		if i == 0 {
			feed.Updated = stamp(n.At)
		}
		e := entry{ID: n.ID, Title: templates.CleanText(n.Title), Updated: stamp(n.At)}
		if n.Link != "" {
			e.Link, e.Summary = &link{Rel: "alternate", Type: "text/html", Href: base + n.Link}, templates.CleanText(n.Text)
		} else {
			e.Content = &text{"html", "<pre>" + html.EscapeString(n.Text) + "</pre>"}
		}
		feed.Entries = append(feed.Entries, e)
	}
	out, err := xml.MarshalIndent(feed, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write the feed: %w", err)
	}
	return append([]byte(xml.Header), append(out, '\n')...), nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
