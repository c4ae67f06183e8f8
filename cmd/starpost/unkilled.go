//go:build !crash

package main

import "starpost/pbem/daemon"

// breakable does nothing in the program as it is shipped; see the build tag
// crash.
func breakable(*daemon.Options) error { return nil }
