package turn

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// Position is a game as it stands before the turn that is due. It may be used
// by one goroutine at a time, and until the game moves on.
type Position struct {
	vault    *vault.Game
	settings vault.Settings
	rules    *engine.Rules
	at       vault.Stage  // what was reached last
	state    *engine.Game // then
	settled  viewCache    // how things stand, without what happened
	told     viewCache    // with the events of the last turn, once it is asked for
	closed   closedBy     // why no more orders are taken
	reading  bool         // a file of orders/ is looked at, which was taken before that

	// Of a game that is played until something happens: the last stage was quiet, and what
	// captains want to be asked at who said so.
	goesOn bool
	kinds  map[engine.CaptainName][]string
}

// viewCache makes the views of a position, each once.
type viewCache struct {
	rules   *engine.Rules
	builder *engine.ViewBuilder
	views   map[engine.Seat]*engine.View
}

func newViewCache(r *engine.Rules, state *engine.Game, events []engine.Event, rounds int) viewCache {
	return viewCache{rules: r, builder: engine.NewViewBuilder(r, state, events).InRounds(rounds), views: map[engine.Seat]*engine.View{}}
}

// view is what the holder of a seat knows, its ship in the focus.
func (l viewCache) view(state *engine.Game, seat engine.Seat) (*engine.View, error) {
	if v, ok := l.views[seat]; ok {
		return v, nil
	}
	who, err := l.rules.SeatViewer(state, seat)
	if err != nil {
		return nil, err
	}
	v, err := l.builder.View(who)
	if err != nil {
		return nil, err
	}
	l.views[seat] = v
	return v, nil
}

// Load reads the position of a game.
func Load(g *vault.Game) (*Position, error) { return loadAt(g, g.Newest()) }

func loadAt(g *vault.Game, at vault.Stage) (*Position, error) {
	state, err := g.StageState(at)
	if err != nil {
		return nil, err
	}
	if err := sameCaptains(g, state); err != nil {
		return nil, err
	}
	if err := policyError(g.Rules(), g.SharedSettings().Mail.Missing, g.Place("game.toml")); err != nil {
		return nil, err
	}
	if err := missedError(g.Rules(), g.SharedSettings().Mail.MissedRule(), g.Dir()); err != nil {
		return nil, err
	}
	if err := councilError(g); err != nil {
		return nil, err
	}
	t, err := g.Timing()
	if err != nil {
		return nil, err
	}
	p := &Position{
		closed: closedFor(g, at, t), at: at,
		vault: g, settings: g.Settings(), rules: g.Rules(), state: state, settled: newViewCache(g.Rules(), state, nil, g.Rounds()),
	}
	if p.settings.Cadence == vault.CadenceBreak {
		m, err := g.StageManifest(at)
		if err != nil {
			return nil, err
		}
		p.goesOn, p.kinds = m.Quiet, m.Breaks
	}
	return p, nil
}

// sameCaptains asserts that game.toml knows the captain of every ship, for whom
// it does not know gets no mail.
func sameCaptains(g *vault.Game, state *engine.Game) error {
	settings := g.SharedSettings()
	for _, s := range state.Ships {
		if s.Small() {
			continue
		}
		for _, seat := range g.Rules().Seats(s) {
			name, want := engine.OrderSetName(s.Name, seat.Post), s.Officer(seat.Post)
			c, ok := settings.CaptainOf(name)
			if ok && c.Name == want || seat.Post != "" && !ok && s.Crew[seat.Post] == "" {
				continue
			}
			problem := fmt.Sprintf("%s has no captain here, but %s in the game", name, want)
			if ok {
				problem = fmt.Sprintf("the captain of %s is %s here, but %s in the game", name, c.Name, want)
			}
			return &vault.Error{
				Path: g.Place("game.toml"), Problem: problem, Err: vault.ErrSettings,
				Way: "addresses may be changed; give names and ships of captains back as they were",
			}
		}
	}
	return nil
}

// State is the game after the last turn; it must not be changed.
func (p *Position) State() *engine.Game { return p.state }

// Due is the turn that orders are wanted for; 0 when the game is over.
func (p *Position) Due() int {
	if p.state.Result != nil {
		return 0
	}
	return p.next()
}

// next is the turn that is due, or would be if the game were not over.
func (p *Position) next() int {
	if p.state.Round > 0 {
		return p.state.Turn
	}
	return p.state.Turn + 1
}

// DueStage is the turn, and of a game that takes its turns in rounds the round, that
// orders are wanted for; zero when the game is over.
func (p *Position) DueStage() vault.Stage {
	if p.Due() == 0 {
		return vault.Stage{}
	}
	return vault.Stage{Turn: p.next(), Round: p.round()}
}

// round is the round that is due; 0 in games whose turns are not cut into rounds.
func (p *Position) round() int {
	if p.vault.Rounds() == 0 {
		return 0
	}
	return p.state.Round + 1
}

// View is what the officer of a seat knows, its ship in the focus.
func (p *Position) View(seat engine.Seat) (*engine.View, error) {
	if p.told.builder == nil {
		events, err := p.vault.RoundEvents(p.at)
		if err != nil {
			return nil, err
		}
		p.told = newViewCache(p.rules, p.state, events, p.vault.Rounds())
	}
	return p.told.view(p.state, seat)
}

// settledView is how things stand for the holder of a seat: all that orders are made
// of and looked at against. What happened is left out, and so need not be read.
func (p *Position) settledView(seat engine.Seat) (*engine.View, error) {
	return p.settled.view(p.state, seat)
}

// ViewAt is what the officer of a seat, named as FindSeat wants it, knew after a turn.
func ViewAt(g *vault.Game, turn int, seat string) (*engine.View, error) {
	return ViewStage(g, vault.Stage{Turn: turn}, seat)
}

// ViewStage is ViewAt for any stage of a game.
func ViewStage(g *vault.Game, at vault.Stage, seat string) (*engine.View, error) {
	p, err := loadAt(g, at)
	if err != nil {
		return nil, err
	}
	found, err := p.FindSeat(seat)
	if err != nil {
		return nil, err
	}
	return p.View(found)
}

// ViewOf is what the officer of a seat, named as FindSeat wants it, was told of a turn as a revision resolved it, whether that still counts or not.
func ViewOf(g *vault.Game, turn, revision int, seat string) (*engine.View, error) {
	state, err := g.StageState(vault.Stage{Turn: turn, Revision: revision})
	if err != nil {
		return nil, err
	}
	events, err := g.StageEvents(vault.Stage{Turn: turn, Revision: revision})
	if err != nil {
		return nil, err
	}
	p := Position{vault: g, rules: g.Rules(), state: state, told: newViewCache(g.Rules(), state, events, g.Rounds())}
	found, err := p.FindSeat(seat)
	if err != nil {
		return nil, err
	}
	return p.View(found)
}

// UnknownShipError is a name that no ship of the game has, or that of a post that its ships
// do not have.
type UnknownShipError struct {
	Game, Name string
	Post       bool
	Near       string   // the nearest name, or ""
	Known      []string // all names
}

// Error names game and ship.
func (e *UnknownShipError) Error() string {
	if e.Post {
		return fmt.Sprintf("the ships of game %s have no post %q", e.Game, e.Name)
	}
	return fmt.Sprintf("game %s has no ship %q", e.Game, e.Name)
}

// Hint gives the nearest name, or all.
func (e *UnknownShipError) Hint() string {
	if e.Near != "" {
		return fmt.Sprintf("did you mean %q?", e.Near)
	}
	if e.Post {
		return "the posts: " + strings.Join(e.Known, ", ")
	}
	return "its ships: " + strings.Join(e.Known, ", ")
}

// SeatOf is the ship that a head names, and the post on it that gives the orders; ok is
// false for the head of a captain's set, and for one that is for no seat.
func (p *Position) SeatOf(h orders.Head) (ship *engine.Ship, post string, ok bool) {
	if post = strings.ToLower(h.Kind); post == "ship" {
		post = ""
	}
	ship, _, ok = engine.FindShip(p.state.Ships, h.Name)
	return ship, post, ok && (post == "" || slices.Contains(p.rules.Language.Posts, post))
}

// SetNames are how the order sets are called that a captain gives: those of the seats that he
// holds, and of posts on his ships that are vacant or whose officers are relieved.
func (p *Position) SetNames(c vault.Captain) []string {
	if len(p.rules.Posts()) == 0 {
		return c.SetNames()
	}
	var out []string
	for _, s := range engine.Captained(p.state.Ships) {
		for _, seat := range p.rules.Seats(s) {
			if s.Holder(seat.Post) == c.Name {
				out = append(out, engine.OrderSetName(s.Name, seat.Post))
			}
		}
	}
	return out
}

// FindShip finds a ship by name, id or short name.
func (p *Position) FindShip(name string) (*engine.Ship, error) {
	ships := engine.Captained(p.state.Ships) // the others have no report
	s, near, ok := engine.FindShip(ships, name)
	if ok {
		return s, nil
	}
	e := &UnknownShipError{Game: p.state.ID, Name: name, Near: near}
	for _, s := range ships {
		e.Known = append(e.Known, s.Name)
	}
	return nil, e
}

// FindSeat finds a seat by the name, id or short name of its ship, with the post behind a
// slash or a point: "Hood", "Hood/engineer", "hood.engineer". The captain may be named as a
// post too. The error is an *UnknownShipError.
func (p *Position) FindSeat(name string) (engine.Seat, error) {
	at := strings.LastIndexAny(name, "/.")
	if at < 0 || len(p.rules.Posts()) == 0 {
		s, err := p.FindShip(name)
		if err != nil {
			return engine.Seat{}, err
		}
		return engine.Seat{Ship: s.ID}, nil
	}
	s, err := p.FindShip(name[:at])
	if err != nil {
		return engine.Seat{}, err
	}
	post, ok := p.rules.PostOf(name[at+1:])
	if !ok {
		known := append([]string{engine.AllPosts}, p.rules.Posts()...)
		return engine.Seat{}, &UnknownShipError{Game: p.state.ID, Name: name[at+1:], Post: true, Near: orders.Suggest(post, known), Known: known}
	}
	return engine.Seat{Ship: s.ID, Post: post}, nil
}

// Key is the key of a captain for the turn that is due.
func (p *Position) Key(captain engine.CaptainName) string { return Key(p.vault, p.next(), captain) }

// Key is the key of a captain for a turn, all rounds of it. It depends on how often his seat
// passed from hand to hand, so that who held it before does not know the keys
// of who holds it now.
func Key(g *vault.Game, turn int, captain engine.CaptainName) string {
	return KeyOf(g, turn, captain, g.Changes(captain))
}

// KeyOf is Key for a seat that passed from hand to hand so many times.
func KeyOf(g *vault.Game, turn int, captain engine.CaptainName, changes int) string {
	return auth.TurnKey(g.Secret(), g.ID(), turn, captain, changes)
}

// Template is the order template of a captain for the turn that is due, as his
// last report has it; withKey leaves the key in. It is "" when he owes nothing.
func (p *Position) Template(captain engine.CaptainName, withKey bool) (string, error) {
	for _, c := range p.state.Captains() {
		if c.Name != captain {
			continue
		}
		v, err := p.settledView(Flagship(p.state, c))
		if err != nil {
			return "", err
		}
		key := ""
		if withKey {
			key = p.Key(captain)
		}
		return report.Template(p.rules, v, key, p.settings.Mail.Teach), nil
	}
	return "", fmt.Errorf("game %s has no captain %q", p.state.ID, captain)
}

// SeatTemplate is the order template of one seat for the turn that is due, without a key;
// "" when it owes nothing.
func (p *Position) SeatTemplate(seat engine.Seat) (string, error) {
	s, ok := p.state.Ship(seat.Ship)
	if !ok || !p.rules.Commands(s) || p.Due() == 0 || !slices.Contains(p.rules.Owed(p.state), seat) {
		return "", nil
	}
	v, err := p.ordersView(s, seat)
	if err != nil {
		return "", err
	}
	own, _ := v.Ship(seat.Ship)
	return report.OrderBlock(v, own, seat.Post, "", report.Offered(p.rules, v, seat.Ship, p.settings.Mail.Teach)), nil
}

// ordersView is what who gives the orders of a seat on a ship knows as they are given.
func (p *Position) ordersView(s *engine.Ship, seat engine.Seat) (*engine.View, error) {
	if s.Holder(seat.Post) == s.Officer(seat.Post) {
		return p.settledView(seat)
	}
	v, err := p.settledView(engine.Seat{Ship: s.ID})
	if err != nil {
		return nil, err
	}
	return v.From(seat), nil
}

// Flagship is the seat in whose focus a captain's mail is: the first on a ship that still
// fights, else the first.
func Flagship(state *engine.Game, c engine.Captain) engine.Seat {
	for _, seat := range c.Seats {
		if s, ok := state.Ship(seat.Ship); ok && s.Status == engine.Active {
			return seat
		}
	}
	return c.Seats[0]
}

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
		s.Vacant, s.Covered = st.HasVacant(s.Captain), r.earlier.covers(p.rules, s, r.Round)
		r.Ships = append(r.Ships, s)
	}
	files, err := p.vault.StageOrders(p.DueStage())
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
	p.vault.Cache()["orders "+p.vault.OrdersPath(s.Name)] = inOrder{
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
			Hint:    "an order set has a few kilobytes; replace the file",
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
