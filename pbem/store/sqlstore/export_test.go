package sqlstore

// Held is how many mails to be sent are held in memory, and how many bytes they have.
func Held(s *Store) (mails, bytes int) { return len(s.handle.recent), s.handle.recentBytes }
