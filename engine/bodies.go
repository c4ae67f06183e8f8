package engine

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/dice"
)

// Telling is a [Body] that describes itself in a sentence, with the names that a view uses.
type Telling interface{ Sentence(v *View) string }

// Tell describes an entry whose body is [Telling], as most of the core's own are. Rolls and moves are not: the rule
// set describes them together with what they were for. For other bodies Tell reports false.
func (v *View) Tell(e Entry) (Line, bool) {
	b, ok := e.Body.(Telling)
	if !ok {
		return Line{}, false
	}
	return Line{Text: b.Sentence(v), Cite: Cite(e.Rule)}, true
}

// Cite joins citations for the end of a line.
func Cite(rules []string) string { return strings.Join(rules, ", ") }

// The event bodies that every rule set shares.

// Move is one movement word of one ship.
type Move struct {
	Ship     ShipID `json:"ship" see:"all"`
	Word     string `json:"word" see:"all"`
	Cost     int    `json:"cost" see:"all"`
	From     Place  `json:"from" see:"all"`
	To       Place  `json:"to" see:"all"`
	Reactive string `json:"reactive,omitempty" see:"conn"` // the order it came from, if that was not a plain word
}

// Apply implements Body.
func (b *Move) Apply(g *Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return UnknownShip(b.Ship)
	}
	if s.Hex != b.From.Hex || s.Heading != b.From.Heading {
		return fmt.Errorf("%s is at %s %s, not at %s %s", b.Ship, s.Hex.Label(), s.Heading, b.From.Hex.Label(), b.From.Heading)
	}
	if s.Hex != b.To.Hex {
		g.Blind.Move(s.ID)
	}
	s.Hex, s.Heading = b.To.Hex, b.To.Heading
	return nil
}

// Skip is an order that could not be carried out (ruling D13). Post is the post that gave it, "" for the captain.
type Skip struct {
	Ship   ShipID `json:"ship" see:"crew"`
	Post   string `json:"post,omitempty" see:"crew"`
	Line   int    `json:"line,omitempty" see:"crew"`
	Order  string `json:"order" see:"crew"`
	Reason string `json:"reason" see:"crew"`
}

// Sentence implements [Telling].
func (b *Skip) Sentence(v *View) string {
	return fmt.Sprintf("%s could not carry out %q: %s", v.Name(b.Ship), strings.ReplaceAll(b.Order, "\n", " "), b.Reason)
}

// Out is a ship leaving the fight.
type Out struct {
	Ship ShipID   `json:"ship" see:"all"`
	Why  Status   `json:"why" see:"all"`
	How  string   `json:"how,omitempty" see:"all"`  // a few words, if the status alone does not say it
	Edge []string `json:"edge,omitempty" see:"all"` // map edges crossed
}

// Sentence implements [Telling].
func (b *Out) Sentence(v *View) string {
	text := fmt.Sprintf("%s is %s", v.Name(b.Ship), b.Why)
	switch b.Why {
	case Left:
		text = v.Name(b.Ship) + " has left the battle"
	case Surrendered:
		text = v.Name(b.Ship) + " surrenders"
	case Active, Waiting, Crippled, Destroyed:
	}
	if b.How != "" {
		text += ": " + b.How
	}
	return text
}

// Apply implements Body.
func (b *Out) Apply(g *Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return UnknownShip(b.Ship)
	}
	s.Status, s.OutTurn, s.Exit = b.Why, g.Turn, b.Edge
	return nil
}

// Arrive is a reinforcement entering the map.
type Arrive struct {
	Ship ShipID `json:"ship" see:"all"`
	To   Place  `json:"to" see:"all"`
}

// Sentence implements [Telling].
func (b *Arrive) Sentence(v *View) string {
	return fmt.Sprintf("%s arrives at %s, heading %s", v.Name(b.Ship), b.To.Hex.Label(), b.To.Heading)
}

// Apply implements Body.
func (b *Arrive) Apply(g *Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return UnknownShip(b.Ship)
	}
	s.Status, s.Hex, s.Heading = Active, b.To.Hex, b.To.Heading
	return nil
}

// Won ends the game: a side, or a draw.
type Won struct {
	Side string `json:"side,omitempty" see:"all"`
	Draw bool   `json:"draw,omitempty" see:"all"`
	Why  string `json:"why" see:"all"`
}

// Sentence implements [Telling].
func (*Won) Sentence(v *View) string {
	return v.Result.Describe(v.SideName)
}

// Apply implements Body.
func (b *Won) Apply(g *Game) error {
	g.Result = &Result{Side: b.Side, Draw: b.Draw, Why: b.Why, Turn: g.Turn}
	return nil
}

// Luck records a captain's words that went into the dice of the turn and of all later ones (ruling D3).
type Luck struct {
	Ship  ShipID `json:"ship" see:"all"`
	Post  string `json:"post,omitempty" see:"all"` // "" for the ship's captain
	Words string `json:"words" see:"all"`
	Hash  string `json:"hash" see:"all"`
}

// Sentence implements [Telling].
func (b *Luck) Sentence(v *View) string {
	return fmt.Sprintf("%s sent words for luck: %q was mixed into the dice", v.seatName(b.Ship, b.Post), b.Words)
}

// Apply implements Body.
func (b *Luck) Apply(g *Game) error {
	if g.Format > perTurn {
		g.Luck = dice.Words(g.Luck, g.Turn, Seat{b.Ship, b.Post}.String(), b.Words)
	}
	return nil
}

// Sentence implements [Telling].
func (b *Talk) Sentence(v *View) string {
	return fmt.Sprintf("%s %s: %s", v.seatName(b.Ship, b.Post), b.How(v, b.To), strings.Join(b.Lines(), " / "))
}

// The words of [See.Also] that open more of a message to others: its sender and its text.
const (
	talkSender = "sender"
	talkWords  = "words"
)

// Reads reports whether a captain of these ships can read the words of a message.
func Reads(see See, ships []ShipID) bool {
	return see.Fully(ships) || see.IsAmong(ships) && slices.Contains(see.Also, talkWords)
}

// How describes whom a message was for and, if it was passed on, when it was said and which ship passed it on.
func (b *Talk) How(v *View, to string) string {
	if b.Said == nil {
		return "to " + to
	}
	return fmt.Sprintf("to %s in turn %d, by %s", to, b.Said.Turn, v.Name(b.By))
}

// Lines returns the words of a message as far as the reader can read them.
func (b *Talk) Lines() []string {
	if b.Coded && b.Text == nil {
		return []string{"(in a code that you cannot read)"}
	}
	return b.Text
}

// Policies for missing orders that the engine itself carries out.
const (
	PolicyStanding = "standing"
	PolicyForfeit  = "forfeit"
)

// Absent records what was done for a ship or post that sent no orders (ruling D12).
type Absent struct {
	Ship   ShipID `json:"ship" see:"crew"`
	Post   string `json:"post,omitempty" see:"crew"` // "" for the ship's captain
	Policy string `json:"policy" see:"crew"`
}

// Sentence implements [Telling].
func (b *Absent) Sentence(v *View) string {
	who := v.seatName(b.Ship, b.Post)
	if b.Policy == PolicyStanding {
		return "No orders came for " + who + ": standing orders applied"
	}
	return fmt.Sprintf("No orders came for %s: %s", who, b.Policy)
}

// Apply implements Body.
func (b *Absent) Apply(g *Game) error {
	if b.Post == "" {
		return nil
	}
	s, ok := g.Ship(b.Ship)
	if !ok {
		return UnknownShip(b.Ship)
	}
	turn, was := g.Turn, s.Silent[b.Post] // [Apply] has set the turn that is played
	switch was.Last {
	case turn: // a round of it was counted
		return nil
	case turn - 1:
	default:
		was.Turns = 0
	}
	if s.Silent == nil {
		s.Silent = map[string]Silence{}
	}
	s.Silent[b.Post] = Silence{Last: turn, Turns: was.Turns + 1}
	return nil
}

// RulesChanged says that the game uses another version of its rule set from this turn on, as its referee allowed.
type RulesChanged struct {
	Rules   string `json:"rules" see:"all"`
	From    string `json:"from" see:"all"`
	Version string `json:"version" see:"all"`
}

// Sentence implements [Telling].
func (b *RulesChanged) Sentence(v *View) string {
	return fmt.Sprintf("from this turn on the game uses version %s of rule set %s; it used version %s before", b.Version, b.Rules, b.From)
}

// Apply implements Body.
func (b *RulesChanged) Apply(g *Game) error {
	if g.Rules != b.Rules || g.Version != b.From {
		return fmt.Errorf("the game has version %s of rule set %s, not version %s of %s", g.Version, g.Rules, b.From, b.Rules)
	}
	g.Version = b.Version
	return nil
}

// Quiet says that nothing happened in a turn because all ships left are still to arrive. Without it no event would
// show that the turn was played.
type Quiet struct{}

// Sentence implements [Telling].
func (*Quiet) Sentence(*View) string {
	return "nothing happens: no ship is in the fight yet"
}

// Relieved says that a captain relieved the officer of a post from the next turn on, or reinstated them. While an
// officer is relieved the captain gives the orders of the post; the officer stays aboard and keeps getting reports.
// Rule sets emit it for captains' orders.
type Relieved struct {
	Ship ShipID `json:"ship" see:"crew"`
	Post string `json:"post" see:"crew"`
	Back bool   `json:"back,omitempty" see:"crew"` // the officer is reinstated
}

// Sentence implements [Telling].
func (b *Relieved) Sentence(v *View) string {
	who := v.seatName(b.Ship, b.Post)
	if b.Back {
		return who + " is reinstated and gives the orders of the post from the next turn on"
	}
	return who + " is relieved: the captain gives the orders of the post from the next turn on"
}

// Apply implements Body.
func (b *Relieved) Apply(g *Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return UnknownShip(b.Ship)
	}
	s.Relieved = slices.DeleteFunc(s.Relieved, func(post string) bool { return post == b.Post })
	if !b.Back {
		s.Relieved = append(s.Relieved, b.Post)
		slices.Sort(s.Relieved)
	}
	if len(s.Relieved) == 0 {
		s.Relieved = nil
	}
	return nil
}

// Charted is a feature that appeared, changed, or is gone: all of it as it is from now on.
type Charted struct {
	Feature Feature `json:"feature" see:"all"`
}

// Apply implements Body.
func (b *Charted) Apply(g *Game) error {
	if b.Feature.ID == "" || len(b.Feature.Hexes) == 0 {
		return fmt.Errorf("a feature without id or hexes")
	}
	i, known := slices.BinarySearchFunc(g.Terrain, b.Feature.ID, func(f Feature, id string) int { return strings.Compare(f.ID, id) })
	if known {
		g.Terrain[i] = b.Feature.Clone()
	} else {
		g.Terrain = slices.Insert(g.Terrain, i, b.Feature.Clone())
	}
	return nil
}

// Score adds points to a side. It is Quiet when not everyone may know of it; Known then lists the ships of the
// captains who do.
type Score struct {
	Side   string   `json:"side" see:"all"`
	Points int      `json:"points" see:"all"`
	Why    string   `json:"why" see:"all"`
	Quiet  bool     `json:"quiet,omitempty"`
	Known  []ShipID `json:"known,omitempty"`
}

// Sentence implements [Telling].
func (b *Score) Sentence(v *View) string {
	return fmt.Sprintf("%s: %d points (%s)", v.SideName(b.Side), b.Points, b.Why)
}

// Apply implements Body.
func (b *Score) Apply(g *Game) error {
	s, ok := g.Side(b.Side)
	if !ok {
		return fmt.Errorf("no side %q", b.Side)
	}
	if !b.Quiet {
		s.Points += b.Points
		return nil
	}
	s.Quiet += b.Points
	for _, id := range b.Known {
		i := slices.IndexFunc(g.Heard, func(h heardPoints) bool { return h.Side == b.Side && h.Ship == id })
		if i < 0 {
			i = len(g.Heard)
			g.Heard = append(g.Heard, heardPoints{Side: b.Side, Ship: id})
		}
		g.Heard[i].Points += b.Points
	}
	return nil
}

// Retold retells an event recorded before it to a captain who does not know all ships in it. In that captain's view
// only the body As appears.
type Retold struct {
	What string `json:"what"` // the type of As
	As   Body   `json:"as"`   // nil only in a file that leaves it out: then nothing is shown

	of    *EventType // of As
	rules *Rules     // to look up the type of As when it is read
}

// Retell returns an event of a type retold with this body.
func Retell(of *EventType, as Body) *Retold { return &Retold{What: of.Name, As: as, of: of} }

// replaced reports whether an event is left out of the view of a captain who sees everything because another event
// says as much. Told is whether the event was meant for that captain.
func replaced(e *Event, told bool) bool { return e.Type.Has(InPlace) || e.Type.Has(Listed) && !told }
