// Package tell puts battles into words: one row for each event (events.go and those of parts),
// the sentences of reports, panels, overlays of maps, and who at which post is told of what.
// It looks at views alone, so it cannot tell what a viewer may not know.
package tell
