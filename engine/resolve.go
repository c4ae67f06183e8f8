package engine

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/dice"
	"starpost/orders"
)

// ErrInvariant marks a broken promise of the engine itself: the turn must not
// be committed and the referee is notified.
var ErrInvariant = errors.New("the engine broke one of its own rules")

// Sheet is the orders of one seat for a turn. Without a Block, Policy says what the
// game does about it: "standing" or "forfeit" (ruling D12); it is blank for a ship that
// owes no orders.
type Sheet struct {
	Ship   ShipID
	Post   string // "" for the ship's captain
	Block  *orders.Block
	Policy string
	Later  []Reply // of the second round and those after it, in a turn played in rounds
}

// Seat is where the orders come from.
func (s Sheet) Seat() Seat { return Seat{s.Ship, s.Post} }

// Policies for missing orders that the engine itself carries out.
const (
	PolicyStanding = "standing"
	PolicyForfeit  = "forfeit"
)

// Turn is a turn being resolved: a working copy of the game and what came of it.
type Turn struct {
	Rules  *Rules
	Game   *Game
	Sheets map[Seat]Sheet
	Phase  Phase
	Memo   any // a rule set's own working notes, from phase to phase

	dice      dice.Source
	no        int
	round     int           // that is played
	extension TurnExtension // nil in a game in the open
	events    []Event
	referee   TurnReferee // nil where nothing was ruled

	causes    *Causes        // of the events so far; nil where causes are not recorded, and so is all below
	because   []Ref          // what the next event follows from
	following Ref            // ... if nothing is said of it
	rolled    []Ref          // dice that no event has used yet
	silent    map[ShipID]Ref // by ship: that no orders came from her captain
	given     []Sheet        // as they came, before a rule set puts those of a ship's posts together
}

// Resolve plays the turn that is due with the dice of the game's secret. It
// returns the game after the turn and the events; before is not changed. A game
// that another version of the rule set brought so far is this version's from now
// on, as an event tells.
func Resolve(r *Rules, before *Game, sheets []Sheet, secret dice.Secret) (*Game, []Event, error) {
	return ResolveWith(r, before, sheets, forTurn(r, before, sheets, secret))
}

// forTurn are the dice of the turn that is due. Words for luck that come in its first
// round count.
func forTurn(r *Rules, before *Game, sheets []Sheet, secret dice.Secret) dice.Source {
	luck := map[string]string{}
	for _, s := range sheets {
		// Only words that the events of the turn show: anyone must be able to
		// work the dice out again.
		ship, ok := before.Ship(s.Ship)
		if w := LuckWords(s.Block); w != "" && ok && r.Commands(ship) {
			luck[s.Seat().String()] = w
		}
	}
	return DiceOf(before, secret, luck)
}

// DiceOf are the dice of the turn after a game, where luck has the words that were
// sent for it, by seat (see [Seat.String]).
func DiceOf(before *Game, secret dice.Secret, luck map[string]string) dice.Source {
	turn := before.Turn + 1
	if before.Format == perTurn {
		return dice.ForTurn(secret, before.ID, turn, luck)
	}
	words := before.Luck
	for _, seat := range slices.SortedFunc(maps.Keys(luck), inOrder) {
		words = dice.Words(words, turn, seat, luck[seat])
	}
	return dice.ForGame(secret, before.ID, turn, words)
}

// inOrder compares seats as events come: by ship, and on each the captain's first.
func inOrder(a, b string) int {
	one, post, _ := strings.Cut(a, "/")
	two, other, _ := strings.Cut(b, "/")
	return cmp.Or(strings.Compare(one, two), strings.Compare(post, other))
}

// ResolveWith is Resolve with dice from elsewhere, such as a script.
func ResolveWith(r *Rules, before *Game, sheets []Sheet, source dice.Source) (*Game, []Event, error) {
	return resolve(r, before, sheets, r.Rounds(), source)
}

func resolve(r *Rules, before *Game, sheets []Sheet, upto int, source dice.Source) (after *Game, events []Event, err error) {
	switch {
	case before.Result != nil:
		return nil, nil, fmt.Errorf("resolve turn %d of %s: the game is over", before.Turn+1, before.ID)
	case before.Round != 0:
		return nil, nil, fmt.Errorf("resolve turn %d of %s: %w: a turn is played from the end of the one before", before.Turn, before.ID, ErrInvariant)
	case upto < 1:
		return nil, nil, fmt.Errorf("resolve turn %d of %s: there is no round %d", before.Turn+1, before.ID, upto)
	}
	upto = min(upto, r.Rounds())
	t := &Turn{
		Rules: r, Game: before.Clone(), Sheets: map[Seat]Sheet{}, dice: source, no: before.Turn + 1, round: 1,
		events: make([]Event, 0, 32*len(before.Ships)), causes: r.causes, given: sheets,
	}
	if t.causes != nil {
		*t.causes = nil
	}
	if t.extension = r.extend(t); t.extension != nil {
		t.events = slices.Grow(t.events, 3*len(before.Captains())*len(before.Ships)) // contacts of a turn, at most
	}
	t.referee = r.referee(t)
	due := r.Owed(before)
	for _, s := range sheets {
		if _, ok := before.Ship(s.Ship); !ok {
			return nil, nil, fmt.Errorf("resolve turn %d of %s: orders for an unknown ship %q", t.no, before.ID, s.Ship)
		}
		if _, ok := t.Sheets[s.Seat()]; ok {
			return nil, nil, fmt.Errorf("resolve turn %d of %s: two order sets for %s", t.no, before.ID, s.Seat())
		}
		if s.Block == nil && s.Policy != PolicyStanding && s.Policy != PolicyForfeit && slices.Contains(due, s.Seat()) {
			return nil, nil, fmt.Errorf("resolve turn %d of %s: no orders for %s and no policy %q", t.no, before.ID, s.Seat(), s.Policy)
		}
		if err := s.checkReplies(upto); err != nil {
			return nil, nil, fmt.Errorf("resolve turn %d of %s: %w", t.no, before.ID, err)
		}
		t.Sheets[s.Seat()] = s
	}
	for _, seat := range due {
		if _, ok := t.Sheets[seat]; !ok {
			return nil, nil, fmt.Errorf("resolve turn %d of %s: no orders and no policy for %s", t.no, before.ID, seat)
		}
	}
	defer func() {
		if p := recover(); p != nil {
			after, events, err = nil, nil, t.failed(p)
		}
	}()
	t.preamble()
	for i, p := range r.Phases {
		if p.Round > upto {
			t.Game.Turn, t.Game.Round = t.no, upto
			break
		}
		t.Phase = p
		t.Unclaimed()
		if p.Round > t.round {
			t.begin(p.Round)
		}
		p.Run(t)
		if t.extension != nil {
			t.extension.EndPhase()
		}
		if t.Game.Result != nil { // nothing comes after the end
			if t.referee != nil {
				t.referee.Over()
			}
			break
		}
		if t.extension != nil && (i+1 == len(r.Phases) || r.Phases[i+1].Round > p.Round) {
			t.extension.EndRound()
		}
	}
	if upto == r.Rounds() && len(t.events) == 0 {
		t.Emit(&Quiet{}, SeeAll(), "scenario")
	}
	return t.Game, t.events, nil
}

// OnSetup plays a phase on the set-up of a game, without dice. Like [Resolve] it does not change before.
func OnSetup(r *Rules, before *Game, p Phase) (after *Game, events []Event, err error) {
	t := &Turn{Rules: r, Game: before.Clone(), Sheets: map[Seat]Sheet{}, Phase: p}
	t.extension, t.referee = r.extend(t), r.referee(t)
	defer func() {
		if p := recover(); p != nil {
			after, events, err = nil, nil, t.failed(p)
		}
	}()
	p.Run(t)
	return t.Game, t.events, nil
}

// stoppedError carries out of a phase what a turn ends with.
type stoppedError struct{ error }

// Stop ends the turn with an error, out of any phase.
func (t *Turn) Stop(err error) { panic(stoppedError{err}) }

// failed makes an error of what a phase ended with; what is none of the engine's
// goes on.
func (t *Turn) failed(p any) error {
	stopped, ok := p.(stoppedError)
	switch {
	case !ok:
		panic(p)
	case errors.Is(stopped.error, ErrInvariant):
		return fmt.Errorf("resolve turn %d of %s: %w", t.no, t.Game.ID, stopped.error)
	}
	return stopped.error
}

// preamble tells what belongs to the turn as a whole: luck, messages, absences.
func (t *Turn) preamble() {
	t.Phase = Phase{Name: "turn", Step: "power"}
	if t.Game.Version != t.Rules.Version {
		t.Emit(&RulesChanged{Rules: t.Rules.Name, From: t.Game.Version, Version: t.Rules.Version}, SeeAll(), "referee")
	}
	if t.extension != nil {
		t.extension.BeginRound(func(seat Seat) *orders.Block { return t.Sheets[seat].Block })
	}
	for _, s := range t.Game.Ships {
		if !t.Rules.Commands(s) {
			continue
		}
		for _, seat := range t.Rules.Seats(s) {
			sheet, ok := t.Sheets[seat]
			if !ok || sheet.Block == nil && (s.Status != Active || sheet.Policy == "") {
				continue // no orders were owed
			}
			if sheet.Block == nil {
				t.absent(s, seat.Post, sheet.Policy)
				continue
			}
			if w := LuckWords(sheet.Block); w != "" {
				t.Because(t.orders(ordersRef{Ship: s.ID, Post: seat.Post, Verb: "luck"})).Emit(&Luck{Ship: s.ID, Post: seat.Post, Words: w, Hash: dice.LuckHash(w)}, t.Witness(s), "D3")
			}
			for _, st := range TalkStatements(sheet.Block) {
				t.talk(s, seat.Post, st)
			}
		}
	}
	if t.extension != nil {
		t.extension.EndTalk()
	}
}

// absent tells that no orders came from a seat, and what is done about it. Only the
// captain's silence gives a ship up.
func (t *Turn) absent(s *Ship, post, policy string) {
	none := t.Emit(&Absent{Ship: s.ID, Post: post, Policy: policy}, SeeOnly(s.ID), "D12")
	if post != "" {
		return
	}
	if t.silent == nil {
		t.silent = map[ShipID]Ref{}
	}
	t.silent[s.ID] = none
	if policy == PolicyForfeit {
		t.Because(none).Out(s, Surrendered, "no orders came", nil, "D12")
	}
}

// Dice are those of the turn; nil for a set-up.
func (t *Turn) Dice() dice.Source { return t.dice }

// Events are those of the turn so far, for reading.
func (t *Turn) Events() []Event { return t.events }

// Round is which round of the turn is played, from 1.
func (t *Turn) Round() int { return t.round }

// Number is the turn being resolved.
func (t *Turn) Number() int { return t.no }

// Emit adds an event and applies it to the working game. It gives the event as a cause of
// others.
func (t *Turn) Emit(body Body, see See, rule ...string) Ref {
	if t.extension == nil || !see.toAny() {
		return t.Record(body, see, rule)
	}
	return t.extension.Announce(body, see, rule)
}

// Record is Emit for what an extension has looked at: those see the event who are said to.
func (t *Turn) Record(body Body, see See, rule []string) Ref {
	e := Event{
		Seq: len(t.events) + 1, Turn: t.no, Phase: t.Phase.No, Step: t.Phase.Step,
		Rule: rule, See: see, Body: body,
	}
	if err := Apply(t.Game, e); err != nil {
		t.Stop(fmt.Errorf("%w: %w", ErrInvariant, err))
	}
	if t.extension != nil {
		t.extension.Recorded(body)
	}
	if len(t.events) == cap(t.events) { // append would grow them by a quarter, and copy each five times
		t.events = slices.Grow(t.events, len(t.events))
	}
	t.events = append(t.events, e)
	if t.causes != nil {
		*t.causes = append(*t.causes, t.follows(body))
	}
	return t.Last()
}

// Narrow has only those see the event that came about last who are said to.
func (t *Turn) Narrow(see See) { t.events[len(t.events)-1].See = see }

// Roll throws a named die and records it under its whole name, such as
// "t3.p2.fire.hood.bank-a.hit".
func (t *Turn) Roll(name RollName, die dice.Die, see See, rule ...string) int {
	full := t.RollName(name)
	roll := &Roll{Name: full, Dice: die, Value: t.dice.Roll(full.text, die)}
	if t.referee != nil {
		t.Because(t.referee.Thrown(roll, see))
	}
	event := t.Emit(roll, see, rule...)
	if t.causes != nil {
		t.rolled = append(t.rolled, event)
	}
	return roll.Value
}

// RollName is the whole name of a roll of the phase that runs.
func (t *Turn) RollName(name RollName) RollName {
	turn := "t" + strconv.Itoa(t.no) + "."
	if t.Phase.No > 0 {
		turn += "p" + strconv.Itoa(t.Phase.No) + "."
	}
	return name.within(turn)
}

// Out takes a ship out of the fight, which is the event that it gives, and scores it for the other sides: its
// value, or half of it (rounded down) if it only left. A ship that leaves over
// an edge which is its own side's goal scores for its own side instead.
func (t *Turn) Out(s *Ship, why Status, how string, edge []string, rule ...string) Ref {
	first := s.Status == Active
	see := t.Witness(s)
	points := t.ToldPoints(s, see)
	out := t.Emit(&Out{Ship: s.ID, Why: why, How: how, Edge: edge}, see, rule...)
	see = points
	if !first || s.Value == 0 {
		return out
	}
	if why == Left && t.Game.Victory.WantsExit(s, edge) {
		t.Because(out).Score(s.Side, s.Value, s.Name+" got away over its edge", see, "scenario")
		return out
	}
	worth, what := s.Value, string(why)
	switch why {
	case Left:
		worth /= 2
	case Surrendered:
		what = "captured"
	case Active, Waiting, Crippled, Destroyed:
	}
	for _, sd := range t.Game.Sides {
		if sd.ID != s.Side && worth > 0 {
			t.Because(out).Score(sd.ID, worth, s.Name+" "+what, see, "scenario")
		}
	}
	return out
}

// ToldPoints are those of whom see a ship who are told what she is worth: who does not know her
// is not.
func (t *Turn) ToldPoints(s *Ship, see See) See {
	if t.extension != nil {
		return t.extension.Known(&Out{Ship: s.ID}, see)
	}
	return see
}

// LuckWords are the words of a luck order, blank for none.
func LuckWords(b *orders.Block) string {
	for _, st := range TurnLevelStatements(b, "luck") {
		if a, ok := st.Arg("WORDS"); ok {
			return strings.TrimSpace(a.Text)
		}
	}
	return ""
}

// TurnLevelStatements are the statements of a verb outside all sections; a nil
// block has none.
func TurnLevelStatements(b *orders.Block, verb string) []orders.Statement {
	if b == nil {
		return nil
	}
	g, _ := b.Group("", 0)
	return g.All(verb)
}

// TurnLevel is the section of verbs that belong to no block of their own and
// that every rule set shares. The engine itself acts on message and luck, the
// shell on break, final and wait. One of more with the name of a shared verb takes its place:
// a message that may be "message TO coded" is handed to [Rules.Hears] so.
func TurnLevel(more ...orders.Verb) orders.Section {
	verbs := []orders.Verb{
		{
			Name: "break", Forms: []orders.Form{"break WORDS"}, Examples: []string{"break on contact hit", "break when range to nearest <= 12"},
			Doc: "In a game that is played until something happens: at what you want to be asked, from now on. `break on` with some of " + strings.Join(BreakKinds(), ", ") + " names them all, `break never` takes some away, `break when range to nearest <= N` adds a range, and `break as usual` goes back to all kinds.",
		},
		{
			Name: "final", Forms: []orders.Form{"final"}, Once: true, Examples: []string{"final"},
			Doc: "You need no more time: when every captain has said so, the turn runs at once.",
		},
		{
			Name: "wait", Forms: []orders.Form{"wait"}, Once: true, Examples: []string{"wait"},
			Doc: "The turn is not to run before the deadline, even if all orders are in.",
		},
		{
			Name: "luck", Forms: []orders.Form{"luck WORDS"}, Once: true, Examples: []string{"luck the owl flies at noon"},
			Doc: "Words of yours that are hashed into the dice of this turn and of all later ones, so that nobody can have chosen them beforehand: send some with your first orders. Only their hash is shown until the turn is out.",
		},
		{
			Name: "message", Forms: []orders.Form{"message TO"}, Body: true, Examples: []string{"message Zephyr\n#text\nStrike your colours.\n#endtext"},
			Doc: "A message that goes out with the turn's reports: to a ship, a side, `side` (your own) or `all`. The text stands between #text and #endtext.",
		},
	}
	for _, v := range more {
		verbs = slices.DeleteFunc(verbs, func(shared orders.Verb) bool { return shared.Name == v.Name })
	}
	verbs = append(verbs, more...)
	slices.SortFunc(verbs, func(a, b orders.Verb) int { return strings.Compare(a.Name, b.Name) })
	return orders.Section{Name: "", Doc: "Orders for the whole turn; they may stand anywhere in a block.", Verbs: verbs}
}
