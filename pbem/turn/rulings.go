package turn

import (
	"bytes"
	"encoding/json"
	"fmt"

	"starpost/engine"
	"starpost/pbem/vault"
)

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

// RulingsIn are the rulings that a turn's revision was resolved with; 0 is the one that
// counts.
func RulingsIn(g *vault.Game, turn, revision int) ([]engine.Ruling, error) {
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
