package report

// masked is the line as it is: in a browser a captain sees a key that he wrote himself, beside his own text.
func masked(line string) string { return line }
