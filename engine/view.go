package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/blind"
	"starpost/engine/hex"
)

// Viewer is who looks: a captain by his ships, or with All the referee.
// Focus is the ship in the middle of the map, and Post the post on it whose orders are
// given, "" for the captain's. Seats are all that he holds, if there are posts among
// them; else he is captain of all his ships.
type Viewer struct {
	Captain CaptainName `json:"captain,omitempty"`
	Ships   []ShipID    `json:"ships,omitempty"`
	Seats   []Seat      `json:"seats,omitempty"`
	Focus   ShipID      `json:"focus,omitempty"`
	Post    string      `json:"post,omitempty"`
	All     bool        `json:"all,omitempty"`
}

// Holds tells whether the viewer knows all of a ship's system: of his own, of what they launched, and of every ship when
// the game is over.
func (w Viewer) Holds(ship, parent ShipID, over bool) bool {
	return over || w.All || slices.Contains(w.Ships, ship) || slices.Contains(w.Ships, parent)
}

// View is a game and a turn's events cut to what one viewer may know, by
// default nothing. It is the JSON report; all else is drawn from it.
type View struct {
	Format  int               `json:"format"`
	Game    string            `json:"game"`
	Title   string            `json:"title"`
	Rules   string            `json:"rules"`
	Version string            `json:"version"`
	Turn    int               `json:"turn"`
	Round   int               `json:"round,omitempty"`  // rounds of Turn that are played; 0: all of it
	Rounds  int               `json:"rounds,omitempty"` // that each turn is played in; absent: at once
	Due     int               `json:"due,omitempty"`    // the turn that orders are wanted for; 0 when the game is over
	Options map[string]string `json:"options,omitempty"`
	Viewer  Viewer            `json:"viewer"`
	Bounds  *hex.Bounds       `json:"bounds,omitempty"`
	Sides   []Side            `json:"sides"`
	Goals   []string          `json:"goals,omitempty"`
	Terrain []*Feature        `json:"terrain,omitempty"`
	Ships   []*ShipView       `json:"ships"`
	Events  []Entry           `json:"events"`
	Result  *Result           `json:"result,omitempty"`
	Files   []FileView        `json:"files,omitempty"`   // that the viewer knows of
	Sheets  []Panel           `json:"sheets,omitempty"`  // that the viewer's laboratories have drawn
	Code    *blind.Code       `json:"code,omitempty"`    // of the viewer's side, where there are laboratories to break it
	Unnamed bool              `json:"unnamed,omitempty"` // in the dark: ships of the own side do not tell each other who they are
	// Uncharted tells that Terrain is what the viewer's ships have found, and not all that is there.
	Uncharted bool     `json:"uncharted,omitempty"`
	Dark      bool     `json:"dark,omitempty"` // not all that is there is in the view
	Free      []string `json:"free,omitempty"` // own ships in the fight that owe no orders for the turn Due
	Mute      bool     `json:"mute,omitempty"` // in the dark no captain hears another
	Aims      []Goal   `json:"aims,omitempty"` // the goals of the sides, as far as the viewer knows them

	rules *Rules // whose words its sentences use
}

// ShipView is one ship as the viewer knows it. System is whole for an own
// ship, and what is known of another. One that is not seen now stands where it
// was last known.
type ShipView struct {
	ID      ShipID      `json:"id"`
	Name    string      `json:"name"`
	Title   string      `json:"title"`
	Short   string      `json:"short"`
	Side    string      `json:"side"`
	Captain CaptainName `json:"captain,omitempty"`
	// Crew are those who hold posts on an own ship beside her captain, by post.
	Crew     map[string]CaptainName `json:"crew,omitempty"`
	Relieved []string               `json:"relieved,omitempty"` // of an own ship: posts whose orders her captain gives in their place
	Class    string                 `json:"class"`
	Kind     Kind                   `json:"kind,omitempty"`   // absent: a ship
	Parent   ShipID                 `json:"parent,omitempty"` // the ship that a small craft came from, for who commands that
	Own      bool                   `json:"own"`
	Status   Status                 `json:"status"`
	Sight    Sight                  `json:"sight,omitempty"` // absent: seen
	Since    *Moment                `json:"since,omitempty"` // when a ship was last seen that is not now
	Arrives  int                    `json:"arrives,omitempty"`
	Hex      *hex.Hex               `json:"hex,omitempty"`
	Heading  *hex.Heading           `json:"heading,omitempty"`
	Files    []string               `json:"files,omitempty"`    // of an own ship: those aboard
	Gathered []LabView              `json:"gathered,omitempty"` // ... and what its laboratories have
	Reach    *Reach                 `json:"reach,omitempty"`    // of an own ship's sensors, in a game in the dark
	Relays   bool                   `json:"relays,omitempty"`   // ... she passes coded talk on
	Sensed   *SensorView            `json:"sensed,omitempty"`   // of a game in the dark, where it is another captain's
	Range    int                    `json:"range,omitempty"`    // hexes from the focus
	Bearing  string                 `json:"bearing,omitempty"`  // from the focus, clockwise from its bow
	Trail    []Step                 `json:"trail,omitempty"`    // this turn's way, its start first
	System   any                    `json:"system,omitempty"`
}

// Entry is an event as the viewer sees it, numbered for this viewer, so that
// gaps tell nothing.
type Entry struct {
	N     int
	Phase int
	Step  string
	Rule  []string
	Type  *EventType
	Body  Body
}

// viewed is a [Body] whose fields have other names in a view, where n is the number of an entry.
type viewed interface{ Viewed() Body }

// MarshalJSON writes the entry like an event, without who may see it.
func (e Entry) MarshalJSON() ([]byte, error) {
	body := e.Body
	if other, ok := body.(viewed); ok {
		body = other.Viewed()
	}
	b := strconv.AppendInt(append(make([]byte, 0, 256), `{"n":`...), int64(e.N), 10)
	return appendBody(appendHead(b, e.Phase, e.Step, e.Type.Name, e.Rule), body)
}

// word has the view's sentences use the words of a rule set.
func (v *View) word(r *Rules) { v.rules = r }

// RuleSet is whose words the view's sentences use; empty for none.
func (v *View) RuleSet() *Rules {
	if v.rules == nil {
		return new(Rules)
	}
	return v.rules
}

// DueRound is the round of the turn Due that orders are wanted for, from 1; 0 in a
// game whose turns are played at once.
func (v *View) DueRound() int {
	if v.Due == 0 || v.Round == 0 && v.Rounds == 0 {
		return 0
	}
	return v.Round + 1
}

func (v *View) measure() {
	f, ok := v.Ship(v.Viewer.Focus)
	if !ok || f.Hex == nil {
		return
	}
	for _, s := range v.Ships {
		if s == f || s.Hex == nil {
			continue
		}
		s.Range = hex.Distance(*f.Hex, *s.Hex)
		if b, ok := hex.Bearing(*f.Hex, *s.Hex); ok {
			s.Bearing = b.Relative(*f.Heading).String()
		}
	}
}

// Ship finds a ship of the view by id.
func (v *View) Ship(id ShipID) (*ShipView, bool) {
	for _, s := range v.Ships {
		if s.ID == id {
			return s, true
		}
	}
	return nil, false
}

// Nearest is the nearest enemy ship in sight and in the fight that is not known to be a decoy, the first by id of equals;
// nil for none.
func (v *View) Nearest(s *ShipView) (best *ShipView) {
	if s.Hex == nil {
		return nil
	}
	for _, o := range v.Ships {
		if o.Side == s.Side || o.Kind != KindShip || o.Status != Active || o.Hex == nil || o.Sight != Seen {
			continue
		}
		if best == nil || hex.Distance(*s.Hex, *o.Hex) < hex.Distance(*s.Hex, *best.Hex) {
			best = o
		}
	}
	return best
}

// From is the view with the orders of another seat of the viewer in mind.
func (v *View) From(seat Seat) *View {
	if v.Viewer.Post == seat.Post {
		return v
	}
	other := *v
	other.Viewer.Post = seat.Post
	return &other
}

// Settled is how things stand for the holder of another seat of the viewer, its ship in the focus, without what happened
// in the turn.
func (v *View) Settled(seat Seat) (*View, error) {
	if _, ok := v.Ship(seat.Ship); !ok {
		return nil, fmt.Errorf("view of %s: no ship %q", v.Game, seat.Ship)
	}
	other := *v
	other.Viewer.Focus, other.Viewer.Post, other.Events = seat.Ship, seat.Post, nil
	other.Ships = make([]*ShipView, len(v.Ships))
	ships := make([]ShipView, len(v.Ships))
	for i, s := range v.Ships {
		ships[i] = *s
		ships[i].Trail, ships[i].Range, ships[i].Bearing = nil, 0, ""
		other.Ships[i] = &ships[i]
	}
	other.measure()
	return &other, nil
}

// GoalsPanel tells how the battle is won and how the points stand.
func (v *View) GoalsPanel() Panel {
	p := Panel{Key: "goals", Title: "How the battle is won", Notes: slices.Clone(v.Goals)}
	var points strings.Builder
	points.WriteString("points:")
	for i, s := range v.Sides {
		if i > 0 {
			points.WriteString(",")
		}
		fmt.Fprintf(&points, " %s %d", s.Name, s.Points)
	}
	p.Notes = append(p.Notes, points.String())
	return p
}

// WayOut is the map edge by which a goal of its side wants a ship to leave, if
// any does; a decoy goes where others of its side do.
func (v *View) WayOut(ship ShipID) (edge string, ok bool) {
	s, ok := v.Ship(ship)
	if !ok {
		return "", false
	}
	for _, g := range v.Aims {
		out := g.When == GoalExit || g.When == GoalFile && slices.Contains(s.Files, g.File)
		if out && g.Side == s.Side && (len(g.Ships) == 0 || slices.Contains(g.Ships, s.ID) || s.Kind == KindDecoy) {
			return g.Edge, true
		}
	}
	return "", false
}

// GoalsOf are the goals of a side, as far as the viewer knows them.
func (v *View) GoalsOf(side string) []Goal {
	var out []Goal
	for _, g := range v.Aims {
		if g.Side == side {
			g.Ships = slices.Clone(g.Ships)
			out = append(out, g)
		}
	}
	return out
}

// Needs tells whether a goal of a ship's own side is about her: to leave by an edge, to bring a file there, or to stay
// in the fight.
func (v *View) Needs(s *ShipView) bool {
	return slices.ContainsFunc(v.Aims, func(g Goal) bool {
		return g.OfOwn() && g.Side == s.Side && (len(g.Ships) == 0 || slices.Contains(g.Ships, s.ID))
	})
}

// Name is the name of a ship, or "something unseen" for one the view does not hold.
func (v *View) Name(id ShipID) string {
	if s, ok := v.Ship(id); ok {
		return s.Name
	}
	if v.Dark && id != "" { // he was told of it by that id: a contact, or a small craft that was found and lost in one turn
		return string(id)
	}
	return "something unseen"
}

// seatName is Name for a post on a ship, "" for her captain: "the engineer of Hood".
func (v *View) seatName(ship ShipID, post string) string {
	if post == "" {
		return v.Name(ship)
	}
	return "the " + post + " of " + v.Name(ship)
}

// OfOwnSide tells of a ship that is on the side of the viewer's own.
func (v *View) OfOwnSide(id ShipID) bool {
	s, ok := v.Ship(id)
	return ok && slices.ContainsFunc(v.Ships, func(own *ShipView) bool { return own.Own && own.Side == s.Side })
}

// SideName is the name of a side.
func (v *View) SideName(id string) string {
	for _, s := range v.Sides {
		if s.ID == id {
			return s.Name
		}
	}
	return id
}

// Stands is where a ship is whose hex is known; the heading is A where it is not known.
func (s *ShipView) Stands() Place {
	at := Place{Hex: *s.Hex}
	if s.Heading != nil {
		at.Heading = *s.Heading
	}
	return at
}

// Ship is a ship of a game made of what a view has of one whose hex is known, with a system that she is said to have.
func (s *ShipView) Ship(system System) Ship {
	at := s.Stands()
	return Ship{
		ID: s.ID, Name: s.Name, Title: s.Title, Short: s.Short, Side: s.Side, Captain: s.Captain, Crew: s.Crew, Relieved: s.Relieved, Class: s.Class, Kind: s.Kind, Parent: s.Parent,
		Hex: at.Hex, Heading: at.Heading, Status: s.Status, Arrives: s.Arrives, System: system,
	}
}

// At is where a ship was after the moves of a phase.
func (s *ShipView) At(phase int) (Place, bool) {
	for _, v := range slices.Backward(s.Trail) {
		if v.Phase <= phase {
			return v.At, true
		}
	}
	if s.Hex == nil {
		return Place{}, false
	}
	return s.Stands(), true
}

// Sight is how well a viewer makes out a ship that is not his own.
type Sight string

// The levels of sight. What is unseen is absent from a view altogether. What is
// lost was seen and is not now: it stands where it was last known. A contact is
// something at a place, known by no more than what the rule set calls it.
const (
	Unseen  Sight = "unseen"
	Seen    Sight = ""
	Lost    Sight = "lost"
	Contact Sight = "contact"
)

// Observation is what a viewer makes out of a ship. Each field grants something; of
// a ship that is seen, who and where it is goes without saying.
type Observation struct {
	Sight Sight
	At    *Place // of a lost ship or a contact: where it was last known; nil for nowhere
	Since Moment // ... and when
	As    *Alias // what it goes by where not all of who it is is known; a contact must have one
	Known any    // what is known of its systems
}

// Alias is what stands for who a ship is.
type Alias struct {
	ID, Name, Title, Short, Side, Class ShipID
	Kind                                Kind
}
