package turn

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"starpost/engine"
	"starpost/engine/ruling"
	"starpost/engine/scenario"
	"starpost/pbem/fault"
	"starpost/pbem/vault"
)

// Every replay of a stage goes through inputs.play: resolving it when it is due, verifying it (package
// proof), changing it as a referee (Redo), and tracing causes (Explain). Its inputs come from orders/ or
// from the files of the stage.

// play resolves a stage from before, the game before the turn; for turn 0 that is the game set up from
// the scenario. told are the events already reported in earlier rounds of the turn.
func (in inputs) play(g *vault.Game, at vault.Stage, before *engine.Game, told []engine.Event) (*engine.Game, []engine.Event, error) {
	r := g.Rules()
	if at.Turn == 0 {
		if len(in.rulings) == 0 {
			return before, nil, nil
		}
		return ruling.Setup(r, before, in.rulings)
	}
	if len(in.draw) > 0 {
		if len(in.rulings) > 0 {
			return nil, nil, fault.New("to play it after all: "+g.CommandLine("referee", "rollback", before.Turn),
				"turn %d of %s was not played: its captains agreed on a draw", before.Turn+1, g.ID())
		}
		return engine.AgreeDraw(before, in.draw)
	}
	sheets, err := in.sheets(r, before)
	if err != nil {
		return nil, nil, &vault.Error{
			Path: g.Stages.Dir(vault.At(before.Turn + 1)), Problem: "the orders that are stored cannot be read: " + err.Error(), Err: vault.ErrDamaged,
			Way: "starpost verify tells whether they were altered; orders of another version of the rules need the program of that version",
		}
	}
	if r.Filing != nil {
		if r, err = r.Filed(before, in.filed); err != nil {
			return nil, nil, err
		}
	}
	upto := cmp.Or(at.Round, r.Rounds())
	r = ruling.Upon(r, in.rulings)
	if in.causes != nil {
		r = r.Tracing(in.causes)
	}
	return engine.ResolveRounds(r, before, sheets, engine.RoundLimit{Upto: upto, Told: told, Beacons: in.beacons.Dice()}, g.Secret())
}

// PlayAgain plays a committed turn or round again, from the game before its turn and the stage's manifest
// and files. It builds the set-up again from the scenario. Nothing is written.
func PlayAgain(g *vault.Game, at vault.Stage, stored vault.Audit, before *engine.Game) (*engine.Game, []engine.Event, error) {
	in, err := inputsOf(stored.Manifest, stored.Files)
	if err != nil {
		return nil, nil, err
	}
	if at.Turn == 0 {
		is := struct{ Format int }{engine.Format}
		if err := json.Unmarshal(stored.Files[vault.StateFile], &is); err != nil || is.Format < 1 || is.Format > engine.Format {
			is.Format = engine.Format // others report that the file is damaged
		}
		if before, err = setUpFrom(g, stored.Base["scenario.toml"], is.Format); err != nil {
			return nil, nil, err
		}
	}
	return in.play(g, at, before, nil)
}

// Explain resolves a stored turn again, from the game before it, to find what no file holds: the causes
// of each event in the file. It returns an error if the turn cannot be resolved again, or if the result
// differs.
func Explain(g *vault.Game, at vault.Stage, before *engine.Game) (causes engine.Causes, err error) {
	in, err := storedInputs(g, at)
	if err != nil {
		return nil, err
	}
	in.causes = &causes
	_, events, err := in.play(g, at, before, nil)
	if err != nil {
		return nil, err
	}
	stored, err := g.Stages.File(at, vault.EventsFile)
	if err != nil {
		return nil, err
	}
	again, err := engine.EncodeEvents(events)
	if err == nil && !bytes.Equal(stored, again) {
		err = fmt.Errorf("%s of %s differs from what is stored: see starpost verify", at, g.ID())
	}
	return causes, err
}

// setUp builds the first state of a game again from its scenario.
func setUp(g *vault.Game) (*engine.Game, error) {
	data, err := g.Scenario()
	if err != nil {
		return nil, err
	}
	was, err := g.Stages.State(vault.At(0))
	if err != nil {
		return nil, err
	}
	return setUpFrom(g, data, was.Format)
}

// setUpFrom builds the first state of a game from a scenario, in the given state format.
func setUpFrom(g *vault.Game, text []byte, format int) (*engine.Game, error) {
	sc, diags := scenario.Parse(text)
	if sc == nil {
		return nil, fmt.Errorf("scenario.toml:%s", diags[0])
	}
	byShip := map[string]engine.CaptainName{}
	for _, c := range g.Settings().Captains {
		for _, name := range c.SetNames() {
			byShip[name] = c.Name
		}
	}
	state, diags := sc.Drawn(g.Secret(), g.ID()).NewGame(g.Rules(), g.ID(), byShip)
	if state == nil {
		return nil, fmt.Errorf("scenario.toml:%s", diags[0])
	}
	state.Format = format
	return state, nil
}
