//go:build !js

// Command composer, outside a browser, reads requests from standard input and prints the answers, one a line.
package main

import (
	"bufio"
	"fmt"
	"os"

	"starpost/cmd/rulesets"
	"starpost/pbem/compose"
)

// main answers requests for programs that give orders, and for seeing what the page would get.
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
