package referee

// What the package's errors are, for tests.
var (
	ErrNoDispute = errNoDispute
	ErrNoEvent   = errNoEvent
	ErrNotPaused = errNotPaused
	ErrPlayed    = errPlayed
	ErrSettled   = errSettled
	ErrTime      = errTime
	ErrWords     = errWords
)
