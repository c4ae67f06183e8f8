//go:build uncompiled

package templates

// compiled always returns nil: this build is for regenerating compiled.go.
func compiled(string) func(p *page, view any) bool { return nil }
