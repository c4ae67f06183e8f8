package desk

// Tell adds to the answer what the sender must know that is
// not about this mail. It is called before Answer.
func (c *Decision) Tell(sentence string) { c.told = append(c.told, sentence) }
