package desk

// AddNotice adds to the answer what the sender must know that is
// not about this mail. It is called before Answer.
func (c *Decision) AddNotice(sentence string) { c.notices = append(c.notices, sentence) }
