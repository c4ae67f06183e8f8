package turn

import (
	"bytes"
	"fmt"

	"starpost/engine"
	"starpost/pbem/vault"
)

// Explain resolves a stored turn again, from the game before it, for what no file holds: what
// each event follows from. The events are those of the file; the error says why not, or why
// the turn cannot be resolved again.
func Explain(g *vault.Game, at vault.Stage, before *engine.Game) ([]engine.Event, error) {
	in, err := storedInputs(g, at)
	if err != nil {
		return nil, err
	}
	_, events, err := in.play(g, before, at.Round, nil)
	if err != nil {
		return nil, err
	}
	stored, err := g.StageFile(at, vault.EventsFile)
	if err != nil {
		return nil, err
	}
	again, err := engine.EncodeEvents(events)
	if err == nil && !bytes.Equal(stored, again) {
		err = fmt.Errorf("%s of %s comes out otherwise than it is stored: starpost verify tells more", at, g.ID())
	}
	return events, err
}
