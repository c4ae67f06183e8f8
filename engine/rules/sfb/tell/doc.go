// Package tell puts battles into words: one row for each event, the sentences of reports, panels
// and overlays of maps, and the longer accounts of why. It looks at views alone.
package tell
