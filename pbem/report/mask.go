//go:build !js

package report

import "starpost/pbem/auth"

// masked is a line of a text without the turn key that it may have.
func masked(line string) string { return auth.Mask(line, nil) }
