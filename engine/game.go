package engine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/blind"
	"starpost/engine/hex"
	"starpost/orders"
)

// Format is the version of the state and event files of new games. Those of games
// that were begun with an earlier one stay as they are: in format 1 words for luck
// count for one turn alone (see [dice.ForTurn]), and the bounds have other names.
const Format = 2

// perTurn is the format of states in which words for luck count for one turn alone.
const perTurn = 1

// Status tells whether a ship is in the fight, and if not, why.
type Status string

// The states of a ship. A crippled ship is out of the fight but still there, and a
// destroyed one leaves a wreck on the map (ruling D24); one that left or surrendered is
// no longer there.
const (
	Active      Status = "active"
	Waiting     Status = "waiting"
	Crippled    Status = "crippled"
	Destroyed   Status = "destroyed"
	Left        Status = "left"
	Surrendered Status = "surrendered"
)

// OnMap reports whether a ship of this status has a counter on the map.
func (s Status) OnMap() bool { return s == Active || s == Crippled || s == Destroyed }

// Game is the whole truth after a turn; turn 0 is the set-up.
type Game struct {
	Format  int               `json:"format"`
	ID      string            `json:"game"`
	Title   string            `json:"title"`
	Rules   string            `json:"rules"`
	Version string            `json:"version"`
	Turn    int               `json:"turn"`
	Round   int               `json:"round,omitempty"` // rounds of Turn that are played; 0: all of it
	Options map[string]string `json:"options,omitempty"`
	Bounds  *hex.Bounds       `json:"bounds,omitempty"`
	Sides   []Side            `json:"sides"`
	Heard   []heardPoints     `json:"heard,omitempty"`   // in the order in which it was heard first
	Terrain []Feature         `json:"terrain,omitempty"` // sorted by id
	Ships   []*Ship           `json:"ships"`             // sorted by id
	Victory Victory           `json:"victory"`
	Blind   *blind.State      `json:"blind,omitempty"` // nil: all is in the open
	Labs    *Labs             `json:"labs,omitempty"`  // nil where there are no files and nothing was gathered
	Luck    string            `json:"luck,omitempty"`  // what came of the captains' words for luck so far, see [dice.Words]
	Result  *Result           `json:"result,omitempty"`
}

// Side is one of the parties of a battle. Quiet are points for what not everyone
// saw, which count like the others and are shown when the game is over.
type Side struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Points int    `json:"points"`
	Quiet  int    `json:"quiet,omitempty"`
}

// Total are all points of a side.
func (s Side) Total() int { return s.Points + s.Quiet }

// Ship is what every rule set knows of a ship; System is the rule set's own part.
type Ship struct {
	ID      ShipID      `json:"id"`
	Name    string      `json:"name"` // as orders call it: one word
	Title   string      `json:"title"`
	Short   string      `json:"short"` // one or two characters, for the map
	Side    string      `json:"side"`
	Captain CaptainName `json:"captain"`
	// Crew are the captains who hold posts on the ship, by post, where these are others.
	Crew map[string]CaptainName `json:"crew,omitempty"`
	// Relieved are the posts whose orders the captain gives, though others man them.
	Relieved []string `json:"relieved,omitempty"`
	// Silent are the posts from which no orders came in some turn.
	Silent  map[string]Silence `json:"silent,omitempty"`
	Class   string             `json:"class"`
	Kind    Kind               `json:"kind,omitempty"`   // absent: a ship like others
	Parent  ShipID             `json:"parent,omitempty"` // of a small craft: the ship that it came from
	Hex     hex.Hex            `json:"hex"`
	Heading hex.Heading        `json:"heading"`
	Status  Status             `json:"status"`
	Arrives int                `json:"arrives,omitempty"` // first turn on the map, for reinforcements
	OutTurn int                `json:"out_turn,omitempty"`
	Exit    []string           `json:"exit,omitempty"` // map edges crossed when leaving: north south east west
	Value   int                `json:"value"`          // points for defeating it
	System  System             `json:"system"`
}

// System is a rule set's own state of one ship. It marshals to JSON.
type System interface {
	Clone() System
}

// Ship finds a ship by id.
func (g *Game) Ship(id ShipID) (*Ship, bool) {
	i := g.place(id)
	if i < 0 {
		return nil, false
	}
	return g.Ships[i], true
}

// place is the index of a ship, -1 for an unknown id.
func (g *Game) place(id ShipID) int {
	i, ok := slices.BinarySearchFunc(g.Ships, id, func(s *Ship, id ShipID) int { return cmp.Compare(s.ID, id) })
	if !ok {
		return -1
	}
	return i
}

// Side finds a side by id.
func (g *Game) Side(id string) (*Side, bool) {
	for i := range g.Sides {
		if g.Sides[i].ID == id {
			return &g.Sides[i], true
		}
	}
	return nil, false
}

// SideName is the name of a side; the id of one that is not there.
func (g *Game) SideName(id string) string {
	if s, ok := g.Side(id); ok {
		return s.Name
	}
	return id
}

// InFight lists the ids of the ships in the fight, sorted; none when the game is over.
func (g *Game) InFight() []ShipID {
	if g.Result != nil {
		return nil
	}
	var ids []ShipID
	for _, s := range g.Ships {
		if s.Status == Active && !s.Small() {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// Captains lists the captains with their ships and seats, in order of name.
func (g *Game) Captains() []Captain {
	var out []Captain
	add := func(name CaptainName, seat Seat) {
		at, known := slices.BinarySearchFunc(out, name, func(c Captain, name CaptainName) int { return cmp.Compare(c.Name, name) })
		if !known {
			out = slices.Insert(out, at, Captain{Name: name})
		}
		c := &out[at]
		if !slices.Contains(c.Ships, seat.Ship) {
			c.Ships = append(c.Ships, seat.Ship)
		}
		c.Seats = append(c.Seats, seat)
	}
	for _, s := range g.Ships {
		if s.Small() {
			continue
		}
		add(s.Captain, Seat{Ship: s.ID})
		for _, post := range slices.Sorted(maps.Keys(s.Crew)) {
			add(s.Crew[post], Seat{s.ID, post})
		}
	}
	return out
}

// Captain is a player, the ids of the ships that he is on, and the seats that he holds
// on them.
type Captain struct {
	Name  CaptainName
	Ships []ShipID
	Seats []Seat
}

// Viewer is the captain of a ship as one who looks, that ship in the focus.
func (g *Game) Viewer(s *Ship) Viewer {
	who := Viewer{Captain: s.Captain, Focus: s.ID}
	for _, o := range g.Ships {
		if o.Captain == s.Captain {
			who.Ships = append(who.Ships, o.ID)
		}
	}
	return who
}

// FindShip resolves a name as an order writes it: the ship's name, id or short
// id, upper and lower case alike. On failure it returns the nearest name.
func FindShip(ships []*Ship, name string) (*Ship, string, bool) {
	for _, s := range ships {
		if strings.EqualFold(s.Name, name) || strings.EqualFold(string(s.ID), name) {
			return s, "", true
		}
	}
	for _, s := range ships {
		if strings.EqualFold(s.Short, name) {
			return s, "", true
		}
	}
	names := make([]string, len(ships))
	for i, s := range ships {
		names[i] = s.Name
	}
	return nil, orders.Suggest(name, names), false
}

// Clone copies a game deeply.
func (g *Game) Clone() *Game {
	c := *g
	c.Options = maps.Clone(g.Options)
	if g.Bounds != nil {
		b := *g.Bounds
		c.Bounds = &b
	}
	if g.Result != nil {
		r := *g.Result
		c.Result = &r
	}
	c.Sides, c.Heard = slices.Clone(g.Sides), slices.Clone(g.Heard)
	c.Terrain = slices.Clone(g.Terrain)
	for i := range c.Terrain {
		c.Terrain[i] = c.Terrain[i].Clone()
	}
	c.Victory = g.Victory.clone()
	c.Blind, c.Labs = g.Blind.Clone(), g.Labs.clone()
	c.Ships = make([]*Ship, len(g.Ships))
	for i, s := range g.Ships {
		n := *s
		n.Exit, n.Crew, n.Relieved, n.Silent = slices.Clone(s.Exit), maps.Clone(s.Crew), slices.Clone(s.Relieved), maps.Clone(s.Silent)
		n.System = s.System.Clone()
		c.Ships[i] = &n
	}
	return &c
}

// EncodeGame writes a game as indented JSON; equal games give equal bytes.
func EncodeGame(g *Game) ([]byte, error) {
	data, err := json.MarshalIndent(g, "", " ")
	if err != nil {
		return nil, fmt.Errorf("encode game %s: %w", g.ID, err)
	}
	if g.Format == perTurn && g.Bounds != nil {
		data = bytes.Replace(data, []byte("\n \"bounds\": {\n  \"columns\": "), []byte("\n \"bounds\": {\n  \"Cols\": "), 1)
		data = bytes.Replace(data, []byte(",\n  \"rows\": "), []byte(",\n  \"Rows\": "), 1)
	}
	return append(data, '\n'), nil
}

// FieldError is a field of a state file that this program does not know, and would
// lose: another version of it wrote the file. Was and Is are the versions of the rule
// set, the file's and the program's.
type FieldError struct {
	Field          string
	Ship           ShipID // whose it is; "" for none
	Rules, Was, Is string
}

// Error names the field and who wrote it.
func (e *FieldError) Error() string {
	of := ""
	if e.Ship != "" {
		of = " of ship " + string(e.Ship)
	}
	return fmt.Sprintf("its field %q%s is unknown here: a program with version %s of rule set %s wrote it, this one has version %s", e.Field, of, e.Was, e.Rules, e.Is)
}

// ReadJSON reads one JSON value. A field that v has no place for is a *FieldError.
func ReadJSON(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return asFieldError(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after the value")
	}
	return nil
}

// asFieldError makes a *FieldError of what a JSON decoder that allows no unknown fields
// says of one; any other error stays as it is.
func asFieldError(err error) error {
	if _, quoted, ok := strings.Cut(err.Error(), "json: unknown field "); ok {
		if name, bad := strconv.Unquote(quoted); bad == nil {
			return &FieldError{Field: name}
		}
	}
	return err
}

// unindented is JSON without the spaces at the beginning of its lines: encoding/json goes
// through each byte several times, and more than half of a game are such spaces.
func unindented(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for line := range bytes.Lines(data) {
		out = append(out, bytes.TrimLeft(line, " ")...)
	}
	return out
}

// DecodeGame reads what EncodeGame wrote, with the rule set that the game names. A
// *FieldError is among the errors.
func DecodeGame(data []byte, r *Rules) (*Game, error) {
	var raw struct {
		Game
		Ships []struct {
			Ship
			System json.RawMessage `json:"system"`
		} `json:"ships"`
	}
	foreign := func(err error, ship ShipID) error {
		if field, ok := errors.AsType[*FieldError](err); ok {
			var head struct{ Version string }
			if err := json.Unmarshal(data, &head); err != nil {
				return fmt.Errorf("decode game: %w", err)
			}
			return fmt.Errorf("decode game: %w", &FieldError{Field: field.Field, Ship: ship, Rules: r.Name, Was: head.Version, Is: r.Version})
		}
		return nil
	}
	if err := ReadJSON(unindented(data), &raw); err != nil {
		return nil, cmp.Or(foreign(err, ""), fmt.Errorf("decode game: %w", err))
	}
	g := raw.Game
	switch {
	case g.Format < perTurn || g.Format > Format:
		return nil, fmt.Errorf("decode game: format %d, this program reads %d to %d", g.Format, perTurn, Format)
	case g.Rules != r.Name:
		return nil, fmt.Errorf("decode game: rule set %q, expected %q", g.Rules, r.Name)
	}
	g.Ships = make([]*Ship, 0, len(raw.Ships))
	for _, rs := range raw.Ships {
		s := rs.Ship
		sys, err := r.DecodeSystem(rs.System)
		if err != nil {
			return nil, cmp.Or(foreign(err, s.ID), fmt.Errorf("decode ship %s: %w", s.ID, err))
		}
		s.System = sys
		g.Ships = append(g.Ships, &s)
	}
	if !slices.IsSortedFunc(g.Ships, func(a, b *Ship) int { return cmp.Compare(a.ID, b.ID) }) {
		return nil, fmt.Errorf("decode game: ships are not in order of id")
	}
	return &g, nil
}
