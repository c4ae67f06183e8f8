package turn

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/orderset"
	"starpost/pbem/vault"
)

// ShipState is whether the orders of a ship, or of a post on it, are there.
type ShipState struct {
	Name        string             // as the order set is called
	Captain     engine.CaptainName // whose it is
	Seat        engine.Seat
	In          bool // a valid set is in force
	Final, Wait bool
	Since       time.Time     // when the set in force was stored
	Vacant      bool          // its captain's seat is vacant: the robot has it
	Unasked     bool          // it owes no orders, but has some: of a crippled ship
	Covered     bool          // an earlier set of the turn says what it does in the round that is due
	File        string        // the file, if there is one
	Set         *orderset.Set // what is in it, of one that was looked at just now; see Ready

	said timingWords // in it
}

// Readiness is who is in and who is missing for the turn that is due.
type Readiness struct {
	Due   int         // 0 when the game is over
	Round int         // of it that is due; 0 in games whose turns are not cut into rounds
	Ships []ShipState // all whose orders are wanted, sorted by seat; then those that sent some unasked
	// Bad are files in orders/ that cannot be taken as they are: with errors,
	// or without an owner. Nothing resolves while there are any, but for those that
	// came ahead of their turn and no longer fit: they count as not there.
	Bad []BadFile
	// Ignored are sets for ships that need no orders any more.
	Ignored []BadFile
	// Draw are the captains who agreed to end the game as a draw, when that is
	// all whose word counts; then the turn is not played. Nil when not.
	Draw []engine.CaptainName
	// captains are what captains say for all their ships, by captain.
	captains map[engine.CaptainName]forAll
	taken    []vault.OrderFile
	earlier  inputs // of the rounds of the turn that were played
}

// forAll is what a captain says for all his ships.
type forAll struct {
	said timingWords
	set  *orderset.Set // as ShipState has it
}

// BadFile is an order file with errors.
type BadFile struct {
	File        string // the path
	Name        string // as vault.DropOrders wants it
	Ahead       bool   // it was sent before its turn was due
	Diagnostics []orders.Diagnostic
}

// AllIn reports whether every set that is wanted is there. For a ship whose
// seat is vacant none is, nor for one whose captain has given orders for all of the
// turn.
func (r Readiness) AllIn() bool { return len(r.Missing()) == 0 }

// Heard reports whether AllIn, and every captain has spoken for the round that is
// due, also where what he said before would do.
func (r Readiness) Heard() bool {
	return r.AllIn() && !slices.ContainsFunc(r.Ships, func(s ShipState) bool { return s.Covered && !s.In && !s.Vacant })
}

// AllFinal reports whether all are in and every captain said final.
func (r Readiness) AllFinal() bool {
	return len(r.Ships) > 0 && !slices.ContainsFunc(r.Ships, func(s ShipState) bool { return !s.Vacant && !s.Unasked && !(s.In && s.Final) })
}

// Wait reports whether a captain asked to wait for the deadline.
func (r Readiness) Wait() bool {
	return slices.ContainsFunc(r.Ships, func(s ShipState) bool { return s.Wait })
}

// LastSet is when the set that came last was stored; zero if there is none.
func (r Readiness) LastSet() time.Time {
	var last time.Time
	for _, s := range r.Ships {
		if s.Since.After(last) {
			last = s.Since
		}
	}
	return last
}

// blocking are the bad files that keep the turn from being resolved.
func (r Readiness) blocking() []BadFile {
	return slices.DeleteFunc(slices.Clone(r.Bad), func(b BadFile) bool { return b.Ahead })
}

// Missing lists the ships without orders.
func (r Readiness) Missing() []ShipState {
	var out []ShipState
	for _, s := range r.Ships {
		if !s.In && !s.Vacant && !s.Covered {
			out = append(out, s)
		}
	}
	return out
}

// Absent lists the ships without orders of which there is no file either: a
// captain whose file has errors has sent something, and hears of the errors.
func (r Readiness) Absent() []ShipState {
	return slices.DeleteFunc(r.Missing(), func(s ShipState) bool {
		return slices.ContainsFunc(r.blocking(), func(b BadFile) bool { return strings.EqualFold(b.Name, s.Name) })
	})
}

// Ready looks through orders/ for the turn that is due. Sets that were looked at
// before are not given once more, only what they say of when the turn runs.
func (p *Position) Ready() (Readiness, error) { return p.ready(false) }

// ready is Ready; with whole it gives all sets as they are.
func (p *Position) ready(whole bool) (Readiness, error) {
	r := Readiness{Due: p.Due(), Round: p.round(), captains: map[engine.CaptainName]forAll{}}
	if r.Due == 0 {
		return r, nil
	}
	st, err := p.vault.AdminState()
	if err != nil {
		return Readiness{}, err
	}
	if r.Round < 2 { // a turn that was begun is fought out
		r.Draw = p.agreed(votes(st, r.Due, r.Round))
	}
	if r.earlier, err = p.earlier(); err != nil {
		return Readiness{}, err
	}
	due := p.rules.Owed(p.state)
	r.Ships = make([]ShipState, 0, len(due))
	for _, seat := range due {
		s := p.seatState(seat)
		s.Vacant, s.Covered = st.HasVacant(s.Captain), r.earlier.covers(p.rules, s.Name, s.Seat, r.Round)
		r.Ships = append(r.Ships, s)
	}
	files, err := p.vault.Orders.For(p.DueStage())
	if err != nil {
		return Readiness{}, err
	}
	r.taken = make([]vault.OrderFile, 0, len(files))
	for _, f := range files {
		in, set, diags := p.readFile(f, whole)
		if orders.HasErrors(diags) {
			bad := BadFile{File: f.Path, Name: f.Name, Ahead: f.Ahead, Diagnostics: diags}
			if onlyNotDue(diags) && !f.Ahead {
				r.Ignored = append(r.Ignored, bad)
				r.taken = append(r.taken, f)
			} else {
				r.Bad = append(r.Bad, bad)
			}
			continue
		}
		r.taken = append(r.taken, f)
		if in.seat.Ship == "" {
			r.captains[in.captain] = forAll{in.said, set}
			continue
		}
		if !slices.ContainsFunc(r.Ships, func(s ShipState) bool { return s.Seat == in.seat }) {
			s := p.seatState(in.seat)
			s.Unasked = true
			r.Ships = append(r.Ships, s)
		}
		for i := range r.Ships {
			s := &r.Ships[i]
			if s.Seat != in.seat {
				continue
			}
			if s.In {
				r.Bad = append(r.Bad, BadFile{File: f.Path, Name: f.Name, Diagnostics: []orders.Diagnostic{{
					Pos: in.at, Code: orderset.CodeTwoSets,
					Message: fmt.Sprintf("there is another order set for %s in %s", s.Name, s.File), Hint: "remove one of the files",
				}}})
			} else {
				s.In, s.Since, s.File, s.Set, s.said = true, f.Modified, f.Path, set, in.said
			}
		}
	}
	for i := range r.Ships {
		s := &r.Ships[i]
		c, ok := r.captains[s.Captain]
		s.Final = s.said.final || ok && c.said.final
		s.Wait = s.said.wait || ok && c.said.wait
	}
	return r, nil
}

// seatState names a seat.
func (p *Position) seatState(seat engine.Seat) ShipState {
	s, _ := p.state.Ship(seat.Ship)
	return ShipState{Name: engine.OrderSetName(s.Name, seat.Post), Captain: s.Holder(seat.Post), Seat: seat}
}

// onlyNotDue reports whether the only error is that the ship needs no orders.
func onlyNotDue(diags []orders.Diagnostic) bool {
	return !slices.ContainsFunc(diags, func(d orders.Diagnostic) bool { return d.Severity == orders.Error && d.Code != orderset.CodeNotDue })
}

// readFile reads a file of orders/. That a file is in order is kept with the
// game: whenever a captain's set comes in, those of all others are looked at. The
// set is nil of a file that is known to be in order, unless whole is set, and of one
// that is not in order.
func (p *Position) readFile(f vault.OrderFile, whole bool) (inOrder, *orderset.Set, []orders.Diagnostic) {
	key := "orders " + f.Path
	current := p.vault.Newest() == p.at && !f.TooLarge
	sum := vault.Hash(f.Text)
	if old, ok := p.vault.Cache()[key].(inOrder); ok && current && !whole && old.sum == sum {
		return old, nil, nil
	}
	read := p.CheckFile(f)
	if orders.HasErrors(read.Diagnostics) {
		return inOrder{}, nil, read.Diagnostics
	}
	s := &read.Sets[0]
	in := inOrder{
		sum: sum, seat: s.Seat(), captain: s.Captain, at: s.Raw.Head.Pos,
		said: timingWords{final: s.Final(), wait: s.Wait()},
	}
	if current {
		p.vault.Cache()[key] = in
	}
	return in, s, read.Diagnostics
}

// Expect tells that a set without errors is about to be stored in its file: what
// was made of it need not be made once more when the file is looked at.
func (p *Position) Expect(s orderset.Set) {
	if !s.OK() || p.orderGame().Ahead(s) || s.Turn != p.Due() || p.vault.Newest() != p.at {
		return
	}
	p.vault.Cache()["orders "+p.vault.Orders.Path(s.Name)] = inOrder{
		sum: vault.Hash([]byte(s.Text)), seat: s.Seat(), captain: s.Captain, at: orders.Pos{Line: 1, Col: 1},
		said: timingWords{final: s.Final(), wait: s.Wait()},
	}
}

// inOrder is what is kept of an order file without errors.
type inOrder struct {
	sum     string // of the file
	seat    engine.Seat
	captain engine.CaptainName
	at      orders.Pos
	said    timingWords
}

// timingWords are what a set says about when the turn runs.
type timingWords struct{ final, wait bool }

// CheckFile is Check for a file of orders/: it must hold one set, for the turn
// that is due and for the ship or captain that it is named after.
func (p *Position) CheckFile(f vault.OrderFile) orderset.Reading {
	if f.TooLarge {
		return orderset.Reading{Diagnostics: []orders.Diagnostic{{
			Pos: orders.Pos{Line: 1, Col: 1}, Code: orders.CodeTooLarge,
			Message: fmt.Sprintf("the file is larger than %d bytes", vault.MaxOrders),
			Hint:    "an order set is a few kilobytes; replace the file",
		}}}
	}
	p.reading = true
	read := p.Check(f.Text)
	p.reading = false
	refuse := func(s *orderset.Set, pos orders.Pos, code, hint, message string) {
		d := orders.Diagnostic{Pos: pos, Code: code, Message: message, Hint: hint}
		s.Diagnostics = append(s.Diagnostics, d)
		read.Diagnostics = append(read.Diagnostics, d)
	}
	for i := range read.Sets {
		s := &read.Sets[i]
		switch {
		case s.Name == "": // without an owner, as was said
		case !strings.EqualFold(s.Name, f.Name):
			refuse(s, s.Raw.Head.Pos, orderset.CodeOtherFile, fmt.Sprintf("put them into %s.txt, one set a file", s.Name),
				fmt.Sprintf("the file %s.txt holds orders for %s", f.Name, s.Name))
		case p.orderGame().Ahead(*s) && !orders.HasErrors(s.Diagnostics):
			refuse(s, s.Raw.Head.TurnPos, orderset.CodeFarTurn, "write "+p.orderGame().HeadWords(),
				fmt.Sprintf("the orders are for %s, but %s is due", StageOf(*s), p.DueStage()))
		}
		orders.Sort(s.Diagnostics)
	}
	orders.Sort(read.Diagnostics)
	return read
}

// agreed lists the captains who voted for a draw, sorted, if they are all whose
// word counts, of two sides at least: who still has a ship in the game, or one to come, and is no
// robot. Else it is nil. One side has no one to agree with (D63).
func (p *Position) agreed(votes map[engine.CaptainName]string) []engine.CaptainName {
	if len(votes) == 0 {
		return nil
	}
	var all []engine.CaptainName
	var sides []string
	for _, s := range p.state.Ships {
		c, ok := p.settings.CaptainOf(s.Name)
		switch {
		case s.Small(), s.Status != engine.Active && s.Status != engine.Waiting:
		case !ok || c.Address == "": // played by a robot, or vacant
		case slices.Contains(all, c.Name):
		case votes[c.Name] != vault.VoteDraw:
			return nil
		default:
			all = append(all, c.Name)
		}
		if ok && c.Address != "" && slices.Contains(all, c.Name) && !slices.Contains(sides, s.Side) {
			sides = append(sides, s.Side)
		}
	}
	if len(sides) < 2 {
		return nil
	}
	slices.Sort(all)
	return all
}

// earlier are the inputs of the rounds of the turn in progress that were played.
func (p *Position) earlier() (inputs, error) {
	if p.at.Round == 0 {
		return inputs{}, nil
	}
	m, err := p.vault.Stages.Manifest(p.at)
	if err != nil {
		return inputs{}, err
	}
	in, err := storedInputs(p.vault, p.at)
	return inputs{missing: m.Missing, silent: m.Silent, texts: in.texts, beacons: in.beacons}, err
}

// InCouncil are those of some seats whose orders are due at the earlier time.
func InCouncil(r *engine.Rules, seats []ShipState) []ShipState {
	return slices.DeleteFunc(slices.Clone(seats), func(s ShipState) bool { return !slices.Contains(r.Council, s.Seat.Post) })
}

// Away tells which of the ships have a captain who is away now, and until when,
// in words; nil for none.
func Away(g *vault.Game, ships []ShipState, now time.Time) (map[engine.Seat]string, error) {
	st, err := g.AdminState()
	if err != nil || len(st.Away) == 0 {
		return nil, err
	}
	var out map[engine.Seat]string
	for _, s := range ships {
		until, away := st.AwayAt(s.Captain, now)
		if !away {
			continue
		}
		if out == nil {
			out = map[engine.Seat]string{}
		}
		// The last whole day of it: an absence ends when the next day begins.
		out[s.Seat] = until.Add(-time.Second).In(g.Zone()).Format("Mon 2 Jan 2006")
	}
	return out, nil
}

// NamesAway are the names of ships, with until when their captains are away as Away tells it.
func NamesAway(ships []ShipState, away map[engine.Seat]string) []string {
	var out []string
	for _, s := range ships {
		name := s.Name
		if until := away[s.Seat]; until != "" {
			name += " (away until " + until + ")"
		}
		out = append(out, name)
	}
	return out
}
