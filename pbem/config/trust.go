package config

import (
	"fmt"
	"strings"
)

// Trust says whose word on the senders of mails is believed.
type Trust struct {
	// AuthservIDs are the names that our own mail servers write into
	// Authentication-Results headers; none: no such header is believed.
	AuthservIDs []string `toml:"authserv_ids"`
	// Hops is how many Received fields of our own servers stand above those
	// headers, apart from local delivery.
	Hops int `toml:"hops"`
}

// trust reads the section [trust], which may be left out.
func (c *Config) trust(root *table) {
	t := root.sub("trust", false)
	if t == nil {
		return
	}
	for i, id := range t.list("authserv_ids") {
		// An authserv-id is a token (RFC 8601 section 2.2), in practice a host.
		if len(id) > 253 || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`;=()"<>@,/`, r) }) {
			t.bad("authserv_ids", fmt.Sprintf("%s: element %d is no name of a mail server", t.name("authserv_ids"), i+1),
				"take the first word of an Authentication-Results header that your own server wrote, for example \"mx.example.org\"")
			continue
		}
		c.Trust.AuthservIDs = append(c.Trust.AuthservIDs, id)
	}
	c.Trust.Hops = t.number("hops", 0, 0, 20)
	t.done()
}
