package turn

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/vault"
)

// A game may take its turns in rounds: each exchange of mails resolves a part of
// the turn, from the state after the turn before and the sets of all its rounds so
// far. The rule set says which part; here rounds are counted, no more.

// headWords is how the head of an order set names a stage.
func headWords(at vault.Stage) string {
	if at.Round == 0 {
		return fmt.Sprintf("turn %d", at.Turn)
	}
	return fmt.Sprintf("turn %d phase %d", at.Turn, at.Round)
}

// roundOf is the round that a set is for: its first, if the head names none.
func (p *Position) roundOf(h orders.Head) int {
	if p.vault.Rounds() == 0 {
		return 0
	}
	return max(h.Phase, 1)
}

// ahead tells whether a set is for a later turn or round than the one that is due.
func (p *Position) ahead(s Set) bool {
	due := p.Due()
	return s.Turn > due || s.Turn == due && s.Round > p.round()
}

// checkPhase looks at the phase of a head.
func (p *Position) checkPhase(h orders.Head, say sayFunc) {
	rounds, due, round := p.vault.Rounds(), p.Due(), p.round()
	at := p.roundOf(h)
	switch {
	case rounds == 0 && h.Phase > 0:
		say(h.PhasePos, orders.Warning, CodeNoPhase, "leave out phase", "this game takes orders for a whole turn at a time; phase %d is passed over", h.Phase)
	case rounds == 0:
	case at > rounds:
		say(h.PhasePos, orders.Error, CodeOtherPhase, fmt.Sprintf("1 to %d", rounds), "a turn has no phase %d", h.Phase)
	case h.Turn != due:
	case at < round && h.Phase == 0:
		say(h.TurnPos, orders.Error, CodePastTurn, "write "+headWords(p.DueStage()), "without a phase these orders are for phase 1 of turn %d, which is already resolved; phase %d is due", due, round)
	case at < round:
		say(h.PhasePos, orders.Error, CodePastTurn, "write "+headWords(p.DueStage()), "phase %d of turn %d is already resolved; phase %d is due", at, due, round)
	case at > round:
		say(h.PhasePos, orders.Warning, CodeLaterTurn, "", "these orders are for phase %d of turn %d; phase %d is due. They are kept and looked at again when their time comes", at, due, round)
	}
}

// votes are those for a draw that count in a turn. Where a turn has rounds they may
// have come too late for the one before.
func votes(st vault.AdminState, turn, round int) map[string]string {
	if round == 0 {
		return st.Votes[turn]
	}
	all := maps.Clone(st.Votes[turn-1])
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, st.Votes[turn])
	return all
}

// roundDir is where the sets of a round lie in the directory of a turn: those of
// the first where those of a turn that has no rounds do.
func roundDir(round int) string {
	if round < 2 {
		return vault.OrdersDir
	}
	return vault.OrdersDir + "/p" + strconv.Itoa(round)
}

// OrdersIn is where, in the directory of a turn, the sets of one of its rounds lie; of
// a turn without rounds it is 0.
func OrdersIn(round int) string { return roundDir(round) }

// dirRound is the round whose sets lie in a directory; 0 for another directory.
func dirRound(dir string) int {
	if dir == vault.OrdersDir {
		return 1
	}
	n, err := strconv.Atoi(strings.TrimPrefix(dir, vault.OrdersDir+"/p"))
	if err != nil || n < 2 || roundDir(n) != dir {
		return 0
	}
	return n
}

// earlier are the inputs of the rounds of the turn in progress that were played.
func (p *Position) earlier() (inputs, error) {
	if p.at.Round == 0 {
		return inputs{}, nil
	}
	m, err := p.vault.StageManifest(p.at)
	if err != nil {
		return inputs{}, err
	}
	in := inputs{missing: m.Missing, silent: m.Silent}
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		if dirRound(path.Dir(name)) == 0 {
			continue
		}
		data, err := p.vault.StageFile(p.at, name)
		if err != nil {
			return inputs{}, err
		}
		in.texts = append(in.texts, vault.File{Name: name, Data: data})
	}
	return in, nil
}

// covers tells whether a set of an earlier round says what a ship does in this one. It
// must be its captain's: a robot that stood in for him looks again.
func (in inputs) covers(r *engine.Rules, ship *engine.Ship, round int) bool {
	if round < 2 || r.Covers == nil {
		return false
	}
	for _, f := range in.texts {
		if path.Base(f.Name) != ship.Name+".txt" {
			continue
		}
		missing := in.missing
		if n := dirRound(path.Dir(f.Name)); n > 1 {
			missing = in.silent[n]
		}
		if missing[ship.ID] == vault.Robot {
			continue
		}
		if b, err := readSet(f, r.Language); err == nil && r.Covers(b, round) {
			return true
		}
	}
	return false
}

// before is the game that the turn which is due is played from.
func (p *Position) before() (*engine.Game, error) {
	if p.at.Round == 0 {
		return p.state, nil
	}
	return p.vault.State(p.at.Turn - 1)
}

// upto are the inputs of a turn as far as a round.
func (in inputs) upto(round int) inputs {
	out := in
	out.texts = slices.DeleteFunc(slices.Clone(in.texts), func(f vault.File) bool { return dirRound(path.Dir(f.Name)) > round })
	out.silent = maps.Clone(in.silent)
	maps.DeleteFunc(out.silent, func(n int, _ map[string]string) bool { return n > round })
	return out
}

// resolveRound plays the turn as far as the round that is due. Where nobody is left
// to give orders it is played to its end.
func (p *Position) resolveRound(in inputs, before *engine.Game) (*engine.Game, []engine.Event, error) {
	var told []engine.Event
	if p.at.Round > 0 {
		var err error
		if told, err = p.vault.StageEvents(p.at); err != nil {
			return nil, nil, err
		}
	}
	round := p.round()
	sheets, err := in.sheets(p.rules, before, round)
	if err != nil {
		return nil, nil, err
	}
	state, events, err := engine.ResolveRounds(p.rules, before, sheets, engine.Cut{Upto: round, Told: told}, p.vault.Secret())
	if err != nil || state.Round == 0 || len(state.Due()) > 0 {
		return state, events, err
	}
	return engine.ResolveRounds(p.rules, before, sheets, engine.Cut{Upto: p.rules.Rounds(), Told: events}, p.vault.Secret())
}

// dueAfter is the turn that is due after a state.
func dueAfter(state *engine.Game) int {
	if state.Round > 0 {
		return state.Turn
	}
	return state.Turn + 1
}

// mark is how the mails of what is reported are named.
func (p *turnWriter) mark() string {
	if p.named == "" {
		return p.stage().Slug()
	}
	return p.named
}

// stage is what is reported.
func (p *turnWriter) stage() vault.Stage {
	return vault.Stage{Turn: p.state.Turn, Round: p.state.Round}
}

// inRounds finds out what the report of a stage needs to know of the rounds before
// it. The stage itself need not be there yet.
func (p *turnWriter) inRounds(g *vault.Game) error {
	if p.rounds = g.Rounds(); p.rounds == 0 || p.state.Turn == 0 {
		return nil
	}
	stages, err := g.Stages(p.state.Turn)
	if err != nil {
		return err
	}
	p.named = g.RoundMark(p.stage())
	for _, at := range stages {
		if at.Round == 0 || p.state.Round > 0 && at.Round >= p.state.Round {
			continue
		}
		p.thread = append(p.thread, g.RoundMark(at))
		if at.Round == p.state.Round-1 {
			told, err := g.StageEvents(at)
			if err != nil {
				return err
			}
			if p.told = len(told); p.told > len(p.events) && p.events != nil {
				return fmt.Errorf("report of %s: %w: events were told that did not happen", p.stage(), engine.ErrInvariant)
			}
		}
	}
	return nil
}

// upperFirst makes the first letter a capital.
func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// cadence is what one exchange of mails of a new game resolves: what is wished, or
// else what the scenario suggests. "" is a turn.
func cadence(wished string, sc *engine.Scenario, r *engine.Rules) (string, error) {
	c, where := wished, "--cadence"
	if c == "" {
		c, where = sc.Cadence, "scenario.toml"
	}
	if c == vault.CadencePhase && r.Rounds() < 2 {
		return "", &vault.Error{
			Path: where, Problem: fmt.Sprintf("the turns of rule set %s cannot be cut into phases", r.Name),
			Way: fmt.Sprintf("cadence %q", vault.CadenceTurn), Err: vault.ErrSettings,
		}
	}
	return c, nil
}
