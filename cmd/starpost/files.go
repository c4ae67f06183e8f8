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
// its reader to find it too large.
func readFile(name string, limit int64) (data []byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read a file: %w", err)
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, usage("give a file", "%s is a directory", name)
	}
	if data, err = io.ReadAll(io.LimitReader(f, limit+1)); err != nil {
		return nil, fmt.Errorf("read a file: %w", err)
	}
	return data, nil
}

// readInput is readFile, with "-" for standard input.
func readInput(cmd *cobra.Command, name string, limit int64) ([]byte, error) {
	if name != "-" {
		return readFile(name, limit)
	}
	data, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), limit+1))
	if err != nil {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	return data, nil
}
