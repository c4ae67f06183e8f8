package turn

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/beacon"
	"starpost/pbem/vault"
)

// A game with public dice takes a turn in two steps. Close fixes all that the turn is played with and names a round
// of the beacon that does not exist yet; Resolve plays it when that round is there. Between the two nothing of the
// turn can change, so that no one, the host included, has a choice left when the dice are known.

// NotClosedError says that a turn with public dice was not closed yet.
type NotClosedError struct{ Stage vault.Stage }

// Error implements error.
func (e *NotClosedError) Error() string {
	return fmt.Sprintf("the orders of %s are not closed, and its dice come from a beacon after that", e.Stage)
}

// NoBeaconError says that a turn is closed and waits for its beacon.
type NoBeaconError struct {
	Game   string
	Stage  vault.Stage
	Closed vault.Closed
	Chain  beacon.Chain
}

// Error implements error.
func (e *NoBeaconError) Error() string {
	return fmt.Sprintf("%s of %s is closed, and waits for its dice: round %d of the beacon %.8s", e.Stage, e.Game, e.Closed.Round, e.Chain.Hash)
}

// Hint is the way out.
func (e *NoBeaconError) Hint() string {
	return fmt.Sprintf("it is there from %s, at any relay of the chain below %s; save the answer and give it with --beacon FILE",
		e.Chain.TimeOf(e.Closed.Round).UTC().Format(time.RFC3339), e.Chain.Path(e.Closed.Round))
}

// Close closes the orders of the stage that is due, of a game with public dice: what it is played with is put aside,
// with what the policies of the options say for seats without orders, and the journal has its hash and the round of the
// beacon. Where the orders are closed already it gives that closing, and nil where the captains agreed on a draw.
// Refusals are those of [Resolve].
func Close(g *vault.Game, by string, o Options) (c *vault.Closing, err error) {
	if err := g.Lock(); err != nil {
		return nil, err
	}
	defer g.Release(&err)
	if c, err = g.Closing(); c != nil || err != nil {
		return c, err
	}
	p, err := resolvable(g, o)
	if err != nil {
		return nil, err
	}
	chain, err := p.chain()
	if err != nil {
		return nil, err
	}
	ready, o, err := p.wanted(o)
	if err != nil {
		return nil, err
	}
	if len(ready.Draw) > 0 { // no dice are thrown
		return nil, nil
	}
	in, err := p.gather(ready, o.policyOf)
	if err != nil {
		return nil, err
	}
	files, err := in.files()
	if err != nil {
		return nil, err
	}
	closing := vault.Closing{
		Closed: vault.Closed{At: o.Now.UTC().Truncate(time.Second), By: by}, Missing: in.missing, Silent: in.silent, Taken: in.taken, Files: files,
	}
	closing.Sets = in.sum(g, p.DueStage())
	closing.Chain, closing.CloseData.Round = chain.Hash, chain.RoundFrom(closing.At.Add(p.settings.Beacon.BeaconWait()))
	if err := g.Close(closing); err != nil {
		return nil, err
	}
	return g.Closing()
}

// chain is that of the beacon of the game, as it was when the game was made.
func (p *Position) chain() (beacon.Chain, error) { return ChainOf(p.vault) }

// ChainOf is the chain of a game's beacon. The error tells that [beacon] is not what the game was made with.
func ChainOf(g *vault.Game) (beacon.Chain, error) {
	s := g.SharedSettings()
	m, err := g.Manifest(0)
	if err != nil {
		return beacon.Chain{}, err
	}
	if made := m.Beacon; s.PublicDice() != (made != nil) || made != nil && *made != s.Beacon {
		return beacon.Chain{}, &vault.Error{Path: g.Dir() + "/game.toml", Problem: "dice and [beacon] are not what the game was made with", Way: "give them back as they were", Err: vault.ErrSettings}
	}
	if !s.PublicDice() {
		return beacon.Chain{}, fmt.Errorf("game %s has the host's own dice", g.ID())
	}
	return s.Beacon.BeaconChain()
}

// SetsHash is the hash of all that a stored stage was played with, as the journal has it of the time when orders were
// closed. The recipe stands in docs/formats.md.
func SetsHash(g *vault.Game, at vault.Stage, stored vault.Audit) (string, error) {
	in, err := inputsOf(stored.Manifest, stored.Files)
	return in.sum(g, at), err
}

func (in inputs) sum(g *vault.Game, at vault.Stage) string {
	round := max(at.Round, 1)
	turn, n := strconv.Itoa(at.Turn), strconv.Itoa(round)
	salt := hex.EncodeToString(dice.DeriveKey(g.Secret(), "closing", turn, n))
	fields := []string{salt, g.ID(), turn, n}
	texts := slices.Clone(in.texts)
	slices.SortFunc(texts, func(a, b vault.File) int { return cmp.Compare(a.Name, b.Name) })
	for _, f := range texts {
		fields = append(fields, f.Name, string(f.Data))
	}
	for k := 1; k <= round; k++ {
		policies := in.missing
		if k > 1 {
			policies = in.silent[k]
		}
		for _, seat := range slices.SortedFunc(maps.Keys(policies), func(a, b engine.Seat) int { return cmp.Compare(a.String(), b.String()) }) {
			fields = append(fields, strconv.Itoa(k), seat.String(), policies[seat])
		}
	}
	return dice.Digest("starpost closing 1", fields...)
}

// closed are the inputs of the stage that is due once its orders are closed, with the beacon that was brought or
// is in the options.
func (p *Position) closed(c *vault.Closing, o Options) (inputs, error) {
	in, err := inputsOf(vault.Manifest{Missing: c.Missing, Silent: c.Silent, Taken: c.Taken}, filesByName(c.Files))
	if err != nil {
		return in, err
	}
	if in.sum(p.vault, p.DueStage()) != c.Sets {
		return in, &vault.Error{Path: p.vault.Dir() + "/" + vault.ClosingDir, Problem: "it is not what was closed: a file was altered", Way: "restore it from a backup", Err: vault.ErrDamaged}
	}
	chain, err := p.chain()
	if err != nil {
		return in, err
	}
	b := o.Beacon
	if b == nil && c.Beacon != nil {
		if b, err = beacon.Decode(c.Beacon); err != nil {
			return in, err
		}
	}
	switch st, err := p.vault.AdminState(); {
	case err != nil:
		return in, err
	case p.settings.Beacon.OwnAfter() > 0 && st.OwnDice[vault.Stage{Turn: p.DueStage().Turn, Round: max(p.round(), 1)}]:
		return in.and(nil), nil
	case b == nil:
		return in, &NoBeaconError{p.state.ID, p.DueStage(), c.Closed, chain}
	}
	if b.Round != c.CloseData.Round {
		return in, fmt.Errorf("the beacon is round %d, and %s has its dice from round %d: %w", b.Round, p.DueStage(), c.CloseData.Round, ErrOtherRound)
	}
	if err := chain.Verify(b); err != nil {
		return in, err
	}
	return in.and(b), nil
}

// ErrOtherRound is returned for a beacon of another round than a turn was closed for.
var ErrOtherRound = errors.New("another round of the beacon")

func filesByName(files []vault.File) map[string][]byte {
	out := make(map[string][]byte, len(files))
	for _, f := range files {
		out[f.Name] = f.Data
	}
	return out
}

// ownDice stands in the file of a beacon for a round that has the host's own dice, since none could be had.
const ownDice = "{\"own\":true}\n"

// IsOwnDice tells what stands in the file of a beacon for a round that has the host's own dice.
func IsOwnDice(data []byte) bool { return string(data) == ownDice }

// and adds what the dice of one more round come from.
func (in inputs) and(b *beacon.Beacon) inputs {
	in.beacons = append(slices.Clip(in.beacons), b)
	return in
}

// readBeacons reads the beacons of a stage.
func readBeacons(files map[string][]byte) ([]*beacon.Beacon, error) {
	var out []*beacon.Beacon
	for name, data := range files {
		round := beaconRound(name)
		if round == 0 {
			continue
		}
		for len(out) < round {
			out = append(out, nil)
		}
		if IsOwnDice(data) {
			continue
		}
		var err error
		if out[round-1], err = beacon.Decode(data); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
}

// beaconRound is the round of a turn whose beacon a file has; 0 for another file.
func beaconRound(name string) int {
	if name == vault.BeaconFile {
		return 1
	}
	var n int
	if _, err := fmt.Sscanf(name, "beacon.p%d.json", &n); err != nil || n < 2 || vault.BeaconName(n) != name {
		return 0
	}
	return n
}

// PublicDice are the beacons that the dice of each round of a stored stage come from; none where they are the host's
// own.
func PublicDice(stored vault.Audit) ([]dice.Public, error) {
	beacons, err := readBeacons(stored.Files)
	return inputs{beacons: beacons}.publicDice(), err
}

// publicDice is what the dice of each round come from beside the secret.
func (in inputs) publicDice() []dice.Public {
	out := make([]dice.Public, 0, len(in.beacons))
	for _, b := range in.beacons {
		if b == nil {
			out = append(out, dice.Public{})
			continue
		}
		out = append(out, dice.Public{Chain: b.Chain, Round: b.Round, Randomness: b.Randomness()})
	}
	return out
}

// diceWords say where the dice of a turn come from, for reports; "" for the host's own in a game that has no other.
func diceWords(s *vault.Settings, turn int, in inputs) string {
	switch {
	case !s.PublicDice():
		return ""
	case turn == 0:
		return "public, each turn's from a round of a beacon that does not exist yet when its orders are closed"
	case len(in.beacons) == 0: // it has none
		return ""
	}
	if b := in.beacons[len(in.beacons)-1]; b != nil {
		return fmt.Sprintf("public, round %d of the beacon %s", b.Round, b.Chain)
	}
	return "the host's own, since no beacon could be had"
}
