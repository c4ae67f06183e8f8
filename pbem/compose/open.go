package compose

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"starpost/engine"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
)

// opened is what a page shows when a view is opened.
type opened struct {
	OK      bool   `json:"ok"`
	Version string `json:"version"` // of the rule set
	Game    string `json:"game"`
	Title   string `json:"title"`
	Turn    int    `json:"turn"`            // the due turn
	Phase   int    `json:"phase,omitempty"` // the due phase, if each has its own orders
	Rules   string `json:"rules"`
	Captain string `json:"captain"`
	Seat    string `json:"seat"`
	Crew    string `json:"crew"` // the post whose orders are composed; "" for a captain
	Ships   []ship `json:"ships"`
	Text    string `json:"text"`
	ReplyTo string `json:"replyTo"`
	Subject string `json:"subject"`
}

// ship is a ship of the view.
type ship struct {
	ID      engine.ShipID `json:"id"`
	Name    string        `json:"name"`
	Class   string        `json:"class"`
	Side    string        `json:"side"`
	Own     bool          `json:"own"`
	Hex     string        `json:"hex"`
	Heading string        `json:"heading"`
	Status  engine.Status `json:"status"`
}

// Limits of a view: more ships than any game has, and a map that can be drawn.
const (
	mostShips = 1000
	mostHexes = 999 // columns or rows
)

// open opens a view, replacing the open one.
func (d *Desk) open(r request) (any, error) {
	g, v, err := d.Known([]byte(r.View))
	if err != nil {
		return nil, err
	}
	text := r.Text
	if strings.TrimSpace(text) == "" {
		text = report.Template(g.Rules, v, "", true)
	}
	to := address(r.To)
	out := opened{
		OK: true, Version: v.Version, Game: v.Game, Title: v.Title, Turn: v.Due, Phase: v.DueRound(), Rules: v.Rules, Captain: string(v.Viewer.Captain),
		Seat: engine.Seat{Ship: v.Viewer.Focus, Post: v.Viewer.Post}.String(), Crew: v.Viewer.Post, Ships: ships(v), Text: text, ReplyTo: to, Subject: subject(v),
	}
	g.View = once(g.View)
	d.view, d.game, d.to, d.scales = v, g, to, map[string]scale{}
	return out, nil
}

// Known parses the view of a report, and returns the game as its captain knows it.
func (d *Desk) Known(view []byte) (*orderset.Game, *engine.View, error) {
	v, rules, err := d.decode(view)
	if err != nil {
		return nil, nil, err
	}
	g := orderset.OfView(rules, v)
	if len(g.Ships) == 0 {
		return nil, nil, refuse("open the data that came with a captain's report", "this report is for someone without a ship, who gives no orders")
	}
	return g, v, nil
}

// once caches the view of each seat, however often orders are checked.
func once(view func(*engine.Ship, engine.Seat) (*engine.View, error)) func(*engine.Ship, engine.Seat) (*engine.View, error) {
	known := map[engine.Seat]*engine.View{}
	return func(s *engine.Ship, seat engine.Seat) (*engine.View, error) {
		if v := known[seat]; v != nil {
			return v, nil
		}
		v, err := view(s, seat)
		if err == nil {
			known[seat] = v
		}
		return v, err
	}
}

func ships(v *engine.View) []ship {
	out := make([]ship, 0, len(v.Ships))
	for _, s := range v.Ships {
		o := ship{ID: s.ID, Name: s.Name, Class: s.Class, Side: v.SideName(s.Side), Own: s.Own, Status: s.Status}
		if s.Hex != nil {
			o.Hex = s.Hex.Label()
		}
		if s.Heading != nil {
			o.Heading = s.Heading.String()
		}
		out = append(out, o)
	}
	return out
}

// decode parses a view with the rule set that it names.
func (d *Desk) decode(data []byte) (*engine.View, *engine.Rules, error) {
	const cut = "it may have been cut off: open the whole attachment of the report"
	var head struct {
		Format  int    `json:"format"`
		Rules   string `json:"rules"`
		Version string `json:"version"`
	}
	switch err := json.Unmarshal(data, &head); {
	case len(data) == 0:
		return nil, nil, refuse(cut, "the report's data is missing")
	case err != nil:
		return nil, nil, refuse(cut, "this is not the data of a report: %v", err)
	case head.Format == 0 || head.Rules == "":
		return nil, nil, refuse("open the JSON file that came with the report", "this is JSON, but not a report's data")
	case head.Format != engine.Format:
		return nil, nil, refuse(otherPage, "the report has format %d, and this program reads format %d", head.Format, engine.Format)
	}
	set, ok := d.sets[head.Rules]
	if !ok {
		return nil, nil, refuse("the rule sets here are "+d.names(), "the game's rule set %q is unknown here", head.Rules)
	}
	rules, err := set.Rules(nil)
	if err != nil {
		return nil, nil, fmt.Errorf("make rule set %s: %w", head.Rules, err)
	}
	if head.Version != rules.Version {
		return nil, nil, refuse(otherPage, "the report uses version %s of the rule set %s, and this program has version %s", head.Version, head.Rules, rules.Version)
	}
	v, err := engine.DecodeView(data, rules)
	if err != nil {
		return nil, nil, refuse("it may be damaged, or the game may have ship classes of its own: write the orders as text", "the report's data cannot be read: %v", err)
	}
	if err := sound(v); err != nil {
		return nil, nil, err
	}
	return v, rules, nil
}

const otherPage = "open the page that the report links to, or use the host's version of the program"

// sound refuses an impossible view that could not be drawn or checked.
func sound(v *engine.View) error {
	wrong := ""
	far := func(n int) bool { return n < -mostHexes || n > mostHexes }
	switch b := v.Bounds; {
	case len(v.Ships) > mostShips:
		wrong = fmt.Sprintf("%d ships", len(v.Ships))
	case b != nil && (b.Cols < 1 || b.Rows < 1 || far(b.Cols) || far(b.Rows)):
		wrong = fmt.Sprintf("a map of %d columns and %d rows", b.Cols, b.Rows)
	case v.Due < 0 || v.Turn < 0 || v.Round < 0 || v.Rounds < 0:
		wrong = "a negative turn"
	}
	for _, s := range v.Ships {
		if s.Hex == nil {
			continue
		}
		if col, row := s.Hex.ColRow(); far(col) || far(row) {
			wrong = fmt.Sprintf("the ship %q off the map", s.ID)
		}
	}
	for _, f := range v.Terrain {
		if f == nil || len(f.Hexes) == 0 {
			wrong = "terrain off the map"
		}
	}
	if wrong != "" {
		return refuse("open the data that came with a report, unchanged", "the report's data has %s", wrong)
	}
	return nil
}

// mailed is the mail with the orders.
type mailed struct {
	OK      bool   `json:"ok"`
	To      string `json:"to"`
	Subject string `json:"subject"`
	Body    string `json:"body"`
	Mailto  string `json:"mailto"` // "" if there is no address
	Whole   bool   `json:"whole"`  // Mailto includes the body
	Keyed   bool   `json:"keyed"`  // the body may contain a turn key
}

// mostMailto limits the length of a mailto URL with a whole mail, so that browsers and mail programs accept it.
const mostMailto = 1600

// mail composes the mail. A key is only in its text: a URL is passed from program to program, and some log it or send
// it to a web server, so a body with a key is left out of the URL.
func (d *Desk) mail(r request) (any, error) {
	out := mailed{OK: true, To: d.to, Subject: subject(d.view), Body: strings.TrimSpace(r.Text) + "\n"}
	out.Keyed = mayHaveKey(out.Body)
	if out.To == "" {
		return out, nil
	}
	out.Mailto = mailto(out)
	if whole := out.Mailto + "&body=" + escape(strings.ReplaceAll(out.Body, "\n", "\r\n")); !out.Keyed && len(whole) < mostMailto {
		out.Mailto, out.Whole = whole, true
	}
	return out, nil
}

// mayHaveKey reports whether a text may contain a turn key: each follows the word key, or a plus sign in an address.
func mayHaveKey(text string) bool {
	tagged := strings.Contains(text, "+") && strings.Contains(text, "@")
	return tagged || strings.Contains(strings.ToLower(text), "key") // for ToLower, the Kelvin sign is also a k
}

// address returns the recipient of orders in a page's link; "" if it is not a plain address.
func address(to string) string {
	name, host, ok := strings.Cut(to, "@")
	odd := func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`"(),:;<>@[\]?&%`, c) }
	if !ok || name == "" || host == "" || len(to) > 254 || strings.ContainsFunc(name, odd) || strings.ContainsFunc(host, odd) {
		return ""
	}
	return to
}

// mailto returns the URL that opens the mail without its body in a mail program.
func mailto(m mailed) string {
	return "mailto:" + strings.ReplaceAll(escape(m.To), "%40", "@") + "?subject=" + escape(m.Subject)
}

// subject names the stage that the orders are for.
func subject(v *engine.View) string {
	at := fmt.Sprintf("turn %d", v.Due)
	if round := v.DueRound(); round > 0 {
		at += fmt.Sprintf(", phase %d", round)
	}
	return fmt.Sprintf("Orders for %s, %s", v.Game, at)
}

// escape encodes text as a part of a URL in which a blank is not a plus sign (RFC 6068).
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
