package config

import (
	"fmt"
	"net"
	"strconv"

	"starpost/pbem/transport"
)

// Metrics says whether and where the daemon's figures can be asked for.
type Metrics struct {
	Listen string `toml:"listen"` // host:port; "" for nowhere
	Public bool   `toml:"public"` // Listen may be another machine's to reach
}

func (t *table) metrics() (m Metrics) {
	s := t.sub("metrics", false)
	if s == nil {
		return m
	}
	m.Public = s.truth("public", false)
	m.Listen = s.text("listen", "")
	host, port, err := net.SplitHostPort(m.Listen)
	n, perr := strconv.ParseUint(port, 10, 16)
	switch {
	case m.Listen == "":
	case err != nil || perr != nil || n == 0:
		s.bad("listen", fmt.Sprintf("%s: %q is not an address and a port", s.name("listen"), m.Listen), "write for example \"127.0.0.1:9095\"")
	case !m.Public && !transport.IsLoopback(host):
		s.bad("listen", fmt.Sprintf("%s: %q can be reached from elsewhere", s.name("listen"), m.Listen),
			"anyone who reaches it reads the names of all games; use \"127.0.0.1:"+port+"\", or add public = true")
	}
	s.done()
	return m
}
