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
	"starpost/pbem/vault"
)

// record is all that a turn was made of, as its directory holds it: played again
// it gives the same.
type record struct {
	inputs
	draw []string
}

// recordOf reads what a manifest and the files of a turn say.
func recordOf(m vault.Manifest, files map[string][]byte) (record, error) {
	rec := record{inputs: inputs{missing: maps.Clone(m.Missing), silent: maps.Clone(m.Silent), taken: m.Taken, filed: files[vault.FiledFile]}, draw: m.Draw}
	if rec.missing == nil {
		rec.missing = map[string]string{}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if dirRound(path.Dir(file)) > 0 {
			rec.texts = append(rec.texts, vault.File{Name: file, Data: files[file]})
		}
	}
	var err error
	rec.rulings, err = ReadRulings(files[vault.RulingsFile])
	return rec, err
}

// storedRecord reads what a committed turn was made of.
func storedRecord(g *vault.Game, turn int) (record, error) {
	m, err := g.Manifest(turn)
	if err != nil {
		return record{}, err
	}
	files := map[string][]byte{}
	for name := range m.Files {
		if dirRound(path.Dir(name)) > 0 || name == vault.RulingsFile || name == vault.FiledFile {
			if files[name], err = g.ReadFile(turn, name); err != nil {
				return record{}, err
			}
		}
	}
	return recordOf(m, files)
}

// files are the inputs as files of the turn's directory.
func (rec record) files() ([]vault.File, error) {
	out := slices.Clone(rec.texts)
	if rec.filed != nil {
		out = append(out, vault.File{Name: vault.FiledFile, Data: rec.filed})
	}
	if len(rec.rulings) > 0 {
		data, err := writeRulings(rec.rulings)
		if err != nil {
			return nil, err
		}
		out = append(out, vault.File{Name: vault.RulingsFile, Data: data})
	}
	return out, nil
}

// play makes the turn after a game out of the record.
func (rec record) play(g *vault.Game, before *engine.Game) (*engine.Game, []engine.Event, error) {
	r := g.Rules()
	if len(rec.draw) > 0 {
		if len(rec.rulings) > 0 {
			return nil, nil, &agreedError{game: g.ID(), dir: g.Dir(), turn: before.Turn + 1}
		}
		return engine.AgreeDraw(before, rec.draw)
	}
	sheets, err := rec.sheets(r, before, r.Rounds())
	if err != nil {
		return nil, nil, &vault.Error{
			Path: g.TurnDir(before.Turn + 1), Problem: "the orders that are stored cannot be read: " + err.Error(), Err: vault.ErrDamaged,
			Way: "starpost verify tells whether they were altered; orders of another version of the rules need the program of that version",
		}
	}
	return rec.resolve(r, before, sheets, g.Secret())
}

// agreedError is a ruling on a turn that was not played.
type agreedError struct {
	game, dir string
	turn      int
}

func (e *agreedError) Error() string {
	return fmt.Sprintf("turn %d of %s was not played: its captains agreed on a draw", e.turn, e.game)
}

// Hint is the way out.
func (e *agreedError) Hint() string {
	return fmt.Sprintf("to play it after all: starpost referee %s rollback %d", e.dir, e.turn-1)
}

// ReadRulings reads rulings.jsonl.
func ReadRulings(data []byte) ([]engine.Ruling, error) {
	var out []engine.Ruling
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var ru engine.Ruling
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&ru); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", vault.RulingsFile, n, err)
		}
		out = append(out, ru)
	}
	return out, nil
}

// RulingsOf are the rulings that a turn was resolved with, in the revision that
// counts.
func RulingsOf(g *vault.Game, turn int) ([]engine.Ruling, error) {
	revision, err := g.Current(turn)
	if err != nil {
		return nil, err
	}
	return RulingsIn(g, turn, revision)
}

// RulingsIn are the rulings that a turn's revision was resolved with.
func RulingsIn(g *vault.Game, turn, revision int) ([]engine.Ruling, error) {
	m, err := g.ManifestOf(turn, revision)
	if err != nil {
		return nil, err
	}
	if _, ok := m.Files[vault.RulingsFile]; !ok {
		return nil, nil
	}
	data, err := g.ReadFileOf(turn, revision, vault.RulingsFile)
	if err != nil {
		return nil, err
	}
	return ReadRulings(data)
}

func writeRulings(all []engine.Ruling) ([]byte, error) {
	var b bytes.Buffer
	for _, ru := range all {
		line, err := json.Marshal(ru)
		if err != nil {
			return nil, fmt.Errorf("write a ruling: %w", err)
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes(), nil
}

// replace puts another set in the place of a ship's or captain's for a round.
func (rec *record) replace(state *engine.Game, round int, name, text string) {
	file := roundDir(round) + "/" + name + ".txt"
	rec.texts = slices.DeleteFunc(slices.Clone(rec.texts), func(f vault.File) bool { return f.Name == file })
	rec.texts = append(rec.texts, vault.File{Name: file, Data: []byte(text)})
	slices.SortFunc(rec.texts, func(a, b vault.File) int { return strings.Compare(a.Name, b.Name) })
	if s, _, ok := engine.FindShip(state.Ships, name); ok {
		if round < 2 {
			delete(rec.missing, s.ID)
		} else {
			rec.silent[round] = maps.Clone(rec.silent[round])
			delete(rec.silent[round], s.ID)
		}
	}
}
