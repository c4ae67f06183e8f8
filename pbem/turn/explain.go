package turn

import (
	"bytes"
	"fmt"

	"starpost/engine"
	"starpost/pbem/vault"
)

// Explain resolves a stored turn again, from the game before it, for what no file holds: what
// each event of the file follows from. The error says why the turn cannot be resolved again, or
// that it comes out otherwise.
func Explain(g *vault.Game, at vault.Stage, before *engine.Game) (causes engine.Causes, err error) {
	in, err := storedInputs(g, at)
	if err != nil {
		return nil, err
	}
	in.causes = &causes
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
	return causes, err
}
