package fasatest

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
)

// strain checks the cost of a maneuver (stcs 8.2 to 8.4, 13.1, 13.2).
func (w *walk) strain(e engine.Event, b *ship.Strain) error {
	_, sys, err := w.of(b.Ship)
	if err != nil {
		return err
	}
	eased := 0
	if b.Why == "emergency heading change" && w.eased == key(b.Ship, e.Phase) {
		eased, w.eased = 1, ""
	}
	structure, each, most := 0, 0, -1 // of the superstructure; of each warp engine; maximum number of engines
	switch b.Why {
	case "evasive action":
		structure, most = 1, 0
	case "tactical heading change":
		structure, each = 1, 1
	case "emergency heading change":
		if each = 1; !sys.Has("hull") {
			most = 1 // chosen by the captain
			break
		}
		engines, inside, two := strings.Cut(sys.Helm().Stress, "/")
		if !two {
			inside = engines
		}
		each += w.lib.StressAt(engines, max(0, sys.Helm().Warp-eased))
		structure = w.lib.StressAt(inside, max(0, sys.Helm().Warp-eased))
	default:
		return fmt.Errorf("%s: a strain of %q", b.Ship, b.Why)
	}
	if change(b.Superstructure) != structure {
		return fmt.Errorf("%s, %s: %d of the superstructure, not %d", b.Ship, b.Why, change(b.Superstructure), structure)
	}
	running := 0
	for _, e := range sys.Engines() {
		running += one(e.Warp && e.Now > 0)
	}
	if most >= 0 {
		running = min(running, most)
	}
	if len(b.Engines) != running {
		return fmt.Errorf("%s, %s: %d engines, not %d", b.Ship, b.Why, len(b.Engines), running)
	}
	for i, c := range b.Engines {
		e := engineOf(sys, c.Engine)
		if e == nil || !e.Warp || c.Before != e.Now || c.Before-c.After != min(each, e.Now)-one(i == 0)*eased {
			return fmt.Errorf("%s, %s: %s goes from %d to %d, %d each", b.Ship, b.Why, c.Engine, c.Before, c.After, each)
		}
	}
	return nil
}
