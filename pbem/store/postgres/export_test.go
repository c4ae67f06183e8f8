package postgres

// Late returns the error that the store reports for a statement that took too long.
func Late(err error) error { return new(link).Failure(late(true, err)) }
