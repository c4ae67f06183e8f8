package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// First is the minimum that a host must configure; the rest has defaults.
type First struct {
	Address      string // of the robot
	IMAP, SMTP   string // HOST, HOST:PORT or HOST:PORT,TLS
	PasswordFile string // for both servers
	Name         string // of the host, before the address in mails
	User         string // login name; "" for the address
	State, Games string // folders; Games is a pattern
	CAFile       string // certificates to trust in place of the system's; or ""
}

// Text returns the configuration. It contains the values unchecked: [Parse] finds what is wrong with them.
func (f First) Text() string {
	user := f.User
	if user == "" {
		user = f.Address
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# The robot's address: captains write to it, and reports come from it.
address = %s
name = %s

# The daemon's own records, and the games.
state = %s
games = [%s]
`, quoted(f.Address), quoted(f.Name), quoted(f.State), quoted(f.Games))
	for _, s := range []struct{ heading, at string }{{"imap", f.IMAP}, {"smtp", f.SMTP}} {
		host, port, tls := serverWords(s.at)
		fmt.Fprintf(&b, "\n[%s]\nhost = %s\n", s.heading, quoted(host))
		if port != "" {
			fmt.Fprintf(&b, "port = %s\n", bareNumber(port))
		}
		if tls == "" {
			tls = usualTLS[port]
		}
		if tls != "" {
			fmt.Fprintf(&b, "tls = %s\n", quoted(tls))
		}
		fmt.Fprintf(&b, "user = %s\npassword_file = %s\n", quoted(user), quoted(f.PasswordFile))
		if f.CAFile != "" {
			fmt.Fprintf(&b, "ca_file = %s\n", quoted(f.CAFile))
		}
	}
	return b.String()
}

// usualTLS is the usual protection by port. Other ports use the section's default.
var usualTLS = map[string]string{"993": TLSImplicit, "465": TLSImplicit, "143": TLSStart, "587": TLSStart, "25": TLSNone}

// serverWords splits HOST:PORT,TLS; port and TLS are optional. An IPv6 address with a port must be in brackets.
func serverWords(s string) (host, port, tls string) {
	s, tls, _ = strings.Cut(strings.TrimSpace(s), ",")
	host = s
	if at := strings.LastIndexByte(s, ':'); at >= 0 && (strings.Count(s, ":") == 1 || strings.HasSuffix(s[:at], "]")) {
		host, port = s[:at], s[at+1:]
	}
	return strings.Trim(host, "[]"), port, strings.TrimSpace(tls)
}

// bareNumber returns a number unquoted, and anything else quoted, so that Parse reports it.
func bareNumber(s string) string {
	if s == "" || strings.Trim(s, "0123456789") != "" || len(s) > 1 && s[0] == '0' {
		return quoted(s)
	}
	return s
}

// quoted returns a TOML string; JSON's escapes are valid in TOML.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(fmt.Sprintf("config: encode a text: %v", err)) // into memory
	}
	return strings.ReplaceAll(strings.TrimRight(b.String(), "\n"), "\x7f", `\u007f`)
}

// HasSettings reports whether a file contains more than comments and blank lines, as a newly installed one does.
func HasSettings(file string) (bool, error) {
	text, err := readBounded(file, maxFile)
	if err != nil {
		return false, fmt.Errorf("read the settings: %w", err)
	}
	return slices.ContainsFunc(strings.Split(string(text), "\n"), func(line string) bool {
		line = strings.TrimSpace(line)
		return line != "" && line[0] != '#'
	}), nil
}
