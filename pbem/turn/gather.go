package turn

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// gather collects the sets in force and applies the policy for the missing ones.
func (p *Position) gather(ready Readiness, policyOf func(engine.Seat) string) (inputs, error) {
	in := ready.earlier
	in.taken, in.read, in.texts = map[string]string{}, map[string]orders.Block{}, slices.Clone(in.texts)
	missing := map[engine.Seat]string{}
	if ready.Round < 2 {
		in.missing = missing
	} else {
		in.silent = maps.Clone(in.silent)
		if in.silent == nil {
			in.silent = map[int]map[engine.Seat]string{}
		}
		in.silent[ready.Round] = missing
	}
	canonical := map[string]bool{}
	for _, f := range ready.taken {
		in.taken[path.Base(f.File)] = vault.Hash(f.Text)
		canonical[string(f.Text)] = true
	}
	add := func(name, text string, b *orders.Block) {
		file := OrdersIn(ready.Round) + "/" + name + ".txt"
		in.texts = append(in.texts, vault.File{Name: file, Data: []byte(text)})
		if canonical[text] && b != nil {
			in.read[file] = *b
		}
	}
	for _, s := range ready.Ships {
		policy := policyOf(s.Seat)
		switch {
		case s.In:
			add(s.Name, s.Set.Text, &s.Set.Block)
		case policy == vault.PolicyRobot && !s.Covered || s.Vacant && p.rules.Robot != nil:
			text, err := p.robot(s.Seat)
			if err != nil {
				return inputs{}, err
			}
			add(s.Name, text, nil)
			missing[s.Seat] = vault.PolicyRobot
		case s.Covered:
			missing[s.Seat] = ""
		case s.Vacant:
			missing[s.Seat] = vault.PolicyStanding
		default:
			missing[s.Seat] = policy
		}
	}
	if err := p.unasked(ready, policyOf, add); err != nil {
		return inputs{}, err
	}
	for _, c := range ready.captains {
		add(c.set.Name, c.set.Text, &c.set.Block)
	}
	slices.SortFunc(in.texts, func(a, b vault.File) int { return strings.Compare(a.Name, b.Name) })
	return in, nil
}

// unasked adds the robot's orders for crippled ships that it commands, which owe no orders: those
// of vacant seats, and those of captains without an address for whom it gave orders when they were
// crippled.
func (p *Position) unasked(ready Readiness, policyOf func(engine.Seat) string, add func(name, text string, b *orders.Block)) error {
	st, err := p.vault.AdminState()
	if err != nil {
		return err
	}
	for _, s := range p.state.Ships {
		seat := engine.Seat{Ship: s.ID}
		if s.Status == engine.Active || !p.rules.Commands(s) || p.rules.Robot == nil || slices.ContainsFunc(ready.Ships, func(o ShipState) bool { return o.Seat == seat }) {
			continue
		}
		if !st.HasVacant(s.Captain) {
			if c, _ := p.vault.Settings().Captain(s.Captain); c.Address != "" || policyOf(seat) != vault.PolicyRobot {
				continue
			}
			missing := ready.earlier.missing
			if s.OutTurn < ready.Due {
				m, err := p.vault.Stages.Manifest(vault.At(s.OutTurn))
				if err != nil {
					return err
				}
				missing = m.Missing
			}
			if missing[seat] != vault.PolicyRobot {
				continue
			}
		}
		text, err := p.robot(seat)
		if err != nil {
			return err
		}
		if text != "" {
			add(s.Name, text, nil)
		}
	}
	return nil
}

// Robot makes the rule set write the orders of a ship, from what its captain may know: the
// canonical text of a whole set. It is blank if the robot has no orders for a ship that owes none.
func (p *Position) Robot(ship engine.ShipID) (string, error) {
	return p.robot(engine.Seat{Ship: ship})
}

func (p *Position) robot(seat engine.Seat) (string, error) {
	v, err := p.settledView(seat)
	if err != nil {
		return "", err
	}
	s, ok := v.Ship(seat.Ship)
	if !ok {
		return "", fmt.Errorf("robot of %s: %w: the captain does not see his own ship %s", p.state.ID, engine.ErrInvariant, seat)
	}
	set := p.rules.Robot(v, seat.Ship)
	if len(set) == 0 && s.Status != engine.Active {
		return "", nil
	}
	reading := p.reading
	p.reading = true // so that the robot's orders can be requested even if the orders are closed
	read := p.Check([]byte(report.OrderBlock(v, s, seat.Post, "", set)))
	p.reading = reading
	if len(read.Sets) != 1 || !read.Sets[0].OK() {
		why := "no set"
		if len(read.Diagnostics) > 0 {
			why = read.Diagnostics[0].String()
		}
		return "", fmt.Errorf("robot of %s: %w: its orders for %s are not valid: %s", p.state.ID, engine.ErrInvariant, seat, why)
	}
	return read.Sets[0].Text, nil
}

// draw returns the inputs that end the game in the draw that its captains agreed on. The sets in
// orders/ are used up.
func (p *Position) draw(ready Readiness) (inputs, error) {
	in := inputs{taken: map[string]string{}, draw: ready.Draw}
	files, err := p.vault.Orders.For(vault.At(ready.Due))
	for _, f := range files {
		if !f.TooLarge && !f.Ahead {
			in.taken[path.Base(f.File)] = vault.Hash(f.Text)
		}
	}
	return in, err
}
