//go:build !js

package report

import "starpost/pbem/auth"

// masked returns a line of a text with its turn key, if any, masked.
func masked(line string) string { return auth.Mask(line, nil) }
