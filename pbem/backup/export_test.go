package backup

// ErrBusy is errBusy, for tests.
var ErrBusy = errBusy
