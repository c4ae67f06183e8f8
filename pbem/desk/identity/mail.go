package identity

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/mime"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// OpenGame is a game that this mail needs.
type OpenGame struct {
	Game *vault.Game
	Pos  *turn.Position
}

// Opened opens a game, only once for each mail.
func (c *Mail) Opened(id string) (OpenGame, error) {
	for _, t := range c.games {
		if t.Game.ID() == id {
			return t, nil
		}
	}
	g, err := c.People.Games.Game(id)
	if err != nil {
		return OpenGame{}, fmt.Errorf("open game %s: %w", id, err)
	}
	t, err := load(g)
	if err == nil {
		c.games = append(c.games, t)
	}
	return t, err
}

func load(g *vault.Game) (OpenGame, error) {
	pos, err := turn.Load(g)
	if err != nil {
		return OpenGame{}, fmt.Errorf("read game %s: %w", g.ID(), err)
	}
	return OpenGame{g, pos}, nil
}

// Looked opens a game for reading only.
func (c *Mail) Looked(id string) (OpenGame, error) {
	g, err := c.People.Games.Look(id)
	if err != nil {
		return OpenGame{}, fmt.Errorf("look at game %s: %w", id, err)
	}
	return load(g)
}

// Incoming is a mail as received.
type Incoming struct {
	Mail     mime.Mail
	Err      error     // of mime.Read
	SHA256   string    // of the raw bytes; identifies answers
	Received time.Time // by our own clock
	Arrived  time.Time // according to the mail server; zero if unknown
}

// Mail is a mail on the desk: who wrote it, with which keys, and the games that it needs.
type Mail struct {
	// Unknown means that the mail names a game, or uses an address, that Games does not have. If
	// Games may be incomplete, decide the mail again later.
	Unknown bool

	Robot   *effect.Robot
	People  *Registry
	In      Incoming
	Body    blocks.Body // source of the orders
	games   []OpenGame
	Plus    string        // turn key in the recipient address
	InHeads []string      // keys in the heads of all blocks, including quoted ones
	Keys    []string      // never to be shown
	own     []string      // see secrets
	border  *auth.Results // see results
	shown   *HTMLForm     // see html
}

// Find looks for blocks in the mail's text and in its attached order file.
func (c *Mail) Find(l Incoming) ([]orders.Raw, []orders.Diagnostic, error) {
	if l.Err != nil {
		return nil, nil, l.Err
	}
	var diags []orders.Diagnostic
	c.Body, diags = blocks.Find(l.Mail.Text, l.Mail.Attached)
	return c.Body.Raws, diags, nil
}

// HTMLForm is the HTML form of a mail that was read as plain text.
type HTMLForm struct {
	Source string
	Raws   []orders.Raw
	Diags  []orders.Diagnostic
}

// HTML reads the HTML form of the mail, once.
func (c *Mail) HTML() *HTMLForm {
	if c.shown == nil {
		c.shown = &HTMLForm{Source: c.In.Mail.HTMLText()}
		c.shown.Raws, c.shown.Diags = orders.ScanText(c.shown.Source)
		for _, raw := range c.shown.Raws {
			c.Keys = append(c.Keys, raw.Head.Key)
		}
	}
	return c.shown
}

// DueSeat returns the seat that orders without a first line are probably for: the one whose key is
// in the recipient address, or else the first with a turn due.
func (c *Mail) DueSeat(seats []Seat) (Seat, OpenGame, error) {
	var found Seat
	var at OpenGame
	for _, s := range seats {
		t, err := c.Opened(s.Game)
		if err != nil {
			return found, at, err
		}
		if t.Pos.Due() == 0 {
			continue
		}
		if at.Game == nil {
			found, at = s, t
		}
		if c.Plus != "" && auth.EqualKeys(c.Plus, t.Pos.Key(s.Captain.Name)) {
			return s, t, nil
		}
	}
	return found, at, nil
}

// GameOf returns the ID of the game that a block names, if the sender plays in it.
func (c *Mail) GameOf(raw orders.Raw, seats []Seat) (string, []orders.Diagnostic) {
	h := raw.Head
	if h.Game == "" {
		return "", nil // the scanner has reported it
	}
	var mine []string
	for _, s := range seats {
		if strings.EqualFold(s.Game, h.Game) {
			return s.Game, nil
		}
		if !slices.Contains(mine, s.Game) {
			mine = append(mine, s.Game)
		}
	}
	c.Unknown = c.Unknown || !slices.ContainsFunc(c.People.Games.Settings(), func(s *vault.Settings) bool { return strings.EqualFold(s.ID, h.Game) })
	// Do not reveal whether a game of that name exists.
	hint := orders.DidYouMean("%s", h.Game, mine, "send from the address that gets its reports; your games: "+strings.Join(mine, ", "))
	return "", []orders.Diagnostic{{Pos: h.GamePos, Code: codes.UnknownGame, Message: fmt.Sprintf("you do not play in a game %q under this address", h.Game), Hint: hint}}
}

// maxAge limits the age of a stranger's mail that is answered: an older sender has long forgotten
// it, or never was a person.
const maxAge = 3 * 24 * time.Hour

// Old reports whether a mail arrived long ago by the clock of the mail server. The sender's date
// does not matter.
func (l Incoming) Old() bool { return !l.Arrived.IsZero() && l.Received.Sub(l.Arrived) > maxAge }
