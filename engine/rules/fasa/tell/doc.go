// Package tell puts battles into words: one row for each event (events.go and those of parts),
// the sentences of reports, panels, overlays of maps, and which posts are told what.
// It reads views alone, so it cannot reveal what a viewer may not know.
package tell
