package fasa

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed scenarios/*.toml
var scenarioFiles embed.FS

// Scenarios gives the built-in scenario files of this package's rule sets, by name.
func Scenarios() (map[string][]byte, error) {
	entries, err := fs.ReadDir(scenarioFiles, "scenarios")
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, e := range entries {
		data, err := fs.ReadFile(scenarioFiles, "scenarios/"+e.Name())
		if err != nil {
			return nil, err
		}
		out[strings.TrimSuffix(e.Name(), ".toml")] = data
	}
	return out, nil
}
