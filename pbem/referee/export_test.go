package referee

// Unexported errors for tests.
var (
	ErrNoDispute = errNoDispute
	ErrNoEvent   = errNoEvent
	ErrNotPaused = errNotPaused
	ErrPlayed    = errPlayed
	ErrSettled   = errSettled
	ErrTime      = errTime
	ErrWords     = errWords
)
