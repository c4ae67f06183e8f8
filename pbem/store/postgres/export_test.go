package postgres

// Late gives the error of a statement whose time was over, as the store reports it.
func Late(err error) error { return new(link).Failure(late(true, err)) }
