package report

// masked returns the line unchanged: in the browser, captains only see keys that they typed themselves.
func masked(line string) string { return line }
