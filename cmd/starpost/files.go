package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// maxScenario is the largest scenario or table, as the engine has it.
const maxScenario = 1 << 20

// readFile reads a file, but not more than a byte beyond the limit: enough for
// its reader to find it too large. What is what it is to hold, for errors.
func readFile(what, name string, limit int64) (data []byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, usage("give a file", "read %s: %s is a directory", what, name)
	}
	if data, err = io.ReadAll(io.LimitReader(f, limit+1)); err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	return data, nil
}

// readInput is readFile, with "-" for standard input.
func readInput(cmd *cobra.Command, what, name string, limit int64) ([]byte, error) {
	if name != "-" {
		return readFile(what, name, limit)
	}
	data, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), limit+1))
	if err != nil {
		return nil, fmt.Errorf("read %s from standard input: %w", what, err)
	}
	return data, nil
}
