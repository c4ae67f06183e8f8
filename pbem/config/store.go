package config

import (
	"fmt"
	"net/url"
	"os"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/fault"
)

// Store configures the PostgreSQL database for the daemon's records about mails, which several hosts may share.
// Without it, they are in a file in the state directory.
type Store struct {
	URL          string `toml:"url"` // such as postgres://USER@HOST/DATABASE, without a password
	PasswordFile string `toml:"password_file,omitempty"`
	PasswordEnv  string `toml:"password_env,omitempty"`
	// Lease is how long a mailbox stays with a host that is no longer heard from, before another one serves it.
	Lease clock.Span `toml:"lease"`
}

// Password returns the password of the database; empty if the server needs none. It is read on demand: programs that
// do not open the store need not be able to read it.
func (s *Store) Password() (Secret, error) {
	way := "put only the password into a file with mode 0600, and set password_file in [store]"
	switch {
	case s.PasswordEnv != "":
		word, ok := os.LookupEnv(s.PasswordEnv)
		if !ok || word == "" {
			return Secret{}, fault.New(way, "the environment variable %s with the store's password is not set", s.PasswordEnv)
		}
		return NewSecret(word), nil
	case s.PasswordFile != "":
		word, _, err := readSecret(s.PasswordFile)
		if err != nil {
			return Secret{}, &fault.Fault{Path: s.PasswordFile, Problem: fmt.Sprintf("cannot read the store's password: %v", err), Way: way, Err: err}
		}
		return NewSecret(word), nil
	}
	return Secret{}, nil
}

// store reads the store section; nil if there is none.
func (t *table) store(dir string) *Store {
	s := t.sub("store", false)
	if s == nil {
		return nil
	}
	st := &Store{URL: s.needed("url", `give the database's address, such as url = "postgres://starpost@db.example.org/starpost", or remove [store]`)}
	st.PasswordFile, st.PasswordEnv = s.held("password", dir)
	st.Lease = s.span("lease", clock.Span(30*time.Second), clock.Span(6*time.Second), clock.Span(10*time.Minute))
	u, err := url.Parse(st.URL)
	open := false
	if err == nil {
		_, open = u.User.Password()
	}
	switch {
	case st.URL == "":
	case err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Path == "" || u.Path == "/":
		s.bad("url", "store.url is not the address of a PostgreSQL database", `write it as "postgres://USER@HOST/DATABASE"`)
	case open || u.Query().Has("password"):
		s.bad("url", "store.url contains a password, which logs and process lists would show", "remove it, and set password_file")
	case st.PasswordFile != "" && st.PasswordEnv != "":
		s.bad("password_env", "store.password_file and store.password_env are both given", "keep one of them")
	}
	s.done()
	return st
}
