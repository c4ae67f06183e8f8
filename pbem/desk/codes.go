package desk

import "starpost/orders"

// Codes of the diagnostics that this package gives: what is wrong with who sent
// a set, or with how a mail holds it.
const (
	CodeNotYours     = "E520" // the sender is no captain of that game
	CodeNoKey        = "E521" // the turn key is missing
	CodeWrongKey     = "E522" // the turn key does not fit
	CodeUnknownGame  = "E523" // there is no such game
	CodeCancelMixed  = "E524" // cancel stands beside other orders
	CodeOnlyQuoted   = "E525" // nothing but the template, quoted
	CodeUnreadable   = "E526" // the mail has no text that could be read
	CodeBadSignature = "E527" // an OpenPGP signature proves nothing
	CodeStale        = "E528" // a dated proof is older than what was taken
)

// Codes lists the codes of this package.
func Codes() []orders.CodeInfo {
	return []orders.CodeInfo{
		{Code: CodeNotYours, Severity: orders.Error, Title: "you are no captain of that game"},
		{Code: CodeNoKey, Severity: orders.Error, Title: "the turn key is missing"},
		{Code: CodeWrongKey, Severity: orders.Error, Title: "the turn key is wrong"},
		{Code: CodeUnknownGame, Severity: orders.Error, Title: "there is no such game"},
		{Code: CodeCancelMixed, Severity: orders.Error, Title: "cancel stands alone in its block"},
		{Code: CodeOnlyQuoted, Severity: orders.Error, Title: "nothing but the quoted template"},
		{Code: CodeUnreadable, Severity: orders.Error, Title: "the mail has no readable text"},
		{Code: CodeBadSignature, Severity: orders.Error, Title: "the OpenPGP signature proves nothing"},
		{Code: CodeStale, Severity: orders.Error, Title: "the mail is older than what was taken"},
	}
}
