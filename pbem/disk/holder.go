package disk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Self is what a process writes into the file of a lock that it holds: "starpost serve, pid
// 4711 on mars" and a line end.
func Self() string {
	host, err := os.Hostname()
	if err != nil {
		host = "a host without a name"
	}
	return fmt.Sprintf("%s, pid %d on %s\n", command(os.Args), os.Getpid(), host)
}

// command is the program and its subcommand; the rest may be private.
func command(args []string) string {
	if len(args) == 0 {
		return "a process"
	}
	name := filepath.Base(args[0])
	if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		name += " " + args[1]
	}
	return name
}

// Holder says who wrote the file of a lock, and when.
func Holder(path string) string {
	text, err := os.ReadFile(path)
	who := strings.TrimSpace(string(text))
	if err != nil || who == "" || len(who) > 300 {
		return "another process"
	}
	if info, err := os.Stat(path); err == nil {
		return fmt.Sprintf("%s, since %s", who, info.ModTime().UTC().Format(time.DateTime+" UTC"))
	}
	return who
}
