// Command trimwasm removes the tables of source lines from a WebAssembly program linked by Go. It reads the given file
// and writes the smaller one to standard output. The program runs as before, but its stack traces say "?" for files and
// lines. The composer page shows no traces, and the tables are a twentieth of its download.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "trimwasm:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: trimwasm PROGRAM.wasm > SMALLER.wasm")
	}
	program, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	if err := trim(program); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	_, err = os.Stdout.Write(program)
	return err
}
