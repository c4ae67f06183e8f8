package vault

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"

	"starpost/engine/dice"
	"starpost/pbem/record"
)

// NewGame is everything that a game directory is made from.
type NewGame struct {
	Settings Settings // Create sets Format and SecretSHA256
	Scenario []byte
	Secret   dice.Secret
	Tables   map[string][]byte // "ships/x.toml"; nil for none
	Manifest Manifest          // of turn 0: Resolved
	Fill     FileWriter        // makes the files of turn 0
}

// Create makes a game. The record must be empty; otherwise Create returns record.ErrExists and changes
// nothing. The game exists once game.toml does, which is written last.
func Create(tree record.Tree, n NewGame) error {
	n.Settings.Format, n.Settings.SecretSHA256 = Format, dice.Commit(n.Secret)
	n.Settings.Title = cmp.Or(n.Settings.Title, n.Settings.ID)
	toml, err := n.Settings.Encode()
	if err != nil {
		return err
	}
	if _, err := ParseSettings(toml, settingsFile); err != nil {
		return fmt.Errorf("create %s: %w", tree.Place(""), err)
	}
	files, err := n.files(toml)
	if err != nil {
		return err
	}
	return tree.Create(files)
}

// files returns the first files of the game.
func (n NewGame) files(toml []byte) ([]record.File, error) {
	secret, err := n.Secret.MarshalText()
	if err != nil {
		return nil, fmt.Errorf("create a game: %w", err)
	}
	files := []record.File{{Name: secretFile, Data: append(secret, '\n')}, {Name: scenarioFile, Data: n.Scenario}}
	base := map[string]string{scenarioFile: Hash(n.Scenario)}
	for _, name := range slices.Sorted(maps.Keys(n.Tables)) {
		if ok, err := path.Match(tablesDir+"/*.toml", name); err != nil || !ok {
			return nil, fmt.Errorf("create a game: %q is not a table name; write ships/NAME.toml", name)
		}
		base[name] = Hash(n.Tables[name])
		files = append(files, record.File{Name: name, Data: n.Tables[name]})
	}
	m := n.Manifest
	m.Turn, m.Base = 0, base
	_, turn, err := drawUp(path.Join(turnsDir, turnName(0)), n.Settings.ID, m, n.Fill)
	if err != nil {
		return nil, err
	}
	return append(append(files, turn...), record.File{Name: settingsFile, Data: toml}), nil
}
