package orders

import "slices"

// The codes of this package. Those of the rule sets are in E100 to E399 and W100 to W399.
const (
	CodeNotText       = "E001"
	CodeTooLarge      = "E002"
	CodeTooManyBlocks = "E003"
	CodeTooManyLines  = "E004"
	CodeLineTooLong   = "E005"
	CodeQuoted        = "E006"
	CodeNoEnd         = "E007"
	CodeOrdersInside  = "E008"
	CodeWordTooLong   = "E009"

	CodeHeadGame = "E010"
	CodeHeadTurn = "E011"
	CodeHeadShip = "E012"
	CodeHeadKey  = "E013"
	CodeHeadWord = "E014"
	CodeHeadKind = "E015"

	CodeHeadPhase = "E016"

	CodeUnknownOrder   = "E020"
	CodeWrongSection   = "E021"
	CodeForeignOrder   = "E022"
	CodeOnce           = "E023"
	CodeSectionNumber  = "E024"
	CodeSectionTwice   = "E025"
	CodeSectionWords   = "E026"
	CodeContinuation   = "E027"
	CodeUnknownMark    = "E028"
	CodeTooManyOrders  = "E029"
	CodeIncomplete     = "E030"
	CodeBadChoice      = "E031"
	CodeBadNumber      = "E032"
	CodeBadName        = "E033"
	CodeBadHex         = "E034"
	CodeBadSigned      = "E035"
	CodeBadWord        = "E036"
	CodeLeftOver       = "E037"
	CodeNumberTooLarge = "E038"
	CodeOtherPost      = "E039" // reported by rule sets, which know who may give an order
	CodeCondEmpty      = "E040"
	CodeCondSubject    = "E041"
	CodeCondCompare    = "E042"
	CodeCondValue      = "E043"
	CodeCondParens     = "E044"
	CodeCondDeep       = "E045"
	CodeCondFlag       = "E046"
	CodeCondPercent    = "E047"
	CodeCondNotAllowed = "E048"
	CodeCondLeftOver   = "E049"
	CodeTextMissing    = "E050"
	CodeTextOpen       = "E051"
	CodeTextTooLong    = "E052"
	CodeTextOwner      = "E053"
	CodeMoreErrors     = "E060"
	CodeQuotedLines    = "W001"
	CodeNearOrders     = "W002"
	CodeAfterEnd       = "W003"
	CodeEmptyBlock     = "W004"
	CodeMoreWarnings   = "W060"
)

// CodeInfo describes one diagnostic code.
type CodeInfo struct {
	Code     string
	Severity Severity
	Title    string
}

var codes = []CodeInfo{
	{CodeNotText, Error, "the source is not plain text"},
	{CodeTooLarge, Error, "the source is too large"},
	{CodeTooManyBlocks, Error, "too many order blocks in one source"},
	{CodeTooManyLines, Error, "too many lines in a block"},
	{CodeLineTooLong, Error, "a line is too long"},
	{CodeQuoted, Error, "the block has quote marks in front of it"},
	{CodeNoEnd, Error, "#end is missing"},
	{CodeOrdersInside, Error, "#orders before the #end of the block above"},
	{CodeWordTooLong, Error, "a word is too long"},
	{CodeHeadGame, Error, "the head names no game"},
	{CodeHeadTurn, Error, "the head has no valid turn number"},
	{CodeHeadShip, Error, "the head names no ship, captain or post"},
	{CodeHeadKey, Error, "the key is malformed"},
	{CodeHeadWord, Error, "a word of the head is not understood, or given twice"},
	{CodeHeadKind, Error, "the rule set has no such post"},
	{CodeHeadPhase, Error, "the head has no valid phase number"},
	{CodeUnknownOrder, Error, "unknown order"},
	{CodeWrongSection, Error, "the order belongs to another section"},
	{CodeForeignOrder, Error, "the order belongs to another rule set"},
	{CodeOnce, Error, "the order may be given only once"},
	{CodeSectionNumber, Error, "the section's number is missing or out of range"},
	{CodeSectionTwice, Error, "the section is opened twice"},
	{CodeSectionWords, Error, "words after a section heading"},
	{CodeContinuation, Error, "a continuation line with nothing to continue"},
	{CodeUnknownMark, Error, "unknown line with #"},
	{CodeTooManyOrders, Error, "too many orders or words in a block"},
	{CodeIncomplete, Error, "the order is incomplete"},
	{CodeBadChoice, Error, "the word is not one of those allowed"},
	{CodeBadNumber, Error, "a number is expected"},
	{CodeBadName, Error, "a name is expected"},
	{CodeBadHex, Error, "a hex is expected"},
	{CodeBadSigned, Error, "a signed number is expected"},
	{CodeBadWord, Error, "a different word is expected"},
	{CodeLeftOver, Error, "extra words at the end of an order"},
	{CodeNumberTooLarge, Error, "the number is too large"},
	{CodeOtherPost, Error, "an order for another post"},
	{CodeCondEmpty, Error, "a condition is expected"},
	{CodeCondSubject, Error, "unknown subject in a condition"},
	{CodeCondCompare, Error, "a comparison is missing or does not fit"},
	{CodeCondValue, Error, "the value to compare with is missing or does not fit"},
	{CodeCondParens, Error, "parentheses do not match"},
	{CodeCondDeep, Error, "the condition is nested too deep"},
	{CodeCondFlag, Error, "the subject cannot be compared with anything"},
	{CodeCondPercent, Error, "more than 100 per cent"},
	{CodeCondNotAllowed, Error, "the order takes no condition"},
	{CodeCondLeftOver, Error, "extra words after a condition"},
	{CodeTextMissing, Error, "the order needs a text"},
	{CodeTextOpen, Error, "#endtext is missing"},
	{CodeTextTooLong, Error, "the text is too long"},
	{CodeTextOwner, Error, "a text, or its end, without an order"},
	{CodeMoreErrors, Error, "more mistakes than are shown"},
	{CodeQuotedLines, Warning, "quoted lines in a block are ignored"},
	{CodeNearOrders, Warning, "a line looks like a misspelt #orders"},
	{CodeAfterEnd, Warning, "words after #end are ignored"},
	{CodeEmptyBlock, Warning, "the block has no order"},
	{CodeMoreWarnings, Warning, "more warnings than are shown"},
}

// Codes lists every code of this package, errors first, in ascending order.
func Codes() []CodeInfo { return slices.Clone(codes) }

// bound sorts ds and cuts them to MaxDiagnostics, preferring errors to warnings. A last diagnostic says how many
// were cut.
func bound(ds []Diagnostic) []Diagnostic {
	Sort(ds)
	if len(ds) <= MaxDiagnostics {
		return ds
	}
	var kept, errs, warnings []Diagnostic
	for _, d := range ds {
		if d.Severity == Error {
			errs = append(errs, d)
		} else {
			warnings = append(warnings, d)
		}
	}
	more := Diagnostic{
		Pos: ds[len(ds)-1].Pos, Severity: Warning, Code: CodeMoreWarnings,
		Message: plural(len(ds)-MaxDiagnostics, "more warning is", "more warnings are") + " not shown",
	}
	if len(errs) > MaxDiagnostics {
		more.Severity, more.Code = Error, CodeMoreErrors
		more.Message = plural(len(ds)-MaxDiagnostics, "more mistake is", "more mistakes are") + " not shown"
		more.Hint = "correct the first ones and send again: the rest may follow from them"
	}
	kept = append(kept, errs[:min(len(errs), MaxDiagnostics)]...)
	kept = append(kept, warnings[:min(len(warnings), MaxDiagnostics-len(kept))]...)
	Sort(kept)
	return append(kept, more)
}
