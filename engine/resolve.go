package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"starpost/engine/dice"
	"starpost/orders"
)

// Resolve plays the turn that is due with dice from the game's secret. It returns the game after the turn and the
// events; before is not changed. A game that another version of the rule set played so far uses this version from
// now on, as an event says.
func Resolve(r *Rules, before *Game, sheets []Sheet, secret dice.Secret) (*Game, []Event, error) {
	return ResolveWith(r, before, sheets, DiceOf(before, secret, luckOf(r, before, sheets), dice.Beacon{}))
}

// luckOf returns the words for luck that count in the turn that is due, by seat: those sent for its first round.
func luckOf(r *Rules, before *Game, sheets []Sheet) map[string]string {
	luck := map[string]string{}
	for _, s := range sheets {
		// Only words that the events of the turn show: anyone must be able to recompute the dice.
		ship, ok := before.Ship(s.Ship)
		if w := LuckWords(s.Block); w != "" && ok && r.Commands(ship) {
			luck[s.Seat().String()] = w
		}
	}
	return luck
}

// DiceOf returns the dice of the turn after a game. Luck has the words that were sent for it, by seat (see
// [Seat.String]). B is the beacon of the turn or of the rounds that are played; it is empty if dice depend on the
// secret alone, as in all games of format 1.
func DiceOf(before *Game, secret dice.Secret, luck map[string]string, b dice.Beacon) dice.Source {
	turn := before.Turn + 1
	if before.Format == perTurn {
		return dice.ForTurn(secret, before.ID, turn, luck)
	}
	words := before.Luck
	for _, seat := range slices.SortedFunc(maps.Keys(luck), inOrder) {
		words = dice.Words(words, turn, seat, luck[seat])
	}
	if b.None() {
		return dice.ForGame(secret, before.ID, turn, words)
	}
	return dice.ForBeacon(secret, before.ID, turn, words, b)
}

// inOrder compares seats in the order of their events: by ship, and on each ship the captain's first.
func inOrder(a, b string) int {
	one, post, _ := strings.Cut(a, "/")
	two, other, _ := strings.Cut(b, "/")
	return cmp.Or(strings.Compare(one, two), strings.Compare(post, other))
}

// ResolveWith is Resolve with dice from elsewhere, such as a script.
func ResolveWith(r *Rules, before *Game, sheets []Sheet, source dice.Source) (*Game, []Event, error) {
	return resolve(r, before, sheets, 1, r.Rounds(), []dice.Source{source})
}

// ResumeRound plays the next round of a partly played turn, from the game as it is there, and returns only the
// events of that round. The last replies of the sheets are the orders for it. What earlier rounds leave to later
// ones outside the game, the rule set reconstructs as well as it can: so this can rehearse a game but not continue
// it.
func ResumeRound(r *Rules, before *Game, sheets []Sheet, source dice.Source) (*Game, []Event, error) {
	return resolve(r, before, sheets, before.Round+1, before.Round+1, []dice.Source{source})
}

// resolve plays the rounds from to upto of a turn. Stages are the dice of the rounds; the last ones serve all later
// rounds.
func resolve(r *Rules, before *Game, sheets []Sheet, from, upto int, stages []dice.Source) (after *Game, events []Event, err error) {
	no := before.Turn + 1
	if from > 1 {
		no = before.Turn
	}
	switch {
	case before.Result != nil:
		return nil, nil, fmt.Errorf("resolve turn %d of %s: the game is over", before.Turn+1, before.ID)
	case before.Round != from-1:
		return nil, nil, fmt.Errorf("resolve turn %d of %s: %w: a turn is played from the end of the one before", before.Turn, before.ID, ErrInvariant)
	case upto < 1:
		return nil, nil, fmt.Errorf("resolve turn %d of %s: there is no round %d", before.Turn+1, before.ID, upto)
	}
	upto = min(upto, r.Rounds())
	t := &Turn{
		Rules: r, Game: before.Clone(), Sheets: map[Seat]Sheet{}, dice: stages[0], stages: stages, no: no, round: 1,
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
	if from > 1 { // the orders of the first round have been played
		t.round, t.Game.Round, due = from-1, 0, nil
	}
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
	if from == 1 {
		t.preamble()
	}
	for i, p := range r.Phases {
		if p.Round < from && from > 1 {
			continue
		}
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

// Rehearse begins the turn that is due in a game made only of what a viewer knows: the ships with a known place,
// with systems as the viewer knows them (see system), and the terrain that cannot be entered. Everything is in the
// open there, and no events are kept. It shows what the orders for the viewer's ship, which is returned too, lead
// to if nothing happens by chance and no one else acts. It is for things that need no dice; a die that is thrown
// all the same shows its middle value.
//
// A ship out of sight is where it was last known. It counts as one of the own side, so that only orders that name
// it apply to it.
func Rehearse(r *Rules, v *View, own *ShipView, system func(*ShipView) System) (*Turn, *Ship) {
	g := &Game{
		Format: Format, ID: v.Game, Rules: v.Rules, Version: v.Version, Turn: v.Due, Options: v.Options, Bounds: v.Bounds, Sides: v.Sides,
		Ships: make([]*Ship, 0, len(v.Ships)),
	}
	for _, f := range v.Terrain {
		if r.Terrain[f.Kind].Closed {
			g.Terrain = append(g.Terrain, *f)
		}
	}
	ships := make([]Ship, len(v.Ships))
	for i, s := range v.Ships {
		if s.Hex == nil {
			continue
		}
		ships[i] = s.Ship(system(s))
		if s.Sight != Seen {
			ships[i].Side = own.Side
		}
		g.Ships = append(g.Ships, &ships[i])
	}
	slices.SortFunc(g.Ships, func(a, b *Ship) int { return cmp.Compare(a.ID, b.ID) })
	s, _ := g.Ship(own.ID)
	return &Turn{Rules: r, Game: g, no: v.Due, round: max(1, v.DueRound()), dice: middling{}, rehearsed: true}, s
}

// middling are dice that always show their middle value.
type middling struct{}

// Roll implements [dice.Source].
func (middling) Roll(_ string, d dice.Die) int {
	low, high := d.Range()
	return (low + high) / 2
}

// failed returns the error that a phase stopped with. It panics again if the panic is not the engine's.
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

// preamble emits what belongs to the turn as a whole: luck, messages, absences.
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

// absent records that no orders came from a seat and what is done about it. Only the captain's silence can give up
// a ship.
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

// LuckWords returns the words of a luck order, blank if there is none.
func LuckWords(b *orders.Block) string {
	for _, st := range TurnLevelStatements(b, "luck") {
		if a, ok := st.Arg("WORDS"); ok {
			return strings.TrimSpace(a.Text)
		}
	}
	return ""
}

// TurnLevelStatements returns the statements with a verb outside all sections; a nil block has none.
func TurnLevelStatements(b *orders.Block, verb string) []orders.Statement {
	if b == nil {
		return nil
	}
	g, _ := b.Group("", 0)
	return g.All(verb)
}

// Rounds returns how many rounds a turn has if it is not played at once: the highest round of its phases, or 1 for
// a rule set whose turns cannot be split.
func (r *Rules) Rounds() int {
	n := 1
	for _, p := range r.Phases {
		n = max(n, p.Round)
	}
	return n
}

// begin emits what belongs to a round after the first as a whole: messages and absences. It happens in the round's
// first phase.
func (t *Turn) begin(round int) {
	t.round, t.dice = round, t.stages[min(round, len(t.stages))-1]
	if t.extension != nil {
		t.extension.BeginRound(func(seat Seat) *orders.Block {
			reply, _ := t.Reply(seat)
			return reply.Block
		})
	}
	for _, s := range t.Game.Ships {
		for _, seat := range t.Rules.Seats(s) {
			reply, ok := t.Reply(seat)
			if !ok || !t.Rules.Commands(s) || reply.Block == nil && s.Status != Active {
				continue
			}
			if reply.Block == nil {
				t.absent(s, seat.Post, reply.Policy)
				continue
			}
			for _, st := range TalkStatements(reply.Block) {
				t.talk(s, seat.Post, st)
			}
		}
	}
	if t.extension != nil {
		t.extension.EndTalk()
	}
}

// checkReplies checks that the later rounds of a sheet can be played.
func (s Sheet) checkReplies(upto int) error {
	if len(s.Later) > upto-1 {
		return fmt.Errorf("orders of %s for round %d, but only %d are played", s.Seat(), len(s.Later)+1, upto)
	}
	for i, reply := range s.Later {
		if reply.Block == nil && reply.Policy != "" && reply.Policy != PolicyStanding && reply.Policy != PolicyForfeit {
			return fmt.Errorf("no orders for %s in round %d and no policy %q", s.Seat(), i+2, reply.Policy)
		}
	}
	return nil
}

// A turn may be played in rounds, one exchange of orders after the other (ruling D9). A turn is never continued
// from its middle: each round plays the whole turn again from the game before it, with all orders received so far,
// to the end of the round's phases. Because all dice are named, everything happens again as before.

// RoundLimit says how far to play a turn.
type RoundLimit struct {
	Upto int // the last round to play; from Rules.Rounds on, the whole turn
	// Told are the events of the rounds before, as they were reported. The events of this one must begin with the
	// same, or the error is ErrInvariant.
	Told []Event
	// Beacons are those of the rounds that are played, in order, each for the dice of its round, and the last one
	// for all later rounds too. A turn that is played at once has one beacon. A round or turn without beacon, whose
	// dice depend on the secret alone, has an empty one.
	Beacons []dice.Beacon
}

// ResolveRounds plays the turn that is due up to the limit cut; see [Resolve]. The Later of each sheet holds the
// orders for the second and later rounds, as far as they are played. The Round of a partly played game says how far
// it got; such a game is only for looking at, and no turn is played from it.
func ResolveRounds(r *Rules, before *Game, sheets []Sheet, cut RoundLimit, secret dice.Secret) (*Game, []Event, error) {
	stages, err := cut.stages(r, before, sheets, secret)
	if err != nil {
		return nil, nil, fmt.Errorf("resolve turn %d of %s: %w", before.Turn+1, before.ID, err)
	}
	after, events, err := resolve(r, before, sheets, 1, cut.Upto, stages)
	if err != nil {
		return nil, nil, err
	}
	if err := continues(cut.Told, events); err != nil {
		return nil, nil, fmt.Errorf("resolve turn %d of %s, round %d: %w: %w", before.Turn+1, before.ID, cut.Upto, ErrInvariant, err)
	}
	return after, events, nil
}

// stages returns the dice of the rounds that are played.
func (cut RoundLimit) stages(r *Rules, before *Game, sheets []Sheet, secret dice.Secret) ([]dice.Source, error) {
	luck := luckOf(r, before, sheets)
	if len(cut.Beacons) == 0 {
		return []dice.Source{DiceOf(before, secret, luck, dice.Beacon{})}, nil
	}
	if upto := min(cut.Upto, r.Rounds()); len(cut.Beacons) > upto {
		return nil, fmt.Errorf("%d beacons, but only %d rounds are played", len(cut.Beacons), upto)
	}
	var stages []dice.Source
	for _, b := range cut.Beacons {
		if !b.None() {
			if before.Format == perTurn {
				return nil, fmt.Errorf("round %d of a beacon: a game whose state has format %d has none", b.Round, perTurn)
			}
			if err := b.Check(); err != nil {
				return nil, err
			}
		}
		stages = append(stages, DiceOf(before, secret, luck, b))
	}
	return stages, nil
}

// continues checks that events begin with those reported before.
func continues(told, events []Event) error {
	if len(events) < len(told) {
		return fmt.Errorf("%d events, but %d were told already", len(events), len(told))
	}
	var a, b []byte
	for i := range told {
		var errA, errB error
		a, errA = appendEvent(a[:0], &told[i])
		b, errB = appendEvent(b[:0], &events[i])
		switch {
		case errA != nil:
			return errA
		case errB != nil:
			return errB
		case !bytes.Equal(a, b):
			return fmt.Errorf("event %d is another one than was told: %s, not %s", i+1, b, a)
		}
	}
	return nil
}
