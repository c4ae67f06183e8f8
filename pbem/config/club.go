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

// Club is a mailbox with people, games and pages of its own: nothing of them is told at another mailbox.
type Club struct {
	Name        string   `toml:"name"`                   // on its pages; in small letters, of its folder too
	Members     []string `toml:"members,omitempty"`      // addresses, or "@example.org" for all there; with MembersFile: those in either
	MembersFile string   `toml:"members_file,omitempty"` // one a line, read again when it changes; or ""
	Joining     string   `toml:"joining,omitempty"`      // how one becomes a member, a line; or ""
	GamesEach   int      `toml:"games_each,omitzero"`    // running games that a member may take seats in by mail; 0 for any number
	Referee     string   `toml:"referee,omitempty"`      // who is told of trouble with its games; "" for the host's
	Mail        *Mail    `toml:"mail,omitempty"`         // nil for the host's
	Limits               // of the answers that go out from its address, counted for it alone
	Public

	templates *templates.Set
}

// Closed tells whether the club has a list of members.
func (c *Club) Closed() bool { return c != nil && (len(c.Members) > 0 || c.MembersFile != "") }

// List is all members as they are now: addresses, and "@example.org" for all there. The error is of the file of members.
func (c *Club) List() ([]string, error) {
	if c.MembersFile == "" {
		return c.Members, nil
	}
	more, err := readMembers(c.MembersFile)
	return slices.Concat(c.Members, more), err
}

// maxMembers bounds a file of members, in bytes.
const maxMembers = 1 << 20

// readMembers reads a file of members: an address a line; what stands behind a # is a remark.
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

// isMember tells whether a member may be written so.
func isMember(s string) bool {
	if domain, whole := strings.CutPrefix(s, "@"); whole {
		return hostLabels().MatchString(domain)
	}
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s
}

// clubName is a name of which a folder can be made.
var clubName = pattern.New(`^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$`)

// club reads the section of a mailbox that makes it a club; nil for none. What it does not limit itself the host's limits
// hold for.
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

// maxJoining is how long the words are that say how one becomes a member.
const maxJoining = 200

// key is what tells a club from others, and names its folder.
func (c *Club) key() string { return strings.ReplaceAll(strings.ToLower(c.Name), " ", "-") }

// clubsApart wants clubs to share neither name nor folder of pages, nor pages with the host.
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

// For is the configuration as it holds for a mailbox: that of the host, or of a club with what it shares with the host.
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

// At is the configuration as it holds for the mailbox with an address; that of the host where none has it.
func (c *Config) At(address string) *Config {
	for _, m := range c.Mailboxes() {
		if strings.EqualFold(m.Address, address) {
			return c.For(m)
		}
	}
	return c
}

// Communities are the configurations for which there are lists, pages, ratings and cups of their own: that of all
// mailboxes that are no club, where there is one, and that of each club.
func (c *Config) Communities() (out []*Config) {
	for _, m := range c.Mailboxes() {
		if part := c.For(m); !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

// Community is the one of a club by its name, or with "" the first, and the names of all clubs.
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

// ClubOf is the club of this configuration; nil for that of the host.
func (c *Config) ClubOf() *Club { return c.club }

// Holds tells whether games with a robot's address belong to this community. Those with an address that no mailbox
// has are the host's.
func (c *Config) Holds(robot string) bool {
	for _, m := range c.Mailboxes() {
		if m.Club != nil && strings.EqualFold(m.Address, robot) {
			return m.Club == c.club
		}
	}
	return c.club == nil
}

// Apart is Holds where there are several communities; nil where all games are of one.
func (c *Config) Apart() func(robot string) bool {
	if len(c.Communities()) < 2 {
		return nil
	}
	return c.Holds
}

// Own is the directory in which this community keeps its lists, ratings and cups.
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

// loadClubs reads the templates and secrets of all clubs, and looks at their lists of members.
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
