package fasa

import "embed"

//go:embed scenarios/*.toml
var scenarioFiles embed.FS

// Scenarios gives the built-in scenario files of this package's rule sets, by name.
func Scenarios() (map[string][]byte, error) { return Family().ScenarioFiles() }
