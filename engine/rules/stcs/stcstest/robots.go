package stcstest

import (
	"errors"
	"fmt"

	"starpost/engine"
	"starpost/orders"
)

// ErrRobot is orders of a robot that are not in order.
var ErrRobot = errors.New("the robot's orders have mistakes")

// Robots gives what robots order for every ship that is due, and fails on orders that
// cannot be read, or that are refused on arrival.
func Robots(r *engine.Rules, g *engine.Game, events []engine.Event) ([]engine.Sheet, error) {
	var sheets []engine.Sheet
	for _, id := range g.Due() {
		v, err := engine.BuildView(r, g, events, viewer(g, id))
		if err != nil {
			return nil, fmt.Errorf("view of %s: %w", id, err)
		}
		block, err := read(r, v, id, r.Robot(v, id))
		if err != nil {
			return nil, err
		}
		sheets = append(sheets, engine.Sheet{Ship: id, Block: &block})
	}
	return sheets, nil
}

// read reads orders without head and end that must be in order.
func read(r *engine.Rules, v *engine.View, ship, text string) (orders.Block, error) {
	blocks, diags := orders.Parse([]byte(fmt.Sprintf("#orders %s turn %d ship %s\n%s\n#end\n", v.Game, v.Due, v.Name(ship), text)), r.Language)
	if len(blocks) == 1 {
		diags = append(diags, r.Check(v, ship, blocks[0]).Diagnostics...)
	}
	if len(blocks) != 1 || orders.HasErrors(diags) {
		return orders.Block{}, fmt.Errorf("%w: turn %d:\n%s\n%v", ErrRobot, v.Due, text, diags)
	}
	return blocks[0], nil
}

// viewer is the captain of a ship as one who looks.
func viewer(g *engine.Game, ship string) engine.Viewer {
	who := engine.Viewer{Focus: ship}
	if s, ok := g.Ship(ship); ok {
		who.Captain = s.Captain
	}
	for _, s := range g.Ships {
		if s.Captain == who.Captain {
			who.Ships = append(who.Ships, s.ID)
		}
	}
	return who
}
