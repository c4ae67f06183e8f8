package simulate_test

// planted is a fault that daemons have on purpose, where they meet what is around them, so that it can be tried whether worlds
// find it.
type planted string

// The faults.
const (
	dueUnclaimed planted = "mails are sent without asking whether this daemon still may"
)
