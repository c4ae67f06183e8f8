// Package tell puts battles into words: a row for each event, the sentences of reports, panels, map overlays, and
// explanations of what the rules did. Its only input is views.
package tell
