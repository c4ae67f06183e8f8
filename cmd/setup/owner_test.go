//go:build unix

package setup_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"starpost/cmd/setup"
	"starpost/pbem/config"
)

// Settings written by root belong to the owner of their folder, who runs the daemon.
func TestSettingsOfRootBelongToTheDaemon(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	dir := t.TempDir()
	const daemon = 4711
	if err := os.Chown(dir, daemon, -1); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "starpost.toml")
	first := config.First{Address: "battles@example.org", IMAP: "mail.example.org", SMTP: "mail.example.org"}
	if err := setup.Write(file, first, strings.NewReader(""), io.Discard); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Sys().(*syscall.Stat_t).Uid; got != daemon {
		t.Errorf("the owner is %d, want %d", got, daemon)
	}
}
