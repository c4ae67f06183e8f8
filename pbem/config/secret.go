package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"

	"starpost/engine/bounded"
)

// hidden is printed for every Secret.
const hidden = "(hidden)"

// Secret is a password. It prints as "(hidden)" in every format; only Reveal returns it.
type Secret struct {
	value *string // if no method fits a verb, fmt prints the fields of a struct, but does not follow two pointers
}

// NewSecret returns a Secret with a value.
func NewSecret(value string) Secret { return Secret{&value} }

// Reveal returns the secret, for the one place that needs it.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// Empty reports whether the secret is empty.
func (s Secret) Empty() bool { return s.Reveal() == "" }

// String returns "(hidden)".
func (s Secret) String() string { return hidden }

// GoString returns "(hidden)".
func (s Secret) GoString() string { return hidden }

// Format writes "(hidden)" for every verb: %x would otherwise bypass String.
func (s Secret) Format(f fmt.State, _ rune) {
	// A formatter cannot report a failed write; fmt keeps the error.
	_, _ = io.WriteString(f, hidden)
}

// LogValue returns "(hidden)".
func (s Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText returns "(hidden)", which covers JSON and TOML.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// secrets reads the secrets of one server.
func (c *Config) secrets(section []string, s *Server, places bounded.Places, env func(string) (string, bool)) Problems {
	r := secretReader{c: c, section: section, places: places, env: env}
	r.read(&s.Password, "password", s.PasswordFile, s.PasswordEnv)
	// A token in a file is only for one login.
	var once Secret
	r.read(&once, "token", s.TokenFile, "")
	r.read(&s.Token, "token", "", s.TokenEnv)
	if o := s.OAuth; o != nil {
		r.section = append(slices.Clip(section), "oauth")
		r.read(&o.ClientSecret, "client_secret", o.ClientSecretFile, o.ClientSecretEnv)
		r.read(&o.RefreshToken, "refresh_token", o.RefreshTokenFile, o.RefreshTokenEnv)
	}
	return r.problems
}

// secretReader reads the secrets that a section refers to.
type secretReader struct {
	c        *Config
	section  []string
	places   bounded.Places
	env      func(string) (string, bool)
	problems Problems
}

func (r *secretReader) problem(key, message, hint string) {
	r.problems = append(r.problems, problemAt(r.c.File, r.places, append(slices.Clip(r.section), key), message, hint))
}

// read reads a secret from the given variable or file, if any.
func (r *secretReader) read(into *Secret, what, file, variable string) {
	words := strings.ReplaceAll(what, "_", " ")
	switch {
	case variable != "":
		value, ok := r.env(variable)
		if !ok || value == "" {
			r.problem(what+"_env", fmt.Sprintf("the environment variable %s is not set", variable), fmt.Sprintf("set it for the daemon, or use %s_file", what))
			return
		}
		*into = NewSecret(value)
	case file != "":
		value, mode, err := readSecret(file)
		if errors.Is(err, errNoLine) {
			r.problem(what+"_file", fmt.Sprintf("%s does not hold exactly one line", file), fmt.Sprintf("put only the %s into that file", words))
			return
		}
		if err != nil {
			r.problem(what+"_file", fmt.Sprintf("the %s file cannot be read: %v", words, err), fmt.Sprintf("put only the %s into that file, with mode 0600", words))
			return
		}
		r.c.private(file, mode)
		*into = NewSecret(value)
	}
}

// private adds a warning if others can read a file with a secret.
func (c *Config) private(file string, mode fs.FileMode) {
	mode = mode.Perm()
	warning := fmt.Sprintf("%s can be read by others (mode %#o); run: chmod 600 %s", file, mode, file)
	if mode&0o077 != 0 && !slices.Contains(c.Warnings, warning) {
		c.Warnings = append(c.Warnings, warning)
	}
}

var errNoLine = errors.New("it does not hold exactly one line")

// readSecret returns the single line of a file.
func readSecret(file string) (value string, mode fs.FileMode, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", 0, err
	}
	text, err := readBounded(file, maxSecret)
	if err != nil {
		return "", 0, err
	}
	value = strings.TrimRight(string(text), "\r\n")
	if value == "" || strings.ContainsAny(value, "\r\n\x00") {
		return "", 0, errNoLine
	}
	return value, info.Mode().Perm(), nil
}

// maxSecret limits a secret in bytes; refresh tokens are the longest.
const maxSecret = 16 << 10
