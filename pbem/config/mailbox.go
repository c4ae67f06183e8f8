package config

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/engine/bounded"
	"starpost/pbem/transport"
)

// Mailbox is one address of the robot, with its servers. A game belongs to the mailbox with its
// robot's address.
type Mailbox struct {
	Address string `toml:"address"`        // without a plus tag
	Name    string `toml:"name"`           // the display name
	Plus    bool   `toml:"plus"`           // the mail server delivers plus addresses
	IMAP    *IMAP  `toml:"imap,omitempty"` // nil if mails are only handed over
	LMTP    *LMTP  `toml:"lmtp,omitempty"`
	SMTP    Server `toml:"smtp"`
	DKIM    *DKIM  `toml:"dkim,omitempty"`
	Club    *Club  `toml:"club,omitempty"` // nil if it is the host's own
}

// Mailboxes returns all mailboxes of the daemon, at least one. The first is that of Address, IMAP
// and SMTP. No two share an address or a mailbox on a server.
func (c *Config) Mailboxes() []Mailbox {
	first := Mailbox{Address: c.Address, Name: c.Name, Plus: c.Plus, IMAP: c.IMAP, LMTP: c.LMTP, SMTP: c.SMTP, DKIM: c.DKIM, Club: c.Club}
	return append([]Mailbox{first}, c.More...)
}

// plain reports whether the plain form is used: address, [imap] and [smtp] at the top. Sections
// [[mailbox]] are additional mailboxes.
func (t *table) plain() bool {
	list, _ := t.values["mailbox"].([]map[string]any)
	for _, key := range []string{"address", "imap", "lmtp", "smtp", "dkim", "club"} {
		if _, there := t.values[key]; there {
			return true
		}
	}
	return len(list) == 0
}

// mailboxes reads the servers. If the plain form is not used, the first [[mailbox]] section
// replaces it.
func (c *Config) mailboxes(t *table, dir string) {
	plain := t.plain()
	if plain {
		c.Plus = t.truth("plus", true)
		c.IMAP, c.LMTP = t.incoming(dir)
		c.SMTP = t.smtp(dir)
		c.DKIM = t.dkim(dir, c.Address)
		c.Club = t.club(dir, c.Limits)
	} else if t.unused("address", "imap", "lmtp", "smtp", "plus", "dkim", "club"); t.values["plus"] != nil {
		t.bad("plus", "plus is set outside the mailboxes", "move it into each [[mailbox]]")
	}
	lists := t.subs("mailbox")
	for _, l := range lists {
		m := Mailbox{Address: l.address("address"), Name: l.filled("name", c.Name), Plus: l.truth("plus", true)}
		m.IMAP, m.LMTP = l.incoming(dir)
		m.SMTP = l.smtp(dir)
		m.DKIM = l.dkim(dir, m.Address)
		m.Club = l.club(dir, c.Limits)
		l.done()
		c.More = append(c.More, m)
	}
	c.apart(t, lists, plain)
	if !plain {
		first := c.More[0]
		c.Address, c.Name, c.Plus, c.IMAP, c.LMTP, c.SMTP, c.DKIM, c.Club = first.Address, first.Name, first.Plus, first.IMAP, first.LMTP, first.SMTP, first.DKIM, first.Club
		c.More = c.More[1:]
	}
}

// apart checks that each mailbox has its own address, and its own place on a server: otherwise two
// would answer one mail.
func (c *Config) apart(t *table, lists []*table, plain bool) {
	tables, all := lists, c.More
	if plain {
		tables, all = append([]*table{t}, lists...), c.Mailboxes()
	}
	for i, m := range all {
		for _, o := range all[:i] {
			switch {
			case m.Address != "" && strings.EqualFold(m.Address, o.Address):
				tables[i].bad("address", fmt.Sprintf("two mailboxes have the address %s", m.Address),
					"give each its own address; a game belongs to the mailbox with its robot's address")
			case m.IMAP != nil && o.IMAP != nil && m.IMAP.Host != "" && m.IMAP.StoreKey() == o.IMAP.StoreKey():
				tables[i].bad("imap", fmt.Sprintf("two mailboxes read %s of %s at %s", m.IMAP.Inbox, m.IMAP.User, m.IMAP.Host),
					"give each its own user or inbox, or mails would be handled twice")
			default:
				continue
			}
			break
		}
	}
}

// Folder returns the name on the server of a folder of handled mails.
func (m Mailbox) Folder(name string) string {
	if m.IMAP == nil {
		return name
	}
	return m.IMAP.Folders + "/" + name
}

// StoreKey returns the name of the mailbox in the store.
func (i IMAP) StoreKey() string { return fmt.Sprintf("%s@%s/%s", i.User, i.Host, i.Inbox) }

// incoming reads how mails come in: by IMAP, by LMTP, or both.
func (t *table) incoming(dir string) (*IMAP, *LMTP) {
	l := t.lmtp()
	if _, there := t.values["imap"]; l != nil && !there {
		t.unused("imap")
		return nil, l
	}
	i := t.imap(dir)
	return &i, l
}

func (t *table) lmtp() *LMTP {
	s := t.sub("lmtp", false)
	if s == nil {
		return nil
	}
	l := &LMTP{Listen: s.text("listen", "")}
	if l.Listen != "" {
		if _, _, err := transport.LocalSocket(l.Listen); err != nil {
			s.bad("listen", s.name("listen")+": "+err.Error(), `leave it out if mails come only through "starpost deliver"`)
		}
	}
	s.done()
	return l
}

func (t *table) imap(dir string) (i IMAP) {
	s := t.sub("imap", true)
	if s == nil {
		return i
	}
	i.Server = s.server(dir, true, TLSImplicit, map[string]int{TLSImplicit: 993, TLSStart: 143, TLSNone: 143})
	i.Inbox = s.filled("inbox", "INBOX")
	i.Folders = s.filled("folders", "Starpost")
	s.done()
	return i
}

func (t *table) smtp(dir string) (out Server) {
	s := t.sub("smtp", true)
	if s == nil {
		return out
	}
	out = s.server(dir, false, TLSStart, map[string]int{TLSImplicit: 465, TLSStart: 587, TLSNone: 25})
	s.done()
	return out
}

// sectionOf returns the path of a section of a mailbox, counted from 0 as in Mailboxes.
func sectionOf(p bounded.Places, mailbox int, key string) []string {
	if _, plain := p["smtp"]; plain {
		if mailbox == 0 {
			return []string{key}
		}
		mailbox--
	}
	return []string{"mailbox", strconv.Itoa(mailbox), key}
}

// dkims returns all sections about signing, with their paths.
func (c *Config) dkims(p bounded.Places) (out []placedDKIM) {
	for i, m := range c.Mailboxes() {
		out = append(out, placedDKIM{sectionOf(p, i, "dkim"), m.DKIM})
	}
	return out
}

// placedDKIM is such a section, or nil, and its path.
type placedDKIM struct {
	path []string
	dkim *DKIM
}

// servers returns all servers with the paths of their sections.
func (c *Config) servers(p bounded.Places) (out []placed) {
	if c.IMAP != nil {
		out = append(out, placed{sectionOf(p, 0, "imap"), &c.IMAP.Server})
	}
	out = append(out, placed{sectionOf(p, 0, "smtp"), &c.SMTP})
	for i := range c.More {
		if c.More[i].IMAP != nil {
			out = append(out, placed{sectionOf(p, i+1, "imap"), &c.More[i].IMAP.Server})
		}
		out = append(out, placed{sectionOf(p, i+1, "smtp"), &c.More[i].SMTP})
	}
	return out
}

// placed is a server and the path of its section.
type placed struct {
	path   []string
	server *Server
}
