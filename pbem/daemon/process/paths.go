package process

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"starpost/pbem/config"
	"starpost/pbem/outgoing"
	"starpost/pbem/record/postgres"
)

// NewShortener replaces the paths of a configuration and of some games.
func NewShortener(cfg *config.Config, games []string) *Shortener {
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
	return &Shortener{slices.Compact(roots), strings.NewReplacer(pairs...)}
}

// Shortener replaces paths, which are few in few mails: a text that has none of the first
// names of them goes as it is.
type Shortener struct {
	roots []string
	all   *strings.Replacer
}

func (s *Shortener) shorten(text string) string {
	if !slices.ContainsFunc(s.roots, func(root string) bool { return strings.Contains(text, root) }) {
		return text
	}
	return s.all.Replace(text)
}

// tellsNothing tells what is right below the root, as /etc, and may stand in any words,
// and what is no whole path. The place of a database is shortened too.
func tellsNothing(path string) bool {
	return !postgres.Is(path) && !filepath.IsAbs(path) || filepath.Dir(filepath.Dir(path)) == filepath.Dir(path)
}

// WithoutPaths leaves only the last names of the daemon's files and directories in a
// mail: errors say where something lies on this machine, which readers of mails need
// not know.
func (d *Process) WithoutPaths(m outgoing.Message) outgoing.Message {
	if s := d.Shortened.Load(); s != nil {
		return s.Mail(m)
	}
	return m
}

// Mail shortens paths in what a mail says.
func (s *Shortener) Mail(m outgoing.Message) outgoing.Message {
	m.Subject, m.Text, m.HTML = s.shorten(m.Subject), s.shorten(m.Text), s.shorten(m.HTML)
	return m
}
