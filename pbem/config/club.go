package config

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/mail"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"starpost/engine/bounded"
	"starpost/pbem/pattern"
	"starpost/templates"
)

// Club is a mailbox with its own people, games and pages, which are not revealed at another mailbox.
type Club struct {
	Name        string   `toml:"name"`                   // on its pages and, in lower case, of its folder
	Members     []string `toml:"members,omitempty"`      // addresses, or "@example.org" for everyone there; members of MembersFile are added
	MembersFile string   `toml:"members_file,omitempty"` // one per line, read again when it changes; or ""
	Joining     string   `toml:"joining,omitempty"`      // how to become a member, in one line; or ""
	GamesEach   int      `toml:"games_each,omitzero"`    // running games that a member may take seats in by mail; 0 for any number
	Referee     string   `toml:"referee,omitempty"`      // gets notices about trouble with its games; "" for the host's
	Mail        *Mail    `toml:"mail,omitempty"`         // nil for the host's
	Limits               // on the answers sent from its address, counted separately
	Public

	templates *templates.Set
}

// Closed reports whether the club has a list of members.
func (c *Club) Closed() bool { return c != nil && (len(c.Members) > 0 || c.MembersFile != "") }

// List returns all current members: addresses, and "@example.org" for everyone there. The error concerns the file of
// members.
func (c *Club) List() ([]string, error) {
	if c.MembersFile == "" {
		return c.Members, nil
	}
	more, err := readMembers(c.MembersFile)
	return slices.Concat(c.Members, more), err
}

// maxMembers limits a file of members, in bytes.
const maxMembers = 1 << 20

// readMembers reads a file of members: an address per line; # starts a comment.
func readMembers(path string) (out []string, err error) {
	text, err := readBounded(path, maxMembers)
	if err != nil {
		return nil, fmt.Errorf("read the members: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxMembers)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if !isMember(line) {
			return nil, fmt.Errorf("read the members: %s:%d: %q is not a bare mail address", path, n, line)
		}
		out = append(out, line)
	}
	return out, lines.Err()
}

// isMember reports whether s is a valid entry for a member.
func isMember(s string) bool {
	if domain, whole := strings.CutPrefix(s, "@"); whole {
		return hostLabels().MatchString(domain)
	}
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s
}

// clubName matches names that can be made into a folder name.
var clubName = pattern.New(`^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$`)

// club reads the section that makes a mailbox a club; nil if there is none. Limits that it does not set are the
// host's.
func (t *table) club(dir string, host Limits) *Club {
	s := t.sub("club", false)
	if s == nil {
		return nil
	}
	c := &Club{
		Name: s.needed("name", `name the club, for example name = "North Sea"`), Members: s.list("members"), Joining: s.text("joining", ""),
		GamesEach: s.number("games_each", 0, 1, 1000), Referee: s.person("referee"), Limits: s.limits(host),
	}
	if c.Name != "" && !clubName().MatchString(c.Name) {
		s.bad("name", fmt.Sprintf("%s: %q cannot be a folder name", s.name("name"), c.Name), "use at most 40 letters, digits, spaces, dots, underscores and hyphens")
	}
	for _, m := range c.Members {
		if !isMember(m) {
			s.bad("members", fmt.Sprintf("%s: %q is not a bare mail address", s.name("members"), m), `write ann@example.org, or @example.org for the whole domain`)
		}
	}
	if file := s.text("members_file", ""); file != "" {
		c.MembersFile = absolute(dir, file)
	}
	if utf8.RuneCountInString(c.Joining) > maxJoining {
		s.bad("joining", fmt.Sprintf("%s has more than %d characters", s.name("joining"), maxJoining), `shorten it, for example joining = "Write to ann@example.org."`)
	}
	if own := s.sub("mail", false); own != nil {
		m := own.mail(dir)
		c.Mail = &m
	}
	c.Public = s.public(dir)
	s.done()
	return c
}

// maxJoining is the maximum length of the text on how to become a member.
const maxJoining = 200

// key identifies a club, and names its folder.
func (c *Club) key() string { return strings.ReplaceAll(strings.ToLower(c.Name), " ", "-") }

// clubsApart checks that clubs share neither a name nor a folder of pages, with each other or the host.
func (c *Config) clubsApart(t *table) {
	names, sites := map[string]bool{}, map[string]bool{}
	if c.Site != nil {
		sites[c.Site.Dir] = true
	}
	for i, m := range c.Mailboxes() {
		if m.Club == nil {
			continue
		}
		path := sectionOf(t.places, i, "club")
		if names[m.Club.key()] {
			t.problem(append(slices.Clone(path), "name"), fmt.Sprintf("two clubs are named %q", m.Club.Name), "give each a different name")
		}
		names[m.Club.key()] = true
		if m.Club.Site != nil && sites[m.Club.Site.Dir] {
			t.problem(append(slices.Clone(path), "site"), fmt.Sprintf("the pages of the club %s share a folder with others: %s", m.Club.Name, m.Club.Site.Dir), "give each site its own folder")
		}
		if m.Club.Site != nil {
			sites[m.Club.Site.Dir] = true
		}
		if _, ok := c.NewGames(); m.Club.Lobby.makes() && !ok {
			t.problem(append(slices.Clone(path), "lobby"), "games made by mail have no folder", noFolder)
		}
	}
}

// For returns the configuration for a mailbox: that of the host, or of a club with what it shares with the host.
func (c *Config) For(m Mailbox) *Config {
	if m.Club == nil {
		return c
	}
	out, club := *c, m.Club
	out.club, out.Address, out.Name, out.Plus = club, m.Address, club.Name, m.Plus
	out.Public = club.Public
	out.Limits = club.Limits
	if club.Referee != "" {
		out.Referee = club.Referee
	}
	if club.Mail != nil {
		out.Mail, out.Templates = *club.Mail, club.templates
	}
	return &out
}

// At returns the configuration for the mailbox with an address, or the host's if there is none.
func (c *Config) At(address string) *Config {
	for _, m := range c.Mailboxes() {
		if strings.EqualFold(m.Address, address) {
			return c.For(m)
		}
	}
	return c
}

// Communities returns the configurations with their own lists, pages, ratings and cups: that of all mailboxes that
// are not clubs, if there are any, and that of each club.
func (c *Config) Communities() (out []*Config) {
	for _, m := range c.Mailboxes() {
		if part := c.For(m); !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

// Community returns the one of a club by its name, or with "" the first, and the names of all clubs.
func (c *Config) Community(name string) (found *Config, names []string) {
	for i, part := range c.Communities() {
		if part.club != nil {
			names = append(names, part.club.Name)
		}
		if name == "" && i == 0 || part.club != nil && strings.EqualFold(name, part.club.Name) {
			found = part
		}
	}
	return found, names
}

// ClubOf returns the club of this configuration; nil for the host's.
func (c *Config) ClubOf() *Club { return c.club }

// Holds reports whether games with a robot's address belong to this community. Games with an address that no mailbox
// has are the host's.
func (c *Config) Holds(robot string) bool {
	for _, m := range c.Mailboxes() {
		if m.Club != nil && strings.EqualFold(m.Address, robot) {
			return m.Club == c.club
		}
	}
	return c.club == nil
}

// Apart returns Holds if there are several communities; nil if all games belong to one.
func (c *Config) Apart() func(robot string) bool {
	if len(c.Communities()) < 2 {
		return nil
	}
	return c.Holds
}

// Own returns the directory of this community's lists, ratings and cups.
func (c *Config) Own() string {
	if c.club == nil {
		return c.State
	}
	return filepath.Join(c.State, "clubs", c.club.key())
}

func (c *Club) loadTemplates() (found Problems) {
	if c != nil && c.Mail != nil {
		c.templates, found = readTemplates(c.Mail.Templates)
	}
	return found
}

// loadClubs reads the templates and secrets of all clubs, and checks their lists of members.
func (c *Config) loadClubs(places bounded.Places, env func(string) (string, bool)) (found Problems) {
	for i, m := range c.Mailboxes() {
		if m.Club == nil {
			continue
		}
		path := sectionOf(places, i, "club")
		found = append(found, c.notifySecrets(m.Club.Notify, path, places, env)...)
		found = append(found, m.Club.loadTemplates()...)
		if m.Club.MembersFile == "" {
			continue
		}
		if members, err := readMembers(m.Club.MembersFile); err != nil {
			hint := "write one address per line; # starts a comment"
			if errors.Is(err, fs.ErrNotExist) {
				hint = "create it"
			}
			found = append(found, problemAt(c.File, places, append(path, "members_file"), err.Error(), hint))
		} else if len(members)+len(m.Club.Members) == 0 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("the club %s has no members, so no one can join its games", m.Club.Name))
		}
	}
	return found
}
