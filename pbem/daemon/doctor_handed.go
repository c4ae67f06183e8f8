package daemon

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/incoming"
	"starpost/pbem/transport"
)

// tryHanded looks whether mails can be handed over: the folder can be written, and the daemon listens at the socket, or could.
func tryHanded(box config.Mailbox, state string) (string, error) {
	if _, err := writable(state); err != nil {
		return "", err
	}
	folder := incoming.Dir(state, box.Address)
	const way = `"starpost deliver" puts them into %s`
	if box.LMTP.Listen == "" {
		return fmt.Sprintf(way, folder), nil
	}
	network, address, err := transport.LocalSocket(box.LMTP.Listen)
	if err != nil {
		return "", err
	}
	c, err := net.DialTimeout(network, address, time.Second)
	if err == nil {
		return fmt.Sprintf("someone listens at %s; they lie in %s", box.LMTP.Listen, folder), c.Close()
	}
	if network == "unix" {
		if _, err := writable(filepath.Dir(address)); err != nil {
			return "", errors.Join(fmt.Errorf("the daemon cannot make the socket %s", address), err)
		}
	}
	return fmt.Sprintf("no one listens at %s now; the daemon does while it runs", box.LMTP.Listen), nil
}
