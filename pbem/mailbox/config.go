package mailbox

import (
	"cmp"
	"fmt"

	"starpost/pbem/transport"
)

// Values of Config.TLS.
const (
	TLSImplicit = transport.TLSImplicit // usually port 993
	TLSStart    = transport.TLSStart    // usually port 143
	TLSNone     = transport.TLSNone
)

const (
	defaultMaxBytes = 10 << 20
	defaultInbox    = "INBOX"
)

// Config says which mailbox to read and how. The usual TLS is "tls".
type Config struct {
	transport.Server
	Name     string // what Ref.Mailbox carries; "" means User@Host
	Inbox    string // mailbox to read, as the server names it; "" means INBOX
	MaxBytes int64  // mails above are not downloaded; 0 means 10 MiB
}

// complete fills the defaults in and refuses what cannot or must not work.
func (c Config) complete() (Config, error) {
	var err error
	if c.Server, err = c.Complete(transport.LoginWay{TLS: TLSImplicit, Port: 993}, transport.LoginWay{TLS: TLSStart, Port: 143}, transport.LoginWay{TLS: TLSNone, Port: 143}); err != nil {
		return c, err
	}
	if c.User == "" {
		return c, fmt.Errorf("no user is configured for %s", c.Host)
	}
	c.Name = cmp.Or(c.Name, c.User+"@"+c.Host)
	c.Inbox = cmp.Or(c.Inbox, defaultInbox)
	if c.MaxBytes <= 0 {
		c.MaxBytes = defaultMaxBytes
	}
	return c, nil
}
