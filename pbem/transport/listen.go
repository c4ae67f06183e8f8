package transport

import (
	"fmt"
	"net"
	"strings"
)

// LocalSocket splits a place of this machine to listen at, "unix:/PATH" or "127.0.0.1:2424", into network and address.
// The error tells what is wanted.
func LocalSocket(listen string) (network, address string, err error) {
	if path, ok := strings.CutPrefix(listen, "unix:"); ok {
		if !strings.HasPrefix(path, "/") || len(path) > maxSocketPath {
			return "", "", fmt.Errorf("%q: the path of a socket begins with / and has at most %d characters", listen, maxSocketPath)
		}
		return "unix", path, nil
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", "", fmt.Errorf("%q: want unix:/PATH, or an address and port of this machine such as 127.0.0.1:2424", listen)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) || port == "" {
		return "", "", fmt.Errorf("%q: only this machine may connect, as there is no login: want unix:/PATH, or 127.0.0.1 or [::1] and a port", listen)
	}
	return "tcp", listen, nil
}

// maxSocketPath is what the operating systems take.
const maxSocketPath = 100
