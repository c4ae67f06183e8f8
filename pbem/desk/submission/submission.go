package submission

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Wanted returns the stage that the set is for, or the due one if that is over.
func (s *Set) Wanted() vault.Stage {
	due, at := s.Game.DueStage(), turn.StageOf(s.Read)
	if at.Turn < due.Turn || at.Turn == due.Turn && at.Round < due.Round {
		return due
	}
	return at
}

// Submissions are the order sets of a mail.
type Submissions struct {
	*identity.Mail
	*effect.Effects
	Sets        []Set
	Unspoken    []orders.Raw // quoted, and not mentioned
	OnlyChecked bool         // because of a command in the mail
	Commanded   bool         // the mail has commands
}

// Set is the result for one order set.
type Set struct {
	Game    *vault.Game    // nil if unknown
	Pos     *turn.Position // of game
	Read    orderset.Set
	Source  string // text that the set was found in; "" for that of the Decision
	Captain vault.Captain
	Claim   identity.Claim
	Proof   auth.Trust
	Trusted bool
	Cancel  bool
	Taken   bool   // a step stores or drops it
	Checked bool   // only checked, not stored
	Played  bool   // its turn is over, and was resolved with it
	Echo    bool   // only repeats what we sent
	Word    string // final or wait, if the set was only this word and it was added to the set in force
	Notices []string
}

// FirstError returns the index of the first error among remarks, -1 for none.
func FirstError(ds []orders.Diagnostic) int {
	return slices.IndexFunc(ds, func(d orders.Diagnostic) bool { return d.Severity == orders.Error })
}

// Refusal returns the code of the first error.
func Refusal(ds []orders.Diagnostic) string {
	if at := FirstError(ds); at >= 0 {
		return ds[at].Code
	}
	return "refused"
}

// DecideBlocks decides every block of the mail, and returns the remarks that are not about any of
// them.
func (c *Submissions) DecideBlocks(seats []identity.Seat, raws []orders.Raw, diags []orders.Diagnostic) (loose []orders.Diagnostic, err error) {
	for _, raw := range slices.Concat(raws, c.Body.Marked) {
		c.Keys = append(c.Keys, raw.Head.Key)
		if key := raw.Head.Key; key != "" && !slices.Contains(c.InHeads, key) {
			c.InHeads = append(c.InHeads, key)
		}
	}
	if c.Plus != "" {
		c.Keys = append(c.Keys, c.Plus)
	}
	byGame, err := c.sort(seats, raws, diags)
	if err != nil {
		return nil, err
	}
	var asides []skippedBlock
	for _, g := range byGame {
		more, err := c.decideGame(g, diags)
		if err != nil {
			return nil, err
		}
		asides = append(asides, more...)
	}
	if err := c.passed(asides); err != nil {
		return nil, err
	}
	inside := func(at orders.Pos) bool {
		return slices.ContainsFunc(raws, func(raw orders.Raw) bool { return at.Compare(raw.Start) >= 0 && at.Compare(raw.End) <= 0 })
	}
	for _, d := range diags {
		if !inside(d.Pos) && d.Code != orders.CodeQuoted { // this is reported for each set
			loose = append(loose, d)
		}
	}
	return loose, nil
}

// Take makes steps of the accepted sets, and summarizes all sets in a line.
func (c *Submissions) Take() (reason string, done bool, err error) {
	var words []string
	for i := range c.Sets {
		s := &c.Sets[i]
		switch {
		case s.Taken && s.Cancel:
			words = append(words, fmt.Sprintf("dropped %s %s", s.Read.Name, turn.StageOf(s.Read)))
		case s.Taken:
			words = append(words, fmt.Sprintf("stored %s %s", s.Read.Name, turn.StageOf(s.Read)))
		case s.Checked:
			words = append(words, fmt.Sprintf("checked %s", s.Name()))
			continue
		default:
			words = append(words, fmt.Sprintf("refused %s (%s)", s.Name(), Refusal(s.Read.Diagnostics)))
			continue
		}
		done = true
		step := effect.OrderStep{Game: s.Game, Turn: s.Read.Turn, Round: s.Read.Round, Name: s.Read.Name, At: c.In.Received}
		if !s.Cancel {
			step.Text = s.Read.Text
			s.Pos.Expect(s.Read)
		}
		if step.Proof, err = c.Noted(s.Claim, s.Proof); err != nil {
			return "", false, err
		}
		c.Steps = append(c.Steps, step)
		if err := c.TellAboard(s, i+1); err != nil {
			return "", false, err
		}
	}
	return auth.Mask(strings.Join(words, ", "), c.Keys), done, nil
}

// Name returns the name of the set for messages.
func (s *Set) Name() string {
	if s.Read.Name != "" {
		return strings.TrimPrefix(s.Read.Name, "@")
	}
	if _, ok := auth.Normalise(s.Read.Raw.Head.Name); ok {
		return auth.Redacted // not a ship's name, but something like a key
	}
	return s.Read.Raw.Head.Name
}

// gameBlocks holds the blocks of a mail for one game.
type gameBlocks struct {
	game   *vault.Game
	seats  []identity.Seat // the sender's seats in this game, at least one
	raws   []orders.Raw
	marked []orders.Raw // behind quote marks
}

// sort groups the blocks by game. A block for no game of the sender becomes a result of its own.
func (c *Submissions) sort(seats []identity.Seat, raws []orders.Raw, diags []orders.Diagnostic) ([]*gameBlocks, error) {
	var byGame []*gameBlocks
	blocksOf := func(id string) (*gameBlocks, error) {
		if at := slices.IndexFunc(byGame, func(p *gameBlocks) bool { return p.game.ID() == id }); at >= 0 {
			return byGame[at], nil
		}
		g, err := c.People.Games.Game(id)
		if err != nil {
			return nil, fmt.Errorf("open game %s: %w", id, err)
		}
		p := &gameBlocks{game: g}
		for _, s := range seats {
			if s.Game == id {
				p.seats = append(p.seats, s)
			}
		}
		byGame = append(byGame, p)
		return p, nil
	}
	for _, raw := range raws {
		id, d := c.GameOf(raw, seats)
		if id == "" && (raw.Head.Turn == 0 || raw.Head.Name == "") && c.Body.Below(raw) {
			continue // a broken line of our own text about orders
		}
		if id == "" {
			found := blocks.Within(raw, diags, d...)
			if at, t, err := c.DueSeat(seats); err != nil {
				return nil, err
			} else if t.Game != nil {
				t.Pos.NameHead(found, raw.Head, at.Captain.Name)
			}
			c.Sets = append(c.Sets, Set{Read: orderset.Set{Raw: raw, Turn: raw.Head.Turn, Diagnostics: found}})
			continue
		}
		p, err := blocksOf(id)
		if err != nil {
			return nil, err
		}
		p.raws = append(p.raws, raw)
	}
	for _, raw := range c.Body.Marked {
		at := slices.IndexFunc(seats, func(s identity.Seat) bool { return strings.EqualFold(s.Game, raw.Head.Game) })
		if at < 0 {
			continue // a set quoted from another person
		}
		p, err := blocksOf(seats[at].Game)
		if err != nil {
			return nil, err
		}
		p.marked = append(p.marked, raw)
	}
	return byGame, nil
}

// captainOf returns the sender's captain that a block is for: the one it names by ship or by name,
// otherwise the first.
func (p *gameBlocks) captainOf(raw orders.Raw, pos *turn.Position) vault.Captain {
	var owner engine.CaptainName
	if h := raw.Head; h.Kind == "captain" {
		c, _ := p.game.Settings().CaptainOf("@" + h.Name)
		owner = c.Name
	} else if ship, err := pos.FindShip(h.Name); err == nil {
		_, post, _ := pos.SeatOf(h)
		owner = ship.Holder(post)
	}
	for _, s := range p.seats {
		if s.Captain.Name.Is(owner) {
			return s.Captain
		}
	}
	return p.seats[0].Captain
}

// foreign reports whether a block is for a ship or captain of the game that is not the sender's.
func (p *gameBlocks) foreign(raw orders.Raw, pos *turn.Position) bool {
	var owner engine.CaptainName
	if h := raw.Head; h.Kind == "captain" {
		c, _ := p.game.Settings().CaptainOf("@" + h.Name)
		owner = c.Name
	} else if ship, post, ok := pos.SeatOf(h); ok {
		owner = ship.Holder(post)
	}
	return owner != "" && !slices.ContainsFunc(p.seats, func(s identity.Seat) bool { return s.Captain.Name.Is(owner) })
}
