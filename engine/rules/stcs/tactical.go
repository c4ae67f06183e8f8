package stcs

// Movement words of a tactical heading change, which captains do not write.
const (
	wordTacticalL = "TL"
	wordTacticalR = "TR"
)
