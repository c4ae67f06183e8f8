package desk

// Tell has the answer say something besides: what the sender must know that is
// not about this mail. It is called before Answer.
func (c *Decision) Tell(sentence string) { c.told = append(c.told, sentence) }
