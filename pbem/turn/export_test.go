package turn

// ErrNotDrawn is errNotDrawn, for tests.
var ErrNotDrawn = errNotDrawn
