package turn

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/orders"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
)

// A game with the cadence break is played in rounds. A round after which nothing happened that a
// captain wants to be asked about is quiet: it has reports but no mails, and the next round is
// played at once with orders sent ahead and standing orders.

// untilBreak says how long a game goes on by itself, and what a captain is asked at.
func untilBreak(m vault.MailSettings, kinds orderset.Breaks) string {
	if m.StretchAlways {
		return fmt.Sprintf("This game asks for orders after every %s; in between it uses what you sent ahead and your standing orders.", report.Count(m.MostRounds(), "phase"))
	}
	return fmt.Sprintf("This game uses what you sent ahead and your standing orders until something happens, for at most %s. You are asked for orders at: %s. To change that: break on contact hit, or another form that help break lists.",
		report.Count(m.MostRounds(), "phase"), kinds)
}

// stretch is how far a game has come without mails since the captains were last asked.
type stretch struct {
	quiet []vault.Stage // the quiet stages, the first first
	// asked is the stage of the last mails.
	asked vault.Stage
}

// stretchOf looks back from the newest stage of a game.
func stretchOf(g *vault.Game) (stretch, error) {
	var out stretch
	for turn := g.Newest().Turn; turn >= 0; turn-- {
		stages, err := g.Stages.Of(turn)
		if err != nil {
			return out, err
		}
		for _, at := range slices.Backward(stages) {
			m, err := g.Stages.Manifest(at)
			if err != nil {
				return out, err
			}
			if !m.Quiet {
				slices.Reverse(out.quiet)
				out.asked = at
				return out, nil
			}
			out.quiet = append(out.quiet, at)
		}
	}
	return out, fmt.Errorf("stretch of %s: %w: no stage has mails", g.ID(), vault.ErrDamaged)
}

// GoesOn reports whether the due stage is played without new orders, because nothing happened in
// the last one that a captain wants to be asked about.
func (p *Position) GoesOn() bool { return p.goesOn && p.Due() > 0 }

// onward returns the options for a stage that is played without asking: orders sent ahead and
// standing orders are used, and robots give the orders of the seats that they always play.
func (p *Position) onward(o Options) Options {
	of := maps.Clone(o.MissingOf)
	if of == nil {
		of = map[engine.Seat]string{}
	}
	for _, seat := range p.rules.Owed(p.state) {
		s, _ := p.state.Ship(seat.Ship)
		if c, _ := p.settings.Captain(s.Holder(seat.Post)); of[seat] == "" && p.robotic(c) {
			of[seat] = vault.PolicyRobot
		}
	}
	o.Missing, o.MissingOf = vault.PolicyStanding, of
	return o
}

// robotic reports whether a robot gives a captain's orders, so that the captain is not asked.
func (p *Position) robotic(c vault.Captain) bool {
	return c.Address == "" && p.rules.Robot != nil && (c.Robot || p.settings.Mail.Missing == vault.PolicyRobot)
}

// breaker decides whether captains are asked after a stage.
type breaker struct {
	position *Position
	stretch  stretch
	sets     []seatSet                       // orders that ships may have reached the goal of
	kinds    map[engine.CaptainName][]string // the breaks that captains asked for, by captain
	why      map[engine.CaptainName][]string // each captain's own reasons for the stop
	before   []passedStage                   // the unreported stages, set when the game stops
}

// seatSet is an order set for a seat, and the captain who holds it.
type seatSet struct {
	seat    engine.Seat
	captain engine.CaptainName
	set     orders.Block
}

// breaks prepares the check for breaks after the due stage. It returns nil for games without
// breaks.
func (p *Position) breaks(in inputs) (*breaker, error) {
	if p.settings.Cadence != vault.CadenceBreak {
		return nil, nil
	}
	b := &breaker{position: p, kinds: maps.Clone(p.kinds), why: map[engine.CaptainName][]string{}}
	if b.kinds == nil {
		b.kinds = map[engine.CaptainName][]string{}
	}
	var err error
	if b.stretch, err = stretchOf(p.vault); err != nil {
		return nil, err
	}
	if err := b.readOrders(in, p.next()); err != nil {
		return nil, err
	}
	// Standing orders continue what was ordered in an earlier turn of the stretch.
	for n := p.next() - 1; len(b.stretch.quiet) > 0 && n >= b.stretch.quiet[0].Turn; n-- {
		earlier, err := storedInputs(p.vault, vault.At(n))
		if err != nil {
			return nil, err
		}
		if err := b.readOrders(earlier, n); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// readOrders reads the sets of a turn, newest turns first. What the sets of the due stage say about
// breaks counts from now on, and each seat goes where its newest turn with orders sends it.
func (b *breaker) readOrders(in inputs, turn int) error {
	p, heard := b.position, len(b.sets)
	for _, f := range in.texts {
		set, err := readSet(f, p.rules.Language)
		if err != nil {
			return err
		}
		captain, now := engine.CaptainName(""), turn == p.next() && RoundIn(path.Dir(f.Name)) == max(p.round(), 1)
		if set.Head.Kind == "captain" {
			c, _ := p.settings.CaptainOf("@" + set.Head.Name)
			captain = c.Name
		} else if s, _, ok := engine.FindShip(p.state.Ships, set.Head.Name); ok {
			seat := engine.Seat{Ship: s.ID, Post: strings.TrimPrefix(set.Head.Kind, "ship")}
			captain = s.Holder(seat.Post)
			if !slices.ContainsFunc(b.sets[:heard], func(o seatSet) bool { return o.seat == seat }) {
				b.sets = append(b.sets, seatSet{seat, captain, set})
			}
		}
		for _, st := range engine.TurnLevelStatements(&set, "break") {
			if then, problem, _ := breaksOf(b.kinds, captain).After(st); now && problem == "" {
				b.kinds[captain] = then
			}
		}
	}
	return nil
}

// quiet reports whether no captain is asked after the stage with the given state and events.
func (b *breaker) quiet(after *engine.Game, events []engine.Event) (bool, error) {
	p := b.position
	admin, err := p.vault.AdminState()
	if err != nil {
		return false, err
	}
	if p.at.Round > 0 { // the events of earlier rounds were checked then
		told, err := p.vault.Stages.Events(p.at)
		if err != nil {
			return false, err
		}
		events = events[min(len(told), len(events)):]
	}
	was := engine.NewViewBuilder(p.rules, p.state, nil)
	is := engine.NewViewBuilder(p.rules, after, events)
	for _, c := range p.state.Captains() {
		settings, _ := p.settings.Captain(c.Name)
		if admin.HasVacant(c.Name) || p.robotic(settings) {
			continue
		}
		who, err := p.rules.SeatViewer(p.state, Flagship(p.state, c))
		if err != nil {
			return false, err
		}
		before, err := was.View(who)
		if err != nil {
			return false, err
		}
		now, err := is.View(who)
		if err != nil {
			return false, err
		}
		b.look(c.Name, before, now)
	}
	n := len(b.stretch.quiet) + 1
	switch {
	case after.Result != nil:
		return false, nil
	case p.settings.Mail.StretchAlways:
		return n < p.settings.Mail.MostRounds(), nil
	}
	return len(b.why) == 0 && n < p.settings.Mail.MostRounds(), nil
}

// look finds a captain's reasons in the views before and after the stage.
func (b *breaker) look(captain engine.CaptainName, before, now *engine.View) {
	kinds := breaksOf(b.kinds, captain)
	for _, f := range append(b.position.rules.Breaks(before, now), b.arrivals(captain, before, now)...) {
		if slices.Contains(kinds, f.Kind) && !slices.Contains(b.why[captain], f.Text) {
			b.why[captain] = append(b.why[captain], f.Text)
		}
	}
	if n := kinds.Near(); n > 0 {
		if name, at := nearest(now); at <= n {
			if _, was := nearest(before); was > n {
				b.why[captain] = append(b.why[captain], fmt.Sprintf("%s is within %d", name, n))
			}
		}
	}
}

// nearest returns the ship of another side that is nearest to an own one, as far as the captain
// knows where she is.
func nearest(v *engine.View) (name string, away int) {
	away = orderset.MaxBreakRange + 1
	for _, s := range v.Ships {
		for _, o := range v.Ships {
			if !s.Own || o.Own || o.Side == s.Side || s.Hex == nil || o.Hex == nil || s.Status != engine.Active || o.Status != engine.Active || o.Sight == engine.Lost || o.Kind != engine.KindShip {
				continue
			}
			if d := hex.Distance(*s.Hex, *o.Hex); d < away {
				name, away = o.Name, d
			}
		}
	}
	return name, away
}

// arrivals returns a break for each own ship that has arrived where an order sends her: at the hex
// of `course HEX`, or as near as `pursue SHIP to RANGE` says.
func (b *breaker) arrivals(captain engine.CaptainName, before, now *engine.View) []engine.Break {
	var out []engine.Break
	for _, o := range b.sets {
		was, _ := before.Ship(o.seat.Ship)
		is, _ := now.Ship(o.seat.Ship)
		if o.captain != captain || was == nil || is == nil || was.Hex == nil || is.Hex == nil || *was.Hex == *is.Hex {
			continue
		}
		for _, g := range o.set.Groups {
			for _, st := range g.Statements {
				if text, ok := arrival(st, before, now, *was.Hex, *is.Hex); ok {
					out = append(out, engine.Break{Kind: engine.BreakArrived, Text: is.Name + " " + text})
				}
			}
		}
	}
	return out
}

// arrival reports whether an order to go somewhere is fulfilled now and was not before.
func arrival(st orders.Statement, before, now *engine.View, was, is hex.Hex) (string, bool) {
	switch st.Verb {
	case "course":
		to, _ := st.Arg("HEX")
		at, err := hex.ParseLabel(to.Text)
		return "is at " + to.Text, err == nil && at == is
	case "pursue":
		whom, _ := st.Arg("SHIP")
		near, ok := st.Arg("RANGE")
		if !ok {
			return "", false
		}
		t, o := called(now, whom.Text), called(before, whom.Text)
		if t == nil || o == nil || t.Hex == nil || o.Hex == nil {
			return "", false
		}
		return fmt.Sprintf("is within %d of %s", near.Num, t.Name), hex.Distance(is, *t.Hex) <= near.Num && hex.Distance(was, *o.Hex) > near.Num
	}
	return "", false
}

// called returns the ship of a view with a name; nil for none.
func called(v *engine.View, name string) *engine.ShipView {
	for _, s := range v.Ships {
		if strings.EqualFold(s.Name, name) || strings.EqualFold(string(s.ID), name) {
			return s
		}
	}
	return nil
}

// reasons tells a captain why they are asked now. No captain is told that play stopped for another.
func (b *breaker) reasons(captain engine.CaptainName) []string {
	first := fmt.Sprintf("Play has stopped after %s.", report.Count(len(b.stretch.quiet)+1, "phase"))
	if why := b.why[captain]; len(why) > 0 {
		first = fmt.Sprintf("Play has stopped after %s: %s.", report.Count(len(b.stretch.quiet)+1, "phase"), strings.Join(why, "; "))
	}
	return []string{first, untilBreak(b.position.settings.Mail, breaksOf(b.kinds, captain))}
}

// passedStage is a stage whose reports were not mailed.
type passedStage struct {
	at      vault.Stage
	state   *engine.Game
	builder *engine.ViewBuilder // of its own events only
}

// readPassed reads the stages played since the last mails, for the report of a stage. The report of
// a whole turn covers its own rounds anyway. Missing orders are left out, because none were asked
// for.
func (b *breaker) readPassed(reported vault.Stage) error {
	g := b.position.vault
	for _, at := range b.stretch.quiet {
		if reported.Round == 0 && at.Turn == reported.Turn {
			continue
		}
		state, err := g.Stages.State(at)
		if err != nil {
			return err
		}
		events, err := g.Stages.Events(at)
		if err != nil {
			return err
		}
		if before := b.earlier(at); before != (vault.Stage{}) {
			told, err := g.Stages.Events(before)
			if err != nil {
				return err
			}
			events = events[min(len(told), len(events)):]
		}
		events = slices.DeleteFunc(slices.Clone(events), func(e engine.Event) bool { _, absent := e.Body.(*engine.Absent); return absent })
		b.before = append(b.before, passedStage{at, state, engine.NewViewBuilder(b.position.rules, state, events).InRounds(g.Rounds())})
	}
	return nil
}

// passed returns what happened in the stages of readPassed, as a seat saw it.
func (b *breaker) passed(seat engine.Seat) ([]templates.Phase, error) {
	var out []templates.Phase
	for _, p := range b.before {
		who, err := b.position.rules.SeatViewer(p.state, seat)
		if err != nil {
			return nil, err
		}
		v, err := p.builder.View(who)
		if err != nil {
			return nil, err
		}
		for _, phase := range report.Told(b.position.rules, v) {
			for i := range phase.Lines {
				phase.Lines[i].N = 0 // numbers belong to the report that follows
			}
			phase.Title = report.UpperFirst(vault.At(p.at.Turn).String()) + ", " + lowerFirst(phase.Title)
			out = append(out, phase)
		}
	}
	return out, nil
}

// earlier returns the round of a turn before one of its stages; zero for its first.
func (b *breaker) earlier(at vault.Stage) vault.Stage {
	stages := append([]vault.Stage{b.stretch.asked}, b.stretch.quiet...)
	i := slices.Index(stages, at)
	if i < 1 || stages[i-1].Turn != at.Turn {
		return vault.Stage{}
	}
	return stages[i-1]
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
