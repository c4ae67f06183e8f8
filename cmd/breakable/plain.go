//go:build !crash

package breakable

import "starpost/pbem/daemon/process"

// Apply does nothing in released programs.
func Apply(*process.Options) error { return nil }
