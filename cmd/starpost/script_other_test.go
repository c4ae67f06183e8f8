//go:build !linux

package main

import (
	"fmt"
	"os"

	"github.com/rogpeppe/go-internal/testscript"
)

func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "mount":
		return false, nil
	}
	return false, fmt.Errorf("no condition %q", name)
}

func mount(ts *testscript.TestScript, _ bool, _ []string)           { ts.Fatalf("only on Linux") }
func remountReadOnly(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("only on Linux") }
