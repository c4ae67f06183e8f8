package config

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
)

// hidden is what every way of printing a Secret gives.
const hidden = "(hidden)"

// Secret is a password. It prints as "(hidden)" whatever the format; only
// Reveal gives it away.
type Secret struct {
	value string
}

// NewSecret wraps a value.
func NewSecret(value string) Secret { return Secret{value} }

// Reveal is the secret itself, for the one place that needs it.
func (s Secret) Reveal() string { return s.value }

// Empty reports whether there is nothing to hide.
func (s Secret) Empty() bool { return s.value == "" }

// String is "(hidden)".
func (s Secret) String() string { return hidden }

// GoString is "(hidden)".
func (s Secret) GoString() string { return hidden }

// Format writes "(hidden)" for every verb: %x would otherwise get past String.
func (s Secret) Format(f fmt.State, _ rune) {
	// A formatter has nowhere to report a failed write to; fmt keeps it.
	_, _ = io.WriteString(f, hidden)
}

// LogValue is "(hidden)".
func (s Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText is "(hidden)", which covers JSON and TOML.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// secret reads the password of one server.
func (c *Config) secret(section []string, s *Server, places places, env func(string) (string, bool)) Problems {
	problem := func(key, message, hint string) Problems {
		p := places.of(append(slices.Clip(section), key)...)
		return Problems{{File: c.File, Line: p.line, Col: p.col, Message: message, Hint: hint}}
	}
	switch {
	case s.PasswordEnv != "":
		value, ok := env(s.PasswordEnv)
		if !ok || value == "" {
			return problem("password_env", fmt.Sprintf("the environment variable %s is not set", s.PasswordEnv),
				"set it for the daemon, or use password_file")
		}
		s.Password = NewSecret(value)
	case s.PasswordFile != "":
		info, err := os.Stat(s.PasswordFile)
		if err != nil {
			return problem("password_file", fmt.Sprintf("the password file cannot be read: %v", err),
				"put the password alone into that file, with mode 0600")
		}
		text, err := readBounded(s.PasswordFile, 4096)
		if err != nil {
			return problem("password_file", fmt.Sprintf("the password file cannot be read: %v", err),
				"put the password alone into that file, with mode 0600")
		}
		value := strings.TrimRight(string(text), "\r\n")
		if value == "" || strings.ContainsAny(value, "\r\n\x00") {
			return problem("password_file", fmt.Sprintf("%s does not hold exactly one line", s.PasswordFile),
				"put the password alone into that file")
		}
		if info.Mode().Perm()&0o077 != 0 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s can be read by others (mode %#o); run: chmod 600 %s",
				s.PasswordFile, info.Mode().Perm(), s.PasswordFile))
		}
		s.Password = NewSecret(value)
	}
	return nil
}
