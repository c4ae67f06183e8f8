package daemon

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"starpost/pbem/config"
	"starpost/pbem/outgoing"
)

// listPaths learns which files and directories mails must not tell of. Called with
// d.mu held, after each look for games.
func (d *Daemon) listPaths() {
	paths := []string{d.cfg.State, d.cfg.File, filepath.Dir(d.cfg.File)}
	for _, g := range d.games.games {
		paths = append(paths, g.vault.Dir(), filepath.Dir(g.vault.Dir()))
	}
	for _, box := range d.cfg.Mailboxes() {
		for _, s := range []config.Server{box.IMAP.Server, box.SMTP} {
			paths = append(append(paths, s.CAFile, s.PasswordFile, s.TokenFile), s.TokenCommand...)
			if s.OAuth != nil {
				paths = append(paths, s.OAuth.ClientSecretFile, s.OAuth.RefreshTokenFile)
			}
		}
	}
	// What is right below the root, as /etc, tells nothing, and may stand in any words.
	paths = slices.DeleteFunc(paths, func(p string) bool {
		return !filepath.IsAbs(p) || filepath.Dir(filepath.Dir(p)) == filepath.Dir(p)
	})
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	var pairs []string
	for _, p := range slices.Compact(paths) { // the longest first: of two that fit, the first counts
		pairs = append(pairs, p, filepath.Base(p))
	}
	d.shortened.Store(strings.NewReplacer(pairs...))
}

// withoutPaths leaves only the last names of the daemon's files and directories in a
// mail: errors say where something lies on this machine, which readers of mails need
// not know.
func (d *Daemon) withoutPaths(m outgoing.Message) outgoing.Message {
	if r := d.shortened.Load(); r != nil {
		m.Subject, m.Text, m.HTML = r.Replace(m.Subject), r.Replace(m.Text), r.Replace(m.HTML)
	}
	return m
}
