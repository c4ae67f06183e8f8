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
// d.mu held, when the games are other ones.
func (d *keeper) listPaths() {
	dirs := make([]string, len(d.games.games))
	for i, g := range d.games.games {
		dirs[i] = g.vault.Dir()
	}
	d.shortened.Store(newShortener(d.cfg, dirs))
}

// newShortener replaces the paths of a configuration and of some games.
func newShortener(cfg *config.Config, games []string) *shortener {
	paths := []string{cfg.State, cfg.File, filepath.Dir(cfg.File)}
	// Of a game its name is left: there may be very many, but they lie in few folders.
	folders := map[string]bool{}
	for _, dir := range games {
		folder := filepath.Dir(dir)
		if known := folders[folder]; known {
			continue
		}
		if tellsNothing(folder) {
			paths = append(paths, dir)
			continue
		}
		folders[folder] = true
		paths = append(paths, folder)
	}
	for _, box := range cfg.Mailboxes() {
		servers := []config.Server{box.SMTP}
		if box.IMAP != nil {
			servers = append(servers, box.IMAP.Server)
		}
		for _, s := range servers {
			paths = append(append(paths, s.CAFile, s.PasswordFile, s.TokenFile), s.TokenCommand...)
			if s.OAuth != nil {
				paths = append(paths, s.OAuth.ClientSecretFile, s.OAuth.RefreshTokenFile)
			}
		}
	}
	paths = slices.DeleteFunc(paths, tellsNothing)
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	var pairs, roots []string
	for _, p := range slices.Compact(paths) { // the longest first: of two that fit, the first counts
		if folders[p] {
			pairs = append(pairs, p+string(filepath.Separator), "")
		}
		pairs = append(pairs, p, filepath.Base(p))
		first, _, _ := strings.Cut(p[1:], string(filepath.Separator))
		roots = append(roots, p[:1]+first)
	}
	slices.Sort(roots)
	return &shortener{slices.Compact(roots), strings.NewReplacer(pairs...)}
}

// shortener replaces paths, which are few in few mails: a text that has none of the first
// names of them goes as it is.
type shortener struct {
	roots []string
	all   *strings.Replacer
}

func (s *shortener) shorten(text string) string {
	if !slices.ContainsFunc(s.roots, func(root string) bool { return strings.Contains(text, root) }) {
		return text
	}
	return s.all.Replace(text)
}

// tellsNothing tells what is right below the root, as /etc, and may stand in any words,
// and what is no whole path.
func tellsNothing(path string) bool {
	return !filepath.IsAbs(path) || filepath.Dir(filepath.Dir(path)) == filepath.Dir(path)
}

// withoutPaths leaves only the last names of the daemon's files and directories in a
// mail: errors say where something lies on this machine, which readers of mails need
// not know.
func (d *process) withoutPaths(m outgoing.Message) outgoing.Message {
	if s := d.shortened.Load(); s != nil {
		return s.mail(m)
	}
	return m
}

func (s *shortener) mail(m outgoing.Message) outgoing.Message {
	m.Subject, m.Text, m.HTML = s.shorten(m.Subject), s.shorten(m.Text), s.shorten(m.HTML)
	return m
}
