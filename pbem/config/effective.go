package config

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"

	"github.com/BurntSushi/toml"
)

// Effective is the configuration as the daemon uses it: canonical TOML with
// every default and without any secret. Parse reads it back to the same.
func (c *Config) Effective() string {
	w := *c
	w.Trust.AuthservIDs = append([]string{}, c.Trust.AuthservIDs...) // told even if there are none
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.Indent = ""
	if err := e.Encode(w); err != nil {
		// Texts and numbers only, into memory: an error here is a mistake in
		// the type above.
		panic(fmt.Sprintf("config: encode %T: %v", w, err))
	}
	return b.String()
}

// Level is a level of the log, written as configurations have it.
type Level struct{ slog.Level }

// MarshalText writes the level in lower case.
func (l Level) MarshalText() ([]byte, error) { return []byte(strings.ToLower(l.String())), nil }
