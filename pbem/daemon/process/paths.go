package process

import (
	"cmp"
	"html"
	"path/filepath"
	"slices"
	"strings"

	"starpost/pbem/config"
	"starpost/pbem/outgoing"
	"starpost/pbem/record"
	"starpost/pbem/record/postgres"
)

// NewShortener returns a Shortener for the paths of a configuration and of games.
func NewShortener(cfg *config.Config, games []string) *Shortener {
	paths := []string{cfg.State, cfg.File, filepath.Dir(cfg.File)}
	// The folder of a game is removed and its name kept: there may be many games, but they are in
	// few folders.
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
	for _, p := range slices.Compact(paths) { // the longest first: the first match counts
		if folders[p] {
			pairs = append(pairs, p+string(filepath.Separator), "")
		}
		pairs = append(pairs, p, filepath.Base(p))
		first, _, _ := strings.Cut(p[1:], string(filepath.Separator))
		roots = append(roots, p[:1]+first)
	}
	slices.Sort(roots)
	s := &Shortener{roots: slices.Compact(roots)}
	if cfg.Store != nil {
		s.store, s.host = " "+record.StoreFlag(cfg.Store.URL), cfg.Referee
		pairs = append([]string{s.store, s.store}, pairs...) // it may have paths in it
	}
	s.all = strings.NewReplacer(pairs...)
	return s
}

// Shortener replaces paths. Few mails contain any: a text without the first element of one is
// returned unchanged.
type Shortener struct {
	roots []string
	all   *strings.Replacer
	store string // the flag for the database at the end of a command; only the host needs it
	host  string
}

func (s *Shortener) shorten(text string) string {
	if !slices.ContainsFunc(s.roots, func(root string) bool { return strings.Contains(text, root) }) {
		return text
	}
	return s.all.Replace(text)
}

// tellsNothing reports whether path is directly below the root, such as /etc, and so may occur in
// any text, or is not absolute. Database addresses are shortened too.
func tellsNothing(path string) bool {
	return !postgres.Is(path) && !filepath.IsAbs(path) || filepath.Dir(filepath.Dir(path)) == filepath.Dir(path)
}

// WithoutPaths reduces paths of the daemon's files in a mail to their last element. Errors contain
// them, and readers of mails need not know where files are on this machine.
func (d *Process) WithoutPaths(m outgoing.Message) outgoing.Message {
	if s := d.Shortened.Load(); s != nil {
		return s.Mail(m)
	}
	return m
}

// Mail shortens paths in the subject and bodies of a mail.
func (s *Shortener) Mail(m outgoing.Message) outgoing.Message {
	if s.store != "" && !strings.EqualFold(m.To.Addr, s.host) {
		m.Text, m.HTML = strings.ReplaceAll(m.Text, s.store, ""), strings.ReplaceAll(m.HTML, html.EscapeString(s.store), "")
	}
	m.Subject, m.Text, m.HTML = s.shorten(m.Subject), s.shorten(m.Text), s.shorten(m.HTML)
	return m
}
