package config

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"starpost/engine/bounded"
	"starpost/pbem/dkim"
)

// DKIM configures how mails are signed before they are sent; nil if the mail server signs, or no
// one does.
type DKIM struct {
	Domain   string `toml:"domain"`   // that of the address, or a parent
	Selector string `toml:"selector"` // the key's name in the domain
	KeyFile  string `toml:"key_file"`
	Key      Secret `toml:"-"` // the content of that file
}

// Signer returns the configured signer. That of nil signs nothing.
func (d *DKIM) Signer() (dkim.Signer, error) {
	if d == nil {
		return dkim.Signer{}, nil
	}
	key, err := dkim.ParseKey([]byte(d.Key.Reveal()))
	if err != nil {
		return dkim.Signer{}, fmt.Errorf("read %s: %w", d.KeyFile, err)
	}
	return dkim.Signer{Domain: d.Domain, Selector: d.Selector, Key: key}, nil
}

// DKIMSelector is the default name of a key.
const DKIMSelector = "starpost"

// dkim reads the dkim section for an address; nil if there is none.
func (t *table) dkim(dir, address string) *DKIM {
	s := t.sub("dkim", false)
	if s == nil {
		return nil
	}
	_, own, _ := strings.Cut(address, "@")
	d := &DKIM{Domain: strings.ToLower(s.filled("domain", own)), Selector: strings.ToLower(s.filled("selector", DKIMSelector))}
	if file := s.needed("key_file", "create one with starpost dkim"); file != "" {
		d.KeyFile = absolute(dir, file)
	}
	for key, value := range map[string]string{"domain": d.Domain, "selector": d.Selector} {
		if value != "" && (!hostLabels().MatchString(value) || len(value) > 200) {
			s.bad(key, fmt.Sprintf("%s: %q is not a domain name", s.name(key), value), "use letters, digits, hyphens and dots")
		}
	}
	// A signature for another domain proves nothing about the sender (RFC 7489, 3.1.1).
	if own = strings.ToLower(own); own != "" && d.Domain != own && !strings.HasSuffix(own, "."+d.Domain) {
		s.bad("domain", fmt.Sprintf("%s is %s, but mails come from %s", s.name("domain"), d.Domain, address), "use the domain of the address, or a parent domain")
	}
	s.done()
	return d
}

// dkimKey reads the configured key, if any, and checks it.
func (c *Config) dkimKey(section []string, d *DKIM, places bounded.Places) Problems {
	if d == nil {
		return nil
	}
	bad := func(format string, args ...any) Problems {
		return Problems{problemAt(c.File, places, append(slices.Clip(section), "key_file"), fmt.Sprintf(format, args...), "create one with starpost dkim, which also shows what to publish")}
	}
	text, err := readBounded(d.KeyFile, maxSecret)
	if err != nil {
		return bad("the key cannot be read: %v", err)
	}
	info, err := os.Stat(d.KeyFile)
	if err != nil {
		return bad("the key cannot be read: %v", err)
	}
	c.private(d.KeyFile, info.Mode())
	if _, err := dkim.ParseKey(text); err != nil {
		return bad("%s: %v", d.KeyFile, err)
	}
	d.Key = NewSecret(string(text))
	return nil
}
