package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"starpost/pbem/loopback"
)

// A host who follows docs/first-evening.md gets a game running: all of its commands are run in order, and its settings
// added, with mail servers in this process. Paths, servers and system commands are replaced.
func TestFirstEvening(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	if err := binary(); err != nil {
		t.Fatal(err)
	}
	page := string(read(t, "..", "docs", "first-evening.md"))
	if n := strings.Count(page, "\n"); n > 300 {
		t.Errorf("the page has %d lines, and is to have at most 300", n)
	}
	servers, got := mailServers(t, loopback.Options{}, loopback.User{Address: "ann@example.org"}, loopback.User{Address: "bo@example.net"})
	home := t.TempDir()
	bin := filepath.Join(home, "bin")
	for _, dir := range []string{bin, filepath.Join(home, "etc", "starpost", "secrets"), filepath.Join(home, "lib", "starpost", "games")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// The package brings settings with only comments.
	settings := filepath.Join(home, "etc", "starpost", "starpost.toml")
	write(t, settings, string(read(t, "..", "packaging", "starpost.toml")))
	shims := map[string]string{
		"sudo": "[ \"$1\" != -u ] || shift 2\nexec \"$@\"\n",
		"apt":  "true\n", "systemctl": "true\n", "rsync": "[ -f \"$3/index.html\" ]\n",
	}
	for name, text := range shims {
		write(t, filepath.Join(bin, name), "#!/bin/sh\n"+text)
		if err := os.Chmod(filepath.Join(bin, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	here := strings.NewReplacer(
		"/etc/starpost", filepath.Join(home, "etc", "starpost"), "/var/lib/starpost", filepath.Join(home, "lib", "starpost"),
		"--imap mail.example.org:993", "--imap "+servers.IMAPAddr()+",none --state "+filepath.Join(home, "lib", "starpost", "state")+" --games '"+filepath.Join(home, "lib", "starpost", "games")+"/*'",
		"--smtp mail.example.org:587", "--smtp "+servers.SMTPAddr()+",none",
	)
	ran := 0
	for _, block := range fences(page) {
		if block.kind == "toml" {
			// Keys go to the top, sections to the end.
			text := string(read(t, settings))
			if added := here.Replace(block.text); strings.HasPrefix(added, "[") {
				text += "\n" + added
			} else {
				text = added + text
			}
			write(t, settings, text)
		}
		if block.kind != "console" {
			continue
		}
		for line := range strings.Lines(block.text) {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				t.Fatalf("no command: %s", line)
			}
			cmd := exec.CommandContext(t.Context(), "sh", "-c", here.Replace(command))
			cmd.Dir, cmd.Env = home, append(os.Environ(), "HOME="+home, "PATH="+bin+":"+binDir+":"+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if err != nil || bytes.Contains(out, []byte("BAD ")) {
				t.Fatalf("$ %s%v\n%s", command, err, out)
			}
			ran++
		}
	}
	if ann, bo := got("ann@example.org"), got("bo@example.net"); ran < 15 || len(ann) != 1 || len(bo) != 1 {
		t.Errorf("%d commands were run, and captains got %d and %d mails", ran, len(ann), len(bo))
	}
}

// fence is a fenced block of a page, with the word after its first backquotes.
type fence struct{ kind, text string }

func fences(page string) (out []fence) {
	inside := false
	for line := range strings.Lines(page) {
		kind, mark := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case mark && !inside:
			out, inside = append(out, fence{kind: kind}), true
		case mark:
			inside = false
		case inside:
			out[len(out)-1].text += line
		}
	}
	return out
}
