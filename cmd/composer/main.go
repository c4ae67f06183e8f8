//go:build !js

// Command composer without a browser: one request a line on the standard input, one answer a line on the output.
package main

import (
	"bufio"
	"fmt"
	"os"

	"starpost/cmd/rulesets"
	"starpost/pbem/compose"
)

// Outside of a browser the composer answers what it reads, a request a line: for programs that give orders, and to try what
// a page would get.
func main() {
	desk := compose.New(rulesets.Families())
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, compose.MaxRequest+1)
	for lines.Scan() {
		if _, err := fmt.Printf("%s\n", desk.Answer(lines.Bytes())); err != nil {
			os.Exit(1)
		}
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(os.Stderr, "composer:", err)
		os.Exit(1)
	}
}
