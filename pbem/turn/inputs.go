package turn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/ruling"
	"starpost/orders"
	"starpost/pbem/publicdice"
	"starpost/pbem/vault"
)

// inputs are all that a turn is played with: canonical texts by file name, policies, and referees'
// decisions. All are stored, so that the turn can be played again.
type inputs struct {
	texts   []vault.File            // "orders/Hood.txt", and of later rounds "orders/p2/Hood.txt", sorted
	read    map[string]orders.Block // by file name, if the canonical text was already read
	missing map[engine.Seat]string
	silent  map[int]map[engine.Seat]string // by round from the second: like missing for the first
	taken   map[string]string
	filed   []byte               // what the referee filed, for a turn that a referee plays
	draw    []engine.CaptainName // the captains who ended the game, in place of everything else
	rulings []ruling.Ruling
	beacons publicdice.Beacons // for the dice
	causes  *engine.Causes     // receives the causes of events; nil: not recorded
}

// highest returns the last round of the turn that has inputs.
func (in inputs) highest() int {
	last := 1
	for _, f := range in.texts {
		last = max(last, RoundIn(path.Dir(f.Name)))
	}
	for round := range in.silent {
		last = max(last, round)
	}
	return last
}

// inputsOf reads inputs from a manifest and the files of a turn.
func inputsOf(m vault.Manifest, files map[string][]byte) (inputs, error) {
	in := inputs{missing: maps.Clone(m.Missing), silent: maps.Clone(m.Silent), taken: m.Taken, filed: files[vault.FiledFile], draw: m.Draw}
	if in.missing == nil {
		in.missing = map[engine.Seat]string{}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if RoundIn(path.Dir(file)) > 0 {
			in.texts = append(in.texts, vault.File{Name: file, Data: files[file]})
		}
	}
	var err error
	if in.beacons, err = publicdice.Read(files); err != nil {
		return in, err
	}
	in.rulings, err = ReadRulings(files[vault.RulingsFile])
	return in, err
}

// storedInputs reads what a committed turn or round was played with.
func storedInputs(g *vault.Game, at vault.Stage) (inputs, error) {
	m, err := g.Stages.Manifest(at)
	if err != nil {
		return inputs{}, err
	}
	files := map[string][]byte{}
	for name := range m.Files {
		if RoundIn(path.Dir(name)) > 0 || name == vault.RulingsFile || name == vault.FiledFile || publicdice.RoundOf(name) > 0 {
			if files[name], err = g.Stages.File(at, name); err != nil {
				return inputs{}, err
			}
		}
	}
	return inputsOf(m, files)
}

// files returns the inputs as files of the turn's directory.
func (in inputs) files() ([]vault.File, error) {
	out := slices.Clone(in.texts)
	if in.filed != nil {
		out = append(out, vault.File{Name: vault.FiledFile, Data: in.filed})
	}
	beacons, err := in.beacons.Files()
	if err != nil {
		return nil, err
	}
	out = append(out, beacons...)
	if len(in.rulings) > 0 {
		data, err := writeRulings(in.rulings)
		if err != nil {
			return nil, err
		}
		out = append(out, vault.File{Name: vault.RulingsFile, Data: data})
	}
	return out, nil
}

// replace replaces a ship's or captain's set for a round.
func (in *inputs) replace(state *engine.Game, round int, name, text string) {
	file := OrdersIn(round) + "/" + name + ".txt"
	in.texts = slices.DeleteFunc(slices.Clone(in.texts), func(f vault.File) bool { return f.Name == file })
	in.texts = append(in.texts, vault.File{Name: file, Data: []byte(text)})
	slices.SortFunc(in.texts, func(a, b vault.File) int { return strings.Compare(a.Name, b.Name) })
	if s, post, ok := engine.FindSeat(state.Ships, name); ok {
		seat := engine.Seat{Ship: s.ID, Post: post}
		if round < 2 {
			delete(in.missing, seat)
		} else {
			in.silent[round] = maps.Clone(in.silent[round])
			delete(in.silent[round], seat)
		}
	}
}

// covers reports whether a set of an earlier round says what a seat does in this one. It must be the
// captain's: a robot's orders are made again in each round.
func (in inputs) covers(r *engine.Rules, name string, seat engine.Seat, round int) bool {
	if round < 2 || r.Covers == nil {
		return false
	}
	for _, f := range in.texts {
		if path.Base(f.Name) != name+".txt" {
			continue
		}
		missing := in.missing
		if n := RoundIn(path.Dir(f.Name)); n > 1 {
			missing = in.silent[n]
		}
		if missing[seat] == vault.PolicyRobot {
			continue
		}
		if b, err := readSet(f, r.Language); err == nil && r.Covers(b, round) {
			return true
		}
	}
	return false
}

// sheets parses the canonical texts again, so that positions in events refer to the stored files.
func (in inputs) sheets(r *engine.Rules, state *engine.Game) ([]engine.Sheet, error) {
	sheets, err := in.roundSheets(r, state, 1, in.missing)
	for round := 2; round <= in.highest() && err == nil; round++ {
		var later []engine.Sheet
		if later, err = in.roundSheets(r, state, round, in.silent[round]); err != nil {
			break
		}
		for i, s := range later {
			sheets[i].Later = append(sheets[i].Later, engine.Reply{Block: s.Block, Policy: s.Policy})
		}
	}
	sheets = slices.DeleteFunc(sheets, func(s engine.Sheet) bool {
		return s.Block == nil && s.Policy == "" && !slices.ContainsFunc(s.Later, func(r engine.Reply) bool { return r.Block != nil })
	})
	return sheets, err
}

// roundSheets returns the sheets of one round, one for each seat that may give orders when the turn
// begins. A seat that owes none and has none gets an empty sheet.
func (in inputs) roundSheets(r *engine.Rules, state *engine.Game, round int, missing map[engine.Seat]string) ([]engine.Sheet, error) {
	blocks := map[engine.Seat]*orders.Block{}
	captains := map[string]orders.Block{}
	for _, f := range in.texts {
		if RoundIn(path.Dir(f.Name)) != round {
			continue
		}
		b, ok := in.read[f.Name]
		if !ok {
			var err error
			if b, err = readSet(f, r.Language); err != nil {
				return nil, err
			}
		}
		if b.Head.Kind == "captain" {
			captains[b.Head.Name] = b
			continue
		}
		s, _, ok := engine.FindShip(state.Ships, b.Head.Name)
		if !ok {
			return nil, fmt.Errorf("%s: no ship %q", f.Name, b.Head.Name)
		}
		seat := engine.Seat{Ship: s.ID}
		if b.Head.Kind != "ship" {
			seat.Post = b.Head.Kind
		}
		blocks[seat] = &b
	}
	var sheets []engine.Sheet
	owed := r.Owed(state)
	spoken := map[engine.CaptainName]bool{}
	for _, s := range state.Ships {
		if s.Small() || !r.Commands(s) {
			continue
		}
		for _, seat := range r.Seats(s) {
			captain := s.Holder(seat.Post)
			b, policy := blocks[seat], missing[seat]
			if b != nil {
				policy = ""
				if all, ok := captains[captain.Word()]; ok && !spoken[captain] {
					joinTurnLevel(b, all, r.Language)
					spoken[captain] = true
				}
			} else if policy == "" && round == 1 && slices.Contains(owed, seat) {
				return nil, fmt.Errorf("no orders and no policy for %s", engine.OrderSetName(s.Name, seat.Post))
			}
			sheets = append(sheets, engine.Sheet{Ship: s.ID, Post: seat.Post, Block: b, Policy: policy})
		}
	}
	return sheets, nil
}

func readSet(f vault.File, lang *orders.Language) (orders.Block, error) {
	found, diags := orders.Parse(f.Data, lang)
	if len(found) == 1 && !orders.HasErrors(diags) {
		return found[0], nil
	}
	why := fmt.Sprintf("%d sets", len(found))
	if len(diags) > 0 {
		why = diags[0].String()
	}
	return orders.Block{}, fmt.Errorf("%s: not one order set without errors: %s", f.Name, why)
}

// joinTurnLevel adds a captain's statements for all ships to the set of one of them: messages must go out
// once, and luck lines count once. The ship's own statements come first.
func joinTurnLevel(b *orders.Block, all orders.Block, lang *orders.Language) {
	theirs, ok := all.Group("", 0)
	if !ok {
		return
	}
	b.Groups = slices.Clone(b.Groups)
	at := slices.IndexFunc(b.Groups, func(g orders.Group) bool { return g.Name == "" })
	if at < 0 {
		b.Groups = append(b.Groups, orders.Group{Pos: theirs.Pos})
		at = len(b.Groups) - 1
	}
	own := &b.Groups[at]
	own.Statements = slices.Clone(own.Statements)
	for _, st := range theirs.Statements {
		if once(lang, st.Verb) && len(own.All(st.Verb)) > 0 {
			continue
		}
		own.Statements = append(own.Statements, st)
	}
}

func once(lang *orders.Language, verb string) bool {
	for _, sec := range lang.Sections {
		if sec.Name != "" {
			continue
		}
		for _, v := range sec.Verbs {
			if v.Name == verb {
				return v.Once
			}
		}
	}
	return false
}

func filesByName(files []vault.File) map[string][]byte {
	out := make(map[string][]byte, len(files))
	for _, f := range files {
		out[f.Name] = f.Data
	}
	return out
}

// sum returns the hash of everything that a stage is played with.
func (in inputs) sum(g *vault.Game, at vault.Stage) string {
	return publicdice.Inputs{Texts: in.texts, Missing: in.missing, Silent: in.silent}.Sum(g, at)
}

// SetsHash returns the hash of everything that a stored stage was played with, for comparison with that of
// its closing.
func SetsHash(g *vault.Game, at vault.Stage, stored vault.Audit) (string, error) {
	in, err := inputsOf(stored.Manifest, stored.Files)
	return in.sum(g, at), err
}

// ReadRulings reads rulings.jsonl.
func ReadRulings(data []byte) ([]ruling.Ruling, error) {
	var out []ruling.Ruling
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var ru ruling.Ruling
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&ru); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", vault.RulingsFile, n, err)
		}
		out = append(out, ru)
	}
	return out, nil
}

// RulingsIn returns the rulings that a turn's revision was resolved with; revision 0 is the current one.
func RulingsIn(g *vault.Game, turn, revision int) ([]ruling.Ruling, error) {
	at := vault.Stage{Turn: turn, Revision: revision}
	m, err := g.Stages.Manifest(at)
	if err != nil {
		return nil, err
	}
	if _, ok := m.Files[vault.RulingsFile]; !ok {
		return nil, nil
	}
	data, err := g.Stages.File(at, vault.RulingsFile)
	if err != nil {
		return nil, err
	}
	return ReadRulings(data)
}

func writeRulings(all []ruling.Ruling) ([]byte, error) {
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	for _, ru := range all {
		if err := lines.Encode(ru); err != nil {
			return nil, fmt.Errorf("write a ruling: %w", err)
		}
	}
	return b.Bytes(), nil
}
