package desk

import (
	"fmt"
	"maps"

	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Ways remembers which plotted ways were on the maps of answers, so that the next answer
// needs no map on which nothing has changed. All of it may be lost: then a map is drawn
// once more. It is used by one goroutine at a time; the zero value is ready.
type Ways struct {
	drawn map[string]drawnWay // by game and ship
}

// drawnWay is a way as it was on the map of an answer.
type drawnWay struct {
	way  string // with all that the rest of the map depends on
	mail string // the mail that was answered
}

// wayOf is where the way of a set is remembered, and as what.
func wayOf(s *orderResult) (key, way string) {
	return s.game.ID() + "\x00" + s.set.Seat().String(), vault.Hash(fmt.Append(nil, s.game.Newest(), turn.StageOf(s.set), s.set.Checked.Path))
}

// known tells whether the answer to another mail had the way on its map.
func (w *Ways) known(key, way, mail string) bool {
	if w == nil {
		return false
	}
	was := w.drawn[key]
	return was.way == way && was.mail != mail
}

// note remembers the ways on the maps of an answer.
func (w *Ways) note(ways map[string]drawnWay) {
	if w == nil {
		return
	}
	if w.drawn == nil {
		w.drawn = map[string]drawnWay{}
	}
	maps.Copy(w.drawn, ways)
}
