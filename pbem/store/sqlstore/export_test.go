package sqlstore

// Held returns the number of outgoing mails held in memory, and their bytes.
func Held(s *Store) (mails, bytes int) { return len(s.handle.recent), s.handle.recentBytes }
