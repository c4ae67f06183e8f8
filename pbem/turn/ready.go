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

// ShipState says whether the orders of a ship, or of a post on it, are in.
type ShipState struct {
	Name        string             // the name of its order set
	Captain     engine.CaptainName // who owes the orders
	Seat        engine.Seat
	In          bool // a valid set is in force
	Final, Wait bool
	Since       time.Time     // when the set in force was stored
	Vacant      bool          // its captain's seat is vacant: the robot plays it
	Unasked     bool          // it owes no orders, but has some: a crippled ship
	Covered     bool          // an earlier set of the turn says what it does in the due round
	File        string        // the file, if any
	Set         *orderset.Set // its set, if it was just read; see Ready

	said timingWords // what the set says about timing
}

// Readiness says who has sent orders for the due turn and who is missing.
type Readiness struct {
	Due   int         // 0 if the game is over
	Round int         // the due round; 0 in games whose turns have no rounds
	Ships []ShipState // all that owe orders, sorted by seat; then those that sent unrequested ones
	// Bad are files in orders/ that cannot be accepted: with errors, or without an owner. Nothing
	// is resolved while there are any, except files that were sent ahead and no longer fit: those
	// count as missing.
	Bad []BadFile
	// Ignored are sets for ships that no longer need orders.
	Ignored []BadFile
	// Draw are the captains who agreed to end the game as a draw, if all who have a vote did; then
	// the turn is not played. Otherwise nil.
	Draw []engine.CaptainName
	// captains are the statements of captains for all their ships.
	captains map[engine.CaptainName]forAll
	taken    []vault.OrderFile
	earlier  inputs // of the rounds of the turn already played
}

// forAll is what a captain says for all their ships.
type forAll struct {
	said timingWords
	set  *orderset.Set // see ShipState
}

// BadFile is an order file with errors.
type BadFile struct {
	File        string // the path
	Name        string // as vault.Orders.Drop expects it
	Ahead       bool   // sent before its turn was due
	Diagnostics []orders.Diagnostic
}

// AllIn reports whether every required set is in. None is required for a ship with a vacant seat,
// or with a captain who has given orders for the whole turn.
func (r Readiness) AllIn() bool { return len(r.Missing()) == 0 }

// Heard reports whether AllIn holds and every captain has sent orders for the due round, even if
// earlier orders cover it.
func (r Readiness) Heard() bool {
	return r.AllIn() && !slices.ContainsFunc(r.Ships, func(s ShipState) bool { return s.Covered && !s.In && !s.Vacant })
}

// AllFinal reports whether all sets are in and final.
func (r Readiness) AllFinal() bool {
	return len(r.Ships) > 0 && !slices.ContainsFunc(r.Ships, func(s ShipState) bool { return !s.Vacant && !s.Unasked && !(s.In && s.Final) })
}

// IsFinal reports whether all sets of a captain are in and final.
func (r Readiness) IsFinal(captain engine.CaptainName) bool {
	own := slices.DeleteFunc(slices.Clone(r.Ships), func(s ShipState) bool { return s.Captain != captain })
	return Readiness{Ships: own}.AllFinal()
}

// Wait reports whether a captain asked to wait for the deadline.
func (r Readiness) Wait() bool {
	return slices.ContainsFunc(r.Ships, func(s ShipState) bool { return s.Wait })
}

// LastSet returns when the newest set was stored; zero if there is none.
func (r Readiness) LastSet() time.Time {
	var last time.Time
	for _, s := range r.Ships {
		if s.Since.After(last) {
			last = s.Since
		}
	}
	return last
}

// blocking returns the bad files that keep the turn from being resolved.
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

// Absent lists the ships without orders and without a file: a captain whose file has errors has
// sent something, and is told about the errors.
func (r Readiness) Absent() []ShipState {
	return slices.DeleteFunc(r.Missing(), func(s ShipState) bool {
		return slices.ContainsFunc(r.blocking(), func(b BadFile) bool { return strings.EqualFold(b.Name, s.Name) })
	})
}

// Ready examines orders/ for the due turn. For sets that were checked before, it returns only what
// they say about timing.
func (p *Position) Ready() (Readiness, error) { return p.ready(false) }

// ready is Ready; with whole it returns all sets.
func (p *Position) ready(whole bool) (Readiness, error) {
	r := Readiness{Due: p.Due(), Round: p.round(), captains: map[engine.CaptainName]forAll{}}
	if r.Due == 0 {
		return r, nil
	}
	st, err := p.vault.AdminState()
	if err != nil {
		return Readiness{}, err
	}
	if r.Round < 2 { // a turn that has begun is played to its end
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

// seatState returns a ShipState that names a seat.
func (p *Position) seatState(seat engine.Seat) ShipState {
	s, _ := p.state.Ship(seat.Ship)
	return ShipState{Name: engine.OrderSetName(s.Name, seat.Post), Captain: s.Holder(seat.Post), Seat: seat}
}

// onlyNotDue reports whether the only error is that the ship needs no orders.
func onlyNotDue(diags []orders.Diagnostic) bool {
	return !slices.ContainsFunc(diags, func(d orders.Diagnostic) bool { return d.Severity == orders.Error && d.Code != orderset.CodeNotDue })
}

// readFile reads a file of orders/. The result for a valid file is cached with the game, because
// each new set causes a check of all others. The set is nil for an invalid file and, unless whole
// is set, for a cached one.
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

// Expect caches the result for a valid set that is about to be stored in its file, so that the file
// need not be checked again.
func (p *Position) Expect(s orderset.Set) {
	if !s.OK() || p.orderGame().Ahead(s) || s.Turn != p.Due() || p.vault.Newest() != p.at {
		return
	}
	p.vault.Cache()["orders "+p.vault.Orders.Path(s.Name)] = inOrder{
		sum: vault.Hash([]byte(s.Text)), seat: s.Seat(), captain: s.Captain, at: orders.Pos{Line: 1, Col: 1},
		said: timingWords{final: s.Final(), wait: s.Wait()},
	}
}

// inOrder is what is cached of a valid order file.
type inOrder struct {
	sum     string // hash of the file
	seat    engine.Seat
	captain engine.CaptainName
	at      orders.Pos
	said    timingWords
}

// timingWords are what a set says about when the turn runs.
type timingWords struct{ final, wait bool }

// CheckFile is Check for a file of orders/. It must contain one set, for the due turn and for the
// ship or captain that the file is named after.
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
		case s.Name == "": // without an owner, which is already reported
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

// agreed returns the captains who voted for a draw, sorted, if all who have a vote did, on at least
// two sides. Captains have a vote if they are not robots and have a ship in the game or still to
// arrive. Otherwise it returns nil. One side has no one to agree with (D63).
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

// earlier returns the inputs of the played rounds of the turn in progress.
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

// InCouncil returns those seats whose orders are due at the earlier time.
func InCouncil(r *engine.Rules, seats []ShipState) []ShipState {
	return slices.DeleteFunc(slices.Clone(seats), func(s ShipState) bool { return !slices.Contains(r.Council, s.Seat.Post) })
}

// Away returns, for the ships with a captain who is away now, until when, in words; nil for none.
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
		// The last whole day: an absence ends when the next day begins.
		out[s.Seat] = until.Add(-time.Second).In(g.Zone()).Format("Mon 2 Jan 2006")
	}
	return out, nil
}

// NamesAway returns the names of ships, with the end of their captains' absences as returned by
// Away.
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
