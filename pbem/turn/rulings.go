package turn

import (
	"bytes"
	"encoding/json"
	"fmt"

	"starpost/engine/ruling"
	"starpost/pbem/vault"
)

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

// RulingsIn are the rulings that a turn's revision was resolved with; 0 is the one that
// counts.
func RulingsIn(g *vault.Game, turn, revision int) ([]ruling.Ruling, error) {
	at := vault.Stage{Turn: turn, Revision: revision}
	m, err := g.StageManifest(at)
	if err != nil {
		return nil, err
	}
	if _, ok := m.Files[vault.RulingsFile]; !ok {
		return nil, nil
	}
	data, err := g.StageFile(at, vault.RulingsFile)
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
